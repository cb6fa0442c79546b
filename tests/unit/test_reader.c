#include "tests/unit/refusals.h"

/* ---- the grammar ---- */

static void test_smallest(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n"
					  "16 400\n");
	CHECK_U64(p->nevents, 1);
	CHECK_U64(p->nparts, 1);
	CHECK_U64(p->total[0], 400);
	CHECK_U64(self_of(p, "main", 0), 400);
	/* Nothing was said about them. */
	CHECK_U64(p->creator, 0);
	CHECK_U64(p->functions[1].object, 0);
	CHECK_U64(p->functions[1].file, 0);
	CHECK(!p->has_levels);
	cg_profile_free(p);
}

static void test_header(void)
{
	struct cg_profile *p = profile_of("# callgrind format\n"
					  "version: 1\n"
					  "creator: callgrind-3.19.0\n"
					  "pid: 77\n"
					  "thread: 2\n"
					  "part: 3\n"
					  "cmd:  ./a.out -x 'y z'\n"
					  "desc: I1 cache: 32768 B, 64 B\n"
					  "desc: Trigger: Client Request: parse\n"
					  "desc: Timerange: Basic block 0 - 9\n"
					  "event: CEst = Ir + 10 Bm : Cycles\n"
					  "event: Dr : Data Reads\n"
					  "positions: line\n"
					  "events: Ir Dr\n"
					  "summary: 7 1\n"
					  "fn=main\n"
					  "1 7 1\n"
					  "totals: 7 1\n");
	CHECK_STR(cg_string(p, p->creator), "callgrind-3.19.0");
	CHECK_U64(p->parts[0].pid, 77);
	CHECK_U64(p->parts[0].thread, 2);
	CHECK_U64(p->parts[0].number, 3);
	CHECK_STR(cg_string(p, p->parts[0].command), "./a.out -x 'y z'");
	CHECK_STR(cg_string(p, p->parts[0].trigger), "Client Request: parse");
	CHECK_STR(cg_desc_value(p, "I1 cache"), "32768 B, 64 B");
	CHECK(cg_desc_value(p, "Trigger") == NULL);
	CHECK_INT(cg_event_index(p, "Dr"), 1);
	CHECK_INT(cg_event_index(p, "CEst"), -1); /* named, but not recorded */
	CHECK_STR(cg_string(p, p->events[1].long_name), "Data Reads");
	CHECK_U64(p->parts[0].summary[1], 1);
	CHECK_U64(p->parts[0].totals[0], 7);
	CHECK_U64(p->parts[0].self[0], 7);
	cg_profile_free(p);
}

static void test_identity(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "ob=/bin/a\nfl=a.c\nfn=f\n1 1\n"
					  "fl=b.c\nfn=f\n1 20\n"
					  "ob=/lib/b.so\nfn=f\n1 300\n"
					  "ob=/bin/a\nfl=a.c\nfn=f\n2 4000\n"
					  "ob=???\nfl=???\nfn=f\n3 50000\n");
	/* f of a.c in a: 1 + 4000. */
	CHECK_U64(p->nfunctions - 1, 4);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "f"), 0), 4001);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "b.c", "f"), 0), 20);
	CHECK_U64(self_cost(p, function_at(p, "/lib/b.so", "b.c", "f"), 0), 300);
	CHECK_U64(self_cost(p, function_at(p, "", "", "f"), 0), 50000);
	CHECK_U64(p->total[0], 54321);
	cg_profile_free(p);
}

/* fi= and fe= change the file of the lines, not the function. */
static void test_other_files(void)
{
	static const char text[] = "events: Ir\n"
				   "fl=a.c\nfn=f\n"
				   "1 1\n"
				   "fi=inline.h\n"
				   "7 20\n"
				   "fe=a.c\n"
				   "2 300\n"
				   "fi=other.h\n"
				   "9 4000\n"
				   "fl=b.c\nfn=g\n"
				   "7 50000\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(self_cost(p, function_at(p, "", "a.c", "f"), 0), 4321);
	CHECK_U64(self_cost(p, function_at(p, "", "b.c", "g"), 0), 50000);
	CHECK_U64(line_cost(p, "a.c", 1, 0), 1);
	CHECK_U64(line_cost(p, "inline.h", 7, 0), 20);
	CHECK_U64(line_cost(p, "a.c", 2, 0), 300);
	CHECK_U64(line_cost(p, "other.h", 9, 0), 4000);
	CHECK_U64(line_cost(p, "b.c", 7, 0), 50000);
	cg_profile_free(p);
}

