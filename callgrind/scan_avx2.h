/*
 * Private to the library: adding up cost lines on processors with AVX2.
 *
 * 64 bytes at a time become bit masks, one bit per byte: where newlines, blanks,
 * digits, signs are. The grammar of a cost line is checked on the masks for all
 * its bytes at once, and what is left to do per line has no branch that depends
 * on how long its numbers are.
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

#endif
