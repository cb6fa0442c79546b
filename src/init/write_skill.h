/*
 * The skill that tells coding agents how to use irdiff: data/skill/SKILL.md, part of the program.
 *
 * Agents look for skills of a project in .agents/skills, but Claude Code in .claude/skills.
 */
#ifndef IRDIFF_INIT_WRITE_SKILL_H
#define IRDIFF_INIT_WRITE_SKILL_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

enum { SKILL_PLACES = 2 };

struct skill_files {
	const char *names[SKILL_PLACES]; /* below the project's directory */
	bool written[SKILL_PLACES];      /* false: it was current */
	size_t count;
};

/* Which files it becomes: one in each of .agents and .claude that exists, else one in .agents. */
void skill_choose(const char *dir, struct skill_files *out);

/* CG_EINVAL if a file exists with other contents. */
int skill_check(const char *dir, const struct skill_files *files, struct cg_error *err);

/* Writes the files that are not current, with their directories, and says which. */
int skill_write(const char *dir, struct skill_files *files, struct cg_error *err);

#endif
