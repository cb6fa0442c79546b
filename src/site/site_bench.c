/* The files of one benchmark: its counts in all environments, and its badge. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/commits/series_of_config.h"
#include "src/diff/metric.h"
#include "src/digest/digest.h"
#include "src/site/site_diffs.h"
#include "src/site/site_making.h"

/* ---- names ---- */

/* Names of files on any system, also those that do not distinguish capitals. */
char *site_bench_id(const char *benchmark)
{
	enum { READABLE = 40, DIGITS = 20 };
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	char digest[DIGEST_SIZE], readable[READABLE + 1], *id;
	size_t n = 0;

	for (const char *c = benchmark; *c && n < READABLE; c++) {
		char small = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
		readable[n++] = strchr(letters, small) ? small : '-';
	}
	readable[n] = '\0';
	digest_of_bytes(benchmark, strlen(benchmark), digest);
	return asprintf(&id, "%s-%.*s", readable, DIGITS, digest) < 0 ? NULL : id;
}

/* ---- one series ---- */

/* What a series of the site points to. */
struct made_series {
	char id[HISTORY_DIGEST * 2];
	struct loaded_series *loaded; /* per metric */
	struct series *metrics;
	struct step_limits *limits;
	size_t nmetrics, cap;
	const char **names; /* of all metrics that any commit has */
	size_t nnames, names_cap;
	struct site_fact *facts;
	struct site_piece *pieces;
	struct site_diff *diffs;
	size_t npieces, pieces_cap;
};

struct bench_making {
	const struct site_making *m;
	const char *benchmark;
	char *id;
	struct made_series *made;
	struct site_series *series; /* as many */
	size_t count;
	struct site_bench bench;
	struct site_causes causes;
	enum series_standing standing;
};

static void free_made_series(struct made_series *s)
{
	for (size_t i = 0; i < s->nmetrics; i++)
		loaded_series_free(&s->loaded[i]);
	free(s->loaded);
	free(s->metrics);
	free(s->limits);
	free(s->names);
	free(s->facts);
	free(s->pieces);
	free(s->diffs);
}

static int add_metric_name(struct made_series *s, const char *name, struct cg_error *err)
{
	for (size_t i = 0; i < s->nnames; i++)
		if (strcmp(s->names[i], name) == 0)
			return CG_OK;
	if (cg_grow(&s->names, &s->names_cap, s->nnames + 1, sizeof *s->names))
		return cg_fail_nomem(err);
	s->names[s->nnames++] = name;
	return CG_OK;
}

static int name_of_method(const void *method, const char *name)
{
	const struct history_method *h = method;
	for (size_t i = 0; i < h->count; i++)
		if (strcmp(h->metrics[i], name) == 0)
			return (int)i;
	return -1;
}

/* Those that were recorded, and where they can be computed, the estimate of cycles and the one that
 * was asked for, which may be NULL. */
static int list_site_metrics(struct made_series *s, const struct history_book *book,
			     const struct history_series *from, const char *asked,
			     struct cg_error *err)
{
	const char *const derived[] = { "EstCycles", asked };
	enum { DERIVED = sizeof derived / sizeof *derived };
	const struct history_method *of = NULL;
	struct metric metric;
	bool has[DERIVED] = { false };
	int status = CG_OK;

	for (size_t i = 0; !status && i < from->count; i++) {
		if (of == &book->methods[from->points[i].method])
			continue;
		of = &book->methods[from->points[i].method];
		if (name_of_method(of, "Ir") >= 0)
			status = add_metric_name(s, "Ir", err);
		for (size_t k = 0; !status && k < of->count; k++)
			status = add_metric_name(s, of->metrics[k], err);
		for (size_t k = 0; k < DERIVED; k++)
			has[k] |= derived[k] &&
				  metric_find_among(of, name_of_method, derived[k], &metric);
	}
	for (size_t k = 0; !status && k < DERIVED; k++)
		if (has[k])
			status = add_metric_name(s, derived[k], err);
	return status;
}

static int load_metric(struct bench_making *b, struct made_series *s,
		       const struct history_series *from, const char *metric, struct cg_error *err)
{
	const struct site_request *r = b->m->r;
	struct series_options o = { .metric = metric,
				    .definition = from->definition,
				    .environment = from->environment->digest,
				    .limits = r->limits };
	struct loaded_series *l = &s->loaded[s->nmetrics];

	series_set_limits(r->project->config, b->benchmark, metric, &o.limits);
	int status = load_series(r->placed, b->benchmark, &o, l, err);
	if (status)
		return status;
	s->metrics[s->nmetrics] = l->series;
	s->metrics[s->nmetrics].metric = metric;
	s->limits[s->nmetrics++] = o.limits;
	/* Commits of other branches are not shown. */
	if (l->series.count)
		return CG_OK;
	s->nmetrics--;
	loaded_series_free(l);
	return CG_OK;
}

