#include <sys/stat.h>
#include <unistd.h>

#include "src/commits/range.h"
#include "src/git/refs.h"
#include "src/store/files.h"
#include "tests/unit/git_settings.h"
#include "tests/unit/harness.h"

/* A repository with main, a - b - c, and topic, a - b - d, whose commits have tags of these
 * names. */
static char scratch[] = "/tmp/irdiff-range-XXXXXX";

static const char *const ci_variables[] = {
	"GITHUB_BASE_REF",
	"CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
	"BITBUCKET_PR_DESTINATION_BRANCH",
	"CHANGE_TARGET",
	"SYSTEM_PULLREQUEST_TARGETBRANCH",
	"BUILDKITE_PULL_REQUEST_BASE_BRANCH",
	"TRAVIS_PULL_REQUEST",
	"TRAVIS_BRANCH",
	"DRONE_PULL_REQUEST",
	"DRONE_TARGET_BRANCH",
	"CI_COMMIT_BEFORE_SHA",
	"CI_MERGE_REQUEST_DIFF_BASE_SHA",
};
enum { BRANCH_VARIABLES = 6 };

static void shell(const char *command)
{
	char *line;
	REQUIRE(asprintf(&line, "cd %s && { %s; } >/dev/null 2>&1", scratch, command) >= 0);
	int status = system(line);
	test_report(status == 0, true, __FILE__, __LINE__, "failed: %s", command);
	free(line);
}

