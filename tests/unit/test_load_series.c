/* Which rows of a benchmark's history make a series, and in which order. */
#include "tests/unit/repository.h"

#include "src/record/branch.h"
#include "src/record/load_series.h"
#include "tests/unit/profiles.h"

#define ONE "1111111111111111"
#define TWO "2222222222222222"

static const struct series_options plain = { .limits = { .threshold_ppb = SERIES_THRESHOLD_PPB,
							 .min_delta = 100 } };

/*
 * main: a - b - c ------- m - d, with s, of a branch that was merged, and o, of one that was not;
 * their
 *                \ s /          times are in the order a b s c m o d.
 */
static void make_commit(const char *tag, int time)
{
	shell("GIT_COMMITTER_DATE='@%d +0000' git commit -q --allow-empty -m %s && git tag %s",
	      time, tag, tag);
}

static void make_history(void)
{
	make_commit("a", 1000000);
	make_commit("b", 1000100);
	shell("git checkout -q -b side");
	make_commit("s", 1000200);
	shell("git checkout -q main");
	make_commit("c", 1000300);
	shell("GIT_COMMITTER_DATE='@1000400 +0000' git merge -q --no-ff -m m side && git tag m && "
	      "git checkout -q -b other b");
	make_commit("o", 1000500);
	shell("git checkout -q main");
	make_commit("d", 1000600);
}

/* ---- rows ---- */

struct facts {
	const char *definition, *cpu;
	int64_t measured;
	int64_t ir, dr; /* ir < 0: only Dr was counted */
};

static void add_row(const char *tag, int64_t committed, struct facts facts)
{
	struct history_pair environment[] = { { (char *)"cpu", (char *)facts.cpu } };
	struct history_count counts[] = { { (char *)"Dr", facts.dr }, { (char *)"Ir", facts.ir } };
	struct history *h = NULL;
	struct cg_error err = { 0 };
	char *id = commit_id(tag);
	const struct history_run row = { .benchmark = (char *)"bench",
					 .definition = (char *)facts.definition,
					 .commit = id,
					 .committed = committed,
					 .subject = (char *)tag,
					 .environment = environment,
					 .nenvironment = 1,
					 .irdiff = (char *)"0.1.0",
					 .valgrind = (char *)"3.19.0",
					 .measured = facts.measured,
					 .counts = counts,
					 .ncounts = facts.ir < 0 ? 1 : 2 };
	int status = history_open_to_write(repository, &h, &err);

	if (!status)
		status = history_add(h, &row, NULL, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	history_close(h);
	free(id);
}

static void add(const char *tag, int64_t ir)
{
	static const char order[] = "absbcmod";
	static const int64_t times[] = {
		['a'] = 1000000, ['b'] = 1000100, ['s'] = 1000200, ['c'] = 1000300,
		['m'] = 1000400, ['o'] = 1000500, ['d'] = 1000600
	};
	REQUIRE(strchr(order, *tag) != NULL);
	add_row(tag, times[(int)*tag], (struct facts){ ONE, "x", 10, ir, 5 });
}

static void forget_rows(void)
{
	shell("rm -rf .irdiff");
}

/* ---- series ---- */

static int load(const char *last, const struct series_options *o, struct loaded_series *l,
		struct cg_error *err)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	struct placed_book placed = { 0 };
	struct branch branch;
	struct git *git = last ? repository_git() : NULL;

	REQUIRE_INT(branch_of(git, last, &branch, err), CG_OK);
	REQUIRE_INT(history_open(repository, &h, err), CG_OK);
	REQUIRE_INT(history_read(h, "bench", &book, err), CG_OK);
	REQUIRE_INT(place_commits(&book, &branch, &placed, err), CG_OK);
	int status = load_series(&placed, "bench", o, l, err);
	if (status)
		history_book_free(&book);
	else
		l->book = book; /* it has the texts */
	placed_book_free(&placed);
	history_close(h);
	branch_free(&branch);
	git_close(git);
	return status;
}

/* "a100 b+150 (c)200": in the order of points, what is hidden in parentheses, + or - before the
 * number for a step, !N after it for commits that were not measured before it, * for merged and ~
 * for other branches. */
