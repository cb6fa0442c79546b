#include "src/diff/exact_events.h"

struct exact_events find_exact_events(const struct diff *d)
{
	static const char *const names[MOST_EXACT_EVENTS] = { "Ir", "Dr", "Dw", "Bc", "Bi" };
	struct exact_events e = { .count = 0 };

	for (size_t i = 0; i < MOST_EXACT_EVENTS; i++) {
		int base = cg_event_index(d->base, names[i]);
		int head = cg_event_index(d->head, names[i]);
		if (base < 0 || head < 0)
			continue;
		e.of[0][e.count] = base;
		e.of[1][e.count++] = head;
	}
	return e;
}
