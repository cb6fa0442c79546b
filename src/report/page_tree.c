#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/report/page_data.h"
#include "src/report/text.h"

enum { IN_BASE = 1, IN_HEAD = 2, INLINED_BASE = 4, INLINED_HEAD = 8, ESTIMATED = 16, REST = 32 };

/* A frame of the page: one of the graph, or the rest below one: what is too narrow. */
struct shown {
	uint32_t frame; /* of the rest: the frame in which it is */
	uint32_t up;    /* how far back its parent stands; 0: a root */
	uint32_t rest;  /* how many frames it stands for; 0: itself */
};

struct tree {
	const struct flame *f;
	const struct tree_diff *diff;
	const struct page_events *events;
	struct page_names *names;
	bool is_base;       /* one profile, which is base and not head */
	uint64_t narrowest; /* frames of at least this width are shown */
	struct shown *shown;
	size_t count;
	int64_t *base_rest, *head_rest; /* per frame, the costs of what is not shown just below it */
	uint32_t *nrest;                /* and how many frames it is */
};

/* ---- what is shown ---- */

static int compare_widths(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a < b) - (a > b);
}

/* Frames are as wide as those above them or narrower, so a least width leaves a tree. Of
 * equals that would be too many, none is shown. */
static int find_narrowest(const struct flame *f, size_t most, uint64_t *out)
{
	*out = 0;
	if (f->count <= most)
		return CG_OK;
	uint64_t *widths = calloc(f->count, sizeof *widths);
	if (!widths)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < f->count; i++)
		widths[i] = f->frames[i].width;
	qsort(widths, f->count, sizeof *widths, compare_widths);
	*out = widths[most] == UINT64_MAX ? UINT64_MAX : widths[most] + 1;
	free(widths);
	return CG_OK;
}

size_t page_left_out(const struct flame *f, size_t most)
{
	uint64_t narrowest;
	size_t count = 0;

	if (find_narrowest(f, most, &narrowest))
		return 0;
	for (uint32_t i = 1; i < f->count; i++)
		count += f->frames[i].width < narrowest;
	return count;
}

static size_t stride(const struct flame_events *e)
{
	return e->profile ? e->profile->nevents : 0;
}

static void add_rest(int64_t *rest, const struct flame_events *e, uint32_t parent, uint32_t frame)
{
	size_t n = stride(e);
	/* Sums of parts of what did not overflow as a whole; of both signs they saturate. */
	for (size_t i = 0; i < n; i++) {
		int64_t cost = e->inclusive[frame * n + i], *sum = &rest[parent * n + i];
		if (__builtin_add_overflow(*sum, cost, sum))
			*sum = cost < 0 ? INT64_MIN : INT64_MAX;
	}
}

/* What is not shown is left out with all below it, and counts for the rest of its parent. */
static void find_rests(struct tree *t)
{
	const struct flame *f = t->f;
	for (uint32_t i = 1; i < f->count;) {
		const struct flame_frame *n = &f->frames[i];
		if (n->width >= t->narrowest) {
			i++;
			continue;
		}
		add_rest(t->base_rest, &f->base, n->parent, i);
		add_rest(t->head_rest, &f->head, n->parent, i);
		t->nrest[n->parent] += n->end - i;
		i = n->end;
	}
}

/* The rest below a frame stands behind all that is shown below it. */
static int list_shown(struct tree *t)
{
	const struct flame *f = t->f;
	uint32_t *place = calloc((size_t)f->count + 1, sizeof *place);
	uint32_t *open = calloc((size_t)f->count + 1, sizeof *open); /* path to the current frame */
	size_t depth = 0;

	if (!place || !open) {
		free(place);
		free(open);
		return CG_ENOMEM;
	}
	for (uint32_t i = 0; i <= f->count; i++) {
		while (depth && (i == f->count || f->frames[open[depth - 1]].end <= i)) {
			uint32_t done = open[--depth];
			if (t->nrest[done])
				t->shown[t->count++] = (struct shown){
					done, done ? (uint32_t)t->count - place[done] : 0, t->nrest[done] };
		}
		if (i == f->count || (i && f->frames[i].width < t->narrowest))
			continue;
		uint32_t parent = f->frames[i].parent;
		place[i] = (uint32_t)t->count;
		open[depth++] = i;
		if (i)
			t->shown[t->count++] = (struct shown){ i, parent ? place[i] - place[parent] : 0, 0 };
	}
	free(place);
	free(open);
	return CG_OK;
}

/* ---- columns ---- */

static bool is_of_diff(const struct tree *t)
{
	return t->f->base.profile != NULL;
}

static int64_t cost_of(const struct shown *s, const struct flame_events *e, const int64_t *rest,
		       int event)
{
	size_t n = stride(e);
	if (event < 0 || n == 0)
		return 0;
	return s->rest ? rest[s->frame * n + (size_t)event] : e->self[s->frame * n + (size_t)event];
}

