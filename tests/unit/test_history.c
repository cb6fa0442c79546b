#include "tests/unit/harness.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/store/history_checked.h"
#include "src/store/history_database.h"
#include "tests/unit/growth.h"
#include "tests/unit/history_rows.h"

static char root[64];

static void begin(void)
{
	snprintf(root, sizeof root, "/tmp/irdiff-history.XXXXXX");
	REQUIRE(mkdtemp(root) != NULL);
}

static void end(void)
{
	char command[256];
	snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", root, root);
	REQUIRE_INT(system(command), 0);
}

static const char *database(void)
{
	static char path[100];
	snprintf(path, sizeof path, "%s/.irdiff/history.db", root);
	return path;
}

static void put(const char *path, const char *bytes, size_t size)
{
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	REQUIRE_U64(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static struct history *open_new(void)
{
	struct history *h = NULL;
	struct cg_error err = { 0 };
	int status = history_open_to_write(root, &h, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return h;
}

static void add(struct history *h, const struct history_run *run)
{
	struct cg_error err = { 0 };
	int status = history_add(h, run, NULL, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
}

static size_t count_points(const struct history_book *book)
{
	size_t count = 0;
	for (size_t i = 0; i < book->nseries; i++)
		count += book->series[i].count;
	return count;
}

static size_t count_rows(const char *benchmark)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	struct cg_error err = { 0 };
	int status = history_open(root, &h, &err);
	if (!status)
		status = history_read(h, benchmark, &book, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	size_t count = count_points(&book);
	history_book_free(&book);
	history_close(h);
	return count;
}

/* The row of a point of the only series. */
static struct history_run row_of(const struct history_book *book, size_t point)
{
	static struct history_count found[HISTORY_MOST_COUNTS];

	REQUIRE_U64(book->nseries, 1);
	REQUIRE(point < book->series->count);
	return history_run_of(book, book->series, &book->series->points[point], found);
}

/* ---- the database ---- */

static void test_none(void)
{
	struct history *h = (struct history *)1;
	struct path_list names = { 0 };
	struct history_book book = { 0 };

	begin();
	REQUIRE_INT(history_open(root, &h, NULL), CG_OK);
	CHECK(h == NULL);
	CHECK_INT(history_benchmarks(h, &names, NULL), CG_OK);
	CHECK_INT(history_read(h, NULL, &book, NULL), CG_OK);
	CHECK_U64(names.count + book.nseries, 0);
	CHECK(access(database(), F_OK) != 0); /* reading makes none */
	history_close(h);
	end();
}

static void test_round(void)
{
	begin();
	struct history *h = open_new();
	struct history_run later = row("parse", B), sooner = row("parse", A),
			   other = row("print", A);
	later.committed = 300;
	later.tree = (char *)A;
	later.subject = (char *)"\"quoted\" \x1b[31m é\\";
	add(h, &later);
	add(h, &sooner);
	add(h, &other);

	struct path_list names = { 0 };
	REQUIRE_INT(history_benchmarks(h, &names, NULL), CG_OK);
	REQUIRE_U64(names.count, 2);
	CHECK_STR(names.paths[0], "parse");
	CHECK_STR(names.paths[1], "print");
	path_list_free(&names);

	struct history_book book = { 0 };
	REQUIRE_INT(history_read(h, "parse", &book, NULL), CG_OK);
	REQUIRE_U64(count_points(&book), 2);
	CHECK_STR(row_of(&book, 0).commit, A);
	CHECK(row_of(&book, 0).tree == NULL);
	const struct history_run found = row_of(&book, 1), *r = &found;
	CHECK_STR(r->commit, B);
	CHECK_STR(r->tree, A);
	CHECK_STR(r->subject, later.subject);
	CHECK_INT(r->committed, 300);
	CHECK_INT(r->measured, 200);
	CHECK_STR(r->irdiff, "0.1.0");
	CHECK_STR(r->environment[0].key, "cpu");
	CHECK_STR(r->environment[0].value, "one");
	REQUIRE(history_run_count(r, "Ir") != NULL);
	CHECK_INT(*history_run_count(r, "Ir"), 1000);
	CHECK(history_run_count(r, "Dw") == NULL);
	history_book_free(&book);
	history_close(h);
	CHECK_U64(count_rows(NULL), 3);
	end();
}

static void test_again(void)
{
	struct history_added added = { 0 };
	struct history_run run = row("parse", A);
	struct history_count others[] = { { (char *)"Dr", 7 }, { (char *)"Ir", 1001 } };

	begin();
	struct history *h = open_new();
	REQUIRE_INT(history_add(h, &run, &added, NULL), CG_OK);
	CHECK(!added.known);
	REQUIRE_INT(history_add(h, &run, &added, NULL), CG_OK);
	CHECK(added.known);
	CHECK(added.metric == NULL);

	run.counts = others;
	run.measured++;
	REQUIRE_INT(history_add(h, &run, &added, NULL), CG_OK);
	CHECK_STR(added.metric, "Ir");
	CHECK_INT(added.before, 1000);
	CHECK_INT(added.now, 1001);
	free(added.metric);

	/* What was measured earlier does not replace it, but is told of. */
	run.counts = counts;
	run.measured -= 10;
	size_t changed = 0;
	REQUIRE_INT(history_add_all(h, &run, 1, &changed, NULL), CG_OK);
	CHECK_U64(changed, 1);
	struct history_book book = { 0 };
	REQUIRE_INT(history_read(h, "parse", &book, NULL), CG_OK);
	REQUIRE_U64(count_points(&book), 1);
	const struct history_run kept = row_of(&book, 0);
	CHECK_INT(*history_run_count(&kept, "Ir"), 1001);
	history_book_free(&book);

	/* In another environment counts may be others. */
	struct history_pair elsewhere[] = { { (char *)"cpu", (char *)"two" } };
	run.environment = elsewhere;
	run.nenvironment = 1;
	added = (struct history_added){ 0 };
	REQUIRE_INT(history_add(h, &run, &added, NULL), CG_OK);
	CHECK(!added.known);

	/* So they may by another definition of the benchmark. */
	bool has = true;
	run.definition = (char *)"fedcba9876543210";
	REQUIRE_INT(history_has(h, &run, &has, NULL), CG_OK);
	CHECK(!has);
	REQUIRE_INT(history_add(h, &run, &added, NULL), CG_OK);
	CHECK(!added.known);
	REQUIRE_INT(history_has(h, &run, &has, NULL), CG_OK);
	CHECK(has);
	REQUIRE_INT(history_has_measured(h, &run, &has, NULL), CG_OK);
	CHECK(has);
	run.measured++;
	REQUIRE_INT(history_has_measured(h, &run, &has, NULL), CG_OK);
	CHECK(!has);
	history_close(h);
	CHECK_U64(count_rows("parse"), 3);
	end();
}

static void test_all_or_none(void)
{
	struct history_run runs[] = { row("parse", A), row("parse", "no commit") };
	struct cg_error err = { 0 };
	size_t changed = 42;

	begin();
	struct history *h = open_new();
	CHECK_INT(history_add_all(h, runs, 2, &changed, &err), CG_EINVAL);
	CHECK(strstr(err.message, "commit") != NULL);
	CHECK_U64(changed, 42);
	history_close(h);
	CHECK_U64(count_rows(NULL), 0);
	end();
}

/* What is said of a commit is there once, and the same in whatever order rows come. */
static void test_one_commit(void)
{
	struct history_run runs[] = { row("parse", A), row("print", A), row("scan", A) };
	struct history_book book = { 0 };
	size_t changed;

	runs[0].subject = (char *)"zzz";
	runs[1].tree = (char *)B;
	runs[2].committed = 900;
	for (int backwards = 0; backwards < 2; backwards++) {
		begin();
		struct history *h = open_new();
		for (size_t i = 0; i < 3; i++)
			add(h, &runs[backwards ? 2 - i : i]);
		REQUIRE_INT(history_add_all(h, runs, 3, &changed, NULL), CG_OK);
		REQUIRE_INT(history_read(h, NULL, &book, NULL), CG_OK);
		REQUIRE_U64(book.ncommits, 1);
		CHECK_STR(book.commits[0].subject, "words");
		CHECK_STR(book.commits[0].tree, B);
		CHECK_INT(book.commits[0].committed, 100);
		CHECK_U64(count_points(&book), 3);
		history_book_free(&book);
		history_close(h);
		end();
	}
}

static int64_t changes_of(struct history *h, const char *commit)
{
	struct history_fan fan;
	REQUIRE_INT(history_get_fan(h, history_fan_of(commit), &fan, NULL), CG_OK);
	return fan.changes;
}

/* Of two rows of one second, the same one stays in whatever order they come. */
static void test_one_second(void)
{
	struct history_count more[] = { { (char *)"Ir", 2000 } };
	struct history_run runs[] = { row("parse", A), row("parse", A), row("parse", A) };
	struct history_book book = { 0 };

	runs[1].counts = more;
	runs[1].ncounts = 1;
	runs[2].irdiff = (char *)"0.0.9";
	for (int first = 0; first < 3; first++) {
		begin();
		struct history *h = open_new();
		for (int i = 0; i < 3; i++)
			add(h, &runs[(first + i) % 3]);
		REQUIRE_INT(history_read(h, NULL, &book, NULL), CG_OK);
		const struct history_run kept = row_of(&book, 0);
		CHECK_STR(kept.irdiff, "0.1.0");
		CHECK_INT(*history_run_count(&kept, "Ir"), 2000);
		history_book_free(&book);
		int64_t before = changes_of(h, A);
		add(h, &runs[0]);
		CHECK_INT(changes_of(h, A), before);
		history_close(h);
		end();
	}
}

/* What rows refer to is found again by whoever opens the database. */
static void test_opened_again(void)
{
	struct history_book book = { 0 };

	begin();
	for (int i = 0; i < 6; i++) {
		struct history_run run = row(i % 2 ? "parse" : "print", i < 3 ? A : B);
		struct history_count one[] = { { (char *)"Ir", -i } };
		struct history *h = open_new();
		run.counts = one;
		run.ncounts = 1;
		run.measured += i;
		add(h, &run);
		history_close(h);
	}
	struct history *h = open_new();
	REQUIRE_INT(history_read(h, NULL, &book, NULL), CG_OK);
	CHECK_U64(book.ncommits, 2);
	CHECK_U64(book.nenvironments, 1);
	CHECK_U64(book.nmethods, 1);
	CHECK_U64(book.nseries, 2);
	CHECK_U64(count_points(&book), 4);
	CHECK_INT(history_counts(&book, &book.series[0].points[1])[0], -5);
	history_book_free(&book);
	REQUIRE_INT(history_read(h, "print", &book, NULL), CG_OK);
	CHECK_U64(book.nseries, 1);
	CHECK_INT(history_counts(&book, &book.series[0].points[0])[0], -2);
	history_book_free(&book);
	history_close(h);
	end();
}

static void test_packed(void)
{
	struct history_count all[] = { { NULL, 0 },         { NULL, -1 },        { NULL, 63 },
				       { NULL, -64 },       { NULL, 64 },        { NULL, 1234567 },
				       { NULL, INT64_MIN }, { NULL, INT64_MAX }, { NULL, 1 } };
	enum { N = sizeof all / sizeof *all };
	unsigned char bytes[HISTORY_PACKED_SIZE(N)];
	int64_t back[N];
	size_t size = history_pack(all, N, bytes);

	CHECK_U64(size, 1 + 1 + 1 + 1 + 2 + 4 + 10 + 10 + 1);
	REQUIRE(history_unpack(bytes, size, back, N));
	for (size_t i = 0; i < N; i++)
		CHECK_INT(back[i], all[i].count);
	for (size_t less = 0; less < size; less++)
		CHECK(!history_unpack(bytes, less, back, N));
	CHECK(!history_unpack(bytes, size, back, N - 1));
	memset(bytes, 0xff, sizeof bytes);
	CHECK(!history_unpack(bytes, sizeof bytes, back, 1));
	bytes[9] = 1;
	CHECK(history_unpack(bytes, 10, back, 1));
	CHECK_INT(back[0], INT64_MIN);
	bytes[9] = 2; /* more than 64 bits */
	CHECK(!history_unpack(bytes, 10, back, 1));
	CHECK(!history_unpack((const unsigned char *)"\x82\x00", 2, back,
			      1)); /* longer than it is */
}

#define C "aabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void test_fans(void)
{
	struct history_run runs[] = { row("parse", A), row("print", B), row("print", C) };
	struct history_fan fan = { .tree = B, .rows = 7, .taken = true, .given = 1 };
	struct history_book book = { 0 };

	begin();
	struct history *h = open_new();
	CHECK_INT(changes_of(h, A), 0);
	add(h, &runs[0]);
	add(h, &runs[1]);
	CHECK_INT(changes_of(h, A), 1);
	REQUIRE_INT(history_begin(h, NULL), CG_OK);
	REQUIRE_INT(history_set_fan(h, history_fan_of(A), &fan, NULL), CG_OK);
	REQUIRE_INT(history_end(h, CG_OK, NULL), CG_OK);
	add(h, &runs[2]);
	CHECK_INT(changes_of(h, A), 2);
	CHECK_INT(changes_of(h, B), 1);
	/* What is not kept is no change, whatever it was. */
	runs[2].measured--;
	add(h, &runs[2]);
	REQUIRE_INT(history_begin(h, NULL), CG_OK);
	runs[2].measured += 2;
	REQUIRE_INT(history_put(h, &runs[2], NULL, NULL), CG_OK);
	CHECK_INT(history_end(h, CG_EINVAL, NULL), CG_EINVAL);
	REQUIRE_INT(history_get_fan(h, history_fan_of(C), &fan, NULL), CG_OK);
	CHECK_STR(fan.tree, B);
	CHECK_U64(fan.rows, 7);
	CHECK(fan.taken);
	CHECK_INT(fan.given, 1);

	REQUIRE_INT(history_read_fan(h, history_fan_of(A), &book, NULL), CG_OK);
	CHECK_U64(book.ncommits, 2);
	CHECK_U64(count_points(&book), 2);
	for (size_t i = 0; i < book.nseries; i++) {
		const struct history_series *s = &book.series[i];
		const char *commit = book.commits[s->points->commit].id;
		CHECK_U64(s->count, 1);
		CHECK_STR(commit, strcmp(s->benchmark, "parse") == 0 ? A : C);
		CHECK_INT(s->points->measured, 200);
	}
	history_book_free(&book);
	REQUIRE_INT(history_read_fan(h, 0, &book, NULL), CG_OK);
	CHECK_U64(book.ncommits + book.nseries, 0);
	history_book_free(&book);
	history_close(h);
	end();
}

/* Writes and reads so many rows of two benchmarks. */
static void write_and_read(size_t size)
{
	struct history_book book = { 0 };

	begin();
	struct history *h = open_new();
	REQUIRE_INT(history_begin(h, NULL), CG_OK);
	for (size_t i = 0; i < size; i++) {
		char commit[41];
		snprintf(commit, sizeof commit, "%040zx", i / 2);
		struct history_run run = row(i % 2 ? "parse" : "print", commit);
		REQUIRE_INT(history_put(h, &run, NULL, NULL), CG_OK);
	}
	REQUIRE_INT(history_end(h, CG_OK, NULL), CG_OK);
	REQUIRE_INT(history_read(h, NULL, &book, NULL), CG_OK);
	CHECK_U64(count_points(&book), size);
	history_book_free(&book);
	history_close(h);
	end();
}

static void test_growth(void)
{
	CHECK(grows_in_proportion(write_and_read, 16000));
}

/* Several processes make the database and write to it at once. */
static void test_at_once(void)
{
	enum { WRITERS = 6, ROWS = 15 };

	begin();
	for (int w = 0; w < WRITERS; w++) {
		if (fork() != 0)
			continue;
		struct history *h = NULL;
		bool fine = history_open_to_write(root, &h, NULL) == CG_OK;
		for (int i = 0; fine && i < ROWS; i++) {
			char commit[41], name[20];
			snprintf(commit, sizeof commit, "%040x", i);
			snprintf(name, sizeof name, "bench%d", w / 2); /* two write the same rows */
			struct history_run run = row(name, commit);
			fine = history_add(h, &run, NULL, NULL) == CG_OK;
		}
		history_close(h);
		_exit(!fine);
	}
	for (int w = 0; w < WRITERS; w++) {
		int how = -1;
		REQUIRE(wait(&how) > 0);
		CHECK_INT(how, 0);
	}
	CHECK_U64(count_rows(NULL), WRITERS / 2 * ROWS);
	CHECK_U64(count_rows("bench1"), ROWS);
	end();
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

TEST_MAIN("history", { "there is none yet", test_none }, { "what was added is there", test_round },
	  { "a commit has one row", test_again },
	  { "rows are added together or not at all", test_all_or_none },
	  { "a commit is there once", test_one_commit },
	  { "of one second the same row stays", test_one_second },
	  { "what is there is found again", test_opened_again }, { "counts as bytes", test_packed },
	  { "what is known of fans", test_fans },
	  { "twice the rows take twice as long", test_growth },
	  { "several write at once", test_at_once },
	  { "a damaged file stays, and is told of", test_damaged },
	  { "a benchmark without a name", test_unnamed },
	  { "so does a file of others, or of a newer irdiff", test_foreign },
	  { "a damaged row is not replaced", test_damaged_row },
	  { "what was interrupted is undone", test_interrupted },
	  { "all pages are checked once", test_checked },
	  { "reading needs no right to write", test_read_only })
