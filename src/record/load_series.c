#include "src/record/load_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/environment.h"
#include "src/diff/metric.h"
#include "src/git/git.h"
#include "src/git/refs.h"
#include "src/record/branch.h"
#include "src/record/record_run.h"
#include "src/status/notice.h"
#include "src/text/text.h"

/* ---- which definition, and which environment ---- */

static int take_digests(struct loaded_series *l, struct cg_error *err)
{
	l->digests = calloc(l->rows.count + 1, sizeof *l->digests);
	if (!l->digests)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < l->rows.count; i++)
		history_run_digest(&l->rows.items[i], l->digests[i]);
	return CG_OK;
}

static bool digest_begins(const char *digest, const char *begin)
{
	return !begin || strncmp(digest, begin, strlen(begin)) == 0;
}

static int several(const struct loaded_series *l, const char *what, const char *begin,
		   struct cg_error *err)
{
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "several %ss of %s begin with '%s'; give more digits", what,
		       l->rows.items->benchmark, begin);
}

/* Chooses the definition of the row measured last, among those that begin so; the present one comes
 * first. With an environment, only its rows count. */
static int choose_definition(struct loaded_series *l, const struct series_options *o,
			     struct cg_error *err)
{
	const struct history_run *rows = l->rows.items, *best = NULL;
	const char *begin = o->definition;

	for (size_t i = 0; i < l->rows.count; i++) {
		if (!digest_begins(rows[i].definition, begin) ||
		    !digest_begins(l->digests[i], o->environment))
			continue;
		if (best && begin && strcmp(best->definition, rows[i].definition) != 0)
			return several(l, "definition", begin, err);
		bool wanted = o->present && strcmp(rows[i].definition, o->present) == 0;
		bool had = best && o->present && strcmp(best->definition, o->present) == 0;
		if (!best || (wanted && !had) ||
		    (wanted == had && rows[i].measured >= best->measured))
			best = &rows[i];
	}
	if (!best && begin)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no measurement with the definition '%s'%s; the latest is %s",
			       rows->benchmark, begin, o->environment ? " in this environment" : "",
			       rows[l->rows.count - 1].definition);
	if (!best)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no measurement in the environment '%s'; the latest is in %s",
			       rows->benchmark, o->environment, l->digests[l->rows.count - 1]);
	snprintf(l->definition, sizeof l->definition, "%s", best->definition);
	return CG_OK;
}

static bool is_defined_so(const struct loaded_series *l, size_t row)
{
	return strcmp(l->rows.items[row].definition, l->definition) == 0;
}

/* At least one row of the definition is of an environment that begins so. */
static int choose_environment(struct loaded_series *l, const char *begin, struct cg_error *err)
{
	const struct history_run *rows = l->rows.items, *best = NULL;

	for (size_t i = 0; i < l->rows.count; i++) {
		if (!is_defined_so(l, i) || !digest_begins(l->digests[i], begin))
			continue;
		if (best && begin && strcmp(l->digests[i], l->digest) != 0)
			return several(l, "environment", begin, err);
		if (!best || rows[i].measured >= best->measured) {
			best = &rows[i];
			memcpy(l->digest, l->digests[i], sizeof l->digest);
		}
	}
	return CG_OK;
}

static bool is_row_chosen(const struct loaded_series *l, size_t row)
{
	return is_defined_so(l, row) && strcmp(l->digests[row], l->digest) == 0;
}

static int compare_digests(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Each once; returns how many stay. */
static size_t unite_digests(const char **digests, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(digests, count, sizeof *digests, compare_digests);
	for (size_t i = 0; i < count; i++)
		if (!kept || strcmp(digests[kept - 1], digests[i]) != 0)
			digests[kept++] = digests[i];
	return kept;
}

/* The other definitions, and the other environments of this one. */
static int list_others(struct loaded_series *l, struct cg_error *err)
{
	struct series *s = &l->series;

	l->others = calloc(l->rows.count + 1, sizeof *l->others);
	l->definitions = calloc(l->rows.count + 1, sizeof *l->definitions);
	if (!l->others || !l->definitions)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < l->rows.count; i++) {
		if (!is_defined_so(l, i))
			l->definitions[s->redefined++] = l->rows.items[i].definition;
		else if (!is_row_chosen(l, i))
			l->others[s->elsewhere++] = l->digests[i];
	}
	s->others = l->others;
	s->nothers = unite_digests(l->others, s->elsewhere);
	s->definitions = l->definitions;
	s->ndefinitions = unite_digests(l->definitions, s->redefined);
	return CG_OK;
}

/* ---- which metric ---- */

static int event_of_run(const void *run, const char *name)
{
	const struct history_run *r = run;
	for (size_t i = 0; i < r->ncounts; i++)
		if (strcmp(r->counts[i].metric, name) == 0)
			return (int)i;
	return -1;
}

