#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/report/csv/csv.h"
#include "src/report/history_report.h"

static void write_point(struct csv *csv, const struct series *s, const struct series_point *p)
{
	char date[TEXT_NUMBER];

	csv_text(csv, s->benchmark);
	csv_text(csv, p->commit);
	csv_text(csv, history_date(p->committed, date));
	csv_text(csv, s->metric);
	csv_cost(csv, p->count, false);
	csv_cost(csv, p->previous ? cg_delta(p->previous->count, p->count) : 0, !p->previous);
	csv_text(csv, series_step_name(p->step));
	csv_count(csv, p->skipped, false);
	csv_text(csv, series_place_name(p->place));
	csv_text(csv, s->definition);
	csv_text(csv, s->environment);
	csv_text(csv, p->subject);
	csv_end_line(csv);
}

int history_csv(const struct history_report *r, FILE *to)
{
	static const char *const titles[] = { "benchmark",  "commit",       "date",
					      "metric",     "count",        "delta",
					      "step",       "not_measured", "place",
					      "definition", "environment",  "subject" };
	struct csv csv = { .to = to };

	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		csv_title(&csv, titles[i], NULL);
	csv_end_line(&csv);
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->series[i]->count; k++)
			if (history_shows(r, r->series[i], k))
				write_point(&csv, r->series[i], &r->series[i]->points[k]);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
