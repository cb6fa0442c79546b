/*
 * Facts: texts by their keys.
 *
 * They are sorted by key; keys are unique, of letters, digits, _ and .. A fact that cannot be known
 * is absent.
 */
#ifndef IRDIFF_RUN_FACT_H
#define IRDIFF_RUN_FACT_H

#include <stddef.h>
#include <stdint.h>

struct fact {
	char *key;
	char *value; /* one line of plain text */
};

struct fact_list {
	struct fact *facts;
	size_t count;
	size_t cap;
};

/* Adds or replaces a fact; both strings are copied. For facts known only
 * elsewhere, such as the compiler out of DWARF. */
int fact_list_set(struct fact_list *list, const char *key, const char *value);

int fact_list_set_number(struct fact_list *list, const char *key, uint64_t value);
/* The key is PREFIX.NAME, with a _ for each character of the name that no key has. */
int fact_list_set_named(struct fact_list *list, const char *prefix, const char *name,
			const char *value);

/* The value of a key, or NULL. */
const char *fact_list_get(const struct fact_list *list, const char *key);

void fact_list_free(struct fact_list *list);

#endif
