#include "tests/unit/profiles.h"

#include "src/diff/metric.h"

/* Cache events in another order than Valgrind's, so that names decide. */
static const char cache[] = "events: DLmw Ir Dr Dw I1mr D1mr D1mw ILmr DLmr\n"
			    "fn=f\n1 2 1000 300 200 20 15 10 6 4\n";

static bool has(const struct cg_profile *p, const char *name)
{
	struct metric m;
	return metric_find(p, name, &m);
}

static int64_t value(const struct cg_profile *p, const char *name)
{
	struct metric m;
	test_report(metric_find(p, name, &m), true, __FILE__, __LINE__, "no metric %s", name);
	CHECK_STR(m.name, name);
	return metric_value(&m, p->total);
}

static void test_events(void)
{
	struct cg_profile *p = profile_of(cache);
	CHECK_U64(value(p, "Ir"), 1000);
	CHECK_U64(value(p, "DLmw"), 2);
	CHECK(!has(p, "Bc"));
	CHECK(!has(p, "ir"));
	CHECK(!has(p, ""));
	cg_profile_free(p);
}

/* RAM = ILmr + DLmr + DLmw = 6 + 4 + 2 = 12
 * LL  = I1mr + D1mr + D1mw - RAM = 20 + 15 + 10 - 12 = 33
 * L1  = Ir + Dr + Dw - LL - RAM = 1500 - 33 - 12 = 1455
 * EstCycles = L1 + 5 LL + 35 RAM = 1455 + 165 + 420 = 2040
 * CEst = Ir + 10 L1m + 100 LLm = 1000 + 10 · 45 + 100 · 12 = 2650 */
static void test_derived(void)
{
	struct cg_profile *p = profile_of(cache);
	CHECK_U64(value(p, "RAMhits"), 12);
	CHECK_U64(value(p, "LLhits"), 33);
	CHECK_U64(value(p, "L1hits"), 1455);
	CHECK_U64(value(p, "EstCycles"), 2040);
	CHECK_U64(value(p, "CEst"), 2650);
	CHECK(!has(p, "syscalls"));
	for (size_t i = 0; metric_derived[i]; i++)
		CHECK(has(p, metric_derived[i]) || !strcmp(metric_derived[i], "syscalls"));
	cg_profile_free(p);
}

static void test_syscalls(void)
{
	struct cg_profile *p = profile_of("events: Ir sysCount\nfn=f\n1 100 7\n");
	CHECK_U64(value(p, "syscalls"), 7);
	CHECK_U64(value(p, "sysCount"), 7);
	cg_profile_free(p);
}

static void test_unit(void)
{
	struct cg_profile *p = profile_of("event: cpu : cpu in nanoseconds\n"
					  "event: Ir : Instructions\nevent: a : ab in bytes\n"
					  "events: cpu Ir a b\nfn=f\n1 1 1 1 1\n");
	CHECK_STR(metric_unit(p, "cpu"), "nanoseconds");
	CHECK_STR(metric_unit(p, "Ir"), "");
	CHECK_STR(metric_unit(p, "a"), "");
	CHECK_STR(metric_unit(p, "b"), "");
	CHECK_STR(metric_unit(p, "EstCycles"), "");
	cg_profile_free(p);
}

/* Bm = Bcm + Bim = 7 + 3: CEst = 100 + 10 · 10 + 10 · (1 + 2 + 3) + 100 · (1 + 1 + 1). */
static void test_branches(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr I1mr D1mr ILmr DLmr Dw D1mw DLmw "
					  "Bc Bcm Bi Bim\n"
					  "fn=f\n1 100 50 1 2 1 1 40 3 1 70 7 30 3\n");
	CHECK_U64(value(p, "CEst"), 560);
	cg_profile_free(p);
}

static void test_missing_events(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr Dw\nfn=f\n1 1 2 3\n");
	for (size_t i = 0; metric_derived[i]; i++)
		CHECK(!has(p, metric_derived[i]));
	cg_profile_free(p);
}

/* A file may have an event of that name: it wins. */
static void test_event_wins(void)
{
	struct cg_profile *p = profile_of("events: Ir EstCycles\nfn=f\n1 1 77\n");
	CHECK_U64(value(p, "EstCycles"), 77);
	cg_profile_free(p);
}

static void test_limits(void)
{
	/* More misses than accesses: L1 = 1 - 5. */
	struct cg_profile *p = profile_of("events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n"
					  "fn=f\n1 1 0 0 5\n");
	CHECK_INT(value(p, "L1hits"), -4);
	CHECK_U64(value(p, "LLhits"), 5);
	cg_profile_free(p);

	/* 35 · 2^62 does not fit; Ir alone does. */
	p = profile_of("events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\n"
		       "fn=f\n1 9223372036854775807 0 0 0 0 0 4611686018427387904\n");
	CHECK_INT(value(p, "Ir"), INT64_MAX);
	CHECK_INT(value(p, "EstCycles"), INT64_MAX);
	/* Intermediate sums may be larger than the result. */
	CHECK_U64(value(p, "RAMhits"), INT64_C(4611686018427387904));
	cg_profile_free(p);
}

static void test_caches(void)
{
	static const char *const with[] = { "Dr", "DLmw", "EstCycles", "CEst", "L1hits", NULL };
	static const char *const without[] = { "Ir",        "Bim",        "syscalls",
					       "sysTime",   "sysCpuTime", "allocCount",
					       "allocSize", "AllocBytes", NULL };

	for (const char *const *m = with; *m; m++)
		CHECK(metric_needs_caches(*m));
	for (const char *const *m = without; *m; m++)
		CHECK(!metric_needs_caches(*m));
}

TEST_MAIN("metric", { "events", test_events }, { "derived metrics", test_derived },
	  { "system calls", test_syscalls }, { "units", test_unit }, { "branches", test_branches },
	  { "missing events", test_missing_events }, { "an event of that name", test_event_wins },
	  { "limits of numbers", test_limits }, { "caches", test_caches })
