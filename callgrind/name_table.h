/* Private to the library: compressed names of one file. "(12) name" defines,
 * "(12)" refers. Ids are hostile: only those that writers reach are an index, the
 * rest is looked up. */
#ifndef CG_NAME_TABLE_H
#define CG_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/perf_map.h"
#include "cgprofile/strings.h"

/* What a function's name refers to; objects and files have only the name. */
struct packed {
	cg_str name; /* without level and context */
	uint32_t level;
	uint32_t context; /* 0 if contexts are not kept */
	uint32_t part;    /* where it was defined, from 0 */
	bool cold;        /* it was that of a function's cold part, and is now the function's */
	/* What is at the address that the name is, if that is in generated code; and for which
	 * function of such code the interpreter runs this one. NULL: nothing. */
	const struct cg_perf_symbol *code, *host;
	bool continued; /* calls of it are none: `code` goes on there */
	uint32_t way;   /* a context: to `host`, if C functions are in between (detours.h) */
};

/* The record that an id stood for last, and the object and file of that time. */
struct resolved {
	cg_str object, file;
	uint32_t record; /* 0: none yet */
};

struct name_table {
	uint64_t *ids; /* row 0 unused */
	struct packed *names;
	struct resolved *resolved;
	size_t count, ids_cap, names_cap, resolved_cap;
	/* Rows of small ids, 0: not there. Writers number names in another order than
	 * they write them, so pages: a large id alone must not take much memory. */
	uint32_t **pages;
	size_t npages, pages_cap;
	struct cg_index others; /* rows of the other ids */
	uint64_t secret;        /* with which their hashes begin, once there are some */
};

/* The row of an id, 0 if it is not defined. */
uint32_t cg_name_table_find(const struct name_table *s, uint64_t id);
/* Asks the processor to have ready what cg_name_table_find will need (first),
 * and then the row that it will find. Names are met in no order, and there are
 * more of them than the cache holds. */
void cg_name_table_prefetch_id(const struct name_table *s, uint64_t id);
void cg_name_table_prefetch_row(const struct name_table *s, uint64_t id);
/* Defines an id, or defines it again. CG_OK or CG_ENOMEM. */
int cg_name_table_define(struct name_table *s, uint64_t id, const struct packed *name,
			 uint32_t *row);
void cg_name_table_free(struct name_table *s);

#endif