static int load_metrics(struct bench_making *b, struct made_series *s,
			const struct history_series *from, struct cg_error *err)
{
	int status = list_site_metrics(s, b->m->r->placed->book, from, b->m->r->metric, err);

	if (status)
		return status;
	s->loaded = calloc(s->nnames + 1, sizeof *s->loaded);
	s->metrics = calloc(s->nnames + 1, sizeof *s->metrics);
	s->limits = calloc(s->nnames + 1, sizeof *s->limits);
	if (!s->loaded || !s->metrics || !s->limits)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < s->nnames; i++)
		status = load_metric(b, s, from, s->names[i], err);
	return status;
}

static int list_facts(struct made_series *s, const struct history_environment *e,
		      struct cg_error *err)
{
	s->facts = calloc(e->count + 1, sizeof *s->facts);
	if (!s->facts)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < e->count; i++)
		s->facts[i] = (struct site_fact){ e->facts[i].key, e->facts[i].value };
	return CG_OK;
}

/* ---- its counts ---- */

static int write_site_piece(struct bench_making *b, const struct site_series *s, uint64_t chunk,
			    struct site_piece *piece, struct cg_error *err)
{
	char *name, *path;

	piece->chunk = chunk;
	if (asprintf(&name, "bench/%s/%s-%llu", b->id, s->id, (unsigned long long)chunk) < 0)
		return cg_fail_nomem(err);
	if (asprintf(&path, "%s.js", name) < 0) {
		free(name);
		return cg_fail_nomem(err);
	}
	struct site_file f;
	site_file_begin(&f);
	int status = f.to ? site_counts_script(s, chunk, name, f.to) : CG_ENOMEM;
	status = site_file_put(b->m, &f, status, path, piece->version, err);
	free(path);
	free(name);
	return status;
}

/* The first chunk from `chunk` on that has a commit; UINT64_MAX: none. */
static uint64_t next_chunk(const struct site_series *s, uint64_t chunk)
{
	uint64_t next = UINT64_MAX;

	for (size_t k = 0; k < s->nmetrics; k++) {
		const struct series *m = &s->metrics[k];
		size_t low = 0, high = m->count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (m->points[middle].number / SITE_CHUNK < chunk)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < m->count && m->points[low].number / SITE_CHUNK < next)
			next = m->points[low].number / SITE_CHUNK;
	}
	return next;
}

static int write_site_counts(struct bench_making *b, struct made_series *made,
			     const struct site_series *s, struct cg_error *err)
{
	int status = CG_OK;

	for (uint64_t chunk = next_chunk(s, 0); !status && chunk != UINT64_MAX;
	     chunk = next_chunk(s, chunk + 1)) {
		if (cg_grow(&made->pieces, &made->pieces_cap, made->npieces + 1,
			    sizeof *made->pieces))
			return cg_fail_nomem(err);
		status = write_site_piece(b, s, chunk, &made->pieces[made->npieces++], err);
	}
	return status;
}

/* ---- all series ---- */

static int make_series(struct bench_making *b, const struct history_series *from,
		       struct cg_error *err)
{
	struct made_series *made = &b->made[b->count];
	struct site_series *s = &b->series[b->count++];
	int status = load_metrics(b, made, from, err);

	if (!status && !made->nmetrics) {
		free_made_series(made);
		*made = (struct made_series){ 0 };
		b->count--;
		return CG_OK;
	}
	if (!status)
		status = list_facts(made, from->environment, err);
	if (status)
		return status;
	snprintf(made->id, sizeof made->id, "%s-%s", from->environment->digest, from->definition);
	*s = (struct site_series){
		.id = made->id,
		.definition = from->definition,
		.environment = from->environment->digest,
		.valgrind = made->metrics[0].valgrind,
		.facts = made->facts,
		.nfacts = from->environment->count,
		.metrics = made->metrics,
		.limits = made->limits,
		.nmetrics = made->nmetrics,
	};
	status = write_site_counts(b, made, s, err);
	s->pieces = (struct site_pieces){ made->pieces, made->npieces };
	return status;
}

/* The series that reaches the newest commit. */
static size_t newest_series(const struct bench_making *b)
{
	uint64_t newest = 0;
	size_t found = 0;

	for (size_t i = 0; i < b->count; i++)
		for (size_t k = 0; k < b->series[i].nmetrics; k++) {
			const struct series *m = &b->series[i].metrics[k];
			if (m->points[m->count - 1].number <= newest)
				continue;
			newest = m->points[m->count - 1].number;
			found = i;
		}
	return found;
}

