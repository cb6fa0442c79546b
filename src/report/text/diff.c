#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "cgprofile/names.h"
#include "src/report/cancelled.h"
#include "src/report/diff_table.h"
#include "src/report/insights.h"
#include "src/report/match_words.h"
#include "src/report/metric_words.h"
#include "src/report/remarks.h"
#include "src/report/summary.h"
#include "src/report/text/events.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
#include "src/text/shell.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

#define TEXT_SENTENCE 500

enum { ROOM_FOR_PLACES = 110 }; /* where functions are */

struct diff_printer {
	const struct diff_report *r;
	const struct diff *d;
	const struct text_style *style;
	FILE *to;
};

/* Of a metric or of a function in it. What may be chance is neither good nor bad. */
static const char *diff_color_of(const struct diff_printer *p, const char *metric, int64_t base,
				 int64_t head)
{
	if (diff_tolerates_in(p->d, metric, base, head))
		return "";
	return head > base ? text_red(p->style) : head < base ? text_green(p->style) : "";
}

/* ---- head: the verdict and which profiles these are ---- */

/* Of what there is only one side of. */
static void print_diff_alone(const struct diff_printer *p)
{
	enum outcome o = summary_outcome(p->r);
	bool is_new = p->d->options.missing == DIFF_NO_BASE;

	fputs(text_bold(p->style), p->to);
	text_print_name(p->to, is_new ? p->r->head.name : p->r->base.name, 0);
	fputs(": ", p->to);
	summary_print_total(p->r, p->to);
	fprintf(p->to, "  %s%s%s\n", summary_is_bad(o) ? text_red(p->style) : "",
		summary_outcome_name(o), text_plain(p->style));
}

/* Columns for a name in front of other texts; 0: any number. */
static unsigned name_room(const struct diff_printer *p, const char *const *after)
{
	enum { LEAST = 12 };
	size_t used = 0;

	for (; *after; after++)
		used += text_width(*after);
	return p->style->wide || !p->style->width ? 0
	       : p->style->width > used + LEAST   ? p->style->width - (unsigned)used
						  : LEAST;
}

static void print_diff_verdict(const struct diff_printer *p)
{
	if (!summary_is_difference(p->r)) {
		print_diff_alone(p);
		return;
	}

	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER], verdict[SUMMARY_VERDICT];
	const char *unit = compared_unit(p->d);
	int64_t b = diff_base_value(p->d, p->d->base->total);
	int64_t h = diff_head_value(p->d, p->d->head->total);
	enum outcome o = summary_outcome(p->r);
	bool bad = summary_is_bad(o), good = o == OUTCOME_IMPROVEMENT || (p->r->judgement && !bad);

	summary_verdict(p->r, verdict);
	text_cost(b, base);
	text_cost(h, head);
	text_change(b, h, change);
	fputs(text_bold(p->style), p->to);
	text_print_name(p->to, p->r->head.name,
			name_room(p, (const char *[]){ ": ", base, " → ", head, " ",
						       p->d->options.metric, *unit ? " in " : "",
						       unit, "  ", change, "  ", verdict, NULL }));
	fprintf(p->to, ": %s → %s ", base, head);
	print_compared_metric(p->d, p->to);
	fprintf(p->to, "  %s%s  %s%s\n",
		bad    ? text_red(p->style)
		: good ? text_green(p->style)
		       : "",
		change, verdict, text_plain(p->style));
}

static int print_diff_origin(const struct diff_printer *p, const char *side,
			     const struct report_origin *o, const struct cg_profile *profile)
{
	char parts[3 * TEXT_NUMBER] = "";

	if (profile->left_out)
		snprintf(parts, sizeof parts, "  %" PRIu32 " of %" PRIu64 " parts", profile->nparts,
			 profile->nparts + profile->left_out);
	else if (profile->nparts > 1)
		snprintf(parts, sizeof parts, "  %" PRIu32 " parts", profile->nparts);
	return text_origin_print(side, o, parts, p->style, p->to);
}

/* Where causes are listed, it is said above them that compilers or flags differ: then the compiler
 * may have caused each of them. NULL: they do not, or none are listed. */
static const struct insight *build_above_causes(const struct diff_report *r)
{
	bool listed = r->view == DIFF_VIEW_SUMMARY || r->view == DIFF_VIEW_CAUSES;

	return listed && r->ncauses && summary_is_difference(r) ? insight_of_build(r->insights)
								: NULL;
}

