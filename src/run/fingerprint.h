/*
 * The circumstances of a measurement as plain facts, in two halves.
 *
 * Environment: what must be equal for two counts to be comparable. It holds no
 * path of the project and nothing that differs between two runs on one machine
 * in different directories.
 * Subject: what was measured; expected to differ between base and head.
 */
#ifndef IRDIFF_RUN_FINGERPRINT_H
#define IRDIFF_RUN_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"
#include "src/run/fact.h"
#include "src/run/interrupt.h"
#include "src/run/request.h"
#include "src/run/result.h"

struct fingerprint {
	struct fact_list environment;
	struct fact_list subject;
};

/* Collects both halves after a run. *fingerprint need not be initialised; on failure it is
 * untouched. A signal ends the calls of git, and is left in `interrupts` for the caller. */
int fingerprint_collect(const struct run_request *request, const struct run_result *result,
			struct interrupts *interrupts, struct fingerprint *fingerprint,
			struct cg_error *err);
void fingerprint_free(struct fingerprint *fingerprint);

/* "fnv1a:0123456789abcdef" of a file's contents: good enough to distinguish files, no protection
 * against forgery. False if it cannot be read. */
bool fingerprint_of_file(const char *path, char *text, size_t size);

/* The same of bytes. */
void fingerprint_of_bytes(const void *bytes, size_t count, char *text, size_t size);

#endif
