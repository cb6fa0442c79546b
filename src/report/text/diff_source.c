/*
 * Both versions of the source with what lines cost. On a wide terminal the texts stand side by
 * side; elsewhere there is one column of text, as diff(1) writes it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/text/events.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"
#include "src/view/flat.h"

enum { SIDE_BY_SIDE = 140, LEAST_TEXT = 24 };

struct source_printer {
	const struct diff_report *r;
	const struct text_style *style;
	FILE *to;
	struct event_cells cells;
	size_t *widths;         /* of the cells */
	size_t shown;           /* so many of them */
	bool brief;             /* files without a text have one line each */
	int number[CODE_SIDES]; /* width of the numbers of lines */
	unsigned text;          /* of each of two columns of text; 0: there is one */
	unsigned one;           /* of that one; 0: any */
};

/* ---- files without a text ---- */

static bool has_source_text(const struct diff_source *s, int side)
{
	return s->text[side]->origin != SOURCE_TEXT_MISSING;
}

static bool has_any_text(const struct diff_source *s)
{
	return has_source_text(s, CODE_BASE) || has_source_text(s, CODE_HEAD);
}

/* Numbers of lines alone say little beside source, unless somebody asked for these functions. */
static bool is_brief(const struct diff_report *r)
{
	for (size_t i = 0; !r->filter && i < r->nsources; i++)
		if (has_any_text(&r->sources[i]))
			return true;
	return false;
}

static bool has_source_lines(const struct source_printer *p, const struct diff_source *s)
{
	return !p->brief || has_any_text(s);
}

/* ---- how wide columns are ---- */

static void measure_costs(struct source_printer *p, const int64_t *base, const int64_t *head)
{
	event_cells_fill(&p->cells, p->r, base, head);
	event_cells_widen(&p->cells, p->widths);
}

static const int64_t *cost_of_source_call(const struct source_call *c)
{
	return c ? c->cost : NULL;
}

static void measure_line(struct source_printer *p, const struct code_line *line)
{
	measure_costs(p, line->self[CODE_BASE], line->self[CODE_HEAD]);
	for (int side = 0; side < CODE_SIDES; side++) {
		int width = snprintf(NULL, 0, "%" PRIu32, line->number[side]);
		if (width > p->number[side])
			p->number[side] = width;
	}
}

static void measure_file(struct source_printer *p, const struct diff_source *s)
{
	measure_costs(p, s->self[CODE_BASE], s->self[CODE_HEAD]);
	if (!has_source_lines(p, s))
		return;
	measure_costs(p, s->rest[CODE_BASE], s->rest[CODE_HEAD]);
	for (size_t i = 0; i < s->code->count; i++)
		if (s->shown[i])
			measure_line(p, &s->code->lines[i]);
	for (size_t i = 0; i < s->ncalls; i++)
		if (s->shown[s->calls[i].line])
			measure_costs(p, cost_of_source_call(s->calls[i].call[CODE_BASE]),
				      cost_of_source_call(s->calls[i].call[CODE_HEAD]));
}

/* The columns of as many events as there is room for, but one. */
static unsigned choose_events(struct source_printer *p, unsigned room)
{
	unsigned taken = 0;

	for (size_t i = 0; i < p->cells.count; i += EVENT_CELLS) {
		unsigned event = 0;
		for (size_t k = i; k < i + EVENT_CELLS; k++)
			event += (unsigned)p->widths[k] + 2;
		if (i && room && taken + event > room)
			break;
		taken += event;
		p->shown = i + EVENT_CELLS;
	}
	return taken;
}

/* The titles are still in the cells. */
static int measure_source(struct source_printer *p)
{
	unsigned width = p->style->width;
	enum { GAPS = 4, GAPS_BESIDE = 9 }; /* between the columns of numbers and texts */

	p->widths = calloc(p->cells.count, sizeof *p->widths);
	if (!p->widths)
		return CG_ENOMEM;
	event_cells_widen(&p->cells, p->widths);
	for (size_t i = 0; i < p->r->nsources; i++)
		measure_file(p, &p->r->sources[i]);
	unsigned numbers = (unsigned)(p->number[CODE_BASE] + p->number[CODE_HEAD]);
	unsigned others = numbers + GAPS + LEAST_TEXT;
	unsigned taken = numbers + choose_events(p, p->style->wide || !width ? 0
						    : width > others         ? width - others
									     : 1);
	if (!p->style->wide && width >= SIDE_BY_SIDE &&
	    width >= taken + GAPS_BESIDE + 2 * LEAST_TEXT)
		p->text = (width - taken - GAPS_BESIDE) / 2;
	else if (!p->style->wide && width)
		p->one = width > taken + GAPS + LEAST_TEXT ? width - taken - GAPS : LEAST_TEXT;
	return CG_OK;
}

