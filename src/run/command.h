/*
 * What a command line starts: the file that its first word means, found as
 * execvp(3) would, and the ELF image that the kernel then loads. Things that
 * cannot be measured are refused here, before Valgrind would give a small
 * number for them.
 */
#ifndef IRDIFF_RUN_COMMAND_H
#define IRDIFF_RUN_COMMAND_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/image.h"

struct found_command {
	char *directory;    /* where the file is, absolute, without symbolic links */
	char *name;         /* its name there, as typed; may be a symbolic link */
	char *path;         /* directory/name */
	struct image file;  /* what the file itself is */
	char *image_path;   /* the ELF image that is loaded first: the file, or the
			      * interpreter of a script */
	struct image image; /* what that is */
	/* looks for files beside its own path, so it must be started there: a script, or the python
	 * of a virtual environment */
	bool bound;
};

/* `word` is looked up in `path` (as $PATH) if it has no slash, else relative to
 * `cwd`, which is absolute. *command is untouched on failure. Refused with
 * CG_EIO: what does not exist or cannot be executed; with CG_EINVAL: setuid,
 * foreign machines, files that are neither ELF nor scripts. */
int command_find(const char *word, const char *cwd, const char *path, struct found_command *command,
		 struct cg_error *err);
/* CG_EINVAL for a path with control characters in it: callgrind writes names as
 * they are, so that a line end in one would forge lines of the profile, and git writes a path a
 * line. */
int command_check_path(const char *path, struct cg_error *err);
void command_free(struct found_command *command);

/* Whether it is an interpreter that nests deeply (python, ruby, node …), judging by the names of
 * the file, of its interpreter, and of the program that `env` starts. */
bool command_is_interpreter(const struct found_command *command);

/* Whether it is one of those whose counts differ a little from run to run even with presets. */
bool command_may_vary(const struct found_command *command);

/* Whether it is Python, or a script for it. */
bool command_is_python(const struct found_command *command);

/* The file that `word` means, absolute, symbolic links kept; or an error with the reason. For
 * helpers: git, strip, valgrind. */
int command_which(const char *word, const char *cwd, const char *path, char **found,
		  struct cg_error *err);

/* Whether an image only starts others, going by its base name: shells, env,
 * make … `command` (argv[0] or a command line) counts for multi-call images. */
bool command_is_launcher(const char *image, const char *command);

#endif
