#include "tests/unit/profiles.h"

#include "callgrind/cycles.h"

/* A graph of the functions a, b, c …: "ab bc" is a calls b, b calls c. */
static struct cg_profile *graph(const char *edges)
{
	char text[2000] = "events: Ir\n";
	size_t used = strlen(text);

	for (const char *e = edges; *e; e += e[2] ? 3 : 2)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "fn=%c\ncfn=%c\ncalls=1 1\n1 1\n", e[0], e[1]);
	return profile_of(text);
}

static uint32_t component(const struct cg_profile *p, const struct cg_cycles *c, const char *name)
{
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == function_named(p, name))
			return c->of[r];
	test_report(false, true, __FILE__, __LINE__, "no %s", name);
	return 0;
}

/* `groups`: the components as words, "ab c" is {a, b} and {c}. */
static void finds(const char *edges, const char *groups)
{
	struct cg_profile *p = graph(edges);
	struct cg_cycles c;
	REQUIRE_INT(cg_cycles_find(p, &c), CG_OK);

	char words[64], *state = NULL;
	uint32_t count = 0;
	snprintf(words, sizeof words, "%s", groups);
	for (char *word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		uint32_t first = component(p, &c, (char[]){ word[0], '\0' });
		test_report(c.size[first] == strlen(word), false, __FILE__, __LINE__,
			    "\"%s\": the cycle of %c has %" PRIu32 " functions, not %zu", edges,
			    word[0], c.size[first], strlen(word));
		for (const char *letter = word; *letter; letter++)
			test_report(component(p, &c, (char[]){ *letter, '\0' }) == first, false,
				    __FILE__, __LINE__, "\"%s\": %c is not with %c", edges, *letter,
				    word[0]);
		count++;
	}
	CHECK_U64(c.count, count);
	cg_cycles_free(&c);
	cg_profile_free(p);
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
	struct cg_profile *p = profile_of("events: Ir\n");
	struct cg_cycles c;
	REQUIRE_INT(cg_cycles_find(p, &c), CG_OK);
	CHECK_U64(c.count, 0);
	cg_cycles_free(&c);
	cg_profile_free(p);
}

/* A chain that would overflow the stack of a recursive search, closed to one cycle. */
static void test_deep(void)
{
	enum { DEPTH = 200000 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);
	fputs("events: Ir\n", f);
	for (int i = 0; i < DEPTH; i++)
		fprintf(f, "fn=f%d\ncfn=f%d\ncalls=1 1\n1 1\n", i, (i + 1) % DEPTH);
	fclose(f);

	struct cg_profile *p = profile_of(text);
	struct cg_cycles c;
	REQUIRE_INT(cg_cycles_find(p, &c), CG_OK);
	CHECK_U64(c.count, 1);
	CHECK_U64(c.size[0], DEPTH);
	cg_cycles_free(&c);
	cg_profile_free(p);
	free(text);
}

TEST_MAIN("cycles", { "no cycles", test_no_cycles }, { "cycles", test_cycles },
	  { "direct recursion is none", test_direct_recursion }, { "no functions", test_empty },
	  { "a very long cycle", test_deep })
