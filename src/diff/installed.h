/* Which objects and files are not the project's: names of what was installed or came with the
 * compiler are no more changed by whoever is asking than what they call. */
#ifndef IRDIFF_DIFF_INSTALLED_H
#define IRDIFF_DIFF_INSTALLED_H

#include "cgprofile/profile.h"

bool is_installed_path(const char *path);

/* Whether the program's own files have absolute paths, as the file of its main function tells. */
bool has_absolute_files(const struct cg_profile *p);

/* Whether a function whose object is not known is one of a library: DHAT does not name the object
 * of a function with debug information. Distributions give the files of libraries relative paths;
 * where the program's own files have absolute ones, that tells. */
bool is_of_unnamed_library(const char *object, const char *file, bool absolute_files);

#endif
