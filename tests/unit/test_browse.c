#include <limits.h>
#include <locale.h>
#include <wchar.h>

#include "src/browse/browse.h"
#include "src/browse/callers.h"
#include "src/browse/cells.h"
#include "src/browse/outline.h"
#include "src/view/source.h"
#include "tests/unit/trees.h"

/* ---- what is browsed ---- */

/* main calls a and b; both call leaf, and a also itself. */
static const char one[] = "events: Ir Dr\nob=/bin/x\nfl=x.c\n"
			  "fn=main\n1 10 1\ncfn=a\ncalls=2 5\n2 600 6\ncfn=b\ncalls=3 9\n3 300 33\n"
			  "fn=a\n5 200 2\ncfn=leaf\ncalls=4 20\n6 400 4\n"
			  "fn=b\n9 100 30\ncfn=leaf\ncalls=5 20\n9 200 3\n"
			  "fn=leaf\n20 600 7\n";

static const char base_text[] = "main 10\nmain;a 100\nmain;a;leaf 50\nmain;gone 7\n";
static const char head_text[] = "main 10\nmain;a 150\nmain;a;leaf 20\nmain;b;fresh 900\n";

enum { LINES = 50, COLUMNS = 160 };

struct browsed {
	struct trees trees; /* of one profile: head only */
	struct flat *flat;
	struct tree_view *tree;
	struct causes *causes;
	struct browse_data data;
	struct browse *browse;
	const struct code_sides *code; /* of any function; NULL: there is none */
	unsigned width;
	char cells[LINES][COLUMNS][MB_LEN_MAX + 1]; /* a character in each column */
	char screen[LINES][COLUMNS * MB_LEN_MAX]; /* lines of them, without blanks at their ends */
};

static int find_code(void *of, const struct browse_row *row, struct code_sides *out,
		     struct cg_error *err)
{
	const struct browsed *s = of;
	(void)row;
	if (!s->code)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no source at all");
	*out = *s->code;
	return CG_OK;
}

static void start(struct browsed *s)
{
	const struct browse_code_finder finder = { s, find_code };
	REQUIRE_INT(browse_make(&s->data, &finder, &s->browse), CG_OK);
	s->width = 80;
	browse_resize(s->browse, 24, s->width);
}

static void browse_one(struct browsed *s, const char *profile)
{
	struct cg_error err = { 0 };
	const uint32_t first = 0;
	*s = (struct browsed){ .trees.head = profile_of(profile) };
	struct cg_profile *p = s->trees.head;
	REQUIRE_INT(
		flat_make(p, &(struct flat_options){ .sort = &first, .nsort = 1 }, &s->flat, &err),
		CG_OK);
	REQUIRE_INT(tree_view_make(p, &(struct tree_view_options){ 0 }, &s->tree, &err), CG_OK);
	REQUIRE_INT(
		browse_profile(s->flat, s->tree, cg_string(p, p->events[0].name), "one", &s->data),
		CG_OK);
	start(s);
}

static void browse_two_by(struct browsed *s, const char *base, const char *head,
			  const struct diff_options *options)
{
	*s = (struct browsed){ .trees = trees_of(base, head, options, TREE_BY_NAME) };
	REQUIRE_INT(causes_make(s->trees.tree, &s->causes, NULL), CG_OK);
	REQUIRE_INT(browse_diff(s->causes, "old", "new", &s->data), CG_OK);
	start(s);
}

static void browse_two(struct browsed *s, const char *base, const char *head)
{
	browse_two_by(s, base, head, &samples);
}

static void stop(struct browsed *s)
{
	browse_free(s->browse);
	browse_data_free(&s->data);
	causes_free(s->causes);
	tree_view_free(s->tree);
	flat_free(s->flat);
	trees_free(&s->trees);
}

/* ---- its screen ---- */

/* One character after the other, into the columns that it takes. */
static void put(void *to, unsigned y, unsigned x, const char *text, enum browse_look look)
{
	struct browsed *s = to;
	mbstate_t state = { 0 };
	wchar_t c;
	(void)look;

	for (size_t n; *text; text += n) {
		n = mbrtowc(&c, text, strlen(text), &state);
		int width = n <= MB_LEN_MAX ? wcwidth(c) : -1;
		REQUIRE(width >= 0 && y < LINES && x + (unsigned)width <= s->width);
		snprintf(s->cells[y][x], sizeof s->cells[y][x], "%.*s", (int)n, text);
		if (width == 2)
			s->cells[y][x + 1][0] = '\0';
		x += (unsigned)width;
	}
}

static void cursor(void *to, unsigned y, unsigned x)
{
	(void)to;
	(void)y;
	(void)x;
}

