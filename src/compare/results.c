#include "src/compare/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/compare/counted_before.h"
#include "src/json/json.h"
#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/store/publish.h"
#include "src/store/sums.h"

#define RESULTS_FILE "results.json"
#define SCHEMA "irdiff/results"
#define SCHEMA_VERSION 3
#define RESULTS_BYTES_MAX (64u << 20)
#define KEY_BYTES_MAX (16u << 20)

const char *const results_fact_names[RESULTS_FACTS] = {
	"valgrind", "valgrind_flavour", "cpu", "cpus", "workspace",
};

/* ---- entries of the cache -------------------------------------------------- */

/* The caller's; NULL: out of memory. */
static char *path_in_results(const char *directory, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* What becomes part of a path. */
static bool is_entry_operand(const char *operand)
{
	return operand && operand[0] != '.' && !strchr(operand, '/') && cache_is_name(operand);
}

/* Reports show when a profile was written. */
static void keep_time(const struct stat *st, const char *to)
{
	const struct timespec times[] = { st->st_atim, st->st_mtim };
	utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW);
}

/* What is copied from one directory into another: no link leads out of either. */
struct copying {
	const char *from_root, *from, *to_root, *to;
};

static int copy_beneath(const struct copying *c, const char *from, const char *to,
			struct cg_error *err)
{
	struct new_file *file;
	FILE *stream, *source = beneath_open_regular(c->from_root, from);

	if (!source)
		return beneath_fail(from, "open", err);
	int status = beneath_new_file(c->to_root, to, &file, &stream, err);
	if (status) {
		fclose(source);
		return status;
	}
	new_file_leave_unsynced(file); /* all of them are synced at once */
	return stream_copy(source, from, file, stream, err);
}

/* Copies a regular file if the entry has it; links are not copied. If it has none, that of another
 * measurement goes that was copied there before: their files are not mixed. */
static int copy_entry_file(const struct copying *c, const char *name, struct cg_error *err)
{
	char *from = path_in_results(c->from, name), *to = path_in_results(c->to, name);
	struct stat st;
	int status = CG_OK;

	if (!from || !to) {
		status = cg_fail_nomem(err);
	} else if (lstat(from, &st) == 0 && S_ISREG(st.st_mode)) {
		status = copy_beneath(c, from, to, err);
		if (!status)
			keep_time(&st, to);
	} else {
		status = beneath_remove(c->to_root, to, err);
	}
	free(from);
	free(to);
	return status;
}

/* What the pair counted before it was measured once more: whoever compares it again, also in a
 * project that the entry comes to, is to get the same verdict. */
static int copy_counted_before(const struct copying *c, struct cg_error *err)
{
	return copy_entry_file(c, CACHE_COUNTED_BEFORE_FILE, err);
}

static int copy_entry(const struct copying *c, struct cg_error *err)
{
	int status = beneath_make_directories(c->to_root, c->to, err);

	for (size_t i = 0; !status && i < PROFILE_SHARED; i++)
		status = copy_entry_file(c, profile_file_names[i], err);
	if (!status)
		status = copy_entry_file(c, CACHE_KEY_FILE, err);
	return status ? status : copy_entry_file(c, SUMS_FILE, err);
}

/* ---- writing ---------------------------------------------------------------- */

static int write_cache_entry(const char *root, const char *name, const char *directory,
			     struct cg_error *err)
{
	if (!is_entry_operand(name))
		return CG_OK;
	char *from = cache_path(root, name), *to = path_in_results(directory, name);
	const struct copying copying = { root, from, directory, to };
	int status = from && to ? copy_entry(&copying, err) : cg_fail_nomem(err);
	if (!status)
		status = copy_counted_before(&copying, err);
	free(from);
	free(to);
	return status;
}

static void add_first_totals(struct json *j, const char *key, const int64_t *totals, uint32_t count)
{
	json_begin_array(j, key);
	for (uint32_t i = 0; i < count; i++)
		json_cost(j, NULL, totals[i]);
	json_end(j);
}

static void add_first_counts(struct json *j, const struct first_counts *first)
{
	if (!first->nbase) {
		json_none(j, "first_counts");
		return;
	}
	json_begin_object(j, "first_counts");
	add_first_totals(j, "base", first->base, first->nbase);
	add_first_totals(j, "head", first->head, first->nhead);
	json_end(j);
}

