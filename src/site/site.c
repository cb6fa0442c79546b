#include "src/site/site.h"

#include <stdlib.h>
#include <string.h>

#include "src/digest/digest.h"
#include "src/record/known_metrics.h"
#include "src/site/site_diffs.h"
#include "src/site/site_making.h"
#include "src/store/files.h"

/* ---- files ---- */

void site_file_begin(struct site_file *f)
{
	*f = (struct site_file){ 0 };
	f->to = open_memstream(&f->bytes, &f->size);
}

/* What a file is asked for by, so that an old one in a cache is not taken for it. */
static void site_version(const char *bytes, size_t size, char version[SITE_VERSION_SIZE])
{
	char digest[DIGEST_SIZE];

	digest_of_bytes(bytes, size, digest);
	memcpy(version, digest, SITE_VERSION_SIZE - 1);
	version[SITE_VERSION_SIZE - 1] = '\0';
}

static int put_site_file(const struct site_making *m, const char *path, const char *bytes,
			 size_t size, char version[SITE_VERSION_SIZE], struct cg_error *err)
{
	if (version)
		site_version(bytes, size, version);
	return own_files_put(m->files, path, bytes, size, err);
}

int site_file_put(const struct site_making *m, struct site_file *f, int status, const char *path,
		  char version[SITE_VERSION_SIZE], struct cg_error *err)
{
	bool failed = !f->to || fclose(f->to) != 0 || status;

	status = failed ? cg_fail_nomem(err)
			: put_site_file(m, path, f->bytes, f->size, version, err);
	free(f->bytes);
	*f = (struct site_file){ 0 };
	return status;
}

/* ---- what git knows ---- */

const char *site_author(const struct site_making *m, const char *commit)
{
	return git_log_find(&m->authors, commit);
}

static int name_authors(struct site_making *m, struct cg_error *err)
{
	const char **ids = calloc(m->ncommits + 1, sizeof *ids);

	if (!ids)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < m->ncommits; i++)
		ids[i] = m->commits[i].id;
	int status = git_log_authors(m->r->git, ids, m->ncommits, &m->authors, err);
	for (size_t i = 0; !status && i < m->ncommits; i++)
		m->commits[i].author = site_author(m, m->commits[i].id);
	free(ids);
	return status;
}

static int compare_tags(const void *left, const void *right)
{
	const struct site_tag *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* The newest tags within what was measured. */
static void choose_since(struct site_making *m)
{
	const uint64_t first = m->commits[0].number, last = m->commits[m->ncommits - 1].number;
	size_t from = 0, to = m->ntags;

	while (from < to && m->tags[from].number < first)
		from++;
	while (to > from && m->tags[to - 1].number > last)
		to--;
	if (to - from > SITE_SINCE)
		from = to - SITE_SINCE;
	for (; from < to; from++)
		m->since[m->nsince++] = from;
}

static bool is_since_known(const struct site_making *m, size_t k)
{
	bool known = false;

	for (size_t i = 0; i < m->nbenches; i++)
		known |= m->benches[i].since[k].known;
	return known;
}

/* Once all benchmarks have been made: of these tags, only those of which one can tell. */
static void keep_known_since(struct site_making *m)
{
	size_t kept = 0;

	for (size_t k = 0; k < m->nsince; k++) {
		if (!is_since_known(m, k))
			continue;
		m->since[kept] = m->since[k];
		for (size_t i = 0; i < m->nbenches; i++)
			m->benches[i].since[kept] = m->benches[i].since[k];
		kept++;
	}
	m->nsince = kept;
}

/* Other tags are of commits that have no place on the branch. */
static int place_tags(struct site_making *m, struct cg_error *err)
{
	m->tags = calloc(m->tag_names.count + 1, sizeof *m->tags);
	if (!m->tags)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < m->tag_names.count; i++) {
		const struct git_log_entry *e = &m->tag_names.items[i];
		const struct place_of_commit *at = branch_find(m->r->placed->branch, e->id);
		if (at && at->place == PLACE_BRANCH)
			m->tags[m->ntags++] = (struct site_tag){ e->text, at->number };
	}
	if (m->ntags)
		qsort(m->tags, m->ntags, sizeof *m->tags, compare_tags);
	choose_since(m);
	return CG_OK;
}

static int ask_git_of_site(struct site_making *m, struct cg_error *err)
{
	int status = CG_OK;

	if (m->r->placed->branch->known) {
		status = name_authors(m, err);
		if (!status)
			status = git_log_tags(m->r->git, &m->tag_names, err);
	}
	return status ? status : place_tags(m, err);
}

/* ---- commits ---- */

