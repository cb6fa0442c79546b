/*
 * Private to report/: what a report lists, as rows of typed cells.
 *
 * Whoever knows what the rows are fills in a struct of a row's values (diff_table.h, fix_table.h).
 * A format chooses columns, each of which is a member of that struct, and writes any such table:
 * csv.h, text/table.h, markdown.h. There is one row at a time, so a table of many rows takes no
 * memory.
 */
#ifndef IRDIFF_REPORT_TABLE_H
#define IRDIFF_REPORT_TABLE_H

#include <stddef.h>

#include "src/text/text.h"

/* What a member is, and how it is written. */
enum cell_kind {
	/* const char *; NULL: an empty cell */
	CELL_WORD,   /* irdiff's own: safe */
	CELL_NAME,   /* as it was read */
	CELL_OWN,    /* the format writes it itself */
	CELL_NUMBER, /* a number in irdiff's words */
	/* uint64_t */
	CELL_COUNT,
	CELL_KNOWN, /* 0 is what is not known */
	/* struct cell_numbers */
	CELL_BASE_COUNT,
	CELL_HEAD_COUNT,
	CELL_COUNTS, /* "800 → 2,400" */
	CELL_BASE,
	CELL_HEAD,
	CELL_COSTS,
	CELL_EACH,          /* the same of cost / count */
	CELL_DELTA,         /* head - base */
	CELL_CHANGE,        /* of base, in percent */
	CELL_SHARE_OF_BASE, /* head - base of the total */
	CELL_SHARE,         /* the same as its size */
	CELL_PART,          /* of the total, in three digits */
	/* struct cell_events: one cell for each event */
	CELL_EVENT,
};

struct cell_numbers {
	int64_t base, head, total;
	uint64_t base_count, head_count;
	bool base_missing, head_missing; /* not there, or not known */
	const char *instead;             /* of a difference, for people; NULL: nothing */
};

struct cell_events {
	const struct cg_profile *profile;
	const int64_t *costs; /* NULL: missing */
};

struct table_column {
	const char *title; /* NULL: what a row is */
	enum cell_kind kind;
	size_t member;  /* its offset */
	unsigned roomy; /* left out on terminals that have fewer columns */
	bool spare;     /* left out where names would have too little room */
	const char *event;
	size_t index; /* of that event among the profile's; CELL_BY_NAME */
};

#define CELL_BY_NAME SIZE_MAX

#define TABLE_COLUMN(name, how, cells, which) \
	{ \
		.title = (name), .kind = (how), .member = offsetof(cells, which) \
	}
#define TABLE_ROOMY(width, name, how, cells, which) \
	{ \
		.title = (name), .kind = (how), .member = offsetof(cells, which), .roomy = (width) \
	}
#define TABLE_SPARE(name, how, cells, which) \
	{ \
		.title = (name), .kind = (how), .member = offsetof(cells, which), .spare = true \
	}

/* How a row stands out. */
enum table_tone { TONE_PLAIN, TONE_WORSE, TONE_BETTER, TONE_BOLD, TONE_DIM };

enum { TABLE_ROW = 800 }; /* bytes of the largest struct of values */

struct report_table {
	const struct table_column *columns;
	size_t ncolumns;
	size_t nrows;
	const char *word;     /* what a row is: "function" */
	const char *bench;    /* of which the rows are; NULL: only one */
	const void *report;   /* what rows are made from */
	const uint32_t *rows; /* its rows to show; NULL: all */
	void *made, *spread;  /* freed by table_free */
	void (*fill)(const struct report_table *t, size_t row, void *cells);
	enum table_tone (*tone)(const struct report_table *t, size_t row); /* NULL: all are plain */
};

/* A row's values. */
union table_row {
	char bytes[TABLE_ROW];
	max_align_t align;
};

#define TABLE_COLUMNS(table, list) \
	((table)->columns = (list), (table)->ncolumns = sizeof(list) / sizeof *(list))

void table_free(struct report_table *t);

/* Replaces the columns of events, which stand at the end, by such columns for each of these events.
 * `at`: where they are among the profile's; NULL: to be found by name, for profiles that differ.
 * CG_OK or CG_ENOMEM. */
int table_spread(struct report_table *t, const char *const *events, const uint32_t *at,
		 size_t nevents);

const char *table_title(const struct report_table *t, const struct table_column *c);
/* Of a column, in a row's values. */
const void *table_cell(const struct table_column *c, const union table_row *row);

/* Whether it is a text, and so on the left. */
bool table_is_text(const struct table_column *c);
/* For people, in the buffer or as it is in the row: only a CELL_NAME is not safe. */
const char *table_text(const struct table_column *c, const union table_row *row,
		       char buffer[TEXT_PAIR]);

/* The cost of a CELL_EVENT; false: missing. */
bool table_event(const struct table_column *c, const struct cell_events *of, int64_t *cost);

/* A file or an object; NULL where that is not known. */
static inline const char *table_place(const char *name)
{
	return name && text_is_known(name) ? name : NULL;
}

#endif
