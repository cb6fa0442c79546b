/* Which interpreter or runtime library executes a program, as each can be made deterministic in its
 * own way. */
#ifndef IRDIFF_MEASURE_RUNTIME_H
#define IRDIFF_MEASURE_RUNTIME_H

#include <stddef.h>

#include "cgprofile/profile.h"

enum runtime {
	RUNTIME_OTHER = 1,
	RUNTIME_GO = 2,
	RUNTIME_JAVA = 4,
	RUNTIME_NODE = 8,
	RUNTIME_PERL = 16,
	RUNTIME_PYTHON = 32,
	RUNTIME_RUBY = 64,
};

/* By the file that was executed, such as "/usr/bin/python3.11", or else by the functions of the
 * profile. */
enum runtime runtime_of(const char *image, const struct cg_profile *p);

/* The name of a runtime that starts threads whatever the program does; NULL: it starts none. */
const char *runtime_with_threads(enum runtime runtime);

#endif
