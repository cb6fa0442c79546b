/* The functions of a profile: title, then the table; everything else follows it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/diff/threads.h"
#include "src/report/metric_words.h"
#include "src/report/text/events.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/show.h"
#include "src/report/text/table.h"
#include "src/text/short_name.h"

enum { BAR = 12 };                         /* columns of one that stands for the whole profile */
enum { MOST_EVENTS = TEXT_MAX_CELLS - 4 }; /* of the other cells each row has four */

/* The event that the rows are sorted by. */
static uint32_t sorted_by(const struct show_report *r)
{
	for (uint32_t e = 0; e < r->profile->nevents; e++)
		if (strcmp(cg_string(r->profile, r->profile->events[e].name), r->sort) == 0)
			return e;
	return r->events[0];
}

static size_t columns_of_events(const struct show_report *r)
{
	return r->nevents < MOST_EVENTS ? r->nevents : MOST_EVENTS;
}

/* ---- title ---- */

/* "parser: 77,530,628 Ir", then the command and the commit in a line of their own. */
static int print_flat_title(const struct show_report *r, const struct text_style *style, FILE *to)
{
	char total[TEXT_NUMBER], count[TEXT_NUMBER];
	uint32_t event = sorted_by(r);
	const char *name = cg_string(r->profile, r->profile->events[event].name);
	uint64_t samples;

	fputs(text_bold(style), to);
	text_print_name(to, r->origin.name, style->wide ? 0 : style->width / 2);
	fprintf(to, ": %s ", text_cost(r->profile->total[event], total));
	print_metric_of(r->profile, name, to);
	fputs(text_plain(style), to);
	if (cg_samples_behind(r->profile, name, &samples))
		fprintf(to, ", estimated from %s sample%s", text_count(samples, count),
			samples == 1 ? "" : "s");
	fputc('\n', to);
	return text_origin_facts(&r->origin, style, to);
}

/* ---- table ---- */

static bool has_inclusive(const struct show_report *r)
{
	return r->flat->count && r->flat->rows[0].inclusive;
}

/* A share of the total in percent, "67.62". */
static const char *format_percent(int64_t cost, int64_t total, char buffer[TEXT_NUMBER])
{
	size_t len = strlen(text_share(cost, total, buffer));

	if (len && buffer[len - 1] == '%')
		buffer[len - 1] = '\0';
	return buffer + strspn(buffer, " ");
}

/* An upper bound has a mark, unless the row's name says so. */
static const char *format_inclusive(const struct show_report *r, const struct flat_row *row,
				    uint32_t event, const struct text_style *style,
				    char buffer[TEXT_NUMBER])
{
	char percent[TEXT_NUMBER];
	const char *mark = !row->bound || r->by_inclusive ? "" : style->ascii ? "<=" : "≤";

	snprintf(buffer, TEXT_NUMBER, "%s%s", mark,
		 format_percent(row->inclusive[event], r->profile->total[event], percent));
	return buffer;
}

/* One character for each twelfth of the total, so that it can be compared between rows. */
static const char *draw_bar(int64_t cost, int64_t total, const struct text_style *style,
			    char bar[BAR * 4])
{
	uint64_t all = cg_magnitude(total), part = cg_magnitude(cost);
	double length = all ? (double)part / (double)all * BAR + 0.5 : 0;
	static const char full[] = "████████████", plain[] = "############";
	size_t bytes = style->ascii ? 1 : (sizeof full - 1) / BAR;

	size_t drawn = length < BAR ? (size_t)length : BAR;
	snprintf(bar, BAR * 4, "%.*s", (int)(drawn * bytes), style->ascii ? plain : full);
	return bar;
}

/* "skip_field  (parser.c)", "memcpy  [libc.so.6]": the name is worth more than where it is. */
static char *describe_flat_function(const struct show_report *r, const struct flat_row *row,
				    unsigned width, const struct text_style *style)
{
	const struct cg_profile *p = r->profile;
	const char *name = view_function(p, row->function), *file = view_file(p, row->function);
	const char *object = view_object(p, row->function), *code = flat_code_name(row->code);
	const char *bound = r->by_inclusive ? show_bound(row, style) : "";
	bool of_file = text_is_known(file), known = of_file || text_is_known(object);
	char *notes, *text;

	if (!style->wide) {
		file = cg_base_name(file);
		object = cg_base_name(object);
	}
	if (asprintf(&notes, "%s%s%s%s", *code ? " (" : "", code, *code ? ")" : "", bound) < 0)
		return NULL;
	if (asprintf(&text, "%s%s%s%s%s", name, notes,
		     !known    ? ""
		     : of_file ? "  ("
			       : "  [",
		     !known    ? ""
		     : of_file ? file
			       : object,
		     !known    ? ""
		     : of_file ? ")"
			       : "]") < 0)
		text = NULL;
	if (text && width && text_width(text) > width) {
		free(text);
		text = text_name_with(name, notes, width);
	}
	free(notes);
	return text;
}

static char *describe_flat_row(const struct show_report *r, const struct flat_row *row,
			       unsigned width, const struct text_style *style)
{
	if (r->flat->rollup.by == CG_BY_FUNCTION)
		return describe_flat_function(r, row, width, style);
	char *text;
	const char *bound = r->by_inclusive && row->bound ? SHOW_AT_MOST : "";
	return asprintf(&text, "%s%s", flat_row_name(r->flat, row), bound) < 0 ? NULL : text;
}

/* Shares are of the event that sorts, which need not be the first one. */
static char *format_share_title(const struct show_report *r)
{
	enum { MOST_NAME = 20 };
	char *name = text_cut(r->sort, MOST_NAME), *title;

	if (!name)
		return NULL;
	if (asprintf(&title, r->events[0] == sorted_by(r) ? "%%" : "%% of %s", name) < 0)
		title = NULL;
	free(name);
	return title;
}

