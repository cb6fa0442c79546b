/* Verdicts of one limit on several functions that have the same name. */
#ifndef IRDIFF_DIFF_SAME_SUBJECT_H
#define IRDIFF_DIFF_SAME_SUBJECT_H

#include "src/diff/limit.h"

/* Sets the place of each verdict that another one has the subject of. CG_OK or CG_ENOMEM. */
int same_subject_tell_apart(struct limit_verdict *verdicts, size_t count);

/* Verdicts on calls of what an installed library inlines, which no project can keep out of line, do
 * not fail if that is no news, or if one that is called has the same name. *excused: how many
 * failed before. CG_OK or CG_ENOMEM. */
int same_subject_excuse(struct limit_verdict *verdicts, size_t count, size_t *excused);

#endif
