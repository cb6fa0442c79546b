#include "cgprofile/audit.h"
#include "tests/unit/profiles.h"

#define VALGRIND "creator: callgrind-3.19.0\n"

struct audited {
	struct cg_profile *p;
	struct cg_audit *a;
};

static struct audited audit_of(const char *text)
{
	struct cg_read_options options = { .detail = { .contexts = true } };
	struct audited x = { .p = profile_with(text, strlen(text), &options) };
	REQUIRE_INT(cg_audit_make(x.p, &x.a), CG_OK);
	return x;
}

static void drop(struct audited *x)
{
	cg_audit_free(x->a);
	cg_profile_free(x->p);
}

static const struct cg_audit_record *find(const struct audited *x, const char *name,
					  const struct cg_audit_record *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t function = x->p->records[rows[i].record].function;
		if (strcmp(cg_string(x->p, x->p->functions[function].name), name) == 0)
			return &rows[i];
	}
	return NULL;
}

static void check_deviation(const struct audited *x, const char *name, enum cg_audit_cause cause,
			    int64_t difference)
{
	const struct cg_audit_record *row = find(x, name, x->a->records, x->a->nrecords);
	test_report(row != NULL, true, __FILE__, __LINE__, "%s conserves flow", name);
	test_report(row->cause == cause, false, __FILE__, __LINE__, "%s: cause %d, not %d", name,
		    (int)row->cause, (int)cause);
	CHECK_INT(cg_audit_difference(x->p, x->a, row->record, row->event), difference);
}

static enum cg_audit_cause root_cause(const struct audited *x, const char *name)
{
	const struct cg_audit_record *row = find(x, name, x->a->roots, x->a->nroots);
	test_report(row != NULL, true, __FILE__, __LINE__, "%s is no root", name);
	return row->cause;
}

/* ---- both laws hold ---- */

static void test_laws_hold(void)
{
	/* main 1 + f 20 (+ g 300) twice; f calls itself at level 2, which is folded. */
	struct audited x = audit_of(VALGRIND "events: Ir Dr\nsummary: 4321 1\n"
					     "fn=main\n1 1 0\ncfn=f\ncalls=2 1\n2 4320 1\n"
					     "fn=f\n3 20 1\ncfn=f'2\ncalls=2 1\n4 4300\n"
					     "fn=f'2\n3 300\ncfn=f'2\ncalls=9 1\n4 700\n"
					     "cfn=g\ncalls=1 1\n4 4000\n"
					     "fn=g\n5 4000\n"
					     "totals: 4321 1\n");
	CHECK_U64(x.a->totals.count + x.a->summaries.count, 0);
	CHECK_U64(x.a->totals.missing + x.a->summaries.missing, 0);
	CHECK_U64(x.a->called, 3);
	CHECK_U64(x.a->conserving, 3);
	CHECK_U64(x.a->nrecords, 0);
	CHECK_U64(x.a->nroots, 1);
	CHECK_INT(root_cause(&x, "main"), CG_AUDIT_NONE);
	CHECK_U64(x.a->countless + x.a->oversized + x.p->redefined, 0);
	CHECK(!x.a->overflow);
	drop(&x);
}

static void test_no_calls(void)
{
	struct audited x = audit_of("events: Ir\nfn=f\n1 7\nfn=g\n1 3\nsummary: 10\n");
	CHECK(!x.a->has_calls);
	CHECK_U64(x.a->called, 0);
	CHECK_U64(x.a->nroots, 2);
	CHECK_U64(x.a->totals.missing, 1);
	CHECK_U64(x.a->summaries.count, 0);
	CHECK(!x.a->local[0]);
	drop(&x);

	x = audit_of("events: Ir\n");
	CHECK_U64(x.a->nroots + x.a->nrecords, 0);
	drop(&x);
}

/* ---- totals ---- */

