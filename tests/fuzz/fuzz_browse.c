/* Keys of the browser on a profile and on a difference: a byte is a key, or what a screen is
 * like. */
#include <limits.h>
#include <locale.h>
#include <wchar.h>

#include "cgprofile/reader.h"
#include "src/browse/browse.h"
#include "src/browse/state.h"
#include "src/diff/tree.h"
#include "src/view/source.h"
#include "tests/fuzz/fuzz.h"

static const char base_text[] =
	"events: Ir Dr\nob=/bin/x\nfl=x.c\n"
	"fn=main\n1 10 1\ncfn=a\ncalls=2 5\n2 600 6\ncfn=b\ncalls=3 9\n3 300 33\n"
	"fn=a\n5 200 2\ncfn=leaf\ncalls=4 20\n6 400 4\ncfn=a'2\ncalls=1 5\n6 9 9\n"
	"fn=a'2\n5 9 9\n"
	"fn=b\n9 100 30\ncfn=leaf\ncalls=5 20\n9 200 3\n"
	"fn=leaf\n20 600 7\nfn=\xe4\xb8\xad\xe6\x96\x87<\xff>::operator()\x1b[31m\n30 -7 70\n";
static const char head_text[] =
	"events: Ir Dr\nob=/bin/x\nfl=x.c\n"
	"fn=main\n1 12 1\ncfn=a\ncalls=2 5\n2 700 6\ncfn=new\ncalls=1 40\n3 1000000 1\n"
	"fn=a\n5 300 2\ncfn=leaf\ncalls=4 20\n6 400 4\n"
	"fn=leaf\n20 400 4\nfn=new\n40 1000000 1\n";

enum { MOST_LINES = 30, MOST_COLUMNS = 100 };

struct screen {
	unsigned height, width;
	bool drawn[MOST_LINES][MOST_COLUMNS];
};

/* ---- the screen ---- */

static void put(void *to, unsigned y, unsigned x, const char *text, enum browse_look look)
{
	struct screen *s = to;
	mbstate_t state = { 0 };
	wchar_t c;

	LAW(look <= LOOK_MATCH, "look %d", (int)look);
	for (size_t n; *text; text += n) {
		n = mbrtowc(&c, text, strlen(text), &state);
		int width = n <= MB_LEN_MAX ? wcwidth(c) : -1;
		LAW(width >= 0, "'%s' is not safe to draw", text);
		LAW(y < s->height && x + (unsigned)width <= s->width, "line %u, column %u of %u×%u",
		    y, x, s->height, s->width);
		for (int i = 0; i < width; i++)
			s->drawn[y][x++] = true;
	}
}

static void cursor(void *to, unsigned y, unsigned x)
{
	const struct screen *s = to;
	LAW(y < s->height && x < s->width, "the cursor is in line %u, column %u of %u×%u", y, x,
	    s->height, s->width);
}

/* Every line is drawn from its first column on, on a screen with room for anything. */
static void check_drawing(struct browse *b, struct screen *s)
{
	const struct browse_painter painter = { s, put, cursor };

	memset(s->drawn, 0, sizeof s->drawn);
	LAW(!browse_draw(b, &painter), "out of memory");
	for (unsigned y = 0; y < s->height; y++)
		LAW(s->drawn[y][0] == (s->height > 2 && s->width > 1),
		    "line %u of %u×%u is not drawn", y, s->height, s->width);
}

/* ---- the state ---- */

static void check_state(const struct browse *b)
{
	for (unsigned i = 0; i < VIEWS; i++) {
		const struct list *l = &b->lists[i];
		if (!l->outline)
			continue;
		LAW(l->scroll.at < l->outline->nrows || !l->scroll.at, "row %zu of %zu",
		    l->scroll.at, l->outline->nrows);
		for (size_t row = 0; row < l->outline->nrows; row++)
			LAW(outline_row_of(l->outline, l->outline->rows[row]) == row,
			    "row %zu is lost", row);
	}
	LAW(b->view < VIEWS && b->metric < b->data->nmetrics, "metric %zu", b->metric);
	LAW(!b->pane.code || b->pane.scroll.at < b->pane.code->count || !b->pane.scroll.at,
	    "line %zu of %zu", b->pane.scroll.at, b->pane.code->count);
	LAW(b->ntyped < sizeof b->typed, "%zu bytes are typed", b->ntyped);
}

/* ---- sources ---- */

static int find_code(void *of, const struct browse_row *row, struct code_sides *out,
		     struct cg_error *err)
{
	if (!row->function || row->name[0] == 'b')
		return cg_fail(err, CG_EINVAL, NULL, 0, "no source of %s", row->name);
	*out = *(const struct code_sides *)of;
	return CG_OK;
}

/* Of all functions of a profile. */
static struct source *source_of(const struct cg_profile *p, bool *chosen, struct source_text *text)
{
	static const char bytes[] = "one\n\ttwo\x1b[2J\nthree \xe4\xb8\xad\n\n\n\xff\nseven";
	struct source *s = NULL;
	struct cg_error err = { 0 };

