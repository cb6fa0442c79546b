#include "src/flame/flame.h"

#include "tests/unit/trees.h"

/* Frames as lines "  name x+width self base>head". */
static void describe(const struct flame *f, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < f->count; i++) {
		const struct flame_frame *n = &f->frames[i];
		struct flame_values v = flame_values(f, i);
		used += (size_t)snprintf(
			text + used, size - used,
			"%*s%s %" PRIu64 "+%" PRIu64 " %" PRId64 ">%" PRId64 "%s\n",
			2 * (int)n->depth, "", i ? f->functions[n->function].name : "all", n->x,
			n->width, v.base_self, v.head_self,
			n->head.present ? n->base.present ? "" : " new" : " gone");
	}
}

/* What holds for every graph: it is a tree of nested intervals, and nothing is lost. */
static void check_laws(const struct flame *f, int64_t base, int64_t head)
{
	struct flame_values sum = { 0 };
	for (uint32_t i = 0; i < f->count; i++) {
		const struct flame_frame *n = &f->frames[i], *above = &f->frames[n->parent];
		struct flame_values v = flame_values(f, i);
		sum.base_self += v.base_self;
		sum.head_self += v.head_self;
		CHECK(i == 0 || n->parent < i);
		CHECK(n->end > i && n->end <= above->end);
		CHECK(n->x >= above->x && n->x + n->width <= above->x + above->width);
		CHECK((int64_t)n->width >= v.base_inclusive &&
		      (int64_t)n->width >= v.head_inclusive);
	}
	CHECK_INT(sum.base_self, base);
	CHECK_INT(sum.head_self, head);
	CHECK_INT(flame_values(f, 0).base_inclusive, base);
	CHECK_INT(flame_values(f, 0).head_inclusive, head);
}

static struct flame *graph_of(const struct trees *p)
{
	struct cg_error err = { 0 };
	struct flame *f = NULL;
	REQUIRE_INT(flame_of_diff(p->tree, &f, &err), CG_OK);
	return f;
}

static struct flame *made_of(const struct flame *f, const struct flame_options *options)
{
	struct cg_error err = { 0 };
	struct flame *made = NULL;
	REQUIRE_INT(flame_make(f, options, &made, &err), CG_OK);
	return made;
}

static void check(const char *base, const char *head, const struct flame_options *options,
		  int64_t base_total, int64_t head_total, const char *expected)
{
	struct trees p = trees_of(base, head, &samples, TREE_ALL);
	struct flame *f = graph_of(&p), *made = made_of(f, options);
	char text[4000];

	check_laws(f, p.diff->base->total[0], p.diff->head->total[0]);
	check_laws(made, base_total, head_total);
	describe(made, text, sizeof text);
	CHECK_STR(text, expected);
	flame_free(made);
	flame_free(f);
	trees_free(&p);
}

static const struct flame_options plain = { .depth = 0 };

static void test_widths(void)
{
	/* As wide as the larger side. */
	check("m;f 10\nm 1\n", "m;f 30\nm 1\n", &plain, 11, 31,
	      "all 0+31 0>0\n  m 0+31 1>1\n    f 0+30 10>30\n");
	/* What base called and what head calls instead stand side by side, and their caller
	 * is as wide as both. */
	check("m;f 10\n", "m;g 10\n", &plain, 10, 10,
	      "all 0+20 0>0\n  m 0+20 0>0\n    f 0+10 10>0 gone\n    g 10+10 0>10 new\n");
	/* The widest first, then by name; and no frame without a cost. */
	check("m;b 5\nm;a 5\nm;c 9\n", "m;b 5\nm;a 5\nm;c 9\nm;d 0\n", &plain, 19, 19,
	      "all 0+19 0>0\n  m 0+19 0>0\n    c 0+9 9>9\n    a 9+5 5>5\n    b 14+5 5>5\n");
}

static void choose(const struct trees *p, const char *root, int status, const char *expected)
{
	struct cg_error err = { 0 };
	struct flame *f = graph_of(p);
	bool *is_root = NULL;
	char text[4000];

	CHECK_INT(flame_find_root(f, root, &is_root, &err), status);
	if (!status) {
		struct flame *made = made_of(f, &(struct flame_options){ .is_root = is_root });
		check_laws(made, p->diff->base->total[0], p->diff->head->total[0]);
		describe(made, text, sizeof text);
		CHECK_STR(text, expected);
		flame_free(made);
	}
	free(is_root);
	flame_free(f);
}