static void draw(struct browsed *s)
{
	const struct browse_painter painter = { s, put, cursor };

	memset(s->cells, 0, sizeof s->cells);
	REQUIRE_INT(browse_draw(s->browse, &painter), CG_OK);
	for (size_t y = 0; y < LINES; y++) {
		size_t used = 0;
		for (size_t x = 0; x < COLUMNS; x++)
			used += (size_t)snprintf(s->screen[y] + used, sizeof s->screen[y] - used,
						 "%s", s->cells[y][x]);
		while (used && s->screen[y][used - 1] == ' ')
			used--;
		s->screen[y][used] = '\0';
	}
}

static void press(struct browsed *s, const char *keys)
{
	for (; *keys; keys++)
		REQUIRE_INT(browse_press(s->browse, *keys == '\n'   ? (uint32_t)BROWSE_KEY_ENTER
						    : *keys == '\t' ? (uint32_t)BROWSE_KEY_TAB
								    : (unsigned char)*keys),
			    CG_OK);
	draw(s);
}

/* The first line with a text; "" if there is none. */
static const char *line_with(const struct browsed *s, const char *words)
{
	for (size_t i = 0; i < LINES; i++)
		if (strstr(s->screen[i], words))
			return s->screen[i];
	return "";
}

static void check_shown(const struct browsed *s, const char *words, bool shown, unsigned line)
{
	char screen[4000] = "";
	size_t used = 0;

	if (!*line_with(s, words) != shown)
		return;
	for (size_t i = 0; i < LINES && used < sizeof screen; i++)
		used += (size_t)snprintf(screen + used, sizeof screen - used, "%s%s", s->screen[i],
					 *s->screen[i] ? "\n" : "");
	test_report(false, false, __FILE__, line, "\"%s\" is%s there:\n%.900s", words,
		    shown ? " not" : "", screen);
}

#define SHOWS(s, words) check_shown(s, words, true, __LINE__)
#define HIDES(s, words) check_shown(s, words, false, __LINE__)

/* What is selected, in the lowest list, by the end of its line. */
static void check_selected(const struct browsed *s, const char *name)
{
	const char *line = "";
	for (size_t i = 0; i < LINES; i++)
		if (s->screen[i][0] == '>')
			line = s->screen[i];
	const char *last = strrchr(line, ' ');
	CHECK_STR(last ? last + 1 : line, name);
}

/* ---- tests ---- */

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

/* A function that calls itself counts once. */
static void test_recursion(void)
{
	struct browsed s;
	browse_two(&s, "m 1\nm;f 10\nm;f;f 5\n", "m 1\nm;f 10\nm;f;f 5\n");
	s.width = 90;
	browse_resize(s.browse, 24, s.width);
	press(&s, "ddd\t\t");
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

/* ---- views ---- */

static void check_views(struct browsed *s, const char *name, unsigned views)
{
	for (unsigned i = 0; i < views; i++) {
		press(s, "\t");
		check_selected(s, name);
	}
}

static void test_follow(void)
{
	struct browsed s;
	browse_one(&s, one);
	press(&s, "jj");
	check_selected(&s, "b");
	check_views(&s, "b", 3);
	press(&s, "g");
	check_views(&s, "leaf", 1);
	SHOWS(&s, ">     400   43.96%"); /* where it costs most, below a */
	press(&s, "/leaf\n");
	SHOWS(&s, ">     200   21.98%");
	check_views(&s, "leaf", 3);
	SHOWS(&s, ">     200   21.98%"); /* where it was left */
	press(&s, "m");
	check_views(&s, "leaf", 3);
	stop(&s);
}

/* A view that lacks the function leads to the next one with it. */
static void test_follow_change(void)
{
	struct browsed s;
	browse_two(&s, base_text, head_text);
	press(&s, "G");
	check_views(&s, "main", 2);
	press(&s, "\t");
	SHOWS(&s, "[causes]");
	SHOWS(&s, "main is not in this view");
	press(&s, "\t");
	check_selected(&s, "main");
	press(&s, "kkk");
	check_views(&s, "leaf", 2);
	press(&s, "\t\t");
	check_selected(&s, "leaf");
	stop(&s);
}

/* A chain of calls, with a little beside it, that branches in work; b only calls c. */
static const char chain[] =
	"start;setup 3\nstart;libc 1\nstart;libc;work 5\nstart;libc;work;a 500\n"
	"start;libc;work;a;x 100\nstart;libc;work;b;c 400\n";

static void test_chain(void)
{
	struct browsed s;
	browse_one(&s, chain);
	press(&s, "/libc\n\t");
	check_selected(&s, "libc");
	SHOWS(&s, "of 6"); /* a and b are folded */
	SHOWS(&s, "\xe2\x96\xbe work");
	SHOWS(&s, "\xe2\x96\xb8 b");
	stop(&s);
	browse_one(&s, "r;s;t;u 10\n"); /* without a branch, to its end */
	press(&s, "/r\n\t");
	SHOWS(&s, "of 4");
	stop(&s);
	/* Changes cancel each other: work did not change, and that is where to look. */
	browse_two(&s, "start;work;a 500\nstart;work;b 400\nstart;z 1\n",
		   "start;work;a 400\nstart;work;b 500\nstart;z 1\n");
	press(&s, "/start\n\t");
	check_selected(&s, "start");
	stop(&s);
}

static void test_causes(void)
{
	struct browsed s;
	browse_two(&s, base_text, head_text);
	press(&s, "\t\t\t");
	SHOWS(&s, "\xce\x94 samples   share  calls  why           cause");
	SHOWS(&s, "+900   98.6%");
	SHOWS(&s, "new call");
	SHOWS(&s, "main \xe2\x86\x92 b");
	SHOWS(&s, "-30  -3.29%");
	SHOWS(&s, "[causes]  samples  \xce\x94 head \xe2\x88\x92 base  by size");
	SHOWS(&s, "1 of 4");
	press(&s, "m");
	SHOWS(&s, "causes are of samples");
	press(&s, "d");
	SHOWS(&s, "causes are of the change");
	press(&s, "s");
	SHOWS(&s, "causes are ordered by their size");
	press(&s, "g\n");
	SHOWS(&s, "[tree]");
	check_selected(&s, "b");
	press(&s, "\t\t/^leaf\n");
	check_selected(&s, "leaf");
	press(&s, "\n");
	SHOWS(&s, "[tree]");
	check_selected(&s, "leaf");
	stop(&s);
	browse_one(&s, one); /* without a change there is no such view */
	for (int i = 0; i < 4; i++) {
		press(&s, "\t");
		HIDES(&s, "[causes]");
	}
	stop(&s);
}

/* A title ends where two blanks follow. */
static void check_titles(const struct browsed *s, const char *metric)
{
	char copy[sizeof s->screen[1]];
	char *titles[20];
	size_t count = 0;

	snprintf(copy, sizeof copy, "%s", s->screen[1]);
	for (char *at = copy; at && count < 20; count++) {
		titles[count] = at + strspn(at, " ");
		at = strstr(titles[count], "  ");
		if (at)
			*at++ = '\0';
	}
	CHECK(count > 1 && strstr(titles[0], metric));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(titles[i], titles[k]) != 0);
}