/* The file of a function is that of the last fl=: Valgrind before 3.11 does not
 * go back by fe= at the end of a function. */
static void test_file_of_function(void)
{
	static const char text[] = "events: Ir\n"
				   "fl=a.c\nfn=f\n"
				   "1 1\n"
				   "fi=inline.h\n"
				   "7 20\n"
				   "fn=g\n"
				   "9 300\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(self_cost(p, function_at(p, "", "a.c", "f"), 0), 21);
	CHECK_U64(self_cost(p, function_at(p, "", "a.c", "g"), 0), 300);
	CHECK_U64(line_cost(p, "inline.h", 7, 0), 20);
	CHECK_U64(line_cost(p, "a.c", 9, 0), 300);
	cg_profile_free(p);
}

static void test_compressed_names(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "ob=(1) /bin/a\nfl=(1) a.c\nfn=(1) main\n1 1\n"
					  "fn=(18446744073709551615) last\n1 20\n"
					  "fl=(2) b.c\nfn=(1)\n1 300\n"
					  "fl=(1)\nfn=(18446744073709551615)\n1 4000\n"
					  /* One id, three spaces: object, file and function. */
					  "ob=(2)  /bin/b\nfn=(2) with (brackets) and 'x\n1 50000\n"
					  /* A name in brackets is not an id. */
					  "fn=(below main)\n1 600000\n");
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "main"), 0), 1);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "last"), 0), 4020);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "b.c", "main"), 0), 300);
	CHECK_U64(self_of(p, "with (brackets) and 'x", 0), 50000);
	CHECK_U64(self_cost(p, function_at(p, "/bin/b", "a.c", "(below main)"), 0), 600000);
	cg_profile_free(p);
}

static void test_undefined_names(void)
{
	refuses("events: Ir\nfn=(1)\n1 1\n", 2, "the number of a name defined in the file");
	refuses("events: Ir\nfl=(1) a.c\nfn=(1)\n", 3, "defined in the file");
	refuses("events: Ir\nfn=(1) f\ncfn=(99)\n", 3, "(99)");
	refuses("events: Ir\nob=(18446744073709551616) x\nob=(18446744073709551616)\nfn=(2)\n", 4,
		"defined in the file");
}

/* Compilers are told of one file by several paths. */
static void test_paths(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir\nfl=(1) bench/../src/x.hpp\nfn=f\n1 5\n"
		"fl=src/x.hpp\nfn=f\n1 60\nfl=./src/x.hpp\ncfi=src/./x.hpp\n"
		"fn=g\ncfi=a/../src/x.hpp\ncfn=f\ncalls=1 1\n1 7\nfl=(1)\nfn=f\n2 800\n");
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_U64(self_cost(p, function_at(p, "", "src/x.hpp", "f"), 0), 865);
	cg_profile_free(p);
}

/* Early versions of callgrind define names after they use them. */
static void test_names_defined_later(void)
{
	struct cg_profile *p = profile_of("events: Ir\nob=(3)\nfl=(1)\nfn=(8)\n1 5\n"
					  "cfi=(2)\ncfn=(9)\ncalls=1 1\n1 70\n"
					  "fl=(2) b.c\nob=(3) /bin/a\nfn=(9) leaf\n1 70\n"
					  "jfi=(1) a.c\njump=1 1\n2\nfl=(1)\nfn=(8) main\n2 600\n"
					  "fn=(8) other\n1 8000\nfn=(8)\n1 9000\n");
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "main"), 0), 605);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "b.c", "leaf"), 0), 70);
	CHECK_U64(self_of(p, "other", 0), 17000);
	CHECK_U64(p->nfunctions - 1, 3);
	CHECK_U64(p->ncalls - 1, 1);
	cg_profile_free(p);
}

