#include "tests/unit/trees.h"

#include "callgrind/support/number.h"
#include "src/diff/causes.h"

struct found {
	struct trees trees;
	struct causes *causes;
};

/* That they can be made says that they add up. */
static struct found causes_of(const char *base, const char *head,
			      const struct diff_options *options)
{
	struct found f = { trees_of(base, head, options, TREE_ALL), NULL };
	struct cg_error err = { 0 };
	int status = causes_make(f.trees.tree, &f.causes, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return f;
}

static void found_free(struct found *f)
{
	causes_free(f->causes);
	trees_free(&f->trees);
}

/* Causes as lines "+delta caller -> function: reason (calls -> calls)". */
static void check(const char *base, const char *head, const struct diff_options *options,
		  const char *expected)
{
	struct found f = causes_of(base, head, options);
	char text[4000] = "";
	size_t used = 0;

	for (size_t i = 0; i < f.causes->count; i++) {
		const struct cause *c = &f.causes->items[i];
		const struct tree_row *rows = f.trees.tree->rows;
		bool called = c->kind != CAUSE_OWN_CODE && c->caller;
		used += (size_t)snprintf(text + used, sizeof text - used, "%+" PRId64 " %s%s%s: %s",
					 c->delta, called ? rows[c->caller].name : "",
					 called ? " -> " : "", rows[c->row].name, cause_reason(c));
		if (c->base_calls || c->head_calls)
			used += (size_t)snprintf(text + used, sizeof text - used,
						 " (%" PRIu64 " -> %" PRIu64 ")", c->base_calls,
						 c->head_calls);
		used += (size_t)snprintf(text + used, sizeof text - used, "\n");
	}
	CHECK_STR(text, expected);
	found_free(&f);
}

/* main calls record 100 times, record calls field, and field calls hash as often. */
static void write_records(char *text, size_t size, unsigned fields, unsigned record, unsigned hash)
{
	unsigned each = 40 + hash, all = fields * each;
	snprintf(text, size,
		 "events: Ir\nfn=main\n1 500\ncfn=record\ncalls=100 1\n1 %u\n"
		 "fn=record\n1 %u\ncfn=field\ncalls=%u 1\n1 %u\n"
		 "fn=field\n1 %u\ncfn=hash\ncalls=%u 1\n1 %u\nfn=hash\n1 %u\n",
		 record + all, record, fields, all, fields * 40, fields, fields * hash,
		 fields * hash);
}

/* Who calls three times as often is to blame, not where the cost was measured: 1,600
 * calls of 300 each, and 4,000 more of its own code. */
static void test_calls(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 2400, 24000, 260);
	check(base, head, &instructions,
	      "+480000 record -> field: calls it more often (800 -> 2400)\n"
	      "+4000 record: own code (100 -> 100)\n");
	check(head, base, &instructions,
	      "-480000 record -> field: calls it less often (2400 -> 800)\n"
	      "-4000 record: own code (100 -> 100)\n");
}

/* Three times as often, and each call costs 60 more: 1,600 calls of 360 for who calls,
 * 60 for each of the other 800 for hash. */
static void test_calls_and_cost(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 2400, 20000, 320);
	check(base, head, &instructions,
	      "+576000 record -> field: calls it more often (800 -> 2400)\n"
	      "+48000 hash: own code (800 -> 2400)\n");
}

/* Half as many calls of twice the work each: nobody decided anything. */
static void test_divided_otherwise(void)
{
	char base[1000], head[1000];
	write_records(base, sizeof base, 800, 20000, 260);
	write_records(head, sizeof head, 400, 20000, 560);
	check(base, head, &instructions,
	      "+16000 hash: own code (800 -> 400)\n-16000 field: own code (800 -> 400)\n");
}

static void test_new_and_removed(void)
{
	check("m;a;w 10\nm;b;w 20\nm 5\n", "m;a;w 17\nm;c;v 30\nm 5\n", &samples,
	      "+30 m -> c: calls something new\n-20 m -> b: no longer calls it\n+7 w: own code\n");
	check("m 5\ngone 7\n", "m 5\nstart;k 8\n", &samples,
	      "+8 start: is new\n-7 gone: is gone\n");
	/* New below one caller, more expensive below another. */
	check("m;a;w 10\nm;b 20\n", "m;a;w 12\nm;b 20\nm;b;w 5\n", &samples,
	      "+5 b -> w: calls something new\n+2 w: own code\n");
	check("events: samples\n", "events: samples\n", &samples, "");
}

