#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/git/transfer.h"
#include "src/share/content.h"
#include "src/store/files.h"
#include "src/store/history.h"
#include "src/store/sums.h"

/* ---- rows ----------------------------------------------------------------- */

static bool is_new_row(const struct shared *here, const struct shared_row *row)
{
	const struct shared_row *known = shared_find_row(here, row->path);
	return !known || shared_row_wins(row, known);
}

static int fetch_rows(const char *root, const struct shared *here, const struct shared *there,
		      size_t *count, struct cg_error *err)
{
	struct history_run *runs = calloc(there->nrows + 1, sizeof *runs);
	struct history *h = NULL;
	size_t n = 0, changed;
	int status = runs ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < there->nrows; i++)
		if (is_new_row(here, &there->rows[i]))
			runs[n++] = there->rows[i].run; /* they stay those of `there` */
	if (!status && n)
		status = history_open_to_write(root, &h, err);
	if (!status && n)
		status = history_add_all(h, runs, n, &changed, err);
	history_close(h);
	free(runs);
	if (!status)
		*count = n;
	return status;
}

/* ---- entries -------------------------------------------------------------- */

static int write_fetched_file(const char *directory, const char *name, const struct git_object *o,
			      struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return cg_fail_nomem(err);
	FILE *to = fopen(path, "wxe");
	bool failed = !to || fwrite(o->content, 1, (size_t)o->size, to) != o->size;
	if (to && fclose(to) != 0)
		failed = true;
	int status = failed ? cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
				      strerror(errno))
			    : CG_OK;
	free(path);
	return status;
}

/* Adds an entry to the cache, unless its files were changed since they were shared. */
static int publish_fetched(const struct share_request *r, const struct shared_entry *e,
			   const char *work, const char *key, struct share_refused *refused,
			   struct cg_error *err)
{
	struct cg_error wrong;

	if (!sums_check(work, &wrong))
		return cache_publish_fetched(r->root, e->name, work, key, err);
	share_refuse(refused, "cache/", e->path, wrong.message);
	return CG_OK;
}

static int write_fetched_files(const struct share_request *r, const struct shared_entry *e,
			       const char *work, struct share_refused *refused,
			       struct cg_error *err)
{
	struct git_object files[SHARE_FILES];
	size_t which[SHARE_FILES], n = 0;
	const char *key = NULL;
	char *buffer;

	for (size_t i = 0; i < SHARE_FILES; i++)
		if (*e->files[i].id) {
			which[n] = i;
			files[n++] = e->files[i];
		}
	int status = git_read(r->git, files, n, &buffer, err);
	if (status)
		return status;
	for (size_t i = 0; !status && i < n; i++) {
		if (which[i] == SHARE_KEY)
			key = files[i].content;
		status = write_fetched_file(work, shared_file_name(which[i]), &files[i], err);
	}
	if (!status)
		status = publish_fetched(r, e, work, key, refused, err);
	free(buffer);
	return status;
}

static int fetch_entry(const struct share_request *r, const struct shared_entry *e,
		       struct share_refused *refused, struct cg_error *err)
{
	char *work;
	if (asprintf(&work, "%s/entry", r->scratch) < 0)
		return cg_fail_nomem(err);
	int status = make_directories(work, err);
	if (!status)
		status = write_fetched_files(r, e, work, refused, err);
	remove_directory(work, NULL);
	free(work);
	return status;
}

static int fetch_entries(const struct share_request *r, const struct shared *here,
			 const struct shared *there, struct share_result *result,
			 struct cg_error *err)
{
	int status = cache_prepare(r->root, err);
	for (size_t i = 0; !status && i < there->nentries; i++) {
		if (shared_find_entry(here, there->entries[i].name))
			continue;
		size_t before = result->refused.count;
		status = fetch_entry(r, &there->entries[i], &result->refused, err);
		result->new_here.entries += !status && result->refused.count == before;
	}
	return status;
}

/* ---- the whole ------------------------------------------------------------ */

/* Reads the project and the remote. */
static int read_both(const struct share_request *r, struct shared *here, struct shared *there,
		     struct share_result *result, bool *unreached, struct cg_error *err)
{
	char *id = NULL;
	int status = git_fetch_ref(r->git, r->remote, SHARE_REF, &id, err);
	*unreached = status == CG_EIO;
	if (status)
		return status;
	result->absent = !id;
	if (id)
		status = shared_of_commit(r->git, id, there, &result->refused, err);
	free(id);
	result->there = (struct share_amount){ there->nrows, there->nentries };
	return status ? status : shared_of_project(r, here, &result->refused, err);
}

int share_fetch(const struct share_request *request, struct share_result *result, bool *unreached,
		struct cg_error *err)
{
	struct shared here = { 0 }, there = { 0 };
	int status = read_both(request, &here, &there, result, unreached, err);
	if (!status)
		status = fetch_rows(request->root, &here, &there, &result->new_here.rows, err);
	if (!status && !request->history_only)
		status = fetch_entries(request, &here, &there, result, err);
	shared_free(&here);
	shared_free(&there);
	return status;
}

static void count_missing(const struct shared *here, const struct shared *there,
			  struct share_amount *missing)
{
	for (size_t i = 0; i < there->nrows; i++)
		missing->rows += is_new_row(here, &there->rows[i]);
	for (size_t i = 0; i < there->nentries; i++)
		missing->entries += !shared_find_entry(here, there->entries[i].name);
}

int share_status(const struct share_request *request, struct share_result *result, bool *unreached,
		 struct cg_error *err)
{
	struct shared here = { 0 }, there = { 0 };
	int status = read_both(request, &here, &there, result, unreached, err);
	if (!status) {
		count_missing(&here, &there, &result->new_here);
		count_missing(&there, &here, &result->new_there);
	}
	shared_free(&here);
	shared_free(&there);
	return status;
}