/* Where nobody says who wrote the file, an apostrophe is one, unless the names say otherwise. */
static void test_apostrophes(void)
{
	struct cg_profile *p = profile_of("events: t\nfn=a'b\n1 5\nfn=it's\n1 60\nfn=x'\n1 700\n"
					  "fn=b\n1 8000\n");
	CHECK_U64(self_of(p, "a'b", 0), 5);
	CHECK_U64(self_of(p, "it's", 0), 60);
	CHECK_U64(self_of(p, "x'", 0), 700);
	cg_profile_free(p);
	/* A level: a function has none above the first alone. */
	p = profile_of(
		"events: t\nfn=a\n1 5\ncfn=a'2\ncalls=1 1\n1 60\nfn=a'2\n1 60\nfn=b'3\n1 7\n");
	CHECK_U64(self_of(p, "a", 0), 65);
	CHECK(p->has_levels);
	cg_profile_free(p);
	p = profile_of("events: t\nfn=x'2\n1 5\nfn=y\n1 60\n");
	CHECK_U64(self_of(p, "x'2", 0), 5);
	cg_profile_free(p);
	/* Callers: all of them are functions. */
	p = profile_of("events: t\nfn=leaf'f'main\n1 5\nfn=leaf'main\n1 60\nfn=f'main\n1 1\n"
		       "fn=main\n1 1\n");
	CHECK_U64(self_of(p, "leaf", 0), 65);
	cg_profile_free(p);
}

/* ---- calls ---- */

static void test_calls(void)
{
	static const char text[] = "events: Ir Dr\n"
				   "ob=/bin/a\nfl=a.c\nfn=main\n"
				   "10 5 1\n"
				   "cob=/lib/c.so\ncfi=c.c\ncfn=leaf\n"
				   "calls=3 70\n"
				   "11 30 2\n"
				   /* cob and cfi are over: this is /bin/a, a.c. */
				   "cfn=near\n"
				   "calls=2 50\n"
				   "12 400\n"
				   "ob=/lib/c.so\nfl=c.c\nfn=leaf\n70 30 2\n"
				   "ob=/bin/a\nfl=a.c\nfn=near\n50 400\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	int64_t cost;

	CHECK_U64(p->nfunctions - 1, 3);
	CHECK_U64(calls_between(p, "main", "leaf", 0, &cost), 3);
	CHECK_U64(cost, 30);
	CHECK_U64(calls_between(p, "main", "leaf", 1, &cost), 3);
	CHECK_U64(cost, 2);
	CHECK_U64(calls_between(p, "main", "near", 0, &cost), 2);
	CHECK_U64(cost, 400);
	CHECK_U64(self_of(p, "main", 0), 5); /* what calls cost is not the caller's own */
	CHECK_U64(p->total[0], 435);         /* 5 + 30 + 400 */
	CHECK_U64(p->total[1], 3);           /* 1 + 2; the column left off is 0 */
	REQUIRE_U64(p->ncalls - 1, 2);
	CHECK_U64(cg_call_place(p, 1).line, 11);
	CHECK_STR(cg_string(p, cg_call_place(p, 1).file), "a.c");
	cg_profile_free(p);
}

/* A cfn without calls only defines a name; cob and cfi are used up by it. */
static void test_callee_without_calls(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "ob=/bin/a\nfl=a.c\nfn=main\n1 5\n"
					  "cob=/lib/x\ncfi=x.c\ncfn=(7) unused\n"
					  "cfn=(8) used\ncalls=1 2\n3 40\n"
					  "fn=(8)\n2 40\n");
	CHECK(function_at(p, "/lib/x", "x.c", "unused") == 0);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "used"), 0), 40);
	CHECK_U64(calls_between(p, "main", "used", 0, NULL), 1);
	CHECK_U64(p->ncalls - 1, 1);
	cg_profile_free(p);
}

/* Where Valgrind leaves cfi= off, it means the file of the last cost line;
 * others mean the current file. */
