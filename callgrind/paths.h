/* Paths as texts: nothing here looks at files. */
#ifndef CG_PATHS_H
#define CG_PATHS_H

#include <stddef.h>

/*
 * Takes "." and ".." out of a path, with the parts that ".." goes back from, as far as its text
 * tells: "bench/../src/./x" becomes "src/x", "../x" stays. A directory that is repeated after "/./"
 * is taken out, too: "libio/./libio/x" becomes "libio/x". Of symbolic links nothing
 * is known, so a path through one may lead elsewhere. Other slashes stay as they are. Returns
 * the new length, which is never 0 if the old one was not.
 */
size_t cg_path_normalise(char *path, size_t len);

/* Whether that would change the path. */
int cg_path_is_normal(const char *path, size_t len);

/* What of `path` is after `seen`, if it is that or below; NULL otherwise. */
const char *cg_path_below(const char *path, const char *seen);

#endif
