/* The command that builds a project with debug information, and all that is measured. */
#ifndef IRDIFF_INIT_BUILD_COMMAND_H
#define IRDIFF_INIT_BUILD_COMMAND_H

#include "src/init/survey.h"

/* A shell command; "" if none is known or needed. Returns `out`. */
#define BUILD_COMMAND_SIZE 32768
const char *build_command(const struct survey *survey, char out[BUILD_COMMAND_SIZE]);

/* What the build writes, for .gitignore: "build/", "*.test"; "" for a build whose results are
 * ignored anyway. */
const char *build_results(const struct survey *survey);

#endif
