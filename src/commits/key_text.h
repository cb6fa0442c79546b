/* The text that a key of the cache is the digest of. */
#ifndef IRDIFF_COMMITS_KEY_TEXT_H
#define IRDIFF_COMMITS_KEY_TEXT_H

#include <stdio.h>

#include "cgprofile/error.h"
#include "src/config/config.h"
#include "src/digest/digest.h"
#include "src/store/history_row.h"

/* One fact a line: what has line ends of its own gets none. */
void key_put(FILE *to, const char *name, const char *value);
void key_put_number(FILE *to, const char *name, unsigned long long value);
/* Closes what open_memstream() opened: *text is the caller's. */
int key_finish(FILE *to, char **buffer, char **text, struct cg_error *err);

/* What says how to build, and is no secret. */
bool key_is_of_builds(const char *name);
void key_put_private(const struct digest_key *secret, FILE *to, const char *name,
		     const char *value);

void key_put_words(FILE *to, const char *name, const struct config_command *command);
/* What irdiff.yml says of a benchmark: how it is run. Values of variables are told apart by the key only. */
void key_put_benchmark(FILE *to, const struct config_benchmark *b, const struct digest_key *secret);

/* What of that irdiff.yml says of the benchmark: its command, where and how it is run. Counts by
 * different definitions are not of one series. */
int definition_of(const struct config_benchmark *benchmark, char digest[HISTORY_DIGEST],
		  struct cg_error *err);

#endif
