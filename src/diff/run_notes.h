/*
 * What a profile says of its run besides counts: what the processes that do not count have counted,
 * how processes ended, and what could make another run count otherwise.
 *
 * The driver writes these as `desc: irdiff.run.KEY: VALUE` (src/run/notes.c):
 *
 *	processes        5 processes: in all
 *	uncounted        2 processes, 920860 Ir, 26446 Dr: helper
 *	hidden           1 process, 227469 Ir: prog executed at least, but was not counted: counting
 *	                                            was switched off, or counts were set to 0
 *	off              1 process: prog            it has switched off Valgrind's instrumentation
 *	lost             1 process: prog            it became another program before it had written
 *	                                            its counts
 *	lost.forked      2 processes: prog          the same of those that it forked
 *	left             1 process: sleep           it was killed, as the benchmark had ended
 *	signal           11 in 2 processes: helper  of processes that do not count …
 *	signal.counted   15 in 1 process: prog      … and of those that do, which irdiff.yml allows
 *	status           1 in 3 processes: grep     an exit status other than 0, likewise
 *	status.counted   1 in 1 process: prog
 *	reads            random numbers
 *	sources          fnv1a:0123456789abcdef     digest of the project's files that the program
 *	                                            was made of
 *	copied           bin/prog                   what copy: of irdiff.yml has put there and was
 *	                                            run
 */
#ifndef IRDIFF_DIFF_RUN_NOTES_H
#define IRDIFF_DIFF_RUN_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/profile.h"

#define RUN_NOTES_PREFIX "irdiff.run."

/* Whether a profile has notes: early versions of irdiff wrote none. */
bool run_notes_known(const struct cg_profile *p);

/* One line of a key. Texts belong to the profile. */
struct run_note_line {
	int code; /* a signal or an exit status; 0: the key has none */
	uint64_t processes;
	const char *costs; /* ", 920860 Ir, 26446 Dr", up to … */
	size_t costs_len;
	const char *name; /* of the program */
};

/* The next line of a key after *at, which begins at 0. Lines of another form are skipped. */
bool run_notes_next(const struct cg_profile *p, const char *key, uint32_t *at,
		    struct run_note_line *out);

/* The cost of such a line in an event; 0 if it has none. */
uint64_t run_note_cost(const struct run_note_line *line, const char *event);

/* The sum of an event over all lines of a key ("uncounted", "hidden"), saturated. */
uint64_t run_notes_cost(const struct cg_profile *p, const char *key, const char *event);

/* How many processes a key has, with this code and name, in all its lines; code 0, name NULL:
 * any. */
uint64_t run_notes_count(const struct cg_profile *p, const char *key, int code, const char *name);

/* Sources of numbers that can differ from run to run, by what the profile's functions show and what
 * the run has noted, less what was frozen, and reads of the clock that nothing depends on
 * (idle_reads.h). */
enum run_reads {
	RUN_READS_CLOCK = 1,
	RUN_READS_RANDOM = 2,
	RUN_READS_PID = 4, /* only where it was not traced: what is traced has constant ones */
};
unsigned run_notes_reads(const struct cg_profile *p);

/* Whether random numbers are the processor's, which freezing does not reach: std::random_device of
 * libstdc++ executes rdrand. */
bool run_notes_draws_from_processor(const struct cg_profile *p);

/* Those that were frozen, or are constant without. */
unsigned run_notes_frozen(const struct cg_profile *p);

/* "the clock and random numbers" */
#define RUN_READS_TEXT 64
const char *run_reads_text(unsigned reads, char text[RUN_READS_TEXT]);
/* What to freeze: "random,time". */
const char *run_reads_kinds(unsigned reads, const char *between, char text[RUN_READS_TEXT]);

#endif
