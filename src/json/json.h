/* Writing and reading JSON: the only module that uses the JSON library. */
#ifndef IRDIFF_JSON_JSON_H
#define IRDIFF_JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cgprofile/error.h"

/* ---- writing ---- */

/*
 * A document under construction. Its root is an object; json_begin_* open a
 * value inside the current one, json_end closes it. `key` is ignored inside
 * arrays. A member that exists is replaced. Failures (memory, nesting) are kept and returned by
 * json_finish.
 */
struct json;

struct json *json_new(void); /* NULL: out of memory */
void json_begin_object(struct json *j, const char *key);
void json_begin_array(struct json *j, const char *key);
void json_end(struct json *j);

/* Text that is not UTF-8 is written as text_safe shows it (keys as well); NULL becomes null. */
void json_text(struct json *j, const char *key, const char *text);
/* The same of a text that was made for it and is freed; NULL is a failure: no memory for it. */
void json_made_text(struct json *j, const char *key, char *text);
void json_cost(struct json *j, const char *key, int64_t cost);
/* A count. JSON integers end at 2^63 - 1 here; larger ones are written as a
 * string of digits rather than rounded. */
void json_count(struct json *j, const char *key, uint64_t n);
/* The same for the change head - base. */
void json_delta(struct json *j, const char *key, int64_t base, int64_t head);
void json_number(struct json *j, const char *key, double n);
/* A part of a whole, or how many times one number is another: to six decimals. */
void json_share(struct json *j, const char *key, double share);
/* A time since 1970, in UTC: "2026-11-23T02:15:00Z". */
void json_time(struct json *j, const char *key, int64_t seconds);
void json_flag(struct json *j, const char *key, bool b);
void json_none(struct json *j, const char *key);

/* Removes the last items of an array in the current object until that object, written as a
 * document, takes at most `bytes`, or `least` items remain. Returns how many it removed. */
size_t json_shorten(struct json *j, const char *key, size_t bytes, size_t least);

/* Writes the document as json_layout.h says, and frees it. CG_OK, CG_ENOMEM or CG_EIO. */
int json_finish(struct json *j, FILE *to);

/* The same on one line, without a newline, for use in HTML: no name in it ends the enclosing
 * element. */
int json_finish_embedded(struct json *j, FILE *to);

/* Forgets it. */
void json_abandon(struct json *j);

/* Writes one text, quoted, for documents too large to be kept: as text_safe shows it.
 * CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */
int json_write_text(const char *text, FILE *to);

/* ---- reading ---- */

/*
 * A value of a document that was read. The root is the caller's, and all others belong to it. A
 * query of NULL, or of a value of another kind, finds nothing, so a path into a document needs one
 * check at its end.
 */
struct json_value;

/* Reads a whole document. `what` names it in messages. CG_OK, CG_ENOMEM or CG_ESYNTAX. */
int json_read(const char *text, size_t size, const char *what, struct json_value **root,
	      struct cg_error *err);
/* Frees a root and all below it. NULL is allowed. */
void json_forget(struct json_value *root);

/* Whether it is an array, be it empty. */
bool json_is_list(const struct json_value *value);
/* How many items an array has. */
size_t json_items(const struct json_value *value);
const struct json_value *json_item(const struct json_value *array, size_t i);
const struct json_value *json_member(const struct json_value *object, const char *key);
/* The text up to its first NUL; NULL: the value is not a text. */
const char *json_text_of(const struct json_value *value);
/* Whether it is a whole number, 0 or larger. */
bool json_count_of(const struct json_value *value, uint64_t *n);
/* Whether it is `null`. */
bool json_is_none(const struct json_value *value);
/* Whether it is `true` or `false`. */
bool json_is_flag(const struct json_value *value);
/* Whether it is `true`. */
bool json_holds(const struct json_value *value);
/* Whether it is a whole number. */
bool json_cost_of(const struct json_value *value, int64_t *cost);
/* Whether it is a number, whole or not. */
bool json_number_of(const struct json_value *value, double *n);

#endif