/* A column without any cost is null. */
static void add_column(struct json *j, const struct tree *t, size_t event, bool head, bool delta)
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
		for (size_t i = 0; i < t->count; i++) {
			const struct shown *s = &t->shown[i];
			int64_t b = delta || !head ? cost_of(s, &f->base, t->base_rest, in_base) : 0;
			int64_t h = head ? cost_of(s, &f->head, t->head_rest, in_head) : 0;
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

static void add_columns(struct json *j, const char *key, const struct tree *t, bool head, bool delta)
{
	json_begin_array(j, key);
	for (size_t e = 0; e < t->events->count; e++)
		add_column(j, t, e, head, delta);
	json_end(j);
}

static int flags_of(const struct tree *t, const struct shown *s)
{
	const struct flame_frame *n = &t->f->frames[s->frame];

	if (s->rest)
		return IN_BASE | IN_HEAD | REST;
	if (t->is_base)
		return IN_BASE | (n->head.inlined ? INLINED_BASE : 0) |
		       (n->head.estimated ? ESTIMATED : 0);
	return (n->base.present ? IN_BASE : 0) | (n->head.present ? IN_HEAD : 0) |
	       (n->base.inlined ? INLINED_BASE : 0) | (n->head.inlined ? INLINED_HEAD : 0) |
	       (n->base.estimated || n->head.estimated ? ESTIMATED : 0);
}

static void add_numbers(struct json *j, const struct tree *t)
{
	json_begin_array(j, "function");
	for (size_t i = 0; i < t->count; i++) {
		const struct shown *s = &t->shown[i];
		const struct flame_function *f = &t->f->functions[t->f->frames[s->frame].function];
		json_cost(j, NULL, s->rest ? -1 : (int64_t)page_function(t->names, f->name, f->object,
									 f->file));
	}
	json_end(j);
	json_begin_array(j, "up");
	for (size_t i = 0; i < t->count; i++)
		json_cost(j, NULL, t->shown[i].up);
	json_end(j);
	json_begin_array(j, "flags");
	for (size_t i = 0; i < t->count; i++)
		json_cost(j, NULL, flags_of(t, &t->shown[i]));
	json_end(j);
}

static void add_calls(struct json *j, const char *key, const struct tree *t, bool head)
{
	json_begin_array(j, key);
	for (size_t i = 0; i < t->count; i++) {
		const struct flame_frame *n = &t->f->frames[t->shown[i].frame];
		uint64_t calls = head ? n->head.calls : n->base.calls;
		json_count(j, NULL, t->shown[i].rest ? 0 : calls);
	}
	json_end(j);
}

static void add_rests(struct json *j, const struct tree *t)
{
	char key[24];
	json_begin_object(j, "rest");
	for (size_t i = 0; i < t->count; i++) {
		if (!t->shown[i].rest)
			continue;
		snprintf(key, sizeof key, "%zu", i);
		json_count(j, key, t->shown[i].rest);
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

	if (f->base_name)
		say(to, "was ", f->base_name, "");
	if (n->base.via)
		say(to, "called by ", n->base.via, " in base");
	if (n->head.via)
		say(to, "called by ", n->head.via, " in head");
	for (uint32_t i = 0; row && i < row->nabsorbed; i++) {
		const struct tree_absorption *a = &t->diff->absorbed[row->absorbed + i];
		say(to, "with ", a->name, a->in_head ? " of head" : " of base");
	}
	return fclose(to) ? NULL : text;
}

static int add_words(struct json *j, const struct tree *t)
{
	int status = CG_OK;
	char key[24];

	json_begin_object(j, "notes");
	for (size_t i = 0; !status && i < t->count; i++) {
		const struct flame_frame *n = &t->f->frames[t->shown[i].frame];
		bool any = t->f->functions[n->function].base_name || n->base.via || n->head.via ||
			   (t->diff && n->row && t->diff->rows[n->row].nabsorbed);
		if (t->shown[i].rest || !any)
			continue;
		char *words = words_of(t, n);
		status = words ? CG_OK : CG_ENOMEM;
		snprintf(key, sizeof key, "%zu", i);
		if (words && *words)
			json_text(j, key, words);
		free(words);
	}
	json_end(j);
	return status;
}

/* ---- all of it ---- */

static int make_room(struct tree *t)
{
	size_t count = (size_t)t->f->count + 1;
	t->shown = calloc(2 * count, sizeof *t->shown);
	t->nrest = calloc(count, sizeof *t->nrest);
	t->base_rest = calloc(count, (stride(&t->f->base) + 1) * sizeof *t->base_rest);
	t->head_rest = calloc(count, (stride(&t->f->head) + 1) * sizeof *t->head_rest);
	return t->shown && t->nrest && t->base_rest && t->head_rest ? CG_OK : CG_ENOMEM;
}

static int write_tree(struct json *j, const char *key, const struct tree *t)
{
	json_begin_object(j, key);
	add_numbers(j, t);
	if (is_of_diff(t)) {
		add_calls(j, "baseCalls", t, false);
		add_calls(j, "headCalls", t, true);
		add_columns(j, "base", t, false, false);
		add_columns(j, "head", t, true, true);
	} else {
		/* A graph of one profile knows it as head. */
		add_calls(j, t->is_base ? "baseCalls" : "headCalls", t, true);
		add_columns(j, t->is_base ? "base" : "head", t, true, false);
	}
	add_rests(j, t);
	int status = add_words(j, t);
	json_end(j);
	return status;
}

int page_add_tree(struct json *j, const char *key, const struct flame *f,
		  const struct tree_diff *diff, const struct page_events *events, size_t most,
		  struct page_names *names)
{
	struct tree t = { .f = f, .diff = diff, .events = events, .names = names,
			  .is_base = strcmp(key, "base") == 0 };
	int status = make_room(&t);

	if (!status)
		status = find_narrowest(f, most, &t.narrowest);
	if (!status) {
		find_rests(&t);
		status = list_shown(&t);
	}
	if (!status)
		status = write_tree(j, key, &t);
	free(t.shown);
	free(t.nrest);
	free(t.base_rest);
	free(t.head_rest);
	return status;
}