static int add_flat_titles(const struct show_report *r, const struct text_style *style,
			   struct text_table *t)
{
	enum { MOST_TITLE = 20 };
	const char *cells[TEXT_MAX_CELLS];
	size_t n = 0;
	char *safe[TEXT_MAX_CELLS] = { NULL };
	int status = CG_OK;

	for (size_t i = 0; i < columns_of_events(r); i++) {
		uint32_t event = r->events[i];
		safe[i] = text_cut(cg_string(r->profile, r->profile->events[event].name),
				   style->wide || !style->width ? 0 : MOST_TITLE);
		status = safe[i] ? status : CG_ENOMEM;
		cells[n++] = safe[i];
	}
	char *share = format_share_title(r);
	status = share ? status : CG_ENOMEM;
	cells[n++] = share;
	if (has_inclusive(r))
		cells[n++] = "incl %";
	if (style->width)
		cells[n++] = "";
	cells[n++] = cg_rollup_word(r->flat->rollup.by);
	if (!status)
		status = text_table_add(t, text_dim(style), cells);
	for (size_t i = 0; i < columns_of_events(r); i++)
		free(safe[i]);
	free(share);
	return status;
}

static int add_flat_row(const struct show_report *r, const struct flat_row *row,
			const struct text_style *style, struct text_table *t)
{
	char numbers[TEXT_MAX_CELLS][TEXT_NUMBER], bar[BAR * 4];
	const char *cells[TEXT_MAX_CELLS];
	const int64_t *costs = r->by_inclusive ? row->inclusive : row->self;
	uint32_t first = sorted_by(r);
	int64_t total = r->profile->total[first];
	size_t n = 0;

	for (size_t i = 0; i < columns_of_events(r); i++, n++)
		cells[n] = text_cost(costs[r->events[i]], numbers[n]);
	cells[n] = format_percent(row->self[first], total, numbers[n]);
	n++;
	if (has_inclusive(r)) {
		cells[n] = format_inclusive(r, row, first, style, numbers[n]);
		n++;
	}
	if (style->width)
		cells[n++] = draw_bar(costs[first], total, style, bar);
	cells[n] = "";
	return text_table_add(t, text_tone(show_tone(costs[first], costs[first], total), style),
			      cells);
}

/* Leaves out events, the last first, until names have room. */
static size_t drop_flat_events(const struct show_report *r, struct text_table *t,
			       const struct text_style *style)
{
	enum { LEAST_NAME = 24 };
	size_t shown = columns_of_events(r);

	for (unsigned room; shown > 1 && (room = text_table_room(t, style)) && room < LEAST_NAME;)
		text_table_drop(t, --shown, 1);
	return columns_of_events(r) - shown;
}

static int print_flat_rows(const struct show_report *r, const struct text_style *style,
			   size_t *left_out, FILE *to)
{
	char align[TEXT_MAX_CELLS + 1];
	size_t rows = show_rows(r), n = columns_of_events(r) + 1 + has_inclusive(r);
	struct text_table t;

	memset(align, 'r', n);
	if (style->width)
		align[n++] = 'l';
	align[n++] = 'l';
	align[n] = '\0';
	int status = text_table_init(&t, rows + 1, align);
	if (!status)
		status = add_flat_titles(r, style, &t);
	for (size_t i = 0; !status && i < rows; i++)
		status = add_flat_row(r, &r->flat->rows[i], style, &t);
	if (!status)
		*left_out = drop_flat_events(r, &t, style);
	unsigned room = status ? 0 : text_table_room(&t, style);
	for (size_t i = 0; !status && i < rows; i++)
		status = text_table_name(&t, i + 1,
					 describe_flat_row(r, &r->flat->rows[i], room, style));
	if (!status && rows)
		text_table_print(&t, style, to);
	text_table_free(&t);
	return status;
}

/* ---- notes ---- */

static void print_other_events(const struct show_report *r, size_t left_out, FILE *to)
{
	size_t too_many = r->nevents - columns_of_events(r);

	events_print_rest(left_out, to);
	if (too_many)
		fprintf(to, "  … and %zu more event%s; choose at most %d with %s--show\n", too_many,
			too_many == 1 ? "" : "s", MOST_EVENTS,
			r->fixed_events ? "irdiff show " : "");
}

/* What the marks of inclusive costs mean. */
static void print_bounds(const struct show_report *r, const struct text_style *style, FILE *to)
{
	bool any = false;

	for (size_t i = 0; has_inclusive(r) && i < show_rows(r); i++)
		any |= r->flat->rows[i].bound;
	const char *why = r->flat->rollup.by == CG_BY_FUNCTION
				  ? "recursion was not recorded or passes through inlined code"
				  : "others call it again or recursion was not recorded";
	if (any)
		fprintf(to, "\n%s at most, as %s.\n", style->ascii ? "<=" : "≤", why);
}

static void print_flat_notes(const void *report, FILE *to)
{
	const struct show_report *r = report;

	show_print_rest(r, to);
	show_print_doubts(r, to);
}

int show_flat_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	size_t left_out = 0;
	int status = print_flat_title(r, style, to);

	if (!status)
		status = print_flat_rows(r, style, &left_out, to);
	if (!status)
		print_other_events(r, left_out, to);
	if (!status && r->by_inclusive)
		show_print_bound_note(r, style, to);
	else if (!status)
		print_bounds(r, style, to);
	return status ? status : show_fit_head(print_flat_notes, r, style, to);
}
