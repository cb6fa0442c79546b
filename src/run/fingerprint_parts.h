/* What the files of a fingerprint share: fingerprint.c and one for each half. Private to these. */
#ifndef IRDIFF_RUN_FINGERPRINT_PARTS_H
#define IRDIFF_RUN_FINGERPRINT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/run/fact.h"
#include "src/run/interrupt.h"
#include "src/run/request.h"
#include "src/run/result.h"

/* FNV-1a: good enough to distinguish texts, no protection against forgery. */
#define FINGERPRINT_HASH_BEGIN 0xcbf29ce484222325u
uint64_t fingerprint_hash(uint64_t state, const void *data, size_t len);

/* The build-id of an object, or a hash if it has none; false: it cannot be read. */
bool fingerprint_of_object(const char *path, char *text, size_t size);

/* Whether a library is the C library, or the dynamic linker, by its base name. */
bool fingerprint_is_libc(const char *name);
bool fingerprint_is_ld_so(const char *name);

/* `root` is the project's root, canonical; NULL: no project. They fail with CG_ENOMEM only. */
int fingerprint_add_environment(struct fact_list *list, const struct run_request *request,
				const struct run_result *result, const char *root);
int fingerprint_add_subject(struct fact_list *list, const struct run_request *request,
			    const struct run_result *result, const char *root);
/* The commit of the project, if it is in git. */
int fingerprint_add_commit(struct fact_list *list, const char *root, struct interrupts *interrupts);

#endif
