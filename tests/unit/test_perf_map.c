/* Maps of generated code, and the profiles of programs that wrote one. */
#include "cgprofile/perf_map.h"

#include "callgrind/coarsen.h"
#include "cgprofile/audit.h"
#include "tests/unit/growth.h"
#include "tests/unit/profiles.h"

static struct cg_perf_map *map_of(const char *text)
{
	struct cg_perf_map *map = NULL;

	REQUIRE_INT(cg_perf_map_parse(text, strlen(text), &map), CG_OK);
	return map;
}

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

#define PYTHON "ob=libpython.so\nfl=ceval.c\n"
#define CODE "ob=???\nfl=???\n"
#define EVAL "_PyEval_EvalFrameDefault"
#define RUN "py_trampoline_evaluator"
#define LOOP "0x0000000000001002"
#define MAIN "0x0000000000002000"

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

static struct cg_profile *mapped_profile(const char *text, const char *map, const char *file,
					 struct cg_read_options options)
{
	const struct cg_file_map maps = { file, map_of(map) };
	const struct cg_path_map paths = { "/seen", "/real" };

	options.maps = &maps;
	options.nmaps = 1;
	options.paths = &paths;
	options.npaths = 1;
	struct cg_profile *p = profile_with(text, strlen(text), &options);
	cg_perf_map_free(maps.map);
	return p;
}

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
		const char *callers = cg_string(p, p->records[r].context);
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

/* ---- by way of C functions ---- */

#define KEY "0x0000000000001002"
#define OTHER "0x0000000000003000"
#define ENTER "_PyFunction_Vectorcall'list_sort'sorted"

/* main() sorts with the key f, and other() twice without. %s: the rest of the callers of f. */
static const char detour[] = "version: 1\n"
			     "creator: callgrind-3.19.0\n"
			     "pid: 77\n"
			     "part: 1\n"
			     "positions: line\n"
			     "events: Ir Bc\n" CODE "fn=" MAIN
			     "\n0 10 1\ncob=libpython.so\ncfi=ceval.c\ncfn=" EVAL "'" MAIN
			     "\ncalls=1 10\n0 592 0\n" PYTHON "fn=" EVAL "'" MAIN "\n10 50 0\n"
			     "cfn=sorted\ncalls=1 1\n11 430 40\n"
			     "cfn=" RUN "'" EVAL "'" MAIN "\ncalls=1 20\n12 112 0\n" PYTHON
			     "fn=" RUN "'" EVAL "'" MAIN "\n20 5 0\ncob=???\ncfi=???\ncfn=" OTHER
			     "\ncalls=1 0\n20 107 0\n" CODE "fn=" OTHER
			     "\n0 7 0\ncob=libpython.so\ncfi=ceval.c\ncfn=" EVAL "'" OTHER
			     "\ncalls=1 10\n0 100 0\n" PYTHON "fn=" EVAL "'" OTHER "\n10 40 0\n"
			     "cfn=sorted\ncalls=2 1\n11 60 0\n" PYTHON "fn=sorted\n1 30 0\n"
			     "cfn=list_sort\ncalls=1 5\n2 440 40\ncalls=2 5\n3 20 0\n" PYTHON
			     "fn=list_sort\n5 60 0\n"
			     "cfn=" ENTER "%s\ncalls=5 7\n6 400 40\n" PYTHON "fn=" ENTER
			     "%s\n7 100 0\n"
			     "cob=???\ncfi=???\ncfn=" KEY "\ncalls=5 0\n8 300 40\n" CODE "fn=" KEY
			     "\n0 50 40\n"
			     "cob=libpython.so\ncfi=ceval.c\ncfn=" EVAL "'" KEY
			     "\ncalls=5 10\n0 250 0\n" PYTHON "fn=" EVAL "'" KEY "\n10 250 0\n"
			     "totals: 602 41\n";

static const char detour_map[] = "1000 b py::f:/seen/f.py\n"
				 "2000 b py::main:/seen/main.py\n"
				 "3000 b py::other:/seen/main.py\n";

