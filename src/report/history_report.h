/* What benchmarks counted over commits. The structs are views: they own nothing. */
#ifndef IRDIFF_REPORT_HISTORY_REPORT_H
#define IRDIFF_REPORT_HISTORY_REPORT_H

#include <stdio.h>

#include "src/history/series.h"
#include "src/text/text.h"

struct history_report {
	const struct series *const *series;
	size_t count;
	bool only_steps;     /* leave out points that are none */
	size_t top;          /* show at most so many points of a table, the newest; 0: all */
	const char *by_time; /* why commits are sorted by time only; NULL: they are not */
};

/* A point is shown unless it is hidden, or no step and only these are. */
bool history_shows(const struct history_report *r, const struct series *s, size_t point);

/* Whether more than one commit is sorted by time only. */
bool history_is_by_time(const struct history_report *r);

/* "2026-11-21" of seconds since 1970; returns `buffer`. */
const char *history_date(int64_t seconds, char buffer[TEXT_NUMBER]);

/* A line for each benchmark, or with `only_steps` for each that has one; and a table of each, the
 * newest first. CG_OK or CG_ENOMEM. */
int history_text_overview(const struct history_report *r, const struct text_style *style, FILE *to);
int history_text(const struct history_report *r, const struct text_style *style, FILE *to);

/* All of them, oldest points first. CG_OK, CG_ENOMEM or CG_EIO. */
int history_json(const struct history_report *r, FILE *to);
int history_csv(const struct history_report *r, FILE *to);

#endif
