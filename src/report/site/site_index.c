/* The file that is read first: what the overview shows, and where everything else is. */
#include <inttypes.h>

#include "src/report/site/site_script.h"
#include "src/report/site_report.h"

#define SITE_DATA_VERSION 2

int site_finish_script(struct json *j, const char *name, FILE *to)
{
	fprintf(to, "irdiff(\"%s\",", name);
	int status = json_finish_embedded(j, to);
	fputs(");\n", to);
	return status;
}

void site_add_pieces(struct json *j, const char *key, const struct site_pieces *pieces)
{
	json_begin_array(j, key);
	for (size_t i = 0; i < pieces->count; i++) {
		json_count(j, NULL, pieces->items[i].chunk);
		json_text(j, NULL, pieces->items[i].version);
	}
	json_end(j);
}

bool site_is_exact(int64_t count)
{
	return count <= (INT64_C(1) << 53) - 1 && count >= -((INT64_C(1) << 53) - 1);
}

/* A number or, where JavaScript would round it, a text of its digits. */
static void site_add_count(struct json *j, const char *key, int64_t count)
{
	char digits[TEXT_NUMBER];

	snprintf(digits, sizeof digits, "%" PRId64, count);
	if (site_is_exact(count))
		json_cost(j, key, count);
	else
		json_text(j, key, digits);
}

int site_step_sign(enum series_step step)
{
	return step == STEP_REGRESSED ? 1 : step == STEP_IMPROVED ? -1 : 0;
}

/* ---- the counts of a small chart ---- */

/* Adds the lowest and the highest count of a part, in their order. */
static size_t add_extremes(const struct series_point *points, size_t count, int64_t *to)
{
	size_t low = 0, high = 0;

	for (size_t i = 1; i < count; i++) {
		low = points[i].count < points[low].count ? i : low;
		high = points[i].count > points[high].count ? i : high;
	}
	to[0] = points[low < high ? low : high].count;
	to[1] = points[low < high ? high : low].count;
	return 2;
}

size_t site_spark(const struct series *s, int64_t spark[SITE_SPARK])
{
	enum { PARTS = (SITE_SPARK - 1) / 2 };
	size_t n = 0, last = s->count - 1;

	for (size_t i = 0; s->count <= SITE_SPARK && i < s->count; i++)
		spark[n++] = s->points[i].count;
	for (size_t i = 0; s->count > SITE_SPARK && i < PARTS; i++) {
		size_t from = last * i / PARTS, to = last * (i + 1) / PARTS;
		n += add_extremes(&s->points[from], to - from, &spark[n]);
	}
	if (s->count > SITE_SPARK)
		spark[n++] = s->points[last].count;
	return n;
}

/* ---- benchmarks ---- */

/* Of commits, also what is in the files of commits, so that the overview needs none of them. */
static void add_last_step(struct json *j, const struct site_step *step)
{
	const struct series_point *p = step->at;

	if (!p) {
		json_none(j, "step");
		return;
	}
	json_begin_object(j, "step");
	json_count(j, "number", p->number);
	json_text(j, "id", p->commit);
	json_cost(j, "committed", p->committed);
	json_text(j, "subject", p->subject);
	json_text(j, "author", step->author);
	json_count(j, "not_measured", p->skipped);
	site_add_count(j, "before", p->previous->count);
	site_add_count(j, "count", p->count);
	json_text(j, "page", step->diff ? step->diff->page : NULL);
	json_text(j, "cause", step->diff ? step->diff->cause : NULL);
	json_end(j);
}

/* Pairs: the count at the tag, and 1, 0 or -1. */
static void add_since(struct json *j, const struct site_index *i, const struct site_summary *s)
{
	json_begin_array(j, "since");
	for (size_t k = 0; k < i->nsince; k++) {
		const struct site_since *since = &s->since[k];
		if (since->known)
			site_add_count(j, NULL, since->count);
		else
			json_none(j, NULL);
		json_cost(j, NULL, site_step_sign(since->step));
	}
	json_end(j);
}

static void add_summary(struct json *j, const struct site_index *i, const struct site_summary *s)
{
	json_begin_object(j, NULL);
	json_text(j, "name", s->name);
	json_text(j, "id", s->id);
	json_text(j, "version", s->version);
	json_text(j, "metric", s->metric);
	json_begin_array(j, "tags");
	for (size_t k = 0; k < s->ntags; k++)
		json_text(j, NULL, s->tags[k]);
	json_end(j);
	json_count(j, "commits", s->count);
	json_count(j, "number", s->last->number);
	site_add_count(j, "count", s->last->count);
	json_begin_array(j, "spark");
	for (size_t k = 0; k < s->nspark; k++)
		site_add_count(j, NULL, s->spark[k]);
	json_end(j);
	json_flag(j, "level", s->level);
	json_text(j, "standing", s->standing ? series_standing_words(s->standing) : NULL);
	json_text(j, "varies", s->varies ? SERIES_VARIES : NULL);
	json_text(j, "elsewhere", s->mostly_elsewhere ? SERIES_MOSTLY_ELSEWHERE : NULL);
	add_since(j, i, s);
	add_last_step(j, &s->step);
	json_end(j);
}

static void add_newest(struct json *j, const struct site_commit *c)
{
	json_begin_object(j, "newest");
	json_count(j, "number", c->number);
	json_text(j, "id", c->id);
	json_cost(j, "committed", c->committed);
	json_text(j, "subject", c->subject);
	json_text(j, "author", c->author);
	json_end(j);
}

int site_index_script(const struct site_index *i, const char *name, FILE *to)
{
	struct json *j = json_new();

	if (!j)
		return CG_ENOMEM;
	json_count(j, "version", SITE_DATA_VERSION);
	json_text(j, "generator", i->generator);
	json_text(j, "project", i->project);
	json_text(j, "branch", i->branch);
	json_flag(j, "ordered", !i->by_time);
	json_text(j, "by_time", i->by_time);
	json_count(j, "chunk", SITE_CHUNK);
	add_newest(j, i->newest);
	json_begin_array(j, "tags");
	for (size_t k = 0; k < i->ntags; k++) {
		json_text(j, NULL, i->tags[k].name);
		json_count(j, NULL, i->tags[k].number);
	}
	json_end(j);
	json_begin_array(j, "since");
	for (size_t k = 0; k < i->nsince; k++)
		json_count(j, NULL, i->since[k]);
	json_end(j);
	site_add_pieces(j, "commits", &i->commits);
	json_begin_array(j, "benches");
	for (size_t k = 0; k < i->count; k++)
		add_summary(j, i, &i->benches[k]);
	json_end(j);
	return site_finish_script(j, name, to);
}
