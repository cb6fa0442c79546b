#include <stdio.h>

#include "src/report/csv/csv.h"
#include "src/report/fix_report.h"

static bool of_functions(const struct fix_diff *f)
{
	return f->lost->options.by == CG_BY_FUNCTION;
}

static void print_titles(struct csv *csv, const struct fix_diff *f)
{
	static const char *const fixed[] = { "metric", "state", "lost_self", "won_back_self",
					     "left_self" };
	const struct cg_profile *p = fix_profile(f, FIX_MAIN);

	csv_title(csv, cg_rollup_word(f->lost->options.by), "");
	if (of_functions(f)) {
		csv_title(csv, "object", "");
		csv_title(csv, "file", "");
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		csv_title(csv, fixed[i], "");
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		csv_title(csv, fix_side_name(s), "_calls");
	for (uint32_t e = 0; e < p->nevents; e++)
		for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
			char lead[40];
			snprintf(lead, sizeof lead, "%s_self_", fix_side_name(s));
			csv_title(csv, lead, cg_string(p, p->events[e].name));
		}
	csv_end_line(csv);
}

/* The differences as base and head may be larger than a count can: they stay at the end of it. */
static void print_delta(struct csv *csv, int64_t base, int64_t head)
{
	int64_t delta;

	if (__builtin_sub_overflow(head, base, &delta))
		delta = head < base ? INT64_MIN : INT64_MAX;
	csv_cost(csv, delta);
}

static void print_costs(struct csv *csv, const struct fix_diff *f, const struct fix_row *row)
{
	const struct cg_profile *p = fix_profile(f, FIX_MAIN);

	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		if (fix_knows_calls(row, s))
			csv_count(csv, row->calls[s]);
		else
			csv_nothing(csv);
	for (uint32_t e = 0; e < p->nevents; e++)
		for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
			int here = cg_event_index(fix_profile(f, s), cg_string(p, p->events[e].name));
			if (row->present[s] && here >= 0)
				csv_cost(csv, row->self[s][here]);
			else
				csv_nothing(csv);
		}
}

static void print_row(struct csv *csv, const struct fix_diff *f, const struct fix_row *row)
{
	struct fix_values v = fix_values_of(f, row->self);

	csv_text(csv, row->name);
	if (of_functions(f)) {
		csv_place(csv, row->object);
		csv_place(csv, row->file);
	}
	csv_text(csv, f->lost->options.metric);
	csv_text(csv, fix_state_name(fix_classify(f, v)));
	print_delta(csv, v.main, v.regression);
	print_delta(csv, v.fix, v.regression);
	print_delta(csv, v.main, v.fix);
	print_costs(csv, f, row);
	csv_end_line(csv);
}

int fix_csv(const struct fix_report *r, FILE *to)
{
	struct csv csv = { .to = to };

	print_titles(&csv, r->fix);
	for (size_t i = 0; i < r->nrows; i++)
		print_row(&csv, r->fix, &r->fix->rows[r->rows[i]]);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