static struct cg_profile *read_detour(const char *callers, struct cg_read_options options)
{
	char text[sizeof detour + 200];

	snprintf(text, sizeof text, detour, callers, callers);
	return mapped_profile(text, detour_map, "test", options);
}

/* With each `old` replaced. */
static struct cg_profile *read_changed_detour(const char *old, const char *new)
{
	static const char callers[] = "'" EVAL "'" MAIN;
	char text[sizeof detour + 200], changed[2 * sizeof text], *to = changed;

	snprintf(text, sizeof text, detour, callers, callers);
	REQUIRE(strstr(text, old) != NULL);
	for (const char *at = text; *at;) {
		bool here = strncmp(at, old, strlen(old)) == 0;
		to += snprintf(to, (size_t)(changed + sizeof changed - to), "%.*s",
			       here ? (int)strlen(new) : 1, here ? new : at);
		at += here ? strlen(old) : 1;
	}
	return mapped_profile(changed, detour_map, "test", (struct cg_read_options){ 0 });
}

static uint32_t count_misfits(const struct cg_profile *p)
{
	struct cg_audit *audit;

	REQUIRE_INT(cg_audit_make(p, &audit), CG_OK);
	uint32_t records = audit->misfit.records;
	cg_audit_free(audit);
	return records;
}

static void check_detour(struct cg_read_options options)
{
	struct cg_profile *p = read_detour("'" EVAL "'" MAIN, options);
	int64_t cost;

	CHECK_U64(p->total[0], 602);
	CHECK_U64(calls_between(p, "list_sort", "py::main", 0, NULL), 0);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 0, &cost), 3);
	CHECK_INT(cost, 60);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 1, &cost), 3);
	CHECK_INT(cost, 0);
	if (!p->has_inlined) {
		CHECK_U64(self_of(p, "py::main", 0), 10 + 50 + 5 + 100);
		CHECK_U64(calls_between(p, "py::main", "py::f", 0, &cost), 5);
		CHECK_INT(cost, 300);
		CHECK_U64(calls_between(p, "py::main", "sorted", 0, &cost), 1);
		CHECK_INT(cost, 30);
		CHECK_U64(calls_between(p, "py::main", "sorted", 1, &cost), 1);
		CHECK_INT(cost, 0);
		CHECK_U64(calls_between(p, "py::other", "sorted", 0, &cost), 2);
		CHECK_INT(cost, 60);
	}
	CHECK_U64(count_misfits(p), 0);
	cg_profile_free(p);
}

static void check_costs(const struct cg_profile *p)
{
	for (size_t i = p->nevents; i < (size_t)p->ncalls * p->nevents; i++)
		CHECK(p->call_cost[i] >= 0);
	CHECK_U64(count_misfits(p), 0);
}

static void test_detour(void)
{
	check_detour((struct cg_read_options){ 0 });
	check_detour((struct cg_read_options){ .detail = { .contexts = true } });
	check_detour((struct cg_read_options){ .detail = { .lines = true } });
	check_detour((struct cg_read_options){ .keep_interpreters = true });
	check_detour((struct cg_read_options){ .keep_interpreters = true, .fold_inlined = true });
	check_detour((struct cg_read_options){ .detail = { .lines = true, .addresses = true },
					       .keep_interpreters = true });
}

/* It is not known which Python function sorts: the calls stay as they are. */
static void test_unknown_detour(void)
{
	struct cg_profile *p = read_detour("", (struct cg_read_options){ 0 });
	int64_t cost;

	CHECK_U64(calls_between(p, "list_sort", "_PyFunction_Vectorcall", 0, &cost), 5);
	CHECK_INT(cost, 400);
	CHECK_U64(calls_between(p, "py::main", "sorted", 0, &cost), 1);
	CHECK_INT(cost, 430);
	CHECK_U64(calls_between(p, "_PyFunction_Vectorcall", "py::f", 0, &cost), 5);
	CHECK_U64(count_misfits(p), 0);
	cg_profile_free(p);
}

