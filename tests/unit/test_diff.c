#include "tests/unit/diff_pair.h"

static const struct diff_options defaults = { .metric = "Ir",
					      .threshold_ppb = DIFF_DEFAULT_THRESHOLD_PPB,
					      .min_delta = DIFF_DEFAULT_MIN_DELTA };

static void test_classes(void)
{
	struct pair p = pair_of(
		"events: Ir\nfn=same\n1 10\nfn=slow\n1 10\nfn=fast\n1 10\nfn=gone\n1 5\n",
		"events: Ir\nfn=same\n1 10\nfn=slow\n1 13\nfn=fast\n1 6\nfn=come\n1 7\n");
	CHECK_U64(p.diff->count, 5);
	check_row(&p, "same", 10, 10, "unchanged", "same");
	check_row(&p, "slow", 10, 13, "regressed", "same");
	check_row(&p, "fast", 10, 6, "improved", "same");
	check_row(&p, "gone", 5, 0, "removed", "");
	check_row(&p, "come", 0, 7, "new", "");
	CHECK(!row_of(&p, "come")->base.present);
	CHECK(!row_of(&p, "gone")->head.present);
	pair_free(&p);
}

static void test_order(void)
{
	/* |Δ|: b 9, d 5, c -5, a 1, e 1. Of d and c the one that costs more in head,
	 * of a and e (both 3 → 4) by name. */
	struct pair p = pair_of(
		"events: Ir\nfn=a\n1 3\nfn=b\n1 1\nfn=c\n1 8\nfn=d\n1 3\nfn=e\n1 3\n",
		"events: Ir\nfn=e\n1 4\nfn=d\n1 8\nfn=c\n1 3\nfn=b\n1 10\nfn=a\n1 4\n");
	REQUIRE_U64(p.diff->count, 5);
	for (size_t i = 0; i < 5; i++) {
		char expected[2] = { "bdcae"[i], '\0' };
		CHECK_STR(p.diff->rows[i].name, expected);
	}
	pair_free(&p);
}

/* The total of base is 1,000,000: impact 0.05 % is 500. Exactly at the limit is a change. */
static void test_threshold(void)
{
	static const struct {
		const char *head, *class;
	} cases[] = {
		{ "1500", "regressed" }, { "1499", "unchanged" }, { "500", "improved" },
		{ "501", "unchanged" },  { "1000", "unchanged" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char head[100];
		snprintf(head, sizeof head, "events: Ir\nfn=f\n1 %s\nfn=rest\n1 999000\n",
			 cases[i].head);
		struct pair p = pair_with("events: Ir\nfn=f\n1 1000\nfn=rest\n1 999000\n", head,
					  &defaults);
		CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), cases[i].class);
		pair_free(&p);
	}
}

static void test_min_delta(void)
{
	/* Of 1,000, 99 is 9.9 %, but less than 100 instructions. */
	struct pair p = pair_with("events: Ir\nfn=f\n1 1000\nfn=g\n1 0\n",
				  "events: Ir\nfn=f\n1 1099\nfn=g\n1 0\n", &defaults);
	check_row(&p, "f", 1000, 1099, "unchanged", "same");
	pair_free(&p);
	p = pair_with("events: Ir\nfn=f\n1 1000\n", "events: Ir\nfn=f\n1 900\n", &defaults);
	check_row(&p, "f", 1000, 900, "improved", "same");
	pair_free(&p);
}

