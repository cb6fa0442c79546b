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

	for (uint32_t i = 1; chosen && i < p->nfunctions; i++) {
		chosen[i] = is_place_function(p, i, f);
		for (size_t k = 0; !chosen[i] && k < f->nalso; k++)
			chosen[i] = is_place_function(p, i, &f->also[k]);
	}
	return chosen;
}

/* ---- lines of a function ---- */

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
			cg_add_cost_clipped(&l->items[kept - 1].cost, l->items[i].cost);
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

static bool find_place_metric(const struct cg_profile *p, const char *metric, struct metric *m)
{
	return p && metric_find(p, metric, m);
}

/* ---- lines that call ---- */

/* Values of a call: how often, or what it costs. */
struct called_lines {
	const struct cg_profile *p;
	const struct metric *m;
	bool *callers, *callees; /* per function */
	bool by_cost;
};

static cg_str file_of_call(const struct cg_profile *p, uint32_t call)
{
	const cg_str file = cg_call_place(p, call).file;
	return file ? file : p->functions[p->records[p->calls[call].caller].function].file;
}

static bool is_placed_call(const struct called_lines *l, uint32_t call)
{
	const struct cg_profile *p = l->p;
	const struct cg_call *c = &p->calls[call];
	return cg_call_place(p, call).line && l->callers[p->records[c->caller].function] &&
	       l->callees[p->records[c->callee].function];
}

