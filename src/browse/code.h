/*
 * The source of one function with what its lines cost, of one side or of both. Lines of two
 * versions stand in one list: those that have the same text are one line, as many as possible; the
 * others are only in base or only in head.
 */
#ifndef IRDIFF_BROWSE_CODE_H
#define IRDIFF_BROWSE_CODE_H

#include "src/browse/rows.h"
#include "src/view/source.h"

/* One file of what source_make found for a function. All of it is somebody else's. */
struct code_side {
	const struct cg_profile *profile; /* NULL: nothing is known of lines */
	const struct source_file *file;   /* NULL: the function has none */
	const struct source_text *text;   /* path NULL: not found */
	const char *note;                 /* what to know about the text; NULL: nothing */
};

struct code_sides {
	struct code_side side[BROWSE_SIDES];
};

struct code_line {
	bool in[BROWSE_SIDES];
	uint32_t number[BROWSE_SIDES];         /* 0: instructions without a line */
	const char *text;                      /* hostile; NULL: not known */
	const int64_t *self[BROWSE_SIDES];     /* events of that side; NULL: none */
	const int64_t *inclusive[BROWSE_SIDES]; /* and what is called from the line */
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

/* The line whose self cost, or change of it, is largest; if none has any, by what is called from
 * lines; 0 if nothing costs anything. */
size_t code_costliest(const struct code *c, const struct browse_metric *m);

#endif
