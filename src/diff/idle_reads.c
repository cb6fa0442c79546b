#include "src/diff/idle_reads.h"

#include <string.h>

#include "cgprofile/names.h"

#define LEVELS 4 /* of functions between the one that uses an answer and the C library */
#define MOST_CALLERS 64

/* ---- who calls whom ---- */

static uint32_t compiled_function(const struct cg_profile *p, uint32_t record)
{
	return p->records[cg_machine_record(p, record)].function;
}

/* "sem_wait@@GLIBC_2.34" is sem_wait. */
static bool is_of_name(const struct cg_profile *p, uint32_t function, const char *name)
{
	const char *full = cg_string(p, p->functions[function].name);
	size_t len = strlen(name);

	return strncmp(full, name, len) == 0 && (!full[len] || full[len] == '@');
}

/* How often the code of a function calls another one, or those of a name. */
static uint64_t count_read_calls(const struct cg_profile *p, uint32_t from, uint32_t to,
				 const char *name)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t callee = p->records[c->callee].function;
		if (!p->records[c->callee].inlined_into &&
		    compiled_function(p, c->caller) == from &&
		    (name ? is_of_name(p, callee, name) : callee == to))
			count += c->count;
	}
	return count;
}

static uint64_t count_named_calls(const struct cg_profile *p, uint32_t from, const char *name)
{
	return count_read_calls(p, from, 0, name);
}

/* ---- CPython ---- */

static bool is_in_python(const struct cg_profile *p, uint32_t function)
{
	const char *name = cg_base_name(cg_string(p, p->functions[function].object));

	return strncmp(name, "python", 6) == 0 || strncmp(name, "libpython", 9) == 0;
}

/*
 * A lock reads the clock once, and adds the timeout, for sem_clockwait. Without a timeout it calls
 * sem_wait or sem_trywait instead, which do not take the moment. Functions into which the lock was
 * inlined do the same; if they read the clock for something else as well, they read it more often.
 */
static bool is_lock_without_timeout(const struct cg_profile *p, uint32_t function, uint64_t reads)
{
	return !count_named_calls(p, function, "sem_clockwait") &&
	       !count_named_calls(p, function, "sem_timedwait") &&
	       reads == count_named_calls(p, function, "sem_wait") +
				count_named_calls(p, function, "sem_trywait");
}

/* What the module `time` does when it is imported: of the time only the year counts, in which the
 * offsets of the time zone are looked up, once in winter and once in summer. */
static bool is_search_of_time_zone(const struct cg_profile *p, uint32_t function, uint64_t reads)
{
	enum { SEASONS = 2, CONSTANTS = 3 /* timezone, altzone, daylight */ };

	return count_named_calls(p, function, "_PyTime_localtime") == SEASONS * reads &&
	       count_named_calls(p, function, "PyModule_AddIntConstant") >= CONSTANTS * reads;
}

/* The beginning of the process for mimalloc's statistics, which _mi_clock_end ends. */
static bool is_start_of_statistics(const struct cg_profile *p, uint32_t function)
{
	return is_of_name(p, function, "_mi_clock_start");
}

/* Functions that only pass an answer on. */
static bool passes_on(const struct cg_profile *p, uint32_t function)
{
	static const char *const names[] = { "_PyTime_GetMonotonicClock", "PyTime_Monotonic",
					     "PyTime_MonotonicRaw", "_PyTime_MonotonicUnchecked",
					     "py_get_monotonic_clock" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_of_name(p, function, names[i]))
			return true;
	return false;
}

/* ---- all of them ---- */

/* The functions of CPython that call one; others: none. */
struct idle_callers {
	uint32_t items[MOST_CALLERS];
	size_t count;
};

static bool add_idle_caller(struct idle_callers *callers, uint32_t function)
{
	for (size_t i = 0; i < callers->count; i++)
		if (callers->items[i] == function)
			return true;
	if (callers->count == MOST_CALLERS)
		return false;
	callers->items[callers->count++] = function;
	return true;
}

/* False: there are none, others too, or too many. */
static bool find_idle_callers(const struct cg_profile *p, uint32_t function,
			      struct idle_callers *out)
{
	out->count = 0;
	for (uint32_t i = 0; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t caller = compiled_function(p, c->caller);
		if (p->records[c->callee].inlined_into ||
		    p->records[c->callee].function != function)
			continue;
		if (!is_in_python(p, caller) || !add_idle_caller(out, caller))
			return false;
	}
	return out->count > 0;
}

/* Locks and statistics ask for a moment of the monotonic clock, the time zone for the second. */
static bool makes_nothing_of(const struct cg_profile *p, uint32_t caller, uint64_t reads,
			     bool of_seconds)
{
	if (!reads || of_seconds)
		return reads && is_search_of_time_zone(p, caller, reads);
	return is_lock_without_timeout(p, caller, reads) || is_start_of_statistics(p, caller);
}

static bool is_idle(const struct cg_profile *p, uint32_t function, bool of_seconds, unsigned level)
{
	struct idle_callers callers;
	bool idle = level <= LEVELS && find_idle_callers(p, function, &callers);

	for (size_t i = 0; idle && i < callers.count; i++) {
		uint32_t caller = callers.items[i];
		uint64_t reads = count_read_calls(p, caller, function, NULL);
		idle = passes_on(p, caller) ? is_idle(p, caller, of_seconds, level + 1)
					    : makes_nothing_of(p, caller, reads, of_seconds);
	}
	return idle;
}

bool idle_reads_only(const struct cg_profile *p, uint32_t function)
{
	const bool of_seconds = is_of_name(p, function, "time_syscall");

	return (of_seconds || is_of_name(p, function, "clock_gettime")) &&
	       is_idle(p, function, of_seconds, 1);
}
