#include "tests/unit/profiles.h"

#include "callgrind/contexts.h"
#include "callgrind/order.h"

static uint32_t add_context(struct cg_contexts *c, const cg_str *callers, size_t size)
{
	uint32_t context = UINT32_MAX;

	REQUIRE_INT(cg_contexts_add(c, callers, size, &context), CG_OK);
	return context;
}

static void test_lists(void)
{
	struct cg_contexts c = { 0 };
	const cg_str callers[] = { 7, 8, 9 }, turned[] = { 9, 8, 7 };

	CHECK_U64(cg_contexts_size(&c, 0), 0);
	CHECK_U64(cg_contexts_find(&c, callers, 2), 0);
	CHECK_U64(add_context(&c, NULL, 0), 0);
	uint32_t two = add_context(&c, callers, 2), three = add_context(&c, callers, 3);
	CHECK(two != 0 && three != 0 && two != three);
	CHECK_U64(add_context(&c, callers, 2), two);
	CHECK_U64(add_context(&c, callers, 3), three);
	CHECK(add_context(&c, turned, 3) != three);
	CHECK(add_context(&c, callers + 1, 2) != two);
	CHECK_U64(add_context(&c, callers, 0), 0);
	CHECK_U64(cg_contexts_find(&c, callers, 2), two);
	CHECK_U64(cg_contexts_find(&c, callers, 1), 0);
	CHECK_U64(cg_contexts_find(&c, callers, 0), 0);
	CHECK_U64(cg_contexts_size(&c, two), 2);
	CHECK_U64(cg_contexts_size(&c, three), 3);
	CHECK(memcmp(cg_contexts_get(&c, three), callers, sizeof callers) == 0);
	cg_contexts_free(&c);
}

/* Enough for the tables to grow many times. */
static void test_many(void)
{
	enum { MANY = 20000 };
	struct cg_contexts c = { 0 };

	for (uint32_t i = 1; i <= MANY; i++) {
		const cg_str callers[] = { i, i / 2, 5 };
		REQUIRE_U64(add_context(&c, callers, 1 + i % 3), i);
	}
	for (uint32_t i = 1; i <= MANY; i++) {
		const cg_str callers[] = { i, i / 2, 5 };
		REQUIRE_U64(add_context(&c, callers, 1 + i % 3), i);
		REQUIRE_U64(cg_contexts_size(&c, i), 1 + i % 3);
	}
	cg_contexts_free(&c);
}

/* A record with these callers, as a file writes them, has so many, which are written alike. */
static void check_callers(const char *callers, size_t count, const char *written)
{
	char text[400];
	struct cg_profile *p;

	snprintf(
		text, sizeof text,
		"creator: callgrind-3.19.0\nevents: Ir\nfn=f'%s\n1 1\nfn=g'%s\n1 1\nfn=f'%s\n2 1\ntotals: 3\n",
		callers, callers, callers);
	p = whole_profile_of(text);
	CHECK_U64(p->nrecords - 1, 2);
	CHECK_U64(cg_contexts_size(&p->contexts, p->records[1].context), count);
	CHECK_U64(p->records[1].context, p->records[2].context);
	CHECK_U64(p->most_callers, count);
	CHECK_STR(callers_of(p, 1), written);
	cg_profile_free(p);
}

static void test_texts(void)
{
	static const char *const same[] = {
		"f(g::'lambda'(int))'main",
		"f(int)::'lambda'(char)'main",
		"operator<(A, B)'main",
		"<&'a T as X>::f'main",
		"a(b'main",
		"(below main)'0x0000000000001180",
	};

	check_callers("main", 1, "main");
	check_callers("h'g'main", 3, "h'g'main");
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		check_callers(same[i], 2, same[i]);
	check_callers("g'", 1, "g");
}

/* A name that ended at an apostrophe where its bracket did not close does not end there where it
 * does. */
static void test_brackets_later(void)
{
	struct cg_profile *p = whole_profile_of("creator: callgrind-3.19.0\n"
						"events: Ir\n"
						"fn=f'a(b'main\n"
						"1 1\n"
						"fn=g'a(b'c)'main\n"
						"1 1\n"
						"totals: 2\n");

	REQUIRE_U64(p->nrecords - 1, 2);
	CHECK_U64(cg_contexts_size(&p->contexts, p->records[1].context), 2);
	const cg_str *callers = cg_contexts_get(&p->contexts, p->records[2].context);
	CHECK_U64(cg_contexts_size(&p->contexts, p->records[2].context), 2);
	CHECK_STR(cg_string(p, callers[0]), "a(b'c)");
	CHECK_STR(cg_string(p, callers[1]), "main");
	cg_profile_free(p);
}

/* Callers that have the name of a caller in the file are that. */
static void test_names(void)
{
	struct cg_profile *p = whole_profile_of("creator: callgrind-3.19.0\n"
						"events: Ir\n"
						"fn=main\n"
						"1 1\n"
						"fn=f'main\n"
						"1 1\n"
						"totals: 2\n");
	const cg_str *callers = cg_contexts_get(&p->contexts, p->records[2].context);

	CHECK_U64(callers[0], p->functions[p->records[1].function].name);
	char *none = cg_context_text(p, 0);
	REQUIRE(none != NULL);
	CHECK_STR(none, "");
	free(none);
	cg_profile_free(p);
}

static void test_order(void)
{
	struct cg_profile *p = whole_profile_of("creator: callgrind-3.19.0\n"
						"events: Ir\n"
						"fn=f'g'main\n1 1\n"
						"fn=f'g\n1 1\n"
						"fn=f'h\n1 1\n"
						"totals: 3\n");
	const uint32_t both = p->records[1].context, one = p->records[2].context;
	const uint32_t other = p->records[3].context;

	CHECK_INT(cg_compare_contexts(p, one, one), 0);
	CHECK(cg_compare_contexts(p, one, both) < 0 && cg_compare_contexts(p, both, one) > 0);
	CHECK(cg_compare_contexts(p, both, other) < 0 && cg_compare_contexts(p, other, both) > 0);
	CHECK(cg_compare_contexts(p, 0, one) < 0 && cg_compare_contexts(p, one, 0) > 0);
	cg_profile_free(p);
}

TEST_MAIN("contexts", { "lists", test_lists }, { "many", test_many }, { "texts", test_texts },
	  { "brackets that close later", test_brackets_later }, { "names", test_names },
	  { "order", test_order })
