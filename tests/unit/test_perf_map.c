/* Maps of generated code, and the profiles of programs that wrote one. */
#include "cgprofile/perf_map.h"

#include "callgrind/coarsen.h"
#include "cgprofile/audit.h"
#include "tests/unit/mapped.h"

/* "NAME FILE LINE", and "*" for a function that an interpreter runs. */
static const char *at(const struct cg_perf_map *map, uint64_t address)
{
	static char text[5000];
	const struct cg_perf_symbol *s = cg_perf_map_find(map, address);

	if (!s)
		return "none";
	snprintf(text, sizeof text, "%s %s %" PRIu32 "%s", s->name, s->file ? s->file : "-",
		 s->line, s->interpreted ? " *" : "");
	return text;
}

/* ---- lines ---- */

static void test_lines(void)
{
	struct cg_perf_map *map = map_of("1000 10 plain name\n"
					 "0x2000 0xF hexadecimal\r\n"
					 "ffffffffffffff00 ff last");

	CHECK_STR(at(map, 0xfff), "none");
	CHECK_STR(at(map, 0x1000), "plain name - 0");
	CHECK_STR(at(map, 0x100f), "plain name - 0");
	CHECK_STR(at(map, 0x1010), "none");
	CHECK_STR(at(map, 0x200e), "hexadecimal - 0");
	CHECK_STR(at(map, 0x200f), "none");
	CHECK_STR(at(map, UINT64_MAX - 1), "last - 0");
	CHECK_STR(at(map, UINT64_MAX), "none");
	cg_perf_map_free(map);
}

static void test_later_lines(void)
{
	struct cg_perf_map *map = map_of("100 100 first\n"
					 "140 20 inside\n"
					 "1f0 20 end\n"
					 "80 90 begin\n"
					 "150 8 innermost\n");

	CHECK_STR(at(map, 0x80), "begin - 0");
	CHECK_STR(at(map, 0x10f), "begin - 0");
	CHECK_STR(at(map, 0x110), "first - 0");
	CHECK_STR(at(map, 0x140), "inside - 0");
	CHECK_STR(at(map, 0x157), "innermost - 0");
	CHECK_STR(at(map, 0x158), "inside - 0");
	CHECK_STR(at(map, 0x160), "first - 0");
	CHECK_STR(at(map, 0x1ef), "first - 0");
	CHECK_STR(at(map, 0x1f0), "end - 0");
	CHECK_STR(at(map, 0x20f), "end - 0");
	CHECK_STR(at(map, 0x210), "none");
	cg_perf_map_free(map);
}

static void test_bad_lines(void)
{
	struct cg_perf_map *map = map_of("\n"
					 "10\n"
					 "10 \n"
					 "10 10\n"
					 "10 10 \n"
					 "10 0 empty\n"
					 "-10 10 negative\n"
					 "0x 10 no digits\n"
					 "11111111111111111 10 too long\n"
					 "fffffffffffffff0 11 beyond the end\n"
					 "words of no map\n"
					 "40 10 good\n");

	for (uint64_t address = 0; address < 0x40; address++)
		CHECK_STR(at(map, address), "none");
	CHECK_STR(at(map, 0x40), "good - 0");
	CHECK_STR(at(map, UINT64_MAX), "none");
	cg_perf_map_free(map);
}

static void test_python_names(void)
{
	struct cg_perf_map *map = map_of("10 b py::Parser.read:/src/a:b.py\n"
					 "20 b py::<module>:<frozen os>\n"
					 "30 b py::f:\n"
					 "40 b py::f\n");

	CHECK_STR(at(map, 0x10), "py::Parser.read /src/a:b.py 0 *");
	CHECK_STR(at(map, 0x20), "py::<module> <frozen os> 0 *");
	CHECK_STR(at(map, 0x30), "py::f - 0 *");
	CHECK_STR(at(map, 0x40), "py::f - 0 *");
	cg_perf_map_free(map);
}

static void test_script_names(void)
{
	struct cg_perf_map *map = map_of("10 1 JS:~parse /src/my parser.js:12:3\n"
					 "20 1 JS:*parse file:///src/parser.mjs:12:3\n"
					 "30 1 LazyCompile:^get x node:internal/util:7:1\n"
					 "40 1 JS:~ /src/parser.js:1:1\n"
					 "50 1 Builtin:ArrayPush\n"
					 "60 1 Main::run(int) Main.java:31\n"
					 "70 1 no_path:31\n"
					 "80 1 JS:+f x.js:99999999999:1\n"
					 "90 1 JS:~\n");

	CHECK_STR(at(map, 0x10), "JS:parse /src/my parser.js 12");
	CHECK_STR(at(map, 0x20), "JS:parse /src/parser.mjs 12");
	CHECK_STR(at(map, 0x30), "LazyCompile:get x node:internal/util 7");
	CHECK_STR(at(map, 0x40), "JS:(anonymous) /src/parser.js 1");
	CHECK_STR(at(map, 0x50), "Builtin:ArrayPush - 0");
	CHECK_STR(at(map, 0x60), "Main::run(int) Main.java 31");
	CHECK_STR(at(map, 0x70), "no_path:31 - 0");
	CHECK_STR(at(map, 0x90), "JS:(anonymous) - 0");
	cg_perf_map_free(map);
}