static void test_callee_file_left_off(void)
{
#define BODY \
	"events: Ir\n" \
	"fl=a.c\nfn=main\n1 5\n" \
	"fi=b.h\ncfn=near\ncalls=1 2\n3 40\n" \
	"totals: 45\n"
	struct cg_profile *p = profile_of("creator: callgrind-3.19.0\n" BODY);
	CHECK(function_at(p, "", "a.c", "near") != 0);
	CHECK(function_at(p, "", "b.h", "near") == 0);
	cg_profile_free(p);

	p = profile_of("creator: xdebug 3\n" BODY);
	CHECK(function_at(p, "", "b.h", "near") != 0);
	CHECK(function_at(p, "", "a.c", "near") == 0);
	cg_profile_free(p);
#undef BODY
}

/* A fi= for a call holds up to the next cost line, unless that has its own. */
static void test_file_of_call(void)
{
#define BODY \
	"events: Ir\n" \
	"fl=a.c\nfn=main\n1 5\n" \
	"fi=b.h\ncfn=near\ncalls=1 2\n3 40\ncfi=c.c\ncfn=far\ncalls=1 2\n4 100\n" \
	"5 600\ncfn=later\ncalls=1 2\n5 7000\n" \
	"fi=b.h\n6 80000\n" \
	"totals: 80605\n"
	static const char valgrind[] = "creator: callgrind-3.10.1\n" BODY;
	struct cg_profile *p = profile_with(LINES(valgrind), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 5, 0), 600);
	CHECK_U64(line_cost(p, "b.h", 6, 0), 80000);
	CHECK(function_at(p, "", "a.c", "near") != 0);
	CHECK(function_at(p, "", "a.c", "later") != 0);
	CHECK_STR(cg_string(p, cg_call_place(p, 1).file), "b.h");
	CHECK_STR(cg_string(p, cg_call_place(p, 2).file), "b.h");
	cg_profile_free(p);
	p = profile_of(valgrind); /* self costs are added up while they are scanned */
	CHECK(function_at(p, "", "a.c", "near") != 0);
	CHECK(function_at(p, "", "a.c", "later") != 0);
	cg_profile_free(p);

	p = profile_with(LINES(BODY), &with_lines);
	CHECK_U64(line_cost(p, "b.h", 5, 0), 600);
	CHECK(function_at(p, "", "b.h", "later") != 0);
	cg_profile_free(p);
#undef BODY
}

static void test_calls_add_up(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 5\n"
					  "cfn=f\ncalls=3 9\n2 30\n"
					  "cfn=f\ncalls=4 9\n3 44\n"
					  "fn=f\n9 74\n");
	int64_t cost;

	/* Without lines the two places are one call. */
	CHECK_U64(p->ncalls - 1, 1);
	CHECK_U64(calls_between(p, "main", "f", 0, &cost), 7);
	CHECK_U64(cost, 74);
	cg_profile_free(p);
}

static void test_calls_without_target_position(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=f\ncfn=g\ncalls=1\n3 40\nfn=g\n3 40\n");
	CHECK_U64(calls_between(p, "f", "g", 0, NULL), 1);
	cg_profile_free(p);
}

static void test_broken_calls(void)
{
	refuses("events: Ir\nfn=f\ncalls=1 2\n3 4\n", 3, "cfn=NAME line before calls=");
	refuses("events: Ir\nfn=f\n1 1\ncfn=g\nfn=h\ncalls=1 2\n3 4\n", 6, "cfn=NAME");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=x\n3 4\n", 4, "a number of calls");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=-1 2\n3 4\n", 4, "a number of calls");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 2\nfn=g\n", 5, "cost of the preceding call");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 x\n3 4\n", 4, "a line number");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 2\n", 0, "in the middle of a call");
}

/* ---- positions ---- */

/* Those of Valgrind build on the last self cost line: not on the target of a
 * call, not on the line of its cost, not on jumps. */
