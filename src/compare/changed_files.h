/* Which files of the project differ between the commits of base and head. */
#ifndef IRDIFF_COMPARE_CHANGED_FILES_H
#define IRDIFF_COMPARE_CHANGED_FILES_H

#include "src/compare/comparison.h"
#include "src/load/commit_source.h"

struct changed_files {
	struct strings paths;  /* from the top of the work tree */
	struct strings inputs; /* those of them that only the run reads, in their order */
	bool all_used;         /* it is known what was used */
};

/* Without documentation that the run does not read, hidden files, and what neither their builds nor
 * the program used; none if it is not known which differ. CG_OK, or an error of git or of memory;
 * free with changed_files_free in any case. */
int changed_files_find(const struct comparison *c, const struct project *project,
		       struct changed_files *out, struct cg_error *err);
void changed_files_free(struct changed_files *f);

#endif
