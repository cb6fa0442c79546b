#include "callgrind/folded.h"
#include "cgprofile/inclusive.h"
#include "cgprofile/reader.h"
#include "tests/unit/harness.h"

static struct cg_profile *read_with(const char *text, const struct cg_read_options *options)
{
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	int status = cg_read_memory(text, strlen(text), "test.folded", options, &p, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return p;
}

static const struct cg_read_options plain;

static void refuses(const char *text, uint64_t line, const char *why)
{
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(cg_read_memory(text, strlen(text), "bad.folded", &plain, &p, &err), CG_ESYNTAX);
	CHECK_U64(err.line, line);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
	cg_profile_free(p);
}

static uint32_t function(const struct cg_profile *p, const char *name)
{
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (strcmp(cg_string(p, p->functions[f].name), name) == 0)
			return f;
	return 0;
}

static int64_t inclusive(const struct cg_profile *p, const char *name)
{
	struct cg_inclusive *inc = NULL;
	REQUIRE(cg_inclusive_compute(p, NULL, 0, &inc) == CG_OK);
	int64_t cost = inc->cost[function(p, name)];
	CHECK(!inc->bound[function(p, name)]);
	cg_inclusive_free(inc);
	return cost;
}

static void test_stacks(void)
{
	/* main: 45 + 30 + 5; render: the same; paint only 45 */
	struct cg_profile *p = read_with(
		"main;render;paint 45\nmain;render;diff 30\n\nmain;render 5\n", &plain);
	CHECK_INT(cg_event_index(p, "samples"), 0);
	CHECK_U64(p->total[0], 80);
	CHECK_U64(p->nfunctions - 1, 4);
	CHECK_U64(inclusive(p, "main"), 80);
	CHECK_U64(inclusive(p, "render"), 80);
	CHECK_U64(inclusive(p, "paint"), 45);
	CHECK_U64(inclusive(p, "diff"), 30);
	cg_profile_free(p);
}

static void test_recursion(void)
{
	/* f and g are on the stack twice; each sample counts once for them. */
	struct cg_profile *p = read_with("m;f;g;f;g 7\nm;f 2\n", &plain);
	CHECK_U64(inclusive(p, "f"), 9);
	CHECK_U64(inclusive(p, "g"), 7);
	CHECK_U64(inclusive(p, "m"), 9);
	cg_profile_free(p);
}

static void test_names(void)
{
	/* Blanks, brackets and apostrophes are parts of names; CRLF; no last newline. */
	struct cg_profile *p = read_with("main;operator new(unsigned long) 3\r\n"
					 "main;f()::'lambda'(int) 4\r\n"
					 "main;scan_[i] 5\n[kernel];do_syscall_64_[k] 6",
					 &plain);
	CHECK_U64(p->total[0], 18);
	CHECK(function(p, "operator new(unsigned long)") != 0);
	CHECK(function(p, "f()::'lambda'(int)") != 0);
	CHECK(function(p, "do_syscall_64_[k]") != 0);
	uint32_t scan = function(p, "scan");
	REQUIRE(scan != 0);
	bool inlined = false;
	for (uint32_t r = 1; r < p->nrecords; r++)
		inlined |= p->records[r].function == scan && p->records[r].inlined_into != 0;
	CHECK(inlined);
	cg_profile_free(p);
}

static void test_contexts(void)
{
	struct cg_read_options contexts = { .detail = { .contexts = true } };
	struct cg_profile *p = read_with("m;a;w 1\nm;b;w 2\n", &contexts);
	CHECK_U64(p->nrecords - 1, 5); /* m, a, b, and w in two contexts */
	CHECK_U64(p->total[0], 3);
	cg_profile_free(p);
}

/* Contexts do not grow with the square of the depth. */
static void test_deep_contexts(void)
{
	enum { DEPTH = 20000 };
	struct cg_read_options contexts = { .detail = { .contexts = true } };
	static const char rest[] = "g 1\n# g 1\nm;#new 2\n";
	char *text = malloc(2 * DEPTH + sizeof rest);
	REQUIRE(text != NULL);
	for (int i = 0; i < DEPTH; i++)
		memcpy(text + 2 * i, "f;", 2);
	memcpy(text + 2 * DEPTH, rest, sizeof rest);
	struct cg_profile *p = read_with(text, &contexts);
	CHECK_U64(p->nrecords - 1, DEPTH + 1 + 2);
	CHECK(p->strings.nbytes < 200 * DEPTH);
	CHECK_U64(p->total[0], 3);
	CHECK(function(p, "#new") != 0);
	cg_profile_free(p);
	free(text);
}

static void test_detection(void)
{
	static const char *const folded[] = { "a 1\n",
					      "\n# x\nmain;f 12\n",
					      "0x12;f 3\n",
					      "fn;x 1\n",
					      "event::wait;x 3\n",
					      "#<Class:0x1>#new 3\n",
					      "a;b 1",
					      "a;b",
					      "a;b -1\n" };
	static const char *const others[] = { "events: Ir 1\n", "fn=f 1\n", "16 400\n",
					      "+3 1\n",         "",         "text\n",
					      "desc: a;b 1\n" };
	for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
		CHECK(cg_folded_detect(folded[i], strlen(folded[i])));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(!cg_folded_detect(others[i], strlen(others[i])));
}

static void test_bad_lines(void)
{
	refuses("a;b 1\na;b\n", 2, "expected a stack");
	refuses("a;b 1\na;;b 2\n", 2, "between two semicolons");
	refuses("a 1\na;b", 2, "the middle of this line: it is truncated: expected a stack");
	refuses("a;b -10\n", 1, "a negative number");
	/* What compares two profiles writes both counts. */
	refuses("a;b 10 12\na 0 7\n", 0, "each stack has two counts");
	refuses("# two\n\na;b\t10 12\r\n", 0, "two counts");
	struct cg_profile *named = read_with("a;step 1 12\na 7\n", &plain);
	CHECK_INT(named->total[0], 19);
	CHECK(function(named, "step 1") != 0);
	cg_profile_free(named);
	refuses("a 1\na 99999999999999999999\n", 2, "expected a stack");

	struct cg_read_options lenient = { .lenient = true };
	struct cg_profile *p = read_with("a;b 1\nbad\na 2\n", &lenient);
	CHECK_U64(p->total[0], 3);
	CHECK_U64(p->skipped, 1);
	cg_profile_free(p);
}

TEST_MAIN("folded", { "stacks", test_stacks }, { "recursion", test_recursion },
	  { "names", test_names }, { "contexts", test_contexts },
	  { "deep contexts", test_deep_contexts }, { "detection", test_detection },
	  { "bad lines", test_bad_lines })
