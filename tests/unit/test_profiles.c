#include "tests/unit/harness.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/find_profile.h"
#include "src/store/label.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

#define OURS "creator: irdiff-0.1\n"

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
static struct work_directory run(const char *words)
{
	struct profile_paths files;
	struct work_directory work;
	char text[64];
	snprintf(text, sizeof text, OURS "%s", words);
	REQUIRE_INT(store_work_begin(root, &work, NULL), CG_OK);
	REQUIRE_INT(work_paths_of(work.path, &files, NULL), CG_OK);
	CHECK(files.data == NULL);
	put(files.callgrind, text);
	put(files.flat, text);
	put(files.tree, text);
	put(files.raw, text);
	put(files.meta, text);
	put(files.stdout_log, text);
	put(files.stderr_log, text);
	char extra[600];
	snprintf(extra, sizeof extra, "%s/callgrind.out.1", work.path);
	put(extra, "to be deleted");
	snprintf(extra, sizeof extra, "%s/made-by-the-benchmark", work.path);
	mkdir(extra, 0777);
	profile_paths_free(&files);
	return work;
}

static void publish(const char *label, const char *text)
{
	struct work_directory work = run(text);
	struct cg_error err = { 0 };
	int status = store_publish(root, label, work.path, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	CHECK(access(work.path, F_OK) != 0);
	store_work_end(&work);
}

static void refuses(const char *label, int code, const char *file, const char *words)
{
	struct work_directory work = run("refused");
	struct cg_error err = { 0 };
	CHECK_INT(store_publish(root, label, work.path, &err), code);
	test_report(strstr(err.file, file) && strstr(err.message, words), false, __FILE__, __LINE__,
		    "%s: %s", err.file, err.message);
	store_work_end(&work);
	CHECK(work.path == NULL);
}

/* All files of a label hold this text; NULL: none is there. */
static void holds(const char *label, const char *text)
{
	static const char *const files[] = { "profiles/%s.callgrind",
					     "profiles/%s.callgrind.flat.txt",
					     "profiles/%s.callgrind.tree.txt",
					     ".irdiff/profiles/%s.callgrind/raw.callgrind.zst",
					     ".irdiff/profiles/%s.callgrind/meta.json",
					     ".irdiff/profiles/%s.callgrind/stdout.log",
					     ".irdiff/profiles/%s.callgrind/stderr.log" };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char name[400];
		const char *star = strstr(files[i], "%s");
		snprintf(name, sizeof name, "%.*s%s%s", (int)(star - files[i]), files[i], label,
			 star + 2);
		const char *found = get(name);
		if (found && strncmp(found, OURS, strlen(OURS)) == 0)
			found += strlen(OURS);
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
	CHECK_STR(p.data, "/r/.irdiff/profiles/a b.callgrind");
	CHECK_STR(p.raw, "/r/.irdiff/profiles/a b.callgrind/raw.callgrind.zst");
	CHECK_STR(p.meta, "/r/.irdiff/profiles/a b.callgrind/meta.json");
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
	CHECK(!exists(".irdiff/profiles/parse.callgrind/callgrind.out.1"));
	CHECK(!exists(".irdiff/profiles/parse.callgrind/made-by-the-benchmark"));
	CHECK(!exists(".irdiff/profiles/parse.callgrind/profile.callgrind"));
	CHECK(!exists(".irdiff/profiles/parse.callgrind/link"));

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
	CHECK_STR(get("profiles/parse.old.callgrind"), OURS "second");
	CHECK(!exists("profiles/parse.old.callgrind.flat.txt")); /* not that of the first */
	end();
}

/* `git clean` during a run must not lose the profile without a word. */
static void test_publish_without_directory(void)
{
	begin();
	struct work_directory work = run("new");
	rmdir(in_root("profiles"));
	CHECK_INT(store_publish(root, "parse", work.path, NULL), CG_OK);
	holds("parse", "new");
	store_work_end(&work);
	end();
}

/* Cases are in directories. */
static void test_publish_cases(void)
{
	struct cg_error err = { 0 };

	begin();
	publish("parse", "whole");
	publish("parse/a", "first");
	publish("parse/a", "second");
	publish("parse/a/meta.json", "deeper");
	publish("parse/raw.callgrind.zst/x", "a directory of an odd name");
	holds("parse", "whole");
	holds("parse/a", "second");
	holds("parse/a.old", "first");
	holds("parse/a/meta.json", "deeper");
	REQUIRE_INT(rename(in_root(".irdiff/profiles/parse"), in_root("moved away")), 0);
	publish("parse/a", "third");
	holds("parse/a", "third");
	CHECK_STR(get("profiles/parse/a.old.callgrind"), OURS "second");
	CHECK_STR(get("profiles/parse/raw%2Ecallgrind.zst/x.callgrind"),
		  OURS "a directory of an odd name");

	/* Nothing of a label is in the way of another one. */
	publish("parse.callgrind/a", "third");
	publish("parse.callgrind.flat.txt/a", "fourth");
	holds("parse", "whole");
	CHECK_STR(get("profiles/parse%2Ecallgrind/a.callgrind"), OURS "third");

	/* A file of somebody else's. */
	put(in_root("profiles/taken"), "mine");
	CHECK_INT(store_check_label(root, "taken/a/b", &err), CG_EINVAL);
	CHECK(strstr(err.file, "profiles/taken") && strstr(err.message, "not a directory"));
	refuses("taken/a", CG_EINVAL, "profiles/taken", "not a directory");
	CHECK(!exists(".irdiff/profiles/taken"));

	/* Links lead nowhere else. */
	REQUIRE_INT(symlink("/tmp", in_root("profiles/out")), 0);
	CHECK_INT(store_check_label(root, "out/a", &err), CG_EINVAL);
	refuses("out/a", CG_EINVAL, "profiles/out", "symbolic link");
	end();
}

/* Whatever is in the way, the label stays as it was. */
static void test_publish_in_the_way(void)
{
	begin();
	publish("parse", "first");
	publish("parse", "second");
	unlink(in_root("profiles/parse.old.callgrind.flat.txt"));
	mkdir(in_root("profiles/parse.old.callgrind.flat.txt"), 0777);
	refuses("parse", CG_EINVAL, "parse.old.callgrind.flat.txt", "not a file");
	holds("parse", "second");
	rmdir(in_root("profiles/parse.old.callgrind.flat.txt"));

	/* What no check foresees, in the middle of it. */
	struct work_directory work = run("third");
	struct profile_paths files;
	struct cg_error err = { 0 };
	REQUIRE_INT(work_paths_of(work.path, &files, NULL), CG_OK);
	unlink(files.tree);
	mkdir(files.tree, 0777);
	CHECK_INT(store_publish(root, "parse", work.path, &err), CG_EIO);
	CHECK_STR(err.file, in_root("profiles/parse.callgrind.tree.txt"));
	holds("parse", "second");
	put(in_root("profiles/new.callgrind.tree.txt"), "x");
	CHECK_INT(store_publish(root, "new", work.path, &err), CG_EIO);
	CHECK_STR(get("profiles/new.callgrind.tree.txt"), "x");
	unlink(in_root("profiles/new.callgrind.tree.txt"));
	holds("new", NULL);
	profile_paths_free(&files);
	store_work_end(&work);
	end();
}

/* What an irdiff leaves that is killed on the way, done by the next one or by whoever reads. */
static void test_publish_unfinished(void)
{
	char *path;
	struct work_directory work;
	begin();
	publish("parse", "first");
	publish("parse", "second");

	/* The state after the first step. */
	work = run("third");
	REQUIRE(asprintf(&path, "%s/data", work.path) > 0);
	REQUIRE_INT(mkdir(path, 0777), 0);
	free(path);
	for (const char *const *name = (const char *const[]){ "raw.callgrind.zst", "meta.json",
							      "stdout.log", "stderr.log", NULL };
	     *name; name++) {
		char from[600], to[600];
		snprintf(from, sizeof from, "%s/%s", work.path, *name);
		snprintf(to, sizeof to, "%s/data/%s", work.path, *name);
		REQUIRE_INT(rename(from, to), 0);
	}
	REQUIRE_INT(rename(work.path, in_root(".irdiff/profiles/.new-parse")), 0);
	store_work_end(&work);
	holds("parse", "second");
	store_finish(root);
	holds("parse", "third");
	holds("parse.old", "second");
	CHECK(!exists(".irdiff/profiles/.new-parse"));

	/* Whoever counts what was left does nothing of it, and waits for nobody. */
	REQUIRE_INT(mkdir(in_root(".irdiff/profiles/.new-parse"), 0777), 0);
	REQUIRE_INT(mkdir(in_root(".irdiff/tmp/4000000-abcdef"), 0777), 0);
	CHECK_U64(store_work_left(root), 1);
	int held = open(in_root(".irdiff/lock"), O_RDWR);
	REQUIRE(held >= 0 && flock(held, LOCK_EX) == 0);
	CHECK_U64(store_work_left(root), 0);
	close(held);
	unlink(in_root(".irdiff/lock"));
	CHECK_U64(store_work_left(root), 0);
	CHECK(!exists(".irdiff/lock") && exists(".irdiff/profiles/.new-parse"));
	rmdir(in_root(".irdiff/profiles/.new-parse"));

	/* A case of a benchmark. */
	publish("parse/a", "one");
	REQUIRE_INT(mkdir(in_root(".irdiff/profiles/.new-parse%2Fa"), 0777), 0);
	put(in_root(".irdiff/profiles/.new-parse%2Fa/flat.txt"), OURS "one");
	unlink(in_root("profiles/parse/a.callgrind.flat.txt"));
	store_finish(root);
	holds("parse/a", "one");

	/* As it is when the last file is on its way. */
	REQUIRE_INT(mkdir(in_root(".irdiff/profiles/.new-parse"), 0777), 0);
	put(in_root(".irdiff/profiles/.new-parse/profile.callgrind"), OURS "third");
	put(in_root("profiles/parse.callgrind"), OURS "second");
	publish("other", "x");
	holds("parse", "third");
	holds("parse.old", "second");
	CHECK(!exists(".irdiff/profiles/.new-parse"));

	/* What is no label's stays where it is. */
	REQUIRE_INT(mkdir(in_root(".irdiff/profiles/.new-.x"), 0777), 0);
	store_finish(root);
	CHECK(exists(".irdiff/profiles/.new-.x"));
	end();
}

/* A subdirectory that somebody made in the data of the profile before. */
static void test_publish_over_directories(void)
{
	begin();
	publish("parse", "first");
	publish("parse", "second");
	mkdir(in_root(".irdiff/profiles/parse.old.callgrind/mine"), 0777);
	put(in_root(".irdiff/profiles/parse.old.callgrind/mine/file"), "x");
	publish("parse", "third");
	holds("parse", "third");
	holds("parse.old", "second");
	end();
}

/* Files that other programs wrote are not irdiff's to replace. */
static void test_publish_over_foreign_files(void)
{
	struct cg_error err = { 0 };
	begin();
	put(in_root("profiles/parse.callgrind"), "# callgrind format\ncreator: callgrind-3.19.0\n");
	CHECK_INT(store_check_label(root, "parse", &err), CG_EINVAL);
	CHECK(strstr(err.message, "not written by irdiff") != NULL);
	refuses("parse", CG_EINVAL, "profiles/parse.callgrind", "not written by irdiff");
	CHECK_STR(get("profiles/parse.callgrind"),
		  "# callgrind format\ncreator: callgrind-3.19.0\n");
	CHECK(!exists("profiles/parse.callgrind.flat.txt") &&
	      !exists(".irdiff/profiles/parse.callgrind"));

	put(in_root("profiles/other.old.callgrind"), "mine");
	CHECK_INT(store_check_label(root, "other", &err), CG_OK); /* it is not in the way yet */
	publish("other", "first");
	refuses("other", CG_EINVAL, "profiles/other.old.callgrind", "not written by irdiff");
	CHECK_STR(get("profiles/other.old.callgrind"), "mine");
	holds("other", "first");
	end();
}

/* Whoever reads a label while it is replaced finds the one profile or the other. */
static void test_publish_without_a_gap(void)
{
	enum { TIMES = 50 };
	begin();
	publish("parse", "x");
	pid_t child = fork();
	REQUIRE(child >= 0);
	if (child == 0)
		for (;;)
			if (!exists("profiles/parse.callgrind"))
				_exit(1);
	for (int i = 0; i < TIMES; i++)
		publish("parse", "x");
	int status = 0;
	CHECK_INT(waitpid(child, &status, WNOHANG), 0); /* it never missed it */
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	end();
}

/* Elsewhere a profile could not be renamed to its place once it is measured. */
static void test_file_systems(void)
{
	char elsewhere[] = "/dev/shm/irdiff-store.XXXXXX";
	struct stat here, there;
	struct cg_error err = { 0 };
	begin();
	if (mkdtemp(elsewhere)) {
		if (stat(root, &here) == 0 && stat(elsewhere, &there) == 0 &&
		    here.st_dev != there.st_dev) {
			rmdir(in_root("profiles"));
			REQUIRE_INT(symlink(elsewhere, in_root("profiles")), 0);
			CHECK_INT(store_prepare(root, &err), CG_EINVAL);
			CHECK_STR(err.file, in_root("profiles"));
		}
		rmdir(elsewhere);
	}
	end();
}

static void test_lock(void)
{
	struct work_directory work = { 0 };
	struct cg_error err = { 0 };
	begin();
	REQUIRE_INT(symlink(in_root("elsewhere"), in_root(".irdiff/lock")), 0);
	CHECK_INT(store_work_begin(root, &work, &err), CG_EINVAL);
	CHECK(work.path == NULL && !exists("elsewhere"));
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
	struct work_directory one, two, three;
	begin();
	REQUIRE_INT(store_work_begin(root, &one, NULL), CG_OK);
	REQUIRE_INT(store_work_begin(root, &two, NULL), CG_OK);
	CHECK(strcmp(one.path, two.path) != 0);
	CHECK(stat(one.path, &st) == 0 && S_ISDIR(st.st_mode));

	/* Of one that nobody holds, whatever its pid means here; of one that somebody
	 * holds, though its pid means nothing here; and what is no work directory. */
	mkdir(in_root(".irdiff/tmp/1-abcdef"), 0777);
	put(in_root(".irdiff/tmp/1-abcdef/callgrind.out"), "x");
	mkdir(in_root(".irdiff/tmp/999999999-abcdef"), 0777);
	int fd = open(in_root(".irdiff/tmp/999999999-abcdef"), O_RDONLY | O_DIRECTORY);
	REQUIRE_INT(flock(fd, LOCK_EX), 0);
	mkdir(in_root(".irdiff/tmp/mine"), 0777);
	REQUIRE_INT(store_work_begin(root, &three, NULL), CG_OK);
	CHECK(!exists(".irdiff/tmp/1-abcdef"));
	CHECK(exists(".irdiff/tmp/999999999-abcdef"));
	CHECK(exists(".irdiff/tmp/mine"));
	CHECK(stat(one.path, &st) == 0);
	close(fd);
	store_work_end(&one);
	CHECK(one.path == NULL);
	store_work_end(&one);
	store_work_end(&two);
	store_work_end(&three);
	end();

	CHECK_INT(store_work_begin("/nonexistent", &one, NULL), CG_EIO);
	CHECK(one.path == NULL);
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
	means("both", in_root("profiles/both.callgrind")); /* a label before a file */
	means("./both", "./both");
	means("./parse", "./parse");
	means("../x", "../x"); /* never a label */
	means("-", "-");
	means("lib", in_root("profiles/lib.callgrind")); /* a directory is no profile */

	char *path = NULL;
	struct cg_error err = { 0 };
	CHECK_INT(store_find_profile(root, "prase", &path, &err), CG_EINVAL);
	CHECK_STR(err.message, "prase is neither a file nor a profile label; "
			       "did you mean 'parse'? others: both, lib");
	CHECK(path == NULL);
	mkdir("sub", 0777);
	means("sub", "sub"); /* whoever reads it says that it is a directory */
	CHECK_INT(store_find_profile(root, ".hidden", &path, &err), CG_EINVAL);
	REQUIRE_INT(chdir(before), 0);
	end();
}

/* The paths that an operand stands for, with commas between them. */
static void means_all(const char *operand, const char *expected)
{
	struct path_list found = { 0 };
	struct cg_error err = { 0 };
	char all[4096] = "";
	size_t used = 0;

	int status = store_find_profiles(root, operand, &found, &err);
	test_report(status == CG_OK, false, __FILE__, __LINE__, "%s: %s", operand, err.message);
	for (size_t i = 0; i < found.count; i++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? "," : "",
					 found.paths[i]);
	CHECK_STR(all, expected);
	path_list_free(&found);
}

static void test_patterns(void)
{
	char before[4096];
	struct path_list found = { 0 };
	struct cg_error err = { 0 };

	REQUIRE(getcwd(before, sizeof before) != NULL);
	begin();
	mkdir(in_root("here"), 0777);
	REQUIRE_INT(chdir(in_root("here")), 0);
	put("out.7.1", "x");
	put("out.7", "x");
	put("[x]", "x");
	put("x", "x");
	put(in_root("profiles/main.callgrind"), "x");
	put(in_root("profiles/out.?.callgrind"), "x");

	means_all("out.*", "out.7,out.7.1");
	means_all("./out.[78]*", "./out.7,./out.7.1");
	means_all("out.7", "out.7");
	means_all("[x]", "[x]"); /* a file of that name */
	means_all("out.?", in_root("profiles/out.?.callgrind"));
	means_all("main", in_root("profiles/main.callgrind"));
	means_all("-", "-");
	CHECK_INT(store_find_profiles(root, "m*", &found, &err), CG_EINVAL); /* no labels */
	CHECK_STR(err.message, "no file matches m*");
	CHECK_INT(store_find_profiles(root, "nothing", &found, &err), CG_EINVAL);
	CHECK_U64(found.count, 0);
	path_list_free(&found);
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
	CHECK_STR(err.message,
		  "x is neither a file nor a profile label; available: label-000, "
		  "label-001, label-002, label-003, label-004 … and 295 more (irdiff show)");
	end();
}

TEST_MAIN("profiles", { "paths", test_paths }, { "preparing", test_prepare },
	  { "publishing keeps the one before", test_publish },
	  { "publishing over a deleted file", test_publish_without_texts },
	  { "publishing into nothing", test_publish_without_directory },
	  { "publishing cases", test_publish_cases },
	  { "something is in the way", test_publish_in_the_way },
	  { "publishing of one that was killed", test_publish_unfinished },
	  { "publishing over directories", test_publish_over_directories },
	  { "publishing over foreign files", test_publish_over_foreign_files },
	  { "publishing without a gap", test_publish_without_a_gap },
	  { "file systems", test_file_systems }, { "a lock that is a link", test_lock },
	  { "the longest label", test_longest_label },
	  { "work directories", test_work_directories }, { "operands", test_operands },
	  { "patterns of files", test_patterns }, { "many labels", test_many_labels })
