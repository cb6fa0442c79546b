#include "tests/unit/profiles.h"

#include "src/compare/changed_sources.h"
#include "src/text/text.h"

enum { MOST_LINES = 30, FUNCTIONS = 4, FILES = 3, TEXT = 20000 };

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	return (uint32_t)(*state >> 33);
}

/* Functions with costs at lines of their own file and of others, as inlined code has them. */
static void make_profile(uint64_t *state, char text[TEXT])
{
	int used = snprintf(text, TEXT, "events: Ir Dr\n");

	for (int f = 0; f < FUNCTIONS; f++) {
		used += snprintf(text + used, (size_t)(TEXT - used), "fl=f%d.c\nfn=f%d\n",
				 f % FILES, f);
		for (uint32_t i = next_random(state) % 20; i > 0; i--) {
			if (next_random(state) % 5 == 0)
				used += snprintf(text + used, (size_t)(TEXT - used),
						 "fi=f%" PRIu32 ".c\n", next_random(state) % FILES);
			used += snprintf(text + used, (size_t)(TEXT - used),
					 "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
					 next_random(state) % MOST_LINES, next_random(state) % 1000,
					 next_random(state) % 10);
		}
	}
}

/* Lines of few different texts; some files are not known. */
static void make_sources(uint64_t *state, struct stored_source *items, size_t *count,
			 char texts[FILES][4 * MOST_LINES], char names[FILES][20])
{
	*count = 0;
	for (int f = 0; f < FILES; f++) {
		size_t used = 0;
		for (uint32_t i = next_random(state) % MOST_LINES; i > 0; i--) {
			texts[f][used++] = (char)('a' + next_random(state) % 9);
			texts[f][used++] = '\n';
		}
		snprintf(names[f], sizeof names[f], "f%d.c", f);
		if (next_random(state) % 4)
			items[(*count)++] = (struct stored_source){ names[f], texts[f], used,
								    false };
	}
}

struct side {
	struct loaded loaded;
	struct stored_source items[FILES];
	char texts[FILES][4 * MOST_LINES], names[FILES][20];
};

static void make_side(uint64_t *state, struct side *s)
{
	const struct cg_read_options options = { .detail = { .lines = true } };
	char text[TEXT];

	*s = (struct side){ 0 };
	make_profile(state, text);
	s->loaded.profile = profile_with(text, strlen(text), &options);
	s->loaded.name = "test";
	make_sources(state, s->items, &s->loaded.sources.count, s->texts, s->names);
	s->loaded.sources.items = s->items;
}

struct sum {
	int64_t base, head;
};

static void add(struct sum *s, const struct diff *d, const int64_t *const *costs)
{
	s->base += costs[CODE_BASE] ? diff_base_value(d, costs[CODE_BASE]) : 0;
	s->head += costs[CODE_HEAD] ? diff_head_value(d, costs[CODE_HEAD]) : 0;
}

/* What is shown of a file and what is not are all of it; returns its difference. */
static int64_t check_file(const struct diff *d, const struct diff_source *s)
{
	struct sum lines = { 0, 0 }, file = { 0, 0 };
	size_t last[CODE_SIDES] = { 0, 0 };

	for (size_t i = 0; i < s->code->count; i++) {
		const struct code_line *line = &s->code->lines[i];
		CHECK(!s->changed[i] || s->shown[i]);
		if (s->shown[i])
			add(&lines, d, line->self);
		for (int side = 0; side < CODE_SIDES; side++) {
			CHECK(!line->in[side] || line->number[side] >= last[side]);
			last[side] = line->in[side] ? line->number[side] : last[side];
		}
	}
	add(&lines, d, s->rest);
	add(&file, d, s->self);
	CHECK_INT(lines.base, file.base);
	CHECK_INT(lines.head, file.head);
	return file.head - file.base;
}

