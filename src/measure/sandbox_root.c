#include "src/measure/sandbox_root.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/paths.h"
/* Whether a path may begin after this character: "--in=../x", ".read ../x". */
static bool ends_word(char c)
{
	return c == '\0' || (!isalnum((unsigned char)c) && !strchr("./_-+~", c));
}

static unsigned levels_at(const char *path)
{
	unsigned levels = 0;

	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (; strncmp(path, "..", 2) == 0 && (path[2] == '/' || ends_word(path[2])); levels++) {
		if (path[2] != '/')
			return levels + 1;
		path += 3;
	}
	return levels;
}

unsigned sandbox_root_levels(const char *text)
{
	unsigned most = 0;

	for (const char *at = text; *at; at++) {
		unsigned levels = at == text || ends_word(at[-1]) ? levels_at(at) : 0;
		most = levels > most ? levels : most;
	}
	return most;
}

/* Shortens a canonical path to its parent; false, and no change, for one right
 * below "/". */
static bool shorten_to_parent(char *path)
{
	char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static int canonical_directory(const char *path, char **out, struct cg_error *err)
{
	*out = realpath(path, NULL);
	return *out ? CG_OK
		    : cg_fail(err, CG_EIO, path, 0, "no such directory: %s", strerror(errno));
}

/* The top of the repository that the directory is in: dir is shortened to it, or to "" without a
 * repository. */
static void find_repository(char *dir)
{
	do {
		char *git;
		if (asprintf(&git, "%s/.git", dir) < 0)
			break;
		bool found = access(git, F_OK) == 0;
		free(git);
		if (found)
			return;
	} while (shorten_to_parent(dir));
	*dir = '\0';
}

int sandbox_root_directory(const char *root, const char *cwd, const char *const *argv, char **out,
			   struct cg_error *err)
{
	char *widest = NULL, *from = NULL, *repository = NULL;
	unsigned levels = 0;
	int status = canonical_directory(root, &widest, err);

	if (!status)
		status = canonical_directory(cwd, &from, err);
	if (!status && !(repository = strdup(from)))
		status = cg_fail_nomem(err);
	if (status || !cg_path_below(from, widest))
		goto done;

	find_repository(repository);
	if (*repository && cg_path_below(widest, repository)) {
		free(widest);
		widest = repository;
		repository = NULL;
	}
	for (const char *const *word = argv; *word; word++) {
		unsigned n = sandbox_root_levels(*word);
		levels = n > levels ? n : levels;
	}
	while (levels-- && shorten_to_parent(from))
		continue;
	if (cg_path_below(widest, from)) {
		free(widest);
		widest = from;
		from = NULL;
	}
done:
	free(from);
	free(repository);
	if (status)
		free(widest);
	else
		*out = widest;
	return status;
}

int sandbox_root_cwd(const char *root, const char *cwd, char **out, struct cg_error *err)
{
	bool whole = !cwd || *cwd == '/';
	struct stat st;
	char *path;

	if (asprintf(&path, "%s%s%s", whole ? "" : root, whole ? "" : "/", cwd ? cwd : root) < 0)
		return cg_fail_nomem(err);
	if (cwd && stat(path, &st)) {
		bool absent = errno == ENOENT;
		cg_fail(err, CG_EIO, NULL, 0, "cwd: %s %s", cwd,
			absent ? "does not exist" : strerror(errno));
		free(path);
		return CG_EIO;
	}
	*out = path;
	return CG_OK;
}

int sandbox_root_find(const char *root, const char *cwd, const char *const *argv,
		      struct sandbox_root *out, struct cg_error *err)
{
	char *real;

	*out = (struct sandbox_root){ 0 };
	int status = sandbox_root_cwd(root, cwd, &out->cwd, err);
	if (status)
		return status;
	status = sandbox_root_directory(root, out->cwd, argv, &out->shown, err);
	if (status)
		return status;

	real = realpath(root, NULL);
	size_t len = strlen(out->shown);
	bool below = real && strncmp(real, out->shown, len) == 0 && real[len] == '/';
	if (!real ||
	    asprintf(&out->own, "%s%s.irdiff", below ? real + len + 1 : "", below ? "/" : "") < 0) {
		out->own = NULL;
		status = cg_fail_nomem(err);
	}
	free(real);
	return status;
}

void sandbox_root_free(struct sandbox_root *r)
{
	free(r->cwd);
	free(r->shown);
	free(r->own);
	*r = (struct sandbox_root){ 0 };
}
