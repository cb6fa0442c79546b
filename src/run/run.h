/*
 * Runs one benchmark under callgrind so that the counts depend on the program
 * and its input and on nothing else, and says which files came out of it.
 *
 * The command runs with a constant environment, in a workspace whose paths
 * are the same everywhere (see workspace.h), under the real Valgrind
 * with --trace-children=yes: every ELF image that the command turns into
 * leaves a raw callgrind file. run_benchmark() lists them all and says which
 * one did the work. It parses no profile: it reads Valgrind's log and the
 * `cmd:` and `totals:` lines of the files.
 *
 *	struct run_request request;
 *	struct run_result result = { 0 };
 *
 *	run_request_init(&request);
 *	request.argv = argv;
 *	request.root = "/home/me/project";
 *	request.workdir = "/home/me/project/.irdiff/tmp/1234";
 *	status = run_benchmark(&request, &result, &err);
 *	... result.failure, result.profiles[result.chosen].path ...
 *	run_result_free(&result);
 *
 * Two runs at once, of one irdiff or of several, do not disturb each other.
 * While a run lasts the calling thread blocks SIGINT, SIGTERM and SIGHUP and
 * takes them itself; the mask is restored before run_benchmark() returns.
 */
#ifndef IRDIFF_RUN_RUN_H
#define IRDIFF_RUN_RUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cgprofile/error.h"
#include "src/digest/digest.h"

#define RUN_DEPTH_AUTO UINT_MAX /* choose the depth by the kind of program: */
#define RUN_DEPTH_COMPILED 100  /* --separate-callers for compiled programs: exact */
#define RUN_DEPTH_INTERPRETED \
	10                       /* for interpreters that nest: at 100 CPython takes up
				   * to 10 times as long as without contexts (75 s, 490 MB
				   * instead of 7 s, 3 MB), at 10 about twice */
#define RUN_DEFAULT_RECURSION 10 /* --separate-recs */

/* How a program says where its cases begin and end. */
enum run_cases {
	RUN_CASES_AUTO,     /* by irdiff.h, if it does; else it has none */
	RUN_CASES_NONE,     /* it has none: parts are added up, whatever they are called */
	RUN_CASES_IRDIFF,   /* by irdiff.h: nothing else is counted, which is faster */
	RUN_CASES_DUMPS,    /* by CALLGRIND_DUMP_STATS_AT(NAME), which ends one */
	RUN_CASES_CODSPEED, /* as integrations of CodSpeed do (codspeed.h) */
};

/* Of several processes, which is measured. */
enum run_processes {
	RUN_PROCESSES_FORKED, /* the one that is meant, by choose.h, and all that it has forked */
	RUN_PROCESSES_ONE,    /* that one alone */
	RUN_PROCESSES_EACH,   /* each is a case, called like its image; launchers apart */
	RUN_PROCESSES_ALL,    /* their sum, launchers apart */
};

/* What to measure and how. All strings are the caller's and must outlive the
 * call; NULL-terminated lists may be NULL, which means empty. */
