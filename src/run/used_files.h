/* Which files of a project its build and the runs of a benchmark used, as far as paths tell. */
#ifndef IRDIFF_RUN_USED_FILES_H
#define IRDIFF_RUN_USED_FILES_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "cgprofile/strings.h"

/*
 * Lines of paths below `top`, in order, from what programs have told (names.h) in these files
 * (NULL-terminated) when they are over:
 *
 *	PATH    opened or executed, also by a link that leads to it
 *	?PATH   only looked at, or looked for
 *
 * *text is the caller's; NULL: they may have used more than that. CG_OK or CG_ENOMEM.
 */
int used_files_find(const char *const *names, const char *top, char **text, struct cg_error *err);

struct used_files {
	struct cg_strings lines;
	bool known;
};

/* Takes the lines of a text, which it may change; NULL: not known. CG_OK or CG_ENOMEM; on failure,
 * too, free with used_files_free. */
int used_files_take(struct used_files *used, char *text, struct cg_error *err);
void used_files_free(struct used_files *used);

/* Whether what is in a file may matter, or with `alone` whether there is one, or a directory with
 * such a file. */
bool used_files_has(const struct used_files *used, const char *path, bool alone);

#endif
