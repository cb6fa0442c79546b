#include <inttypes.h>
#include <stdlib.h>

#include "src/report/text/show.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

#define NO_LINE UINT64_MAX

enum { ARROW = 9 };  /* columns in front of what a line calls */
enum { NUMBER = 6 }; /* columns of a line's number, but for one blank */

struct annotated_file {
	const struct show_report *r;
	const struct text_columns *columns;
	const struct report_source *source;
	size_t line, call; /* next rows of the file */
	unsigned width;    /* of texts; 0: any */
	unsigned terminal; /* of whole lines; 0: any */
	FILE *to;
	bool failed; /* memory ran out */
};

/* " (12x)" or " (inlined)" */
static void write_call_notes(const struct source_call *c, char *notes, size_t size)
{
	char count[TEXT_NUMBER];
	const char *recursive = c->recursive ? ", recursive" : "";

	if (c->uncounted)
		snprintf(notes, size, " (inlined%s)", recursive);
	else
		snprintf(notes, size, " (%sx%s)", text_count(c->count, count), recursive);
}

/* "file:function (12x)"; where that is too wide without its file, and at last cut. */
static void print_callee(struct annotated_file *a, const struct source_call *c)
{
	const char *file = view_file(a->r->profile, c->callee);
	const char *function = view_function(a->r->profile, c->callee);
	char notes[2 * TEXT_NUMBER];

	write_call_notes(c, notes, sizeof notes);
	unsigned room = a->width ? a->width + NUMBER + 1 - ARROW : 0;
	bool fits = !room ||
		    text_width(file) + 1 + text_width(function) + text_width(notes) <= room;
	char *name = text_name_with(function, notes, fits ? 0 : room);
	a->failed |= !name;
	if (fits) {
		text_print_name(a->to, file, 0);
		fputc(':', a->to);
	}
	fprintf(a->to, "%s\n", name ? name : "");
	free(name);
}

static void print_annotated_calls(struct annotated_file *a, uint64_t line)
{
	const struct source_file *f = a->source->file;

	while (a->call < f->ncalls && f->calls[a->call].line < line)
		a->call++;
	for (; a->call < f->ncalls && f->calls[a->call].line == line; a->call++) {
		const struct source_call *c = &f->calls[a->call];
		text_columns_print(a->to, a->columns, c->cost);
		fputs("      => ", a->to);
		print_callee(a, c);
	}
}

static void print_annotated_line(struct annotated_file *a, uint64_t number, const char *text)
{
	const struct source_file *f = a->source->file;
	bool has_cost = a->line < f->nlines && f->lines[a->line].line == number;

	text_columns_print(a->to, a->columns, has_cost ? f->lines[a->line].self : NULL);
	fprintf(a->to, "%5" PRIu64 "  ", number);
	char *cut = text_source(text, a->width);
	fprintf(a->to, "%s\n", cut ? cut : "");
	a->failed |= !cut;
	free(cut);
	a->line += has_cost;
	print_annotated_calls(a, number);
}

/* The next line at or after the cursor that has a cost or a call of its own. */
static uint64_t next_annotated_cost(const struct annotated_file *a)
{
	const struct source_file *f = a->source->file;
	uint64_t line = a->line < f->nlines ? f->lines[a->line].line : NO_LINE;
	uint64_t call = a->call < f->ncalls ? f->calls[a->call].line : NO_LINE;
	return line < call ? line : call;
}

static void print_found_source(struct annotated_file *a)
{
	const struct source_text *text = a->source->text;
	uint64_t context = a->r->context, number = 1, last = text->count;

	while (next_annotated_cost(a) <= last) {
		uint64_t first = next_annotated_cost(a) > context ? next_annotated_cost(a) - context
								  : 1;
		if (first > number + 1)
			fprintf(a->to, "-- line %" PRIu64 " --\n", first);
		else
			first = number;
		uint64_t end = next_annotated_cost(a);
		for (number = first; number <= last && number <= end + context; number++) {
			if (next_annotated_cost(a) == number)
				end = number;
			print_annotated_line(a, number, text->lines[number - 1]);
		}
	}
}

/* What no line of the text can take: the file was not found, or has changed. */
static void print_annotated_others(struct annotated_file *a)
{
	while (next_annotated_cost(a) != NO_LINE)
		print_annotated_line(a, next_annotated_cost(a),
				     a->source->text->path
					     ? "<there is no such line: the file has changed>"
					     : "");
}

static void print_annotated_heading(struct annotated_file *a, const char *name)
{
	enum { INDENT = 3 };
	const char *path = a->source->text->path;
	char *line;
	const struct source_text *text = a->source->text;
	const char *note = "";

	if (!path)
		note = " (source not available: name its directory with -I";
	else if (text->origin == SOURCE_TEXT_COMMIT)
		note = " (of commit ";
	else if (text->origin == SOURCE_TEXT_NEWER)
		note = " (newer than the profile or its program: lines may be off";

	if (asprintf(&line, "-- %s%s%s%s", path ? path : name, note, text->commit,
		     *note ? ")" : "") < 0) {
		a->failed = true;
		return;
	}
	a->failed |= text_print_wrapped(a->to, line, a->terminal, INDENT) != 0;
	free(line);
}

static void print_annotated_file(struct annotated_file *a)
{
	const struct source_file *f = a->source->file;
	const char *name = f->file ? cg_string(a->r->profile, f->file) : "???";

	print_annotated_heading(a, name);
	if (f->nlines && f->lines[0].line == 0) {
		text_columns_print(a->to, a->columns, f->lines[0].self);
		fputs("       <instructions without a line>\n", a->to);
		a->line = 1;
	} else if (f->ncalls && f->calls[0].line == 0) {
		text_columns_print(a->to, a->columns, NULL);
		fputs("       <calls without a line>\n", a->to);
	}
	print_annotated_calls(a, 0);
	if (a->source->text->path)
		print_found_source(a);
	print_annotated_others(a);
	fputc('\n', a->to);
}

int show_source_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	int status = show_begin(r, &c, style, to);

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
	else
		show_print_unmatched(r, "function", to);
	for (size_t i = 0; i < r->nsources; i++) {
		struct annotated_file a = { .r = r,
					    .columns = &c,
					    .source = &r->sources[i],
					    .to = to,
					    .terminal = style->wide ? 0 : style->width,
					    .width = show_width_left(&c, NUMBER, style) };
		print_annotated_file(&a);
		status = a.failed ? CG_ENOMEM : status;
	}
	text_columns_free(&c);
	return status;
}
