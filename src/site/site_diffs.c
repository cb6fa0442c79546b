#include "src/site/site_diffs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/compare/suite.h"
#include "src/diff/environment.h"
#include "src/diff/metric.h"
#include "src/digest/digest.h"
#include "src/json/json.h"
#include "src/record/record_run.h"
#include "src/site/site_steps.h"
#include "src/status/progress.h"
#include "src/store/cache.h"

#define MOST_CAUSES_BYTES ((size_t)1 << 26)

/* ---- stored profiles ---- */

static int compare_site_profiles(const void *left, const void *right)
{
	const struct site_profile *a = left, *b = right;
	int order = strcmp(a->benchmark, b->benchmark);
	return order ? order : strcmp(a->commit, b->commit);
}

static int add_site_profile(struct site_profiles *p, const char *name, struct cg_error *err)
{
	const char *at = strrchr(name, '@') + 1;

	if (cg_grow(&p->items, &p->cap, p->count + 1, sizeof *p->items))
		return cg_fail_nomem(err);
	struct site_profile *s = &p->items[p->count++];
	*s = (struct site_profile){ cache_benchmark(name), strndup(at, strcspn(at, "-")),
				    strdup(name) };
	return s->benchmark && s->commit && s->name ? CG_OK : cg_fail_nomem(err);
}

int site_profiles_list(const char *root, struct site_profiles *out, struct cg_error *err)
{
	struct cache_list list = { 0 };
	int status = cache_list(root, &list, err);

	for (size_t i = 0; !status && i < list.count; i++)
		if (cache_is_of_commit(list.items[i].name))
			status = add_site_profile(out, list.items[i].name, err);
	cache_list_free(&list);
	if (!status && out->count)
		qsort(out->items, out->count, sizeof *out->items, compare_site_profiles);
	return status;
}

void site_profiles_free(struct site_profiles *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->items[i].benchmark);
		free(p->items[i].commit);
		free(p->items[i].name);
	}
	free(p->items);
	*p = (struct site_profiles){ 0 };
}

static bool is_profile_of(const struct site_profile *p, const char *benchmark, const char *commit)
{
	return strcmp(p->benchmark, benchmark) == 0 &&
	       strncmp(p->commit, commit, strlen(p->commit)) == 0;
}

/* The entries of a benchmark and a commit: where they begin, and *count. */
static const struct site_profile *find_site_profiles(const struct site_profiles *p,
						     const char *benchmark, const char *commit,
						     size_t *count)
{
	const struct site_profile wanted = { .benchmark = (char *)benchmark,
					     .commit = (char *)commit };
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_site_profiles(&p->items[middle], &wanted) < 0 &&
		    !is_profile_of(&p->items[middle], benchmark, commit))
			low = middle + 1;
		else
			high = middle;
	}
	*count = 0;
	while (low + *count < p->count && is_profile_of(&p->items[low + *count], benchmark, commit))
		++*count;
	return p->items + low;
}

/* ---- causes that are known ---- */

static char *causes_path(const char *id)
{
	char *path;
	return asprintf(&path, "bench/%s/causes.json", id) < 0 ? NULL : path;
}

int site_causes_read(const struct site_making *m, const char *benchmark, const char *id,
		     struct site_causes *out, struct cg_error *err)
{
	char *path = causes_path(id), *text = NULL;
	size_t size;

	*out = (struct site_causes){ .m = m, .benchmark = benchmark, .id = id };
	int status = path ? own_files_read(m->files, path, MOST_CAUSES_BYTES, &text, &size, err)
			  : cg_fail_nomem(err);
	/* A damaged file only has no causes. */
	if (!status && text && json_read(text, size, path, &out->old, err) == CG_ENOMEM)
		status = CG_ENOMEM;
	free(text);
	free(path);
	return status;
}

int site_causes_write(const struct site_causes *c, struct cg_error *err)
{
	struct json *j = c->count ? json_new() : NULL;

	if (!c->count)
		return CG_OK;
	if (!j)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->count; i++)
		json_text(j, c->items[i].page, c->items[i].cause);
	char *path = causes_path(c->id);
	struct site_file f;
	site_file_begin(&f);
	int status = CG_ENOMEM;
	if (path && f.to)
		status = json_finish(j, f.to);
	else
		json_abandon(j);
	status = site_file_put(c->m, &f, status, path, NULL, err);
	free(path);
	return status;
}

