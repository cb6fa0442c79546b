#include <sys/stat.h>
#include <unistd.h>

#include "src/git/log.h"
#include "src/git/refs.h"
#include "src/git/snapshot.h"
#include "src/store/files.h"
#include "tests/unit/git_settings.h"
#include "tests/unit/harness.h"

/* A directory with a repository, whose name git and shells could stumble over. */
static char scratch[] = "/tmp/irdiff git'-XXXXXX";
static char top[200];

static void shell(const char *command)
{
	char *line;
	REQUIRE(asprintf(&line, "cd \"%s\" && { %s; } >/dev/null 2>&1", top, command) >= 0);
	int status = system(line);
	if (status)
		fprintf(stderr, "failed: %s\n", command);
	free(line);
	REQUIRE_INT(status, 0);
}

static struct git *open_git(void)
{
	struct git *git = NULL;
	struct cg_error err;
	REQUIRE_INT(git_open(top, NULL, &git, &err), CG_OK);
	return git;
}

static char *resolve(const struct git *git, const char *ref)
{
	char *id = NULL;
	struct cg_error err;
	REQUIRE_INT(git_resolve(git, ref, &id, &err), CG_OK);
	return id;
}

/* A new directory beside the repository. */
static char *directory(const char *name)
{
	char *path;
	struct cg_error err;
	REQUIRE(asprintf(&path, "%s/%s", scratch, name) >= 0);
	REQUIRE_INT(make_directories(path, &err), CG_OK);
	return path;
}

static void test_opening(void)
{
	struct git *git = NULL;
	struct cg_error err = { 0 };

	shell("git init -q -b main . && mkdir sub && echo one >work.c && echo odd >'sub/odd\nname' && "
	      "echo '*.ign' >.gitignore && git add -A && git commit -qm 'One  with \"quotes\"' && "
	      "git tag v1 && echo two >work.c && git commit -qam Two");
	enum git_trouble why = GIT_TROUBLE_OTHER;
	CHECK_INT(git_try_open("/", NULL, &git, &why, &err), CG_EINVAL);
	CHECK_INT(why, GIT_NO_REPOSITORY);
	CHECK(strstr(err.message, "not a git repository") != NULL);
	CHECK(git == NULL);
	git = open_git();
	CHECK_STR(git->top, top);
	CHECK_STR(git->prefix, "");
	git_close(git);
	git_close(NULL);
}

static void check_refused(const struct git *git, const char *ref)
{
	struct cg_error err = { 0 };
	char *id = NULL;
	CHECK_INT(git_resolve(git, ref, &id, &err), CG_EINVAL);
	CHECK(id == NULL);
	CHECK(strstr(err.message, ref) != NULL);
}

static void test_names(void)
{
	struct git *git = open_git();
	struct git_commit commit;
	struct cg_error err;

	check_refused(git, "");
	check_refused(git, "nowhere");
	check_refused(git, "--all");
	check_refused(git, "-q");
	check_refused(git, "--upload-pack=touch pwned");
	check_refused(git, "HEAD:work.c");
	check_refused(git, "HEAD~1..HEAD");
	check_refused(git, "HEAD --all");
	check_refused(git, "v1\nHEAD");

	char *head = resolve(git, "HEAD"), *tag = resolve(git, "v1"), *base = NULL;
	CHECK(git_is_id(head));
	REQUIRE_INT(git_merge_base(git, head, tag, &base, &err), CG_OK);
	CHECK_STR(base, tag);
	CHECK(!git_is_shallow(git));
	REQUIRE_INT(git_describe_commit(git, tag, &commit, &err), CG_OK);
	CHECK_STR(commit.id, tag);
	CHECK_STR(commit.subject, "One  with \"quotes\"");
	CHECK(commit.committed > 0);
	git_commit_free(&commit);
	free(head);
	free(tag);
	free(base);
	git_close(git);
}

static void test_ids(void)
{
	CHECK(git_is_id("0123456789012345678901234567890123456789"));
	CHECK(!git_is_id("012345678901234567890123456789012345678"));
	CHECK(!git_is_id("0123456789012345678901234567890123456789 "));
	CHECK(!git_is_id("A123456789012345678901234567890123456789"));
	CHECK(git_is_id("0123456789012345678901234567890123456789012345678901234567890123"));
	CHECK(!git_is_id(""));
}