static void test_hostile_names(void)
{
	char text[2000];
	int len = snprintf(text, sizeof text,
			   "10 1 a'b\tc\x7f\n20 1 %0*d\n30 1 %0498d\xc3\xa9\xc3\xa9\n", 1000, 0, 0);
	struct cg_perf_map *map = NULL;

	REQUIRE_INT(cg_perf_map_parse(text, (size_t)len, &map), CG_OK);
	CHECK_STR(cg_perf_map_find(map, 0x10)->name, "a`b?c?");
	CHECK_U64(strlen(cg_perf_map_find(map, 0x20)->name), 500);
	CHECK_U64(strlen(cg_perf_map_find(map, 0x30)->name), 500); /* a whole character */
	cg_perf_map_free(map);
	REQUIRE_INT(cg_perf_map_parse("10 1 a\0b\n", 9, &map), CG_OK);
	CHECK_STR(cg_perf_map_find(map, 0x10)->name, "a?b");
	cg_perf_map_free(map);
}

/* ---- profiles ---- */

#define LOOP "0x0000000000001002"

/* main() calls f() twice, and f() calls len() and itself; Python's own code is below start. */
static const char python[] = "version: 1\n"
			     "creator: callgrind-3.19.0\n"
			     "pid: 77\n"
			     "part: 1\n"
			     "desc: Option: --separate-callers=10\n"
			     "positions: instr line\n"
			     "events: Ir\n" PYTHON
			     /* no Python function runs yet */
			     "fn=" EVAL "'start\n"
			     "0x100 10 5\n" PYTHON "fn=start\n"
			     "0x50 1 7\n"
			     "cfn=" EVAL "'start\n"
			     "calls=1 0x100 10\n"
			     "0x51 1 5\n"
			     "cfn=" RUN "'start\n"
			     "calls=1 0x200 20\n"
			     "0x52 1 1266\n" PYTHON "fn=" RUN "'start\n"
			     "0x200 20 6\n"
			     "cob=???\ncfi=???\n"
			     "cfn=" MAIN "'" RUN "'start\n"
			     "calls=1 0x2000 0\n"
			     "0x201 20 1260\n" CODE "fn=" MAIN "'" RUN "'start\n"
			     "0x2000 0 10\n"
			     "cob=libpython.so\ncfi=ceval.c\n"
			     "cfn=" EVAL "'" MAIN "'" RUN "'start\n"
			     "calls=1 0x100 10\n"
			     "0x2001 0 1250\n" PYTHON "fn=" EVAL "'" MAIN "'" RUN "'start\n"
			     "0x100 10 50\n"
			     "cfn=" RUN "'" EVAL "'" MAIN "'" RUN "'start\n"
			     "calls=2 0x200 20\n"
			     "0x101 11 1200\n" PYTHON "fn=" RUN "'" EVAL "'" MAIN "'" RUN "'start\n"
			     "0x200 20 200\n"
			     "cob=???\ncfi=???\n"
			     "cfn=" LOOP "'" RUN "'" EVAL "'" MAIN "'" RUN "'start\n"
			     "calls=2 0x1002 0\n"
			     "0x201 20 1000\n" CODE "fn=" LOOP "'" RUN "'" EVAL "'" MAIN "'" RUN
			     "'start\n"
			     "0x1002 0 20\n"
			     "cob=libpython.so\ncfi=ceval.c\n"
			     "cfn=" EVAL "'2'" LOOP "'" RUN "'" EVAL "'" MAIN "\n"
			     "calls=2 0x100 10\n"
			     "0x1003 0 980\n" PYTHON "fn=" EVAL "'2'" LOOP "'" RUN "'" EVAL "'" MAIN
			     "\n"
			     "0x100 10 300\n"
			     "cfi=bltin.c\n"
			     "cfn=len'" EVAL "'" LOOP "'" RUN "'" EVAL "'" MAIN "\n"
			     "calls=4 0x300 90\n"
			     "0x102 12 80\n"
			     "cfn=" RUN "'2'" EVAL "'" LOOP "'" RUN "'" EVAL "'" MAIN "\n"
			     "calls=1 0x200 20\n"
			     "0x103 12 600\n"
			     "fl=bltin.c\n"
			     "fn=len'" EVAL "'" LOOP "'" RUN "'" EVAL "'" MAIN "\n"
			     "0x300 90 80\n" PYTHON "fn=" RUN "'2'" EVAL "'" LOOP "'" RUN "'" EVAL
			     "'" MAIN "\n"
			     "0x200 20 100\n"
			     "cob=???\ncfi=???\n"
			     "cfn=" LOOP "'2'" RUN "'" EVAL "'" LOOP "'" RUN "'" EVAL "'" MAIN "\n"
			     "calls=1 0x1002 0\n"
			     "0x201 20 500\n" CODE "fn=" LOOP "'2'" RUN "'" EVAL "'" LOOP "'" RUN
			     "'" EVAL "'" MAIN "\n"
			     "0x1002 0 10\n"
			     "cob=libpython.so\ncfi=ceval.c\n"
			     "cfn=" EVAL "'3'" LOOP "'" RUN "'" EVAL "'" LOOP "\n"
			     "calls=1 0x100 10\n"
			     "0x1003 0 490\n" PYTHON "fn=" EVAL "'3'" LOOP "'" RUN "'" EVAL "'" LOOP
			     "\n"
			     "0x100 10 490\n"
			     "totals: 1278\n";