static void add_results_pairs(struct json *j, const struct results *r)
{
	json_begin_array(j, "compared");
	for (size_t i = 0; i < r->npairs; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", r->pairs[i].name);
		json_text(j, "base", r->pairs[i].base);
		json_text(j, "head", r->pairs[i].head);
		add_first_counts(j, &r->pairs[i].first);
		json_flag(j, "added", r->pairs[i].added);
		json_flag(j, "not_run", r->pairs[i].not_run);
		json_end(j);
	}
	json_end(j);
	suite_failures_json(r->failures, r->nfailures, j);
}

static void add_judging(struct json *j, const struct results *r)
{
	json_begin_object(j, "judging");
	json_flag(j, "check", r->check);
	json_flag(j, "require_base", r->require_base);
	json_flag(j, "allow_removed", r->allow_removed);
	json_flag(j, "allow_environment_change", r->allow_env_change);
	json_flag(j, "no_accepted", r->no_accepted);
	json_begin_array(j, "limits");
	for (size_t i = 0; i < r->limits.count; i++)
		json_text(j, NULL, r->limits.items[i]);
	json_end(j);
	json_text(j, "metric", r->metric);
	json_text(j, "inlines", r->inlines);
	json_text(j, "threshold", r->threshold);
	json_text(j, "min_delta", r->min_delta);
	json_end(j);
}

static struct json *document(const struct results *r)
{
	struct json *j = json_new();
	if (!j)
		return NULL;
	json_text(j, "schema", SCHEMA);
	json_count(j, "version", SCHEMA_VERSION);
	json_text(j, "irdiff", PACKAGE_VERSION);
	json_count(j, "shard", r->shard.of ? r->shard.number : 1);
	json_count(j, "shards", r->shard.of ? r->shard.of : 1);
	json_text(j, "base", r->base);
	json_text(j, "head", r->head);
	json_text(j, "base_files", r->base_files);
	json_text(j, "head_files", r->head_files);
	json_text(j, "baseline", r->baseline);
	json_text(j, "config", r->config);
	json_begin_object(j, "environment");
	for (size_t i = 0; i < RESULTS_FACTS; i++)
		if (r->facts[i])
			json_text(j, results_fact_names[i], r->facts[i]);
	json_end(j);
	add_judging(j, r);
	json_begin_array(j, "benchmarks");
	for (size_t i = 0; i < r->nbenchmarks; i++)
		json_text(j, NULL, r->benchmarks[i]);
	json_end(j);
	json_flag(j, "complete", r->complete);
	json_flag(j, "whole", r->whole);
	json_begin_array(j, "remarks");
	for (size_t i = 0; i < r->nremarks; i++)
		json_text(j, NULL, r->remarks[i]);
	json_end(j);
	add_results_pairs(j, r);
	json_count(j, "exit_code", (uint64_t)r->ending);
	return j;
}

static int write_document(const struct results *r, const char *directory, struct cg_error *err)
{
	struct json *j = document(r);
	struct new_file *file;
	FILE *to;
	char *path = path_in_results(directory, RESULTS_FILE);
	int status = j && path ? beneath_new_file(directory, path, &file, &to, err)
			       : cg_fail_nomem(err);

	free(path);
	if (status) {
		if (j)
			json_abandon(j);
		return status;
	}
	if (json_finish(j, to) == CG_ENOMEM) {
		new_file_abandon(file);
		return cg_fail_nomem(err);
	}
	return new_file_commit(file, err);
}

/* results.json comes last: with it the directory is complete. */
int results_write(const struct results *r, const char *root, const char *directory,
		  struct cg_error *err)
{
	int status = make_directories(directory, err);

	if (!status)
		status = results_forget(directory, err);
	for (size_t i = 0; !status && i < r->npairs; i++) {
		status = write_cache_entry(root, r->pairs[i].base, directory, err);
		if (!status)
			status = write_cache_entry(root, r->pairs[i].head, directory, err);
	}
	if (!status)
		status = sync_file_system(directory, err);
	return status ? status : write_document(r, directory, err);
}

/* ---- reading ----------------------------------------------------------------- */

static const char *member_text(const struct json_value *object, const char *key)
{
	return json_text_of(json_member(object, key));
}

static bool member_flag(const struct json_value *object, const char *key)
{
	return json_holds(json_member(object, key));
}

static const char **texts_of(const struct json_value *array, size_t *count)
{
	size_t n = json_items(array);
	const char **texts = calloc(n + 1, sizeof *texts);

	*count = 0;
	for (size_t i = 0; texts && i < n; i++) {
		const char *text = json_text_of(json_item(array, i));
		if (text)
			texts[(*count)++] = text;
	}
	return texts;
}

static bool is_operand(const char *text)
{
	return !text || is_entry_operand(text) || strncmp(text, "baseline:", 9) == 0;
}

