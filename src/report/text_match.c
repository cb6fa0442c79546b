#include "src/report/text_match.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/text/text.h"
#include "src/report/text_name.h"

enum { MOST_NOTES = 4 };

/* Notes behind `lead`, separated by commas. */
struct notes {
	FILE *to;
	const char *lead;
	unsigned count, most; /* no more are written */
};

static void add(struct notes *n, const char *before, const char *name, const char *after)
{
	if (n->count == n->most)
		return;
	fprintf(n->to, "%s%s%s%s", n->count ? ", " : n->lead, before, name, after);
	n->count++;
}

static void add_match(struct notes *n, const struct tree_row *r)
{
	if (r->match == DIFF_MOVED)
		add(n, "from another file", "", "");
	else if (r->match == DIFF_INLINED)
		add(n, "inlined in head", "", "");
	else if (r->match == DIFF_NO_LONGER_INLINED)
		add(n, "inlined in base", "", "");
	else if (r->match == DIFF_RENAMED)
		add(n, "was ", r->base_name, "");
	else if (r->match == DIFF_DISSOLVED)
		add(n, "without its callees", "", "");
	else if (tree_row_inlined(r))
		add(n, "inlined", "", "");
	if (r->base.via)
		add(n, "through ", r->base.via, " in base");
	if (r->head.via)
		add(n, "through ", r->head.via, " in head");
}

/* The first one that was absorbed, and how many more. */
static void add_absorbed(struct notes *n, const struct tree_diff *t, const struct tree_row *r)
{
	const struct tree_absorption *first = &t->absorbed[r->absorbed];
	if (r->nabsorbed == 0 || n->count == n->most)
		return;
	add(n, "with ", first->name, first->in_head ? " of head" : " of base");
	if (r->nabsorbed > 1)
		fprintf(n->to, " and %u more", r->nabsorbed - 1);
}

/* Safe; `name` is the row's, or what is left of it. */
static char *format(const struct tree_diff *t, const struct tree_row *row,
		    const struct path_label *label, const char *name, unsigned notes)
{
	char *text = NULL, *safe = NULL;
	size_t size;
	struct notes n = { .to = open_memstream(&text, &size), .lead = " (", .most = notes };
	if (!n.to)
		return NULL;

	fprintf(n.to, "%s%s%s%s", label->lead, label->caller ? label->caller : "",
		label->caller ? " → " : "", name);
	add_match(&n, row);
	add_absorbed(&n, t, row);
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

	add_match(&n, row);
	add_absorbed(&n, t, row);
	if (fclose(n.to) == 0)
		safe = text_safe(text);
	free(text);
	return safe;
}

/* Both names keep as much as the other one leaves, and at least half. */
static char *format_cut(const struct tree_diff *t, const struct tree_row *row,
			const struct path_label *label, unsigned width)
{
	enum { LEAST = 8 };
	struct path_label cut = *label;
	char *caller = text_cut(label->caller ? label->caller : "", 0), *name = text_cut(row->name, 0);
	char *text = NULL;

	if (caller && name) {
		size_t used = text_width(label->lead) + (label->caller ? 3 : 0) +
			      (label->estimated ? 2 : 0);
		unsigned room = width > used + LEAST ? width - (unsigned)used : LEAST;
		size_t first = text_width(caller), second = text_width(name);
		if (first > room / 2)
			first = second < room - room / 2 ? room - second : room / 2;
		char *short_caller = text_name(caller, (unsigned)first);
		char *short_name = text_name(name, room - (unsigned)first);
		cut.caller = label->caller ? short_caller : NULL;
		if (short_caller && short_name)
			text = format(t, row, &cut, short_name, 0);
		free(short_caller);
		free(short_name);
	}
	free(caller);
	free(name);
	return text;
}

char *text_path_name(const struct tree_diff *t, const struct tree_row *row,
		     const struct path_label *label, unsigned width)
{
	for (unsigned notes = MOST_NOTES;; notes--) {
		char *text = format(t, row, label, row->name, notes);
		if (!text || !width || text_width(text) <= width)
			return text;
		free(text);
		if (notes == 0)
			return format_cut(t, row, label, width);
	}
}
