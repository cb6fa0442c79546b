/* What to measure, and how. */
#ifndef IRDIFF_RUN_REQUEST_H
#define IRDIFF_RUN_REQUEST_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/error.h"
#include "src/digest/digest.h"
#include "src/guest/guest.h"

#define RUN_DEPTH_AUTO UINT_MAX  /* choose the depth by the kind of program (depth.h) */
#define RUN_DEFAULT_RECURSION 10 /* --separate-recs */

/* How a program marks where its cases begin and end. */
enum run_cases {
	RUN_CASES_AUTO,     /* by irdiff.h, if it does; else it has none */
	RUN_CASES_NONE,     /* it has none: parts are added up, whatever they are called */
	RUN_CASES_IRDIFF,   /* by irdiff.h: nothing else is counted, which is faster */
	RUN_CASES_DUMPS,    /* by CALLGRIND_DUMP_STATS_AT(NAME), which ends one */
	RUN_CASES_CODSPEED, /* as integrations of CodSpeed do (codspeed.h) */
	/* it does not: its harness runs it once for each case (harness.h) */
	RUN_CASES_CRITERION,
	RUN_CASES_DIVAN,
	RUN_CASES_LIBTEST,
	RUN_CASES_GOOGLE_BENCHMARK,
	RUN_CASES_GO,
	RUN_CASES_GUNGRAUN,
	RUN_CASES_CATCH2,
	RUN_CASES_NANOBENCH,
};

/* What counts. */
enum run_tool {
	RUN_CALLGRIND,
	RUN_DHAT, /* the heap of one process without cases (heap.h) */
};

/* Which of several processes are measured. */
enum run_processes {
	RUN_PROCESSES_FORKED, /* the chosen one (choose.h) and all that it has forked */
	RUN_PROCESSES_ONE,    /* that one alone */
	RUN_PROCESSES_EACH, /* each is a case with the name of its image; launchers are left out */
	RUN_PROCESSES_ALL,  /* their sum without launchers */
	/* the sum of those of programs below the root; of all if there are none */
	RUN_PROCESSES_PROJECT,
};

/* What others see of a run at the same time. */
enum run_shared {
	RUN_SHARES_ROOT = GUEST_SHARES_ROOT, /* its project's files: they run there, too */
	RUN_SHARES_REST = GUEST_SHARES_REST, /* all else */
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
	/* the key for digests of values that are passed on; NULL: no digests are made */
	const struct digest_key *secret;
	/* Which image is meant if the command becomes several: a base name or a path; NULL: see
	 * choose.h. */
	const char *image;
	const char *function;      /* collect only below this function, NULL: everything.
				      * Becomes --toggle-collect=, * and ? are wildcards */
	unsigned depth;            /* callers kept per context, 0: none are; init: AUTO */
	unsigned recursion;        /* levels of recursion kept apart, 0: Valgrind's own */
	bool cache_sim;            /* simulate the fixed caches; on after init */
	bool warm_up;              /* run it once without Valgrind before, not counted, so
				      * that Python can write its .pyc files */
	bool natively;             /* run it without Valgrind only: the result has no profile,
				      * but the seconds that it took, each case once */
	const char *const *hidden; /* directories below root that the benchmark sees empty,
				      * such as ours, which grows with every run; untraced
				      * it sees them as they are */
	bool presets;              /* set what makes counts of its runtime repeat (presets.h);
				      * on after init */
	unsigned freeze;           /* enum freeze: what is made constant for it; 0: nothing */
	unsigned count;            /* enum count: what else is counted */
	enum run_tool tool;
	bool in_place; /* run an ELF program at its own path, not at the fixed one */
	/* argv is from a command line, so advice names its options instead of irdiff.yml */
	bool by_command;
	bool untraced;        /* for tests and doctor: behaves as if tracing were refused */
	enum run_cases cases; /* which parts of a profile are cases of their own */
	/* Chooses which cases are run, if each has a run of its own: chosen[i] is false before.
	 * NULL: all are run. */
	int (*choose)(const void *chooser, const char *const *names, size_t count, bool *chosen,
		      struct cg_error *err);
	const void *chooser;
	enum run_processes processes;
	bool each_thread; /* each thread is a case, "thread 1" the first */
	/* enum run_shared: what runs at the same time share with this one. If it is about to change
	 * that, or cannot be traced, it fails as RUN_NOT_ALONE */
	unsigned shared;
	bool names;       /* tell which paths all runs name (names_path of the result) */
	uint64_t signals; /* bit n: a process that counts may be killed by signal n (signals.h) */
	unsigned timeout; /* seconds for all runs together, 0: none; the repetition
				      * for a program with cases that forks has as many again */
	const char *workdir;                 /* existing directory, the caller's own, for the raw
				      * files and logs; nothing in it is removed on success */
	const char *valgrind;                /* path of the Valgrind to use; NULL: $IRDIFF_VALGRIND,
				      * else the PATH */
	const char *const *valgrind_options; /* added after the recipe's; what the driver
				      * itself depends on (out-file, log, tool …) is refused */
	int cpu; /* the CPU to run on (cpu.h); -1: the first one allowed; set by init */
};

/* All fields at their defaults; argv, root and workdir are left to set. */
void run_request_init(struct run_request *request);

/* Whether processes or threads are cases of their own, or all processes are added up. */
bool run_request_divides(const struct run_request *request);
/* Whether processes that are no forks of the chosen one count as well. */
bool run_request_has_several(const struct run_request *request);

#endif
