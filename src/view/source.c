#include "src/view/source.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/number.h"
#include "src/view/calls.h"

static int compare_view_source_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_source_files(const struct cg_profile *p, cg_str a, cg_str b)
{
	return a == b ? 0 : strcmp(cg_string(p, a), cg_string(p, b));
}

static int compare_source_lines(const void *left, const void *right, void *context)
{
	const struct source_line *a = left, *b = right;
	int order = compare_source_files(context, a->file, b->file);
	return order ? order : compare_view_source_numbers(a->line, b->line);
}

static int compare_calls(const void *left, const void *right, void *context)
{
	const struct source_call *a = left, *b = right;
	int order = compare_source_files(context, a->file, b->file);
	if (!order)
		order = compare_view_source_numbers(a->line, b->line);
	return order ? order : cg_compare_functions(context, a->callee, b->callee);
}

struct source_ranking {
	const struct cg_profile *p;
	uint32_t event;
};

static int compare_file_costs(const void *left, const void *right, void *context)
{
	const struct source_file *a = left, *b = right;
	const struct source_ranking *r = context;
	int order = cg_compare_sizes(a->self[r->event], b->self[r->event]);
	return order ? order : compare_source_files(r->p, a->file, b->file);
}

static bool record_is_chosen(const struct cg_profile *p, const bool *chosen, uint32_t record)
{
	return chosen[p->records[record].function];
}

/* Copies of the rows, sorted, then rows of one line added up in place. Sums of
 * self costs cannot overflow (cg_build_self_fits). */
static size_t collect_lines(const struct cg_profile *p, const bool *chosen, struct source *s,
			    int64_t *costs)
{
	uint32_t n = p->nevents;
	size_t count = 0, kept = 0;

	for (uint32_t i = 1; i < p->nlines; i++)
		if (record_is_chosen(p, chosen, p->lines[i].record))
			s->lines[count++] = (struct source_line){ p->lines[i].file,
								  p->lines[i].line,
								  p->line_self + (size_t)i * n };
	qsort_r(s->lines, count, sizeof *s->lines, compare_source_lines, (void *)p);

	for (size_t i = 0; i < count; i++) {
		struct source_line line = s->lines[i];
		if (!kept || s->lines[kept - 1].file != line.file ||
		    s->lines[kept - 1].line != line.line) {
			s->lines[kept] = line;
			s->lines[kept].self = costs + kept * n;
			kept++;
		}
		cg_add_costs(costs + (kept - 1) * n, line.self, n);
	}
	return kept;
}

/* Those that are not counted have no place in files that count calls, unless they are inlined. */
static bool is_shown_call(const struct cg_profile *p, const struct cg_call *c)
{
	return c->count || p->records[c->callee].inlined_into;
}

/* Inlined code of which no line is known is in the file of the function around it. */
static cg_str source_file_of_call(const struct cg_profile *p, uint32_t call)
{
	const struct cg_call *c = &p->calls[call];
	const struct cg_position at = cg_call_place(p, call);
	bool unknown = !at.line && p->records[c->callee].inlined_into;
	return unknown ? p->functions[p->records[c->caller].function].file : at.file;
}

static int collect_calls(const struct cg_profile *p, const bool *chosen, struct source *s,
			 int64_t *costs, size_t *result)
{
	uint32_t n = p->nevents;
	size_t count = 0, kept = 0;

	for (uint32_t i = 1; i < p->ncalls; i++)
		if (record_is_chosen(p, chosen, p->calls[i].caller) &&
		    is_shown_call(p, &p->calls[i]))
			s->calls[count++] = (struct source_call){
				source_file_of_call(p, i),
				cg_call_place(p, i).line,
				p->records[p->calls[i].callee].function,
				p->calls[i].count,
				!p->calls[i].count,
				calls_recursive(p, &p->calls[i]),
				p->call_cost + (size_t)i * n
			};
	qsort_r(s->calls, count, sizeof *s->calls, compare_calls, (void *)p);

	for (size_t i = 0; i < count; i++) {
		struct source_call call = s->calls[i];
		struct source_call *last = kept ? &s->calls[kept - 1] : NULL;
		if (!last || last->file != call.file || last->line != call.line ||
		    last->callee != call.callee) {
			last = &s->calls[kept];
			*last = call;
			last->count = 0;
			last->cost = costs + kept * n;
			kept++;
		}
		/* What a function costs in recursion is counted where it was entered. */
		if (__builtin_add_overflow(last->count, call.count, &last->count) ||
		    (!call.recursive && !cg_add_costs(costs + (kept - 1) * n, call.cost, n)))
			return CG_ERANGE;
		last->recursive &= call.recursive;
		last->uncounted |= call.uncounted;
	}
	*result = kept;
	return CG_OK;
}

/* Lines and calls are both sorted by file: a merge. A file may have only one of them. */
static void split_into_files(const struct cg_profile *p, struct source *s, size_t nlines,
			     size_t ncalls, int64_t *costs)
{
	uint32_t n = p->nevents;

	for (size_t i = 0, call = 0; i < nlines || call < ncalls;) {
		bool has_line = i < nlines, has_call = call < ncalls;
		bool line_first = has_line &&
				  (!has_call || compare_source_files(p, s->lines[i].file,
								     s->calls[call].file) <= 0);
		struct source_file *f = &s->files[s->count];
		*f = (struct source_file){
			.file = line_first ? s->lines[i].file : s->calls[call].file,
			.lines = s->lines + i,
			.calls = s->calls + call,
			.self = costs + s->count * n,
		};
		for (; i < nlines && s->lines[i].file == f->file; i++, f->nlines++)
			cg_add_costs(costs + s->count * n, s->lines[i].self, n);
		for (; call < ncalls && s->calls[call].file == f->file; call++)
			f->ncalls++;
		s->count++;
	}
}

int source_make(const struct cg_profile *p, const bool *chosen, uint32_t event, struct source **out,
		struct cg_error *err)
{
	if (!p->has_lines)
		return cg_fail(err, CG_EINVAL, NULL, 0, "the profile was read without lines");

	size_t nl = p->nlines, nc = p->ncalls, n = p->nevents;
	struct source *s = calloc(1, sizeof *s);
	if (!s)
		return cg_fail_nomem(err);
	s->files = calloc(nl + nc + 1, sizeof *s->files);
	s->lines = calloc(nl + 1, sizeof *s->lines);
	s->calls = calloc(nc + 1, sizeof *s->calls);
	s->costs = calloc((2 * nl + 2 * nc + 1) * n, sizeof *s->costs);
	if (!s->files || !s->lines || !s->calls || !s->costs) {
		source_free(s);
		return cg_fail_nomem(err);
	}

	size_t nlines = collect_lines(p, chosen, s, s->costs), ncalls;
	if (collect_calls(p, chosen, s, s->costs + nl * n, &ncalls)) {
		source_free(s);
		return cg_fail(err, CG_ERANGE, NULL, 0, "a sum of call costs exceeds 2^64");
	}
	split_into_files(p, s, nlines, ncalls, s->costs + (nl + nc) * n);
	struct source_ranking ranking = { p, event };
	qsort_r(s->files, s->count, sizeof *s->files, compare_file_costs, &ranking);
	*out = s;
	return CG_OK;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	free(s->files);
	free(s->lines);
	free(s->calls);
	free(s->costs);
	free(s);
}
