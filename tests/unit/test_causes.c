#include "tests/unit/found_causes.h"

#include "callgrind/support/number.h"

/* Who calls three times as often is to blame, not where the cost was measured: 1,600
 * calls of 300 each, and 4,000 more of its own code. */
static void test_calls(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 2400, 24000, 260);
	check(base, head, &instructions,
	      "+480000 record -> field: more calls (800 -> 2400)\n"
	      "+4000 record: self (100 -> 100)\n");
	check(head, base, &instructions,
	      "-480000 record -> field: fewer calls (2400 -> 800)\n"
	      "-4000 record: self (100 -> 100)\n");
}

/* Three times as often, and each call costs 60 more: 1,600 calls of 360 for who calls,
 * 60 for each of the other 800 for hash. */
static void test_calls_and_cost(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 2400, 20000, 320);
	check(base, head, &instructions,
	      "+576000 record -> field: more calls (800 -> 2400)\n"
	      "+48000 hash: self (800 -> 2400)\n");
}

/* Half as many calls of twice the work each: nobody decided anything. */
static void test_divided_otherwise(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 400, 20000, 560);
	check(base, head, &instructions,
	      "+16000 hash: self (800 -> 400)\n-16000 field: self (800 -> 400)\n");
}

/* m calls k as often as given, at the given cost in all. */
static void check_calls(unsigned base_calls, unsigned base_cost, unsigned head_calls,
			unsigned head_cost, const char *expected)
{
	static const char format[] =
		"events: Ir\nfn=m\n1 50\ncfn=k\ncalls=%u 1\n1 %u\nfn=k\n1 %u\n";
	char base[200], head[200];
	snprintf(base, sizeof base, format, base_calls, base_cost, base_cost);
	snprintf(head, sizeof head, format, head_calls, head_cost, head_cost);
	check(base, head, &instructions, expected);
}

/* Twice as many calls of nearly half the cost: where 1/4 of both effects is left or more, they
 * count. */
static void test_nearly_divided(void)
{
	/* 124 more by calls, 76 less by their cost: 48 are less than 200 / 4. */
	check_calls(1, 200, 2, 248, "+48 k: self (1 -> 2)\n");
	/* 125 and 75: 50 are not. */
	check_calls(1, 200, 2, 250, "+125 m -> k: more calls (1 -> 2)\n-75 k: self (1 -> 2)\n");
	/* 76 more by calls, 124 less by their cost. */
	check_calls(1, 200, 2, 152, "-48 k: self (1 -> 2)\n");
	check_calls(1, 200, 2, 150, "-125 k: self (1 -> 2)\n+75 m -> k: more calls (1 -> 2)\n");
	check_calls(2, 248, 1, 200, "-48 k: self (2 -> 1)\n");
	check_calls(2, 250, 1, 200, "-125 m -> k: fewer calls (2 -> 1)\n+75 k: self (2 -> 1)\n");
	/* The calls stand still, and the cost moves. */
	check_calls(5, 100, 5, 150, "+50 k: self (5 -> 5)\n");
	check_calls(5, 150, 5, 100, "-50 k: self (5 -> 5)\n");
	/* Calls of both, and nothing of that is known where they are 0. */
	check_calls(0, 100, 5, 500, "+400 k: self (0 -> 5)\n");
	check_calls(5, 500, 0, 100, "-400 k: self (5 -> 0)\n");
}

static void test_new_and_removed(void)
{
	check("m;a;w 10\nm;b;w 20\nm 5\n", "m;a;w 17\nm;c;v 30\nm 5\n", &samples,
	      "+30 m -> c: new call\n-20 m -> b: removed call\n+7 w: self\n");
	check("m 5\ngone 7\n", "m 5\nstart;k 8\n", &samples, "+8 start: new\n-7 gone: removed\n");
	/* New below one caller, more expensive below another. */
	check("m;a;w 10\nm;b 20\n", "m;a;w 12\nm;b 20\nm;b;w 5\n", &samples,
	      "+5 b -> w: new call\n+2 w: self\n");
	check("events: samples\n", "events: samples\n", &samples, "");
}

static void test_added_up(void)
{
	check("m;a;w 10\nm;b;w 20\n", "m;a;w 15\nm;b;w 22\n", &samples, "+7 w: self\n");
	struct found f = causes_of("m;a;w 10\nm;b;w 20\n", "m;a;w 15\nm;b;w 22\n", &samples);
	CHECK_U64(f.causes->count, 1);
	CHECK_U64(f.causes->items[0].paths, 2);
	CHECK_INT(f.causes->items[0].base_cost, 30);
	CHECK_INT(f.causes->items[0].head_cost, 37);
	CHECK_INT(f.causes->delta, 7);
	CHECK_U64(f.causes->sum_of_sizes, 7);
	found_free(&f);
}

