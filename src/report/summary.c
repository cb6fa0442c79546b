#include "src/report/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/diff/accepted.h"
#include "src/diff/threads.h"
#include "src/report/cause_change.h"
#include "src/report/cause_words.h"
#include "src/report/meant_function.h"
#include "src/report/metric_words.h"
#include "src/report/unseen_inlined.h"
#include "src/text/shell.h"
#include "src/text/short_name.h"

static int64_t base_total(const struct diff_report *r)
{
	return diff_base_value(r->diff, r->diff->base->total);
}

static int64_t head_total(const struct diff_report *r)
{
	return diff_head_value(r->diff, r->diff->head->total);
}

enum diff_class summary_classify(const struct diff *d, const char *metric, int64_t base,
				 int64_t head)
{
	uint64_t distance = cg_distance(base, head);
	unsigned __int128 share = (unsigned __int128)distance * 1000000000;
	unsigned __int128 least = (unsigned __int128)cg_magnitude(base) * d->options.threshold_ppb;

	if (distance == 0 || distance < diff_min_delta(d, metric) || share < least)
		return DIFF_UNCHANGED;
	if (distance <= diff_tolerance(d, metric))
		return DIFF_TOLERATED;
	return head > base ? DIFF_REGRESSED : DIFF_IMPROVED;
}

static enum diff_class classify_bench(const struct diff_report *r)
{
	return summary_classify(r->diff, r->diff->options.metric, base_total(r), head_total(r));
}

bool summary_is_difference(const struct diff_report *r)
{
	return r->diff->options.missing == DIFF_BOTH_THERE;
}

static bool fails_by(const struct diff_report *r, enum limit_status status)
{
	for (size_t i = 0; i < r->judgement->count; i++)
		if (r->judgement->verdicts[i].fails && r->judgement->verdicts[i].status == status)
			return true;
	return false;
}

/* A ceiling or an `=` can be broken by what got better, and a limit on a function where the total
 * stays as it is. */
static enum outcome failed_outcome(const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool exceeded = fails_by(r, LIMIT_EXCEEDED);
	bool grew = d->options.missing == DIFF_BOTH_THERE &&
		    diff_head_value(d, d->head->total) > diff_base_value(d, d->base->total);

	if (exceeded && grew)
		return OUTCOME_REGRESSION;
	return fails_by(r, LIMIT_MISSING) ? OUTCOME_MISSING
	       : exceeded                 ? OUTCOME_EXCEEDED
					  : OUTCOME_UNJUDGED;
}

enum outcome summary_outcome(const struct diff_report *r)
{
	if (r->untrusted)
		return OUTCOME_UNTRUSTED;
	if (r->diff->options.missing == DIFF_NO_HEAD)
		return summary_count_failing(r) ? OUTCOME_MISSING : OUTCOME_REMOVED;
	if (r->judgement && remarks_judge(r->remarks, r->diff, r->judgement) == JUDGED_INCONCLUSIVE)
		return OUTCOME_INCONCLUSIVE;
	if (r->diff->options.missing == DIFF_NO_BASE)
		return summary_count_failing(r) ? failed_outcome(r) : OUTCOME_NEW;
	enum diff_class c = classify_bench(r);
	if (r->judgement && r->judgement->failing)
		return failed_outcome(r);
	if (c == DIFF_TOLERATED || (c == DIFF_UNCHANGED && summary_count_tolerated(r)))
		return OUTCOME_TOLERATED;
	if (r->judgement)
		return OUTCOME_PASS;
	return c == DIFF_REGRESSED  ? OUTCOME_REGRESSION
	       : c == DIFF_IMPROVED ? OUTCOME_IMPROVEMENT
				    : OUTCOME_NEUTRAL;
}

const char *summary_outcome_name(enum outcome o)
{
	static const char *const names[] = { "NEUTRAL",          "REGRESSION",
					     "IMPROVEMENT",      "PASS",
					     "WITHIN TOLERANCE", "NEW",
					     "REMOVED",          "MISSING IN HEAD",
					     "LIMIT EXCEEDED",   "LIMIT NOT JUDGED",
					     "INCONCLUSIVE",     "NOT COMPARABLE" };
	return names[o];
}

