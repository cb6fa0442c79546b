#include "tests/unit/harness.h"

#include "callgrind/scan.h"

/*
 * Random lines in and near the form of cost lines. However a window is scanned,
 * the steps are the same, and so are the costs.
 */
struct text {
	char bytes[400000 + SCAN_PADDING];
	size_t len;
	uint32_t seed;
};

static uint32_t next(struct text *t, uint32_t n)
{
	t->seed = t->seed * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)(t->seed >> 8) * n) >> 24);
}

static void put(struct text *t, const char *piece)
{
	size_t len = strlen(piece);
	if (t->len + len > sizeof t->bytes - SCAN_PADDING - 1)
		return;
	memcpy(t->bytes + t->len, piece, len);
	t->len += len;
}

#define PICK(t, list) list[next(t, sizeof list / sizeof *list)]

static void put_position(struct text *t)
{
	static const char *const usual[] = { "+3", "*",        "-12", "15", "+4711", "0x4f00",
					     "+0", "12345678", "0",   "*",  "0" };
	static const char *const odd[] = { "+",     "**",   "5x",        "+-3",
					   "x",     "-",    "123456789", "12345678901234567890",
					   "+0x1f", "0x",   "",          "*5",
					   "5*",    "0xzz", "+00000001", "1.5" };
	put(t, next(t, 60) ? PICK(t, usual) : PICK(t, odd));
}

static void put_cost(struct text *t)
{
	static const char *const usual[] = { "0",    "1",     "7",      "0",       "12",
					     "345",  "6789",  "12345",  "1234567", "99999999",
					     "0000", "00001", "100000", "31",      "8" };
	static const char *const odd[] = { "123456789",
					   "999999999999999",
					   "1234567890123456",
					   "-5",
					   "x",
					   "",
					   "*",
					   "+1",
					   "5+",
					   "0x10",
					   "1e5",
					   "." };
	put(t, next(t, 40) ? PICK(t, usual) : PICK(t, odd));
}

static void put_blank(struct text *t)
{
	put(t, next(t, 100) ? " " : next(t, 2) ? "  " : "\t");
}

static void put_end(struct text *t)
{
	put(t, next(t, 30) ? "\n" : next(t, 3) ? " \n" : next(t, 2) ? "\r\n" : "\n\n");
}

static void put_positions(struct text *t, unsigned npositions)
{
	for (unsigned i = 0; i < npositions; i++) {
		if (i)
			put_blank(t);
		put_position(t);
	}
}

static void put_cost_line(struct text *t, const struct scan_format *f)
{
	put_positions(t, f->npositions);
	uint32_t ncosts = next(t, 50) ? next(t, f->ncolumns + 1) : f->ncolumns + next(t, 2);
	for (uint32_t i = 0; i < ncosts; i++) {
		put_blank(t);
		put_cost(t);
	}
	put_end(t);
}

static void put_line(struct text *t, const struct scan_format *f)
{
	static const char *const names[] = { "fn=(1) f\n",  "fn=(2)\n", "cfn=(3) g\n",
					     "cfi=(1) x\n", "fe=(1)\n", "cob=(1) o\n",
					     "jfi=(2)\n",   "# note\n", "fl=(7)\n",
					     "jump\n",      "cfni=h\n", "desc: x: y\n" };
	uint32_t kind = next(t, 40);

	if (kind == 0) {
		put(t, PICK(t, names));
	} else if (kind <= 3) {
		put(t, kind == 1 ? "jcnd=1/2 " : kind == 2 ? "jump=3 " : "calls=2 ");
		put_positions(t, f->npositions);
		put_end(t);
		if (kind == 3)
			put_cost_line(t, f);
		else if (next(t, 20))
			put_positions(t, f->npositions);
		put_end(t);
	} else {
		put_cost_line(t, f);
	}
}

static bool same_step(const struct scan_step *a, const struct scan_step *b)
{
	if (a->kind != b->kind || a->line != b->line || a->text != b->text || a->len != b->len)
		return false;
	if (a->kind == SCAN_TEXT)
		return true;
	if (a->kind == SCAN_NAME)
		return a->name.key == b->name.key && a->name.has_id == b->name.has_id &&
		       a->name.id == b->name.id && a->name.name == b->name.name &&
		       a->name.len == b->name.len;
	return a->cost == b->cost && a->cost_len == b->cost_len && a->count == b->count;
}

static bool same_steps(const struct scan *a, const struct scan *b)
{
	if (a->nsteps != b->nsteps || a->ncosts != b->ncosts || a->lines != b->lines ||
	    a->used != b->used)
		return false;
	for (size_t i = 0; i < a->nsteps; i++)
		if (!same_step(&a->steps[i], &b->steps[i]))
			return false;
	return a->ncosts == 0 || memcmp(a->costs, b->costs, a->ncosts * sizeof *a->costs) == 0;
}