/* Causes as lines "+delta caller -> function costs base -> head on N paths, largest PARENT", with
 * "~" where they were estimated: what is added up over paths. */
static void check_sums(const char *base, const char *head, const struct diff_options *options,
		       const char *expected)
{
	struct found f = causes_of(base, head, options);
	char text[4000] = "";
	size_t used = 0;

	for (size_t i = 0; i < f.causes->count; i++) {
		const struct cause *c = &f.causes->items[i];
		const struct tree_row *rows = f.trees.tree->rows;
		bool own = c->kind == CAUSE_SELF;

		CHECK_U64(c->caller, own ? c->row : rows[c->row].parent);
		used += (size_t)snprintf(
			text + used, sizeof text - used,
			"%+" PRId64 " %s%s%s: %s, calls %" PRIu64 " -> %" PRIu64 ", costs %" PRId64
			" -> %" PRId64 ", %s%u paths, most below %s\n",
			c->delta, own ? "" : rows[c->caller].name, own ? "" : " -> ",
			rows[c->row].name, cause_reason(c), c->base_calls, c->head_calls,
			c->base_cost, c->head_cost, c->estimated ? "about " : "", c->paths,
			rows[rows[rows[c->row].parent].parent].name);
	}
	CHECK_STR(text, expected);
	found_free(&f);
}

/* main calls a and b once, and each of them k, which calls w as often as given, by two paths. */
static void write_paths(char *text, size_t size, unsigned calls_a, unsigned cost_a,
			unsigned calls_b, unsigned cost_b)
{
	snprintf(
		text, size,
		"events: Ir\nfn=main\n1 7\ncfn=a'main\ncalls=1 1\n1 %u\ncfn=b'main\ncalls=1 1\n1 %u\n"
		"fn=a'main\n1 1\ncfn=k'a'main\ncalls=1 1\n1 %u\nfn=b'main\n1 1\ncfn=k'b'main\ncalls=1 1\n1 %u\n"
		"fn=k'a'main\n1 2\ncfn=w'k'a'main\ncalls=%u 1\n1 %u\nfn=k'b'main\n1 2\ncfn=w'k'b'main\ncalls=%u 1\n1 %u\n"
		"fn=w'k'a'main\n1 %u\nfn=w'k'b'main\n1 %u\n",
		cost_a + 3, cost_b + 3, cost_a + 2, cost_b + 2, calls_a, cost_a, calls_b, cost_b,
		cost_a, cost_b);
}

static void check_paths(const unsigned base[4], const unsigned head[4], const char *expected)
{
	char before[1000], after[1000];
	write_paths(before, sizeof before, base[0], base[1], base[2], base[3]);
	write_paths(after, sizeof after, head[0], head[1], head[2], head[3]);
	check_sums(before, after, &instructions, expected);
}

static void test_several_paths(void)
{
	/* 10 each: 4 more calls below a, 1 more below b, whichever is the first. */
	check_paths(
		(unsigned[]){ 4, 40, 2, 20 }, (unsigned[]){ 8, 80, 3, 30 },
		"+50 k -> w: more calls, calls 6 -> 11, costs 60 -> 110, 2 paths, most below a\n");
	check_paths(
		(unsigned[]){ 2, 20, 4, 40 }, (unsigned[]){ 3, 30, 8, 80 },
		"+50 k -> w: more calls, calls 6 -> 11, costs 60 -> 110, 2 paths, most below b\n");
	/* As much below a as below b: the first is shown. */
	check_paths((unsigned[]){ 4, 40, 2, 20 }, (unsigned[]){ 4, 45, 2, 25 },
		    "+10 w: self, calls 6 -> 6, costs 60 -> 70, 2 paths, most below a\n");
	/* The calls stand still and cost 13 instead of 10, and 8. */
	check_paths((unsigned[]){ 4, 40, 2, 20 }, (unsigned[]){ 4, 52, 2, 16 },
		    "+8 w: self, calls 6 -> 6, costs 60 -> 68, 2 paths, most below a\n");
	check_paths((unsigned[]){ 2, 20, 4, 40 }, (unsigned[]){ 2, 16, 4, 52 },
		    "+8 w: self, calls 6 -> 6, costs 60 -> 68, 2 paths, most below b\n");
	/* 5 more of 10, and 2 less: in all more calls, and a gain where there were less. */
	check_paths(
		(unsigned[]){ 5, 50, 6, 60 }, (unsigned[]){ 10, 100, 4, 40 },
		"+30 k -> w: more calls, calls 11 -> 14, costs 110 -> 140, 2 paths, most below a\n");
	/* As many calls by other paths: 3 more of 20 each, 3 less of 10 each. */
	check_paths(
		(unsigned[]){ 3, 60, 9, 90 }, (unsigned[]){ 6, 120, 6, 60 },
		"+30 k -> w: more calls each time, calls 12 -> 12, costs 150 -> 180, 2 paths, most below a\n");
	check_paths(
		(unsigned[]){ 6, 120, 6, 60 }, (unsigned[]){ 3, 60, 9, 90 },
		"-30 k -> w: fewer calls each time, calls 12 -> 12, costs 180 -> 150, 2 paths, most below a\n");
	/* Twice as many of 15 instead of 10: 4 more of 15 for the caller, 5 more for each of 4. */
	check_paths(
		(unsigned[]){ 4, 40, 2, 20 }, (unsigned[]){ 8, 120, 2, 20 },
		"+60 k -> w: more calls, calls 6 -> 10, costs 60 -> 140, 2 paths, most below a\n"
		"+20 w: self, calls 6 -> 10, costs 60 -> 140, 2 paths, most below a\n");
}

