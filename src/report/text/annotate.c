#include "src/report/text/show.h"
#include "src/report/text/table.h"

int show_annotate_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	size_t rows = show_rows(r);
	int status = show_begin(r, &c, style, to);
	if (status)
		return status;

	for (size_t i = 0; i < rows; i++)
		text_columns_fit(&c, r->by_inclusive ? r->flat->rows[i].inclusive
						     : r->flat->rows[i].self);
	bool groups = r->flat->rollup.by != CG_BY_FUNCTION, bounds = false;
	show_print_titles(&c, groups ? cg_rollup_word(r->flat->rollup.by) : "file:function", to);
	for (size_t i = 0; i < rows; i++) {
		const struct flat_row *row = &r->flat->rows[i];
		const int64_t *costs = r->by_inclusive ? row->inclusive : row->self;
		uint32_t first = r->events[0];
		const char *color = text_tone(
			show_tone(costs[first], costs[first], r->profile->total[first]), style);
		fputs(color, to);
		text_columns_print(to, &c, costs);
		fputc(' ', to);
		const char *bound = !r->by_inclusive || !row->bound ? ""
				    : groups                        ? SHOW_AT_MOST
								    : show_bound(row, style);
		show_print_row_name(r, row, &c, 1 + text_width(bound), style, to);
		fputs(bound, to);
		bounds |= groups && *bound;
		fprintf(to, "%s\n", *color ? text_plain(style) : "");
	}
	if (bounds)
		fputs("\nat most: an upper bound, as others call it again or recursion was not recorded.\n",
		      to);
	if (r->by_inclusive && !groups)
		show_print_bound_note(r, style, to);
	show_print_rest(r, to);
	text_columns_free(&c);
	return CG_OK;
}

/* ---- with callers and callees ---- */

/* " (3x, 1 of them recursive)"; "" for inlined code, or samples. */
static const char *format_count(const struct calls_edge *edge, char *buffer, size_t size)
{
	char count[TEXT_NUMBER], recursive[TEXT_NUMBER];

	text_count(edge->count, count);
	if (edge->count == 0)
		*buffer = '\0';
	else if (edge->recursive == edge->count)
		snprintf(buffer, size, " (%sx, recursive)", count);
	else if (edge->recursive)
		snprintf(buffer, size, " (%sx, %s of them recursive)", count,
			 text_count(edge->recursive, recursive));
	else
		snprintf(buffer, size, " (%sx)", count);
	return buffer;
}

static void print_edge(const struct show_report *r, const struct text_columns *c,
		       const struct calls_edge *edge, bool caller, const struct text_style *style,
		       FILE *to)
{
	const char *mark = caller ? "< " : ">   ";
	char count[3 * TEXT_NUMBER];

	format_count(edge, count, sizeof count);
	text_columns_print(to, c, edge->cost);
	fputs(mark, to);
	show_print_function(r, caller ? edge->caller : edge->callee, c,
			    text_width(mark) + text_width(count), style, to);
	fprintf(to, "%s\n", count);
}

static void print_function_calls(const struct show_report *r, const struct text_columns *c,
				 const struct flat_row *row, const struct text_style *style,
				 FILE *to)
{
	size_t ncallers, ncallees;
	const struct calls_edge *callers = calls_to(r->calls, row->function, &ncallers);
	const struct calls_edge *callees = calls_from(r->calls, row->function, &ncallees);

	for (size_t i = 0; i < ncallers; i++)
		print_edge(r, c, &callers[i], true, style, to);
	fputs(text_bold(style), to);
	text_columns_print(to, c, row->inclusive);
	fputs("* ", to);
	const char *bound = show_bound(row, style);
	show_print_function(r, row->function, c, 2 + text_width(bound), style, to);
	fprintf(to, "%s%s\n", bound, text_plain(style));
	for (size_t i = 0; i < ncallees; i++)
		print_edge(r, c, &callees[i], false, style, to);
}

int show_calls_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	static const char title[] =
		"file:function, callers (<) and callees (>) around each function (*)";
	struct text_columns c;
	size_t rows = show_rows(r);
	int status = show_begin(r, &c, style, to);
	if (status)
		return status;

	for (size_t i = 0; i < rows; i++)
		text_columns_fit(&c, r->flat->rows[i].inclusive);
	for (size_t i = 0; i < r->calls->count; i++)
		text_columns_fit(&c, r->calls->by_caller[i].cost);
	unsigned room = show_width_left(&c, 1, style);
	show_print_titles(&c,
			  !room || sizeof title <= room ? title
							: "file:function, callers (<), callees (>)",
			  to);
	for (size_t i = 0; i < rows; i++) {
		if (i)
			fputc('\n', to);
		print_function_calls(r, &c, &r->flat->rows[i], style, to);
	}
	show_print_bound_note(r, style, to);
	show_print_rest(r, to);
	text_columns_free(&c);
	return CG_OK;
}
