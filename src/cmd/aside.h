/*
 * Work in a thread of its own, while the caller does other work.
 *
 *	struct aside aside;
 *
 *	aside_begin(&aside, step, &its_data);
 *	...
 *	aside_end(&aside);
 *
 * What it needs and leaves, an error among it, is in its data, which nobody else touches until
 * aside_end() has returned. It prints nothing.
 */
#ifndef IRDIFF_CMD_ASIDE_H
#define IRDIFF_CMD_ASIDE_H

#include <pthread.h>
#include <stdbool.h>

struct aside {
	void (*work)(void *data);
	void *data;
	pthread_t thread;
	bool threaded;
};

void aside_begin(struct aside *aside, void (*work)(void *data), void *data);

/* Returns when the work is done. Where no thread could be made, it is done only now. */
void aside_end(struct aside *aside);

#endif
