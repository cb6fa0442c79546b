#include "src/report/text_show.h"

#define AT_MOST " (at most)"

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
		const char *color = show_color(costs[first], costs[first], r->profile->total[first],
						style);
		fputs(color, to);
		text_columns_print(to, &c, costs);
		fputc(' ', to);
		bool at_most = groups && r->by_inclusive && row->bound;
		show_print_row_name(r, row, &c, at_most ? sizeof AT_MOST : 1, style, to);
		fputs(at_most ? AT_MOST : r->by_inclusive && !groups ? show_bound(row) : "", to);
		bounds |= at_most;
		fprintf(to, "%s\n", show_end_color(color, style));
	}
	if (bounds)
		fputs("\nat most: it is entered again through others, or recursion was not recorded.\n", to);
	show_print_rest(r, to);
	text_columns_free(&c);
	return CG_OK;
}
