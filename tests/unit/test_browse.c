#include "src/browse/cells.h"
#include "src/browse/outline.h"
#include "tests/unit/browsed.h"

static void test_functions(void)
{
	struct browsed s;
	browse_one(&s, one);
	draw(&s);
	check_selected(&s, "leaf");
	SHOWS(&s, ">    600  65.93%       600   65.93%      9  leaf");
	SHOWS(&s, "      10   1.10%       910   100.0%      \xe2\x80\x93  main");
	SHOWS(&s, "Ir 910");
	SHOWS(&s, "leaf  x.c  /bin/x"); /* where the selected one is */
	press(&s, "jG");
	check_selected(&s, "main");
	press(&s, "g");
	check_selected(&s, "leaf");
	press(&s, "s"); /* by calls: leaf 9, b 3, a 2 */
	SHOWS(&s, "by calls");
	press(&s, "j");
	check_selected(&s, "b");
	press(&s, "m"); /* Dr: leaf 7, b 33, main 43, a 6 */
	SHOWS(&s, "Dr 40");
	press(&s, "sj");
	SHOWS(&s, "by name");
	press(&s, "q");
	CHECK(browse_ended(s.browse));
	stop(&s);
}

static void test_folds(void)
{
	struct browsed s;
	browse_one(&s, one);
	press(&s, "G\t");
	SHOWS(&s, "[tree]");
	check_selected(&s, "main");
	HIDES(&s, "leaf"); /* below a */
	press(&s, "j+");
	check_selected(&s, "a");
	SHOWS(&s, "400  43.96%      4");
	HIDES(&s, "200  21.98%      5"); /* leaf below b */
	press(&s, "E");
	SHOWS(&s, "200   21.98%      200  21.98%      5");
	SHOWS(&s, "of 5");
	press(&s, "g\n");
	SHOWS(&s, "1 of 1");
	press(&s, "e");
	SHOWS(&s, "1 of 5"); /* what was open below it is open again */
	press(&s, "GC");
	check_selected(&s, "main");
	SHOWS(&s, "1 of 1");
	press(&s, "EG-");
	SHOWS(&s, "of 4"); /* folded what is around leaf */
	check_selected(&s, "b");
	stop(&s);
}

static void test_callers(void)
{
	struct browsed s;
	browse_one(&s, one);
	press(&s, "\t\t");
	SHOWS(&s, "[callers]");
	check_selected(&s, "leaf");
	SHOWS(&s, ">     600   65.93%      600  65.93%      9");
	press(&s, "E"); /* leaf < a < main, leaf < b < main */
	SHOWS(&s, "400   43.96%      400  43.96%      4");
	SHOWS(&s, "200   21.98%      200  21.98%      5");
	SHOWS(&s, "of 8");
	stop(&s);
}

/* What did not change is hidden until somebody asks for it. */
static void test_unchanged(void)
{
	static const struct diff_options by_ir = { .metric = "Ir" };
	struct browsed s;
	browse_two(&s, "m;a 10\nm;b 20\nm;c;d 5\n", "m;a 10\nm;b 25\nm;c;d 5\n");
	press(&s, "g");
	SHOWS(&s, "1 of 2"); /* b, and m, which calls it */
	press(&s, "/d\n");
	SHOWS(&s, "no match for /d among what changed; u shows all");
	press(&s, "/b\nu");
	SHOWS(&s, "of 5");
	check_selected(&s, "b");
	press(&s, "u");
	SHOWS(&s, "of 2");
	check_selected(&s, "b");
	press(&s, "\tE");
	SHOWS(&s, "of 2");
	press(&s, "u");
	press(&s, "E");
	SHOWS(&s, "of 5");
	press(&s, "u\t");
	SHOWS(&s, "[callers]");
	SHOWS(&s, "of 2");
	stop(&s);
	/* Of b only Dr changed, of a only Ir. */
	browse_two_by(&s, "events: Ir Dr\nfn=a\n1 30 2\nfn=b\n1 50 4\n",
		      "events: Ir Dr\nfn=a\n1 31 2\nfn=b\n1 50 7\n", &by_ir);
	press(&s, "g");
	SHOWS(&s, "of 1");
	check_selected(&s, "a");
	press(&s, "m");
	SHOWS(&s, "of 1");
	check_selected(&s, "b");
	press(&s, "u");
	SHOWS(&s, "of 2");
	press(&s, "M");
	SHOWS(&s, "of 2");
	stop(&s);
	browse_one(&s, one);
	press(&s, "u");
	SHOWS(&s, "only one profile");
	stop(&s);
}

