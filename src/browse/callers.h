/*
 * The paths of a table from their ends: every function, below it who called it, below these who
 * called them. Costs are what the function at the top cost by way of all that is below it: its
 * inclusive cost where it is not on the stack already, so that in recursion nothing counts twice.
 */
#ifndef IRDIFF_BROWSE_CALLERS_H
#define IRDIFF_BROWSE_CALLERS_H

#include "src/browse/outline.h"

struct callers;

/* The data must outlive the result. CG_OK or CG_ENOMEM. */
int callers_make(const struct browse_data *data, struct callers **out);
void callers_free(struct callers *c);

/* Nodes are made when they are listed. */
struct outline_source callers_source(struct callers *c);

#endif
