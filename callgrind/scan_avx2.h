/*
 * Private to the library: adding up cost lines on processors with AVX2.
 *
 * 64 bytes at a time become bit masks. The grammar of their lines is checked on the masks for all
 * at once (scan_lines.h). The digits of the costs of one event that have the same place value are
 * added up together, and of several events, the costs that are not 0 one by one.
 */
#ifndef CG_SCAN_AVX2_H
#define CG_SCAN_AVX2_H

#include "callgrind/scan.h"

/* Whether this processor can; the functions below must not be called otherwise. */
bool cg_have_avx2(void);

/*
 * Adds the costs of the lines from `at` on to `sum` (ncolumns), up to the first
 * that may not join those before it (`at_zero`: these have line number 0), is not
 * in the usual form, has a number of more than eight digits or is longer than 64
 * bytes. Returns that line, of which nothing was added, and adds
 * the number of lines before it to *lines. SCAN_PADDING newlines must stand
 * after the text.
 */
const char *cg_sum_lines_avx2(const char *at, const struct scan_format *format, bool at_zero,
			      int64_t *sum, uint32_t *lines);

/* The first newline or NUL byte, of which there must be one. */
const char *cg_line_end_avx2(const char *at);

#endif
