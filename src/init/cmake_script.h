/*
 * CMake's language, as far as it takes to know which programs and tests a project has: variables,
 * loops, and functions are followed; both branches of a condition are. All of it is bounded, as a
 * file may loop for ever.
 */
#ifndef IRDIFF_INIT_CMAKE_SCRIPT_H
#define IRDIFF_INIT_CMAKE_SCRIPT_H

#include "src/init/build_file.h"

#define CMAKE_BUILD "./build/" /* where it is built */
#define CMAKE_OPTIONS_SIZE 256

struct cmake_script;

/* NULL: a file cannot be read, or out of memory (*status). Frees by cmake_script_free. */
struct cmake_script *cmake_script_open(const char *dir, int *status, struct cg_error *err);
void cmake_script_free(struct cmake_script *script);

/* A command that is executed, its words with the values of variables. Those that are not known stay
 * as they are. Directories begin with "./": the project's, or CMAKE_BUILD. */
struct cmake_command {
	char name[CALL_WORD_MAX]; /* in lower case */
	struct build_call call;
	const struct build_file *file;    /* where it is */
	const struct build_file *current; /* of the current directory */
	const char *programs; /* where programs go, by a variable; "": to that directory */
	char options[CMAKE_OPTIONS_SIZE]; /* that are off, and must be on for it: " A B" */
};

bool cmake_script_next(struct cmake_script *script, struct cmake_command *out);

#endif
