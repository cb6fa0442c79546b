/* Operands that are commits where a command expects profiles. */
#ifndef IRDIFF_CLI_COMMIT_OPERANDS_H
#define IRDIFF_CLI_COMMIT_OPERANDS_H

#include <stdbool.h>

#include "src/cli/option_spec.h"
#include "src/load/project.h"

/* "HEAD~1"; of the repository of the current directory. */
bool operand_is_commit(const char *operand);
/* "main..topic"; neither commit need exist. */
bool operand_is_range(const char *operand);

/* Replaces an error about operands that name no profiles, two by two or one alone, where they name
 * commits or a range, by one that says how to compare those: "irdiff compare from..to", with
 * --bench=`bench` (NULL: none) and `options`, which are "" or begin with a blank. Elsewhere, the
 * error stays. */
void mention_commits(const struct project *project, const struct arguments *args, const char *bench,
		     const char *options, struct cg_error *err);

/* Prints that error where there would be one. False: the operands name no commits. */
bool explain_commits(const struct arguments *args, const char *bench, const char *options);

#endif
