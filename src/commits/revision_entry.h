/* Whether an entry of the cache is what its name claims: anyone who shares a cache may have
 * changed it. */
#ifndef IRDIFF_COMMITS_REVISION_ENTRY_H
#define IRDIFF_COMMITS_REVISION_ENTRY_H

#include "cgprofile/profile.h"
#include "src/commits/revision.h"

/* `side` NULL: of the commit of its key. CG_EINTERNAL, with the reason: one of its files was
 * changed, or a profile belongs to another commit, benchmark, definition or Valgrind. */
int entry_check(const struct build_area *w, const struct revision *side,
		const struct config_benchmark *b, const char *entry, struct cg_error *err);

/* The same of an entry that lists those of cases, which has sums, too. */
int entry_check_list(const struct build_area *w, const char *name, struct cg_error *err);

/* The profile of an entry with lines; the caller's. NULL: it cannot be read. */
struct cg_profile *entry_lines(const struct build_area *w, const char *entry);

#endif
