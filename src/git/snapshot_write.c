#include "src/git/snapshot.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/git/refs.h"
#include "src/run/cpu.h"
#include "src/store/files.h"

static int put_text_file(const char *directory, const char *name, const char *text,
			 struct cg_error *err)
{
	char *path;
	struct new_file *file;
	FILE *to;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return cg_fail_nomem(err);
	int status = new_file_begin(path, &file, &to, err);
	if (!status) {
		new_file_leave_unsynced(file);
		fputs(text, to);
		status = new_file_commit(file, err);
	}
	free(path);
	return status;
}

static int make_inside(const char *directory, const char *name, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return cg_fail_nomem(err);
	int status = make_directories(path, err);
	free(path);
	return status;
}

/* ---- a repository of its own ---------------------------------------------- */

/* Writes one line for each directory of objects that it reads. */
static int put_alternates(const struct git *git, const struct snapshot *s, const char *own,
			  struct cg_error *err)
{
	static const char *const args[] = { "rev-parse", "--path-format=absolute", "--git-path",
					    "objects", NULL };
	const char *more = s->parts[0].objects;
	char *objects, *text;
	int status = git_line(git, args, &objects, err);
	if (status)
		return status;
	if (asprintf(&text, "%s\n%s%s", objects, more ? more : "", more ? "\n" : "") < 0) {
		free(objects);
		return cg_fail_nomem(err);
	}
	status = put_text_file(own, "objects/info/alternates", text, err);
	free(objects);
	free(text);
	return status;
}

static int put_config(const struct git *git, const char *own, struct cg_error *err)
{
	static const char *const args[] = { "rev-parse", "--show-object-format", NULL };
	char *format, *text;
	int status = git_line(git, args, &format, err);
	if (status)
		return status;
	bool plain = strcmp(format, "sha1") == 0;
	int length = asprintf(
		&text, "[core]\n\trepositoryformatversion = %d\n\tbare = false\n%s%s%s",
		plain ? 0 : 1, plain ? "" : "[extensions]\n\tobjectformat = ", plain ? "" : format,
		plain ? "" : "\n");
	free(format);
	if (length < 0)
		return cg_fail_nomem(err);
	status = put_text_file(own, "config", text, err);
	free(text);
	return status;
}

static int put_tags(const struct git *git, const char *own, struct cg_error *err)
{
	static const char *const args[] = { "for-each-ref", "--format=%(objectname) %(refname)",
					    "refs/tags", NULL };
	const struct git_call call = { .args = args };
	char *tags;
	int status = git_run(git, &call, &tags, NULL, err);
	if (status)
		return status;
	status = put_text_file(own, "packed-refs", tags, err);
	free(tags);
	return status;
}

static int put_shallow(const struct git *git, const char *own, struct cg_error *err)
{
	char *path, *text;
	size_t size;
	if (asprintf(&path, "%s/shallow", git->common) < 0)
		return cg_fail_nomem(err);
	int status = file_read(path, &text, &size, NULL);
	free(path);
	if (status)
		return status == CG_ENOMEM ? cg_fail_nomem(err) : CG_OK;
	status = put_text_file(own, "shallow", text, err);
	free(text);
	return status;
}

static int put_head(const struct snapshot *s, const char *own, struct cg_error *err)
{
	char *text;
	if (asprintf(&text, "%s\n", s->commit) < 0)
		return cg_fail_nomem(err);
	int status = put_text_file(own, "HEAD", text, err);
	free(text);
	return status;
}

static int make_repository(const struct git *git, const struct snapshot *s, const char *own,
			   struct cg_error *err)
{
	int status = make_inside(own, "objects/info", err);

	if (!status)
		status = make_inside(own, "refs/heads", err);
	if (!status)
		status = put_alternates(git, s, own, err);
	if (!status)
		status = put_config(git, own, err);
	if (!status)
		status = put_tags(git, own, err);
	if (!status)
		status = put_shallow(git, own, err);
	return status ? status : put_head(s, own, err);
}

/* ---- files ---------------------------------------------------------------- */

/* Whether a path stays in the directory, and out of its repository. */
static bool is_safe_path(const char *path)
{
	for (const char *at = path; *at;) {
		size_t len = strcspn(at, "/");
		if (!len || (len == 1 && *at == '.') || (len == 2 && strncmp(at, "..", 2) == 0) ||
		    (len == 4 && strncasecmp(at, ".git", 4) == 0))
			return false;
		at += len + (at[len] == '/');
	}
	return *path != '/';
}

