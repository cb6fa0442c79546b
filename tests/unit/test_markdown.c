#include "tests/unit/trees.h"

#include "src/report/markdown/page.h"
#include "src/report/suite_report.h"

#define PAGE 60000 /* characters, of which GitHub takes 65,536 */

/* ---- names ---- */

static void check_code(const char *text, unsigned width, bool table, const char *expected)
{
	struct md_page p;
	size_t units;

	CHECK_INT(md_page_begin(&p, true, 5), CG_OK);
	p.table = table;
	md_code(&p, text, width);
	CHECK_INT(md_page_end(&p, &units), CG_OK);
	CHECK_STR(p.text, expected);
	md_page_free(&p);
}

static void test_code(void)
{
	check_code("main", 0, false, "`main`");
	check_code("", 0, false, "(no name)");
	check_code("a`b", 0, false, "``a`b``");
	check_code("`a``b", 0, false, "``` `a``b ```");
	check_code("`", 0, true, "`` ` ``");
	check_code(" a ", 0, false, "`  a  `");
	check_code("a\nb\033", 0, false, "`a\\x0ab\\x1b`");
	check_code("<a href=x>@me #1", 0, false, "`<a href=x>@me #1`");
	/* Only in a table a | ends something. */
	check_code("a|b", 0, false, "`a|b`");
	check_code("a|b", 0, true, "`a\\|b`");
	check_code("a\\|b\\", 0, true, "`a\\x5c\\|b\\`");
}

static void check_block(const char *name, const char *expected)
{
	struct md_page p;
	size_t units;

	CHECK_INT(md_page_begin(&p, true, 5), CG_OK);
	md_block(&p, name, ": %s", "<0.001%");
	md_block_end(&p);
	CHECK_INT(md_page_end(&p, &units), CG_OK);
	CHECK_STR(p.text, expected);
	md_page_free(&p);
}

/* Markdown is not read in a summary, but HTML is. */
static void test_blocks(void)
{
	check_block(NULL, "\n<details><summary>: &lt;0.001%</summary>\n\n\n</details>\n");
	check_block("</summary><b>`@me`\n&",
		    "\n<details><summary><code>&lt;/summary&gt;&lt;b&gt;`@me`"
		    "\\x0a&amp;</code>: &lt;0.001%</summary>\n\n"
		    "\n</details>\n");
	check_block("", "\n<details><summary><code>(no name)</code>: &lt;0.001%</summary>\n\n"
			"\n</details>\n");
}

static void test_titles(void)
{
	check_code("abcdefghij", 5, false, "<span title=\"abcdefghij\">`ab…ij`</span>");
	check_code("<\"'`|&ghij", 5, true,
		   "<span title=\"&lt;&quot;&#39;&#96;&#124;&amp;ghij\">`<\"…ij`</span>");
}

static void test_units(void)
{
	CHECK_U64(md_units("abc", 3), 3);
	CHECK_U64(md_units("é→", 5), 2);
	CHECK_U64(md_units("\xf0\x9f\x92\xa9", 4), 2); /* a surrogate pair */
}

/* ---- what does not fit ---- */

/* Rows "a0 " … of one table, then "b0 " … of another, with a limit. */
static void check_rows(size_t limit, const char *expected)
{
	struct md_page p;
	char *written = NULL;
	size_t units, size;

	CHECK_INT(md_page_begin(&p, false, 5), CG_OK);
	fputs("start\n", p.to);
	for (int i = 0; i < 4; i++) {
		md_row(&p, 2);
		fprintf(p.to, "a%0200d\n", i);
	}
	md_rows_end(&p, "apples");
	fputs("between\n", p.to);
	for (int i = 0; i < 2; i++) {
		md_row(&p, 1);
		fprintf(p.to, "b%0200d\n", i);
	}
	md_rows_end(&p, "pears");
	fputs("end\n", p.to);
	CHECK_INT(md_page_end(&p, &units), CG_OK);
	CHECK_U64(units, 6 + 8 + 4 + 6 * 202);
	FILE *to = open_memstream(&written, &size);
	REQUIRE(to != NULL);
	CHECK_INT(md_page_write(&p, limit, to), CG_OK);
	fclose(to);

	/* Only the last digit of a row. */
	char text[400] = "";
	size_t used = 0;
	for (char *line = strtok(written, "\n"); line; line = strtok(NULL, "\n")) {
		bool row = strlen(line) == 201;
		used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s ",
					 row ? 1 : (int)strcspn(line, ","), line,
					 row ? line + 200 : "");
	}
	CHECK_STR(text, expected);
	CHECK(size <= limit || limit < 1000);
	free(written);
	md_page_free(&p);
}