/* A call on the way is not there: no cost is taken back from the others. */
static void test_broken_way(void)
{
	struct cg_profile *p = read_changed_detour("cfn=sorted\ncalls=1 1\n11 430 40\n",
						   "cfn=sort\ncalls=1 1\n11 430 40\n");
	int64_t cost;

	CHECK_U64(calls_between(p, "list_sort", "py::main", 0, &cost), 5);
	CHECK_INT(cost, 400);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 0, &cost), 3);
	CHECK_INT(cost, 460);
	CHECK_U64(calls_between(p, "py::main", "py::f", 0, &cost), 5);
	CHECK_INT(cost, 300);
	CHECK_U64(calls_between(p, "py::main", "sort", 0, &cost), 1);
	CHECK_INT(cost, 430);
	cg_profile_free(p);
}

/* A call on the way costs less than what is to be taken back, of one event. */
static void test_cheap_way(void)
{
	struct cg_profile *p = read_changed_detour("\n11 430 40\n", "\n11 430 39\n");
	int64_t cost;

	CHECK_U64(calls_between(p, "list_sort", "py::main", 0, &cost), 5);
	CHECK_INT(cost, 400);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 0, &cost), 3);
	CHECK_INT(cost, 460);
	CHECK_U64(calls_between(p, "py::main", "sorted", 1, &cost), 1);
	CHECK_INT(cost, 39);
	cg_profile_free(p);
}

static void test_negative_way(void)
{
	struct cg_profile *p = read_changed_detour("calls=5 7\n6 400 40\n",
						   "calls=5 7\n6 400 -40\n");
	int64_t cost;

	CHECK_U64(calls_between(p, "list_sort", "py::main", 1, &cost), 5);
	CHECK_INT(cost, -40);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 1, &cost), 3);
	CHECK_INT(cost, 40);
	cg_profile_free(p);
}

/* A C function on the way has the name of the Python function: they stay two. */
static void test_namesake(void)
{
	struct cg_profile *p = read_changed_detour("sorted", "py::main");
	uint32_t c = function_at(p, "libpython.so", "ceval.c", "py::main");

	REQUIRE(c != 0);
	CHECK_INT(self_cost(p, c, 0), 30);
	CHECK_INT(self_cost(p, function_at(p, "", "/real/main.py", "py::main"), 0),
		  10 + 50 + 5 + 100);
	check_costs(p);
	cg_profile_free(p);
}

/* Without a map, names mean nothing. */
static void test_sorted_in_c(void)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = mapped_profile(detour, detour_map, "other", options);
	int64_t cost;

	CHECK_U64(calls_between(p, "sorted", "list_sort", 0, &cost), 3);
	CHECK_INT(cost, 460);
	CHECK_U64(calls_between(p, "list_sort", "_PyFunction_Vectorcall", 0, &cost), 5);
	CHECK_INT(cost, 400);
	cg_profile_free(p);
}

/* Two threads: the calls of both are on the way. */
static void test_detour_in_threads(void)
{
	static const char callers[] = "'" EVAL "'" MAIN;
	char part[sizeof detour + 200], text[2 * sizeof part];
	int64_t cost;

	snprintf(part, sizeof part, detour, callers, callers);
	const char *body = strstr(part, "positions:");
	snprintf(text, sizeof text, "%.*sthread: 1\n%s\npart: 1\nthread: 2\n%s", (int)(body - part),
		 part, body, body);
	struct cg_profile *p = mapped_profile(text, detour_map, "test",
					      (struct cg_read_options){ 0 });
	CHECK_U64(p->nparts, 2);
	CHECK_U64(p->total[0], 2 * 602);
	CHECK_U64(calls_between(p, "py::main", "sorted", 0, &cost), 2);
	CHECK_INT(cost, 60);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 1, &cost), 6);
	CHECK_INT(cost, 0);
	check_costs(p);
	cg_profile_free(p);
}

