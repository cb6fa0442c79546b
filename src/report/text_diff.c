#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/names.h"
#include "src/report/diff_report.h"
#include "src/report/insights.h"
#include "src/report/shell.h"
#include "src/report/summary.h"
#include "src/report/text_name.h"
#include "src/report/text_table.h"

struct printer {
	const struct diff_report *r;
	const struct diff *d;
	const struct text_style *style;
	FILE *to;
};

/* Of a metric or of a function in it. What may be chance is neither good nor bad. */
static const char *color_of(const struct printer *p, const char *metric, int64_t base, int64_t head)
{
	if (diff_tolerates_in(p->d, metric, base, head))
		return "";
	return head > base ? text_red(p->style) : head < base ? text_green(p->style) : "";
}

/* ---- head: the verdict and which profiles these are ---- */

static const char *verdict(const struct printer *p)
{
	int64_t base = diff_base_value(p->d, p->d->base->total);
	int64_t head = diff_head_value(p->d, p->d->head->total);

	if (p->r->judgement)
		return summary_outcome_name(summary_outcome(p->r));
	if (diff_tolerates(p->d, base, head))
		return "within tolerance";
	return head > base ? "slower" : head < base ? "faster" : "equal";
}

/* Of what there is only one side of. */
static void print_alone(const struct printer *p)
{
	enum outcome o = summary_outcome(p->r);
	bool is_new = p->d->options.missing == DIFF_NO_BASE;

	fputs(text_bold(p->style), p->to);
	text_print_name(p->to, is_new ? p->r->head.name : p->r->base.name, 0);
	fputs(": ", p->to);
	summary_print_total(p->r, p->to);
	fprintf(p->to, "  %s%s%s\n", o == OUTCOME_BROKEN ? text_red(p->style) : "",
		summary_outcome_name(o), text_plain(p->style));
}

static void print_verdict(const struct printer *p)
{
	if (!summary_is_difference(p->r)) {
		print_alone(p);
		return;
	}

	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = diff_base_value(p->d, p->d->base->total);
	int64_t h = diff_head_value(p->d, p->d->head->total);
	bool tolerated = diff_tolerates(p->d, b, h);
	enum outcome o = summary_outcome(p->r);
	bool bad = p->r->judgement ? o != OUTCOME_PASS && o != OUTCOME_TOLERATED : h > b && !tolerated;
	bool good = p->r->judgement ? !bad : h < b && !tolerated;

	fputs(text_bold(p->style), p->to);
	text_print_name(p->to, p->r->head.name, 0);
	fprintf(p->to, ": %s → %s ", text_cost(b, base), text_cost(h, head));
	text_print_name(p->to, p->d->options.metric, 0);
	fprintf(p->to, "  %s%s  %s%s\n", bad ? text_red(p->style) : good ? text_green(p->style) : "",
		text_change(b, h, change), verdict(p), text_plain(p->style));
}

static void print_origin(const struct printer *p, const char *side, const struct report_origin *o,
			 const struct cg_profile *profile)
{
	const char *facts[] = { o->command, o->commit, o->when };
	const char *titles[] = { "", "commit ", "written " };

	fprintf(p->to, "  %s  ", side);
	text_print_name(p->to, *o->name ? o->name : "(there is none)", 0);
	if (profile->left_out)
		fprintf(p->to, "  %" PRIu32 " of %" PRIu64 " parts", profile->nparts,
			profile->nparts + profile->left_out);
	else if (profile->nparts > 1)
		fprintf(p->to, "  %" PRIu32 " parts", profile->nparts);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		if (!facts[i] || !*facts[i])
			continue;
		fprintf(p->to, "  %s", titles[i]);
		text_print_name(p->to, facts[i], p->style->wide ? 0 : 60);
	}
	fputc('\n', p->to);
}

static void print_values(const struct printer *p, const struct environment_difference *d)
{
	unsigned width = p->style->wide ? 0 : 60;

	fputs("  ", p->to);
	text_print_name(p->to, d->name, 0);
	fputs(": ", p->to);
	text_print_name(p->to, d->base_short ? d->base_short : "(absent)", width);
	fputs(" → ", p->to);
	text_print_name(p->to, d->head_short ? d->head_short : "(absent)", width);
	fputc('\n', p->to);
}