static void test_relative_positions(void)
{
	static const char text[] = "creator: callgrind-3.19.0\npositions: line\nevents: Ir\n"
				   "fl=a.c\nfn=f\n"
				   "100 1\n"   /* 100 */
				   "+3 20\n"   /* 103 */
				   "* 300\n"   /* 103 */
				   "-4 4000\n" /* 99 */
				   "cfn=g\n"
				   "calls=1 +900\n"
				   "+1 7\n"     /* the call is in line 100 */
				   "+1 50000\n" /* 100 */
				   "jump=5 +40\n"
				   "+7\n"
				   "jcnd=2/5 200\n"
				   "*\n"
				   "+2 600000\n" /* 102 */
				   "fl=b.c\nfn=g\n"
				   "+8 7\n" /* 110: the base outlives the function */
				   "totals: 654328\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 103, 0), 320);
	CHECK_U64(line_cost(p, "a.c", 99, 0), 4000);
	CHECK_U64(line_cost(p, "a.c", 100, 0), 50001);
	CHECK_U64(line_cost(p, "a.c", 102, 0), 600000);
	CHECK_U64(line_cost(p, "b.c", 110, 0), 7);
	REQUIRE_U64(p->ncalls - 1, 1);
	CHECK_U64(cg_call_place(p, 1).line, 100);
	CHECK_U64(p->total[0], 654328);
	cg_profile_free(p);
}

static uint64_t jumps_between(const struct cg_profile *p, const char *object, uint64_t address,
			      uint64_t target)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < p->njumps; i++)
		if (strcmp(cg_string(p, p->jumps[i].object), object) == 0 &&
		    p->jumps[i].address == address && p->jumps[i].target == target)
			sum += p->jumps[i].count;
	return sum;
}

#define JUMPING \
	"creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\n" \
	"ob=/a\nfl=a.c\nfn=f\n"

static void test_kept_jumps(void)
{
	static const char text[] = JUMPING "0x100 1 9\n"
					   "+4 * 9\n" /* 0x104 */
					   "jcnd=5/9 -4 *\n"
					   "* *\n"
					   "+4 * 4\n" /* 0x108 */
					   "jump=3 0x200 7\n"
					   "* *\n"
					   "jfi=(3) b.c\njump=1 +0x10 7\n"
					   "* *\n"
					   "fn=g\n0x104 1 2\n"
					   "jcnd=2/2 -4 *\n"
					   "* *\n"
					   "ob=/b\nfn=h\n0x104 1 1\n"
					   "jcnd=0/1 0x100 *\n"
					   "* *\n"
					   "totals: 25\n";
	struct cg_read_options options = { .detail = { .addresses = true, .jumps = true } };
	struct cg_profile *p = profile_with(LINES(text), &options);

	CHECK_U64(p->total[0], 25);
	CHECK_U64(p->njumps - 1, 3);
	CHECK_U64(jumps_between(p, "/a", 0x104, 0x100), 7);
	CHECK_U64(jumps_between(p, "/a", 0x108, 0x200), 3);
	CHECK_U64(jumps_between(p, "/a", 0x108, 0x118), 1);
	CHECK(!p->stray_jumps);
	cg_profile_free(p);

	options.detail.jumps = false;
	p = profile_with(LINES(text), &options);
	CHECK_U64(p->njumps - 1, 0);
	CHECK_U64(p->total[0], 25);
	cg_profile_free(p);
}

