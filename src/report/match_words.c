#include "src/report/match_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

enum { MOST_NOTES = 4 };

/* Notes after `lead`, separated by commas. */
struct notes {
	FILE *to;
	const char *lead;
	unsigned count, most; /* no more are written */
};

static void append_text(struct notes *n, const char *before, const char *name, const char *after)
{
	if (n->count == n->most)
		return;
	fprintf(n->to, "%s%s%s%s", n->count ? ", " : n->lead, before, name, after);
	n->count++;
}

const char *renamed_function(const struct tree_diff *t, const struct diff_row *row)
{
	const bool in_head = row->head.present;

	if (!t || in_head == row->base.present)
		return NULL;
	const struct tree_row *r = tree_find_renamed(t, in_head, row->name, row->object);
	return !r ? NULL : in_head ? r->base_name : r->name;
}

const char *text_base_file(const struct tree_diff *t, const struct tree_row *r)
{
	if (r->match != DIFF_MOVED || !t->base || !r->base.node)
		return NULL;
	const struct cg_profile *p = t->base->profile;
	const struct cg_function *f = &p->functions[t->base->nodes[r->base.node].function];
	const char *file = cg_base_name(cg_string(p, f->file));

	return text_is_known(file) && strcmp(file, cg_base_name(r->file)) != 0 ? file : NULL;
}

static void add_match(struct notes *n, const struct tree_diff *t, const struct tree_row *r)
{
	const char *file = text_base_file(t, r);

	if (file)
		append_text(n, "was in ", file, "");
	else if (r->match == DIFF_INLINED)
		append_text(n, "inlined in head", "", "");
	else if (r->match == DIFF_NO_LONGER_INLINED)
		append_text(n, "inlined in base", "", "");
	else if (r->match == DIFF_RENAMED)
		append_text(n, "was ", r->base_name, "");
	else if (r->match == DIFF_DISSOLVED)
		append_text(n, "callees listed below its caller", "", "");
	else if (tree_row_inlined(r))
		append_text(n, "inlined", "", "");
	if (r->base.via)
		append_text(n, "called by ", r->base.via, " in base");
	if (r->head.via)
		append_text(n, "called by ", r->head.via, " in head");
}

/* The first one that was absorbed, and how many more. */
static void add_match_absorbed(struct notes *n, const struct tree_diff *t, const struct tree_row *r)
{
	const struct tree_absorption *first = &t->absorbed[r->absorbed];
	if (r->nabsorbed == 0 || n->count == n->most)
		return;
	append_text(n, "includes ", first->name, first->in_head ? " of head" : " of base");
	if (r->nabsorbed > 1)
		fprintf(n->to, " and %u more", r->nabsorbed - 1);
}

/* The names that make up that of a row. */
enum notes_part { CALLER, CALLER_WAS, NAME, WAS, PARTS };

/* NULL if it is missing. */
static const char *part_of(const struct tree_row *row, const struct tree_row *caller,
			   enum notes_part part)
{
	const struct tree_row *r = part == CALLER || part == CALLER_WAS ? caller : row;
	bool was = part == CALLER_WAS || part == WAS;

	return !r || (was && r->match != DIFF_RENAMED) ? NULL : was ? r->base_name : r->name;
}

/* Safe; `names` are those of the row and its caller, or what is left of them. */
static char *format(const struct tree_diff *t, const struct tree_row *row,
		    const struct path_label *label, const char *const names[PARTS], unsigned notes)
{
	struct tree_row shown = *row;
	char *text = NULL, *safe = NULL;
	size_t size;
	struct notes n = { .to = open_memstream(&text, &size), .lead = " (", .most = notes };
	if (!n.to)
		return NULL;

	fputs(label->lead, n.to);
	if (names[CALLER_WAS])
		fprintf(n.to, "%s (was %s) → ", names[CALLER], names[CALLER_WAS]);
	else if (names[CALLER])
		fprintf(n.to, "%s → ", names[CALLER]);
	fputs(names[NAME], n.to);
	shown.base_name = names[WAS];
	add_match(&n, t, &shown);
	add_match_absorbed(&n, t, row);
	fprintf(n.to, "%s%s", n.count ? ")" : "", label->estimated ? " ~" : "");
	if (fclose(n.to) == 0)
		safe = text_safe(text);
	free(text);
	return safe;
}