/* What else is another one than the code: compilers and flags first. */
static void print_other_facts(const struct diff_printer *p)
{
	const struct environment_diff *e = p->r->environment;
	const bool built = build_above_causes(p->r) != NULL;

	for (size_t i = 0; i < e->nsubject; i++)
		if (environment_is_news(&e->subject[i]) &&
		    !(built && e->subject[i].kind->shape == FACT_BUILT))
			text_print_difference(&e->subject[i], p->style, p->to);
}

/* A line or more, which fit. */
static void print_diff_sentence(const struct diff_printer *p, const char *before, const char *color,
				const char *line, unsigned indent)
{
	fprintf(p->to, "%s%s", before, color);
	if (text_print_wrapped(p->to, line, p->style->wide ? 0 : p->style->width, indent))
		fprintf(p->to, "%s\n", line);
	fputs(*color ? text_plain(p->style) : "", p->to);
}

static void print_diff_environment(const struct diff_printer *p)
{
	const struct environment_diff *e = p->r->environment;

	if (e->moving)
		print_diff_sentence(
			p, "\n", text_red(p->style),
			"WARNING: base and head were measured in different environments, which may "
			"explain the change.",
			2);
	else if (e->same_counts)
		fputs("\nThe environments differ, but base and head count exactly the same:\n",
		      p->to);
	else if (e->count)
		fputs("\nThe environments differ only in what does not affect counts:\n", p->to);
	for (size_t i = 0; i < e->count; i++) {
		const struct environment_difference *d = &e->differences[i];
		text_print_difference(d, p->style, p->to);
		char line[TEXT_SENTENCE];
		snprintf(line, sizeof line, "    %s", d->effect);
		print_diff_sentence(p, "", text_dim(p->style), line, 4);
		snprintf(line, sizeof line, "    Fix: %s.", d->remedy ? d->remedy : "");
		if (d->remedy && !e->same_counts)
			print_diff_sentence(p, "", text_dim(p->style), line, 4);
	}
}

/* ---- how far counts vary ---- */

static void print_diff_tolerance(const struct diff_printer *p)
{
	char events[TEXT_NUMBER];
	struct text_line line;

	if (!p->d->tolerance)
		return;
	fputc('\n', p->to);
	FILE *to = text_line_begin(&line, p->to);

	fprintf(to, "Tolerance: %s ", text_count(p->d->tolerance, events));
	text_print_name(to, p->d->options.metric, 0);
	fputs("; changes up to this may be chance and are ignored", to);
	text_line_end(&line, 0, p->style->wide ? 0 : p->style->width, 2);
}

/* ---- metrics ---- */

/* Another metric than the one that is compared, if it changed beyond the threshold. */
static bool find_other_change(const struct diff_printer *p, const char *name, int64_t *base,
			      int64_t *head)
{
	struct metric in_base, in_head;

	if (metric_is_same(name, p->d->options.metric) ||
	    !metric_find(p->d->base, name, &in_base) || !metric_find(p->d->head, name, &in_head))
		return false;
	*base = metric_value(&in_base, p->d->base->total);
	*head = metric_value(&in_head, p->d->head->total);
	return diff_is_change(summary_classify(p->d, name, *base, *head));
}

/* The events of head, then the cycles that they are estimated to take; NULL: no more. */
static const char *other_metric(const struct diff_printer *p, uint32_t i)
{
	const struct cg_profile *head = p->d->head;

	return i < head->nevents    ? cg_string(head, head->events[i].name)
	       : i == head->nevents ? "EstCycles"
				    : NULL;
}

/* Lines are shown however little changed, which would be true of every metric. */
static bool shows_other_metrics(const struct diff_printer *p)
{
	return summary_is_difference(p->r) && p->r->view != DIFF_VIEW_SOURCE &&
	       p->r->view != DIFF_VIEW_ASM;
}

/* "  also  Dr +139%, EstCycles +133%"; nothing where no other metric changed. */
static void print_other_metrics(const struct diff_printer *p)
{
	enum { INDENT = 8 };
	char change[TEXT_NUMBER];
	struct text_line line;
	FILE *to = NULL;
	int64_t b, h;

	for (uint32_t i = 0; shows_other_metrics(p) && other_metric(p, i); i++) {
		if (!find_other_change(p, other_metric(p, i), &b, &h))
			continue;
		bool first = !to;
		if (first)
			to = text_line_begin(&line, p->to);
		fputs(first ? "  also  " : ", ", to);
		text_print_name(to, other_metric(p, i), 0);
		fprintf(to, " %s", text_change(b, h, change));
	}
	if (to)
		text_line_end(&line, 0, p->style->wide ? 0 : p->style->width, INDENT);
}

/* ---- functions ---- */

