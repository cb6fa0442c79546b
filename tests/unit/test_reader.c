#include "tests/unit/profiles.h"

#define LINES(text) text, sizeof text - 1

static const struct cg_read_options plain = { 0 };
static const struct cg_read_options with_lines = { .detail = { .lines = true } };
static const struct cg_read_options with_addresses = { .detail = { .addresses = true } };

/* `bytes` must be refused with this code, at this line (0: any), with a message
 * that contains `why`. */
static void refuses_with(const char *bytes, size_t len, const struct cg_read_options *options,
			 int code, uint64_t line, const char *why)
{
	struct cg_profile *untouched = (struct cg_profile *)&len, *p = untouched;
	struct cg_error err = { 0 };

	int status = cg_read_memory(bytes, len, "bad.callgrind", options, &p, &err);
	test_report(status == code, true, __FILE__, __LINE__, "status %d, not %d: %s", status, code,
		    err.message);
	CHECK(p == untouched);
	CHECK_INT(err.code, code);
	CHECK_STR(err.file, "bad.callgrind");
	if (line)
		CHECK_U64(err.line, line);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
}

static void refuses(const char *text, uint64_t line, const char *why)
{
	refuses_with(text, strlen(text), &plain, CG_ESYNTAX, line, why);
}

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
	CHECK_U64(self_of(p, "with (brackets) and ", 0), 50000);
	CHECK_U64(self_cost(p, function_at(p, "/bin/b", "a.c", "(below main)"), 0), 600000);
	cg_profile_free(p);
}

static void test_undefined_names(void)
{
	refuses("events: Ir\nfn=(1)\n1 1\n", 2, "the number of a name that was defined before");
	refuses("events: Ir\nfl=(1) a.c\nfn=(1)\n", 3, "defined before");
	refuses("events: Ir\nfn=(1) f\ncfn=(99)\n", 3, "(99)");
	refuses("events: Ir\nob=(18446744073709551616) x\nob=(18446744073709551616)\nfn=(2)\n", 4,
		"defined before");
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
	CHECK_U64(p->total[0], 435);	     /* 5 + 30 + 400 */
	CHECK_U64(p->total[1], 3);	     /* 1 + 2; the column left off is 0 */
	REQUIRE_U64(p->ncalls - 1, 2);
	CHECK_U64(p->calls[1].line, 11);
	CHECK_STR(cg_string(p, p->calls[1].file), "a.c");
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
	CHECK(function_at(p, "/lib/x", "x.c", "unused") != 0);
	CHECK_U64(self_cost(p, function_at(p, "/bin/a", "a.c", "used"), 0), 40);
	CHECK_U64(calls_between(p, "main", "used", 0, NULL), 1);
	CHECK_U64(p->ncalls - 1, 1);
	cg_profile_free(p);
}

/* Where Valgrind leaves cfi= off, it means the file of the last cost line;
 * others mean the current file. */
static void test_callee_file_left_off(void)
{
#define BODY                                                                                       \
	"events: Ir\n"                                                                             \
	"fl=a.c\nfn=main\n1 5\n"                                                                   \
	"fi=b.h\ncfn=near\ncalls=1 2\n3 40\n"                                                      \
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
#define BODY                                                                                       \
	"events: Ir\n"                                                                             \
	"fl=a.c\nfn=main\n1 5\n"                                                                   \
	"fi=b.h\ncfn=near\ncalls=1 2\n3 40\ncfi=c.c\ncfn=far\ncalls=1 2\n4 100\n"                   \
	"5 600\ncfn=later\ncalls=1 2\n5 7000\n"                                                   \
	"fi=b.h\n6 80000\n"                                                                        \
	"totals: 80605\n"
	static const char valgrind[] = "creator: callgrind-3.10.1\n" BODY;
	struct cg_profile *p = profile_with(LINES(valgrind), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 5, 0), 600);
	CHECK_U64(line_cost(p, "b.h", 6, 0), 80000);
	CHECK(function_at(p, "", "a.c", "near") != 0);
	CHECK(function_at(p, "", "a.c", "later") != 0);
	CHECK_STR(cg_string(p, p->calls[1].file), "b.h");
	CHECK_STR(cg_string(p, p->calls[2].file), "b.h");
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
	refuses("events: Ir\nfn=f\ncalls=1 2\n3 4\n", 3, "cfn=NAME before calls=");
	refuses("events: Ir\nfn=f\n1 1\ncfn=g\nfn=h\ncalls=1 2\n3 4\n", 6, "cfn=NAME");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=x\n3 4\n", 4, "a number of calls");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=-1 2\n3 4\n", 4, "a number of calls");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 2\nfn=g\n", 5, "cost of the call");
	refuses("events: Ir\nfn=f\ncfn=g\ncalls=1 2\n", 0, "in the middle of a call");
}

