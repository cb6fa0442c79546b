/*
 * SHA-256: of files, to detect changes, and keyed, to distinguish values without revealing them:
 * without the key, guesses cannot be tested. Also the ids that git gives to contents.
 */
#ifndef IRDIFF_DIGEST_DIGEST_H
#define IRDIFF_DIGEST_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define DIGEST_SIZE 65 /* 64 hexadecimal digits and a NUL */
#define DIGEST_KEY_BYTES 32
#define DIGEST_KEYED_SIZE 47 /* "hmac:", 8 digits, a colon, 32 digits and a NUL */

struct digest_key {
	unsigned char bytes[DIGEST_KEY_BYTES];
};

void digest_of_bytes(const void *bytes, size_t count, char digest[DIGEST_SIZE]);

/* The id of a blob, as of `git hash-object --stdin`: in a repository of SHA-256, or of SHA-1. */
void digest_of_blob(const void *bytes, size_t count, bool sha256, char id[DIGEST_SIZE]);

/* The digest of a regular file's contents; symbolic links are refused. CG_EIO. */
int digest_of_file(const char *path, char digest[DIGEST_SIZE], struct cg_error *err);

/* "hmac:KEY:DIGEST", where KEY distinguishes keys: digests with two keys cannot be compared.
 * Values of two names have two digests, even if they are equal. */
void digest_keyed(const struct digest_key *key, const char *name, const char *value,
		  char digest[DIGEST_KEYED_SIZE]);

#endif
