/* stat() and its kind. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include "src/guest/memory.h"

/* The number to tell for an inode; *device becomes the number to tell for its device. */
static uint64_t tell_inode(struct visit *visit, dev_t *device, uint64_t inode, mode_t mode,
			   uint64_t links)
{
	struct inodes *devices = &visit->traced->devices, *inodes = &visit->traced->inodes;
	bool hashed = S_ISDIR(mode) || links > 1;
	uint64_t told = hashed ? inodes_told(inodes, *device, inode) : inode;

	*device = (dev_t)inodes_told(devices, *device, 0);
	return told;
}

/*
 * When a file was read last depends on who read it before, and programs that convert this time
 * count otherwise if it is a whole second. So it is told to be that of the last change, unless a
 * program sets times itself, and may look at what it has set.
 */
static bool tells_change_time(const struct visit *visit)
{
	return !visit->traced->own_times;
}

/*
 * What a file system says of a directory, and of how files are best read, which sets the size of
 * buffers. The size of a directory and its links depend on what is in it, or was, and differently
 * on each file system. One link: some file systems count none, so programs draw nothing from it.
 */
enum { DIRECTORY_SIZE = 4096, DIRECTORY_BLOCKS = 8, BLOCK_SIZE = 4096 };

/* Changes what the kernel says of a file to what the program is told. */
static void change_stat(struct visit *visit, struct stat *st)
{
	st->st_ino = tell_inode(visit, &st->st_dev, st->st_ino, st->st_mode, st->st_nlink);
	if (S_ISDIR(st->st_mode)) {
		st->st_size = DIRECTORY_SIZE;
		st->st_blocks = DIRECTORY_BLOCKS;
		st->st_nlink = st->st_nlink > 0;
	}
	if (S_ISDIR(st->st_mode) || S_ISREG(st->st_mode))
		st->st_blksize = BLOCK_SIZE;
	if (tells_change_time(visit))
		st->st_atim = st->st_mtim;
}

static void tell_stat(struct visit *visit, unsigned argument)
{
	unsigned long at = registers_argument(&visit->task->before, argument);
	struct stat st;

	if (!memory_read(visit->task->tid, at, &st, sizeof st))
		return;
	change_stat(visit, &st);
	memory_write(visit->task->tid, at, &st, sizeof st);
}

void visit_set_times(struct visit *visit)
{
	visit->traced->own_times = true;
}

void leave_stat(struct visit *visit)
{
	tell_stat(visit, 1);
}

void leave_fstatat(struct visit *visit)
{
	tell_stat(visit, 2);
}

/* Of what statx() says, that which stat() says and is changed. */
static struct stat stat_of(const struct statx *x)
{
	return (struct stat){
		.st_dev = makedev(x->stx_dev_major, x->stx_dev_minor),
		.st_ino = x->stx_ino,
		.st_mode = x->stx_mode,
		.st_nlink = x->stx_nlink,
		.st_size = (off_t)x->stx_size,
		.st_blocks = (blkcnt_t)x->stx_blocks,
		.st_blksize = (blksize_t)x->stx_blksize,
		.st_atim = { x->stx_atime.tv_sec, x->stx_atime.tv_nsec },
		.st_mtim = { x->stx_mtime.tv_sec, x->stx_mtime.tv_nsec },
	};
}

static void set_statx(struct statx *x, const struct stat *st)
{
	x->stx_dev_major = major(st->st_dev);
	x->stx_dev_minor = minor(st->st_dev);
	x->stx_ino = st->st_ino;
	x->stx_nlink = (uint32_t)st->st_nlink;
	x->stx_size = (uint64_t)st->st_size;
	x->stx_blocks = (uint64_t)st->st_blocks;
	x->stx_blksize = (uint32_t)st->st_blksize;
	x->stx_atime.tv_sec = st->st_atim.tv_sec;
	x->stx_atime.tv_nsec = (uint32_t)st->st_atim.tv_nsec;
}

void leave_statx(struct visit *visit)
{
	unsigned long at = registers_argument(&visit->task->before, 4);
	struct statx x;

	if (!memory_read(visit->task->tid, at, &x, sizeof x))
		return;
	struct stat st = stat_of(&x);
	change_stat(visit, &st);
	set_statx(&x, &st);
	memory_write(visit->task->tid, at, &x, sizeof x);
}

#else
typedef int stat_unknown; /* a translation unit is not empty */
#endif
