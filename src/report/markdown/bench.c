#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/report/markdown/markdown.h"
#include "src/text/shell.h"

/* ---- the verdict ---- */

/* Metrics that stand for time, of which a speed can be told. */
static bool is_time(const char *metric)
{
	static const char *const names[] = { "Ir", "EstCycles", "CEst", "samples" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(metric, names[i]) == 0)
			return true;
	return false;
}

static void print_md_verdict(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER], speed[TEXT_NUMBER];
	int64_t b = diff_base_value(d, d->base->total), h = diff_head_value(d, d->head->total);

	fprintf(p->to, "**%s**: %s → %s ", md_outcome(summary_outcome(r)), text_cost(b, base),
		text_cost(h, head));
	md_code(p, d->options.metric, MD_CELL);
	fprintf(p->to, " (**%s**", text_change(b, h, change));
	/* Speed is 1 / cost: (1/h - 1/b) / (1/b) = (b - h) / h. */
	if (b > 0 && h > 0 && b != h && is_time(d->options.metric))
		fprintf(p->to, "; speed change %s", text_change(h, b, speed));
	if (diff_tolerates(d, b, h))
		fprintf(p->to, "; within the tolerance of %s", text_count(d->tolerance, speed));
	fputs(")", p->to);
	if (r->untrusted)
		fputs("; not comparable, so limits were not judged", p->to);
	else if (summary_outcome(r) == OUTCOME_INCONCLUSIVE)
		fputs("; inconclusive for the limits", p->to);
	else if (summary_count_failing(r))
		fprintf(p->to, ", %zu of %zu limits exceeded", summary_count_failing(r),
			summary_count_judged(r) > summary_count_failing(r)
				? summary_count_judged(r)
				: summary_count_failing(r));
	else if (r->judgement)
		fprintf(p->to, ", within all limits (%zu)", summary_count_judged(r));
	if (summary_count_accepted(r))
		fprintf(p->to, ", %zu of them accepted", summary_count_accepted(r));
	if (summary_count_tolerated(r))
		fprintf(p->to, ", %zu of them within the tolerance", summary_count_tolerated(r));
	fputs(".\n", p->to);
}

/* "**NEW**: 77,531,414 `Ir`, no base to compare with" */
static void print_md_alone(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool is_new = d->options.missing == DIFF_NO_BASE;
	char cost[TEXT_NUMBER];

	fprintf(p->to, "**%s**: %s ", md_outcome(summary_outcome(r)),
		text_cost(is_new ? diff_head_value(d, d->head->total)
				 : diff_base_value(d, d->base->total),
			  cost));
	md_code(p, d->options.metric, MD_CELL);
	fputs(is_new ? ", no base to compare with" : " in base, no head", p->to);
	if (is_new && summary_count_failing(r))
		fprintf(p->to, ", %zu limit%s exceeded", summary_count_failing(r),
			summary_count_failing(r) == 1 ? "" : "s");
	fputs(".\n", p->to);
}

/* Whether nothing in a sentence is live in markdown: no markup, mention, emoji or link. */
static bool is_plain(const char *text)
{
	static const char plain[] = " ,.;()%+-='";

	for (const char *c = text; *c; c++) {
		bool letter = isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80;
		if (!letter && !strchr(plain, *c) && !(*c == ':' && c[1] == ' '))
			return false;
	}
	return !strstr(text, "www.");
}

static void print_md_sentence(struct md_page *p, const char *text)
{
	char *safe = text_safe(text);

	if (!safe)
		p->failed = true;
	else if (is_plain(safe))
		fputs(safe, p->to);
	else
		md_code(p, text, 0);
	free(safe);
}

void md_remarks(struct md_page *p, const struct remarks *r, const char *bench)
{
	for (size_t i = 0; r && i < r->count; i++) {
		md_row(p, MD_KEEP_LONGEST);
		fputs("⚠️ ", p->to);
		if (bench) {
			md_code(p, bench, MD_CELL);
			fputs(": ", p->to);
		}
		print_md_sentence(p, r->items[i].text);
		fputs(".", p->to);
		if (r->items[i].advice) {
			fputc(' ', p->to);
			print_md_sentence(p, r->items[i].advice);
		}
		fputs("\n\n", p->to);
	}
	if (r && r->count)
		md_rows_end(p, "remarks");
}

static void print_md_origin(struct md_page *p, const char *side, const struct report_origin *o)
{
	const char *facts[] = { o->command, o->commit, o->when };
	const char *titles[] = { "", "commit ", "written " };

	if (!*o->name)
		return;
	fprintf(p->to, "- %s ", side);
	md_code(p, o->name, MD_FACT);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		if (!facts[i] || !*facts[i])
			continue;
		fprintf(p->to, ", %s", titles[i]);
		md_code(p, facts[i], MD_FACT);
		if (facts[i] == o->commit && o->changed)
			fputs(" with changes", p->to);
	}
	fputc('\n', p->to);
}