/* What else is another one than the code: compilers and flags first. */
static void print_other_facts(const struct printer *p)
{
	const struct environment_diff *e = p->r->environment;

	for (size_t i = 0; i < e->nsubject; i++)
		if (environment_is_news(&e->subject[i]))
			print_values(p, &e->subject[i]);
}

static void print_environment(const struct printer *p)
{
	const struct environment_diff *e = p->r->environment;

	if (e->moving)
		fprintf(p->to, "\n%sWARNING: base and head were measured in different environments; the "
			       "counts may differ for that reason.%s\n",
			text_red(p->style), text_plain(p->style));
	else if (e->count)
		fputs("\nThe environments differ, but in nothing that moves counts:\n", p->to);
	for (size_t i = 0; i < e->count; i++) {
		const struct fact_words *words = e->differences[i].words;
		print_values(p, &e->differences[i]);
		fprintf(p->to, "    %s%s", text_dim(p->style), words->effect);
		if (words->remedy)
			fprintf(p->to, "\n    To remove it: %s.", words->remedy);
		fprintf(p->to, "%s\n", text_plain(p->style));
	}
}

/* ---- how far counts vary ---- */

static void print_variation(const struct printer *p)
{
	const char *bench = summary_benchmark(p->r), *metric = p->d->options.metric;
	char events[TEXT_NUMBER];

	if (p->d->tolerance) {
		fprintf(p->to, "\nTolerance: %s ", text_count(p->d->tolerance, events));
		text_print_name(p->to, metric, 0);
		fputs("; what differs by no more may be chance, and is no change\n", p->to);
	}
	if (!summary_varies(p->r))
		return;
	fprintf(p->to, "\n%sWARNING: ", text_red(p->style));
	summary_print_threads(p->r, p->to);
	fprintf(p->to, ".%s\n  By how much, for tolerance: in irdiff.yml, says:  irdiff verify ",
		text_plain(p->style));
	if (bench)
		shell_print_quoted(p->to, bench);
	else
		fputs("-- COMMAND", p->to);
	fputc('\n', p->to);
}

/* ---- metrics ---- */

static int add_metric(const struct printer *p, struct text_table *t, const char *name)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], delta[TEXT_NUMBER];
	char change[TEXT_NUMBER], marked[TEXT_NUMBER + 20];
	struct metric in_base, in_head;

	if (!metric_find(p->d->base, name, &in_base) || !metric_find(p->d->head, name, &in_head))
		return CG_OK;
	int64_t b = metric_value(&in_base, p->d->base->total);
	int64_t h = metric_value(&in_head, p->d->head->total);
	char *safe = text_safe(name);
	if (!safe)
		return CG_ENOMEM;
	enum diff_missing missing = p->d->options.missing;
	const char *cells[] = { safe, missing == DIFF_NO_BASE ? "–" : text_cost(b, base),
				missing == DIFF_NO_HEAD ? "–" : text_cost(h, head),
				missing ? "–" : text_delta(b, h, delta),
				missing ? "–" : marked };
	snprintf(marked, sizeof marked, "%s%s", text_change(b, h, change),
		 diff_tolerates_in(p->d, name, b, h) ? "  within tolerance" : "");
	int status = text_table_add(t, missing ? "" : color_of(p, name, b, h), cells);
	free(safe);
	return status;
}

static int print_metrics(const struct printer *p)
{
	static const char *const titles[] = { "", "base", "head", "Δ", "change" };
	const struct cg_profile *head = p->d->head;
	size_t nderived = 0;
	struct text_table t;

	while (metric_derived[nderived])
		nderived++;
	int status = text_table_init(&t, head->nevents + nderived + 1, "lrrrl");
	if (!status)
		status = text_table_add(&t, text_dim(p->style), titles);
	for (uint32_t e = 0; !status && e < head->nevents; e++)
		status = add_metric(p, &t, cg_string(head, head->events[e].name));
	for (size_t i = 0; !status && i < nderived; i++)
		status = add_metric(p, &t, metric_derived[i]);
	if (!status) {
		fputc('\n', p->to);
		text_table_print(&t, p->style, p->to);
	}
	text_table_free(&t);
	return status;
}