static void test_titles(void)
{
	static const unsigned widths[] = { 50, 80, 120, 160 };
	struct browsed s;

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		browse_two(&s, base_text, head_text);
		s.width = widths[i];
		browse_resize(s.browse, 24, s.width);
		draw(&s);
		for (const char *keys = "\tddd\tsd\tsss\t"; *keys; keys++) {
			press(&s, (const char[]){ *keys, '\0' });
			check_titles(&s, "samples");
		}
		stop(&s);
		browse_one(&s, one);
		s.width = widths[i];
		browse_resize(s.browse, 24, s.width);
		for (const char *keys = "\ts\tss\ts"; *keys; keys++) {
			press(&s, (const char[]){ *keys, '\0' });
			check_titles(&s, "Ir");
		}
		stop(&s);
	}
}

/* Nothing of the help is cut where a terminal is as wide as most are. */
static void test_help(void)
{
	struct browsed s;
	browse_one(&s, one);
	browse_resize(s.browse, LINES, s.width);
	press(&s, "?");
	SHOWS(&s, "Moving");
	SHOWS(&s, "only in base");
	for (size_t y = 1; y < LINES; y++) {
		size_t len = strlen(s.screen[y]);
		CHECK(len < 3 || strcmp(s.screen[y] + len - 3, "\xe2\x80\xa6") != 0);
	}
	stop(&s);
}

/* ---- source ---- */

struct side_of_code {
	struct cg_profile *profile;
	struct source *source;
	struct source_text text;
};

static struct code_side read_code(struct side_of_code *s, const char *profile, const char *lines)
{
	struct cg_read_options options = { .detail.lines = true };
	struct cg_error err = { 0 };
	s->profile = profile_with(profile, strlen(profile), &options);
	bool *chosen = calloc(s->profile->nfunctions + 1, sizeof *chosen);
	chosen[function_named(s->profile, "f")] = true;
	REQUIRE_INT(source_make(s->profile, chosen, 0, &s->source, &err), CG_OK);
	free(chosen);
	s->text = (struct source_text){ 0 };
	if (lines)
		REQUIRE_INT(source_text_of("f.c", lines, strlen(lines), &s->text, &err), CG_OK);
	return (struct code_side){ s->profile, &s->source->files[0], &s->text, NULL };
}

static void free_code(struct side_of_code *s)
{
	source_text_free(&s->text);
	source_free(s->source);
	cg_profile_free(s->profile);
}

