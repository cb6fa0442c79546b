/* Private to svg/: what functions are called in a picture. */
#ifndef IRDIFF_REPORT_SVG_LABELS_H
#define IRDIFF_REPORT_SVG_LABELS_H

#include <stdbool.h>

#include "src/flame/frames.h"

struct svg_labels {
	char **of; /* per function of the graph, safe; NULL: it is not drawn */
	uint32_t count;
};

/*
 * Functions have their names without template arguments and parameters, unless functions of other
 * names would be called the same: these have their arguments, or if that is not enough all of their
 * names. `drawn` is per function. CG_OK or CG_ENOMEM; free with svg_labels_free.
 */
int svg_labels_make(const struct flame *f, const bool *drawn, struct svg_labels *out);
void svg_labels_free(struct svg_labels *l);

#endif
