/* How far inlined functions are known in a profile, for reports. */
#ifndef IRDIFF_REPORT_INLINING_H
#define IRDIFF_REPORT_INLINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cgprofile/profile.h"

/* The keys of `desc:` lines: that inlined functions were looked up, and "REASON: OBJECT" of each
 * object that told none. */
#define INLINING_KEY "irdiff.inlines"
#define INLINING_MISSING_KEY "irdiff.inlines.missing"

enum inlining_source {
	INLINING_UNKNOWN, /* nothing is known, or was asked for */
	INLINING_NAMED,   /* the file names them, as CodSpeed's Valgrind does: the innermost */
	INLINING_STORED,  /* found when the profile was measured */
	INLINING_NOW,     /* found in the objects as they are now, which may be others */
	INLINING_BY_LINE, /* the same, by source lines: approximately */
};

/* An object of which no inlined functions, or not all, are known. */
struct report_unresolved {
	const char *object, *reason;
};

struct report_inlining {
	enum inlining_source source;
	const struct report_unresolved *missing;
	size_t nmissing;
};

/* "exact", "named", "unverified", "approximate", "none". */
const char *inlining_source_name(enum inlining_source source);

/* What an object costs of an event of the profile by itself. */
int64_t inlining_object_cost(const struct cg_profile *p, const char *object, uint32_t event);

/* Whether they are known less than exactly, in objects that matter. */
bool inlining_is_doubtful(const struct cg_profile *p, const struct report_inlining *i,
			  uint32_t event);

/* Lines for the head of a text report; none if nothing is known. */
void inlining_print(const struct cg_profile *p, const struct report_inlining *i, uint32_t event,
		    FILE *to);

#endif
