/* Which functions calls lead to where the file does not say it in full. */
#include "tests/unit/refusals.h"

static int64_t cost_of_calls(const struct cg_profile *p, const char *caller, const char *callee)
{
	int64_t cost = 0;
	calls_between(p, caller, callee, 0, &cost);
	return cost;
}

static void test_other_file(void)
{
	struct cg_profile *p = profile_of("events: ms\nfl=lib\nfn=f\n1 7\n"
					  "fl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\n");
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(p->nrecords - 1, 2);
	CHECK_U64(p->ncalls - 1, 1);
	CHECK_U64(calls_between(p, "main", "f", 0, NULL), 2);
	CHECK_INT(self_cost(p, function_at(p, "", "lib", "f"), 0), 7);
	cg_profile_free(p);
}

/* pprof never names the object of a callee. */
static void test_other_object(void)
{
	struct cg_profile *p = profile_of(
		"events: ms\nob=app\nfl=main.c\nfn=main\n1 3\ncfl=f.c\ncfn=f\ncalls=2 1\n"
		"1 7\nob=lib\nfl=f.c\nfn=f\n1 7\nfl=g.c\nfn=f\n1 1\n");
	CHECK_U64(p->nfunctions - 1, 3);
	CHECK_INT(self_cost(p, p->records[p->calls[1].callee].function, 0), 7);
	cg_profile_free(p);
}

/* Of two that a callee could be, neither is guessed; nor one that is the file's as well. */
static void test_ambiguous(void)
{
	struct cg_profile *p = profile_of("events: ms\nfl=a\nfn=f\n1 7\nfl=b\nfn=f\n1 7\n"
					  "fl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\n");
	CHECK_U64(p->nfunctions - 1, 4);
	CHECK(p->records[p->calls[1].callee].function == function_at(p, "", "app", "f"));
	cg_profile_free(p);

	p = profile_of("events: ms\nfl=a\nfn=f\n1 7\n"
		       "fl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\nfn=f\n1 0\n");
	CHECK_U64(p->nfunctions - 1, 3);
	CHECK(p->records[p->calls[1].callee].function == function_at(p, "", "app", "f"));
	cg_profile_free(p);
}

/* A file that was stated is another function's, unless that is called by nobody else. */
static void test_stated_file(void)
{
#define BODY \
	"events: ms\nfl=a\nfn=f\n1 7\n" \
	"fl=app\nfn=main\n1 3\ncfl=b\ncfn=f\ncalls=2 1\n1 7\n"
	struct cg_profile *p = profile_of(BODY);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_INT(cost_of_calls(p, "main", "f"), 7);
	cg_profile_free(p);

	p = profile_of(BODY "cfl=a\ncfn=f\ncalls=1 1\n1 7\n");
	CHECK_U64(p->nfunctions - 1, 3);
	cg_profile_free(p);
#undef BODY
}

/* So is an object, also one that is stated after the name. */
static void test_stated_object(void)
{
#define BODY \
	"events: ms\nob=a\nfl=x\nfn=f\n1 7\n" \
	"ob=app\nfl=x\nfn=main\n1 3\ncfn=f\ncob=b\ncalls=2 1\n1 7\n"
	struct cg_profile *p = profile_of(BODY);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_INT(cost_of_calls(p, "main", "f"), 7);
	cg_profile_free(p);

	p = profile_of(BODY "cob=a\ncfn=f\ncalls=1 1\n1 7\n");
	CHECK_U64(p->nfunctions - 1, 3);
	cg_profile_free(p);
#undef BODY
}

/* Calls of one name may go on in another object. */
static void test_object_of_further_calls(void)
{
	struct cg_profile *p = profile_of("events: ms\nob=a\nfl=x\nfn=f\n1 7\n"
					  "ob=b\nfl=x\nfn=f\n1 9\n"
					  "ob=a\nfl=x\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\n"
					  "cob=b\ncalls=1 1\n1 9\n");
	REQUIRE_U64(p->ncalls - 1, 2);
	CHECK(p->records[p->calls[1].callee].function == function_at(p, "a", "x", "f"));
	CHECK(p->records[p->calls[2].callee].function == function_at(p, "b", "x", "f"));
	cg_profile_free(p);
}