/* What has nothing of the metric that is shown, on the side that is shown, is no row. */
static void test_blank(void)
{
	struct browsed s;
	browse_one(&s, "events: Ir sysCount\nfn=main\n1 10 0\ncfn=a\ncalls=1 1\n1 30 2\n"
		       "cfn=b\ncalls=1 1\n1 50 0\nfn=a\n1 30 2\nfn=b\n1 50 0\n");
	press(&s, "g");
	SHOWS(&s, "of 3");
	press(&s, "jm"); /* b is no row any more */
	SHOWS(&s, "of 2");
	HIDES(&s, "1  b");
	press(&s, "/b\n");
	SHOWS(&s, "no match for /b");
	press(&s, "\tE");
	SHOWS(&s, "[tree]");
	SHOWS(&s, "of 2");
	press(&s, "m");
	SHOWS(&s, "of 3");
	press(&s, "\t");
	SHOWS(&s, "[callers]");
	SHOWS(&s, "of 3");
	stop(&s);
	browse_two(&s, "m;a 10\nm;b 20\n", "m;a 10\nm;c 25\n");
	press(&s, "gu"); /* a, b, c and m */
	SHOWS(&s, "what is the same in base and head is shown");
	SHOWS(&s, "of 4");
	press(&s, "dd");
	SHOWS(&s, "[functions]  samples  base");
	SHOWS(&s, "of 3");
	press(&s, "d");
	SHOWS(&s, "of 3");
	press(&s, "u");
	SHOWS(&s, "what is the same in base and head is hidden");
	SHOWS(&s, "of 2");
	stop(&s);
	browse_one(&s, "events: Ir sysCount\nfn=main\n1 10 0\n");
	press(&s, "m");
	SHOWS(&s, "No sysCount here; m shows another metric.");
	SHOWS(&s, "0 of 0");
	press(&s, "jGe+-o");
	press(&s, "m");
	SHOWS(&s, "1 of 1");
	stop(&s);
}

/* Its machine code is not replaced by that of another function if it is hidden. */
static void test_unchanged_code(void)
{
	struct browsed s;
	browse_two(&s, "m;a 10\nm;b 20\n", "m;a 10\nm;b 25\n");
	press(&s, "u/a\na");
	SHOWS(&s, "machine code of  a");
	press(&s, "u");
	HIDES(&s, "machine code of");
	press(&s, "/b\na");
	SHOWS(&s, "machine code of  b");
	press(&s, "u");
	SHOWS(&s, "machine code of  b");
	stop(&s);
}

/* Another order of the rows, but the same function. */
static void test_sides_keep_the_function(void)
{
	struct browsed s;
	browse_two(&s, "a 100\nb 10\nc 50\n", "a 130\nb 30\nc 51\n");
	press(&s, "g");
	check_selected(&s, "a");
	press(&s, "d");
	check_selected(&s, "a"); /* b grew by most percents */
	press(&s, "g");
	check_selected(&s, "b");
	press(&s, "d");
	check_selected(&s, "b");
	stop(&s);
}

/* A function that calls itself counts once. */
static void test_recursion(void)
{
	struct browsed s;
	browse_two(&s, "m 1\nm;f 10\nm;f;f 5\n", "m 1\nm;f 10\nm;f;f 5\n");
	s.width = 90;
	browse_resize(s.browse, 24, s.width);
	press(&s, "\t\t");
	SHOWS(&s, "Nothing changed; u shows all.");
	press(&s, "uddd");
	check_selected(&s, "f");
	SHOWS(&s, ">           15   93.75%            15  93.75%");
	press(&s, "+"); /* by itself 5, of which nothing is inclusive, and by m 10 */
	SHOWS(&s, "            15   93.75%            10  62.50%");
	SHOWS(&s, "             0    0.00%             5  31.25%");
	stop(&s);
}

static void test_difference(void)
{
	struct browsed s;
	browse_two(&s, base_text, head_text);
	draw(&s);
	SHOWS(&s, "samples 167 \xe2\x86\x92 1,080  +547%");
	check_selected(&s, "fresh");
	SHOWS(&s, ">          +900      +539%");
	SHOWS(&s, " +50     +29.9%");
	SHOWS(&s, " -30     -18.0%");
	SHOWS(&s, "removed    gone");
	SHOWS(&s, "new        fresh");
	press(&s, "d"); /* a: +50 % of itself */
	SHOWS(&s, "+50.0%");
	SHOWS(&s, "-60.0%");
	press(&s, "d");
	SHOWS(&s, "100  59.88%"); /* a in base */
	press(&s, "d");
	SHOWS(&s, "900  83.33%"); /* fresh in head */
	press(&s, "dG\t");
	check_selected(&s, "main");
	SHOWS(&s, ">           +913      +547%       0");
	press(&s, "E");
	SHOWS(&s, "of 6");
	stop(&s);
}

