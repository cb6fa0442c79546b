/* Files that a benchmark needs and that only the user's work tree has: a script or an input that
 * was added later than the commit. */
#ifndef IRDIFF_COMMITS_MISSING_FILES_H
#define IRDIFF_COMMITS_MISSING_FILES_H

#include "src/commits/revision.h"

/* The benchmark failed, while the files of the side are in the build area: if its command names
 * files that these lack and the project has, says so, and that copy: of irdiff.yml brings them.
 * Then true. Programs do not count: every side has to build its own; nor does what git does not
 * track and the build of another side has made. Of what a build might make, the
 * message says so. */
bool mention_missing_files(const struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b);

#endif
