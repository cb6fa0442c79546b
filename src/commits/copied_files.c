#include "src/commits/copied_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/commits/listed_files.h"
#include "src/status/notice.h"
#include "src/store/files.h"

/* ---- copying -------------------------------------------------------------- */

static int copy_link(const char *from, const char *to, size_t size, struct cg_error *err)
{
	char *target = calloc(1, size + 2);
	if (!target)
		return cg_fail_nomem(err);
	int status = CG_OK;
	if (readlink(from, target, size + 1) < 0 || symlink(target, to) != 0)
		status = cg_fail(err, CG_EIO, to, 0, "cannot copy: %s", strerror(errno));
	free(target);
	return status;
}

static int copy_bytes(const char *from, const char *to, mode_t mode, struct cg_error *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int out = in < 0 ? -1
			 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
				mode & 0777);
	ssize_t n = out < 0 ? -1 : 1;

	while (n > 0)
		n = sendfile(out, in, NULL, 1 << 30);
	int status = n < 0 ? cg_fail(err, CG_EIO, from, 0, "cannot copy to the build area: %s",
				     strerror(errno))
			   : CG_OK;
	if (out >= 0 && close(out) != 0 && !status)
		status = cg_fail(err, cg_io_status(errno), to, 0, "cannot write: %s",
				 strerror(errno));
	if (in >= 0)
		close(in);
	return status;
}

static int copy_file_or_link(const char *from, const char *to, struct cg_error *err)
{
	struct stat st;
	char *parent = strndup(to, (size_t)(strrchr(to, '/') - to));
	int status = parent ? make_directories(parent, err) : cg_fail_nomem(err);

	free(parent);
	if (status)
		return status;
	if (lstat(from, &st) != 0)
		return cg_fail(err, CG_EIO, from, 0, "cannot copy: %s", strerror(errno));
	unlink(to);
	if (S_ISLNK(st.st_mode))
		return copy_link(from, to, (size_t)st.st_size, err);
	return S_ISREG(st.st_mode) ? copy_bytes(from, to, st.st_mode, err)
				   : cg_fail(err, CG_EINVAL, from, 0, "copy: not a regular file");
}

static int copy_one(const char *from_directory, const char *to_directory, const char *path,
		    struct cg_error *err)
{
	char *from = NULL, *to = NULL;

	if (!path_stays_below(to_directory, path))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "copy: '%s' leads through a symbolic link of the commit", path);
	if (asprintf(&from, "%s/%s", from_directory, path) < 0)
		return cg_fail_nomem(err);
	if (asprintf(&to, "%s/%s", to_directory, path) < 0) {
		free(from);
		return cg_fail_nomem(err);
	}
	int status = copy_file_or_link(from, to, err);
	free(from);
	free(to);
	return status;
}

/* ---- digests -------------------------------------------------------------- */

/* The ids that git gives to the contents of all files, one per line; put_digest_of_copy
 * distinguishes links by their targets. */
static int hash_files(const struct build_area *w, const struct strings *files, char **ids,
		      struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "--no-filters", "--stdin-paths", NULL };
	struct git_call call = { .args = args };
	char *paths = NULL;
	FILE *to = open_memstream(&paths, &call.input_size);
	if (!to)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < files->count; i++) {
		char *path, target[2];
		if (asprintf(&path, "%s/%s", w->copied_from, files->items[i]) < 0)
			continue;
		if (readlink(path, target, sizeof target) < 0)
			fprintf(to, "%s\n", path);
		free(path);
	}
	if (fclose(to) != 0)
		return cg_fail_nomem(err);
	call.input = paths;
	int status = git_run(w->git, &call, ids, NULL, err);
	free(paths);
	return status;
}

static int put_digest_of_copy(const struct build_area *w, const char *path, char **ids, FILE *to,
			      struct cg_error *err)
{
	struct stat st;
	char *whole, target[4096];
	if (asprintf(&whole, "%s/%s", w->copied_from, path) < 0)
		return cg_fail_nomem(err);
	ssize_t n = readlink(whole, target, sizeof target);
	int status = lstat(whole, &st) == 0 ? CG_OK
					    : cg_fail(err, CG_EIO, whole, 0, "no longer exists");
	if (!status && n >= 0) {
		fprintf(to, "link to %.*s: %s\n", (int)n, target, path);
	} else if (!status) {
		size_t len = strcspn(*ids, "\n");
		fprintf(to, "%o %.*s %s\n", (unsigned)st.st_mode & 0111, (int)len, *ids, path);
		*ids += len + ((*ids)[len] == '\n');
	}
	free(whole);
	return status;
}

static int put_digests(struct build_area *w, const struct strings *files, struct cg_error *err)
{
	char *ids, *text = NULL;
	size_t size;
	int status = hash_files(w, files, &ids, err);
	if (status)
		return status;
	FILE *to = open_memstream(&text, &size);
	char *at = ids;
	if (!to)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < files->count; i++)
		status = put_digest_of_copy(w, files->items[i], &at, to, err);
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	free(ids);
	if (status)
		free(text);
	else
		w->copied = text;
	return status;
}

/* ---- the whole ------------------------------------------------------------ */

int copied_files_find(struct build_area *w, struct cg_error *err)
{
	struct strings *files = &w->copied_files;
	if (w->copied || !w->project->config || !w->project->config->copy_count)
		return CG_OK;
	const struct config *config = w->project->config;
	const struct listed_files listed = { w->project->root, config->copy, config->copy_count,
					     "copy:", config->path };
	int status = listed_files_find(&listed, files, err);
	if (!status)
		status = build_area_scratch(w, &w->copied_from, err);
	for (size_t i = 0; !status && i < files->count; i++)
		status = copy_one(w->project->root, w->copied_from, files->items[i], err);
	return status ? status : put_digests(w, files, err);
}

static bool is_there_already(const char *directory, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return false;
	bool there = lstat(whole, &st) == 0;
	free(whole);
	return there;
}

static FILE *open_regular_below(const char *directory, const char *path)
{
	struct stat st;
	char *whole;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return NULL;
	FILE *file = lstat(whole, &st) == 0 && S_ISREG(st.st_mode) ? fopen(whole, "re") : NULL;
	free(whole);
	return file;
}

/* Whether it does not matter which of them is kept. */
static bool is_same_below(const char *one, const char *other, const char *path)
{
	return streams_are_same(open_regular_below(one, path), open_regular_below(other, path));
}

/* The commit's own files are what is compared: a copy would make base and head equal. */
int copied_files_put(struct build_area *w, const char *directory, const char *name, bool changed,
		     struct cg_error *err)
{
	const char *own = NULL;
	size_t kept = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < w->copied_files.count; i++) {
		const char *path = w->copied_files.items[i];
		if (path_stays_below(directory, path) && is_there_already(directory, path)) {
			if (!is_same_below(w->copied_from, directory, path))
				own = kept++ ? own : path;
			continue;
		}
		status = copy_one(w->copied_from, directory, path, err);
	}
	/* A snapshot of the work tree has its untracked files in any case. */
	if (!status && kept && !changed && !w->said_own_copies) {
		w->said_own_copies = true;
		notice_warning(
			w->project->notices,
			"copy: in " CONFIG_NAME
			" lists %s%s, but %s has its own, which is kept, as are those of other commits",
			own, kept > 1 ? " and others" : "", name);
	}
	return status;
}
