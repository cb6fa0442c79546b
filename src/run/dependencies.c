#include "src/run/dependencies.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/paths.h"
#include "callgrind/support/grow.h"
#include "cgprofile/strings.h"
#include "src/digest/path_state.h"
#include "src/guest/names.h"

enum { PATHS_MAX = 100000 }; /* digests of more would take as long as a run */

struct named_path {
	bool absent; /* before the run */
	bool listed, changed;
};

struct dependencies {
	struct cg_strings strings; /* paths */
	struct named_path *paths;  /* by the ids of strings */
	size_t cap;
	bool known;
	const char *top;
	struct path_states states;
};

static struct named_path *find_named(struct dependencies *d, const char *path, bool *is_new)
{
	const size_t known = d->strings.count;
	cg_str id;

	if (cg_strings_add(&d->strings, path, strlen(path), &id) ||
	    cg_grow(&d->paths, &d->cap, (size_t)id + 1, sizeof *d->paths))
		return NULL;
	*is_new = d->strings.count > known;
	if (*is_new)
		d->paths[id] = (struct named_path){ 0 };
	return &d->paths[id];
}

/* The first run that names a path finds it as it was before all of them. */
static bool take_named(void *context, char kind, const char *path)
{
	struct dependencies *d = context;
	bool is_new;

	if (kind == NAMES_MOVED) /* what is done with it by its other name is told by that one */
		return true;
	struct named_path *named = find_named(d, path, &is_new);
	if (!named)
		return false;
	if (is_new)
		named->absent = kind == NAMES_ABSENT;
	named->listed |= kind == NAMES_LISTED;
	named->changed |= kind == NAMES_CHANGED;
	return true;
}

/* Whether the directory that a path is in was listed: what is made in it changes the list. */
static bool is_in_listed(const struct dependencies *d, const char *path)
{
	const char *slash = strrchr(path, '/');
	const cg_str id = cg_strings_find(&d->strings, path,
					  slash > path ? (size_t)(slash - path) : 1);

	return id && d->paths[id].listed;
}

/* Whether the run has left something that it, or another one, may find: whoever runs it for that
 * must go on to do so. */
static bool leaves_traces(const struct dependencies *d)
{
	struct stat st;

	for (cg_str i = 1; i < d->strings.count; i++) {
		const char *path = cg_strings_get(&d->strings, i);
		if (d->paths[i].changed &&
		    (!d->paths[i].absent || is_in_listed(d, path) || lstat(path, &st) == 0))
			return true;
	}
	return false;
}

static bool put_line(const struct dependencies *d, const char *path, const char *state, FILE *to)
{
	const char *rest = cg_path_below(path, d->top);

	fprintf(to, "%s %s%s\n", state, rest ? "." : "", rest ? rest : path);
	return strcmp(state, PATH_STATE_UNKNOWN) != 0;
}

static bool put_path(struct dependencies *d, cg_str id, FILE *to)
{
	const char *path = cg_strings_get(&d->strings, id);
	const struct named_path *named = &d->paths[id];
	char state[PATH_STATE_SIZE] = PATH_STATE_ABSENT;

	if (!named->absent)
		path_state(&d->states, path, state);
	if (!put_line(d, path, state, to))
		return false;
	if (!named->listed || named->absent)
		return true;
	path_state_of_listing(path, state);
	return put_line(d, path, state, to);
}

static int write_states(struct dependencies *d, char **text, struct cg_error *err)
{
	size_t size;
	FILE *to = open_memstream(text, &size);

	if (!to)
		return cg_fail_nomem(err);
	for (cg_str i = 1; d->known && i < d->strings.count; i++)
		d->known = put_path(d, i, to);
	const bool failed = fclose(to) != 0;
	if (!failed && d->known)
		return CG_OK;
	free(*text);
	*text = NULL;
	return failed ? cg_fail_nomem(err) : CG_OK;
}

int dependencies_find(const char *names, const char *top, char **text, struct cg_error *err)
{
	char *real = realpath(top, NULL);
	struct dependencies d = { .top = real };
	int status = real && !cg_strings_init(&d.strings) ? CG_OK : cg_fail_nomem(err);

	*text = NULL;
	if (!status)
		status = names_read(names, take_named, &d, &d.known, err);
	d.known = d.known && d.strings.count <= PATHS_MAX;
	if (!status && d.known && !leaves_traces(&d))
		status = write_states(&d, text, err);
	path_states_free(&d.states);
	cg_strings_free(&d.strings);
	free(d.paths);
	free(real);
	return status;
}
