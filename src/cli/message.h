/*
 * What commands say on stderr: one line for each message, so that it can be searched for. Only on a
 * terminal a line that is longer than that is wide is wrapped, between words.
 */
#ifndef IRDIFF_CLI_MESSAGE_H
#define IRDIFF_CLI_MESSAGE_H

#include <stdio.h>

#include "cgprofile/error.h"

/* A message that is written piece by piece. */
struct message {
	FILE *to; /* print to this; what was read from outside by text_print_name() */
	char *text;
	size_t size;
};

/* Begins it with "irdiff: ". */
void message_begin(struct message *m);
/* The same with "irdiff COMMAND: ". */
void message_begin_of(struct message *m, const char *command);
/* The same with "irdiff: warning: ". */
void warning_begin(struct message *m);
/* Prints it, and ends the line. */
void message_end(struct message *m);

/* A whole message, "irdiff: …", in which nothing acts on a terminal, whatever was read from outside. */
void print_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "irdiff: warning: …" */
void print_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What is said of one thing, "BEFORE NAME ONE", or of several, "BEFORE NAME and 3 more MANY". */
struct warning_kind {
	const char *before, *one, *many;
};

/* Warnings that many things may give rise to, each of which is said once for all of them. */
struct warnings {
	struct repeated_warning {
		const struct warning_kind *kind;
		char *name; /* of the first one */
		size_t count;
	} *items; /* in the order in which they first came */
	size_t count, cap;
};

/* Says it at the end of `w`; NULL: at once. */
void warn_of(struct warnings *w, const struct warning_kind *kind, const char *name);
/* Prints what has been collected, and forgets it. */
void warnings_end(struct warnings *w);

/* "irdiff: FILE:LINE: message". Returns the exit code: EXIT_USAGE, or EXIT_UNTRUSTED if sums
 * that must agree do not. */
int print_error(const struct cg_error *err);

/* What another irdiff has said where there was no terminal: its messages become such as they
 * would be here, other lines stay as they are. */
void print_messages(const char *text, size_t size);

/* The end of what a program has said; "" and NULL: nothing. */
void print_tail(const char *tail);

/* Columns of the terminal that is this file; 0: unknown. COLUMNS wins. */
unsigned terminal_width(int fd);

#endif
