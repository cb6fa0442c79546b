#include "tests/unit/tree_laws.h"

/* The tree as text: "a 3{b 2 c 1}", with self costs of an event; inlined nodes have *,
 * estimated ones ~, truncated ones +, cut ones !. */
static void describe(const struct cg_tree *t, uint32_t event, char *text, size_t size)
{
	size_t used = 0;
	uint32_t open[64], depth = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		const struct cg_tree_node *node = &t->nodes[i];
		const char *name = node->outside
					   ? CG_TREE_OUTSIDE
					   : cg_string(t->profile,
						       t->profile->functions[node->function].name);
		used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s%s %" PRId64,
					 i > 1 && node->parent != i - 1 ? " " : "", name,
					 node->inlined ? "*" : "", node->estimated ? "~" : "",
					 node->truncated ? "+" : "", node->cut ? "!" : "",
					 t->self[(size_t)i * t->profile->nevents + event]);
		if (node->end > i + 1) {
			REQUIRE(depth < 64);
			open[depth++] = node->end;
			used += (size_t)snprintf(text + used, size - used, "{");
		}
		for (; depth && open[depth - 1] == i + 1; depth--)
			used += (size_t)snprintf(text + used, size - used, "}");
	}
	text[used] = '\0';
}

static void is_tree(const struct cg_profile *p, uint32_t event, const char *expected)
{
	char text[4000];
	struct cg_tree *t = tree_of(p);
	check_laws(t);
	describe(t, event, text, sizeof text);
	CHECK_STR(text, expected);
	cg_tree_free(t);
}

static void check(const char *profile, const char *expected)
{
	struct cg_profile *p = whole_profile_of(profile);
	is_tree(p, 0, expected);
	cg_profile_free(p);
}

static void test_stacks(void)
{
	check("m;a;w 1\nm;b;w 2\nm 4\n", "m 4{b 0{w 2} a 0{w 1}}");
	check("m;f;f;f 3\nm;f;g;f 4\nx 9\n", "x 9 m 0{f 0{g 0{f 4} f 0{f 3}}}");
	check("m;a_[i];c 1\nm;a;c 2\n", "m 0{a 0{c 2} a* 0{c 1}}");
	/* Names that a context could not tell apart. */
	check("m;a'b;c 1\nm;b;a;c 2\n", "m 0{b 0{a 0{c 2}} a'b 0{c 1}}");
	check("b;a 1\nc;a 1\n", "b 0{a 1} c 0{a 1}");
}

static void test_calls(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr\n"
					  "fn=m\n1 1\ncfn=a\ncalls=2 1\n1 60 5\n"
					  "cfn=b\ncalls=7 1\n1 40 7\n"
					  "fn=a\n1 60 5\nfn=b\n1 40 7\n");
	struct cg_tree *t = tree_of(p);
	CHECK(t->exact);
	CHECK_U64(t->nodes[2].calls, 2);
	CHECK_U64(t->nodes[3].calls, 7);
	cg_tree_free(t);
	is_tree(p, 1, "m 0{a 5 b 7}");
	cg_profile_free(p);
}

/* c is called by a and b; what is below it is shared out 1 : 3. */
static void test_shared(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr\n"
					  "fn=m\n1 4\ncfn=a\ncalls=1 1\n1 30 9\n"
					  "cfn=b\ncalls=1 1\n1 80 1\n"
					  "fn=a\n1 10 1\ncfn=c\ncalls=1 1\n1 20 8\n"
					  "fn=b\n1 20\ncfn=c\ncalls=3 1\n1 60 1\n"
					  "fn=c\n1 40 5\ncfn=d\ncalls=4 1\n1 40 4\n"
					  "fn=d\n1 40 4\n");
	is_tree(p, 0, "m 4{b 20{c~ 30{d~ 30}} a 10{c~ 10{d~ 10}}}");
	/* The costs of every event follow its own calls; what division leaves stays above. */
	is_tree(p, 1, "m 0{b 0{c~ 1{d~ 0}} a 1{c~ 5{d~ 3}}}");
	cg_profile_free(p);
}

