#include "tests/unit/profiles.h"

#include "src/diff/tree.h"

/* Every difference is a change. */
static const struct diff_options samples = { .metric = "samples" }, instructions = { .metric = "Ir" };

struct pair {
	struct cg_profile *base, *head;
	struct diff *diff;
	struct tree_diff *tree;
};

/* That it can be made says that the laws hold. */
static struct pair pair_of(const char *base, const char *head, const struct diff_options *options)
{
	struct pair p = { whole_profile_of(base), whole_profile_of(head), NULL, NULL };
	struct cg_error err = { 0 };
	int status = diff_make(p.base, p.head, options, &p.diff, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	status = tree_diff_make(p.diff, &p.tree, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return p;
}

static void pair_free(struct pair *p)
{
	tree_diff_free(p->tree);
	diff_free(p->diff);
	cg_profile_free(p->base);
	cg_profile_free(p->head);
}

/* Rows as lines "  name +inclusive +self class", as deep as they stand. */
static void check(const char *base, const char *head, const struct diff_options *options,
		  const char *expected)
{
	struct pair p = pair_of(base, head, options);
	char text[4000] = "";
	size_t used = 0;

	for (uint32_t i = 1; i < p.tree->count; i++) {
		const struct tree_row *r = &p.tree->rows[i];
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "%*s%s%s %+" PRId64 " %+" PRId64 " %s\n",
					 2 * (int)(r->depth - 1), "", r->name, r->inlined ? "*" : "",
					 r->head.inclusive[0] - r->base.inclusive[0],
					 r->head.self[0] - r->base.self[0],
					 diff_class_name(tree_diff_classify(p.tree, r)));
		CHECK(r->end > i && r->end <= p.tree->rows[r->parent].end);
		CHECK_STR(diff_match_name(r->match), r->base.present && r->head.present ? "same" : "");
	}
	CHECK_STR(text, expected);
	CHECK(p.tree->exact);
	pair_free(&p);
}

static void test_paths(void)
{
	check("m;a;w 10\nm;b;w 20\nm 5\n", "m;a;w 17\nm;c;w 20\nm 5\n", &samples,
	      "m +7 +0 slower\n"
	      "  c +20 +0 new\n"
	      "    w +20 +20 new\n"
	      "  b -20 +0 removed\n"
	      "    w -20 -20 removed\n"
	      "  a +7 +0 slower\n"
	      "    w +7 +7 slower\n");
	check("m;f;f 1\n", "m;f;f 1\n", &samples,
	      "m +0 +0 unchanged\n  f +0 +0 unchanged\n    f +0 +0 unchanged\n");
	check("m;f_[i] 1\n", "m;f 3\n", &samples, "m +2 +0 slower\n  f +3 +3 new\n  f* -1 -1 removed\n");
	check("events: samples\n", "events: samples\n", &samples, "");
}

static void test_clones(void)
{
	/* One row for a function and its clones; hashes and addresses do not matter. */
	check("m;f;w 1\nm;f.constprop.0;w 2\nm;g::h0123456789abcdef 4\n",
	      "m;f;w 9\nm;g::hfedcba9876543210 4\n", &samples,
	      "m +6 +0 slower\n  f +6 +0 slower\n    w +6 +6 slower\n  g +0 +0 unchanged\n");
}

static void test_moved(void)
{
	struct pair p = pair_of("events: Ir\nob=/b/one\nfl=old.c\nfn=m\n1 5\n",
				"events: Ir\nob=/b/one\nfl=new.c\nfn=m\n1 7\n", &instructions);
	CHECK_U64(p.tree->count, 2);
	CHECK_STR(diff_match_name(p.tree->rows[1].match), "moved");
	pair_free(&p);
}

static void test_calls(void)
{
	struct pair p = pair_of("events: Ir\nfn=m\n1 5\ncfn=f\ncalls=2 1\n1 20\nfn=f\n1 20\n",
				"events: Ir Dr\nfn=m\n1 5\ncfn=f\ncalls=3 1\n1 30 4\nfn=f\n1 30 4\n",
				&instructions);
	CHECK_U64(p.tree->rows[2].base.calls, 2);
	CHECK_U64(p.tree->rows[2].head.calls, 3);
	CHECK_INT(p.tree->rows[1].head.inclusive[1], 4);
	CHECK(p.tree->exact);
	pair_free(&p);
}

static void test_estimated(void)
{
	static const char shared[] = "events: Ir\nfn=m\n1 0\ncfn=a\ncalls=1 1\n1 10\n"
				     "cfn=b\ncalls=1 1\n1 30\nfn=a\ncfn=c\ncalls=1 1\n1 10\n"
				     "fn=b\ncfn=c\ncalls=1 1\n1 30\nfn=c\n1 4\ncfn=d\ncalls=1 1\n"
				     "1 36\nfn=d\n1 36\n";
	struct pair p = pair_of("events: Ir\nfn=m\n1 5\n", shared, &instructions);
	CHECK(!p.tree->exact);
	CHECK(!p.tree->rows[1].head.estimated); /* its calls say what they cost */
	CHECK(p.tree->rows[3].head.estimated);
	pair_free(&p);
}

/* ---- any profiles at all ---- */

static uint32_t seed = 3;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * n) >> 32);
}

static void random_profile(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "events: Ir Dr\n");
	uint32_t functions = 1 + random_below(9);

	for (uint32_t lines = random_below(40); lines > 0; lines--) {
		used += (size_t)snprintf(text + used, size - used, "ob=o%u\nfn=f%u%s\n",
					 random_below(2), random_below(functions),
					 random_below(3) ? "" : ".cold");
		if (random_below(3))
			used += (size_t)snprintf(text + used, size - used,
						 "cob=o%u\ncfn=f%u%s\ncalls=%u 1\n", random_below(2),
						 random_below(functions),
						 random_below(3) ? "" : ".cold", random_below(9));
		used += (size_t)snprintf(text + used, size - used, "1 %u %s%u\n", random_below(900),
					 random_below(9) ? "" : "-", random_below(50));
	}
}

static void test_laws(void)
{
	for (int i = 0; i < 1000; i++) {
		char base[4000], head[4000];
		random_profile(base, sizeof base);
		random_profile(head, sizeof head);
		struct pair p = pair_of(base, head, &instructions);
		struct pair same = pair_of(base, base, &instructions);
		for (uint32_t k = 0; k < same.tree->count; k++)
			CHECK(same.tree->rows[k].match != DIFF_ONE_SIDED &&
			      same.tree->rows[k].base.self[0] == same.tree->rows[k].head.self[0]);
		pair_free(&p);
		pair_free(&same);
	}
}

TEST_MAIN("tree diff", { "paths", test_paths }, { "clones", test_clones }, { "moved", test_moved },
	  { "calls", test_calls }, { "estimated", test_estimated }, { "laws", test_laws })
