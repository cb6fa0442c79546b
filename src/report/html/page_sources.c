/* The source of functions, line by line, as data of the page. */
#include "src/report/html/page_data.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

static void add_page_line(struct page_writing *w, const struct page_source_side *s,
			  const int *columns, uint32_t number, const struct source_line *costs)
{
	json_begin_array(w->j, NULL);
	json_count(w->j, NULL, number);
	json_begin_array(w->j, NULL);
	for (size_t e = 0; e < w->events.count; e++)
		json_cost(w->j, NULL, costs ? page_cost(costs->self, columns[e]) : 0);
	json_end(w->j);
	json_text(w->j, NULL,
		  number && number <= s->text->count ? s->text->lines[number - 1] : NULL);
	json_end(w->j);
}

static uint64_t size_of(const struct source_line *line, int event)
{
	return event < 0 ? 0 : cg_magnitude(line->self[event]);
}

/* Of very many lines the costliest are shown: those of at least *least. */
static int find_page_least(const struct source_file *f, int event, uint64_t *least)
{
	enum { MOST = 300 };
	uint64_t *sizes = calloc(f->nlines + 1, sizeof *sizes);

	if (!sizes)
		return CG_ENOMEM;
	for (size_t i = 0; i < f->nlines; i++)
		sizes[i] = size_of(&f->lines[i], event);
	qsort(sizes, f->nlines, sizeof *sizes, cg_larger_first);
	*least = f->nlines > MOST ? sizes[MOST] + 1 : 0;
	free(sizes);
	return CG_OK;
}

static void add_context(struct page_writing *w, const struct page_source_side *s,
			const int *columns, uint32_t from, uint32_t to)
{
	for (uint32_t n = from; n <= to && n <= s->text->count; n++)
		add_page_line(w, s, columns, n, NULL);
}

/* The lines with costs, each with what is around it. */
static void add_source_lines(struct page_writing *w, const struct page_source_side *s,
			     const int *columns, int event, uint64_t least)
{
	enum { AROUND = 3 };
	uint32_t next = 0,
		 tail = 0; /* the first line not added yet, the last one to add; 0: none */

	json_begin_array(w->j, "lines");
	for (size_t i = 0; i < s->file->nlines; i++) {
		const struct source_line *line = &s->file->lines[i];
		if (size_of(line, event) < least)
			continue;
		uint32_t from = line->line > AROUND ? line->line - AROUND : 1;
		if (next && from > tail + 1)
			add_context(w, s, columns, next, tail);
		else if (next)
			from = next;
		if (line->line)
			add_context(w, s, columns, from, line->line - 1);
		add_page_line(w, s, columns, line->line, line);
		next = line->line + 1;
		tail = line->line + AROUND;
	}
	if (next)
		add_context(w, s, columns, next, tail);
	json_end(w->j);
}

static int add_source_side(struct page_writing *w, const char *key,
			   const struct page_source_side *s, const int *columns)
{
	if (!s->profile || !s->file) {
		json_none(w->j, key);
		return CG_OK;
	}
	int event = cg_event_index(s->profile, w->d->options.metric);
	event = event < 0 ? cg_event_index(s->profile, "Ir") : event;
	uint64_t least;
	if (find_page_least(s->file, event, &least))
		return CG_ENOMEM;
	json_begin_object(w->j, key);
	json_text(w->j, "file",
		  s->text->path ? s->text->path : cg_string(s->profile, s->file->file));
	json_text(w->j, "note",
		  s->note  ? s->note
		  : !least ? NULL
			   : "Only the costliest lines of this function are in this file.");
	add_source_lines(w, s, columns, event, least);
	json_end(w->j);
	return CG_OK;
}

int page_add_sources(struct page_writing *w)
{
	int status = CG_OK;

	json_begin_array(w->j, "sources");
	for (size_t i = 0; !status && i < w->page->nsources; i++) {
		const struct page_source *s = &w->page->sources[i];
		json_begin_object(w->j, NULL);
		json_count(w->j, "function", page_function(&w->names, s->name, s->object, s->file));
		status = add_source_side(w, "base", &s->base, w->events.base);
		if (!status)
			status = add_source_side(w, "head", &s->head, w->events.head);
		if (!status)
			status = page_add_code(w, s->code);
		json_end(w->j);
	}
	json_end(w->j);
	if (w->page->no_code)
		json_text(w->j, "noCode", w->page->no_code);
	return status;
}
