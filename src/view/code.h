/*
 * The source of functions in one file with the costs of its lines, of one profile or of base and
 * head. Lines of two versions are in one list: matched lines (line_match.h), whose texts are equal
 * except for blanks at the ends, are one line; the others are only in base or only in head. Where
 * a side has no text, lines are known by their numbers.
 *
 * Law: the self costs of all lines of a side add up to those of its file.
 */
#ifndef IRDIFF_VIEW_CODE_H
#define IRDIFF_VIEW_CODE_H

#include "src/view/source.h"

enum { CODE_BASE, CODE_HEAD, CODE_SIDES };

/* One file with the functions that source_make found. It borrows everything. */
struct code_side {
	const struct cg_profile *profile; /* NULL: nothing is known of lines */
	const struct source_file *file;   /* NULL: the function has none */
	const struct source_text *text;   /* path NULL: not found */
	const char *note;                 /* what to know about the text; NULL: nothing */
};

struct code_sides {
	struct code_side side[CODE_SIDES];
};

struct code_line {
	bool in[CODE_SIDES];
	uint32_t number[CODE_SIDES];          /* 0: instructions without a line */
	const char *text[CODE_SIDES];         /* hostile; NULL: not known */
	const int64_t *self[CODE_SIDES];      /* events of that side; NULL: none */
	const int64_t *inclusive[CODE_SIDES]; /* and what is called from the line */
};

struct code {
	struct code_line *lines;
	size_t count;
	int64_t *costs; /* that inclusive costs point to */
};

/* Which sides are shown: with both, what changed. The sides must outlive the result. CG_OK or
 * CG_ENOMEM. */
int code_make(const struct code_sides *sides, bool base, bool head, struct code **out);
void code_free(struct code *c);

/* Its text in head, or else in base; NULL: not known. */
const char *code_text(const struct code_line *line);

#endif
