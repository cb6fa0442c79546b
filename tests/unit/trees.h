/* Two small profiles written out in a test, and their paths compared. */
#ifndef TESTS_UNIT_TREES_H
#define TESTS_UNIT_TREES_H

#include "src/diff/tree.h"
#include "tests/unit/profiles.h"

/* Every difference is a change. */
TEST_UNUSED static const struct diff_options samples = { .metric = "samples" };
TEST_UNUSED static const struct diff_options instructions = { .metric = "Ir" };

struct trees {
	struct cg_profile *base, *head;
	struct diff *diff;
	struct tree_diff *tree;
};

/* That it can be made says that the laws hold. */
TEST_UNUSED static struct trees trees_of(const char *base, const char *head,
					 const struct diff_options *options, enum tree_step last)
{
	struct trees t = { whole_profile_of(base), whole_profile_of(head), NULL, NULL };
	struct cg_error err = { 0 };
	int status = diff_make(t.base, t.head, options, &t.diff, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	status = tree_diff_make(t.diff, last, TREE_EVERY_ROW, &t.tree, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return t;
}

TEST_UNUSED static void trees_free(struct trees *t)
{
	tree_diff_free(t->tree);
	diff_free(t->diff);
	cg_profile_free(t->base);
	cg_profile_free(t->head);
}

static uint32_t trees_seed = 3;

TEST_UNUSED static uint32_t random_below(uint32_t n)
{
	trees_seed = trees_seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)trees_seed * n) >> 32);
}

/* A callgrind file of some functions that call each other at random. */
TEST_UNUSED static void random_calls(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "events: Ir Dr\n");
	uint32_t functions = 1 + random_below(9);

	for (uint32_t lines = random_below(40); lines > 0; lines--) {
		used += (size_t)snprintf(text + used, size - used, "ob=o%u\nfn=f%u%s\n",
					 random_below(2), random_below(functions),
					 random_below(3) ? "" : ".cold");
		if (random_below(3))
			used += (size_t)snprintf(text + used, size - used,
						 "cob=o%u\ncfn=f%u%s\ncalls=%u 1\n",
						 random_below(2), random_below(functions),
						 random_below(3) ? "" : ".cold", random_below(9));
		used += (size_t)snprintf(text + used, size - used, "1 %u %s%u\n", random_below(900),
					 random_below(9) ? "" : "-", random_below(50));
	}
}

/* Folded stacks of few functions, so that two of them have much in common. */
TEST_UNUSED static void random_stacks(char *text, size_t size)
{
	size_t used = 0;

	for (uint32_t lines = 1 + random_below(30); lines > 0; lines--) {
		used += (size_t)snprintf(text + used, size - used, "main");
		for (uint32_t depth = random_below(6); depth > 0; depth--)
			used += (size_t)snprintf(text + used, size - used, ";f%u%s",
						 random_below(6), random_below(4) ? "" : "_[i]");
		used += (size_t)snprintf(text + used, size - used, " %u\n", 1 + random_below(900));
	}
}

#endif
