/* Which commits of the branch have no counts yet, and what is said of them. */
#include "src/commits/new_commits.h"

#include "src/store/history.h"
#include "tests/unit/history_rows.h"
#include "tests/unit/repository.h"

/* Commits with the subjects "1" to "6", the oldest first. "2" merges another one, which changes the
 * file b; all others change a. */
enum { COMMITS = 6 };
static char *ids[COMMITS + 1];

static void measured(const char *benchmark, int commit)
{
	const struct history_run run = row(benchmark, ids[commit]);
	struct history *h = NULL;

	REQUIRE_INT(history_open_to_write(repository, &h, NULL), CG_OK);
	REQUIRE_INT(history_add(h, &run, NULL, NULL), CG_OK);
	history_close(h);
}

/* 0: it is another one. */
static int number_of(const char *id)
{
	int k = COMMITS;

	while (k && strcmp(id, ids[k]) != 0)
		k--;
	return k;
}

/* The numbers of the commits in the list, the newest first, or the error. */
static void check_list(unsigned line, const struct wanted_new *wanted, const char *expected,
		       const char *words)
{
	const struct project project = { .root = repository, .notices = &told_notices };
	struct git *git = repository_git();
	struct strings list = { 0 };
	struct cg_error err = { 0 };
	char found[100] = "";

	told[0] = '\0';
	int status = list_new_commits(git, &project, wanted, &list, &err);
	if (status)
		snprintf(found, sizeof found, "%.30s", err.message);
	for (size_t i = 0; !status && i < list.count; i++)
		snprintf(found + strlen(found), sizeof found - strlen(found), "%d",
			 number_of(list.items[i]));
	test_str(found, expected, false, __FILE__, line, "the list");
	test_str(told, words, false, __FILE__, line, "told");
	strings_free(&list);
	git_close(git);
}

#define CHECK_LIST(most, expected, words) \
	check_list(__LINE__, &(struct wanted_new){ NULL, NULL, most }, expected, words)

static void test_begin(void)
{
	for (int i = 1; i <= COMMITS; i++) {
		if (i == 2)
			shell("git checkout -qb side && echo 2 >b && git add . && git commit -qm side && "
			      "git checkout -q main && git merge -q --no-ff -m 2 side");
		else
			shell("echo %d >a && git add . && git commit -qm %d", i, i);
		ids[i] = commit_id("HEAD");
	}
}

static void test_none_measured(void)
{
	CHECK_LIST(0, "654321", "measuring the newest 6 of 6 commits, as none has counts yet\n");
	CHECK_LIST(2, "65",
		   "measuring the newest 2 of 6 commits, as none has counts yet; --newest=6 "
		   "measures all of them\n");
	CHECK_LIST(9, "654321", "measuring the newest 6 of 6 commits, as none has counts yet\n");
}

static void test_some_measured(void)
{
	char words[200];

	measured("a", 1);
	CHECK_LIST(0, "654321",
		   "measuring 5 commits without counts, and 1 before them to compare with\n");
	measured("a", 2);
	measured("b", 4);
	CHECK_LIST(0, "65432",
		   "measuring 3 commits without counts, and 2 before them to compare with\n");
	CHECK_LIST(5, "65432",
		   "measuring 3 commits without counts, and 2 before them to compare with\n");
	/* One more than are wanted is looked at. */
	CHECK_LIST(2, "654",
		   "measuring 2 commits without counts, and 1 before them to compare with\n");
	snprintf(words, sizeof words,
		 "measuring the newest 1 of 2 commits after %.10s, which have no counts yet; "
		 "--newest=2 measures all of them\n",
		 ids[4]);
	CHECK_LIST(1, "6", words);
}

static void test_of_benchmark(void)
{
	const struct wanted_new of_b = { .benchmark = "b" }, of_a = { .benchmark = "a" },
				of_c = { .benchmark = "c" };

	check_list(__LINE__, &of_b, "654",
		   "measuring 2 commits without counts, and 1 before them to compare with\n");
	check_list(__LINE__, &of_a, "65432",
		   "measuring 4 commits without counts, and 1 before them to compare with\n");
	check_list(__LINE__, &of_c, "654321",
		   "measuring the newest 6 of 6 commits, as none has counts yet\n");
}

static void test_paths(void)
{
	const char *const none[] = { NULL }, *const b[] = { "--", "b", NULL },
			  *const a[] = { "--", "a", NULL };
	const struct wanted_new any = { .paths = none }, only_b = { .paths = b },
				only_a = { .paths = a };

	check_list(__LINE__, &any, "65432",
		   "measuring 3 commits without counts, and 2 before them to compare with\n");
	check_list(__LINE__, &only_b, "", "no commit is new: all have counts\n");
	check_list(__LINE__, &only_a, "65431",
		   "measuring 3 commits without counts, and 2 before them to compare with\n");
}

static void test_all_measured(void)
{
	measured("a", 3);
	measured("a", 5);
	CHECK_LIST(0, "65", "measuring 1 commit without counts, and 1 before it to compare with\n");
	measured("a", 6);
	CHECK_LIST(0, "", "no commit is new: all have counts\n");
	CHECK_LIST(1, "", "no commit is new: all have counts\n");
}

/* Without a row among those that are there, older ones may have some. */
static void test_shallow(void)
{
	char *id = ids[6];

	shell("echo 7 >a && git commit -qam 7 && echo \"$(git rev-parse HEAD)\" >.git/shallow");
	CHECK_LIST(0, "--measure=new: this clone is s", "");
	ids[6] = commit_id("HEAD");
	measured("a", 6);
	CHECK_LIST(0, "", "no commit is new: all have counts\n");
	free(id);
}

static const struct test tests[] = { { "commits", test_begin },
				     { "none measured", test_none_measured },
				     { "some measured", test_some_measured },
				     { "of a benchmark", test_of_benchmark },
				     { "paths", test_paths },
				     { "all measured", test_all_measured },
				     { "shallow", test_shallow } };

int main(void)
{
	if (!repository_begin())
		return TEST_SKIPPED;
	int failed = test_main("new commits", tests, sizeof tests / sizeof *tests);
	for (int i = 1; i <= COMMITS; i++)
		free(ids[i]);
	repository_end();
	return failed;
}
