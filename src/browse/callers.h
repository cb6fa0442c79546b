/*
 * The paths of a table from their ends: every function, its callers below it, their callers below
 * these. Costs are those of the function at the top when called through all that is below it: its
 * inclusive cost where it is not on the stack already, so that recursion counts nothing twice.
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
