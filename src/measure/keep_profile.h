/* Keeps the profile of a run as a label, or as an entry of the cache, with all its files. */
#ifndef IRDIFF_MEASURE_KEEP_PROFILE_H
#define IRDIFF_MEASURE_KEEP_PROFILE_H

#include "cgprofile/inlines.h"
#include "cgprofile/reader.h"
#include "src/measure/measurement.h"
#include "src/run/fingerprint.h"
#include "src/run/interrupt.h"

/* What all profiles of one run have in common. */
struct kept_run {
	const struct measurement *m;
	const struct run_result *result;
	const struct fingerprint *fingerprint;
	const struct cg_inlines *inlines;
	const char *dependencies; /* as dependencies_find has them; NULL: not known */
	const char *used_files;   /* as used_files_find has them; NULL: not known */
	struct interrupts *interrupts;
	struct cg_path_map renamed[2]; /* in what is written */
	size_t nrenamed;
};

/* One of them: the sum of some raw files. */
struct kept_profile {
	const char *label; /* or the name of the cache entry */
	const char
		*benchmark;  /* that it is of; a case's is "BENCH/CASE"; NULL: none of irdiff.yml */
	const char *name;    /* of the case, as the program calls it; NULL: it has none */
	const size_t *files; /* indexes of result->profiles */
	size_t nfiles;
	struct cg_profile *fine; /* of these files, which is taken over; NULL: still to be read */
};

/* Writes it, with all that belongs to it, in a work directory, puts that in place, and hands over
 * what was written, with lines, without contexts. Prints errors; returns the exit code: 0, 2, 4, or
 * 128 + N after a signal. */
enum ending keep_profile(const struct kept_run *run, const struct kept_profile *what,
			 struct cg_profile **out);

/* Reads all these files with as much detail as other profiles are made of that are kept, but
 * contexts. */
int keep_read_fine(const struct kept_run *run, const size_t *files, size_t count,
		   struct cg_profile **out, struct cg_error *err);

/* Which functions are inlined where, of all files at once: later their objects may be others. */
int keep_find_inlines(const struct kept_run *run, const struct cg_profile *fine,
		      struct cg_inlines **out, struct cg_error *err);

#endif
