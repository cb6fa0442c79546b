/*
 * What --help and -h print. --help describes a command and all its options, under headings if there
 * are many; -h is a summary that fits on a screen of 24 lines.
 *
 * Lines are as long as the terminal is wide, within limits, or 80 columns if standard output is not
 * a terminal.
 */
#ifndef IRDIFF_CLI_HELP_H
#define IRDIFF_CLI_HELP_H

#include <stdio.h>

#include "src/cli/option_spec.h"

unsigned help_width(void);

/* Prints paragraphs, of which each is one line or several, filled again to `width`. */
void help_print_text(FILE *to, const char *text, unsigned width);
/* Prints a term, such as an option, and what it means in a column that begins at `indent`. */
void help_print_term(FILE *to, const char *term, const char *meaning, unsigned indent,
		     unsigned width);

void help_print(const struct command_help *help, const struct option_spec *specs, size_t nspecs,
		unsigned width);
void help_print_summary(const struct command_help *help, const struct option_spec *specs,
			size_t nspecs, unsigned width);

#endif
