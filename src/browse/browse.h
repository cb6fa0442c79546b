/*
 * A browser for one profile or a change, without its terminal: it knows what is shown after each
 * key. Functions, call paths and callers are lists that fold; the source of a function is below
 * them; the user can search, sort, and choose the metric and the side.
 */
#ifndef IRDIFF_BROWSE_BROWSE_H
#define IRDIFF_BROWSE_BROWSE_H

#include "src/browse/code.h"
#include "src/browse/painter.h"

/* Keys that are not characters; characters are code points. */
enum browse_key {
	BROWSE_KEY_UP = 0x110000,
	BROWSE_KEY_DOWN,
	BROWSE_KEY_LEFT,
	BROWSE_KEY_RIGHT,
	BROWSE_KEY_PAGE_UP,
	BROWSE_KEY_PAGE_DOWN,
	BROWSE_KEY_HOME,
	BROWSE_KEY_END,
	BROWSE_KEY_ENTER,
	BROWSE_KEY_TAB,
	BROWSE_KEY_BACK_TAB,
	BROWSE_KEY_BACKSPACE,
	BROWSE_KEY_ESCAPE,
};

struct browse;

/* The data must outlive the result. CG_OK or CG_ENOMEM. */
int browse_make(const struct browse_data *data, const struct browse_code_finder *finder,
		struct browse **out);
void browse_free(struct browse *b);

/* Says how large the screen is. */
void browse_resize(struct browse *b, unsigned height, unsigned width);

/* What a key does. What is wrong with it is said on the screen; CG_ENOMEM if memory ran out. */
int browse_press(struct browse *b, uint32_t key);

/* Whether the last key ended it. */
bool browse_ended(const struct browse *b);

/* Draws every line of the screen from its first column on; nothing on one of less than three lines
 * or two columns. CG_OK or CG_ENOMEM. */
int browse_draw(struct browse *b, const struct browse_painter *to);

#endif
