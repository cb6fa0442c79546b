#include "src/store/profiles.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/label.h"

#define SUFFIX ".callgrind"
#define RAW "raw.callgrind.zst"
#define META "meta.json"
#define STDOUT_LOG "stdout.log"
#define STDERR_LOG "stderr.log"

/* One path of a struct profile_paths: "BASE/DIR" + "LABEL" + "END". */
struct path_part {
	size_t offset;
	const char *dir, *end;
};

#define PART(field, dir, end) { offsetof(struct profile_paths, field), dir, end }

static const struct path_part label_parts[] = {
	PART(callgrind, "profiles/", SUFFIX),
	PART(flat, "profiles/", SUFFIX ".flat.txt"),
	PART(tree, "profiles/", SUFFIX ".tree.txt"),
	PART(data, ".irdiff/profiles/", ""),
	PART(raw, ".irdiff/profiles/", "/" RAW),
	PART(meta, ".irdiff/profiles/", "/" META),
	PART(stdout_log, ".irdiff/profiles/", "/" STDOUT_LOG),
	PART(stderr_log, ".irdiff/profiles/", "/" STDERR_LOG),
};

static const struct path_part work_parts[] = {
	PART(callgrind, "profile.callgrind", ""),
	PART(flat, "flat.txt", ""),
	PART(tree, "tree.txt", ""),
	PART(raw, RAW, ""),
	PART(meta, META, ""),
	PART(stdout_log, STDOUT_LOG, ""),
	PART(stderr_log, STDERR_LOG, ""),
};

static int fill_paths(const char *base, const char *label, const struct path_part *parts,
		      size_t count, struct profile_paths *out, struct cg_error *err)
{
	struct profile_paths p = { 0 };

	for (size_t i = 0; i < count; i++) {
		char **path = (char **)((char *)&p + parts[i].offset);
		if (asprintf(path, "%s/%s%s%s", base, parts[i].dir, label, parts[i].end) < 0) {
			*path = NULL;
			profile_paths_free(&p);
			return cg_fail_nomem(err);
		}
	}
	*out = p;
	return CG_OK;
}

int profile_paths_of(const char *root, const char *label, struct profile_paths *out,
		     struct cg_error *err)
{
	int status = label_check(label, err);
	return status ? status : fill_paths(root, label, label_parts,
					    sizeof label_parts / sizeof *label_parts, out, err);
}

int work_paths_of(const char *work, struct profile_paths *out, struct cg_error *err)
{
	return fill_paths(work, "", work_parts, sizeof work_parts / sizeof *work_parts, out, err);
}

void profile_paths_free(struct profile_paths *p)
{
	free(p->callgrind);
	free(p->flat);
	free(p->tree);
	free(p->data);
	free(p->raw);
	free(p->meta);
	free(p->stdout_log);
	free(p->stderr_log);
	*p = (struct profile_paths){ 0 };
}

static int below(const char *root, const char *name, char **path, struct cg_error *err)
{
	return asprintf(path, "%s/%s", root, name) < 0 ? cg_fail_nomem(err) : CG_OK;
}

static int make_below(const char *root, const char *name, struct cg_error *err)
{
	char *path;
	int status = below(root, name, &path, err);
	if (status)
		return status;
	status = make_directories(path, err);
	free(path);
	return status;
}

static int write_ignore_file(const char *root, struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	char *path;
	int status = below(root, ".irdiff/.gitignore", &path, err);
	if (status)
		return status;
	if (access(path, F_OK) != 0) {
		status = new_file_begin(path, &file, &stream, err);
		if (!status) {
			fputs("*\n", stream);
			status = new_file_commit(file, err);
		}
	}
	free(path);
	return status;
}

int store_prepare(const char *root, struct cg_error *err)
{
	int status = make_below(root, "profiles", err);
	if (!status)
		status = make_below(root, ".irdiff/profiles", err);
	if (!status)
		status = make_below(root, ".irdiff/tmp", err);
	return status ? status : write_ignore_file(root, err);
}

/* Work directories are called PID-XXXXXX after the irdiff that made them. */
static void remove_dead(const char *parent)
{
	DIR *dir = opendir(parent);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		char *end, *path;
		long pid = strtol(e->d_name, &end, 10);
		if (end == e->d_name || *end != '-' || pid <= 0)
			continue;
		if (kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		if (asprintf(&path, "%s/%s", parent, e->d_name) < 0)
			break;
		remove_directory(path, NULL);
		free(path);
	}
	closedir(dir);
}

int store_work_directory(const char *root, char **path, struct cg_error *err)
{
	char *parent, *work = NULL;
	int status = below(root, ".irdiff/tmp", &parent, err);
	if (status)
		return status;

	remove_dead(parent);
	if (asprintf(&work, "%s/%ld-XXXXXX", parent, (long)getpid()) < 0) {
		work = NULL;
		status = cg_fail_nomem(err);
	} else if (!mkdtemp(work)) {
		status = cg_fail(err, CG_EIO, parent, 0, "cannot create a directory: %s",
				 strerror(errno));
	}
	free(parent);
	if (status)
		free(work);
	else
		*path = work;
	return status;
}

