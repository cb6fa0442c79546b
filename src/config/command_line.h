/*
 * Splits a command line into words by the quoting rules of the POSIX shell (sh(1), 2.2 Quoting),
 * without any expansion. Unquoted characters with a meaning for a shell ($x, `x`, globs, ~, #,
 * pipes, redirections, lists) are errors: no word is ever passed on that a reader would understand
 * otherwise.
 */
#ifndef IRDIFF_CONFIG_COMMAND_LINE_H
#define IRDIFF_CONFIG_COMMAND_LINE_H

#include <stddef.h>

#include "cgprofile/error.h"

struct command_line {
	char **argv; /* argc texts and a NULL; one block of memory */
	size_t argc; /* at least 1 */
};

/* CG_ESYNTAX with the column (1-based, in bytes) if `text` is not plain words
 * or holds none. Free with command_line_free. */
int command_line_split(const char *text, struct command_line *line, struct cg_error *err);
void command_line_free(struct command_line *line);

#endif
