/* The first irdiff.yml of a project, with every setting explained. */
#ifndef IRDIFF_INIT_WRITE_CONFIG_H
#define IRDIFF_INIT_WRITE_CONFIG_H

#include <stdio.h>

#include "src/init/survey.h"

/* Writes an irdiff.yml that irdiff can read; the caller checks the stream for errors. Benchmarks
 * that cannot be run are comments. */
void write_config(const struct survey *survey, FILE *to);

#endif