struct run_request {
	const char *const *argv; /* command and arguments, NULL-terminated, not empty */
	const char *root;        /* project root, an existing directory; NULL: cwd */
	const char *cwd;         /* where the command runs: absolute, or relative to
				      * root; NULL: root */
	const char *const *env;  /* "NAME" passes the caller's value on, if it has one;
				      * "NAME=VALUE" sets it; overrides the recipe */
	const struct digest_key
		*secret;           /* tells values apart that are passed on; NULL: nothing does */
	const char *image;         /* which image is meant when the command becomes
				      * several: a base name or a path; NULL: as choose.h says */
	const char *function;      /* collect only below this function, NULL: everything.
				      * Becomes --toggle-collect=, * and ? are wildcards */
	unsigned depth;            /* callers kept per context, 0: none are; init: AUTO */
	unsigned recursion;        /* levels of recursion kept apart, 0: Valgrind's own */
	bool cache_sim;            /* simulate the fixed caches; on after init */
	bool warm_up;              /* run it once without Valgrind before, not counted, so
				      * that Python can write its .pyc files */
	const char *const *hidden; /* directories below root that the benchmark sees empty,
				      * such as ours, which grows with every run; untraced
				      * it sees them as they are */
	unsigned freeze;           /* enum freeze: what is made constant for it; 0: nothing */
	bool in_place;             /* run an ELF program at its own path, not at the fixed one */
	bool by_command;           /* argv is of a command line, so that advice names its
				      * options, and not irdiff.yml */
	bool untraced;             /* for tests and doctor: as where tracing is refused */
	enum run_cases cases;      /* which parts of a profile are cases of their own */
	enum run_processes processes;
	bool each_thread; /* each thread is a case, "thread 1" the first */
	uint64_t signals; /* bit n: a process that counts may be killed by signal n (signals.h) */
	unsigned timeout; /* seconds for all runs together, 0: none; the repetition
				      * for a program with cases that forks has as many again */
	const char *workdir;                 /* existing directory, the caller's own, for the raw
				      * files and logs; nothing in it is removed on success */
	const char *valgrind;                /* path of the Valgrind to use; NULL: $IRDIFF_VALGRIND,
				      * else the PATH */
	const char *const *valgrind_options; /* added after the recipe's; what the driver
				      * itself depends on (out-file, log, tool …) is refused */
	int cpu; /* it runs on this one (cpu.h); -1: the first one that may
				      * be used, and after init */
};

/* All fields at their defaults; argv, root and workdir are left to set. */
void run_request_init(struct run_request *request);

/* Why there is no measurement. */
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
};

#define RUN_EVENTS 24 /* of which sums are kept; callgrind has 19 at most */

/* One raw callgrind file. */
struct run_profile {
	char *path;          /* in workdir */
	char *command;       /* the file's `cmd:`, "" if it has none */
	size_t program_len;  /* how much of `command` is the program, which may have spaces */
	char *trigger;       /* why it was written: "Program termination", "Client Request: NAME" */
	char *image;         /* the ELF image, a path of the host; "" if not known */
	pid_t pid;           /* as the benchmark saw it */
	pid_t parent;        /* 0 if not known; may be a pid that has no profile */
	unsigned generation; /* how many images this pid ran before this one, as far as
				* is known (Valgrind keeps the last two) */
	unsigned part;       /* 1, 2 …: files of one pid and generation are parts of one
				* profile, to be added up; > 1 after CALLGRIND_DUMP_STATS
				* or an exec that failed */
	unsigned thread;     /* 1, 2 … of each_thread; 0: all of them */
	uint64_t bytes;      /* size of the file */
	uint64_t collected;  /* sum of the first event (Ir) in this file */
	char *events;        /* the file's `events:`, "" if it has none … */
	uint64_t costs[RUN_EVENTS]; /* … and their sums, saturated; collected is the first */
	bool launcher;              /* a shell, env, make …: not what one wants to measure */
	bool forked;                /* forked without exec: its counts begin with a copy of its
				* parent's up to the fork, unless it had written these */
	bool replaced;              /* its process went on to exec another image */
};

/* One path of the benchmark's world and what it is outside of it. */
struct run_mapping {
	char *seen;    /* a directory or a file, as in `ob=` and `fl=` lines */
	char *real;    /* the same on the host */
	bool stripped; /* seen is a copy of real without its debug information,
				* with the same addresses and symbols */
};

/* Something that happened in a run and is no count of what was measured, as a profile keeps it
 * (src/diff/run_notes.h). */
struct run_note {
	char *key, *value;
};