static void test_search(void)
{
	struct browsed s;
	browse_one(&s, one);
	press(&s, "G\t/^lea\n");
	check_selected(&s, "leaf"); /* unfolds a */
	SHOWS(&s, "3 of 4");
	press(&s, "n"); /* the one below b */
	SHOWS(&s, "5 of 5");
	press(&s, "n");
	SHOWS(&s, "search continued at the top");
	SHOWS(&s, "3 of 5");
	press(&s, "N");
	SHOWS(&s, "search continued at the end");
	press(&s, "/nobody\n");
	SHOWS(&s, "no match for /nobody");
	press(&s, "/(\n");
	SHOWS(&s, "bad pattern");
	check_selected(&s, "leaf");
	press(&s, "\t/^b$\n");
	check_selected(&s, "b");
	stop(&s);
}

static void test_prompt(void)
{
	struct browsed s;
	browse_one(&s, one);
	press(&s, "/lex");
	SHOWS(&s, "/lex");
	REQUIRE_INT(browse_press(s.browse, BROWSE_KEY_BACKSPACE), CG_OK);
	REQUIRE_INT(browse_press(s.browse, 0xe9), CG_OK); /* é */
	REQUIRE_INT(browse_press(s.browse, 0x1f600), CG_OK);
	REQUIRE_INT(browse_press(s.browse, 1), CG_OK); /* no character */
	draw(&s);
	SHOWS(&s, "/le\xc3\xa9\xf0\x9f\x98\x80");
	REQUIRE_INT(browse_press(s.browse, BROWSE_KEY_BACKSPACE), CG_OK);
	draw(&s);
	HIDES(&s, "\xf0\x9f\x98\x80");
	for (int i = 0; i < 1000; i++)
		REQUIRE_INT(browse_press(s.browse, 'x'), CG_OK);
	draw(&s);
	REQUIRE_INT(browse_press(s.browse, BROWSE_KEY_ESCAPE), CG_OK);
	draw(&s);
	HIDES(&s, "xxx");
	press(&s, "n");
	SHOWS(&s, "nothing to search for");
	CHECK(!browse_ended(s.browse));
	stop(&s);
}

/* Whatever is pressed, in a terminal of any size, nothing is drawn beside it. */
static void test_sizes(void)
{
	static const unsigned sizes[][2] = { { 10, 40 },  { 14, 52 }, { 18, 80 },
					     { 50, 160 }, { 3, 2 },   { 1, 1 } };
	struct browsed s;
	browse_two(&s, base_text, head_text);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		s.width = sizes[i][1];
		browse_resize(s.browse, sizes[i][0], s.width);
		for (const char *key = "jdE\tEd?jq\tE+-GgosmC/"; *key; key++) {
			REQUIRE_INT(browse_press(s.browse, *key == '\t' ? BROWSE_KEY_TAB
									: (unsigned char)*key),
				    CG_OK);
			draw(&s);
			for (size_t y = sizes[i][0]; y < LINES; y++)
				CHECK_STR(s.screen[y], "");
		}
		REQUIRE_INT(browse_press(s.browse, BROWSE_KEY_ESCAPE), CG_OK);
	}
	stop(&s);
}

static void test_hostile(void)
{
	struct browsed s;
	browse_one(&s, "events: Ir\nob=/bin/\033]0;x\007\nfl=\033[31m.c\n"
		       "fn=evil\033[2J\033[31m\n1 5\nfn=caf\xc3\xa9 \xff\n1 4\n");
	press(&s, "j");
	SHOWS(&s, "evil\\x1b[2J\\x1b[31m");
	SHOWS(&s, "\\xff");
	for (size_t y = 0; y < LINES; y++)
		CHECK(!strpbrk(s.screen[y], "\033\007\377"));
	stop(&s);
}

static void test_empty(void)
{
	struct browsed s;
	browse_one(&s, "events: Ir\n");
	press(&s, "jGgE\n-+oC\t\tEn/x\n");
	SHOWS(&s, "No costs.");
	SHOWS(&s, "0 of 0");
	stop(&s);
}

static void check_cells(const char *words, size_t columns, bool right, const char *expected)
{
	char *fit = cells_fit(words, columns, right);
	CHECK_STR(fit, expected);
	free(fit);
}