/* A leaf costs in each caller what the call says. */
static void test_leaf(void)
{
	check("events: Ir\nfn=m\n1 1\ncfn=a\ncalls=1 1\n1 7\ncfn=w\ncalls=2 1\n1 4\n"
	      "fn=a\n1 2\ncfn=w\ncalls=1 1\n1 5\nfn=w\n1 9\n",
	      "m 1{a 2{w 5} w 4}");
}

static void test_recursion(void)
{
	/* Levels show the path; beyond the last one all is folded. */
	check("events: Ir\nfn=m\n1 1\ncfn=f\ncalls=1 1\n1 60\n"
	      "fn=f\n1 10\ncfn=f'2\ncalls=1 1\n1 50\n"
	      "fn=f'2\n1 30\ncfn=f'2\ncalls=5 1\n1 90\ncfn=g\ncalls=1 1\n1 20\nfn=g\n1 20\n",
	      "m 1{f 10{f 30{g 20}}}");
	/* a and b call each other: cut where main enters. */
	check("events: Ir\nfn=m\n1 1\ncfn=a\ncalls=1 1\n1 60\n"
	      "fn=a\n1 20\ncfn=b\ncalls=9 1\n1 300\nfn=b\n1 40\ncfn=a\ncalls=8 1\n1 260\n",
	      "m 1{a+ 20{b+ 40}}");
	/* A cycle that nobody enters. */
	check("events: Ir\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 2\nfn=b\n1 0\ncfn=a\ncalls=1 1\n1 2\n",
	      "a+ 1{b+ 0}");
	/* The cycle of b and c is entered by both: who called whom is not known. */
	check("events: Ir\nfn=m\n1 1\ncfn=b\ncalls=1 1\n1 60\ncfn=c\ncalls=1 1\n1 40\n"
	      "fn=b\n1 50\ncfn=c\ncalls=1 1\n1 50\nfn=c\n1 50\ncfn=b\ncalls=1 1\n1 40\n",
	      "m 1{b~+ 50{c~+ 27} c~ 23}");
	/* So is that of a and b, by way of x, which calls b. */
	check("events: Ir\nfn=m\n1 1\ncfn=a\ncalls=1 1\n1 90\ncfn=x\ncalls=1 1\n1 9\n"
	      "fn=a\n1 50\ncfn=b\ncalls=1 1\n1 50\n"
	      "fn=b\n1 47\ncfn=a\ncalls=1 1\n1 10\nfn=x\n1 2\ncfn=b\ncalls=1 1\n1 7\n",
	      "m 1{a~+ 50{b~+ 41} x 2{b~ 6}}");
}

/* A function that calls itself adds nothing to a context: its levels are one node,
 * or what they call would have several ways in. */