static void check_text(const char *where, const char *name, const char *expected)
{
	char *path, *text = NULL;
	size_t size;
	REQUIRE(asprintf(&path, "%s/%s", where, name) >= 0);
	if (file_read(path, &text, &size, NULL))
		text = NULL;
	free(path);
	if (expected && text)
		CHECK_STR(text, expected);
	else
		CHECK(!expected && !text);
	free(text);
}

static void write_out(const struct git *git, const struct snapshot *s, const char *where)
{
	struct snapshot_gaps gaps = { 0 };
	struct cg_error err;
	REQUIRE_INT(snapshot_write(git, s, where, &gaps, &err), CG_OK);
	CHECK_U64(gaps.submodules.count, 0);
	CHECK_U64(gaps.pointers.count, 0);
	snapshot_gaps_free(&gaps);
}

static void test_commit(void)
{
	struct git *git = open_git();
	struct snapshot s;
	struct cg_error err;
	char *tag = resolve(git, "v1"), *where = directory("commit"), *text = NULL;

	REQUIRE_INT(snapshot_of_commit(git, tag, &s, &err), CG_OK);
	CHECK(!s.changed);
	CHECK_U64(s.nparts, 1);
	write_out(git, &s, where);
	check_text(where, "work.c", "one\n");
	check_text(where, "sub/odd\nname", "odd\n");
	check_text(where, "new.c", NULL);
	REQUIRE_INT(snapshot_read(git, &s, "work.c", &text, &err), CG_OK);
	CHECK_STR(text, "one\n");
	free(text);
	REQUIRE_INT(snapshot_read(git, &s, "nothing", &text, &err), CG_OK);
	CHECK(text == NULL);
	snapshot_free(&s);
	free(tag);
	free(where);
	git_close(git);
}

static char *digest_of_repository(void)
{
	char *path, *text = NULL;
	size_t size;
	shell("find .git -type f | sort | xargs sha256sum >../digest");
	REQUIRE(asprintf(&path, "%s/digest", scratch) >= 0);
	REQUIRE_INT(file_read(path, &text, &size, NULL), CG_OK);
	free(path);
	return text;
}

static void check_changes(const struct git *git, const struct snapshot *s, const char *prefix,
			  const char *copied, const char *expected)
{
	struct strings paths = { 0 };
	struct cg_error err;
	char *text;

	REQUIRE_INT(strings_add(&paths, copied, &err), CG_OK);
	REQUIRE_INT(snapshot_changes(git, s, prefix, &paths, &text, &err), CG_OK);
	CHECK_STR(text, expected);
	free(text);
	strings_free(&paths);
}

