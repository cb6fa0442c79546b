/*
 * The JSON of rows (history_row.h): there is one way to write a row, and only what is written so is
 * read.
 */
#ifndef IRDIFF_STORE_ROW_JSON_H
#define IRDIFF_STORE_ROW_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cgprofile/error.h"

/* A text that is written, zeroed to begin with. After the first failure nothing more is. */
struct row_text {
	char *bytes;
	size_t size, cap;
	bool failed;
};

void row_put_bytes(struct row_text *to, const char *bytes, size_t size);

/* Inline, as is what reads below: the lengths of most texts are known to the compiler. */
static inline void row_put(struct row_text *to, const char *text)
{
	row_put_bytes(to, text, strlen(text));
}

/* What leads to a value, such as `,"key":`, and the value. */
void row_put_text(struct row_text *to, const char *lead, const char *text);
void row_put_integer(struct row_text *to, const char *lead, int64_t n);

/* *text is the caller's. CG_ENOMEM, also if something could not be written. */
int row_text_finish(struct row_text *to, char **text, struct cg_error *err);

/* What is read. After the first failure, CG_ESYNTAX or CG_ENOMEM, nothing more is. */
struct row_reading {
	const char *at, *end;
	char *texts; /* where the next text is put: none is longer than it is in JSON */
	int status;
};

/* false: it is not there. */
static inline bool row_take(struct row_reading *in, const char *expected)
{
	size_t len = strlen(expected);

	if (in->status || (size_t)(in->end - in->at) < len || memcmp(in->at, expected, len) != 0)
		return false;
	in->at += len;
	return true;
}

static inline void row_expect(struct row_reading *in, const char *expected)
{
	if (!row_take(in, expected) && !in->status)
		in->status = CG_ESYNTAX;
}

/* In `texts`; NULL after a failure. */
char *row_take_json_text(struct row_reading *in);
int64_t row_take_integer(struct row_reading *in);

/* What leads to a text, and the text. */
static inline char *row_take_text(struct row_reading *in, const char *lead)
{
	row_expect(in, lead);
	return row_take_json_text(in);
}

#endif
