#include "tests/unit/found_causes.h"

/* Inlined code has no calls: it is as frequent as the code around it. */
static void test_inlined(void)
{
	check("m;f_[i] 10\n", "m;f_[i] 25\n", &samples, "+15 f: self\n");
	check("m;f_[i] 10\nm;f_[i];g 5\n", "m;f 25\nm;f;g 5\n", &samples, "+15 f: self\n");
	/* One of two calls was inlined: nobody fewer calls. */
	check("events: Ir\nfn=m\n1 5\ncfn=f\ncalls=8 1\n1 80\n1 0\nfn=f\n1 80\n",
	      "events: Ir\nfn=m\n1 5\ncfn=f\ncalls=4 1\n1 40\nfn=f\n1 40\n", &instructions,
	      "-40 m -> f: fewer calls (8 -> 4)\n");
	check("m 5\nm;f 80\nm;f_[i] 10\n", "m 5\nm;f 40\nm;f_[i] 38\n", &samples, "-12 f: self\n");
	/* Half inlined: 9 + 30 instead of 10. */
	check("m;f 10\nm;f;g 5\n", "m;f_[i] 9\nm;f_[i];f.part.0 30\nm;f_[i];f.part.0;g 5\n",
	      &samples, "+29 f: self\n");
}

/* Inlined code whose calls are known, as files of irdiff have it. */
#define INLINED_F(calls, cost) \
	"events: Ir\nfn=(1) m\n1 5\ninlined=(1)\nfn=(2) f\n" calls "1 " cost "\n"
#define CALLED_F(calls, cost) \
	"events: Ir\nfn=(1) m\n1 5\ncfn=(2) f\ncalls=" calls " 1\n1 " cost "\nfn=(2)\n1 " cost "\n"

static void test_inlined_calls(void)
{
	static const char few[] = INLINED_F("# inlined calls: 10\n", "100"),
			  many[] = INLINED_F("# inlined calls: 30\n", "300"),
			  unknown[] = INLINED_F("", "300");

	check(few, many, &instructions, "+200 m -> f: more calls (10 -> 30)\n");
	check(many, few, &instructions, "-200 m -> f: fewer calls (30 -> 10)\n");
	check(few, INLINED_F("# inlined calls: 10\n", "300"), &instructions,
	      "+200 f: self (10 -> 10)\n");
	check(few, unknown, &instructions, "+200 f: self (10 -> 0)\n");
	/* Compilers omit some of what is inlined, and nothing of what is called. */
	check(few, CALLED_F("30", "300"), &instructions,
	      "+200 m -> f: no longer inlined (0 -> 30)\n");
}

/* What a function costs, and the one that calls it or has it inlined, as both are one profile. */
#define INLINED_IN_M(m, cost) \
	"events: Ir\nfn=(1) m\n1 " m "\ninlined=(1)\nfn=(2) f\n# inlined calls: 10\n1 " cost "\n"
#define CALLED_BY_M(m, cost) \
	"events: Ir\nfn=(1) m\n1 " m "\ncfn=(2) f\ncalls=10 1\n1 " cost "\nfn=(2)\n1 " cost "\n"

#define M_OF_TWO(by_a, by_b) \
	"events: Ir\nfn=a\n1 10\ncfn=m\ncalls=7 1\n1 " by_a "\n" \
	"fn=b\n1 10\ncfn=m\ncalls=3 1\n1 " by_b "\n"

/* The compiler moves code between a function and the one it is inlined into: one cause, up to 24
 * instructions for each call. What is more is a change of its own. */