const char *summary_verdict(const struct diff_report *r, char buffer[SUMMARY_VERDICT])
{
	enum outcome o = summary_outcome(r);
	bool accepted = o == OUTCOME_PASS && summary_count_accepted(r);

	snprintf(buffer, SUMMARY_VERDICT, "%s%s%s%s", summary_outcome_name(o),
		 accepted ? ", accepted" : "",
		 summary_lacks_limit(r) ? ", no limit on the total" : "",
		 r->not_run ? ", measured earlier" : "");
	return buffer;
}

bool summary_is_bad(enum outcome o)
{
	return o == OUTCOME_REGRESSION || o == OUTCOME_EXCEEDED || o == OUTCOME_MISSING ||
	       o == OUTCOME_UNJUDGED || o == OUTCOME_INCONCLUSIVE || o == OUTCOME_UNTRUSTED;
}

/* However little it is: whoever accepted it is to be read. */
static bool has_acceptance(const struct diff_report *r)
{
	for (size_t i = 0; r->judgement && i < r->judgement->count; i++)
		if (r->judgement->verdicts[i].acceptance)
			return true;
	return false;
}

bool summary_has_changes(const struct diff_report *r)
{
	return summary_count_failing(r) || has_acceptance(r) || r->changed ||
	       summary_is_bad(summary_outcome(r)) || diff_is_change(classify_bench(r));
}

static bool has_limit_on_total(const struct diff_report *r)
{
	const struct judgement *j = r->judgement;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit *limit = j->verdicts[i].rule.limit;
		if (limit_was_judged(j->verdicts[i].status) && !limit->function &&
		    metric_is_same(limit->metric, r->diff->options.metric))
			return true;
	}
	return false;
}

bool summary_lacks_limit(const struct diff_report *r)
{
	return r->judgement && summary_outcome(r) == OUTCOME_PASS && summary_is_difference(r) &&
	       classify_bench(r) == DIFF_REGRESSED && !has_limit_on_total(r);
}

bool summary_mixes_metrics(const struct suite_report *r)
{
	for (size_t i = 1; i < r->count; i++)
		if (strcmp(r->benches[i].diff.diff->options.metric,
			   r->benches[0].diff.diff->options.metric) != 0)
			return true;
	return false;
}

/* Counts of different metrics have no mean in common, and nearly all profiles have Ir. */
static const char *mean_metric(const struct suite_report *r)
{
	return summary_mixes_metrics(r) ? "Ir" : r->benches[0].diff.diff->options.metric;
}

static bool find_both_totals(const struct diff_report *r, const char *metric, int64_t *base,
			     int64_t *head)
{
	const struct diff *d = r->diff;
	struct metric in_base, in_head;

	if (!summary_is_difference(r) || !metric_find(d->base, metric, &in_base) ||
	    !metric_find(d->head, metric, &in_head))
		return false;
	*base = metric_value(&in_base, d->base->total);
	*head = metric_value(&in_head, d->head->total);
	return true;
}

bool summary_geometric_mean(const struct suite_report *r, double *mean)
{
	const char *metric = r->count ? mean_metric(r) : NULL;
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++) {
		int64_t base, head;
		if (!find_both_totals(&r->benches[i].diff, metric, &base, &head))
			continue;
		if (base <= 0 || head <= 0)
			return false;
		sum += log((double)head / (double)base);
		count++;
	}
	if (count)
		*mean = exp(sum / (double)count);
	return count > 0;
}

void summary_print_mean(const struct suite_report *r, FILE *to)
{
	enum { SCALE = 1000000000 };
	char change[TEXT_NUMBER];
	double mean;

	if (!summary_geometric_mean(r, &mean) || mean >= SCALE)
		return;
	fprintf(to, "\nGeometric mean of head / base%s: %s\n",
		summary_mixes_metrics(r) ? " of Ir" : "",
		text_change(SCALE, (int64_t)(mean * SCALE + 0.5), change));
}

bool summary_has_shares(const struct causes *c)
{
	const uint64_t half = c->sum_of_sizes / 2 + c->sum_of_sizes % 2;

	return c->delta && half <= cg_magnitude(c->delta);
}

int64_t summary_smaller_causes(const struct diff_report *r, size_t shown)
{
	int64_t sum = r->smaller_delta;

	for (size_t i = shown; i < r->ncauses; i++) {
		cg_add_cost_clipped(&sum, r->causes->items[r->chosen_causes[i]].delta);
	}
	return sum;
}

