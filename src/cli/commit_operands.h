/* Operands that are commits where a command expects profiles. */
#ifndef IRDIFF_CLI_COMMIT_OPERANDS_H
#define IRDIFF_CLI_COMMIT_OPERANDS_H

#include <stdbool.h>

#include "src/load/project.h"

/* "HEAD~1"; of the repository of the current directory. */
bool operand_is_commit(const char *operand);
/* "main..topic"; neither commit need exist. */
bool operand_is_range(const char *operand);

/* Replaces an error about two operands that name no profile, where both name a commit, by one that
 * says how to compare those: "irdiff compare from..to", and `options`, which are "" or begin with a
 * blank. Elsewhere, the error stays. */
void mention_compare(const struct project *project, const char *from, const char *to,
		     const char *options, struct cg_error *err);
/* The same of one operand that is a range. */
void mention_range(const struct project *project, const char *range, const char *options,
		   struct cg_error *err);

#endif