static void test_cells(void)
{
	check_cells("ab", 4, false, "ab  ");
	check_cells("ab", 4, true, "  ab");
	check_cells("abcde", 4, false, "abc\xe2\x80\xa6");
	check_cells("abcd", 0, false, "");
	check_cells("\t|", 10, false, "        | ");
	check_cells("\033[1m", 7, false, "\\x1b[1m");
	/* Two characters of two columns each; half of one is a blank. */
	check_cells("\xe6\xbc\xa2\xe5\xad\x97", 5, false, "\xe6\xbc\xa2\xe5\xad\x97 ");
	check_cells("\xe6\xbc\xa2\xe5\xad\x97", 3, false, "\xe6\xbc\xa2\xe2\x80\xa6");
	check_cells("\xe6\xbc\xa2\xe5\xad\x97", 2, false, "\xe2\x80\xa6 ");
	CHECK_U64(cells_width("e\xcc\x81"), 1); /* an accent of its own */
	setlocale(LC_CTYPE, "C");
	check_cells("\xce\x94 a \xe2\x96\xb8\xc3\xa9", 7, false, "d a +? ");
	setlocale(LC_CTYPE, "C.UTF-8");
}

/* ---- large trees ---- */

struct wide {
	struct outline_source source;
	size_t listed;
};

enum { WIDE = 40 };

/* Node n has the nodes n * WIDE + 1 … WIDE below it: without an end. */
static int wide_children(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	struct wide *w = of;
	w->listed++;
	*out = malloc(WIDE * sizeof **out);
	*count = node > 50000000 ? 0 : WIDE;
	for (uint32_t i = 0; i < *count; i++)
		(*out)[i] = node * WIDE + 1 + i;
	return *out ? CG_OK : CG_ENOMEM;
}

static struct browse_row wide_row(const void *of, uint32_t node)
{
	(void)of;
	return (struct browse_row){
		.name = "f", .object = "", .file = "", .has_children = true, .function = node
	};
}

static void test_lazy(void)
{
	struct wide w = { { &w, wide_children, wide_row, NULL }, 0 };
	const struct browse_metric metric = { 0 };
	const struct browse_measure measure = { &metric, BROWSE_ONLY_HEAD, BROWSE_AS_LISTED };
	struct outline *o = NULL;
	bool all;

	REQUIRE_INT(outline_make(&w.source, &measure, &o), CG_OK);
	CHECK_U64(o->nrows, WIDE);
	CHECK_U64(w.listed, 1);
	REQUIRE_INT(outline_open(o, o->rows[3]), CG_OK);
	CHECK_U64(o->nrows, 2 * WIDE);
	CHECK_U64(w.listed, 2);
	REQUIRE_INT(outline_fold(o, o->rows[3]), CG_OK);
	REQUIRE_INT(outline_open(o, o->rows[3]), CG_OK);
	CHECK_U64(w.listed, 2); /* is known already */
	REQUIRE_INT(outline_open_below(o, 0, &all), CG_OK);
	CHECK(!all);
	CHECK(o->nrows >= OUTLINE_MOST && o->nrows < OUTLINE_MOST + WIDE);
	outline_free(o);
}

/* The tolerance is one of a metric: with another one the same function has changed. */
static void test_tolerance(void)
{
	static const char old[] = "events: Ir Dr\nfn=main\n1 1000 100\nfn=f\n2 500 50\n";
	static const char new[] = "events: Ir Dr\nfn=main\n1 1000 100\nfn=f\n2 507 57\n";
	static const struct tolerance both[] = { { .metric = "Ir", .amount = 7 },
						 { .metric = "Dr", .amount = 6 } };
	static const struct diff_options options = { .metric = "Ir",
						     .tolerances = both,
						     .ntolerances = 2 };
	struct browsed s;

	browse_two_by(&s, old, new, &options);
	s.width = 140;
	browse_resize(s.browse, 24, s.width);
	press(&s, "\t");
	SHOWS(&s, "+0.47%  within tolerance");
	press(&s, "m");
	SHOWS(&s, "+4.67%  regressed");
	HIDES(&s, "within tolerance");
	stop(&s);
}

int main(void)
{
	static const struct test tests[] = {
		{ "functions", test_functions },
		{ "folds", test_folds },
		{ "callers", test_callers },
		{ "callers of what calls itself", test_recursion },
		{ "what did not change", test_unchanged },
		{ "what the metric has nothing of", test_blank },
		{ "code of what did not change", test_unchanged_code },
		{ "the function that is selected, on all sides", test_sides_keep_the_function },
		{ "the difference of two", test_difference },
		{ "search", test_search },
		{ "typing a regular expression", test_prompt },
		{ "terminals of any size", test_sizes },
		{ "hostile names", test_hostile },
		{ "nothing to show", test_empty },
		{ "columns of characters", test_cells },
		{ "the tolerance of each metric", test_tolerance },
		{ "large trees are listed as they are opened", test_lazy },
	};
	/* How wide characters are. */
	setlocale(LC_CTYPE, "C.UTF-8");
	return test_main("browse", tests, sizeof tests / sizeof *tests);
}
