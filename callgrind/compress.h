/* Packing a file with zstd; cg_input_open unpacks it again. */
#ifndef CG_COMPRESS_H
#define CG_COMPRESS_H

#include <stdio.h>

#include "callgrind/support/error.h"

/* Copies the rest of `from` to `to` as one zstd frame. CG_OK, CG_ENOMEM, or
 * CG_EIO if either stream failed. */
int cg_compress(FILE *from, FILE *to);

#endif
