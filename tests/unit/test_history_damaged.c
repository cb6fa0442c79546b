/* Histories that are damaged, foreign, interrupted or read-only. */
#include "tests/unit/harness.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/store/history_checked.h"
#include "tests/unit/history_place.h"

static void put(const char *path, const char *bytes, size_t size)
{
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	REQUIRE_U64(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static void refuses(const char *words)
{
	struct history *h = (struct history *)1;
	struct cg_error err = { 0 };
	struct stat before, after;

	REQUIRE_INT(stat(database(), &before), 0);
	for (int writing = 0; writing < 2; writing++) {
		int status = writing ? history_open_to_write(root, &h, &err)
				     : history_open(root, &h, &err);
		if (!status) {
			/* Some damage is found by whoever reads on. */
			struct history_book book = { 0 };
			status = history_read(h, NULL, &book, &err);
			history_book_free(&book);
			history_close(h);
		}
		test_report(status && strstr(err.message, words), false, __FILE__, __LINE__,
			    "\"%s\" lacks \"%s\"", err.message, words);
		CHECK_STR(err.file, database());
	}
	REQUIRE_INT(stat(database(), &after), 0); /* it is still there */
	CHECK_INT(after.st_size, before.st_size);
}

static void test_damaged(void)
{
	struct history_run run = row("parse", A);
	char junk[5000];

	begin();
	struct history *h = open_new();
	add(h, &run);
	history_close(h);

	memset(junk, 'x', sizeof junk);
	put(database(), junk, sizeof junk);
	refuses("move it away");
	put(database(), "S", 1);
	refuses("one byte");
	end();
}

static void sql(const char *statements)
{
	sqlite3 *db = NULL;
	REQUIRE_INT(sqlite3_open(database(), &db), SQLITE_OK);
	CHECK_INT(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Where SQLite does not look at a row, it may lack what no row may lack. */
static void test_unnamed(void)
{
	struct history_run run = row("parse", A);
	struct path_list names = { 0 };
	struct cg_error err = { 0 };

	begin();
	struct history *h = open_new();
	add(h, &run);
	history_close(h);
	sql("CREATE TABLE other AS SELECT * FROM series; UPDATE other SET benchmark = NULL; DROP TABLE series; "
	    "ALTER TABLE other RENAME TO series");
	REQUIRE_INT(history_open(root, &h, &err), CG_OK);
	CHECK_INT(history_benchmarks(h, &names, &err), CG_EIO);
	CHECK(strstr(err.message, "has no name"));
	path_list_free(&names);
	history_close(h);
	end();
}

/* All pages are checked, unless nobody has changed the file since that was done. */
static void test_checked(void)
{
	struct history_run run = row("parse", A);
	char record[120];

	begin();
	snprintf(record, sizeof record, "%s/.irdiff/history.checked", root);
	struct history *h = open_new();
	CHECK(access(record, F_OK) != 0);
	add(h, &run);
	history_close(h);
	CHECK(history_was_checked(root, database()));
	CHECK_U64(count_rows(NULL), 1);
	CHECK(history_was_checked(root, database()));

	/* A page that no row is in: only the check of all pages finds that. */
	struct cg_error err = { 0 };
	sql("CREATE TABLE other (x); INSERT INTO other VALUES (zeroblob(9000)); PRAGMA writable_schema = ON; "
	    "DELETE FROM sqlite_master WHERE name = 'other'");
	CHECK(!history_was_checked(root, database()));
	CHECK_INT(history_open_to_write(root, &h, &err), CG_EIO);
	CHECK(strstr(err.message, "damaged") != NULL);
	CHECK(!history_was_checked(root, database()));
	REQUIRE_INT(unlink(database()), 0);
	CHECK(!history_was_checked(root, database()));

	/* Whatever is in its place, it is no record. */
	REQUIRE_INT(unlink(record), 0);
	REQUIRE_INT(symlink("history.db", record), 0);
	history_close(open_new());
	CHECK(!history_was_checked(root, database()));
	CHECK_U64(count_rows(NULL), 0);
	end();
}

static void test_foreign(void)
{
	char directory[100];
	begin();
	snprintf(directory, sizeof directory, "%s/.irdiff", root);
	REQUIRE_INT(mkdir(directory, 0777), 0);
	sql("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('one')");
	refuses("not a database of irdiff");
	REQUIRE_INT(unlink(database()), 0);

	struct history_run run = row("parse", A);
	struct history *h = open_new();
	add(h, &run);
	history_close(h);
	sql("UPDATE environments SET facts = replace(facts, 'one', 'forged')");
	refuses("an environment does not match its digest");
	sql("UPDATE environments SET facts = replace(facts, 'forged', 'one')");
	CHECK_U64(count_rows("parse"), 1);
	struct cg_error err = { 0 };
	sql("UPDATE environments SET facts = 'cpu' || char(10) || 'two' || char(10)");
	h = open_new();
	CHECK_INT(history_add(h, &run, NULL, &err), CG_EINVAL);
	CHECK(strstr(err.message, "the digest of another one") != NULL);
	history_close(h);
	sql("UPDATE environments SET facts = replace(facts, 'two', 'one') || 'valgrind' || char(10) || "
	    "'3.19.0' || char(10)");
	CHECK_U64(count_rows("parse"), 1);
	sql("UPDATE runs SET counts = x'0e'");
	refuses("counts that do not fit their metrics");
	sql("UPDATE runs SET counts = x'0e00', commit_number = 2");
	refuses("a row of no commit");
	sql("UPDATE runs SET commit_number = 1, measured = -1");
	refuses("a time before 1970");
	sql("UPDATE runs SET measured = 1; UPDATE methods SET metrics = 'Ir'");
	refuses("metrics that are not lines");
	sql("UPDATE methods SET metrics = 'Dr' || char(10) || 'Ir' || char(10); UPDATE series SET environment = 2");
	refuses("a series of no environment");
	sql("UPDATE series SET environment = 1; UPDATE commits SET id = 3");
	refuses("a number is missing");
	sql("UPDATE commits SET id = 1, commit_id = 'x'");
	refuses("damaged");
	sql("PRAGMA user_version = 7");
	refuses("newer irdiff");
	sql("PRAGMA user_version = 1");
	refuses("older irdiff");
	end();
}

/* Writes to the database, and ends in the midst of it. */
static void interrupt_writing(void)
{
	sqlite3 *db = NULL;
	int how = -1;
	pid_t child = fork();

	if (!child) {
		sqlite3_open(database(), &db);
		sqlite3_exec(
			db,
			"PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE runs SET measured = 7; "
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) "
			"INSERT INTO commits (commit_id, committed, subject) "
			"SELECT hex(randomblob(20)), i, hex(zeroblob(200)) FROM n",
			NULL, NULL, NULL);
		_exit(0);
	}
	REQUIRE_INT(waitpid(child, &how, 0), child);
	REQUIRE_INT(how, 0);
}

static void test_interrupted(void)
{
	struct history_run run = row("parse", A);
	struct history_book book = { 0 };
	struct cg_error err = { 0 };
	char journal[120];

	for (int checks = 0; checks < 2; checks++) {
		begin();
		struct history *h = open_new();
		add(h, &run);
		history_close(h);
		interrupt_writing();
		snprintf(journal, sizeof journal, "%s-journal", database());
		REQUIRE(access(journal, F_OK) == 0);
		if (checks)
			CHECK_INT(history_check(root, &err), CG_OK);
		REQUIRE_INT(history_open(root, &h, &err), CG_OK);
		REQUIRE_INT(history_read(h, NULL, &book, &err), CG_OK);
		CHECK_U64(book.ncommits, 1);
		CHECK_INT(row_of(&book, 0).measured, 200);
		history_book_free(&book);
		history_close(h);
		end();
	}
}

/* A row that is to be replaced may be damaged, too. */
static void refuses_to_replace(const char *statements, const char *words)
{
	struct history_run run = row("parse", A);
	struct cg_error err = { 0 };

	begin();
	struct history *h = open_new();
	add(h, &run);
	history_close(h);
	sql(statements);
	h = open_new();
	run.measured++;
	CHECK_INT(history_add(h, &run, NULL, &err), CG_EIO);
	test_report(strstr(err.message, words) != NULL, false, __FILE__, __LINE__,
		    "\"%s\" lacks \"%s\"", err.message, words);
	history_close(h);
	end();
}

static void test_damaged_row(void)
{
	refuses_to_replace(
		"UPDATE methods SET metrics = 'Ir' || char(10) || 'Dr'; UPDATE runs SET counts = x'02'",
		"metrics that are not lines");
	refuses_to_replace("UPDATE methods SET metrics = 'Ir' || char(10)",
			   "counts that do not fit their metrics");
	refuses_to_replace("UPDATE runs SET method = 7", "a row without metrics");
	refuses_to_replace("UPDATE runs SET measured = 201; UPDATE methods SET irdiff = char(10)",
			   "a row that may not be kept");
}

static void test_read_only(void)
{
	struct history_run run = row("parse", A);
	char directory[100];

	begin();
	struct history *h = open_new();
	add(h, &run);
	history_close(h);
	snprintf(directory, sizeof directory, "%s/.irdiff", root);
	REQUIRE_INT(chmod(database(), 0444), 0);
	REQUIRE_INT(chmod(directory, 0555), 0);
	CHECK_U64(count_rows("parse"), 1);
	if (geteuid() == 0) {
		puts("SKIP: a history that cannot be written: root writes anyway");
	} else {
		struct cg_error err = { 0 };
		CHECK_INT(history_open_to_write(root, &h, &err), CG_EIO);
		CHECK(strstr(err.message, "read-only") != NULL);
	}
	REQUIRE_INT(chmod(directory, 0755), 0);
	end();
}

TEST_MAIN("damaged histories", { "a damaged file stays, and is told of", test_damaged },
	  { "a benchmark without a name", test_unnamed },
	  { "so does a file of others, or of a newer irdiff", test_foreign },
	  { "a damaged row is not replaced", test_damaged_row },
	  { "what was interrupted is undone", test_interrupted },
	  { "all pages are checked once", test_checked },
	  { "reading needs no right to write", test_read_only })
