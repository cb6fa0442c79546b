/* Private to diff/: puts the functions of two profiles into groups that are matched with each
 * other. */
#ifndef IRDIFF_DIFF_GROUP_FUNCTIONS_H
#define IRDIFF_DIFF_GROUP_FUNCTIONS_H

#include "src/diff/groups.h"

/* Errors: CG_ENOMEM, CG_ERANGE. Free both with groups_free. */
int group_functions(const struct cg_profile *base, const struct cg_profile *head,
		    struct cg_strings *strings, struct groups *base_out, struct groups *head_out);

/* Sets what a key is matched by: this name, and its parts. CG_OK or CG_ENOMEM. */
int group_key_match_by(struct group_key *key, struct cg_strings *strings, cg_str name);

#endif
