/*
 * Where commits and the work tree are built and measured: one after the other in the same place or,
 * to be measured at the same time, in two. Builds and benchmarks see either place at the same path
 * (src/run/build.h).
 */
#ifndef IRDIFF_COMMITS_BUILD_AREA_H
#define IRDIFF_COMMITS_BUILD_AREA_H

#include "src/commits/content_changes.h"
#include "src/digest/path_state.h"
#include "src/git/refs.h"
#include "src/git/snapshot.h"
#include "src/load/project.h"
#include "src/measure/jobs.h"
#include "src/record/record_run.h"
#include "src/run/slot.h"
#include "src/store/publish.h"
#include "src/store/secret.h"

struct build_area_options {
	bool quiet;               /* no progress */
	bool fresh;               /* measure again what is in the cache */
	bool trust_failures;      /* do not try again builds that have failed before */
	const char *valgrind;     /* NULL: see run.h */
	struct jobs_options jobs; /* how revision_measure_ahead does it; `quiet` is that above */
	const char *only; /* the one case that is asked for, "BENCH/CASE"; NULL: benchmarks */
	const struct config_command *build; /* instead of irdiff.yml's; NULL: that one */
};

struct revision;

/* What survives of the build at the place (kept_files.h). */
struct kept_set {
	struct strings paths;                               /* directories below the slot */
	char *key, *text;                                   /* NULL: nothing survives */
	enum { KEPT_NOTHING, KEPT_FAILED, KEPT_BUILT } end; /* how the build ended */
};

/* Where files are written and built. */
struct build_place {
	struct slot slot;
	struct revision *occupant; /* whose files are there */
	bool is_built;
	/* Which paths its build has named (src/guest/names.h); "": nothing was built; NULL: not
	 * known. */
	char *build_names;
	bool was_full; /* the disk was, so that it could not be built */
	struct kept_set kept;
	uint64_t free; /* bytes on its disk before the files were written */
};

struct build_area {
	bool open;
	const struct project *project;
	struct build_area_options options;
	struct interrupts interrupts;
	struct git *git;
	struct digest_key secret;         /* of the project on this machine (src/store/secret.h) */
	struct work_directory scratch;    /* objects of work trees with changes */
	char *places;                     /* where slots are */
	struct build_place here;          /* for the present side */
	struct build_place aside;         /* of another side, which is still measured there */
	char *tools;                      /* what builds and measures, as lines of a key */
	size_t taken;                     /* scratch directories */
	struct found_entries found;       /* of which the history may have no rows yet */
	struct path_list said_other_keys; /* reasons not to use the cache (other_key.h) */
	bool said_no_build;        /* the user was told that nothing is built before measuring */
	bool said_own_copies;      /* … that a commit has files of copy: itself */
	bool said_not_kept;        /* … that a directory of keep: is not kept */
	struct path_states states; /* of files that runs may depend on */
	struct content_changes content_changes; /* between revisions */
	/* What copy: of irdiff.yml names, once it was looked for (copied_files.h). */
	struct strings copied_files; /* paths below the project's root */
	char *copied_from;           /* where the copies are */
	char *copied;                /* digests, as lines of a key; NULL: no copy: */
};

/* Finds the repository of the project. Free with build_area_close, also on failure. While it is
 * open, signals wait in `interrupts`. */
int build_area_open(struct build_area *w, const struct project *project,
		    const struct build_area_options *options, struct cg_error *err);
void build_area_close(struct build_area *w);

/* Reports that a call with the build area failed. Returns the exit code: 128 + N, without a
 * message, if a signal ended the call. */
enum ending build_area_failed(const struct build_area *w, const struct notices *n,
			      const struct cg_error *err);
/* Reports that memory ran out. */
enum ending build_area_nomem(const struct build_area *w);

/* Notes which paths the build at the present place has named: a file that is the place's from now
 * on, as is the text; "" or NULL as in struct build_place. */
void build_area_note_names(struct build_area *w, char *names);

/* Empties the present place, where another side may have built, and gives it to this side. */
int build_area_take_place(struct build_area *w, struct revision *side, struct cg_error *err);

/* Whether the disk of the present place is full. */
bool build_area_is_full(const struct build_area *w);

/* Leaves what was built where it is, so that another side can be built in another place. What
 * survives between builds is copied for that one. False: there may be no space for both. */
bool build_area_set_aside(struct build_area *w);

/* Returns to the place where this side was built and set aside. False: it was not. */
bool build_area_return(struct build_area *w, const struct revision *side);

/* Adds to the history what was found in the cache; build_area_leave and build_area_close do so,
 * too. */
void build_area_record(struct build_area *w);

/* Removes all files from the build area, but for what survives (kept_files.h). */
void build_area_clear(struct build_area *w);

/* Does the same for the place of this side, if it has one: its revision is about to be freed. */
void build_area_leave(struct build_area *w, const struct revision *side);

/* Makes an empty directory, which build_area_close removes. *path is the caller's. */
int build_area_scratch(struct build_area *w, char **path, struct cg_error *err);

#endif