/* What one of its cases is worth. */
enum run_case_state {
	RUN_CASE_MEASURED = 0,
	RUN_CASE_EMPTY,     /* it counts nothing */
	RUN_CASE_NOT_BEGUN, /* irdiff_end without irdiff_begin, once at least */
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
	int interrupted_by; /* for RUN_INTERRUPTED; irdiff should exit 128 + this */
	double seconds;     /* wall clock of the run that counted */

	struct run_profile *profiles; /* sorted by pid, generation, part */
	size_t nprofiles;
	size_t chosen;  /* index of the profile to read (of its first part); valid
				* if RUN_MEASURED */
	size_t nchosen; /* how many parts it has, from chosen on; usually 1 */
	bool left_copies; /* what the chosen one has forked by other means than fork(2) is left out, as
				* it begins with a copy of what that had counted */
	bool copied;      /* it, or another process of its parent, was forked, not by fork(2);
				* it may begin with a copy of what that had counted */
	size_t *files;    /* the profiles to be added up, if there are no cases: those chosen,
				* or of all processes */
	size_t nfiles, files_cap;
	struct run_case
		*cases; /* in the order in which they ended first; if there are any, only what
				 * is in them was measured, at least one was, and chosen is the
				 * process of the first of these */
	size_t ncases;
	struct run_note *notes; /* in an order that is the same in every run */
	size_t nnotes, notes_cap;
	char *integration; /* what ran CodSpeed's cases: "pytest-codspeed 4.2.0"; NULL */

	char *stdout_path; /* what the benchmark wrote, in workdir; NULL if never run */
	char *stderr_path;
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
	char *options;          /* Valgrind's options that can move a count, joined by
				   * spaces, no paths of this run */
	unsigned depth;         /* callers kept per context: what was chosen */
	char loader_cache[40];  /* digest of the list of libraries that it was shown; "": the
				   * host's, or it is static */
	const char *workspace;  /* "traced" or "links", see workspace.h; static text */
	unsigned threads;       /* that all processes have had in all beyond the first of each, and
				   * 1; 0: not known, as of several processes that are not added up */
	char *hwcaps;           /* CPU features that Valgrind passes on; NULL if not known */
	char *tunables;         /* GLIBC_TUNABLES that took effect, "" if none did */
	char *freeze_library;   /* host path of what froze it; NULL: none was needed */
	char *program;          /* host path of the ELF image or script started */
	bool static_image;      /* no ld.so: tunables and LD_PRELOAD cannot reach it */
	char **environment;     /* what the benchmark got, "NAME=VALUE", in order */
	size_t nenvironment;
};

/* Measures. Returns CG_OK when result->failure is RUN_MEASURED; else a negative
 * code, with the reason in one sentence in `err`. Unlike other out-parameters
 * *result is filled as far as it goes on failure too, and must be freed in
 * both cases; it need not be initialised. */
int run_benchmark(const struct run_request *request, struct run_result *result,
		  struct cg_error *err);

/* Frees what the result owns (not the files) and zeroes it. */
void run_result_free(struct run_result *result);

/* The host path of a path that stands in one of the raw files. On success
 * *real is a new string (a copy of `seen` if it is not mapped). */
int run_real_path(const struct run_result *result, const char *seen, char **real);

/* How many profiles (parts of one are one) there are to choose from: those with
 * counts, launchers apart, and what was forked to become something else. */
size_t run_candidates(const struct run_result *result);

/* How many of these are in files. */
size_t run_counted(const struct run_result *result);

/* The index behind the last part of the profile that begins at `begin`; *cost is
 * what its parts have collected, saturated. */
size_t run_profile_end(const struct run_profile *profiles, size_t nprofiles, size_t begin,
		       uint64_t *cost);

/* What is wrong with a case that was not measured, and what to do, in a sentence without its name.
 * `rooted`: only what runs below a function was to be counted. */
const char *run_case_words(enum run_case_state state, bool rooted);

/* "benchmark-failed" and so on, for logs and JSON. */
const char *run_failure_name(enum run_failure failure);

#endif
