/*
 * Where commits and the work tree are built and measured, one after the other at the same path, and
 * what has been measured before.
 */
#ifndef IRDIFF_COMMITS_BUILD_AREA_H
#define IRDIFF_COMMITS_BUILD_AREA_H

#include "src/git/refs.h"
#include "src/git/snapshot.h"
#include "src/load/project.h"
#include "src/measure/jobs.h"
#include "src/run/slot.h"
#include "src/store/publish.h"
#include "src/store/secret.h"

struct build_area_options {
	bool quiet;               /* no progress */
	bool fresh;               /* measure again what is in the cache */
	bool trust_failures;      /* do not try again builds that have failed before */
	const char *valgrind;     /* NULL: as run.h says */
	struct jobs_options jobs; /* how revision_measure_ahead does it; `quiet` is that above */
	const struct config_command *build; /* instead of irdiff.yml's; NULL: that one */
};

struct revision;

struct build_area {
	bool open;
	const struct project *project;
	struct build_area_options options;
	struct interrupts interrupts;
	struct git *git;
	struct digest_key secret;      /* of the project on this machine (src/store/secret.h) */
	struct work_directory scratch; /* objects of work trees with changes */
	char *places;                  /* where slots are */
	struct slot slot;              /* where files are written and built */
	struct revision *occupant;     /* whose files are there */
	bool occupant_is_built;
	char *tools;        /* what builds and measures, as lines of a key */
	size_t taken;       /* scratch directories */
	bool said_no_build; /* that something is missing since nothing is built */
	/* What copy: of irdiff.yml names, once it was looked for (copied_files.h). */
	struct strings copied_files; /* paths below the project's root */
	char *copied_from;           /* where the copies are */
	char *copied;                /* digests, as lines of a key; NULL: there is no copy: */
};

/* Finds the repository of the project. Free with build_area_close, also on failure. While it is open,
 * signals wait in `interrupts`. */
int build_area_open(struct build_area *w, const struct project *project,
		    const struct build_area_options *options, struct cg_error *err);
void build_area_close(struct build_area *w);

/* What a failure of a call on it means for the exit code: 128 + N if a signal ended it, else the
 * error is printed. */
enum ending build_area_failed(const struct build_area *w, const struct notices *n,
			      const struct cg_error *err);
/* The same of memory that ran out. */
enum ending build_area_nomem(const struct build_area *w);

/* Gives the place to a side, empty; what another one has built there is gone. */
int build_area_take_place(struct build_area *w, struct revision *side, struct cg_error *err);

/* Removes all that is there. */
void build_area_clear(struct build_area *w);

/* The same if it is what this side has built, which goes. */
void build_area_leave(struct build_area *w, const struct revision *side);

/* A new empty directory that goes when the workshop closes. *path is the caller's. */
int build_area_scratch(struct build_area *w, char **path, struct cg_error *err);

#endif
