/*
 * Messages, warnings and errors that work reports while it goes on. The work passes them to a
 * struct notices, and does not know whether they become lines on a terminal or nothing.
 *
 * All functions take NULL for the notices, and then do nothing.
 */
#ifndef IRDIFF_STATUS_NOTICE_H
#define IRDIFF_STATUS_NOTICE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "src/status/ending.h"

struct progress_display;

enum notice_kind {
	NOTICE_MESSAGE, /* one sentence or more, without a line break */
	NOTICE_WARNING,
	NOTICE_OUTPUT,  /* the end of a program's output: lines, of which any byte may be hostile */
	NOTICE_RELAYED, /* what another irdiff wrote to standard error: whole messages */
};

struct notices {
	/* `text` ends with a NUL at text[size]; but for NOTICE_OUTPUT and NOTICE_RELAYED nothing in
	 * it acts on a terminal. */
	void (*tell)(void *context, enum notice_kind kind, const char *text, size_t size);
	void *context;
	const struct progress_display *display; /* of progress.h; NULL: nobody watches */
};

/* For `tell`, if nobody reads messages. */
void notice_ignore(void *context, enum notice_kind kind, const char *text, size_t size);

/* Names in the arguments may come from anywhere: control characters are escaped. */
void notice_message(const struct notices *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void notice_warning(const struct notices *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void notice_formatted(const struct notices *n, enum notice_kind kind, const char *fmt, va_list ap);

/* "FILE:LINE: message". Returns the ending that the error means for the work. */
enum ending notice_error(const struct notices *n, const struct cg_error *err);

/* The end of a program's output; NULL and "": nothing. */
void notice_output(const struct notices *n, const char *tail);
void notice_relayed(const struct notices *n, const char *text, size_t size);

/* A message that is written piece by piece. */
struct notice {
	FILE *to; /* print to this; what was read from outside by text_print_name() */
	const struct notices *notices;
	enum notice_kind kind;
	char *text;
	size_t size;
};

/* Out of memory, what is printed to it is lost. */
void notice_begin(struct notice *m, const struct notices *n, enum notice_kind kind);
void notice_end(struct notice *m);

/* ---- warnings that many things may cause ---- */

/* "BEFORE NAME ONE" of one thing, or "BEFORE NAME and 3 more MANY" of several. */
struct warning_kind {
	const char *before, *one, *many;
};

/* Warnings that are reported once for all things that caused them, each of which counts once. */
struct warnings {
	struct repeated_warning {
		const struct warning_kind *kind;
		char **names; /* in the order in which they first came */
		size_t count, cap;
	} * items; /* in the order in which they first came */
	size_t count, cap;
};

/* Adds a warning, to be reported when `w` ends; at once if that is NULL. */
void warnings_add(struct warnings *w, const struct notices *n, const struct warning_kind *kind,
		  const char *name);
/* Reports the collected warnings, and forgets them. */
void warnings_end(struct warnings *w, const struct notices *n);

#endif
