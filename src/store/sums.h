/*
 * The digests of the files of a cache entry when it was kept: sums.txt in it, as sha256sum(1)
 * writes and checks it, of all files that may be shared and of the key. It shows whether a file was
 * changed or belongs to another entry. It proves nothing to a reader who does not trust its writer.
 */
#ifndef IRDIFF_STORE_SUMS_H
#define IRDIFF_STORE_SUMS_H

#include "cgprofile/error.h"

#define SUMS_FILE "sums.txt"

/* Writes it for the files that exist. */
int sums_write(const char *directory, struct cg_error *err);

/* Checks them: CG_EINTERNAL, naming the first file that was changed, is missing, or was added. */
int sums_check(const char *directory, struct cg_error *err);

#endif
