/* `irdiff show --audit`: whether a file is consistent, instead of what it has. */
#ifndef IRDIFF_CMD_SHOW_AUDIT_H
#define IRDIFF_CMD_SHOW_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/options.h"
#include "src/cli/shared_options.h"
#include "src/load/project.h"

/* As the options of these names; all must outlive the call. */
struct audit_options {
	const char *filter, *ignore, *format, *output, *color;
	bool wide;
	uint64_t top;
	const struct reading_options *reading;
};

/* Audits the profile that the operands name. CG_OK, or an error with its message. */
int show_audit(const struct audit_options *options, const struct project *project,
	       const struct arguments *args, struct cg_error *err);

#endif