void site_causes_free(struct site_causes *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->items[i].page);
		free(c->items[i].cause);
	}
	free(c->items);
	json_forget(c->old);
}

/* ---- one report ---- */

/* What a step is between. */
struct step_making {
	struct site_causes *c;
	const struct site_series *s;
	const struct series *metric;
	const struct series_point *at;
	char *path;       /* of the report */
	const char *page; /* its last part */
	char *title, *back;
	bool failed; /* a comparison did, so that it is not known what the profiles are */
};

/* The name depends on all that is compared, so that a report is never taken for another one. */
static char *report_path(const struct step_making *t)
{
	char digest[DIGEST_SIZE], *text, *path;

	if (asprintf(&text, "%s %s %s %s %" PRId64 " %" PRId64, t->s->id, t->metric->metric,
		     t->at->previous->commit, t->at->commit, t->at->previous->count,
		     t->at->count) < 0)
		return NULL;
	digest_of_bytes(text, strlen(text), digest);
	free(text);
	return asprintf(&path, "bench/%s/diff-%.20s.html", t->c->id, digest) < 0 ? NULL : path;
}

/* Whether a profile is what the history has of a point. */
static bool is_of_point(const struct step_making *t, const struct cg_profile *p,
			const struct series_point *point)
{
	const char *commit = commit_of_profile(p);
	const char *definition = cg_desc_value(p, SUBJECT_PREFIX "definition");
	char environment[HISTORY_DIGEST];
	struct metric m;

	return commit && strcmp(commit, point->commit) == 0 && definition &&
	       strcmp(definition, t->s->definition) == 0 &&
	       environment_of_profile(p, environment) &&
	       strcmp(environment, t->s->environment) == 0 &&
	       metric_find(p, t->metric->metric, &m) && metric_value(&m, p->total) == point->count;
}

static int write_step_report(const struct step_making *t, const struct suite *suite, char **cause,
			     struct cg_error *err)
{
	const struct diff_report r = comparison_report(&suite->benches[0]->c);
	struct site_file f;

	site_file_begin(&f);
	int status = f.to ? suite_write(suite, &(struct text_style){ .wide = true }, f.to, err)
			  : CG_ENOMEM;
	status = site_file_put(t->c->m, &f, status, t->path, NULL, err);
	if (!status)
		*cause = site_cause(&r);
	return status;
}

/* "parse: 1f2e3d4c5b → 6a7b8c9d0e", and the address of the step on the site. */
static int name_page(struct step_making *t)
{
	enum { SHORT = 10 };

	if (asprintf(&t->title, "%s: %.*s → %.*s", t->c->benchmark, SHORT, t->at->previous->commit,
		     SHORT, t->at->commit) < 0)
		t->title = NULL;
	if (asprintf(&t->back, "../../index.html#b=%s&s=%s&c=%" PRIu64, t->c->id, t->s->id,
		     t->at->number) < 0)
		t->back = NULL;
	return t->title && t->back ? CG_OK : CG_ENOMEM;
}

/* Compares two entries. *made: they are what the history says, and there is a report on them. */
static int report_on(struct step_making *t, const char *base, const char *head, bool *made,
		     char **cause, struct cg_error *err)
{
	/* What is wrong with a profile need not be said each time: there is no report then. */
	struct project quiet = *t->c->m->r->project;
	struct suite_options o = { .format = "html",
				   .color = "never",
				   .title = t->title,
				   .back = t->back,
				   .wide = true,
				   .most_frames = SUITE_FRAMES,
				   .compare = { COMPARISON_DEFAULTS } };
	struct suite suite = { .options = &o };

	quiet.notices = NULL;
	o.compare.metric = t->metric->metric;
	suite_options_complete(&o);
	struct progress *progress = progress_begin(t->c->m->r->project->notices, "comparing",
						   t->c->benchmark);
	int status = suite_add(&suite, base, head, err);
	if (!status)
		status = suite_compare(&suite, &quiet, err);
	if (!status)
		status = suite_settle(&suite, err);
	const struct comparison *c = suite.count ? &suite.benches[0]->c : NULL;
	if (!status && is_of_point(t, c->base.profile, t->at->previous) &&
	    is_of_point(t, c->head.profile, t->at)) {
		status = write_step_report(t, &suite, cause, err);
		*made = !status;
	} else if (status != CG_ENOMEM) {
		t->failed |= status != CG_OK;
		status = CG_OK;
	}
	suite_free(&suite);
	progress_end(progress);
	return status;
}

