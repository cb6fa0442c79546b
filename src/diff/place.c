#include "src/diff/place.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"

static bool is_any(const char *name)
{
	return !name || strcmp(name, "???") == 0;
}

static bool is_place_function(const struct cg_profile *p, uint32_t function,
			      const struct place_function *f)
{
	const struct cg_function *is = &p->functions[function];
	const char *name = cg_string(p, is->name);
	size_t stem = cg_name_stem(name, strlen(name));

	return strlen(f->name) == stem && memcmp(name, f->name, stem) == 0 &&
	       (is_any(f->object) ||
		strcmp(cg_base_name(cg_string(p, is->object)), f->object) == 0) &&
	       (is_any(f->file) || strcmp(cg_string(p, is->file), f->file) == 0);
}

/* Per function of the profile whether it is meant, for there are many more lines than functions;
 * free() it. NULL: out of memory. */
static bool *choose_place_functions(const struct cg_profile *p, const struct place_function *f)
{
	bool *chosen = calloc((size_t)p->nfunctions + 1, sizeof *chosen);

	for (uint32_t i = 1; chosen && i < p->nfunctions; i++)
		chosen[i] = is_place_function(p, i, f);
	return chosen;
}

/* ---- calls ---- */

static struct place find_costliest_call(const struct cg_profile *p, const struct metric *m,
					const bool *callers, const bool *callees)
{
	struct place best = { 0 };
	uint64_t cost = 0;

	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint64_t size = cg_magnitude(
			metric_value(m, p->call_cost + (size_t)i * p->nevents));
		if (!c->line || !callers[p->records[c->caller].function] ||
		    !callees[p->records[c->callee].function])
			continue;
		if (best.file && (size < cost || (size == cost && c->line >= best.line)))
			continue;
		cg_str file = c->file ? c->file : p->functions[p->records[c->caller].function].file;
		best = (struct place){ cg_string(p, file), c->line };
		cost = size;
	}
	return best;
}

int place_of_call(const struct cg_profile *p, const char *metric,
		  const struct place_function *caller, const struct place_function *callee,
		  struct place *out)
{
	bool *callers = choose_place_functions(p, caller),
	     *callees = choose_place_functions(p, callee);
	int status = callers && callees ? CG_OK : CG_ENOMEM;
	struct metric m;

	if (!status)
		*out = metric_find(p, metric, &m) ? find_costliest_call(p, &m, callers, callees)
						  : (struct place){ 0 };
	free(callers);
	free(callees);
	return status;
}

/* ---- own code ---- */

struct line_cost {
	uint32_t line;
	int64_t cost; /* saturates */
};

struct lines {
	struct line_cost *items; /* in order of the lines, each once */
	size_t count;
	const char *file;
};

static int compare_line_numbers(const void *left, const void *right)
{
	const struct line_cost *a = left, *b = right;
	return (a->line > b->line) - (a->line < b->line);
}

static void add_up_lines(struct lines *l)
{
	size_t kept = 0;

	qsort(l->items, l->count, sizeof *l->items, compare_line_numbers);
	for (size_t i = 0; i < l->count; i++) {
		if (kept && l->items[kept - 1].line == l->items[i].line) {
			int64_t *sum = &l->items[kept - 1].cost;
			if (__builtin_add_overflow(*sum, l->items[i].cost, sum))
				*sum = l->items[i].cost < 0 ? INT64_MIN : INT64_MAX;
		} else {
			l->items[kept++] = l->items[i];
		}
	}
	l->count = kept;
}

/* Lines of the function in its own file: what is of others (macros in headers) has other
 * numbers. */
static int list_function_lines(const struct cg_profile *p, const struct metric *m,
			       const struct place_function *f, struct lines *out)
{
	struct lines l = { .items = calloc((size_t)p->nlines + 1, sizeof *l.items) };
	bool *chosen = choose_place_functions(p, f);

	if (!l.items || !chosen) {
		free(l.items);
		free(chosen);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < p->nlines; i++) {
		const struct cg_line *line = &p->lines[i];
		uint32_t function = p->records[line->record].function;
		cg_str own = p->functions[function].file;
		if (!line->line || line->file != own || !chosen[function])
			continue;
		l.file = cg_string(p, own);
		l.items[l.count++] = (struct line_cost){
			line->line, metric_value(m, p->line_self + (size_t)i * p->nevents)
		};
	}
	free(chosen);
	add_up_lines(&l);
	*out = l;
	return CG_OK;
}

static int64_t cost_at(const struct lines *l, int64_t line)
{
	if (line <= 0 || line > UINT32_MAX || l->count == 0)
		return 0;
	struct line_cost key = { .line = (uint32_t)line };
	const struct line_cost *found = bsearch(&key, l->items, l->count, sizeof key,
						compare_line_numbers);
	return found ? found->cost : 0;
}

