/* Reports on whether a benchmark counts the same in every run. The structs are views: they own
 * nothing. */
#ifndef IRDIFF_REPORT_VERIFY_REPORT_H
#define IRDIFF_REPORT_VERIFY_REPORT_H

#include <stdio.h>

#include "src/diff/variation.h"
#include "src/text/text.h"

#define VERIFY_RUNS_OF_THREADS 20 /* that, if equal, say something of a program with threads */
#define VERIFY_WORDS 16           /* room for remedies, and for what freezes */

/* In what runs may differ below functions. */
enum verify_detail {
	VERIFY_LINES = 1,    /* own costs of source lines */
	VERIFY_SITES = 2,    /* these, or the lines from which functions are called */
	VERIFY_CONTEXTS = 4, /* what functions cost in which calling context */
};

/* What a benchmark is to have in irdiff.yml. */
struct verify_remedy {
	const char *freeze
		[VERIFY_WORDS]; /* all that is to be frozen; static texts, NULL after the last */
	const char *const
		*env[VERIFY_WORDS]; /* lists of "NAME=VALUE", each with a NULL after the last */
	bool warm_up, presets;
};

/* Some runs with some remedies. */
struct verify_attempt {
	const char *remedies[VERIFY_WORDS]; /* static texts, NULL after the last */
	bool failed;                        /* a run of it did … */
	bool timed_out;                     /* … as it did not end within … */
	unsigned limit;                     /* … so many seconds */
	bool out_of_time;                   /* … as the time for all attempts was over */
	bool equal;
	size_t runs;          /* it stops when one differs */
	struct spread spread; /* of the first event's total */
};

struct verify_report {
	const char *name;                 /* of the benchmark, or of its case, "BENCH/CASE" */
	const char *benchmark;            /* of irdiff.yml; NULL: a command */
	const struct cg_profile *profile; /* of the first run: names of events */
	size_t runs;
	bool equal;             /* byte by byte */
	unsigned details;       /* enum verify_detail; none, and not equal: in addresses */
	bool threads;           /* the program has some … */
	const char *threads_of; /* … of this runtime, such as "Node.js"; NULL: of its own */
	unsigned reads;         /* enum run_reads: what may make other runs differ */
	const char *to_freeze;  /* what prevents that, as in irdiff.yml; NULL: nothing does */
	const struct variation *variation;
	const struct verify_attempt *attempts;
	size_t nattempts;
	double seconds;                     /* for all attempts; 0: any */
	const struct verify_remedy *remedy; /* NULL: none is known, or none is needed */
	bool probable; /* the program has several threads with it, too: equal runs may be chance */
	/* Without a remedy: what makes it vary less, and how far it varies then. NULL: nothing. */
	const struct verify_remedy *reduction;
	const struct variation *reduced;
	size_t reduced_runs;
};

/* The words of what varies, most important first, NULL after the last: "totals", "functions",
 * "calls", "lines", "sites", "contexts", "addresses". */
void verify_differences(const struct verify_report *r, const char *words[VERIFY_WORDS]);

/* That for which irdiff.yml is to state a tolerance. */
const struct variation *verify_variation(const struct verify_report *r);

/* Whether irdiff.yml is to state a tolerance on the event: it varies, or is that by which programs
 * with threads are compared, and VERIFY_RUNS_OF_THREADS did not vary. */
bool verify_states(const struct verify_report *r, uint32_t event);

/* Both return CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */
int verify_text(const struct verify_report *r, const struct text_style *style, FILE *to);
/* data/verify.schema.json */
int verify_json(const struct verify_report *r, FILE *to);

#endif