static void test_levels_in_contexts(void)
{
	check("events: Ir\nfn=m\n1 1\ncfn=f'm\ncalls=1 1\n1 100\n"
	      "fn=f'm\n1 10\ncfn=f'2'm\ncalls=1 1\n1 80\ncfn=g'f'm\ncalls=1 1\n1 10\n"
	      "fn=f'2'm\n1 50\ncfn=g'f'm\ncalls=2 1\n1 30\n"
	      "fn=g'f'm\n1 28\ncfn=h'g'f'm\ncalls=1 1\n1 12\nfn=h'g'f'm\n1 12\n",
	      "m 1{f 60{g 28{h 12}}}");
	/* By way of g, f is at its third level or, if it called itself, at its fourth. */
	check("events: Ir\nfn=m\n1 1\ncfn=f'm\ncalls=1 1\n1 90\n"
	      "fn=f'm\n1 10\ncfn=f'2'm\ncalls=1 1\n1 50\ncfn=g'f'm\ncalls=1 1\n1 30\n"
	      "fn=f'2'm\n1 20\ncfn=g'f'm\ncalls=1 1\n1 30\n"
	      "fn=g'f'm\n1 2\ncfn=f'2'g'f'm\ncalls=1 1\n1 29\ncfn=f'3'g'f'm\ncalls=1 1\n1 29\n"
	      "fn=f'2'g'f'm\n1 9\ncfn=h'f'g'f'm\ncalls=1 1\n1 20\n"
	      "fn=f'3'g'f'm\n1 9\ncfn=h'f'g'f'm\ncalls=1 1\n1 20\n"
	      "fn=h'f'g'f'm\n1 30\ncfn=i'h'f'g'f'm\ncalls=1 1\n1 10\nfn=i'h'f'g'f'm\n1 10\n",
	      "m 1{f 30{g 2{f 18{h 30{i 10}}}}}");
	/* Contexts of one caller: here the levels of f tell what g called from what m did. */
	check("events: Ir\nfn=m\n1 1\ncfn=f'm\ncalls=1 1\n1 90\n"
	      "fn=f'm\n1 10\ncfn=g'f\ncalls=1 1\n1 80\n"
	      "fn=g'f\n1 20\ncfn=f'2'g\ncalls=1 1\n1 60\n"
	      "fn=f'2'g\n1 15\ncfn=f'3'g\ncalls=1 1\n1 45\n"
	      "fn=f'3'g\n1 5\ncfn=g'2'f\ncalls=1 1\n1 40\n"
	      "fn=g'2'f\n1 30\ncfn=f'4'g\ncalls=1 1\n1 10\nfn=f'4'g\n1 10\n",
	      "m 1{f 10{g 20{f 20{g 30{f 10}}}}}");
	/* The outermost function may call itself, too. */
	check("events: Ir\nfn=m\n1 1\ncfn=m'2\ncalls=1 1\n1 30\ncfn=g'm\ncalls=1 1\n1 9\n"
	      "fn=m'2\n1 10\ncfn=g'm\ncalls=1 1\n1 20\n"
	      "fn=g'm\n1 9\ncfn=h'g'm\ncalls=1 1\n1 20\nfn=h'g'm\n1 20\n",
	      "m 11{g 9{h 20}}");
	/* Two functions of one name are two ways, and the calls alone say how much is whose. */
	check("events: Ir\nfl=1.c\nfn=m\n1 0\ncfi=1.c\ncfn=f'm\ncalls=1 1\n1 30\n"
	      "cfi=2.c\ncfn=f'm\ncalls=1 1\n1 10\n"
	      "fl=1.c\nfn=f'm\n1 0\ncfn=g'f'm\ncalls=1 1\n1 30\n"
	      "fl=2.c\nfn=f'm\n1 0\ncfi=1.c\ncfn=g'f'm\ncalls=1 1\n1 10\n"
	      "fl=1.c\nfn=g'f'm\n1 20\ncfn=h'g'f'm\ncalls=1 1\n1 20\nfn=h'g'f'm\n1 20\n",
	      "m 0{f 0{g~ 15{h~ 15}} f 0{g~ 5{h~ 5}}}");
}

/* What is inlined into f calls f: that is f calling itself, in contexts and here. */
static void test_inlined(void)
{
	check("events: Ir\nfl=x.c\nfn=m\n1 1\ncfn=f'm\ncalls=1 1\n1 75\n"
	      "fn=f'm\n1 10\nfi=x.c\ncfni=g\n2 5\ncfn=f'2'm\ncalls=1 1\n2 60\n"
	      "fe=x.c\ncfni=\?\?\?\n"
	      "fn=f'2'm\n1 20\nfi=x.c\ncfni=g\n2 7\ncfn=h'f'm\ncalls=1 1\n2 33\n"
	      "fe=x.c\ncfni=\?\?\?\n"
	      "fn=h'f'm\n1 3\ncfn=i'h'f'm\ncalls=1 1\n1 30\nfn=i'h'f'm\n1 30\n",
	      "m 1{f 30{g* 12{h 3{i 30}}}}");
}

static void test_roots(void)
{
	/* The thread's first function is called for 5 and costs 100. */
	check("events: Ir\nfn=m\n1 3\ncfn=clone\ncalls=1 1\n1 5\n"
	      "fn=clone\n1 10\ncfn=work\ncalls=1 1\n1 90\nfn=work\n1 90\n",
	      "clone~ 10{work~ 85} m 3{clone~ 1{work~ 4}}");
	/* Calls that cost more than what was called: Valgrind's slip. */
	check("events: Ir\nfn=m\n1 3\ncfn=x\ncalls=1 1\n1 6\nfn=x\n1 4\n", "m 3{x 4}");
	check("events: Ir\nfn=m\n", "");
}