static struct git *open_git(void)
{
	struct git *git = NULL;
	struct cg_error err = { 0 };
	int status = git_open(scratch, NULL, &git, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return git;
}

static char *id_of(const struct git *git, const char *name)
{
	char *id = NULL;
	REQUIRE_INT(git_resolve(git, name, &id, NULL), CG_OK);
	return id;
}

/* The tag of a commit. */
static char letter_of(const struct git *git, const char *wanted)
{
	char found = '?';
	for (char name[] = "a"; *name <= 'd'; (*name)++) {
		char *id = id_of(git, name);
		if (strcmp(id, wanted) == 0)
			found = *name;
		free(id);
	}
	return found;
}

/* "a (NAME) - d (NAME)", "a (NAME)" where head is the work tree, or the beginning of an error. */
static void check_range(const char *text, const char *configured, bool changed,
			const char *expected)
{
	struct git *git = open_git();
	struct cg_error err = { 0 };
	struct range range;
	char found[500];
	int status = range_parse(git, text, configured, changed, &range, &err);

	if (status) {
		snprintf(found, sizeof found, "%.*s", (int)strlen(expected), err.message);
		CHECK_INT(status, CG_EINVAL);
		CHECK(!range.base && !range.base_name && !range.head && !range.head_name);
	} else if (range.head) {
		snprintf(found, sizeof found, "%c (%s) - %c (%s)", letter_of(git, range.base),
			 range.base_name, letter_of(git, range.head), range.head_name);
	} else {
		snprintf(found, sizeof found, "%c (%s)", letter_of(git, range.base),
			 range.base_name);
		CHECK(!range.head_name);
	}
	CHECK_STR(found, expected);
	range_free(&range);
	git_close(git);
}

static void check_default(const char *expected)
{
	check_range(NULL, NULL, false, expected);
}

/* With a variable of a CI system, and without it again. */
static void check_with(const char *name, const char *value, const char *expected)
{
	setenv(name, value, 1);
	check_default(expected);
	unsetenv(name);
}

static void test_words(void)
{
	shell("git checkout -q topic");
	check_range("a", NULL, false, "a (a)");
	check_range("a..", NULL, false, "a (a)");
	check_range("a..c", NULL, false, "a (a) - c (c)");
	check_range("..c", NULL, false, "d (HEAD) - c (c)");
	check_range("main...topic", NULL, false, "b (merge base with main) - d (topic)");
	check_range("main...", NULL, false, "b (merge base with main)");
	check_range("c...", NULL, false, "b (merge base with c)");
	check_range("...c", NULL, false, "b (merge base with HEAD) - c (c)");
	check_range("...", NULL, false, "d (HEAD)");
	/* What is an ancestor is where both come from. */
	check_range("b...topic", NULL, false, "b (b) - d (topic)");
	check_range("a....c", NULL, false, "'a....c' is not a range of commits");
	check_range("gone", NULL, false, "unknown commit 'gone'");
	check_range("a..gone", NULL, false, "unknown commit 'gone'");
	check_range("gone...a", NULL, false, "unknown commit 'gone'");
}

static void test_heads(void)
{
	CHECK(!range_names_head(NULL));
	CHECK(!range_names_head("a"));
	CHECK(!range_names_head("a.."));
	CHECK(!range_names_head("a..."));
	CHECK(range_names_head("a..b"));
	CHECK(range_names_head("a...b"));
	CHECK(range_names_head("..b"));
}

static void test_default(void)
{
	shell("git checkout -q topic");
	check_default("b (merge base with main)");
	check_range(NULL, "a", false, "a (a)");
	check_range(
		NULL, "gone", false,
		"base: in irdiff.yml compares with the branch 'gone', which does not exist here, and "
		"there is no remote");
	/* On the branch itself the commit before, unless something has changed. */
	shell("git checkout -q main");
	check_default("b (HEAD~1)");
	check_range(NULL, NULL, true, "c (main)");
	shell("git checkout -q a");
	check_default("HEAD is on main and has no parent here to compare with; "
		      "change something, or measure it alone with irdiff profile '*'");
	check_range(NULL, NULL, true, "a (merge base with main)");
}

static void test_pushes(void)
{
	struct git *git = open_git();
	char *a = id_of(git, "a");

	shell("git checkout -q main");
	check_with("CI_COMMIT_BEFORE_SHA", a, "a (before the push)");
	check_with("CI_COMMIT_BEFORE_SHA", "0000000000000000000000000000000000000000",
		   "b (HEAD~1)");
	check_with("CI_COMMIT_BEFORE_SHA", "1000000000000000000000000000000000000000",
		   "b (HEAD~1)");
	check_with("CI_COMMIT_BEFORE_SHA", "a", "b (HEAD~1)"); /* a name is no id */
	free(a);
	git_close(git);
}

static void test_pull_requests(void)
{
	struct git *git = open_git();
	char *a = id_of(git, "a");

	shell("git checkout -q main");
	for (size_t i = 0; i < BRANCH_VARIABLES; i++) {
		check_with(ci_variables[i], "topic", "b (merge base with topic)");
		check_with(ci_variables[i], "refs/heads/topic", "b (merge base with topic)");
		check_with(ci_variables[i], "", "b (HEAD~1)");
	}
	check_with("GITHUB_BASE_REF", "gone", "the CI system compares with the branch 'gone'");
	/* These are set for pushes, too, and then the branch is that of the push. */
	setenv("TRAVIS_BRANCH", "topic", 1);
	setenv("DRONE_TARGET_BRANCH", "topic", 1);
	check_default("b (HEAD~1)");
	check_with("TRAVIS_PULL_REQUEST", "false", "b (HEAD~1)");
	check_with("TRAVIS_PULL_REQUEST", "12", "b (merge base with topic)");
	check_with("DRONE_PULL_REQUEST", "12", "b (merge base with topic)");
	unsetenv("TRAVIS_BRANCH");
	unsetenv("DRONE_TARGET_BRANCH");
	/* What the CI system says is not asked of git, but only for a merge request. */
	setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", a, 1);
	check_default("b (HEAD~1)");
	check_with("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "topic", "a (merge base with topic)");
	setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", "1000000000000000000000000000000000000000", 1);
	check_with("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "topic", "b (merge base with topic)");
	unsetenv("CI_MERGE_REQUEST_DIFF_BASE_SHA");
	/* The CI system knows better than what is written down. */
	setenv("GITHUB_BASE_REF", "topic", 1);
	check_range(NULL, "a", false, "b (merge base with topic)");
	unsetenv("GITHUB_BASE_REF");
	free(a);
	git_close(git);
}

static void test_remotes(void)
{
	shell("git checkout -q topic && git update-ref refs/remotes/origin/main c");
	check_default("b (merge base with origin/main)");
	/* The branch as it is here, which is ahead. */
	shell("git update-ref refs/remotes/origin/main a");
	check_default("b (merge base with main)");
	/* Both have commits of their own: that of the remote. */
	shell("git update-ref refs/remotes/origin/main d");
	check_range(NULL, NULL, true, "d (origin/main)");
	/* The default branch of the clone. */
	shell("git checkout -q main && git update-ref refs/remotes/origin/topic d && "
	      "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/topic");
	check_default("b (merge base with origin/topic)");
	/* Where it can be fetched from. */
	shell("git remote add origin /nonexistent");
	check_range(
		NULL, "gone", false,
		"base: in irdiff.yml compares with the branch 'gone', which does not exist here; "
		"run git fetch origin 'gone'");
	/* Only the remote has it. */
	shell("git update-ref refs/remotes/origin/far d");
	check_range(NULL, "far", false, "b (merge base with origin/far)");
}

static void test_unknown(void)
{
	shell("git checkout -q a && git symbolic-ref --delete refs/remotes/origin/HEAD && git remote remove origin && "
	      "git branch -q -m main another");
	check_default("no branch to compare with; name one");
	shell("git branch -q trunk c");
	check_range(NULL, NULL, true, "a (merge base with trunk)");
	shell("git branch -q master d");
	check_range("master...trunk", NULL, false, "b (merge base with master) - c (trunk)");
	shell("git checkout -q another");
	check_default("b (merge base with master)"); /* before trunk */
}

static void test_end(void)
{
	struct cg_error err;
	CHECK_INT(remove_directory(scratch, &err), CG_OK);
}

int main(void)
{
	static const struct test tests[] = {
		{ "words of a range", test_words },
		{ "which have a head", test_heads },
		{ "without a word", test_default },
		{ "pushes", test_pushes },
		{ "pull requests", test_pull_requests },
		{ "remotes", test_remotes },
		{ "no branch to compare with", test_unknown },
		{ "nothing is left", test_end },
	};
	if (!use_git_settings())
		return 77;
	for (size_t i = 0; i < sizeof ci_variables / sizeof *ci_variables; i++)
		unsetenv(ci_variables[i]);
	if (!mkdtemp(scratch))
		return 1;
	char line[500];
	snprintf(
		line, sizeof line,
		"cd %s && git init -q -b main . && git commit -q --allow-empty -m a && git tag a && "
		"git commit -q --allow-empty -m b && git tag b && git checkout -q -b topic && "
		"git commit -q --allow-empty -m d && git tag d && git checkout -q main && "
		"git commit -q --allow-empty -m c && git tag c",
		scratch);
	if (system(line) != 0)
		return 1;
	return test_main("range", tests, sizeof tests / sizeof *tests);
}