static const struct table_column function_columns[] = {
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("% of base", CELL_SHARE_OF_BASE, self),
	TABLE_ROOMY(130, "Δ incl.", CELL_DELTA, struct diff_cells, inclusive),
	TABLE_SPARE("calls", CELL_COUNTS, struct diff_cells, calls),
	TABLE_ROOMY(ROOM_FOR_PLACES, "self per call", CELL_EACH, struct diff_cells, each),
	DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("function", CELL_OWN, name),
};

enum { INCLUSIVE_COLUMN = 2 }; /* of functions and groups */

static const struct table_column group_columns[] = {
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("% of base", CELL_SHARE_OF_BASE, self),
	TABLE_ROOMY(100, "Δ incl.", CELL_DELTA, struct diff_cells, inclusive),
	DIFF_COLUMN("functions", CELL_COUNTS, functions),
	DIFF_COLUMN("self", CELL_COSTS, self),
	DIFF_COLUMN(NULL, CELL_OWN, name),
};

/* The footnote of upper bounds; "" if no row has one. */
static const char *bound_note(const struct diff_report *r)
{
	bool any = false, inlined = false, calls = diff_knows_calls(r->diff);
	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &r->diff->rows[r->rows[i]];
		any |= diff_is_bound(row);
		inlined |= (row->base.bound && row->base.inlined) ||
			   (row->head.bound && row->head.inlined);
	}
	return any && !calls ? "  ? unknown: only one of the profiles has calls\n"
	       : inlined
		       ? "  ? unknown: only upper bounds, as recursion was not recorded or passes through "
			 "inlined code\n"
	       : any ? "  ? unknown: only upper bounds, as recursion was not recorded\n"
		     : "";
}

/* " (3 → 4 functions without symbols)" where a row holds several. */
static const char *format_unnamed(const struct diff_row *row, char *buffer, size_t size)
{
	char pair[TEXT_PAIR];
	uint32_t b = row->base.unnamed, h = row->head.unnamed;

	if (b < 2 && h < 2)
		return "";
	snprintf(buffer, size, " (%s functions without symbols)",
		 text_calls(b ? b : h, h ? h : b, pair));
	return buffer;
}

enum inlined { INLINED_NOT, INLINED_PARTLY, INLINED_ALL };

static enum inlined inlined_of(const struct diff_side *side)
{
	return !side->inlined ? INLINED_NOT : side->calls ? INLINED_PARTLY : INLINED_ALL;
}

/* Of both sides, or the only one. Where it changed the reason says so. */
static const char *format_inlined(const struct diff_row *row)
{
	static const char *const words[] = { "", " (partly inlined)", " (inlined)" };
	enum inlined base = inlined_of(row->base.present ? &row->base : &row->head);
	enum inlined head = inlined_of(row->head.present ? &row->head : &row->base);

	return base && head ? words[base < head ? base : head] : "";
}

/* The name of its file in base, if not only directories differ; NULL otherwise. */
static const char *moved_from(const struct diff_row *row)
{
	const char *file = row->match == DIFF_MOVED ? cg_base_name(row->base_file) : NULL;
	return file && text_is_known(file) && strcmp(file, cg_base_name(row->file)) != 0 ? file
											 : NULL;
}

/* Below the project's directory, as people name it. */
static const char *path_of_row(const struct diff_report *r, const struct diff_row *row)
{
	const char *below = r->root ? cg_path_below(row->file, r->root) : NULL;

	return below && *below ? below + strspn(below, "/") : row->file;
}