static bool value_of_run(const struct history_run *r, const char *name, int64_t *value)
{
	int64_t costs[HISTORY_MOST_COUNTS];
	struct metric m;

	if (!metric_find_among(r, event_of_run, name, &m))
		return false;
	for (size_t i = 0; i < r->ncounts; i++)
		costs[i] = r->counts[i].count;
	*value = metric_value(&m, costs);
	return true;
}

static const char *default_metric_of(const struct history_run *r)
{
	return history_run_count(r, "Ir") ? "Ir" : r->counts[0].metric;
}

/* ---- points ---- */

struct series_loading {
	struct loaded_series *l;
	const struct branch *branch;
	const struct series_options *o;
	struct spot {
		const struct history_run *run;
		int64_t count;
		enum series_place place;
		size_t number; /* on the branch */
	} * spots;
	size_t count;
};

static int compare_on_branch(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->run->committed != b->run->committed)
		return a->run->committed < b->run->committed ? -1 : 1;
	return strcmp(a->run->commit, b->run->commit);
}

/* Those of the branch in its order, then the others by time. */
static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	bool on = a->place == PLACE_BRANCH, other_on = b->place == PLACE_BRANCH;
	if (on != other_on)
		return on ? -1 : 1;
	return compare_on_branch(left, right);
}

static void take_spots(struct series_loading *g)
{
	struct series *s = &g->l->series;

	for (size_t i = 0; i < g->l->rows.count; i++) {
		const struct history_run *r = &g->l->rows.items[i];
		struct spot spot = { .run = r };
		if (!is_row_chosen(g->l, i))
			continue;
		if (!value_of_run(r, s->metric, &spot.count)) {
			s->uncounted++;
			continue;
		}
		const struct place_of_commit *at = branch_find(g->branch, r->commit);
		if (g->branch->known)
			spot.place = at ? at->place : PLACE_OTHER;
		if (spot.place == PLACE_BRANCH && at)
			spot.number = at->number;
		g->spots[g->count++] = spot;
	}
	qsort(g->spots, g->count, sizeof *g->spots, compare_spots);
}

static void add_point(struct series_loading *g, const struct spot *spot)
{
	struct series *s = &g->l->series;
	g->l->runs[s->count] = spot->run;
	s->points[s->count++] = (struct series_point){
		.commit = spot->run->commit,
		.subject = spot->run->subject,
		.committed = spot->run->committed,
		.count = spot->count,
		.place = spot->place,
	};
}

/* Commits that are not on the branch come before the first younger commit of the branch. */
static void add_points(struct series_loading *g)
{
	size_t on = 0, off, last_number = 0;
	const struct series *s = &g->l->series;

	while (on < g->count && g->spots[on].place == PLACE_BRANCH)
		on++;
	off = on;
	for (size_t i = 0; i < on; i++) {
		while (off < g->count && g->spots[off].run->committed < g->spots[i].run->committed)
			add_point(g, &g->spots[off++]);
		add_point(g, &g->spots[i]);
		if (i && s->by_git)
			s->points[s->count - 1].skipped = g->spots[i].number - last_number - 1;
		last_number = g->spots[i].number;
	}
	while (off < g->count)
		add_point(g, &g->spots[off++]);
}

/* Whether --since allows it. */
static bool is_recent(const struct series_loading *g, const struct series_point *p)
{
	const struct place_of_commit *since = g->o->since_commit
						      ? branch_find(g->branch, g->o->since_commit)
						      : NULL;
	const struct place_of_commit *at = branch_find(g->branch, p->commit);
	bool by_place = since && since->place == PLACE_BRANCH && at && at->place == PLACE_BRANCH;

	return by_place ? at->number >= since->number : p->committed >= g->o->since;
}

static size_t first_recent(const struct series_loading *g)
{
	const struct series *s = &g->l->series;
	size_t from = 0;

	while (from < s->count && !is_recent(g, &s->points[from]))
		from++;
	return from;
}

/* Counts those that --all would show. */
static void leave_out_others(struct series_loading *g)
{
	struct series *s = &g->l->series;
	size_t kept = 0, from = first_recent(g);

	for (size_t i = 0; i < s->count; i++) {
		if (s->points[i].place != PLACE_BRANCH && !g->o->all) {
			s->off_branch += i >= from;
			continue;
		}
		g->l->runs[kept] = g->l->runs[i];
		s->points[kept++] = s->points[i];
	}
	s->count = kept;
}

static void leave_out_later(struct series_loading *g)
{
	struct series *s = &g->l->series;

	for (size_t i = 0; g->o->until && i < s->count; i++)
		if (strcmp(s->points[i].commit, g->o->until) == 0)
			s->count = i + 1;
}

/* This is the last step, so that the first point that is shown has a difference, too. */
static void leave_out_old(struct series_loading *g)
{
	struct series *s = &g->l->series;
	size_t from = first_recent(g);

	if (g->o->most && s->count - from > g->o->most)
		from = s->count - g->o->most;
	s->hidden = from;
}

