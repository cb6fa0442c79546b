/*
 * Candidates for a word of a command line: names in the project of the current directory, one
 * function for each kind. Nothing here fails: what cannot be read silently has no names, as
 * somebody is typing.
 */
#ifndef IRDIFF_CLI_COMPLETION_VALUES_H
#define IRDIFF_CLI_COMPLETION_VALUES_H

#include <stddef.h>
#include <stdio.h>

/* The word, and what is printed for it (complete.h). */
struct completion_values {
	FILE *to;
	const char *word; /* as far as it is typed */
	size_t stem;      /* how much of it precedes every candidate */
};

/* Prints one candidate, unless it has control characters or is not UTF-8. Texts are not kept. */
void candidate(const struct completion_values *c, const char *text, const char *description);

/* What the shell itself knows. */
void complete_files(const struct completion_values *c);
void complete_directories(const struct completion_values *c);

void complete_labels(const struct completion_values *c); /* of existing profiles */
void complete_profiles(
	const struct completion_values *c); /* these, baseline:NAME/BENCH, cache, files */
void complete_benchmarks(const struct completion_values *c); /* of irdiff.yml, and their cases */
void complete_tags(const struct completion_values *c);       /* of these benchmarks: tag:TAG */
void complete_baselines(const struct completion_values *c);
void complete_refs(const struct completion_values *c);
void complete_range(const struct completion_values *c); /* REF, A..B, A...B */
void complete_remotes(const struct completion_values *c);
void complete_metrics(const struct completion_values *c);
void complete_events(const struct completion_values *c);   /* a list with commas */
void complete_limits(const struct completion_values *c);   /* METRIC= */
void complete_freeze(const struct completion_values *c);   /* a list with commas */
void complete_counters(const struct completion_values *c); /* a list with commas */
void complete_variables(const struct completion_values *c);

#endif
