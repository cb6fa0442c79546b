/* Total orders on the rows of a profile, by their contents and not by when
 * they were added, so that equal profiles are written equally. */
#ifndef CG_ORDER_H
#define CG_ORDER_H

#include "cgprofile/profile.h"

/* Compares contexts caller by caller, then by how many there are; like strcmp. */
int cg_compare_contexts(const struct cg_profile *p, uint32_t a, uint32_t b);
/* The same for two lists of callers. */
int cg_compare_callers(const struct cg_profile *p, const cg_str *x, size_t m, const cg_str *y,
		       size_t n);

/* Compares by object, then file, then name; like strcmp. */
int cg_compare_functions(const struct cg_profile *p, uint32_t a, uint32_t b);

/* The same for records: by function, level and context, then by what they are
 * inlined into. */
int cg_compare_records(const struct cg_profile *p, uint32_t a, uint32_t b);

struct cg_order {
	uint32_t *records; /* nrecords - 1 rows, ordered as functions, then by level and context;
	                      what is inlined into a record follows it */
	uint32_t *lines;   /* nlines - 1 rows: by record as above; own file first, then by
	                      file, line, address */
	uint32_t *calls;   /* ncalls - 1 rows: by caller as above, source position, callee */
};

/* CG_OK or CG_ENOMEM; free with cg_order_free. */
int cg_order_make(const struct cg_profile *p, struct cg_order *out);
void cg_order_free(struct cg_order *o);

#endif