/* Calls that lead to one function after all are one. */
static void test_calls_add_up(void)
{
	struct cg_profile *p = profile_of(
		"events: ms\nfl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\n"
		"cfl=lib\ncfn=f\ncalls=3 1\n1 5\ncfn=g\ncalls=1 1\n1 1\n"
		"fl=lib\nfn=f\n1 12\nfn=g\n1 1\n");
	CHECK_U64(p->ncalls - 1, 2);
	CHECK_U64(p->nrecords - 1, 3);
	CHECK_U64(calls_between(p, "main", "f", 0, NULL), 5);
	CHECK_INT(cost_of_calls(p, "main", "f"), 12);
	CHECK_INT(cost_of_calls(p, "main", "g"), 1);
	CHECK_INT(p->total[0], 16);
	cg_profile_free(p);

	static const char much[] = "events: ms\nfl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n"
				   "1 9223372036854775807\ncfl=lib\ncfn=f\ncalls=3 1\n1 5\n"
				   "fl=lib\nfn=f\n1 12\n";
	struct cg_read_options options = { 0 };
	struct cg_error err;
	struct cg_profile *none = NULL;
	CHECK_INT(cg_read_memory(much, strlen(much), "test", &options, &none, &err), CG_ERANGE);
	CHECK(none == NULL);
}

/* Levels and lines stay what they were. */
static void test_records(void)
{
	struct cg_profile *p = whole_profile_of(
		"events: ms\nfl=lib\nfn=f\n1 7\ncfn=f'2\ncalls=1 1\n2 5\nfn=f'2\n3 5\n"
		"fl=app\nfn=main\n1 3\ncfn=f\ncalls=1 1\n8 12\ncfn=f'2\ncalls=1 1\n9 0\n"
		"cfn=f'3\ncalls=1 1\n9 0\n");
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(p->nrecords - 1, 4); /* f'3 is nowhere described, but of f */
	uint32_t lib = function_at(p, "", "lib", "f");
	for (uint32_t i = 1; i < p->ncalls; i++)
		CHECK_INT(p->records[p->calls[i].callee].function, lib);
	CHECK_INT(line_cost(p, "lib", 3, 0), 5);
	CHECK_INT(line_cost(p, "app", 1, 0), 3);
	cg_profile_free(p);
}

/* A line before the first fn= describes a function as well, though it costs nothing. */
static void test_costs_without_a_name(void)
{
	struct cg_profile *p = whole_profile_of("events: ms\nfl=a\n5 0\nfn=main\n1 3\ncfn=???\n"
						"calls=1 0\n1 10\nfl=b\nfn=???\n3 10\n");
	CHECK_U64(p->nfunctions - 1, 3);
	CHECK(p->records[p->calls[1].callee].function == function_at(p, "", "a", "???"));
	for (uint32_t i = 1; i < p->nlines; i++)
		CHECK(p->lines[i].record != 0);
	cg_profile_free(p);
}

/* A part of Valgrind's says nothing of what it describes: its lines without costs leave with their
 * record. */
static void test_line_without_costs(void)
{
	struct cg_profile *p = whole_profile_of(
		"creator: callgrind-3.19.0\nevents: ms\nfl=app\nfn=f\n5 0\ntotals: 0\n"
		"creator: other\nevents: ms\nfl=app\nfn=main\n1 3\ncfn=f\ncalls=1 1\n1 7\n"
		"fl=lib\nfn=f\n2 7\n");
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(p->nlines - 1, 2);
	CHECK_INT(line_cost(p, "app", 1, 0), 3);
	CHECK_INT(line_cost(p, "lib", 2, 0), 7);
	for (uint32_t i = 1; i < p->nlines; i++)
		CHECK(p->lines[i].record != 0);
	cg_profile_free(p);
}

