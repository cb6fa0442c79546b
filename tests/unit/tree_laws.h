/* Trees of profiles, and what holds for each of them. */
#ifndef TESTS_UNIT_TREE_LAWS_H
#define TESTS_UNIT_TREE_LAWS_H

#include "cgprofile/tree.h"
#include "tests/unit/profiles.h"

TEST_UNUSED static struct cg_tree *tree_with(const struct cg_profile *p,
					     const struct cg_tree_options *options)
{
	struct cg_tree *t = NULL;
	REQUIRE_INT(cg_tree_make(p, options, &t), CG_OK);
	return t;
}

TEST_UNUSED static struct cg_tree *tree_of(const struct cg_profile *p)
{
	struct cg_tree_options options = { 0 };
	return tree_with(p, &options);
}

/* Whether the record, if it is called, costs what its calls cost. */
static bool fits(const struct cg_profile *p, uint32_t record, uint32_t event)
{
	int64_t in = 0, out = p->record_self[(size_t)record * p->nevents + event];
	bool called = false;

	for (uint32_t i = 1; i < p->ncalls; i++) {
		int64_t cost = p->call_cost[(size_t)i * p->nevents + event];
		called |= p->calls[i].callee == record;
		in += p->calls[i].callee == record ? cost : 0;
		out += p->calls[i].caller == record ? cost : 0;
	}
	return !called || in == out;
}

static bool has_calls_with(const struct cg_profile *p, uint32_t event)
{
	for (uint32_t i = 1; i < p->ncalls; i++)
		if (p->call_cost[(size_t)i * p->nevents + event])
			return true;
	return false;
}

/* Of files that Valgrind has not written. */
static bool agrees_with_itself(const struct cg_profile *p)
{
	for (uint32_t e = 0; e < p->nevents; e++)
		for (uint32_t r = 1; has_calls_with(p, e) && r < p->nrecords; r++)
			if (!fits(p, r, e))
				return false;
	return true;
}

/* What holds for every tree. */
TEST_UNUSED static void check_laws(const struct cg_tree *t)
{
	const struct cg_profile *p = t->profile;
	uint32_t n = p->nevents;
	int64_t *sum = calloc((size_t)t->count * n + 1, sizeof *sum);
	bool exact = !t->misfit.records && (p->ncalls > 1 || t->count <= 2);

	REQUIRE(sum != NULL);
	for (uint32_t i = t->count; i-- > 0;) {
		const struct cg_tree_node *node = &t->nodes[i];
		REQUIRE(i == 0 || node->parent < i);
		REQUIRE(node->end > i && node->end <= t->nodes[node->parent].end);
		REQUIRE((i == 0 || node->outside) == (node->function == 0));
		exact &= !node->estimated && !node->estimated_below && !node->truncated &&
			 !node->cut;
		for (uint32_t e = 0; e < n; e++) {
			sum[(size_t)i * n + e] += t->self[(size_t)i * n + e];
			CHECK_INT(t->inclusive[(size_t)i * n + e], sum[(size_t)i * n + e]);
			if (i)
				sum[(size_t)node->parent * n + e] += sum[(size_t)i * n + e];
		}
	}
	for (uint32_t e = 0; e < n; e++)
		CHECK_INT(t->inclusive[e], p->total[e]);
	CHECK(exact == t->exact);
	if (p->nrecords < 1000 && !p->creator)
		CHECK(!t->exact || agrees_with_itself(p));
	free(sum);
}

#endif
