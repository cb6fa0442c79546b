/*
 * Private to diff/: functions of two profiles, as they are compared, put into groups.
 *
 * The keys of these groups have what they are matched by as their name, the base name of a file,
 * the object, the namespace, and what is shown of them as their file, a path or the same. An object
 * that has another name in head keeps that of base as what it is matched by: it is one whose
 * functions are found in it.
 */
#ifndef IRDIFF_DIFF_ROLLUP_H
#define IRDIFF_DIFF_ROLLUP_H

#include "cgprofile/rollup.h"
#include "src/diff/match.h"

/* Rolls up matched functions. CG_OK, CG_ENOMEM or CG_ERANGE; free with matched_groups_free, also on
 * failure. */
int groups_roll_up(const struct cg_profile *base, const struct cg_profile *head,
		   enum cg_rollup_by by, const struct matched_groups *functions,
		   struct cg_strings *strings, struct matched_groups *out);

#endif
