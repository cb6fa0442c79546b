#include "tests/unit/harness.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/label.h"
#include "src/store/profiles.h"

static char root[64];

static const char *in_root(const char *name)
{
	static char path[4][600];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
	return path[turn];
}

static void begin(void)
{
	snprintf(root, sizeof root, "/tmp/irdiff-store.XXXXXX");
	REQUIRE(mkdtemp(root) != NULL);
	REQUIRE_INT(store_prepare(root, NULL), CG_OK);
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", root);
	REQUIRE_INT(system(command), 0);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

/* The text of a file below the root; NULL if there is none. */
static const char *get(const char *name)
{
	static char text[4][64];
	static int turn;
	turn = (turn + 1) % 4;
	FILE *f = fopen(in_root(name), "r");
	if (!f)
		return NULL;
	text[turn][fread(text[turn], 1, sizeof text[turn] - 1, f)] = '\0';
	fclose(f);
	return text[turn];
}

static bool exists(const char *name)
{
	return access(in_root(name), F_OK) == 0;
}

/* A finished run whose files hold `text`. */
static char *run(const char *text)
{
	struct profile_paths files;
	char *work;
	REQUIRE_INT(store_work_directory(root, &work, NULL), CG_OK);
	REQUIRE_INT(work_paths_of(work, &files, NULL), CG_OK);
	CHECK(files.data == NULL);
	put(files.callgrind, text);
	put(files.flat, text);
	put(files.tree, text);
	put(files.raw, text);
	put(files.meta, text);
	put(files.stdout_log, text);
	put(files.stderr_log, text);
	char extra[600];
	snprintf(extra, sizeof extra, "%s/callgrind.out.1", work);
	put(extra, "to be deleted");
	profile_paths_free(&files);
	return work;
}

static void publish(const char *label, const char *text)
{
	char *work = run(text);
	struct cg_error err = { 0 };
	int status = store_publish(root, label, work, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	CHECK(access(work, F_OK) != 0);
	free(work);
}

/* All files of a label hold this text; NULL: none is there. */
static void holds(const char *label, const char *text)
{
	static const char *const files[] = { "profiles/%s.callgrind",
					     "profiles/%s.callgrind.flat.txt",
					     "profiles/%s.callgrind.tree.txt",
					     ".irdiff/profiles/%s/raw.callgrind.zst",
					     ".irdiff/profiles/%s/meta.json",
					     ".irdiff/profiles/%s/stdout.log",
					     ".irdiff/profiles/%s/stderr.log" };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char name[400], *star = strstr(files[i], "%s");
		snprintf(name, sizeof name, "%.*s%s%s", (int)(star - files[i]), files[i], label,
			 star + 2);
		const char *found = get(name);
		test_report(found && text ? strcmp(found, text) == 0 : found == text, false,
			    __FILE__, __LINE__, "%s holds \"%s\", not \"%s\"", name,
			    found ? found : "(none)", text ? text : "(none)");
	}
}

static void test_paths(void)
{
	struct profile_paths p;
	REQUIRE_INT(profile_paths_of("/r", "a b", &p, NULL), CG_OK);
	CHECK_STR(p.callgrind, "/r/profiles/a b.callgrind");
	CHECK_STR(p.flat, "/r/profiles/a b.callgrind.flat.txt");
	CHECK_STR(p.tree, "/r/profiles/a b.callgrind.tree.txt");
	CHECK_STR(p.data, "/r/.irdiff/profiles/a b");
	CHECK_STR(p.raw, "/r/.irdiff/profiles/a b/raw.callgrind.zst");
	CHECK_STR(p.meta, "/r/.irdiff/profiles/a b/meta.json");
	profile_paths_free(&p);
	CHECK_INT(profile_paths_of("/r", "../x", &p, NULL), CG_EINVAL);
	CHECK_INT(profile_paths_of("/r", "", &p, NULL), CG_EINVAL);
}

static void test_prepare(void)
{
	begin();
	CHECK(exists("profiles") && exists(".irdiff/profiles") && exists(".irdiff/tmp"));
	CHECK_STR(get(".irdiff/.gitignore"), "*\n");
	/* A user's change stays. */
	put(in_root(".irdiff/.gitignore"), "mine\n");
	CHECK_INT(store_prepare(root, NULL), CG_OK);
	CHECK_STR(get(".irdiff/.gitignore"), "mine\n");
	end();
}

static void test_publish(void)
{
	begin();
	publish("parse", "first");
	holds("parse", "first");
	holds("parse.old", NULL);
	CHECK(!exists(".irdiff/profiles/parse/callgrind.out.1"));

	publish("parse", "second");
	holds("parse", "second");
	holds("parse.old", "first");

	publish("parse", "third");
	holds("parse", "third");
	holds("parse.old", "second");

	publish("other", "x");
	holds("parse", "third");
	end();
}

/* A file that a person deleted does not come back from the profile before. */
static void test_publish_without_texts(void)
{
	begin();
	publish("parse", "first");
	publish("parse", "second");
	unlink(in_root("profiles/parse.callgrind.flat.txt"));
	publish("parse", "third");
	CHECK_STR(get("profiles/parse.old.callgrind"), "second");
	CHECK(!exists("profiles/parse.old.callgrind.flat.txt")); /* not that of the first */
	end();
}

/* `git clean` during a run must not lose the profile without a word. */
static void test_publish_without_directory(void)
{
	begin();
	char *work = run("new");
	rmdir(in_root("profiles"));
	struct cg_error err = { 0 };
	CHECK_INT(store_publish(root, "parse", work, &err), CG_EIO);
	CHECK(strstr(err.file, "profiles/parse.callgrind") != NULL);
	free(work);
	end();
}

static void test_longest_label(void)
{
	char label[LABEL_MAX + 1] = "";
	memset(label, 'x', LABEL_MAX);
	while (label_check_new(label, NULL))
		label[strlen(label) - 1] = '\0';
	begin();
	publish(label, "first");
	publish(label, "second");
	strcat(label, ".old");
	holds(label, "first");
	end();
}

static void test_work_directories(void)
{
	struct stat st;
	char *one, *two;
	begin();
	REQUIRE_INT(store_work_directory(root, &one, NULL), CG_OK);
	REQUIRE_INT(store_work_directory(root, &two, NULL), CG_OK);
	CHECK(strcmp(one, two) != 0);
	CHECK(stat(one, &st) == 0 && S_ISDIR(st.st_mode)); /* its irdiff is alive: us */

	/* That of a process which is gone; and what is not a work directory. */
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	char dead[64];
	snprintf(dead, sizeof dead, ".irdiff/tmp/%d-abcdef", (int)child);
	mkdir(in_root(dead), 0777);
	char file[80];
	snprintf(file, sizeof file, "%s/callgrind.out", dead);
	put(in_root(file), "x");
	mkdir(in_root(".irdiff/tmp/mine"), 0777);
	char *three;
	REQUIRE_INT(store_work_directory(root, &three, NULL), CG_OK);
	CHECK(!exists(dead));
	CHECK(exists(".irdiff/tmp/mine"));
	CHECK(stat(one, &st) == 0);
	free(one);
	free(two);
	free(three);
	end();

	char *none = NULL;
	CHECK_INT(store_work_directory("/nonexistent", &none, NULL), CG_EIO);
	CHECK(none == NULL);
}

static void means(const char *operand, const char *expected)
{
	char *path = NULL;
	struct cg_error err = { 0 };
	int status = store_find_profile(root, operand, &path, &err);
	test_report(status == CG_OK, false, __FILE__, __LINE__, "%s: %s", operand, err.message);
	CHECK_STR(path, expected);
	free(path);
}

static void test_operands(void)
{
	char before[4096];
	REQUIRE(getcwd(before, sizeof before) != NULL);
	begin();
	mkdir(in_root("here"), 0777);
	REQUIRE_INT(chdir(in_root("here")), 0);
	put("file.callgrind", "x");
	put("both", "x");
	mkdir("lib", 0777);
	put(in_root("profiles/parse.callgrind"), "x");
	put(in_root("profiles/both.callgrind"), "x");
	put(in_root("profiles/lib.callgrind"), "x");

	means("parse", in_root("profiles/parse.callgrind"));
	means("file.callgrind", "file.callgrind");
	means("both", "both"); /* a file before a label */
	means("./parse", "./parse");
	means("../x", "../x"); /* never a label */
	means("-", "-");
	means("lib", in_root("profiles/lib.callgrind")); /* a directory is no profile */

	char *path = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(store_find_profile(root, "prase", &path, &err), CG_EINVAL);
	CHECK_STR(err.message, "prase is neither a file nor the label of a profile; "
			       "there are: both, lib, parse");
	CHECK(path == NULL);
	mkdir("sub", 0777);
	CHECK_INT(store_find_profile(root, "sub", &path, &err), CG_EIO);
	CHECK(strstr(err.message, "is a directory") != NULL);
	CHECK_INT(store_find_profile(root, ".hidden", &path, &err), CG_EINVAL);
	REQUIRE_INT(chdir(before), 0);
	end();
}

static void test_many_labels(void)
{
	begin();
	for (int i = 0; i < 300; i++) {
		char name[300];
		snprintf(name, sizeof name, "profiles/label-%03d.callgrind", i);
		put(in_root(name), "x");
	}
	char *path = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(store_find_profile(root, "x", &path, &err), CG_EINVAL);
	CHECK_STR(err.message + strlen(err.message) - strlen(", …"), ", …");
	end();
}

TEST_MAIN("profiles", { "paths", test_paths }, { "preparing", test_prepare },
	  { "publishing keeps the one before", test_publish },
	  { "publishing over a deleted file", test_publish_without_texts },
	  { "publishing into nothing", test_publish_without_directory },
	  { "the longest label", test_longest_label },
	  { "work directories", test_work_directories }, { "operands", test_operands },
	  { "many labels", test_many_labels })