/* ---- functions ---- */

/* "2,400" or "800 → 2,400"; "–" for what is not there or not known */
static void print_pair(char *buffer, size_t size, const char *base, const char *head)
{
	if (strcmp(base, head) == 0)
		snprintf(buffer, size, "%s", head);
	else
		snprintf(buffer, size, "%s → %s", base, head);
}

/* What of a row is shown: narrow terminals get less. */
struct layout {
	bool inclusive, each;
};

static struct layout choose_layout(const struct text_style *style)
{
	enum { FOR_EACH = 110, FOR_INCLUSIVE = 130 };
	bool unlimited = style->wide || style->width == 0;
	return (struct layout){
		.inclusive = unlimited || style->width >= FOR_INCLUSIVE,
		.each = unlimited || style->width >= FOR_EACH,
	};
}

static int add_cells(struct text_table *t, const char *color, const struct layout *layout,
		     const char *const all[TEXT_MAX_CELLS])
{
	const char *cells[TEXT_MAX_CELLS];
	size_t n = 0;

	for (size_t i = 0; all[i]; i++)
		if ((i != 2 || layout->inclusive) && (i != 4 || layout->each))
			cells[n++] = all[i];
	return text_table_add(t, color, cells);
}

/* The difference of two upper bounds is no bound of the difference. */
static bool is_bound(const struct diff_row *row)
{
	return row->base.bound || row->head.bound;
}

/* The footnote of upper bounds; "" if no row has one. */
static const char *bound_note(const struct diff_report *r)
{
	bool any = false, inlined = false, calls = !diff_self_only(r->diff->base) && !diff_self_only(r->diff->head);
	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &r->diff->rows[r->rows[i]];
		any |= is_bound(row);
		inlined |= (row->base.bound && row->base.inlined) ||
			   (row->head.bound && row->head.inlined);
	}
	return any && !calls ? "  ? not known: only one of both profiles has calls\n" :
	       inlined ? "  ? not known: recursion was not recorded, or is through inlined code: there are "
			 "only upper bounds\n" :
	       any ? "  ? not known: recursion was not recorded, there are only upper bounds\n" : "";
}

/* " (3 → 4 functions without symbols)" where a row holds several. */
static const char *format_unnamed(const struct diff_row *row, char *buffer, size_t size)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], pair[3 * TEXT_NUMBER];
	uint32_t b = row->base.unnamed, h = row->head.unnamed;

	if (b < 2 && h < 2)
		return "";
	print_pair(pair, sizeof pair, text_count(b ? b : h, base), text_count(h ? h : b, head));
	snprintf(buffer, size, " (%s functions without symbols)", pair);
	return buffer;
}

/* The function's name is worth most; then what is to be known of it, then where it is. */
static char *function_name(const struct diff_row *row, const struct layout *layout, unsigned width)
{
	char unnamed[3 * TEXT_NUMBER + 40], *notes;
	const char *moved = row->match == DIFF_MOVED ? " (from another file)" : "";
	bool object = layout->each && text_is_known(row->object);
	bool file = layout->each && text_is_known(row->file);

	for (;; object = object && file, file = false) {
		if (asprintf(&notes, "%s%s%s%s%s%s%s", object ? " [" : "", object ? row->object : "",
			     object ? "]" : "", file ? " " : "", file ? row->file : "", moved,
			     format_unnamed(row, unnamed, sizeof unnamed)) < 0)
			return NULL;
		bool fits = !width || text_width(row->name) + text_width(notes) <= width;
		char *safe = fits || (!object && !file) ? text_safe(notes) : NULL;
		char *name = safe ? text_name_with(row->name, safe, width) : NULL;
		free(safe);
		free(notes);
		if (fits || (!object && !file))
			return name;
	}
}