static void test_moved_by_inlining(void)
{
	static const char inlined[] = INLINED_IN_M("500", "100");

	check(inlined, CALLED_BY_M("440", "190"), &instructions,
	      "+30 m -> f: no longer inlined (0 -> 10)\n");
	check(CALLED_BY_M("440", "190"), inlined, &instructions, "-30 m -> f: inlined (10 -> 0)\n");
	/* f stands still, and so does m. */
	check(inlined, CALLED_BY_M("540", "100"), &instructions,
	      "+40 m -> f: no longer inlined (0 -> 10)\n");
	check(inlined, CALLED_BY_M("500", "190"), &instructions,
	      "+90 m -> f: no longer inlined (0 -> 10)\n");
	/* 240 may be moved, 241 may not. */
	check(inlined, CALLED_BY_M("740", "100"), &instructions,
	      "+240 m -> f: no longer inlined (0 -> 10)\n");
	check(inlined, CALLED_BY_M("741", "110"), &instructions,
	      "+241 m: self\n+10 f: self (0 -> 10)\n");
	check(inlined, CALLED_BY_M("490", "341"), &instructions,
	      "+241 f: self (0 -> 10)\n-10 m: self\n");
	check(inlined, CALLED_BY_M("650", "250"), &instructions,
	      "+150 f: self (0 -> 10)\n+150 m: self\n");
	struct found f = causes_of(inlined, CALLED_BY_M("440", "190"), &instructions);
	REQUIRE_U64(f.causes->count, 1);
	CHECK_U64(f.causes->items[0].nparts, 2);
	CHECK_INT(f.causes->parts[f.causes->items[0].first_part].delta, 90);
	CHECK_INT(f.causes->parts[f.causes->items[0].first_part + 1].delta, -60);
	found_free(&f);
	/* m is on two paths: all of its calls count, as all costs do. */
	check(M_OF_TWO("420", "180") "fn=m\n1 500\ncfn=f\ncalls=10 1\n1 100\nfn=f\n1 100\n",
	      M_OF_TWO("441", "189") "fn=(1) m\n1 500\ninlined=(1)\nfn=f\n1 130\n", &instructions,
	      "+30 m -> f: inlined (10 -> 0)\n");
	/* All callers into which it is inlined count, and no longer the one where it was called. */
	check("events: Ir\nfn=m\n1 500\ncfn=f\ncalls=10 1\n1 100\ncfn=n\ncalls=1 1\n1 90\n"
	      "fn=n\n1 50\ncfn=f\ncalls=4 1\n1 40\nfn=f\n1 140\n",
	      "events: Ir\nfn=(1) m\n1 490\ncfn=(3) n\ncalls=1 1\n1 70\ninlined=(1)\n"
	      "fn=(2) f\n1 90\nfn=(3)\n1 45\ninlined=(3)\nfn=(2)\n1 25\n",
	      &instructions, "-40 f: inlined (14 -> 0)\n");
	/* One instance inlined into another: nothing that costs so much more is due to that. */
	check("events: Ir\nfn=(1) f<int>(int)\n1 500\ncfn=(2) f<long>(long)\ncalls=10 1\n1 100\n"
	      "fn=(2)\n1 100\n",
	      "events: Ir\nfn=(1) f<int>(int)\n1 500\ninlined=(1)\nfn=(2) f<long>(long)\n1 9100\n",
	      &instructions, "+9000 f<long>(long): self (10 -> 0)\n");
}

/* s inlines f, which makes the system calls through w: their number is not moved by inlining. */
#define SYSTEM_CALLS(n, inlined) \
	"events: sysCount\nfn=(1) m\n1 1\ncfn=(2) s\ncalls=1 1\n1 " n \
	"\nfn=(2) s\n1 0\ninlined=(2)\nfn=(3) f\n" inlined "1 0\ncfn=(4) w\ncalls=" n " 1\n1 " n \
	"\nfn=(4) w\n1 " n "\n"

static void test_inlined_without_costs(void)
{
	static const struct diff_options calls = { .metric = "sysCount" };

	check(SYSTEM_CALLS("1", "# inlined calls: 1\n"),
	      SYSTEM_CALLS("300", "# inlined calls: 300\n"), &calls,
	      "+299 s -> f: more calls (1 -> 300)\n");
	/* The number of one side alone says nothing. */
	const struct cause uncounted = {
		.kind = CAUSE_CALLS, .caller = 1, .base_calls = 1, .delta = 299, .scaled = true
	};
	CHECK_STR(cause_reason(&uncounted), "more calls");
}

/* Part of a function was split off, and has more of it inlined: not a call of itself. */
#define SPLIT(calls, cost, all, own) \
	"events: Ir\nfn=(1) m\n1 5\ninlined=(1)\nfn=(2) f\n1 10\ncfn=(3) f.part.0\ncalls=" calls \
	" 1\n1 " all "\nfn=(3)\n1 20\ninlined=(3)\nfn=(2)\n1 " own "\ncfn=(4) k\ncalls=" calls \
	" 1\n1 " cost "\nfn=(4)\n1 " cost "\n"

static void test_parts(void)
{
	check(SPLIT("2", "60", "90", "10"), SPLIT("20", "600", "670", "50"), &instructions,
	      "+540 f -> k: more calls (2 -> 20)\n+40 f: self\n");
}

/* How often m calls a, which has e inlined, as has b, that m calls once; and how often each of them
 * calls k by it, at which cost. */
struct by_two {
	unsigned a, self, e; /* and what a and e cost themselves there */
	unsigned of_a, a_cost, of_b, b_cost;
	const char *k;
};

