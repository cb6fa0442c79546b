#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/html/page_data.h"
#include "src/report/match_words.h"
#include "src/text/text.h"

enum { IN_BASE = 1, IN_HEAD = 2, INLINED_BASE = 4, INLINED_HEAD = 8, ESTIMATED = 16, REST = 32 };

struct tree {
	const struct flame *f;
	const struct tree_diff *diff;
	const struct cg_tree *measured; /* of one profile; otherwise NULL */
	const struct page_events *events;
	struct page_names *names;
	bool is_base; /* one profile, which is base and not head */
};

/* ---- columns ---- */

static bool is_of_diff(const struct tree *t)
{
	return t->f->base.profile != NULL;
}

static int64_t tree_cost_of(const struct flame_events *e, uint32_t frame, int event)
{
	return event < 0 || !e->profile
		       ? 0
		       : e->self[(size_t)frame * e->profile->nevents + (size_t)event];
}

/* A column without any cost is null. */
static void add_tree_column(struct json *j, const struct tree *t, size_t event, bool head,
			    bool delta)
{
	const struct flame *f = t->f;
	int in_base = t->events->base[event];
	int in_head = t->is_base ? in_base : t->events->head[event];
	bool any = false;

	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1 && !any) {
			json_none(j, NULL);
			return;
		}
		if (pass == 1)
			json_begin_array(j, NULL);
		for (uint32_t i = 1; i < f->count; i++) {
			int64_t b = delta || !head ? tree_cost_of(&f->base, i, in_base) : 0;
			int64_t h = head ? tree_cost_of(&f->head, i, in_head) : 0;
			any |= head ? b != h : b != 0;
			if (pass == 1 && head)
				json_delta(j, NULL, b, h);
			else if (pass == 1)
				json_cost(j, NULL, b);
		}
		if (pass == 1)
			json_end(j);
	}
}

static void add_columns(struct json *j, const char *key, const struct tree *t, bool head,
			bool delta)
{
	json_begin_array(j, key);
	for (size_t e = 0; e < t->events->count; e++)
		add_tree_column(j, t, e, head, delta);
	json_end(j);
}

static int tree_flags_of(const struct tree *t, const struct flame_frame *n)
{
	if (n->rest)
		return IN_BASE | IN_HEAD | REST;
	if (t->is_base)
		return IN_BASE | (n->head.inlined ? INLINED_BASE : 0) |
		       (n->head.estimated ? ESTIMATED : 0);
	return (n->base.present ? IN_BASE : 0) | (n->head.present ? IN_HEAD : 0) |
	       (n->base.inlined ? INLINED_BASE : 0) | (n->head.inlined ? INLINED_HEAD : 0) |
	       (n->base.estimated || n->head.estimated ? ESTIMATED : 0);
}

/* The page has no frame 0: what is below it are roots. */
static void add_numbers(struct json *j, const struct tree *t)
{
	const struct flame *f = t->f;

	json_begin_array(j, "function");
	for (uint32_t i = 1; i < f->count; i++) {
		const struct flame_function *of = &f->functions[f->frames[i].function];
		json_cost(j, NULL,
			  f->frames[i].rest ? -1
					    : (int64_t)page_function(t->names, of->name, of->object,
								     of->file));
	}
	json_end(j);
	json_begin_array(j, "up");
	for (uint32_t i = 1; i < f->count; i++)
		json_cost(j, NULL, f->frames[i].parent ? i - f->frames[i].parent : 0);
	json_end(j);
	json_begin_array(j, "flags");
	for (uint32_t i = 1; i < f->count; i++)
		json_cost(j, NULL, tree_flags_of(t, &f->frames[i]));
	json_end(j);
}

static void add_tree_calls(struct json *j, const char *key, const struct tree *t, bool head)
{
	json_begin_array(j, key);
	for (uint32_t i = 1; i < t->f->count; i++) {
		const struct flame_frame *n = &t->f->frames[i];
		json_count(j, NULL, head ? n->head.calls : n->base.calls);
	}
	json_end(j);
}

