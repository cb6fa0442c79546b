#include "src/guest/inodes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "callgrind/support/grow.h"

struct sought_inode {
	const struct inodes *inodes;
	struct inode inode;
};

static bool is_sought_inode(const void *context, uint32_t id)
{
	const struct sought_inode *sought = context;
	const struct inode *known = &sought->inodes->known[id - 1];

	return known->device == sought->inode.device && known->number == sought->inode.number;
}

uint64_t inodes_told(struct inodes *inodes, uint64_t device, uint64_t number)
{
	struct sought_inode sought = { inodes, { device, number } };
	uint32_t hash = (uint32_t)cg_hash_mix(device, number);
	uint32_t id = cg_index_find(&inodes->index, hash, is_sought_inode, &sought);

	if (id)
		return id;
	if (inodes->count == UINT32_MAX - 1 || cg_index_reserve(&inodes->index) ||
	    cg_grow(&inodes->known, &inodes->cap, inodes->count + 1, sizeof *inodes->known))
		return 0;
	inodes->known[inodes->count++] = sought.inode;
	cg_index_insert(&inodes->index, hash, (uint32_t)inodes->count);
	return inodes->count;
}

void inodes_free(struct inodes *inodes)
{
	free(inodes->known);
	cg_index_free(&inodes->index);
	*inodes = (struct inodes){ 0 };
}