/* The series that `irdiff history` shows. */
static int load_usual(const struct site_request *r, const char *benchmark,
		      struct loaded_series *out, struct cg_error *err)
{
	char present[HISTORY_DIGEST];
	int status = series_definition(r->project->config, benchmark, present, err);
	const struct series_options o = { .metric = r->metric,
					  .present = *present ? present : NULL };

	return status ? status : load_series(r->placed, benchmark, &o, out, err);
}

/* Whether a series has the metric at a commit of the branch. */
static int find_metric_of(const struct site_request *r, const struct history_series *from,
			  bool *has, struct cg_error *err)
{
	const struct series_options o = { .metric = r->metric,
					  .definition = from->definition,
					  .environment = from->environment->digest };
	struct loaded_series l = { 0 };
	int status = load_series(r->placed, from->benchmark, &o, &l, err);

	*has |= !status && l.series.count;
	loaded_series_free(&l);
	return status;
}

int site_find_metric(const struct site_request *r, const struct history_series *series,
		     size_t count, bool *has, struct cg_error *err)
{
	struct loaded_series l = { 0 };
	int status = load_usual(r, series->benchmark, &l, err);
	const bool elsewhere = !l.series.count && !l.series.uncounted;

	*has = l.series.count;
	for (size_t i = 0; !status && elsewhere && !*has && i < count; i++)
		status = find_metric_of(r, &series[i], has, err);
	loaded_series_free(&l);
	return status;
}

/* What `irdiff history` shows. If that was not measured at a commit of the branch, the newest
 * series. */
static int choose_shown(struct bench_making *b, struct cg_error *err)
{
	struct loaded_series l = { 0 };
	int status = load_usual(b->m->r, b->benchmark, &l, err);

	if (!status)
		status = series_set_standing(b->m->r->project->config, &l.series, err);
	b->standing = l.series.standing;
	b->bench.shown = newest_series(b);
	for (size_t i = 0; !status && i < b->count; i++)
		if (strcmp(b->series[i].definition, l.series.definition) == 0 &&
		    strcmp(b->series[i].environment, l.series.environment) == 0)
			b->bench.shown = i;
	const struct site_series *s = &b->series[b->bench.shown];
	for (size_t i = 0; !status && i < s->nmetrics; i++)
		if (strcmp(s->metrics[i].metric, l.series.metric) == 0)
			b->bench.metric = i;
	loaded_series_free(&l);
	return status;
}

/* Reports on the steps of the metric that is shown first. */
static int make_diffs(struct bench_making *b, struct cg_error *err)
{
	const char *name = b->series[b->bench.shown].metrics[b->bench.metric].metric;
	int status = site_causes_read(b->m, b->benchmark, b->id, &b->causes, err);

	for (size_t i = 0; !status && i < b->count; i++) {
		struct site_series *s = &b->series[i];
		const struct series *m = NULL;
		for (size_t k = 0; k < s->nmetrics; k++)
			if (strcmp(s->metrics[k].metric, name) == 0)
				m = &s->metrics[k];
		if (!m)
			continue;
		if (!(b->made[i].diffs = calloc(m->count + 1, sizeof *s->diffs)))
			return cg_fail_nomem(err);
		status = site_diffs_make(&b->causes, s, m, b->made[i].diffs, &s->ndiffs, err);
		s->diffs = b->made[i].diffs;
	}
	return status ? status : site_causes_write(&b->causes, err);
}

static int write_bench_script(const struct bench_making *b, char version[SITE_VERSION_SIZE],
			      struct cg_error *err)
{
	char *name, *path;

	if (asprintf(&name, "bench/%s/bench", b->id) < 0)
		return cg_fail_nomem(err);
	if (asprintf(&path, "%s.js", name) < 0) {
		free(name);
		return cg_fail_nomem(err);
	}
	struct site_file f;
	site_file_begin(&f);
	int status = f.to ? site_bench_script(&b->bench, name, f.to) : CG_ENOMEM;
	status = site_file_put(b->m, &f, status, path, version, err);
	free(path);
	free(name);
	return status;
}

/* ---- what the index says ---- */

/* Copies a point and the one before it. */
static const struct series_point *copy_point(const struct series_point *from,
					     struct series_point *to, struct series_point *before)
{
	*to = *from;
	if (from->previous) {
		*before = *from->previous;
		to->previous = before;
	}
	return to;
}

static int count_since_tags(const struct site_making *m, const struct series *s,
			    const struct step_limits *limits, struct site_since **out,
			    struct cg_error *err)
{
	struct site_since *since = calloc(m->nsince + 1, sizeof *since);
	int64_t last = s->points[s->count - 1].count;
	size_t i = 0;