/* ---- lines ---- */

static void pad_text(FILE *to, size_t have, size_t width)
{
	for (; have < width; have++)
		fputc(' ', to);
}

static const char *source_color_of(const struct source_printer *p, const int64_t *base,
				   const int64_t *head)
{
	struct diff_event e = event_shown(p->r, 0);
	int64_t b = base ? metric_value(&e.base, base) : 0;
	int64_t h = head ? metric_value(&e.head, head) : 0;

	return h > b ? text_red(p->style) : h < b ? text_green(p->style) : "";
}

static void print_costs(struct source_printer *p, const int64_t *base, const int64_t *head)
{
	const char *color = source_color_of(p, base, head);

	event_cells_fill(&p->cells, p->r, base, head);
	fputs(color, p->to);
	event_cells_print(&p->cells, p->shown, p->widths, p->to);
	fputs(*color ? text_plain(p->style) : "", p->to);
}

/* Only of two texts it is known which lines were added and removed. */
static char source_mark_of(const struct diff_source *s, const struct code_line *line)
{
	bool known = has_source_text(s, CODE_BASE) && has_source_text(s, CODE_HEAD) &&
		     code_text(line);
	return !known || line->in[CODE_BASE] == line->in[CODE_HEAD] ? ' '
	       : line->in[CODE_HEAD]                                ? '+'
								    : '-';
}

/* What stands for a line of a side that has no text. */
static const char *words_for(const struct diff_source *s, const struct code_line *line, int side)
{
	const bool executed = line->self[CODE_BASE] || line->self[CODE_HEAD];

	return !line->number[side]
		       ? executed ? "<instructions without a line>" : "<calls without a line>"
	       : has_source_text(s, side) ? "<no such line: the file has changed>"
					  : "";
}

static void print_source_number(const struct source_printer *p, const struct code_line *line,
				int side)
{
	if (line->in[side] && line->number[side])
		fprintf(p->to, "%*" PRIu32, p->number[side], line->number[side]);
	else
		fprintf(p->to, "%*s", p->number[side], "");
}

static int print_source_line_text(const struct source_printer *p, const char *text, unsigned width,
				  bool last)
{
	char *safe = text_source(text, width);

	if (!safe)
		return CG_ENOMEM;
	fputs(safe, p->to);
	if (!last)
		pad_text(p->to, text_width(safe), width);
	free(safe);
	return CG_OK;
}

static int print_unified(const struct source_printer *p, const struct diff_source *s,
			 const struct code_line *line)
{
	const char *text = code_text(line);

	print_source_number(p, line, CODE_BASE);
	fputc(' ', p->to);
	print_source_number(p, line, CODE_HEAD);
	fprintf(p->to, " %c ", source_mark_of(s, line));
	return print_source_line_text(
		p, text ? text : words_for(s, line, line->in[CODE_HEAD] ? CODE_HEAD : CODE_BASE),
		p->one, true);
}

static const char *side_text(const struct diff_source *s, const struct code_line *line, int side)
{
	if (!line->in[side])
		return "";
	return line->text[side] ? line->text[side] : words_for(s, line, side);
}

static int print_beside(const struct source_printer *p, const struct diff_source *s,
			const struct code_line *line)
{
	char mark = source_mark_of(s, line);

	print_source_number(p, line, CODE_BASE);
	fprintf(p->to, " %c ", mark == '-' ? '-' : ' ');
	int status = print_source_line_text(p, side_text(s, line, CODE_BASE), p->text, false);
	fputs(p->style->ascii ? " |" : " │", p->to);
	if (status || !line->in[CODE_HEAD])
		return status;
	fputc(' ', p->to);
	print_source_number(p, line, CODE_HEAD);
	fprintf(p->to, " %c ", mark == '+' ? '+' : ' ');
	return print_source_line_text(p, side_text(s, line, CODE_HEAD), p->text, true);
}

static int print_source_line(struct source_printer *p, const struct diff_source *s,
			     const struct code_line *line)
{
	print_costs(p, line->self[CODE_BASE], line->self[CODE_HEAD]);
	int status = p->text ? print_beside(p, s, line) : print_unified(p, s, line);
	fputc('\n', p->to);
	return status;
}

/* ---- what lines call ---- */

/* "20x", "20x, recursive", "inlined", or "–" where there is no such call. */
enum { SOURCE_CALL_NOTE = TEXT_NUMBER + sizeof "inlined, recursive" };
static const char *source_call_note(const struct source_call *c, char note[SOURCE_CALL_NOTE])
{
	char count[TEXT_NUMBER];

	if (!c)
		return "–";
	snprintf(note, SOURCE_CALL_NOTE, "%s%s%s",
		 c->uncounted ? "inlined" : text_count(c->count, count), c->uncounted ? "" : "x",
		 c->recursive ? ", recursive" : "");
	return note;
}

