#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/git/transfer.h"
#include "src/share/join.h"
#include "src/store/files.h"
#include "src/store/history.h"
#include "src/store/sums.h"

/* ---- rows ----------------------------------------------------------------- */

/* Adds the rows that are new here. The history refuses one whose environment has the digest of
 * another one. */
static int put_new_rows(struct history *h, const struct joined_fan *fan, struct shared_fan *theirs,
			struct share_refused *refused, struct cg_error *err)
{
	struct history_reader reader = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < fan->ncommits; i++)
		for (size_t k = 0; !status && k < fan->commits[i].nrows; k++) {
			const struct joined_row *j = &fan->commits[i].rows[k];
			struct history_run run;
			if (!j->is_theirs)
				continue;
			status = history_row_read(&reader, j->row->text, strlen(j->row->text),
						  SHARE_REF, 1, &run, err);
			if (!status)
				status = history_put(h, &run, NULL, err);
			if (status == CG_EINVAL) {
				share_refuse(refused, "history/", fan->commits[i].id, err->message);
				theirs->refused = true;
				status = CG_OK;
			}
		}
	history_reader_free(&reader);
	return status;
}

/* What was refused is reported again by the next fetch. */
static int remember_fetched(struct history *h, const struct shared_fan *theirs,
			    const struct joined_fan *joined, struct cg_error *err)
{
	struct history_fan state;
	int status = history_get_fan(h, theirs->number, &state, err);

	if (status || theirs->refused)
		return status;
	snprintf(state.tree, sizeof state.tree, "%s", theirs->tree);
	state.rows = theirs->nrows;
	state.taken = true;
	state.given = joined->from_here ? 0 : state.changes;
	return history_set_fan(h, theirs->number, &state, err);
}

static int fetch_fan(struct history *h, struct shared_fan *theirs, struct share_result *result,
		     struct cg_error *err)
{
	struct shared_fan ours = { 0 };
	struct joined_fan joined = { 0 };
	int status = shared_fan_of_project(h, theirs->number, &ours, err);

	if (!status)
		status = share_join(&ours, theirs, &joined, err);
	if (!status)
		status = put_new_rows(h, &joined, theirs, &result->refused, err);
	if (!status)
		status = remember_fetched(h, theirs, &joined, err);
	result->new_here.rows += joined.from_there;
	result->there.rows += theirs->nrows;
	joined_fan_free(&joined);
	shared_fan_free(&ours);
	return status;
}

/* What a visitor of fans has. */
struct fan_visit {
	const struct share_request *request;
	struct history *history;
	struct share_result *result;
};

/* Takes fans to be looked at, a few at once; those of the remote are read. */
typedef int visit_fans(struct fan_visit *v, struct shared_fan *const *fans, size_t count,
		       struct cg_error *err);

/* In one transaction. */
static int visit_to_fetch(struct fan_visit *v, struct shared_fan *const *fans, size_t count,
			  struct cg_error *err)
{
	int status = history_begin(v->history, err);
	if (status)
		return status;
	for (size_t i = 0; !status && i < count; i++)
		status = fetch_fan(v->history, fans[i], v->result, err);
	return history_end(v->history, status, err);
}

static int visit_to_count(struct fan_visit *v, struct shared_fan *const *fans, size_t count,
			  struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		struct shared_fan ours = { 0 };
		struct joined_fan joined = { 0 };
		status = shared_fan_of_project(v->history, fans[i]->number, &ours, err);
		if (!status)
			status = share_join(&ours, fans[i], &joined, err);
		v->result->there.rows += fans[i]->nrows;
		v->result->new_here.rows += joined.from_there;
		v->result->new_there.rows += joined.from_here;
		joined_fan_free(&joined);
		shared_fan_free(&ours);
	}
	return status;
}

/* Whether a fan need not be looked at: the history has what it has, and, `both`, the other way
 * round. */
static bool is_fan_known(const struct shared_fan *fan, const struct history_fan *state, bool both)
{
	bool same = strcmp(state->tree, fan->tree) == 0;

	return (!*fan->tree || (same && state->taken)) &&
	       (!both || (same && state->given == state->changes));
}

static int visit_rows(struct fan_visit *v, struct shared *there, bool both, visit_fans *visit,
		      struct cg_error *err)
{
	enum { AT_ONCE = 16 };
	struct shared_fan *fans[AT_ONCE];
	size_t n = 0;
	int status = CG_OK;

	for (unsigned i = 0; !status && i < HISTORY_FANS; i++) {
		struct history_fan state;
		there->fans[i].number = i;
		status = history_get_fan(v->history, i, &state, err);
		if (status)
			return status;
		if (!is_fan_known(&there->fans[i], &state, both))
			fans[n++] = &there->fans[i];
		else if (*there->fans[i].tree)
			v->result->there.rows += state.rows;
		if (n < AT_ONCE && i + 1 < HISTORY_FANS)
			continue;
		status = shared_read_fans(v->request->git, fans, n, &v->result->refused, err);
		if (!status && n)
			status = visit(v, fans, n, err);
		while (n)
			shared_fan_free(fans[--n]);
	}
	return status;
}

static bool has_rows(const struct shared *there)
{
	for (unsigned i = 0; i < HISTORY_FANS; i++)
		if (*there->fans[i].tree)
			return true;
	return false;
}

static int fetch_rows(const struct share_request *r, struct shared *there,
		      struct share_result *result, struct cg_error *err)
{
	struct fan_visit v = { .request = r, .result = result };
	int status = has_rows(there) ? history_open_to_write(r->root, &v.history, err) : CG_OK;

	if (!status && v.history)
		status = visit_rows(&v, there, false, visit_to_fetch, err);
	history_close(v.history);
	return status;
}

static int count_rows(const struct share_request *r, struct shared *there,
		      struct share_result *result, struct cg_error *err)
{
	struct fan_visit v = { .request = r, .result = result };
	int status = history_open(r->root, &v.history, err);

	if (!status)
		status = visit_rows(&v, there, true, visit_to_count, err);
	history_close(v.history);
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
	result->there.entries = there->nentries;
	return status ? status : shared_of_project(r, here, &result->refused, err);
}

int share_fetch(const struct share_request *request, struct share_result *result, bool *unreached,
		struct cg_error *err)
{
	struct shared here = { 0 }, there = { 0 };
	int status = read_both(request, &here, &there, result, unreached, err);
	if (!status)
		status = fetch_rows(request, &there, result, err);
	if (!status && !request->history_only)
		status = fetch_entries(request, &here, &there, result, err);
	shared_free(&here);
	shared_free(&there);
	return status;
}

static size_t count_missing(const struct shared *here, const struct shared *there)
{
	size_t missing = 0;
	for (size_t i = 0; i < there->nentries; i++)
		missing += !shared_find_entry(here, there->entries[i].name);
	return missing;
}

int share_status(const struct share_request *request, struct share_result *result, bool *unreached,
		 struct cg_error *err)
{
	struct shared here = { 0 }, there = { 0 };
	int status = read_both(request, &here, &there, result, unreached, err);
	result->new_here.entries = count_missing(&here, &there);
	result->new_there.entries = count_missing(&there, &here);
	if (!status)
		status = count_rows(request, &there, result, err);
	shared_free(&here);
	shared_free(&there);
	return status;
}
