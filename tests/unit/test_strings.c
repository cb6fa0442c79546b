#include "tests/unit/harness.h"

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "cgprofile/strings.h"

static cg_str add(struct cg_strings *s, const char *text)
{
	cg_str id = UINT32_MAX;
	REQUIRE_INT(cg_strings_add(s, text, strlen(text), &id), CG_OK);
	return id;
}

static void test_interning(void)
{
	struct cg_strings s;
	REQUIRE_INT(cg_strings_init(&s), CG_OK);

	CHECK_STR(cg_strings_get(&s, 0), "");
	CHECK_U64(add(&s, ""), 0);
	cg_str a = add(&s, "alpha"), b = add(&s, "beta");
	CHECK(a != 0 && b != 0 && a != b);
	CHECK_U64(add(&s, "alpha"), a);
	CHECK_STR(cg_strings_get(&s, a), "alpha");
	CHECK_STR(cg_strings_get(&s, b), "beta");
	/* A prefix is another text. */
	CHECK(add(&s, "alph") != a);
	CHECK_U64(cg_strings_find(&s, "alphabet", 5), a);
	CHECK_U64(cg_strings_find(&s, "gamma", 5), 0);
	CHECK_U64(cg_strings_find(&s, "", 0), 0);
	cg_strings_free(&s);
}

/* Enough texts for the index and the text to grow many times. */
static void test_many(void)
{
	enum { MANY = 20000 };
	struct cg_strings s;
	char text[32];
	cg_str first = 0;

	REQUIRE_INT(cg_strings_init(&s), CG_OK);
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(text, sizeof text, "name-%u", i);
		cg_str id = add(&s, text);
		first = i ? first : id;
		REQUIRE_U64(id, first + i);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(text, sizeof text, "name-%u", i);
		REQUIRE_U64(cg_strings_find(&s, text, strlen(text)), first + i);
		REQUIRE_STR(cg_strings_get(&s, first + i), text);
	}
	CHECK_U64(s.count, MANY + 1);
	cg_strings_free(&s);
}

static bool is_square_of(const void *context, uint32_t id)
{
	return id * id == *(const uint32_t *)context;
}

/* All ids share one hash: the index must find each by asking. */
static void test_colliding_index(void)
{
	struct cg_index x = { 0 };
	uint32_t wanted = 9;

	CHECK_U64(cg_index_find(&x, 7, is_square_of, &wanted), 0);
	for (uint32_t id = 1; id <= 200; id++) {
		REQUIRE_INT(cg_index_reserve(&x), CG_OK);
		cg_index_insert(&x, 7, id);
	}
	for (uint32_t id = 1; id <= 200; id++) {
		wanted = id * id;
		REQUIRE_U64(cg_index_find(&x, 7, is_square_of, &wanted), id);
	}
	wanted = 10;
	CHECK_U64(cg_index_find(&x, 7, is_square_of, &wanted), 0);
	wanted = 9;
	CHECK_U64(cg_index_find(&x, 8, is_square_of, &wanted), 0);
	cg_index_free(&x);
}

/* Pairs as call graphs have them must not share hashes: ids of neighbours, small
 * numbers, one number fixed. */
static void test_spreading(void)
{
	enum { MANY = 1 << 16 };
	static const struct {
		uint32_t step_a, step_b, plus;
	} kinds[] = {
		{ 1, 1, 1 }, { 1, 1, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 2, 0 }, { 64, 64, 1 }
	};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		bool *taken = calloc(MANY, sizeof *taken);
		uint32_t distinct = 0;
		REQUIRE(taken != NULL);
		for (uint32_t i = 0; i < MANY; i++) {
			uint64_t a = (uint64_t)i * kinds[k].step_a;
			uint64_t b = (uint64_t)i * kinds[k].step_b + kinds[k].plus;
			size_t slot = cg_hash_mix(cg_hash_mix(a, b), 0) & (MANY - 1);
			distinct += !taken[slot];
			taken[slot] = true;
		}
		/* Random ones would fill 1 - 1/e = 63 % of the slots. */
		test_report(distinct > MANY / 2, false, __FILE__, __LINE__,
			    "kind %zu fills only %" PRIu32 " of %d slots", k, distinct, MANY);
		free(taken);
	}
}

