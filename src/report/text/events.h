/* Private to report/: events of a difference beside each other, three columns each: what base has,
 * what head has, and the difference. */
#ifndef IRDIFF_REPORT_TEXT_EVENTS_H
#define IRDIFF_REPORT_TEXT_EVENTS_H

#include "src/report/diff_report.h"
#include "src/report/text/table.h"

enum { EVENT_BASE, EVENT_HEAD, EVENT_DELTA, EVENT_CELLS };

/* Columns of an event's name in a title, on a terminal and elsewhere. */
enum { EVENT_SHORT = 10, EVENT_NAME = 24, EVENT_CELL = 4 * EVENT_NAME + 8 };

/* One text per column. */
struct event_cells {
	char (*cells)[EVENT_CELL];
	size_t count;
};

/* For the events of a report, or if it has none its metric. Room for one row, whose cells are the
 * titles: "base", "head" and "Δ", with the names of events that were asked for. CG_OK or CG_ENOMEM;
 * free with event_cells_free. */
int event_cells_init(struct event_cells *c, const struct diff_report *r,
		     const struct text_style *style);
void event_cells_free(struct event_cells *c);

/* The i-th of what is shown: of the events, or the metric alone. */
struct diff_event event_shown(const struct diff_report *r, size_t i);

/* Of a row; NULL: that side does not have it, which is a dash, or if both do not, nothing. */
void event_cells_fill(struct event_cells *c, const struct diff_report *r, const int64_t *base,
		      const int64_t *head);

/* Makes columns as wide as the cells, if they are narrower. */
void event_cells_widen(const struct event_cells *c, size_t *widths);
/* Prints the first cells, aligned right in columns of these widths, with two blanks after each. */
void event_cells_print(const struct event_cells *c, size_t count, const size_t *widths, FILE *to);

/* A table with such columns in each row, and texts after them, of which the last is a name. */
struct event_table {
	struct text_table table;
	struct event_cells cells;
};

/* `tail` says how the texts are aligned, as in text_table_init. CG_OK or CG_ENOMEM; free with
 * event_table_free in both cases. */
int event_table_init(struct event_table *t, const struct diff_report *r, size_t rows,
		     const char *tail, const char *const *titles, const struct text_style *style);
/* The costs as in event_cells_fill; a name may follow, as in text_table_name. */
int event_table_add(struct event_table *t, const struct diff_report *r, const char *color,
		    const int64_t *base, const int64_t *head, const char *const *texts);
/* Leaves out events but the first until the last column has some room for names. Returns how
 * many. */
size_t event_table_fit(struct event_table *t, const struct text_style *style);
/* "… and 2 more events"; nothing of 0. */
void events_print_rest(size_t left_out, FILE *to);
void event_table_free(struct event_table *t);

#endif