static void check_series(const char *last, const struct series_options *o, const char *expected)
{
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };
	char found[500] = "";
	int status = load(last, o, &l, &err);

	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	for (size_t i = 0; i < l.series.count; i++) {
		const struct series_point *p = &l.series.points[i];
		size_t used = strlen(found);
		snprintf(found + used, sizeof found - used, "%s%s%s%s%s%s%" PRId64, i ? " " : "",
			 i < l.series.hidden ? "(" : "", p->subject, i < l.series.hidden ? ")" : "",
			 p->place == PLACE_MERGED  ? "*"
			 : p->place == PLACE_OTHER ? "~"
						   : "",
			 p->step == STEP_REGRESSED  ? "+"
			 : p->step == STEP_IMPROVED ? "-"
						    : "",
			 p->count);
		used = strlen(found);
		if (p->skipped)
			snprintf(found + used, sizeof found - used, "!%" PRIu64, p->skipped);
	}
	CHECK_STR(found, expected);
	loaded_series_free(&l);
}

static void add_all(void)
{
	forget_rows();
	add("d", 7000);
	add("a", 1000);
	add("o", 6000);
	add("m", 5000);
	add("s", 3000);
	add("b", 2000);
	add("c", 4000);
}

static void test_order(void)
{
	struct series_options all = plain;
	all.all = true;

	add_all();
	check_series("main", &plain, "a1000 b+2000 c+4000 m+5000 d+7000");
	check_series("main", &all, "a1000 b+2000 s*3000 c+4000 m+5000 o~6000 d+7000");
	check_series("side", &plain, "a1000 b+2000 s+3000");
	check_series("b", &all, "a1000 b+2000 s~3000 c~4000 m~5000 o~6000 d~7000");
	/* Without a repository by the times of the commits. */
	check_series(NULL, &plain, "a1000 b+2000 s+3000 c+4000 m+5000 o+6000 d+7000");
	/* Whatever the clocks said: git knows which commit came first. */
	forget_rows();
	add_row("a", 3000000, (struct facts){ ONE, "x", 10, 1000, 5 });
	add_row("b", 2000000, (struct facts){ ONE, "x", 10, 2000, 5 });
	add_row("c", 1000000, (struct facts){ ONE, "x", 10, 1000, 5 });
	check_series("main", &plain, "a1000 b+2000 c-1000");
	check_series(NULL, &plain, "c1000 b+2000 a-1000");
}

static void test_left_out(void)
{
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };
	struct series_options recent = plain;

	add_all();
	REQUIRE_INT(load("main", &plain, &l, &err), CG_OK);
	CHECK_U64(l.series.off_branch, 2); /* s and o */
	CHECK(l.series.by_git);
	loaded_series_free(&l);
	/* Of those only what would be shown is counted. */
	recent.since = 1000300;
	REQUIRE_INT(load("main", &recent, &l, &err), CG_OK);
	CHECK_U64(l.series.off_branch, 1);
	loaded_series_free(&l);
	REQUIRE_INT(load(NULL, &plain, &l, &err), CG_OK);
	CHECK_U64(l.series.off_branch, 0);
	CHECK(!l.series.by_git);
	loaded_series_free(&l);
}

static void test_skipped(void)
{
	forget_rows();
	add("a", 1000);
	add("d", 2000);
	check_series("main", &plain, "a1000 d+2000!3"); /* b, c and m */
	add("c", 1000);
	check_series("main", &plain, "a1000 c1000!1 d+2000!1");
	check_series(NULL, &plain, "a1000 c1000 d+2000"); /* nobody knows */
}