/* Where a caller is called half as often, as many calls of it are twice as many per call: what is
 * left of its calls does more. */
static void test_per_call(void)
{
	static const char often[] =
		"events: Ir\nfn=main\n1 5\ncfn=a\ncalls=10 1\n1 1100\nfn=a\n1 1000\n"
		"cfn=k\ncalls=10 1\n1 100\nfn=k\n1 100\n";
	static const char seldom[] =
		"events: Ir\nfn=main\n1 5\ncfn=a\ncalls=5 1\n1 600\nfn=a\n1 500\n"
		"cfn=k\ncalls=10 1\n1 100\nfn=k\n1 100\n";

	/* Five calls of 110 less; in each of the others one more of k, which costs 10. */
	check(often, seldom, &instructions, "-500 main -> a: fewer calls (10 -> 5)\n");
	check(seldom, often, &instructions, "+500 main -> a: more calls (5 -> 10)\n");
}

/* 60 → 24 per call is not why it costs more: it is called where calls are cheap, too. */
static void test_cost_of_calls(void)
{
	struct cause c = { .kind = CAUSE_SELF,
			   .base_calls = 2,
			   .head_calls = 40,
			   .base_cost = 120,
			   .head_cost = 2480,
			   .delta = 12 };

	CHECK(cause_has_per_call(&c)); /* 60 → 62 */
	c.head_cost = 960;
	CHECK(!cause_has_per_call(&c)); /* 60 → 24 */
	c.delta = -12;
	CHECK(cause_has_per_call(&c));
	c.uncounted = true;
	CHECK(!cause_has_per_call(&c));
	c.uncounted = false;
	c.estimated = true;
	CHECK(!cause_has_per_call(&c));
	c.estimated = false;
	c.base_calls = 1;
	CHECK(!cause_has_per_call(&c));
}

/* Of a function that calls itself only the calls of others are counted on its paths. */
static void test_cost_of_recursion(void)
{
	static const char text[] = "events: Ir\nfn=main\n1 5\ncfn=f\ncalls=10 1\n1 %d\n"
				   "fn=f\n1 %d\ncfn=f\ncalls=%d 1\n1 %d\n";
	char base[200], head[200];

	snprintf(base, sizeof base, text, 10100, 10100, 1000, 10000);
	snprintf(head, sizeof head, text, 20100, 20100, 2000, 20000);
	struct found f = causes_of(base, head, &instructions);
	REQUIRE_INT(f.causes->count, 1);
	CHECK_INT(f.causes->items[0].kind, CAUSE_SELF);
	CHECK_INT(f.causes->items[0].delta, 10000);
	CHECK(!cause_has_per_call(&f.causes->items[0]));
	found_free(&f);
}