static void test_work_tree(void)
{
	static const char changes[] =
		"-x\t100644 bfdbdfadcdd982b92522aa8299e745beaedb2bcb\n"
		"new.c\t100644 3e757656cf36eca53338e520d134963a44f793f8\n"
		"profiles/a.c\t100644 d0498865b8010511eb953fd03f1d63cc81b346be\n"
		"work.c\t100644 5ea2ed416fbd4a4cbe227b75fe255dd7fa6bd4d6\n";
	struct git *git = open_git();
	struct snapshot clean, s;
	struct cg_error err;
	char *first = directory("scratch1"), *second = directory("scratch2");
	char *where = directory("tree");

	REQUIRE_INT(snapshot_of_work_tree(git, first, &clean, &err), CG_OK);
	CHECK(!clean.changed);
	shell("echo changed >work.c; echo new >new.c; echo '--odd' >-x; rm 'sub/odd\nname'");
	shell("mkdir -p profiles baselines/b; echo mine >profiles/a.callgrind; "
	      "echo mine >baselines/b/a.callgrind; echo mine >irdiff-accepted.yml");
	shell("echo yours >profiles/a.c; echo ignored >x.ign; printf '\\177ELF' >object.o; "
	      "printf '!<arch>\\n' >x.a");
	char *before = digest_of_repository();
	REQUIRE_INT(snapshot_of_work_tree(git, second, &s, &err), CG_OK);
	char *after = digest_of_repository();
	CHECK_STR(after, before);
	CHECK(s.changed);
	CHECK_U64(s.binaries, 2);
	CHECK_STR(s.binary_file, "object.o");
	write_out(git, &s, where);
	check_text(where, "work.c", "changed\n");
	check_text(where, "new.c", "new\n");
	check_text(where, "-x", "--odd\n");
	check_text(where, "sub/odd\nname", NULL);
	check_text(where, "profiles/a.callgrind", NULL);
	check_text(where, "baselines/b/a.callgrind", NULL);
	check_text(where, "irdiff-accepted.yml", NULL);
	check_text(where, "profiles/a.c", "yours\n");
	check_text(where, "x.ign", NULL);
	check_text(where, "object.o", NULL);
	check_text(where, "x.a", NULL);
	char *a = snapshot_identity(&clean), *b = snapshot_identity(&s);
	CHECK(strcmp(a, b) != 0);
	check_changes(git, &clean, "", "x", NULL);
	check_changes(git, &s, "", "work.c", changes);
	check_changes(git, &s, "profiles/", "new.c", changes);
	check_changes(git, &s, "profiles/", "a.c",
		      "-x\t100644 bfdbdfadcdd982b92522aa8299e745beaedb2bcb\n"
		      "new.c\t100644 3e757656cf36eca53338e520d134963a44f793f8\n"
		      "work.c\t100644 5ea2ed416fbd4a4cbe227b75fe255dd7fa6bd4d6\n");

	snapshot_free(&clean);
	snapshot_free(&s);
	free(before);
	free(after);
	free(a);
	free(b);
	free(first);
	free(second);
	free(where);
	git_close(git);
}

static void check_contents(const char *from, const char *to, bool only, const char *expected)
{
	struct git *git = open_git();
	struct snapshot s;
	struct strings paths = { 0 };
	struct cg_error err;
	char *commit = resolve(git, to), *base = resolve(git, from), *tree, *joined;
	bool is = !only;

	REQUIRE_INT(git_tree_of(git, base, &tree, &err), CG_OK);
	REQUIRE_INT(snapshot_of_commit(git, commit, &s, &err), CG_OK);
	REQUIRE_INT(snapshot_changed_contents(git, &s, tree, &paths, &is, &err), CG_OK);
	CHECK_INT(is, only);
	joined = strings_join(&paths);
	if (only)
		CHECK_STR(joined, expected);
	free(joined);
	free(tree);
	free(base);
	free(commit);
	strings_free(&paths);
	snapshot_free(&s);
	git_close(git);
}

static void test_changed_contents(void)
{
	struct snapshot s;
	struct strings paths = { 0 };
	struct cg_error err;
	bool only;

	shell("git checkout -qf -b contents v1^{commit} && mkdir -p sub && echo 1 >a && "
	      "echo 1 >sub/b && echo 1 >.gitattributes && ln -s a link && git add -A && "
	      "git commit -qm 0 && git tag c0 && echo 2 >a && echo 2 >sub/b && git commit -qam 1 && "
	      "git tag c1 && chmod +x a && git commit -qam 2 && git tag c2 && echo 2 >new && "
	      "git add -A && git commit -qm 3 && git tag c3 && git rm -q sub/b && "
	      "git commit -qm 4 && git tag c4 && ln -sfn new link && git commit -qam 5 && "
	      "git tag c5 && echo 2 >.gitattributes && git commit -qam 6 && git tag c6 && "
	      "git commit -q --allow-empty -m 7 && git tag c7");
	check_contents("c0", "c1", true, "a sub/b");
	check_contents("c1", "c0", true, "a sub/b");
	check_contents("c1", "c2", false, NULL);
	check_contents("c2", "c3", false, NULL);
	check_contents("c3", "c2", false, NULL);
	check_contents("c3", "c4", false, NULL);
	check_contents("c4", "c5", false, NULL);
	check_contents("c5", "c6", false, NULL);
	check_contents("c6", "c7", true, "");
	struct git *git = open_git();
	char *commit = resolve(git, "c7");
	REQUIRE_INT(snapshot_of_commit(git, commit, &s, &err), CG_OK);
	CHECK_INT(snapshot_changed_contents(git, &s, "0123456789012345678901234567890123456789",
					    &paths, &only, &err),
		  CG_EIO);
	free(commit);
	strings_free(&paths);
	snapshot_free(&s);
	git_close(git);
}

