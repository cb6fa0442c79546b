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

/* ---- where commits are ---- */

int place_commits(const struct history_book *book, const struct branch *branch,
		  struct placed_book *out, struct cg_error *err)
{
	struct place_of_commit *places = calloc(book->ncommits + 1, sizeof *places);
	if (!places)
		return cg_fail_nomem(err);
	for (size_t i = 0; branch->known && i < book->ncommits; i++) {
		const struct place_of_commit *at = branch_find(branch, book->commits[i].id);
		places[i] = at ? *at : (struct place_of_commit){ .place = PLACE_OTHER };
	}
	*out = (struct placed_book){ book, branch, places };
	return CG_OK;
}

void placed_book_free(struct placed_book *placed)
{
	free(placed->places);
	*placed = (struct placed_book){ 0 };
}

/* ---- which definition, and which environment ---- */

/* The series of a benchmark, which stand together. */
struct series_choice {
	const struct placed_book *placed;
	const struct history_series *items;
	size_t count;
};

static struct series_choice find_series_of(const struct placed_book *placed, const char *benchmark)
{
	const struct history_book *book = placed->book;
	struct series_choice c = { placed, book->series, 0 };
	size_t low = 0, high = book->nseries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(book->series[middle].benchmark, benchmark) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	c.items += low;
	while (low + c.count < book->nseries && strcmp(c.items[c.count].benchmark, benchmark) == 0)
		c.count++;
	return c;
}

static bool digest_begins(const char *digest, const char *begin)
{
	return !begin || strncmp(digest, begin, strlen(begin)) == 0;
}

static int several(const struct series_choice *c, const char *what, const char *begin,
		   struct cg_error *err)
{
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "several %ss of %s begin with '%s'; give more digits", what,
		       c->items->benchmark, begin);
}

/* Those of the branch in its order, then the others by time; of one commit, as it was measured. */
static int compare_places_of_points(const struct placed_book *placed, const struct history_point *a,
				    const struct history_point *b)
{
	const struct place_of_commit *x = &placed->places[a->commit];
	const struct place_of_commit *y = &placed->places[b->commit];
	const bool on = x->place == PLACE_BRANCH, other_on = y->place == PLACE_BRANCH;
	int order = on - other_on;

	if (!order && on)
		order = (x->number > y->number) - (x->number < y->number);
	if (!order)
		order = (a->commit > b->commit) - (a->commit < b->commit);
	return order ? order : (a->measured > b->measured) - (a->measured < b->measured);
}

static const struct history_point *newest_point(const struct placed_book *placed,
						const struct history_series *s)
{
	const struct history_point *newest = s->points;

	for (size_t i = 1; i < s->count; i++)
		if (compare_places_of_points(placed, &s->points[i], newest) >= 0)
			newest = &s->points[i];
	return newest;
}

/* Whether a series goes on to a newer commit than another one; of those of one commit, the one that
 * was measured last. So nobody who measures old commits elsewhere changes what is shown. */
static bool is_newer(const struct placed_book *placed, const struct history_series *s,
		     const struct history_series *than)
{
	const struct history_point *a = newest_point(placed, s), *b = newest_point(placed, than);
	return compare_places_of_points(placed, a, b) >= 0;
}

static const struct history_series *newest_series_of(const struct series_choice *c)
{
	const struct history_series *newest = c->items;

	for (size_t i = 1; i < c->count; i++)
		if (is_newer(c->placed, &c->items[i], newest))
			newest = &c->items[i];
	return newest;
}

/* Chooses the definition of the newest commit, among those that begin so; the present one comes
 * first. With an environment, only its rows count. */
static int choose_definition(const struct series_choice *c, const struct series_options *o,
			     const char **definition, struct cg_error *err)
{
	const struct history_series *best = NULL;

	for (size_t i = 0; i < c->count; i++) {
		const struct history_series *s = &c->items[i];
		if (!digest_begins(s->definition, o->definition) ||
		    !digest_begins(s->environment->digest, o->environment))
			continue;
		if (best && o->definition && strcmp(best->definition, s->definition) != 0)
			return several(c, "definition", o->definition, err);
		bool wanted = o->present && strcmp(s->definition, o->present) == 0;
		bool had = best && o->present && strcmp(best->definition, o->present) == 0;
		if (!best || (wanted && !had) || (wanted == had && is_newer(c->placed, s, best)))
			best = s;
	}
	if (!best && o->definition)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no measurement with the definition '%s'%s; the latest is %s",
			       c->items->benchmark, o->definition,
			       o->environment ? " in this environment" : "",
			       newest_series_of(c)->definition);
	if (!best)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no measurement in the environment '%s'; the latest is in %s",
			       c->items->benchmark, o->environment,
			       newest_series_of(c)->environment->digest);
	*definition = best->definition;
	return CG_OK;
}

