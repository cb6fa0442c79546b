/* A history in a directory of its own. */
#ifndef TESTS_UNIT_HISTORY_PLACE_H
#define TESTS_UNIT_HISTORY_PLACE_H

#include "tests/unit/harness.h"

#include "src/store/history.h"
#include "tests/unit/history_rows.h"

TEST_UNUSED static char root[64];

TEST_UNUSED static void begin(void)
{
	snprintf(root, sizeof root, "/tmp/irdiff-history.XXXXXX");
	REQUIRE(mkdtemp(root) != NULL);
}

TEST_UNUSED static void end(void)
{
	char command[256];
	snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", root, root);
	REQUIRE_INT(system(command), 0);
}

TEST_UNUSED static const char *database(void)
{
	static char path[100];
	snprintf(path, sizeof path, "%s/.irdiff/history.db", root);
	return path;
}

TEST_UNUSED static struct history *open_new(void)
{
	struct history *h = NULL;
	struct cg_error err = { 0 };
	int status = history_open_to_write(root, &h, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return h;
}

TEST_UNUSED static void add(struct history *h, const struct history_run *run)
{
	struct cg_error err = { 0 };
	int status = history_add(h, run, NULL, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
}

TEST_UNUSED static size_t count_points(const struct history_book *book)
{
	size_t count = 0;
	for (size_t i = 0; i < book->nseries; i++)
		count += book->series[i].count;
	return count;
}

TEST_UNUSED static size_t count_rows(const char *benchmark)
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
TEST_UNUSED static struct history_run row_of(const struct history_book *book, size_t point)
{
	static struct history_count found[HISTORY_MOST_COUNTS];

	REQUIRE_U64(book->nseries, 1);
	REQUIRE(point < book->series->count);
	return history_run_of(book, book->series, &book->series->points[point], found);
}

#endif
