#include "tests/unit/trees.h"

#include "src/diff/depth.h"

/* "max mean deepest → max mean deepest", then a line "name base → head" for each row. */
static void check(const char *base, const char *head, const struct diff_options *options,
		  const char *expected)
{
	struct trees p = trees_of(base, head, options, TREE_ALL);
	struct depth_change c = { 0 };
	char text[2000];

	CHECK_INT(depth_change_make(p.tree, &c), CG_OK);
	size_t used = (size_t)snprintf(
		text, sizeof text, "%" PRIu32 " %.2f %s > %" PRIu32 " %.2f %s\n", c.base.max,
		c.base.mean, c.base.deepest ? c.base.deepest : "-", c.head.max, c.head.mean,
		c.head.deepest ? c.head.deepest : "-");
	for (size_t i = 0; i < c.count; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s %" PRIu32 " > %" PRIu32 "\n",
			p.tree->rows[c.rows[i].row].name, c.rows[i].base, c.rows[i].head);
	CHECK_STR(text, expected);
	depth_change_free(&c);
	trees_free(&p);
}

static void test_depths(void)
{
	/* 1 * 10 + 3 * 30 of 40 */
	check("m 10\nm;a;b 30\n", "m 10\nm;a;b 30\n", &samples, "3 2.50 b > 3 2.50 b\n");
	check("m 10\n", "m 10\nm;a;b;c;d 10\n", &samples, "1 1.00 m > 5 3.00 d\n");
	/* Of the deepest paths the costliest. */
	check("m;a 10\nm;b 20\nm;c 5\n", "m;a 10\n", &samples, "2 2.00 b > 2 2.00 a\n");
	check("events: samples\n", "events: samples\n", &samples, "0 0.00 - > 0 0.00 -\n");
}

/* Only where the depth changes; what is below is deeper for the same reason. */
static void test_wrapper(void)
{
	check("m;a;x 100\nm;a;x;y 50\nm;a;z 70\n", "m;w;a;x 100\nm;w;a;x;y 50\nm;w;a;z 70\n",
	      &samples, "4 3.23 y > 5 4.23 y\na 2 > 3\n");
	check("m;w;a;x 100\nm;w;a;x;y 50\n", "m;a;x 100\nm;a;x;y 50\n", &samples,
	      "5 4.33 y > 4 3.33 y\na 3 > 2\n");
}

/* Two wrappers, one in the other. */
static void test_wrappers(void)
{
	check("m;a;x 100\nm;b 7\n", "m;v;w;a;x 100\nm;b 7\n", &samples,
	      "3 2.93 x > 5 4.80 x\na 2 > 4\n");
}

/* A function that calls itself and is gone takes as many frames as it had. */
static void test_recursion(void)
{
	check("m;a;a;a;b 100000\nm;a 3000\nm;c 5\nm;x;y 300\n", "m;b 150000\nm;c 5\nm;y 400\n",
	      &samples, "5 4.91 b > 2 2.00 b\nb 5 > 2\ny 3 > 2\n");
}

/* What is inlined takes no frame. */
static void test_inlined(void)
{
	check("m;a;x 100\n", "m;a_[i];x 100\n", &samples, "3 3.00 x > 2 2.00 x\na 2 > 1\n");
	check("m;a_[i];x_[i] 100\n", "m;a_[i];x_[i] 100\n", &samples, "1 1.00 x > 1 1.00 x\n");
}

static void test_random(void)
{
	for (int i = 0; i < 500; i++) {
		char base[4000], head[4000];
		struct depth_change c = { 0 };
		random_stacks(base, sizeof base);
		random_stacks(head, sizeof head);
		struct trees p = trees_of(base, head, &samples, TREE_ALL);
		CHECK_INT(depth_change_make(p.tree, &c), CG_OK);
		CHECK(c.base.mean <= c.base.max && c.head.mean <= c.head.max);
		for (size_t k = 0; k < c.count; k++) {
			CHECK(c.rows[k].row < p.tree->count);
			/* Some paths have no cost of their own. */
			CHECK(c.rows[k].base <= p.tree->base->count &&
			      c.rows[k].head <= p.tree->head->count);
		}
		depth_change_free(&c);
		trees_free(&p);
	}
}

TEST_MAIN("depth", { "depths", test_depths }, { "wrapper", test_wrapper },
	  { "wrappers", test_wrappers }, { "recursion", test_recursion },
	  { "inlined", test_inlined }, { "laws", test_random })