/* Of a file that is not there, no older one stays at the target either. */
static int move(const char *from, const char *to, struct cg_error *err)
{
	if (rename(from, to) == 0)
		return CG_OK;
	if (errno == ENOENT && access(from, F_OK) != 0) {
		unlink(to);
		return CG_OK;
	}
	return cg_fail(err, CG_EIO, to, 0, "cannot rename %s to it: %s", from, strerror(errno));
}

static int move_all(const struct profile_paths *from, const struct profile_paths *to,
		    struct cg_error *err)
{
	int status = remove_directory(to->data, err);
	if (!status)
		status = move(from->callgrind, to->callgrind, err);
	if (!status)
		status = move(from->flat, to->flat, err);
	if (!status)
		status = move(from->tree, to->tree, err);
	return status ? status : move(from->data, to->data, err);
}

/* Of a run only these stay beside the three files that people read. */
static void keep_only_data(const char *work)
{
	static const char *const kept[] = { "profile.callgrind", "flat.txt", "tree.txt", RAW, META,
					    STDOUT_LOG, STDERR_LOG };
	DIR *dir = opendir(work);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		bool keep = false;
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			keep |= strcmp(e->d_name, kept[i]) == 0;
		if (!keep)
			unlinkat(dirfd(dir), e->d_name, 0);
	}
	closedir(dir);
	mode_t mask = umask(0);
	umask(mask);
	chmod(work, 0777 & ~mask);
}

static int lock(const char *root, int *fd, struct cg_error *err)
{
	char *path;
	int status = below(root, ".irdiff/lock", &path, err);
	if (status)
		return status;
	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (*fd < 0 || flock(*fd, LOCK_EX) != 0) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot lock: %s", strerror(errno));
		if (*fd >= 0)
			close(*fd);
	}
	free(path);
	return status;
}

int store_publish(const char *root, const char *label, const char *work, struct cg_error *err)
{
	struct profile_paths new = { 0 }, now = { 0 }, old = { 0 };
	char *old_label;
	int fd = -1;

	if (asprintf(&old_label, "%s.old", label) < 0)
		return cg_fail_nomem(err);
	int status = work_paths_of(work, &new, err);
	if (!status)
		status = profile_paths_of(root, label, &now, err);
	if (!status)
		status = profile_paths_of(root, old_label, &old, err);
	if (!status)
		status = lock(root, &fd, err);
	if (!status) {
		keep_only_data(work);
		new.data = strdup(work);
		status = new.data ? CG_OK : cg_fail_nomem(err);
	}
	if (!status && access(now.callgrind, F_OK) == 0)
		status = move_all(&now, &old, err);
	if (!status)
		status = move_all(&new, &now, err);
	if (fd >= 0)
		close(fd);
	free(old_label);
	profile_paths_free(&new);
	profile_paths_free(&now);
	profile_paths_free(&old);
	return status;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ": there are a, b, c" for a message, cut when there are many. */
static void list_labels(const char *root, char *text, size_t size)
{
	enum { MANY = 12 };
	char *names[256], *parent;
	size_t count = 0, used = 0;

	text[0] = '\0';
	if (asprintf(&parent, "%s/profiles", root) < 0)
		return;
	DIR *dir = opendir(parent);
	free(parent);
	if (!dir)
		return;
	for (struct dirent *e; count < sizeof names / sizeof *names && (e = readdir(dir));) {
		size_t len = strlen(e->d_name), n = strlen(SUFFIX);
		if (len > n && strcmp(e->d_name + len - n, SUFFIX) == 0 &&
		    (names[count] = strndup(e->d_name, len - n)))
			count++;
	}
	closedir(dir);
	qsort(names, count, sizeof *names, compare_names);
	for (size_t i = 0; i < count; i++) {
		if (i < MANY && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 i ? ", " : "; there are: ", names[i]);
		free(names[i]);
	}
	if (count > MANY && used < size)
		snprintf(text + used, size - used, ", …");
}

int store_find_profile(const char *root, const char *operand, char **path, struct cg_error *err)
{
	struct profile_paths paths = { 0 };
	struct stat st;
	char known[400];
	bool exists = stat(operand, &st) == 0;

	/* Benchmarks are often called like the directory of what they measure. */
	if (strchr(operand, '/') || strcmp(operand, "-") == 0 || (exists && !S_ISDIR(st.st_mode))) {
		*path = strdup(operand);
		return *path ? CG_OK : cg_fail_nomem(err);
	}
	int status = profile_paths_of(root, operand, &paths, err);
	if (status)
		return status;
	if (access(paths.callgrind, F_OK) == 0) {
		*path = paths.callgrind;
		paths.callgrind = NULL;
	} else if (exists) {
		status = cg_fail(err, CG_EIO, operand, 0, "is a directory, not a profile");
	} else {
		list_labels(root, known, sizeof known);
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "%s is neither a file nor the label of a profile%s", operand, known);
	}
	profile_paths_free(&paths);
	return status;
}
