#include "src/git/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/git/refs.h"
#include "src/store/files.h"

#define PARTS_MAX 1000

static int make_text(char **out, struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int make_text(char **out, struct cg_error *err, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int length = vasprintf(out, fmt, args);
	va_end(args);
	if (length >= 0)
		return CG_OK;
	*out = NULL;
	return cg_fail_nomem(err);
}

static int write_part_file(const char *path, const char *text, size_t size, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	fwrite(text, 1, size, to);
	return new_file_commit(file, err);
}

/* ---- parts ---------------------------------------------------------------- */

static void free_part(struct snapshot_part *part)
{
	free(part->path);
	free(part->work);
	free(part->directory);
	free(part->tree);
	free(part->objects);
}

void snapshot_free(struct snapshot *s)
{
	for (size_t i = 0; i < s->nparts; i++)
		free_part(&s->parts[i]);
	free(s->parts);
	free(s->commit);
	free(s->binary_file);
	*s = (struct snapshot){ 0 };
}

/* Adds a part, and takes over what it owns. */
static int add_snapshot_part(struct snapshot *s, struct snapshot_part *part, struct cg_error *err)
{
	int status = CG_OK;

	if (s->nparts == PARTS_MAX)
		status = cg_fail(err, CG_ERANGE, NULL, 0, "more than %d submodules", PARTS_MAX);
	else if (cg_grow(&s->parts, &s->parts_cap, s->nparts + 1, sizeof *s->parts))
		status = cg_fail_nomem(err);
	if (status)
		free_part(part);
	else
		s->parts[s->nparts++] = *part;
	return status;
}

/* Variables by which git uses the objects and the index of a part. */
struct part_variables {
	char *objects, *index;
	const char *list[3];
};

static int open_variables(const struct snapshot_part *part, const char *index,
			  struct part_variables *out, struct cg_error *err)
{
	size_t count = 0;
	int status = CG_OK;

	*out = (struct part_variables){ 0 };
	if (index)
		status = make_text(&out->index, err, "GIT_INDEX_FILE=%s", index);
	if (!status && part->objects)
		status = make_text(&out->objects, err, "GIT_OBJECT_DIRECTORY=%s", part->objects);
	if (out->index)
		out->list[count++] = out->index;
	if (out->objects)
		out->list[count++] = out->objects;
	return status;
}

static void close_variables(struct part_variables *v)
{
	free(v->objects);
	free(v->index);
}

/* Runs one command in the repository of a part; *output may be NULL. */
static int run_in_part(const struct git *git, const struct snapshot_part *part, const char *index,
		       const char *work, const char *const *args, char **output, size_t *size,
		       struct cg_error *err)
{
	struct part_variables variables;
	struct git_call call = { .args = args, .directory = part->directory, .work_tree = work };
	int status = open_variables(part, index, &variables, err);

	call.variables = variables.list;
	if (!status)
		status = git_run(git, &call, output, size, err);
	close_variables(&variables);
	return status;
}

static int line_in(const struct git *git, const struct snapshot_part *part, const char *index,
		   const char *const *args, char **line, struct cg_error *err)
{
	int status = run_in_part(git, part, index, part->work, args, line, NULL, err);
	if (!status)
		(*line)[strcspn(*line, "\n")] = '\0';
	return status;
}

/* ---- a work tree with changes --------------------------------------------- */

/* Whether irdiff has written the file, for people to read (in a directory called profiles) or for
 * later comparisons: no build reads it. */
static bool is_own_file(const char *path)
{
	static const char *const endings[] = { ".callgrind", ".callgrind.flat.txt",
					       ".callgrind.tree.txt" };
	const char *name = strrchr(path, '/');
	if (strcmp(name ? name + 1 : path, "irdiff-accepted.yml") == 0)
		return true;
	if (!name)
		return false;
	size_t len = strlen(name);
	bool place = strncmp(path, "profiles/", 9) == 0 || strstr(path, "/profiles/") ||
		     strncmp(path, "baselines/", 10) == 0 || strstr(path, "/baselines/");

	for (size_t i = 0; place && i < sizeof endings / sizeof *endings; i++) {
		size_t n = strlen(endings[i]);
		if (len > n + 1 && strcmp(name + len - n, endings[i]) == 0)
			return true;
	}
	return false;
}

static bool is_binary(const char *work, const char *path)
{
	char *full, start[8] = { 0 };
	if (asprintf(&full, "%s/%s", work, path) < 0)
		return false;
	int fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(full);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, start, sizeof start);
	close(fd);
	return n >= 4 &&
	       (memcmp(start, "\177ELF", 4) == 0 || (n == 8 && memcmp(start, "!<arch>\n", 8) == 0));
}