/* ---- positions ---- */

/* Relative positions build on the last self cost line: not on the target of a
 * call, not on the line of its cost, not on jumps. */
static void test_relative_positions(void)
{
	static const char text[] = "positions: line\nevents: Ir\n"
				   "fl=a.c\nfn=f\n"
				   "100 1\n" /* 100 */
				   "+3 20\n" /* 103 */
				   "* 300\n" /* 103 */
				   "-4 4000\n" /* 99 */
				   "cfn=g\n"
				   "calls=1 +900\n"
				   "+1 7\n" /* the call is in line 100 */
				   "+1 50000\n" /* 100 */
				   "jump=5 +40\n"
				   "+7\n"
				   "jcnd=2/5 200\n"
				   "*\n"
				   "+2 600000\n" /* 102 */
				   "fl=b.c\nfn=g\n"
				   "+8 7\n"; /* 110: the base outlives the function */
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	CHECK_U64(line_cost(p, "a.c", 103, 0), 320);
	CHECK_U64(line_cost(p, "a.c", 99, 0), 4000);
	CHECK_U64(line_cost(p, "a.c", 100, 0), 50001);
	CHECK_U64(line_cost(p, "a.c", 102, 0), 600000);
	CHECK_U64(line_cost(p, "b.c", 110, 0), 7);
	REQUIRE_U64(p->ncalls - 1, 1);
	CHECK_U64(p->calls[1].line, 100);
	CHECK_U64(p->total[0], 654328);
	cg_profile_free(p);
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
	refuses_lines("positions: instr line\n" HEAD "0xffffffffffffffff 1 5\n+1 1 5\n", 5, "an address");
	refuses_lines("positions: instr line\n" HEAD "0x10\n", 4, "a line number");
	refuses_lines("positions: instr line column line\n" HEAD, 1, "instr, bb or line");
	refuses_lines("positions: line line line line\n" HEAD, 1, "at most three positions");
	refuses_lines("positions:\n" HEAD, 1, "instr, bb or line");
#undef HEAD
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

/* ---- costs ---- */

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
	refuses(HEAD "1 --5\n", 3, "a cost (a whole number below 2^63), found \"--5\"");
	refuses(HEAD "1 -\n", 3, "a cost (a whole number below 2^63), found \"-\"");
	refuses(HEAD "1 5 6 7\n", 3, "no more costs than events, found \"7\"");
	refuses(HEAD "1 5.5\n", 3, "a cost");
	refuses(HEAD "1 0xg\n", 3, "a cost");
	refuses(HEAD "1 0x8000000000000000\n", 3, "a cost");
	refuses(HEAD "1 9223372036854775808\n", 3, "a cost (a whole number below 2^63)");
	refuses("fn=f\n1 5\n", 0, "no `events:` line");
	refuses("events:\nfn=f\n1 5\n", 1, "the name of an event");
	refuses("events: Ir Ir\nfn=f\n1 5\n", 1, "different names");
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

/* ---- parts ---- */

static void test_parts(void)
{
	struct cg_profile *p = profile_of("creator: callgrind-3.19.0\npid: 5\ncmd: ./a\npart: 1\n"
					  "desc: Trigger: Client Request: one\n"
					  "events: Ir Dr\n"
					  "fn=(1) f\n1 1 2\ntotals: 1 2\n"
					  "\npart: 2\n"
					  "desc: Trigger: Program termination\n"
					  "events: Dr Ir\n"
					  /* 1 means another function now. */
					  "fn=(1) g\n1 20 30\n"
					  "fn=(2) f\n1 400 500\ntotals: 420 530\n");
	CHECK_U64(p->nparts, 2);
	CHECK_U64(p->nevents, 2);
	CHECK_U64(self_of(p, "f", 0), 501); /* Ir: 1 + 500 */
	CHECK_U64(self_of(p, "f", 1), 402); /* Dr: 2 + 400 */
	CHECK_U64(self_of(p, "g", 0), 30);
	CHECK_U64(self_of(p, "g", 1), 20);
	CHECK_U64(p->total[0], 531);
	CHECK_U64(p->total[1], 422);
	CHECK_U64(p->parts[0].self[0], 1);
	CHECK_U64(p->parts[1].self[0], 530);
	CHECK_U64(p->parts[1].totals[0], 530);
	CHECK_U64(p->parts[1].totals[1], 420);
	CHECK_U64(p->parts[1].pid, 5); /* not repeated: still holds */
	CHECK_U64(p->parts[1].number, 2);
	CHECK_STR(cg_string(p, p->parts[0].trigger), "Client Request: one");
	CHECK_STR(cg_string(p, p->parts[1].trigger), "Program termination");
	cg_profile_free(p);
}

static void test_parts_with_other_events(void)
{
#define FIRST "events: Ir Dr\nfn=f\n1 1\n"
	refuses(FIRST "events: Ir\nfn=f\n1 1\n", 4, "the same events as in the first part");
	refuses(FIRST "events: Ir Dw\nfn=f\n1 1\n", 4, "the same events");
	refuses(FIRST "events: Ir Dr Dw\nfn=f\n1 1\n", 4, "the same events");
	refuses(FIRST "events: Ir Ir\nfn=f\n1 1 1\n", 4, "the same events");
#undef FIRST
}

static void test_several_files(void)
{
	const char *none[] = { "/nonexistent/a", NULL };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(cg_read_files(none, 0, &plain, &p, &err), CG_EINVAL);
	CHECK_INT(cg_read_files(none, 1, &plain, &p, &err), CG_EIO);
	CHECK_STR(err.file, "/nonexistent/a");
	CHECK(p == NULL);
}

/* ---- inlined code of CodSpeed's Valgrind ---- */

static void test_inlined(void)
{
	static const char text[] = "events: Ir\n"
				   "ob=/bin/a\nfl=(1) a.c\nfn=(1) f\n"
				   "1 1\n"
				   "fi=(2) in.h\ncfni=(7) helper\n"
				   "70 20\n"
				   "71 300\n"
				   "cfi=(1)\ncfn=(8) g\ncalls=2 5\n72 4000\n"
				   "fe=(1)\ncfni=???\n"
				   "2 50000\n"
				   "fn=(8)\n5 4000\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	uint32_t helper = function_at(p, "/bin/a", "in.h", "helper");
	int64_t cost;

	CHECK_U64(self_cost(p, helper, 0), 320);
	CHECK_U64(self_of(p, "f", 0), 50001);
	/* The link from f: no call, but all that is below. */
	CHECK_U64(calls_between(p, "f", "helper", 0, &cost), 0);
	CHECK_U64(cost, 4320);
	CHECK_U64(calls_between(p, "helper", "g", 0, &cost), 2);
	CHECK_U64(cost, 4000);
	CHECK_U64(p->total[0], 54321);

	uint32_t inlined = 0;
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == helper)
			inlined = r;
	REQUIRE(inlined != 0);
	uint32_t into = p->records[inlined].inlined_into;
	CHECK_STR(cg_string(p, p->functions[p->records[into].function].name), "f");
	cg_profile_free(p);
}

