/* The first irdiff.yml of a project, with every setting explained. */
#ifndef IRDIFF_INIT_WRITE_CONFIG_H
#define IRDIFF_INIT_WRITE_CONFIG_H

#include <stdio.h>

#include "src/init/survey.h"

/* Whether writing failed is for the caller to ask of the stream. What is written is an irdiff.yml
 * that irdiff reads. Of several benchmarks the first is set up, the others are comments. */
void write_config(const struct survey *survey, FILE *to);

/* How the project and all benchmarks are built, for a shell; "" if that is not known. Returns `out`. */
#define BUILD_COMMAND_SIZE 4096
const char *build_command(const struct survey *survey, char out[BUILD_COMMAND_SIZE]);

#endif