static void test_signs(void)
{
	check("events: mem\nfn=m\n1 -5\ncfn=a\ncalls=1 1\n1 20\ncfn=b\ncalls=1 1\n1 -20\n"
	      "fn=a\n1 20\nfn=b\n1 -30\ncfn=c\ncalls=1 1\n1 10\nfn=c\n1 10\n",
	      "m -5{a 20 b -30{c 10}}");
	check("events: mem\nfn=m\n1 -5\ncfn=a\ncalls=1 1\n1 3\ncfn=b\ncalls=1 1\n1 -1\n"
	      "fn=a\n1 5\ncfn=c\ncalls=1 1\n1 -2\nfn=b\n1 1\ncfn=c\ncalls=1 1\n1 -2\n"
	      "fn=c\n1 -10\ncfn=d\ncalls=1 1\n1 6\nfn=d\n1 6\n",
	      "m -5{a 5{c~ -5{d~ 3}} b 1{c~ -5{d~ 3}}}");
	/* A call that cost 3 more than the -5 of its callee: where costs are negative, -8 came from
	 * elsewhere. */
	check("events: mem\nfn=m\n1 1\ncfn=f\ncalls=1 1\n1 3\nfn=f\n1 -5\n", "f -8 m 1{f 3}");
	/* The total fits, though the sum of the first roots does not. */
	check("creator: callgrind-3.22.0\nevents: mem\nfl=a\nfn=f\n2 5908722711110090749\n"
	      "fl=b\nfn=m\n1 -144115188075855871\ncfi=b\ncfn=f\ncalls=8 2\n"
	      "1 5764607523034234877\ntotals: 5764607523034234878\n",
	      "f 5908722711110090749 f -5764607523034234877 "
	      "m -144115188075855871{f 5764607523034234877}");
}

/* The same without marks. */
static void check_costs(const char *profile, const char *expected)
{
	struct cg_profile *p = whole_profile_of(profile);
	struct cg_tree *t = tree_of(p);
	char text[4000], *to = text;

	check_laws(t);
	describe(t, 0, text, sizeof text);
	for (const char *from = text; *from; from++)
		if (!strchr("~+!", *from))
			*to++ = *from;
	*to = '\0';
	CHECK_STR(text, expected);
	cg_tree_free(t);
	cg_profile_free(p);
}

/* A cycle is cut where most cost comes into it, by the metric: into z 110, into b 20. */
static void test_cut(void)
{
	check_costs(
		"events: Ir\nfn=z\n1 100\ncfn=b\ncalls=1 1\n1 10\nfn=b\n1 30\ncfn=z\ncalls=1 1\n1 0\n",
		"z 100{b 10} b 20");
	check_costs(
		"events: Ir Dr\nfn=z\n1 100 1\ncfn=b\ncalls=1 1\n1 10 1\nfn=b\n1 30 2\ncfn=z\ncalls=1 1\n1 0 0\n",
		"z 100{b 10} b 20");
}

/* 40 functions, each of which calls the next by two ways: 2^40 paths. */
static void test_ladder(void)
{
	enum { STEPS = 40 };
	char text[16000];
	size_t used = (size_t)snprintf(text, sizeof text, "events: Ir\n");
	int64_t half = INT64_C(1) << 50; /* of what the next one costs */

	used += (size_t)snprintf(text + used, sizeof text - used, "fn=f%d\n1 %" PRId64 "\n", STEPS,
				 2 * half);
	for (int i = STEPS; i-- > 0; half += 2) {
		for (int k = 0; k < 2; k++)
			used += (size_t)snprintf(text + used, sizeof text - used,
						 "fn=s%d_%d\n1 2\ncfn=f%d\ncalls=1 1\n1 %" PRId64
						 "\nfn=f%d\ncfn=s%d_%d\ncalls=1 1\n1 %" PRId64 "\n",
						 i, k, i + 1, half, i, i, k, half + 2);
	}
	struct cg_profile *p = profile_of(text);

	struct cg_tree *t = tree_of(p);
	check_laws(t);
	CHECK(!t->exact);
	CHECK(t->count > 1000 && t->count <= 100000 + 10);
	cg_tree_free(t);

	struct cg_tree_options few = { .max_nodes = 20 };
	t = tree_with(p, &few);
	check_laws(t);
	CHECK(t->count <= 25);
	cg_tree_free(t);

	struct cg_tree_options large = { .min_share_ppb = 300000000 };
	t = tree_with(p, &large);
	check_laws(t);
	CHECK(t->count < 20);
	cg_tree_free(t);
	cg_profile_free(p);
}

