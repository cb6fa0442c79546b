#include <stdlib.h>
#include <string.h>

#include "src/report/markdown/markdown.h"

/* ---- metrics ---- */

static void print_md_metric(struct md_page *p, const struct diff *d, const char *name, int64_t b,
			    int64_t h)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	bool tolerated = summary_classify(d, name, b, h) == DIFF_TOLERATED;

	md_row(p, MD_METRICS);
	fputs("| ", p->to);
	md_code(p, name, MD_CELL);
	fprintf(p->to, " | %s | %s | %s%s |\n", text_cost(b, base), text_cost(h, head),
		text_change(b, h, change), tolerated ? ", within tolerance" : "");
}

/* Its values, if both sides have it. */
static bool find_metric(const struct diff *d, const char *name, int64_t *base, int64_t *head)
{
	struct metric in_base, in_head;

	if (!metric_find(d->base, name, &in_base) || !metric_find(d->head, name, &in_head))
		return false;
	*base = metric_value(&in_base, d->base->total);
	*head = metric_value(&in_head, d->head->total);
	return true;
}

/* The events of head, then the derived metrics; NULL after the last. */
static const char *metric_md_name(const struct diff *d, size_t i)
{
	const struct cg_profile *head = d->head;
	return i < head->nevents ? cg_string(head, head->events[i].name)
				 : metric_derived[i - head->nevents];
}

/* Of another metric than that of the comparison. */
static bool find_other_metric(const struct diff *d, size_t i, int64_t *b, int64_t *h)
{
	const char *name = metric_md_name(d, i);

	return !metric_is_same(name, d->options.metric) && find_metric(d, name, b, h);
}

/* How many metrics changed, but for that of the comparison. */
static size_t count_changed_metrics(const struct diff *d)
{
	const char *name;
	size_t n = 0;
	int64_t b, h;

	for (size_t i = 0; (name = metric_md_name(d, i)); i++)
		n += find_other_metric(d, i, &b, &h) &&
		     summary_classify(d, name, b, h) != DIFF_UNCHANGED;
	return n;
}

/* "Unchanged: `Dr`, `Dw`." */
static void print_unchanged_metrics(struct md_page *p, const struct diff *d)
{
	enum { MOST = 20 };
	const char *lead = "\nUnchanged: ", *name;
	size_t shown = 0;
	int64_t b, h;

	for (size_t i = 0; (name = metric_md_name(d, i)); i++) {
		if (!find_other_metric(d, i, &b, &h) ||
		    summary_classify(d, name, b, h) != DIFF_UNCHANGED || shown++ >= MOST)
			continue;
		fputs(lead, p->to);
		md_code(p, name, MD_CELL);
		lead = ", ";
	}
	if (shown > MOST)
		fprintf(p->to, " and %zu more", shown - MOST);
	fputs(shown ? ".\n" : "", p->to);
}

/* That of the comparison is in the table of benchmarks. */
static void md_metrics(struct md_page *p, const struct diff *d)
{
	size_t changed = count_changed_metrics(d);
	const char *name;
	int64_t b, h;

	if (!changed)
		return;
	md_block(p, NULL, "Metrics: %zu more changed", changed);
	fputs("| metric | base | head | change |\n|---|--:|--:|--:|\n", p->to);
	p->table = true;
	for (size_t i = 0; (name = metric_md_name(d, i)); i++)
		if (find_other_metric(d, i, &b, &h) &&
		    summary_classify(d, name, b, h) != DIFF_UNCHANGED)
			print_md_metric(p, d, name, b, h);
	md_rows_end(p, "metrics");
	p->table = false;
	print_unchanged_metrics(p, d);
	md_block_end(p);
}

/* ---- the environment ---- */

static void print_md_fact(struct md_page *p, const char *value)
{
	fputs(" | ", p->to);
	if (value)
		md_code(p, value, MD_FACT);
	else
		fputs("not recorded", p->to);
}

static void print_difference(struct md_page *p, const struct environment_difference *d)
{
	md_row(p, MD_METRICS);
	fputs("| ", p->to);
	md_fact_name(p, d);
	print_md_fact(p, d->base_short);
	print_md_fact(p, d->head_short);
	fprintf(p->to, " | %s |\n", d->effect);
}

/* How each can be removed, once. */
static void print_remedies(struct md_page *p, const struct environment_diff *e)
{
	fputs("\nTo make the environments equal:\n\n", p->to);
	for (size_t i = 0; i < e->moving; i++) {
		const char *remedy = e->differences[i].remedy;
		bool said = !remedy;
		for (size_t j = 0; j < i && !said; j++)
			said = e->differences[j].remedy &&
			       !strcmp(e->differences[j].remedy, remedy);
		if (!said)
			fprintf(p->to, "- %s\n", remedy);
	}
}

static void md_environment(struct md_page *p, const struct diff_report *r)
{
	const struct environment_diff *e = r->environment;

	if (e->count == 0)
		return;
	const char *s = e->count == 1 ? "" : "s";
	if (e->same_counts)
		md_block(p, NULL, "Environment: %zu difference%s, but counts are equal", e->count,
			 s);
	else
		md_block(p, NULL, "Environment: %zu difference%s, %zu may affect counts", e->count,
			 s, e->moving);
	fputs("| | base | head | affects counts? |\n|---|---|---|---|\n", p->to);
	p->table = true;
	for (size_t i = 0; i < e->count; i++)
		print_difference(p, &e->differences[i]);
	md_rows_end(p, "differences");
	p->table = false;
	if (e->moving)
		print_remedies(p, e);
	md_block_end(p);
}

/* ---- all of it ---- */

static void print_change_blocks(struct md_page *p, const struct diff_report *r)
{
	bool functions = r->diff->options.by == CG_BY_FUNCTION;

	md_limits(p, r);
	if (functions) {
		md_causes(p, r);
		md_cancelled(p, r);
		md_functions(p, r);
	} else {
		md_groups(p, r);
	}
	md_metrics(p, r->diff);
	if (functions && summary_has_changes(r)) {
		md_most_expensive(p, r);
		md_depth(p, r);
	}
}

/* Whoever is told that nothing changed need not read on. */
void md_blocks(struct md_page *p, const struct bench_report *b)
{
	const struct diff_report *r = &b->diff;
	bool changed = summary_has_changes(r) || r->nrows;

	if (!summary_is_difference(r)) {
		md_limits(p, r);
		md_reproduce(p, r);
		return;
	}
	if (changed)
		print_change_blocks(p, r);
	else
		md_metrics(p, r->diff);
	md_insights(p, r);
	md_environment(p, r);
	if (changed)
		md_reproduce(p, r);
}
