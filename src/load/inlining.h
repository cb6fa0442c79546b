/* Inlined functions of a profile: whose debug information tells them, and whose does not. */
#ifndef IRDIFF_LOAD_INLINING_H
#define IRDIFF_LOAD_INLINING_H

#include "cgprofile/reader.h"
#include "src/report/inlining.h"

/* What is looked up in objects, for files that say nothing of inlined functions. */
enum inlines_lookup {
	LOOKUP_WORTHWHILE, /* addresses, if a good part of the cost has debug information */
	LOOKUP_ADDRESSES,
	LOOKUP_LINES, /* addresses, and lines where there are none */
};

bool inlines_folded(const char *choice);
/* Whether functions of an interpreter are to be kept apart from those that it runs. */
bool inlines_interpreters(const char *choice);
enum inlines_lookup inlines_lookup(const char *choice);

/* What was found out about a profile. Texts are its own. */
struct inlining {
	struct report_inlining report;
	struct report_unresolved *missing;
	char **texts;
	size_t ntexts, texts_cap, missing_cap;
};

/* Reads files again, whose addresses or lines are looked up in the objects as they are
 * now, if that tells anything: then *profile, read by `options` before, is replaced. */
int inlining_look_up(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		     enum inlines_lookup lookup, struct cg_profile **profile, struct inlining *out,
		     struct cg_error *err);

/* Reads what a profile that was written with its inlined functions says of them. */
int inlining_stored(const struct cg_profile *p, struct inlining *out, struct cg_error *err);

/* Whether the inlined functions of a baseline's text are functions as all others, which cannot be
 * folded. */
bool inlining_kept_apart(const struct cg_profile *p);

/* The object that costs most, of which people know more than of the name of a profile; "" if none
 * has a name. Belongs to the profile. */
const char *inlining_costliest(const struct cg_profile *p);

/* An object below the directory `root`, without a slash at its end, that costs at least 1 %, and
 * has no debug information; NULL: none. Belongs to the report. */
const char *inlining_bare_object(const struct cg_profile *p, const struct report_inlining *i,
				 const char *root);

void inlining_free(struct inlining *i);

#endif
