#include "src/run/family.h"

#include <string.h>

#define DUMP "--dump-before="

/* All functions that start a process. A process that starts with a copy of its parent's counts
 * starts with no counts if the parent has just written them. (The C library's posix_spawn has a
 * version in its name.) */
static const char *const functions[] = {
	"fork",          "_Fork",        "__libc_fork", /* these may call each other */
	"vfork",         "__vfork",      "__libc_vfork",   "posix_spawn",
	"posix_spawn@*", "posix_spawnp", "posix_spawnp@*", NULL,
};

const char *const *family_functions(void)
{
	return functions;
}

/* The function that a trigger names: "fork"; NULL: the trigger is of another kind. */
static const char *function_of(const char *trigger, size_t *len)
{
	if (strncmp(trigger, DUMP, sizeof DUMP - 1) != 0)
		return NULL;
	*len = strcspn(trigger + sizeof DUMP - 1, "@");
	return trigger + sizeof DUMP - 1;
}

static bool calls_function(const char *trigger, const char *name)
{
	size_t len;
	const char *function = function_of(trigger, &len);

	return function && strlen(name) == len && !strncmp(function, name, len);
}

bool family_is_fork(const char *trigger)
{
	for (size_t i = 0; functions[i]; i++)
		if (calls_function(trigger, functions[i]))
			return true;
	return false;
}

/* ---- a process and its parent ---- */

/* The first profile of a pid; nprofiles: it has none. */
static size_t find_pid(const struct run_profile *profiles, size_t nprofiles, pid_t pid)
{
	size_t low = 0, high = nprofiles;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (profiles[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < nprofiles && profiles[low].pid == pid ? low : nprofiles;
}

static size_t first_part(const struct run_profile *profiles, size_t index)
{
	while (index && profiles[index - 1].pid == profiles[index].pid &&
	       profiles[index - 1].generation == profiles[index].generation)
		index--;
	return index;
}

/* The parent's image that ran the same command. */
static size_t find_parent_image(const struct run_profile *profiles, size_t nprofiles, size_t child)
{
	pid_t pid = profiles[child].parent;

	for (size_t i = find_pid(profiles, nprofiles, pid); i < nprofiles && profiles[i].pid == pid;
	     i++)
		if (!strcmp(profiles[i].command, profiles[child].command))
			return first_part(profiles, i);
	return nprofiles;
}

size_t family_root(const struct run_profile *profiles, size_t nprofiles, size_t index)
{
	size_t root = first_part(profiles, index);

	/* A chain of parents cannot be longer than there are profiles. */
	for (size_t i = 0; i < nprofiles && profiles[root].forked; i++) {
		size_t parent = find_parent_image(profiles, nprofiles, root);
		if (parent == nprofiles)
			break;
		root = parent;
	}
	return root;
}

const struct run_profile *family_last(const struct run_profile *profiles, size_t nprofiles,
				      pid_t pid)
{
	for (size_t i = find_pid(profiles, nprofiles, pid); i < nprofiles && profiles[i].pid == pid;
	     i++)
		if (!profiles[i].replaced && profiles[i].bytes)
			return &profiles[i];
	return NULL;
}

/* ---- copies ---- */

/* Counts a process's children that left a profile; with `only_forked`, those that were forked from
 * it. */
static size_t count_children(const struct run_profile *profiles, size_t nprofiles, pid_t parent,
			     bool only_forked)
{
	size_t count = 0;

	for (size_t i = 0; i < nprofiles; i++) {
		const struct run_profile *p = &profiles[i];
		bool first = i == 0 || p[-1].pid != p->pid;
		count += first && p->parent == parent && (!only_forked || p->forked);
	}
	return count;
}

/* How often a process has written its counts before it called a function. */
static size_t count_dumps(const struct run_profile *profiles, size_t nprofiles, pid_t pid,
			  const char *name)
{
	size_t count = 0;

	for (size_t i = find_pid(profiles, nprofiles, pid); i < nprofiles && profiles[i].pid == pid;
	     i++)
		count += calls_function(profiles[i].trigger, name);
	return count;
}

static size_t most(const struct run_profile *profiles, size_t nprofiles, pid_t pid, size_t from,
		   size_t to)
{
	size_t most = 0;

	for (size_t i = from; i < to; i++) {
		size_t count = count_dumps(profiles, nprofiles, pid, functions[i]);
		most = count > most ? count : most;
	}
	return most;
}

static size_t count_forks(const struct run_profile *profiles, size_t nprofiles, pid_t pid)
{
	return most(profiles, nprofiles, pid, 0, 3);
}

/* How many processes a process has begun, by any of the functions. */
static size_t count_begun(const struct run_profile *profiles, size_t nprofiles, pid_t pid)
{
	return count_forks(profiles, nprofiles, pid) + most(profiles, nprofiles, pid, 3, 6) +
	       count_dumps(profiles, nprofiles, pid, "posix_spawn") +
	       count_dumps(profiles, nprofiles, pid, "posix_spawnp");
}

bool family_has_copy(const struct run_profile *profiles, size_t nprofiles,
		     const struct run_profile *profile)
{
	return profile->forked &&
	       count_begun(profiles, nprofiles, profile->parent) <
		       count_children(profiles, nprofiles, profile->parent, true);
}

bool family_is_bereft(const struct run_profile *profiles, size_t nprofiles,
		      const struct run_profile *profile)
{
	return count_forks(profiles, nprofiles, profile->pid) >
	       count_children(profiles, nprofiles, profile->pid, false);
}