static void compare_scans(uint32_t seed, enum scan_vectors vectors, struct scan *with,
			  struct scan *without)
{
	static struct text t;
	t.len = 0;
	t.seed = seed;
	struct scan_format format = { .npositions = 1 + next(&t, 3),
				      .ncolumns = next(&t, 2) ? 1 : 1 + next(&t, 13),
				      .joining = next(&t, 2) ? SCAN_ALL : SCAN_SAME_LINE };
	/* From nothing to some windows of lines; a short one ends inside the look-ahead. */
	for (uint32_t lines = next(&t, 4) ? next(&t, 40) : next(&t, 900); lines > 0; lines--)
		put_line(&t, &format);
	if (t.len && t.bytes[t.len - 1] != '\n')
		put(&t, "\n");
	memset(t.bytes + t.len, '\n', SCAN_PADDING);

	REQUIRE_INT(cg_scan_window(without, &format, t.bytes, t.len, SIZE_MAX), 0);
	format.vectors = vectors;
	REQUIRE_INT(cg_scan_window(with, &format, t.bytes, t.len, SIZE_MAX), 0);
	test_report(same_steps(with, without), true, __FILE__, __LINE__, "vectors %d, seed %u",
		    vectors, seed);
}

static void test_vectors(void)
{
	struct scan with = { 0 }, without = { 0 };
	for (enum scan_vectors v = SCAN_AVX2; v <= cg_scan_vectors(); v++)
		for (uint32_t seed = 1; seed <= 20000; seed++)
			compare_scans(seed, v, &with, &without);
	cg_scan_free(&with);
	cg_scan_free(&without);
}

/* Costs before and after calls are one step, up to the next function or file. */
static void test_joining(void)
{
	static const char text[] = "fn=(1) f\n+1 5\ncfn=(2) g\ncalls=3 +7\n* 100\n+1 20\n"
				   "jump=1 +2\n*\n+1 300\nfe=(2)\n+1 4000\n";
	char window[sizeof text + SCAN_PADDING];
	memset(window, '\n', sizeof window);
	memcpy(window, text, sizeof text - 1);
	struct scan_format format = { .npositions = 1, .ncolumns = 1, .joining = SCAN_ALL };

	for (enum scan_vectors v = SCAN_NO_VECTORS; v <= cg_scan_vectors(); v++) {
		struct scan s = { 0 };
		format.vectors = v;
		REQUIRE_INT(cg_scan_window(&s, &format, window, sizeof text - 1, SIZE_MAX), 0);
		REQUIRE(s.nsteps == 6 && s.ncosts == 3);
		CHECK_INT(s.steps[1].kind, SCAN_SELF);
		CHECK_INT(s.costs[0], 325);
		CHECK_INT(s.steps[3].kind, SCAN_CALL);
		CHECK_U64(s.steps[3].count, 3);
		CHECK_INT(s.costs[1], 100);
		CHECK_INT(s.costs[2], 4000);
		CHECK_U64(s.lines, 11);
		cg_scan_free(&s);
	}
}

/* Costs on one line are one step, but for those after a call, whose line others may refer to. */
static void test_joining_on_one_line(void)
{
	static const char text[] = "0x10 7 1\n+4 * 2\n+4 +0 3\n+4 * 4\n+4 7 5\n+4 0 6\n+4 0 7\n"
				   "jump=1 +2 *\n* *\n+4 * 8\ncfn=(2) g\ncalls=3 +7 *\n* * 100\n"
				   "+4 * 9\n+4 * 10\n+4 00 11\n";
	static const int64_t expected[] = { 3, 7, 5, 21, 100, 19, 11 };
	const size_t n = sizeof expected / sizeof *expected;
	char window[sizeof text + SCAN_PADDING];
	memset(window, '\n', sizeof window);
	memcpy(window, text, sizeof text - 1);
	struct scan_format format = { .npositions = 2, .ncolumns = 1, .joining = SCAN_SAME_LINE };

	for (enum scan_vectors v = SCAN_NO_VECTORS; v <= cg_scan_vectors(); v++) {
		struct scan s = { 0 };
		format.vectors = v;
		REQUIRE_INT(cg_scan_window(&s, &format, window, sizeof text - 1, SIZE_MAX), 0);
		REQUIRE_INT(s.nsteps, n + 1);
		REQUIRE_INT(s.ncosts, n);
		for (size_t i = 0; i < n; i++)
			CHECK_INT(s.costs[i], expected[i]);
		CHECK_U64(s.steps[3].line, 5);
		CHECK_U64(s.lines, 16);
		cg_scan_free(&s);
	}
}

TEST_MAIN("scan", { "vectors or not", test_vectors }, { "joining", test_joining },
	  { "joining on one line", test_joining_on_one_line })
