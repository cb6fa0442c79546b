/* The first irdiff.yml of a project, with every setting explained. */
#ifndef IRDIFF_INIT_WRITE_CONFIG_H
#define IRDIFF_INIT_WRITE_CONFIG_H

#include <stdio.h>

#include "src/init/survey.h"

/* Writes an irdiff.yml that irdiff can read; the caller checks the stream for errors. The first of
 * several benchmarks is set up, the others are comments. */
void write_config(const struct survey *survey, FILE *to);

/* The shell command that builds the project and all benchmarks; "" if it is not known. Returns
 * `out`. */
#define BUILD_COMMAND_SIZE 4096
const char *build_command(const struct survey *survey, char out[BUILD_COMMAND_SIZE]);

#endif
