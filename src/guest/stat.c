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

static void tell_stat(struct visit *visit, unsigned argument)
{
	unsigned long at = registers_argument(&visit->task->before, argument);
	struct stat st;

	if (!memory_read(visit->task->tid, at, &st, sizeof st))
		return;
	st.st_ino = tell_inode(visit, &st.st_dev, st.st_ino, st.st_mode, st.st_nlink);
	if (S_ISDIR(st.st_mode)) {
		st.st_size = DIRECTORY_SIZE;
		st.st_blocks = DIRECTORY_BLOCKS;
		st.st_nlink = st.st_nlink > 0;
	}
	if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))
		st.st_blksize = BLOCK_SIZE;
	if (tells_change_time(visit))
		st.st_atim = st.st_mtim;
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

void leave_statx(struct visit *visit)
{
	unsigned long at = registers_argument(&visit->task->before, 4);
	struct statx st;

	if (!memory_read(visit->task->tid, at, &st, sizeof st))
		return;
	dev_t device = makedev(st.stx_dev_major, st.stx_dev_minor);
	st.stx_ino = tell_inode(visit, &device, st.stx_ino, st.stx_mode, st.stx_nlink);
	st.stx_dev_major = major(device);
	st.stx_dev_minor = minor(device);
	if (S_ISDIR(st.stx_mode)) {
		st.stx_size = DIRECTORY_SIZE;
		st.stx_blocks = DIRECTORY_BLOCKS;
		st.stx_nlink = st.stx_nlink > 0;
	}
	if (S_ISDIR(st.stx_mode) || S_ISREG(st.stx_mode))
		st.stx_blksize = BLOCK_SIZE;
	if (tells_change_time(visit))
		st.stx_atime = st.stx_mtime;
	memory_write(visit->task->tid, at, &st, sizeof st);
}

#else
typedef int stat_unknown; /* a translation unit is not empty */
#endif
