#include "callgrind/leave_out.h"

#include <string.h>

/* Of `rows` rows of costs, without one column. The array keeps its size. */
static void remove_column(int64_t *costs, size_t rows, uint32_t width, uint32_t column)
{
	int64_t *to = costs;

	if (!costs)
		return;
	for (size_t row = 0; row < rows; row++)
		for (uint32_t e = 0; e < width; e++)
			if (e != column)
				*to++ = costs[row * width + e];
}

static void remove_event(struct cg_profile *p, uint32_t event)
{
	const uint32_t n = p->nevents;

	remove_column(p->record_self, p->nrecords, n, event);
	remove_column(p->call_cost, p->ncalls, n, event);
	remove_column(p->line_self, p->nlines, n, event);
	remove_column(p->total, 1, n, event);
	for (uint32_t i = 0; i < p->nparts; i++) {
		remove_column(p->parts[i].self, 1, n, event);
		remove_column(p->parts[i].totals, 1, n, event);
		remove_column(p->parts[i].summary, 1, n, event);
	}
	memmove(p->events + event, p->events + event + 1, (n - event - 1) * sizeof *p->events);
	p->nevents--;
}

void cg_leave_out_events(struct cg_profile *p, const char *const *names)
{
	for (; names && *names; names++) {
		int event = cg_event_index(p, *names);
		if (event >= 0 && p->nevents > 1)
			remove_event(p, (uint32_t)event);
	}
}
