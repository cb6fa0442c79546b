/* Which line of a function's source a browser shows first. */
#ifndef IRDIFF_BROWSE_CODE_H
#define IRDIFF_BROWSE_CODE_H

#include "src/browse/rows.h"
#include "src/view/code.h"

/* The line whose self cost, or change of it, is largest; if none has any, by what is called from
 * lines; 0 if nothing costs anything. */
size_t code_costliest(const struct code *c, const struct browse_metric *m);

#endif
