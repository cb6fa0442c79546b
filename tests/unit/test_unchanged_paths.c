/* Causes are the same whether what did not change has rows or not. */
#include <string.h>

#include "tests/unit/found_causes.h"

/* One profile, and one that differs from it in a line. */
struct twins {
	char base[8000], head[8000];
};

static void add_line(char *text, size_t size, const char *line)
{
	size_t len = strlen(text);
	snprintf(text + len, size - len, "%s", line);
}

static void random_twins_of_stacks(struct twins *t)
{
	char line[100];

	random_stacks(t->base, sizeof t->base / 2);
	strcpy(t->head, t->base);
	snprintf(line, sizeof line, "main;f%u;f%u%s %u\n", random_below(6), random_below(6),
		 random_below(3) ? "" : ";g;f1", 1 + random_below(900));
	add_line(random_below(3) ? t->head : t->base, sizeof t->base, line);
}

/* The second call of `caller` comes and goes. */
static void random_twins_of_calls(struct twins *t)
{
	char line[200];

	random_calls(t->base, sizeof t->base / 2);
	strcpy(t->head, t->base);
	snprintf(line, sizeof line, "ob=o0\nfn=f%u\n1 %u 0\ncfn=f%u\ncalls=%u 1\n1 %u 1\n",
		 random_below(9), random_below(50), random_below(9), random_below(3),
		 random_below(900));
	add_line(t->head, sizeof t->head, line);
	if (random_below(2))
		add_line(t->base, sizeof t->base, line);
	add_line(t->head, sizeof t->head, "ob=o0\nfn=f1\n2 7 0\n");
}

static void check_same_cause(const struct causes *a, const struct causes *b, size_t i)
{
	const struct cause *x = &a->items[i], *y = &b->items[i];
	const struct tree_row *r = &a->tree->rows[x->row], *s = &b->tree->rows[y->row];

	CHECK_STR(r->name, s->name);
	CHECK_STR(r->object, s->object);
	CHECK_STR(a->tree->rows[x->caller].name, b->tree->rows[y->caller].name);
	CHECK_STR(cause_reason(x), cause_reason(y));
	CHECK_INT(x->delta, y->delta);
	CHECK_U64(x->base_calls, y->base_calls);
	CHECK_U64(x->head_calls, y->head_calls);
	CHECK_INT(x->base_cost, y->base_cost);
	CHECK_INT(x->head_cost, y->head_cost);
	CHECK_U64(x->paths, y->paths);
	CHECK_U64(x->nparts, y->nparts);
	CHECK_INT(x->estimated, y->estimated);
	CHECK_INT(x->uncounted, y->uncounted);
	CHECK_INT(x->scaled, y->scaled);
	CHECK_INT(x->kind, y->kind);
	CHECK_INT(x->now_inlined, y->now_inlined);
	CHECK_INT(x->edit, y->edit);
	CHECK_INT(x->caller_edit, y->caller_edit);
}

/* How many rows were saved. */
static uint32_t check_twins(const struct twins *t, const struct diff_options *options,
			    const struct sources *sources)
{
	struct found every = causes_by(t->base, t->head, options, sources);
	struct tree_diff *tree;
	struct causes *causes;
	struct cg_error err = { 0 };
	/* The numbers of functions are the same. */
	uint8_t *edits = sources ? edits_of(every.trees.tree, sources) : NULL;

	REQUIRE(tree_diff_make(every.trees.diff, TREE_ALL, TREE_CHANGED_ROWS, &tree, &err) ==
		CG_OK);
	REQUIRE(causes_make(tree, edits, &causes, &err) == CG_OK);
	uint32_t saved = every.trees.tree->count - tree->count;
	if (!causes->wants_every_row) {
		CHECK_U64(causes->count, every.causes->count);
		CHECK_INT(causes->delta, every.causes->delta);
		CHECK_INT(causes->self_only, every.causes->self_only);
		CHECK_U64(causes->sum_of_sizes, every.causes->sum_of_sizes);
		for (size_t i = 0; i < causes->count && i < every.causes->count; i++)
			check_same_cause(causes, every.causes, i);
	}
	free(edits);
	causes_free(causes);
	tree_diff_free(tree);
	found_free(&every);
	return saved;
}

static void test_random(void)
{
	const struct sources sources = { "135bdf", "4ce", "" };
	struct twins t;
	uint32_t saved = 0;

	for (int i = test_rounds(500); i > 0; i--) {
		random_twins_of_stacks(&t);
		saved += check_twins(&t, &samples, NULL);
		saved += check_twins(&t, &samples, &sources);
		random_twins_of_calls(&t);
		saved += check_twins(&t, &instructions, NULL);
		saved += check_twins(&t, &instructions, &sources);
	}
	CHECK(saved > 0);
}

#define GUESSED(n) \
	"events: Ir\nfn=a\n1 10\ncfn=f\ncalls=10 1\n1 600\nfn=b\n1 " n \
	"\ncfn=f\ncalls=10 1\n1 400\nfn=f\n1 500\ncfn=g\ncalls=50 1\n1 500\nfn=g\n1 500\n"

/* Rows: the whole program, a and b, and f below each, whose callees are g. */
static void test_rows(void)
{
	const struct twins t = { GUESSED("10"), GUESSED("30") };
	struct trees trees = trees_of(t.base, t.head, &instructions, TREE_ALL);
	struct tree_diff *tree;
	struct cg_error err;

	REQUIRE(tree_diff_make(trees.diff, TREE_ALL, TREE_CHANGED_ROWS, &tree, &err) == CG_OK);
	CHECK_U64(trees.tree->count, 7);
	REQUIRE(tree->count == 4);
	CHECK_STR(tree->rows[1].name, "b");
	CHECK(!tree->rows[1].unchanged_below);
	CHECK_STR(tree->rows[2].name, "f");
	CHECK(tree->rows[2].unchanged_below);
	CHECK_INT(tree->rows[2].head.self[0], 200);
	CHECK_INT(tree->rows[2].head.inclusive[0], 400);
	CHECK_STR(tree->rows[3].name, "a");
	CHECK(tree->rows[3].unchanged_below);
	CHECK_INT(tree->rows[3].head.inclusive[0], 610);
	CHECK(tree_diff_differs(tree));
	tree_diff_free(tree);
	trees_free(&trees);
}

TEST_MAIN("unchanged paths", { "rows", test_rows }, { "random", test_random })