static int make_points(struct series_loading *g, struct cg_error *err)
{
	struct loaded_series *l = g->l;
	size_t n = l->rows.count + 1;

	g->spots = calloc(n, sizeof *g->spots);
	l->series.points = calloc(n, sizeof *l->series.points);
	l->runs = calloc(n, sizeof *l->runs);
	if (!g->spots || !l->series.points || !l->runs)
		return cg_fail_nomem(err);
	take_spots(g);
	add_points(g);
	leave_out_later(g);
	leave_out_others(g);
	series_find_steps(l->series.points, l->series.count, &g->o->limits);
	leave_out_old(g);
	l->series.level = series_is_level(&l->series, &g->o->limits);
	return CG_OK;
}

/* The youngest commit decides what is shown. */
static void describe_series(struct loaded_series *l, const struct series_options *options)
{
	const struct history_run *newest = NULL;

	for (size_t i = 0; i < l->rows.count; i++)
		if (is_row_chosen(l, i))
			newest = &l->rows.items[i];
	l->series.benchmark = newest->benchmark;
	l->series.valgrind = newest->valgrind;
	l->series.metric = options->metric ? options->metric : default_metric_of(newest);
}

int load_series(struct history *h, const char *benchmark, const struct branch *branch,
		const struct series_options *options, struct loaded_series *out,
		struct cg_error *err)
{
	struct loaded_series l = { .series = { .benchmark = benchmark,
					       .metric = options->metric,
					       .by_git = branch->known } };
	struct series_loading g = { &l, branch, options, NULL, 0 };
	int status = history_read(h, benchmark, &l.rows, err);

	if (!status && l.rows.count) {
		status = take_digests(&l, err);
		if (!status)
			status = choose_definition(&l, options, err);
		if (!status)
			status = choose_environment(&l, options->environment, err);
		if (!status)
			status = list_others(&l, err);
		if (!status) {
			describe_series(&l, options);
			status = make_points(&g, err);
		}
	}
	free(g.spots);
	if (status) {
		loaded_series_free(&l);
	} else {
		*out = l;
		out->series.definition = out->definition;
		out->series.environment = out->digest;
	}
	return status;
}

static bool was_measured_so(struct history *h, const char *benchmark, const char *definition,
			    const char *digest)
{
	struct history_rows rows = { 0 };
	char found[HISTORY_DIGEST];
	bool was = false;

	if (history_read(h, benchmark, &rows, NULL))
		return false;
	for (size_t i = 0; i < rows.count && !was; i++) {
		history_run_digest(&rows.items[i], found);
		was = strcmp(found, digest) == 0 &&
		      strcmp(rows.items[i].definition, definition) == 0;
	}
	history_rows_free(&rows);
	return was;
}

static int load_for_profile(const char *root, const struct cg_profile *p, const char *benchmark,
			    const struct series_options *options, struct loaded_series *out,
			    struct cg_error *err)
{
	struct history *h = NULL;
	struct git *git = NULL;
	struct branch branch = { 0 };
	char digest[HISTORY_DIGEST];
	struct series_options so = *options;
	const char *commit = commit_of_profile(p);
	int status = history_open(root, &h, err);

	so.definition = cg_desc_value(p, SUBJECT_PREFIX "definition");
	so.until = commit && git_is_id(commit) ? commit : NULL;
	if (!status && h && so.definition && environment_of_profile(p, digest) &&
	    was_measured_so(h, benchmark, so.definition, digest)) {
		so.environment = digest;
		if (git_open(root, NULL, &git, NULL))
			git = NULL;
		status = branch_of(git, so.until ? so.until : "HEAD", &branch, err);
		if (!status)
			status = load_series(h, benchmark, &branch, &so, out, err);
	}
	branch_free(&branch);
	git_close(git);
	history_close(h);
	return status;
}

void load_series_of_profile(const struct notices *n, const char *root, const struct cg_profile *p,
			    const char *metric, const struct step_limits *limits,
			    struct loaded_series *out)
{
	enum { MOST = 500 };
	const char *benchmark = cg_desc_value(p, SUBJECT_PREFIX "benchmark");
	const struct series_options options = { .metric = metric, .limits = *limits, .most = MOST };
	struct cg_error err = { 0 };

	*out = (struct loaded_series){ 0 };
	if (!benchmark || !load_for_profile(root, p, benchmark, &options, out, &err))
		return;
	char *message = text_safe(err.message);
	notice_warning(n, "the report lacks the history: %s", message ? message : "");
	free(message);
}

void loaded_series_free(struct loaded_series *l)
{
	free(l->series.points);
	free(l->digests);
	free(l->definitions);
	free(l->others);
	free(l->runs);
	history_rows_free(&l->rows);
	*l = (struct loaded_series){ 0 };
}