/* What pprof --call_tree tells apart, it describes once. */
static void test_numbered_names(void)
{
	struct cg_profile *p = profile_of(
		"events: ms\nfl=a\nfn=main\n1 3\ncfl=a\ncfn=f [1/2]\ncalls=1 1\n1 4\n"
		"cfl=a\ncfn=f [2/2]\ncalls=1 1\n1 2\ncfl=a\ncfn=f [x/2]\ncalls=1 1\n1 1\n"
		"fn=f\n1 6\n");
	CHECK_U64(p->nfunctions - 1, 3);
	CHECK_INT(cost_of_calls(p, "main", "f"), 6);
	CHECK_INT(cost_of_calls(p, "main", "f [x/2]"), 1);
	cg_profile_free(p);
}

/* Calls that became one leave no row, and those that follow keep their places. */
static void test_places_of_calls(void)
{
	static const char text[] = "events: ms\nfl=lib\nfn=f\n1 7\n"
				   "fl=app\nfn=main\n2 3\ncfn=f\ncalls=1 1\n3 4\n"
				   "cfl=lib\ncfn=f\ncalls=1 1\n3 3\n"
				   "cfl=app\ncfn=g\ncalls=1 1\n5 2\nfn=g\n9 2\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	REQUIRE_U64(p->ncalls - 1, 2);
	CHECK_U64(p->calls[1].count, 2);
	CHECK_U64(cg_call_place(p, 1).line, 3);
	CHECK(p->records[p->calls[2].callee].function == function_at(p, "", "app", "g"));
	CHECK_U64(cg_call_place(p, 2).line, 5);
	cg_profile_free(p);
}

/* Python's writers have no fl=, and what they say of a callee's file follows its name. */
static void test_file_after_the_callee(void)
{
	struct cg_profile *p = profile_of("events: ms\nfi=a\nfn=f\n1 1\n"
					  "fi=b\nfn=main\n1 3\ncfn=f\ncfi=a\ncalls=1 1\n1 1\n"
					  "cfn=f\ncfi=c\ncalls=1 1\n1 2\n2 10\n"
					  "fi=c\nfn=f\n1 2\n");
	CHECK_INT(self_cost(p, function_at(p, "", "b", "main"), 0), 13);
	CHECK_INT(p->nfunctions - 1, 3);
	CHECK(p->records[p->calls[1].callee].function == function_at(p, "", "a", "f"));
	CHECK(p->records[p->calls[2].callee].function == function_at(p, "", "c", "f"));
	cg_profile_free(p);

	/* After a cost, fi= is about inlined code. */
	p = profile_of("events: ms\nfl=a\nfn=f\n1 1\nfi=b\n1 2\nfn=g\n1 3\n");
	CHECK(function_at(p, "", "a", "g") != 0);
	cg_profile_free(p);
}

/* What Valgrind and irdiff do not repeat is the caller's. */
static void test_taken_at_their_word(void)
{
	static const char *const heads[] = { "creator: callgrind-3.19.0", "creator: irdiff-0.1",
					     "desc: I1 cache: 32768 B" };
	for (size_t i = 0; i < 3; i++) {
		char text[512];
		snprintf(text, sizeof text,
			 "%s\nevents: Ir\nfl=lib\nfn=f\n1 7\n"
			 "fl=app\nfn=main\n1 3\ncfn=f\ncalls=2 1\n1 7\ntotals: 10\n",
			 heads[i]);
		struct cg_profile *p = profile_of(text);
		CHECK_U64(p->nfunctions - 1, 3);
		cg_profile_free(p);
	}
}

TEST_MAIN("callees", { "in another file", test_other_file },
	  { "in another object", test_other_object }, { "one of several", test_ambiguous },
	  { "a file that was stated", test_stated_file },
	  { "an object that was stated", test_stated_object },
	  { "the object of further calls", test_object_of_further_calls },
	  { "calls add up", test_calls_add_up }, { "places of calls", test_places_of_calls },
	  { "records and lines", test_records },
	  { "costs without a name", test_costs_without_a_name },
	  { "line without costs", test_line_without_costs },
	  { "numbered names", test_numbered_names },
	  { "the file after the callee", test_file_after_the_callee },
	  { "Valgrind and irdiff", test_taken_at_their_word })
