/* What a CI does with irdiff: files of the program, made from data/ci. */
#ifndef IRDIFF_INIT_WORKFLOWS_H
#define IRDIFF_INIT_WORKFLOWS_H

#include <stddef.h>

extern const char ci_github_yml[];
extern const size_t ci_github_yml_size;
extern const char ci_gitlab_yml[];
extern const size_t ci_gitlab_yml_size;

#endif
