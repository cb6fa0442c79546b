#include "src/record/record_run.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/reader.h"
#include "src/diff/environment.h"
#include "src/git/refs.h"
#include "src/status/notice.h"
#include "src/store/cache.h"
#include "src/store/history.h"
#include "src/text/text.h"

#define CREATOR_PREFIX "irdiff-"

enum { MOST_SUBJECT = 500 };

static int copy_fact(const char *text, char **out, struct cg_error *err)
{
	*out = strdup(text ? text : "");
	return *out ? CG_OK : cg_fail_nomem(err);
}

static int compare_facts_by_key(const void *left, const void *right)
{
	const struct history_pair *a = left, *b = right;
	return strcmp(a->key, b->key);
}

static int take_environment_facts(const struct cg_profile *p, struct history_run *r,
				  struct cg_error *err)
{
	size_t prefix = strlen(ENVIRONMENT_PREFIX), cap = 0;
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < p->ndescs; i++) {
		const char *key = cg_string(p, p->descs[i].key);
		if (strncmp(key, ENVIRONMENT_PREFIX, prefix) != 0)
			continue;
		if (cg_grow(&r->environment, &cap, r->nenvironment + 1, sizeof *r->environment))
			return cg_fail_nomem(err);
		struct history_pair *f = &r->environment[r->nenvironment++];
		*f = (struct history_pair){ 0 };
		status = copy_fact(key + prefix, &f->key, err);
		if (!status)
			status = copy_fact(cg_string(p, p->descs[i].value), &f->value, err);
	}
	if (!status && r->nenvironment)
		qsort(r->environment, r->nenvironment, sizeof *r->environment,
		      compare_facts_by_key);
	return status;
}

bool environment_of_profile(const struct cg_profile *p, char digest[HISTORY_DIGEST])
{
	struct history_run r = { 0 };
	bool known = !take_environment_facts(p, &r, NULL) && r.nenvironment;

	if (known)
		history_run_digest(&r, digest);
	history_run_free(&r);
	return known;
}

static int compare_counts_by_metric(const void *left, const void *right)
{
	const struct history_count *a = left, *b = right;
	return strcmp(a->metric, b->metric);
}

static int take_totals(const struct cg_profile *p, struct history_run *r, struct cg_error *err)
{
	int status = CG_OK;

	r->counts = calloc((size_t)p->nevents + 1, sizeof *r->counts);
	if (!r->counts)
		return cg_fail_nomem(err);
	for (uint32_t e = 0; !status && e < p->nevents; e++) {
		struct history_count *c = &r->counts[r->ncounts++];
		c->count = p->total[e];
		status = copy_fact(cg_string(p, p->events[e].name), &c->metric, err);
	}
	if (!status)
		qsort(r->counts, r->ncounts, sizeof *r->counts, compare_counts_by_metric);
	return status;
}

/* The subject is not trusted: control characters are escaped, and it is cut. */
static int take_subject(const char *subject, struct history_run *r, struct cg_error *err)
{
	r->subject = text_safe(subject ? subject : "");
	if (!r->subject)
		return cg_fail_nomem(err);
	if (strlen(r->subject) > MOST_SUBJECT) {
		size_t end = MOST_SUBJECT;
		while (end && ((unsigned char)r->subject[end] & 0xc0) == 0x80)
			end--;
		r->subject[end] = '\0';
	}
	return CG_OK;
}

/* What git says of a commit: it is asked once for all rows of the commit that follow each other. */
struct known_commit {
	struct git_commit commit;
	char *tree;
};

static void forget_commit(struct known_commit *known)
{
	git_commit_free(&known->commit);
	free(known->tree);
	*known = (struct known_commit){ 0 };
}

static int ask_of_commit(const char *root, const char *id, struct known_commit *out,
			 struct cg_error *err)
{
	struct git *git = NULL;
	int status = git_open(root, NULL, &git, err);

