#include "src/diff/metric.h"

#include <stdio.h>
#include <string.h>

#include "src/diff/environment.h"

struct part {
	const char *event;
	int weight;
	bool optional;
};

/* The formulas of the header, written out over events. */
static const struct derived {
	const char *name;
	struct part parts[METRIC_MAX_TERMS];
} derived[] = {
	{ "syscalls", { { "sysCount", 1, false } } },
	{ "allocs", { { "AllocBlocks", 1, false } } },
	{ "alloc_bytes", { { "AllocBytes", 1, false } } },
	{ "peak_bytes", { { "PeakBytes", 1, false } } },
	{ "L1hits",
	  { { "Ir", 1, false },
	    { "Dr", 1, false },
	    { "Dw", 1, false },
	    { "I1mr", -1, false },
	    { "D1mr", -1, false },
	    { "D1mw", -1, false } } },
	{ "LLhits",
	  { { "I1mr", 1, false },
	    { "D1mr", 1, false },
	    { "D1mw", 1, false },
	    { "ILmr", -1, false },
	    { "DLmr", -1, false },
	    { "DLmw", -1, false } } },
	{ "RAMhits", { { "ILmr", 1, false }, { "DLmr", 1, false }, { "DLmw", 1, false } } },
	{ "EstCycles",
	  { { "Ir", 1, false },
	    { "Dr", 1, false },
	    { "Dw", 1, false },
	    { "I1mr", 4, false },
	    { "D1mr", 4, false },
	    { "D1mw", 4, false },
	    { "ILmr", 30, false },
	    { "DLmr", 30, false },
	    { "DLmw", 30, false } } },
	{ "CEst",
	  { { "Ir", 1, false },
	    { "I1mr", 10, false },
	    { "D1mr", 10, false },
	    { "D1mw", 10, false },
	    { "ILmr", 100, false },
	    { "DLmr", 100, false },
	    { "DLmw", 100, false },
	    { "Bcm", 10, true },
	    { "Bim", 10, true } } },
};

const char *const metric_recorded[] = {
	"Ir",         "Dr",        "Dw",         "I1mr",    "D1mr",
	"D1mw",       "ILmr",      "DLmr",       "DLmw",    /* --cache-sim */
	"ILdmr",      "DLdmr",     "DLdmw",                 /* --simulate-wb */
	"AcCost1",    "SpLoss1",   "AcCost2",    "SpLoss2", /* --cacheuse */
	"Bc",         "Bcm",       "Bi",         "Bim",     /* --branch-sim */
	"Ge",                                               /* --collect-bus */
	"sysCount",   "sysTime",   "sysCpuTime",            /* --collect-systime */
	"allocCount", "allocSize", NULL                     /* allocations */
};

const char *const metric_other_names[] = { "syscalls", NULL };

const char *const metric_derived[] = { "L1hits", "LLhits", "RAMhits", "EstCycles", "CEst", NULL };

const char *const metric_heap[] = { "AllocBytes",  "AllocBlocks",  "PeakBytes",
				    "ReadBytes",   "WrittenBytes", "allocs",
				    "alloc_bytes", "peak_bytes",   NULL };

/* Those that have nothing to do with the simulation of caches. */
static const char *const without_caches[] = { "Ir",         "Bc",         "Bcm",       "Bi",
					      "Bim",        "Ge",         "sysCount",  "sysTime",
					      "sysCpuTime", "allocCount", "allocSize", NULL };

static bool is_metric_listed(const char *const *list, const char *name)
{
	while (*list && strcmp(*list, name) != 0)
		list++;
	return *list;
}

bool metric_has_calls(const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->ncalls; i++)
		if (p->calls[i].count)
			return true;
	return false;
}

bool metric_is_heap(const struct cg_profile *p)
{
	const char *heap = cg_desc_value(p, METRIC_HEAP_KEY);

	return heap && strcmp(heap, METRIC_HEAP_HERE) == 0;
}

bool metric_lacks_costs(const struct cg_profile *p)
{
	return cg_profile_counted_nothing(p) && !metric_is_heap(p);
}

bool metric_is_of_heap(const char *name)
{
	return is_metric_listed(metric_heap, name);
}

uint64_t metric_least_change(const char *name)
{
	static const char *const rare[] = { "samples", "syscalls", "sysCount", NULL };

	return is_metric_listed(rare, name) || metric_is_of_heap(name) ? 1 : METRIC_LEAST_CHANGE;
}