static void print_md_origins(struct md_page *p, const struct diff_report *r)
{
	print_md_origin(p, "base", &r->base);
	print_md_origin(p, "head", &r->head);
	if (r->filter) {
		fprintf(p->to, "- %ss that match ", cg_rollup_word(r->diff->options.by));
		md_code(p, r->filter, MD_FACT);
		fputc('\n', p->to);
	}
}

/* ---- metrics ---- */

/* Whether more of it is worse: more hits may just be fewer misses. */
static bool is_bad_bench(const char *metric)
{
	return strcmp(metric, "L1hits") != 0 && strcmp(metric, "LLhits") != 0;
}

static void print_md_metric(struct md_page *p, const struct diff *d, const char *name, int64_t b,
			    int64_t h)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], delta[TEXT_NUMBER], change[TEXT_NUMBER];
	enum diff_class c = is_bad_bench(name) ? summary_classify(d, name, b, h) : DIFF_UNCHANGED;

	md_row(p, MD_METRICS);
	fputs("| ", p->to);
	md_code(p, name, MD_CELL);
	fprintf(p->to, " | %s | %s | %s | %s | %s |\n", text_cost(b, base), text_cost(h, head),
		text_delta(b, h, delta), text_change(b, h, change),
		c == DIFF_REGRESSED   ? "⚠️ regression"
		: c == DIFF_IMPROVED  ? "✅ improvement"
		: c == DIFF_TOLERATED ? "within tolerance"
				      : "");
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

static void print_unchanged_metrics(struct md_page *p, const struct diff *d)
{
	enum { MOST = 20 };
	const char *lead = "\nUnchanged: ", *name;
	size_t shown = 0;
	int64_t b, h;

	for (size_t i = 0; (name = metric_md_name(d, i)); i++) {
		if (!find_metric(d, name, &b, &h) || b != h || strcmp(name, d->options.metric) == 0)
			continue;
		if (shown++ >= MOST)
			continue;
		fputs(lead, p->to);
		md_code(p, name, MD_CELL);
		lead = ", ";
	}
	if (shown > MOST)
		fprintf(p->to, " and %zu more", shown - MOST);
	fputs(shown ? ".\n" : "", p->to);
}

/* The metric of the comparison first. */
static void print_md_metrics(struct md_page *p, const struct diff *d)
{
	const char *name;
	int64_t b, h;

	fputs("\n| metric | base | head | Δ | change | |\n|---|--:|--:|--:|--:|---|\n", p->to);
	p->table = true;
	if (find_metric(d, d->options.metric, &b, &h))
		print_md_metric(p, d, d->options.metric, b, h);
	for (size_t i = 0; (name = metric_md_name(d, i)); i++)
		if (strcmp(name, d->options.metric) != 0 && find_metric(d, name, &b, &h) && b != h)
			print_md_metric(p, d, name, b, h);
	md_rows_end(p, "metrics");
	p->table = false;
	print_unchanged_metrics(p, d);
}

/* ---- limits ---- */

/* All of it is code, for the reason is anybody's words. */
static void print_markdown_acceptance(struct md_page *p, const struct limit_verdict *v)
{
	char *words = NULL;
	size_t size = 0;
	FILE *to = v->acceptance ? open_memstream(&words, &size) : NULL;

	if (!to) {
		p->failed |= v->acceptance != NULL;
		return;
	}
	summary_print_acceptance(v, to);
	if (fclose(to) != 0)
		p->failed = true;
	fputs("; ", p->to);
	md_code(p, words ? words : "", 0);
	free(words);
}

static void print_md_limit(struct md_page *p, const struct limit_verdict *v, bool fails)
{
	const struct limit *limit = v->rule.limit;
	char *counts = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&counts, &size);

	if (!to) {
		p->failed = true;
		return;
	}
	summary_print_counts(v, to);
	if (fclose(to) != 0)
		p->failed = true;
	bool forgiven = v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED;
	md_row(p, fails || forgiven ? MD_KEEP_LONGEST : MD_LIMITS_KEPT);
	fprintf(p->to, "| %s%s | %s",
		fails                     ? "⚠️ "
		: v->status == LIMIT_PASS ? "✅ "
		: forgiven                ? "☑️ "
					  : "",
		limit_status_name(v->status), limit->inclusive ? "inclusive " : "");
	md_code(p, limit->metric, MD_CELL);
	if (v->subject || limit->function) {
		fputs(v->subject || limit->module ? " of " : " of functions ", p->to);
		md_code(p, v->subject ? v->subject : limit->function, MD_CELL);
	}
	fputs(" | ", p->to);
	md_code(p, limit->text, MD_CELL);
	fputs(" | ", p->to);
	print_md_sentence(p, counts ? counts : "");
	free(counts);
	print_markdown_acceptance(p, v);
	fputs(" |\n", p->to);
}