/* a calls w four times, and b as often as the number says: 0 is not known, as if w was inlined. */
static void check_uncounted(const char *calls, bool expected)
{
	static const char text[] =
		"events: Ir\nfn=main\ncfn=a\ncalls=1 1\n1 %d\ncfn=b\ncalls=1 1\n1 60\n"
		"fn=a\ncfn=w'a\ncalls=4 1\n1 %d\nfn=b\ncfn=w'b\ncalls=%s 1\n1 60\n"
		"fn=w'a\n1 %d\nfn=w'b\n1 60\n";
	char base[400], head[400];
	struct causes *c = NULL;
	struct cg_error err = { 0 };

	snprintf(base, sizeof base, text, 100, 100, calls, 100);
	snprintf(head, sizeof head, text, 200, 200, calls, 200);
	struct trees t = trees_of(base, head, &instructions, TREE_ALL);
	REQUIRE_INT(causes_make(t.tree, NULL, &c, &err), CG_OK);
	REQUIRE_INT(c->count, 1);
	CHECK_INT(c->items[0].kind, CAUSE_SELF);
	CHECK_INT(c->items[0].delta, 100);
	CHECK_INT(c->items[0].uncounted, expected);
	CHECK_INT(cause_has_per_call(&c->items[0]), !expected);
	causes_free(c);
	trees_free(&t);
}

/* a and another one call n, which calls k so often, at this cost: how often on which path is an
 * estimate, by what the calls of n cost. */
static void write_shared(char *text, size_t size, const char *other, unsigned by_a, unsigned rest,
			 unsigned own, unsigned calls, unsigned cost)
{
	snprintf(text, size,
		 "events: Ir\nfn=m\n1 0\ncfn=a\ncalls=1 1\n1 %u\ncfn=%s\ncalls=1 1\n1 %u\n"
		 "fn=a\n1 0\ncfn=n\ncalls=1000 1\n1 %u\n"
		 "fn=%s\n1 0\ncfn=n\ncalls=1000 1\n1 %u\n"
		 "fn=n\n1 %u\ncfn=k\ncalls=%u 1\n1 %u\nfn=k\n1 %u\n",
		 by_a, other, rest, by_a, other, rest, own, calls, cost, cost);
}

/* Over all paths calls are counted: as many as before are neither more nor less. */
static void test_shared_calls(void)
{
	char base[500], head[500];

	write_shared(base, sizeof base, "b", 10000, 10000, 4000, 2000, 16000);
	write_shared(head, sizeof head, "c", 40000, 16000, 40000, 2000, 16000);
	check(base, head, &instructions,
	      "+36001 n: self (2000 -> 2000)\n-1 k: self (2000 -> 2000)\n");
	check(head, base, &instructions,
	      "-36001 n: self (2000 -> 2000)\n+1 k: self (2000 -> 2000)\n");
	/* Two more are more, if each costs what it did. */
	write_shared(head, sizeof head, "c", 40010, 16006, 40000, 2002, 16016);
	check(base, head, &instructions,
	      "+36001 n: self (2000 -> 2000)\n+16 n -> k: more calls (2000 -> 2002)\n"
	      "-1 k: self (2000 -> 2002)\n");
	/* They do not explain that all cost half as much again. */
	write_shared(head, sizeof head, "c", 48000, 16000, 40000, 2002, 24000);
	check(base, head, &instructions,
	      "+36000 n: self (2000 -> 2000)\n+8000 k: self (2000 -> 2003)\n");
}

/* Instances of a template are one function of the source; overloads and files are not. */
static void test_instances(void)
{
	static const char
		base[] =
			"events: Ir\nfl=a\nfn=int g<int>(int)\n1 10\nfn=int g<long>(long)\n"
			"1 10\nfn=h(int)\n1 10\nfn=h(long)\n1 10\nfl=b\nfn=int g<int>(int)\n1 10\n",
		head[] =
			"events: Ir\nfl=a\nfn=int g<int>(int)\n1 19\nfn=int g<long>(long)\n"
			"1 15\nfn=h(int)\n1 13\nfn=h(long)\n1 12\nfl=b\nfn=int g<int>(int)\n1 11\n";

	check(base, head, &instructions,
	      "+14 int g<int>(int): self\n+3 h(int): self\n+2 h(long): self\n"
	      "+1 int g<int>(int): self\n");
	check("m;v<int>::at 5\nm;v<long>::at 5\n",
	      "m;v<int>::at 5\nm;v<int>::at;k 4\nm;v<long>::at 5\nm;v<long>::at;k 6\n", &samples,
	      "+10 v<long>::at -> k: new call\n");
	/* What one gained the other lost. */
	check("m;v<int>::at 5\nm;v<long>::at 8\n", "m;v<int>::at 8\nm;v<long>::at 5\n", &samples,
	      "");
	struct found f = causes_of(base, head, &instructions);
	CHECK_U64(f.causes->items[0].nparts, 2);
	CHECK_U64(f.causes->items[1].nparts, 1);
	CHECK_INT(f.causes->parts[f.causes->items[0].first_part + 1].delta, 5);
	CHECK_INT(f.causes->items[0].base_cost, 20);
	CHECK_INT(f.causes->items[0].head_cost, 34);
	found_free(&f);
}