static void test_range(void)
{
	struct series_options o = plain;
	char *b = commit_id("b"), *c = commit_id("c"), *s = commit_id("s");

	add_all();
	o.since = 1000300;
	check_series("main", &o, "(a)1000 (b)+2000 c+4000 m+5000 d+7000");
	o.since = 1000301;
	check_series("main", &o, "(a)1000 (b)+2000 (c)+4000 m+5000 d+7000");
	o.most = 1;
	check_series("main", &o, "(a)1000 (b)+2000 (c)+4000 (m)+5000 d+7000");
	o.most = 4;
	check_series("main", &o, "(a)1000 (b)+2000 (c)+4000 m+5000 d+7000");
	o = plain;
	o.since_commit = c;
	check_series("main", &o, "(a)1000 (b)+2000 c+4000 m+5000 d+7000");
	/* One that is not on the branch begins nothing. */
	o.since_commit = s;
	check_series("main", &o, "a1000 b+2000 c+4000 m+5000 d+7000");
	o = plain;
	o.until = c;
	check_series("main", &o, "a1000 b+2000 c+4000");
	o.since_commit = b;
	check_series("main", &o, "(a)1000 b+2000 c+4000");
	o = plain;
	o.until = ONE; /* it was not measured */
	check_series("main", &o, "a1000 b+2000 c+4000 m+5000 d+7000");
	free(b);
	free(c);
	free(s);
}

/* ---- which rows ---- */

static void digest_of(const char *cpu, char digest[HISTORY_DIGEST])
{
	struct history_pair environment[] = { { (char *)"cpu", (char *)cpu } };
	history_run_digest(&(struct history_run){ .environment = environment, .nenvironment = 1 },
			   digest);
}

/* Two definitions on two machines; the newest commit, b, has TWO and y last. */
static void add_several(void)
{
	forget_rows();
	add_row("a", 1000000, (struct facts){ ONE, "x", 10, 1000, 5 });
	add_row("b", 1000100, (struct facts){ ONE, "x", 11, 1100, 5 });
	add_row("a", 1000000, (struct facts){ ONE, "y", 12, 1200, 5 });
	add_row("a", 1000000, (struct facts){ TWO, "x", 13, 1300, 5 });
	add_row("a", 1000000, (struct facts){ TWO, "y", 21, 1400, 5 });
	add_row("b", 1000100, (struct facts){ TWO, "y", 20, 1500, 5 });
}

static void check_choice(const struct series_options *o, const char *expected,
			 const char *definition, const char *cpu)
{
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };
	char digest[HISTORY_DIGEST];

	check_series("main", o, expected);
	REQUIRE_INT(load("main", o, &l, &err), CG_OK);
	digest_of(cpu, digest);
	CHECK_STR(l.series.definition, definition);
	CHECK_STR(l.series.environment, digest);
	loaded_series_free(&l);
}

static void check_refused(const struct series_options *o, const char *words)
{
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };

	CHECK_INT(load("main", o, &l, &err), CG_EINVAL);
	test_report(strstr(err.message, words) != NULL, false, __FILE__, __LINE__, "it says: %s",
		    err.message);
	CHECK(l.series.points == NULL);
}

static void test_choice(void)
{
	struct series_options o = plain;
	char x[HISTORY_DIGEST], y[HISTORY_DIGEST];
	size_t same = 0;

	digest_of("x", x);
	digest_of("y", y);
	while (x[same] == y[same])
		same++;
	add_several();
	check_choice(&o, "a1400 b+1500", TWO, "y");
	o.definition = "1";
	check_choice(&o, "a1000 b+1100", ONE, "x"); /* that of the newest commit */
	o.environment = x;
	check_choice(&o, "a1000 b+1100", ONE, "x");
	o.definition = NULL;
	check_choice(&o, "a1000 b+1100", ONE, "x");
	x[same + 1] = '\0'; /* no more than tells them apart */
	check_choice(&o, "a1000 b+1100", ONE, "x");
	/* That of irdiff.yml before that of the newest commit. */
	o = plain;
	o.present = ONE;
	check_choice(&o, "a1000 b+1100", ONE, "x");
	o.present = "3333333333333333";
	check_choice(&o, "a1400 b+1500", TWO, "y");
	o.present = ONE;
	o.definition = TWO;
	check_choice(&o, "a1400 b+1500", TWO, "y");
	/* Wherever its rows stand. */
	o.definition = NULL;
	forget_rows();
	add_row("a", 1000000, (struct facts){ TWO, "x", 90, 1000, 5 });
	add_row("b", 1000100, (struct facts){ ONE, "x", 10, 2000, 5 });
	add_row("c", 1000300, (struct facts){ TWO, "x", 95, 3000, 5 });
	check_choice(&o, "b2000", ONE, "x");
}