/* Those that fail come first. */
void md_limits(struct md_page *p, const struct diff_report *r, unsigned level)
{
	const struct judgement *j = r->judgement;

	if (!j || j->count == 0)
		return;
	md_heading(p, level, "Limits");
	fputs("| | of | limit | base → head |\n|---|---|---|---|\n", p->to);
	p->table = true;
	for (int failing = 1; failing >= 0; failing--)
		for (size_t i = 0; i < j->count; i++)
			if (j->verdicts[i].fails == (failing == 1))
				print_md_limit(p, &j->verdicts[i], failing == 1);
	md_rows_end(p, "limits");
	p->table = false;
}

/* ---- what stands out ---- */

/* Evidence names functions in the middle of a sentence, so all of it is code: nothing in it is
 * live. */
static void print_insights(struct md_page *p, const struct diff_report *r, unsigned level)
{
	const struct insights *list = r->insights;

	if (!list || list->count == 0)
		return;
	md_heading(p, level, "Insights");
	for (size_t i = 0; i < list->count; i++) {
		const struct insight *insight = &list->items[i];
		md_row(p, MD_INSIGHTS);
		fputs("- ", p->to);
		md_code(p, insight->title, MD_FACT);
		fputs(": ", p->to);
		md_code(p, insight->evidence, 0);
		if (!insight->less) {
			fputs(" ", p->to);
			md_code(p, insight->rule->advice, 0);
		}
		fputc('\n', p->to);
	}
	md_rows_end(p, "insights");
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

/* A key may have anything after its dot. */
static void print_fact_name(struct md_page *p, const struct environment_difference *d)
{
	const char *member = fact_member(d->kind, d->key);

	if (d->kind->key)
		fprintf(p->to, "%s%s", d->kind->name, member ? " " : "");
	if (member)
		md_code(p, member, MD_CELL);
}

static void print_difference(struct md_page *p, const struct environment_difference *d)
{
	md_row(p, MD_METRICS);
	fputs("| ", p->to);
	print_fact_name(p, d);
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

static void print_md_environment(struct md_page *p, const struct diff_report *r, unsigned level)
{
	const struct environment_diff *e = r->environment;

	if (e->count == 0)
		return;
	md_heading(p, level, "Environment differences");
	fputs("| | base | head | affects counts? |\n|---|---|---|---|\n", p->to);
	p->table = true;
	for (size_t i = 0; i < e->count; i++)
		print_difference(p, &e->differences[i]);
	md_rows_end(p, "differences");
	p->table = false;
	if (e->moving)
		print_remedies(p, e);
}

/* What else is another one than the code: compilers and flags first. */
static void print_subject(struct md_page *p, const struct diff_report *r)
{
	const struct environment_diff *e = r->environment;

	for (size_t i = 0; i < e->nsubject; i++) {
		const struct environment_difference *d = &e->subject[i];
		if (!environment_is_news(d))
			continue;
		fputs("- ", p->to);
		print_fact_name(p, d);
		fputs(": ", p->to);
		md_code(p, d->base_short, MD_FACT);
		fputs(" → ", p->to);
		md_code(p, d->head_short, MD_FACT);
		fputc('\n', p->to);
	}
}

/* ---- all of it ---- */

static void print_md_functions(struct md_page *p, const struct diff_report *r, unsigned level)
{
	md_functions(p, r, level);
	md_causes(p, r, level);
	md_function_tables(p, r, level);
	md_depth(p, r, level);
	md_advice(p, r, level);
}

int md_bench(struct md_page *p, const struct bench_report *b, unsigned level)
{
	const struct diff_report *r = &b->diff;

	if (!summary_is_difference(r)) {
		print_md_alone(p, r);
		fputc('\n', p->to);
		print_md_origins(p, r);
		md_limits(p, r, level);
		return p->failed ? CG_ENOMEM : CG_OK;
	}
	print_md_verdict(p, r);
	if (r->environment->moving)
		fputs("\n⚠️ Base and head were measured in **different environments** (see below), which "
		      "may explain the change.\n",
		      p->to);
	fputc('\n', p->to);
	if (level == MD_SINGLE)
		md_remarks(p, r->remarks, NULL);
	print_md_origins(p, r);
	print_subject(p, r);
	print_md_metrics(p, r->diff);
	md_limits(p, r, level);
	if (r->diff->options.by == CG_BY_FUNCTION)
		print_md_functions(p, r, level);
	else
		md_groups(p, r, level);
	print_insights(p, r, level);
	print_md_environment(p, r, level);
	md_reproduce(p, r);
	return p->failed ? CG_ENOMEM : CG_OK;
}
