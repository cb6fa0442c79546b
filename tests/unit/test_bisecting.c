/*
 * The search for the first bad commit, by measurements of a program whose count is
 *
 *     a constant + a constant * the number in the file that it reads
 *
 * in a repository of which each commit's number is known.
 */
#include "tests/unit/repository.h"

#include "callgrind/support/number.h"
#include "src/commits/bisecting.h"
#include "src/commits/revision_measure.h"
#include "src/store/cache.h"
#include "src/store/history.h"

static const char program[] =
	"#include <fcntl.h>\n"
	"#include <unistd.h>\n"
	"#include \"src/client/irdiff.h\"\n"
	"static unsigned number(const char *name)\n"
	"{\n"
	"	char text[3];\n"
	"	int file = open(name, O_RDONLY);\n"
	"	if (file < 0 || read(file, text, 3) != 3)\n"
	"		return 0;\n"
	"	close(file);\n"
	"	return (text[0] - 48) * 100 + (text[1] - 48) * 10 + (text[2] - 48);\n"
	"}\n"
	"static void work(unsigned n)\n"
	"{\n"
	"	for (volatile unsigned i = 0; i < n; i++)\n"
	"		;\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	unsigned n = argc == 2 ? number(argv[1]) : 0;\n"
	"	if (argc == 2 && !n)\n"
	"		return 1;\n"
	"	work(n);\n"
	"	for (int i = 1; argc > 2 && i < argc; i++)\n"
	"		if ((n = number(argv[i])))\n"
	"			IRDIFF_CASE(argv[i]) work(n);\n"
	"	return 0;\n"
	"}\n";

/* `tolerance`: lines of the benchmark, or "". */
static struct config *config_with(const char *tolerance)
{
	struct config *config = NULL;
	struct cg_error err = { 0 };
	char *text, *path;

