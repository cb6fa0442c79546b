/*
 * Objects of a repository by their ids, many by one call of git. Objects of another machine are
 * hostile: callers check kinds and sizes first, and read only what is not too large.
 */
#ifndef IRDIFF_GIT_OBJECTS_H
#define IRDIFF_GIT_OBJECTS_H

#include <stdint.h>

#include "src/git/git.h"

#define GIT_ID_SIZE 65 /* with the NUL */

enum git_kind { GIT_MISSING, GIT_BLOB, GIT_TREE, GIT_COMMIT, GIT_TAG };

struct git_object {
	char id[GIT_ID_SIZE];
	enum git_kind kind;
	uint64_t size;
	const char *content; /* `size` bytes, followed by a NUL */
};

/* Finds out kinds and sizes. */
int git_look_at(const struct git *git, struct git_object *objects, size_t count,
		struct cg_error *err);

/* Reads objects that were looked at and are not missing. All contents are in *buffer, which is the
 * caller's. Errors: CG_EIO, CG_ENOMEM. */
int git_read(const struct git *git, struct git_object *objects, size_t count, char **buffer,
	     struct cg_error *err);

#define GIT_MODE_TREE 040000
#define GIT_MODE_FILE 0100644

struct git_tree_item {
	unsigned mode;
	const char *name; /* hostile; in the tree's content */
	char id[GIT_ID_SIZE];
};

/* Takes the item of a tree's content at *at, and moves *at past it. False: the end is reached,
 * or the rest is damaged (then *at is not the end). Ids are as long as that of the tree. */
bool git_tree_next(const struct git_object *tree, const char **at, struct git_tree_item *out);

/* A tree to be written: lines of `ls-tree -z`. Zeroed: an empty one. */
struct git_listing {
	char *text;
	size_t size, cap;
};

int git_listing_add(struct git_listing *listing, const struct git_tree_item *item,
		    struct cg_error *err);

/* Writes trees; the id of each is appended to `ids`. Names must be such as git allows. */
int git_write_trees(const struct git *git, const struct git_listing *listings, size_t count,
		    struct strings *ids, struct cg_error *err);

/* Writes files as they are; the id of each is appended to `ids`. */
int git_write_files(const struct git *git, const struct strings *paths, struct strings *ids,
		    struct cg_error *err);

/* Writes a commit, in irdiff's name, with a parent or, if that is NULL, without. *id is the
 * caller's. */
int git_write_commit(const struct git *git, const char *tree, const char *parent,
		     const char *message, char **id, struct cg_error *err);

#endif
