/* CI configurations and the skill of coding agents, embedded from data/ci and data/skill. */
#ifndef IRDIFF_INIT_WORKFLOWS_H
#define IRDIFF_INIT_WORKFLOWS_H

#include <stddef.h>

extern const char ci_github_yml[];
extern const size_t ci_github_yml_size;
extern const char ci_gitlab_yml[];
extern const size_t ci_gitlab_yml_size;
extern const char skill_text[];
extern const size_t skill_text_size;

#endif