/* ---- whoever knows the hash can make names and numbers that share one ---- */

enum { HOSTILE = 4096 };

/* The number whose product with an odd one is 1. */
static uint64_t inverse(uint64_t odd)
{
	uint64_t x = odd;
	for (int i = 0; i < 6; i++)
		x *= 2 - odd * x;
	return x;
}

/* `number`, so that cg_hash_mix(hash, number) is `mixed`. */
static uint64_t unmix(uint64_t hash, uint64_t mixed)
{
	uint64_t product = (mixed ^ mixed >> 32) * inverse(UINT64_C(0x9e3779b97f4a7c15));
	return product ^ hash * UINT64_C(0xff51afd7ed558ccd);
}

/* The next text of eight bytes whose checksum is 7. */
static void next_hostile(uint64_t *high, char text[8])
{
	do {
		uint64_t before = unmix(0, ++*high << 32 | 7); /* hash * K1 of the last step */
		uint64_t hash = before * inverse(UINT64_C(0xff51afd7ed558ccd));
		uint64_t word = unmix(8, hash);
		memcpy(text, &word, 8);
	} while (memchr(text, 0, 8));
}

/* How far the farthest id is from where it is looked for first. */
static size_t longest_way(const struct cg_index *x)
{
	size_t most = 0;
	for (size_t i = 0; i <= x->mask; i++) {
		size_t way = (i - x->slots[i].hash) & x->mask;
		most = x->slots[i].id && way > most ? way : most;
	}
	return most;
}

static void test_hostile_texts(void)
{
	struct cg_strings s;
	uint64_t high = 0;
	uint32_t again = 0;
	cg_str id;

	REQUIRE_INT(cg_strings_init(&s), CG_OK);
	CHECK_U64(s.secret, cg_hash_secret());
	for (uint32_t i = 0; i < HOSTILE; i++) {
		char text[8];
		next_hostile(&high, text);
		REQUIRE_U64(cg_checksum(text, 8), 7);
		REQUIRE_INT(cg_strings_add(&s, text, 8, &id), CG_OK);
		REQUIRE_U64(id, i + 1); /* whatever the secret is */
		again += (cg_hash_text(s.secret, text, 8) ^ cg_hash_text(s.secret + 1, text, 8)) %
				 HOSTILE ==
			 0;
	}
	CHECK(longest_way(&s.index) < 100);
	CHECK(again < 20); /* another process has other hashes */
	cg_strings_free(&s);
}

static void test_hostile_numbers(void)
{
	static bool taken[HOSTILE];
	uint32_t distinct[2] = { 0 };

	for (int kind = 0; kind < 2; kind++) {
		memset(taken, 0, sizeof taken);
		for (uint64_t i = 0; i < HOSTILE; i++) {
			uint64_t number = kind ? i << 52 : unmix(1, i << 32 | 7);
			size_t slot = cg_hash_keyed(cg_hash_secret(), number) % HOSTILE;
			distinct[kind] += !taken[slot];
			taken[slot] = true;
		}
		test_report(distinct[kind] > HOSTILE / 2, false, __FILE__, __LINE__,
			    "kind %d fills only %" PRIu32 " slots", kind, distinct[kind]);
	}
}

static void test_growing(void)
{
	uint64_t *array = NULL;
	size_t cap = 0;

	REQUIRE_INT(cg_grow(&array, &cap, 1, sizeof *array), CG_OK);
	REQUIRE(cap >= 1);
	array[0] = 77;
	REQUIRE_INT(cg_grow(&array, &cap, 1000, sizeof *array), CG_OK);
	REQUIRE(cap >= 1000);
	CHECK_U64(array[0], 77);
	array[999] = 1;

	/* Byte counts above SIZE_MAX are refused and change nothing. */
	uint64_t *before = array;
	size_t cap_before = cap;
	CHECK_INT(cg_grow(&array, &cap, SIZE_MAX / 4, sizeof *array), CG_ENOMEM);
	CHECK_INT(cg_grow(&array, &cap, SIZE_MAX, sizeof *array), CG_ENOMEM);
	CHECK(array == before && cap == cap_before);
	free(array);
}

