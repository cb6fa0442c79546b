/* Private to load/: the steps of reading a profile, for one (load.h) or two at once. */
#ifndef IRDIFF_LOAD_LOADING_H
#define IRDIFF_LOAD_LOADING_H

#include "src/load/load.h"
#include "src/status/progress.h"

#define UNKNOWN_SIZE UINT64_MAX

/* How much there is to read; UNKNOWN_SIZE: of some file it is not known. */
uint64_t loading_size(const struct path_list *files);

/* NULL: nobody is to see it. */
struct progress *loading_progress(const struct project *project, const struct load_options *options,
				  const char *what, const char *name);

/* Finds the files that operands mean, and what they are called. What it found is the caller's, also
 * on failure. */
int loading_find(const struct project *project, const char *const *operands, size_t count,
		 const struct load_options *options, struct loaded *l, struct cg_error *err);

/* Reads what was found. It says nothing to the user, so that two can be read at once; looking
 * inlined functions up is left, which elfutils does not want at once. */
int loading_read(const struct project *project, const struct load_options *options,
		 struct progress *progress, struct loaded *l, struct cg_error *err);

/* Both. On failure *out is untouched. */
int loading_operands(const struct project *project, const char *const *operands, size_t count,
		     const struct load_options *options, struct progress *progress,
		     struct loaded *out, struct cg_error *err);

/* Finds the inlined functions of what was read. */
int loading_inlined(const struct project *project, const struct load_options *options,
		    struct loaded *l, struct cg_error *err);

/* Fills l->origin, which points into the profile: the last thing to be known of it. */
void loading_describe(struct loaded *l, const struct load_options *options);

void loading_warn(const struct notices *n, const struct loaded *l);

#endif