static void add_calls_of_k(char *text, size_t size, unsigned calls, unsigned cost)
{
	size_t used = strlen(text);
	if (calls)
		snprintf(text + used, size - used, "cfn=(5) k\ncalls=%u 1\n1 %u\n", calls, cost);
}

static void write_by_two(char *text, size_t size, const struct by_two *p)
{
	snprintf(text, size,
		 "events: Ir\nfn=(1) m\n1 1\ncfn=(2) a\ncalls=%u 1\n1 %u\ncfn=(3) b\ncalls=1 1\n"
		 "1 %u\nfn=(2)\n1 %u\ninlined=(2)\nfn=(4) e\n1 %u\n",
		 p->a, p->self + p->e + p->a_cost, 15 + p->b_cost, p->self, p->e);
	add_calls_of_k(text, size, p->of_a, p->a_cost);
	strcat(text, "fn=(3)\n1 10\ninlined=(3)\nfn=(4)\n1 5\n");
	add_calls_of_k(text, size, p->of_b, p->b_cost);
	size_t used = strlen(text);
	snprintf(text + used, size - used, "fn=(5) k\n%s", p->k);
}

static void check_by_two(struct by_two before, struct by_two now, const char *expected)
{
	char base[500], head[500];

	write_by_two(base, sizeof base, &before);
	write_by_two(head, sizeof head, &now);
	check(base, head, &instructions, expected);
}

/* What inlined code calls as often as before over all paths, it does not call more often on one,
 * and no longer on another. */
static void test_moved_calls(void)
{
	static const char leaf[] = "1 110\n";
	static const char calls_x[] = "1 22\ncfn=x\ncalls=2 1\n1 88\nfn=x\n1 88\n";
	struct by_two both = { 1, 300, 5, 1, 100, 1, 10, leaf };
	struct by_two only_b = { 1, 300, 5, 0, 0, 2, 110, leaf };

	check_by_two(both, only_b, "");
	check_by_two(only_b, both, "");
	/* Each of them may cost more. */
	check_by_two(both, (struct by_two){ 1, 300, 5, 0, 0, 2, 150, "1 150\n" },
		     "+40 k: self (2 -> 2)\n");
	/* a is called more often, and e no more often calls k by that. */
	check_by_two(both, (struct by_two){ 2, 600, 10, 1, 100, 1, 10, leaf },
		     "+305 m -> a: more calls (1 -> 2)\n");
	/* With all that is below k. */
	both.k = only_b.k = calls_x;
	check_by_two(both, only_b, "");
	check_by_two(only_b, both, "");
}

/* Two functions have c inlined, and that has w: how often c calls it there, or "" where that is not
 * known. That w calls k and l tells how often it is called itself. */
#define W_IN(host, calls, cost) \
	"fn=(" host ") " host "\n1 1\ninlined=(" host ")\nfn=(4) c\n# inlined calls: 1\n1 1\n" \
	"inlined=(4)\nfn=(5) w\n" calls "1 " cost "\ncfn=(6) k\ncalls=" cost " 1\n1 " cost \
	"\ncfn=(7) l\ncalls=" cost " 1\n1 " cost "\n"
#define W_IN_TWO(by_a, by_b, cost, all, twice) \
	"events: Ir\nfn=(1) m\n1 1\ncfn=(2) 2\ncalls=1 1\n1 " all "\ncfn=(3) 3\ncalls=1 1\n1 " all \
	"\n" W_IN("2", by_a, cost) W_IN("3", by_b, cost) "fn=(6) k\n1 " twice \
							 "\nfn=(7) l\n1 " twice "\n"

/* The calls on one path are not those on all of them. */
static void test_partly_counted(void)
{
	static const char few[] = W_IN_TWO("# inlined calls: 4\n", "# inlined calls: 4\n", "70",
					   "212", "140");
	static const char many[] = W_IN_TWO("# inlined calls: 40\n", "# inlined calls: 40\n", "700",
					    "2102", "1400");
	static const char partly[] = W_IN_TWO("# inlined calls: 40\n", "", "700", "2102", "1400");

	check(few, many, &instructions, "+3780 c -> w: more calls (8 -> 80)\n");
	check(few, partly, &instructions, "+3780 c -> w: more calls\n");
	check(partly, few, &instructions, "-3780 c -> w: fewer calls\n");
}

TEST_MAIN("inlined causes", { "inlined", test_inlined },
	  { "calls of inlined code", test_inlined_calls },
	  { "moved by inlining", test_moved_by_inlining },
	  { "inlined without costs", test_inlined_without_costs }, { "parts", test_parts },
	  { "moved calls", test_moved_calls }, { "partly counted", test_partly_counted })
