/* The text that a key of the cache is the digest of. */
#ifndef IRDIFF_COMMITS_KEY_TEXT_H
#define IRDIFF_COMMITS_KEY_TEXT_H

#include <stdio.h>

#include "cgprofile/error.h"
#include "src/config/config.h"
#include "src/digest/digest.h"
#include "src/store/history_row.h"

/* Writes one fact a line; line ends in the value are escaped. */
void key_put(FILE *to, const char *name, const char *value);
void key_put_number(FILE *to, const char *name, unsigned long long value);
/* Closes what open_memstream() opened: *text is the caller's. */
int key_finish(FILE *to, char **buffer, char **text, struct cg_error *err);

/* Whether a variable controls builds, and so is not secret. */
bool key_is_of_builds(const char *name);
void key_put_private(const struct digest_key *secret, FILE *to, const char *name,
		     const char *value);

void key_put_words(FILE *to, const char *name, const struct config_command *command);
/* Writes how a benchmark runs according to irdiff.yml. With the secret, values that are passed
 * through become digests; without it, they are left out. */
void key_put_benchmark(FILE *to, const struct config_benchmark *b, const struct digest_key *secret);

/* The digest of a benchmark's definition: its command, and where and how it runs according to
 * irdiff.yml. Counts with different definitions belong to different series. */
int definition_of(const struct config_benchmark *benchmark, char digest[HISTORY_DIGEST],
		  struct cg_error *err);

#endif
