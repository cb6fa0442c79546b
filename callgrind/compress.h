/* Packing files; cg_input_open unpacks them again. */
#ifndef CG_COMPRESS_H
#define CG_COMPRESS_H

#include <stdio.h>

#include "cgprofile/error.h"

/* Copies the rest of `from` to `to` as one zstd frame. CG_OK, CG_ENOMEM, or
 * CG_EIO if either stream failed. */
int cg_compress(FILE *from, FILE *to);

/* The same as a gzip file, which depends on nothing but the contents. */
int cg_compress_gzip(FILE *from, FILE *to);

#endif
