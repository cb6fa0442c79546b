#include "src/report/text/show.h"
#include "src/report/text/table.h"

int show_flat_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	size_t rows = show_rows(r);
	int status = show_begin(r, &c, style, to);
	if (status)
		return status;

	for (size_t i = 0; i < rows; i++)
		text_columns_fit(&c, r->by_inclusive ? r->flat->rows[i].inclusive :
						       r->flat->rows[i].self);
	bool groups = r->flat->rollup.by != CG_BY_FUNCTION, bounds = false;
	show_print_titles(&c, groups ? cg_rollup_word(r->flat->rollup.by) : "file:function", to);
	for (size_t i = 0; i < rows; i++) {
		const struct flat_row *row = &r->flat->rows[i];
		const int64_t *costs = r->by_inclusive ? row->inclusive : row->self;
		uint32_t first = r->events[0];
		const char *color = text_tone(show_tone(costs[first], costs[first], r->profile->total[first]),
					      style);
		fputs(color, to);
		text_columns_print(to, &c, costs);
		fputc(' ', to);
		const char *bound = !r->by_inclusive || !row->bound ? "" :
				    groups ? SHOW_AT_MOST : show_bound(row, style);
		show_print_row_name(r, row, &c, 1 + text_width(bound), style, to);
		fputs(bound, to);
		bounds |= groups && *bound;
		fprintf(to, "%s\n", *color ? text_plain(style) : "");
	}
	if (bounds)
		fputs("\nat most: it is entered again through others, or recursion was not recorded.\n", to);
	if (r->by_inclusive && !groups)
		show_print_bound_note(r, style, to);
	show_print_rest(r, to);
	text_columns_free(&c);
	return CG_OK;
}
