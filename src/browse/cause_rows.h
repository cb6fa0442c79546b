/* Private to browse/: the causes of a change as rows, in their order: the largest first. */
#ifndef IRDIFF_BROWSE_CAUSE_ROWS_H
#define IRDIFF_BROWSE_CAUSE_ROWS_H

#include "src/browse/outline.h"

/* The data has causes. */
struct outline_source cause_rows(const struct browse_data *data);

#endif