/* " (20x)" or " (20x → inlined)" */
static void write_source_call_notes(const struct diff_source_call *c, char *notes, size_t size)
{
	char old[SOURCE_CALL_NOTE], new[SOURCE_CALL_NOTE];
	const char *base = source_call_note(c->call[CODE_BASE], old);
	const char *head = source_call_note(c->call[CODE_HEAD], new);
	bool same = strcmp(base, head) == 0;

	snprintf(notes, size, " (%s%s%s)", same ? "" : base, same ? "" : " → ", head);
}

/* With two columns of text, in their whole width. */
static unsigned room_for_callee(const struct source_printer *p, unsigned arrow)
{
	enum { BETWEEN = 6 };
	unsigned all = p->text ? 2 * p->text + BETWEEN + (unsigned)p->number[CODE_HEAD] : p->one;

	return !all ? 0 : all > arrow + LEAST_TEXT ? all - arrow : LEAST_TEXT;
}

static int print_source_call(struct source_printer *p, const struct diff_source_call *c)
{
	enum { ARROW = 3 };
	const struct diff *d = p->r->diff;
	const struct source_call *head = c->call[CODE_HEAD], *base = c->call[CODE_BASE];
	int numbers = p->number[CODE_BASE] + (p->text ? 0 : 1 + p->number[CODE_HEAD]);
	char notes[3 * SOURCE_CALL_NOTE];

	write_source_call_notes(c, notes, sizeof notes);
	char *name = text_name_with(head ? view_function(d->head, head->callee)
					 : view_function(d->base, base->callee),
				    notes, room_for_callee(p, ARROW));
	print_costs(p, cost_of_source_call(base), cost_of_source_call(head));
	fprintf(p->to, "%*s   => %s\n", numbers, "", name ? name : "");
	free(name);
	return name ? CG_OK : CG_ENOMEM;
}

/* Those of the line, from *next on. */
static int print_source_calls(struct source_printer *p, const struct diff_source *s, size_t line,
			      size_t *next)
{
	int status = CG_OK;

	for (; !status && *next < s->ncalls && s->calls[*next].line <= line; ++*next)
		if (s->calls[*next].line == line)
			status = print_source_call(p, &s->calls[*next]);
	return status;
}

/* ---- files ---- */

enum { INDENT = 3 }; /* of what is said about them */

static unsigned width_of(const struct source_printer *p)
{
	return p->style->wide ? 0 : p->style->width;
}

static void print_origin_of(const struct source_printer *p, const char *whose,
			    const struct source_text *text)
{
	static const char *const words[] = {
		[SOURCE_TEXT_MISSING] =
			"is not available (name its directory with -I); lines are matched by number",
		[SOURCE_TEXT_KEPT] = "",
		[SOURCE_TEXT_COMMIT] = "was not kept; this is the file in commit ",
		[SOURCE_TEXT_NOW] = "was not kept; this is the current file",
		[SOURCE_TEXT_NEWER] = "is newer than the profile or its program; lines may be off",
	};
	char line[200];

	if (!*words[text->origin])
		return;
	snprintf(line, sizeof line, "   The source of %s %s%s.", whose, words[text->origin],
		 text->commit);
	if (text_print_wrapped(p->to, line, width_of(p), INDENT))
		fprintf(p->to, "%s\n", line);
}

/* Whose text is another one than what was measured, perhaps. */
static void print_source_origins(const struct source_printer *p, const struct diff_source *s)
{
	const struct source_text *base = s->text[CODE_BASE], *head = s->text[CODE_HEAD];
	bool same = base->origin == head->origin && strcmp(base->commit, head->commit) == 0;
	bool only_base = !s->file[CODE_HEAD], only_head = !s->file[CODE_BASE];

	if (!text_is_known(only_base ? s->file[CODE_BASE] : s->file[CODE_HEAD]))
		return;
	if (same && !only_base && !only_head) {
		print_origin_of(p, "base and head", base);
		return;
	}
	if (!only_head)
		print_origin_of(p, "base", base);
	if (!only_base)
		print_origin_of(p, "head", head);
}

/* "src/a.c (in base: src/b.c)" */
static int print_file_name(const struct source_printer *p, unsigned begun, const char *before,
			   const struct diff_source *s)
{
	const char *base = s->file[CODE_BASE], *head = s->file[CODE_HEAD];
	bool moved = base && head && strcmp(base, head) != 0;
	char *line;

	if (asprintf(&line, "%s%s%s%s%s", before, head ? head : base, moved ? " (in base: " : "",
		     moved ? base : "", moved ? ")" : "") < 0)
		return CG_ENOMEM;
	int status = text_print_wrapped_on(p->to, begun, line, width_of(p), begun + INDENT)
			     ? CG_ENOMEM
			     : CG_OK;
	free(line);
	return status;
}

