/*
 * Trees of calls in the formats of other viewers. All costs of a tree are written, and
 * nothing is chosen or cut: what a viewer shows of a function is what irdiff shows.
 */
#ifndef IRDIFF_REPORT_EXPORT_EXPORT_H
#define IRDIFF_REPORT_EXPORT_EXPORT_H

#include <stdio.h>

#include "cgprofile/error.h"
#include "cgprofile/tree.h"

/* A view: it owns nothing. */
struct export
{
	const struct cg_tree *tree;
	const uint32_t *events; /* of the profile, as they shall be written */
	size_t nevents;
	const char *name;           /* of the profile, as the user said it */
	const char *creator;        /* "irdiff-0.1" */
	const uint32_t *first_line; /* per function: that has costs in its file; 0: not known */
	const char *image,
		*build_id; /* the base name of an object, and its id; NULL: none is known */
};

/*
 * speedscope's own format: for each event a profile whose frames are opened and closed
 * in the order of the tree. A frame is a function, whether it is inlined or not. Where costs are
 * estimated, a profile has the number of samples in `irdiffSamples`, which
 * src/formats reads.
 * Errors: CG_EINVAL, if a path has negative costs, for which it has no width; CG_ENOMEM.
 */
int export_speedscope(const struct export *x, FILE *to, struct cg_error *err);

/*
 * pprof's profile.proto, uncompressed: each node of the tree is a sample with a value
 * for each event. A location is a function with all that it is inlined into, the
 * innermost first, as pprof has it; its address the lowest where it spent anything.
 * All of a function stands in the first line of it that is known. Errors: CG_ENOMEM.
 */
int export_pprof(const struct export *x, FILE *to, struct cg_error *err);

/* For each function the first line in its own file that has costs, 0: not known. NULL: out
 * of memory; free() it. */
uint32_t *export_first_lines(const struct cg_profile *p);

#endif
