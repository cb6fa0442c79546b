#include "src/run/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"

#define PLACES "/tmp"
#define INSIDE_BASE "/irdiff-run"
#define SCRATCH_MAX 100
#define TREE_FDS 16

/* ---- paths ------------------------------------------------------------- */

/* What of `path` lies below `dir`: "" if equal, "/x/y", or NULL if it does not. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len == 1) /* "/" */
		return *path == '/' ? path : NULL;
	if (strncmp(path, dir, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path + len;
}

/* ---- the slot ---------------------------------------------------------- */

static void remove_children(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	remove(path);
	return 0;
}

/* Everything that a run may have left; all but the cache has two levels and no more. */
static void clean_slot(int slot_fd, const char *slot)
{
	char cache[64];

	snprintf(cache, sizeof cache, "%s/c", slot);
	nftw(cache, remove_entry, TREE_FDS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	static const char *const links[] = { "w", "p", "o", "f" };

	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		unlinkat(slot_fd, links[i], 0);
	for (int i = 0; i < SCRATCH_MAX; i++) {
		char name[16];
		snprintf(name, sizeof name, "s%02d", i);
		remove_children(slot_fd, name);
		if (unlinkat(slot_fd, name, AT_REMOVEDIR) && errno == ENOENT)
			break;
	}
	unlinkat(slot_fd, "root", AT_REMOVEDIR);
}

static int clean_dead(const char *path, struct cg_error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	(void)err;
	if (fd < 0)
		return CG_EIO;
	clean_slot(fd, path);
	close(fd);
	return CG_OK;
}

void workspace_sweep(void)
{
	slot_sweep(PLACES, clean_dead);
}

static int take_slot(struct workspace *workspace, struct cg_error *err)
{
	workspace_sweep();
	int status = slot_take(PLACES, &workspace->slot, err);
	if (!status)
		clean_slot(workspace->slot.fd, workspace->slot.path);
	return status;
}

static void drop_slot(struct workspace *workspace)
{
	if (workspace->slot.path)
		clean_slot(workspace->slot.fd, workspace->slot.path);
	slot_drop(&workspace->slot);
}

/* ---- the world inside: runs in the child, in its namespaces -------------- */

static int failed(struct process_step *step, const char *what)
{
	step->what = what;
	step->error = errno;
	return -1;
}

/* Path in the new root. Returns false if it is too long. */
static bool rooted(char *buffer, size_t size, const struct workspace *workspace,
		   const char *path)
{
	int n = snprintf(buffer, size, "%s/root%s", workspace->slot.path, path);

	if (n < 0 || (size_t)n >= size) {
		errno = ENAMETOOLONG;
		return false;
	}
	return true;
}

static int show_link(const struct workspace *workspace, const char *path)
{
	char target[PATH_MAX], place[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n < 0 || !rooted(place, sizeof place, workspace, path))
		return -1;
	target[n] = '\0';
	return symlink(target, place);
}

static int show_directory(const struct workspace *workspace, const char *path,
			  const char *place_path)
{
	char place[PATH_MAX];

	if (!rooted(place, sizeof place, workspace, place_path) || mkdir(place, 0755))
		return -1;
	return mount(path, place, NULL, MS_BIND | MS_REC, NULL);
}

static int show_file(const struct workspace *workspace, const char *path, const char *place_path)
{
	char place[PATH_MAX];

	if (!rooted(place, sizeof place, workspace, place_path))
		return -1;
	int fd = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	return mount(path, place, NULL, MS_BIND, NULL);
}

/* Every entry of the host's root directory at its place. */
static int show_host(const struct workspace *workspace, struct process_step *step)
{
	DIR *dir = opendir("/");
	if (!dir)
		return failed(step, "read the root directory");

	int status = 0;
	for (struct dirent *entry; !status && (entry = readdir(dir));) {
		char path[NAME_MAX + 2];
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(path, sizeof path, "/%s", entry->d_name);
		if (!strcmp(path, INSIDE_BASE)) {
			errno = EEXIST;
			status = failed(step, "use the name " INSIDE_BASE);
		} else if (lstat(path, &st)) {
			status = failed(step, "look at the root directory");
		} else if (S_ISLNK(st.st_mode)) {
			if (show_link(workspace, path))
				status = failed(step, "copy a link of the root directory");
		} else if (S_ISREG(st.st_mode)) {
			if (show_file(workspace, path, path))
				status = failed(step, "mount a file of the root directory");
		} else if (S_ISDIR(st.st_mode)) {
			if (workspace->kind == WORKSPACE_MOUNTS_PIDS && !strcmp(path, "/proc"))
				continue;
			if (show_directory(workspace, path, path))
				status = failed(step, "mount a directory of the root directory");
		}
	}
	closedir(dir);
	return status;
}

static int show_own(const struct workspace *workspace, struct process_step *step)
{
	char place[PATH_MAX];
	const char *program = workspace->program;
	char *inside = NULL;

	if (!rooted(place, sizeof place, workspace, INSIDE_BASE) || mkdir(place, 0755))
		return failed(step, "make " INSIDE_BASE);
	if (show_directory(workspace, workspace->root, INSIDE_BASE "/w"))
		return failed(step, "mount the project root");
	if (show_directory(workspace, workspace->output, INSIDE_BASE "/o"))
		return failed(step, "mount the output directory");
	if (workspace->cache && show_directory(workspace, workspace->cache, INSIDE_BASE "/c"))
		return failed(step, "mount the cache");
	if (workspace->preloaded && show_file(workspace, workspace->preloaded, INSIDE_BASE "/f"))
		return failed(step, "mount the library to preload");

	inside = workspace_inside(workspace, program);
	if (!inside || !rooted(place, sizeof place, workspace, INSIDE_BASE "/p") ||
	    symlink(inside, place)) {
		free(inside);
		return failed(step, "link the program's directory");
	}
	free(inside);
	return 0;
}

static int hide(const struct workspace *workspace, const char *seen)
{
	char place[PATH_MAX];

	if (!rooted(place, sizeof place, workspace, seen))
		return -1;
	return mount("irdiff", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m");
}

/* In both places where a directory of the project can be seen. One that the
 * program itself is in has to stay. */
static int hide_directories(const struct workspace *workspace, struct process_step *step)
{
	const char *root = strcmp(workspace->root, "/") ? workspace->root : "";

	for (const char *const *name = workspace->hidden; name && *name; name++) {
		char real[PATH_MAX], seen[PATH_MAX];
		struct stat st;
		int n = snprintf(real, sizeof real, "%s/%s", root, *name);
		int m = snprintf(seen, sizeof seen, INSIDE_BASE "/w/%s", *name);
		if (n < 0 || m < 0 || (size_t)n >= sizeof real || (size_t)m >= sizeof seen ||
		    lstat(real, &st) || !S_ISDIR(st.st_mode) || below(workspace->program, real))
			continue;
		if (hide(workspace, real) || hide(workspace, seen))
			return failed(step, "hide a directory");
	}
	return 0;
}

static int cover_files(const struct workspace *workspace, struct process_step *step)
{
	for (size_t i = 0; i < workspace->ncovers; i++) {
		const struct workspace_cover *cover = &workspace->covers[i];
		char place[PATH_MAX];
		if (!rooted(place, sizeof place, workspace, cover->seen) ||
		    mount(cover->with, place, NULL, MS_BIND, NULL))
			return failed(step, "mount a copy over a file");
	}
	return 0;
}

static int enter(void *arg, struct process_step *step)
{
	const struct workspace *workspace = arg;
	char root[PATH_MAX], proc[PATH_MAX];

	if (!rooted(root, sizeof root, workspace, "") ||
	    !rooted(proc, sizeof proc, workspace, "/proc"))
		return failed(step, "name the new root");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return failed(step, "make the mounts private");
	if (mount("irdiff", root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m"))
		return failed(step, "mount a root");
	/* Or the bind of /tmp would show the new root in itself. */
	if (mount(NULL, root, NULL, MS_UNBINDABLE, NULL))
		return failed(step, "make the root unbindable");

	if (show_host(workspace, step))
		return -1;
	if (workspace->kind == WORKSPACE_MOUNTS_PIDS &&
	    (mkdir(proc, 0555) ||
	     mount("proc", proc, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)))
		return failed(step, "mount /proc");
	if (show_own(workspace, step) || hide_directories(workspace, step))
		return -1;
	if (cover_files(workspace, step))
		return -1;
	if (chroot(root) || chdir("/"))
		return failed(step, "enter the new root");
	return 0;
}

/* ---- the object ---------------------------------------------------------- */

void workspace_apply(struct workspace *workspace, struct process *process)
{
	process->own_mounts = workspace->kind != WORKSPACE_LINKS;
	process->own_pids = workspace->kind == WORKSPACE_MOUNTS_PIDS;
	process->reap = true;
	process->prepare = process->own_mounts ? enter : NULL;
	process->prepare_arg = workspace;
}

static bool works(struct workspace *workspace, struct interrupts *interrupts)
{
	struct process process = { .stdout_fd = -1, .stderr_fd = -1, .timeout = 60 };
	struct process_end end;

	struct workspace_obstacle *obstacle = &workspace->obstacles[workspace->kind];

	workspace_apply(workspace, &process);
	if (process_run(&process, interrupts, &end, NULL)) {
		snprintf(obstacle->step, sizeof obstacle->step, "start a process");
		return false;
	}
	if (end.placed && end.started && end.status == 0 && !end.timed_out)
		return true;
	obstacle->error = end.error;
	snprintf(obstacle->step, sizeof obstacle->step, "%.63s",
		 *end.failed_step ? end.failed_step : "enter the namespaces");
	return false;
}

static int make_root(struct workspace *workspace, struct cg_error *err)
{
	if (mkdirat(workspace->slot.fd, "root", 0700) && errno != EEXIST)
		return cg_fail(err, CG_EIO, workspace->slot.path, 0,
			       "cannot make a directory: %s", strerror(errno));
	return CG_OK;
}

static int make_links(struct workspace *workspace, struct cg_error *err)
{
	free(workspace->base);
	workspace->base = strdup(workspace->slot.path);
	if (!workspace->base)
		return cg_fail_nomem(err);
	if (symlinkat(workspace->root, workspace->slot.fd, "w") ||
	    symlinkat(workspace->program, workspace->slot.fd, "p") ||
	    symlinkat(workspace->output, workspace->slot.fd, "o"))
		return cg_fail(err, CG_EIO, workspace->slot.path, 0, "cannot make a link: %s",
			       strerror(errno));
	return CG_OK;
}

static int make_kind(struct workspace *workspace, enum workspace_kind kind, struct cg_error *err)
{
	workspace->kind = kind;
	return kind == WORKSPACE_LINKS ? make_links(workspace, err) : make_root(workspace, err);
}

static int canonical(const char *path, char **out, struct cg_error *err)
{
	*out = realpath(path, NULL);
	if (*out)
		return CG_OK;
	return errno == ENOMEM ? cg_fail_nomem(err)
		: cg_fail(err, CG_EIO, path, 0, "cannot resolve: %s", strerror(errno));
}

int workspace_open(struct workspace *workspace, const char *root, const char *program,
		   const char *output, enum workspace_kind kind, struct cg_error *err)
{
	struct workspace made = { .slot.fd = -1 };
	int status = canonical(root, &made.root, err);

	if (status == CG_OK)
		status = canonical(program, &made.program, err);
	if (status == CG_OK)
		status = canonical(output, &made.output, err);
	if (status == CG_OK) {
		made.base = strdup(INSIDE_BASE);
		if (!made.base)
			status = cg_fail_nomem(err);
	}
	if (status == CG_OK)
		status = take_slot(&made, err);
	if (status == CG_OK)
		status = make_kind(&made, kind, err);

	if (status)
		workspace_close(&made);
	else
		*workspace = made;
	return status;
}

int workspace_try(struct workspace *workspace, struct interrupts *interrupts, struct cg_error *err)
{
	while (workspace->kind != WORKSPACE_LINKS && !works(workspace, interrupts)) {
		int status = make_kind(workspace, workspace->kind - 1, err);
		if (status)
			return status;
	}
	return CG_OK;
}

static char *two(const char *a, const char *b)
{
	char *text;

	return asprintf(&text, "%s%s", a, b) < 0 ? NULL : text;
}

char *workspace_path(const struct workspace *workspace, const char *name, const char *rest)
{
	char *text;

	if (asprintf(&text, "%s/%s%s%s", workspace->base, name, rest ? "/" : "",
		     rest ? rest : "") < 0)
		return NULL;
	return text;
}

char *workspace_inside(const struct workspace *workspace, const char *host)
{
	const char *rest = below(host, workspace->root);
	char *w, *path;

	if (!rest || !strcmp(workspace->root, "/"))
		return strdup(host);
	w = workspace_path(workspace, "w", NULL);
	path = w ? two(w, rest) : NULL;
	free(w);
	return path;
}

char *workspace_outside(const struct workspace *workspace, const char *seen)
{
	const struct {
		const char *name, *host;
	} places[] = {
		{ "/w", workspace->root },
		{ "/p", workspace->program },
		{ "/o", workspace->output },
		{ "/f", workspace->preloaded },
	};
	const char *rest = below(seen, workspace->base);

	for (size_t i = 0; rest && i < sizeof places / sizeof places[0]; i++) {
		const char *under = places[i].host ? below(rest, places[i].name) : NULL;
		if (under)
			return two(strcmp(places[i].host, "/") ? places[i].host : "",
				   *under || strcmp(places[i].host, "/") ? under : "/");
	}
	return strdup(seen);
}

char *workspace_scratch(struct workspace *workspace, const char *name)
{
	for (int i = 0; i < SCRATCH_MAX; i++) {
		char dir[16], *path;
		snprintf(dir, sizeof dir, "s%02d", i);
		if (mkdirat(workspace->slot.fd, dir, 0700)) {
			if (errno == EEXIST)
				continue;
			return NULL;
		}
		if (asprintf(&path, "%s/%s/%s", workspace->slot.path, dir, name) < 0)
			return NULL;
		return path;
	}
	errno = ENOSPC;
	return NULL;
}

int workspace_cache(struct workspace *workspace, char **seen, struct cg_error *err)
{
	char *path = workspace_path(workspace, "c", NULL);

	if (!path || asprintf(&workspace->cache, "%s/c", workspace->slot.path) < 0) {
		workspace->cache = NULL;
		free(path);
		return cg_fail_nomem(err);
	}
	if (mkdirat(workspace->slot.fd, "c", 0700)) {
		free(path);
		return cg_fail(err, CG_EIO, workspace->cache, 0, "cannot make it: %s",
			       strerror(errno));
	}
	*seen = path;
	return CG_OK;
}

int workspace_preload(struct workspace *workspace, const char *library, struct cg_error *err)
{
	workspace->preloaded = strdup(library);
	if (!workspace->preloaded)
		return cg_fail_nomem(err);
	if (workspace->kind == WORKSPACE_LINKS && symlinkat(library, workspace->slot.fd, "f"))
		return cg_fail(err, CG_EIO, workspace->slot.path, 0, "cannot make a link: %s",
			       strerror(errno));
	return CG_OK;
}

int workspace_cover(struct workspace *workspace, const char *seen, const char *with,
		    struct cg_error *err)
{
	if (cg_grow(&workspace->covers, &workspace->covers_cap, workspace->ncovers + 1,
		    sizeof *workspace->covers))
		return cg_fail_nomem(err);
	struct workspace_cover cover = { strdup(seen), strdup(with) };
	if (!cover.seen || !cover.with) {
		free(cover.seen);
		free(cover.with);
		return cg_fail_nomem(err);
	}
	workspace->covers[workspace->ncovers++] = cover;
	return CG_OK;
}

void workspace_close(struct workspace *workspace)
{
	drop_slot(workspace);
	for (size_t i = 0; i < workspace->ncovers; i++) {
		free(workspace->covers[i].seen);
		free(workspace->covers[i].with);
	}
	free(workspace->covers);
	free(workspace->cache);
	free(workspace->preloaded);
	free(workspace->base);
	free(workspace->root);
	free(workspace->program);
	free(workspace->output);
	*workspace = (struct workspace){ .slot.fd = -1 };
}
