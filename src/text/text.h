/* What people read, in whatever report: numbers, names, and columns of them. */
#ifndef IRDIFF_TEXT_TEXT_H
#define IRDIFF_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cgprofile/profile.h"

/* How a text report may look. */
struct text_style {
	bool color;
	bool wide;       /* never cut names */
	bool ascii;      /* the locale is not UTF-8: no characters that draw */
	unsigned width;  /* columns of the terminal; 0: unlimited */
	unsigned height; /* its lines; 0: unlimited */
	/* Absolute: the directory where the reader is; NULL: not known, so paths are whole. */
	const char *here;
};

/* Size of the buffers below; each function returns its buffer. */
#define TEXT_NUMBER 48

/* "1,234,567" */
const char *text_count(uint64_t n, char *buffer);
/* The same, "-1,234" below 0. */
const char *text_cost(int64_t cost, char *buffer);
/* "+1,234", "-5", "0" of head - base */
const char *text_delta(int64_t base, int64_t head, char *buffer);
/* "+21.2%", "+5,847%", "-0.006%", "+<0.001%" and "-<0.001%" of less, "new" from a base of 0, "0%"
 * without a change */
const char *text_change(int64_t base, int64_t head, char *buffer);
/* (head - base) as a share of a total: "+3.41%", "-" if the total is 0 */
const char *text_share_of_base(int64_t base, int64_t head, int64_t total, char *buffer);
/* n as a part of a total: "66.7%", "107%", "-12.0%", "<0.001%", "-<0.001%", "0%"; "n/a" of
 * a total of 0 */
const char *text_part(int64_t n, int64_t total, char *buffer);
/* "12.34%" in callgrind_annotate's manner: five places; "n/a" of a total of 0 */
const char *text_share(int64_t n, int64_t total, char *buffer);

/* A size: "3.1 kB", "247.1 MB", "1.5 GB" */
const char *text_bytes(uint64_t bytes, char *buffer);

/* "800 → 2,400", "20,000" if both are equal, "–" for unknown calls (0) */
#define TEXT_PAIR (3 * TEXT_NUMBER)
const char *text_calls(uint64_t base, uint64_t head, char *buffer);
/* What one call costs: "1,234"; of less than one, as misses do, "0.29"; "–" for 0 calls. */
const char *text_per_call(int64_t cost, uint64_t calls, char *buffer);
/* The same of both sides, "12 → 14"; "12.0 → 12.3" with as many digits, up to six decimals, as tell
 * them apart; "12" if both are equal. */
const char *text_per_call_pair(int64_t base, uint64_t base_calls, int64_t head, uint64_t head_calls,
			       char buffer[TEXT_PAIR]);
/* "calls", or "call" after "1". */
const char *text_calls_word(uint64_t base, uint64_t head);

/* Whether the name of a function, file or object is known: "???" is not. */
bool text_is_known(const char *name);

/* A copy in which nothing can harm a terminal: control characters, bytes that
 * are not UTF-8 and characters that turn the direction of writing are written
 * as \xNN. NULL if memory ran out; free() it. */
char *text_safe(const char *text);

/* The same, cut in the middle to `width` columns (less than 4: not cut). */
char *text_cut(const char *name, unsigned width);

/* Prints a safe text, cut in the middle to `width` columns (0: not cut). */
void text_print_name(FILE *to, const char *name, unsigned width);

/* Prints a path, safe; an absolute one as seen from the directory `here` (as in struct text_style),
 * if that is shorter and leads at most three directories up. */
void text_print_path(FILE *to, const char *path, const char *here);

/* Prints a line of source, safe, with tabs expanded. */
void text_print_source(FILE *to, const char *line);
/* The same as a text, cut at its end to `width` columns (0: not cut). NULL if memory ran out;
 * free() it. */
char *text_source(const char *line, unsigned width);

/* Columns that a text takes on a terminal. */
size_t text_width(const char *text);
/* After the first `columns` of a text, or at its end. */
const char *text_skip(const char *text, size_t columns);

/* Escape sequences, "" without colour. */
const char *text_red(const struct text_style *s);
const char *text_green(const struct text_style *s);
const char *text_bold(const struct text_style *s);
const char *text_dim(const struct text_style *s);
const char *text_plain(const struct text_style *s);

/* Columns of costs as callgrind_annotate prints them: "1,234 (12.34%)". */
struct text_columns {
	const struct cg_profile *p;
	const uint32_t *events; /* which, in which order */
	size_t count;
	int *widths; /* per column; owned */
};

int text_columns_init(struct text_columns *c, const struct cg_profile *p, const uint32_t *events,
		      size_t count);
/* Makes the columns wide enough for a row. */
void text_columns_fit(struct text_columns *c, const int64_t *costs);
void text_columns_free(struct text_columns *c);
void text_columns_print_names(FILE *to, const struct text_columns *c);
/* NULL costs: a row of blanks. */
void text_columns_print(FILE *to, const struct text_columns *c, const int64_t *costs);

#endif