/* False: a side has no totals, or too many, or others than numbers. */
static bool read_totals(const struct json_value *array, int64_t totals[CG_MAX_EVENTS],
			uint32_t *count)
{
	const size_t n = json_items(array);

	if (!n || n > CG_MAX_EVENTS)
		return false;
	for (*count = 0; *count < n; (*count)++)
		if (!json_cost_of(json_item(array, *count), &totals[*count]))
			return false;
	return true;
}

/* Nothing, or null: it was measured once. */
static bool read_first_counts(const struct json_value *o, struct first_counts *first)
{
	return !o || json_is_none(o) ||
	       (read_totals(json_member(o, "base"), first->base, &first->nbase) &&
		read_totals(json_member(o, "head"), first->head, &first->nhead));
}

static int read_pairs(const struct json_value *array, const char *path, struct results *r,
		      struct cg_error *err)
{
	size_t n = json_items(array);

	r->pairs = calloc(n + 1, sizeof *r->pairs);
	if (!r->pairs)
		return cg_fail_nomem(err);
	for (; r->npairs < n; r->npairs++) {
		const struct json_value *item = json_item(array, r->npairs);
		struct results_pair p = { .name = member_text(item, "name"),
					  .base = member_text(item, "base"),
					  .head = member_text(item, "head"),
					  .added = member_flag(item, "added"),
					  .not_run = member_flag(item, "not_run") };
		if (!p.name || !is_operand(p.head) || !is_operand(p.base) || (!p.head && !p.base) ||
		    !read_first_counts(json_member(item, "first_counts"), &p.first))
			return cg_fail(err, CG_ESYNTAX, path, 0, "invalid entry %zu of 'compared'",
				       r->npairs);
		r->pairs[r->npairs] = p;
	}
	return CG_OK;
}

static int read_failures(const struct json_value *array, const char *path, struct results *r,
			 struct cg_error *err)
{
	size_t n = json_items(array);

	r->failures = calloc(n + 1, sizeof *r->failures);
	if (!r->failures)
		return cg_fail_nomem(err);
	for (; r->nfailures < n; r->nfailures++) {
		const struct json_value *item = json_item(array, r->nfailures);
		struct bench_failure f = { member_text(item, "name"), member_text(item, "where") };
		if (!f.name || !f.where)
			return cg_fail(err, CG_ESYNTAX, path, 0, "invalid entry %zu of 'failed'",
				       r->nfailures);
		r->failures[r->nfailures] = f;
	}
	return CG_OK;
}

static int read_judging(const struct json_value *o, struct results *r, struct cg_error *err)
{
	r->check = member_flag(o, "check");
	r->require_base = member_flag(o, "require_base");
	r->allow_removed = member_flag(o, "allow_removed");
	r->allow_env_change = member_flag(o, "allow_environment_change");
	r->no_accepted = member_flag(o, "no_accepted");
	r->metric = member_text(o, "metric");
	r->inlines = member_text(o, "inlines");
	r->threshold = member_text(o, "threshold");
	r->min_delta = member_text(o, "min_delta");
	r->limits.items = texts_of(json_member(o, "limits"), &r->limits.count);
	return r->limits.items ? CG_OK : cg_fail_nomem(err);
}