/* The untracked files that belong to the snapshot, each followed by a NUL. */
static int list_untracked(const struct git *git, const struct snapshot_part *part,
			  const char *index, struct snapshot *s, char **list, size_t *size,
			  struct cg_error *err)
{
	static const char *const args[] = { "ls-files", "-z", "--others", "--exclude-standard",
					    NULL };
	char *output;
	size_t all;
	int status = run_in_part(git, part, index, part->work, args, &output, &all, err);
	if (status)
		return status;

	size_t kept = 0;
	for (const char *path = output, *end = output + all; path < end;) {
		size_t len = strlen(path);
		bool directory = len && path[len - 1] == '/'; /* a repository of its own */
		bool binary = !directory && is_binary(part->work, path);
		s->binaries += binary;
		if (binary && !s->binary_file)
			s->binary_file = strdup(path);
		if (len && !directory && !binary && !is_own_file(path)) {
			memmove(output + kept, path, len + 1);
			kept += len + 1;
		}
		path += len + 1;
	}
	*list = output;
	*size = kept;
	return CG_OK;
}

static bool is_sparse(const struct git *git, const struct snapshot_part *part)
{
	static const char *const args[] = { "config", "--type=bool", "core.sparseCheckout", NULL };
	char *answer;
	if (line_in(git, part, NULL, args, &answer, NULL))
		return false;
	bool sparse = strcmp(answer, "true") == 0;
	free(answer);
	return sparse;
}

static int add_untracked(const struct git *git, const struct snapshot_part *part,
			 const char *scratch, const char *index, struct snapshot *s,
			 struct cg_error *err)
{
	char *list = NULL, *file = NULL, *option = NULL;
	size_t size = 0;
	int status = list_untracked(git, part, index, s, &list, &size, err);

	if (!status && size) {
		status = make_text(&file, err, "%s/untracked", scratch);
		if (!status)
			status = make_text(&option, err, "--pathspec-from-file=%s", file);
		if (!status)
			status = write_part_file(file, list, size, err);
		const char *const args[] = { "--literal-pathspecs",
					     "add",
					     option,
					     "--pathspec-file-nul",
					     is_sparse(git, part) ? "--sparse" : NULL,
					     NULL };
		if (!status)
			status = run_in_part(git, part, index, part->work, args, NULL, NULL, err);
	}
	free(list);
	free(file);
	free(option);
	return status;
}

/* Makes a directory for new objects; the user's are read, too. */
static int make_objects(const struct git *git, struct snapshot_part *part, const char *scratch,
			struct cg_error *err)
{
	static const char *const args[] = { "rev-parse", "--path-format=absolute", "--git-path",
					    "objects", NULL };
	char *theirs = NULL, *info = NULL, *file = NULL, *text = NULL, *objects = NULL;
	int status = line_in(git, part, NULL, args, &theirs, err);

	if (!status)
		status = make_text(&objects, err, "%s/objects", scratch);
	if (!status)
		status = make_text(&info, err, "%s/info", objects);
	if (!status)
		status = make_directories(info, err);
	if (!status)
		status = make_text(&file, err, "%s/alternates", info);
	if (!status)
		status = make_text(&text, err, "%s\n", theirs);
	if (!status)
		status = write_part_file(file, text, strlen(text), err);
	free(theirs);
	free(info);
	free(file);
	free(text);
	if (status)
		free(objects);
	else
		part->objects = objects;
	return status;
}

static int copy_index(const struct git *git, const struct snapshot_part *part, const char *index,
		      struct cg_error *err)
{
	static const char *const where[] = { "rev-parse", "--path-format=absolute", "--git-path",
					     "index", NULL };
	static const char *const fresh[] = { "read-tree", "HEAD", NULL };
	char *theirs = NULL, *text = NULL;
	size_t size;
	struct stat st;
	int status = line_in(git, part, NULL, where, &theirs, err);
	if (!status && stat(theirs, &st) == 0 && file_read(theirs, &text, &size, NULL) == CG_OK) {
		/* A file as new as the index may have changed since; git compares with the index's
		 * time. */
		const struct timespec times[2] = { st.st_mtim, st.st_mtim };
		status = write_part_file(index, text, size, err);
		if (!status && utimensat(AT_FDCWD, index, times, 0) != 0)
			status = cg_fail(err, CG_EIO, index, 0, "cannot set its time: %s",
					 strerror(errno));
	} else if (!status) {
		status = run_in_part(git, part, index, part->work, fresh, NULL, NULL, err);
	}
	free(theirs);
	free(text);
	return status;
}

