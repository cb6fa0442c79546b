#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/share/content.h"
#include "src/share/names.h"
#include "src/store/files.h"
#include "src/store/history.h"

static int add_project_row(struct shared *out, struct history_run *run, struct cg_error *err)
{
	struct shared_row row = { .run = *run, .path = share_row_path(run) };
	int status = row.path ? history_row_text(run, &row.text, err) : cg_fail_nomem(err);

	*run = (struct history_run){ 0 };
	if (!status)
		return shared_add_row(out, &row, err);
	free(row.path);
	history_run_free(&row.run);
	return status;
}

static int add_series_rows(const struct history_book *book, const struct history_series *s,
			   struct shared *out, struct cg_error *err)
{
	struct history_count counts[HISTORY_MOST_COUNTS];
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->count; i++) {
		const struct history_run run = history_run_of(book, s, &s->points[i], counts);
		struct history_run copy;
		if (shared_row_tells(&run))
			break;
		status = history_run_copy(&run, &copy, err);
		if (!status)
			status = add_project_row(out, &copy, err);
	}
	return status;
}

static int read_project_rows(const char *root, struct shared *out, struct cg_error *err)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	int status = history_open(root, &h, err);

	if (!status)
		status = history_read(h, NULL, &book, err);
	for (size_t i = 0; !status && i < book.nseries; i++)
		status = add_series_rows(&book, &book.series[i], out, err);
	history_book_free(&book);
	history_close(h);
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

/* An entry of a command line is useless to others, and stays here. */
static bool may_be_shared(const char *root, const char *name)
{
	enum { MOST_KEY = 16 << 20 };
	char *directory = cache_path(root, name), *path = NULL, *text = NULL;
	size_t size;

	if (!directory || asprintf(&path, "%s/" CACHE_KEY_FILE, directory) < 0)
		path = NULL;
	bool may = path && !foreign_file_read(path, MOST_KEY, &text, &size, NULL) &&
		   !strstr(text, "\n" CACHE_KEY_UNSHARED);
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
	int status = read_project_rows(request->root, out, err);
	if (!status && !request->history_only)
		status = read_entries(request->root, out, err);
	if (!status)
		shared_sort(out, refused);
	return status;
}