	memset(chosen, true, p->nfunctions);
	LAW(!source_make(p, chosen, 0, &s, &err) && s->count, "%s", err.message);
	LAW(!source_text_of("x.c", bytes, sizeof bytes - 1, text, &err), "%s", err.message);
	return s;
}

/* ---- keys ---- */

static uint32_t key_of(uint8_t byte)
{
	static const uint32_t wide[] = { 0x4e2d, 0xe9, 0x1f600, 0x301, 0x10ffff, 0xd800 };

	if (byte < 0x80)
		return byte;
	if (byte < 0x80 + 6)
		return wide[byte - 0x80];
	return BROWSE_KEY_UP + byte % (BROWSE_KEY_ESCAPE - BROWSE_KEY_UP + 1);
}

static void browse_with(const struct browse_data *data, const struct code_sides *code,
			const uint8_t *keys, size_t count)
{
	const struct browse_code_finder finder = { .of = code ? (void *)code : NULL,
						   .find = find_code };
	struct screen s = { .height = 20, .width = 70 };
	struct browse *b = NULL;

	LAW(!browse_make(data, &finder, &b), "out of memory");
	browse_resize(b, s.height, s.width);
	check_drawing(b, &s);
	for (size_t i = 0; i < count && !browse_ended(b); i++) {
		if (keys[i] == 0xff && i + 2 < count) {
			s.height = 1 + keys[i + 1] % MOST_LINES;
			s.width = 1 + keys[i + 2] % MOST_COLUMNS;
			browse_resize(b, s.height, s.width);
			i += 2;
		} else {
			LAW(!browse_press(b, key_of(keys[i])), "out of memory");
		}
		check_state(b);
		check_drawing(b, &s);
	}
	browse_free(b);
}

/* ---- what is browsed ---- */

enum { MOST_FUNCTIONS = 20 };

static struct cg_profile *profile_of(const char *text)
{
	const struct cg_read_options options = { .detail = { .lines = true, .contexts = true } };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };

	LAW(!cg_read_memory(text, strlen(text), "test", &options, &p, &err), "%s", err.message);
	LAW(p->nfunctions <= MOST_FUNCTIONS, "%" PRIu32 " functions", p->nfunctions);
	return p;
}

static void browse_one(struct cg_profile *p, const struct code_sides *code, const uint8_t *keys,
		       size_t count)
{
	const uint32_t first = 0;
	const struct flat_options flat_options = { .sort = &first, .nsort = 1 };
	const struct tree_view_options tree_options = { 0 };
	struct browse_data data;
	struct flat *flat;
	struct tree_view *tree;

	LAW(!flat_make(p, &flat_options, &flat, NULL) &&
		    !tree_view_make(p, &tree_options, &tree, NULL) &&
		    !browse_profile(flat, tree, "Ir", "one", &data),
	    "out of memory");
	browse_with(&data, code, keys, count);
	browse_data_free(&data);
	tree_view_free(tree);
	flat_free(flat);
}

static void browse_two(struct cg_profile *base, struct cg_profile *head,
		       const struct code_sides *code, const uint8_t *keys, size_t count)
{
	const struct diff_options options = { .metric = "Ir" };
	struct browse_data data;
	struct diff *diff;
	struct tree_diff *tree;
	struct causes *causes;

	LAW(!diff_make(base, head, &options, &diff, NULL) &&
		    !tree_diff_make(diff, TREE_ALL, TREE_EVERY_ROW, &tree, NULL) &&
		    !causes_make(tree, NULL, &causes, NULL) &&
		    !browse_diff(causes, "old", "new", &data),
	    "out of memory");
	browse_with(&data, code, keys, count);
	browse_data_free(&data);
	causes_free(causes);
	tree_diff_free(tree);
	diff_free(diff);
}

/* All that is browsed, made once. */
struct shown {
	struct cg_profile *profiles[2];
	struct source *sources[2];
	struct source_text texts[2];
	struct code_sides one, both;
};

static struct shown *shown(void)
{
	static struct shown s;
	bool chosen[MOST_FUNCTIONS];

	if (s.profiles[0])
		return &s;
	for (int i = 0; i < 2; i++) {
		s.profiles[i] = profile_of(i ? head_text : base_text);
		s.sources[i] = source_of(s.profiles[i], chosen, &s.texts[i]);
		s.both.side[i] = (struct code_side){ s.profiles[i], &s.sources[i]->files[0],
						     &s.texts[i], i ? NULL : "a note" };
	}
	s.one.side[CODE_HEAD] = s.both.side[CODE_BASE];
	return &s;
}

/* The first byte says what is browsed. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct shown *s = shown();
	uint8_t what = size ? data[0] : 0;

	LAW(setlocale(LC_ALL, what & 4 ? "C" : "C.UTF-8"), "there is no such locale");
	if (size && (what & 1))
		browse_two(s->profiles[0], s->profiles[1], what & 2 ? &s->both : NULL, data + 1,
			   size - 1);
	else if (size)
		browse_one(s->profiles[0], what & 2 ? &s->one : NULL, data + 1, size - 1);
	return 0;
}
