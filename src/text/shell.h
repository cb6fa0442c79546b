/* Commands that a reader can copy into a shell. */
#ifndef IRDIFF_TEXT_SHELL_H
#define IRDIFF_TEXT_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints a text in single quotes. */
void shell_print_quoted(FILE *to, const char *text);

/* The same, but without quotes where a shell needs none, and what a terminal would act on is shown
 * as text_print_name does. */
void shell_print_word(FILE *to, const char *text);

/* Whether a name means the same in a terminal and in a shell, once it is quoted. */
bool shell_is_plain(const char *name);

/* A regex for the name of a function, "^f$"; for a long name that has parameters, "^f\(" for all
 * functions of that name. False if it takes more room. */
bool shell_regex(const char *name, char *pattern, size_t size);
/* The same for a part of a name. */
bool shell_regex_of_part(const char *part, char *pattern, size_t size);

#endif
