/*
 * Directories at paths of constant length, the same in every project and for everybody:
 *
 *	PARENT/irdiff-UUUUUUUUUU/NN
 *
 * with the user's number and the lowest NN that no living irdiff of this user holds, by flock(2).
 * A killed irdiff leaves its directory as it is, and the next one to take the slot finds it so.
 */
#ifndef IRDIFF_RUN_SLOT_H
#define IRDIFF_RUN_SLOT_H

#include "cgprofile/error.h"

struct slot {
	char *path; /* NULL: none is held */
	int fd;     /* of the directory, which holds the lock */
};

/* Takes a slot, which the taker must clean. *out is untouched on failure. */
int slot_take(const char *parent, struct slot *out, struct cg_error *err);

/* Calls `clean`, which empties it, for the path of each slot that a killed irdiff left, and
 * removes the slot. */
void slot_sweep(const char *parent, int (*clean)(const char *path, struct cg_error *err));

/* Gives it back. The directory is removed if it is empty. Nothing for a zeroed one. */
void slot_drop(struct slot *slot);

#endif
