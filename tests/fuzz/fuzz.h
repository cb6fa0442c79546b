/*
 * A fuzz target is one file with one function that takes any bytes. It may find
 * them malformed; if it takes them, laws must hold for what they became:
 *
 *	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *	{
 *		LAW(parse(data, size) == parse(data, size), "parsing is a function");
 *		return 0;
 *	}
 *
 * libFuzzer brings its own main; replay.c is one for every other compiler.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/profile.h"

/* What costs are counted in. */
typedef __typeof__(*((struct cg_profile *)0)->total) cost_t;

#define FUZZ_UNUSED __attribute__((unused))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A law that is broken is a finding: said in words, then abort(). */
#define LAW(holds, ...) \
	do { \
		if (!(holds)) { \
			fprintf(stderr, "%s:%d: broken law: ", __FILE__, __LINE__); \
			fprintf(stderr, __VA_ARGS__); \
			fputc('\n', stderr); \
			abort(); \
		} \
	} while (0)

/* Errors are said in words, in both places the same, and success says nothing. */
FUZZ_UNUSED static void check_error(int status, const struct cg_error *err)
{
	LAW(status <= 0, "a status is CG_OK or an error, not %d", status);
	LAW(err->code == status, "the status is %d, the error has %d", status, err->code);
	LAW(!status || err->message[0], "status %d comes without a message", status);
	LAW(status != CG_ENOMEM && status != CG_EINTERNAL, "status %d: %s", status, err->message);
}

/* A copy that ends with NUL, the caller's to free. */
FUZZ_UNUSED static char *text_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	LAW(text, "out of memory");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