/* Where calls are not counted, all that is done in them tells whether there were more. */
static void test_scaled(void)
{
	static const char once[] =
		"m 10\nm;f_[i];a_[i] 100\nm;f_[i];b_[i] 200\nm;f_[i];c_[i] 300\n";

	check(once, "m 10\nm;f_[i];a_[i] 200\nm;f_[i];b_[i] 400\nm;f_[i];c_[i] 600\n", &samples,
	      "+600 m -> f: more calls\n");
	check("m 10\nm;f_[i];a_[i] 200\nm;f_[i];b_[i] 400\nm;f_[i];c_[i] 600\n", once, &samples,
	      "-600 m -> f: fewer calls\n");
	/* Roughly. */
	check(once, "m 10\nm;f_[i];a_[i] 200\nm;f_[i];b_[i] 400\nm;f_[i];c_[i] 650\n", &samples,
	      "+650 m -> f: more calls\n+12 c: self\n-8 b: self\n-4 a: self\n");
	/* One that stands still, or only two: they changed themselves. */
	check(once, "m 10\nm;f_[i];a_[i] 100\nm;f_[i];b_[i] 400\nm;f_[i];c_[i] 600\n", &samples,
	      "+300 c: self\n+200 b: self\n");
	check("m 10\nm;f_[i];a_[i] 100\nm;f_[i];b_[i] 200\n",
	      "m 10\nm;f_[i];a_[i] 200\nm;f_[i];b_[i] 400\n", &samples,
	      "+200 b: self\n+100 a: self\n");
}

static void test_uncounted(void)
{
	check_uncounted("4", false);
	check_uncounted("0", true);
}

/* a and b call c, and c calls d: how much of d is a's is estimated by what they pay for c, 1/4 and
 * 3/4. What c costs itself is 4. */
static void write_estimated(char *text, size_t size, unsigned calls, unsigned cost)
{
	unsigned all = cost + 4;
	snprintf(
		text, size,
		"events: Ir\nfn=m\n1 8\ncfn=a\ncalls=1 1\n1 %u\ncfn=b\ncalls=1 1\n1 %u\nfn=a\ncfn=c\ncalls=1 1\n1 %u\n"
		"fn=b\ncfn=c\ncalls=1 1\n1 %u\nfn=c\n1 4\ncfn=d\ncalls=%u 1\n1 %u\nfn=d\n1 %u\n",
		all / 4, all / 4 * 3, all / 4, all / 4 * 3, calls, cost, cost);
}

static void test_estimated(void)
{
	char base[1000], head[1000];

	/* Twice as many calls of 0.9: below b 12 → 24, who costs 27 more for that; below a 4 → 8,
	 * too few for what is estimated: its 9 more are of d. */
	write_estimated(base, sizeof base, 16, 36);
	write_estimated(head, sizeof head, 32, 72);
	check_sums(
		base, head, &instructions,
		"+27 c -> d: more calls, calls 16 -> 32, costs 36 -> 72, about 2 paths, most below b\n"
		"+9 d: self, calls 16 -> 32, costs 36 -> 72, about 2 paths, most below a\n");
	check_sums(
		head, base, &instructions,
		"-27 c -> d: fewer calls, calls 32 -> 16, costs 72 -> 36, about 2 paths, most below b\n"
		"-9 d: self, calls 32 -> 16, costs 72 -> 36, about 2 paths, most below a\n");
	/* 7 → 14 are too few, 10 → 20 are enough. */
	write_estimated(base, sizeof base, 28, 36);
	write_estimated(head, sizeof head, 56, 72);
	check_sums(
		base, head, &instructions,
		"+27 c -> d: more calls, calls 28 -> 56, costs 36 -> 72, about 2 paths, most below b\n"
		"+9 d: self, calls 28 -> 56, costs 36 -> 72, about 2 paths, most below a\n");
	write_estimated(base, sizeof base, 40, 36);
	write_estimated(head, sizeof head, 80, 72);
	check_sums(
		base, head, &instructions,
		"+36 c -> d: more calls, calls 40 -> 80, costs 36 -> 72, about 2 paths, most below b\n");
}

