#include "src/run/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOTS 100

/* The user's own directory for slots. Others must not have prepared it. */
static int open_home(const char *path, bool *again, struct cg_error *err)
{
	struct stat st;

	*again = false;

	if (mkdir(path, 0700) && errno != EEXIST)
		return cg_fail(err, cg_io_status(errno), path, 0, "cannot create: %s",
			       strerror(errno));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		*again = errno == ENOENT; /* another irdiff has just removed it */
		return cg_fail(err, CG_EIO, path, 0, "cannot use: %s", strerror(errno));
	}
	/* A program that outlived irdiff may have made the directory again, on its way to one that
	 * is gone. */
	bool ours = !fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & 0022);
	if (!ours || ((st.st_mode & 0077) && fchmod(fd, 0700))) {
		close(fd);
		return cg_fail(err, CG_EIO, path, 0,
			       "owned by another user, or writable by others; remove it");
	}
	return fd;
}

/* Whether the directory still has its name: it may have been removed between
 * being opened and being locked. */
static bool is_still(int home_fd, const char *name, int fd)
{
	struct stat named, opened;

	return !fstatat(home_fd, name, &named, AT_SYMLINK_NOFOLLOW) && !fstat(fd, &opened) &&
	       named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static void name_home(const char *parent, char *home, size_t size)
{
	snprintf(home, size, "%s/irdiff-%010u", parent, (unsigned)geteuid());
}

int slot_take(const char *parent, struct slot *out, struct cg_error *err)
{
	char home[PATH_MAX], name[16];
	int tries = 0;

	bool gone;

	name_home(parent, home, sizeof home);
again:;
	int home_fd = open_home(home, &gone, err);
	if (home_fd < 0 && gone && ++tries < 100)
		goto again;
	if (home_fd < 0)
		return home_fd;

	for (int slot = 0; slot < SLOTS; slot++) {
		snprintf(name, sizeof name, "%02d", slot);
		if (mkdirat(home_fd, name, 0700) && errno != EEXIST) {
			int error = errno;
			close(home_fd);
			if (error == ENOENT && ++tries < 100)
				goto again;
			return cg_fail(err, CG_EIO, home, 0, "cannot make a directory: %s",
				       strerror(error));
		}
		int fd = openat(home_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
			if (fd >= 0)
				close(fd);
			continue;
		}
		if (!is_still(home_fd, name, fd)) {
			close(fd);
			slot--;
			if (++tries < 100)
				continue;
			break;
		}
		close(home_fd);
		char *path;
		if (asprintf(&path, "%s/%s", home, name) < 0) {
			close(fd);
			return cg_fail_nomem(err);
		}
		*out = (struct slot){ path, fd };
		return CG_OK;
	}
	close(home_fd);
	return cg_fail(err, CG_EIO, home, 0, "all %d slots are in use by other irdiff processes",
		       SLOTS);
}

void slot_sweep(const char *parent, int (*clean)(const char *path, struct cg_error *err))
{
	char home[PATH_MAX], name[16];
	struct stat st;
	bool gone;
	name_home(parent, home, sizeof home);
	int home_fd = lstat(home, &st) ? -1 : open_home(home, &gone, NULL);

	for (int slot = 0; home_fd >= 0 && slot < SLOTS; slot++) {
		snprintf(name, sizeof name, "%02d", slot);
		int fd = openat(home_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		char *path;
		if (fd < 0)
			continue;
		if (!flock(fd, LOCK_EX | LOCK_NB) && asprintf(&path, "%s/%s", home, name) >= 0) {
			struct slot dead = { path, fd };
			clean(path, NULL);
			slot_drop(&dead);
			continue;
		}
		close(fd);
	}
	if (home_fd >= 0)
		close(home_fd);
}

void slot_drop(struct slot *slot)
{
	if (!slot->path)
		return;
	rmdir(slot->path);
	char *slash = strrchr(slot->path, '/');
	*slash = '\0';
	rmdir(slot->path); /* fails if another slot is in use */
	close(slot->fd);
	free(slot->path);
	*slot = (struct slot){ .fd = -1 };
}
