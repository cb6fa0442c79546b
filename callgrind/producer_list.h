/* Private to callgrind/: compilers of an object, counted while its debug information is read. */
#ifndef CG_PRODUCER_LIST_H
#define CG_PRODUCER_LIST_H

#include <stddef.h>

struct cg_producer {
	const char *text; /* of the debug information, which outlives the list */
	size_t units;
};

struct cg_producer_list {
	struct cg_producer *items;
	size_t count, cap;
};

/* Counts a compilation unit of this producer. CG_OK or CG_ENOMEM. */
int cg_producer_list_add(struct cg_producer_list *p, const char *text);

/* As many as fit into CG_PRODUCERS_MOST bytes, untruncated, that of the most units first; *text
 * is NULL without any, else the caller's. CG_OK or CG_ENOMEM. */
int cg_producer_list_join(struct cg_producer_list *p, char **text);

void cg_producer_list_free(struct cg_producer_list *p);

#endif
