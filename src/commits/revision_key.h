/* What a count depends on as far as it is known before it is measured. */
#ifndef IRDIFF_COMMITS_REVISION_KEY_H
#define IRDIFF_COMMITS_REVISION_KEY_H

#include "src/commits/build_area.h"
#include "src/store/history_row.h"

/* What builds and measures on this machine, as lines of a key: compilers by path, size and time, names
 * of variables with digests of their values, git's settings, Valgrind, irdiff. They become w->tools.
 * Looking it up runs Valgrind once. */
int key_tools(struct build_area *w, struct cg_error *err);

/* The key of a build (benchmark NULL) or of a profile, and the text that it is the digest of:
 * one fact a line. Both are the caller's. */
int revision_key(const struct build_area *w, const struct revision *side,
		 const struct config_benchmark *benchmark, char **key, char **text,
		 struct cg_error *err);

/* What of that irdiff.yml says of the benchmark: its command, where and how it is run. Counts by
 * different definitions are not of one series. */
int definition_of(const struct config_benchmark *benchmark, char digest[HISTORY_DIGEST],
		  struct cg_error *err);

#endif
