/*
 * What a word of a command line may become: names of what there is in the project at the current
 * directory, one function for each kind. Nothing here fails: what cannot be read has no names,
 * without a word, since somebody is typing.
 */
#ifndef IRDIFF_CMD_CANDIDATES_H
#define IRDIFF_CMD_CANDIDATES_H

#include <stddef.h>
#include <stdio.h>

/* The word, and what is printed for it (complete.h). */
struct candidates {
	FILE *to;
	const char *word; /* as far as it is typed */
	size_t stem;      /* how much of it stands before every candidate */
};

/* Prints one candidate, unless it has control characters or is not UTF-8. Texts are not kept. */
void candidate(const struct candidates *c, const char *text, const char *description);

/* What the shell itself knows. */
void candidates_files(const struct candidates *c);
void candidates_directories(const struct candidates *c);

void candidates_labels(const struct candidates *c);     /* of profiles that are there */
void candidates_profiles(const struct candidates *c);   /* these, baseline:NAME/BENCH, cache, files */
void candidates_benchmarks(const struct candidates *c); /* of irdiff.yml, and their cases */
void candidates_baselines(const struct candidates *c);
void candidates_refs(const struct candidates *c);
void candidates_range(const struct candidates *c); /* REF, A..B, A...B */
void candidates_remotes(const struct candidates *c);
void candidates_metrics(const struct candidates *c);
void candidates_events(const struct candidates *c); /* a list with commas */
void candidates_limits(const struct candidates *c); /* METRIC= */
void candidates_freeze(const struct candidates *c); /* a list with commas */
void candidates_variables(const struct candidates *c);

#endif