static const char python_map[] = "1000 b py::f:/seen/f.py\n"
				 "2000 b py::main:/seen/main.py\n";

/* What all ways to read it have in common. */
static void check_python(const struct cg_profile *p)
{
	uint32_t event;

	CHECK_U64(p->total[0], 1278);
	CHECK(cg_part_adds_up(p, &p->parts[0], &event));
	CHECK(function_at(p, "", "/real/f.py", "py::f") != 0);
	CHECK(function_at(p, "", "/real/main.py", "py::main") != 0);
	CHECK_U64(function_named(p, LOOP), 0);
	CHECK_U64(calls_between(p, p->has_inlined ? EVAL : "py::f", "len", 0, NULL), 4);
}

static void check_folded_python(const struct cg_profile *p)
{
	int64_t cost;

	check_python(p);
	CHECK(!p->has_inlined);
	CHECK_U64(self_of(p, "py::f", 0), 20 + 300 + 100 + 10 + 490);
	CHECK_U64(self_of(p, "py::main", 0), 10 + 50 + 200);
	CHECK_U64(self_of(p, EVAL, 0), 5); /* before any Python function */
	CHECK_U64(self_of(p, RUN, 0), 6);
	CHECK_U64(self_of(p, "len", 0), 80);
	CHECK_U64(calls_between(p, "py::main", "py::f", 0, &cost), 2);
	CHECK_U64(cost, 1000);
	CHECK_U64(calls_between(p, "py::f", "py::f", 0, &cost), 1);
	CHECK_U64(cost, 500);
	CHECK_U64(calls_between(p, "py::f", EVAL, 0, NULL), 0);
	CHECK_U64(calls_between(p, RUN, "py::main", 0, &cost), 1);
	CHECK_U64(cost, 1260);
}

static void test_no_map(void)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = mapped_profile(python, python_map, "other", options);

	CHECK_U64(p->total[0], 1278);
	CHECK_U64(self_of(p, LOOP, 0), 30);
	CHECK_U64(self_of(p, EVAL, 0), 5 + 50 + 300 + 490);
	cg_profile_free(p);
}

static void test_plain(void)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = mapped_profile(python, python_map, "test", options);

	check_folded_python(p);
	cg_profile_free(p);
}

static void test_contexts(void)
{
	struct cg_read_options options = { .detail = { .contexts = true } };
	struct cg_profile *p = mapped_profile(python, python_map, "test", options);

	check_folded_python(p);
	for (uint32_t r = 1; r < p->nrecords; r++) {
		const char *name = cg_string(p, p->functions[p->records[r].function].name);
		const char *callers = callers_of(p, r);
		if (strcmp(name, "len") == 0)
			CHECK_STR(callers, "py::f");
		else if (strncmp(name, "py::", 4) == 0)
			CHECK_STR(callers, "");
		else if (strcmp(name, "start") != 0)
			CHECK_STR(callers, "start");
	}
	cg_profile_free(p);
}

static void test_apart(void)
{
	struct cg_read_options options = { .detail = { .lines = true, .addresses = true },
					   .keep_interpreters = true };
	const struct cg_read_options lines = { .detail = { .lines = true } };
	struct cg_read_options kept = lines;
	struct cg_profile *p = mapped_profile(python, python_map, "test", options), *coarse = NULL;

	check_python(p);
	CHECK(p->has_inlined);
	CHECK_U64(self_of(p, "py::f", 0), 30);
	CHECK_U64(self_of(p, "py::main", 0), 10);
	CHECK_U64(self_of(p, EVAL, 0), 5 + 50 + 300 + 490);
	REQUIRE_INT(cg_coarsen(p, &lines, &coarse), CG_OK);
	check_folded_python(coarse);
	cg_profile_free(coarse);
	kept.keep_interpreters = true;
	REQUIRE_INT(cg_coarsen(p, &kept, &coarse), CG_OK);
	CHECK(coarse->has_inlined);
	CHECK_U64(self_of(coarse, EVAL, 0), 5 + 50 + 300 + 490);
	cg_profile_free(coarse);
	cg_profile_free(p);
}