static int compare_site_commits(const void *left, const void *right)
{
	const struct site_commit *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

static int list_site_commits(struct site_making *m, struct cg_error *err)
{
	const struct placed_book *placed = m->r->placed;
	const struct history_book *book = placed->book;

	m->commits = calloc(book->ncommits + 1, sizeof *m->commits);
	m->pieces = calloc(book->ncommits + 1, sizeof *m->pieces);
	if (!m->commits || !m->pieces)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < book->ncommits; i++) {
		const struct history_commit *c = &book->commits[i];
		if (placed->places[i].place != PLACE_BRANCH)
			continue;
		m->commits[m->ncommits++] = (struct site_commit){
			c->id, c->subject, NULL, c->committed,
			placed->branch->known ? placed->places[i].number : i
		};
	}
	if (m->ncommits)
		qsort(m->commits, m->ncommits, sizeof *m->commits, compare_site_commits);
	return CG_OK;
}

/* One chunk: how many of the commits from the first on belong to it. */
static size_t count_chunk(const struct site_commit *commits, size_t count)
{
	size_t n = 0;

	while (n < count && commits[n].number / SITE_CHUNK == commits[0].number / SITE_CHUNK)
		n++;
	return n;
}

static int write_site_commits(struct site_making *m, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0, n; !status && i < m->ncommits; i += n) {
		struct site_piece *piece = &m->pieces[m->npieces++];
		char name[64], path[80];
		n = count_chunk(&m->commits[i], m->ncommits - i);
		piece->chunk = m->commits[i].number / SITE_CHUNK;
		snprintf(name, sizeof name, "commits/%llu", (unsigned long long)piece->chunk);
		snprintf(path, sizeof path, "%s.js", name);
		struct site_file f;
		site_file_begin(&f);
		status = f.to ? site_commits_script(&m->commits[i], n, name, f.to) : CG_ENOMEM;
		status = site_file_put(m, &f, status, path, piece->version, err);
	}
	return status;
}

/* ---- benchmarks ---- */

/* How many of the series, of which there is at least one, are of the benchmark of the first. */
static size_t count_of_bench(const struct history_series *series, size_t count)
{
	size_t n = 1;

	while (n < count && strcmp(series[n].benchmark, series->benchmark) == 0)
		n++;
	return n;
}

/* A benchmark without the metric that was asked for shows another one, but not all of them. */
static int check_site_metric(const struct site_making *m, struct cg_error *err)
{
	const struct history_book *book = m->r->placed->book;
	bool has = !m->r->metric;
	int status = CG_OK;

	for (size_t i = 0, n; !status && !has && i < book->nseries; i += n) {
		n = count_of_bench(&book->series[i], book->nseries - i);
		status = site_find_metric(m->r, &book->series[i], n, &has, err);
	}
	if (status || has)
		return status;
	char *known = known_metrics(book, NULL, 0, m->r->metric, "; they have:");
	status = known ? cg_fail(err, CG_EINVAL, NULL, 0,
				 "all benchmarks were measured without '%s'%s", m->r->metric, known)
		       : cg_fail_nomem(err);
	free(known);
	return status;
}

/* Before anything is written: what is there stays as it is if the request is wrong. */
static int check_site_request(const struct site_making *m, struct cg_error *err)
{
	if (!m->ncommits)
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"no benchmark has been measured at a commit of this branch; commit all "
			"changes and run 'irdiff profile BENCH'");
	return check_site_metric(m, err);
}

static int write_site_benches(struct site_making *m, struct cg_error *err)
{
	const struct history_book *book = m->r->placed->book;
	int status = CG_OK;

	m->benches = calloc(book->nseries + 1, sizeof *m->benches);
	if (!m->benches)
		return cg_fail_nomem(err);
	for (size_t i = 0, n; !status && i < book->nseries; i += n) {
		struct made_bench *b = &m->benches[m->nbenches];
		n = count_of_bench(&book->series[i], book->nseries - i);
		status = site_make_bench(m, &book->series[i], n, b, err);
		m->nbenches += !status && b->id;
	}
	return status;
}

/* ---- the page ---- */

/* "main"; the caller's, NULL: it is not known. Jobs of GitLab have a commit checked out, not the
 * branch. */
static char *branch_name(const struct git *git)
{
	static const char *const args[] = { "symbolic-ref", "--quiet", "--short", "HEAD", NULL };
	const struct git_call call = { .args = args, .quiet = true };
	const char *of_job = getenv("CI_COMMIT_BRANCH");
	char *name = NULL;

	if (!git)
		return NULL;
	if (git_run(git, &call, &name, NULL, NULL))
		return of_job && *of_job ? strdup(of_job) : NULL;
	name[strcspn(name, "\n")] = '\0';
	return name;
}

/* Without what to do, which is for who writes the site and may name paths. *out is the caller's;
 * NULL: commits are in the order of the branch. */
static int why_by_time(const struct branch *b, char **out, struct cg_error *err)
{
	*out = b->known ? NULL : strndup(b->why.message, strcspn(b->why.message, ";"));
	return b->known || *out ? CG_OK : cg_fail_nomem(err);
}

