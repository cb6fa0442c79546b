/*
 * Private to the library: what scan_avx2.h does, on processors with AVX-512.
 *
 * Masks are cheaper there, so that no work is left to do per line of a file with one event: lines
 * are taken apart all at once, by additions whose carries run from the start of a word to its end,
 * and the digits of all costs that have the same place value are added up together. Addresses may
 * be hexadecimal.
 */
#ifndef CG_SCAN_AVX512_H
#define CG_SCAN_AVX512_H

#include "callgrind/scan.h"

/* Most columns that the function below takes. */
#define AVX512_COLUMNS 16

/* Whether this processor can; the function below must not be called otherwise. */
bool cg_have_avx512(void);

/* As cg_sum_lines_avx2. */
const char *cg_sum_lines_avx512(const char *at, const struct scan_format *format, bool at_zero,
				int64_t *sum, uint32_t *lines);

/* The first newline or NUL byte, of which there must be one. */
const char *cg_line_end_avx512(const char *at);

#endif
