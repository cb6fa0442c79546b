/* What came out of a run: its files, its failure, and how it was measured. */
#ifndef IRDIFF_RUN_RESULT_H
#define IRDIFF_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgprofile/error.h"

/* Why the measurement failed. */
enum run_failure {
	RUN_MEASURED = 0,     /* there is one */
	RUN_BAD_REQUEST,      /* the caller's mistake: no such directory, no argv … */
	RUN_SYSTEM,           /* out of memory, disk full, fork fails … */
	RUN_BAD_COMMAND,      /* not found, not executable, setuid, not an ELF image … */
	RUN_BENCHMARK_FAILED, /* it ended with exit_status or term_signal */
	RUN_TIMED_OUT,
	RUN_INTERRUPTED,   /* irdiff received the signal `interrupted_by` */
	RUN_NO_VALGRIND,   /* not installed, or has no callgrind */
	RUN_VALGRIND_DIED, /* Valgrind itself gave up or refused */
	RUN_NO_PROFILE,    /* nothing was written, or the profile is empty or zero, or a
				* process that may be the one that is meant left none */
	RUN_ONLY_LAUNCHER, /* only a shell or another launcher was measured */
	RUN_NOT_ALONE,     /* it would disturb runs at the same time, or be disturbed */
};

struct preset;

#define RUN_EVENTS 24 /* whose sums are kept; callgrind has 19 at most */

/* One raw callgrind file. */
struct run_profile {
	char *path;         /* in workdir */
	char *command;      /* the file's `cmd:`, "" if it has none */
	size_t program_len; /* how much of `command` is the program, which may have spaces */
	char *trigger;      /* why it was written: "Program termination", "Client Request: NAME" */
	char *image;        /* the ELF image, a path of the host; "" if not known */
	char *map;    /* describes code that the process has generated (perf_maps.h); NULL: none */
	pid_t pid;    /* as the benchmark saw it */
	pid_t parent; /* 0 if not known; may be a pid that has no profile */
	unsigned generation;        /* how many images this pid ran before this one, as far as
				* is known (Valgrind keeps the last two) */
	unsigned part;              /* 1, 2 …: files of one pid and generation are parts of one
				* profile, to be added up; > 1 after CALLGRIND_DUMP_STATS
				* or an exec that failed */
	unsigned thread;            /* 1, 2 … of each_thread; 0: all of them */
	uint64_t bytes;             /* size of the file */
	uint64_t collected;         /* sum of the first event (Ir) in this file */
	uint64_t instructions;      /* of a heap: that its process has executed; 0: not known */
	char *events;               /* the file's `events:`, "" if it has none … */
	uint64_t costs[RUN_EVENTS]; /* … and their sums, saturated; collected is the first */
	bool launcher;              /* a shell, env, make …: usually not what is to be measured */
	bool forked;                /* forked without exec: its counts begin with a copy of its
				* parent's up to the fork, unless it had written these */
	bool replaced;              /* its process went on to exec another image */
	unsigned run;               /* of a harness: for which of its cases, 1 the first */
};

/* A path as the benchmark sees it, and the real one. */
struct run_mapping {
	char *seen;    /* a directory or a file, as in `ob=` and `fl=` lines */
	char *real;    /* the same on the host */
	bool stripped; /* seen is a copy of real without its debug information,
				* with the same addresses and symbols */
};

/* Something worth knowing about a run apart from its counts, as a profile keeps it
 * (src/diff/run_notes.h). */
struct run_note {
	char *key, *value;
};

/* Whether a case was measured. */
enum run_case_state {
	RUN_CASE_MEASURED = 0,
	RUN_CASE_EMPTY,      /* it counts nothing */
	RUN_CASE_NOT_BEGUN,  /* irdiff_end was called without irdiff_begin, at least once */
	RUN_CASE_NOT_MARKED, /* the functions of its harness that surround it were not called */
};

/* One of several things that a benchmark has measured in one run. */
struct run_case {
	char *name; /* as the program calls it */
	enum run_case_state state;
	size_t *files; /* indexes of profiles, ascending */
	size_t nfiles, files_cap;
	uint64_t collected; /* of the first event, saturated */
};

struct run_result {
	enum run_failure failure;
	int exit_status;    /* of the benchmark, when it ended by itself */
	int term_signal;    /* that killed the benchmark, or 0 */
	bool missed_root;   /* RUN_NO_PROFILE: the function below which to count was not called */
	int interrupted_by; /* for RUN_INTERRUPTED; irdiff should exit 128 + this */
	unsigned changes;   /* enum run_shared: what it has changed, or was about to; all, if that
				* is not known */
	double seconds;     /* wall clock of the run that counted */

