#include "src/run/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"

#define PLACES "/tmp"
#define INSIDE_BASE "/irdiff-run"
#define SCRATCH_MAX 100
#define TREE_FDS 16

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

/* Removes everything that a run may have left. Only the cache, and a hidden directory that the
 * run wrote to, are more than two levels deep. */
static void clean_slot(int slot_fd, const char *slot)
{
	static const char *const trees[] = { "c", "empty" };
	char path[64];

	for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", slot, trees[i]);
		nftw(path, remove_entry, TREE_FDS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	}
	static const char *const links[] = { "w", "p", "o", "f", "run/p" };
	static const char *const directories[] = { "run/w", "run/o", "run" };

	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		unlinkat(slot_fd, links[i], 0);
	for (int i = 0; i < SCRATCH_MAX; i++) {
		char name[16];
		snprintf(name, sizeof name, "s%02d", i);
		remove_children(slot_fd, name);
		if (unlinkat(slot_fd, name, AT_REMOVEDIR) && errno == ENOENT)
			break;
	}
	for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++)
		unlinkat(slot_fd, directories[i], AT_REMOVEDIR);
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

/* ---- what it is made of ---- */

static int make_workspace_directory(struct workspace *workspace, const char *name,
				    struct cg_error *err)
{
	if (mkdirat(workspace->slot.fd, name, 0700) && errno != EEXIST)
		return cg_fail(err, cg_io_status(errno), workspace->slot.path, 0,
			       "cannot make a directory: %s", strerror(errno));
	return CG_OK;
}

/* Makes base/NAME show a path of the host. */
static int show_path(struct workspace *workspace, const char *name, const char *real, bool alias,
		     struct cg_error *err)
{
	char *seen = workspace_path(workspace, name, NULL);
	int status = seen ? seen_paths_add(&workspace->guest.places, seen, real, alias, err)
			  : cg_fail_nomem(err);

	free(seen);
	if (status == CG_OK && workspace->kind == WORKSPACE_LINKS &&
	    symlinkat(real, workspace->slot.fd, name))
		status = cg_fail(err, cg_io_status(errno), workspace->slot.path, 0,
				 "cannot make a link: %s", strerror(errno));
	return status;
}

/* The directory above the places of a traced program has empty directories of their names, for
 * programs that list it. The program's own place is a link, as gcc and others look for their files
 * relative to the link's target. */
static int make_traced(struct workspace *workspace, struct cg_error *err)
{
	static const char *const directories[] = { "run", "run/w", "run/o", "empty" };
	int status = CG_OK;
	char *run;

	for (size_t i = 0; !status && i < sizeof directories / sizeof directories[0]; i++)
		status = make_workspace_directory(workspace, directories[i], err);
	if (!status && symlinkat(workspace->program, workspace->slot.fd, "run/p"))
		status = cg_fail(err, cg_io_status(errno), workspace->slot.path, 0,
				 "cannot make a link: %s", strerror(errno));
	if (status)
		return status;
	if (asprintf(&run, "%s/run", workspace->slot.path) < 0)
		return cg_fail_nomem(err);
	status = seen_paths_add(&workspace->guest.places, workspace->base, run, false, err);
	free(run);
	if (!status && asprintf(&workspace->empty, "%s/empty", workspace->slot.path) < 0) {
		workspace->empty = NULL;
		status = cg_fail_nomem(err);
	}
	workspace->guest.empty = workspace->empty;
	workspace->guest.own = workspace->slot.path;
	workspace->guest.files = workspace->output;
	workspace->guest.root = workspace->root;
	return status;
}

/* The names are the same in both kinds of workspace; they are resolved in different ways. */
static int make_kind(struct workspace *workspace, enum workspace_kind kind, struct cg_error *err)
{
	bool traced = kind == WORKSPACE_TRACED;
	int status;

	seen_paths_free(&workspace->guest.places);
	workspace->kind = kind;
	free(workspace->base);
	workspace->base = strdup(traced ? INSIDE_BASE : workspace->slot.path);
	if (!workspace->base)
		return cg_fail_nomem(err);
	if (traced && (status = make_traced(workspace, err)))
		return status;
	/* If the project's root is "/", every path would be below it. */
	if ((status = show_path(workspace, "w", workspace->root, !strcmp(workspace->root, "/"),
				err)) ||
	    (!traced && (status = show_path(workspace, "p", workspace->program, true, err))))
		return status;
	return show_path(workspace, "o", workspace->output, false, err);
}

/* ---- the object ---------------------------------------------------------- */

void workspace_apply(struct workspace *workspace, struct process *process)
{
	process->reap = true;
	process->guest = workspace->kind == WORKSPACE_TRACED ? &workspace->guest : NULL;
}

static bool works(struct workspace *workspace, struct interrupts *interrupts)
{
	struct process process = { .stdout_fd = -1, .stderr_fd = -1, .timeout = 60 };
	struct process_end end;

	workspace_apply(workspace, &process);
	if (process_run(&process, interrupts, &end, NULL)) {
		snprintf(workspace->obstacle.step, sizeof workspace->obstacle.step,
			 "start a process");
		return false;
	}
	if (end.traced && end.started && end.status == 0 && !end.timed_out)
		return true;
	workspace->obstacle.error = end.error;
	snprintf(workspace->obstacle.step, sizeof workspace->obstacle.step, "%.63s",
		 *end.failed_step ? end.failed_step : "trace a program");
	return false;
}

