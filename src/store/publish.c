#include "src/store/publish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/profiles.h"

/* Held while work directories come and go, and while profiles move. */
static int lock(const char *root, int *fd, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/.irdiff/lock", root) < 0)
		return cg_fail_nomem(err);

	int status = CG_OK;
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (file < 0 || flock(file, LOCK_EX) != 0) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot lock: %s", strerror(errno));
		if (file >= 0)
			close(file);
	} else {
		*fd = file;
	}
	free(path);
	return status;
}

/* ---- work directories ---- */

/* They are called PID-XXXXXX after the irdiff that made them. */
static bool is_work_directory(const char *name)
{
	size_t digits = strspn(name, "0123456789");
	return digits > 0 && name[digits] == '-';
}

/* Locked or, if somebody else has it, -1. */
static int lock_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Whoever can lock a work directory knows that its irdiff is gone. Returns how many there are. */
static size_t find_dead(const char *parent, bool remove)
{
	DIR *dir = opendir(parent);
	size_t count = 0;

	if (!dir)
		return 0;
	for (struct dirent *e; (e = readdir(dir));) {
		char *path;
		if (!is_work_directory(e->d_name))
			continue;
		if (asprintf(&path, "%s/%s", parent, e->d_name) < 0)
			break;
		int fd = lock_directory(path);
		if (fd >= 0) {
			count++;
			if (remove)
				remove_directory(path, NULL);
			close(fd);
		}
		free(path);
	}
	closedir(dir);
	return count;
}

size_t store_work_left(const char *root)
{
	char *parent;
	size_t count = 0;
	int fd;

	if (asprintf(&parent, "%s/.irdiff/tmp", root) < 0)
		return 0;
	if (access(parent, F_OK) == 0 && lock(root, &fd, NULL) == CG_OK) {
		count = find_dead(parent, false);
		close(fd);
	}
	free(parent);
	return count;
}

static int make_work(const char *parent, struct work_directory *out, struct cg_error *err)
{
	char *path;
	int status, fd;

	if (asprintf(&path, "%s/%ld-XXXXXX", parent, (long)getpid()) < 0)
		return cg_fail_nomem(err);
	if (!mkdtemp(path)) {
		status = cg_fail(err, CG_EIO, parent, 0, "cannot create a directory: %s",
				 strerror(errno));
	} else if ((fd = lock_directory(path)) < 0) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot lock: %s", strerror(errno));
		rmdir(path);
	} else {
		*out = (struct work_directory){ path, fd };
		return CG_OK;
	}
	free(path);
	return status;
}

int store_work_begin(const char *root, struct work_directory *out, struct cg_error *err)
{
	char *parent;
	int fd;
	int status = lock(root, &fd, err); /* nobody takes a new directory for a dead one */
	if (status)
		return status;
	if (asprintf(&parent, "%s/.irdiff/tmp", root) < 0) {
		status = cg_fail_nomem(err);
	} else {
		find_dead(parent, true);
		status = make_work(parent, out, err);
		free(parent);
	}
	close(fd);
	return status;
}

void store_work_end(struct work_directory *work)
{
	if (!work->path)
		return;
	remove_directory(work->path, NULL);
	free(work->path);
	close(work->lock);
	*work = (struct work_directory){ 0 };
}

/* ---- what may be replaced ---- */

struct publishing {
	const char *work;
	struct profile_paths new, now, old;
	struct profile_paths arrived; /* where the new files are once `work` is the label's data */
	char *link;                   /* in `work`: a name for links on their way */
	bool replaces;                /* the label has a profile */
	bool placed;                  /* `work` is the label's data */
};

enum { FILES = 3 };

/* The .callgrind file is the last: it is what makes a label. */
static void files_of(const struct profile_paths *p, const char *files[FILES])
{
	files[0] = p->flat;
	files[1] = p->tree;
	files[2] = p->callgrind;
}

static int check_replaceable(const struct profile_paths *p, struct cg_error *err)
{
	const char *files[FILES];
	struct stat st;

	files_of(p, files);
	for (size_t i = 0; i < FILES; i++)
		if (stat(files[i], &st) == 0 && !S_ISREG(st.st_mode))
			return cg_fail(err, CG_EINVAL, files[i], 0,
				       "is not a file: move it away, or choose another label");
	if (access(p->callgrind, F_OK) == 0 && !store_is_ours(p->callgrind))
		return cg_fail(err, CG_EINVAL, p->callgrind, 0,
			       "was not written by irdiff, and would be replaced: choose another label, or "
			       "move it away");
	return CG_OK;
}

static int begin(struct publishing *p, const char *root, const char *label, struct cg_error *err)
{
	char *old_label;
	if (asprintf(&old_label, "%s.old", label) < 0)
		return cg_fail_nomem(err);
	int status = profile_paths_of(root, label, &p->now, err);
	if (!status)
		status = profile_paths_of(root, old_label, &p->old, err);
	free(old_label);
	if (status)
		return status;

	p->replaces = access(p->now.callgrind, F_OK) == 0;
	status = check_replaceable(&p->now, err);
	return status || !p->replaces ? status : check_replaceable(&p->old, err);
}

