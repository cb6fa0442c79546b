/*
 * Asking git, by its own program: it knows filters, submodules, partial clones and every format of
 * a repository, and is there wherever a repository is.
 *
 * Nothing here changes the user's work tree, index, stash or configuration. Names that a person or
 * a machine has given (refs, paths) never reach git where it takes options: refs become ids first
 * (git_resolve), and ids are what everything else takes.
 *
 * Variables that point git elsewhere (GIT_DIR in a hook) are heeded when the repository is looked
 * for, and by nothing that runs later.
 */
#ifndef IRDIFF_GIT_GIT_H
#define IRDIFF_GIT_GIT_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"
#include "src/run/strings.h"

#define GIT_ID_SHORT 10 /* digits of an id that people are shown */

struct git {
	char *program;   /* absolute path of git */
	char *top;       /* the work tree, absolute */
	char *directory; /* what belongs to this work tree: .git, or .git/worktrees/NAME */
	char *common;    /* what all work trees share: refs, objects, configuration */
	char *prefix;    /* where `where` was below the top: "" or "a/b/" */
	struct strings environment;    /* of every later call */
	struct interrupts *interrupts; /* the caller's; may be NULL */
};

/* Finds the repository of the work tree that `where` is in. Errors: CG_EINVAL, git is not
 * installed, or there is none, or it does not trust the owner; with what to do. `interrupts` may
 * be NULL; a signal ends a call of git, and the caller finds it there. Free with git_close. */
int git_open(const char *where, struct interrupts *interrupts, struct git **out,
	     struct cg_error *err);
void git_close(struct git *git);

/* The same for a repository inside of another one: where variables point to the outer one, they are
 * not heeded. */
int git_open_inner(const struct git *outer, const char *where, struct git **out,
		   struct cg_error *err);

/* How one call of git goes; zeroed: as below. */
struct git_call {
	const char *const *args;      /* behind "git", NULL-terminated */
	const char *directory;        /* its repository; NULL: of this work tree */
	const char *work_tree;        /* NULL: the user's */
	const char *const *variables; /* "NAME=VALUE", NULL-terminated; NULL: none */
	const char *const *settings;  /* the same of git's configuration */
	const char *input;            /* for its stdin; NULL: nothing */
	size_t input_size;
	bool quiet;  /* a failure is an answer: no words */
	char **said; /* of a failure: all that it printed, first on stdout; the
				       * caller's. NULL: not wanted */
};

/* Runs it to its end. *output (NULL: dropped) is what it printed on stdout, NUL-terminated, the
 * caller's to free(); *size, if not NULL, its length. Errors: CG_EIO, with what git said. */
int git_run(const struct git *git, const struct git_call *call, char **output, size_t *size,
	    struct cg_error *err);

/* The same of this repository, for the first line of what it prints. */
int git_line(const struct git *git, const char *const *args, char **line, struct cg_error *err);

/* Whether this command of git succeeds. */
bool git_says_yes(const struct git *git, const char *const *args);

#endif
