#include "tests/unit/trees.h"

/* Rows as lines "  name +inclusive +self class", as deep as they stand. */
static void check(const char *base, const char *head, const struct diff_options *options,
		  const char *expected)
{
	struct trees p = trees_of(base, head, options, TREE_BY_NAME);
	char text[4000] = "";
	size_t used = 0;

	for (uint32_t i = 1; i < p.tree->count; i++) {
		const struct tree_row *r = &p.tree->rows[i];
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%*s%s%s %+" PRId64 " %+" PRId64 " %s\n",
			2 * (int)(r->depth - 1), "", r->name, tree_row_inlined(r) ? "*" : "",
			r->head.inclusive[0] - r->base.inclusive[0],
			r->head.self[0] - r->base.self[0],
			diff_class_name(tree_diff_classify(p.tree, r)));
		CHECK(r->end > i && r->end <= p.tree->rows[r->parent].end);
		CHECK_STR(diff_match_name(r->match),
			  r->base.present && r->head.present ? "same" : "");
	}
	CHECK_STR(text, expected);
	CHECK(p.tree->exact);
	trees_free(&p);
}

static void test_paths(void)
{
	check("m;a;w 10\nm;b;w 20\nm 5\n", "m;a;w 17\nm;c;w 20\nm 5\n", &samples,
	      "m +7 +0 regressed\n"
	      "  c +20 +0 new\n"
	      "    w +20 +20 new\n"
	      "  b -20 +0 removed\n"
	      "    w -20 -20 removed\n"
	      "  a +7 +0 regressed\n"
	      "    w +7 +7 regressed\n");
	check("m;f;f 1\n", "m;f;f 1\n", &samples,
	      "m +0 +0 unchanged\n  f +0 +0 unchanged\n    f +0 +0 unchanged\n");
	check("events: samples\n", "events: samples\n", &samples, "");
}

static void test_clones(void)
{
	/* One row for a function and its clones; hashes and addresses do not matter. */
	check("m;f;w 1\nm;f.constprop.0;w 2\nm;g::h0123456789abcdef 4\n",
	      "m;f;w 9\nm;g::hfedcba9876543210 4\n", &samples,
	      "m +6 +0 regressed\n  f +6 +0 regressed\n    w +6 +6 regressed\n  g +0 +0 unchanged\n");
}

static void test_moved(void)
{
	struct trees p = trees_of("events: Ir\nob=/b/one\nfl=old.c\nfn=m\n1 5\n",
				  "events: Ir\nob=/b/one\nfl=new.c\nfn=m\n1 7\n", &instructions,
				  TREE_ALL);
	CHECK_U64(p.tree->count, 2);
	CHECK_STR(diff_match_name(p.tree->rows[1].match), "moved");
	trees_free(&p);
}

static void test_calls(void)
{
	struct trees p = trees_of(
		"events: Ir\nfn=m\n1 5\ncfn=f\ncalls=2 1\n1 20\nfn=f\n1 20\n",
		"events: Ir Dr\nfn=m\n1 5\ncfn=f\ncalls=3 1\n1 30 4\nfn=f\n1 30 4\n", &instructions,
		TREE_ALL);
	CHECK_U64(p.tree->rows[2].base.calls, 2);
	CHECK_U64(p.tree->rows[2].head.calls, 3);
	CHECK_INT(p.tree->rows[1].head.inclusive[1], 4);
	CHECK(p.tree->exact);
	trees_free(&p);
}

static void test_estimated(void)
{
	static const char shared[] = "events: Ir\nfn=m\n1 0\ncfn=a\ncalls=1 1\n1 10\n"
				     "cfn=b\ncalls=1 1\n1 30\nfn=a\ncfn=c\ncalls=1 1\n1 10\n"
				     "fn=b\ncfn=c\ncalls=1 1\n1 30\nfn=c\n1 4\ncfn=d\ncalls=1 1\n"
				     "1 36\nfn=d\n1 36\n";
	struct trees p = trees_of("events: Ir\nfn=m\n1 5\n", shared, &instructions, TREE_ALL);
	CHECK(!p.tree->exact);
	CHECK(!p.tree->rows[1].head.estimated); /* its calls say what they cost */
	CHECK(p.tree->rows[3].head.estimated);
	trees_free(&p);
}

static void test_laws(void)
{
	for (int i = test_rounds(1000); i > 0; i--) {
		char base[4000], head[4000];
		random_calls(base, sizeof base);
		random_calls(head, sizeof head);
		struct trees p = trees_of(base, head, &instructions, TREE_ALL);
		struct trees same = trees_of(base, base, &instructions, TREE_ALL);
		for (uint32_t k = 0; k < same.tree->count; k++)
			CHECK(same.tree->rows[k].match == DIFF_SAME &&
			      same.tree->rows[k].base.self[0] == same.tree->rows[k].head.self[0]);
		trees_free(&p);
		trees_free(&same);
	}
}

TEST_MAIN("tree diff", { "paths", test_paths }, { "clones", test_clones }, { "moved", test_moved },
	  { "calls", test_calls }, { "estimated", test_estimated }, { "laws", test_laws })
