/* Private to browse/: the numbers beside names. */
#ifndef IRDIFF_BROWSE_COLUMNS_H
#define IRDIFF_BROWSE_COLUMNS_H

#include "src/browse/painter.h"
#include "src/browse/state.h"
#include "src/text/text.h"

enum column_kind {
	COLUMN_COST,  /* of the side that is shown, or the change */
	COLUMN_SHARE, /* of the total; of a change: % of base */
	COLUMN_BASE,
	COLUMN_HEAD,
	COLUMN_CALLS,
	COLUMN_CLASS,
	COLUMN_CAUSE, /* of a cause: its size, */
	COLUMN_PART,  /* its part of the change, */
	COLUMN_WHY,   /* and its reason */
};

struct column {
	enum column_kind kind;
	bool inclusive;
	bool secondary; /* not of the cost that rows are ordered by */
	bool named;     /* its title names the metric */
	unsigned rank;  /* the largest is left out first */
	size_t width;
};

#define COLUMN_CELL (3 * TEXT_NUMBER)

struct columns {
	struct column items[10];
	size_t count, width; /* the width is with two blanks after each */
};

/* Those that fit for the rows from `first` on, as wide as they need to be. */
void columns_choose(const struct browse *b, size_t first, size_t rows, struct columns *out);

/* Returns the buffer. */
const char *column_title(const struct browse *b, const struct column *c, char buffer[COLUMN_CELL]);
const char *column_cell(const struct browse *b, const struct column *c,
			const struct browse_row *row, char buffer[COLUMN_CELL]);

/* Red for more, green for less. */
enum browse_look column_look(const struct browse *b, const struct column *c,
			     const struct browse_row *row);

/* The same of any two values: "+1,234", "1,234". */
const char *columns_value(enum browse_show show, int64_t base, int64_t head,
			  char buffer[COLUMN_CELL]);
bool browse_shows_change(const struct browse *b);

#endif
