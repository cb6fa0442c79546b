/* The files of tasks and of their results: JSON for an irdiff of the same version, with texts of
 * any bytes. */
#ifndef IRDIFF_MEASURE_TASK_FILE_H
#define IRDIFF_MEASURE_TASK_FILE_H

#include "cgprofile/error.h"
#include "src/json/json.h"

/* A document with its schema and version. NULL: out of memory. */
struct json *task_begin_document(const char *schema);
/* Writes it to `path`, and frees it. */
int task_write_document(struct json *j, const char *path, struct cg_error *err);
/* Reads it; json_forget() it. Errors: CG_EINVAL if it is another version's or no such document,
 * CG_EIO, CG_ENOMEM. */
int task_read_document(const char *path, const char *schema, struct json_value **out,
		       struct cg_error *err);

/* Adds a text. JSON has no bytes that are not UTF-8, and json_text does not keep them: a text that
 * has some becomes {"hex": "2f746d702fff"}. NULL is left out. */
void task_add_bytes(struct json *j, const char *key, const char *text);
/* Turns such digits into bytes, in place. False: these are not such digits, or one byte is NUL. */
bool task_decode_hex(char *text);

#endif