void summary_print_total(const struct diff_report *r, FILE *to)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = base_total(r), h = head_total(r);

	if (!summary_is_difference(r)) {
		bool is_new = r->diff->options.missing == DIFF_NO_BASE;
		fprintf(to, "%s ", text_cost(is_new ? h : b, head));
		print_compared_metric(r->diff, to);
		fputs(is_new ? ", no base to compare with" : " in base, no head", to);
		return;
	}
	fprintf(to, "%s → %s ", text_cost(b, base), text_cost(h, head));
	print_compared_metric(r->diff, to);
	fprintf(to, " (%s)", text_change(b, h, change));
	if (diff_tolerates(r->diff, b, h))
		fprintf(to, ", within the tolerance of %s", text_count(r->diff->tolerance, change));
}

/* Whether any changed, each too little to be one of the rows. */
static bool has_small_changes(const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool any = base_total(r) != head_total(r);

	for (size_t i = 0; !any && i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		any = diff_base_value(d, row->base.self) != diff_head_value(d, row->head.self);
	}
	return any;
}

/* Without a threshold, the default is no longer one. */
static bool has_min_delta(const struct diff_options *o)
{
	return o->min_delta > 1 && (!o->threshold_ppb || o->min_delta != DIFF_DEFAULT_MIN_DELTA);
}

const char *summary_small_options(const struct diff_report *r)
{
	const struct diff_options *o = &r->diff->options;

	if (r->fixed_threshold)
		return "";
	if (has_min_delta(o))
		return o->threshold_ppb ? " --threshold=0 --min-delta=0" : " --min-delta=0";
	return o->threshold_ppb ? " --threshold=0" : "";
}

bool summary_hides_small(const struct diff_report *r)
{
	return !r->unmatched && !r->filter && !r->changed && has_small_changes(r);
}

const char *summary_details_option(const struct diff_report *r)
{
	const struct diff_options *o = &r->diff->options;
	bool small = o->rows_below_threshold || o->rows_below_min_delta;

	return small || summary_hides_small(r) ? " --threshold=0" : "";
}

void summary_print_no_rows(const struct diff_report *r, FILE *to)
{
	if (r->unmatched) {
		fprintf(to, "%s matches the filter", cg_rollup_word(r->diff->options.by));
		return;
	}
	fprintf(to, "%s%s changed%s%s", cg_rollup_word(r->diff->options.by),
		r->filter    ? " that matches the filter"
		: r->changed ? " that is not ignored"
			     : "",
		r->only_inclusive ? " in self cost" : "",
		summary_hides_small(r) ? " by more than the threshold" : "");
}

static void print_short(const char *name, unsigned width, FILE *to)
{
	char *text = text_name(name, width);
	fputs(text ? text : "(out of memory)", to);
	free(text);
}

void summary_print_limit(const struct limit_verdict *v, unsigned width, FILE *to)
{
	const struct limit *limit = v->rule.limit;

	fputs(v->inclusive ? "inclusive " : "", to);
	text_print_name(to, limit->metric, 0);
	if (v->subject || limit->function) {
		fputs(v->subject || limit->module ? " of " : " of fn:", to);
		print_short(v->subject ? v->subject : limit->function, width, to);
	}
	if (v->place) {
		fputs(" in ", to);
		text_print_name(to, v->place, 0);
	}
	if (limit->kind == LIMIT_PRESENT) {
		fputs(" of the benchmark", to);
		return;
	}
	fputs(" limit ", to);
	text_print_name(to, limit->text, 0);
}

void summary_print_limit_place(const struct limit *limit, const char *here, FILE *to)
{
	if (limit_is_default(limit))
		fputs("  (default)", to);
	if (!limit->file || !limit->line)
		return;
	fputs("  (", to);
	text_print_path(to, limit->file, here);
	fprintf(to, ":%llu)", (unsigned long long)limit->line);
}

/* "allowed up to 1, within the tolerance of 5" */
static void print_allowed(const struct limit_verdict *v, FILE *to)
{
	char allowed[TEXT_NUMBER];

	if (v->has_allowed)
		fprintf(to, "%s %s",
			v->rule.limit->kind == LIMIT_EQUAL ? "must be" : "allowed up to",
			text_cost(v->allowed, allowed));
	if (v->status == LIMIT_TOLERATED || (v->status == LIMIT_EXCEEDED && v->counts.tolerance))
		fprintf(to, ", %s the tolerance of %s",
			v->status == LIMIT_EXCEEDED ? "beyond" : "within",
			text_count(v->counts.tolerance, allowed));
}