/* What a and b pay for c is too little to follow: whether c or d costs more is not known there. */
static void test_cut(void)
{
	static const char format[] =
		"events: Ir\nfn=m\n1 1000000000\ncfn=a\ncalls=1 1\n1 %u\ncfn=b\ncalls=1 1\n1 %u\n"
		"fn=a\ncfn=c\ncalls=1 1\n1 %u\nfn=b\ncfn=c\ncalls=1 1\n1 %u\n"
		"fn=c\n1 20\ncfn=d\ncalls=2 1\n1 %u\nfn=d\n1 %u\n";
	char base[1000], head[1000];

	snprintf(base, sizeof base, format, 40, 40, 40, 40, 60, 60);
	snprintf(head, sizeof head, format, 60, 60, 60, 60, 100, 100);
	check(base, head, &instructions, "+40 c: self and calls (2 -> 2)\n");
	check(head, base, &instructions, "-40 c: self and calls (2 -> 2)\n");
}

/* Only a calls c in base: all is known there, and estimated in head. */
static void test_estimated_on_one_side(void)
{
	static const char known[] =
		"events: Ir\nfn=m\n1 8\ncfn=a\ncalls=1 1\n1 10\nfn=a\ncfn=c\ncalls=1 1\n1 10\n"
		"fn=c\n1 1\ncfn=d\ncalls=10 1\n1 9\nfn=d\n1 9\n";
	char shared[1000];

	write_estimated(shared, sizeof shared, 80, 72);
	check_sums(
		known, shared, &instructions,
		"+57 m -> b: new call, calls 0 -> 1, costs 0 -> 57, 1 paths, most below \n"
		"+9 c -> d: more calls, calls 10 -> 20, costs 9 -> 18, about 1 paths, most below a\n");
	check_sums(
		shared, known, &instructions,
		"-57 m -> b: removed call, calls 1 -> 0, costs 57 -> 0, 1 paths, most below \n"
		"-9 c -> d: fewer calls, calls 20 -> 10, costs 18 -> 9, about 1 paths, most below a\n");
}

/* eval and call call each other, so who is called more often because of whom is not known. Only
 * call's self cost changed. */
static void test_guesswork(void)
{
	static const char format[] =
		"events: Ir\nfn=main\n1 10\ncfn=eval\ncalls=1 1\n1 %u\n"
		"fn=eval\n1 486\ncfn=call\ncalls=%u 1\n1 %u\ncfn=get\ncalls=%u 1\n1 1410\n"
		"fn=call\n1 %u\ncfn=eval\ncalls=%u 1\n1 %u\ncfn=get\ncalls=%u 1\n1 470\nfn=get\n1 1410\n";
	char base[1000], head[1000];

	snprintf(base, sizeof base, format, 2223u, 10u, 1389u, 20u, 327u, 9u, 1556u, 5u);
	snprintf(head, sizeof head, format, 2372u, 17u, 1508u, 37u, 476u, 11u, 1660u, 27u);
	check(base, head, &instructions, "+149 call: self (10 -> 17)\n");
	check(head, base, &instructions, "-149 call: self (17 -> 10)\n");
}

static bool is_row_of(const struct diff_row *row, const struct tree_row *path)
{
	return strcmp(row->name, path->name) == 0 && strcmp(row->object, path->object) == 0 &&
	       strcmp(row->file, path->file) == 0;
}

/* What is said to be a function's self cost is that of the flat difference. */
static void check_self_costs(const struct found *f)
{
	const struct diff *d = f->trees.tree->diff;

	for (size_t i = 0; i < f->causes->count; i++) {
		const struct cause *c = &f->causes->items[i];
		for (size_t k = 0; c->kind == CAUSE_SELF && k < d->count; k++) {
			const struct diff_row *row = &d->rows[k];
			if (!is_row_of(row, &f->trees.tree->rows[c->row]))
				continue;
			CHECK_INT(c->base_cost, diff_base_value(d, row->base.self));
			CHECK_INT(c->head_cost, diff_head_value(d, row->head.self));
			CHECK_U64(c->base_calls, row->base.calls);
			CHECK_U64(c->head_calls, row->head.calls);
		}
	}
}

/* The same beside code that costs so much that paths are cut: d has none, so it counts with c,
 * which calls it. */