/* Tries the entries of both commits: they may be of several environments and definitions. */
static int find_report(struct step_making *t, bool *made, char **cause, struct cg_error *err)
{
	const struct site_profiles *p = t->c->m->profiles;
	size_t nbase, nhead;
	const struct site_profile *base = find_site_profiles(p, t->c->benchmark,
							     t->at->previous->commit, &nbase);
	const struct site_profile *head = find_site_profiles(p, t->c->benchmark, t->at->commit,
							     &nhead);
	int status = name_page(t) ? cg_fail_nomem(err) : CG_OK;

	for (size_t i = 0; !status && i < nbase; i++)
		for (size_t k = 0; !status && !*made && k < nhead; k++)
			status = report_on(t, base[i].name, head[k].name, made, cause, err);
	free(t->title);
	free(t->back);
	return status;
}

/* ---- the steps of a series ---- */

static int add_made_diff(struct site_causes *c, const char *page, char *cause, struct cg_error *err)
{
	if (cg_grow(&c->items, &c->cap, c->count + 1, sizeof *c->items)) {
		free(cause);
		return cg_fail_nomem(err);
	}
	c->items[c->count++] = (struct made_diff){ strdup(page), cause };
	return c->items[c->count - 1].page ? CG_OK : cg_fail_nomem(err);
}

/* What is known of a step, as it was written down: of one that has no report any more, the cause
 * stays. *known: there is something to be told. */
static int recall_step(const struct step_making *t, bool wanted, bool *known, struct cg_error *err)
{
	const struct json_value *old = json_member(t->c->old, t->page);
	const bool there = wanted && own_files_keep(t->c->m->files, t->path);
	const char *text = old ? json_text_of(old) : NULL;
	char *cause = NULL;

	*known = text && (there || !wanted);
	if (!*known)
		return CG_OK;
	if (!(cause = strdup(text)))
		return cg_fail_nomem(err);
	return add_made_diff(t->c, t->page, cause, err);
}

/* *known: the step has a report, or had one; *reported: it has one. */
static int make_step_diff(struct step_making *t, bool wanted, bool *known, bool *reported,
			  struct cg_error *err)
{
	char *cause = NULL;
	int status = recall_step(t, wanted, known, err);

	*reported = wanted && *known;
	if (status || *known || !wanted)
		return status;
	status = find_report(t, reported, &cause, err);
	/* A killed irdiff has written the report, but not its cause; its profiles may be gone. */
	*reported |= own_files_keep(t->c->m->files, t->path);
	*known = *reported;
	if (!status && *reported)
		return add_made_diff(t->c, t->page, cause, err);
	free(cause);
	return status ? status : recall_step(t, false, known, err);
}

static const char *why_missing(const struct step_making *t)
{
	return t->failed ? "its profiles cannot be compared" : "its profiles were not kept";
}

static int add_step_diff(struct site_causes *c, const struct site_series *s,
			 const struct series *metric, const struct series_point *at, bool wanted,
			 struct site_diff *out, size_t *count, struct cg_error *err)
{
	struct step_making t = { .c = c, .s = s, .metric = metric, .at = at };
	bool known = false, reported = false;

	if (!(t.path = report_path(&t)))
		return cg_fail_nomem(err);
	t.page = strrchr(t.path, '/') + 1;
	int status = make_step_diff(&t, wanted, &known, &reported, err);
	if (!status && (known || wanted)) {
		const struct made_diff *made = known ? &c->items[c->count - 1] : NULL;
		out[(*count)++] = (struct site_diff){
			.number = at->number,
			.page = reported ? made->page : NULL,
			.cause = known ? made->cause : NULL,
			.missing = wanted && !reported ? why_missing(&t) : NULL,
		};
	}
	free(t.path);
	return status;
}

int site_diffs_make(struct site_causes *c, const struct site_series *s, const struct series *metric,
		    struct site_diff *out, size_t *count, struct cg_error *err)
{
	bool *wanted = calloc(metric->count + 1, sizeof *wanted);
	int status = wanted ? site_choose_steps(metric, c->m->r->reports, wanted, err)
			    : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < metric->count; i++)
		if (metric->points[i].step != STEP_NONE)
			status = add_step_diff(c, s, metric, &metric->points[i], wanted[i], out,
					       count, err);
	free(wanted);
	return status;
}