/* More than the instruction was executed, and what is no jump. */
static void test_wrong_jumps(void)
{
	static const char *const stray[] = {
		JUMPING "0x104 1 2\njcnd=3/2 0x100 1\n* *\ntotals: 2\n",
		JUMPING "0x104 1 2\njcnd=1/0 0x100 1\n* *\ntotals: 2\n",
	};
	static const char many[] = JUMPING
		"0x104 1 2\njump=18446744073709551615 0x100 1\n* *\njump=1 0x100 1\n* *\n"
		"totals: 2\n";
	static const char *const wrong[] = {
		JUMPING "0x104 1 2\njump=x 0x100 1\n* *\ntotals: 2\n",
		JUMPING "0x104 1 2\njcnd=1/ 0x100 1\n* *\ntotals: 2\n",
		JUMPING "0x104 1 2\njcnd=1/2 x\n* *\ntotals: 2\n",
	};
	struct cg_read_options options = { .detail = { .addresses = true, .jumps = true } };
	struct cg_profile *p;

	for (size_t i = 0; i < sizeof stray / sizeof *stray; i++) {
		p = profile_with(stray[i], strlen(stray[i]), &options);
		CHECK(p->stray_jumps);
		cg_profile_free(p);
	}
	REQUIRE_INT(cg_read_memory(stray[0], strlen(stray[0]), "", &options, &p, NULL), CG_OK);
	cg_profile_free(p);
	CHECK_INT(cg_read_memory(many, strlen(many), "text", &options, &p, NULL), CG_ERANGE);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK_INT(cg_read_memory(wrong[i], strlen(wrong[i]), "text", &options, &p, NULL),
			  CG_ESYNTAX);
	options.lenient = true;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		p = profile_with(wrong[i], strlen(wrong[i]), &options);
		CHECK_U64(p->njumps - 1, 0);
		CHECK_U64(p->total[0], 2);
		cg_profile_free(p);
	}
}

/* By the specification they build on the last cost line, which that of a call is, too. */
static void test_positions_of_others(void)
{
	static const char text[] = "positions: instr line\nevents: t\nfl=a.c\nfn=f\n0x100 100 1\n"
				   "cfn=g\ncalls=1 +800 +900\n+16 +1 70\n" /* 0x110 101 */
				   "+16 +1 600\n"                          /* 0x120 102 */
				   "cfn=g\ncalls=1 * *\n* * 5000\n"
				   "fl=b.c\nfn=g\n-0x20 -2 40000\n"; /* 0x100 100 */
	static const bool without_calls[] = { false, true };
	for (size_t i = 0; i < 2; i++) {
		struct cg_read_options options = { .detail = { .lines = true,
							       .no_calls = without_calls[i] } };
		struct cg_profile *p = profile_with(LINES(text), &options);
		CHECK_U64(line_cost(p, "a.c", 102, 0), 600);
		CHECK_U64(line_cost(p, "b.c", 100, 0), 40000);
		if (!i) {
			REQUIRE_U64(p->ncalls - 1, 2);
			CHECK_U64(cg_call_place(p, 1).line, 101);
			CHECK_U64(cg_call_place(p, 2).line, 102);
		}
		cg_profile_free(p);
	}
}

static void test_addresses(void)
{
	static const char text[] = "positions: instr line\nevents: Ir\n"
				   "fl=a.c\nfn=f\n"
				   "0x1000 16 1\n"
				   "+4 +1 20\n"   /* 0x1004, 17 */
				   "+0xc * 300\n" /* 0x1010, 17 */
				   "0XFFFFFFFFFFFFFFFF 0x10 4000\n"
				   "-0xf -2 50000\n"; /* 0xff…f0, 14 */
	struct cg_profile *p = profile_with(LINES(text), &with_addresses);
	static const uint64_t expected[][3] = { { 0x1000, 16, 1 },
						{ 0x1004, 17, 20 },
						{ 0x1010, 17, 300 },
						{ UINT64_MAX, 16, 4000 },
						{ UINT64_MAX - 15, 14, 50000 } };
	REQUIRE_U64(p->nlines - 1, 5);
	for (size_t i = 0; i < 5; i++) {
		CHECK_U64(p->lines[i + 1].address, expected[i][0]);
		CHECK_U64(p->lines[i + 1].line, expected[i][1]);
		CHECK_U64(p->line_self[i + 1], expected[i][2]);
	}
	cg_profile_free(p);
}

