#ifndef IRDIFF_DIFF_TREE_STEP_H
#define IRDIFF_DIFF_TREE_STEP_H

/* How far paths are matched: by names, and by each step of tree_match.h. */
enum tree_step { TREE_BY_NAME, TREE_SPLICE, TREE_RENAME, TREE_ABSORB, TREE_ALL = TREE_ABSORB };

#endif