	forget_commit(out);
	if (!status)
		status = git_describe_commit(git, id, &out->commit, err);
	if (!status)
		status = git_tree_of(git, id, &out->tree, err);
	git_close(git);
	if (status)
		forget_commit(out);
	return status;
}

static int take_commit(const char *root, const char *id, struct known_commit *known,
		       struct history_run *r, struct cg_error *err)
{
	int status = known->tree && strcmp(known->commit.id, id) == 0
			     ? CG_OK
			     : ask_of_commit(root, id, known, err);

	if (!status)
		status = copy_fact(known->tree, &r->tree, err);
	if (!status)
		status = copy_fact(id, &r->commit, err);
	if (!status)
		status = take_subject(known->commit.subject, r, err);
	r->committed = known->commit.committed;
	return status;
}

const char *commit_of_profile(const struct cg_profile *p)
{
	const char *dirty = cg_desc_value(p, SUBJECT_PREFIX "dirty");
	return dirty && strcmp(dirty, "no") == 0 ? cg_desc_value(p, SUBJECT_PREFIX "commit") : NULL;
}

/* `commit` has the files that were measured; NULL: no commit has. */
static int run_of_commit(const char *root, const struct cg_profile *p, const char *commit,
			 int64_t measured, struct known_commit *known, struct history_run *out,
			 bool *found, struct cg_error *err)
{
	const char *benchmark = cg_desc_value(p, SUBJECT_PREFIX "benchmark");
	const char *creator = cg_string(p, p->creator);
	const char *definition = cg_desc_value(p, SUBJECT_PREFIX "definition");
	struct history_run r = { .measured = measured };
	bool ours = strncmp(creator, CREATOR_PREFIX, strlen(CREATOR_PREFIX)) == 0;

	*found = ours && benchmark && definition && commit && git_is_id(commit);
	if (!*found)
		return CG_OK;
	int status = copy_fact(benchmark, &r.benchmark, err);
	if (!status)
		status = copy_fact(definition, &r.definition, err);
	if (!status)
		status = copy_fact(creator + strlen(CREATOR_PREFIX), &r.irdiff, err);
	if (!status)
		status = copy_fact(cg_desc_value(p, ENVIRONMENT_PREFIX "valgrind"), &r.valgrind,
				   err);
	if (!status)
		status = take_environment_facts(p, &r, err);
	if (!status)
		status = take_totals(p, &r, err);
	if (!status)
		status = take_commit(root, commit, known, &r, err);
	if (status)
		history_run_free(&r);
	else
		*out = r;
	return status;
}

/* A row for a profile that irdiff has measured, with git's data on its commit. `measured` is the
 * time, in seconds since 1970. *found is false, and no row is made, if it does not belong in a
 * history: not from a benchmark defined in irdiff.yml, not from a commit, or from a work tree
 * with changes. Free with history_run_free. */
static int run_of_profile(const char *root, const struct cg_profile *p, int64_t measured,
			  struct history_run *out, bool *found, struct cg_error *err)
{
	struct known_commit known = { 0 };
	int status = run_of_commit(root, p, commit_of_profile(p), measured, &known, out, found,
				   err);

	forget_commit(&known);
	return status;
}

static void warn_about_change(const struct notices *n, const struct history_run *r,
			      const struct history_added *added, bool kept)
{
	char before[TEXT_NUMBER], now[TEXT_NUMBER];
	char *metric = text_safe(added->metric), *benchmark = text_safe(r->benchmark);

	notice_warning(
		n,
		"%s of %s is %s, but was %s%s at the same commit, %.*s, in the same environment: the "
		"benchmark is not deterministic (try 'irdiff verify'), or its builds differ, as where "
		"one is stale or has the path of another directory in it; the history %s",
		metric ? metric : "a count", benchmark ? benchmark : "a benchmark",
		text_cost(added->now, now), text_cost(added->before, before),
		kept ? " in irdiff's own build" : "", GIT_ID_SHORT, r->commit,
		kept ? "keeps that count" : "has the new count now");
	free(metric);
	free(benchmark);
}

