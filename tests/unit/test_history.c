#include "tests/unit/harness.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/store/history_database.h"
#include "tests/unit/growth.h"
#include "tests/unit/history_place.h"

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

TEST_MAIN("history", { "there is none yet", test_none }, { "what was added is there", test_round },
	  { "a commit has one row", test_again },
	  { "rows are added together or not at all", test_all_or_none },
	  { "a commit is there once", test_one_commit },
	  { "of one second the same row stays", test_one_second },
	  { "what is there is found again", test_opened_again }, { "counts as bytes", test_packed },
	  { "what is known of fans", test_fans },
	  { "twice the rows take twice as long", test_growth },
	  { "several write at once", test_at_once })
