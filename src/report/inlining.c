#include "src/report/inlining.h"

#include <string.h>

#include "callgrind/support/number.h"
#include "src/text/text.h"

/* An object that costs less is not worth a line: 0.1 %. */
#define LEAST_SHARE 1000

const char *inlining_source_name(enum inlining_source source)
{
	static const char *const names[] = {
		[INLINING_UNKNOWN] = "none",        [INLINING_NAMED] = "named",
		[INLINING_STORED] = "exact",        [INLINING_NOW] = "unverified",
		[INLINING_BY_LINE] = "approximate",
	};
	return names[source];
}

int64_t inlining_object_cost(const struct cg_profile *p, const char *object, uint32_t event)
{
	int64_t sum = 0;
	for (uint32_t r = 1; r < p->nrecords; r++) {
		cg_str of = p->functions[p->records[r].function].object;
		if (strcmp(cg_string(p, of), object) == 0)
			sum += p->record_self[(size_t)r * p->nevents + event];
	}
	return sum;
}

static bool is_worth_a_line(const struct cg_profile *p, const struct report_unresolved *u,
			    uint32_t event)
{
	return cg_magnitude(inlining_object_cost(p, u->object, event)) >=
	       cg_magnitude(p->total[event]) / LEAST_SHARE;
}

bool inlining_is_doubtful(const struct cg_profile *p, const struct report_inlining *i,
			  uint32_t event)
{
	bool doubtful = i->source == INLINING_NOW || i->source == INLINING_BY_LINE;

	for (size_t m = 0; !doubtful && m < i->nmissing; m++)
		doubtful = is_worth_a_line(p, &i->missing[m], event);
	return doubtful;
}

/* Whether it was worth a line. */
static bool print_inlining_missing(const struct cg_profile *p, const struct report_unresolved *u,
				   uint32_t event, FILE *to)
{
	char share[TEXT_NUMBER];
	int64_t cost = inlining_object_cost(p, u->object, event), total = p->total[event];

	if (!is_worth_a_line(p, u, event))
		return false;
	fprintf(to, "%-18snot in ", "");
	text_print_name(to, u->object, 0);
	fprintf(to, ", %s of %s: %s\n", text_share(cost, total, share),
		cg_string(p, p->events[event].name), u->reason);
	return true;
}

void inlining_print(const struct cg_profile *p, const struct report_inlining *i, uint32_t event,
		    FILE *to)
{
	static const char *const words[] = {
		[INLINING_NAMED] =
			"counts for the innermost inlined function, which the file names",
		[INLINING_STORED] = "counts for the inlined functions",
		[INLINING_NOW] = "counts for the functions inlined in the current objects, "
				 "which may have changed",
		[INLINING_BY_LINE] = "counts approximately for the functions inlined at its source "
				     "lines, in the current objects, which may have changed",
	};
	bool any = false;
	if (i->source == INLINING_UNKNOWN)
		return;
	fprintf(to, "%-18s%s\n", "Inlined code:", words[i->source]);
	for (size_t m = 0; m < i->nmissing; m++)
		any |= print_inlining_missing(p, &i->missing[m], event, to);
	if (any)
		fprintf(to,
			"%-18s(build with -g, install debug packages, or set DEBUGINFOD_URLS)\n",
			"");
}