static int print_source_heading(const struct source_printer *p, const struct diff_source *s)
{
	fputc('\n', p->to);
	int status = print_file_name(p, 0, "-- ", s);
	print_source_origins(p, s);
	return status;
}

static void print_gap(const struct source_printer *p, const struct code_line *next)
{
	int side = next->in[CODE_HEAD] ? CODE_HEAD : CODE_BASE;
	fprintf(p->to, "-- line %" PRIu32 "%s --\n", next->number[side],
		side == CODE_BASE ? " of base" : "");
}

static void print_source_sum(struct source_printer *p, const int64_t *const *costs,
			     const char *what)
{
	print_costs(p, costs[CODE_BASE], costs[CODE_HEAD]);
	fprintf(p->to, "%s\n", what);
}

static int print_source_file(struct source_printer *p, const struct diff_source *s)
{
	const struct code *c = s->code;
	size_t call = 0;
	char rest[60];
	int status = print_source_heading(p, s);

	for (size_t i = 0, next = 0; !status && i < c->count; i++) {
		if (!s->shown[i])
			continue;
		if (i != next)
			print_gap(p, &c->lines[i]);
		status = print_source_line(p, s, &c->lines[i]);
		if (!status)
			status = print_source_calls(p, s, i, &call);
		next = i + 1;
	}
	snprintf(rest, sizeof rest, "%zu other line%s", s->nrest, s->nrest == 1 ? "" : "s");
	if (s->nrest)
		print_source_sum(p, s->rest, rest);
	print_source_sum(p, s->self, "all lines of these functions");
	return status;
}

/* A line for each file. */
static int print_files_without_text(struct source_printer *p)
{
	const char *title = "\n-- source not available (name its directory with -I)\n";
	unsigned costs = 0;
	int status = CG_OK;

	for (size_t i = 0; i < p->shown; i++)
		costs += (unsigned)p->widths[i] + 2;
	for (size_t i = 0; !status && i < p->r->nsources; i++) {
		const struct diff_source *s = &p->r->sources[i];
		if (has_source_lines(p, s))
			continue;
		fputs(title, p->to);
		title = "";
		print_costs(p, s->self[CODE_BASE], s->self[CODE_HEAD]);
		status = print_file_name(p, costs, "", s);
	}
	return status;
}

/* ---- the whole ---- */

static void print_source_nothing(const struct diff_report *r, FILE *to)
{
	fputs(r->unmatched ? "\nNo function matches the filter.\n"
	      : r->filter  ? "\nNo matching function changed in self cost.\n"
			   : "\nNo function changed by more than the threshold.\n",
	      to);
}

static bool has_source_calls(const struct diff_report *r)
{
	for (size_t i = 0; i < r->nsources; i++)
		if (r->sources[i].ncalls)
			return true;
	return false;
}

static void print_source_titles(const struct source_printer *p)
{
	int numbers = p->number[CODE_BASE] + p->number[CODE_HEAD] + 1;

	fprintf(p->to, "\nLines whose self cost%s changed, in context\n",
		has_source_calls(p->r) ? " or calls" : "");
	fputs(text_dim(p->style), p->to);
	event_cells_print(&p->cells, p->shown, p->widths, p->to);
	if (p->text)
		fprintf(p->to, "%*s   %-*s   %*s   %s", p->number[CODE_BASE], "", (int)p->text,
			"base", p->number[CODE_HEAD], "", "head");
	else
		fprintf(p->to, "%*s   source", numbers, "lines");
	fprintf(p->to, "%s\n", text_plain(p->style));
}

int diff_sources_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct source_printer p = { .r = r, .style = style, .to = to, .number = { 2, 2 } };

	p.brief = is_brief(r);
	if (r->nsources == 0) {
		print_source_nothing(r, to);
		return CG_OK;
	}
	int status = event_cells_init(&p.cells, r, style);
	if (!status)
		status = measure_source(&p);
	event_cells_free(&p.cells);
	if (!status)
		status = event_cells_init(&p.cells, r, style);
	if (!status)
		print_source_titles(&p);
	for (size_t i = 0; !status && i < r->nsources; i++)
		if (has_source_lines(&p, &r->sources[i]))
			status = print_source_file(&p, &r->sources[i]);
	if (!status)
		status = print_files_without_text(&p);
	if (!status)
		events_print_rest((p.cells.count - p.shown) / EVENT_CELLS, to);
	if (!status && r->sources_hidden)
		fprintf(to, "\n… and lines of %zu more function%s; see them with --top=0\n",
			r->sources_hidden, r->sources_hidden == 1 ? "" : "s");
	event_cells_free(&p.cells);
	free(p.widths);
	return status;
}