char *text_path_notes(const struct tree_diff *t, const struct tree_row *row)
{
	char *text = NULL, *safe = NULL;
	size_t size;
	struct notes n = { .to = open_memstream(&text, &size), .lead = "", .most = MOST_NOTES };
	if (!n.to)
		return NULL;

	add_match(&n, t, row);
	add_match_absorbed(&n, t, row);
	if (fclose(n.to) == 0)
		safe = text_safe(text);
	free(text);
	return safe;
}

/* Who needs less than an equal share leaves the rest to the others. */
static void share_room(const size_t wanted[PARTS], unsigned given[PARTS], unsigned room)
{
	unsigned open = 0;
	bool settled;

	for (unsigned i = 0; i < PARTS; i++)
		open += wanted[i] > 0;
	do {
		settled = true;
		for (unsigned i = 0; i < PARTS; i++) {
			if (given[i] || !wanted[i] || wanted[i] > room / open)
				continue;
			given[i] = (unsigned)wanted[i];
			room -= given[i];
			open--;
			settled = false;
		}
	} while (!settled);
	for (unsigned i = 0; i < PARTS; i++) {
		if (given[i] || !wanted[i])
			continue;
		given[i] = room / open--;
		room -= given[i];
	}
}

/* The columns around the names. */
static unsigned width_around(const struct path_label *label, const size_t wanted[PARTS])
{
	enum { ARROW = 3, PARENTHESES = 7, MARK = 2 };

	return (unsigned)text_width(label->lead) + (wanted[CALLER] ? ARROW : 0) +
	       (wanted[CALLER_WAS] ? PARENTHESES : 0) + (wanted[WAS] ? PARENTHESES : 0) +
	       (label->estimated ? MARK : 0);
}

/* Every name keeps as much as the others leave, and at least its share. What it was called is
 * left out where there is not even room for that. */
static char *format_cut(const struct tree_diff *t, const struct tree_row *row,
			const struct path_label *label, unsigned width)
{
	enum { LEAST = 8 };
	char *whole[PARTS] = { NULL }, *cut[PARTS] = { NULL }, *text = NULL;
	size_t wanted[PARTS] = { 0 };
	unsigned given[PARTS] = { 0 }, count = 0;
	bool failed = false;

	for (unsigned i = 0; i < PARTS; i++) {
		const char *name = part_of(row, label->caller, i);
		whole[i] = name ? text_cut(name, 0) : NULL;
		failed |= name && !whole[i];
		wanted[i] = !whole[i] ? 0 : *whole[i] ? text_width(whole[i]) : 1;
		count += wanted[i] > 0;
	}
	if (width_around(label, wanted) + count * LEAST > width)
		wanted[CALLER_WAS] = wanted[WAS] = 0;
	unsigned used = width_around(label, wanted);
	share_room(wanted, given, width > used + LEAST ? width - used : LEAST);
	for (unsigned i = 0; i < PARTS; i++) {
		cut[i] = wanted[i] ? text_name(whole[i], given[i]) : NULL;
		failed |= wanted[i] && !cut[i];
		free(whole[i]);
	}
	if (!failed)
		text = format(t, row, label, (const char *const *)cut, cut[WAS] ? 1 : 0);
	for (unsigned i = 0; i < PARTS; i++)
		free(cut[i]);
	return text;
}

char *text_path_name(const struct tree_diff *t, const struct tree_row *row,
		     const struct path_label *label, unsigned width)
{
	const char *names[PARTS];

	for (unsigned i = 0; i < PARTS; i++)
		names[i] = part_of(row, label->caller, i);
	for (unsigned notes = MOST_NOTES; notes || !names[WAS]; notes--) {
		char *text = format(t, row, label, names, notes);
		if (!text || !width || text_width(text) <= width)
			return text;
		free(text);
		if (notes == 0)
			break;
	}
	return format_cut(t, row, label, width);
}