/* The name follows once it is known how wide it may be. */
static int add_function(const struct printer *p, struct text_table *t, const struct layout *layout,
			const struct diff_row *row)
{
	const struct diff *d = p->d;
	char delta[TEXT_NUMBER], impact[TEXT_NUMBER], inclusive[TEXT_NUMBER];
	char calls[TEXT_PAIR], each[3 * TEXT_NUMBER];
	char first[TEXT_NUMBER], second[TEXT_NUMBER];
	int64_t b = diff_base_value(d, row->base.self), h = diff_head_value(d, row->head.self);
	int64_t total = diff_base_value(d, d->base->total);

	text_calls(row->base.calls, row->head.calls, calls);
	print_pair(each, sizeof each,
		   text_per_call(b, row->base.inlined ? 0 : row->base.calls, first),
		   text_per_call(h, row->head.inlined ? 0 : row->head.calls, second));
	text_delta(diff_base_value(d, row->base.inclusive),
		   diff_head_value(d, row->head.inclusive), inclusive);
	const char *const cells[TEXT_MAX_CELLS] = { text_delta(b, h, delta),
					       text_impact(b, h, total, impact),
					       is_bound(row) ? "?" : inclusive,
					       calls,
					       each,
					       diff_reason(d, row),
					       "" };
	return add_cells(t, color_of(p, d->options.metric, b, h), layout, cells);
}

static void print_no_functions(const struct printer *p)
{
	if (p->r->filter)
		fputs("\nNo function that matches the filter changed.\n", p->to);
	else if (diff_base_value(p->d, p->d->base->total) == diff_head_value(p->d, p->d->head->total))
		fputs("\nNo function changed.\n", p->to);
	else
		fputs("\nNo function changed by more than the threshold.\n", p->to);
}

static int print_functions(const struct printer *p)
{
	static const char *const titles[TEXT_MAX_CELLS] = { "Δ self", "impact", "Δ incl.", "calls",
						       "self per call", "why", "function" };
	const struct diff_report *r = p->r;
	struct layout layout = choose_layout(p->style);
	struct text_table t;

	if (r->nrows == 0) {
		print_no_functions(p);
		return CG_OK;
	}
	int status = text_table_init(&t, r->nrows + 1, layout.inclusive ? "rrrrrll" :
						  layout.each ? "rrrrll" : "rrrll");
	if (!status)
		status = add_cells(&t, text_dim(p->style), &layout, titles);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = add_function(p, &t, &layout, &p->d->rows[r->rows[i]]);
	unsigned room = status ? 0 : text_table_room(&t, p->style);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = text_table_name(&t, i + 1,
					 function_name(&p->d->rows[r->rows[i]], &layout, room));
	if (!status) {
		fputs("\nFunctions whose own cost changed (impact: Δ self / total of base)\n", p->to);
		text_table_print(&t, p->style, p->to);
	}
	if (!status && layout.inclusive)
		fputs(bound_note(r), p->to);
	if (!status && r->nrows < r->filtered)
		fprintf(p->to, "  … and %zu more; see them with --top=0\n", r->filtered - r->nrows);
	text_table_free(&t);
	return status;
}

/* ---- groups of functions ---- */

/* Its path in base, if that is another one. */
static char *group_name(const struct diff_row *row, unsigned width)
{
	char *notes = NULL, *name = NULL, *safe = NULL;

	if (asprintf(&notes, "%s%s%s", row->match == DIFF_MOVED ? " (was " : "",
		     row->match == DIFF_MOVED ? row->base_file : "",
		     row->match == DIFF_MOVED ? ")" : "") < 0)
		return NULL;
	if (width && text_width(row->name) + text_width(notes) > width)
		*notes = '\0';
	safe = text_safe(notes);
	if (safe && asprintf(&name, "%s%s", row->name, safe) < 0)
		name = NULL;
	free(notes);
	free(safe);
	return name;
}