/* A hook's index is not the one that is meant. */
static void test_environment(void)
{
	struct snapshot s;
	struct cg_error err;
	char *where = directory("scratch3");

	setenv("GIT_INDEX_FILE", "/nonexistent/index", 1);
	struct git *git = open_git();
	CHECK_INT(snapshot_of_work_tree(git, where, &s, &err), CG_OK);
	CHECK(s.changed);
	CHECK(access("/nonexistent", F_OK) != 0);
	unsetenv("GIT_INDEX_FILE");
	snapshot_free(&s);
	free(where);
	git_close(git);
}

static void check_entry(const struct git_log *log, size_t i, const char *ref, const char *text)
{
	struct git *git = open_git();
	char *id = resolve(git, ref);
	REQUIRE(i < log->count);
	CHECK_STR(log->items[i].id, id);
	CHECK_STR(log->items[i].text, text);
	free(id);
	git_close(git);
}

static void test_log(void)
{
	struct git_log authors = { 0 }, tags = { 0 };
	struct cg_error err = { 0 };

	shell("git checkout -qf -b log v1^{commit} && "
	      "git commit -q --allow-empty --author='commit 0123 <e@x>' -m 'commit 4567' && "
	      "git checkout -q -b log-side && git commit -q --allow-empty --author='Side <s@x>' -m S && "
	      "git config i18n.logOutputEncoding latin1 && git checkout -q log && "
	      "GIT_AUTHOR_NAME='M\303\251rger' git merge -q --no-ff -m M log-side && "
	      "git tag -a -m annotated log-v2 && git tag log-v10 && "
	      "git tag log-tree HEAD^{tree} && git tag 'log<b>' HEAD^2");
	struct git *git = open_git();
	char *ids[] = { resolve(git, "log~1"), resolve(git, "log^2"), resolve(git, "log") };
	REQUIRE_INT(git_log_authors(git, NULL, 0, &authors, &err), CG_OK);
	CHECK(!git_log_find(&authors, ids[0]));
	REQUIRE_INT(git_log_authors(git, (const char *const *)ids, 3, &authors, &err), CG_OK);
	CHECK_U64(authors.count, 3);
	CHECK_STR(git_log_find(&authors, ids[0]), "commit 0123");
	CHECK_STR(git_log_find(&authors, ids[1]), "Side");
	CHECK_STR(git_log_find(&authors, ids[2]), "M\303\251rger");
	CHECK(!git_log_find(&authors, "0123456789012345678901234567890123456789"));
	REQUIRE_INT(git_log_tags(git, &tags, &err), CG_OK);
	CHECK_U64(tags.count, 5);
	CHECK_STR(tags.items[0].text, "log-tree");
	check_entry(&tags, 1, "log-v2^{commit}", "log-v2");
	check_entry(&tags, 2, "log", "log-v10");
	check_entry(&tags, 3, "log^2", "log<b>");
	git_log_free(&authors);
	git_log_free(&tags);
	for (size_t i = 0; i < 3; i++)
		free(ids[i]);
	git_close(git);
}

static void test_end(void)
{
	struct cg_error err;
	CHECK_INT(remove_directory(scratch, &err), CG_OK);
}

int main(void)
{
	static const struct test tests[] = {
		{ "a repository is found", test_opening },
		{ "names become ids", test_names },
		{ "ids are hex", test_ids },
		{ "the files of a commit", test_commit },
		{ "the files of a work tree", test_work_tree },
		{ "variables of hooks mislead nobody", test_environment },
		{ "authors and tags of many commits", test_log },
		{ "what changed in files, and nothing else", test_changed_contents },
		{ "nothing is left", test_end },
	};
	if (!use_git_settings())
		return 77;
	if (!mkdtemp(scratch))
		return 1;
	snprintf(top, sizeof top, "%s/top", scratch);
	if (mkdir(top, 0755))
		return 1;
	return test_main("git", tests, sizeof tests / sizeof *tests);
}
