/* A measurement: its request, and the resulting profiles. */
#ifndef IRDIFF_MEASURE_MEASUREMENT_H
#define IRDIFF_MEASURE_MEASUREMENT_H

#include "cgprofile/profile.h"
#include "src/run/run.h"
#include "src/status/notice.h"
#include "src/store/profiles.h"

/* The files of another commit, which were written out and built elsewhere. */
struct measured_checkout {
	const char *top;   /* the directory that has them */
	const char *root;  /* the project's root in it: `top` or below */
	const char *named; /* what profiles call `top`: the user's own work tree */
	const char *side;  /* "main (1a2b3c4d5e)", for messages */
	const char *
		commit; /* that it is of, or based on if it has `changed`: builds may write to files
			       that are tracked */
	bool changed;   /* or some of its files are missing: it is not what was measured */
	const char *changes; /* in which files it differs (snapshot_changes); NULL: not known */
	const char *const
		*copied; /* programs and libraries that copy: of irdiff.yml has put there, as
				      paths below `root`; NULL-terminated, or NULL */
	const char *build_names; /* which paths the build has named (src/guest/names.h); "": nothing
				  * was built; NULL: not known */
};

struct measurement {
	const struct notices *notices;            /* receives errors and warnings */
	const char *root;                         /* the project's root: where profiles are kept */
	const char *label;                        /* or the name of the cache entry */
	const struct measured_checkout *checkout; /* NULL: the program is in `root` itself. With it
	                          the profile goes to the cache (src/store/cache.h) */
	const char *key;                          /* of the cache entry, as text */
	bool replace;                             /* the cache entry that has this name */
	const char *benchmark;  /* of irdiff.yml; NULL: a command of the command line */
	const char *definition; /* digest of its definition; NULL: not as in irdiff.yml */
	const char *wanted;     /* only these cases, as in choose_cases(); NULL: all, or what has
				  none */
	bool or_all;            /* others need not be run, but are kept if they are: if no case is
				  called so, or if one process runs all */
	bool quiet;             /* no progress, but errors and warnings */
	bool beside;            /* its heap may be counted at the same time */
	struct run_request request; /* `root` and `workdir` are set by measure() */
};

/* A profile that was written, with lines, without contexts. */
struct measured_profile {
	char *label;     /* or the name of the cache entry */
	char *benchmark; /* "BENCH" or "BENCH/CASE"; NULL: it is not in irdiff.yml */
	struct cg_profile *profile;
};

/* One, or those of all cases in the order in which they were measured. */
struct measured {
	struct measured_profile *items;
	size_t count, cap;
	struct path_list lost; /* cases that count nothing, "BENCH/CASE" */
	unsigned changes;      /* enum run_shared: what it has changed, or was about to */
};

void measured_free(struct measured *measured);

#endif