static void test_deep(void)
{
	enum { DEPTH = 100000 };
	char *text = malloc(3 * DEPTH + 200), *at = text;
	REQUIRE(text != NULL);
	for (int i = 0; i < DEPTH; i++)
		at += sprintf(at, "%c;", 'a' + i % 3);
	memcpy(at, "z 7\na;b 3\n", sizeof "z 7\na;b 3\n");

	struct cg_profile *p = whole_profile_of(text);
	struct cg_tree *t = tree_of(p);
	check_laws(t);
	CHECK(t->exact);
	CHECK_U64(t->count, DEPTH + 2);
	CHECK_INT(t->self[2], 3);
	CHECK_INT(t->self[DEPTH + 1], 7);
	cg_tree_free(t);
	cg_profile_free(p);
	free(text);
}

static void test_merge(void)
{
	struct cg_profile *p = whole_profile_of("m;a;x 1\nm;b;x 2\nm;b_[i];x 5\nm;c;x 4\n");
	struct cg_tree *t = tree_of(p), *merged = NULL;
	uint32_t *group = calloc(p->nfunctions, sizeof *group);
	char text[200];

	REQUIRE(group != NULL);
	for (uint32_t f = 1; f < p->nfunctions; f++)
		group[f] = f;
	group[function_named(p, "a")] = group[function_named(p, "b")];
	REQUIRE_INT(cg_tree_merge(t, group, &merged), CG_OK);
	check_laws(merged);
	describe(merged, 0, text, sizeof text);
	CHECK_STR(text, "m 0{b* 0{x 5} c 0{x 4} a 0{x 3}}");
	cg_tree_free(merged);
	cg_tree_free(t);
	cg_profile_free(p);
	free(group);
}

/* What a function calls of its group is part of it, if that is inlined or has another name. */
static void check_parts(const char *profile, uint32_t max_nodes, const char *expected)
{
	struct cg_profile *p = whole_profile_of(profile);
	uint32_t *group = calloc(p->nfunctions, sizeof *group);
	struct cg_tree_options options = { .group = group, .max_nodes = max_nodes };
	char text[200];

	REQUIRE(group != NULL);
	for (uint32_t f = 1; f < p->nfunctions; f++)
		group[f] = *cg_string(p, p->functions[f].name);
	struct cg_tree *t = tree_with(p, &options);
	check_laws(t);
	describe(t, 0, text, sizeof text);
	CHECK_STR(text, expected);
	cg_tree_free(t);
	cg_profile_free(p);
	free(group);
}

static void test_parts(void)
{
	/* In any depth, with what they call. */
	check_parts("m;f_[i] 1\nm;f_[i];f.part 2\nm;f_[i];f.part;f_[i] 3\n"
		    "m;f_[i];f.part;f_[i];x 4\nm;f_[i];x 5\n",
		    0, "m 0{f* 6{x 9}}");
	check_parts("m;f;f.cold 2\nm;f 1\nm;f;g;f.cold 4\n", 0, "m 0{f 3{g 0{f.cold 4}}}");
	/* A call of the function itself, and siblings, are none. */
	check_parts("m;f 1\nm;f;f 2\n", 0, "m 0{f 1{f 2}}");
	check_parts("m;f_[i] 1\nm;f.part 2\n", 0, "m 0{f.part 2 f* 1}");
	/* The path to f is known; who pays for its part, which a calls, too, is not. */
	static const char shared[] =
		"events: Ir\nfn=m\n1 1\ncfn=a\ncalls=1 1\n1 60\ncfn=f\ncalls=1 1\n1 35\n"
		"fn=a\n1 10\ncfn=f.part\ncalls=2 1\n1 50\n"
		"fn=f\n1 5\ncfn=f.part\ncalls=1 1\n1 30\n"
		"fn=f.part\n1 48\ncfn=x\ncalls=3 1\n1 32\nfn=x\n1 32\n";
	check_parts(shared, 0, "m 1{a 10{f.part~ 30{x~ 20}} f 23{x~ 12}}");
	check_parts(shared, 3, "m 1{a 10{f.part~ 30{x~ 20}} f! 35}");
}

