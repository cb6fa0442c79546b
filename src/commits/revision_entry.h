/* Whether an entry of the cache is what its name says: whoever shares a cache may have changed
 * it. */
#ifndef IRDIFF_COMMITS_REVISION_ENTRY_H
#define IRDIFF_COMMITS_REVISION_ENTRY_H

#include "src/commits/revision.h"

/* CG_EINTERNAL, and what is wrong: a file of it is not what was kept, or a profile says that it is
 * of another commit, benchmark, definition or Valgrind. */
int entry_check(const struct build_area *w, const struct revision *side,
		const struct config_benchmark *b, const char *entry, struct cg_error *err);

#endif
