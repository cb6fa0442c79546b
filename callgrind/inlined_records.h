/*
 * Private to the library: the records of what is inlined at places in the machine code of others,
 * as a profile is built.
 */
#ifndef CG_INLINED_RECORDS_H
#define CG_INLINED_RECORDS_H

#include "callgrind/build.h"
#include "callgrind/inlines_calls.h"
#include "cgprofile/inlines.h"

struct cg_inlined_records;

/* `inlines` must outlive it, as `b` must. *out is NULL if nothing is known to be inlined. CG_OK or
 * CG_ENOMEM. */
int cg_inlined_records_new(struct cg_builder *b, const struct cg_inlines *inlines,
			   struct cg_inlined_records **out);
void cg_inlined_records_free(struct cg_inlined_records *in);

/* The record of what is inlined at a place in the machine code of the record `host`, which is in
 * `object`: `host` itself if nothing is. What a builder returns. */
int cg_inlined_records_find(struct cg_inlined_records *in, cg_str object, uint32_t host,
			    const struct cg_position *at, uint32_t *record);

/* Notes costs of self or of calls at the place that was looked for last, where `record` was found,
 * so that it becomes known what is called from where. What a builder returns. */
int cg_inlined_records_cost(struct cg_inlined_records *in, uint32_t record, const int64_t *costs);

/* Notes calls of what begins at a place in the machine code of the record `host`, which cost this.
 * What a builder returns. */
int cg_inlined_records_enter(struct cg_inlined_records *in, cg_str object, uint32_t host,
			     const struct cg_position *at, const int64_t *costs);

/* Adds the lines where what is inlined is called to the profile, once all costs are noted. `in` may
 * be NULL. What a builder returns. */
int cg_inlined_records_finish(struct cg_inlined_records *in);

/* Makes the file and the name of a function that is not inlined, as Valgrind has them, those that
 * it really has, if they are known. `in` may be NULL. What a builder returns. */
int cg_inlined_records_function(struct cg_inlined_records *in, struct cg_function *function);

/* The same for the names of a calling context. */
int cg_inlined_records_context(struct cg_inlined_records *in, uint32_t *context);

#endif
