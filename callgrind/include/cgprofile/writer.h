/*
 * Writing a profile as callgrind text with one part, in an order that depends only on
 * the profile's contents. The summary is the sum of the parts' summaries, if all have one
 * and `sums` is not set. Reading the output gives the same model, except that several parts
 * become one, that an apostrophe in a name is replaced if it would begin a list of callers,
 * and that inlined code becomes a callee with 0 calls, unless `keep_inlined` asks for lines that
 * only irdiff reads. 0 calls are written as 1, because other tools would take the cost of 0 calls
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
	bool sums;           /* the summary is the sum of the written costs, like the totals,
			      * without what else Valgrind counted */
	bool keep_inlined;   /* write lines `inlined=`, which other tools do not read */
	/* Objects and source files at or below the path `seen` are renamed, by the first path
	 * that matches. */
	const struct cg_path_map *paths;
	size_t npaths;
	/* More `desc: KEY: VALUE` lines after those of the profile, whose own "irdiff." lines
	 * are then left out. Control characters in them become spaces. */
	const char *const (*descs)[2];
	size_t ndescs;
};

/* Errors: CG_ENOMEM, CG_EIO (the stream has failed, errno says how). Without options (NULL) it
 * writes as with all of them 0. What the stream buffers may still fail: check fclose. */
int cg_write_callgrind(const struct cg_profile *p, const struct cg_write_options *options,
		       FILE *to);

CG_END_DECLS

#endif