	REQUIRE(asprintf(&path, "%s/" CONFIG_NAME, repository) > 0);
	REQUIRE(asprintf(&text,
			 "benchmarks:\n"
			 "  one:\n    command: [%s.count, n]\n%s"
			 "  all:\n    command: [%s.count, x, y, z, w]\n",
			 repository, tolerance, repository) > 0);
	int status = config_parse(text, strlen(text), path, &config, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	free(text);
	free(path);
	return config;
}

/* NUMBER: what the commit's file has; 0: none, so that it cannot be measured. */
static void commit(const char *tag, unsigned number)
{
	if (number)
		shell("printf %03u >n && echo %s >notes && git add -A && git commit -qm %s && git tag %s",
		      number, tag, tag, tag);
	else
		shell("rm -f n && echo %s >notes && git add -A && git commit -qm %s && git tag %s",
		      tag, tag, tag);
}

static void commit_cases(const char *tag, unsigned x, unsigned y, unsigned z)
{
	shell("printf %03u >x && printf %03u >y && printf %03u >z && git add -A && "
	      "git commit -q --allow-empty -m %s && git tag %s",
	      x, y, z, tag, tag);
}

static bool make_repository(void)
{
	char *path;
	FILE *to;

	if (asprintf(&path, "%s.c", repository) < 0)
		return false;
	to = fopen(path, "w");
	free(path);
	if (!to)
		return false;
	fputs(program, to);
	fclose(to);
	return runs("valgrind --version") &&
	       runs("for how in -static ''; do ${CC:-cc} $how -O1 -I'" TEST_DATA
		    "/../..' -o $PWD.count $PWD.c && exit 0; done; exit 1");
}

/*
 * a 100 - b 100 - c ✗ - d 100 - e 200 - f 200 - g 299 - h ✗ - i ✗ - j 300 ---- u 300 -- m 500 - v
 * 50 …
 *                                                                  \ s 300 - t 500 /
 *
 * … v 50 - w 50 - x 50 - k 300 - l 200 - o 100 - q ✗ - r 300
 */
static void make_history(void)
{
	shell("echo .irdiff >.git/info/exclude");
	commit("a", 100);
	commit("b", 100);
	commit("c", 0);
	commit("d", 100);
	commit("e", 200);
	commit("f", 200);
	commit("g", 299);
	commit("h", 0);
	commit("i", 0);
	commit("j", 300);
	shell("git checkout -q -b side");
	commit("s", 300);
	commit("t", 500);
	shell("git checkout -q main && echo more >more && git add -A && git commit -qm u && git tag u && "
	      "git merge -q --no-ff -m m t && git tag m");
	commit("v", 50);
	commit("w", 50);
	commit("x", 50);
	commit("k", 300);
	commit("l", 200);
	commit("o", 100);
	commit("q", 0);
	commit("r", 300);
	shell("git checkout -q --orphan cases && git rm -qrf .");
	commit_cases("p1", 900, 100, 100);
	commit_cases("p2", 900, 100, 130);
	commit_cases("p3", 990, 150, 130);
	commit_cases("p4", 990, 150, 130);
	shell("git rm -q x y z && printf 100 >w && git add -A && git commit -qm p5 && git tag p5 && "
	      "git checkout -q main");
}

/* ---- a search ---- */

struct search {
	struct project project;
	struct build_area area;
	struct bisection b;
	char *good, *bad; /* ids */
	size_t said, left[32];
};

static void count_said(const struct bisect_step *step, size_t left, void *arg)
{
	struct search *s = arg;
	CHECK(step == &s->b.steps[s->b.nsteps - 1]);
	if (s->said < 32)
		s->left[s->said++] = left;
}

static void begin(struct search *s, const char *name, const char *tolerance)
{
	const struct build_area_options options = { .quiet = true };
	struct cg_error err = { 0 };

	*told = '\0';
	*s = (struct search){ .project = { .root = repository,
					   .config = config_with(tolerance),
					   .notices = &told_notices } };
	int status = build_area_open(&s->area, &s->project, &options, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	s->b = (struct bisection){ .area = &s->area,
				   .benchmark = config_benchmark(s->project.config, name),
				   .name = name,
				   .threshold = -1,
				   .said = count_said,
				   .said_arg = s };
}

static enum ending search(struct search *s, const char *good, const char *bad)
{
	s->good = commit_id(good);
	s->bad = commit_id(bad);
	return bisect(&s->b, s->good, s->bad);
}

static void end(struct search *s)
{
	free(s->good);
	free(s->bad);
	bisection_free(&s->b);
	build_area_close(&s->area);
	config_free(s->project.config);
}

static void check_id(const char *found, const char *tag)
{
	char *id = commit_id(tag);
	CHECK_STR(found, id);
	free(id);
}

/* Searches by the defaults; returns the difference between bad and good. */
static void check_found(const char *good, const char *bad, const char *first)
{
	struct search s;

	begin(&s, "one", "");
	CHECK_INT(search(&s, good, bad), ENDED_FINE);
	if (s.b.bad)
		check_id(s.b.bad, first);
	CHECK_U64(s.b.suspects.count, 0);
	CHECK_U64(s.said, s.b.nsteps);
	end(&s);
}

/* How many events one more in the file costs. */
static int64_t cost_of_one(void)
{
	struct search s;

	begin(&s, "one", "");
	REQUIRE_INT(search(&s, "d", "e"), ENDED_FINE);
	int64_t cost = (s.b.bad_count - s.b.good_count) / 100;
	CHECK_INT(cost * 100, s.b.bad_count - s.b.good_count);
	CHECK(cost > 1);
	end(&s);
	return cost;
}

static const struct bisect_step *step_of(const struct bisection *b, const char *tag)
{
	const struct bisect_step *found = NULL;
	for (size_t i = 0; i < b->nsteps; i++)
		if (strcmp(b->steps[i].commit.subject, tag) == 0)
			found = &b->steps[i];
	return found;
}

static void test_regression(void)
{
	struct search s;

	begin(&s, "one", "");
	CHECK_INT(search(&s, "a", "f"), ENDED_FINE);
	check_id(s.b.bad, "e");
	check_id(s.b.good.items[0], "a");
	CHECK_U64(s.b.suspects.count, 0);
	/* The ends first, then no commit that tells nothing new. */
	REQUIRE(s.b.nsteps >= 4 && s.b.nsteps <= 6);
	CHECK_STR(s.b.steps[0].commit.subject, "a");
	CHECK_INT(s.b.steps[0].verdict, BISECT_GOOD);
	CHECK_INT(s.b.steps[0].count, s.b.good_count);
	CHECK_STR(s.b.steps[1].commit.subject, "f");
	CHECK_INT(s.b.steps[1].verdict, BISECT_BAD);
	CHECK_INT(s.b.steps[1].count, s.b.bad_count);
	CHECK_U64(s.said, s.b.nsteps);
	CHECK(s.left[0] == 0 && s.left[1] == 0);
	CHECK_U64(s.left[2], 5); /* b, c, d, e or f */
	REQUIRE(step_of(&s.b, "e") && step_of(&s.b, "d"));
	CHECK_INT(step_of(&s.b, "e")->verdict, BISECT_BAD);
	CHECK_INT(step_of(&s.b, "e")->count, s.b.bad_count);
	CHECK_INT(step_of(&s.b, "d")->verdict, BISECT_GOOD);
	end(&s);
	check_found("d", "e", "e");
	check_found("d", "f", "e");
}

static void test_improvement(void)
{
	check_found("m", "x", "v");
	check_found("m", "w", "v");
}

/* Half-way from good to bad is bad; one less is not. */
static void test_mark(void)
{
	struct search s;
	int64_t one = cost_of_one();

	check_found("a", "j", "e"); /* 100, 200, 300 */
	begin(&s, "one", "");
	CHECK_INT(search(&s, "f", "m"), ENDED_FINE); /* 200; 299, 300; 500 */
	CHECK_INT(s.b.bad_count - s.b.good_count, 300 * one);
	CHECK_INT(s.b.mark - s.b.good_count, 150 * one);
	check_id(s.b.bad, "t");
	end(&s);
	/* Down as well. */
	check_found("k", "o", "l");
	begin(&s, "one", "");
	CHECK_INT(search(&s, "g", "v"), ENDED_FINE);
	CHECK_INT(s.b.good_count - s.b.bad_count, 249 * one);
	CHECK_INT(s.b.good_count - s.b.mark, (249 * one + 1) / 2);
	check_id(s.b.bad, "v");
	end(&s);
	/* Half of an odd difference is rounded up: each turn of the loop writes once. */
	begin(&s, "one", "");
	s.b.metric = "Dw";
	CHECK_INT(search(&s, "a", "g"), ENDED_FINE);
	CHECK_INT(s.b.bad_count - s.b.good_count, 199);
	CHECK_INT(s.b.mark - s.b.good_count, 100);
	check_id(s.b.bad, "e");
	end(&s);
}

/* The percentage of `good` that so many more in the file are, as exactly as a double can say it. */
static double percent(int64_t events, int64_t good)
{
	return 100.0 * (double)events / (double)good;
}

static void check_threshold(double threshold, const char *first)
{
	struct search s;

	begin(&s, "one", "");
	s.b.threshold = threshold;
	enum ending ending = search(&s, "a", "m");
	if (first) {
		CHECK_INT(ending, ENDED_FINE);
		check_id(s.b.bad, first);
	} else {
		CHECK_INT(ending, ENDED_UNUSABLE);
		CHECK(s.b.bad == NULL);
		CHECK_TOLD("too small a change to search for: --threshold is ");
	}
	end(&s);
}

static void test_threshold(void)
{
	struct search s;
	int64_t one = cost_of_one();

	begin(&s, "one", "");
	CHECK_INT(search(&s, "a", "b"), ENDED_UNUSABLE);
	CHECK_TOLD("good and bad have the same count, ");
	CHECK_U64(s.b.nsteps, 1); /* bad was not said to be new */
	int64_t good = s.b.good_count;
	end(&s);
	check_threshold(percent(100 * one - 1, good), "e");
	check_threshold(percent(100 * one + 1, good), "g");
	check_threshold(percent(400 * one - 1, good), "t");
	check_threshold(percent(400 * one + 1, good), NULL);
	check_threshold(0, "e"); /* any change */
}

static void check_tolerance(int64_t events, const char *first)
{
	char lines[100];
	struct search s;

	snprintf(lines, sizeof lines, "    tolerance: {Ir: \"%" PRId64 "\"}\n", events);
	begin(&s, "one", lines);
	s.b.threshold = 0;
	enum ending ending = search(&s, "a", "m");
	if (first) {
		CHECK_INT(ending, ENDED_FINE);
		check_id(s.b.bad, first);
	} else {
		CHECK_INT(ending, ENDED_UNUSABLE);
		CHECK_TOLD("too small a change to search for: the tolerance in irdiff.yml is ");
	}
	end(&s);
}

/* A count as far from good as the tolerance is good. */
static void test_tolerance(void)
{
	int64_t one = cost_of_one();

	check_tolerance(100 * one - 1, "e");
	check_tolerance(100 * one, "g");
	check_tolerance(400 * one - 1, "t");
	check_tolerance(400 * one, NULL);
}

/* All of them, whatever their order, are what may be the first. */
static void check_doubtful(const char *good, const char *bad, const char *const *tags, size_t count)
{
	struct search s;

	begin(&s, "one", "");
	s.b.threshold = 0;
	CHECK_INT(search(&s, good, bad), ENDED_FINE);
	check_id(s.b.bad, bad);
	CHECK_U64(s.b.skipped.count, count - 1);
	REQUIRE(s.b.suspects.count == count);
	for (size_t i = 0; i < count; i++) {
		char *id = commit_id(tags[i]);
		bool found = false;
		for (size_t k = 0; k < count; k++)
			found |= strcmp(s.b.suspects.items[k], id) == 0;
		CHECK(found);
		free(id);
	}
	REQUIRE(step_of(&s.b, tags[0]) != NULL);
	CHECK_INT(step_of(&s.b, tags[0])->verdict, BISECT_SKIPPED);
	CHECK_INT(step_of(&s.b, tags[0])->count, 0);
	end(&s);
}

static void test_skipped(void)
{
	check_doubtful("g", "j", (const char *const[]){ "h", "i", "j" }, 3);
	check_doubtful("o", "r", (const char *const[]){ "q", "r" }, 2);
	/* One that was skipped on good's side leaves no doubt. */
	check_found("b", "e", "e");
}

static void test_merges(void)
{
	struct search s;

	check_found("j", "m", "t");
	begin(&s, "one", "");
	s.b.first_parent = true;
	CHECK_INT(search(&s, "j", "m"), ENDED_FINE);
	check_id(s.b.bad, "m");
	CHECK(!step_of(&s.b, "t") && !step_of(&s.b, "s"));
	end(&s);
}

static void test_ends(void)
{
	struct search s;

	begin(&s, "one", "");
	CHECK_INT(search(&s, "e", "d"), ENDED_UNUSABLE);
	CHECK_TOLD("is older than good");
	CHECK_U64(s.b.nsteps, 0);
	end(&s);
	begin(&s, "one", "");
	CHECK_INT(search(&s, "t", "u"), ENDED_UNUSABLE);
	CHECK_TOLD("is not an ancestor of");
	char *base = commit_id("j");
	base[GIT_ID_SHORT] = '\0';
	CHECK_TOLD(base);
	free(base);
	end(&s);
	begin(&s, "one", "");
	CHECK_INT(search(&s, "c", "f"), ENDED_BENCHMARK_FAILED);
	CHECK_U64(s.b.nsteps, 0);
	end(&s);
	begin(&s, "one", "");
	CHECK_INT(search(&s, "b", "c"), ENDED_BENCHMARK_FAILED);
	CHECK(!step_of(&s.b, "c"));
	end(&s);
	begin(&s, "one", "");
	s.b.metric = "Nothing";
	CHECK_INT(search(&s, "a", "f"), ENDED_UNUSABLE);
	CHECK_TOLD("Nothing was not measured");
	end(&s);
	CHECK_STR(bisect_verdict_name(BISECT_GOOD), "good");
	CHECK_STR(bisect_verdict_name(BISECT_BAD), "bad");
	CHECK_STR(bisect_verdict_name(BISECT_SKIPPED), "skipped");
}

/* ---- cases ---- */

static const struct bisect_case *case_of(const struct bisection *b, const char *name)
{
	for (size_t i = 0; i < b->ncases; i++)
		if (strcmp(b->cases[i].name, name) == 0)
			return &b->cases[i];
	return NULL;
}

/* x changes by 90 and y by 50: in percent that is less. */
static void test_cases(void)
{
	struct search s;

	begin(&s, "all", "");
	REQUIRE(search(&s, "p1", "p4") == ENDED_FINE);
	CHECK_STR(s.b.chosen, "all/y");
	check_id(s.b.bad, "p3");
	REQUIRE(s.b.ncases == 3);
	const struct bisect_case *x = case_of(&s.b, "all/x"), *y = case_of(&s.b, "all/y"),
				 *z = case_of(&s.b, "all/z");
	REQUIRE(x && y && z);
	CHECK(x->bad - x->good > y->bad - y->good);
	CHECK_INT(y->good, s.b.good_count);
	CHECK_INT(y->bad, s.b.bad_count);
	char *parent = commit_id("p2");
	CHECK_INT(bisect_compare_cases(&s.b, parent), ENDED_FINE);
	free(parent);
	CHECK(x->crosses && y->crosses && !z->crosses);
	CHECK_INT(x->before, x->good);
	CHECK_INT(x->after, x->bad);
	CHECK_INT(z->before, z->bad); /* it changed before */
	CHECK_INT(z->after, z->bad);
	end(&s);

	begin(&s, "all", "");
	s.b.name = "all/z";
	CHECK_INT(search(&s, "p1", "p4"), ENDED_FINE);
	CHECK(s.b.chosen == NULL);
	check_id(s.b.bad, "p2");
	end(&s);
}

/* On both sides of the mark only what was not there before has crossed it. */
static void test_crossing(void)
{
	struct search s;

	begin(&s, "all", "");
	REQUIRE(search(&s, "p4", "p4") == ENDED_UNUSABLE);
	end(&s);
	begin(&s, "all", "");
	s.b.name = "all/z";
	REQUIRE(search(&s, "p1", "p2") == ENDED_FINE);
	check_id(s.b.bad, "p2");
	end(&s);
	/* Backwards: what was good was more. */
	shell("git checkout -q p4");
	commit_cases("p6", 990, 150, 130);
	commit_cases("p7", 990, 149, 100);
	commit_cases("p8", 900, 149, 100);
	shell("git checkout -q main");
	begin(&s, "all", "");
	REQUIRE(search(&s, "p4", "p8") == ENDED_FINE);
	CHECK_STR(s.b.chosen, "all/z");
	char *parent = commit_id("p6");
	CHECK_INT(bisect_compare_cases(&s.b, parent), ENDED_FINE);
	free(parent);
	REQUIRE(case_of(&s.b, "all/x") && case_of(&s.b, "all/y") && case_of(&s.b, "all/z"));
	CHECK(!case_of(&s.b, "all/x")->crosses);
	CHECK(case_of(&s.b, "all/y")->crosses && case_of(&s.b, "all/z")->crosses);
	end(&s);
}

static void test_no_case(void)
{
	struct search s;

	begin(&s, "all", "");
	CHECK_INT(search(&s, "p3", "p4"), ENDED_UNUSABLE);
	CHECK_TOLD("no case of all changed between good and bad");
	end(&s);
	begin(&s, "all", "");
	CHECK_INT(search(&s, "p1", "p5"), ENDED_UNUSABLE);
	CHECK_TOLD("no case of all exists in both good and bad");
	end(&s);
	begin(&s, "all", "");
	s.b.name = "all/v";
	CHECK_INT(search(&s, "p1", "p4"), ENDED_UNUSABLE);
	CHECK_TOLD("no benchmark or case 'all/v'");
	end(&s);
}

/* ---- what becomes a row of the history ---- */

static size_t count_rows(const char *benchmark, const char *commit)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	size_t count = 0;

	REQUIRE_INT(history_open(repository, &h, NULL), CG_OK);
	REQUIRE_INT(history_read(h, benchmark, &book, NULL), CG_OK);
	for (size_t i = 0; i < book.nseries; i++)
		for (size_t k = 0; k < book.series[i].count; k++)
			count += strcmp(book.commits[book.series[i].points[k].commit].id, commit) ==
				 0;
	history_book_free(&book);
	history_close(h);
	return count;
}

/* Measures `one` of a commit or, with NULL, of the work tree; the name of its entry is the
 * caller's. */
static enum ending measure(const struct config_command *build, const char *tag, bool of_file,
			   char **entry)
{
	const struct build_area_options options = { .quiet = true, .build = build };
	struct project project = { .root = repository,
				   .config = config_with(""),
				   .notices = &told_notices };
	struct build_area area;
	struct revision side = { 0 };
	struct path_list entries = { 0 };
	struct cg_error err = { 0 };
	struct config_benchmark *b = &project.config->benchmarks[0];
	char *id = tag ? commit_id(tag) : NULL;

	*told = '\0';
	if (!of_file)
		b->line = 0; /* as a command of the command line */
	REQUIRE(!build_area_open(&area, &project, &options, &err));
	REQUIRE(!(id ? revision_of_commit(&area, tag, id, &side, &err)
		     : revision_of_work_tree(&area, &side, &err)));
	enum ending ending = revision_measure(&area, &side, b, &entries);
	if (entry)
		*entry = entries.count ? strdup(entries.paths[0]) : NULL;
	path_list_free(&entries);
	build_area_leave(&area, &side);
	revision_free(&side);
	build_area_close(&area);
	config_free(project.config);
	free(id);
	return ending;
}

static void forget_all(void)
{
	shell("rm -rf .irdiff/history.db* .irdiff/cache");
}

static void test_history(void)
{
	char *argv[] = { (char *)"/bin/true", NULL };
	const struct config_command build = { .argv = argv, .argc = 1 };
	char *a = commit_id("a"), *c = commit_id("c"), *usual, *built, *entry;

	forget_all();
	CHECK_INT(measure(&build, "a", true, &built), ENDED_FINE);
	CHECK_U64(count_rows("one", a), 0); /* built by other means than its own */
	CHECK_INT(measure(NULL, "a", false, &entry), ENDED_FINE);
	CHECK_U64(count_rows("one", a), 0); /* a command of the command line */
	free(entry);
	CHECK_INT(measure(NULL, "a", true, &usual), ENDED_FINE);
	CHECK_U64(count_rows("one", a), 1);
	REQUIRE(usual && built);
	CHECK(strcmp(usual, built) != 0); /* neither is taken for the other one */
	CHECK_INT(measure(NULL, "c", true, &entry), ENDED_BENCHMARK_FAILED);
	CHECK(entry == NULL);
	CHECK_U64(count_rows("one", c), 0); /* there is no count of it */
	CHECK_U64(count_rows("one", a), 1);
	/* A history that was lost is made again of the cache, without what never was in it. */
	shell("rm -f .irdiff/history.db*");
	CHECK_INT(measure(&build, "a", true, NULL), ENDED_FINE);
	CHECK_U64(count_rows("one", a), 0);
	CHECK_INT(measure(NULL, "a", true, &entry), ENDED_FINE);
	CHECK_STR(entry, usual);
	CHECK_U64(count_rows("one", a), 1);
	free(entry);
	free(usual);
	free(built);
	free(a);
	free(c);
}

static void test_work_tree(void)
{
	char *main_id = commit_id("main"), *entry;

	forget_all();
	shell("printf 070 >n");
	CHECK_INT(measure(NULL, NULL, true, &entry), ENDED_FINE);
	REQUIRE(entry != NULL);
	CHECK(strchr(entry, '+') != NULL);
	CHECK_U64(count_rows("one", main_id), 0); /* it is not what the commit has */
	free(entry);
	shell("git checkout -q n");
	CHECK_INT(measure(NULL, NULL, true, &entry), ENDED_FINE);
	REQUIRE(entry != NULL);
	CHECK(strchr(entry, '+') == NULL);
	CHECK_U64(count_rows("one", main_id), 1);
	free(entry);
	free(main_id);
}

int main(void)
{
	static const struct test tests[] = {
		{ "a history of known counts", make_history },
		{ "a regression", test_regression },
		{ "an improvement", test_improvement },
		{ "half-way is bad", test_mark },
		{ "a threshold", test_threshold },
		{ "a tolerance", test_tolerance },
		{ "commits that cannot be measured", test_skipped },
		{ "merges", test_merges },
		{ "ends that will not do", test_ends },
		{ "the case that changed most", test_cases },
		{ "cases that the commit changed, too", test_crossing },
		{ "no case to look for", test_no_case },
		{ "which measurements are of the history", test_history },
		{ "of a work tree, only without changes", test_work_tree },
	};
	if (!repository_begin())
		return TEST_SKIPPED;
	if (!make_repository()) {
		puts("SKIP: valgrind or a C compiler is not installed (apt-get install valgrind gcc)");
		repository_end();
		return TEST_SKIPPED;
	}
	int failed = test_main("bisecting", tests, sizeof tests / sizeof *tests);
	runs("rm -f $PWD.count $PWD.c");
	repository_end();
	return failed;
}
