/* The files of a project that a list of paths and patterns in irdiff.yml names. */
#ifndef IRDIFF_COMMITS_LISTED_FILES_H
#define IRDIFF_COMMITS_LISTED_FILES_H

#include "src/config/config.h"
#include "src/run/strings.h"

struct listed_files {
	const char *directory; /* where they are */
	const struct config_text *patterns;
	size_t count;
	const char *list, *config; /* "copy:" and the path of irdiff.yml, for messages */
};

/* Appends them, relative to the directory, each once, sorted. Directories become what is in them;
 * symbolic links stay what they are. CG_EINVAL, with file and line: a pattern that matches
 * nothing; a name with a line break. */
int listed_files_find(const struct listed_files *of, struct strings *files, struct cg_error *err);

#endif
