#include "tests/unit/refusals.h"

static void test_costs(void)
{
	struct cg_profile *p = profile_of("events: Ir  Dr\tDw\n"
					  "fn=f\n"
					  "1 1 2 3\n"
					  "  2\t10   20  \n"
					  "3 100\n"
					  "4\n");
	CHECK_U64(p->total[0], 111);
	CHECK_U64(p->total[1], 22);
	CHECK_U64(p->total[2], 3);
	cg_profile_free(p);
}

/* What the format allows and Valgrind does not write. */
static void test_rare_forms(void)
{
	int64_t cost;
	struct cg_profile *p = profile_of("\xef\xbb\xbfversion: 0.9.8\nevents: Ir\n"
					  "fl=(0x1f) a.c\n"
					  "1 5\n" /* of nobody yet */
					  "fn=(0xA) f\n1 0x10\n"
					  "cfn=(11) g\nrcalls=0x2 0x7\n1 100\n"
					  "jump=3 +1\n+1 1000\n" /* without where it is */
					  "jcnd=1/2 +1\n*\n+1 4000\n"
					  "fl=(31)\nfn=(10)\n2 20000\n");
	CHECK_INT(p->total[0], 25021);
	CHECK_INT(self_of(p, "???", 0), 5);
	CHECK_INT(self_of(p, "f", 0), 25016);
	CHECK_U64(calls_between(p, "f", "g", 0, &cost), 2);
	CHECK_INT(cost, 100);
	CHECK(function_at(p, "", "a.c", "f") != 0);
	cg_profile_free(p);
}

static void test_bad_costs(void)
{
#define HEAD "events: Ir Dr\nfn=f\n"
	refuses(HEAD "1 --5\n", 3, "a cost (a whole number between -2^63 and 2^63), found \"--5\"");
	refuses(HEAD "1 -\n", 3, "a cost (a whole number between -2^63 and 2^63), found \"-\"");
	refuses(HEAD "1 5 6 7\n", 3, "no more costs than events, found \"7\"");
	refuses(HEAD "1 5.5\n", 3, "a cost");
	refuses(HEAD "1 0xg\n", 3, "a cost");
	refuses(HEAD "1 0x8000000000000000\n", 3, "a cost");
	refuses(HEAD "1 9223372036854775808\n", 3,
		"a cost (a whole number between -2^63 and 2^63)");
	refuses("fn=f\n1 5\n", 0, "no `events:` line");
	refuses("events:\nfn=f\n1 5\n", 1, "the name of an event");
	refuses("events: Ir Ir\nfn=f\n1 5\n", 1, "distinct event names");
#undef HEAD
}

static void test_largest_costs(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=f\n"
					  "1 9223372036854775806\n2 1\n");
	CHECK_INT(p->total[0], INT64_MAX);
	cg_profile_free(p);
}

/* Growth of memory, and differences of profiles. */
static void test_negative_costs(void)
{
	int64_t cost;
	struct cg_profile *p = profile_of("events: Ir Mem\n"
					  "fn=f\n5 100 -700\n+1 -10 3\n-1 1 -1\n"
					  "cfn=g\ncalls=2 1\n* 20 -5\n"
					  "fn=g\n-2 20 -5\n"
					  "totals: 111 -703\n");
	uint32_t event;
	CHECK(cg_part_adds_up(p, &p->parts[0], &event));
	CHECK_INT(p->total[0], 111);
	CHECK_INT(p->total[1], -703);
	CHECK_INT(self_of(p, "f", 0), 91);
	CHECK_INT(self_of(p, "f", 1), -698);
	CHECK_U64(calls_between(p, "f", "g", 1, &cost), 2);
	CHECK_INT(cost, -5);
	cg_profile_free(p);
}

/* Costs of both signs must not cancel out on the way: parts of the sum are shown too. */
static void test_sizes_overflow(void)
{
	static const char text[] = "events: Ir\nfn=f\n1 9000000000000000000\n"
				   "fn=g\n1 -9000000000000000000\n";
	refuses_with(LINES(text), &plain, CG_ERANGE, 5, "exceeds 2^63");
	static const char least[] = "events: Ir\nfn=f\n1 -9223372036854775807\n2 -1\n";
	refuses_with(LINES(least), &plain, CG_ERANGE, 4, "exceeds 2^63");
}

