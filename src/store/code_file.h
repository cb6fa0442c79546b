/*
 * The machine code of a profile's objects as it was measured (callgrind/machine_code.h), in a file
 * next to the profile, compressed with zstd:
 *
 *     irdiff code 2
 *     MACHINE STATE BUILD-ID SECTIONS JUMPS RANGES PATH    of each object; "-": no build-id
 *     ADDRESS SIZE                                         of each section
 *     ADDRESS TARGET COUNT                                 of each jump
 *     ADDRESS SIZE WHOLE                                   of each range, then its bytes, a newline
 *
 * JUMPS is one more than there are, or 0 if they were not counted. MACHINE and STATE are the
 * numbers of their enums, and WHOLE is 0 or 1; other numbers are decimal, too.
 */
#ifndef IRDIFF_STORE_CODE_FILE_H
#define IRDIFF_STORE_CODE_FILE_H

#include "callgrind/machine_code.h"
#include "cgprofile/error.h"

/* Objects whose paths have a newline are left out. Errors: CG_ENOMEM, CG_EIO. */
int code_file_save(const char *path, const struct cg_code *code, struct cg_error *err);

/* Finds nothing in what another version of irdiff wrote. Errors: CG_ESYNTAX (another kind of file,
 * or a damaged one), CG_EIO, CG_ENOMEM. Free with cg_code_free. */
int code_file_load(const char *path, struct cg_code *out, struct cg_error *err);

#endif
