/*
 * Messages on standard error: one line each, so that a search finds them. Only on a terminal, lines
 * longer than its width are wrapped between words.
 */
#ifndef IRDIFF_CLI_MESSAGE_H
#define IRDIFF_CLI_MESSAGE_H

#include "src/status/notice.h"

/* Exit codes of all commands; 128 plus the number of a signal that interrupted them. */
enum exit_code {
	EXIT_FINE = 0,
	EXIT_LIMIT_EXCEEDED = 1,
	EXIT_USAGE = 2,     /* wrong usage or configuration, or unusable files */
	EXIT_BENCHMARK = 3, /* a build or a benchmark failed */
	EXIT_UNTRUSTED = 4, /* the measurement cannot be trusted */
};

int exit_code_of(enum ending ending);

/* Lines on standard error, with progress if that is a terminal. */
extern const struct notices terminal_notices;

/* A message that is written piece by piece: "irdiff: …", or "irdiff COMMAND: …". */
struct message {
	FILE *to; /* print to this; what was read from outside by text_print_name() */
	char *text;
	size_t size;
};

void message_begin(struct message *m);
/* Prints it, and ends the line. */
void message_end(struct message *m);

/* Whole messages to the notices above. */
void print_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Returns the exit code. */
int print_error(const struct cg_error *err);

/* "irdiff show: what; try 'irdiff show --help'"; returns EXIT_USAGE. */
int usage_error(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Columns of the terminal that is this file; 0: unknown. COLUMNS wins. */
unsigned terminal_width(int fd);

#endif