static void test_min_delta_of_others(void)
{
	struct diff_options options = defaults;
	struct pair p = pair_of("events: Ir Dr sysCount\nfn=f\n1 1 1 1\n",
				"events: Ir Dr sysCount\nfn=f\n1 1 1 1\n");

	p.diff->options = options;
	CHECK_U64(diff_min_delta(p.diff, "Ir"), 100);
	CHECK_U64(diff_min_delta(p.diff, "Dr"), 100);
	CHECK_U64(diff_min_delta(p.diff, "syscalls"), 1);
	options.min_delta_given = true;
	options.min_delta = 50;
	p.diff->options = options;
	CHECK_U64(diff_min_delta(p.diff, "Dr"), 50);
	CHECK_U64(diff_min_delta(p.diff, "syscalls"), 50);
	/* Of a case that has few instructions. */
	p.diff->options.min_delta_given = false;
	CHECK_U64(diff_min_delta(p.diff, "Dr"), 50);
	CHECK_U64(diff_min_delta(p.diff, "sysCount"), 1);
	/* Two names of one metric. */
	p.diff->options.metric = "sysCount";
	CHECK_U64(diff_min_delta(p.diff, "syscalls"), 50);
	pair_free(&p);
}

/* Rows below the threshold may be changes, and then neither totals nor limits are. */
static void test_rows_below_threshold(void)
{
	struct pair p = pair_with("events: Ir\nfn=f\n1 100000\n", "events: Ir\nfn=f\n1 100040\n",
				  &defaults);
	struct diff_options *o = &p.diff->options;

	o->rows_below_threshold = true;
	CHECK_STR(diff_class_name(diff_classify_change(p.diff, 100000, 100040)), "unchanged");
	o->rows_below_min_delta = true;
	CHECK_STR(diff_class_name(diff_classify_change(p.diff, 100000, 100040)), "regressed");
	CHECK_STR(diff_class_name(diff_classify_change(p.diff, 100000, 100000)), "unchanged");
	CHECK_STR(diff_class_name(diff_classify_change_in(p.diff, "Ir", 100000, 100040)),
		  "unchanged");
	o->rows_below_threshold = false;
	CHECK_STR(diff_class_name(diff_classify_change(p.diff, 100000, 100040)), "unchanged");
	pair_free(&p);
}

/* Products of threshold and total above 2^63 do not wrap. */
static void test_large_thresholds(void)
{
	struct diff_options whole = { .metric = "Ir", .threshold_ppb = 1000000000 };
	struct pair p = pair_with("events: Ir\nfn=f\n1 9223372036854775807\n",
				  "events: Ir\nfn=f\n1 1\n", &whole);
	/* It lost 2^63 - 2 of 2^63 - 1: almost, but not 100 %. */
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), "unchanged");
	pair_free(&p);
	whole.threshold_ppb = 999999999;
	p = pair_with("events: Ir\nfn=f\n1 9223372036854775807\n", "events: Ir\nfn=f\n1 1\n",
		      &whole);
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "f"))), "improved");
	pair_free(&p);
}

static void test_empty_base(void)
{
	struct pair p = pair_with("events: Ir\nfn=f\n1 0\n", "events: Ir\nfn=f\n1 100\n",
				  &defaults);
	/* f has a row in base only if something of it was measured. */
	check_row(&p, "f", 0, 100, "regressed", "same");
	pair_free(&p);
}

/* ---- sides ---- */

static void test_sides(void)
{
	struct pair p = pair_of(
		"events: Ir Dr\nfn=main\n1 5 1\ncfn=f\ncalls=3 1\n2 30 2\nfn=f\n1 30 2\n",
		"events: Dr Ir\nfn=main\n1 1 5\ncfn=f\ncalls=4 1\n2 2 44\nfn=f\n1 2 44\n");
	const struct diff_row *f = row_of(&p, "f"), *m = row_of(&p, "main");

	CHECK_U64(f->base.calls, 3);
	CHECK_U64(f->head.calls, 4);
	CHECK_U64(m->base.inclusive[0], 35);
	/* Events stand in the order of their own side; metrics are found by name. */
	CHECK_U64(m->head.inclusive[1], 49);
	CHECK_U64(diff_base_value(p.diff, f->base.self), 30);
	CHECK_U64(diff_head_value(p.diff, f->head.self), 44);
	pair_free(&p);
}

/* A name that a file only mentions is no row. */
static void test_unmeasured(void)
{
	struct pair p = pair_of("events: Ir\nfn=f\n1 1\ncfn=mentioned\n",
				"events: Ir\nfn=f\n1 1\n");
	CHECK_U64(p.diff->count, 1);
	pair_free(&p);
}

