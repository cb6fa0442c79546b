/*
 * Private to the library: what scan_avx2.h does, on processors with AVX-512.
 *
 * Masks are cheaper there, and the digits of the costs of all events are added up together.
 */
#ifndef CG_SCAN_AVX512_H
#define CG_SCAN_AVX512_H

#include "callgrind/scan.h"

/* Most columns that the function below takes. */
#define AVX512_COLUMNS 16

/* Whether this processor can; the functions below must not be called otherwise. */
bool cg_have_avx512(void);

/* As cg_sum_lines_avx2. */
const char *cg_sum_lines_avx512(const char *at, const struct scan_format *format, bool at_zero,
				int64_t *sum, uint32_t *lines);

/* As cg_line_end_avx2. */
const char *cg_line_end_avx512(const char *at);

#endif
