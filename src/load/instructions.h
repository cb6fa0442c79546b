/* The instructions of functions of a profile that was loaded with addresses. */
#ifndef IRDIFF_LOAD_INSTRUCTIONS_H
#define IRDIFF_LOAD_INSTRUCTIONS_H

#include "src/asm/listing.h"
#include "src/load/load.h"
#include "src/report/instructions.h"
#include "src/view/line_texts.h"

/* Reads the machine code that was not kept with the profile, from the objects as they are now, if
 * they are not known to be others than those that were measured. Warns of objects that were written
 * after the profile. CG_EINVAL if the profile has no addresses. */
int loaded_read_code(struct loaded *l, const struct notices *n, struct cg_error *err);

/* The texts of all source lines of listings. On failure, too, free with line_texts_free. */
int loaded_line_texts(const struct loaded *l, const struct asm_listing *const *listings,
		      size_t nlistings, const char *const *dirs, struct line_texts *out,
		      struct cg_error *err);

/* Functions that have machine code of their own. */
struct listed_functions {
	struct cg_strings texts;
	struct asm_listing **listings;     /* own what the items point to */
	struct line_texts lines;           /* of all of them */
	struct report_instructions *items; /* the costliest first */
	size_t count, hidden;              /* and so many more that are not listed */
};

/* At most `top` (0: all) of the functions whose machine code contains those that are chosen. The
 * code was read; `chosen` must outlive the result. On failure, too, free with
 * listed_functions_free. */
int listed_functions_make(const struct loaded *l, const bool *chosen, size_t top, uint32_t event,
			  const char *const *dirs, struct listed_functions *out,
			  struct cg_error *err);
void listed_functions_free(struct listed_functions *l);

#endif
