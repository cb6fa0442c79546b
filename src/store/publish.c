#include "src/store/publish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/beneath.h"
#include "src/store/files.h"
#include "src/store/label.h"
#include "src/store/label_tree.h"
#include "src/store/profiles.h"

static void finish_all(const char *root);

int store_lock(const char *root, int *fd, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/.irdiff/lock", root) < 0)
		return cg_fail_nomem(err);

	int status = CG_OK;
	int file = beneath_open(root, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
				0666);
	if (file < 0 || flock(file, LOCK_EX) != 0) {
		status = beneath_fail(path, "lock", err);
		if (file >= 0)
			close(file);
	} else {
		*fd = file;
		finish_all(root);
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

/* Opens and locks a directory; -1: another irdiff has locked it. */
static int lock_directory(const char *root, const char *path)
{
	int fd = beneath_open(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A work directory that can be locked was left by a dead irdiff. Returns how many there are. */
static size_t find_dead(const char *root, const char *parent, bool remove)
{
	DIR *dir = beneath_list(root, parent);
	size_t count = 0;

	if (!dir)
		return 0;
	for (struct dirent *e; (e = readdir(dir));) {
		char *path;
		if (!is_work_directory(e->d_name))
			continue;
		if (asprintf(&path, "%s/%s", parent, e->d_name) < 0)
			break;
		int fd = lock_directory(root, path);
		if (fd >= 0) {
			count++;
			if (remove)
				beneath_remove(root, path, NULL);
			close(fd);
		}
		free(path);
	}
	closedir(dir);
	return count;
}

size_t store_work_left(const char *root)
{
	char *parent, *path;
	size_t count = 0;

	if (asprintf(&parent, "%s/.irdiff/tmp", root) < 0)
		return 0;
	if (asprintf(&path, "%s/.irdiff/lock", root) < 0) {
		free(parent);
		return 0;
	}
	int fd = beneath_open(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	/* The lock is shared with other readers. It keeps work directories from being made
	 * meanwhile, which would look dead until they are locked. */
	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0)
		count = find_dead(root, parent, false);
	if (fd >= 0)
		close(fd);
	free(path);
	free(parent);
	return count;
}

/* Makes a unique name PID-XXXXXX. */
static int name_work(const char *root, const char *parent, char **path)
{
	enum { TRIES = 100 };

	for (int i = 0; i < TRIES; i++) {
		uint32_t random;
		if (getrandom(&random, sizeof random, 0) != sizeof random ||
		    asprintf(path, "%s/%ld-%06" PRIx32, parent, (long)getpid(), random & 0xffffff) <
			    0)
			return -1;
		if (beneath_mkdir_private(root, *path) == 0)
			return 0;
		free(*path);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static int make_work(const char *root, const char *parent, struct work_directory *out,
		     struct cg_error *err)
{
	char *path, *top;
	int fd;

	if (name_work(root, parent, &path))
		return beneath_fail(parent, "create a directory", err);
	fd = lock_directory(root, path);
	top = fd < 0 ? NULL : strdup(root);
	if (top) {
		*out = (struct work_directory){ path, top, fd };
		return CG_OK;
	}
	int status = fd < 0 ? beneath_fail(path, "lock", err) : cg_fail_nomem(err);
	if (fd >= 0)
		close(fd);
	beneath_rmdir(root, path);
	free(path);
	return status;
}

int store_work_begin(const char *root, struct work_directory *out, struct cg_error *err)
{
	char *parent;
	int fd;
	int status = store_lock(root, &fd, err); /* a new directory is not taken for a dead one */
	if (status)
		return status;
	if (asprintf(&parent, "%s/.irdiff/tmp", root) < 0) {
		status = cg_fail_nomem(err);
	} else {
		find_dead(root, parent, true);
		status = make_work(root, parent, out, err);
		free(parent);
	}
	close(fd);
	return status;
}

void store_work_end(struct work_directory *work)
{
	if (!work->path)
		return;
	beneath_remove(work->root, work->path, NULL);
	free(work->path);
	free(work->root);
	close(work->lock);
	*work = (struct work_directory){ 0 };
}

/* ---- what may be replaced ---- */

/*
 * A profile is published in steps, so that it appears as a whole or not at all, even if irdiff is
 * killed:
 *
 *  1. Its data moves to data/ in the work directory, and that becomes .irdiff/profiles/.new-FILE
 *     (label_file). From here on everybody who holds the lock does the rest.
 *  2. What LABEL.old is moves to old/ in it; the files of the label become those of LABEL.old, and
 *     last its data.
 *  3. data/ becomes the label's data.
 *  4. The files move to their places.
 *
 * As long as there is data/, steps 2 and 3 are not done; as long as the label has data, step 2 is
 * not.
 */
#define NEW ".irdiff/profiles/.new-" /* and the file of a label, which begins with no dot */

struct publishing {
	const char *root;
	const char *label;
	struct profile_paths now, old;
	char *journal;            /* .new-FILE, */
	char *data;               /* data/ in it */
	char *link;               /* in it: a temporary name for links */
	char *saving, *saved;     /* saving/ in it, which becomes old/ when all is there */
	struct profile_paths new; /* files in it */
	bool replaces;            /* the label has a profile */
};

enum { FILES = 3 };

/* The .callgrind file comes last, as it makes the label exist. */
static void files_of(const struct profile_paths *p, const char *files[FILES])
{
	files[0] = p->flat;
	files[1] = p->tree;
	files[2] = p->callgrind;
}

static int check_replaceable(const char *root, const struct profile_paths *p, struct cg_error *err)
{
	const char *files[FILES];
	struct stat st;
	int status = label_tree_check(root, p->callgrind, err);

	if (!status)
		status = label_tree_check(root, p->data, err);
	if (status)
		return status;
	files_of(p, files);
	for (size_t i = 0; i < FILES; i++)
		if (beneath_stat(root, files[i], &st) == 0 && !S_ISREG(st.st_mode))
			return cg_fail(err, CG_EINVAL, files[i], 0,
				       "not a file; move it away, or choose another label");
	if (beneath_is_there(root, p->callgrind) && !store_is_ours(root, p->callgrind))
		return cg_fail(
			err, CG_EINVAL, p->callgrind, 0,
			"not written by irdiff; refusing to overwrite it: choose another label, or move it away");
	return CG_OK;
}

static int join_path(char **path, const char *directory, const char *name, struct cg_error *err)
{
	if (asprintf(path, "%s/%s", directory, name) >= 0)
		return CG_OK;
	*path = NULL;
	return cg_fail_nomem(err);
}

static int name_old(struct publishing *p, const char *root, struct cg_error *err)
{
	char *old_label;
	if (asprintf(&old_label, "%s.old", p->label) < 0)
		return cg_fail_nomem(err);
	int status = profile_paths_of(root, old_label, &p->old, err);
	free(old_label);
	return status;
}

static int name_journal(struct publishing *p, const char *root, struct cg_error *err)
{
	char *file = label_file(p->label);
	if (!file || asprintf(&p->journal, "%s/" NEW "%s", root, file) < 0)
		p->journal = NULL;
	free(file);
	int status = p->journal ? join_path(&p->data, p->journal, "data", err) : cg_fail_nomem(err);
	if (!status)
		status = join_path(&p->link, p->journal, "link", err);
	if (!status)
		status = join_path(&p->saving, p->journal, "saving", err);
	if (!status)
		status = join_path(&p->saved, p->journal, "old", err);
	return status ? status : work_paths_of(p->journal, &p->new, err);
}

static int begin_publishing(struct publishing *p, const char *root, const char *label,
			    struct cg_error *err)
{
	p->root = root;
	p->label = label;
	int status = profile_paths_of(root, label, &p->now, err);
	if (!status)
		status = name_old(p, root, err);
	if (!status)
		status = name_journal(p, root, err);
	if (status)
		return status;

	p->replaces = beneath_is_there(root, p->now.callgrind);
	status = check_replaceable(root, &p->now, err);
	return status || !p->replaces ? status : check_replaceable(root, &p->old, err);
}

static void end_publishing(struct publishing *p)
{
	profile_paths_free(&p->new);
	profile_paths_free(&p->now);
	profile_paths_free(&p->old);
	free(p->journal);
	free(p->data);
	free(p->link);
	free(p->saving);
	free(p->saved);
}

int store_check_label(const char *root, const char *label, struct cg_error *err)
{
	struct publishing p = { 0 };
	int status = begin_publishing(&p, root, label, err);
	end_publishing(&p);
	return status;
}

/* ---- the steps ---- */

static int fail_move(const char *from, const char *to, struct cg_error *err)
{
	if (errno == ELOOP)
		return beneath_fail(to, "store a profile there", err);
	return cg_fail(err, cg_io_status(errno), to, 0, "cannot move %s here: %s", from,
		       strerror(errno));
}

/* If a file does not exist, an older one at the target is removed. */
static int remove_stale(const char *root, const char *to, struct cg_error *err)
{
	if (beneath_unlink(root, to) == 0 || errno == ENOENT)
		return CG_OK;
	return beneath_fail(to, "remove", err);
}

/* Moves a file, if it exists. */
static int move_file(const char *root, const char *from, const char *to, struct cg_error *err)
{
	if (beneath_rename(root, from, to) == 0 ||
	    (errno == ENOENT && !beneath_is_there(root, from)))
		return CG_OK;
	return fail_move(from, to, err);
}

/* Puts the file `from` at `to` as well, by a link that is made at `link_path` first. */
static int link_or_copy(const char *root, const char *from, const char *to, const char *link_path,
			struct cg_error *err)
{
	if (!beneath_is_there(root, from))
		return remove_stale(root, to, err);
	beneath_unlink(root, link_path);
	if (beneath_link(root, from, link_path) !=
	    0) /* links need support by the file system, and permission */
		return beneath_copy(root, from, to, err);
	int status = beneath_rename(root, link_path, to) == 0 ? CG_OK : fail_move(from, to, err);
	beneath_unlink(root, link_path); /* rename() does nothing if both are one file already */
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
		status = link_or_copy(p->root, sources[i], targets[i], p->link, err);
	return status;
}

/* LABEL.old moves to a directory, or back. */
static int move_old(const struct publishing *p, const char *directory, bool back,
		    struct cg_error *err)
{
	const char *const files[][2] = { { p->old.flat, "flat.txt" },
					 { p->old.tree, "tree.txt" },
					 { p->old.callgrind, "profile.callgrind" },
					 { p->old.data, "data" } };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++) {
		char *there;
		status = join_path(&there, directory, files[i][1], err);
		if (!status)
			status = back ? move_file(p->root, there, files[i][0], err)
				      : move_file(p->root, files[i][0], there, err);
		free(there);
	}
	return status;
}

/* Saves LABEL.old in the journal before it is replaced. */
static int save_old(const struct publishing *p, struct cg_error *err)
{
	if (beneath_is_there(p->root, p->saved))
		return CG_OK;
	int status = beneath_make_directories(p->root, p->saving, err);
	if (!status)
		status = move_old(p, p->saving, false, err);
	if (!status && beneath_rename(p->root, p->saving, p->saved) != 0)
		status = fail_move(p->saving, p->saved, err);
	return status;
}

/* Does step 2, if it is not done yet. */
static int rotate(const struct publishing *p, struct cg_error *err)
{
	if (!beneath_is_there(p->root, p->now.data))
		return CG_OK;
	if (!beneath_is_there(p->root, p->now.callgrind))
		return beneath_remove(p->root, p->now.data,
				      err); /* remains of a profile that was removed */
	int status = save_old(p, err);
	if (!status)
		status = copy_all(p, &p->now, &p->old, err);
	if (!status)
		status = beneath_remove(p->root, p->old.data,
					err); /* left of an undo that was interrupted */
	if (!status && beneath_rename(p->root, p->now.data, p->old.data) != 0)
		status = fail_move(p->now.data, p->old.data, err);
	return status;
}

/* Removes files of the label that the new profile does not have, while the new one is still
 * complete in the journal. */
static int remove_missing(const struct publishing *p, struct cg_error *err)
{
	const char *sources[FILES], *targets[FILES];
	int status = CG_OK;

	files_of(&p->new, sources);
	files_of(&p->now, targets);
	for (size_t i = 0; !status && i < FILES; i++)
		if (!beneath_is_there(p->root, sources[i]))
			status = remove_stale(p->root, targets[i], err);
	return status;
}

/* Does all that is left to do after step 1. */
static int finish_publishing(const struct publishing *p, struct cg_error *err)
{
	const char *sources[FILES], *targets[FILES];
	int status = label_tree_make(p->root, p->now.callgrind, err);

	if (!status)
		status = label_tree_make(p->root, p->now.data, err);
	if (!status && beneath_is_there(p->root, p->data)) {
		status = rotate(p, err);
		if (!status)
			status = remove_missing(p, err);
		if (!status && beneath_rename(p->root, p->data, p->now.data) != 0)
			status = fail_move(p->data, p->now.data, err);
	}
	files_of(&p->new, sources);
	files_of(&p->now, targets);
	for (size_t i = 0; !status && i < FILES; i++)
		status = move_file(p->root, sources[i], targets[i], err);
	if (!status)
		beneath_remove(p->root, p->journal,
			       NULL); /* if this fails, the next irdiff does it */
	return status;
}

/* ---- what others left ---- */

/* Begins, and does what an earlier attempt left to do. */
static int resume_publishing(struct publishing *p, const char *root, const char *label,
			     struct cg_error *err)
{
	int status = begin_publishing(p, root, label, err);

	if (!status && beneath_is_there(root, p->journal))
		status = finish_publishing(p, err);
	return status;
}

static int finish_label(const char *root, const char *label, struct cg_error *err)
{
	struct publishing p = { 0 };
	int status = resume_publishing(&p, root, label, err);

	end_publishing(&p);
	return status;
}

static DIR *open_profiles(const char *root)
{
	char *path;
	if (asprintf(&path, "%s/.irdiff/profiles", root) < 0)
		return NULL;
	DIR *dir = beneath_list(root, path);
	free(path);
	return dir;
}

/* The file of the label of a profile that is not in place yet, or NULL. */
static const char *unfinished(const char *name)
{
	const char *prefix = strrchr(NEW, '/') + 1;
	size_t len = strlen(prefix);
	return strncmp(name, prefix, len) == 0 ? name + len : NULL;
}

/* Finishes all profiles that are not in place yet. One that fails stays as it is, and is reported
 * when its label is replaced. */
static void finish_all(const char *root)
{
	DIR *dir = open_profiles(root);

	for (struct dirent *e; dir && (e = readdir(dir));) {
		char *label = unfinished(e->d_name) ? label_of_file(unfinished(e->d_name)) : NULL;
		if (label)
			finish_label(root, label, NULL);
		free(label);
	}
	if (dir)
		closedir(dir);
}

void store_finish(const char *root)
{
	DIR *dir = open_profiles(root);
	bool any = false;
	int fd;

	for (struct dirent *e; dir && !any && (e = readdir(dir));)
		any = unfinished(e->d_name);
	if (dir)
		closedir(dir);
	if (any && store_lock(root, &fd, NULL) == CG_OK)
		close(fd);
}

/* ---- publishing ---- */

/* Moves everything but the text reports to data/. */
static int part_data(const char *root, const char *work, struct cg_error *err)
{
	struct profile_paths p;
	char *data;
	int status = work_paths_of(work, &p, err);

	if (status)
		return status;
	const char *const parted[] = { p.raw,  p.lines, p.contexts,   p.sources,   p.instructions,
				       p.code, p.meta,  p.stdout_log, p.stderr_log };
	status = join_path(&data, work, "data", err);
	if (!status && beneath_mkdir(root, data) != 0)
		status = beneath_fail(data, "create", err);
	for (size_t i = 0; !status && i < sizeof parted / sizeof *parted; i++) {
		char *to;
		status = join_path(&to, data, strrchr(parted[i], '/') + 1, err);
		if (!status)
			status = move_file(root, parted[i], to, err);
		free(to);
	}
	free(data);
	profile_paths_free(&p);
	return status;
}

/* Undoes step 4. */
static int take_back(const struct publishing *p)
{
	const char *sources[FILES], *targets[FILES];
	int status = CG_OK;

	files_of(&p->new, sources);
	files_of(&p->now, targets);
	for (size_t i = 0; !status && i < FILES; i++)
		if (!beneath_is_there(p->root, sources[i]))
			status = move_file(p->root, targets[i], sources[i], NULL);
	return status ? status : move_file(p->root, p->now.data, p->data, NULL);
}

/* Restores LABEL.old, or its absence. */
static int bring_back_old(const struct publishing *p)
{
	const char *files[FILES];

	if (beneath_is_there(p->root, p->saved)) {
		files_of(&p->old, files);
		for (size_t i = 0; i < FILES; i++)
			beneath_unlink(p->root, files[i]);
	}
	return move_old(p, beneath_is_there(p->root, p->saved) ? p->saved : p->saving, true, NULL);
}

/* Removes directories that were made for a profile that is not there. */
static void prune_places(const struct publishing *p)
{
	char *top;

	if (join_path(&top, p->root, ".irdiff/profiles", NULL) == CG_OK)
		label_tree_prune(p->root, top, p->now.data);
	free(top);
	if (join_path(&top, p->root, "profiles", NULL) == CG_OK)
		label_tree_prune(p->root, top, p->now.callgrind);
	free(top);
}

/* Undoes the steps from the last to the first. If that fails too, the profile stays in its journal,
 * and the next irdiff puts it in place. */
static void undo(const struct publishing *p, const char *work)
{
	int status = beneath_is_there(p->root, p->data) ? CG_OK : take_back(p);

	if (!status && p->replaces && !beneath_is_there(p->root, p->now.data)) {
		status = copy_all(p, &p->old, &p->now, NULL);
		if (!status)
			status = move_file(p->root, p->old.data, p->now.data, NULL);
	}
	if (!status)
		status = bring_back_old(p);
	if (!status && beneath_rename(p->root, p->journal, work) == 0)
		prune_places(p);
}

/* A data directory, even an empty one, shows that step 2 is not done. The directories above it may
 * be missing, if .irdiff was removed and profiles/ was not. */
static int mark_replaced(const struct publishing *p, struct cg_error *err)
{
	int status = label_tree_make(p->root, p->now.data, err);

	if (!status && beneath_mkdir(p->root, p->now.data) != 0 && errno != EEXIST)
		status = beneath_fail(p->now.data, "create", err);
	return status;
}

int store_publish(const char *root, const char *label, const char *work, struct cg_error *err)
{
	struct publishing p = { 0 };
	int fd;
	int status = store_lock(root, &fd, err);
	if (status)
		return status;

	status = resume_publishing(&p, root, label, err);
	if (!status) {
		store_work_tidy(work);
		status = sync_directory(work, err);
	}
	if (!status)
		status = part_data(root, work, err);
	if (!status && p.replaces)
		status = mark_replaced(&p, err);
	if (!status && beneath_rename(root, work, p.journal) != 0)
		status = fail_move(work, p.journal, err);
	else if (!status && (status = finish_publishing(&p, err)) != CG_OK)
		undo(&p, work);
	end_publishing(&p);
	close(fd);
	return status;
}

/* ---- retiring ---- */

/* Between two of these steps the label may lack files or data, but never has those of another
 * profile. */
static int retire(const struct publishing *p, struct cg_error *err)
{
	int status = remove_stale(p->root, p->old.callgrind, err);

	if (!status)
		status = beneath_remove(p->root, p->old.data, err);
	if (!status)
		status = move_file(p->root, p->now.callgrind, p->old.callgrind, err);
	if (!status)
		status = move_file(p->root, p->now.data, p->old.data, err);
	if (!status)
		status = move_file(p->root, p->now.flat, p->old.flat, err);
	return status ? status : move_file(p->root, p->now.tree, p->old.tree, err);
}

int store_retire(const char *root, const char *label, bool *retired, struct cg_error *err)
{
	struct publishing p = { 0 };
	int fd;
	int status = store_lock(root, &fd, err);

	*retired = false;
	if (status)
		return status;
	status = resume_publishing(&p, root, label, err);
	if (!status && beneath_is_there(root, p.now.callgrind) && !(status = retire(&p, err)))
		*retired = true;
	end_publishing(&p);
	close(fd);
	return status;
}
