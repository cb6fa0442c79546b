#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/share/content.h"
#include "src/share/names.h"
#include "src/store/files.h"
#include "src/store/history.h"

/* A row of a fan of the history, to be sorted by commit. */
struct project_row {
	const struct history_series *series;
	const struct history_point *point;
};

static int compare_project_rows(const void *left, const void *right)
{
	const struct project_row *a = left, *b = right;
	return (a->point->commit > b->point->commit) - (a->point->commit < b->point->commit);
}

static size_t count_points(const struct history_book *book)
{
	size_t count = 0;
	for (size_t i = 0; i < book->nseries; i++)
		count += book->series[i].count;
	return count;
}

/* All rows, by commit. NULL: out of memory. */
static struct project_row *rows_by_commit(const struct history_book *book, size_t count)
{
	struct project_row *rows = calloc(count + 1, sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; rows && i < book->nseries; i++)
		for (size_t k = 0; k < book->series[i].count; k++)
			rows[n++] = (struct project_row){ &book->series[i],
							  &book->series[i].points[k] };
	if (rows && n)
		qsort(rows, n, sizeof *rows, compare_project_rows);
	return rows;
}

static int add_project_rows(const struct history_book *book, struct shared_fan *out,
			    struct cg_error *err)
{
	struct history_count counts[HISTORY_MOST_COUNTS];
	size_t count = count_points(book);
	struct project_row *rows = rows_by_commit(book, count);
	int status = rows ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < count; i++) {
		const struct history_run run = history_run_of(book, rows[i].series, rows[i].point,
							      counts);
		if (!shared_row_tells(&run))
			status = shared_add_row(out, &run, err);
	}
	for (size_t i = 0; !status && i < out->ncommits; i++)
		shared_sort_rows(&out->commits[i]);
	free(rows);
	return status;
}

int shared_fan_of_project(struct history *h, unsigned number, struct shared_fan *out,
			  struct cg_error *err)
{
	struct history_book book = { 0 };
	struct shared_fan fan = { .number = number };
	int status = history_read_fan(h, number, &book, err);

	if (!status)
		status = add_project_rows(&book, &fan, err);
	history_book_free(&book);
	if (status)
		shared_fan_free(&fan);
	else
		*out = fan;
	return status;
}

static int add_project_entry(const char *root, const char *name, struct shared *out,
			     struct cg_error *err)
{
	struct shared_entry e = { 0 };

	e.path = share_entry_path(cache_measured(root, name), name);
	if (!e.path)
		return cg_fail_nomem(err);
	if (share_entry_parse(e.path, &e.measured, &e.name))
		return shared_add_entry(out, &e, err);
	free(e.path);
	return CG_OK;
}

/* Its counts vary: only where both are known, the second alone does not pass a limit. */
static bool was_counted_before(const char *directory)
{
	char *path;
	struct stat st;

	if (asprintf(&path, "%s/" CACHE_COUNTED_BEFORE_FILE, directory) < 0)
		return true;
	const bool was = lstat(path, &st) == 0;
	free(path);
	return was;
}

/* An entry of a command line is useless to others, and stays here. */
static bool may_be_shared(const char *root, const char *name)
{
	enum { MOST_KEY = 16 << 20 };
	char *directory = cache_path(root, name), *path = NULL, *text = NULL;
	size_t size;

	if (!directory || asprintf(&path, "%s/" CACHE_KEY_FILE, directory) < 0)
		path = NULL;
	bool may = path && !foreign_file_read(path, MOST_KEY, &text, &size, NULL) &&
		   !strstr(text, "\n" CACHE_KEY_UNSHARED) && !was_counted_before(directory);
	free(text);
	free(path);
	free(directory);
	return may;
}

static int read_entries(const char *root, struct shared *out, struct cg_error *err)
{
	struct cache_list list = { 0 };
	int status = cache_list(root, &list, err);

	for (size_t i = 0; !status && i < list.count; i++)
		if (cache_is_of_commit(list.items[i].name) &&
		    may_be_shared(root, list.items[i].name))
			status = add_project_entry(root, list.items[i].name, out, err);
	cache_list_free(&list);
	return status;
}

int shared_of_project(const struct share_request *request, struct shared *out,
		      struct share_refused *refused, struct cg_error *err)
{
	int status = request->history_only ? CG_OK : read_entries(request->root, out, err);
	if (!status)
		shared_sort(out, refused);
	return status;
}
