/* Whether a program asks for random numbers, so that it may do something else in every run. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <linux/random.h>
#include <string.h>

/* The first thread of the caller's process; NULL: it is not known. */
static struct guest_task *first_thread(struct visit *visit)
{
	struct traced *traced = visit->traced;

	for (size_t i = 0; i < traced->ntasks; i++)
		if (traced->tasks[i].shown == visit->task->process)
			return &traced->tasks[i];
	return NULL;
}

static void note_random(struct visit *visit)
{
	struct guest_task *first = first_thread(visit);

	if (first)
		first->random = true;
}

/* glibc asks for a random word, once, when it makes the first heap of any program, to recognise a
 * block that is freed twice; counts do not depend on it. */
static bool is_of_heap(struct visit *visit)
{
	struct guest_task *first = first_thread(visit);
	bool is_word = visit_argument(visit, 1) == sizeof(unsigned long) &&
		       visit_argument(visit, 2) == GRND_NONBLOCK;

	if (!is_word || !first || first->has_heap)
		return false;
	first->has_heap = true;
	return true;
}

enum turn enter_getrandom(struct visit *visit)
{
	if (!is_of_heap(visit))
		note_random(visit);
	return TURN_GO;
}

static bool is_covered(const struct guest *guest, const char *path)
{
	for (size_t i = 0; i < guest->ncovers; i++)
		if (strcmp(guest->covers[i].covered, path) == 0)
			return true;
	return false;
}

void visit_random(struct visit *visit, const char *path)
{
	static const char *const sources[] = { "/dev/urandom", "/dev/random",
					       "/proc/sys/kernel/random/uuid" };

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (strcmp(path, sources[i]) == 0 && !is_covered(visit->traced->guest, path))
			note_random(visit);
}

#else
typedef int random_unknown; /* a translation unit is not empty */
#endif
