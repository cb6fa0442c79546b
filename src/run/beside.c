#include "src/run/beside.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "callgrind/support/thread.h"

struct second_run {
	struct run_beside *run;
	pthread_t first; /* whose thread must have the signals that the second one takes */
	atomic_bool unwanted;
};

static void run_second(void *data)
{
	struct second_run *s = data;

	if (atomic_load(&s->unwanted))
		return;
	s->run->status = run_benchmark(s->run->request, s->run->result, s->run->err);
	const int signal = s->run->result->interrupted_by;
	if (signal && !atomic_load(&s->unwanted))
		pthread_kill(s->first, signal);
}

void run_beside(struct run_beside *first, struct run_beside *second)
{
	struct second_run s = { .run = second, .first = pthread_self() };
	struct cg_thread aside;

	second->status = -1;
	*second->result = (struct run_result){ 0 };
	cg_thread_start(&aside, run_second, &s);
	first->status = run_benchmark(first->request, first->result, first->err);
	if (first->status) {
		atomic_store(&s.unwanted, true);
		if (aside.threaded)
			pthread_kill(aside.thread, SIGTERM);
	}
	cg_thread_join(&aside);
}