/* At least one series of the definition is of an environment that begins so. */
static int choose_environment(const struct series_choice *c, const char *definition,
			      const char *begin, const struct history_series **out,
			      struct cg_error *err)
{
	const struct history_series *best = NULL;

	for (size_t i = 0; i < c->count; i++) {
		const struct history_series *s = &c->items[i];
		if (strcmp(s->definition, definition) != 0 ||
		    !digest_begins(s->environment->digest, begin))
			continue;
		if (best && begin)
			return several(c, "environment", begin, err);
		if (!best || is_newer(c->placed, s, best))
			best = s;
	}
	*out = best;
	return CG_OK;
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
static int list_others(struct loaded_series *l, const struct series_choice *c,
		       const struct history_series *chosen, struct cg_error *err)
{
	struct series *s = &l->series;

	l->others = calloc(c->count + 1, sizeof *l->others);
	l->definitions = calloc(c->count + 1, sizeof *l->definitions);
	if (!l->others || !l->definitions)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->count; i++) {
		const struct history_series *other = &c->items[i];
		if (strcmp(other->definition, chosen->definition) != 0) {
			l->definitions[s->ndefinitions++] = other->definition;
			s->redefined += other->count;
		} else if (other != chosen) {
			l->others[s->nothers++] = other->environment->digest;
			s->elsewhere += other->count;
		}
	}
	s->others = l->others;
	s->nothers = unite_digests(l->others, s->nothers);
	s->definitions = l->definitions;
	s->ndefinitions = unite_digests(l->definitions, s->ndefinitions);
	return CG_OK;
}

/* ---- which metric ---- */

static const char *default_metric_of(const struct history_method *m)
{
	return history_method_event(m, "Ir") >= 0 ? "Ir" : m->metrics[0];
}

/* ---- points ---- */

struct series_loading {
	struct loaded_series *l;
	const struct placed_book *placed;
	const struct history_series *from;
	const struct series_options *o;
	struct spot {
		uint32_t commit; /* in the book: by time */
		const struct place_of_commit *at;
		int64_t count;
	} * spots;
	size_t count;
};

/* Those of the branch in its order, then the others by time. */
static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	bool on = a->at->place == PLACE_BRANCH, other_on = b->at->place == PLACE_BRANCH;
	if (on != other_on)
		return on ? -1 : 1;
	if (on && a->at->number != b->at->number)
		return a->at->number < b->at->number ? -1 : 1;
	return (a->commit > b->commit) - (a->commit < b->commit);
}

/* Rows of one method have one place for a metric, and stand together mostly. */
static void take_spots(struct series_loading *g)
{
	const struct history_book *book = g->placed->book;
	struct series *s = &g->l->series;
	const struct history_method *of = NULL;
	struct metric metric;
	bool has = false;

	for (size_t i = 0; i < g->from->count; i++) {
		const struct history_point *p = &g->from->points[i];
		if (of != &book->methods[p->method]) {
			of = &book->methods[p->method];
			has = metric_find_among(of, history_method_event, s->metric, &metric);
		}
		if (has)
			g->spots[g->count++] = (struct spot){
				p->commit, &g->placed->places[p->commit],
				metric_value(&metric, history_counts(book, p))
			};
		s->uncounted += !has;
	}
	if (g->count)
		qsort(g->spots, g->count, sizeof *g->spots, compare_spots);
}

static const struct history_commit *commit_at(const struct series_loading *g,
					      const struct spot *spot)
{
	return &g->placed->book->commits[spot->commit];
}

static void add_point(struct series_loading *g, const struct spot *spot)
{
	struct series *s = &g->l->series;
	const struct history_commit *c = commit_at(g, spot);
	bool known = g->placed->branch->known;

	s->points[s->count++] = (struct series_point){
		.commit = c->id,
		.subject = c->subject,
		.committed = c->committed,
		.number = known ? spot->at->number : spot->commit,
		.count = spot->count,
		.place = spot->at->place,
	};
}

static bool is_older_spot(const struct series_loading *g, const struct spot *spot,
			  const struct spot *than)
{
	return commit_at(g, spot)->committed < commit_at(g, than)->committed;
}

/* Commits that are not on the branch come before the first younger commit of the branch. */
static void add_points(struct series_loading *g)
{
	size_t on = 0, off, last_number = 0;
	const struct series *s = &g->l->series;

	while (on < g->count && g->spots[on].at->place == PLACE_BRANCH)
		on++;
	off = on;
	for (size_t i = 0; i < on; i++) {
		while (off < g->count && is_older_spot(g, &g->spots[off], &g->spots[i]))
			add_point(g, &g->spots[off++]);
		add_point(g, &g->spots[i]);
		if (i && s->by_git)
			s->points[s->count - 1].skipped = g->spots[i].at->number - last_number - 1;
		last_number = g->spots[i].at->number;
	}
	while (off < g->count)
		add_point(g, &g->spots[off++]);
}