/* Fills tree and objects of a part that is a work tree. */
static int hash_work_tree(const struct git *git, struct snapshot_part *part, const char *scratch,
			  struct snapshot *s, struct cg_error *err)
{
	static const char *const update[] = { "add", "--update", NULL };
	static const char *const write[] = { "write-tree", NULL };
	char *index = NULL, *place = NULL;
	int status = make_text(&place, err, "%s/%zu", scratch, s->nparts);

	if (!status)
		status = make_directories(place, err);
	if (!status)
		status = make_text(&index, err, "%s/index", place);
	if (!status)
		status = copy_index(git, part, index, err);
	if (!status)
		status = make_objects(git, part, place, err);
	if (!status)
		status = run_in_part(git, part, index, part->work, update, NULL, NULL, err);
	if (!status)
		status = add_untracked(git, part, place, index, s, err);
	if (!status)
		status = line_in(git, part, index, write, &part->tree, err);
	free(index);
	free(place);
	return status;
}

/* ---- submodules ----------------------------------------------------------- */

static bool exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

/* Finds the repository of a submodule whose files are not in the work tree, by its name in the
 * commit's .gitmodules. NULL: it is not here. */
static int find_module(const struct git *git, const struct snapshot_part *parent, const char *path,
		       char **directory, struct cg_error *err)
{
	char *spec, *output = NULL, *found = NULL;
	size_t size = 0;
	int status = make_text(&spec, err, "--blob=%s:.gitmodules", parent->tree);
	if (status)
		return status;
	const char *const args[] = {
		"config", "-z", spec, "--get-regexp", "^submodule\\..*\\.path$", NULL
	};
	if (run_in_part(git, parent, NULL, parent->work, args, &output, &size, NULL))
		size = 0;
	for (char *entry = output, *end = output + size; !status && entry < end;) {
		size_t len = strlen(entry);
		char *value = strchr(entry, '\n');
		if (value && strcmp(value + 1, path) == 0 && value - entry > 15) {
			/* submodule.NAME.path; a name must not lead out of modules/ */
			const char *name = entry + 10;
			int n = (int)(value - name) - 5;
			free(found);
			status = make_text(&found, err, "%s/modules/%.*s", parent->directory, n,
					   name);
			if (!status && (strstr(found, "/../") || !exists(found))) {
				free(found);
				found = NULL;
			}
		}
		entry += len + 1;
	}
	free(spec);
	free(output);
	if (!status)
		*directory = found;
	else
		free(found);
	return status;
}

/* Adds the submodule at `path` of a part, which is at `commit`. */
static int add_submodule(const struct git *git, struct snapshot *s, size_t parent_index,
			 const char *path, const char *commit, const char *scratch,
			 struct cg_error *err)
{
	const struct snapshot_part *parent = &s->parts[parent_index];
	struct snapshot_part part = { 0 };
	struct git *inner = NULL;
	char *checked_out = NULL, *dot_git = NULL;
	int status = make_text(&part.path, err, "%s%s%s", parent->path, *parent->path ? "/" : "",
			       path);

	if (!status)
		status = make_text(&checked_out, err, "%s/%s", git->top, part.path);
	if (!status)
		status = make_text(&dot_git, err, "%s/.git", checked_out);
	if (!status && exists(dot_git) && !git_open_inner(git, checked_out, &inner, NULL) &&
	    strcmp(inner->directory, git->directory) != 0) {
		part.directory = strdup(inner->directory);
		part.work = parent->work ? strdup(checked_out) : NULL;
		if (!part.directory || (parent->work && !part.work))
			status = cg_fail_nomem(err);
	} else if (!status && !parent->work && parent->directory) {
		status = find_module(git, parent, path, &part.directory, err);
	}
	if (!status && part.work)
		status = hash_work_tree(git, &part, scratch, s, err);
	else if (!status && part.directory &&
		 git_tree_in(git, part.directory, commit, &part.tree)) {
		free(part.directory);
		part.directory = NULL;
	}
	if (!status && !part.tree && !(part.tree = strdup(commit)))
		status = cg_fail_nomem(err);
	git_close(inner);
	free(checked_out);
	free(dot_git);
	if (status) {
		free_part(&part);
		return status;
	}
	return add_snapshot_part(s, &part, err);
}