static int take_document(const char *path, struct results *r, struct cg_error *err)
{
	const struct json_value *j = r->json;
	const char *schema = member_text(j, "schema"), *made_by = member_text(j, "irdiff");
	uint64_t version, code;

	if (!schema || strcmp(schema, SCHEMA) != 0)
		return cg_fail(err, CG_ESYNTAX, path, 0,
			       "no results; 'irdiff check --results=DIR' writes them");
	if (made_by && strcmp(made_by, PACKAGE_VERSION) == 0 &&
	    (!json_count_of(json_member(j, "version"), &version) || version != SCHEMA_VERSION))
		return cg_fail(err, CG_EINVAL, path, 0,
			       "written by another build of irdiff " PACKAGE_VERSION
			       ", in another version of the format; use the same build everywhere");
	if (!made_by || strcmp(made_by, PACKAGE_VERSION) != 0)
		return cg_fail(err, CG_EINVAL, path, 0,
			       "written by another version of irdiff (%s, this is " PACKAGE_VERSION
			       "); use the same version everywhere",
			       made_by ? made_by : "unknown");
	r->base = member_text(j, "base");
	r->head = member_text(j, "head");
	r->base_files = member_text(j, "base_files");
	r->head_files = member_text(j, "head_files");
	r->baseline = member_text(j, "baseline");
	r->config = member_text(j, "config");
	for (size_t i = 0; i < RESULTS_FACTS; i++)
		r->facts[i] = member_text(json_member(j, "environment"), results_fact_names[i]);
	if (!r->base || !r->head || !r->head_files ||
	    !json_count_of(json_member(j, "shard"), &r->shard.number) ||
	    !json_count_of(json_member(j, "shards"), &r->shard.of) || !r->shard.number ||
	    r->shard.number > r->shard.of || r->shard.of > SHARDS_MAX ||
	    !json_count_of(json_member(j, "exit_code"), &code) || code > 255)
		return cg_fail(err, CG_ESYNTAX, path, 0, "incomplete");
	r->ending = (int)code;
	r->benchmarks = texts_of(json_member(j, "benchmarks"), &r->nbenchmarks);
	r->complete = member_flag(j, "complete");
	r->whole = member_flag(j, "whole");
	r->remarks = texts_of(json_member(j, "remarks"), &r->nremarks);
	int status = r->benchmarks && r->remarks ? read_judging(json_member(j, "judging"), r, err)
						 : cg_fail_nomem(err);
	if (!status)
		status = read_pairs(json_member(j, "compared"), path, r, err);
	return status ? status : read_failures(json_member(j, "failed"), path, r, err);
}

char *results_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(slash ? slash + 1 : path, RESULTS_FILE) != 0)
		return strdup(path);
	return slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
}

int results_read(const char *path, struct results *r, struct cg_error *err)
{
	char *text = NULL, *directory = results_directory(path);
	char *name = directory ? path_in_results(directory, RESULTS_FILE) : NULL;
	size_t size;

	*r = (struct results){ 0 };
	int status = name ? foreign_file_read(name, RESULTS_BYTES_MAX, &text, &size, err)
			  : cg_fail_nomem(err);
	if (!status)
		status = json_read(text, size, name, &r->json, err);
	if (!status)
		status = take_document(name, r, err);
	free(text);
	free(name);
	free(directory);
	return status;
}

void results_free(struct results *r)
{
	free(r->benchmarks);
	free(r->remarks);
	free(r->limits.items);
	free(r->pairs);
	free(r->failures);
	json_forget(r->json);
	*r = (struct results){ 0 };
}

/* ---- of an older run ---------------------------------------------------------- */

static int check_ours(const char *path, struct cg_error *err)
{
	struct json_value *json = NULL;
	char *text = NULL;
	size_t size;
	int status = foreign_file_read(path, RESULTS_BYTES_MAX, &text, &size, err);

	if (!status)
		status = json_read(text, size, path, &json, err);
	const char *schema = status ? NULL : member_text(json, "schema");
	if (!status && (!schema || strcmp(schema, SCHEMA) != 0))
		status = cg_fail(
			err, CG_EINVAL, path, 0,
			"not written by irdiff; refusing to overwrite it: choose another directory, or move it away");
	json_forget(json);
	free(text);
	return status;
}

int results_forget(const char *directory, struct cg_error *err)
{
	char *path = path_in_results(directory, RESULTS_FILE);
	struct stat st;
	int status = CG_OK;

	if (!path)
		return cg_fail_nomem(err);
	if (lstat(path, &st) == 0) {
		status = check_ours(path, err);
		if (!status && unlink(path) != 0 && errno != ENOENT)
			status = cg_fail(err, CG_EIO, path, 0, "cannot remove: %s",
					 strerror(errno));
	}
	free(path);
	return status;
}

/* ---- into the cache ---------------------------------------------------------- */

static bool has_entry_file(const struct copying *c, const char *name)
{
	char *path = path_in_results(c->to, name);
	const bool there = path && access(path, F_OK) == 0;

	free(path);
	return there;
}

/* One that was damaged on its way does not replace another. Results of older versions have no
 * checksums. */
static int check_copied_entry(const struct copying *c, struct cg_error *err)
{
	struct cg_error wrong;

	if (!has_entry_file(c, profile_file_names[0]))
		return cg_fail(err, CG_EINVAL, c->from, 0, "%s is missing", profile_file_names[0]);
	if (has_entry_file(c, SUMS_FILE) && sums_check(c->to, &wrong))
		return cg_fail(err, CG_EINVAL, c->from, 0, "%s; copy the results once more",
			       wrong.message);
	return CG_OK;
}

