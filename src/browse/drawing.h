/* Private to browse/: the parts of the screen. */
#ifndef IRDIFF_BROWSE_DRAWING_H
#define IRDIFF_BROWSE_DRAWING_H

#include "src/browse/painter.h"
#include "src/browse/state.h"

enum { NARROW = 64 }; /* columns below which words are left out */

struct drawing {
	struct browse *b;
	const struct browse_painter *to;
	bool failed; /* memory ran out */
};

/* A text on exactly so many columns, as cells_fit makes it. */
void draw_text(struct drawing *d, unsigned y, unsigned x, unsigned columns, const char *text,
	       enum browse_look look);
void draw_right(struct drawing *d, unsigned y, unsigned x, unsigned columns, const char *text,
		enum browse_look look);
/* A whole line: one text at its left, and if there is room for it one at its right. */
void draw_bar(struct drawing *d, unsigned y, const char *left, const char *right,
	      enum browse_look look);

/* Moves what is on the screen so that the selected line is. */
void draw_follow(struct scroll *s, size_t count, size_t lines);

void draw_pane(struct drawing *d, const struct layout *l);
void draw_help(struct drawing *d);

#endif
