/*
 * What a run says, kept for the report that it leaves: messages and the ends of outputs, but no
 * warnings, up to some thousand bytes.
 */
#ifndef IRDIFF_STATUS_SAID_H
#define IRDIFF_STATUS_SAID_H

#include <pthread.h>

#include "src/status/notice.h"

struct said {
	struct notices notices; /* takes the place of `outer`, to which all is passed on */
	const struct notices *outer;
	pthread_mutex_t lock; /* guards what follows: jobs speak at the same time */
	FILE *to;             /* NULL: out of memory, so that nothing is kept */
	char *text;
	size_t size;
};

/* It must not be moved. End it with said_end. */
void said_begin(struct said *s, const struct notices *outer);

/* Lines that nothing in acts on a terminal; "": none. It is valid until said_end. No more is kept
 * from here on. */
const char *said_text(struct said *s);

void said_end(struct said *s);

#endif
