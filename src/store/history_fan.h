/*
 * Commits whose ids begin with the same two digits are a fan. Machines share the rows of a fan as a
 * tree of git (src/share); the history records what it knows of each, so that only fans that
 * changed, here or there, are looked at.
 */
#ifndef IRDIFF_STORE_HISTORY_FAN_H
#define IRDIFF_STORE_HISTORY_FAN_H

#include <stdbool.h>
#include <stdint.h>

#include "cgprofile/error.h"

#define HISTORY_FANS 256
#define HISTORY_FAN_NAME 3 /* bytes: two digits and a NUL */

struct history;
struct history_book;

struct history_fan {
	char tree[65];   /* id of the tree that was seen last; "": none */
	uint64_t rows;   /* in that tree */
	bool taken;      /* the history has all of them */
	int64_t changes; /* of rows of the fan in the history: 0 if it has none */
	int64_t given;   /* the changes that the tree has */
};

/* The number of the fan of a commit, and the name of a fan. */
unsigned history_fan_of(const char *commit);
void history_fan_name(unsigned fan, char name[HISTORY_FAN_NAME]);

/* NULL for `h`: nothing is known. In a transaction, also what that has changed. */
int history_get_fan(struct history *h, unsigned fan, struct history_fan *out, struct cg_error *err);

/* Sets all but `changes`, in a transaction. */
int history_set_fan(struct history *h, unsigned fan, const struct history_fan *state,
		    struct cg_error *err);

/* Reads the rows of a fan as history_read does; `commits` has only those of the fan. */
int history_read_fan(struct history *h, unsigned fan, struct history_book *out,
		     struct cg_error *err);

#endif