/* ---- how files end, and other producers ---- */

static void test_line_ends(void)
{
	struct cg_profile *p = profile_of("# comment\r\nevents: Ir\r\n\r\n"
					  "fn=(1) f\r\n1 7\r\n# 2 100\r\nfn=(1)\r\n2 80");
	CHECK_U64(self_of(p, "f", 0), 87); /* no \r in the name, no newline at the end */
	cg_profile_free(p);
}

static void test_unknown_headers(void)
{
	struct cg_profile *p = profile_of("version: 1\nfuture_key: anything\nevents: Ir\n"
					  "fn=f\n1 7\n");
	CHECK_U64(p->total[0], 7);
	cg_profile_free(p);
	refuses("version: 3\nevents: Ir\n", 1, "version 1 or 2");
	refuses("version: one\nevents: Ir\n", 1, "version 1 or 2");
	refuses("events: Ir\nunknown=7\n", 2, "a line of the callgrind format");
	refuses("events: Ir\nhello world\n", 2, "found \"hello world\"");
}

static void test_cachegrind(void)
{
	struct cg_profile *p = profile_of("desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir I1mr\n"
					  "fl=a.c\nfn=main\n3 10 1\n4 20\nsummary: 30 1\n");
	CHECK_U64(p->nparts, 1);
	CHECK_U64(p->total[0], 30);
	CHECK_U64(p->parts[0].summary[1], 1);
	cg_profile_free(p);
}