static void test_metrics(void)
{
	struct diff_options by_dr = { .metric = "Dr" };
	struct pair p = pair_with("events: Ir Dr\nfn=f\n1 5 10\nfn=g\n1 100 1\n",
				  "events: Ir Dr\nfn=f\n1 5 12\nfn=g\n1 900 1\n", &by_dr);
	CHECK_STR(p.diff->rows[0].name, "f"); /* Dr decides */
	CHECK_STR(diff_class_name(diff_classify(p.diff, row_of(&p, "g"))), "unchanged");
	pair_free(&p);

	struct cg_profile *ir = profile_of("events: Ir\nfn=f\n1 1\n");
	struct cg_profile *dr = profile_of("events: Dr\nfn=f\n1 1\n");
	struct diff *d = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(diff_make(ir, dr, &exact, &d, &err), CG_EINVAL);
	CHECK_STR(err.message, "the profile of head has no metric 'Ir'; it has: Dr");
	CHECK_INT(diff_make(dr, ir, &exact, &d, &err), CG_EINVAL);
	CHECK_STR(err.message, "the profile of base has no metric 'Ir'; it has: Dr");
	CHECK(d == NULL);
	cg_profile_free(ir);
	cg_profile_free(dr);
}

/* base 100 Ir by 10 calls, head as given. */
static void reason_is(const char *head, const char *expected)
{
	char text[200];
	snprintf(text, sizeof text, "events: Ir\nfn=m\ncfn=f\ncalls=%s\nfn=f\n1 %s\n", head,
		 strrchr(head, ' ') + 1);
	struct pair p = pair_of("events: Ir\nfn=m\ncfn=f\ncalls=10 1\n1 100\nfn=f\n1 100\n", text);
	CHECK_STR(diff_reason(p.diff, row_of(&p, "f")), expected);
	pair_free(&p);
}

static void test_reasons(void)
{
	reason_is("20 1\n1 200", "more calls"); /* 10 Ir each, as before */
	reason_is("10 1\n1 200", "more per call");
	reason_is("20 1\n1 400", "more calls, more per call");
	reason_is("5 1\n1 50", "fewer calls");
	reason_is("10 1\n1 50", "less per call");
	reason_is("5 1\n1 10", "fewer calls, less per call");
	reason_is("20 1\n1 150", "more calls"); /* though each costs less */
	reason_is("5 1\n1 200", "more per call");
	reason_is("10 1\n1 100", "unchanged");
	reason_is("0 1\n1 200", "regressed");
	/* One call is no mean of calls. */
	reason_is("1 1\n1 200", "regressed");
	reason_is("1 1\n1 5", "fewer calls");
	reason_is("2 1\n1 200", "more per call");
}

/* ---- laws, on pseudo-random profiles ---- */

/* Numerical Recipes' generator: the same numbers everywhere. */
static uint32_t next(uint32_t *seed)
{
	return *seed = *seed * 1664525u + 1013904223u;
}

static uint32_t below(uint32_t *seed, uint32_t n)
{
	return (uint32_t)(((uint64_t)next(seed) * n) >> 32);
}

/* Few names, files and objects, so that they meet in all ways. */
static char *random_profile(uint32_t seed)
{
	static const char *const names[] = { "f",    "g",    "f.part.0", "g.cold", "h",
					     "0x10", "0x20", "f'2",      "h'2",    "???" };
	static const char *const objects[] = { "/a/x", "/b/x", "y", "???" };
	static const char *const files[] = { "/s/1.c", "/t/1.c", "2.c", "???" };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	REQUIRE(f != NULL);

	fputs(below(&seed, 2) ? "events: Ir Dr\n" : "events: Dr Ir\n", f);
	for (uint32_t i = below(&seed, 30); i > 0; i--) {
		fprintf(f, "ob=%s\n", objects[below(&seed, 4)]);
		fprintf(f, "fl=%s\n", files[below(&seed, 4)]);
		fprintf(f, "fn=%s\n", names[below(&seed, 10)]);
		for (uint32_t k = below(&seed, 3); k > 0; k--)
			fprintf(f, "%u %u %u\n", below(&seed, 9), below(&seed, 1000),
				below(&seed, 50));
		for (uint32_t k = below(&seed, 3); k > 0; k--)
			fprintf(f, "cob=%s\ncfi=%s\ncfn=%s\ncalls=%u 1\n1 %u %u\n",
				objects[below(&seed, 4)], files[below(&seed, 4)],
				names[below(&seed, 10)], below(&seed, 5), below(&seed, 1000),
				below(&seed, 50));
	}
	fclose(f);
	return text;
}