/* The function's name is worth most; then what is to be known of it, then where it is. */
static char *format_function(const struct report_table *of, size_t i, unsigned width,
			     const struct text_style *style)
{
	const struct diff_row *row = diff_table_function(of, i);
	bool places = style->wide || !style->width || style->width >= ROOM_FOR_PLACES;
	char unnamed[3 * TEXT_NUMBER + 40], *notes;
	const struct diff_report *r = of->report;
	const char *was = moved_from(row), *renamed = renamed_function(r->tree, row);
	bool object = places && text_is_known(row->object);
	bool file = places && text_is_known(row->file);

	for (;; object = object && file, file = false) {
		if (asprintf(&notes, "%s%s%s%s%s%s%s%s%s%s%s%s%s", format_inlined(row),
			     !renamed            ? ""
			     : row->head.present ? " (was "
						 : " (now ",
			     renamed ? renamed : "", renamed ? ")" : "", object ? " [" : "",
			     object ? row->object : "", object ? "]" : "", file ? " " : "",
			     file ? path_of_row(r, row) : "", was ? " (was in " : "",
			     was ? was : "", was ? ")" : "",
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

/* ---- groups of functions ---- */

/* Its path in base, if that is another one. */
static char *format_group(const struct report_table *of, size_t i, unsigned width,
			  const struct text_style *style)
{
	const struct diff_row *row = diff_table_function(of, i);
	char *notes = NULL, *name = NULL, *safe = NULL;

	(void)style;
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

static const char *group_bound_note(const struct diff_report *r)
{
	for (size_t i = 0; i < r->nrows; i++)
		if (diff_is_bound(&r->diff->rows[r->rows[i]]))
			return "  ? unknown: it is called again by its callees, or recursion was not recorded\n";
	return "";
}

static void print_only_inclusive(const struct diff_printer *p, const struct diff_row *row)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = diff_base_value(p->d, row->base.inclusive),
		h = diff_head_value(p->d, row->head.inclusive);

	fputs("; the inclusive cost of ", p->to);
	text_print_name(p->to, row->name, 0);
	fprintf(p->to, " did: %s → %s ", text_cost(b, base), text_cost(h, head));
	text_print_name(p->to, p->d->options.metric, 0);
	fprintf(p->to, " (%s)", text_change(b, h, change));
}

static void print_no_changes(const struct diff_printer *p)
{
	fputs("No ", p->to);
	summary_print_no_rows(p->r, p->to);
	if (p->r->only_inclusive)
		print_only_inclusive(p, p->r->only_inclusive);
	else if (summary_hides_small(p->r) && *summary_small_options(p->r))
		fprintf(p->to, "; see smaller changes with%s", summary_small_options(p->r));
	fputs(".\n", p->to);
}

/* "Largest changes in self cost (Dw), by file" */
static void print_changes_title(const struct diff_printer *p)
{
	const char *word = cg_rollup_word(p->d->options.by);
	bool functions = p->d->options.by == CG_BY_FUNCTION;

	if (p->r->by_size)
		fputs("\nLargest changes in self cost", p->to);
	else
		fprintf(p->to, "\n%c%ss whose self cost changed", *word - 'a' + 'A', word + 1);
	if (p->r->nevents) {
		fputs(" (", p->to);
		text_print_name(p->to, p->d->options.metric, 0);
		fputc(')', p->to);
	}
	fprintf(p->to, "%s%s\n", p->r->by_size && !functions ? ", by " : "",
		p->r->by_size && !functions ? word : "");
}

static int print_function_changes(const struct diff_printer *p, size_t most)
{
	bool functions = p->d->options.by == CG_BY_FUNCTION;
	const struct diff_report *r = p->r;
	struct text_table text;
	struct report_table t;

	if (r->nrows == 0) {
		fputc('\n', p->to);
		print_no_changes(p);
		return CG_OK;
	}
	diff_functions_table(r, &t);
	t.nrows = t.nrows < most ? t.nrows : most;
	if (functions)
		TABLE_COLUMNS(&t, function_columns);
	else
		TABLE_COLUMNS(&t, group_columns);
	int status = text_table_begin(&text, &t, p->style);
	if (!status) {
		print_changes_title(p);
		status = text_table_write(&text, &t, functions ? format_function : format_group,
					  p->style, p->to);
	}
	if (!status && text_table_shows(&text, INCLUSIVE_COLUMN))
		fputs(functions ? bound_note(r) : group_bound_note(r), p->to);
	if (!status) {
		text_table_print_hidden(&text, &t, p->to);
		text_print_more(r->filtered, t.nrows, p->to);
	}
	text_table_free(&text);
	return status;
}

/* ---- events beside each other, of functions or groups ---- */

static int add_diff_events(const struct diff_printer *p, struct event_table *t,
			   const struct diff_row *row)
{
	static const char *const name_follows[] = { "" };
	const struct diff_event e = event_shown(p->r, 0);
	const char *color = diff_color_of(p, e.head.name, metric_value(&e.base, row->base.self),
					  metric_value(&e.head, row->head.self));

	return event_table_add(t, p->r, color, row->base.present ? row->base.self : NULL,
			       row->head.present ? row->head.self : NULL, name_follows);
}

static int print_diff_events(const struct diff_printer *p)
{
	const struct diff_report *r = p->r;
	const char *word = cg_rollup_word(p->d->options.by);
	struct event_table t;

	int status = event_table_init(&t, r, r->nrows, "l", &word, p->style);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = add_diff_events(p, &t, &p->d->rows[r->rows[i]]);
	size_t left_out = status ? 0 : event_table_fit(&t, p->style);
	unsigned room = status ? 0 : text_table_room(&t.table, p->style);
	struct report_table names;
	diff_functions_table(r, &names);
	text_table_namer *name = r->diff->options.by == CG_BY_FUNCTION ? format_function
								       : format_group;
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = text_table_name(&t.table, i + 1, name(&names, i, room, p->style));
	if (!status) {
		print_changes_title(p);
		text_table_print(&t.table, p->style, p->to);
		events_print_rest(left_out, p->to);
	}
	if (!status)
		text_print_more(r->filtered, r->nrows, p->to);
	event_table_free(&t);
	return status;
}

/* Whether a view has nothing to show, not even what is below the threshold. */
static bool is_view_empty(const struct diff_report *r)
{
	if (r->view == DIFF_VIEW_SUMMARY)
		return !r->ncauses;
	if (r->view == DIFF_VIEW_CAUSES)
		return !r->ncauses && !r->causes_smaller;
	return r->view != DIFF_VIEW_TREE || !r->npaths;
}

static bool has_other_changes(const struct diff_printer *p)
{
	int64_t b, h;

	for (uint32_t i = 0; other_metric(p, i); i++)
		if (find_other_change(p, other_metric(p, i), &b, &h))
			return true;
	return false;
}

/* Whether the verdict and a sentence say everything. */
static bool is_without_change(const struct diff_printer *p)
{
	const struct diff_report *r = p->r;

	return summary_is_difference(r) && !summary_has_changes(r) && is_view_empty(r) &&
	       !r->judgement && (!r->remarks || !r->remarks->count) && !r->environment->moving &&
	       !r->environment->nsubject && !r->diff->tolerance && !r->filter &&
	       (!r->insights || !r->insights->count) && !has_other_changes(p);
}

/* Of each part of the summary: the causes and the first functions should be visible at once. */
static size_t summary_rows(const struct diff_printer *p)
{
	enum { MOST = 10, LEAST = 5, AROUND = 26 };
	unsigned height = p->style->wide ? 0 : p->style->height;

	if (p->r->top != DIFF_TOP_AUTO)
		return SIZE_MAX;
	return !height || height >= AROUND + 2 * MOST ? MOST
	       : height >= AROUND + 2 * LEAST         ? (height - AROUND) / 2
						      : LEAST;
}

/* Causes, if calls are known, then functions. */
static int print_diff_summary(const struct diff_printer *p)
{
	const struct diff_report *r = p->r;
	size_t most = summary_rows(p);
	struct cancelled_change cancelled[CANCELLED_CHANGES];
	bool causes = r->ncauses || cancelled_find(r, cancelled);
	int status = causes ? diff_causes_text(r, most, p->style, p->to) : CG_OK;

	return status || (r->ncauses && !r->nrows) ? status : print_function_changes(p, most);
}

static int print_diff_view(const struct diff_printer *p)
{
	const struct diff_report *r = p->r;

	switch (r->view) {
	case DIFF_VIEW_SOURCE:
		return diff_sources_text(r, p->style, p->to);
	case DIFF_VIEW_ASM:
		return diff_asm_text(r, p->style, p->to);
	case DIFF_VIEW_CAUSES:
		return diff_causes_text(r, SIZE_MAX, p->style, p->to);
	case DIFF_VIEW_TREE:
		return diff_paths_text(r, p->style, p->to);
	case DIFF_VIEW_SUMMARY:
		return print_diff_summary(p);
	default:
		return r->nevents && r->nrows ? print_diff_events(p)
					      : print_function_changes(p, SIZE_MAX);
	}
}

/* Which profiles these are. */
static int print_diff_origins(const struct diff_printer *p)
{
	if (p->r->introduced)
		return CG_OK;
	int status = print_diff_origin(p, "base", &p->r->base, p->d->base);
	return status ? status : print_diff_origin(p, "head", &p->r->head, p->d->head);
}

int diff_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct diff_printer p = { r, r->diff, style, to };

	print_diff_verdict(&p);
	if (is_without_change(&p)) {
		print_no_changes(&p);
		return CG_OK;
	}
	print_other_metrics(&p);
	int status = print_diff_origins(&p);
	if (status)
		return status;
	print_other_facts(&p);
	print_diff_environment(&p);
	print_diff_tolerance(&p);
	fputs(r->remarks && r->remarks->count ? "\n" : "", to);
	remarks_text(r->remarks, NULL, style, to);
	const struct insight *built = build_above_causes(r);
	if (built)
		status = insight_text(built, style, to);
	if (!status && summary_is_difference(r))
		status = print_diff_view(&p);
	if (!status)
		status = insights_text(r->insights, built, style, to);
	if (status)
		return status;
	if (r->judgement)
		diff_limits_text(r, style, to);
	if (summary_is_difference(r))
		diff_next_text(r, to);
	return CG_OK;
}