static void test_roots(void)
{
	const char *stacks =
		"start;main;f;g 4\nstart;main;f 2\nstart;h;f 8\nstart 1\nthread;f 16\nt2 3\n";
	struct trees p = trees_of(stacks, stacks, &samples, TREE_ALL);

	choose(&p, "", CG_OK,
	       "all 0+34 0>0\n  thread 0+16 0>0\n    f 0+16 16>16\n  start 16+15 1>1\n    h 16+8 0>0\n"
	       "      f 16+8 8>8\n    main 24+6 0>0\n      f 24+6 2>2\n        g 24+4 4>4\n  t2 31+3 3>3\n");
	/* Stacks that never get there stay; what else is below their way is outside. */
	choose(&p, "main", CG_OK,
	       "all 0+34 0>0\n  thread 0+16 0>0\n    f 0+16 16>16\n  [outside] 16+9 0>0\n    start 16+9 1>1\n"
	       "      h 16+8 0>0\n        f 16+8 8>8\n  main 25+6 0>0\n    f 25+6 2>2\n      g 25+4 4>4\n"
	       "  t2 31+3 3>3\n");
	/* Of all places at which it is called, one frame. */
	choose(&p, "f", CG_OK,
	       "all 0+34 0>0\n  f 0+30 26>26\n    g 0+4 4>4\n  t2 30+3 3>3\n  [outside] 33+1 0>0\n"
	       "    start 33+1 1>1\n");
	choose(&p, "x", CG_EINVAL, NULL);
	trees_free(&p);
}

static void test_reversed(void)
{
	const struct flame_options reversed = { .reversed = true };
	const struct flame_options one = { .reversed = true, .depth = 1 };
	/* Who spends it is on top, once, whoever called it. */
	check("m;a;f 4\nm;b;f 2\nm;a 1\n", "m;a;f 4\nm;b;f 5\nm;a 1\n", &reversed, 7, 10,
	      "all 0+10 0>0\n  f 0+9 0>0\n    b 0+5 0>0\n      m 0+5 2>5\n    a 5+4 0>0\n      m 5+4 4>4\n"
	      "  a 9+1 0>0\n    m 9+1 1>1\n");
	check("m;a;f 4\nm;b;f 2\nm;a 1\n", "m;a;f 4\nm;b;f 5\nm;a 1\n", &one, 7, 10,
	      "all 0+10 0>0\n  f 0+9 6>9\n  a 9+1 1>1\n");
	/* Recursion counts once. */
	check("m;f;f;f 3\nm;f 1\n", "m;f;f;f 3\nm;f 1\n", &one, 4, 4, "all 0+4 0>0\n  f 0+4 4>4\n");
	/* What is too little to be seen is one frame. */
	check("m;f 1000000\nm;g 1\nm;h 1\n", "m;f 1000000\nm;g 1\nm;h 1\n", &one, 1000002, 1000002,
	      "all 0+1000002 0>0\n  f 0+1000000 1000000>1000000\n  [smaller] 1000000+2 2>2\n");
}

static struct pattern *compiled(const char *regex)
{
	struct cg_error err = { 0 };
	struct pattern *pattern = NULL;
	REQUIRE_INT(pattern_compile(regex, &pattern, &err), CG_OK);
	return pattern;
}

