/*
 * Reading the values of irdiff.yml from the document: what config.c,
 * read_command.c, read_limits.c, read_paths.c and read_tolerance.c share. Private to src/config.
 */
#ifndef IRDIFF_CONFIG_READ_H
#define IRDIFF_CONFIG_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callgrind/support/text.h"
#include "cgprofile/error.h"
#include "src/config/document.h"
#include "src/config/pool.h"
#include "src/config/value.h"
#include "src/diff/limit.h"
#include "src/diff/tolerance.h"

struct config_reader {
	const char *path;
	struct config_pool *pool;
	struct cg_error *err; /* never NULL */
};

/* Fails with a message about a line of the file. */
#define READ_FAIL(r, line, ...) cg_fail((r)->err, CG_ESYNTAX, (r)->path, line, __VA_ARGS__)

/* A key a map may have. `read` stores the value in `target`. */
struct field {
	const char *key;
	int (*read)(struct config_reader *r, const struct doc_entry *entry, void *target);
};

/* Reads a map: every key must be among the fields. `what` names the map in
 * messages ("benchmark 'parse'"). */
int read_fields(struct config_reader *r, const struct doc_node *map, const char *what,
		const struct field *fields, size_t count, void *target);

/* "a map", "an empty list", "nothing" or the text in quotes: what was found
 * instead. `out` is room for the text. */
const char *read_found(char out[CG_QUOTE_SIZE], const struct doc_node *node);

/* Fails, as the value of `entry` is not what was expected. */
int read_mismatch(struct config_reader *r, const struct doc_entry *entry, const char *expected);

/* Adds the place in the file and the key to an error of another module; returns `rc`. */
int read_place(struct config_reader *r, const struct doc_entry *entry, int rc);

/* Makes sure the value is a map (a list) and not empty. */
int read_expect(struct config_reader *r, const struct doc_entry *entry, enum doc_kind kind,
		const char *expected);

/* A text that is neither empty nor null. */
int read_text(struct config_reader *r, const struct doc_entry *entry, const char *expected,
	      const char **text);
/* The same and without control characters. */
int read_line(struct config_reader *r, const struct doc_entry *entry, const char *expected,
	      const char **text);
int read_bool(struct config_reader *r, const struct doc_entry *entry, bool *value);
/* A plain whole number. */
int read_number(struct config_reader *r, const struct doc_entry *entry, uint32_t min, uint32_t max,
		const char *expected, uint32_t *value);
/* 30, "30s", "5m" or "2h", from 1 s to CONFIG_TIMEOUT_MAX. */
int read_duration(struct config_reader *r, const struct doc_entry *entry, uint32_t *seconds);

/* A command: a list of words, or a text that is split, or with `shell` passed
 * to /bin/sh. */
int read_command(struct config_reader *r, const struct doc_entry *entry, bool shell,
		 struct config_command *command);

/* [NAME, NAME=VALUE, …] or {NAME: VALUE, NAME: null}. */
int read_env(struct config_reader *r, const struct doc_entry *entry, struct config_env **env,
	     size_t *count);

/* {METRIC: VALUE, "fn:REGEX": {METRIC: VALUE}}, of a benchmark also {"case:PATTERN": {…}}. */
int read_limits(struct config_reader *r, const struct doc_entry *entry, enum limit_level level,
		struct limit_set *set);

/* {METRIC: 400}, {METRIC: "0.1%"}, {METRIC: [400, "0.1%"]}. */
int read_tolerance(struct config_reader *r, const struct doc_entry *entry, struct tolerance **out,
		   size_t *count);

/* [data, "x/y*"]: paths or patterns in the project. */
int read_file_list(struct config_reader *r, const struct doc_entry *entry, struct config_text **out,
		   size_t *count);

/* [target, x/y]: directories in the project, made normal. */
int read_keep(struct config_reader *r, const struct doc_entry *entry, struct config_text **out,
	      size_t *count);

#endif
