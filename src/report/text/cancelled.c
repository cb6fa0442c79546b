/* That a small change is what is left of larger ones. */
#include <stdlib.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/report/diff_report.h"
#include "src/text/text.h"

/* Paths of which all that is below counts, too; 0: none. */
struct extremes {
	uint32_t grew, fell;
};

static int64_t path_delta(const struct tree_diff *t, uint32_t row)
{
	const struct tree_row *r = &t->rows[row];
	return cg_delta(diff_base_value(t->diff, r->base.inclusive),
			diff_head_value(t->diff, r->head.inclusive));
}

/* Of equal ones the first, which is above the others. What is an estimate may be no change. */
static struct extremes find_extremes(const struct tree_diff *t)
{
	struct extremes e = { 0, 0 };
	int64_t most = 0, least = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t delta = path_delta(t, i);
		if (t->rows[i].base.estimated || t->rows[i].head.estimated)
			continue;
		if (delta > most) {
			most = delta;
			e.grew = i;
		}
		if (delta < least) {
			least = delta;
			e.fell = i;
		}
	}
	return e;
}

/* Also of the parts that a cause names. */
static uint64_t largest_cause(const struct causes *c)
{
	uint64_t largest = cg_magnitude(c->delta);

	for (size_t i = 0; i < c->count; i++)
		if (cg_magnitude(c->items[i].delta) > largest)
			largest = cg_magnitude(c->items[i].delta);
	for (size_t i = 0; i < c->nparts; i++)
		if (cg_magnitude(c->parts[i].delta) > largest)
			largest = cg_magnitude(c->parts[i].delta);
	return largest;
}

static bool find_cancelled(const struct diff_report *r, struct extremes *out)
{
	enum { MOST_TIMES = 10 };

	if (!r->causes || r->filter || r->causes->self_only)
		return false;
	const struct tree_diff *t = r->causes->tree;
	const uint64_t most = largest_cause(r->causes);
	const struct extremes e = find_extremes(t);
	const uint32_t rows[] = { e.grew, e.fell };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t delta = path_delta(t, rows[i]);
		if (!rows[i] || cg_magnitude(delta) / MOST_TIMES < most ||
		    !diff_is_change(diff_classify_change(t->diff, 0, delta)))
			return false;
	}
	*out = e;
	return true;
}

bool diff_has_cancelled(const struct diff_report *r)
{
	struct extremes e;
	return find_cancelled(r, &e);
}

static int print_extreme(const struct tree_diff *t, uint32_t row, const struct text_style *style,
			 FILE *to)
{
	enum { AROUND = 40, LEAST = 40 };
	unsigned width = style->wide || !style->width    ? 0
			 : style->width < AROUND + LEAST ? LEAST
							 : style->width - AROUND;
	const struct tree_row *r = &t->rows[row];
	char *name = text_cut(r->name, width);
	char delta[TEXT_NUMBER];

	if (!name)
		return CG_ENOMEM;
	fprintf(to, "    %s%s: %s, %s\n", name, tree_row_inlined(r) ? " (inlined)" : "",
		diff_class_name(tree_diff_classify(t, r)),
		text_delta(0, path_delta(t, row), delta));
	free(name);
	return CG_OK;
}

int diff_cancelled_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct extremes e;

	if (!find_cancelled(r, &e))
		return CG_OK;
	fputs("  Larger changes cancel each other out; see them with --view=tree:\n", to);
	int status = print_extreme(r->causes->tree, e.fell, style, to);
	return status ? status : print_extreme(r->causes->tree, e.grew, style, to);
}
