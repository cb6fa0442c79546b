/* Which function of a profile is likely meant by a name that none has. */
#ifndef IRDIFF_TEXT_SIMILAR_FUNCTION_H
#define IRDIFF_TEXT_SIMILAR_FUNCTION_H

#include "cgprofile/profile.h"

/* A function whose name ends with "::" and `word`, ignoring parameters, or that is spelled much
 * like it, such as "expr::Parser::factor" for "factor" or "facotr". A word with "::" is compared
 * with whole names, any other one with their last part. 0: there is none. CG_OK or CG_ENOMEM. */
int similar_function(const struct cg_profile *p, const char *word, uint32_t *function);

/* How long its name is without parameters. */
size_t similar_function_length(const struct cg_profile *p, uint32_t function);

#endif