static void test_guesswork_cut(void)
{
	static const char format[] =
		"events: Ir\nfn=main\n1 1000000000\ncfn=eval\ncalls=1 1\n1 %u\n"
		"cfn=a\ncalls=1 1\n1 40\ncfn=b\ncalls=1 1\n1 40\n"
		"fn=eval\n1 486\ncfn=call\ncalls=%u 1\n1 %u\ncfn=get\ncalls=%u 1\n1 1410\n"
		"fn=call\n1 %u\ncfn=eval\ncalls=%u 1\n1 %u\ncfn=get\ncalls=%u 1\n1 470\nfn=get\n1 1410\n"
		"fn=a\ncfn=c\ncalls=1 1\n1 40\nfn=b\ncfn=c\ncalls=1 1\n1 40\n"
		"fn=c\n1 20\ncfn=d\ncalls=2 1\n1 %u\nfn=d\n1 %u\n";
	char base[1000], head[1000];

	snprintf(base, sizeof base, format, 2223u, 10u, 1389u, 20u, 327u, 9u, 1556u, 5u, 60u, 60u);
	snprintf(head, sizeof head, format, 2372u, 17u, 1508u, 37u, 476u, 11u, 1660u, 27u, 61u,
		 61u);
	check(base, head, &instructions,
	      "+149 call: self (10 -> 17)\n+1 c: self and calls (2 -> 2)\n");
	struct found f = causes_of(base, head, &instructions);
	CHECK(f.causes->self_only);
	REQUIRE_U64(f.causes->count, 2);
	CHECK(!f.causes->items[0].estimated);
	CHECK(f.causes->items[1].estimated);
	CHECK_INT(f.causes->items[0].base_cost, 327);
	check_self_costs(&f);
	found_free(&f);
}

/* The same caller calls it on one path no longer, and on another for the first time. */
static void test_elsewhere(void)
{
	check_sums(
		"m;a;k;w 10\nm;a;k 1\nm;b;k 5\n", "m;a;k 1\nm;b;k 5\nm;b;k;w 12\n", &samples,
		"+2 k -> w: changed calls, calls 0 -> 0, costs 10 -> 12, 2 paths, most below b\n");
	check_sums(
		"m;a;k;w 12\nm;a;k 1\nm;b;k 5\n", "m;a;k 1\nm;b;k 5\nm;b;k;w 10\n", &samples,
		"-2 k -> w: changed calls, calls 0 -> 0, costs 12 -> 10, 2 paths, most below a\n");
}

/* A caller that was renamed on one path is not the one that always had this name. */
static void test_renamed_callers(void)
{
	check_sums("m;p;slow;x 70\nm;p;slow;y 30\nm;q;fast;x 70\n",
		   "m;p;fast;x 70\nm;p;fast;y 30\nm;p;fast;z 20\nm;q;fast;x 70\nm;q;fast;z 15\n",
		   &samples,
		   "+20 fast -> z: new call, calls 0 -> 0, costs 0 -> 20, 1 paths, most below p\n"
		   "+15 fast -> z: new call, calls 0 -> 0, costs 0 -> 15, 1 paths, most below q\n");
	check_sums(
		"m;p;slow;x 70\nm;p;slow;y 30\nm;p;slow 5\nm;q;slow;x 70\nm;q;slow;y 30\nm;q;slow 5\n",
		"m;p;fast;x 70\nm;p;fast;y 30\nm;p;fast 8\nm;q;fast;x 70\nm;q;fast;y 30\nm;q;fast 9\n",
		&samples, "+7 fast: self, calls 0 -> 0, costs 10 -> 17, 2 paths, most below m\n");
}

/* Of the same size: what became more, then own code, then by name, object and file of what is
 * called, then of who calls. */
static void test_order(void)
{
	check("m;a 5\nm;p;old 5\nm;q 5\nm;r;w 1\nm;s;w 1\n",
	      "m;a 10\nm;p;new 5\nm;q 0\nm;r;w 1\nm;r;k 5\nm;s;w 1\nm;s;k 5\n", &samples,
	      "+5 a: self\n"
	      "+5 r -> k: new call\n+5 s -> k: new call\n+5 p -> new: new call\n"
	      "-5 q: self\n-5 p -> old: removed call\n");
	struct found f = causes_of(
		"events: Ir\nob=y\nfl=b\nfn=f\n1 5\nfl=a\nfn=f\n1 5\nob=x\nfl=c\nfn=f\n1 5\n",
		"events: Ir\nob=x\nfl=c\nfn=f\n1 6\nob=y\nfl=b\nfn=f\n1 6\nfl=a\nfn=f\n1 6\n",
		&instructions);
	REQUIRE_U64(f.causes->count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct tree_row *row = &f.trees.tree->rows[f.causes->items[i].row];
		CHECK_STR(row->object, i == 0 ? "x" : "y");
		CHECK_STR(row->file, i == 0 ? "c" : i == 1 ? "a" : "b");
	}
	found_free(&f);
}

