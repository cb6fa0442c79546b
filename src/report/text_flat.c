#include "src/report/text_show.h"

int show_flat_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	size_t rows = show_rows(r);
	int status = show_begin(r, &c, to);
	if (status)
		return status;

	for (size_t i = 0; i < rows; i++)
		text_columns_fit(&c, r->by_inclusive ? r->flat->rows[i].inclusive :
						       r->flat->rows[i].self);
	show_print_titles(&c, "file:function", to);
	for (size_t i = 0; i < rows; i++) {
		const struct flat_row *row = &r->flat->rows[i];
		const int64_t *costs = r->by_inclusive ? row->inclusive : row->self;
		uint32_t first = r->events[0];
		const char *color = show_color(costs[first], costs[first], r->profile->total[first],
						style);
		fputs(color, to);
		text_columns_print(to, &c, costs);
		fputc(' ', to);
		show_print_function(r, row->function, &c, 1, style, to);
		fputs(r->by_inclusive ? show_bound(row) : "", to);
		fprintf(to, "%s\n", show_end_color(color, style));
	}
	show_print_rest(r, to);
	text_columns_free(&c);
	return CG_OK;
}
