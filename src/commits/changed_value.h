/* How values of irdiff.yml changed, in a few words. What is written is as the file has it: whoever
 * prints it makes it safe. */
#ifndef IRDIFF_COMMITS_CHANGED_VALUE_H
#define IRDIFF_COMMITS_CHANGED_VALUE_H

#include <stdbool.h>
#include <stdio.h>

#include "cgprofile/error.h"
#include "src/config/config.h"

/* Whether two values are the same; texts of different ones, as below, may be equal. */
bool changed_value_same_command(const struct config_command *a, const struct config_command *b);
bool changed_value_same_list(const struct config_text *a, size_t acount,
			     const struct config_text *b, size_t bcount);

/* Writes "was \"cc -O2\" and is \"cc -O1\"". Of long values only the words that differ are
 * written, and not all of very many. NULL stands for no value. Of values with one text: "is
 * divided into other parts". */
void changed_value_print(FILE *to, const char *old, const char *now);

/* The words of a command as a shell takes them, or what was given to a shell; NULL if none was
 * given. CG_OK or CG_ENOMEM; free(*out). */
int changed_value_command(const struct config_command *command, char **out, struct cg_error *err);

/* All separated by ", "; NULL of none. CG_OK or CG_ENOMEM; free(*out). */
int changed_value_list(const struct config_text *items, size_t count, char **out,
		       struct cg_error *err);

/* Writes how a benchmark is measured otherwise: "command was …, root was …". CG_OK or CG_ENOMEM. */
int changed_value_definition(FILE *to, const struct config_benchmark *old,
			     const struct config_benchmark *now, struct cg_error *err);

#endif
