/*
 * Asking git, by running it: it knows filters, submodules, partial clones and every repository
 * format, and is installed wherever a repository is.
 *
 * Nothing here changes the user's work tree, index, stash or configuration. Names that a person or
 * a machine has given (refs, paths) never reach git where it takes options: refs are turned into
 * ids first (git_resolve), and everything else takes ids.
 *
 * Variables that point git to another repository (GIT_DIR in a hook) are used to find the
 * repository, and by no later call.
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
	char *directory; /* git's directory of this work tree: .git, or .git/worktrees/NAME */
	char *common; /* git's directory that all work trees share: refs, objects, configuration */
	char *prefix; /* the path of `where` below the top: "" or "a/b/" */
	struct strings environment;    /* for every later call */
	struct interrupts *interrupts; /* the caller's; may be NULL */
};

/* Finds the repository of the work tree that `where` is in. CG_EINVAL, with what to do: git is not
 * installed, no repository was found, or it does not trust the owner. `interrupts` may be NULL; a
 * signal ends a call of git, and is left there for the caller. Free with git_close. */
int git_open(const char *where, struct interrupts *interrupts, struct git **out,
	     struct cg_error *err);
void git_close(struct git *git);

/* Why a repository cannot be opened. */
enum git_trouble {
	GIT_TROUBLE_OTHER, /* the message explains it */
	GIT_NOT_INSTALLED,
	GIT_NO_REPOSITORY,
	GIT_NOT_TRUSTED, /* it belongs to another user */
};

/* As git_open, and sets *why on failure. */
int git_try_open(const char *where, struct interrupts *interrupts, struct git **out,
		 enum git_trouble *why, struct cg_error *err);

/* The same for a repository inside another one: variables that point to the outer one are
 * ignored. */
int git_open_inner(const struct git *outer, const char *where, struct git **out,
		   struct cg_error *err);

/* One call of git; zeroed members have the defaults below. */
struct git_call {
	const char *const *args;      /* the arguments after "git", NULL-terminated */
	const char *directory;        /* git's directory; NULL: that of this work tree */
	const char *work_tree;        /* NULL: the user's */
	const char *const *variables; /* "NAME=VALUE", NULL-terminated; NULL: none */
	const char *const *settings;  /* the same for settings of git's configuration */
	const char *input;            /* for its stdin; NULL: nothing */
	size_t input_size;
	bool quiet; /* a failure is an expected answer and needs no message */
	/* after a failure: all that git printed, stdout first; the caller's. NULL: not wanted */
	char **said;
};

/* Runs it to its end. *output (NULL: dropped) is what it printed on stdout, NUL-terminated, the
 * caller's to free(); *size, if not NULL, its length. Errors: CG_EIO, with what git said. */
int git_run(const struct git *git, const struct git_call *call, char **output, size_t *size,
	    struct cg_error *err);

/* The same in this repository, for the first line of the output. */
int git_line(const struct git *git, const char *const *args, char **line, struct cg_error *err);

/* Whether this command of git succeeds. */
bool git_says_yes(const struct git *git, const char *const *args);

#endif