static void end(struct publishing *p)
{
	profile_paths_free(&p->new);
	profile_paths_free(&p->now);
	profile_paths_free(&p->old);
	profile_paths_free(&p->arrived);
	free(p->link);
}

int store_check_label(const char *root, const char *label, struct cg_error *err)
{
	struct publishing p = { 0 };
	int status = begin(&p, root, label, err);
	end(&p);
	return status;
}

/* ---- publishing ---- */

/* Of a run only these stay: the files that people read, and the data. */
static void keep_only(const struct profile_paths *p, const char *work)
{
	const char *const kept[] = { p->callgrind, p->flat,	p->tree, p->raw,	p->lines,
				     p->contexts,  p->sources, p->meta, p->stdout_log, p->stderr_log };
	DIR *dir = opendir(work);
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		bool keep = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
		char *path;
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			keep |= strcmp(e->d_name, strrchr(kept[i], '/') + 1) == 0;
		if (keep || asprintf(&path, "%s/%s", work, e->d_name) < 0)
			continue;
		remove_directory(path, NULL);
		free(path);
	}
	closedir(dir);
	mode_t mask = umask(0);
	umask(mask);
	chmod(work, 0777 & ~mask);
}

void store_work_tidy(const char *work)
{
	struct profile_paths p;
	if (work_paths_of(work, &p, NULL))
		return;
	keep_only(&p, work);
	profile_paths_free(&p);
}

static int fail_move(const char *from, const char *to, struct cg_error *err)
{
	return cg_fail(err, CG_EIO, to, 0, "cannot put %s there: %s", from, strerror(errno));
}

/* Of a file that is not there, no older one stays at the target either. */
static int remove_stale(const char *to, struct cg_error *err)
{
	if (unlink(to) == 0 || errno == ENOENT)
		return CG_OK;
	return cg_fail(err, CG_EIO, to, 0, "cannot remove: %s", strerror(errno));
}

static int move(const char *from, const char *to, struct cg_error *err)
{
	if (rename(from, to) == 0)
		return CG_OK;
	if (errno == ENOENT && access(from, F_OK) != 0)
		return remove_stale(to, err);
	return fail_move(from, to, err);
}

/* The file `from` is at `to` as well, by a link that is made at `link`. */
static int copy(const char *from, const char *to, const char *link_path, struct cg_error *err)
{
	if (access(from, F_OK) != 0)
		return remove_stale(to, err);
	if (link(from, link_path) != 0) /* not on every file system, nor to everybody's files */
		return move(from, to, err);
	int status = rename(link_path, to) == 0 ? CG_OK : fail_move(from, to, err);
	unlink(link_path); /* it stays if both are one file already */
	return status;
}

static int copy_all(const struct publishing *p, const struct profile_paths *from,
		    const struct profile_paths *to, struct cg_error *err)
{
	const char *sources[FILES], *targets[FILES];
	int status = CG_OK;

	files_of(from, sources);
	files_of(to, targets);
	for (size_t i = 0; !status && i < FILES; i++)
		status = copy(sources[i], targets[i], p->link, err);
	return status;
}

static int put(struct publishing *p, struct cg_error *err)
{
	const char *sources[FILES], *targets[FILES];
	int status = remove_directory(p->replaces ? p->old.data : p->now.data, err);

	if (!status && p->replaces)
		status = move(p->now.data, p->old.data, err);
	if (!status) {
		p->placed = rename(p->work, p->now.data) == 0;
		if (!p->placed)
			status = fail_move(p->work, p->now.data, err);
	}
	files_of(&p->arrived, sources);
	files_of(&p->now, targets);
	for (size_t i = 0; !status && i < FILES; i++)
		status = move(sources[i], targets[i], err);
	return status;
}

/* LABEL.old holds what the label had. What cannot be undone stays as it is. */
static void undo(const struct publishing *p)
{
	const char *files[FILES];

	if (p->placed)
		rename(p->now.data, p->work);
	if (p->replaces) {
		if (access(p->now.data, F_OK) != 0)
			rename(p->old.data, p->now.data);
		copy_all(p, &p->old, &p->now, NULL);
	} else {
		files_of(&p->now, files);
		for (size_t i = 0; i < FILES; i++)
			unlink(files[i]);
	}
}

static int prepare(struct publishing *p, struct cg_error *err)
{
	int status = work_paths_of(p->work, &p->new, err);
	if (!status)
		status = work_paths_of(p->now.data, &p->arrived, err);
	if (!status && asprintf(&p->link, "%s/link", p->work) < 0) {
		p->link = NULL;
		status = cg_fail_nomem(err);
	}
	return status;
}

int store_publish(const char *root, const char *label, const char *work, struct cg_error *err)
{
	struct publishing p = { .work = work };
	int fd;
	int status = lock(root, &fd, err);
	if (status)
		return status;

	status = begin(&p, root, label, err);
	if (!status)
		status = prepare(&p, err);
	if (!status)
		keep_only(&p.new, work);
	if (!status && p.replaces)
		status = copy_all(&p, &p.now, &p.old, err);
	if (!status) {
		status = put(&p, err);
		if (status)
			undo(&p);
	}
	end(&p);
	close(fd);
	return status;
}
