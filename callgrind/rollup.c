#include "cgprofile/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"

static const char *const words[] = {
	[CG_BY_FUNCTION] = "function",
	[CG_BY_FILE] = "file",
	[CG_BY_OBJECT] = "object",
	[CG_BY_NAMESPACE] = "namespace",
};

const char *cg_rollup_word(enum cg_rollup_by by)
{
	return words[by];
}

enum cg_rollup_by cg_rollup_by_word(const char *word)
{
	for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], word) == 0)
			return (enum cg_rollup_by)i;
	return CG_BY_FUNCTION;
}

static int rollup_add(struct cg_strings *strings, const char *text, cg_str *id)
{
	return cg_strings_add(strings, text, strlen(text), id);
}

int cg_rollup_namespace(const char *name, struct cg_strings *strings, cg_str *id)
{
	size_t len = strlen(name);
	if (!len || cg_name_is_address(name) || strcmp(name, CG_UNKNOWN_GROUP) == 0)
		return rollup_add(strings, CG_UNKNOWN_GROUP, id);

	char *scope = malloc(len + 1);
	if (!scope)
		return CG_ENOMEM;
	len = cg_name_scope(name, len, scope);
	int status = len ? cg_strings_add(strings, scope, len, id)
			 : rollup_add(strings, CG_NO_NAMESPACE, id);
	free(scope);
	return status;
}

static int rollup_add_name(const struct cg_profile *p, const struct cg_function *f,
			   enum cg_rollup_by by, struct cg_strings *strings, cg_str *id)
{
	if (by == CG_BY_NAMESPACE)
		return cg_rollup_namespace(cg_string(p, f->name), strings, id);
	cg_str place = by == CG_BY_FILE ? f->file : f->object;
	return rollup_add(strings, place ? cg_string(p, place) : CG_UNKNOWN_GROUP, id);
}

int cg_rollup_make(const struct cg_profile *p, enum cg_rollup_by by, struct cg_rollup *out)
{
	struct cg_rollup r = { .by = by };
	int status = cg_strings_init(&r.strings);

	if (!status) {
		r.of = calloc((size_t)p->nfunctions + 1, sizeof *r.of);
		status = r.of ? CG_OK : CG_ENOMEM;
	}
	for (uint32_t f = 1; !status && f < p->nfunctions; f++)
		status = rollup_add_name(p, &p->functions[f], by, &r.strings, &r.of[f]);
	if (status) {
		cg_rollup_free(&r);
		return status;
	}
	r.count = (uint32_t)r.strings.count;
	*out = r;
	return CG_OK;
}

void cg_rollup_free(struct cg_rollup *r)
{
	free(r->of);
	cg_strings_free(&r->strings);
	*r = (struct cg_rollup){ 0 };
}

/* A function that calls itself is not entered from elsewhere. */
static void count_entries(const struct cg_profile *p, const uint32_t *of, struct cg_inclusive *inc)
{
	memset(inc->calls, 0, inc->count * sizeof *inc->calls);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t to = of[p->records[c->callee].function];
		bool inlined = p->records[c->callee].inlined_into != 0; /* known of some only */
		if (!inlined && of[p->records[c->caller].function] != to)
			cg_add_count_clipped(&inc->calls[to], c->count);
	}
}

/* ---- tighter bounds ---- */

/* Calls by their callers: record r calls callee[first[r]] … callee[first[r + 1] - 1]. */
struct reaching {
	const struct cg_profile *p;
	const uint32_t *of;
	size_t *first;
	uint32_t *callee;
	uint32_t *met;     /* per record: the last group that reached it */
	uint32_t *pending; /* records whose calls are still to be followed, instead of recursion */
	size_t npending;
	uint64_t effort; /* calls that may still be followed */
	int64_t *sum;    /* per event */
};

static int rollup_sort_calls(struct reaching *w)
{
	const struct cg_profile *p = w->p;

	w->first = calloc((size_t)p->nrecords + 2, sizeof *w->first);
	w->callee = calloc((size_t)p->ncalls + 1, sizeof *w->callee);
	w->met = calloc((size_t)p->nrecords + 1, sizeof *w->met);
	w->pending = calloc((size_t)p->nrecords + 1, sizeof *w->pending);
	w->sum = calloc((size_t)p->nevents + 1, sizeof *w->sum);
	if (!w->first || !w->callee || !w->met || !w->pending || !w->sum)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->ncalls; i++)
		w->first[p->calls[i].caller + 1]++;
	for (uint32_t r = 0; r <= p->nrecords; r++)
		w->first[r + 1] += w->first[r];
	for (uint32_t i = p->ncalls; i-- > 1;)
		w->callee[--w->first[p->calls[i].caller + 1]] = p->calls[i].callee;
	for (uint32_t r = 0; r < p->nrecords; r++)
		w->first[r] = w->first[r + 1];
	w->first[p->nrecords] = p->ncalls ? p->ncalls - 1 : 0;
	return CG_OK;
}

static void rollup_meet(struct reaching *w, uint32_t record, uint32_t group)
{
	uint32_t n = w->p->nevents;

	if (w->met[record] == group)
		return;
	w->met[record] = group;
	w->pending[w->npending++] = record;
	cg_add_costs(w->sum, w->p->record_self + (size_t)record * n, n);
}

/* Adds up the costs of all that a group can reach. False if that would take too long. */
static bool reach(struct reaching *w, uint32_t group)
{
	w->npending = 0;
	memset(w->sum, 0, w->p->nevents * sizeof *w->sum);
	for (uint32_t r = 1; r < w->p->nrecords; r++)
		if (w->of[w->p->records[r].function] == group)
			rollup_meet(w, r, group);
	while (w->npending) {
		uint32_t r = w->pending[--w->npending];
		if (w->first[r + 1] - w->first[r] > w->effort)
			return false;
		w->effort -= w->first[r + 1] - w->first[r];
		for (size_t i = w->first[r]; i < w->first[r + 1]; i++)
			rollup_meet(w, w->callee[i], group);
	}
	return true;
}

/* A group cannot cost more than all that it can reach, which is much less than what comes out of
 * adding up entries where it is one of many that call each other, as in a program's start. */
static int tighten(const struct cg_profile *p, const uint32_t *of, struct cg_inclusive *inc)
{
	struct reaching w = { .p = p, .of = of, .effort = UINT64_C(1) << 28 };
	bool *negative = cg_negative_events(p);
	int status = negative ? rollup_sort_calls(&w) : CG_ENOMEM;

	for (uint32_t g = 1; !status && g < inc->count; g++) {
		if (!inc->bound[g])
			continue;
		if (w.effort < p->nrecords || !reach(&w, g))
			break;
		w.effort -= p->nrecords;
		for (uint32_t e = 0; e < p->nevents; e++) {
			int64_t *cost = &inc->cost[(size_t)g * p->nevents + e];
			if (!negative[e] && *cost > w.sum[e])
				*cost = w.sum[e];
		}
	}
	free(negative);
	free(w.first);
	free(w.callee);
	free(w.met);
	free(w.pending);
	free(w.sum);
	return status;
}

int cg_rollup_inclusive(const struct cg_profile *p, const uint32_t *of, uint32_t count,
			struct cg_inclusive **out)
{
	struct cg_inclusive *inc = NULL;
	int status = cg_inclusive_compute(p, of, count, &inc);

	if (!status)
		status = tighten(p, of, inc);
	if (status) {
		cg_inclusive_free(inc);
		return status;
	}
	count_entries(p, of, inc);
	*out = inc;
	return CG_OK;
}