/* ---- less than what was recorded ---- */

/* What calls cost, with contexts of any depth. */
#define CALLS(of_a, of_b, of_f_by_a, of_f_by_b, of_g_by_a, of_g_by_b) \
	"events: Ir\nfn=m\n1 1\ncfn=a" of_a "\ncalls=1 1\n1 20\n" \
	"cfn=b" of_a "\ncalls=1 1\n1 42\n" \
	"fn=a" of_a "\n1 2\ncfn=f'a" of_b "\ncalls=1 1\n1 18\n" \
	"fn=b" of_a "\n1 2\ncfn=f'b" of_b "\ncalls=1 1\n1 40\n" \
	"fn=f'a" of_b "\n1 1\ncfn=f'2'a" of_b "\ncalls=1 1\n1 2\n" \
	"cfn=g'f" of_f_by_a "\ncalls=1 1\n1 15\nfn=f'2'a" of_b "\n1 2\n" \
	"fn=f'b" of_b "\n1 10\ncfn=g'f" of_f_by_b "\ncalls=1 1\n1 30\n" \
	"fn=g'f" of_f_by_a "\n1 5\ncfn=h'g" of_g_by_a "\ncalls=1 1\n1 10\n" \
	"fn=g'f" of_f_by_b "\n1 25\ncfn=h'g" of_g_by_b "\ncalls=1 1\n1 5\n" \
	"fn=h'g" of_g_by_a "\n1 10\nfn=h'g" of_g_by_b "\n1 5\n"

static void check_frames(const char *profile, uint32_t names, uint32_t frames, const char *expected)
{
	struct cg_profile *p = whole_profile_of(profile);
	struct cg_tree_options options = { .frames = frames };
	struct cg_tree *t = tree_with(p, &options);
	uint32_t found = 42;
	char text[400];

	REQUIRE_INT(cg_tree_frames(p, &found), CG_OK);
	CHECK_U64(found, names);
	check_laws(t);
	describe(t, 0, text, sizeof text);
	CHECK_STR(text, expected);
	cg_tree_free(t);
	cg_profile_free(p);
}

/* A tree of fewer frames is that of a profile for which fewer were recorded. */
static void test_frames(void)
{
	static const char *const deep = CALLS("'m", "'m", "'a'm", "'b'm", "'f'a'm", "'f'b'm");
	static const char *const middle = CALLS("'m", "'m", "'a", "'b", "'f", "'f");
	static const char *const shallow = CALLS("'m", "", "", "", "", "");
	static const char *const exact = "m 1{b 2{f 10{g 25{h 5}}} a 2{f 3{g 5{h 10}}}}";
	static const char *const at_three = "m 1{b 2{f 10{g 25{h 5}}} a 2{f 3{g 5{h 10}}}}";
	static const char *const at_two = "m 1{b 2{f 10{g~ 20{h~ 10}}} a 2{f 3{g~ 10{h~ 5}}}}";

	check_frames(deep, 0, 0, exact);
	check_frames(deep, 0, 5, exact);
	check_frames(middle, 3, 0, at_three);
	check_frames(deep, 0, 3, at_three);
	check_frames(shallow, 2, 0, at_two);
	check_frames(middle, 3, 2, at_two);
	check_frames(deep, 0, 2, at_two);
	check_frames("events: Ir\nfn=m\n1 1\ncfn=a\ncalls=1 1\n1 5\nfn=a\n1 5\n", 1, 0, "m 1{a 5}");
	check_frames("m;a;b 1\nm;a;b;c 2\n", 0, 2, "m 0{a 0{b 1{c 2}}}");
	/* What f and x call is shared out by all calls of f. */
	check_frames("m;a;f;h 10\nm;b;f;h 5\nm;x;h 15\n", 0, 1,
		     "m 0{x 0{h 15} a 0{f~ 0{h~ 10}} b 0{f~ 0{h~ 5}}}");
}

