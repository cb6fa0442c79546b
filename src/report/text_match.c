#include "src/report/text_match.h"

#include <stdio.h>
#include <stdlib.h>

/* Notes in parentheses, separated by commas. */
struct notes {
	FILE *to;
	bool any;
};

static void add(struct notes *n, const char *before, const char *name, const char *after)
{
	fprintf(n->to, "%s%s%s%s", n->any ? ", " : " (", before, name, after);
	n->any = true;
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
	if (r->nabsorbed == 0)
		return;
	add(n, "with ", first->name, first->in_head ? " of head" : " of base");
	if (r->nabsorbed > 1)
		fprintf(n->to, " and %u more", r->nabsorbed - 1);
}

char *text_path_name(const struct tree_diff *t, const struct tree_row *row, const char *before,
		     bool estimated)
{
	char *text = NULL;
	size_t size;
	struct notes n = { .to = open_memstream(&text, &size) };
	if (!n.to)
		return NULL;

	fprintf(n.to, "%s%s", before, row->name);
	add_match(&n, row);
	add_absorbed(&n, t, row);
	fprintf(n.to, "%s%s", n.any ? ")" : "", estimated ? " ~" : "");
	if (fclose(n.to) == 0)
		return text;
	free(text);
	return NULL;
}
