#include <inttypes.h>

#include "src/report/text_show.h"

#define NO_LINE UINT64_MAX

struct annotation {
	const struct show_report *r;
	const struct text_columns *columns;
	const struct report_source *source;
	size_t line, call; /* next rows of the file */
	FILE *to;
};

static void print_calls(struct annotation *a, uint64_t line)
{
	const struct source_file *f = a->source->file;
	char count[TEXT_NUMBER];

	while (a->call < f->ncalls && f->calls[a->call].line < line)
		a->call++;
	for (; a->call < f->ncalls && f->calls[a->call].line == line; a->call++) {
		const struct source_call *c = &f->calls[a->call];
		text_columns_print(a->to, a->columns, c->cost);
		fputs("      => ", a->to);
		text_print_name(a->to, view_file(a->r->profile, c->callee), 0);
		fputc(':', a->to);
		text_print_name(a->to, view_function(a->r->profile, c->callee), 0);
		fprintf(a->to, " (%sx%s)\n", text_count(c->count, count),
			c->recursive ? ", recursive" : "");
	}
}

static void print_line(struct annotation *a, uint64_t number, const char *text)
{
	const struct source_file *f = a->source->file;
	bool has_cost = a->line < f->nlines && f->lines[a->line].line == number;

	text_columns_print(a->to, a->columns, has_cost ? f->lines[a->line].self : NULL);
	fprintf(a->to, "%5" PRIu64 "  ", number);
	text_print_source(a->to, text);
	fputc('\n', a->to);
	a->line += has_cost;
	print_calls(a, number);
}

/* The next line at or after the cursor that has a cost or a call of its own. */
static uint64_t next_cost(const struct annotation *a)
{
	const struct source_file *f = a->source->file;
	uint64_t line = a->line < f->nlines ? f->lines[a->line].line : NO_LINE;
	uint64_t call = a->call < f->ncalls ? f->calls[a->call].line : NO_LINE;
	return line < call ? line : call;
}

static void print_found(struct annotation *a)
{
	const struct source_text *text = a->source->text;
	uint64_t context = a->r->context, number = 1, last = text->count;

	while (next_cost(a) <= last) {
		uint64_t first = next_cost(a) > context ? next_cost(a) - context : 1;
		if (first > number + 1)
			fprintf(a->to, "-- line %" PRIu64 " --\n", first);
		else
			first = number;
		uint64_t end = next_cost(a);
		for (number = first; number <= last && number <= end + context; number++) {
			if (next_cost(a) == number)
				end = number;
			print_line(a, number, text->lines[number - 1]);
		}
	}
}

/* What no line of the text can take: the file was not found, or has changed. */
static void print_others(struct annotation *a)
{
	while (next_cost(a) != NO_LINE)
		print_line(a, next_cost(a),
			   a->source->text->path ? "<there is no such line: the file has changed>" :
						   "");
}

static void print_file(struct annotation *a)
{
	const struct source_file *f = a->source->file;
	const char *name = f->file ? cg_string(a->r->profile, f->file) : "???";

	fputs("-- ", a->to);
	text_print_name(a->to, a->source->text->path ? a->source->text->path : name, 0);
	fputs(a->source->text->path ? "\n" : " (source not found: name its directory with -I)\n",
	      a->to);
	if (f->nlines && f->lines[0].line == 0) {
		text_columns_print(a->to, a->columns, f->lines[0].self);
		fputs("       <instructions without a line>\n", a->to);
		a->line = 1;
	}
	print_calls(a, 0);
	if (a->source->text->path)
		print_found(a);
	print_others(a);
	fputc('\n', a->to);
}

int show_source_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	int status = show_begin(r, &c, to);

	(void)style;
	if (status)
		return status;

	for (size_t i = 0; i < r->nsources; i++) {
		const struct source_file *f = r->sources[i].file;
		for (size_t k = 0; k < f->nlines; k++)
			text_columns_fit(&c, f->lines[k].self);
		for (size_t k = 0; k < f->ncalls; k++)
			text_columns_fit(&c, f->calls[k].cost);
	}
	if (r->nsources)
		show_print_titles(&c, " line  source", to);
	else if (r->filter)
		fputs("No function with a cost matches the filter.\n", to);
	for (size_t i = 0; i < r->nsources; i++) {
		struct annotation a = { r, &c, &r->sources[i], 0, 0, to };
		print_file(&a);
	}
	text_columns_free(&c);
	return CG_OK;
}