/* The submodules of the part at `i`: lines "160000 commit ID\tPATH" of its tree. */
static int add_submodules(const struct git *git, struct snapshot *s, size_t i, const char *scratch,
			  struct cg_error *err)
{
	const char *const args[] = { "ls-tree", "-r", "-z", "--full-tree", s->parts[i].tree, NULL };
	char *output;
	size_t size;
	int status = run_in_part(git, &s->parts[i], NULL, s->parts[i].work, args, &output, &size,
				 err);
	if (status)
		return status;

	for (char *entry = output, *end = output + size; !status && entry < end;) {
		size_t len = strlen(entry);
		char *tab = strchr(entry, '\t');
		if (tab && strncmp(entry, "160000 commit ", 14) == 0) {
			*tab = '\0';
			if (git_is_id(entry + 14))
				status = add_submodule(git, s, i, tab + 1, entry + 14, scratch,
						       err);
		}
		entry += len + 1;
	}
	free(output);
	return status;
}

static int add_all_submodules(const struct git *git, struct snapshot *s, const char *scratch,
			      struct cg_error *err)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < s->nparts; i++)
		if (s->parts[i].directory)
			status = add_submodules(git, s, i, scratch, err);
	return status;
}

/* ---- the whole ------------------------------------------------------------ */

int snapshot_of_commit(const struct git *git, const char *commit, struct snapshot *out,
		       struct cg_error *err)
{
	struct snapshot_part part = { 0 };

	*out = (struct snapshot){ .commit = strdup(commit) };
	part.path = strdup("");
	part.directory = strdup(git->directory);
	int status = out->commit && part.path && part.directory ? CG_OK : cg_fail_nomem(err);
	if (!status)
		status = git_tree_of(git, commit, &part.tree, err);
	if (status) {
		free_part(&part);
		return status;
	}
	status = add_snapshot_part(out, &part, err);
	return status ? status : add_all_submodules(git, out, NULL, err);
}

/* Finds out which work trees differ from the commit they are based on. */
static int find_changes(const struct git *git, struct snapshot *s, struct cg_error *err)
{
	struct snapshot clean = { 0 };
	int status = snapshot_of_commit(git, s->commit, &clean, err);

	s->changed = clean.nparts != s->nparts;
	for (size_t i = 0; !status && !s->changed && i < s->nparts; i++)
		s->changed = strcmp(clean.parts[i].path, s->parts[i].path) != 0 ||
			     (s->parts[i].directory &&
			      strcmp(clean.parts[i].tree, s->parts[i].tree) != 0);
	snapshot_free(&clean);
	return status;
}

int snapshot_of_work_tree(const struct git *git, const char *scratch, struct snapshot *out,
			  struct cg_error *err)
{
	struct snapshot_part part = { 0 };
	struct cg_error ignored;

	*out = (struct snapshot){ 0 };
	if (git_resolve(git, "HEAD", &out->commit, &ignored))
		return cg_fail(err, CG_EINVAL, git->top, 0, "no commits yet to compare with");
	part.path = strdup("");
	part.directory = strdup(git->directory);
	part.work = strdup(git->top);
	int status = part.path && part.directory && part.work ? CG_OK : cg_fail_nomem(err);
	if (!status)
		status = hash_work_tree(git, &part, scratch, out, err);
	if (status) {
		free_part(&part);
		return status;
	}
	status = add_snapshot_part(out, &part, err);
	if (!status)
		status = add_all_submodules(git, out, scratch, err);
	return status ? status : find_changes(git, out, err);
}

static bool is_copied_file(const char *path, const char *prefix, const struct strings *copied)
{
	const size_t len = strlen(prefix);

	for (size_t i = 0; strncmp(path, prefix, len) == 0 && i < copied->count; i++)
		if (strcmp(path + len, copied->items[i]) == 0)
			return true;
	return false;
}

enum { MODE_DIGITS = 6 };

/* Takes the mode, the ID and the kind of ":MODE MODE ID ID KIND", the second of each. False if the
 * entry is no change. */