/* Costs on one line are joined where no address is kept. */
static void test_joined_lines(void)
{
	static const char joined[] = "positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n"
				     "0x10 7 1\n+4 * 20\n-8 +1 300\n"
				     "+4 0 4000\n+4 0 50000\n+4 * 600000\n";
	static const char twice[] = "positions: line line\nevents: Ir\nfl=a.c\nfn=f\n"
				    "10 7 1\n+5 * 20\n-12 9 300\n";
	struct cg_profile *p = profile_with(LINES(joined), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 7, 0), 21);
	CHECK_U64(line_cost(p, "a.c", 8, 0), 300);
	CHECK_U64(line_cost(p, "a.c", 0, 0), 654000);
	cg_profile_free(p);
	p = profile_with(LINES(twice), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 7, 0), 21);
	CHECK_U64(line_cost(p, "a.c", 9, 0), 300);
	cg_profile_free(p);
}

/* Where lines are not kept, positions are not worth checking. */
static void refuses_lines(const char *text, uint64_t line, const char *why)
{
	refuses_with(text, strlen(text), &with_addresses, CG_ESYNTAX, line, why);
}

static void test_bad_positions(void)
{
#define HEAD "events: Ir\nfn=f\n"
	refuses_lines(HEAD "-1 5\n", 3, "a line number");
	refuses_lines(HEAD "+ 5\n", 3, "a line number");
	refuses_lines(HEAD "** 5\n", 3, "a line number");
	refuses_lines(HEAD "16x 5\n", 3, "a line number");
	refuses_lines(HEAD "4294967296 5\n", 3, "a line number below 2^32");
	refuses_lines(HEAD "0x10000000000000000 5\n", 3, "a line number");
	refuses_lines(HEAD "18446744073709551616 5\n", 3, "a line number");
	refuses_lines(HEAD "4294967295 5\n+1 5\n", 4, "a line number below 2^32");
	refuses_lines("positions: instr line\n" HEAD "0xffffffffffffffff 1 5\n+1 1 5\n", 5,
		      "an address");
	refuses_lines("positions: instr line\n" HEAD "0x10\n", 4, "a line number");
	refuses_lines("positions: instr line column line\n" HEAD, 1, "instr, bb or line");
	refuses_lines("positions: line line line line\n" HEAD, 1, "at most three positions");
	refuses_lines("positions:\n" HEAD, 1, "instr, bb or line");
#undef HEAD
}

/* A cold part is its function, in the contexts of that, and not called by it. */
static void test_cold_parts(void)
{
	static const char text[] = "events: Ir\nfn=main\n1 1\ncfn=f'main\ncalls=1 1\n1 30\n"
				   "fn=f'main\n1 10\ncfn=f.cold'f'main\ncalls=1 1\n1 20\n"
				   "fn=f.cold'f'main\n1 5\ncfn=g'f.cold'f'main\ncalls=1 1\n1 15\n"
				   "fn=g'f.cold'f'main\n1 15\n";
	struct cg_read_options options = { .detail.contexts = true, .join_cold = true };
	struct cg_profile *p = profile_with(text, strlen(text), &options);
	uint32_t f = function_named(p, "f"), g = function_named(p, "g");

	REQUIRE(f && g);
	CHECK_INT(self_cost(p, f, 0), 15);
	for (uint32_t r = 1; r < p->nrecords; r++) {
		const char *context = callers_of(p, r);
		CHECK_STR(context, p->records[r].function == f   ? "main"
				   : p->records[r].function == g ? "f'main"
								 : "");
	}
	cg_profile_free(p);
	/* Without contexts there are none. */
	options.detail.contexts = false;
	p = profile_with(text, strlen(text), &options);
	for (uint32_t r = 1; r < p->nrecords; r++)
		CHECK(!p->records[r].context);
	CHECK(!p->has_contexts);
	cg_profile_free(p);
}