static void test_rows(void)
{
	check_rows(1230, "start a0 a1 a2 a3 between b0 b1 end ");
	check_rows(1229, "start a0 a1 *… and 2 more apples between b0 b1 end ");
	check_rows(1000, "start a0 *… and 3 more apples between b0 b1 end ");
	check_rows(600, "start *… and 4 more apples between b0 "
			"*… and 1 more pears end ");
	check_rows(0, "start *… and 4 more apples between "
		      "*… and 2 more pears end ");
}

/* ---- whole reports ---- */

/* Functions of long names, each `times` as expensive as in the file of 1. */
static char *functions(unsigned count, unsigned times)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		abort();
	fputs("events: Ir\nob=/bin/x\nfl=x.c\nfn=main\n1 10\n", to);
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "cfn=f%u_%s\ncalls=%u 1\n1 %u\n", i,
			"é|`<T>@a ns::very::long::name<of, many, parts> that goes on and on for ever",
			times, 1000 * (i + 1) * times);
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "fn=f%u_%s\n1 %u\n", i,
			"é|`<T>@a ns::very::long::name<of, many, parts> that goes on and on for ever",
			1000 * (i + 1) * times);
	fclose(to);
	return text;
}

static char *markdown_of(const struct suite_report *r)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		abort();
	CHECK_INT(suite_markdown(r, to), CG_OK);
	fclose(to);
	return text;
}

/* Cells of a row: pipes that are not escaped. */
static size_t cells(const char *line, size_t len)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		n += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
	return n;
}