static void print_judged(const struct limit_verdict *v, FILE *to)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = v->counts.base, h = v->counts.head;

	if (v->counts.has_base)
		fprintf(to, "%s → %s (%s)", text_cost(b, base), text_cost(h, head),
			text_change(b, h, change));
	else
		fputs(text_cost(h, head), to);
	fputs(v->has_allowed ? ", " : "", to);
	print_allowed(v, to);
	if (!v->replaced)
		return;
	fputs("; ", to);
	print_short(v->replaced, 0, to);
	fprintf(to, " is gone (%s) and may be its earlier name",
		text_cost(v->replacement_cost, head));
}

static void print_summary_missing(const struct limit_verdict *v, FILE *to)
{
	char cost[TEXT_NUMBER];

	fprintf(to, "%s in base, missing in head",
		v->counts.has_base ? text_cost(v->counts.base, cost) : "inlined");
	if (!v->replacement)
		return;
	fputs("; ", to);
	print_short(v->replacement, 0, to);
	fprintf(to, " is new (%s) and may have replaced it", text_cost(v->replacement_cost, cost));
}

static void print_unmatched(const struct diff *d, const struct limit *limit, FILE *to)
{
	struct unseen_inlined unseen;

	fputs("matches no function", to);
	if (!limit->module && unseen_inlined_find(d, &unseen)) {
		fputs("; it may be inlined in ", to);
		text_print_name(to, cg_base_name(unseen.object), 0);
		fprintf(to, ", which has no debug information (-g) in %s", unseen.where);
		return;
	}
	char *meant = limit_meant_function(d, limit);
	if (!meant)
		return;
	fputs("; did you mean ", to);
	print_short(meant, 0, to);
	fputc('?', to);
	free(meant);
}

void summary_print_counts(const struct diff *d, const struct limit_verdict *v, FILE *to)
{
	switch (v->status) {
	case LIMIT_PASS:
	case LIMIT_EXCEEDED:
	case LIMIT_ACCEPTED:
	case LIMIT_TOLERATED:
		print_judged(v, to);
		break;
	case LIMIT_NO_MATCH:
		print_unmatched(d, v->rule.limit, to);
		break;
	case LIMIT_NO_BASE:
		fputs("no base to compare with", to);
		break;
	case LIMIT_MISSING:
		print_summary_missing(v, to);
		break;
	case LIMIT_UNCOUNTED:
		fputs(v->fails
			      ? "inlined in head, where not all calls are counted: keep it out of "
				"line, or limit its Ir"
			      : "an installed library inlines its own, whose calls are not counted",
		      to);
		break;
	default:
		fputs(limit_status_name(v->status), to);
	}
}

void summary_print_allowed(const struct diff_report *r, const struct limit_verdict *v, FILE *to)
{
	const struct limit *limit = v->rule.limit;
	bool of_total = !v->subject && !limit->function &&
			metric_is_same(limit->metric, r->diff->options.metric);

	if (of_total && v->has_allowed && limit_was_judged(v->status))
		print_allowed(v, to);
	else
		summary_print_counts(r->diff, v, to);
}

static void print_transition(bool has_base, int64_t base, int64_t head, FILE *to)
{
	char cost[TEXT_NUMBER];

	if (has_base)
		fprintf(to, "%s → ", text_cost(base, cost));
	fputs(text_cost(head, cost), to);
}

void summary_print_acceptance(const struct limit_verdict *v, FILE *to)
{
	const struct acceptance *a = v->acceptance;

	if (v->status == LIMIT_ACCEPTED) {
		fprintf(to, "accepted %s", a->date);
		if (a->who) {
			fputs(" by ", to);
			text_print_name(to, a->who, 0);
		}
		fputs(": ", to);
		text_print_name(to, a->why, 0);
		return;
	}
	fputs("the acceptance of ", to);
	print_transition(a->has_base, a->base, a->head, to);
	fputs(" has expired; to accept ", to);
	print_transition(v->counts.has_base, v->counts.base, v->counts.head, to);
	fputs(": irdiff baseline accept ", to);
	if (shell_is_plain(a->benchmark))
		shell_print_quoted(to, a->benchmark);
	else
		fputs("BENCH", to);
	fputs(" --why=TEXT", to);
}