/* Whether --since allows it. */
static bool is_recent(const struct series_loading *g, const struct series_point *p)
{
	const struct branch *branch = g->placed->branch;
	const struct place_of_commit *since = g->o->since_commit
						      ? branch_find(branch, g->o->since_commit)
						      : NULL;
	const struct place_of_commit *at = since ? branch_find(branch, p->commit) : NULL;
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
	size_t n = g->from->count + 1;

	g->spots = calloc(n, sizeof *g->spots);
	l->series.points = calloc(n, sizeof *l->series.points);
	if (!g->spots || !l->series.points)
		return cg_fail_nomem(err);
	take_spots(g);
	add_points(g);
	leave_out_later(g);
	leave_out_others(g);
	series_find_steps(l->series.points, l->series.count, &g->o->limits);
	leave_out_old(g);
	l->series.level = series_is_level(&l->series, &g->o->limits);
	l->series.varies = series_varies(&l->series);
	return CG_OK;
}

/* The youngest commit decides what is shown. */
static void describe_series(struct series_loading *g)
{
	struct series *s = &g->l->series;
	const struct history_point *newest = &g->from->points[g->from->count - 1];
	const struct history_method *method = &g->placed->book->methods[newest->method];

	s->benchmark = g->from->benchmark;
	s->definition = g->from->definition;
	s->environment = g->from->environment->digest;
	s->valgrind = method->valgrind;
	s->metric = g->o->metric ? g->o->metric : default_metric_of(method);
}

int load_series(const struct placed_book *placed, const char *benchmark,
		const struct series_options *options, struct loaded_series *out,
		struct cg_error *err)
{
	struct loaded_series l = { .series = { .benchmark = benchmark,
					       .metric = options->metric,
					       .by_git = placed->branch->known } };
	struct series_loading g = { .l = &l, .placed = placed, .o = options };
	const struct series_choice c = find_series_of(placed, benchmark);
	const char *definition;
	int status = CG_OK;

	if (c.count) {
		status = choose_definition(&c, options, &definition, err);
		if (!status)
			status = choose_environment(&c, definition, options->environment, &g.from,
						    err);
		if (!status)
			status = list_others(&l, &c, g.from, err);
		if (!status) {
			describe_series(&g);
			status = make_points(&g, err);
		}
	}
	free(g.spots);
	if (status)
		loaded_series_free(&l);
	else
		*out = l;
	return status;
}

static bool was_measured_so(const struct history_book *book, const char *benchmark,
			    const char *definition, const char *digest)
{
	const struct placed_book unplaced = { .book = book };
	const struct series_choice c = find_series_of(&unplaced, benchmark);

	for (size_t i = 0; i < c.count; i++)
		if (strcmp(c.items[i].environment->digest, digest) == 0 &&
		    strcmp(c.items[i].definition, definition) == 0)
			return true;
	return false;
}

static int load_as_measured(const char *root, const struct history_book *book,
			    const char *benchmark, const struct series_options *options,
			    struct loaded_series *out, struct cg_error *err)
{
	struct git *git = NULL;
	struct branch branch = { 0 };
	struct placed_book placed = { 0 };

	if (git_open(root, NULL, &git, NULL))
		git = NULL;
	int status = branch_of(git, options->until ? options->until : "HEAD", &branch, err);
	if (!status)
		status = place_commits(book, &branch, &placed, err);
	if (!status)
		status = load_series(&placed, benchmark, options, out, err);
	placed_book_free(&placed);
	branch_free(&branch);
	git_close(git);
	return status;
}

static int load_for_profile(const char *root, const struct cg_profile *p, const char *benchmark,
			    const struct series_options *options, struct loaded_series *out,
			    struct cg_error *err)
{
	struct history *h = NULL;
	struct history_book book = { 0 };
	struct series_options so = *options;
	char digest[HISTORY_DIGEST];
	const char *commit = commit_of_profile(p);
	int status = history_open(root, &h, err);

	so.definition = cg_desc_value(p, SUBJECT_PREFIX "definition");
	so.until = commit && git_is_id(commit) ? commit : NULL;
	so.environment = digest;
	if (!status && so.definition && environment_of_profile(p, digest)) {
		status = history_read(h, benchmark, &book, err);
		if (!status && was_measured_so(&book, benchmark, so.definition, digest))
			status = load_as_measured(root, &book, benchmark, &so, out, err);
	}
	if (!status && out->series.count)
		out->book = book;
	else
		history_book_free(&book);
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
	free(l->definitions);
	free(l->others);
	history_book_free(&l->book);
	*l = (struct loaded_series){ 0 };
}
