/* The profiles of a browser, which are read again with more detail when that is asked for. */
#ifndef IRDIFF_LOAD_LOAD_AGAIN_H
#define IRDIFF_LOAD_LOAD_AGAIN_H

#include "src/browse/browse.h"
#include "src/load/load.h"
#include "src/load/project.h"

struct load_again {
	const struct project *project;
	const char *operands[BROWSE_SIDES]; /* base NULL: one profile */
	struct load_options load;           /* as they were read first */
	bool lasting;                       /* they can be read again */
	bool loaded;
	struct loaded side[BROWSE_SIDES];
};

/* Unless it was done before. `what` is said to be missing of a profile that is a pipe. On failure
 * nothing is loaded. */
int load_again(struct load_again *a, const struct cg_detail *detail, enum stored_file stored,
	       const char *what, struct cg_error *err);
void load_again_free(struct load_again *a);

#endif
