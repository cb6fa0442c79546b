/* The configuration of a CI, from data/ci, which installs what the build of a project needs. */
#ifndef IRDIFF_INIT_WRITE_JOB_H
#define IRDIFF_INIT_WRITE_JOB_H

#include <stdio.h>

#include "src/init/survey.h"

void write_github_workflow(const struct survey *survey, FILE *to);
void write_gitlab_job(const struct survey *survey, FILE *to);

#endif