static void test_truncated(void)
{
#define HEAD "creator: callgrind-3.19.0\nevents: Ir\nsummary: 11\nfn=f\n"
	refuses(HEAD "1 5\n2 ", 0, "truncated");
	refuses(HEAD "1 5\nfn=g\n2 -", 7, "the middle of this line: it is truncated: expected a cost");
	refuses(HEAD "1 5\ncfn=g\ncalls=1 2\n3 -", 8, "the middle of this line");
	refuses(HEAD "1 5\nto", 6, "the middle of this line");
	refuses(HEAD "1 5\n", 0, "without its `totals:` line: it is truncated");
	refuses(HEAD "1 5\ntotals: 5\nevents: Ir\nfn=f\n", 0, "truncated");
	refuses("creator: irdiff-0.1.0\nevents: Ir\nsummary: 11\nfn=f\n1 5\n", 0, "truncated");
	struct cg_profile *p = profile_of(HEAD "1 5\n2 6\ntotals: 11\n");
	CHECK_U64(p->total[0], 11);
	cg_profile_free(p);
	/* Old versions wrote no totals; all that the summary announces is there. */
	p = profile_of(HEAD "1 5\n2 6\n");
	CHECK_U64(p->total[0], 11);
	cg_profile_free(p);
#undef HEAD
}

static void test_not_a_profile(void)
{
	refuses("", 0, "empty");
	refuses("\n\n# nothing\n", 0, "no `events:` line");
	refuses("version: 1\n", 0, "not a callgrind or cachegrind file");
	static const char elf[] = "\177ELF\2\1\1\0\0\0";
	refuses_with(LINES(elf), &plain, CG_ESYNTAX, 1, "NUL byte");
	static const char nul[] = "events: Ir\nfn=a\0b\n1 1\n";
	refuses_with(LINES(nul), &plain, CG_ESYNTAX, 2, "NUL byte");
	static const char bytes[] = "\xff\xfe\x80 garbage \x01";
	refuses_with(LINES(bytes), &plain, CG_ESYNTAX, 1, "found \"??? garbage ?\"");
}

static void test_long_line(void)
{
	enum { MAX = 16 << 20 };
	static const char head[] = "events: Ir\nfn=", tail[] = "\n1 7\n";
	size_t size = MAX + 1000000;
	char *text = malloc(size);
	REQUIRE(text != NULL);

	/* A name of 1 MiB is allowed, a line above 16 MiB is not. */
	memset(text, 'x', size);
	memcpy(text, head, sizeof head - 1);
	memcpy(text + (1 << 20), tail, sizeof tail - 1);
	struct cg_profile *p = profile_with(text, (1 << 20) + sizeof tail - 1, &plain);
	CHECK_U64(p->total[0], 7);
	CHECK_U64(strlen(cg_string(p, p->functions[1].name)), (1 << 20) - (sizeof head - 1));
	cg_profile_free(p);

	memset(text, 'x', size);
	memcpy(text, head, sizeof head - 1);
	refuses_with(text, size, &plain, CG_ESYNTAX, 0, "longer than 16 MiB");
	free(text);
}

/* ---- lenient ---- */