/* Self deltas of an event over all rows, and of the totals. */
static void check_law(const struct pair *p, const char *event)
{
	int b = cg_event_index(p->base, event), h = cg_event_index(p->head, event);
	int64_t sum = 0;
	for (size_t i = 0; i < p->diff->count; i++) {
		const struct diff_row *r = &p->diff->rows[i];
		sum += (r->head.present ? (int64_t)r->head.self[h] : 0) -
		       (r->base.present ? (int64_t)r->base.self[b] : 0);
	}
	CHECK_INT(sum, (int64_t)p->head->total[h] - (int64_t)p->base->total[b]);
}

static void check_no_change(const char *text)
{
	struct pair p = pair_of(text, text);
	for (size_t i = 0; i < p.diff->count; i++) {
		const struct diff_row *r = &p.diff->rows[i];
		CHECK_STR(diff_class_name(diff_classify(p.diff, r)), "unchanged");
		CHECK_STR(diff_match_name(r->match), "same");
		CHECK_U64(r->base.calls, r->head.calls);
		CHECK_U64(r->base.inclusive[0], r->head.inclusive[0]);
	}
	pair_free(&p);
}

/* Swapped sides: the same deltas with the other sign, row by row. */
static void check_swap(const struct pair *p, const char *base, const char *head)
{
	struct pair q = pair_of(head, base);
	int64_t sum = 0;

	CHECK_U64(p->diff->count, q.diff->count);
	for (size_t i = 0; i < p->diff->count; i++) {
		const struct diff_row *r = &p->diff->rows[i];
		int64_t delta = (int64_t)diff_head_value(p->diff, r->head.self) -
				(int64_t)diff_base_value(p->diff, r->base.self);
		uint32_t found = 0;
		for (size_t k = 0; k < q.diff->count; k++) {
			const struct diff_row *s = &q.diff->rows[k];
			int64_t back = (int64_t)diff_head_value(q.diff, s->head.self) -
				       (int64_t)diff_base_value(q.diff, s->base.self);
			found += strcmp(r->name, s->name) == 0 &&
				 strcmp(r->object, s->base_object) == 0 &&
				 strcmp(r->file, s->base_file) == 0 &&
				 strcmp(r->base_object, s->object) == 0 &&
				 strcmp(r->base_file, s->file) == 0 && back == -delta &&
				 r->base.present == s->head.present;
		}
		CHECK_U64(found, 1);
		sum += delta;
	}
	CHECK_INT(sum, (int64_t)diff_head_value(p->diff, p->head->total) -
			       (int64_t)diff_base_value(p->diff, p->base->total));
	pair_free(&q);
}

static void test_laws(void)
{
	for (uint32_t seed = 1; seed <= 300; seed++) {
		char *base = random_profile(seed), *head = random_profile(seed + 7777);
		struct pair p = pair_of(base, head);
		check_law(&p, "Ir");
		check_law(&p, "Dr");
		check_no_change(base);
		check_swap(&p, base, head);
		pair_free(&p);
		free(base);
		free(head);
	}
}