/* It fits, and every row of a table has as many cells as its head. */
static void check_page(const char *text)
{
	size_t columns = 0;

	CHECK(md_units(text, strlen(text)) <= PAGE);
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		if (*line != '|')
			columns = 0;
		else if (columns == 0)
			columns = cells(line, len);
		else
			test_report(cells(line, len) == columns, false, __FILE__, __LINE__,
				    "cells: %.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

struct fixture {
	struct trees trees;
	struct causes *causes;
	struct depth_change depth;
	struct environment_diff environment;
	uint32_t *rows, *items;
	struct diff_report report;
};

static void set_up(struct fixture *f, unsigned count)
{
	char *base = functions(count, 1), *head = functions(count, 3);
	struct cg_error err = { 0 };

	f->trees = trees_of(base, head, &instructions, TREE_ALL);
	CHECK_INT(causes_make(f->trees.tree, NULL, &f->causes, &err), CG_OK);
	CHECK_INT(depth_change_make(f->trees.tree, &f->depth), CG_OK);
	f->rows = calloc(f->trees.diff->count + 1, sizeof *f->rows);
	f->items = calloc(f->causes->count + 1, sizeof *f->items);
	REQUIRE(f->rows && f->items);
	for (uint32_t i = 0; i < f->trees.diff->count; i++)
		f->rows[i] = i;
	for (uint32_t i = 0; i < f->causes->count; i++)
		f->items[i] = i;
	f->report = (struct diff_report){
		.diff = f->trees.diff,
		.base = { .name = "base" },
		.head = { .name = "head" },
		.environment = &f->environment,
		.rows = f->rows,
		.nrows = f->trees.diff->count,
		.changed = f->trees.diff->count,
		.filtered = f->trees.diff->count,
		.tree = f->trees.tree,
		.causes = f->causes,
		.chosen_causes = f->items,
		.ncauses = f->causes->count,
		.depth = &f->depth,
	};
	free(base);
	free(head);
}

static void tear_down(struct fixture *f)
{
	free(f->rows);
	free(f->items);
	depth_change_free(&f->depth);
	causes_free(f->causes);
	trees_free(&f->trees);
}

static void test_single(void)
{
	for (unsigned count = 1; count <= 4096; count *= 16) {
		struct fixture f = { 0 };
		set_up(&f, count);
		struct bench_report bench = { .name = "bench", .diff = f.report };
		char *text = markdown_of(&(struct suite_report){ .benches = &bench, .count = 1 });
		check_page(text);
		CHECK(strstr(text, "REGRESSION"));
		CHECK((strstr(text, "left out to fit") != NULL) == (count > 1000));
		CHECK(count < 1000 || md_units(text, strlen(text)) > PAGE - 2000);
		free(text);
		tear_down(&f);
	}
}

/* As many rows as a comparison chooses by default. */
static struct diff_report by_default(const struct fixture *f)
{
	enum { CHOSEN = 20 };
	struct diff_report r = f->report;

	r.top = DIFF_TOP_AUTO;
	r.nrows = r.nrows < CHOSEN ? r.nrows : CHOSEN;
	r.causes_hidden = r.ncauses > CHOSEN ? r.ncauses - CHOSEN : 0;
	r.causes_smaller = r.causes_hidden;
	r.ncauses -= r.causes_hidden;
	return r;
}

/* Benchmarks that changed, and some that did not. */
static void test_many(void)
{
	struct fixture f = { 0 };
	struct diff_report same;

	set_up(&f, 40);
	const struct diff_report changed = by_default(&f);
	struct trees equal = trees_of("events: Ir\nfn=a\n1 7\n", "events: Ir\nfn=a\n1 7\n",
				      &instructions, TREE_ALL);
	same = (struct diff_report){ .diff = equal.diff,
				     .base = { .name = "b" },
				     .head = { .name = "h" },
				     .environment = &f.environment };
	for (size_t count = 2; count <= 512; count *= 4) {
		struct bench_report *benches = calloc(count, sizeof *benches);
		REQUIRE(benches != NULL);
		for (size_t i = 0; i < count; i++)
			benches[i] = (struct bench_report){
				.name = i % 2 ? "bench | with `quotes`" : "other",
				.diff = i % 2 ? changed : same,
			};
		char *text = markdown_of(
			&(struct suite_report){ .benches = benches, .count = count });
		check_page(text);
		CHECK(strstr(text, "without a significant change"));
		CHECK(strstr(text, "Geometric mean of head / base: +7"));
		free(text);
		free(benches);
	}
	trees_free(&equal);
	tear_down(&f);
}

/* ---- what is read at once ---- */

static void test_brief(void)
{
	for (unsigned count = 1; count <= 512; count *= 2) {
		struct fixture f = { 0 };
		set_up(&f, count);
		struct bench_report bench = { .name = "bench", .diff = by_default(&f) };
		struct suite_report suite = { .benches = &bench, .count = 1 };
		char *text = markdown_of(&suite);
		test_report(strlen(text) <= 4096, false, __FILE__, __LINE__,
			    "%u functions: %zu bytes", count, strlen(text));
		CHECK(strncmp(text, "## ⚠️ REGRESSION: `bench` +", 29) == 0);
		CHECK((strstr(text, "`--top=0` shows all") != NULL) == (count > 5));
		free(text);
		bench.diff.top = 7;
		text = markdown_of(&suite);
		CHECK((strstr(text, "`--top=0` shows all") != NULL) == (count > 7));
		CHECK((strstr(text, "`f0_") != NULL) == (count <= 7));
		free(text);
		tear_down(&f);
	}
}

/* Lines that are seen before a block is opened, empty ones too. */
static size_t lines_seen(const char *text)
{
	size_t lines = 0, depth = 0;

	for (; *text; text += strcspn(text, "\n") + 1) {
		lines += depth == 0;
		depth += strncmp(text, "<details>", 9) == 0;
		depth -= strncmp(text, "</details>", 10) == 0;
	}
	return lines;
}

/* Five regressions in a hundred benchmarks are told on one screen. */
static void test_screen(void)
{
	enum { BENCHES = 100, REGRESSED = 5 };
	static struct remark remark = { .text = "Counts may differ by chance" };
	static const struct remarks remarks = { .items = &remark, .count = 1 };
	struct bench_report benches[BENCHES] = { 0 };
	char names[BENCHES][20];
	struct fixture f = { 0 };

	set_up(&f, 30);
	struct trees equal = trees_of("events: Ir\nfn=a\n1 7\n", "events: Ir\nfn=a\n1 7\n",
				      &instructions, TREE_ALL);
	for (size_t i = 0; i < BENCHES; i++) {
		snprintf(names[i], sizeof names[i], "bench-%zu", i);
		benches[i].name = names[i];
		benches[i].diff = by_default(&f);
		if (i % (BENCHES / REGRESSED) == 0)
			continue;
		benches[i].diff = (struct diff_report){ .diff = equal.diff,
							.environment = &f.environment,
							.remarks = &remarks };
	}
	char *text = markdown_of(&(struct suite_report){ .benches = benches, .count = BENCHES });
	check_page(text);
	test_report(lines_seen(text) <= 45, false, __FILE__, __LINE__, "%zu lines",
		    lines_seen(text));
	CHECK(strstr(text, "## ⚠️ REGRESSION: 5 regressed, 95 unchanged of 100 benchmarks\n"));
	CHECK(strstr(text, "<summary>95 benchmarks without a significant change</summary>"));
	for (size_t i = 0; i < BENCHES; i += BENCHES / REGRESSED) {
		const char *name = strstr(text, names[i]);
		CHECK(name != NULL && name < strstr(text, "<details>"));
	}
	/* What is the same in all of them is told once. */
	CHECK(strstr(text, " (more calls), in 5 benchmarks (`bench-0`, `bench-20`, `bench-40`, …): "
			   "**+"));
	CHECK(strstr(text,
		     "⚠️ Counts may differ by chance. (`bench-1`, `bench-2`, `bench-3` and 92 "
		     "more)\n"));
	free(text);
	trees_free(&equal);
	tear_down(&f);
}

TEST_MAIN("markdown", { "code", test_code }, { "blocks", test_blocks }, { "titles", test_titles },
	  { "units", test_units }, { "rows", test_rows }, { "one benchmark", test_single },
	  { "many benchmarks", test_many }, { "brief", test_brief }, { "one screen", test_screen })
