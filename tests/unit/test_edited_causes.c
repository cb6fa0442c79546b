#include "tests/unit/found_causes.h"

/* Whoever was edited last on the way down gives work, unless a function between is unknown. */
static void test_edited(void)
{
	static const char base[] = "m;e;k;z 10\nm;e;k 5\nm;e 7\n";
	static const char head[] = "m;e;k;z 30\nm;e;k 6\nm;e 9\n";
	static const struct {
		struct sources sources;
		const char *expected;
	} cases[] = {
		{ { "", "", "" }, "+20 z: self\n+2 e: self\n+1 k: self\n" },
		{ { "e", "", "" }, "+21 e -> k: more work\n+2 e: self\n" },
		{ { "m", "", "" }, "+23 m -> e: more work\n" },
		{ { "me", "", "" }, "+21 e -> k: more work\n+2 e: self\n" },
		{ { "ez", "", "" }, "+20 z: self\n+2 e: self\n+1 e -> k: more work\n" },
		{ { "k", "", "" }, "+20 k -> z: more work\n+1 k: self\n+2 e: self\n" },
		{ { "e", "k", "" }, "+20 z: self\n+2 e: self\n+1 k: self\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_by(base, head, &samples, &cases[i].sources, cases[i].expected);
	check_by(head, base, &samples, &cases[1].sources, "-21 e -> k: less work\n-2 e: self\n");
	/* Who only uses what was edited may be the reason, but is not preferred. */
	const struct sources using = { "", "", "e" }, both = { "z", "", "e" };
	check_by(base, head, &samples, &using, "+21 e -> k: costs more\n+2 e: self\n");
	check_by(head, base, &samples, &using, "-21 e -> k: costs less\n-2 e: self\n");
	check_by("m;e;k 5\nm;z 5\n", "m;e;k 15\nm;z 10\n", &samples, &both,
		 "+5 z: self\n+10 e -> k: costs more\n");
}

/* Calls that functions make which were not edited are work, too; who does it is known. */
static void test_edited_calls(void)
{
	char base[1000], head[1000];
	const struct sources main_edited = { "n", "", "" };
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 2400, 24000, 260);
	check_by(base, head, &instructions, &main_edited,
		 "+484000 main -> record: more work (100 -> 100)\n");
	struct found f = causes_by(base, head, &instructions, &main_edited);
	const struct cause *c = &f.causes->items[0];
	REQUIRE_U64(c->nshares, 2);
	const struct cause_share *shares = &f.causes->shares[c->first_share];
	CHECK_STR(f.trees.tree->rows[shares[0].row].name, "field");
	CHECK_INT(shares[0].delta, 480000);
	CHECK_STR(f.trees.tree->rows[shares[1].row].name, "record");
	CHECK_INT(shares[1].delta, 4000);
	CHECK(c->caller_edit == EDIT_CHANGED && c->edit == EDIT_NONE);
	found_free(&f);
}

/* The larger of both factors says why: the number of calls, or what each costs. */
static void test_calls_and_work(void)
{
	static const char text[] = "events: Ir\nfn=main\n1 5\ncfn=k\ncalls=%d 1\n1 %d\n"
				   "fn=k\n1 %d\n";
	static const struct {
		int calls, cost;
		const char *expected;
	} cases[] = {
		{ 1005, 17085, "+7085 main -> k: more work (1000 -> 1005)\n" },
		{ 1500, 16500, "+6500 main -> k: more calls (1000 -> 1500)\n" },
		{ 995, 6000, "-4000 main -> k: less work (1000 -> 995)\n" },
		{ 700, 6700, "-3300 main -> k: fewer calls (1000 -> 700)\n" },
	};
	const struct sources main_edited = { "n", "", "" };
	char base[200], head[200];

	snprintf(base, sizeof base, text, 1000, 10000, 10000);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(head, sizeof head, text, cases[i].calls, cases[i].cost, cases[i].cost);
		check_by(base, head, &instructions, &main_edited, cases[i].expected);
	}
}

/* What an edited function does in another way is one cause, if it cancels. */
static void test_together(void)
{
	static const char base[] = "m;e;k 100\nm;e 7\nm;f;k 100\nm;f 7\n";
	static const char head[] = "m;e;l 90\nm;e 30\nm;f;l 90\nm;f 30\n";
	const struct sources e = { "e", "", "" }, both = { "ef", "", "" };

	check_by(base, head, &samples, &e,
		 "-100 f -> k: removed call\n+90 f -> l: new call\n"
		 "+13 e: self and calls\n+23 f: self\n");
	check_by(base, head, &samples, &both, "+13 e: self and calls\n+13 f: self and calls\n");
	check_by("m;e;k 100\nm;e 7\n", "m;e;l 90\nm;e 17\n", &samples, &e, "");
}

/* What was edited is before what is up to three times as large. */
static void test_order_of_edited(void)
{
	static const char base[] = "m;e 10\nm;k 10\nm;z 10\n";
	static const char head[] = "m;e 21\nm;k 40\nm;z 44\n";
	const struct sources e = { "e", "", "" }, k = { "k", "", "" }, none = { "", "", "" };

	check_by(base, head, &samples, &e, "+34 z: self\n+11 e: self\n+30 k: self\n");
	check_by(head, base, &samples, &e, "-34 z: self\n-11 e: self\n-30 k: self\n");
	check_by(base, head, &samples, &k, "+30 k: self\n+34 z: self\n+11 e: self\n");
	check_by(base, head, &samples, &none, "+34 z: self\n+30 k: self\n+11 e: self\n");
}

/* m calls h five times, into which f and g are inlined: what they cost, and all of it. */
#define FOLDED(all, h, f, g) \
	"events: Ir\nfn=(1) m\n1 5\ncfn=(2) h\ncalls=5 1\n1 " all "\n" \
	"fn=(2)\n1 " h "\ninlined=(2)\nfn=(3) f\n1 " f "\ninlined=(2)\nfn=(4) g\n1 " g "\n"

/* The same code, of which debug information says something else. */
static void test_folded(void)
{
	static const char base[] = FOLDED("180", "100", "50", "30");

	check(base, FOLDED("180", "60", "70", "50"), &instructions, "");
	check(base, FOLDED("181", "60", "70", "51"), &instructions,
	      "-40 h: self (5 -> 5)\n+21 g: self\n+20 f: self\n");
}

TEST_MAIN("edited causes", { "edited", test_edited },
	  { "calls below what was edited", test_edited_calls },
	  { "calls and work", test_calls_and_work }, { "what cancels", test_together },
	  { "the order", test_order_of_edited }, { "the same when folded", test_folded })
