/*
 * Writing a profile as callgrind text, one part, in an order that depends on
 * the profile's contents alone. The summary is that of the parts, if all have
 * one and no other is wanted. What is read from it is the same model, except that several parts
 * have become one, that a name with an apostrophe which would be taken for a list of callers has
 * another apostrophe, and that inlined code is what a function calls 0 times, unless lines are
 * wanted that only irdiff reads. Other tools read 0 calls as 1: they would take the cost of none
 * for self cost.
 */
#ifndef CGPROFILE_WRITER_H
#define CGPROFILE_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "cgprofile/api.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

struct cg_write_options {
	const char *creator; /* "irdiff-0.1"; NULL: the profile's own, or else "irdiff" */
	const char *command; /* NULL: the first part's */
	bool sums;           /* the summary is what is written, as the totals are, and not what
			      * Valgrind had counted besides */
	bool keep_inlined;   /* by lines `inlined=`, which other tools do not know */
	/* Objects and source files at or below the path `seen` are renamed: by the first that
	 * fits. */
	const struct cg_path_map *paths;
	size_t npaths;
	/* More `desc: KEY: VALUE` lines after those of the profile, of which then
	 * none begins with "irdiff.". Control characters in them become spaces. */
	const char *const (*descs)[2];
	size_t ndescs;
};

/* Errors: CG_ENOMEM, CG_EIO (the stream has failed, errno says how). Without options (NULL) it
 * writes as with all of them 0. What the stream buffers may still fail: check fclose. */
int cg_write_callgrind(const struct cg_profile *p, const struct cg_write_options *options,
		       FILE *to);

CG_END_DECLS

#endif
