/*
 * .irdiff/history.db: a damaged database is an error that says so and changes nothing, or it is
 * read; then its rows are rows, and adding one loses none of the others.
 */
#include "src/store/history.h"
#include "tests/fuzz/sections.h"

#define DATABASE ".irdiff/history.db"
#define COMMIT "cccccccccccccccccccccccccccccccccccccccc"

static struct history_count counts[] = { { (char *)"Ir", 1000 } };
static const struct history_run added = {
	.benchmark = (char *)"b",
	.definition = (char *)"0123456789abcdef",
	.commit = (char *)COMMIT,
	.subject = (char *)"words",
	.irdiff = (char *)"1",
	.valgrind = (char *)"3",
	.measured = 5,
	.counts = counts,
	.ncounts = 1,
};

/* ---- the file ---- */

static void check_unchanged(const uint8_t *data, size_t size)
{
	size_t now;
	char *bytes = scratch_read(DATABASE, &now);

	LAW(bytes && now == size && memcmp(bytes, data, size) == 0, "what is refused is changed");
	free(bytes);
}

/* Of a damaged record that claims to be large, SQLite says that memory has run out. */
static void check_failure(int status, const struct cg_error *err)
{
	if (status != CG_ENOMEM)
		check_error(status, err);
}

/* ---- rows ---- */

static char *text_of_row(const struct history_run *run)
{
	char *text = NULL;
	struct cg_error err = { 0 };

	LAW(!history_row_text(run, &text, &err), "a row that could not be added: %s", err.message);
	return text;
}

static struct history_run row_at(const struct history_book *book, size_t series, size_t point)
{
	static struct history_count found[HISTORY_MOST_COUNTS];
	const struct history_series *s = &book->series[series];
	return history_run_of(book, s, &s->points[point], found);
}

static bool has(const struct history_book *book, const struct history_run *run)
{
	char *wanted = text_of_row(run);
	bool found = false;

	for (size_t i = 0; i < book->nseries; i++)
		for (size_t k = 0; k < book->series[i].count && !found; k++) {
			const struct history_run r = row_at(book, i, k);
			char *text = text_of_row(&r);
			found = strcmp(text, wanted) == 0;
			free(text);
		}
	free(wanted);
	return found;
}

static size_t count_rows(const struct history_book *book)
{
	size_t count = 0;
	for (size_t i = 0; i < book->nseries; i++)
		count += book->series[i].count;
	return count;
}

static bool read_all(struct history *h, struct history_book *book)
{
	struct cg_error err = { 0 };
	struct path_list names = { 0 };
	int status = history_read(h, NULL, book, &err);

	check_failure(status, &err);
	for (size_t i = 0; i < book->nseries; i++)
		for (size_t k = 0; k < book->series[i].count; k++) {
			const struct history_run r = row_at(book, i, k);
			free(text_of_row(&r));
		}
	err = (struct cg_error){ 0 };
	int named = history_benchmarks(h, &names, &err);
	check_failure(named, &err);
	LAW(status || named || !book->nseries == !names.count, "%zu series of %zu benchmarks",
	    book->nseries, names.count);
	path_list_free(&names);
	return !status;
}

/* ---- laws ---- */

/* Whether the row that was added is found, by what names it and by when it was measured. */
static void check_known(struct history *h, bool is_there)
{
	bool has = false, measured = false;
	struct cg_error err = { 0 };
	int status = history_has(h, &added, &has, &err);

	check_failure(status, &err);
	err = (struct cg_error){ 0 };
	int other = history_has_measured(h, &added, &measured, &err);
	check_failure(other, &err);
	LAW(status || other || !is_there || has, "what was added is not found");
}

static void check_kept(const struct history_book *before, const struct history_book *now)
{
	for (size_t i = 0; i < before->nseries; i++)
		for (size_t k = 0; k < before->series[i].count; k++) {
			const struct history_run r = row_at(before, i, k);
			struct history_run kept;
			struct cg_error err = { 0 };
			LAW(!history_run_copy(&r, &kept, &err), "out of memory");
			LAW(strcmp(kept.commit, COMMIT) == 0 || has(now, &kept),
			    "row %zu of series %zu is lost", k, i);
			history_run_free(&kept);
		}
}

/* The row that is added may take the place of an older one of its name. */
static void check_added(struct history *h, const struct history_book *before)
{
	struct history_book now = { 0 };
	struct cg_error err = { 0 };
	struct history_added was = { 0 };
	int status = history_add(h, &added, &was, &err);

	check_failure(status, &err);
	free(was.metric);
	check_known(h, !status);
	if (!read_all(h, &now))
		return;
	check_kept(before, &now);
	LAW(status || was.known || count_rows(&now) == count_rows(before) + 1,
	    "%zu rows become %zu", count_rows(before), count_rows(&now));
	history_book_free(&now);
}

static void check_read(const uint8_t *data, size_t size)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	struct cg_error err = { 0 };
	int status = history_open(scratch(), &h, &err);

	check_failure(status, &err);
	bool readable = !status && h && read_all(h, &book);
	history_close(h);
	if (size) /* of an empty one, tables are made */
		check_unchanged(data, size);
	h = NULL;
	if (readable && !history_open_to_write(scratch(), &h, NULL))
		check_added(h, &book);
	history_close(h);
	history_book_free(&book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cg_error err = { 0 };

	scratch_clear();
	scratch_write(DATABASE, data, size);
	int status = history_check(scratch(), &err);
	check_failure(status, &err);
	check_unchanged(data, size);
	check_read(data, size);
	return 0;
}