/* The differences of lines add up to those of the functions, whatever is shown of them. */
static void check_sums(const struct side *base, const struct side *head, uint64_t min_delta,
		       size_t context)
{
	const struct diff_options options = { .metric = "Ir", .min_delta = min_delta };
	struct diff *d = NULL;
	struct changed_sources s;
	uint32_t rows[FUNCTIONS];

	REQUIRE_INT(diff_make(base->loaded.profile, head->loaded.profile, &options, &d, NULL),
		    CG_OK);
	REQUIRE(d->count <= FUNCTIONS);
	for (size_t n = 0; n <= d->count; n++) {
		int64_t functions = 0, files = 0;
		for (size_t i = 0; i < n; i++) {
			rows[i] = (uint32_t)i;
			functions += diff_head_value(d, d->rows[i].head.self) -
				     diff_base_value(d, d->rows[i].base.self);
		}
		REQUIRE_INT(changed_sources_make(d, rows, n, &base->loaded, &head->loaded, context,
						 NULL, &s, NULL),
			    CG_OK);
		for (size_t i = 0; i < s.count; i++)
			files += check_file(d, &s.items[i]);
		CHECK_INT(files, functions);
		changed_sources_free(&s);
	}
	diff_free(d);
}

static void test_sums(void)
{
	uint64_t state = 7;

	for (int round = 0; round < 300; round++) {
		static struct side base, head;
		make_side(&state, &base);
		make_side(&state, &head);
		check_sums(&base, &head, round % 3 ? 100 : 0, (size_t)round % 4);
		cg_profile_free(base.loaded.profile);
		cg_profile_free(head.loaded.profile);
	}
}

/* ---- which file is which ---- */

static struct loaded load(const char *text)
{
	const struct cg_read_options options = { .detail = { .lines = true } };
	return (struct loaded){ .profile = profile_with(text, strlen(text), &options),
				.name = "test" };
}

/* `expected` has "base>head" of each file. */
static void check_files(const char *base, const char *head, const char *expected)
{
	const struct diff_options options = { .metric = "Ir" };
	struct loaded b = load(base), h = load(head);
	struct changed_sources s;
	struct diff *d = NULL;
	uint32_t rows[FUNCTIONS];
	char found[200] = "";
	size_t used = 0;

	REQUIRE_INT(diff_make(b.profile, h.profile, &options, &d, NULL), CG_OK);
	REQUIRE(d->count <= FUNCTIONS);
	for (size_t i = 0; i < d->count; i++)
		rows[i] = (uint32_t)i;
	REQUIRE_INT(changed_sources_make(d, rows, d->count, &b, &h, 0, NULL, &s, NULL), CG_OK);
	for (size_t i = 0; i < s.count; i++)
		used += (size_t)snprintf(
			found + used, sizeof found - used, "%s>%s ",
			s.items[i].file[CODE_BASE] ? s.items[i].file[CODE_BASE] : "",
			s.items[i].file[CODE_HEAD] ? s.items[i].file[CODE_HEAD] : "");
	CHECK_STR(found, expected);
	changed_sources_free(&s);
	diff_free(d);
	cg_profile_free(b.profile);
	cg_profile_free(h.profile);
}