static int copy_to_work(const char *directory, const char *from, const char *name,
			const struct work_directory *work, const char *key, struct cg_error *err)
{
	char *to = path_in_results(work->path, name);

	if (!to)
		return cg_fail_nomem(err);
	const struct copying copying = { directory, from, work->root, to };
	int status = copy_entry(&copying, err);
	if (!status)
		status = check_copied_entry(&copying, err);
	if (!status)
		status = cache_complete(to, key, err); /* which keeps no other file */
	if (!status)
		status = copy_counted_before(&copying, err);
	free(to);
	return status;
}

/* The caller's; NULL: out of memory. */
static char *file_of_results(const char *directory, const char *entry, const char *file)
{
	char *path;

	return asprintf(&path, "%s/%s/%s", directory, entry, file) < 0 ? NULL : path;
}

static int copy_cache_entry(const char *directory, const char *name,
			    const struct work_directory *work, struct cg_error *err)
{
	char *text = NULL;
	size_t size;
	if (!is_entry_operand(name))
		return CG_OK;
	char *from = path_in_results(directory, name);
	char *key = file_of_results(directory, name, CACHE_KEY_FILE);
	int status = from && key ? CG_OK : cg_fail_nomem(err);
	if (!status && !path_stays_below(directory, name))
		status = cg_fail(err, CG_EINVAL, from, 0, "is a symbolic link");
	if (!status)
		status = foreign_file_read(key, KEY_BYTES_MAX, &text, &size, err);
	if (!status)
		status = copy_to_work(directory, from, name, work, text, err);
	free(text);
	free(key);
	free(from);
	return status;
}

/* Of a pair that these results measured twice, and earlier ones have as well, whose entry is there.
 * Its key may be another one, as on another processor. */
static int copy_first_counts(const char *directory, const struct results_pair *p,
			     const struct work_directory *work, struct cg_error *err)
{
	const char *head = p->kept->head;

	if (!p->first.nbase || !is_entry_operand(p->head) || !is_entry_operand(head))
		return CG_OK;
	char *from = file_of_results(directory, p->head, CACHE_COUNTED_BEFORE_FILE);
	char *to = file_of_results(work->path, head, CACHE_COUNTED_BEFORE_FILE);
	char *profile = file_of_results(work->path, head, profile_file_names[0]);
	const struct counted_place kept = { directory, from, p->base },
				   wanted = { work->root, to, p->kept->base };
	int status = from && to && profile ? CG_OK : cg_fail_nomem(err);
	if (!status && beneath_is_there(work->root, profile))
		status = counted_before_copy(&kept, &wanted, err);
	free(from);
	free(to);
	free(profile);
	return status;
}

/* Replaces an entry of that name, which may have other counts: the shard was judged by its own. */
static int put_cache_entry(const char *root, const char *name, const struct work_directory *work,
			   struct cg_error *err)
{
	if (!is_entry_operand(name))
		return CG_OK;
	char *from = path_in_results(work->path, name);
	if (!from)
		return cg_fail_nomem(err);
	/* Several pairs may have the same entry, as base or head. */
	int status = beneath_is_there(root, from) ? cache_put(root, name, from, err) : CG_OK;
	if (!status)
		beneath_remove(root, from, NULL); /* what it has replaced */
	free(from);
	return status;
}

static int copy_entries(const struct results *r, const char *path,
			const struct work_directory *work, struct cg_error *err)
{
	char *directory = results_directory(path);
	int status = directory ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < r->npairs; i++) {
		if (r->pairs[i].kept) {
			status = copy_first_counts(directory, &r->pairs[i], work, err);
			continue;
		}
		status = copy_cache_entry(directory, r->pairs[i].base, work, err);
		if (!status)
			status = copy_cache_entry(directory, r->pairs[i].head, work, err);
	}
	free(directory);
	return status;
}

static int put_entries(const struct results *r, const char *root, const struct work_directory *work,
		       struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < r->npairs; i++) {
		status = put_cache_entry(root, r->pairs[i].base, work, err);
		if (!status)
			status = put_cache_entry(root, r->pairs[i].head, work, err);
	}
	return status;
}

int results_take_entries(const struct results *shards, const char *const *paths, size_t count,
			 const char *root, struct cg_error *err)
{
	struct work_directory work = { 0 };
	int status = cache_prepare(root, err);

	if (!status)
		status = store_work_begin(root, &work, err);
	for (size_t i = 0; !status && i < count; i++)
		status = copy_entries(&shards[i], paths[i], &work, err);
	if (!status)
		status = sync_file_system(work.path, err);
	for (size_t i = 0; !status && i < count; i++)
		status = put_entries(&shards[i], root, &work, err);
	store_work_end(&work);
	return status;
}
