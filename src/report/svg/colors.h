/*
 * Private to svg/: which colours frames of one profile have. The costliest objects have one each;
 * if nearly all cost is in one object, the costliest files.
 */
#ifndef IRDIFF_REPORT_SVG_COLORS_H
#define IRDIFF_REPORT_SVG_COLORS_H

#include <stdbool.h>

#include "src/flame/frames.h"

enum { SVG_COLORS = 10 }; /* the last one is that of all others */

struct svg_colors {
	bool by_file;
	const char *names[SVG_COLORS]; /* base names, the costliest first */
	size_t count;
	bool has_others;
};

/* The names belong to the graph. */
void svg_colors_choose(const struct flame *f, struct svg_colors *out);

/* The number of a frame's colour; -1: its object, or file, is not known. */
int svg_color_of(const struct svg_colors *c, const struct flame_function *function);

#endif
