#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/diff/metric.h"
#include "src/report/cause_words.h"
#include "src/report/markdown/markdown.h"
#include "src/report/merge_causes.h"
#include "src/report/metric_option.h"
#include "src/report/source_pattern.h"
#include "src/text/shell.h"
#include "src/text/short_name.h"

/* ---- the cause that a table names ---- */

/* The largest of those that go where the total goes; or of all, where that is what is left of
 * larger changes. */
static const struct cause *find_top_cause(const struct diff_report *r)
{
	const bool any = r->causes && !summary_has_shares(r->causes);
	const struct cause *first = NULL;

	for (size_t i = 0; r->causes && i < r->ncauses; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		if (any || (c->delta > 0) == (r->causes->delta > 0))
			return c;
		first = first ? first : c;
	}
	return first;
}

static const struct diff_row *find_top_row(const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool grew = diff_head_value(d, d->head->total) > diff_base_value(d, d->base->total);
	const struct diff_row *first = NULL;

	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &d->rows[r->rows[i]];
		int64_t b = diff_base_value(d, row->base.self);
		int64_t h = diff_head_value(d, row->head.self);
		if ((h > b) == grew)
			return row;
		first = first ? first : row;
	}
	return first;
}

/* "24 → 60 per call" of a function's self cost. */
static void print_each(struct md_page *p, const struct cause *c)
{
	char pair[TEXT_PAIR];

	fprintf(p->to, "%s per call",
		text_per_call_pair(c->base_cost, c->base_calls, c->head_cost, c->head_calls, pair));
}

/* "parse → next" without what else there is to know of it. */
static void print_short_name(struct md_page *p, const struct diff_report *r, const struct cause *c)
{
	const struct tree_row *rows = r->causes->tree->rows;
	const char *by = cause_caller(r->causes->tree, c);
	bool own = !by;
	char *caller = own ? NULL : text_name(by, MD_CELL / 2);
	char *name = text_name(rows[c->row].name, own ? MD_CELL : MD_CELL / 2), *both = NULL;

	if (!name || (!own && !caller) ||
	    asprintf(&both, "%s%s%s", own ? "" : caller, own ? "" : " → ", name) < 0)
		p->failed = true;
	else
		md_code(p, both, 0);
	free(both);
	free(name);
	free(caller);
}

static void print_short_cause(struct md_page *p, const struct diff_report *r, const struct cause *c)
{
	char calls[TEXT_PAIR];

	print_short_name(p, r, c);
	fprintf(p->to, ": %s", cause_reason(c));
	if (cause_has_per_call(c)) {
		fputc(' ', p->to);
		print_each(p, c);
	} else if (c->kind == CAUSE_CALLS && c->base_calls != c->head_calls) {
		fprintf(p->to, " %s", text_calls(c->base_calls, c->head_calls, calls));
	} else if (c->kind == CAUSE_SELF || c->kind == CAUSE_TOGETHER) {
		fprintf(p->to, " %s", text_delta(0, c->delta, calls));
		return;
	}
	/* Otherwise it would be taken for a reason of the change. */
	if ((c->delta > 0) != (r->causes->delta > 0))
		fprintf(p->to, ", %s%s", c->estimated ? "~" : "", text_delta(0, c->delta, calls));
}

void md_top_cause(struct md_page *p, const struct diff_report *r)
{
	const struct cause *c = find_top_cause(r);
	const struct diff_row *row = c ? NULL : find_top_row(r);

	if (c && summary_is_difference(r)) {
		print_short_cause(p, r, c);
	} else if (row && summary_is_difference(r)) {
		md_code(p, row->name, MD_CELL);
		fprintf(p->to, ": %s", diff_reason(r->diff, row));
	} else {
		fputs("–", p->to);
	}
}

/* ---- in words ---- */

/* Only where both numbers are known, and the reason is that. */
static bool has_ratio(const struct cause *c)
{
	return c->kind == CAUSE_CALLS && c->base_calls && c->head_calls > c->base_calls &&
	       strcmp(cause_reason(c), "more calls") == 0;
}