/* Counts and costs at the ends of their ranges. */
static void test_huge(void)
{
	check("events: Ir\nfn=m\n1 0\ncfn=f\ncalls=18446744073709551615 1\n1 9223372036854775807\n"
	      "fn=f\n1 9223372036854775807\n",
	      "events: Ir\nfn=m\n1 0\ncfn=f\ncalls=1 1\n1 5\nfn=f\n1 5\n", &instructions,
	      "-9223372036854775807 m -> f: fewer calls (18446744073709551615 -> 1)\n"
	      "+5 f: self (18446744073709551615 -> 1)\n");
	/* From one end of the range to the other. */
	struct found f = causes_of("events: Ir\nfn=m\n1 -9223372036854775807\n",
				   "events: Ir\nfn=m\n1 9223372036854775807\n", &instructions);
	REQUIRE_U64(f.causes->count, 1);
	CHECK_INT(f.causes->items[0].delta, INT64_MAX);
	CHECK_INT(f.causes->items[0].base_cost, -INT64_MAX);
	CHECK_INT(f.causes->items[0].head_cost, INT64_MAX);
	CHECK_INT(f.causes->delta, INT64_MAX);
	CHECK_U64(f.causes->sum_of_sizes, INT64_MAX);
	found_free(&f);
	f = causes_of("events: Ir\nfn=m\n1 9223372036854775807\n",
		      "events: Ir\nfn=m\n1 -9223372036854775807\n", &instructions);
	CHECK_INT(f.causes->delta, INT64_MIN);
	CHECK_INT(f.causes->items[0].delta, INT64_MIN);
	found_free(&f);
}

/* ---- any profiles at all ---- */

/* The heaviest first, on whichever side it is. */
static void check_order_of_weights(const struct causes *a, const struct causes *b)
{
	REQUIRE_U64(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		CHECK(i == 0 || cause_weight(&a->items[i]) <= cause_weight(&a->items[i - 1]));
		CHECK_U64(cause_weight(&a->items[i]), cause_weight(&b->items[i]));
	}
}

/* Exchanging both sides changes signs only; without a difference there is no cause. */
static void check_laws(const char *base, const char *head, const struct diff_options *options,
		       const struct sources *sources)
{
	struct found f = causes_by(base, head, options, sources),
		     mirrored = causes_by(head, base, options, sources);
	struct found same = causes_by(head, head, options, sources);
	__int128 sum = 0;

	for (size_t i = 0; i < f.causes->count; i++)
		sum += f.causes->items[i].delta;
	check_order_of_weights(f.causes, mirrored.causes);
	CHECK(sum == f.causes->delta);
	CHECK_INT(f.causes->delta, -mirrored.causes->delta);
	CHECK(f.causes->sum_of_sizes >= cg_magnitude(f.causes->delta));
	CHECK_U64(f.causes->sum_of_sizes, mirrored.causes->sum_of_sizes);
	if (f.causes->self_only)
		check_self_costs(&f);
	CHECK_U64(same.causes->count, 0);
	found_free(&f);
	found_free(&mirrored);
	found_free(&same);
}

static void test_laws(void)
{
	const struct sources sources = { "135bdf", "4ce", "" };

	for (int i = test_rounds(500); i > 0; i--) {
		char base[4000], head[4000];
		random_calls(base, sizeof base);
		random_calls(head, sizeof head);
		check_laws(base, head, &instructions, NULL);
		check_laws(base, head, &instructions, &sources);
		random_stacks(base, sizeof base);
		random_stacks(head, sizeof head);
		check_laws(base, head, &samples, NULL);
		check_laws(base, head, &samples, &sources);
	}
}

TEST_MAIN("causes", { "calls", test_calls }, { "calls and cost", test_calls_and_cost },
	  { "divided otherwise", test_divided_otherwise },
	  { "nearly divided", test_nearly_divided }, { "new and removed", test_new_and_removed },
	  { "added up", test_added_up }, { "several paths", test_several_paths },
	  { "per call", test_per_call }, { "calls of shared functions", test_shared_calls },
	  { "instances", test_instances }, { "cost of calls", test_cost_of_calls },
	  { "cost of recursion", test_cost_of_recursion }, { "uncounted calls", test_uncounted },
	  { "scaled", test_scaled }, { "estimated", test_estimated }, { "cut", test_cut },
	  { "estimated on one side", test_estimated_on_one_side }, { "guesswork", test_guesswork },
	  { "guesswork where paths were cut", test_guesswork_cut }, { "elsewhere", test_elsewhere },
	  { "renamed callers", test_renamed_callers }, { "order", test_order },
	  { "huge", test_huge }, { "laws", test_laws })