/* What was kept apart can be joined later. */
static void test_joined_detour(void)
{
	const struct cg_read_options apart = { .detail = { .lines = true, .addresses = true },
					       .keep_interpreters = true };
	const struct cg_read_options lines = { .detail = { .lines = true } };
	struct cg_profile *kept = read_detour("'" EVAL "'" MAIN, apart), *p = NULL;
	int64_t cost;

	REQUIRE_INT(cg_coarsen(kept, &lines, &p), CG_OK);
	CHECK_U64(self_of(p, "py::main", 0), 10 + 50 + 5 + 100);
	CHECK_U64(calls_between(p, "py::main", "py::f", 0, &cost), 5);
	CHECK_INT(cost, 300);
	CHECK_U64(calls_between(p, "py::main", "sorted", 0, &cost), 1);
	CHECK_INT(cost, 30);
	check_costs(p);
	cg_profile_free(p);
	cg_profile_free(kept);
}

/* f(2) sorts with the key f, which does so with f(1); f(0) does not sort. */
static const char recursive_detour[] =
	"version: 1\ncreator: callgrind-3.19.0\npid: 77\npart: 1\npositions: line\nevents: Ir\n" PYTHON
	"fn=start\n1 7\ncob=???\ncfi=???\ncfn=" KEY "\ncalls=1 0\n2 223\n" CODE "fn=" KEY
	"\n0 3\ncob=libpython.so\ncfi=ceval.c\ncfn=" EVAL "'" KEY "\ncalls=3 10\n0 408\n" PYTHON
	"fn=" EVAL "'" KEY "\n10 150\ncfn=sorted\ncalls=2 1\n11 258\n" PYTHON
	"fn=sorted\n1 20\ncfn=list_sort\ncalls=2 5\n2 238\n" PYTHON "fn=list_sort\n5 40\ncfn=" ENTER
	"'" EVAL "'" KEY "\ncalls=2 7\n6 198\n" PYTHON "fn=" ENTER "'" EVAL "'" KEY
	"\n7 10\ncob=???\ncfi=???\ncfn=" KEY "\ncalls=2 0\n8 188\ntotals: 230\n";

static void test_recursive_detour(void)
{
	struct cg_profile *p = mapped_profile(recursive_detour, detour_map, "test",
					      (struct cg_read_options){ 0 });
	int64_t cost;

	CHECK_U64(self_of(p, "py::f", 0), 3 + 150 + 10);
	CHECK_U64(calls_between(p, "start", "py::f", 0, &cost), 1);
	CHECK_INT(cost, 223);
	CHECK_U64(calls_between(p, "py::f", "py::f", 0, &cost), 2);
	CHECK_INT(cost, 188);
	CHECK_U64(calls_between(p, "py::f", "sorted", 0, &cost), 2);
	CHECK_INT(cost, 20 + 40);
	CHECK_U64(calls_between(p, "sorted", "list_sort", 0, &cost), 2);
	CHECK_INT(cost, 40);
	check_costs(p);
	cg_profile_free(p);
}

/* C functions that have callers too: each is on the way of its own ones. */
static void test_detours_of_contexts(void)
{
#define SORTS(python, apart, all) \
	PYTHON "fn=" EVAL "'" python "\n10 10\ncfn=sorted'" EVAL "'" python "\ncalls=1 1\n11 " all \
	       "\n" PYTHON "fn=sorted'" EVAL "'" python \
	       "\n1 5\ncfn=list_sort'sorted\ncalls=1 1\n2 " all "\n" PYTHON \
	       "fn=list_sort'sorted\n1 2\ncfn=" ENTER "'" EVAL "'" python "\ncalls=1 1\n2 " apart \
	       "\n" PYTHON "fn=" ENTER "'" EVAL "'" python "\n7 " apart "\n"
	static const char text[] =
		"version: 1\ncreator: callgrind-3.19.0\npid: 77\npart: 1\npositions: line\nevents: Ir\n" CODE
		"fn=" MAIN "\n0 1\nfn=" OTHER "\n0 1\n" SORTS(MAIN, "100", "107")
			SORTS(OTHER, "1000", "1007") "totals: 1136\n";
#undef SORTS
	struct cg_read_options options = { .detail = { .contexts = true } };
	struct cg_profile *p = mapped_profile(text, detour_map, "test", options);
	int64_t cost;

	CHECK_U64(calls_between(p, "py::main", "sorted", 0, &cost), 1);
	CHECK_INT(cost, 7);
	CHECK_U64(calls_between(p, "py::other", "sorted", 0, &cost), 1);
	CHECK_INT(cost, 7);
	CHECK_U64(calls_between(p, "list_sort", "py::main", 0, &cost), 0);
	CHECK_U64(calls_between(p, "list_sort", "py::other", 0, &cost), 0);
	for (uint32_t i = 1; i < p->ncalls; i++)
		CHECK(p->call_cost[i] >= 0);
	cg_profile_free(p);
}