bool metric_is_elsewhere(const struct cg_profile *p, const char *name)
{
	const char *heap = cg_desc_value(p, METRIC_HEAP_KEY);

	if (!heap)
		return false;
	if (strcmp(heap, METRIC_HEAP_APART) == 0)
		return metric_is_of_heap(name);
	return is_metric_listed(metric_recorded, name) || is_metric_listed(metric_derived, name) ||
	       is_metric_listed(metric_other_names, name) || strcmp(name, METRIC_CALLS) == 0;
}

const char *metric_say_where(const struct cg_profile *p, const char *name, char *text, size_t size)
{
	static const char heap[] = "/heap";
	const char *bench = cg_desc_value(p, SUBJECT_PREFIX "benchmark");
	const size_t len = bench ? strlen(bench) : 0, end = sizeof heap - 1;
	const bool here = metric_is_heap(p);

	*text = '\0';
	if (!metric_is_elsewhere(p, name))
		return text;
	if (!bench)
		snprintf(text, size, " (it is in the profile %s the heap)", here ? "beside" : "of");
	else if (!here)
		snprintf(text, size, " (it is in %.200s%s)", bench, heap);
	else if (len > end && strcmp(bench + len - end, heap) == 0)
		snprintf(text, size, " (it is in %.*s)", (int)(len - end), bench);
	return text;
}

static const struct derived *find_derived(const char *name)
{
	for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
		if (strcmp(derived[i].name, name) == 0)
			return &derived[i];
	return NULL;
}

static int event_without_caches(const void *unused, const char *name)
{
	(void)unused;
	return is_metric_listed(without_caches, name) ? 0 : -1;
}

static int event_with_caches(const void *unused, const char *name)
{
	(void)unused;
	return is_metric_listed(metric_recorded, name) ? 0 : -1;
}

bool metric_needs_caches(const char *name)
{
	struct metric found;

	return !metric_find_among(NULL, event_without_caches, name, &found) &&
	       metric_find_among(NULL, event_with_caches, name, &found);
}

/* The event of a name that is another one for it. */
static const char *meant_event(const char *name)
{
	const struct derived *d = find_derived(name);

	return d && !d->parts[1].event ? d->parts[0].event : name;
}

const char *metric_event_name(const char *name)
{
	return meant_event(name);
}

bool metric_is_same(const char *a, const char *b)
{
	return strcmp(meant_event(a), meant_event(b)) == 0;
}

const char *metric_default(const struct cg_profile *p)
{
	return cg_event_index(p, "Ir") >= 0 ? "Ir" : cg_string(p, p->events[0].name);
}

/* Readers name it so: "cpu in nanoseconds". */
const char *metric_unit(const struct cg_profile *p, const char *name)
{
	static const char in[] = " in ";
	const int event = cg_event_index(p, meant_event(name));

	if (event < 0)
		return "";
	const char *word = cg_string(p, p->events[event].name);
	const char *text = cg_string(p, p->events[event].long_name);
	const size_t len = strlen(word);

	if (strncmp(text, word, len) != 0 || strncmp(text + len, in, sizeof in - 1) != 0)
		return "";
	return text + len + sizeof in - 1;
}

bool metric_find_among(const void *events, int (*event)(const void *events, const char *name),
		       const char *name, struct metric *out)
{
	struct metric m = { .name = name };
	int found = event(events, name);
	const struct derived *d = found < 0 ? find_derived(name) : NULL;

	if (found >= 0)
		m.terms[m.nterms++] = (struct metric_term){ (uint32_t)found, 1 };
	for (size_t i = 0; d && i < METRIC_MAX_TERMS && d->parts[i].event; i++) {
		found = event(events, d->parts[i].event);
		if (found >= 0)
			m.terms[m.nterms++] = (struct metric_term){ (uint32_t)found,
								    d->parts[i].weight };
		else if (!d->parts[i].optional)
			return false;
	}
	if (m.nterms == 0)
		return false;
	*out = m;
	return true;
}

static int event_of_profile(const void *profile, const char *name)
{
	return cg_event_index(profile, name);
}

bool metric_find(const struct cg_profile *p, const char *name, struct metric *out)
{
	return metric_find_among(p, event_of_profile, name, out);
}

int64_t metric_sum(const struct metric *m, const int64_t *costs)
{
	__int128 sum = 0;
	for (size_t i = 0; i < m->nterms; i++)
		sum += (__int128)costs[m->terms[i].event] * m->terms[i].weight;
	if (sum < INT64_MIN)
		return INT64_MIN;
	return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

uint32_t metric_main_event(const struct cg_profile *p, const char *name)
{
	int event = cg_event_index(p, metric_event_name(name));
	if (event < 0)
		event = cg_event_index(p, "Ir");
	return event < 0 ? 0 : (uint32_t)event;
}
