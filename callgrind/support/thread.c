#include "callgrind/support/thread.h"

static void *thread_begin(void *context)
{
	struct cg_thread *aside = context;

	aside->work(aside->data);
	return NULL;
}

void cg_thread_start(struct cg_thread *aside, void (*work)(void *data), void *data)
{
	aside->work = work;
	aside->data = data;
	aside->threaded = pthread_create(&aside->thread, NULL, thread_begin, aside) == 0;
}

void cg_thread_join(struct cg_thread *aside)
{
	if (aside->threaded)
		pthread_join(aside->thread, NULL);
	else
		aside->work(aside->data);
}

void cg_thread_both(bool threaded, void (*work)(void *data), void *one, void *other)
{
	struct cg_thread aside;

	if (threaded)
		cg_thread_start(&aside, work, other);
	work(one);
	if (threaded)
		cg_thread_join(&aside);
	else
		work(other);
}