/* ---- another root ---- */

static void check_rooted(struct cg_profile *p, const char *root, const char *expected)
{
	struct cg_tree *t = tree_of(p), *rooted = NULL;
	bool *is_root = calloc(p->nfunctions, sizeof *is_root);
	char text[400];

	REQUIRE(is_root != NULL);
	is_root[root ? function_named(p, root) : cg_tree_main(t)] = true;
	is_root[0] = false;
	REQUIRE_INT(cg_tree_root(t, is_root, &rooted), CG_OK);
	check_laws(rooted);
	describe(rooted, 0, text, sizeof text);
	CHECK_STR(text, expected);
	cg_tree_free(rooted);
	cg_tree_free(t);
	cg_profile_free(p);
	free(is_root);
}

static void test_root(void)
{
	check_rooted(
		whole_profile_of("_start;main;a;main;b 50\n_start;main 4\n_start;init;a 3\n"
				 "_start 2\nclone;run;a 20\n"),
		NULL,
		"main 4{a 0{main 0{b 50}}} clone 0{run 0{a 20}} [outside] 0{_start 2{init 0{a 3}}}");
	/* Wherever it is called, but not below itself. */
	check_rooted(whole_profile_of("m;a;f;x 5\nm;b;f;x 6\nm;b;f;f;x 7\nn;f 1\nn;a 2\nh;a 4\n"),
		     "f", "f 1{x 11 f 0{x 7}} h 0{a 4} [outside] 0{n 0{a 2} m 0{a 0 b 0}}");
	/* Inlined into what is outside. */
	check_rooted(whole_profile_of("m;f_[i];x_[i] 5\nn;f;x 2\n"), "f",
		     "f 0{x* 5 x 2} [outside] 0{m 0 n 0}");
	check_rooted(whole_profile_of("a;b 5\n"), NULL, "a 0{b 5}");
}

/* In a file of Valgrind's. */
static uint32_t main_of(const char *command, const char *functions, char *object, size_t size)
{
	char text[1000];
	snprintf(text, sizeof text, "cmd: %s\npositions: line\nevents: Ir\n%s", command, functions);
	struct cg_profile *p = profile_of(text);
	struct cg_tree *t = tree_of(p);
	uint32_t found = cg_tree_main(t);
	snprintf(object, size, "%s", cg_string(p, p->functions[found].object));
	cg_tree_free(t);
	cg_profile_free(p);
	return found;
}

static void test_finding_main(void)
{
	static const char *const functions = "ob=/lib/libc.so.6\nfn=main\n1 90\n"
					     "ob=/opt/tool\nfn=main\n1 40\n"
					     "ob=/opt/prog.so.d/prog\nfn=main\n1 20\n";
	char object[100];

	CHECK(main_of("./prog -x", functions, object, sizeof object) != 0);
	CHECK_STR(object, "/opt/prog.so.d/prog");
	CHECK(main_of("prog", functions, object, sizeof object) != 0);
	CHECK_STR(object, "/opt/prog.so.d/prog");
	CHECK(main_of("script", functions, object, sizeof object) != 0);
	CHECK_STR(object, "/opt/tool");
	CHECK(main_of("x", "ob=/lib/x.so\nfn=main\n1 9\n", object, sizeof object) == 0);
	CHECK(main_of("x", "fn=(below main)\n1 9\n", object, sizeof object) == 0);
}

/* ---- exactness ---- */

static struct cg_tree_doubt doubt_of(const struct cg_tree *t)
{
	struct cg_tree_doubt doubt;
	cg_tree_find_doubt(t, &doubt);
	return doubt;
}

