#include "tests/unit/harness.h"

#include "cgprofile/error.h"
#include "src/view/line_match.h"

enum { MOST = 64 };

/* Texts of one character per line. */
static void match(const char *base, const char *head, uint32_t *partner)
{
	uint32_t a[MOST], b[MOST];
	const struct line_keys x = { a, (uint32_t)strlen(base) }, y = { b, (uint32_t)strlen(head) };

	REQUIRE(x.count <= MOST && y.count <= MOST);
	for (uint32_t i = 0; i < x.count; i++)
		a[i] = (unsigned char)base[i];
	for (uint32_t i = 0; i < y.count; i++)
		b[i] = (unsigned char)head[i];
	REQUIRE_INT(line_match(&x, &y, 256, partner), CG_OK);
}

/* `expected` has for each line of base its line of head, or a dash. */
static void check(const char *base, const char *head, const char *expected)
{
	uint32_t partner[MOST];
	char found[MOST + 1] = "";

	match(base, head, partner);
	for (size_t i = 0; base[i]; i++)
		found[i] = partner[i] == LINE_MATCH_NONE ? '-' : head[partner[i]];
	CHECK_STR(found, expected);
}

static void test_edits(void)
{
	check("", "", "");
	check("abc", "", "---");
	check("", "abc", "");
	check("abc", "abc", "abc");
	check("abc", "xabcy", "abc");
	check("abcd", "ad", "a--d");
	check("abc", "xyz", "---");
}

/* The braces around a function that was added are its own. */
static void test_unique_lines_first(void)
{
	uint32_t partner[MOST];
	match("f{1}g{2}", "f{1}h{3}g{2}", partner);
	for (uint32_t i = 0; i < 4; i++)
		CHECK_U64(partner[i], i);
	for (uint32_t i = 4; i < 8; i++)
		CHECK_U64(partner[i], i + 4);
}

/* What moved is matched where most of the rest keeps its order. */
static void test_moved(void)
{
	check("abcdef", "fabcde", "abcde-");
	check("abxcdy", "cdxaby", "---cdy"); /* of two as long what head has first */
}

/* Lines that are there more than once. */
static void test_repeated(void)
{
	check("aabb", "abab", "a-bb");
	check("xxxx", "xx", "xx--");
	check("{}{}{}", "{}{}", "{}{}--");
}

/* ---- laws ---- */

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(*state >> 33);
}

static void make_text(uint64_t *state, unsigned letters, char text[MOST])
{
	uint32_t len = next_random(state) % 12;

	for (uint32_t i = 0; i < len; i++)
		text[i] = (char)('a' + next_random(state) % letters);
	text[len] = '\0';
}

static size_t longest(const char *a, const char *b)
{
	size_t table[13][13] = { 0 }, na = strlen(a), nb = strlen(b);

	for (size_t i = na; i-- > 0;)
		for (size_t k = nb; k-- > 0;) {
			size_t down = table[i + 1][k], right = table[i][k + 1];
			table[i][k] = a[i] == b[k]   ? table[i + 1][k + 1] + 1
				      : down > right ? down
						     : right;
		}
	return table[0][0];
}

/* Pairs are equal and in order; without lines that are there once, they are as many as can be. */
static void test_laws(void)
{
	uint64_t state = 1;

	for (int round = 0; round < 3000; round++) {
		char base[2 * MOST], head[2 * MOST];
		unsigned letters = 1 + (unsigned)round % 6;
		uint32_t partner[MOST], last = LINE_MATCH_NONE, pairs = 0;
		make_text(&state, letters, base);
		make_text(&state, letters, head);
		match(base, head, partner);
		for (size_t i = 0; base[i]; i++) {
			if (partner[i] == LINE_MATCH_NONE)
				continue;
			CHECK(last == LINE_MATCH_NONE || partner[i] > last);
			CHECK(partner[i] < strlen(head) && base[i] == head[partner[i]]);
			last = partner[i];
			pairs++;
		}
		CHECK(pairs <= longest(base, head));
		CHECK(pairs > 0 || longest(base, head) == 0);
		if (letters <= 1)
			CHECK_U64(pairs, longest(base, head));
	}
}

/* Exchanged, the same lines are pairs, also where others would be as many. */
static void check_mirrored(const char *base, const char *head)
{
	uint32_t there[MOST], back[MOST];
	uint32_t nbase = (uint32_t)strlen(base), nhead = (uint32_t)strlen(head), pairs = 0,
		 same = 0;

	match(base, head, there);
	match(head, base, back);
	for (uint32_t i = 0; i < nbase; i++)
		if (there[i] != LINE_MATCH_NONE) {
			pairs++;
			CHECK_U64(back[there[i]], i);
		}
	for (uint32_t i = 0; i < nhead; i++)
		same += back[i] != LINE_MATCH_NONE;
	CHECK_U64(pairs, same);
}

static void test_mirrored(void)
{
	uint64_t state = 2;

	check_mirrored("ab", "ba");
	check_mirrored("aabb", "bbaa");
	check_mirrored("abxcdy", "cdxaby");
	check_mirrored("xxxx", "xx");
	check_mirrored("ab", "");
	for (int round = 0; round < 3000; round++) {
		char base[2 * MOST], head[2 * MOST];
		make_text(&state, 1 + (unsigned)round % 6, base);
		make_text(&state, 1 + (unsigned)round % 6, head);
		check_mirrored(base, head);
	}
}

/* Too much for a table of all pairs: only ends and lines that are there once are matched. */
static void test_large(void)
{
	enum { LARGE = 5000 };
	static uint32_t a[LARGE], b[LARGE], partner[LARGE];
	const struct line_keys x = { a, LARGE }, y = { b, LARGE };

	for (uint32_t i = 0; i < LARGE; i++) {
		a[i] = i % 7;
		b[i] = 7 + i % 7;
	}
	a[2500] = b[3000] = 20;
	a[LARGE - 1] = b[LARGE - 1] = 21;
	REQUIRE_INT(line_match(&x, &y, 22, partner), CG_OK);
	CHECK_U64(partner[0], LINE_MATCH_NONE);
	CHECK_U64(partner[2500], 3000);
	CHECK_U64(partner[LARGE - 1], LARGE - 1);
}

TEST_MAIN("line_match", { "what was added and removed", test_edits },
	  { "lines that are there once come first", test_unique_lines_first },
	  { "lines that moved", test_moved },
	  { "lines that are there more than once", test_repeated },
	  { "pairs are equal and in order", test_laws }, { "mirrored", test_mirrored },
	  { "very many lines", test_large })