static void warn_about_failure(const struct notices *n, const struct cg_error *err)
{
	char *file = text_safe(err->file), *message = text_safe(err->message);

	notice_warning(n, "this run was not added to the history: %s%s%s", file ? file : "",
		       err->file[0] ? ": " : "", message ? message : "");
	free(file);
	free(message);
}

/* Whether a row is of a build that irdiff made of the commit: the cache has the measurement. */
static bool is_of_own_build(const char *root, const struct history_run *r, int64_t measured)
{
	struct path_list names = { 0 };
	struct cg_error err;
	bool found = false;

	if (cache_names_read(root, &names, &err))
		return false;
	for (size_t i = 0; !found && i < names.count; i++) {
		const char *name = names.paths[i], *commit = strrchr(name, '@');
		char *benchmark = cache_is_of_commit(name) ? cache_benchmark(name) : NULL;
		found = benchmark && commit && strcmp(benchmark, r->benchmark) == 0 &&
			strncmp(commit + 1, r->commit, GIT_ID_SHORT) == 0 &&
			cache_measured(root, name) == measured;
		free(benchmark);
	}
	path_list_free(&names);
	return found;
}

/* Where a measurement comes from, which decides what a row that has other counts means. */
enum origin {
	OF_COMMIT,      /* irdiff built the commit */
	OF_REPEAT,      /* the same, as counts may differ by chance */
	OF_WORK_TREE,   /* whoever built it, it may be of another commit */
	OF_OTHER_BUILD, /* the same, and irdiff would build it otherwise */
};

static bool is_not_for_history(const char *root, const struct history_run *run, enum origin origin,
			       const struct history_added *added)
{
	return origin == OF_OTHER_BUILD || (origin == OF_WORK_TREE && added->metric &&
					    is_of_own_build(root, run, added->measured));
}

/* Adds the row. *kept: not, as it would replace a better one or does not belong there. */
static int add_or_keep(struct history *h, const char *root, const struct history_run *run,
		       enum origin origin, struct history_added *added, bool *kept,
		       struct cg_error *err)
{
	int status = history_begin(h, err);

	if (status)
		return status;
	status = history_put(h, run, added, err);
	*kept = !status && is_not_for_history(root, run, origin, added);
	status = history_end(h, *kept ? CG_EINVAL : status, err);
	return *kept ? CG_OK : status;
}

static void record_measured(const struct notices *n, const char *root, const struct cg_profile *p,
			    int64_t measured, enum origin origin)
{
	struct history_run run = { 0 };
	struct history_added added = { 0 };
	struct history *h = NULL;
	struct cg_error err = { 0 };
	bool found, kept = false;
	int status = run_of_profile(root, p, measured, &run, &found, &err);

	if (!status && found)
		status = history_open_to_write(root, &h, &err);
	if (!status && found)
		status = add_or_keep(h, root, &run, origin, &added, &kept, &err);
	if (status)
		warn_about_failure(n, &err);
	else if (added.metric && origin != OF_REPEAT)
		warn_about_change(n, &run, &added, kept);
	history_close(h);
	free(added.metric);
	history_run_free(&run);
}

void record_run(const struct notices *n, const char *root, const struct cg_profile *p,
		int64_t measured)
{
	record_measured(n, root, p, measured, OF_COMMIT);
}

void record_repeat(const struct notices *n, const char *root, const struct cg_profile *p,
		   int64_t measured)
{
	record_measured(n, root, p, measured, OF_REPEAT);
}

void record_work_tree(const struct notices *n, const char *root, const struct cg_profile *p,
		      int64_t measured, bool builds)
{
	record_measured(n, root, p, measured, builds ? OF_OTHER_BUILD : OF_WORK_TREE);
}

/* ---- what was measured before ---- */

/* Reads totals only, no costs of functions. */
static int read_measured_entry(const char *root, const char *entry, struct cg_profile **out,
			       struct cg_error *err)
{
	const struct cg_read_options options = { 0 };
	struct profile_paths files = { 0 };
	char *directory = cache_path(root, entry);
	int status = directory ? work_paths_of(directory, &files, err) : cg_fail_nomem(err);