static const char detour_head[] = "version: 1\ncreator: callgrind-3.19.0\npid: 77\npart: 1\n"
				  "positions: line\nevents: Ir\n";

static void read_detours_of(FILE *to, char **text, size_t total)
{
	fprintf(to, "totals: %zu\n", total);
	REQUIRE(fclose(to) == 0);
	struct cg_profile *p = mapped_profile(*text, detour_map, "test",
					      (struct cg_read_options){ .detail.lines = true });
	CHECK(p->ncalls != 0);
	cg_profile_free(p);
	free(*text);
}

/* Many functions of one name call the same one, which makes many calls. */
static void read_namesakes(size_t size)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	REQUIRE(to != NULL);
	fputs(detour_head, to);
	for (size_t i = 0; i < size; i++)
		fprintf(to, "ob=%zu\nfn=sorted\n1 1\ncob=c\ncfn=list_sort\ncalls=1 1\n1 2\n", i);
	fprintf(to, "ob=c\nfn=list_sort\n1 1\ncfn=(1) " ENTER "'" EVAL "'" MAIN "\n");
	for (size_t i = 0; i < size; i++)
		fprintf(to, "cfn=(1)\ncalls=1 1\n%zu 1\n", i + 1);
	read_detours_of(to, &text, size + 1);
}

/* Many calls by one long way. */
static void read_long_way(size_t size)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	REQUIRE(to != NULL);
	fprintf(to, "%sob=c\nfn=a\n1 1\ncfn=a\ncalls=1 1\n1 99999999\n", detour_head);
	fprintf(to, "cfn=(1) _PyFunction_Vectorcall");
	for (size_t i = 0; i < size; i++)
		fputs("'a", to);
	fprintf(to, "'" EVAL "'" MAIN "\n");
	for (size_t i = 0; i < size; i++)
		fprintf(to, "cfn=(1)\ncalls=1 1\n%zu 1\n", i + 1);
	read_detours_of(to, &text, 1);
}

static void test_many_detours(void)
{
	CHECK(grows_in_proportion(read_namesakes, 16000));
	CHECK(grows_in_proportion(read_long_way, 16000));
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
	CHECK(cg_strings_find(&p->strings, "JS:f'main", 9) != 0);
	cg_profile_free(p);
}

TEST_MAIN("perf_map", { "lines", test_lines }, { "later lines are right", test_later_lines },
	  { "malformed lines are skipped", test_bad_lines },
	  { "Python's names", test_python_names }, { "JavaScript's names", test_script_names },
	  { "hostile names", test_hostile_names },
	  { "a map of another file is not used", test_no_map },
	  { "an interpreter's functions count for what they run", test_plain },
	  { "the same with contexts", test_contexts },
	  { "an interpreter's functions can be kept apart", test_apart },
	  { "a call by way of C functions is its Python caller's", test_detour },
	  { "unless that is unknown", test_unknown_detour },
	  { "or a call on the way is missing", test_broken_way },
	  { "or costs too little", test_cheap_way },
	  { "or its cost is negative", test_negative_way },
	  { "a C function may have the name of a Python function", test_namesake },
	  { "names mean nothing without a map", test_sorted_in_c },
	  { "calls by way of C functions in threads", test_detour_in_threads },
	  { "in functions that were kept apart", test_joined_detour },
	  { "in recursion", test_recursive_detour },
	  { "of C functions with callers", test_detours_of_contexts },
	  { "their number and ways do not make it slow", test_many_detours },
	  { "code of a JIT compiler", test_jit })