/* One file by several paths, whatever names it; other names may look like paths. */
static void test_paths_of_all_names(void)
{
	struct cg_profile *p = whole_profile_of(
		"events: Ir\nob=x/./y\nfl=a/../src/x.c\nfn=f/../g\n1 5\n"
		"fi=src/./x.c\n2 60\nfe=./src/x.c\n3 700\n"
		"cfi=b/../src/x.c\ncfn=h\ncalls=1 1\n1 8000\n"
		"fl=src/x.c\nfn=h\n4 8000\n"
		"jfi=c/../d.c\njfn=k\njump=1 1\n5\nfl=d.c\nfn=k\n6 1\n");

	for (uint32_t i = 1; i < p->nlines; i++)
		CHECK_STR(cg_string(p, p->lines[i].file),
			  p->lines[i].line == 6 ? "d.c" : "src/x.c");
	CHECK_INT(line_cost(p, "src/x.c", 2, 0), 60);
	CHECK_INT(line_cost(p, "src/x.c", 3, 0), 700);
	CHECK(function_at(p, "x/./y", "src/x.c", "f/../g") != 0);
	CHECK(function_at(p, "x/./y", "src/x.c", "h") != 0);
	CHECK_U64(calls_between(p, "f/../g", "h", 0, NULL), 1);
	CHECK_U64(p->nfunctions, 4);
	cg_profile_free(p);
}

/* An editor's mark at the beginning belongs to no name. */
static void test_mark(void)
{
	struct cg_profile *p = profile_of("\xef\xbb\xbfm 5\n");
	CHECK_INT(self_of(p, "m", 0), 5);
	CHECK_U64(p->nfunctions, 2);
	cg_profile_free(p);
	p = profile_of("\xef\xbb\xbfm;f 7\n");
	CHECK_INT(self_of(p, "f", 0), 7);
	CHECK(function_named(p, "m") != 0);
	cg_profile_free(p);
}

static void test_jumps(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fl=(1) a.c\nfn=(1) f\n1 5\n"
					  "jfi=(2) b.c\njfn=(2) g\njump=9 4\n1\n"
					  "jcnd=3/9 4\n1\n"
					  "2 40\n"
					  /* Both names were defined by the jump. */
					  "fl=(2)\nfn=(2)\n4 300\n");
	CHECK_U64(self_cost(p, function_at(p, "", "a.c", "f"), 0), 45);
	CHECK_U64(self_cost(p, function_at(p, "", "b.c", "g"), 0), 300);
	CHECK_U64(p->ncalls - 1, 0);
	cg_profile_free(p);
}

/* The scanner passes over what jumps say, and so does whoever reads them as text. */
static void test_jumps_with_nul(void)
{
	static const char text[] = "events: Ir\nfn=f\njump=1 2\0\n1\n1 5\njcnd=1/2 3\0\n2\n2 60\n";
	struct cg_read_options options = { 0 };
	struct cg_profile *p = profile_with(text, sizeof text - 1, &options);

	CHECK_INT(self_of(p, "f", 0), 65);
	cg_profile_free(p);
	options.lenient = true;
	p = profile_with(text, sizeof text - 1, &options);
	CHECK_INT(self_of(p, "f", 0), 65);
	CHECK_U64(p->skipped, 0);
	cg_profile_free(p);
}

TEST_MAIN("reader", { "the smallest profile", test_smallest }, { "the header", test_header },
	  { "a function is object, file and name", test_identity },
	  { "fi and fe are not the function's file", test_other_files },
	  { "fn goes back to the file of fl", test_file_of_function },
	  { "fi for a call only", test_file_of_call }, { "names by number", test_compressed_names },
	  { "numbers that were not defined", test_undefined_names },
	  { "paths of one file", test_paths },
	  { "names that are defined later", test_names_defined_later },
	  { "apostrophes", test_apostrophes }, { "calls", test_calls },
	  { "cfn without calls", test_callee_without_calls },
	  { "cfi left off", test_callee_file_left_off }, { "calls add up", test_calls_add_up },
	  { "calls without target position", test_calls_without_target_position },
	  { "broken calls", test_broken_calls },
	  { "relative positions build on self cost lines", test_relative_positions },
	  { "jumps that are kept", test_kept_jumps }, { "wrong jumps", test_wrong_jumps },
	  { "relative positions of other producers", test_positions_of_others },
	  { "addresses", test_addresses }, { "joined lines", test_joined_lines },
	  { "bad positions", test_bad_positions }, { "jumps", test_jumps },
	  { "jumps with NUL", test_jumps_with_nul }, { "cold parts", test_cold_parts },
	  { "paths of all names", test_paths_of_all_names },
	  { "a mark of the encoding", test_mark })