/* Most of the time goes into making files, for which a disk takes longer one after the other. */
static void set_workers(char *variable, size_t size)
{
	enum { MOST_WORKERS = 8 };
	const unsigned cpus = cpu_count();

	snprintf(variable, size, "checkout.workers=%u", cpus < MOST_WORKERS ? cpus : MOST_WORKERS);
}

static int write_part(const struct git *git, const struct snapshot_part *part,
		      const char *directory, const char *index, struct cg_error *err)
{
	char workers[32];
	const char *const args[] = { "-c",        "core.sparseCheckout=false",
				     "-c",        "submodule.recurse=false",
				     "-c",        workers,
				     "read-tree", "--reset",
				     "-u",        part->tree,
				     NULL };
	char *index_variable = NULL, *objects_variable = NULL;
	int status = CG_OK;

	set_workers(workers, sizeof workers);
	if (asprintf(&index_variable, "GIT_INDEX_FILE=%s", index) < 0)
		index_variable = NULL;
	if (asprintf(&objects_variable, "GIT_OBJECT_DIRECTORY=%s",
		     part->objects ? part->objects : "") < 0)
		objects_variable = NULL;
	if (!index_variable || !objects_variable)
		status = cg_fail_nomem(err);
	const char *const variables[] = { index_variable, part->objects ? objects_variable : NULL,
					  NULL };
	const struct git_call call = { .args = args,
				       .directory = part->directory,
				       .work_tree = directory,
				       .variables = variables };
	if (!status)
		status = git_run(git, &call, NULL, NULL, err);
	free(index_variable);
	free(objects_variable);
	return status;
}

static int write_parts(const struct git *git, const struct snapshot *s, const char *directory,
		       const char *own, struct snapshot_gaps *gaps, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->nparts; i++) {
		const struct snapshot_part *part = &s->parts[i];
		char *place = NULL, *index = NULL;
		if (!part->directory) {
			status = strings_add(&gaps->submodules, part->path, err);
			continue;
		}
		if (i && (!is_safe_path(part->path) || !path_stays_below(directory, part->path)))
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "the path of a submodule, '%s', leads out of the project",
				       part->path);
		if (asprintf(&place, "%s%s%s", directory, i ? "/" : "", part->path) < 0)
			place = NULL;
		if (asprintf(&index, "%s/index%s", own, i ? "-of-a-submodule" : "") < 0)
			index = NULL;
		status = place && index ? make_directories(place, err) : cg_fail_nomem(err);
		if (!status)
			status = write_part(git, part, place, index, err);
		if (i && index)
			unlink(index);
		free(place);
		free(index);
	}
	return status;
}

/* ---- Git LFS -------------------------------------------------------------- */

static bool is_pointer(const char *directory, const char *path)
{
	static const char start[] = "version https://git-lfs";
	char *full, text[sizeof start] = { 0 };
	if (asprintf(&full, "%s/%s", directory, path) < 0)
		return false;
	int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(full);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof start - 1);
	close(fd);
	return n == sizeof start - 1 && strcmp(text, start) == 0;
}

static int find_pointers(const struct git *git, const char *directory, const char *own,
			 struct snapshot_gaps *gaps, struct cg_error *err)
{
	static const char *const args[] = { "ls-files", "-z", "--", ":(attr:filter=lfs)", NULL };
	const struct git_call call = { .args = args, .directory = own, .work_tree = directory };
	char *output;
	size_t size;
	int status = git_run(git, &call, &output, &size, err);
	if (status)
		return status;
	for (char *path = output; !status && path < output + size; path += strlen(path) + 1) {
		if (!is_pointer(directory, path))
			continue;
		status = strings_add(&gaps->pointers, path, err);
	}
	free(output);
	return status;
}

void snapshot_gaps_free(struct snapshot_gaps *gaps)
{
	strings_free(&gaps->submodules);
	strings_free(&gaps->pointers);
	*gaps = (struct snapshot_gaps){ 0 };
}

int snapshot_write(const struct git *git, const struct snapshot *s, const char *directory,
		   struct snapshot_gaps *gaps, struct cg_error *err)
{
	char *own;
	if (asprintf(&own, "%s/.git", directory) < 0)
		return cg_fail_nomem(err);

	int status = make_repository(git, s, own, err);
	if (!status)
		status = write_parts(git, s, directory, own, gaps, err);
	if (!status)
		status = find_pointers(git, directory, own, gaps, err);
	free(own);
	return status;
}
