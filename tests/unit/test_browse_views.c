#include "src/browse/code_row.h"
#include "src/view/source.h"
#include "tests/unit/browsed.h"

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
	press(&s, "u/start\n\t");
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

/* A function may be on both sides though one of its paths is new; a call is made by its caller. */
static void test_code_of_new_path(void)
{
	struct browsed s;
	size_t found = 0;

	browse_two(&s, "main;a;f 1000\nmain;b 1\n", "main;a;f 1000\nmain;b 1\nmain;b;f 500\n");
	const struct browse_table *paths = &s.data.paths;
	for (uint32_t i = 1; i < paths->count; i++) {
		struct browse_row row = paths->row(paths->of, i);
		if (row.side[BROWSE_BASE].present)
			continue;
		struct browse_row code = browse_code_row(&s.data, &row);
		CHECK_STR(code.name, "f");
		CHECK(code.side[BROWSE_BASE].present && code.side[BROWSE_HEAD].present);
		row.cause = &s.causes->items[0];
		CHECK_STR(browse_code_row(&s.data, &row).name, "b");
		found++;
	}
	CHECK_U64(found, 1);
	stop(&s);
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

int main(void)
{
	static const struct test tests[] = {
		{ "lines of two sides", test_code },
		{ "lines without text", test_code_without_text },
		{ "the source pane", test_source },
		{ "the code of a new path", test_code_of_new_path },
		{ "a function in all views", test_follow },
		{ "a function in the views of a change", test_follow_change },
		{ "a tree opens where it branches", test_chain },
		{ "causes", test_causes },
		{ "titles of columns", test_titles },
		{ "help", test_help },
	};
	/* How wide characters are. */
	setlocale(LC_CTYPE, "C.UTF-8");
	return test_main("browse_views", tests, sizeof tests / sizeof *tests);
}
