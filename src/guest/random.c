/* Whether a program asks for random numbers, so that it may do something else in every run. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <linux/random.h>
#include <string.h>

static void note_random(struct visit *visit)
{
	struct traced *traced = visit->traced;

	for (size_t i = 0; i < traced->ntasks; i++)
		if (traced->tasks[i].shown == visit->task->process)
			traced->tasks[i].random = true;
}

/* glibc asks for a random word when it makes the first heap of any program, to recognise a block
 * that is freed twice; counts do not depend on it. */
static bool is_of_heap(const struct visit *visit)
{
	return visit_argument(visit, 1) == sizeof(unsigned long) &&
	       visit_argument(visit, 2) == GRND_NONBLOCK;
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
	if ((strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0) &&
	    !is_covered(visit->traced->guest, path))
		note_random(visit);
}

#else
typedef int random_unknown; /* a translation unit is not empty */
#endif