static const char *project_name(const struct site_making *m)
{
	const char *root = m->r->project->root, *slash = strrchr(root, '/');
	if (m->r->title && *m->r->title)
		return m->r->title;
	return slash && slash[1] ? slash + 1 : root;
}

static int write_project_badge(const struct site_making *m, const struct site_index *index,
			       struct cg_error *err)
{
	struct site_file f;
	site_file_begin(&f);
	int status = f.to ? site_project_badge(index, f.to) : CG_ENOMEM;

	return site_file_put(m, &f, status, "badge.svg", NULL, err);
}

static int write_site_page(const struct site_making *m, const char *index_version,
			   struct cg_error *err)
{
	struct site_versions v;
	int status = put_site_file(m, "site.css", site_style, site_style_size, v.style, err);

	memcpy(v.index, index_version, sizeof v.index);
	if (!status)
		status = put_site_file(m, "site.js", site_script, site_script_size, v.script, err);
	if (status)
		return status;
	struct site_file f;
	site_file_begin(&f);
	if (f.to)
		site_page(project_name(m), &v, f.to);
	return site_file_put(m, &f, CG_OK, "index.html", NULL, err);
}

/* The youngest commit at which the shown series of a benchmark was measured. */
static const struct site_commit *newest_commit(const struct site_making *m)
{
	uint64_t number = 0;
	size_t i = m->ncommits;

	for (size_t k = 0; k < m->nbenches; k++)
		if (m->benches[k].last.number > number)
			number = m->benches[k].last.number;
	while (i > 1 && m->commits[i - 1].number > number)
		i--;
	return &m->commits[i - 1];
}

/* The index and the page come last: what they lead to is there. */
static int write_site_index(struct site_making *m, struct cg_error *err)
{
	char *branch = branch_name(m->r->git), *by_time = NULL;
	char version[SITE_VERSION_SIZE];
	struct site_summary *summaries = calloc(m->nbenches + 1, sizeof *summaries);

	int status = why_by_time(m->r->placed->branch, &by_time, err);

	keep_known_since(m);
	for (size_t i = 0; summaries && i < m->nbenches; i++)
		summaries[i] = m->benches[i].summary;
	const struct site_index index = {
		.generator = CREATOR,
		.project = project_name(m),
		.branch = branch,
		.by_time = by_time,
		.newest = newest_commit(m),
		.tags = m->tags,
		.ntags = m->ntags,
		.since = m->since,
		.nsince = m->nsince,
		.commits = { m->pieces, m->npieces },
		.benches = summaries,
		.count = m->nbenches,
	};
	struct site_file f;
	site_file_begin(&f);
	if (!status)
		status = f.to && summaries ? site_index_script(&index, "data", f.to) : CG_ENOMEM;
	status = site_file_put(m, &f, status, "data.js", version, err);
	if (!status)
		status = write_project_badge(m, &index, err);
	if (!status)
		status = write_site_page(m, version, err);
	free(summaries);
	free(by_time);
	free(branch);
	return status;
}

/* ---- all of it ---- */

/* Files that every site has are not of others: before anything is written beside them. */
static int check_site_directory(struct own_files *files, struct cg_error *err)
{
	static const char *const names[] = { "index.html", "site.css", "site.js", "data.js",
					     "badge.svg" };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++)
		status = own_files_check(files, names[i], err);
	return status;
}

int site_open(const char *directory, struct own_files **out, struct cg_error *err)
{
	struct own_files *files = NULL;
	int status;

	if ((status = make_directories(directory, err)) ||
	    (status = own_files_open(directory, &files, err)))
		return status;
	if ((status = check_site_directory(files, err)))
		own_files_close(files);
	else
		*out = files;
	return status;
}

static void free_making(struct site_making *m)
{
	for (size_t i = 0; i < m->nbenches; i++)
		site_free_bench(&m->benches[i]);
	free(m->benches);
	free(m->pieces);
	free(m->commits);
	free(m->tags);
	git_log_free(&m->tag_names);
	git_log_free(&m->authors);
}

int site_write(const struct site_request *r, struct own_files_counts *counts, struct cg_error *err)
{
	struct site_profiles profiles = { 0 };
	struct site_making m = { .r = r, .files = r->files, .profiles = &profiles };
	int status;

	if ((status = site_profiles_list(r->project->root, &profiles, err)) ||
	    (status = list_site_commits(&m, err)) || (status = check_site_request(&m, err)) ||
	    (status = ask_git_of_site(&m, err)) || (status = write_site_commits(&m, err)) ||
	    (status = write_site_benches(&m, err)) || (status = write_site_index(&m, err)))
		goto done;
	status = own_files_finish(m.files, counts, err);
done:
	site_profiles_free(&profiles);
	free_making(&m);
	return status;
}
