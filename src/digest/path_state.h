/*
 * What a path leads to, as a word that is the same for the same contents:
 *
 *	absent                nothing
 *	directory             whatever it has
 *	file:MODE:SHA256      MODE is 111, or as much of it as is set: who may execute it
 *	link:SHA256:…         of the link's text, followed by what it leads to
 *	unknown               something else, or it cannot be read: never the same as anything
 *
 * Times and owners are no part of it.
 */
#ifndef IRDIFF_DIGEST_PATH_STATE_H
#define IRDIFF_DIGEST_PATH_STATE_H

#include "cgprofile/strings.h"
#include "src/digest/digest.h"

#define PATH_STATE_SIZE 160
#define PATH_STATE_ABSENT "absent"
#define PATH_STATE_UNKNOWN "unknown"

/* Digests of files that were read, found by what stat(2) tells of them; not of files that were
 * changed just now, as they may be changed again without a trace. Zero-initialise. */
struct path_states {
	struct cg_strings files;
	char (*digests)[DIGEST_SIZE]; /* by the ids of files */
	size_t cap;
};

void path_states_free(struct path_states *known);

void path_state(struct path_states *known, const char *path, char state[PATH_STATE_SIZE]);

/* "listing:SHA256" of the names in a directory; PATH_STATE_UNKNOWN: it cannot be read. */
void path_state_of_listing(const char *directory, char state[PATH_STATE_SIZE]);

#endif