/* Of 10,000 in base. */
static void test_tolerance(void)
{
	static const char base[] =
		"events: Ir\nfn=f\n1 9000\nfn=g\n1 700\nfn=h\n1 299\nfn=i\n1 1\n";
	static const char head[] =
		"events: Ir\nfn=f\n1 8701\nfn=g\n1 1000\nfn=h\n1 598\nfn=j\n1 300\n";
	const struct tolerance t = { "Ir", 1, 30000000 }; /* 3 %: 300 */
	struct diff_options options = {
		.metric = "Ir", .min_delta = 100, .tolerances = &t, .ntolerances = 1
	};
	struct pair p = pair_with(base, head, &options);

	CHECK_U64(p.diff->tolerance, 300);
	check_row(&p, "f", 9000, 8701, "within tolerance", "same");
	check_row(&p, "g", 700, 1000, "within tolerance", "same");
	check_row(&p, "i", 1, 0, "within tolerance", "");
	check_row(&p, "j", 0, 300, "within tolerance", "");
	CHECK_STR(diff_reason(p.diff, row_of(&p, "j")), "within tolerance");
	CHECK(!diff_is_change(DIFF_TOLERATED) && diff_is_change(DIFF_NEW));
	CHECK(!diff_tolerates(p.diff, 5, 5) && diff_tolerates(p.diff, 305, 5));
	CHECK(!diff_tolerates(p.diff, 306, 5) && !diff_tolerates_in(p.diff, "Dr", 6, 5));
	/* What no threshold lets be a change needs no tolerance. */
	CHECK_INT(diff_classify_change(p.diff, 0, 99), DIFF_UNCHANGED);
	CHECK_INT(diff_classify_change(p.diff, 0, 301), DIFF_REGRESSED);
	pair_free(&p);
	/* Other metrics, and a share of a total that no number holds. */
	options.ntolerances = 0;
	p = pair_with(base, head, &options);
	CHECK_U64(p.diff->tolerance, 0);
	check_row(&p, "j", 0, 300, "new", "");
	pair_free(&p);
	/* A metric may have two names. */
	const struct tolerance calls = { "syscalls", 3, 0 };
	CHECK(tolerance_find(&calls, 1, "sysCount") == &calls);
	CHECK(!tolerance_find(&calls, 1, "Ir"));
	CHECK_U64(tolerance_events(&(struct tolerance){ "Ir", 0, UINT64_MAX }, INT64_MAX),
		  UINT64_MAX);
	CHECK_U64(tolerance_events(&(struct tolerance){ "Ir", 0, 10000000 }, -200), 2);
}

/* Of functions of one name the object and the file tell. */
static void test_find_row(void)
{
	static const char text[] = "events: Ir\nob=a\nfl=x.c\nfn=f\n1 1\nfl=y.c\nfn=f\n1 2\n"
				   "fl=y.c\nfn=g\n1 4\nob=b\nfl=x.c\nfn=f\n1 3\n";
	struct cg_profile *base = profile_of(text), *head = profile_of("events: Ir\nfn=h\n1 1\n");
	const struct diff_options options = { .metric = "Ir" };
	struct diff *d = NULL;

	REQUIRE_INT(diff_make(base, head, &options, &d, NULL), CG_OK);
	REQUIRE_U64(d->count, 5);
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *r = &d->rows[i];
		CHECK(diff_find_row(d, r->name, r->object, r->file) == r);
	}
	CHECK(diff_find_row(d, "g", "a", "x.c") == NULL);
	CHECK(diff_find_row(d, "g", "b", "y.c") == NULL);
	CHECK(diff_find_row(d, "i", "a", "y.c") == NULL);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
}

TEST_MAIN("diff", { "rows by their functions", test_find_row }, { "classes", test_classes },
	  { "a tolerance", test_tolerance }, { "order", test_order },
	  { "the threshold", test_threshold }, { "the least delta", test_min_delta },
	  { "the least delta of other metrics", test_min_delta_of_others },
	  { "rows below the threshold", test_rows_below_threshold },
	  { "large numbers", test_large_thresholds }, { "an empty base", test_empty_base },
	  { "both sides", test_sides }, { "what was only mentioned", test_unmeasured },
	  { "metrics", test_metrics }, { "reasons", test_reasons },
	  { "laws on random profiles", test_laws })
