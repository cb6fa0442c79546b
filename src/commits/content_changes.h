/* Of which files the contents differ between trees of git and the files of a revision: asked for
 * each benchmark, and found out once. */
#ifndef IRDIFF_COMMITS_CONTENT_CHANGES_H
#define IRDIFF_COMMITS_CONTENT_CHANGES_H

#include "src/git/snapshot.h"

struct content_change {
	char *from, *to;      /* trees */
	bool only;            /* they differ in nothing else */
	struct strings paths; /* if so, where */
};

/* Zero-initialise. */
struct content_changes {
	struct content_change *items;
	size_t count, cap;
};

/* *out stays valid until the next call; `only` is false also if the tree is not here. CG_OK or
 * CG_ENOMEM. */
int content_changes_find(struct content_changes *known, const struct git *git, const char *tree,
			 const struct snapshot *files, const struct content_change **out,
			 struct cg_error *err);
void content_changes_free(struct content_changes *known);

#endif
