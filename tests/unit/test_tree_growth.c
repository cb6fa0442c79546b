/* Trees of any profile at all: their laws, and the two ways in which they grow. */
#include "callgrind/tree_growth.h"
#include "tests/unit/tree_laws.h"

static uint32_t seed = 1;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

/* A function, at times with a level, a caller or two in its context. */
static const char *random_record(uint32_t functions, char *text, size_t size)
{
	static const char *const levels[] = { "", "", "'2" };
	size_t used = (size_t)snprintf(text, size, "f%u%s", random_below(functions),
				       levels[random_below(3)]);
	for (uint32_t callers = random_below(3); callers; callers--)
		used += (size_t)snprintf(text + used, size - used, "'f%u", random_below(functions));
	return text;
}

/* Calls and costs that need not fit each other, in cycles, of both signs. */
static struct cg_profile *random_profile(bool negative, bool huge, bool contexts)
{
	char text[8000], name[40];
	size_t used = (size_t)snprintf(text, sizeof text, "events: Ir Dr Dw\n");
	uint32_t functions = 1 + random_below(12), lines = random_below(60);
	uint32_t most = huge ? 4000000000u : 100;

	for (uint32_t i = 0; i < lines; i++) {
		const char *sign = negative && random_below(2) ? "-" : "";
		used += (size_t)snprintf(text + used, sizeof text - used, "fn=%s\n",
					 random_record(functions, name, sizeof name));
		if (random_below(3))
			used += (size_t)snprintf(
				text + used, sizeof text - used, "cfn=%s\ncalls=%u 1\n",
				random_record(functions, name, sizeof name), random_below(3));
		used += (size_t)snprintf(text + used, sizeof text - used, "1 %s%u%s %u %u\n", sign,
					 random_below(most), huge ? "00000000" : "",
					 random_below(most), random_below(2));
	}
	return contexts ? whole_profile_of(text) : profile_of(text);
}

/* What is made of a tree keeps the laws. */
static void check_other_trees(const struct cg_tree *t)
{
	struct cg_tree *other = NULL;
	bool is_root[16] = { false };

	REQUIRE(t->profile->nfunctions <= 16);
	for (uint32_t f = 1; f < t->profile->nfunctions; f++)
		is_root[f] = random_below(8) == 0;
	REQUIRE_INT(cg_tree_root(t, is_root, &other), CG_OK);
	check_laws(other);
	cg_tree_free(other);
}

static void test_laws(void)
{
	for (int i = test_rounds(3000); i > 0; i--) {
		struct cg_profile *p = random_profile(i % 3 == 0, i % 5 == 0, i % 2);
		struct cg_tree_options options = { .event = random_below(3),
						   .min_share_ppb = random_below(2),
						   .frames = random_below(4),
						   .max_nodes = random_below(2) * 50 };
		struct cg_tree *t = tree_with(p, &options);
		check_laws(t);
		if (i % 3)
			for (uint32_t k = 0; k < t->count * p->nevents; k++)
				REQUIRE(t->self[k] >= 0);
		check_other_trees(t);
		cg_tree_free(t);
		cg_profile_free(p);
	}
}

static void check_same_trees(const struct cg_tree *a, const struct cg_tree *b, uint32_t nevents)
{
	const size_t size = a->count * nevents * sizeof *a->self;

	REQUIRE_U64(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++) {
		const struct cg_tree_node *x = &a->nodes[i], *y = &b->nodes[i];
		CHECK_U64(x->function, y->function);
		CHECK_U64(x->parent, y->parent);
		CHECK_U64(x->end, y->end);
		CHECK_U64(x->calls, y->calls);
		CHECK_INT(x->inlined, y->inlined);
		CHECK_INT(x->uncounted, y->uncounted);
		CHECK_INT(x->estimated, y->estimated);
		CHECK_INT(x->estimated_below, y->estimated_below);
		CHECK_INT(x->truncated, y->truncated);
		CHECK_INT(x->cut, y->cut);
	}
	CHECK(memcmp(a->self, b->self, size) == 0);
	CHECK(memcmp(a->inclusive, b->inclusive, size) == 0);
}

/* Where all paths have room, following the costliest ones first makes no difference. */
static void check_both_ways(const struct cg_profile *p, const struct cg_tree_options *options)
{
	struct tree_growth g = { .p = p, .options = *options };
	struct cg_tree *whole = calloc(1, sizeof *whole), *shaped = calloc(1, sizeof *shaped);
	struct cg_tree_draft draft = { 0 };
	bool all = false;

	REQUIRE(whole && shaped);
	REQUIRE_INT(cg_flow_make(p, options->event, options->frames, &g.flow), CG_OK);
	REQUIRE_INT(cg_tree_grow_whole(&g, &draft, &all), CG_OK);
	REQUIRE(all);
	cg_tree_take_whole(&draft, whole);
	REQUIRE_INT(cg_tree_grow_costliest(&g, &draft), CG_OK);
	if (options->group)
		REQUIRE_INT(cg_tree_draft_merge(&draft, p, options->group), CG_OK);
	REQUIRE_INT(cg_tree_shape(&draft, p, options->event, shaped), CG_OK);
	check_same_trees(whole, shaped, p->nevents);
	cg_tree_draft_free(&draft);
	cg_flow_free(&g.flow);
	cg_tree_free(whole);
	cg_tree_free(shaped);
}

static void test_both_ways(void)
{
	for (int i = test_rounds(2000); i > 0; i--) {
		struct cg_profile *p = random_profile(i % 3 == 0, false, i % 2);
		uint32_t group[16];
		struct cg_tree_options options = { .event = random_below(3),
						   .min_share_ppb = 1 + random_below(2) * 10000000,
						   .max_nodes = UINT32_MAX,
						   .group = i % 4 ? group : NULL };
		REQUIRE(p->nfunctions <= 16);
		for (uint32_t f = 0; f < 16; f++)
			group[f] = random_below(6);
		check_both_ways(p, &options);
		cg_profile_free(p);
	}
}

TEST_MAIN("growing trees", { "laws", test_laws }, { "both ways to grow", test_both_ways })
