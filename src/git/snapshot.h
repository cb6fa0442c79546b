/*
 * The files of a commit or of the work tree, with those of its submodules: identified by the ids
 * of their trees, and written into one of irdiff's directories.
 *
 * A work tree with changes is hashed into a store of objects beside the user's, with a copy of the
 * index: tracked files as they are, and untracked ones that are not ignored, but for
 *
 *   - profiles, baselines and accepted regressions that irdiff itself has written,
 *   - object files and archives: `make` would take them for up to date, though they were built
 *     elsewhere and otherwise.
 *
 * So every side is a list of trees, and equal trees are equal files.
 */
#ifndef IRDIFF_GIT_SNAPSHOT_H
#define IRDIFF_GIT_SNAPSHOT_H

#include <stdint.h>

#include "src/git/git.h"

/* One repository of a snapshot: the first is the project's, others are submodules. */
struct snapshot_part {
	char *path;      /* below the top: "", or "third_party/x" */
	char *work;      /* its work tree, if that is the subject; NULL: a commit is */
	char *directory; /* its repository; NULL: it is not here, and its files are missing */
	char *tree;      /* the id of its tree; without a repository that of the commit */
	/* a directory with the objects of a changed work tree; NULL: none are needed */
	char *objects;
};

struct snapshot {
	char *commit; /* the commit, or the one that the work tree is based on */
	bool changed; /* a work tree that differs from that commit */
	struct snapshot_part *parts;
	size_t nparts, parts_cap;
	size_t binaries;   /* object files and archives that were left out … */
	char *binary_file; /* … the first one, below its part; NULL: none */
};

/* Free with snapshot_free, also on failure. Errors: CG_EIO, CG_ENOMEM. */
int snapshot_of_commit(const struct git *git, const char *commit, struct snapshot *out,
		       struct cg_error *err);

/* `scratch` is an existing directory, absolute, for the objects; it must stay as long as the
 * snapshot. Nothing else is written. CG_EINVAL: no commit yet. */
int snapshot_of_work_tree(const struct git *git, const char *scratch, struct snapshot *out,
			  struct cg_error *err);

void snapshot_free(struct snapshot *s);

/* A text that identifies the files: equal for equal files, whatever the commits. One line for each
 * part. NULL: out of memory. */
char *snapshot_identity(const struct snapshot *s);

/* In which files a changed work tree differs from its commit, without those of submodules: lines
 * "PATH\tMODE ID", in order, of zeros for what is gone. Paths with newlines are left out, and new
 * files whose paths below `prefix` are among `copied`. *text is the caller's; NULL: none is. */
int snapshot_changes(const struct git *git, const struct snapshot *s, const char *prefix,
		     const struct strings *copied, char **text, struct cg_error *err);

/* Whether a snapshot has the files of a tree but for what is in some of them: *only, and then
 * `paths`, zeroed before, are these files. A link that leads elsewhere, another mode, a new file
 * and a removed one are other files, and so is what .gitattributes may have changed everywhere.
 * Files of submodules are not looked at. CG_EIO: that tree is not here. */
int snapshot_changed_contents(const struct git *git, const struct snapshot *s, const char *tree,
			      struct strings *paths, bool *only, struct cg_error *err);

/* What snapshot_write could not write, though the commit names it. */
struct snapshot_gaps {
	struct strings submodules; /* "PATH", whose repository or commit is not here */
	struct strings pointers;   /* paths of files of which only the Git LFS pointer exists */
};

void snapshot_gaps_free(struct snapshot_gaps *gaps);

/*
 * Writes all files into `directory`, which exists and is empty. It becomes a repository of its own
 * that reads the user's objects and has the commit and the tags, for builds that ask git for their
 * version. It has no remotes and branches.
 */
int snapshot_write(const struct git *git, const struct snapshot *s, const char *directory,
		   struct snapshot_gaps *gaps, struct cg_error *err);

/* The text of a file of the snapshot, NUL-terminated, or the target of a symbolic link; NULL if it
 * does not exist. `path` is below the top. */
int snapshot_read(const struct git *git, const struct snapshot *s, const char *path, char **text,
		  struct cg_error *err);

#endif
