/* What irdiff browse shows of small profiles written out in a test, and keys that are pressed. */
#ifndef TESTS_UNIT_BROWSED_H
#define TESTS_UNIT_BROWSED_H

#include <limits.h>
#include <locale.h>
#include <wchar.h>

#include "src/browse/browse.h"
#include "tests/unit/trees.h"

/* ---- what is browsed ---- */

/* main calls a and b; both call leaf, and a also itself. */
TEST_UNUSED static const char one[] =
	"events: Ir Dr\nob=/bin/x\nfl=x.c\n"
	"fn=main\n1 10 1\ncfn=a\ncalls=2 5\n2 600 6\ncfn=b\ncalls=3 9\n3 300 33\n"
	"fn=a\n5 200 2\ncfn=leaf\ncalls=4 20\n6 400 4\n"
	"fn=b\n9 100 30\ncfn=leaf\ncalls=5 20\n9 200 3\n"
	"fn=leaf\n20 600 7\n";

TEST_UNUSED static const char base_text[] = "main 10\nmain;a 100\nmain;a;leaf 50\nmain;gone 7\n";
TEST_UNUSED static const char head_text[] =
	"main 10\nmain;a 150\nmain;a;leaf 20\nmain;b;fresh 900\n";

enum { LINES = 50, COLUMNS = 160 };

struct browsed {
	struct trees trees; /* of one profile: head only */
	struct flat *flat;
	struct tree_view *tree;
	struct causes *causes;
	struct browse_data data;
	struct browse *browse;
	const struct code_sides *code; /* of any function; NULL: no source is shown */
	unsigned width;
	char cells[LINES][COLUMNS][MB_LEN_MAX + 1]; /* a character in each column */
	char screen[LINES][COLUMNS * MB_LEN_MAX]; /* lines of them, without blanks at their ends */
};

TEST_UNUSED static int find_code(void *of, const struct browse_row *row, struct code_sides *out,
				 struct cg_error *err)
{
	const struct browsed *s = of;
	(void)row;
	if (!s->code)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no source at all");
	*out = *s->code;
	return CG_OK;
}

/* An instruction that is called like the function. */
TEST_UNUSED static int find_row_instructions(void *of, const struct browse_row *row, bool base,
					     bool head, struct code **out, const char **note,
					     struct cg_error *err)
{
	(void)of;
	(void)err;
	*out = calloc(1, sizeof **out);
	REQUIRE(*out && ((*out)->lines = calloc(1, sizeof *(*out)->lines)));
	(*out)->lines[(*out)->count++] = (struct code_line){ .in = { base, head },
							     .text = { row->name, row->name } };
	*note = "";
	return CG_OK;
}

TEST_UNUSED static void start(struct browsed *s)
{
	const struct browse_code_finder finder = { s, find_code, s, find_row_instructions };
	REQUIRE_INT(browse_make(&s->data, &finder, &s->browse), CG_OK);
	s->width = 80;
	browse_resize(s->browse, 24, s->width);
}

TEST_UNUSED static void browse_one(struct browsed *s, const char *profile)
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

TEST_UNUSED static void browse_two_by(struct browsed *s, const char *base, const char *head,
				      const struct diff_options *options)
{
	*s = (struct browsed){ .trees = trees_of(base, head, options, TREE_BY_NAME) };
	REQUIRE_INT(causes_make(s->trees.tree, NULL, &s->causes, NULL), CG_OK);
	REQUIRE_INT(browse_diff(s->causes, "old", "new", &s->data), CG_OK);
	start(s);
}

TEST_UNUSED static void browse_two(struct browsed *s, const char *base, const char *head)
{
	browse_two_by(s, base, head, &samples);
}

TEST_UNUSED static void stop(struct browsed *s)
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
TEST_UNUSED static void put(void *to, unsigned y, unsigned x, const char *text,
			    enum browse_look look)
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

TEST_UNUSED static void cursor(void *to, unsigned y, unsigned x)
{
	(void)to;
	(void)y;
	(void)x;
}

TEST_UNUSED static void draw(struct browsed *s)
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

TEST_UNUSED static void press(struct browsed *s, const char *keys)
{
	for (; *keys; keys++)
		REQUIRE_INT(browse_press(s->browse, *keys == '\n'   ? (uint32_t)BROWSE_KEY_ENTER
						    : *keys == '\t' ? (uint32_t)BROWSE_KEY_TAB
								    : (unsigned char)*keys),
			    CG_OK);
	draw(s);
}

/* The first line with a text; "" if there is none. */
TEST_UNUSED static const char *line_with(const struct browsed *s, const char *words)
{
	for (size_t i = 0; i < LINES; i++)
		if (strstr(s->screen[i], words))
			return s->screen[i];
	return "";
}

TEST_UNUSED static void check_shown(const struct browsed *s, const char *words, bool shown,
				    unsigned line)
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
TEST_UNUSED static void check_selected(const struct browsed *s, const char *name)
{
	const char *line = "";
	for (size_t i = 0; i < LINES; i++)
		if (s->screen[i][0] == '>')
			line = s->screen[i];
	const char *last = strrchr(line, ' ');
	CHECK_STR(last ? last + 1 : line, name);
}

#endif
