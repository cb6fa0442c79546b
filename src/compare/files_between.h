/* Which files of the project differ between the commits of base and head. */
#ifndef IRDIFF_COMPARE_FILES_BETWEEN_H
#define IRDIFF_COMPARE_FILES_BETWEEN_H

#include "src/compare/comparison.h"
#include "src/load/commit_source.h"

struct files_between {
	struct changed_files files;
	bool all_used; /* it is known what was used */
	bool at_top;   /* the current directory is the one that paths begin at */
};

/* Without documentation that the run does not read, hidden files, and what neither their builds nor
 * the program used; none if it is not known which differ. CG_OK, or an error of git or of memory;
 * free the files with changed_files_free in any case. */
int files_between_find(const struct comparison *c, const struct project *project,
		       struct files_between *out, struct cg_error *err);

#endif