static int add_group(const struct printer *p, struct text_table *t, const struct layout *layout,
		     const struct diff_row *row)
{
	const struct diff *d = p->d;
	char delta[TEXT_NUMBER], impact[TEXT_NUMBER], inclusive[TEXT_NUMBER], functions[TEXT_PAIR];
	char self[3 * TEXT_NUMBER], first[TEXT_NUMBER], second[TEXT_NUMBER];
	int64_t b = diff_base_value(d, row->base.self), h = diff_head_value(d, row->head.self);

	text_calls(row->base.functions, row->head.functions, functions);
	print_pair(self, sizeof self, row->base.present ? text_cost(b, first) : "–",
		   row->head.present ? text_cost(h, second) : "–");
	text_delta(diff_base_value(d, row->base.inclusive),
		   diff_head_value(d, row->head.inclusive), inclusive);
	const char *const cells[TEXT_MAX_CELLS] = {
		text_delta(b, h, delta),
		text_impact(b, h, diff_base_value(d, d->base->total), impact),
		is_bound(row) ? "?" : inclusive,
		functions,
		self,
		""
	};
	return add_cells(t, color_of(p, d->options.metric, b, h), layout, cells);
}

static const char *group_bound_note(const struct diff_report *r)
{
	for (size_t i = 0; i < r->nrows; i++)
		if (is_bound(&r->diff->rows[r->rows[i]]))
			return "  ? not known: called again by what it calls, or recursion not recorded\n";
	return "";
}

static void print_no_groups(const struct printer *p)
{
	const char *word = cg_rollup_word(p->d->options.by);

	if (p->r->filter)
		fprintf(p->to, "\nNo %s that matches the filter changed.\n", word);
	else
		fprintf(p->to, "\nNo %s changed%s.\n", word,
			diff_base_value(p->d, p->d->base->total) ==
					diff_head_value(p->d, p->d->head->total) ?
				"" : " by more than the threshold");
}

static int print_groups(const struct printer *p)
{
	const struct diff_report *r = p->r;
	const char *word = cg_rollup_word(p->d->options.by);
	const char *const titles[TEXT_MAX_CELLS] = { "Δ self", "impact", "Δ incl.", "functions",
						     "self", word };
	const struct text_style *style = p->style;
	enum { FOR_INCLUSIVE = 100 }; /* there is room: no reasons */
	struct layout layout = { style->wide || !style->width || style->width >= FOR_INCLUSIVE, true };
	struct text_table t;

	if (r->nrows == 0) {
		print_no_groups(p);
		return CG_OK;
	}
	int status = text_table_init(&t, r->nrows + 1, layout.inclusive ? "rrrrrl" : "rrrrl");
	if (!status)
		status = add_cells(&t, text_dim(p->style), &layout, titles);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = add_group(p, &t, &layout, &p->d->rows[r->rows[i]]);
	unsigned room = status ? 0 : text_table_room(&t, p->style);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = text_table_name(&t, i + 1, group_name(&p->d->rows[r->rows[i]], room));
	if (!status) {
		fprintf(p->to, "\n%c%ss whose own cost changed (impact: Δ self / total of base)\n",
			*word - 'a' + 'A', word + 1);
		text_table_print(&t, p->style, p->to);
		fputs(layout.inclusive ? group_bound_note(r) : "", p->to);
	}
	if (!status && r->nrows < r->filtered)
		fprintf(p->to, "  … and %zu more; see them with --top=0\n", r->filtered - r->nrows);
	text_table_free(&t);
	return status;
}

/* ---- limits ---- */

static void print_subject(const struct printer *p, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;

	fputs(limit->inclusive ? "inclusive " : "", p->to);
	text_print_name(p->to, limit->metric, 0);
	if (v->subject) {
		fputs(" of ", p->to);
		text_print_name(p->to, v->subject, p->style->wide ? 0 : 60);
	} else if (limit->function) {
		fputs(limit->module ? " of " : " of fn:", p->to);
		text_print_name(p->to, limit->function, p->style->wide ? 0 : 60);
	}
}

