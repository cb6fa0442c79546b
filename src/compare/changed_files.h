/* Which files of the project differ between the commits of base and head. */
#ifndef IRDIFF_COMPARE_CHANGED_FILES_H
#define IRDIFF_COMPARE_CHANGED_FILES_H

#include "src/compare/comparison.h"
#include "src/load/commit_source.h"

/* Adds their paths from the top of the work tree, without documentation, hidden files, and what
 * neither their builds nor the program used; none if it is not known which differ. *all_used
 * becomes false if it is not known what was used. CG_OK, or an error of git or of memory. */
int changed_files_find(const struct comparison *c, const struct project *project,
		       struct strings *paths, bool *all_used, struct cg_error *err);

#endif
