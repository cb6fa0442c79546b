/* Private to diff/: which objects and files are not the project's. */
#ifndef IRDIFF_DIFF_INSTALLED_H
#define IRDIFF_DIFF_INSTALLED_H

#include <stdbool.h>

/* Names of what was installed or came with the compiler are no more changed by whoever is asking
 * than what they call. */
bool is_installed_path(const char *path);

#endif
