/* The files of chunks of commits: what the commits are, and what was counted at them. */
#include <inttypes.h>
#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/report/site/site_script.h"
#include "src/report/site_report.h"

/* ---- commits ---- */

static void add_commit_column(struct json *j, const char *key, const struct site_commit *commits,
			      size_t count, const char *(*of)(const struct site_commit *c))
{
	json_begin_array(j, key);
	for (size_t i = 0; i < count; i++)
		json_text(j, NULL, of(&commits[i]));
	json_end(j);
}

static const char *id_of_commit(const struct site_commit *c)
{
	return c->id;
}

static const char *subject_of_commit(const struct site_commit *c)
{
	return c->subject;
}

static const char *author_of_commit(const struct site_commit *c)
{
	return c->author;
}

int site_commits_script(const struct site_commit *commits, size_t count, const char *name, FILE *to)
{
	struct json *j = json_new();

	if (!j)
		return CG_ENOMEM;
	json_begin_array(j, "number");
	for (size_t i = 0; i < count; i++)
		json_count(j, NULL, commits[i].number);
	json_end(j);
	json_begin_array(j, "committed");
	for (size_t i = 0; i < count; i++)
		json_cost(j, NULL, commits[i].committed);
	json_end(j);
	add_commit_column(j, "id", commits, count, id_of_commit);
	add_commit_column(j, "author", commits, count, author_of_commit);
	add_commit_column(j, "subject", commits, count, subject_of_commit);
	return site_finish_script(j, name, to);
}

/* ---- counts ---- */

/* The metrics of a series side by side: some commits may lack some of them. */
struct counts_writing {
	const struct site_series *s;
	uint64_t from;       /* the number of the first commit of the chunk */
	bool at[SITE_CHUNK]; /* which of its commits have any metric */
	struct json *j;
};

static size_t first_in_chunk(const struct series *m, uint64_t number)
{
	size_t low = 0, high = m->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (m->points[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void find_commits_of_chunk(struct counts_writing *w)
{
	for (size_t k = 0; k < w->s->nmetrics; k++) {
		const struct series *m = &w->s->metrics[k];
		for (size_t i = first_in_chunk(m, w->from);
		     i < m->count && m->points[i].number - w->from < SITE_CHUNK; i++)
			w->at[m->points[i].number - w->from] = true;
	}
}

/* The commits as distances from the one before; the first from the beginning of the chunk. */
static void add_places(const struct counts_writing *w)
{
	uint64_t before = 0;

	json_begin_array(w->j, "at");
	for (uint64_t n = 0; n < SITE_CHUNK; n++) {
		if (!w->at[n])
			continue;
		json_count(w->j, NULL, n - before);
		before = n;
	}
	json_end(w->j);
}

/* A count as the difference from the one before, which is short, as most do not change. Where
 * JavaScript would round one of both, the count is a text, and no other one is added to it. */
static void add_count_change(struct json *j, int64_t count, int64_t *before)
{
	char digits[TEXT_NUMBER];

	if (site_is_exact(count) && site_is_exact(count - *before)) {
		json_cost(j, NULL, count - *before);
		*before = count;
	} else {
		snprintf(digits, sizeof digits, "%" PRId64, count);
		json_text(j, NULL, digits);
	}
}

/* null: the commit does not have the metric. */
static void add_metric_counts(const struct counts_writing *w, const struct series *m)
{
	int64_t before = 0;
	size_t i = first_in_chunk(m, w->from);

	json_begin_array(w->j, "counts");
	for (uint64_t n = 0; n < SITE_CHUNK; n++) {
		if (w->at[n] && i < m->count && m->points[i].number == w->from + n)
			add_count_change(w->j, m->points[i++].count, &before);
		else if (w->at[n])
			json_none(w->j, NULL);
	}
	json_end(w->j);
}

/* Pairs: which of the commits of "at", and 1 or -1. */
static void add_steps(const struct counts_writing *w, const struct series *m)
{
	size_t i = first_in_chunk(m, w->from), place = 0;

	json_begin_array(w->j, "steps");
	for (uint64_t n = 0; n < SITE_CHUNK; place += w->at[n++]) {
		if (i >= m->count || m->points[i].number != w->from + n)
			continue;
		enum series_step step = m->points[i++].step;
		if (step == STEP_NONE)
			continue;
		json_count(w->j, NULL, place);
		json_cost(w->j, NULL, site_step_sign(step));
	}
	json_end(w->j);
}

int site_counts_script(const struct site_series *s, uint64_t chunk, const char *name, FILE *to)
{
	struct counts_writing w = { .s = s, .from = chunk * SITE_CHUNK, .j = json_new() };

	if (!w.j)
		return CG_ENOMEM;
	find_commits_of_chunk(&w);
	add_places(&w);
	json_begin_array(w.j, "metrics");
	for (size_t k = 0; k < s->nmetrics; k++) {
		json_begin_object(w.j, NULL);
		json_text(w.j, "name", s->metrics[k].metric);
		add_metric_counts(&w, &s->metrics[k]);
		add_steps(&w, &s->metrics[k]);
		json_end(w.j);
	}
	json_end(w.j);
	return site_finish_script(w.j, name, to);
}