	if (!status)
		status = cg_read_file(files.callgrind, &options, out, err);
	profile_paths_free(&files);
	free(directory);
	return status;
}

static void free_found_entry(struct found_entry *f)
{
	free(f->entry);
	free(f->benchmark);
	free(f->commit);
}

int record_later(struct found_entries *list, const char *entry, const char *definition,
		 const char *commit, bool elsewhere)
{
	if (cg_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
		return CG_ENOMEM;
	struct found_entry *f = &list->items[list->count];
	*f = (struct found_entry){ .entry = strdup(entry),
				   .benchmark = cache_benchmark(entry),
				   .commit = strdup(commit),
				   .elsewhere = elsewhere };
	snprintf(f->definition, sizeof f->definition, "%s", definition);
	if (f->entry && f->benchmark && f->commit) {
		list->count++;
		return CG_OK;
	}
	free_found_entry(f);
	return CG_ENOMEM;
}

/* The rows of one batch. They are made before any is added: another irdiff waits only so long until
 * it may write to the history, and the profiles may be many and large. */
struct recording {
	const struct notices *notices;
	const char *root;
	struct history *history;
	struct known_commit known;
	struct history_run *rows;
	size_t count, cap;
};

/* `elsewhere`: it was measured at another commit, or with changes. */
static int make_row(struct recording *r, const struct found_entry *f, int64_t measured,
		    struct history_run *out, bool *found, struct cg_error *err)
{
	struct cg_profile *p = NULL;
	int status = read_measured_entry(r->root, f->entry, &p, err);

	*found = false;
	if (!status)
		status = run_of_commit(r->root, p, f->elsewhere ? f->commit : commit_of_profile(p),
				       measured, &r->known, out, found, err);
	cg_profile_free(p);
	return status;
}

/* The profile, which records where it was measured, is read only if the row has another
 * measurement. If it cannot be read, the rows of others are added all the same. */
static int make_missing_row(struct recording *r, const struct found_entry *f, struct cg_error *err)
{
	const struct history_run known = {
		.benchmark = f->benchmark,
		.definition = (char *)f->definition,
		.commit = f->commit,
		.measured = cache_measured(r->root, f->entry),
	};
	struct history_run run = { 0 };
	bool has = false, found = false;
	int status = history_has_measured(r->history, &known, &has, err);

	if (status || has)
		return status;
	if (cg_grow(&r->rows, &r->cap, r->count + 1, sizeof *r->rows))
		return cg_fail_nomem(err);
	if (make_row(r, f, known.measured, &run, &found, err))
		warn_about_failure(r->notices, err);
	if (found)
		status = history_has(r->history, &run, &has, err);
	if (!status && found && !has)
		r->rows[r->count++] = run;
	else
		history_run_free(&run);
	return status;
}

static int add_rows(const struct recording *r, struct cg_error *err)
{
	size_t changed;

	return r->count ? history_add_all(r->history, r->rows, r->count, &changed, err) : CG_OK;
}

static void free_found_entries(struct found_entries *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_found_entry(&list->items[i]);
	free(list->items);
	*list = (struct found_entries){ 0 };
}

void record_found(const struct notices *n, const char *root, struct found_entries *list)
{
	struct recording r = { .notices = n, .root = root };
	struct cg_error err = { 0 };
	int status = list->count ? history_open_to_write(root, &r.history, &err) : CG_OK;

	for (size_t i = 0; !status && i < list->count; i++)
		status = make_missing_row(&r, &list->items[i], &err);
	if (!status)
		status = add_rows(&r, &err);
	if (status)
		warn_about_failure(n, &err);
	for (size_t i = 0; i < r.count; i++)
		history_run_free(&r.rows[i]);
	free(r.rows);
	forget_commit(&r.known);
	history_close(r.history);
	free_found_entries(list);
}
