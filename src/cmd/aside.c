#include "src/cmd/aside.h"

static void *begin(void *context)
{
	struct aside *aside = context;

	aside->work(aside->data);
	return NULL;
}

void aside_begin(struct aside *aside, void (*work)(void *data), void *data)
{
	aside->work = work;
	aside->data = data;
	aside->threaded = pthread_create(&aside->thread, NULL, begin, aside) == 0;
}

void aside_end(struct aside *aside)
{
	if (aside->threaded)
		pthread_join(aside->thread, NULL);
	else
		aside->work(aside->data);
}