static void test_lenient(void)
{
	static const char text[] = "events: Ir\n"
				   "fn=(1) f\n"
				   "1 5\n"
				   "garbage\n"		 /* 1 */
				   "2 x\n"		 /* 2 */
				   "3 60\n"
				   "cfn=(9)\n"		 /* 3: not defined … */
				   "calls=1 1\n"	 /* 4: … so it is not known what is called … */
				   "4 1000000\n"	 /* 5: … and this is not a self cost */
				   "cfn=(2) g\n"
				   "calls=zero 1\n"	 /* 6 */
				   "4 1000000\n"	 /* 7 */
				   "calls=1 1\n"	 /* 8: its cost is missing … */
				   "fn=(2)\n"		 /* … but this line is good */
				   "5 700\n"
				   "fn=(77)\n"		 /* 9 */
				   "6 90000\n"	 /* of an unknown function, not of g */
				   "fn=(1)\n"
				   "7 8000\n"
				   "cfn=(2)\ncalls=3 1\n"; /* 10: cut off */
	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *p = profile_with(LINES(text), &lenient);

	CHECK_U64(self_of(p, "f", 0), 8065); /* 5 + 60 + 8000 */
	CHECK_U64(self_of(p, "g", 0), 700);
	CHECK_U64(self_of(p, "???", 0), 90000);
	CHECK_U64(p->total[0], 98765);
	CHECK_U64(p->ncalls - 1, 0);
	CHECK_U64(p->skipped, 10);
	cg_profile_free(p);

	/* What holds no profile at all is an error even so. */
	static const char nothing[] = "garbage\nmore\n";
	refuses_with(LINES(nothing), &lenient, CG_ESYNTAX, 0, "no `events:` line");
}

/* ---- what is kept ---- */

static const char levels[] = "creator: callgrind-3.19.0\n"
			     "positions: instr line\nevents: Ir\n"
			     "fl=a.c\n"
			     "fn=(1) f'main\n0x10 1 1\n0x14 1 20\n"
			     "fn=(2) f'2'f'main\n0x10 1 300\n"
			     "fn=(3) f'3'f'main\n0x10 1 4000\n"
			     "fn=(4) f'other\n0x10 1 50000\n"
			     "fn=(5) main\n0x20 2 600000\n"
			     "totals: 654321\n";

static struct cg_profile *levels_with(struct cg_detail detail)
{
	struct cg_read_options options = { .detail = detail };
	struct cg_profile *p = profile_with(levels, strlen(levels), &options);

	/* Whatever is folded, nothing is lost. */
	CHECK_U64(p->total[0], 654321);
	CHECK_U64(self_of(p, "f", 0), 54321);
	CHECK(p->has_levels);
	return p;
}

static void test_detail(void)
{
	struct cg_profile *p = levels_with((struct cg_detail){ 0 });
	CHECK_U64(p->nrecords - 1, 4); /* f, f'2, f'3, main */
	CHECK_U64(p->nlines - 1, 0);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .contexts = true });
	CHECK_U64(p->nrecords - 1, 5);
	CHECK_STR(cg_string(p, p->records[1].context), "main");
	CHECK_STR(cg_string(p, p->records[2].context), "f'main");
	CHECK_U64(p->records[3].level, 3);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .max_level = 2 });
	CHECK_U64(p->nrecords - 1, 3); /* f, f'2, main */
	CHECK_U64(p->records[2].level, 2);
	CHECK_U64(p->record_self[2], 4300);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .max_level = 1 });
	CHECK_U64(p->nrecords - 1, 2);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .lines = true });
	CHECK_U64(p->nlines - 1, 4); /* line 1 of three records of f, line 2 of main */
	CHECK(!p->has_addresses);
	CHECK_U64(p->lines[1].address, 0);
	CHECK_U64(p->line_self[1], 50021);
	cg_profile_free(p);

	p = levels_with((struct cg_detail){ .addresses = true });
	CHECK(p->has_lines); /* implied */
	CHECK_U64(p->nlines - 1, 5);
	CHECK_U64(p->lines[2].address, 0x14);
	cg_profile_free(p);
}

/* Levels and contexts are Valgrind's (and irdiff's) way to write names. */
static void test_apostrophes_of_others(void)
{
	struct cg_profile *p = profile_of("creator: xdebug 3.1\nevents: Ir\nfn=it's'2\n1 5\n");
	CHECK_U64(self_of(p, "it's'2", 0), 5);
	CHECK(!p->has_levels);
	cg_profile_free(p);
}

