/*
 * Private to the library: the records of what is inlined at places in the machine code of others, as
 * a profile is built.
 */
#ifndef CG_INLINED_RECORDS_H
#define CG_INLINED_RECORDS_H

#include "callgrind/build.h"
#include "callgrind/inlines.h"

struct inlined_records;

/* `inlines` must outlive it, as `b` must. *out is NULL if nothing is known to be inlined. CG_OK or
 * CG_ENOMEM. */
int inlined_records_new(struct cg_builder *b, const struct cg_inlines *inlines,
			struct inlined_records **out);
void inlined_records_free(struct inlined_records *in);

/* The record of what is inlined at a place in the machine code of the record `host`, which is in
 * `object`: `host` itself if nothing is. What a builder returns. */
int inlined_records_find(struct inlined_records *in, cg_str object, uint32_t host,
			 const struct cg_position *at, uint32_t *record);

/* Makes *file, where Valgrind has a function that is not inlined, the file where it is defined, if
 * that is known. `in` may be NULL. What a builder returns. */
int inlined_records_file(struct inlined_records *in, cg_str object, cg_str function, cg_str *file);

#endif