static bool split_change(const char *entry, const char **mode, const char **id, char *kind)
{
	const char *first = entry + 2 * (1 + MODE_DIGITS) + 1, *space = NULL, *end = NULL;

	if (*entry == ':' && strlen(entry) > 2 * (1 + MODE_DIGITS))
		space = strchr(first, ' ');
	if (space)
		end = strchr(space + 1, ' ');
	if (!end)
		return false;
	*mode = entry + 1 + MODE_DIGITS + 1;
	*id = space + 1;
	*kind = end[1];
	return true;
}

/* Pairs of a change and its path, each with a NUL after it. */
static void print_changes(const char *at, const char *end, const char *prefix,
			  const struct strings *copied, FILE *to)
{
	const char *mode, *id;
	char kind;

	while (at < end) {
		const char *path = at + strlen(at) + 1;
		if (path >= end || !split_change(at, &mode, &id, &kind))
			return;
		if (!strchr(path, '\n') && !(kind == 'A' && is_copied_file(path, prefix, copied)))
			fprintf(to, "%s\t%.6s %.*s\n", path, mode, (int)strcspn(id, " "), id);
		at = path + strlen(path) + 1;
	}
}

/* Entries as in split_change, each followed by its path, of what differs from a tree or commit. */
static int compare_with_tree(const struct git *git, const struct snapshot *s, const char *tree,
			     char **output, size_t *size, struct cg_error *err)
{
	const struct snapshot_part *part = &s->parts[0];
	const char *const args[] = { "diff-tree",    "-r", "-z",       "--raw",
				     "--no-renames", tree, part->tree, NULL };

	return run_in_part(git, part, NULL, part->work, args, output, size, err);
}

int snapshot_changes(const struct git *git, const struct snapshot *s, const char *prefix,
		     const struct strings *copied, char **text, struct cg_error *err)
{
	char *output = NULL;
	size_t size = 0, length = 0;

	*text = NULL;
	if (!s->changed)
		return CG_OK;
	int status = compare_with_tree(git, s, s->commit, &output, &size, err);
	FILE *to = status ? NULL : open_memstream(text, &length);
	if (to)
		print_changes(output, output + size, prefix, copied, to);
	if (!status && (!to || fclose(to) != 0))
		status = cg_fail_nomem(err);
	free(output);
	if (status || !length) {
		free(*text);
		*text = NULL;
	}
	return status;
}

/* Whether only what is in a file changed, by an entry as in split_change. */
static bool is_change_of_contents(const char *entry, const char *path)
{
	static const char file[] = "100";
	const char *mode, *id, *name = strrchr(path, '/');
	char kind;

	if (!split_change(entry, &mode, &id, &kind) || kind != 'M')
		return false;
	return strncmp(mode, file, sizeof file - 1) == 0 &&
	       strncmp(mode, entry + 1, MODE_DIGITS) == 0 &&
	       strcmp(name ? name + 1 : path, ".gitattributes") != 0;
}

int snapshot_changed_contents(const struct git *git, const struct snapshot *s, const char *tree,
			      struct strings *paths, bool *only, struct cg_error *err)
{
	char *output = NULL;
	size_t size = 0;
	int status = compare_with_tree(git, s, tree, &output, &size, err);

	*only = true;
	for (const char *at = output, *end = at + size; !status && *only && at < end;) {
		const char *path = at + strlen(at) + 1;
		*only = path < end && is_change_of_contents(at, path);
		if (*only)
			status = strings_add(paths, path, err);
		at = path + (*only ? strlen(path) + 1 : 0);
	}
	free(output);
	return status;
}

char *snapshot_identity(const struct snapshot *s)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	for (size_t i = 0; i < s->nparts; i++)
		fprintf(to, "%s %s%s\n", s->parts[i].tree, s->parts[i].path,
			s->parts[i].directory ? "" : " (missing)");
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

int snapshot_read(const struct git *git, const struct snapshot *s, const char *path, char **text,
		  struct cg_error *err)
{
	char *spec;
	int status = make_text(&spec, err, "%s:%s", s->parts[0].tree, path);
	if (status)
		return status;
	const char *const args[] = { "cat-file", "blob", spec, NULL };
	if (run_in_part(git, &s->parts[0], NULL, s->parts[0].work, args, text, NULL, NULL))
		*text = NULL;
	free(spec);
	return CG_OK;
}
