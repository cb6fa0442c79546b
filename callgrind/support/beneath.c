#include "callgrind/support/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SYS_openat2 /* headers from before Linux 5.6 */
#define SYS_openat2 437
#endif

/* Of <linux/openat2.h>, which not every C library finds. */
struct how {
	uint64_t flags, mode, resolve;
};

enum { NO_MAGICLINKS = 0x02, BENEATH = 0x08 };

/* ---- by the kernel ---- */

static int ask_kernel(int top, const char *name, int flags, mode_t mode)
{
	enum { TRIES = 32 };
	/* open(2) of the C library adds this where it is needed. */
	unsigned large = flags & O_PATH ? 0 : O_LARGEFILE;
	struct how how = { .flags = (unsigned)flags | large,
			   .mode = flags & O_CREAT ? mode : 0,
			   .resolve = BENEATH | NO_MAGICLINKS };
	long fd = -1;

	/* EAGAIN: something was renamed meanwhile. */
	for (int i = 0; i < TRIES; i++) {
		fd = syscall(SYS_openat2, top, name, &how, sizeof how);
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	if (fd < 0 && errno == EXDEV)
		errno = ELOOP;
	return (int)fd;
}

/* ---- step by step, where the kernel is too old or a sandbox refuses the call ---- */

struct beneath_walk {
	int at;              /* the directory that was reached */
	unsigned depth;      /* below the top */
	unsigned links;      /* that were followed */
	char rest[PATH_MAX]; /* of the way */
};

static int fail_with(int error)
{
	errno = error;
	return -1;
}

static int move_to(struct beneath_walk *w, int fd)
{
	if (fd < 0)
		return -1;
	close(w->at);
	w->at = fd;
	return 0;
}

enum { NAME_SIZE = NAME_MAX + 2 }; /* of a text that is too long, enough to fail */

/* Takes the next name off the path; false at its end. */
static bool beneath_take_name(struct beneath_walk *w, char name[NAME_SIZE])
{
	size_t skipped = strspn(w->rest, "/"), len = strcspn(w->rest + skipped, "/");

	if (len > NAME_MAX)
		len = NAME_MAX + 1;
	memcpy(name, w->rest + skipped, len);
	name[len] = '\0';
	skipped += len;
	skipped += strspn(w->rest + skipped, "/");
	memmove(w->rest, w->rest + skipped, strlen(w->rest + skipped) + 1);
	return len > 0;
}

static int beneath_go_up(struct beneath_walk *w)
{
	if (!w->depth)
		return fail_with(ELOOP);
	w->depth--;
	return move_to(w, openat(w->at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static int beneath_go_down(struct beneath_walk *w, const char *name)
{
	w->depth++;
	return move_to(w, openat(w->at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/* Replaces a link on the way by its target. */
static int beneath_follow(struct beneath_walk *w, const char *link)
{
	enum { MOST_LINKS = 40 };
	char way[2 * PATH_MAX];
	int len = snprintf(way, sizeof way, "%s%s%s", link, *w->rest ? "/" : "", w->rest);

	if (*link == '/' || ++w->links > MOST_LINKS)
		return fail_with(ELOOP);
	if (len < 0 || (size_t)len >= sizeof w->rest)
		return fail_with(ENAMETOOLONG);
	memcpy(w->rest, way, (size_t)len + 1);
	return 0;
}

/* *done: the fd is what was looked for, and not only 0 for a step. */
static int step(struct beneath_walk *w, const char *name, int flags, mode_t mode, bool *done)
{
	char link[PATH_MAX];
	bool last = !*w->rest;

	if (strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0)
		return beneath_go_up(w);
	ssize_t len = last && (flags & O_NOFOLLOW) ? -1
						   : readlinkat(w->at, name, link, sizeof link - 1);
	if (len >= 0) {
		link[len] = '\0';
		return beneath_follow(w, link);
	}
	if (!last)
		return beneath_go_down(w, name);
	*done = true;
	return openat(w->at, name, flags | O_NOFOLLOW, mode);
}

static int beneath_walk(int top, const char *path, int flags, mode_t mode)
{
	struct beneath_walk w = { .at = openat(top, ".", O_PATH | O_DIRECTORY | O_CLOEXEC) };
	char name[NAME_SIZE];
	bool done = false;
	int result = 0;

	if (w.at < 0)
		return -1;
	if (*path == '/' || strlen(path) >= sizeof w.rest) {
		close(w.at);
		return fail_with(*path == '/' ? ELOOP : ENAMETOOLONG);
	}
	memcpy(w.rest, path, strlen(path) + 1);
	while (result >= 0 && !done && beneath_take_name(&w, name))
		result = step(&w, name, flags, mode, &done);
	if (result >= 0 && !done)
		result = openat(w.at, ".", flags & ~O_CREAT);
	int error = errno;
	close(w.at);
	errno = error;
	return result;
}

int cg_beneath_open(int top, const char *name, int flags, mode_t mode)
{
	int fd = ask_kernel(top, name, flags | O_CLOEXEC, mode);

	/* In a sandbox that does not know the call it is EPERM as well. */
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN))
		return fd;
	return beneath_walk(top, name, flags | O_CLOEXEC, mode);
}

/* ---- what may be read ---- */

/* File systems whose files are made up when they are read, of <linux/magic.h>. */
static bool is_made_up(int fd)
{
	static const uint32_t magic[] = {
		0x9fa0,     /* proc */
		0x62656572, /* sysfs */
		0x64626720, /* debugfs */
		0x74726163, /* tracefs */
		0x73636673, /* securityfs */
		0x0027e0eb, /* cgroup */
		0x63677270, /* cgroup2 */
		0x62656570, /* configfs */
		0xf97cff8c, /* selinux */
		0x43415d53, /* smack */
		0xcafe4a11, /* bpf */
		0x6165676c, /* pstore */
		0xde5e81e4, /* efivarfs */
		0x42494e4d, /* binfmt_misc */
		0x19800202, /* mqueue */
		0x1cd1,     /* devpts */
		0x0187,     /* autofs */
		0x65735543, /* fusectl */
		0x5346414f, /* afs's directory of cells */
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return true;
	for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
		if ((uint32_t)fs.f_type == magic[i])
			return true;
	return false;
}

static int open_in(int top, const char *name, int flags)
{
	return top == AT_FDCWD ? open(name, flags | O_CLOEXEC)
			       : cg_beneath_open(top, name, flags, 0);
}

static bool is_regular(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode);
}

int cg_beneath_open_regular(int top, const char *name, struct stat *st)
{
	struct stat seen, now;
	int fd, place = open_in(top, name, O_PATH); /* opening a device may already do something */

	if (place < 0)
		return -1;
	bool usable = is_regular(place, &seen) && !is_made_up(place);
	close(place);
	if (!usable)
		return fail_with(EINVAL);
	fd = open_in(top, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (!is_regular(fd, &now) || now.st_dev != seen.st_dev || now.st_ino != seen.st_ino) {
		close(fd);
		return fail_with(EINVAL);
	}
	if (st)
		*st = now;
	return fd;
}