/* How lines of head are matched: those before `edit` as far after the first line as in base, those
 * from `after` on as far before the last one. What is between is new. */
struct alignment {
	int64_t from_first, from_last; /* line of base - line of head */
	size_t edit, after;            /* indices of lines of head */
};

static int64_t base_cost(const struct lines *base, const struct lines *head,
			 const struct alignment *a, size_t i)
{
	if (i >= a->edit && i < a->after)
		return 0;
	return cost_at(base, head->items[i].line + (i < a->edit ? a->from_first : a->from_last));
}

/* sums[i]: by how much all lines before line i change, aligned so. */
static void sum_line_changes(const struct lines *base, const struct lines *head,
			     const struct alignment *a, double *sums)
{
	sums[0] = 0;
	for (size_t i = 0; i < head->count; i++)
		sums[i + 1] = sums[i] +
			      (double)cg_distance(base_cost(base, head, a, i), head->items[i].cost);
}

static int64_t span(const struct lines *l)
{
	return (int64_t)l->items[l->count - 1].line - l->items[0].line;
}

/* Tries every line of head as the place of the edit. `sums` has room for three times the lines
 * and one each: aligned from the first line, from the last, and new. */
static void find_edit(const struct lines *base, const struct lines *head, double *sums,
		      struct alignment *a)
{
	size_t n = head->count, after = n, best_edit = n, best_after = n;
	double *first = sums, *last = first + n + 1, *added = last + n + 1;
	int64_t grown = span(head) - span(base);

	sum_line_changes(base, head, &(struct alignment){ a->from_first, a->from_last, n, n },
			 first);
	sum_line_changes(base, head, &(struct alignment){ a->from_first, a->from_last, 0, 0 },
			 last);
	sum_line_changes(base, head, &(struct alignment){ a->from_first, a->from_last, 0, n },
			 added);
	double best = first[n];
	for (size_t i = n; i-- > 0;) {
		int64_t end = (int64_t)head->items[i].line + (grown > 0 ? grown : 0);
		while (after > i && head->items[after - 1].line >= end)
			after--;
		double sum = first[i] + added[after] - added[i] + last[n] - last[after];
		if (sum < best) {
			best = sum;
			best_edit = i;
			best_after = after;
		}
	}
	a->edit = best_edit;
	a->after = best_after;
}

static int align(const struct lines *base, const struct lines *head, struct alignment *out)
{
	struct alignment a = { .edit = 0, .after = head->count };

	if (base->count && head->count) {
		double *sums = calloc(head->count + 1, 3 * sizeof *sums);
		if (!sums)
			return CG_ENOMEM;
		a.from_first = (int64_t)base->items[0].line - head->items[0].line;
		a.from_last = (int64_t)base->items[base->count - 1].line -
			      head->items[head->count - 1].line;
		find_edit(base, head, sums, &a);
		free(sums);
	}
	*out = a;
	return CG_OK;
}

static int find_grown_line(const struct lines *base, const struct lines *head, struct place *out)
{
	struct place best = { head->file, head->items[0].line };
	struct alignment a;
	int64_t most = 0;
	int status = align(base, head, &a);

	for (size_t i = 0; !status && i < head->count; i++) {
		int64_t growth = cg_delta(base_cost(base, head, &a, i), head->items[i].cost);
		if (growth > most) {
			most = growth;
			best.line = head->items[i].line;
		}
	}
	if (!status)
		*out = best;
	return status;
}

int place_of_code(const struct cg_profile *base, const struct cg_profile *head, const char *metric,
		  const struct place_function *function, struct place *out)
{
	struct lines base_lines = { 0 }, head_lines = { 0 };
	struct metric in_base, in_head;
	int status = CG_OK;

	*out = (struct place){ 0 };
	if (!metric_find(head, metric, &in_head))
		return CG_OK;
	status = list_function_lines(head, &in_head, function, &head_lines);
	if (!status && base && metric_find(base, metric, &in_base)) {
		/* The function may have moved here from another file. */
		struct place_function anywhere = { function->name, NULL, NULL };
		status = list_function_lines(base, &in_base, function, &base_lines);
		if (!status && base_lines.count == 0) {
			free(base_lines.items);
			base_lines = (struct lines){ 0 };
			status = list_function_lines(base, &in_base, &anywhere, &base_lines);
		}
	}
	if (!status && head_lines.count)
		status = find_grown_line(&base_lines, &head_lines, out);
	free(base_lines.items);
	free(head_lines.items);
	return status;
}