static const char *sum(const int64_t *const *costs, char *buffer)
{
	snprintf(buffer, 60, "%" PRId64 ">%" PRId64, costs[0] ? *costs[0] : 0,
		 costs[1] ? *costs[1] : 0);
	return buffer;
}

/* Lines as "NUMBER NUMBER self>self incl>incl text". */
static void check_code(const struct code_sides *sides, bool base, bool head, const char *expected)
{
	struct code *c = NULL;
	char lines[2000] = "", self[60], inclusive[60];
	size_t used = 0;

	REQUIRE_INT(code_make(sides, base, head, &c), CG_OK);
	for (size_t i = 0; i < c->count; i++)
		used += (size_t)snprintf(
			lines + used, sizeof lines - used, "%" PRIu32 " %" PRIu32 " %s %s %s\n",
			c->lines[i].number[0], c->lines[i].number[1], sum(c->lines[i].self, self),
			sum(c->lines[i].inclusive, inclusive),
			code_text(&c->lines[i]) ? code_text(&c->lines[i]) : "?");
	CHECK_STR(lines, expected);
	code_free(c);
}

static const char base_code[] = "events: Ir\nfl=f.c\nfn=f\n0 1\n1 10\n2 20\n9 7\n"
				"cfn=g\ncalls=1 50\n2 100\nfn=g\n50 100\n";
static const char head_code[] = "events: Ir\nfl=f.c\nfn=f\n1 10\n2 5\n3 25\n"
				"cfn=g\ncalls=2 50\n3 200\nfn=g\n50 200\n";

static void test_code(void)
{
	struct side_of_code a, b;
	const struct code_sides sides = { { read_code(&a, base_code, "one\ntwo\nthree\n"),
					    read_code(&b, head_code,
						      "one\nnew\n  two\nthree\n") } };
	check_code(&sides, true, true,
		   "0 0 1>0 1>0 ?\n1 1 10>10 10>10 one\n0 2 0>5 0>5 new\n2 3 20>25 120>225   two\n"
		   "3 4 0>0 0>0 three\n9 0 7>0 7>0 ?\n");
	check_code(&sides, false, true,
		   "0 1 0>10 0>10 one\n0 2 0>5 0>5 new\n0 3 0>25 0>225   two\n0 4 0>0 0>0 three\n");
	free_code(&a);
	free_code(&b);
}

/* Without its text lines are known by their numbers. */
static void test_code_without_text(void)
{
	struct side_of_code a, b;
	const struct code_sides sides = { { read_code(&a, base_code, NULL),
					    read_code(&b, head_code, NULL) } };
	check_code(&sides, true, true,
		   "0 0 1>0 1>0 ?\n1 1 10>10 10>10 ?\n2 2 20>5 120>5 ?\n"
		   "9 0 7>0 7>0 ?\n0 3 0>25 0>225 ?\n");
	free_code(&a);
	free_code(&b);
}

static void test_source(void)
{
	struct side_of_code a, b;
	struct browsed s;
	struct code_sides sides = { { read_code(&a, base_code, "one\ntwo\nthree\n"),
				      read_code(&b, head_code, "one\nnew\n  two\nthree\n") } };
	browse_two(&s, base_text, head_text);
	press(&s, "o");
	SHOWS(&s, "no source at all");
	s.code = &sides;
	browse_resize(s.browse, 24, 80);
	press(&s, "o");
	SHOWS(&s, "[source]");
	SHOWS(&s, "+ new"); /* a line of head */
	press(&s, "/two\n");
	check_selected(&s, "two");
	press(&s, "\tq"); /* another view closes it */
	CHECK(browse_ended(s.browse));
	stop(&s);
	free_code(&a);
	free_code(&b);
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
	struct wide w = { { &w, wide_children, wide_row }, 0 };
	const struct browse_metric metric = { 0 };
	const struct browse_measure measure = { &metric, BROWSE_ONLY_HEAD, BROWSE_BY_NAME };
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
		{ "the difference of two", test_difference },
		{ "search", test_search },
		{ "typing a regular expression", test_prompt },
		{ "terminals of any size", test_sizes },
		{ "hostile names", test_hostile },
		{ "nothing to show", test_empty },
		{ "columns of characters", test_cells },
		{ "the tolerance of each metric", test_tolerance },
		{ "lines of two sides", test_code },
		{ "lines without text", test_code_without_text },
		{ "the source pane", test_source },
		{ "a function in all views", test_follow },
		{ "a function in the views of a change", test_follow_change },
		{ "a tree opens where it branches", test_chain },
		{ "causes", test_causes },
		{ "titles of columns", test_titles },
		{ "help", test_help },
		{ "large trees are listed as they are opened", test_lazy },
	};
	/* How wide characters are. */
	setlocale(LC_CTYPE, "C.UTF-8");
	return test_main("browse", tests, sizeof tests / sizeof *tests);
}
