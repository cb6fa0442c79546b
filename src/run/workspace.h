/*
 * The place a benchmark sees: paths that are the same for everybody.
 *
 *	/irdiff-run/w    the project root: the working directory
 *	/irdiff-run/p    link to the directory of the program
 *	/irdiff-run/o    where Valgrind writes
 *	/irdiff-run/c    a cache directory, if one was asked for; empty at first
 *	/irdiff-run/f    a library that is loaded before all others, if there is one
 *
 * A benchmark that is traced sees them wherever they are (guest.h), so getcwd(), argv[0],
 * /proc/self/exe and $ORIGIN give equal strings in every checkout, on every machine and in every
 * container. Directories of ours in the project, which no two runs leave alike, are empty for it.
 * No file of these names exists. What it writes to /tmp/perf-PID.map is in o.
 *
 * Where tracing is refused (by a sandbox, or as a debugger traces irdiff itself), the same names
 * are symbolic links in /tmp/irdiff-UUUUUUUUUU/NN, of constant length; then getcwd() and
 * /proc/self/exe tell the real path, whose length moves counts (of a getcwd() by about 25 Ir), pids
 * change from run to run, and nothing of the project is hidden.
 *
 * NN is a slot (slot.h). A killed irdiff leaves a directory which the next one to
 * take its slot cleans.
 */
#ifndef IRDIFF_RUN_WORKSPACE_H
#define IRDIFF_RUN_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"
#include "src/guest/guest.h"
#include "src/run/interrupt.h"
#include "src/run/process.h"
#include "src/run/slot.h"

enum workspace_kind {
	WORKSPACE_LINKS, /* symbolic links */
	WORKSPACE_TRACED,
};

/* Why a program cannot be traced here. */
struct workspace_obstacle {
	char step[64]; /* what could not be done: "trace it"; "": it works, or was not tried */
	int error;     /* errno */
};

struct workspace {
	enum workspace_kind kind;
	struct workspace_obstacle obstacle;
	struct slot slot; /* host directory /tmp/irdiff-UUUUUUUUUU/NN, ours */
	char *base;       /* "/irdiff-run", or the slot */
	char *root;       /* canonical host paths of w, p and o */
	char *program;
	char *output;
	char *empty;        /* shown in place of hidden directories */
	struct guest guest; /* the world of a traced program; its places hold for links, too */
};

/* Takes a slot for a workspace of this kind. Whether that is possible here is known when a
 * process runs in it (process_end.traced), or by workspace_try(). root, program and output are
 * existing host directories. *workspace is untouched on failure. */
int workspace_open(struct workspace *workspace, const char *root, const char *program,
		   const char *output, enum workspace_kind kind, struct cg_error *err);

/* Changes the workspace to links if programs cannot be traced here, and records why. */
int workspace_try(struct workspace *workspace, struct interrupts *interrupts, struct cg_error *err);

/* Changes the workspace to links, after a program turned out not to be traceable. */
int workspace_untrace(struct workspace *workspace, struct cg_error *err);

/* The path inside for a host path: below w if it is in the project, else itself. The path must be
 * canonical. NULL: out of memory. */
char *workspace_inside(const struct workspace *workspace, const char *host);

/* The reverse, for paths from the benchmark or Valgrind. */
char *workspace_outside(const struct workspace *workspace, const char *seen);

/* base/NAME/REST, or base/NAME if rest is NULL. NULL: out of memory. */
char *workspace_path(const struct workspace *workspace, const char *name, const char *rest);

/* Host path of a new file in the slot, for a copy called `name`; its directory
 * exists afterwards. NULL: out of memory or errno. */
char *workspace_scratch(struct workspace *workspace, const char *name);

/* Makes a directory for files that one run leaves for the next, empty and at a constant path:
 * *seen, the caller's to free(). Once only; it is removed with the slot. */
int workspace_cache(struct workspace *workspace, char **seen, struct cg_error *err);

/* Shows a library, a canonical host path, at a constant path. Once only. */
int workspace_preload(struct workspace *workspace, const char *library, struct cg_error *err);

/* Shows `with` (a host path) in place of the existing file `seen`, from the next run on. Only when
 * tracing. */
int workspace_cover(struct workspace *workspace, const char *seen, const char *with,
		    struct cg_error *err);

/* Shows `with` (a host path) at a path that need not exist, by this name only. Only when
 * tracing. */
int workspace_show(struct workspace *workspace, const char *seen, const char *with,
		   struct cg_error *err);

/* Shows directories of the project as empty, by their names below root; missing ones are ignored.
 * Only when tracing. */
int workspace_hide(struct workspace *workspace, const char *const *names, struct cg_error *err);

/* Makes `process` run inside. The workspace must outlive the run. */
void workspace_apply(struct workspace *workspace, struct process *process);

/* Removes what killed irdiffs of this user left. */
void workspace_sweep(void);

/* Removes the slot and its contents. */
void workspace_close(struct workspace *workspace);

#endif
