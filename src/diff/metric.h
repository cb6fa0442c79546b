/*
 * Metrics: the recorded events and what is derived from them.
 *
 *     syscalls   sysCount
 *     allocs     AllocBlocks      of the heap
 *     alloc_bytes, peak_bytes     AllocBytes, PeakBytes
 *     RAM hits   ILmr + DLmr + DLmw
 *     LL hits    I1mr + D1mr + D1mw - RAM hits
 *     L1 hits    Ir + Dr + Dw - LL hits - RAM hits
 *     EstCycles  L1 hits + 5 LL hits + 35 RAM hits       (gungraun's formula)
 *     CEst       Ir + 10 Bm + 10 L1m + 100 LLm           (KCachegrind's: L1m, LLm are all
 *                misses of a level, Bm the mispredicted branches Bcm + Bim)
 *
 * A derived metric exists where the events it needs were recorded (CEst takes
 * branches as 0 without them).
 */
#ifndef IRDIFF_DIFF_METRIC_H
#define IRDIFF_DIFF_METRIC_H

#include "cgprofile/profile.h"

#define METRIC_MAX_TERMS 12

/* A metric as a weighted sum of events of one profile. */
struct metric {
	const char *name;
	size_t nterms;
	struct metric_term {
		uint32_t event;
		int weight;
	} terms[METRIC_MAX_TERMS];
};

/* Whether a metric needs --cache-sim=yes. */
bool metric_needs_caches(const char *name);

/* How often a function is called: no event, so it has no total. */
#define METRIC_CALLS "calls"

/* A desc: line of a profile of a benchmark that has one of its heap beside it, and of that. */
#define METRIC_HEAP_KEY "irdiff.subject.heap"
#define METRIC_HEAP_APART "apart"
#define METRIC_HEAP_HERE "here"

/* Whether it counts calls. Stacks have calls, but not their number. */
bool metric_has_calls(const struct cg_profile *p);

/* Finds an event or a derived metric by name. False if the profile does not have it. `name` must
 * outlive it. */
bool metric_find(const struct cg_profile *p, const char *name, struct metric *out);

/* The same of counts that are no profile: `event` says where the event of a name is, -1 if it is
 * not there. */
bool metric_find_among(const void *events, int (*event)(const void *events, const char *name),
		       const char *name, struct metric *out);

/* Its value for one row of costs; negative where the cache events of a hand-made
 * file do not fit each other. Saturates at the ends of the range. */
int64_t metric_sum(const struct metric *m, const int64_t *costs);

/* The same, quick where it is one event, as it mostly is: trees of many paths ask for it. */
static inline int64_t metric_value(const struct metric *m, const int64_t *costs)
{
	bool is_event = m->nterms == 1 && m->terms[0].weight == 1;
	return is_event ? costs[m->terms[0].event] : metric_sum(m, costs);
}

/* The event by whose costs the paths of a tree are chosen: that of this name; for a derived
 * metric Ir, or the first. */
uint32_t metric_main_event(const struct cg_profile *p, const char *name);

/* Whether a metric that a profile does not have is one of the other profile of its benchmark: that
 * of the heap, or that of everything else. */
bool metric_is_elsewhere(const struct cg_profile *p, const char *name);

/* What is compared unless another one is asked for: Ir, or the first event. */
const char *metric_default(const struct cg_profile *p);

/* The event that another name of one means, such as syscalls; any other name as it is. */
const char *metric_event_name(const char *name);

/* Whether two names mean the same. */
bool metric_is_same(const char *a, const char *b);

/* The unit of an event that is not in its name, such as "nanoseconds" of cpu; "": none is known.
 * Text of the profile. */
const char *metric_unit(const struct cg_profile *p, const char *name);

/* Says in which profile of the benchmark such a metric is, as in ` (it is in parse/heap)`; empty if
 * it is not elsewhere. */
const char *metric_say_where(const struct cg_profile *p, const char *name, char *text, size_t size);

/* Whether it is the profile of a heap that was measured. */
bool metric_is_heap(const struct cg_profile *p);

/* Whether a profile has no costs although every program has some: a program need not use the heap,
 * so that of a heap that was measured may be empty. */
bool metric_lacks_costs(const struct cg_profile *p);

/* The names of all metrics of the heap, ended by NULL. */
extern const char *const metric_heap[];
bool metric_is_of_heap(const char *name);

/* The smallest change that counts as one unless somebody asks for another: a hundred instructions
 * are noise; a sample, an allocation or a system call is not. */
#define METRIC_LEAST_CHANGE UINT64_C(100)
uint64_t metric_least_change(const char *name);

/* The names of all events that callgrind can count, whatever its options; ended by NULL. */
extern const char *const metric_recorded[];

/* Other names of these events, ended by NULL. */
extern const char *const metric_other_names[];

/* The names of the derived metrics, ended by NULL. */
extern const char *const metric_derived[];

#endif
