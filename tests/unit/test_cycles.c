#include "tests/unit/harness.h"

#include "callgrind/cycles.h"
#include "cgprofile/error.h"

/* `edges`: "ab bc" is a calls b, b calls c. `groups`: the components as words,
 * "ab c" is {a, b} and {c}; their letters are the nodes, from a on. */
static void finds(const char *edges, const char *groups)
{
	uint32_t caller[32], callee[32], ncalls = 0, nnodes = 0, count = 0;
	struct cg_cycles c;

	for (const char *e = edges; *e; e += e[2] ? 3 : 2, ncalls++) {
		caller[ncalls] = (uint32_t)(e[0] - 'a');
		callee[ncalls] = (uint32_t)(e[1] - 'a');
	}
	for (const char *g = groups; *g; g++)
		nnodes += *g != ' ';
	struct cg_graph graph = { nnodes, ncalls, caller, callee };
	REQUIRE_INT(cg_cycles_find(&graph, &c), CG_OK);

	char words[64], *state = NULL;
	snprintf(words, sizeof words, "%s", groups);
	for (char *word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		uint32_t first = c.of[word[0] - 'a'];
		test_report(c.size[first] == strlen(word), false, __FILE__, __LINE__,
			    "\"%s\": the cycle of %c has %" PRIu32 " nodes, not %zu", edges,
			    word[0], c.size[first], strlen(word));
		for (const char *letter = word; *letter; letter++)
			test_report(c.of[*letter - 'a'] == first, false, __FILE__, __LINE__,
				    "\"%s\": %c is not with %c", edges, *letter, word[0]);
		count++;
	}
	CHECK_U64(c.count, count);
	cg_cycles_free(&c);
}

static void test_no_cycles(void)
{
	finds("ab", "a b");
	finds("ab bc ac", "a b c");
	finds("ab ac bd cd", "a b c d");
	finds("ab cd", "a b c d"); /* not connected */
}

static void test_cycles(void)
{
	finds("ab ba", "ab");
	finds("ab bc ca", "abc");
	finds("ab bc cb cd", "a bc d");
	finds("ab bc cd db", "a bcd");
	finds("ab ba cd dc bc", "ab cd");
	finds("ab bc ca cd de ed", "abc de");
	/* An edge back to a finished component does not join it. */
	finds("ab ac cb", "a b c");
	/* Two ways around. */
	finds("ab bc ca ad dc", "abcd");
}

static void test_direct_recursion(void)
{
	finds("aa", "a");
	finds("ab bb bc", "a b c");
}

static void test_empty(void)
{
	struct cg_graph graph = { 0 };
	struct cg_cycles c;
	REQUIRE_INT(cg_cycles_find(&graph, &c), CG_OK);
	CHECK_U64(c.count, 0);
	cg_cycles_free(&c);
}

/* A chain that would overflow the stack of a recursive search, closed to one cycle. */
static void test_deep(void)
{
	enum { DEPTH = 200000 };
	uint32_t *caller = calloc(DEPTH, sizeof *caller), *callee = calloc(DEPTH, sizeof *callee);
	REQUIRE(caller && callee);
	for (uint32_t i = 0; i < DEPTH; i++) {
		caller[i] = i;
		callee[i] = (i + 1) % DEPTH;
	}
	struct cg_graph graph = { DEPTH, DEPTH, caller, callee };
	struct cg_cycles c;
	REQUIRE_INT(cg_cycles_find(&graph, &c), CG_OK);
	CHECK_U64(c.count, 1);
	CHECK_U64(c.size[0], DEPTH);
	cg_cycles_free(&c);
	free(caller);
	free(callee);
}

TEST_MAIN("cycles", { "no cycles", test_no_cycles }, { "cycles", test_cycles },
	  { "direct recursion is none", test_direct_recursion }, { "no nodes", test_empty },
	  { "a very long cycle", test_deep })