	if (!since)
		return cg_fail_nomem(err);
	for (size_t k = 0; k < m->nsince; k++) {
		const uint64_t at = m->tags[m->since[k]].number;
		while (i < s->count && s->points[i].number <= at)
			i++;
		/* Also of a tag that is younger than all counts nothing is known. */
		if (!i || at > s->points[s->count - 1].number)
			continue;
		int64_t count = s->points[i - 1].count;
		since[k] = (struct site_since){ true, count, series_classify(count, last, limits) };
	}
	*out = since;
	return CG_OK;
}

static int copy_text(const char *from, char **to, struct cg_error *err)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to ? CG_OK : cg_fail_nomem(err);
}

static int copy_diff(const struct site_series *s, struct made_bench *out, struct cg_error *err)
{
	struct site_step *step = &out->summary.step;
	int status = CG_OK;

	for (size_t i = 0; i < s->ndiffs && !step->diff; i++) {
		const struct site_diff *d = &s->diffs[i];
		if (d->number != step->at->number)
			continue;
		status = copy_text(d->page, &out->page, err);
		if (!status)
			status = copy_text(d->cause, &out->cause, err);
		out->diff = (struct site_diff){ d->number, out->page, out->cause, NULL };
		step->diff = &out->diff;
	}
	return status;
}

static int summarize(const struct bench_making *b, struct made_bench *out, struct cg_error *err)
{
	const struct site_series *shown = &b->series[b->bench.shown];
	const struct series *s = &shown->metrics[b->bench.metric];
	const struct config *config = b->m->r->project->config;
	const struct config_benchmark *defined = config ? config_benchmark(config, b->benchmark)
							: NULL;
	struct site_summary *y = &out->summary;
	size_t step = s->count;

	while (step && s->points[step - 1].step == STEP_NONE)
		step--;
	y->name = b->benchmark;
	y->id = b->id;
	y->metric = s->metric;
	if (defined) {
		y->tags = defined->tags;
		y->ntags = defined->tag_count;
	}
	y->count = s->count;
	y->last = copy_point(&s->points[s->count - 1], &out->last, &out->before_last);
	y->nspark = site_spark(s, y->spark);
	if (step) {
		y->step.at = copy_point(&s->points[step - 1], &out->step, &out->before_step);
		y->step.author = site_author(b->m, y->step.at->commit);
	}
	y->level = s->level;
	y->varies = s->varies;
	y->mostly_elsewhere = series_is_mostly_elsewhere(s);
	y->standing = b->standing;
	int status = count_since_tags(b->m, s, &shown->limits[b->bench.metric], &out->since, err);
	y->since = out->since;
	return status || !step ? status : copy_diff(shown, out, err);
}

static int write_bench_badge(const struct bench_making *b, const struct site_summary *y,
			     struct cg_error *err)
{
	char *path;

	if (asprintf(&path, "bench/%s/badge.svg", b->id) < 0)
		return cg_fail_nomem(err);
	struct site_file f;
	site_file_begin(&f);
	int status = f.to ? site_bench_badge(y, f.to) : CG_ENOMEM;
	status = site_file_put(b->m, &f, status, path, NULL, err);
	free(path);
	return status;
}

static void free_bench_making(struct bench_making *b)
{
	for (size_t i = 0; i < b->count; i++)
		free_made_series(&b->made[i]);
	free(b->made);
	free(b->series);
	site_causes_free(&b->causes);
}

void site_free_bench(struct made_bench *b)
{
	free(b->id);
	free(b->since);
	free(b->page);
	free(b->cause);
	*b = (struct made_bench){ 0 };
}

static int make_all_series(struct bench_making *b, const struct history_series *series,
			   size_t count, struct cg_error *err)
{
	int status = CG_OK;

	b->id = site_bench_id(b->benchmark);
	b->made = calloc(count + 1, sizeof *b->made);
	b->series = calloc(count + 1, sizeof *b->series);
	if (!b->id || !b->made || !b->series)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < count; i++)
		status = make_series(b, &series[i], err);
	b->bench = (struct site_bench){ .name = b->benchmark,
					.id = b->id,
					.series = b->series,
					.count = b->count,
					.reports = b->m->r->reports };
	return status;
}

int site_make_bench(const struct site_making *m, const struct history_series *series, size_t count,
		    struct made_bench *out, struct cg_error *err)
{
	struct bench_making b = { .m = m, .benchmark = series->benchmark };
	int status = make_all_series(&b, series, count, err);

	if (!status && b.count && !(status = choose_shown(&b, err)) &&
	    !(status = make_diffs(&b, err)) && !(status = summarize(&b, out, err)) &&
	    !(status = write_bench_script(&b, out->summary.version, err)))
		status = write_bench_badge(&b, &out->summary, err);
	out->id = b.id;
	if (status || !b.count)
		site_free_bench(out);
	free_bench_making(&b);
	return status;
}
