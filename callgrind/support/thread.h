/*
 * Work in a thread of its own, while the caller does other work.
 *
 *	struct cg_thread aside;
 *
 *	cg_thread_start(&aside, step, &its_data);
 *	...
 *	cg_thread_join(&aside);
 *
 * Its input and results, including an error, are in its data, which the caller must not touch
 * until cg_thread_join() has returned. It prints nothing.
 */
#ifndef CG_SUPPORT_THREAD_H
#define CG_SUPPORT_THREAD_H

#include <pthread.h>
#include <stdbool.h>

struct cg_thread {
	void (*work)(void *data);
	void *data;
	pthread_t thread;
	bool threaded;
};

void cg_thread_start(struct cg_thread *aside, void (*work)(void *data), void *data);

/* Returns when the work is done. Where no thread could be made, it is done only now. */
void cg_thread_join(struct cg_thread *aside);

/* The same work with both data: at once, unless it is too little to be worth a thread. */
void cg_thread_both(bool threaded, void (*work)(void *data), void *one, void *other);

#endif