static void test_totals(void)
{
	struct audited x = audit_of("events: Ir Dr\npart: 1\nfn=f\n1 7 2\ntotals: 7 2\n"
				    "part: 2\nevents: Dr Ir\nfn=f\n1 -5 30\ntotals: -6 30\n");
	CHECK_U64(x.a->totals.missing, 0);
	CHECK_U64(x.a->summaries.missing, 2);
	REQUIRE_U64(x.a->totals.count, 1);
	CHECK_U64(x.a->totals.rows[0].part, 1);
	CHECK_U64(x.a->totals.rows[0].event, 1);
	CHECK_INT(x.a->totals.rows[0].self, -5);
	CHECK_INT(x.a->totals.rows[0].stated, -6);
	CHECK_INT(x.a->totals.rows[0].cause, CG_AUDIT_UNEXPLAINED);
	drop(&x);
}

static enum cg_audit_cause summary_cause(const char *text)
{
	struct audited x = audit_of(text);
	enum cg_audit_cause cause = x.a->summaries.count ? x.a->summaries.rows[0].cause
							 : CG_AUDIT_NONE;
	drop(&x);
	return cause;
}

static void test_summaries(void)
{
#define BODY "fn=main\n1 10\ncfn=f\ncalls=1 1\n1 5\nfn=f\n1 5\nfn=handler\n1 3\ntotals: 18\n"
	CHECK_INT(summary_cause(VALGRIND "events: Ir\nsummary: 18\n" BODY), CG_AUDIT_NONE);
	CHECK_INT(summary_cause(VALGRIND "events: Ir\nsummary: 0\n" BODY), CG_AUDIT_SWITCHED);
	CHECK_INT(summary_cause(VALGRIND "events: Ir\nsummary: 15\n" BODY), CG_AUDIT_OUTSIDE);
	CHECK_INT(summary_cause(VALGRIND "events: Ir\nsummary: 16\n" BODY), CG_AUDIT_UNEXPLAINED);
	CHECK_INT(summary_cause(VALGRIND "events: Ir\nsummary: 19\n" BODY), CG_AUDIT_UNWRITTEN);
	CHECK_INT(summary_cause("events: Ir\nsummary: 19\n" BODY), CG_AUDIT_UNEXPLAINED);
#undef BODY
}

/* ---- causes in files of Valgrind ---- */

static void test_unexplained(void)
{
	/* Too much in g, too little in h, of different sizes; f is fine. */
	struct audited x = audit_of(VALGRIND "events: Ir\nfn=main\n1 1\n"
					     "cfn=f\ncalls=1 1\n1 10\ncfn=g\ncalls=1 1\n1 10\n"
					     "cfn=h\ncalls=1 1\n1 10\n"
					     "fn=f\n1 10\nfn=g\n1 14\nfn=h\n1 3\ntotals: 28\n");
	CHECK_U64(x.a->conserving, 1);
	CHECK_U64(x.a->unexplained, 2);
	check_deviation(&x, "g", CG_AUDIT_UNEXPLAINED, 4);
	check_deviation(&x, "h", CG_AUDIT_UNEXPLAINED, -7);
	CHECK(find(&x, "h", x.a->records, 1) != NULL); /* the furthest off comes first */
	CHECK_U64(x.a->largest, 0);
	drop(&x);
}

static void test_lost_call(void)
{
	/* f calls g for 40 Ir and 3 Dr, which the file does not say; other() is
	 * f.c's to the callers and g.c's to itself. */
	struct audited x = audit_of(VALGRIND "events: Ir Dr\nfl=m.c\nfn=main\n1 1\n"
					     "cfn=f\ncalls=1 1\n1 50 3\ncfn=g\ncalls=1 1\n1 2\n"
					     "cfi=f.c\ncfn=other\ncalls=1 1\n1 600\n"
					     "fn=f\n1 10\nfn=g\n1 42 3\nfl=g.c\nfn=other\n1 600\n"
					     "totals: 653 3\n");
	check_deviation(&x, "f", CG_AUDIT_LOST_CALL, -3);
	check_deviation(&x, "g", CG_AUDIT_LOST_CALL, 3);
	check_deviation(&x, "other", CG_AUDIT_SPLIT, -600);
	CHECK_INT(root_cause(&x, "other"), CG_AUDIT_SPLIT);
	const struct cg_audit_record *f = find(&x, "f", x.a->records, x.a->nrecords);
	const struct cg_audit_record *g = find(&x, "g", x.a->records, x.a->nrecords);
	CHECK_U64(f->other, g->record);
	CHECK_U64(g->other, f->record);
	CHECK_U64(x.a->unexplained, 0);
	drop(&x);

	/* Two of one size: it could be chance. */
	x = audit_of(VALGRIND "events: Ir\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 9\n"
			      "cfn=g\ncalls=1 1\n1 1\ncfn=h\ncalls=1 1\n1 9\n"
			      "fn=f\n1 7\nfn=g\n1 3\nfn=h\n1 7\ntotals: 18\n");
	CHECK_U64(x.a->unexplained, 3);
	drop(&x);
}

