/*
 * The JSON of rows (history_row.h): there is one way to write a row, and only what is written so is
 * read.
 */
#ifndef IRDIFF_STORE_ROW_JSON_H
#define IRDIFF_STORE_ROW_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

/* A text that is written, zeroed to begin with. After the first failure nothing more is. */
struct row_text {
	char *bytes;
	size_t size, cap;
	bool failed;
};

void row_put_bytes(struct row_text *to, const char *bytes, size_t size);
void row_put(struct row_text *to, const char *bytes);
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

bool row_take(struct row_reading *in, const char *expected); /* false: it is not there */
void row_expect(struct row_reading *in, const char *expected);
/* What leads to a value, and the value: in `texts`; NULL after a failure. */
char *row_take_text(struct row_reading *in, const char *lead);
int64_t row_take_integer(struct row_reading *in);

#endif
