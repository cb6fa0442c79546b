/*
 * irdiff-accepted.yml: regressions that were accepted, beside irdiff.yml. People read and review
 * it; irdiff writes it, entry by entry, and leaves what is not about that entry as it is.
 *
 *     accepted:
 *     - benchmark: parse
 *       metric: Ir                       # incl.Ir: inclusive
 *       function: json_scan              # of a limit on functions
 *       limit: "+1%"
 *       base: 100000
 *       head: 175000
 *       environment: 0123456789abcdef    # where this was measured
 *       why: "checks UTF-8 now"
 *       date: 2026-11-21
 *       who: Jane Doe
 *
 * What an entry means: src/diff/accepted.h. Its text is as hostile as that of irdiff.yml.
 */
#ifndef IRDIFF_CONFIG_ACCEPTED_H
#define IRDIFF_CONFIG_ACCEPTED_H

#include <stdbool.h>

#include "src/diff/accepted.h"

#define ACCEPTED_NAME "irdiff-accepted.yml"
#define ACCEPTED_BYTES_MAX (1024 * 1024)

struct config_pool;

struct accepted {
	struct acceptance *items; /* in the order of the file */
	size_t count;
	struct config_pool *pool; /* owns all of it */
};

/* Parses a file's text; `path` is for messages and is copied. Two entries for the same head of the
 * same subject are an error. Free with accepted_free. */
int accepted_parse(const char *text, size_t len, const char *path, struct accepted *out,
		   struct cg_error *err);
/* The same for a file, which may be missing. */
int accepted_load(const char *path, struct accepted *out, struct cg_error *err);
void accepted_free(struct accepted *a);

/* Whether both are of the same benchmark, metric and function. */
bool acceptance_same_subject(const struct acceptance *a, const struct acceptance *b);

/* The text without the entries that `drop` marks (NULL: none), and with new entries: in place of
 * dropped ones of the same subject, otherwise sorted in. *out is the caller's, free() it. CG_EINVAL
 * if entries are written so that others would be changed. */
int accepted_edit(const char *text, size_t len, const char *path, const bool *drop,
		  const struct acceptance *add, size_t nadd, char **out, struct cg_error *err);

#endif