static void test_threads(void)
{
	struct audited x = audit_of(VALGRIND "events: Ir\nsummary: 125\nfn=main\n1 5\n"
					     "cfn=clone\ncalls=1 1\n1 20\n"
					     "fn=clone\n1 20\ncfn=work\ncalls=1 1\n1 100\n"
					     "fn=work\n1 100\ntotals: 125\n");
	check_deviation(&x, "clone", CG_AUDIT_THREAD, 100);
	drop(&x);

	x = audit_of(VALGRIND
		     "events: Ir\nsummary: 105\nfn=main\n1 5\n"
		     "fn=clone\ncfn=work\ncalls=1 1\n1 100\nfn=work\n1 100\ntotals: 105\n");
	CHECK_INT(root_cause(&x, "clone"), CG_AUDIT_THREAD);
	CHECK_INT(root_cause(&x, "main"), CG_AUDIT_NONE);
	drop(&x);
}

static void test_program_end(void)
{
#define BODY "fn=main\n1 5\ncfn=_Exit\ncalls=1 1\n1 6\nfn=_Exit\n1 4\ntotals: 9\n"
	struct audited x = audit_of(VALGRIND "events: Ir\nsummary: 11\n" BODY);
	check_deviation(&x, "_Exit", CG_AUDIT_ENDED, -2);
	CHECK_INT(x.a->summaries.rows[0].cause, CG_AUDIT_ENDED);
	drop(&x);
	x = audit_of(VALGRIND "events: Ir\nsummary: 12\n" BODY); /* 1 more was lost */
	check_deviation(&x, "_Exit", CG_AUDIT_ENDED, -2);
	CHECK_INT(x.a->summaries.rows[0].cause, CG_AUDIT_UNWRITTEN);
	drop(&x);
	/* irdiff writes what Valgrind counted, and what others did. */
	x = audit_of("creator: irdiff-0.1.0\ndesc: I1 cache: \nevents: Ir\nsummary: 11\n" BODY);
	check_deviation(&x, "_Exit", CG_AUDIT_ENDED, -2);
	drop(&x);
	x = audit_of("creator: irdiff-0.1.0\nevents: Ir\nsummary: 11\n" BODY);
	check_deviation(&x, "_Exit", CG_AUDIT_ROUNDED, -2);
	drop(&x);
	x = audit_of(VALGRIND "events: Ir\nsummary: 10\n" BODY); /* accounts for 1, not 2 */
	check_deviation(&x, "_Exit", CG_AUDIT_UNEXPLAINED, -2);
	drop(&x);
#undef BODY
}

static void test_zeroed_and_entered(void)
{
	/* 30 of f were counted and thrown away. */
	struct audited x = audit_of(VALGRIND "events: Ir\nsummary: 45\nfn=main\n1 5\n"
					     "cfn=f\ncalls=0 1\n1 40\nfn=f\n1 10\ntotals: 15\n");
	check_deviation(&x, "f", CG_AUDIT_ZEROED, -30);
	CHECK_U64(x.a->countless, 1);
	CHECK_U64(x.a->oversized, 1);
	drop(&x);

	/* f was running when counting began, and cost 30 before it was called. */
	x = audit_of(VALGRIND "events: Ir\nsummary: 0\nfn=main\n1 5\ncfn=f\ncalls=1 1\n1 40\n"
			      "fn=f\n1 70\nfn=main'2\n1 9\ntotals: 84\n");
	check_deviation(&x, "f", CG_AUDIT_ENTERED, 30);
	CHECK_INT(root_cause(&x, "main"), CG_AUDIT_ENTERED);
	drop(&x);

	/* A signal came twice: between calls, and while it was called. */
	x = audit_of(VALGRIND "events: Ir\nsummary: 45\nfn=main\n1 5\ncfn=f\ncalls=1 1\n1 40\n"
			      "fn=f\n1 70\nfn=handler\n1 9\ntotals: 84\n");
	check_deviation(&x, "f", CG_AUDIT_ENTERED, 30);
	CHECK_INT(root_cause(&x, "main"), CG_AUDIT_NONE);
	CHECK_INT(root_cause(&x, "handler"), CG_AUDIT_ENTERED);
	CHECK_INT(x.a->summaries.rows[0].cause, CG_AUDIT_OUTSIDE);
	drop(&x);
}