static void test_filters(void)
{
	const char *stacks = "m;a;f 4\nm;a;f;x 3\nm;b 2\nm 1\n";
	struct pattern *f = compiled("^f$"), *x = compiled("^x$");
	const struct flame_options with = { .filter = f }, without = { .ignore = x };
	const struct flame_options both = { .filter = f, .ignore = x }, two = { .depth = 2 };

	/* All of a stack, below and above what matches. */
	check(stacks, stacks, &with, 7, 7,
	      "all 0+7 0>0\n  m 0+7 0>0\n    a 0+7 0>0\n      f 0+7 4>4\n        x 0+3 3>3\n");
	check(stacks, stacks, &without, 7, 7,
	      "all 0+7 0>0\n  m 0+7 1>1\n    a 0+4 0>0\n      f 0+4 4>4\n    b 4+2 2>2\n");
	check(stacks, stacks, &both, 4, 4,
	      "all 0+4 0>0\n  m 0+4 0>0\n    a 0+4 0>0\n      f 0+4 4>4\n");
	/* What is deeper counts for the last function. */
	check(stacks, stacks, &two, 10, 10,
	      "all 0+10 0>0\n  m 0+10 1>1\n    a 0+7 7>7\n    b 7+2 2>2\n");
	pattern_free(f);
	pattern_free(x);
}

static void limit(const struct flame *f, size_t most, uint64_t left_out, const char *expected)
{
	struct cg_error err = { 0 };
	struct flame *limited = NULL;
	char text[4000];

	REQUIRE_INT(flame_limit(f, most, &limited, &err), CG_OK);
	check_laws(limited, 21, 23);
	CHECK_U64(flame_left_out(limited), left_out);
	describe(limited, text, sizeof text);
	CHECK_STR(text, expected);
	flame_free(limited);
}

static void test_limited(void)
{
	struct trees p = trees_of("m;a;x 1\nm;a;y 2\nm;a 9\nm;b;x 1\nm;b;z 1\nm 7\n",
				  "m;a;x 1\nm;a;y 4\nm;a 9\nm;b;x 1\nm;b;z 1\nm 7\n", &samples,
				  TREE_ALL);
	struct flame *f = graph_of(&p);
	const char *whole = "all 0+23 0>0\n  m 0+23 7>7\n    a 0+14 9>9\n      y 0+4 2>4\n"
			    "      x 4+1 1>1\n    b 14+2 0>0\n      x 14+1 1>1\n      z 15+1 1>1\n";

	limit(f, 100, 0, whole);
	limit(f, f->count, 0, whole);
	/* What is left out below one frame is one frame, with what is below that. */
	limit(f, 5, 3,
	      "all 0+23 0>0\n  m 0+23 7>7\n    a 0+14 9>9\n      y 0+4 2>4\n"
	      "      [smaller] 4+1 1>1\n    b 14+2 0>0\n      [smaller] 14+2 2>2\n");
	/* Of equals that would be too many, none is there. */
	limit(f, 7, 3,
	      "all 0+23 0>0\n  m 0+23 7>7\n    a 0+14 9>9\n      y 0+4 2>4\n"
	      "      [smaller] 4+1 1>1\n    b 14+2 0>0\n      [smaller] 14+2 2>2\n");
	limit(f, 3, 5,
	      "all 0+23 0>0\n  m 0+23 7>7\n    a 0+14 9>9\n      [smaller] 0+5 3>5\n"
	      "    [smaller] 14+2 2>2\n");
	flame_free(f);
	trees_free(&p);
}

static void test_one_profile(void)
{
	struct trees p = trees_of("m 1\n", "m;a_[i];f 4\nm 2\n", &samples, TREE_ALL);
	struct cg_error err = { 0 };
	struct flame *f = NULL;
	char text[4000];

	CHECK_INT(flame_of_profile(p.diff->head, "Ir", &f, &err), CG_EINVAL);
	REQUIRE_INT(flame_of_profile(p.diff->head, "samples", &f, &err), CG_OK);
	check_laws(f, 0, 6);
	describe(f, text, sizeof text);
	CHECK_STR(text,
		  "all 0+6 0>0 new\n  m 0+6 0>2 new\n    a 0+4 0>0 new\n      f 0+4 0>4 new\n");
	CHECK(!f->frames[1].head.inlined);
	CHECK(f->frames[2].head.inlined);
	flame_free(f);
	trees_free(&p);
}

TEST_MAIN("flame",
	  { "a frame is as wide as the larger side, and as what is below it", test_widths },
	  { "paths begin where they are told", test_roots },
	  { "callers stand below what they call", test_reversed },
	  { "stacks are chosen whole", test_filters },
	  { "of too many frames the widest are kept, and nothing is lost", test_limited },
	  { "one profile is a graph, too", test_one_profile })
