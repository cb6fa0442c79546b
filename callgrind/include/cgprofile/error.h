/*
 * Errors: a status code for the kind of error, and a struct cg_error with a
 * message.
 *
 * Every fallible function of the library returns an int: CG_OK (0) or one of
 * the negative codes below. If it takes a `struct cg_error *`, that object is
 * filled on failure and untouched on success; NULL is allowed and drops the
 * message. The caller owns the object; it holds no allocated memory, so that
 * running out of memory can be reported too.
 */
#ifndef CGPROFILE_ERROR_H
#define CGPROFILE_ERROR_H

#include <stdint.h>

#include "cgprofile/api.h"

CG_BEGIN_DECLS

enum cg_status {
	CG_OK = 0,
	CG_ENOMEM = -1,    /* out of memory */
	CG_EIO = -2,       /* a file cannot be opened, read or written */
	CG_ESYNTAX = -3,   /* the input is malformed */
	CG_ERANGE = -4,    /* a number or a sum does not fit, or a limit is exceeded */
	CG_EINVAL = -5,    /* the caller asked for something that makes no sense */
	CG_EINTERNAL = -6, /* internal inconsistency: sums that must agree do not */
	CG_ECHOICE = -7,   /* the input has several candidates and the caller must choose one */
	CG_EFULL = -8,     /* no space to write: full disk, quota or file size limit */
};

struct cg_error {
	int code;          /* enum cg_status */
	uint64_t line;     /* 1-based line in `file`, 0 if unknown */
	char file[256];    /* "" if the error is not about a file */
	char message[768]; /* one sentence, no final newline */
};

/* Fills `err` (if not NULL) and returns `code`, so that callers can write
 * `return cg_fail(err, CG_EIO, path, 0, "cannot open: %s", strerror(errno))`. */
int cg_fail(struct cg_error *err, int code, const char *file, uint64_t line, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* The status for `reason`, the errno of a file operation: CG_EFULL or CG_EIO. */
int cg_io_status(int reason);

/* Out of memory, with the same message everywhere. */
int cg_fail_nomem(struct cg_error *err);

/* Prepends "context: " to the message of a filled error. */
void cg_error_context(struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

CG_END_DECLS

#endif