static void test_lazy_binding(void)
{
	/* f and g are reached through the binder, which has their costs and no calls. */
	struct audited x = audit_of(
		VALGRIND "events: Ir\nsummary: 105\nfn=main\n1 5\n"
			 "cfn=dyld_stub_binder\ncalls=2 1\n1 90\ncfn=f\ncalls=1 1\n1 10\n"
			 "cfn=g\ncalls=1 1\n1 0\n"
			 "fn=dyld_stub_binder\n1 40\nfn=f\n1 50\nfn=g\n1 10\ntotals: 105\n");
	check_deviation(&x, "dyld_stub_binder", CG_AUDIT_LAZY, -50);
	check_deviation(&x, "f", CG_AUDIT_LAZY, 40);
	check_deviation(&x, "g", CG_AUDIT_LAZY, 10);
	drop(&x);
}

/* AcCost of --cacheuse: booked where it happened, and added up at the end. */
static void test_local_events(void)
{
	struct audited x = audit_of(VALGRIND
				    "events: Ir AcCost\nsummary: 45 0\nfn=main\n1 5 1\n"
				    "cfn=f\ncalls=1 1\n1 40\nfn=f\n1 40 700\ntotals: 45 701\n");
	CHECK(!x.a->local[0]);
	CHECK(x.a->local[1]);
	CHECK_U64(x.a->conserving, 1);
	REQUIRE_U64(x.a->summaries.count, 1);
	CHECK_INT(x.a->summaries.rows[0].cause, CG_AUDIT_NOT_SUMMED);
	drop(&x);

	/* Where no call has any cost at all, that is not the reason. */
	x = audit_of(VALGRIND "events: Ir\nfn=main\n1 5\ncfn=f\ncalls=1 1\n1 0\nfn=f\n1 40\n"
			      "totals: 45\n");
	CHECK(!x.a->local[0]);
	check_deviation(&x, "f", CG_AUDIT_UNEXPLAINED, 40);
	drop(&x);
}

/* ---- causes in files of others ---- */

static void test_other_writers(void)
{
	struct audited x = audit_of("events: ms\nfl=a\nfn=main\n1 1\ncfn=near\ncalls=1 1\n1 11\n"
				    "cfn=loop\ncalls=1 1\n1 100\ncfn=builtin\ncalls=1 1\n1 50\n"
				    "cfn=nowhere\ncalls=1 1\n1 60\ncfn=off\ncalls=1 1\n1 10\n"
				    "fn=near\n1 10\nfn=loop\n1 70\ncfn=loop\ncalls=3 1\n1 90\n"
				    "fn=off\n1 20\nfl=b\nfn=builtin\n1 49\n"
				    "fl=c\nfn=builtin\n1 0\n");
	check_deviation(&x, "near", CG_AUDIT_ROUNDED, -1);
	check_deviation(&x, "loop", CG_AUDIT_RECURSIVE, -30);
	check_deviation(&x, "builtin", CG_AUDIT_SPLIT, -50);
	check_deviation(&x, "nowhere", CG_AUDIT_NO_COSTS, -60);
	check_deviation(&x, "off", CG_AUDIT_UNEXPLAINED, 10);
	CHECK_INT(root_cause(&x, "builtin"), CG_AUDIT_SPLIT);
	CHECK_INT(x.a->records[0].cause, CG_AUDIT_UNEXPLAINED);
	CHECK_U64(x.a->misfit.records, 5);
	CHECK_INT((int64_t)(x.a->misfit.percent * 150 / 100 + 0.5), 1 + 30 + 50 + 60 + 10);
	drop(&x);
}