/* What is shown is that of the newest commit, whatever was measured since. */
static void test_newest(void)
{
	forget_rows();
	add_row("a", 1000000, (struct facts){ ONE, "x", 10, 1000, 5 });
	add_row("d", 1000600, (struct facts){ ONE, "x", 11, 1100, 5 });
	add_row("a", 1000000, (struct facts){ ONE, "y", 50, 1200, 5 });
	add_row("b", 1000100, (struct facts){ ONE, "y", 51, 1300, 5 });
	check_choice(&plain, "a1000 d+1100!3", ONE, "x");
	/* Commits of other branches come after those of this one, */
	add_row("o", 1000700, (struct facts){ ONE, "z", 60, 1400, 5 });
	check_choice(&plain, "a1000 d+1100!3", ONE, "x");
	/* and decide where there are no others. */
	forget_rows();
	add_row("o", 1000500, (struct facts){ ONE, "x", 70, 1000, 5 });
	add_row("s", 1000200, (struct facts){ ONE, "y", 71, 1100, 5 });
	check_choice(&plain, "", ONE, "x");
	/* Of one commit, the last measurement does. */
	add_row("d", 1000600, (struct facts){ ONE, "y", 80, 1200, 5 });
	add_row("d", 1000600, (struct facts){ ONE, "x", 79, 1300, 5 });
	check_choice(&plain, "d1200", ONE, "y");
}

static void test_refusals(void)
{
	struct series_options o = plain;
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };

	add_several();
	o.definition = "3";
	check_refused(&o, "has no measurement with the definition '3'; the latest is " TWO);
	add_row("b", 1000100, (struct facts){ ONE, "z", 1000, 1000, 5 });
	check_refused(&o, "has no measurement with the definition '3'; the latest is " ONE);
	o.environment = "";
	check_refused(&o, "with the definition '3' in this environment");
	o = plain;
	o.environment = "nothing";
	check_refused(&o, "has no measurement in the environment 'nothing'");
	o.environment = NULL;
	o.definition = "";
	check_refused(&o, "several definitions of bench begin with ''");
	o.definition = ONE;
	o.environment = "";
	check_refused(&o, "several environments of bench begin with ''");
	forget_rows();
	CHECK_INT(load("main", &plain, &l, &err), CG_OK);
	CHECK_U64(l.series.count, 0);
	CHECK_STR(l.series.benchmark, "bench");
	loaded_series_free(&l);
}

static void test_others(void)
{
	struct series_options o = plain;
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };
	char y[HISTORY_DIGEST];

	add_several();
	add_row("b", 1000100, (struct facts){ "0000000000000000", "x", 5, 1, 1 });
	o.definition = ONE;
	o.environment = NULL;
	REQUIRE_INT(load("main", &o, &l, &err), CG_OK);
	digest_of("y", y);
	CHECK_U64(l.series.elsewhere, 1); /* of y */
	REQUIRE(l.series.nothers == 1);
	CHECK_STR(l.series.others[0], y);
	CHECK_U64(l.series.redefined, 4);
	REQUIRE(l.series.ndefinitions == 2);
	CHECK_STR(l.series.definitions[0], "0000000000000000");
	CHECK_STR(l.series.definitions[1], TWO);
	CHECK_STR(l.series.valgrind, "3.19.0");
	loaded_series_free(&l);
}

/* ---- metrics ---- */

static void check_metric(const char *asked, const char *used, size_t points, size_t uncounted)
{
	struct series_options o = plain;
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };

	o.metric = asked;
	REQUIRE_INT(load("main", &o, &l, &err), CG_OK);
	CHECK_STR(l.series.metric, used);
	CHECK_U64(l.series.count, points);
	CHECK_U64(l.series.uncounted, uncounted);
	if (points)
		CHECK_INT(l.series.points[0].count, strcmp(used, "Ir") == 0 ? 1000 : 5);
	loaded_series_free(&l);
}