static void test_sums_overflow(void)
{
	static const char self[] = "events: Ir\nfn=f\n1 9223372036854775807\n2 1\n";
	refuses_with(LINES(self), &plain, CG_ERANGE, 4, "exceeds 2^63");
	static const char two[] = "events: Ir\nfn=f\n1 9223372036854775807\nfn=g\n1 1\n";
	static const char below[] = "events: Ir\nfn=f\n1 -9223372036854775807\n2 -2\n";
	refuses_with(LINES(below), &plain, CG_ERANGE, 4, "exceeds 2^63");
	refuses_with(LINES(two), &plain, CG_ERANGE, 5, "exceeds 2^63");
	static const char parts[] = "events: Ir\nfn=f\n1 9223372036854775807\n"
				    "events: Ir\nfn=g\n1 1\n";
	refuses_with(LINES(parts), &plain, CG_ERANGE, 0, "exceeds 2^63");
	static const char cost[] = "events: Ir\nfn=f\ncfn=g\ncalls=1 1\n1 9223372036854775807\n"
				   "calls=1 1\n1 1\n";
	refuses_with(LINES(cost), &plain, CG_ERANGE, 7, "exceeds 2^63");
	static const char count[] = "events: Ir\nfn=f\ncfn=g\ncalls=18446744073709551615 1\n1 1\n"
				    "calls=1 1\n1 1\n";
	refuses_with(LINES(count), &plain, CG_ERANGE, 7, "exceeds 2^63");
	/* Calls are added later than they are read, but before what is wrong after them. */
	static const char later[] = "events: Ir\nfn=f\ncfn=g\ncalls=1 1\n1 9223372036854775807\n"
				    "calls=1 1\n1 1\ncfn=h\ncalls=1 1\n1 1\nnonsense\n";
	refuses_with(LINES(later), &plain, CG_ERANGE, 7, "exceeds 2^63");
	/* Not even a lenient reader goes on with a wrong sum. */
	struct cg_read_options lenient = { .lenient = true };
	refuses_with(LINES(self), &lenient, CG_ERANGE, 4, "exceeds 2^63");
}

static void test_many_events(void)
{
	char text[4096] = "events:";
	size_t used = strlen(text);

	for (int i = 0; i < 256; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, " e%d", i);
	size_t all = used;
	snprintf(text + used, sizeof text - used, "\nfn=f\n1 1\n");
	struct cg_profile *p = profile_of(text);
	CHECK_U64(p->nevents, 256);
	cg_profile_free(p);

	snprintf(text + all, sizeof text - all, " more\nfn=f\n1 1\n");
	refuses_with(text, strlen(text), &plain, CG_ERANGE, 1, "more than 256 events");
}

static void test_events_left_out(void)
{
	static const char text[] = "events: Ir Time Dw\nfl=a\nfn=f\n1 10 7 1\ncfn=g\ncalls=1 2\n"
				   "1 20 8 2\nfn=g\n2 20 8 2\ntotals: 30 15 3\n";
	static const char *const time[] = { "Time", "other", NULL };
	static const char *const all[] = { "Ir", "Time", "Dw", NULL };
	struct cg_read_options options = with_lines;
	uint32_t event;
	int64_t cost;

	options.without = time;
	struct cg_profile *p = profile_with(LINES(text), &options);
	CHECK_U64(p->nevents, 2);
	CHECK_INT(cg_event_index(p, "Dw"), 1);
	CHECK_INT(p->total[0], 30);
	CHECK_INT(p->total[1], 3);
	CHECK_INT(self_of(p, "g", 1), 2);
	CHECK_U64(calls_between(p, "f", "g", 1, &cost), 1);
	CHECK_INT(cost, 2);
	CHECK_INT(p->line_self[(size_t)(p->nlines - 1) * 2 + 1], 2);
	CHECK_INT(p->parts[0].totals[1], 3);
	CHECK(cg_part_adds_up(p, &p->parts[0], &event));
	cg_profile_free(p);

	options.without = all;
	p = profile_with(LINES(text), &options);
	CHECK_U64(p->nevents, 1);
	CHECK_INT(p->total[0], 3);
	cg_profile_free(p);
}

TEST_MAIN("reader, costs", { "costs", test_costs }, { "bad costs", test_bad_costs },
	  { "rare forms", test_rare_forms }, { "the largest costs", test_largest_costs },
	  { "sums above 2^63", test_sums_overflow }, { "sizes above 2^63", test_sizes_overflow },
	  { "negative costs", test_negative_costs }, { "256 events", test_many_events },
	  { "events that are left out", test_events_left_out })