/* " 3 times as often (400 → 1,200)" after "`parse` calls `next`". */
static void print_step_calls(struct md_page *p, const struct cause *c)
{
	char calls[TEXT_PAIR];

	if (c->kind == CAUSE_NEW) {
		if (c->head_calls)
			fprintf(p->to, " (%s %s)", text_count(c->head_calls, calls),
				text_calls_word(0, c->head_calls));
		return;
	}
	if (has_ratio(c))
		fprintf(p->to, " %.3g times as often (%s)",
			(double)c->head_calls / (double)c->base_calls,
			text_calls(c->base_calls, c->head_calls, calls));
	else
		fprintf(p->to, " (%s)", cause_reason(c));
}

/* What costs more or less does, in words of its metric. */
static const char *words_of_delta(const char *metric, int64_t delta)
{
	static const struct {
		const char *event, *more, *less;
	} known[] = {
		{ "AllocBlocks", "allocates more blocks", "allocates fewer blocks" },
		{ "AllocBytes", "allocates more memory", "allocates less memory" },
		{ "sysCount", "makes more system calls", "makes fewer system calls" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (metric_is_same(metric, known[i].event))
			return delta < 0 ? known[i].less : known[i].more;
	return delta < 0 ? "costs less" : "costs more";
}

static void print_step_cause(struct md_page *p, const struct merged_cause *s)
{
	const struct tree_row *rows = s->bench->diff.causes->tree->rows;
	const struct cause *c = s->cause;

	if (s->edited) {
		md_code(p, rows[c->row].name, MD_CELL);
		fprintf(p->to, " was edited and %s", words_of_delta(s->metric, s->delta));
	} else if (c->kind == CAUSE_SELF) {
		md_code(p, rows[c->row].name, MD_CELL);
		fprintf(p->to, " itself %s", words_of_delta(s->metric, s->delta));
		if (s->count == 1 && cause_has_per_call(c)) {
			fputs(", ", p->to);
			print_each(p, c);
		}
	} else if (c->kind == CAUSE_TOGETHER) {
		md_code(p, rows[c->row].name, MD_CELL);
		fprintf(p->to, " itself and its calls cost %s", s->delta < 0 ? "less" : "more");
	} else if (cause_is_allocation(c)) {
		md_code(p, rows[c->row].name, MD_CELL);
		fprintf(p->to, " has %s", cause_reason(c));
	} else if (!c->caller) {
		md_code(p, rows[c->row].name, MD_CELL);
		if (c->kind == CAUSE_CALLS)
			fprintf(p->to, " costs %s (%s)", s->delta < 0 ? "less" : "more",
				cause_reason(c));
		else
			fprintf(p->to, " is %s", cause_reason(c));
	} else if (c->kind == CAUSE_INLINED) {
		md_code(p, rows[c->row].name, MD_HALF);
		fprintf(p->to, " is %s into ", cause_reason(c));
		md_code(p, s->caller, MD_HALF);
	} else if (cause_is_possible_work(c)) {
		md_code(p, rows[c->row].name, MD_HALF);
		fprintf(p->to, " %s where ", words_of_delta(s->metric, s->delta));
		md_code(p, s->caller, MD_HALF);
		fputs(" calls it", p->to);
	} else if (c->kind == CAUSE_WORK) {
		md_code(p, s->caller, MD_HALF);
		fputs(" gives ", p->to);
		md_code(p, rows[c->row].name, MD_HALF);
		fprintf(p->to, " %s", cause_reason(c));
	} else {
		md_code(p, s->caller, MD_HALF);
		fputs(c->kind == CAUSE_NEW ? " newly calls " : " calls ", p->to);
		md_code(p, rows[c->row].name, MD_HALF);
		if (s->count == 1)
			print_step_calls(p, c);
		else if (c->kind != CAUSE_NEW)
			fprintf(p->to, " (%s)", cause_reason(c));
	}
}

static void print_step_benches(struct md_page *p, const struct merged_cause *s)
{
	enum { MOST = 3 };

	if (s->count > 1)
		fprintf(p->to, " in %zu benchmarks (", s->count);
	else
		fputs(" in ", p->to);
	for (size_t i = 0; i < s->count && i < MOST; i++) {
		fputs(i ? ", " : "", p->to);
		md_code(p, s[i].bench->name, MD_CELL);
	}
	if (s->count > MOST)
		fputs(", …", p->to);
	fputs(s->count > 1 ? ")" : "", p->to);
}

static void print_step_delta(struct md_page *p, const struct merged_cause *s)
{
	const struct causes *causes = s->bench->diff.causes;
	char delta[TEXT_NUMBER], part[TEXT_NUMBER];

	fprintf(p->to, ": **%s** ", text_delta(0, s->delta, delta));
	md_code(p, s->metric, MD_CELL);
	if (s->count > 1)
		fputs(" in all", p->to);
	else if (s->cause && summary_has_shares(causes) && causes->delta > 0)
		fprintf(p->to, ", %s of the change", text_part(s->delta, causes->delta, part));
	if (s->count == 1 && s->cause && s->cause->estimated)
		fputs(" (estimated)", p->to);
}

/* ---- where to look ---- */

/* "parse.c:12" as far as it is known. */
static void print_step_place(struct md_page *p, const struct merged_cause *s, const char *file,
			     const char *object)
{
	const struct report_place *in_project = &s->bench->cause;
	const char *where = text_is_known(file) ? cg_base_name(file) : object;
	struct cause_place annotated = { .path = in_project->file, .line = in_project->line };
	bool first = s->cause && s->place == 0 && annotated.path && annotated.line;

	if (!first && !s->at && !text_is_known(where))
		return;
	fputc(' ', p->to);
	if (first || s->at)
		md_place_of_cause(p, s->cause, first ? &annotated : s->at);
	else
		md_code(p, where, MD_CELL);
}

/* The code that has to change: of calls that of the caller. */
struct step_code {
	const struct diff *diff;
	const struct report_origin *origin;
	const struct cg_profile *profile;
	const char *name, *file, *object;
};

static struct step_code code_of_step(const struct merged_cause *s)
{
	const struct diff_report *r = &s->bench->diff;
	const struct diff *d = r->diff;

	if (!s->cause)
		return (struct step_code){ d,       &r->head,     d->head,
					   s->name, s->row->file, s->row->object };
	const struct tree_diff *t = r->causes->tree;
	const char *caller = cause_caller(t, s->cause);
	const struct tree_row *at = &t->rows[caller ? s->cause->caller : s->cause->row];
	const struct cause_code own = cause_code_of(t, at);
	bool in_head = at->head.present;
	return (struct step_code){ d,
				   in_head ? &r->head : &r->base,
				   in_head ? d->head : d->base,
				   caller ? caller : own.name,
				   caller ? at->file : own.file,
				   caller ? at->object : own.object };
}

/* Whether an earlier one shows the same, so that it need not be repeated. */
static bool is_repeated(const struct merged_cause *const *steps, size_t i)
{
	struct step_code code = code_of_step(steps[i]);

	for (size_t k = 0; k < i; k++) {
		struct step_code other = code_of_step(steps[k]);
		if (other.origin == code.origin && strcmp(other.name, code.name) == 0 &&
		    strcmp(other.file, code.file) == 0)
			return true;
	}
	return false;
}

/* The command that shows the source. */
static void print_step_command(struct md_page *p, const struct step_code *code)
{
	char pattern[300];
	struct md_text command;

	if (!md_is_nameable(code->origin) || !text_is_known(code->name) ||
	    !text_is_known(code->file) || !shell_is_plain(code->name) ||
	    !source_has_costs(code->profile, code->name, code->file) ||
	    !source_pattern_short(code->profile, code->name, pattern, sizeof pattern))
		return;
	if (!md_text_begin(p, &command))
		return;
	fputs("irdiff show --view=source", command.to);
	print_sort_option(code->diff, code->profile, command.to);
	fputc(' ', command.to);
	shell_print_word(command.to, code->origin->name);
	fputc(' ', command.to);
	shell_print_word(command.to, pattern);
	fputs(": ", p->to);
	md_code(p, md_text_end(p, &command), 0);
	free(command.text);
}

static bool is_same_place(const struct cause_place *a, const struct cause_place *b)
{
	return a && b && a->line == b->line && strcmp(a->path, b->path) == 0;
}

/* Each has its line, if that is known and no other than that of the step before. Then one command
 * is enough to show how to see more. */
static void print_step_source(struct md_page *p, const struct merged_cause *const *steps, size_t i)
{
	const struct merged_cause *s = steps[i];
	struct step_code code = code_of_step(s);
	bool repeated = is_repeated(steps, i);

	if (s->at ? !i || !is_same_place(s->at, steps[i - 1]->at) : !repeated)
		print_step_place(p, s, code.file, code.object);
	if (!repeated && (!i || !s->at))
		print_step_command(p, &code);
}

/* "`f` costs more (more calls)", "`f` is new" */
static void print_step_function(struct md_page *p, const struct merged_cause *s)
{
	enum diff_class c = diff_classify(s->bench->diff.diff, s->row);

	md_code(p, s->name, MD_CELL);
	if (c == DIFF_NEW)
		fputs(" is new", p->to);
	else if (strcmp(s->reason, diff_class_name(c)) == 0)
		fprintf(p->to, " %s", words_of_delta(s->metric, s->delta));
	else
		fprintf(p->to, " %s (%s)", words_of_delta(s->metric, s->delta), s->reason);
}

static void print_md_step(struct md_page *p, const struct merged_cause *s, bool several)
{
	fputs("- ", p->to);
	if (s->row) {
		print_step_function(p, s);
	} else {
		print_step_cause(p, s);
	}
	fputs(s->count > 1 ? "," : "", p->to);
	if (several)
		print_step_benches(p, s);
	print_step_delta(p, s);
	fputc('.', p->to);
}

static void print_files_command(struct md_page *p, const struct diff_report *r)
{
	struct md_text command;

	if (!md_text_begin(p, &command))
		return;
	fputs("irdiff diff --by=file", command.to);
	print_metric_option(r->diff, command.to);
	fputc(' ', command.to);
	shell_print_word(command.to, r->base.name);
	fputc(' ', command.to);
	shell_print_word(command.to, r->head.name);
	fputs(": ", p->to);
	md_code(p, md_text_end(p, &command), 0);
	free(command.text);
}

/* Where no part of it is beyond the threshold or the tolerance, their sum may be. */
static void print_total_step(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	int64_t b = diff_base_value(d, d->base->total), h = diff_head_value(d, d->head->total);
	char delta[TEXT_NUMBER];

	if (!summary_is_difference(r) || d->options.by != CG_BY_FUNCTION || r->filter ||
	    r->changed || summary_classify(d, d->options.metric, b, h) != DIFF_REGRESSED)
		return;
	fprintf(p->to, "\n- Many small changes add up to **%s** ", text_delta(b, h, delta));
	md_code(p, d->options.metric, MD_CELL);
	if (md_is_nameable(&r->base) && md_is_nameable(&r->head))
		print_files_command(p, r);
	fputc('\n', p->to);
}

int md_steps(struct md_page *p, const struct ranked_bench *benches, size_t count, bool several)
{
	enum { MOST = 3 };
	struct merged_causes l = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++)
		status = merged_causes_add(&l, benches[i].bench, MERGE_GROWTH);
	if (!status)
		status = merged_causes_make(&l, false);
	fputs(l.nmerged ? "\n" : "", p->to);
	for (size_t i = 0; !status && i < l.nmerged && i < MOST; i++) {
		print_md_step(p, l.merged[i], several);
		print_step_source(p, l.merged, i);
		fputc('\n', p->to);
	}
	if (!status && !l.nmerged && count == 1)
		print_total_step(p, &benches->bench->diff);
	merged_causes_free(&l);
	return status;
}