static size_t count_status(const struct diff_report *r, enum limit_status status)
{
	size_t n = 0;
	for (size_t i = 0; r->judgement && i < r->judgement->count; i++)
		n += r->judgement->verdicts[i].status == status;
	return n;
}

size_t summary_count_accepted(const struct diff_report *r)
{
	return count_status(r, LIMIT_ACCEPTED);
}

size_t summary_count_tolerated(const struct diff_report *r)
{
	return count_status(r, LIMIT_TOLERATED);
}

void summary_print_cause_name(const struct diff_report *r, const struct cause *c, unsigned width,
			      FILE *to)
{
	char *name = cause_name(r, c, width);

	fputs(name ? name : "(out of memory)", to);
	free(name);
}

void summary_print_cause_change(const struct diff_report *r, const struct cause *c, unsigned width,
				FILE *to)
{
	char share[TEXT_NUMBER];

	cause_print_change(r->causes, c, width, to);
	if (c->kind == CAUSE_SELF && cause_print_included(r->causes->tree, c, " (", width, to))
		fputc(')', to);
	if (cause_print_parts(r->causes, c, " (", width, to))
		fputc(')', to);
	fputs(", ", to);
	cause_print_delta(c, to);
	fputc(' ', to);
	text_print_name(to, r->diff->options.metric, 0);
	if (summary_has_shares(r->causes))
		fprintf(to, " (%s of the change)", text_part(c->delta, r->causes->delta, share));
}

void summary_print_cause(const struct diff_report *r, const struct cause *c, unsigned width,
			 FILE *to)
{
	summary_print_cause_name(r, c, width, to);
	fputs(": ", to);
	summary_print_cause_change(r, c, width ? TEXT_SENTENCE_NAME : 0, to);
}

void summary_print_function_name(const struct diff_row *row, unsigned width, FILE *to)
{
	print_short(row->name, width, to);
}

void summary_print_function_change(const struct diff_report *r, const struct diff_row *row,
				   FILE *to)
{
	const struct diff *d = r->diff;
	char delta[TEXT_NUMBER];

	fprintf(to, "%s, %s ", diff_reason(d, row),
		text_delta(diff_base_value(d, row->base.self), diff_head_value(d, row->head.self),
			   delta));
	text_print_name(to, d->options.metric, 0);
}

void summary_print_function(const struct diff_report *r, const struct diff_row *row, unsigned width,
			    FILE *to)
{
	summary_print_function_name(row, width, to);
	fputs(": ", to);
	summary_print_function_change(r, row, to);
}

bool summary_concerns(const struct diff_report *r, const struct limit_verdict *v,
		      const struct cause *c)
{
	const struct tree_row *rows = r->causes->tree->rows;

	if (!metric_is_same(v->rule.limit->metric, r->diff->options.metric))
		return false;
	if (!v->rule.limit->function)
		return true;
	if (!v->subject)
		return false;
	/* What a function calls counts for others, unless its callees count, too. */
	for (uint32_t i = 0; i < c->nshares; i++)
		if (strcmp(rows[r->causes->shares[c->first_share + i].row].name, v->subject) == 0)
			return true;
	return strcmp(rows[c->row].name, v->subject) == 0 ||
	       (v->inclusive && strcmp(rows[c->caller].name, v->subject) == 0);
}

void summary_print_environment(const struct diff_report *r, FILE *to)
{
	for (size_t i = 0; i < r->environment->moving; i++) {
		fputs(i ? ", " : "", to);
		text_print_name(to, r->environment->differences[i].name, 0);
		if (r->environment->differences[i].features)
			fprintf(to, ": %s", r->environment->differences[i].features);
	}
}

bool summary_may_be_accepted(const struct diff_report *r)
{
	return r->judgement && !r->untrusted && summary_outcome(r) != OUTCOME_INCONCLUSIVE &&
	       (fails_by(r, LIMIT_EXCEEDED) || fails_by(r, LIMIT_MISSING));
}

size_t summary_count_failing(const struct diff_report *r)
{
	return r->judgement ? r->judgement->failing : 0;
}

size_t summary_count_judged(const struct diff_report *r)
{
	size_t n = 0;
	for (size_t i = 0; r->judgement && i < r->judgement->count; i++)
		n += limit_was_judged(r->judgement->verdicts[i].status);
	return n;
}