/* Inlined code has no calls: it is as frequent as the code around it. */
static void test_inlined(void)
{
	check("m;f_[i] 10\n", "m;f_[i] 25\n", &samples, "+15 f: own code\n");
	check("m;f_[i] 10\nm;f_[i];g 5\n", "m;f 25\nm;f;g 5\n", &samples, "+15 f: own code\n");
	/* One of two calls was inlined: nobody calls it less often. */
	check("events: Ir\nfn=m\n1 5\ncfn=f\ncalls=8 1\n1 80\n1 0\nfn=f\n1 80\n",
	      "events: Ir\nfn=m\n1 5\ncfn=f\ncalls=4 1\n1 40\nfn=f\n1 40\n", &instructions,
	      "-40 m -> f: calls it less often (8 -> 4)\n");
	check("m 5\nm;f 80\nm;f_[i] 10\n", "m 5\nm;f 40\nm;f_[i] 38\n", &samples,
	      "-12 f: own code\n");
	/* Half inlined: 9 + 30 instead of 10. */
	check("m;f 10\nm;f;g 5\n", "m;f_[i] 9\nm;f_[i];f.part.0 30\nm;f_[i];f.part.0;g 5\n",
	      &samples, "+29 f: own code\n");
}

static void test_added_up(void)
{
	check("m;a;w 10\nm;b;w 20\n", "m;a;w 15\nm;b;w 22\n", &samples, "+7 w: own code\n");
	struct found f = causes_of("m;a;w 10\nm;b;w 20\n", "m;a;w 15\nm;b;w 22\n", &samples);
	CHECK_U64(f.causes->count, 1);
	CHECK_U64(f.causes->items[0].paths, 2);
	CHECK_INT(f.causes->items[0].base_cost, 30);
	CHECK_INT(f.causes->items[0].head_cost, 37);
	CHECK_INT(f.causes->delta, 7);
	CHECK_U64(f.causes->sum_of_sizes, 7);
	found_free(&f);
}

/* Counts and costs at the ends of their ranges. */
static void test_huge(void)
{
	check("events: Ir\nfn=m\n1 0\ncfn=f\ncalls=18446744073709551615 1\n1 9223372036854775807\n"
	      "fn=f\n1 9223372036854775807\n",
	      "events: Ir\nfn=m\n1 0\ncfn=f\ncalls=1 1\n1 5\nfn=f\n1 5\n", &instructions,
	      "-9223372036854775807 m -> f: calls it less often (18446744073709551615 -> 1)\n"
	      "+5 f: own code (18446744073709551615 -> 1)\n");
}

/* ---- any profiles at all ---- */

/* Exchanging both sides changes signs only; without a difference there is no cause. */
static void check_laws(const char *base, const char *head, const struct diff_options *options)
{
	struct found f = causes_of(base, head, options), mirrored = causes_of(head, base, options);
	struct found same = causes_of(head, head, options);
	__int128 sum = 0;

	for (size_t i = 0; i < f.causes->count; i++)
		sum += f.causes->items[i].delta;
	CHECK(sum == f.causes->delta);
	CHECK_INT(f.causes->delta, -mirrored.causes->delta);
	CHECK(f.causes->sum_of_sizes >= cg_magnitude(f.causes->delta));
	CHECK_U64(f.causes->sum_of_sizes, mirrored.causes->sum_of_sizes);
	CHECK_U64(same.causes->count, 0);
	found_free(&f);
	found_free(&mirrored);
	found_free(&same);
}

static void test_laws(void)
{
	for (int i = 0; i < 500; i++) {
		char base[4000], head[4000];
		random_calls(base, sizeof base);
		random_calls(head, sizeof head);
		check_laws(base, head, &instructions);
		random_stacks(base, sizeof base);
		random_stacks(head, sizeof head);
		check_laws(base, head, &samples);
	}
}

TEST_MAIN("causes", { "calls", test_calls }, { "calls and cost", test_calls_and_cost },
	  { "divided otherwise", test_divided_otherwise },
	  { "new and removed", test_new_and_removed }, { "inlined", test_inlined },
	  { "added up", test_added_up }, { "huge", test_huge }, { "laws", test_laws })
