#include "src/report/remarks.h"

#include "src/text/wrap.h"

enum { INDENT = 2 };

static void print_remark_line(const char *before, const char *text, const struct text_style *style,
			      FILE *to)
{
	struct text_line line;
	FILE *safe = text_line_begin(&line, to);

	fputs(before, safe);
	text_print_name(safe, text, 0);
	text_line_end(&line, 0, style->wide ? 0 : style->width, INDENT);
}

static void print_warning_line(const struct remark *r, const char *bench,
			       const struct text_style *style, FILE *to)
{
	struct text_line line;
	FILE *safe = text_line_begin(&line, to);

	fputs("WARNING: ", safe);
	if (bench) {
		text_print_name(safe, bench, 0);
		fputs(": ", safe);
	}
	text_print_name(safe, r->text, 0);
	fputc('.', safe);
	text_line_end(&line, 0, style->wide ? 0 : style->width, INDENT);
}

const char *remark_shared_advice(const struct remark *r)
{
	return r->shared_advice ? r->shared_advice : r->advice;
}

void remark_text(const struct remark *r, const char *advice, const char *bench,
		 const struct text_style *style, FILE *to)
{
	fputs(text_red(style), to);
	print_warning_line(r, bench, style, to);
	fputs(text_plain(style), to);
	if (advice)
		print_remark_line("  ", advice, style, to);
}

void remarks_text(const struct remarks *r, const char *bench, const struct text_style *style,
		  FILE *to)
{
	for (size_t i = 0; r && i < r->count; i++)
		remark_text(&r->items[i], r->items[i].advice, bench, style, to);
}

void remarks_json(const struct remarks *r, struct json *j)
{
	json_begin_array(j, "remarks");
	for (size_t i = 0; r && i < r->count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "id", r->items[i].id);
		json_text(j, "effect", remark_effect_name(r->items[i].effect));
		json_text(j, "text", r->items[i].text);
		json_text(j, "advice", r->items[i].advice);
		json_end(j);
	}
	json_end(j);
}

void remark_print(const struct remark *r, FILE *to)
{
	text_print_name(to, r->text, 0);
	if (!r->advice)
		return;
	fputs(". ", to);
	text_print_name(to, r->advice, 0);
}
