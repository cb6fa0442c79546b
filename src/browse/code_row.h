/* Private to browse/: whose code is shown for a row, and which line of it a cause is about. */
#ifndef IRDIFF_BROWSE_CODE_ROW_H
#define IRDIFF_BROWSE_CODE_ROW_H

#include "src/browse/rows.h"

/* The function whose code a row is about: of a call that is a cause, the caller, who makes it. It
 * is on each side that has the function, even if only one side has the path. The texts belong to
 * the data. */
struct browse_row browse_code_row(const struct browse_data *data, const struct browse_row *row);

/* Finds the line of a call that is a cause in the code of its caller, made of `sides`. *found: it
 * is there. CG_OK or CG_ENOMEM. */
int browse_call_line(const struct browse_data *data, const struct cause *cause,
		     const struct code_sides *sides, const struct code *code, size_t *line,
		     bool *found);

#endif