static void print_limit(const struct printer *p, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;
	bool fails = limit_fails(v->status, p->r->require_base);

	int width = summary_count_tolerated(p->r) ? (int)strlen(limit_status_name(LIMIT_TOLERATED)) : 10;

	fprintf(p->to, "  %s%-*s%s  ", fails ? text_red(p->style) : "", width,
		limit_status_name(v->status), fails ? text_plain(p->style) : "");
	print_subject(p, v);
	fputs(" limit ", p->to);
	text_print_name(p->to, limit->text, 0);
	if (limit_was_judged(v->status) || v->status == LIMIT_NO_MATCH) {
		fputs(": ", p->to);
		summary_print_counts(v, p->to);
	}
	if (limit->file && limit->line) {
		fputs("  (", p->to);
		text_print_name(p->to, limit->file, 0);
		fprintf(p->to, ":%llu)", (unsigned long long)limit->line);
	}
	fputc('\n', p->to);
	if (v->acceptance) {
		fputs("              ", p->to);
		summary_print_acceptance(v, p->to);
		fputc('\n', p->to);
	}
}

/* All that fail; of the others at most some functions for each limit. */
static size_t print_verdicts(const struct printer *p, bool failing)
{
	enum { SHOWN = 5 };
	const struct judgement *j = p->r->judgement;
	size_t shown = 0, hidden = 0;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (i && j->verdicts[i - 1].rule.limit != v->rule.limit)
			shown = 0;
		if (limit_fails(v->status, p->r->require_base) != failing)
			continue;
		if (failing || v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED ||
		    shown++ < SHOWN)
			print_limit(p, v);
		else
			hidden++;
	}
	return hidden;
}

static void print_limits(const struct printer *p)
{
	fputs("\nLimits\n", p->to);
	print_verdicts(p, true);
	size_t hidden = print_verdicts(p, false);
	if (hidden)
		fprintf(p->to, "  … and %zu more functions within their limits\n", hidden);
	fprintf(p->to, "%s%sVerdict: %s%s\n", text_bold(p->style),
		summary_is_bad(summary_outcome(p->r)) ? text_red(p->style) : text_green(p->style),
		summary_outcome_name(summary_outcome(p->r)), text_plain(p->style));
	const char *bench = cg_desc_value(p->d->head, SUBJECT_PREFIX "benchmark");
	if (p->r->judgement->broken && !p->r->untrusted && bench) {
		fputs("To accept it:        irdiff baseline accept ", p->to);
		shell_print_quoted(p->to, bench);
		fputs(" --why=…\n", p->to);
	}
}

void diff_limits_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct printer p = { r, r->diff, style, to };
	print_limits(&p);
}

/* ---- where to look next ---- */

/* The function to look at first, and the side that has it. */
struct suspect {
	const char *name, *file; /* NULL: none */
	const struct report_origin *origin;
	const struct cg_profile *profile;
};

static struct suspect suspect_of(const struct diff_report *r, const char *name, const char *file,
				 bool in_head)
{
	return (struct suspect){ name, file, in_head ? &r->head : &r->base,
				 in_head ? r->diff->head : r->diff->base };
}

/* Of a cause the one that decided: the caller, if there is one. */
static struct suspect find_suspect(const struct diff_report *r)
{
	if (r->causes && r->ncauses) {
		const struct cause *c = &r->causes->items[r->chosen_causes[0]];
		const struct tree_row *row = &r->tree->rows[c->caller ? c->caller : c->row];
		return suspect_of(r, row->name, row->file, row->head.present);
	}
	if (r->causes || r->nrows == 0 || r->diff->options.by != CG_BY_FUNCTION)
		return (struct suspect){ 0 };
	uint32_t first = r->rows[0]; /* the largest difference, whatever rows are sorted by */
	for (size_t i = 1; i < r->nrows; i++)
		first = r->rows[i] < first ? r->rows[i] : first;
	const struct diff_row *row = &r->diff->rows[first];
	if (diff_classify(r->diff, row) == DIFF_TOLERATED)
		return (struct suspect){ 0 };
	return suspect_of(r, row->name, row->file, row->head.present);
}

static bool mentions(const struct cg_profile *p, cg_str text, const char *part, size_t len)
{
	return memmem(cg_string(p, text), strlen(cg_string(p, text)), part, len) != NULL;
}