static void test_metric(void)
{
	forget_rows();
	add("a", 1000);
	check_metric(NULL, "Ir", 1, 0);
	check_metric("Dr", "Dr", 1, 0);
	check_metric("Dw", "Dw", 0, 1);
	check_metric("EstCycles", "EstCycles", 0, 1); /* its events were not counted */
	add_row("b", 1000100, (struct facts){ ONE, "x", 10, -1, 6 });
	check_metric("Ir", "Ir", 1, 1);
	check_metric(NULL, "Dr", 2, 0); /* the newest has no Ir */
}

static void test_level(void)
{
	struct loaded_series l = { 0 };
	struct cg_error err = { 0 };

	forget_rows();
	add("a", 1000);
	add("b", 1099);
	REQUIRE_INT(load("main", &plain, &l, &err), CG_OK);
	CHECK(l.series.level);
	loaded_series_free(&l);
	add("c", 1100); /* no step from b, but from a */
	check_series("main", &plain, "a1000 b1099 c1100");
	REQUIRE_INT(load("main", &plain, &l, &err), CG_OK);
	CHECK(!l.series.level);
	loaded_series_free(&l);
}

/* ---- that of a profile ---- */

static void check_profile(const char *commit, const char *cpu, const char *dirty,
			  const char *expected)
{
	char text[800], found[200] = "";
	struct loaded_series l;

	snprintf(text, sizeof text,
		 "desc: irdiff.subject.benchmark: bench\n"
		 "desc: irdiff.subject.definition: " ONE "\n"
		 "desc: irdiff.subject.commit: %s\n"
		 "desc: irdiff.subject.dirty: %s\n"
		 "desc: irdiff.env.cpu: %s\n"
		 "events: Ir\nfn=f\n1 1\n",
		 commit, dirty, cpu);
	struct cg_profile *p = profile_of(text);
	*told = '\0';
	load_series_of_profile(&told_notices, repository, p, NULL, &plain.limits, &l);
	for (size_t i = 0; i < l.series.count; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s",
			 l.series.points[i].subject);
	CHECK_STR(found, expected);
	CHECK_STR(told, "");
	loaded_series_free(&l);
	cg_profile_free(p);
}

static void test_profile(void)
{
	char *b = commit_id("b"), *o = commit_id("o"), *s = commit_id("s");

	add_all();
	add_row("b", 1000100, (struct facts){ TWO, "x", 99, 1, 1 }); /* measured later, otherwise */
	check_profile(b, "x", "no", "ab");                           /* up to it */
	check_profile(o, "x", "no", "abo");
	check_profile(s, "x", "no", "abs");
	/* The commit of a work tree with changes is not what was measured. */
	check_profile(b, "x", "yes", "abcmd");
	check_profile(b, "y", "no", ""); /* never measured there */
	free(b);
	free(o);
	free(s);
}

/* A history that cannot be read is a warning. */
static void test_damaged(void)
{
	struct cg_profile *p = profile_of("desc: irdiff.subject.benchmark: bench\n"
					  "desc: irdiff.subject.definition: " ONE "\n"
					  "desc: irdiff.env.cpu: x\n"
					  "events: Ir\nfn=f\n1 1\n");
	struct loaded_series l;

	add_all();
	shell("echo damaged >.irdiff/history.db");
	*told = '\0';
	load_series_of_profile(&told_notices, repository, p, NULL, &plain.limits, &l);
	CHECK_TOLD("the report lacks the history");
	CHECK_U64(l.series.count, 0);
	loaded_series_free(&l);
	cg_profile_free(p);
}

int main(void)
{
	static const struct test tests[] = {
		{ "a history of known commits", make_history },
		{ "the order of a branch", test_order },
		{ "commits of other branches", test_left_out },
		{ "commits that were not measured", test_skipped },
		{ "a part of it", test_range },
		{ "which definition and environment", test_choice },
		{ "those of the newest commit", test_newest },
		{ "no such definition or environment", test_refusals },
		{ "the other ones", test_others },
		{ "metrics", test_metric },
		{ "a level series", test_level },
		{ "the series of a profile", test_profile },
		{ "a damaged history", test_damaged },
	};
	if (!repository_begin())
		return TEST_SKIPPED;
	int failed = test_main("load_series", tests, sizeof tests / sizeof *tests);
	repository_end();
	return failed;
}