static void test_files(void)
{
	check_files("events: Ir\nfl=/a/x.c\nfn=f\n1 10\n", "events: Ir\nfl=/a/x.c\nfn=f\n1 20\n",
		    "/a/x.c>/a/x.c ");
	/* The path counts more than the base name, and where a function went more than that. */
	check_files("events: Ir\nfl=/a/x.c\nfn=f\n1 10\nfl=/b/x.c\nfn=g\n1 100\n",
		    "events: Ir\nfl=/b/x.c\nfn=g\n1 200\nfl=/c/x.c\nfn=f\n1 20\n",
		    "/b/x.c>/b/x.c /a/x.c>/c/x.c ");
	check_files("events: Ir\nfl=/a/x.c\nfn=f\n1 10\n", "events: Ir\nfl=/a/y.c\nfn=f\n1 20\n",
		    "/a/x.c>/a/y.c ");
	check_files("events: Ir\nfl=/a/x.c\nfn=f\n1 10\n", "events: Ir\nfl=/a/y.c\nfn=g\n1 30\n",
		    ">/a/y.c /a/x.c> ");
	/* Files of one name in other directories are others; a directory may be missing, or others
	 * above it. */
	check_files("events: Ir\nfl=/s/a/mod.rs\nfn=f\n1 10\n",
		    "events: Ir\nfl=/s/b/mod.rs\nfn=g\n1 30\n", ">/s/b/mod.rs /s/a/mod.rs> ");
	check_files("events: Ir\nfl=/s/a/mod.rs\nfn=f\n1 10\n",
		    "events: Ir\nfl=/t/a/mod.rs\nfn=g\n1 30\n", "/s/a/mod.rs>/t/a/mod.rs ");
	check_files("events: Ir\nfl=mod.rs\nfn=f\n1 10\n",
		    "events: Ir\nfl=/t/a/mod.rs\nfn=g\n1 30\n", "mod.rs>/t/a/mod.rs ");
	/* Without a name, and without a change. */
	check_files("events: Ir\nfn=f\n0 10\nfl=z.c\nfn=g\n5 5\n",
		    "events: Ir\nfn=f\n0 20\nfl=z.c\nfn=g\n5 5\n", "\?\?\?>\?\?\? ");
}

/* ---- side by side ---- */

static void check_text(const struct text_style *style, const char *expected)
{
	static char old_text[] = "one\ntwo\n\tthree\n", new_text[] = "zero\none\n\tfour\n\tthree\n";
	struct stored_source old = { "a.c", old_text, sizeof old_text - 1, false };
	struct stored_source new = { "a.c", new_text, sizeof new_text - 1, false };
	struct loaded base = load("events: Ir\nfl=a.c\nfn=f\n1 10\n2 20\n3 30\n");
	struct loaded head = load("events: Ir\nfl=a.c\nfn=f\n2 10\n3 25\n4 31\n");
	const struct diff_options options = { .metric = "Ir" };
	const uint32_t row = 0;
	struct changed_sources s;
	struct diff *d = NULL;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	base.sources = (struct stored_sources){ .items = &old, .count = 1 };
	head.sources = (struct stored_sources){ .items = &new, .count = 1 };
	REQUIRE_INT(diff_make(base.profile, head.profile, &options, &d, NULL), CG_OK);
	REQUIRE_INT(changed_sources_make(d, &row, 1, &base, &head, 1, NULL, &s, NULL), CG_OK);
	const struct diff_report r = {
		.diff = d, .sources = s.items, .nsources = s.count, .view = DIFF_VIEW_SOURCE
	};
	CHECK_INT(diff_sources_text(&r, style, to), CG_OK);
	fclose(to);
	CHECK_STR(strstr(text, "-- a.c"), expected);
	free(text);
	changed_sources_free(&s);
	diff_free(d);
	cg_profile_free(base.profile);
	cg_profile_free(head.profile);
}

static const char one_column[] = "-- a.c\n"
				 "-- line 2 --\n"
				 "  10    10    0   1  2   one\n"
				 "  20     –  -20   2    - two\n"
				 "   –    25  +25      3 +         four\n"
				 "  30    31   +1   3  4           three\n"
				 "  60    66   +6  all lines of these functions\n";
static const char two_columns[] =
	"-- a.c\n"
	"-- line 2 --\n"
	"  10    10    0   1   one                                                     |  2   one\n"
	"  20     –  -20   2 - two                                                     |\n"
	"   –    25  +25                                                               |  3 +         four\n"
	"  30    31   +1   3           three                                           |  4           three\n"
	"  60    66   +6  all lines of these functions\n";

static void test_text(void)
{
	check_text(&(struct text_style){ .width = 139 }, one_column);
	check_text(&(struct text_style){ .width = 140, .ascii = true }, two_columns);
}

TEST_MAIN("changed_sources", { "lines add up to functions", test_sums },
	  { "files of both sides", test_files }, { "one column of text, and two", test_text })
