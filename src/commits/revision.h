/* A revision of the project, a commit or the work tree: its files, how it is built, and what
 * this command knows of its measurements. */
#ifndef IRDIFF_COMMITS_REVISION_H
#define IRDIFF_COMMITS_REVISION_H

#include "cgprofile/strings.h"
#include "src/commits/build_area.h"

/* One side of a comparison. */
struct revision {
	char *name;               /* what people call it: "main", "work tree" */
	struct git_commit commit; /* that it is or, with changes, that it is based on */
	struct snapshot files;
	char *changes; /* its differences from the commit (snapshot_changes); NULL: none */
	struct config *own_config;          /* its irdiff.yml; NULL: it has none, or a bad one */
	bool has_config;                    /* it has one, which may be bad */
	const struct config_command *build; /* of its own irdiff.yml, or else of the project's */
	enum ending failed;                 /* how making it ended, if it cannot be made */
	bool may_lack;                      /* the programs of benchmarks that it does not define */
	bool first_hand; /* it is judged: measurements shared by others are not used */
	/* Which of its files are missing (submodules, Git LFS), as lines of a key; NULL: none, or
	 * it was not written out yet. */
	char *gaps;
	bool written;               /* it was: `gaps` is known */
	struct cg_strings measured; /* names of entries that this command has measured … */
	struct cg_strings sound;    /* … or has found to be what they claim */
	struct path_list not_run;   /* benchmarks that need not run (same_run.h) */
	struct revision_loss *lost; /* what it could not measure */
	size_t nlost, lost_cap;
};

struct revision_loss {
	const struct config_benchmark *benchmark;
	enum ending ending;
	bool untold;              /* nobody was told: revision_lose_new */
	struct path_list entries; /* of the cases that it could */
	struct path_list cases;   /* "BENCH/CASE" that it could not, if there are others */
};

/* Free with revision_free, also on failure. */
int revision_of_commit(struct build_area *w, const char *name, const char *commit,
		       struct revision *out, struct cg_error *err);
int revision_of_work_tree(struct build_area *w, struct revision *out, struct cg_error *err);
void revision_free(struct revision *side);

/* How it is built; argc 0: not at all. */
const struct config_command *revision_build(const struct revision *side);

/* Whether its irdiff.yml defines a benchmark of this name. */
bool revision_defines(const struct revision *side, const struct config_benchmark *b);

/* Whether its name is the beginning of its commit's id, which need not be said twice. */
bool revision_is_called_by_id(const struct revision *side);

/* Whether the files of both are the same. */
bool revision_is_same(const struct revision *a, const struct revision *b);

#endif
