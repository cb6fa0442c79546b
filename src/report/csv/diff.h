/* Private to report/: tables of differences, one file per view. */
#ifndef IRDIFF_REPORT_CSV_DIFF_H
#define IRDIFF_REPORT_CSV_DIFF_H

#include "src/report/csv/csv.h"
#include "src/report/suite_report.h"

/* The events of all profiles, each once, in the order in which they come up; or those that are to be
 * shown. */
struct csv_events {
	const char **names;
	size_t count;
};

/* Titles of one column for each event and each of `leads` ("base_self_"), which NULL ends. */
void csv_event_titles(struct csv *csv, const struct csv_events *e, const char *const *leads);
/* An empty field where the profile does not have the event, or costs are NULL. */
void csv_event_cost(struct csv *csv, const struct cg_profile *p, const int64_t *costs,
		    const char *event);
/* "0" is what is not known of paths and causes. */
void csv_known_count(struct csv *csv, uint64_t count);

/* The titles, and the rows of one benchmark. */
void csv_flat_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r);
void csv_flat_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b);
void csv_tree_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r);
void csv_tree_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b);
void csv_causes_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r);
void csv_causes_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b);
void csv_source_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r);
void csv_source_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b);

#endif