static void test_levels_by_option(void)
{
#define REST "events: Ir\nfn=f\n1 5\n"
	static const struct {
		const char *text;
		bool levels;
	} cases[] = {
		{ "desc: Option: --separate-recs=2\n" REST, true },
		{ "desc: Option: --separate-recs=10\n" REST, true },
		{ "desc: Option: --separate-recs=1\n" REST, false },
		{ "desc: Option: --separate-callers=3\n" REST, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cg_profile *p = profile_of(cases[i].text);
		CHECK_INT(p->has_levels, cases[i].levels);
		cg_profile_free(p);
	}
#undef REST
}

static void test_path_map(void)
{
	static const char text[] = "events: Ir\n"
				   "ob=/tmp/ws/bin/a\nfl=/tmp/ws\nfn=f\n1 1\n"
				   "ob=/tmp/wsx/a\nfl=/tmp/ws/src/a.c\nfn=g\n1 20\n"
				   "cob=/tmp/ws/bin/b\ncfi=/tmp/ws/b.c\ncfn=h\ncalls=1 1\n1 300\n";
	static const struct cg_path_map paths[] = { { "/tmp/ws", "/home/me" },
						    { "/tmp", "/wrong" } };
	struct cg_read_options options = { .paths = paths, .npaths = 1 };
	struct cg_profile *p = profile_with(LINES(text), &options);
	CHECK(function_at(p, "/home/me/bin/a", "/home/me", "f") != 0);
	CHECK(function_at(p, "/tmp/wsx/a", "/home/me/src/a.c", "g") != 0);
	CHECK(function_at(p, "/home/me/bin/b", "/home/me/b.c", "h") != 0);
	cg_profile_free(p);

	/* The first that fits counts. */
	options.npaths = 2;
	p = profile_with(LINES(text), &options);
	CHECK(function_at(p, "/wrong/wsx/a", "/home/me/src/a.c", "g") != 0);
	cg_profile_free(p);
}

/* Hostile, but small: must not take long. */
static void test_many_descs(void)
{
	enum { MANY = 100000 };
	size_t size = MANY * 24 + 100, used = 0;
	char *text = malloc(size);
	REQUIRE(text != NULL);

	for (int i = 0; i < MANY; i++)
		used += (size_t)snprintf(text + used, size - used, "desc: k%d: v\n", i);
	used += (size_t)snprintf(text + used, size - used, "desc: k7: v\nevents: Ir\nfn=f\n1 7\n");
	struct cg_profile *p = profile_with(text, used, &plain);
	CHECK_U64(p->ndescs, MANY); /* the repeated one is kept once */
	CHECK_STR(cg_desc_value(p, "k99999"), "v");
	cg_profile_free(p);
	free(text);
}

/* ---- the scanner ---- */

/* What the scanner takes off the reader means the same when the reader reads it,
 * which a lenient one does for every line. */
static void agrees(const char *text, size_t len, int64_t total)
{
	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *fast = profile_with(text, len, &plain);
	struct cg_profile *slow = profile_with(text, len, &lenient);

	CHECK_U64(slow->skipped, 0);
	CHECK_U64(fast->total[0], total);
	CHECK_U64(slow->total[0], total);
	CHECK_U64(fast->nrecords, slow->nrecords);
	CHECK_U64(fast->ncalls, slow->ncalls);
	cg_profile_free(fast);
	cg_profile_free(slow);
}

static void test_unusual_lines(void)
{
#define HEAD "events: Ir Dr\nfn=f\n"
	static const struct {
		const char *text;
		int64_t total;
	} cases[] = {
		{ HEAD "1 5 1\r\n+1\t6\n 2 7 \n*  8\n", 26 },
		{ HEAD "1 1234567\n1 12345678 1\n1 123456789012345\n1 1234567890123456\n",
		  1234567 + 12345678 + UINT64_C(123456789012345) + UINT64_C(1234567890123456) },
		{ HEAD "0x10 1\n+0xff 2\n4294967295 4\n", 7 },
		{ HEAD "cfn=g\ncalls=1 2\n# why\n\n2 100\n3 4\n", 4 },
		{ HEAD " cfn=g\n calls=1 2\n 2 100\n 3 4\n", 4 },
		{ HEAD "jcnd=1/2 3\n# why\n5\n6 7\njump=1 9\n*\n8 9\n", 16 },
		/* The first is not a cost but where the jump stands. */
		{ HEAD " jump=1 2\njcnd=1/2 3\n5\n6 7\n8 9\n", 16 },
		{ HEAD "1 5\nevents: Dr Ir\nfn=f\n1 6 7\n", 12 },
	};
#undef HEAD
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		agrees(cases[i].text, strlen(cases[i].text), cases[i].total);
}

/* Longer than the runs that are added up, than a window, and than all windows
 * that are scanned ahead. Jumps behind a blank are left to the reader each time. */
static void test_many_lines(void)
{
	enum { LINES = 1000000 };
	char *text = NULL;
	size_t size;
	int64_t total = 0;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);
	fputs("events: Ir\n", f);
	for (uint64_t i = 0; i < LINES; i++) {
		if (i % 5000 == 0)
			fprintf(f, "fn=(%" PRIu64 ") f%" PRIu64 "\n", i, i % 50000);
		if (i % 1000 == 0)
			fprintf(f, "cfn=(%" PRIu64 ")\ncalls=1 +3\n* 77\n jump=1 2\n5 \n", i - i % 5000);
		fprintf(f, "+%" PRIu64 " %" PRIu64 "\n", i % 3, i);
		total += i;
	}
	fclose(f);
	agrees(text, size, total);
	free(text);
}

