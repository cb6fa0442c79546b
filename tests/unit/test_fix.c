#include "tests/unit/trees.h"

#include "src/diff/fix.h"

/* Three profiles with what is to be said of them. */
struct three {
	struct cg_profile *profiles[FIX_SIDES];
	struct diff *lost, *left, *won;
	struct fix_diff *fix;
};

static struct diff *compare(const struct cg_profile *base, const struct cg_profile *head,
			    const struct diff_options *options)
{
	struct diff *d = NULL;
	struct cg_error err = { 0 };
	int status = diff_make(base, head, options, &d, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return d;
}

/* That it can be made says that its rows add up. */
static struct three three_of(const char *main, const char *regression, const char *fix,
			     const struct diff_options *options)
{
	struct three t = { { profile_of(main), profile_of(regression), profile_of(fix) },
			   NULL,
			   NULL,
			   NULL,
			   NULL };
	struct cg_error err = { 0 };
	t.lost = compare(t.profiles[FIX_MAIN], t.profiles[FIX_REGRESSION], options);
	t.left = compare(t.profiles[FIX_MAIN], t.profiles[FIX_FIX], options);
	t.won = compare(t.profiles[FIX_REGRESSION], t.profiles[FIX_FIX], options);
	int status = fix_make(t.lost, t.left, t.won, &t.fix, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return t;
}

static void three_free(struct three *t)
{
	fix_free(t->fix);
	diff_free(t->lost);
	diff_free(t->left);
	diff_free(t->won);
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		cg_profile_free(t->profiles[s]);
}

/* The only row of this name. */
static void check_row(const struct three *t, const char *name, int64_t main, int64_t regression,
		      int64_t fix, const char *state)
{
	size_t found = 0;

	for (size_t i = 0; i < t->fix->count; i++) {
		const struct fix_row *row = &t->fix->rows[i];
		if (strcmp(row->name, name) != 0)
			continue;
		struct fix_values v = fix_values_of(t->fix, row->self);
		found++;
		CHECK_INT(v.main, main);
		CHECK_INT(v.regression, regression);
		CHECK_INT(v.fix, fix);
		CHECK_STR(fix_state_name(fix_classify(t->fix, v)), state);
	}
	test_report(found == 1, false, __FILE__, __LINE__, "%zu rows named %s", found, name);
}

static void test_states(void)
{
	struct three t = three_of(
		"events: Ir\nfn=same\n1 10\nfn=back\n1 10\nfn=partly\n1 10\nfn=not\n1 10\nfn=worse\n1 10\n"
		"fn=better\n1 10\nfn=new\n1 10\nfn=less\n1 10\nfn=again\n1 7\n",
		"events: Ir\nfn=same\n1 10\nfn=back\n1 90\nfn=partly\n1 91\nfn=not\n1 92\nfn=worse\n1 93\n"
		"fn=better\n1 94\nfn=new\n1 10\nfn=less\n1 10\nfn=only\n1 3\n",
		"events: Ir\nfn=same\n1 10\nfn=back\n1 10\nfn=partly\n1 40\nfn=not\n1 92\nfn=worse\n1 95\n"
		"fn=better\n1 4\nfn=new\n1 30\nfn=less\n1 2\nfn=again\n1 7\nfn=check\n1 5\n",
		&instructions);
	CHECK_U64(t.fix->count, 11);
	CHECK_STR(t.fix->rows[0].name, "worse"); /* 85 are left, of better 84 were lost */
	CHECK_STR(t.fix->rows[1].name, "better");
	check_row(&t, "same", 10, 10, 10, "same as main");
	check_row(&t, "back", 10, 90, 10, "recovered");
	check_row(&t, "partly", 10, 91, 40, "partly recovered");
	check_row(&t, "not", 10, 92, 92, "not recovered");
	check_row(&t, "worse", 10, 93, 95, "worse");
	check_row(&t, "better", 10, 94, 4, "recovered");
	check_row(&t, "new", 10, 10, 30, "new cost");
	check_row(&t, "less", 10, 10, 2, "improved");
	check_row(&t, "only", 0, 3, 0, "recovered");
	check_row(&t, "check", 0, 0, 5, "new cost");
	/* The regression does not have it: main and the fix do. */
	check_row(&t, "again", 7, 0, 7, "same as main");
	three_free(&t);
}

/* A clone in the regression, a file that moved with the fix: one function. */
static void test_matching(void)
{
	struct three t = three_of(
		"events: Ir\nob=/b/x\nfl=a.c\nfn=f\n1 10\n",
		"events: Ir\nob=/b/x\nfl=a.c\nfn=f\n1 10\nfn=f.constprop.0\n1 20\n",
		"events: Ir\nob=/b/x\nfl=b.c\nfn=f\n1 12\n", &instructions);
	CHECK_U64(t.fix->count, 1);
	check_row(&t, "f", 10, 30, 12, "partly recovered");
	CHECK_STR(t.fix->rows[0].file, "b.c");
	three_free(&t);
}

/* What each row says is what the three differences say, whatever the profiles. */
static void test_laws(void)
{
	for (int i = 0; i < 300; i++) {
		char main[3000], regression[3000], fix[3000];
		random_calls(main, sizeof main);
		random_calls(regression, sizeof regression);
		random_calls(fix, sizeof fix);
		for (enum cg_rollup_by by = CG_BY_FUNCTION; by <= CG_BY_NAMESPACE; by++) {
			const struct diff_options options = { .metric = "Ir", .by = by };
			struct three t = three_of(main, regression, fix, &options);
			struct fix_values sum = { 0 }, totals = fix_totals(t.fix);
			for (size_t k = 0; k < t.fix->count; k++) {
				struct fix_values v = fix_values_of(t.fix, t.fix->rows[k].self);
				sum.main += v.main;
				sum.regression += v.regression;
				sum.fix += v.fix;
			}
			CHECK_INT(sum.main, totals.main);
			CHECK_INT(sum.regression, totals.regression);
			CHECK_INT(sum.fix, totals.fix);
			three_free(&t);
		}
	}
}

/* With the regression as its own fix, rows are those of the difference, also where two are of one
 * size. */
static void test_no_fix(void)
{
	struct three twins = three_of("events: Ir\nfn=f\n1 1442\n",
				      "events: Ir\nfn=f\n1 830\nfn=g\n1 612\n",
				      "events: Ir\nfn=f\n1 830\nfn=g\n1 612\n", &instructions);
	CHECK_STR(twins.lost->rows[0].name, "g");
	CHECK_STR(twins.fix->rows[0].name, "g");
	three_free(&twins);

	for (int i = 0; i < 200; i++) {
		char main[3000], regression[3000];
		random_calls(main, sizeof main);
		random_calls(regression, sizeof regression);
		struct three t = three_of(main, regression, regression, &instructions);
		CHECK_U64(t.fix->count, t.lost->count);
		for (size_t k = 0; k < t.fix->count; k++) {
			struct fix_values v = fix_values_of(t.fix, t.fix->rows[k].self);
			CHECK_INT(v.regression, v.fix);
			CHECK_INT(v.main, diff_base_value(t.lost, t.lost->rows[k].base.self));
			CHECK_INT(v.fix, diff_head_value(t.lost, t.lost->rows[k].head.self));
		}
		three_free(&t);
	}
}

TEST_MAIN("fix", { "states of rows", test_states }, { "functions that are one", test_matching },
	  { "rows add up", test_laws }, { "no fix", test_no_fix })
