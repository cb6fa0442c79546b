/* The rows of two machines in one fan: of each key the one that stays. */
#ifndef IRDIFF_SHARE_JOIN_H
#define IRDIFF_SHARE_JOIN_H

#include "src/share/content.h"

struct joined_row {
	const struct shared_row *row;
	bool is_theirs; /* and new here, or newer */
};

struct joined_commit {
	const char *id;
	const char *blob;        /* theirs, if nothing of ours is new there; otherwise "" */
	struct joined_row *rows; /* by key */
	size_t nrows;
};

struct joined_fan {
	struct joined_commit *commits; /* by id */
	size_t ncommits;
	size_t nrows, from_here, from_there; /* rows; those that are new there, and here */
};

/* Views of both. Free with joined_fan_free. */
int share_join(const struct shared_fan *ours, const struct shared_fan *theirs,
	       struct joined_fan *out, struct cg_error *err);
void joined_fan_free(struct joined_fan *fan);

#endif