/* Whether a filter that is this text chooses one function only. */
static bool is_unique(const struct cg_profile *p, const char *part, size_t len)
{
	uint32_t found = 0;
	for (uint32_t f = 1; f < p->nfunctions && found < 2; f++) {
		const struct cg_function *fn = &p->functions[f];
		found += mentions(p, fn->name, part, len) || mentions(p, fn->file, part, len) ||
			 mentions(p, fn->object, part, len);
	}
	return found == 1;
}

/* A name that fills lines of a terminal is not what someone wants to copy: what follows the
 * scopes says it, if no other function has it. */
static bool escape_short(const struct suspect *s, char *pattern, size_t size)
{
	enum { LONG = 40, LEAST = 3 };
	size_t bare = cg_name_without_parameters(s->name, strlen(s->name));
	const char *last = s->name + cg_name_last_part(s->name, bare);
	const size_t lengths[] = { strcspn(last, "<("), bare - (size_t)(last - s->name) };
	char part[LONG + 1];

	for (size_t i = 0; strlen(s->name) > LONG && i < sizeof lengths / sizeof *lengths; i++) {
		if (lengths[i] < LEAST || lengths[i] > LONG || !is_unique(s->profile, last, lengths[i]))
			continue;
		snprintf(part, sizeof part, "%.*s", (int)lengths[i], last);
		return shell_regex_of_part(part, pattern, size);
	}
	return false;
}

static bool has_source_step(const struct suspect *s, char *pattern, size_t size)
{
	return s->name && text_is_known(s->file) && text_is_known(s->name) && !s->origin->selected &&
	       shell_is_plain(s->name) && shell_is_plain(s->origin->name) &&
	       (escape_short(s, pattern, size) || shell_regex(s->name, pattern, size));
}

static void print_source_step(const struct printer *p, const struct suspect *s, const char *pattern)
{
	fputs("Look at its source:  irdiff show --view=source ", p->to);
	shell_print_quoted(p->to, s->origin->name);
	fputc(' ', p->to);
	shell_print_quoted(p->to, pattern);
	fputc('\n', p->to);
}

/* A profile from standard input cannot be read again. */
static bool may_be_read_again(const struct report_origin *o)
{
	return !o->selected && shell_is_plain(o->name) && *o->name != '-';
}

static bool has_causes_step(const struct printer *p)
{
	return p->r->nrows && !p->r->tree && p->d->base->has_calls && p->d->head->has_calls &&
	       !diff_self_only(p->d->base) && !diff_self_only(p->d->head) &&
	       may_be_read_again(&p->r->base) && may_be_read_again(&p->r->head);
}

static void print_causes_step(const struct printer *p)
{
	const struct report_origin *base = &p->r->base, *head = &p->r->head;

	fputs("Who decided that:    irdiff diff --view=causes ", p->to);
	shell_print_quoted(p->to, base->name);
	fputc(' ', p->to);
	shell_print_quoted(p->to, head->name);
	fputc('\n', p->to);
}

static void print_next_steps(const struct printer *p)
{
	struct suspect suspect = find_suspect(p->r);
	char pattern[300];
	bool source = has_source_step(&suspect, pattern, sizeof pattern);
	bool causes = has_causes_step(p);

	if (source || causes)
		fputc('\n', p->to);
	if (source)
		print_source_step(p, &suspect, pattern);
	if (causes)
		print_causes_step(p);
}

int diff_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct printer p = { r, r->diff, style, to };

	print_verdict(&p);
	print_origin(&p, "base", &r->base, r->diff->base);
	print_origin(&p, "head", &r->head, r->diff->head);
	print_other_facts(&p);
	print_environment(&p);
	print_variation(&p);
	int status = print_metrics(&p);
	if (!status && summary_is_difference(r))
		status = r->causes ? diff_causes_text(r, style, to) :
			 r->tree   ? diff_paths_text(r, style, to) :
			 r->diff->options.by != CG_BY_FUNCTION ? print_groups(&p) :
				     print_functions(&p);
	if (!status)
		status = insights_text(r->insights, style, to);
	if (status)
		return status;
	if (r->judgement)
		print_limits(&p);
	if (summary_is_difference(r))
		print_next_steps(&p);
	return CG_OK;
}