	struct run_profile *profiles; /* sorted by pid, generation, part */
	size_t nprofiles;
	size_t chosen;  /* index of the profile to read (of its first part); valid
				* if RUN_MEASURED */
	size_t nchosen; /* how many parts it has, from chosen on; usually 1 */
	/* processes that the chosen one started by other means than fork(2) are left out, as
	 * they begin with a copy of its counts */
	bool left_copies;
	/* it, or another child of its parent, was started by a call other than fork(2), and may
	 * begin with a copy of its parent's counts */
	bool copied;
	/* processes of programs outside of the project are left out, as the request asks */
	bool left_others;
	size_t *files; /* the profiles to add up, if no cases: those chosen, or all */
	size_t nfiles, files_cap;
	/* in the order in which they first ended. If there are cases, only they were measured, at
	 * least one was, and chosen is the process of the first one */
	struct run_case *cases;
	size_t ncases;
	bool some_cases;        /* it has others, which the request did not choose */
	struct run_note *notes; /* in an order that is the same in every run */
	size_t nnotes, notes_cap;
	char *integration; /* what ran CodSpeed's cases: "pytest-codspeed 4.2.0"; NULL */

	char *stdout_path; /* what the benchmark wrote, in workdir; NULL if never run */
	char *stderr_path;
	char *names_path;   /* the paths that all runs have named, in workdir, as names.h has them;
				* NULL: not asked for, or not known */
	char *valgrind_log; /* the most telling of Valgrind's own logs, or NULL */
	char *tail;         /* end of stderr, else of stdout, as bytes: at most 20
				* lines and 4 KB, NUL-terminated, hostile; "" if empty */

	struct run_mapping *mappings;
	size_t nmappings;
	char **objects; /* host paths of all ELF objects of the chosen profile's
				* process, the image first; sorted from the second on */
	size_t nobjects;

	/* How it was measured; material for the fingerprint. */
	char *valgrind_path;
	char *valgrind_version; /* "3.19.0" */
	bool codspeed;          /* CodSpeed's fork */
	char *options;          /* Valgrind's options that can affect counts, without paths */
	unsigned depth;         /* callers kept per context: what was chosen */
	unsigned recursion;     /* levels of recursion kept apart, likewise */
	/* digest of the loader's list that it was shown; "": it saw the host's, or is static */
	char loader_cache[40];
	const char *workspace; /* "traced" or "links", see workspace.h; static text */
	/* 1, and all threads beyond the first of each process; 0: not known, as of several
	 * processes that are not added up */
	unsigned threads;
	unsigned frozen;  /* enum freeze: what was made constant */
	bool split_calls; /* each case began and ended inside of calls, which it counts as calls */
	char *hwcaps;     /* CPU features that Valgrind passes on; NULL if not known */
	char *tunables;   /* GLIBC_TUNABLES that took effect, "" if none did */
	bool bound_at_start; /* irdiff had functions bound before they are called (binding.h) */
	const struct preset *preset; /* of its runtime (presets.h); NULL: none. Static */
	char *preset_text;           /* "Go: GOMAXPROCS=1": what of it was set; NULL: nothing */
	char *freeze_library;        /* host path of what froze it; NULL: none was needed */
	char *program;               /* host path of the ELF image or script started */
	bool static_image;           /* no ld.so: tunables and LD_PRELOAD cannot reach it */
	char **environment;          /* what the benchmark got, "NAME=VALUE", in order */
	size_t nenvironment;
};

/* Frees what a profile owns. */
void run_profile_free(struct run_profile *profile);
/* Frees an array of cases. */
void run_cases_free(struct run_case *cases, size_t count);

/* Frees what the result owns (not the files) and zeroes it. */
void run_result_free(struct run_result *result);

/* The host path of a path in one of the raw files. On success *real is a new string (a copy of
 * `seen` if it is not mapped). */
int run_real_path(const struct run_result *result, const char *seen, char **real);

/* How many profiles there are to choose from, all parts of one counted as one: those with counts,
 * without launchers and processes that were forked to execute something else. */
size_t run_candidates(const struct run_result *result);

/* How many of these candidates are among files. */
size_t run_counted(const struct run_result *result);

/* The index after the last part of the profile that begins at `begin`; *cost is the sum of what its
 * parts collected, saturated. */
size_t run_profile_end(const struct run_profile *profiles, size_t nprofiles, size_t begin,
		       uint64_t *cost);

/* Why a case was not measured, and what to do, in a sentence without its name. `rooted`: only what
 * runs below a function was counted. */
const char *run_case_words(enum run_case_state state, bool rooted);

/* "benchmark-failed" and so on, for logs and JSON. */
const char *run_failure_name(enum run_failure failure);

#endif
