/* Calls of Python functions by way of C functions (callgrind/detours.h). */
#include "callgrind/coarsen.h"
#include "cgprofile/audit.h"
#include "tests/unit/growth.h"
#include "tests/unit/mapped.h"

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

TEST_MAIN("detours", { "a call by way of C functions is its Python caller's", test_detour },
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
	  { "their number and ways do not make it slow", test_many_detours })