static int resolve_path(const char *path, char **out, struct cg_error *err)
{
	*out = realpath(path, NULL);
	if (*out)
		return CG_OK;
	return errno == ENOMEM
		       ? cg_fail_nomem(err)
		       : cg_fail(err, CG_EIO, path, 0, "cannot resolve: %s", strerror(errno));
}

int workspace_open(struct workspace *workspace, const char *root, const char *program,
		   const char *output, enum workspace_kind kind, struct cg_error *err)
{
	struct workspace made = { .slot.fd = -1 };
	int status = resolve_path(root, &made.root, err);

	if (status == CG_OK)
		status = resolve_path(program, &made.program, err);
	if (status == CG_OK)
		status = resolve_path(output, &made.output, err);
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
	if (workspace->kind == WORKSPACE_LINKS || works(workspace, interrupts))
		return CG_OK;
	return workspace_untrace(workspace, err);
}

int workspace_untrace(struct workspace *workspace, struct cg_error *err)
{
	return make_kind(workspace, WORKSPACE_LINKS, err);
}

char *workspace_path(const struct workspace *workspace, const char *name, const char *rest)
{
	char *text;

	if (asprintf(&text, "%s/%s%s%s", workspace->base, name, rest ? "/" : "", rest ? rest : "") <
	    0)
		return NULL;
	return text;
}

char *workspace_inside(const struct workspace *workspace, const char *host)
{
	char seen[PATH_MAX];

	return strdup(seen_paths_told(&workspace->guest.places, host, seen) ? seen : host);
}

/* The part of a path below base/p; NULL if it is not below it. */
static const char *below_program(const struct workspace *workspace, const char *seen)
{
	const char *rest = path_below(seen, workspace->base);

	return rest ? path_below(rest, "/p") : NULL;
}

char *workspace_outside(const struct workspace *workspace, const char *seen)
{
	const char *rest = below_program(workspace, seen);
	char real[PATH_MAX], *outside;

	if (rest && *rest)
		return asprintf(&outside, "%s%s",
				strcmp(workspace->program, "/") ? workspace->program : "", rest) < 0
			       ? NULL
			       : outside;
	if (rest)
		return strdup(workspace->program);
	return strdup(seen_paths_real(&workspace->guest.places, seen, real) ? real : seen);
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
	char *real = NULL, *path = workspace_path(workspace, "c", NULL);
	int status = path && asprintf(&real, "%s/c", workspace->slot.path) >= 0
			     ? make_workspace_directory(workspace, "c", err)
			     : cg_fail_nomem(err);

	/* With links the directory already has this name. */
	if (!status && workspace->kind == WORKSPACE_TRACED)
		status = seen_paths_add(&workspace->guest.places, path, real, false, err);
	free(real);
	if (status)
		free(path);
	else
		*seen = path;
	return status;
}

int workspace_preload(struct workspace *workspace, const char *library, struct cg_error *err)
{
	return show_path(workspace, "f", library, true, err);
}

int workspace_cover(struct workspace *workspace, const char *seen, const char *with,
		    struct cg_error *err)
{
	struct guest *guest = &workspace->guest;
	char *real = workspace_outside(workspace, seen);
	struct guest_cover cover = { 0 };

	if (!real || cg_grow(&guest->covers, &guest->covers_cap, guest->ncovers + 1,
			     sizeof *guest->covers)) {
		free(real);
		return cg_fail_nomem(err);
	}
	int status = resolve_path(real, &cover.covered, err);
	free(real);
	if (status)
		return status;
	cover.with = strdup(with);
	if (!cover.with) {
		free(cover.covered);
		return cg_fail_nomem(err);
	}
	guest->covers[guest->ncovers++] = cover;
	return CG_OK;
}

int workspace_show(struct workspace *workspace, const char *seen, const char *with,
		   struct cg_error *err)
{
	return seen_paths_add(&workspace->guest.places, seen, with, true, err);
}

int workspace_hide(struct workspace *workspace, const char *const *names, struct cg_error *err)
{
	struct guest *guest = &workspace->guest;

	for (; workspace->kind == WORKSPACE_TRACED && names && *names; names++) {
		char *path, *real;
		if (asprintf(&path, "%s/%s", workspace->root, *names) < 0)
			return cg_fail_nomem(err);
		real = realpath(path, NULL);
		free(path);
		if (!real)
			continue;
		if (cg_grow(&guest->hidden, &guest->hidden_cap, guest->nhidden + 1,
			    sizeof *guest->hidden)) {
			free(real);
			return cg_fail_nomem(err);
		}
		guest->hidden[guest->nhidden++] = real;
	}
	return CG_OK;
}

static void free_guest(struct guest *guest)
{
	for (size_t i = 0; i < guest->ncovers; i++) {
		free(guest->covers[i].covered);
		free(guest->covers[i].with);
	}
	for (size_t i = 0; i < guest->nhidden; i++)
		free(guest->hidden[i]);
	free(guest->covers);
	free(guest->hidden);
	seen_paths_free(&guest->places);
}

void workspace_close(struct workspace *workspace)
{
	drop_slot(workspace);
	free_guest(&workspace->guest);
	free(workspace->empty);
	free(workspace->base);
	free(workspace->root);
	free(workspace->program);
	free(workspace->output);
	*workspace = (struct workspace){ .slot.fd = -1 };
}
