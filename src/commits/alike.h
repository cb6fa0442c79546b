/*
 * What is reported while the commits of a range are measured, one after the other. Old commits
 * often all fail for one reason, which is told once.
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
	char *reason;  /* why the last commit failed; NULL: it did not */
	size_t untold; /* commits since the last one that was told of, which failed alike */
	size_t failed; /* commits in a row that failed alike, the present one included */
};

/* It must not be moved. Free with alike_free. */
void alike_init(struct alike *a, const struct notices *outer);

/* A commit is done. What was reported of it is passed on, unless it failed as the one before did;
 * its subject, ids, keys and other long hexadecimal numbers do not matter for that. */
void alike_end(struct alike *a, const char *subject, bool failed);

/* No more commits follow: says how many failed alike since the last report. */
void alike_free(struct alike *a);

#endif
