#include "src/measure/unseen_allocations.h"

#include <stdio.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/metric.h"
#include "src/text/text.h"

enum { MOST_FUNCTIONS = 8 };

#define BY_SYSTEM "build with the system's allocator"

/* Allocators whose functions Valgrind does not replace, as their names are not those of the C and
 * C++ libraries. Functions that call one another are not both here. */
static const struct own_allocator {
	const char *name;
	const char *functions[MOST_FUNCTIONS];
	const char *remedy; /* NULL: none */
} own_allocators[] = {
	{ "jemalloc",
	  { "_rjem_malloc", "_rjem_mallocx", "_rjem_calloc", "_rjem_realloc", "_rjem_rallocx" },
	  BY_SYSTEM },
	{ "jemalloc",
	  { "je_malloc", "je_mallocx", "je_calloc", "je_realloc", "je_rallocx" },
	  BY_SYSTEM },
	{ "mimalloc",
	  { "mi_malloc", "mi_malloc_aligned", "mi_calloc", "mi_zalloc", "mi_zalloc_aligned",
	    "mi_realloc", "mi_realloc_aligned" },
	  BY_SYSTEM },
	{ "snmalloc", { "sn_rust_alloc", "sn_rust_alloc_zeroed", "sn_rust_realloc" }, BY_SYSTEM },
	{ "Python's allocator",
	  { "_PyObject_Malloc", "_PyObject_Calloc", "_PyObject_Realloc" },
	  "set PYTHONMALLOC=malloc" },
	{ "Go's allocator", { "runtime.mallocgc" }, NULL },
};

enum { ALLOCATORS = sizeof own_allocators / sizeof *own_allocators };

/* Calls of each allocator, and of its function that is called most. */
struct own_calls {
	uint64_t all, most;
	const char *function;
};

/* The number of the allocator and its function. */
static bool find_own_function(const char *name, size_t *allocator, const char **function)
{
	for (size_t i = 0; i < ALLOCATORS; i++)
		for (size_t k = 0; k < MOST_FUNCTIONS && own_allocators[i].functions[k]; k++)
			if (strcmp(own_allocators[i].functions[k], name) == 0) {
				*allocator = i;
				*function = own_allocators[i].functions[k];
				return true;
			}
	return false;
}

static uint64_t count_calls_of(const struct cg_profile *p, uint32_t function)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->ncalls; i++)
		if (p->records[p->calls[i].callee].function == function &&
		    __builtin_add_overflow(sum, p->calls[i].count, &sum))
			return UINT64_MAX;
	return sum;
}

static void count_own_calls(const struct cg_profile *p, struct own_calls *out)
{
	for (uint32_t f = 0; f < p->nfunctions; f++) {
		const char *function;
		size_t i;
		if (!find_own_function(cg_string(p, p->functions[f].name), &i, &function))
			continue;
		const uint64_t calls = count_calls_of(p, f);
		cg_add_count_clipped(&out[i].all, calls);
		if (calls > out[i].most) {
			out[i].most = calls;
			out[i].function = function;
		}
	}
}

static void tell_own_allocator(const struct notices *n, const char *name,
			       const struct own_allocator *allocator, const struct own_calls *calls)
{
	struct notice m;
	char number[TEXT_NUMBER];

	notice_begin(&m, n, NOTICE_WARNING);
	text_print_name(m.to, name, 0);
	fprintf(m.to,
		" lacks what %s allocated in %s calls: Valgrind only sees malloc, operator new and the like; ",
		allocator->name, text_count(calls->all, number));
	if (allocator->remedy)
		fprintf(m.to, "%s, or ", allocator->remedy);
	fprintf(m.to, "limit the calls: \"fn:^%s$\": {" METRIC_CALLS ": \"+0\"}", calls->function);
	notice_end(&m);
}

void tell_unseen_allocations(const struct notices *n, const char *name,
			     const struct measured *measured)
{
	const struct cg_profile *heap = measured->items[measured->count - 1].profile;
	const int event = cg_event_index(heap, "AllocBlocks");
	const int64_t blocks = event < 0 ? 0 : heap->total[event];
	struct own_calls calls[ALLOCATORS] = { 0 };
	bool told = false;

	for (size_t i = 0; i + 1 < measured->count; i++)
		count_own_calls(measured->items[i].profile, calls);
	for (size_t i = 0; i < ALLOCATORS; i++)
		if (calls[i].all > (uint64_t)blocks) {
			tell_own_allocator(n, name, &own_allocators[i], &calls[i]);
			told = true;
		}
	if (!told && blocks == 0)
		notice_message(
			n,
			"%s: no allocation was seen; if the program has an allocator of its own, limit the calls of "
			"its functions, as in \"fn:^pool_alloc$\": {" METRIC_CALLS ": \"+0\"}",
			name);
}