static void test_sums(void)
{
	int64_t sum[] = { 1, INT64_MAX - 5, -3 };
	const int64_t five[] = { 5, 5, 5 };

	CHECK(cg_add_costs(sum, five, 3));
	CHECK_INT(sum[0], 6);
	CHECK_INT(sum[1], INT64_MAX);
	CHECK_INT(sum[2], 2);
	CHECK(!cg_add_costs(sum, five, 2)); /* the second column overflows */
}

static void test_deltas(void)
{
	CHECK_INT(cg_delta(4, 10), 6);
	CHECK_INT(cg_delta(10, 4), -6);
	CHECK_INT(cg_delta(7, 7), 0);
	CHECK_INT(cg_delta(0, INT64_MAX), INT64_MAX);
	CHECK_INT(cg_delta(INT64_MAX, 0), -INT64_MAX);
	CHECK_INT(cg_delta(-4, 10), 14);
	CHECK_INT(cg_delta(-1, INT64_MAX), INT64_MAX); /* saturates */
	CHECK_INT(cg_delta(INT64_MAX, -2), INT64_MIN);
	CHECK_INT(cg_delta(INT64_MAX - 1, INT64_MAX), 1);
	CHECK_U64(cg_distance(INT64_MIN, INT64_MAX), UINT64_MAX);
	CHECK_U64(cg_distance(3, -3), 6);
	CHECK_U64(cg_magnitude(INT64_MIN), (uint64_t)INT64_MAX + 1);
	CHECK(cg_compare_sizes(-5, 4) < 0 && cg_compare_sizes(4, -5) > 0);
	CHECK(cg_compare_sizes(5, -5) < 0 && cg_compare_sizes(-5, 5) > 0);
	CHECK(cg_compare_sizes(-5, -5) == 0);
}

static void test_errors(void)
{
	struct cg_error err = { 0 };

	CHECK_INT(cg_fail(NULL, CG_EIO, "f", 1, "x"), CG_EIO);
	CHECK_INT(cg_fail(&err, CG_ESYNTAX, "file", 12, "expected %s", "a number"), CG_ESYNTAX);
	CHECK_INT(err.code, CG_ESYNTAX);
	CHECK_STR(err.file, "file");
	CHECK_U64(err.line, 12);
	CHECK_STR(err.message, "expected a number");
	cg_error_context(&err, "reading %d", 5);
	CHECK_STR(err.message, "reading 5: expected a number");

	/* Texts that do not fit are cut, not written past the end. */
	char text[2 * sizeof err.message];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	cg_fail(&err, CG_EIO, text, 0, "%s", text);
	CHECK_U64(strlen(err.message), sizeof err.message - 1);
	CHECK_U64(strlen(err.file), sizeof err.file - 1);
	cg_error_context(&err, "%s", "context");
	CHECK(strncmp(err.message, "context: xxx", 12) == 0);
	CHECK(strlen(err.message) < sizeof err.message);
}

static void test_clipped(void)
{
	int64_t costs[] = { 3, INT64_MAX - 1, INT64_MIN + 1 };
	uint64_t calls = UINT64_MAX - 1;

	cg_add_costs_clipped(costs, (int64_t[]){ -5, 2, -2 }, 3);
	CHECK_INT(costs[0], -2);
	CHECK_INT(costs[1], INT64_MAX);
	CHECK_INT(costs[2], INT64_MIN);
	cg_add_cost_clipped(&costs[1], -1);
	CHECK_INT(costs[1], INT64_MAX - 1);
	cg_add_count_clipped(&calls, 1);
	CHECK_U64(calls, UINT64_MAX);
	cg_add_count_clipped(&calls, 1);
	CHECK_U64(calls, UINT64_MAX);
}

TEST_MAIN("strings", { "equal texts have one id", test_interning }, { "many texts", test_many },
	  { "an index with one hash", test_colliding_index }, { "hashes spread", test_spreading },
	  { "texts made to collide", test_hostile_texts },
	  { "numbers made to collide", test_hostile_numbers },
	  { "arrays grow, within bounds", test_growing }, { "sums are checked", test_sums },
	  { "sums are clipped", test_clipped }, { "deltas are signed and saturate", test_deltas },
	  { "errors hold what fits", test_errors })
