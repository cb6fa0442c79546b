/*
 * Reports while the commits of a range are measured. Old commits often fail in the same way, one
 * after the other: that is reported once.
 */
#ifndef IRDIFF_COMMITS_ALIKE_H
#define IRDIFF_COMMITS_ALIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/status/notice.h"

struct alike_notice {
	enum notice_kind kind;
	char *text;
	size_t size;
};

struct alike {
	struct notices notices; /* takes the place of `outer` */
	const struct notices *outer;
	struct alike_notice *items; /* of the present commit */
	size_t count, cap;
	char *reason;  /* what was reported when the last commit failed; NULL: it did not fail */
	size_t untold; /* how many later commits failed in the same way, which was not reported */
	size_t failed; /* how many commits in a row have failed in the same way */
};

/* It must not be moved. Free with alike_free. */
void alike_init(struct alike *a, const struct notices *outer);

/* A commit is done. What was reported of it is passed on, unless it failed as the one before did,
 * of which more may have been reported, as some notes are made once; its subject, ids, keys and
 * other long hexadecimal numbers do not matter for that. */
void alike_end(struct alike *a, const char *subject, bool failed);

/* Reports how many commits failed in the same way since the last report. */
void alike_free(struct alike *a);

#endif
