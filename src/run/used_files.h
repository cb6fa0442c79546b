/* Which files of a project its build and the runs of a benchmark used, as far as paths tell. */
#ifndef IRDIFF_RUN_USED_FILES_H
#define IRDIFF_RUN_USED_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct used_files {
	char *text;
	const char **lines; /* in order, without those of changes */
	size_t count;
	const char **changes; /* "PATH\tMODE ID", in order */
	size_t nchanges;
	bool known;
};

/*
 * Lines of paths below `top`, in order, from what programs have told (names.h) in these files
 * (NULL-terminated), the first of which is that of the run, when they are over:
 *
 *	PATH    opened or executed
 *	<PATH   the same, but only by the run
 *	?PATH   only looked at, or looked for; a link on the way to another path
 *	*PATH   a directory that a run listed; "." is `top`. Those that a build lists are not told.
 *	~PATH   what got another name, or lost one, with all that is in it
 *
 * None leads through a link. Then follow lines of what differs from the commit, used or not, as
 * snapshot_changes has them in `changes`; NULL: that is not known, or nothing.
 *
 *	=PATH\tMODE ID
 *
 * *text is the caller's; NULL: they may have used more than that. CG_OK or CG_ENOMEM.
 */
int used_files_find(const char *const *names, const char *top, const char *changes, char **text,
		    struct cg_error *err);

/* The same of a run that was not made again as it would be the same as an earlier one, which used
 * these files together with its build, and of the build that was made since: `names` is its file,
 * or "" if nothing was built. */
int used_files_find_again(const struct used_files *earlier, const char *names, const char *top,
			  const char *changes, char **text, struct cg_error *err);

/* Takes a text of lines, which it frees; NULL: not known. What was cut or is damaged is not known
 * either. CG_OK or CG_ENOMEM; on failure, too, free with used_files_free. */
int used_files_take(struct used_files *used, char *text, size_t size, struct cg_error *err);
void used_files_free(struct used_files *used);

/* Whether what is in a file may matter. */
bool used_files_have_read(const struct used_files *used, const char *path);

/* Whether the run reads what is in a file, and the build does not. False if that is not known. */
bool used_files_have_input(const struct used_files *used, const char *path);

/* Whether they have opened, looked at or moved a file, or may have: so it may matter what is in it,
 * and what it is. */
bool used_files_have_named(const struct used_files *used, const char *path);

/* Whether they have asked for anything of git's, or may have: so for the commit. */
bool used_files_have_asked_git(const struct used_files *used);

/* Whether it may matter that there is something at the first `len` bytes of a path, and of which
 * kind. */
bool used_files_have_sought(const struct used_files *used, const char *path, size_t len);

#endif