/* ---- numbers and names ---- */

static void test_negative_costs(void)
{
	struct audited x = audit_of("events: Mem\nfn=main\n1 100\ncfn=f\ncalls=1 1\n1 -80\n"
				    "cfn=g\ncalls=1 1\n1 -7\n"
				    "fn=f\n1 -80\nfn=g\n1 9\n");
	CHECK_U64(x.a->conserving, 1);
	check_deviation(&x, "g", CG_AUDIT_UNEXPLAINED, 16);
	drop(&x);
}

static void test_overflow(void)
{
	/* What the file can hold, its sums cannot: 2^63 - 1 twice, of either sign. */
	struct audited x = audit_of(
		"events: Ir Mem\nfn=main\n1 1 0\n"
		"cfn=f\ncalls=1 1\n1 9223372036854775807 -9223372036854775807\n"
		"cfn=g\ncalls=1 1\n1 9223372036854775807 -9223372036854775807\n"
		"fn=h\ncfn=f\ncalls=1 1\n1 9223372036854775807 -9223372036854775807\n"
		"fn=f\n1 1 1\nfn=g\n1 1 1\n");
	CHECK(x.a->overflow);
	CHECK_INT(x.a->in[(size_t)x.p->calls[1].callee * 2], INT64_MAX);
	CHECK_INT(x.a->in[(size_t)x.p->calls[1].callee * 2 + 1], INT64_MIN);
	CHECK_U64(x.a->oversized, 3);
	drop(&x);

	x = audit_of(VALGRIND "events: Ir\nsummary: 9223372036854775807\nfn=main\n1 -9\n"
			      "cfn=f\ncalls=1 1\n1 9223372036854775807\n"
			      "fn=f\n1 -9223372036854775000\ntotals: 1\n");
	check_deviation(&x, "f", CG_AUDIT_ZEROED, INT64_MIN);
	drop(&x);
}

static void test_redefined_names(void)
{
	struct audited x = audit_of("events: Ir\nfn=(1) f\n1 1\nfn=(1) f\n2 1\nfn=(2) g\n1 1\n"
				    "fl=(1) f.c\nfn=(1) f'2\n1 1\nfn=(2) h\n1 1\n"
				    "part: 2\nevents: Ir\nfn=(2) other\n1 1\n");
	CHECK_U64(x.p->redefined, 2); /* f'2 for f, h for g; the next part may number anew */
	drop(&x);
}

/* Equal deviations come in the order of names, levels and contexts. */
static void test_order(void)
{
	struct audited x = audit_of("events: Ir\ncreator: irdiff\nfn=main\n1 100\n"
				    "cfn=b\ncalls=1 1\n1 50\ncfn=a'2\ncalls=1 1\n1 50\n"
				    "cfn=a'main\ncalls=1 1\n1 50\ncfn=a\ncalls=1 1\n1 50\n"
				    "fn=b\n1 10\nfn=a'2\n1 10\nfn=a'main\n1 10\nfn=a\n1 10\n"
				    "totals: 140\n");
	REQUIRE_U64(x.a->nrecords, 4);
	const struct cg_record *r[4];
	for (size_t i = 0; i < 4; i++)
		r[i] = &x.p->records[x.a->records[i].record];
	CHECK(r[0]->level == 1 && r[0]->context == 0);
	CHECK(r[1]->level == 1 && r[1]->context != 0);
	CHECK_U64(r[2]->level, 2);
	CHECK_STR(cg_string(x.p, x.p->functions[r[3]->function].name), "b");
	drop(&x);
}

TEST_MAIN("audit", { "both laws hold", test_laws_hold }, { "no calls", test_no_calls },
	  { "totals", test_totals }, { "summaries", test_summaries },
	  { "unexplained", test_unexplained }, { "lost calls", test_lost_call },
	  { "threads", test_threads }, { "the program's end", test_program_end },
	  { "zeroed and entered", test_zeroed_and_entered }, { "lazy binding", test_lazy_binding },
	  { "events without calls", test_local_events }, { "other writers", test_other_writers },
	  { "negative costs", test_negative_costs }, { "overflow", test_overflow },
	  { "names defined again", test_redefined_names }, { "order", test_order })
