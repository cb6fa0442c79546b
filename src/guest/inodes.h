/*
 * Numbers of devices and inodes that a traced program is told. Directories, and files with several
 * names, are numbered in the order in which the program asks for them: these numbers are hashed by
 * programs that look for loops and links. Other files keep their inodes, as programs remember them
 * from run to run, such as git in its index.
 */
#ifndef IRDIFF_GUEST_INODES_H
#define IRDIFF_GUEST_INODES_H

#include <stddef.h>
#include <stdint.h>

#include "callgrind/support/index.h"

struct inode {
	uint64_t device, number;
};

struct inodes {
	struct inode *known; /* of the host, in the order in which they were told */
	size_t count, cap;
	struct cg_index index;
};

/* The number to tell for a device (with inode 0) or an inode of the host. 0: out of memory. */
uint64_t inodes_told(struct inodes *inodes, uint64_t device, uint64_t number);
void inodes_free(struct inodes *inodes);

#endif