static void add_rests(struct json *j, const struct tree *t)
{
	char key[24];
	json_begin_object(j, "rest");
	for (uint32_t i = 1; i < t->f->count; i++) {
		if (!t->f->frames[i].rest)
			continue;
		snprintf(key, sizeof key, "%" PRIu32, i - 1);
		json_count(j, key, t->f->frames[i].rest);
	}
	json_end(j);
}

/* ---- words ---- */

static void say(FILE *to, const char *before, const char *name, const char *after)
{
	char *safe = text_safe(name);
	fprintf(to, "%s%s%s%s", ftell(to) > 0 ? ", " : "", before, safe ? safe : "", after);
	free(safe);
}

/* What to know about a frame. "" for nothing, NULL without memory; allocated. */
static char *words_of(const struct tree *t, const struct flame_frame *n)
{
	const struct flame_function *f = &t->f->functions[n->function];
	const struct tree_row *row = t->diff && n->row ? &t->diff->rows[n->row] : NULL;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;

	const char *file = row ? text_base_file(t->diff, row) : NULL;
	if (file)
		say(to, "was in ", file, "");
	if (n->match == DIFF_DISSOLVED)
		say(to, "callees listed below its caller", "", "");
	if (f->base_name)
		say(to, "was ", f->base_name, "");
	if (n->base.via)
		say(to, "called by ", n->base.via, " in base");
	if (n->head.via)
		say(to, "called by ", n->head.via, " in head");
	for (uint32_t i = 0; row && i < row->nabsorbed; i++) {
		const struct tree_absorption *a = &t->diff->absorbed[row->absorbed + i];
		say(to, "includes ", a->name, a->in_head ? " of head" : " of base");
	}
	return fclose(to) ? NULL : text;
}

static int add_tree_words(struct json *j, const struct tree *t)
{
	int status = CG_OK;
	char key[24];

	json_begin_object(j, "notes");
	for (uint32_t i = 1; !status && i < t->f->count; i++) {
		const struct flame_frame *n = &t->f->frames[i];
		bool any = t->f->functions[n->function].base_name || n->base.via || n->head.via ||
			   n->row || n->match == DIFF_MOVED || n->match == DIFF_DISSOLVED;
		if (!any)
			continue;
		char *words = words_of(t, n);
		status = words ? CG_OK : CG_ENOMEM;
		snprintf(key, sizeof key, "%" PRIu32, i - 1);
		if (words && *words)
			json_text(j, key, words);
		free(words);
	}
	json_end(j);
	return status;
}

/* ---- all of it ---- */

double page_estimated(const struct cg_tree *t)
{
	struct cg_tree_doubt doubt;

	cg_tree_find_doubt(t, &doubt);
	return doubt.estimated;
}

static int write_page_tree(struct json *j, const char *key, const struct tree *t)
{
	json_begin_object(j, key);
	add_numbers(j, t);
	if (is_of_diff(t)) {
		add_tree_calls(j, "baseCalls", t, false);
		add_tree_calls(j, "headCalls", t, true);
		add_columns(j, "base", t, false, false);
		add_columns(j, "head", t, true, true);
	} else {
		/* A graph of one profile knows it as head. */
		add_tree_calls(j, t->is_base ? "baseCalls" : "headCalls", t, true);
		add_columns(j, t->is_base ? "base" : "head", t, true, false);
	}
	if (t->measured)
		json_number(j, "estimated", page_estimated(t->measured));
	add_rests(j, t);
	int status = add_tree_words(j, t);
	json_end(j);
	return status;
}

int page_add_tree(struct json *j, const char *key, const struct flame *f,
		  const struct tree_diff *diff, const struct cg_tree *measured,
		  const struct page_events *events, struct page_names *names)
{
	const struct tree t = { .f = f,
				.diff = diff,
				.measured = measured,
				.events = events,
				.names = names,
				.is_base = strcmp(key, "base") == 0 };
	return write_page_tree(j, key, &t);
}
