/* The source and machine code of a function in a browser: who finds them, and which line is shown
 * first. */
#ifndef IRDIFF_BROWSE_CODE_H
#define IRDIFF_BROWSE_CODE_H

#include "src/browse/rows.h"
#include "src/view/code.h"

/* Finds the source of a row's function; what it says is good until it is asked again. Errors are
 * shown to the person. */
struct browse_code_finder {
	void *of; /* NULL: there is no source */
	int (*find)(void *of, const struct browse_row *row, struct code_sides *out,
		    struct cg_error *err);
	void *of_instructions; /* NULL: there are none */
	/* Finds its instructions in base, in head or in both: lines with their costs, none if there
	 * are none; *note is what to know about them, or "". The rest is as above. */
	int (*find_instructions)(void *of, const struct browse_row *row, bool base, bool head,
				 struct code **out, const char **note, struct cg_error *err);
};

/* The line whose self cost, or change of it, is largest; if none has any, by what is called from
 * lines; 0 if nothing costs anything. */
size_t code_costliest(const struct code *c, const struct browse_metric *m);

#endif