static void check_certainty(const char *text, bool exact, double misfit, double estimated)
{
	struct cg_profile *p = profile_of(text);
	struct cg_tree *t = tree_of(p), *merged;
	bool *is_root = calloc((size_t)p->nfunctions + 1, sizeof *is_root);

	check_laws(t);
	CHECK_INT(t->exact, exact);
	CHECK_INT((int64_t)(t->misfit.percent * 100 + 0.5), (int64_t)(misfit * 100 + 0.5));
	CHECK_INT((int64_t)(doubt_of(t).estimated * 100 + 0.5), (int64_t)(estimated * 100 + 0.5));
	REQUIRE_INT(cg_tree_merge(t, NULL, &merged), CG_OK);
	CHECK_INT(merged->exact, exact);
	cg_tree_free(merged);
	REQUIRE(is_root != NULL);
	is_root[1] = true;
	REQUIRE_INT(cg_tree_root(t, is_root, &merged), CG_OK);
	CHECK_INT(merged->exact, exact);
	cg_tree_free(merged);
	free(is_root);
	cg_tree_free(t);
	cg_profile_free(p);
}

#define MAIN "events: Ir\nfn=main\n1 10\n"
#define VALGRIND "creator: callgrind-3.19.0\n"

static void test_exactness(void)
{
	check_certainty(MAIN "cfn=f\ncalls=1 1\n1 90\nfn=f\n1 90\n", true, 0, 0);
	/* Recursive calls are on both sides. */
	check_certainty(MAIN "cfn=f\ncalls=1 1\n1 90\nfn=f\n1 90\ncfn=f\ncalls=3 1\n1 60\n", true,
			0, 0);
	/* Calls cost more, or less, than what they call. */
	check_certainty(MAIN "cfn=f\ncalls=1 1\n1 95\nfn=f\n1 90\n", false, 5, 0);
	check_certainty(MAIN "cfn=f\ncalls=1 1\n1 80\nfn=f\n1 90\n", false, 10, 0);
	/* Nothing has what they cost: main is a tenth of what it is. */
	check_certainty("events: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 1\n1 90\nfn=g\n1 90\n", false,
			90, 0);
	/* Nothing has it, and two call it: they are marked, and so is main. */
	check_certainty(MAIN "cfn=a\ncalls=1 1\n1 30\ncfn=b\ncalls=1 1\n1 60\n"
			     "fn=a\n1 30\ncfn=f\ncalls=1 1\n1 20\n"
			     "fn=b\n1 60\ncfn=f\ncalls=1 1\n1 30\n",
			false, 100, 100);
	/* A file without calls does not say who called its functions. */
	check_certainty("events: Ir\nfn=f\n1 1\n", true, 0, 0);
	check_certainty("events: Ir\nfn=f\n1 0\n", true, 0, 0);
	check_certainty("events: Ir\nfn=f\n1 1\nfn=g\n1 2\n", false, 0, 0);
	/* What Valgrind lost when the program ended is nowhere else. */
	check_certainty(VALGRIND "events: Ir\nsummary: 102\nfn=main\n1 10\n"
				 "cfn=_Exit\ncalls=1 1\n1 92\nfn=_Exit\n1 90\ntotals: 100\n",
			true, 0, 0);
	check_certainty(VALGRIND
			"events: Ir\nsummary: 102\nfn=main\n1 10\n"
			"cfn=other\ncalls=1 1\n1 92\nfn=other\n1 90\nfn=g\n1 1\ntotals: 101\n",
			false, 1.98, 0);
}

static void test_no_event(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=m\n1 1\n");
	struct cg_tree_options options = { .event = 1 };
	struct cg_tree *t = NULL;
	CHECK_INT(cg_tree_make(p, &options, &t), CG_EINVAL);
	CHECK(t == NULL);
	cg_profile_free(p);
}

TEST_MAIN("tree", { "stacks", test_stacks }, { "calls", test_calls }, { "shared", test_shared },
	  { "a leaf", test_leaf }, { "recursion", test_recursion },
	  { "levels in contexts", test_levels_in_contexts }, { "inlined", test_inlined },
	  { "roots", test_roots }, { "signs", test_signs }, { "cut", test_cut },
	  { "many paths", test_ladder }, { "deep stacks", test_deep }, { "merging", test_merge },
	  { "parts", test_parts }, { "fewer frames", test_frames }, { "another root", test_root },
	  { "main", test_finding_main }, { "exactness", test_exactness },
	  { "no such event", test_no_event })