static int64_t value_of_call(const struct called_lines *l, uint32_t i)
{
	uint64_t count = l->p->calls[i].count;

	if (l->by_cost)
		return metric_value(l->m, l->p->call_cost + (size_t)i * l->p->nevents);
	return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

/* The file of the costliest call: the lines of macros in headers have other numbers. */
static cg_str find_calling_file(const struct called_lines *l, bool *counted)
{
	uint64_t most = 0;
	cg_str file = 0;

	*counted = true;
	for (uint32_t i = 1; i < l->p->ncalls; i++) {
		if (!is_placed_call(l, i))
			continue;
		uint64_t size = cg_magnitude(
			metric_value(l->m, l->p->call_cost + (size_t)i * l->p->nevents));
		*counted &= l->p->calls[i].count > 0;
		if (!file || size > most) {
			most = size;
			file = file_of_call(l->p, i);
		}
	}
	return file;
}

static int list_calling_lines(struct called_lines *l, struct lines *out)
{
	struct lines lines = { .items = calloc((size_t)l->p->ncalls + 1, sizeof *lines.items) };
	bool counted;
	cg_str file = find_calling_file(l, &counted);

	if (!lines.items)
		return CG_ENOMEM;
	l->by_cost |= !counted;
	lines.file = file ? cg_string(l->p, file) : NULL;
	for (uint32_t i = 1; i < l->p->ncalls; i++) {
		const uint32_t line = cg_call_place(l->p, i).line;
		if (is_placed_call(l, i) && file_of_call(l->p, i) == file)
			lines.items[lines.count++] = (struct line_cost){ line,
									 value_of_call(l, i) };
	}
	add_up_lines(&lines);
	*out = lines;
	return CG_OK;
}

static int find_calling_lines(const struct cg_profile *p, const char *metric,
			      const struct place_function *caller,
			      const struct place_function *callee, bool by_cost, struct lines *out)
{
	struct metric m;
	struct called_lines l = { .p = p, .m = &m, .by_cost = by_cost };
	int status = CG_OK;

	if (!find_place_metric(p, metric, &m) || !caller->name || !callee->name)
		return CG_OK;
	l.callers = choose_place_functions(p, caller);
	l.callees = choose_place_functions(p, callee);
	status = l.callers && l.callees ? list_calling_lines(&l, out) : CG_ENOMEM;
	free(l.callers);
	free(l.callees);
	return status;
}

/* Functions may have moved here from another file. */
static int find_calls_anywhere(const struct cg_profile *p, const char *metric,
			       const struct place_function *caller,
			       const struct place_function *callee, bool by_cost, struct lines *out)
{
	const struct place_function from = { .name = caller->name };
	const struct place_function to = { .name = callee->name };
	int status = find_calling_lines(p, metric, caller, callee, by_cost, out);

	if (status || out->count)
		return status;
	free(out->items);
	*out = (struct lines){ 0 };
	return find_calling_lines(p, metric, &from, &to, by_cost, out);
}

/* ---- which line of base a line of head is ---- */

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

/* Of a line of `to` that line of `from` which is the same, or 0. */
static uint32_t counterpart(const struct place_match *match, bool shrank, uint32_t line)
{
	const uint32_t *of = shrank ? match->head_of : match->base_of;
	return line < (shrank ? match->nbase : match->nhead) ? of[line] : 0;
}

static size_t first_of_lines(const struct lines *l)
{
	(void)l;
	return 0;
}

static size_t costliest_of_lines(const struct lines *l)
{
	size_t best = 0;

	for (size_t i = 1; i < l->count; i++)
		if (l->items[i].cost > l->items[best].cost)
			best = i;
	return best;
}

/* The line whose cost changed most in one direction. */
struct changed_line {
	size_t at;      /* index of the line of `to` */
	uint32_t was;   /* the same line of `from`, or 0 */
	int64_t change; /* of its size; 0: no line changed so */
};

/* The line of `to` that costs most more than that of `from`, which it is. */
static int find_grown_line(const struct place_sides *sides, const struct lines *from,
			   const struct lines *to, struct changed_line *out)
{
	struct alignment a;
	int status = align(from, to, &a);

	*out = (struct changed_line){ 0 };
	for (size_t i = 0; !status && i < to->count; i++) {
		uint32_t line = to->items[i].line;
		int64_t before, number;
		if (sides->match) {
			number = counterpart(sides->match, sides->shrank, line);
			before = cost_at(from, number);
		} else {
			bool is_new = i >= a.edit && i < a.after;
			number = is_new ? 0 : line + (i < a.edit ? a.from_first : a.from_last);
			before = base_cost(from, to, &a, i);
			number = from->count ? number : 0;
		}
		int64_t growth = cg_delta(before, to->items[i].cost);
		if (growth > out->change)
			*out = (struct changed_line){ .at = i,
						      .was = number > 0 && number <= UINT32_MAX
								     ? (uint32_t)number
								     : 0,
						      .change = growth };
	}
	return status;
}

static int find_changed_line(const struct place_sides *sides, const struct lines *base,
			     const struct lines *head, struct changed_line *out)
{
	const struct lines *to = sides->shrank ? base : head, *from = sides->shrank ? head : base;

	*out = (struct changed_line){ 0 };
	return to->count ? find_grown_line(sides, from, to, out) : CG_OK;
}

/* Where a cost fell is a line of base, if head does not have that any more. */
static struct place place_of_line(const struct place_sides *sides, const struct lines *base,
				  const struct lines *head, const struct changed_line *changed)
{
	const struct lines *to = sides->shrank ? base : head;

	if (sides->shrank && changed->was && head->file)
		return (struct place){ .file = head->file, .line = changed->was };
	return (struct place){ .file = to->file,
			       .line = to->items[changed->at].line,
			       .in_base = sides->shrank };
}

/* What counts when no line changed. */
static struct place place_unchanged(const struct lines *base, const struct lines *head,
				    size_t (*choose)(const struct lines *l))
{
	if (head->count)
		return (struct place){ .file = head->file, .line = head->items[choose(head)].line };
	if (base->count)
		return (struct place){ .file = base->file,
				       .line = base->items[choose(base)].line,
				       .in_base = true };
	return (struct place){ 0 };
}

static int choose_calling_line(const struct place_sides *sides, const struct lines *base,
			       const struct lines *head, struct place *out)
{
	struct changed_line changed;
	int status = find_changed_line(sides, base, head, &changed);

	*out = changed.change ? place_of_line(sides, base, head, &changed)
			      : place_unchanged(base, head, costliest_of_lines);
	out->base_file = base->file;
	out->head_file = head->file;
	return status;
}

/* Lines may all have changed the other way than what they are part of. */
static int choose_code_line(const struct place_sides *sides, const struct lines *base,
			    const struct lines *head, struct place *out)
{
	const struct place_sides *chosen = sides;
	struct place_sides opposite = *sides;
	struct changed_line changed, other;

	opposite.shrank = !sides->shrank;
	int status = find_changed_line(sides, base, head, &changed);
	if (!status)
		status = find_changed_line(&opposite, base, head, &other);
	if (!status && (!changed.change || (sides->either && other.change > changed.change))) {
		chosen = &opposite;
		changed = other;
	}
	*out = changed.change ? place_of_line(chosen, base, head, &changed)
			      : place_unchanged(base, head, first_of_lines);
	out->base_file = base->file;
	out->head_file = head->file;
	return status;
}

/* ---- the places ---- */

int place_of_call(const struct place_sides *sides, const struct place_call *call, struct place *out)
{
	struct lines base = { 0 }, head = { 0 };
	int status = find_calls_anywhere(sides->base, sides->metric, &call->base_caller,
					 &call->base_callee, call->by_cost, &base);

	if (!status)
		status = find_calls_anywhere(sides->head, sides->metric, &call->caller,
					     &call->callee, call->by_cost, &head);
	if (!status)
		status = choose_calling_line(sides, &base, &head, out);
	free(base.items);
	free(head.items);
	return status;
}

static int find_placed_lines(const struct cg_profile *p, const char *metric,
			     const struct place_function *f, struct lines *out)
{
	struct metric m;

	if (!find_place_metric(p, metric, &m) || !f->name)
		return CG_OK;
	int status = list_function_lines(p, &m, f, out);
	if (status || out->count)
		return status;
	/* The function may have moved here from another file. */
	const struct place_function anywhere = { .name = f->name };
	free(out->items);
	*out = (struct lines){ 0 };
	return list_function_lines(p, &m, &anywhere, out);
}

int place_of_code(const struct place_sides *sides, const struct place_function *base,
		  const struct place_function *head, struct place *out)
{
	struct lines base_lines = { 0 }, head_lines = { 0 };
	int status = find_placed_lines(sides->base, sides->metric, base, &base_lines);

	if (!status)
		status = find_placed_lines(sides->head, sides->metric, head, &head_lines);
	if (!status)
		status = choose_code_line(sides, &base_lines, &head_lines, out);
	free(base_lines.items);
	free(head_lines.items);
	return status;
}