/* Code of a JIT compiler has lines of its own, but only where no object is known. */
static void test_jit(void)
{
	static const char text[] = "version: 1\n"
				   "creator: callgrind-3.19.0\n"
				   "pid: 5\n"
				   "part: 1\n"
				   "positions: instr line\n"
				   "events: Ir\n"
				   "ob=???\n"
				   "fl=???\n"
				   "fn=0x0000000000003000'2'0x0000000000003000'main\n"
				   "0x3000 0 5\n"
				   "fn=0x0000000000003000'main\n"
				   "0x3000 0 3\n"
				   "cfn=0x0000000000003000'2'0x0000000000003000'main\n"
				   "calls=1 0x3000 0\n"
				   "0x3008 0 5\n"
				   "ob=lib.so\n"
				   "fn=0x0000000000003000'main\n"
				   "0x3000 0 2\n"
				   "totals: 10\n";
	struct cg_read_options options = { .detail = { .lines = true, .contexts = true } };
	struct cg_profile *p = mapped_profile(text, "3000 10 JS:*f /seen/a.js:7:1\n", "test",
					      options);

	CHECK_U64(self_of(p, "JS:f", 0), 8);
	CHECK_U64(self_of(p, "0x0000000000003000", 0), 2);
	CHECK_U64(line_cost(p, "/real/a.js", 7, 0), 8);
	CHECK(p->has_levels);
	CHECK_U64(calls_between(p, "JS:f", "JS:f", 0, NULL), 1);
	bool called = false;
	for (uint32_t r = 1; r < p->nrecords; r++)
		called |= strcmp(callers_of(p, r), "JS:f'main") == 0;
	CHECK(called);
	cg_profile_free(p);
}

/* Whichever tier of V8's compilers runs a function, it is called where its code begins. */
static void test_continued(void)
{
	const char *text = "version: 1\n"
			   "creator: callgrind-3.19.0\n"
			   "cmd: node a.js\n"
			   "part: 1\n"
			   "positions: instr line\n"
			   "events: Ir\n"
			   "fn=0x0000000000003000\n"
			   "0x3000 0 1\n"
			   "cfn=0x0000000000003008\n"
			   "calls=9 0x3008 0\n"
			   "0x3004 0 16\n"
			   "cfn=0x0000000000004000\n"
			   "calls=5 0x4000 0\n"
			   "0x3006 0 8\n"
			   "fn=0x0000000000004000\n"
			   "0x4000 0 2\n"
			   "cfn=0x0000000000003008\n"
			   "calls=3 0x3008 0\n"
			   "0x4004 0 4\n"
			   "fn=0x0000000000003008\n"
			   "0x3008 0 32\n"
			   "totals: 35\n";
	const char *compiled = "3000 10 JS:*f a.js:7:1\n4000 10 JS:*g a.js:9:1\n";
	const char *other = "3000 10 f\n4000 10 g\n";
	struct cg_read_options options = { .detail = { .lines = true } };
	struct cg_profile *p = mapped_profile(text, compiled, "test", options);

	CHECK_U64(self_of(p, "JS:f", 0), 33);
	CHECK_U64(calls_between(p, "JS:f", "JS:f", 0, NULL), 0);
	CHECK_U64(calls_between(p, "JS:f", "JS:g", 0, NULL), 5);
	CHECK_U64(calls_between(p, "JS:g", "JS:f", 0, NULL), 0);
	cg_profile_free(p);
	/* Where code of other compilers is entered is not known. */
	p = mapped_profile(text, other, "test", options);
	CHECK_U64(calls_between(p, "f", "f", 0, NULL), 9);
	CHECK_U64(calls_between(p, "g", "f", 0, NULL), 3);
	cg_profile_free(p);
}

TEST_MAIN("perf_map", { "lines", test_lines }, { "later lines are right", test_later_lines },
	  { "malformed lines are skipped", test_bad_lines },
	  { "Python's names", test_python_names }, { "JavaScript's names", test_script_names },
	  { "functions that go on", test_continued }, { "hostile names", test_hostile_names },
	  { "a map of another file is not used", test_no_map },
	  { "an interpreter's functions count for what they run", test_plain },
	  { "the same with contexts", test_contexts },
	  { "an interpreter's functions can be kept apart", test_apart },
	  { "code of a JIT compiler", test_jit })
