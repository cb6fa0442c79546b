/*
 * The place a benchmark sees: paths that are the same for everybody.
 *
 * Where the kernel lets us, the benchmark runs in a mount namespace whose root
 * shows every directory of the host plus
 *
 *	/irdiff-run/w    the project root (bind mount): the working directory
 *	/irdiff-run/p    link to the directory of the program
 *	/irdiff-run/o    where Valgrind writes
 *	/irdiff-run/c    a cache directory, if one was asked for; empty at first
 *	/irdiff-run/f    a library that is loaded before all others, if there is one
 *
 * so getcwd(), argv[0], /proc/self/exe and $ORIGIN give equal strings in every
 * checkout. Directories of ours in the project, which no two runs leave alike,
 * are empty in there. Pids are constant too, in a pid namespace. Nothing of it is visible
 * outside, and it vanishes with the last process.
 *
 * Where it does not (seccomp, AppArmor, an old container), the same names are
 * symbolic links in /tmp/irdiff-UUUUUUUUUU/NN, of constant length; then
 * getcwd() and /proc/self/exe still tell the real path, whose length moves counts
 * (of a getcwd() by about 25 Ir), and nothing of the project is hidden.
 *
 * NN is a slot (slot.h). A killed irdiff leaves a directory which the next one to
 * take its slot cleans.
 */
#ifndef IRDIFF_RUN_WORKSPACE_H
#define IRDIFF_RUN_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "callgrind/support/error.h"
#include "src/run/interrupt.h"
#include "src/run/process.h"
#include "src/run/slot.h"

enum workspace_kind { /* the richest last */
	WORKSPACE_LINKS,        /* symbolic links */
	WORKSPACE_MOUNTS,       /* own mount namespace, the host's pids */
	WORKSPACE_MOUNTS_PIDS,  /* own mount and pid namespaces */
};

/* Why a kind of workspace is not possible here. */
struct workspace_obstacle {
	char step[64];          /* what could not be done: "mount a root"; "": it works, or was
				 * not tried */
	int error;              /* errno */
};

/* A file that another one is put over, for the benchmark only. */
struct workspace_cover {
	char *seen;             /* the path inside that is covered */
	char *with;             /* host path of what is seen there instead */
};

struct workspace {
	enum workspace_kind kind;
	struct workspace_obstacle obstacles[WORKSPACE_MOUNTS_PIDS + 1]; /* by kind */
	struct slot slot;       /* host directory /tmp/irdiff-UUUUUUUUUU/NN, ours */
	char *base;             /* "/irdiff-run", or the slot */
	char *root;             /* host paths of what w, p and o stand for; canonical */
	char *program;
	char *output;
	const char *const *hidden; /* below root, to be seen empty; the caller's, or NULL */
	char *cache;            /* what c and f stand for, or NULL */
	char *preloaded;
	struct workspace_cover *covers;
	size_t ncovers, covers_cap;
};

/* Takes a slot for a workspace of this kind. Whether that is possible here shows when a process
 * is run in it (process_end.placed), or workspace_try() tells. root, program and output are
 * existing host directories. *workspace is untouched on failure. */
int workspace_open(struct workspace *workspace, const char *root, const char *program,
		   const char *output, enum workspace_kind kind, struct cg_error *err);

/* Makes it of the richest kind that works, from its own downwards, and fills the obstacles. */
int workspace_try(struct workspace *workspace, struct interrupts *interrupts,
		  struct cg_error *err);

/* Where a host path is inside: below w if it is in the project, else itself.
 * The path must be canonical. NULL: out of memory. */
char *workspace_inside(const struct workspace *workspace, const char *host);

/* The reverse, for paths that the benchmark or Valgrind tells. */
char *workspace_outside(const struct workspace *workspace, const char *seen);

/* base/NAME/REST, or base/NAME if rest is NULL. NULL: out of memory. */
char *workspace_path(const struct workspace *workspace, const char *name, const char *rest);

/* Host path of a new file in the slot, for a copy called `name`; its directory
 * exists afterwards. NULL: out of memory or errno. */
char *workspace_scratch(struct workspace *workspace, const char *name);

/* Makes a directory for files that one run leaves to the next one, empty and at
 * a constant path: *seen, the caller's to free(). Once only; it goes with the slot. */
int workspace_cache(struct workspace *workspace, char **seen, struct cg_error *err);

/* Shows a library, a canonical host path, at a constant path. Once only. */
int workspace_preload(struct workspace *workspace, const char *library, struct cg_error *err);

/* Puts `with` (a host path) over the file `seen` from the next run on.
 * Only with mounts. */
int workspace_cover(struct workspace *workspace, const char *seen, const char *with,
		    struct cg_error *err);

/* Makes `process` run inside. The workspace must outlive the run. */
void workspace_apply(struct workspace *workspace, struct process *process);

/* Removes what killed irdiffs of this user have left. */
void workspace_sweep(void);

/* Removes the slot and all in it. */
void workspace_close(struct workspace *workspace);

#endif