/* ---- inlined code in files of irdiff ---- */

/* Inner is inlined into outer, that into main; inner calls leaf. */
static const char nested[] = "events: Ir\n"
			     "ob=/bin/a\nfl=a.c\nfn=(1) main\n1 1\n"
			     "fl=in.h\ninlined=(1)\nfn=(2) outer\n5 20\n"
			     "inlined=(2)\nfn=(3) inner\n7 300\n"
			     "cfi=a.c\ncfn=(4) leaf\ncalls=2 9\n8 4000\n"
			     "fl=a.c\nfn=(4)\n9 4000\n"
			     "totals: 4321\n";

static uint32_t record_named(const struct cg_profile *p, const char *name)
{
	uint32_t function = function_named(p, name), found = 0;
	REQUIRE(function != 0);
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == function)
			found = r;
	return found;
}

static void test_nested_inlined(void)
{
	struct cg_profile *p = whole_profile_of(nested);
	int64_t cost;

	CHECK(p->has_inlined);
	CHECK_U64(p->records[record_named(p, "inner")].inlined_into, record_named(p, "outer"));
	CHECK_U64(p->records[record_named(p, "outer")].inlined_into, record_named(p, "main"));
	CHECK_U64(p->records[record_named(p, "main")].inlined_into, 0);
	CHECK_STR(cg_string(p, p->functions[function_named(p, "inner")].file), "in.h");
	CHECK_INT(self_of(p, "main", 0), 1);
	CHECK_INT(self_of(p, "outer", 0), 20);
	CHECK_INT(self_of(p, "inner", 0), 300);
	/* What flows into each goes out of it again. */
	CHECK_U64(calls_between(p, "main", "outer", 0, &cost), 0);
	CHECK_INT(cost, 20 + 300 + 4000);
	CHECK_U64(calls_between(p, "outer", "inner", 0, &cost), 0);
	CHECK_INT(cost, 300 + 4000);
	CHECK_U64(calls_between(p, "inner", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

static void test_folded_inlined(void)
{
	const struct cg_read_options folded = { .fold_inlined = true };
	struct cg_profile *p = profile_with(LINES(nested), &folded);
	int64_t cost;

	CHECK(!p->has_inlined);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_INT(self_of(p, "main", 0), 321);
	CHECK_U64(calls_between(p, "main", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

/* A number stands for the record that it was given to last. */
static void test_inlined_twice(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\n"
						"fn=(1) main\n1 1\n"
						"inlined=(1)\nfn=(2) mix\n5 20\n"
						"inlined=(2)\nfn=(3) deep\n6 300\n"
						"fn=(4) other\n1 4000\n"
						"inlined=(4)\nfn=(5) mix\n5 50000\n"
						"inlined=(5)\nfn=(6) deep\n6 600000\n");
	uint32_t mixes = 0, deeps = 0;

	for (uint32_t r = 1; r < p->nrecords; r++) {
		const char *name = cg_string(p, p->functions[p->records[r].function].name);
		mixes += strcmp(name, "mix") == 0;
		deeps += strcmp(name, "deep") == 0;
	}
	CHECK_U64(mixes, 2);
	CHECK_U64(deeps, 2);
	CHECK_INT(self_of(p, "mix", 0), 50020);
	CHECK_INT(self_of(p, "deep", 0), 600300);
	int64_t cost;
	calls_between(p, "other", "mix", 0, &cost);
	CHECK_INT(cost, 650000);
	calls_between(p, "mix", "deep", 0, &cost);
	CHECK_INT(cost, 600300);
	cg_profile_free(p);
}

static void test_inlined_in_parts(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\n"
						"fn=(1) main\n1 1\n"
						"inlined=(1)\nfn=(2) mix\n5 20\n"
						"totals: 21\n"
						"events: Ir\n"
						"fn=(1) other\n1 300\n"
						"inlined=(1)\nfn=(2) mix\n5 4000\n"
						"totals: 4300\n");
	int64_t cost;

	calls_between(p, "main", "mix", 0, &cost);
	CHECK_INT(cost, 20);
	calls_between(p, "other", "mix", 0, &cost);
	CHECK_INT(cost, 4000);
	CHECK_INT(self_of(p, "mix", 0), 4020);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

static void test_bad_inlined(void)
{
	static const char expected[] = "expected inlined=(NUMBER)", unknown[] = "defined before";
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=(2)\nfn=(3) f\n1 1\n", 4, unknown);
	refuses("events: Ir\ninlined=(1)\nfn=(1) main\n1 1\n", 2, unknown);
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=main\nfn=(3) f\n1 1\n", 4, expected);
	/* A function cannot be inlined into itself before it is there. */
	refuses("events: Ir\ninlined=(1) main\nfn=(1)\n1 1\n", 2, expected);
}

TEST_MAIN("reader", { "the smallest profile", test_smallest }, { "the header", test_header },
	  { "a function is object, file and name", test_identity },
	  { "fi and fe are not the function's file", test_other_files },
	  { "fn goes back to the file of fl", test_file_of_function },
	  { "fi for a call only", test_file_of_call },
	  { "names by number", test_compressed_names },
	  { "numbers that were not defined", test_undefined_names }, { "calls", test_calls },
	  { "cfn without calls", test_callee_without_calls },
	  { "cfi left off", test_callee_file_left_off }, { "calls add up", test_calls_add_up },
	  { "calls without target position", test_calls_without_target_position },
	  { "broken calls", test_broken_calls },
	  { "relative positions build on self cost lines", test_relative_positions },
	  { "addresses", test_addresses }, { "bad positions", test_bad_positions },
	  { "jumps", test_jumps }, { "costs", test_costs }, { "bad costs", test_bad_costs }, { "rare forms", test_rare_forms },
	  { "the largest costs", test_largest_costs }, { "sums above 2^63", test_sums_overflow },
	  { "sizes above 2^63", test_sizes_overflow },
	  { "negative costs", test_negative_costs },
	  { "256 events", test_many_events }, { "parts", test_parts },
	  { "parts with other events", test_parts_with_other_events },
	  { "several files", test_several_files }, { "inlined code", test_inlined },
	  { "inlined into inlined code", test_nested_inlined },
	  { "inlined code, folded", test_folded_inlined },
	  { "inlined into two functions", test_inlined_twice },
	  { "inlined code in several parts", test_inlined_in_parts },
	  { "inlined into what is not there", test_bad_inlined },
	 
	  { "line ends and comments", test_line_ends },
	  { "unknown headers and lines", test_unknown_headers }, { "cachegrind", test_cachegrind },
	  { "truncated files", test_truncated }, { "what is not a profile", test_not_a_profile },
	  { "long lines", test_long_line }, { "a lenient reader", test_lenient },
	  { "detail is kept or folded", test_detail },
	  { "apostrophes of other producers", test_apostrophes_of_others },
	  { "levels by option", test_levels_by_option }, { "the path map", test_path_map },
	  { "many desc lines", test_many_descs },
	  { "lines in unusual forms", test_unusual_lines },
	  { "more lines than windows hold", test_many_lines })
