/*
 * What the files of an entry of the cache were when it was kept: sums.txt in it, as sha256sum(1)
 * writes and checks it, of all files that may be shared and of its key. So a file that was changed,
 * or is another entry's, is noticed. It proves nothing to who does not trust its writer.
 */
#ifndef IRDIFF_STORE_SUMS_H
#define IRDIFF_STORE_SUMS_H

#include "cgprofile/error.h"

#define SUMS_FILE "sums.txt"

/* Writes it for the files that are there. */
int sums_write(const char *directory, struct cg_error *err);

/* CG_EINTERNAL, with a word on the first of them: a file is not as it was kept, is missing, or was
 * not there. */
int sums_check(const char *directory, struct cg_error *err);

#endif
