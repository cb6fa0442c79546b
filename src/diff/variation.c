#include "src/diff/variation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/*
 * Numbers of many things (functions, calls) in several profiles: `width` of each. In a round one
 * profile is added up; at its end, what is the smallest and the largest so far is known of all.
 */
struct variation_tally {
	size_t width, count, cap; /* things, from 0 on */
	int64_t *now;             /* width per thing */
	struct spread *spreads;
	size_t now_cap, spreads_cap;
	size_t rounds; /* that have ended */
};

/* The numbers of a new thing were 0 in the rounds before. */
static int tally_grow(struct variation_tally *t, size_t count)
{
	if (count <= t->count)
		return CG_OK;
	if (cg_grow(&t->now, &t->now_cap, count * t->width, sizeof *t->now) ||
	    cg_grow(&t->spreads, &t->spreads_cap, count * t->width, sizeof *t->spreads))
		return CG_ENOMEM;
	size_t from = t->count * t->width, more = (count - t->count) * t->width;
	memset(t->now + from, 0, more * sizeof *t->now);
	memset(t->spreads + from, 0, more * sizeof *t->spreads);
	t->count = count;
	return CG_OK;
}

static int tally_add(struct variation_tally *t, size_t thing, size_t column, int64_t n)
{
	int64_t *sum = &t->now[thing * t->width + column];
	return __builtin_add_overflow(*sum, n, sum) ? CG_ERANGE : CG_OK;
}

static void tally_end_round(struct variation_tally *t)
{
	for (size_t i = 0; i < t->count * t->width; i++) {
		struct spread *s = &t->spreads[i];
		if (t->rounds == 0 || t->now[i] < s->min)
			s->min = t->now[i];
		if (t->rounds == 0 || t->now[i] > s->max)
			s->max = t->now[i];
		t->now[i] = 0;
	}
	t->rounds++;
}

static const struct spread *tally_get(const struct variation_tally *t, size_t thing, size_t column)
{
	return &t->spreads[thing * t->width + column];
}

static bool varies(const struct spread *s)
{
	return s->min != s->max;
}

static void tally_free(struct variation_tally *t)
{
	free(t->now);
	free(t->spreads);
}

/* ---- functions and calls of several profiles under numbers that all share ---- */

struct function_key {
	cg_str object, file, name;
};

struct variation_search {
	uint32_t nevents;
	struct cg_strings texts;
	struct cg_strings functions, calls; /* keys as bytes of text; ids are things + 1 */
	struct function_key *keys;          /* per function */
	uint32_t (*ends)[2];                /* per call: functions */
	size_t keys_cap, ends_cap;
	struct variation_tally of_functions, of_calls;
};

static int share_text(struct variation_search *f, const struct cg_profile *p, cg_str id,
		      cg_str *out)
{
	const char *text = cg_string(p, id);
	return cg_strings_add(&f->texts, text, strlen(text), out);
}

/* The number of a function of `p`, which may be new. */
static int number_function(struct variation_search *f, const struct cg_profile *p,
			   uint32_t function, uint32_t *out)
{
	const struct cg_function *fn = &p->functions[function];
	struct function_key key;
	char text[3 * 9 + 1];
	cg_str id;
	int status;

	if ((status = share_text(f, p, fn->object, &key.object)) ||
	    (status = share_text(f, p, fn->file, &key.file)) ||
	    (status = share_text(f, p, fn->name, &key.name)))
		return status;
	snprintf(text, sizeof text, "%08x %08x %08x", key.object, key.file, key.name);
	size_t before = f->functions.count;
	status = cg_strings_add(&f->functions, text, strlen(text), &id);
	if (status)
		return status;
	if (f->functions.count > before) {
		if (cg_grow(&f->keys, &f->keys_cap, id, sizeof *f->keys) ||
		    tally_grow(&f->of_functions, id))
			return CG_ENOMEM;
		f->keys[id - 1] = key;
	}
	*out = id - 1;
	return CG_OK;
}

static int number_call(struct variation_search *f, uint32_t caller, uint32_t callee, uint32_t *out)
{
	char text[2 * 9 + 1];
	cg_str id;

	snprintf(text, sizeof text, "%08x %08x", caller, callee);
	size_t before = f->calls.count;
	int status = cg_strings_add(&f->calls, text, strlen(text), &id);
	if (status)
		return status;
	if (f->calls.count > before) {
		if (cg_grow(&f->ends, &f->ends_cap, id, sizeof *f->ends) ||
		    tally_grow(&f->of_calls, id))
			return CG_ENOMEM;
		f->ends[id - 1][0] = caller;
		f->ends[id - 1][1] = callee;
	}
	*out = id - 1;
	return CG_OK;
}

static int add_call_count(struct variation_search *f, const struct cg_profile *p, uint32_t call,
			  const uint32_t *number_of)
{
	const struct cg_call *c = &p->calls[call];
	uint32_t caller = number_of[p->records[c->caller].function];
	uint32_t callee = number_of[p->records[c->callee].function], number;
	int status = number_call(f, caller, callee, &number);

	if (!status)
		status = tally_add(&f->of_calls, number, 0,
				   c->count > INT64_MAX ? INT64_MAX : (int64_t)c->count);
	for (uint32_t e = 0; !status && e < f->nevents; e++)
		status = tally_add(&f->of_calls, number, 1 + e,
				   p->call_cost[(size_t)call * f->nevents + e]);
	return status;
}

static int add_profile_counts(struct variation_search *f, const struct cg_profile *p)
{
	uint32_t *number_of = calloc(p->nfunctions, sizeof *number_of);
	int status = number_of ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 1; !status && i < p->nfunctions; i++)
		status = number_function(f, p, i, &number_of[i]);
	for (uint32_t r = 1; !status && r < p->nrecords; r++)
		for (uint32_t e = 0; !status && e < f->nevents; e++)
			status = tally_add(&f->of_functions, number_of[p->records[r].function], e,
					   p->record_self[(size_t)r * f->nevents + e]);
	for (uint32_t c = 1; !status && c < p->ncalls; c++)
		status = add_call_count(f, p, c, number_of);
	tally_end_round(&f->of_functions);
	tally_end_round(&f->of_calls);
	free(number_of);
	return status;
}

/* ---- what of it varies ---- */

static bool events_agree(const struct cg_profile *a, const struct cg_profile *b)
{
	bool agree = a->nevents == b->nevents;

	for (uint32_t e = 0; agree && e < a->nevents; e++)
		agree = !strcmp(cg_string(a, a->events[e].name), cg_string(b, b->events[e].name));
	return agree;
}

static int find_totals(const struct cg_profile *const *profiles, size_t count, struct variation *v)
{
	v->nevents = profiles[0]->nevents;
	v->totals = calloc((size_t)v->nevents + 1, sizeof *v->totals);
	v->widest = calloc((size_t)v->nevents + 1, sizeof *v->widest);
	if (!v->totals || !v->widest)
		return CG_ENOMEM;
	for (uint32_t e = 0; e < v->nevents; e++) {
		struct spread *s = &v->totals[e];
		s->min = s->max = profiles[0]->total[e];
		for (size_t i = 1; i < count; i++) {
			int64_t n = profiles[i]->total[e];
			s->min = n < s->min ? n : s->min;
			s->max = n > s->max ? n : s->max;
		}
	}
	return CG_OK;
}

static uint64_t width(const struct spread *s)
{
	return cg_distance(s->min, s->max);
}

static void find_widest(const struct variation_search *f, struct variation *v)
{
	for (uint32_t e = 0; e < f->nevents; e++) {
		v->widest[e] = width(&v->totals[e]);
		for (size_t i = 0; i < f->of_functions.count; i++) {
			uint64_t own = width(tally_get(&f->of_functions, i, e));
			v->widest[e] = own > v->widest[e] ? own : v->widest[e];
		}
	}
}

static struct variation_function varying_function(const struct variation_search *f,
						  uint32_t function)
{
	const struct function_key *key = &f->keys[function];

	return (struct variation_function){
		cg_strings_get(&f->texts, key->object),
		cg_strings_get(&f->texts, key->file),
		cg_strings_get(&f->texts, key->name),
	};
}

static int compare_varying_functions(const struct variation_function *a,
				     const struct variation_function *b)
{
	int order = strcmp(a->name, b->name);

	if (!order)
		order = strcmp(a->object, b->object);
	return order ? order : strcmp(a->file, b->file);
}

static int compare_variation_rows(const void *left, const void *right)
{
	const struct variation_row *a = left, *b = right;
	uint64_t x = cg_distance(a->spread.min, a->spread.max);
	uint64_t y = cg_distance(b->spread.min, b->spread.max);

	if (x != y)
		return x > y ? -1 : 1;
	int order = compare_varying_functions(&a->function, &b->function);
	return order || !a->callee.name ? order : compare_varying_functions(&a->callee, &b->callee);
}

/* The rows of the things of a tally whose number in a column varies. */
static int find_rows(const struct variation_search *f, const struct variation_tally *t,
		     size_t column, bool calls, struct variation_row **rows, size_t *count)
{
	struct variation_row *found = calloc(t->count + 1, sizeof *found);
	size_t n = 0;

	if (!found)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < t->count; i++) {
		const struct spread *s = tally_get(t, i, column);
		if (!varies(s))
			continue;
		found[n].spread = *s;
		found[n].function = varying_function(f, calls ? f->ends[i][0] : i);
		if (calls)
			found[n].callee = varying_function(f, f->ends[i][1]);
		n++;
	}
	qsort(found, n, sizeof *found, compare_variation_rows);
	*rows = found;
	*count = n;
	return CG_OK;
}

static bool any_varies(const struct variation_tally *t)
{
	bool any = false;

	for (size_t i = 0; !any && i < t->count * t->width; i++)
		any = varies(&t->spreads[i]);
	return any;
}

static uint32_t first_event(const struct variation_search *f)
{
	for (uint32_t e = 0; e < f->nevents; e++)
		for (size_t i = 0; i < f->of_functions.count; i++)
			if (varies(tally_get(&f->of_functions, i, e)))
				return e;
	return 0;
}

static int conclude(struct variation_search *f, struct variation *v)
{
	v->equal = !any_varies(&f->of_functions) && !any_varies(&f->of_calls);
	v->event = first_event(f);
	find_widest(f, v);
	int status = find_rows(f, &f->of_functions, v->event, false, &v->functions, &v->nfunctions);
	if (!status)
		status = find_rows(f, &f->of_calls, 0, true, &v->calls, &v->ncalls);
	v->texts = f->texts;
	f->texts = (struct cg_strings){ 0 };
	return status;
}

static void free_finding(struct variation_search *f)
{
	cg_strings_free(&f->texts);
	cg_strings_free(&f->functions);
	cg_strings_free(&f->calls);
	tally_free(&f->of_functions);
	tally_free(&f->of_calls);
	free(f->keys);
	free(f->ends);
}

int variation_find(const struct cg_profile *const *profiles, size_t count, struct variation *out)
{
	struct variation_search f = { .nevents = profiles[0]->nevents };
	struct variation v = { 0 };
	int status = CG_OK;

	for (size_t i = 1; i < count; i++)
		if (!events_agree(profiles[0], profiles[i]))
			return CG_EINVAL;
	f.of_functions.width = f.nevents;
	f.of_calls.width = (size_t)f.nevents + 1;
	if (cg_strings_init(&f.texts) || cg_strings_init(&f.functions) || cg_strings_init(&f.calls))
		status = CG_ENOMEM;
	for (size_t i = 0; !status && i < count; i++)
		status = add_profile_counts(&f, profiles[i]);
	if (!status)
		status = find_totals(profiles, count, &v);
	if (!status)
		status = conclude(&f, &v);
	free_finding(&f);
	if (status)
		variation_free(&v);
	else
		*out = v;
	return status;
}

void variation_free(struct variation *v)
{
	cg_strings_free(&v->texts);
	free(v->totals);
	free(v->widest);
	free(v->functions);
	free(v->calls);
	*v = (struct variation){ 0 };
}

uint64_t variation_tolerance(const struct variation *v, uint32_t event)
{
	uint64_t seen = v->widest[event];
	return seen > UINT64_MAX / 2 ? UINT64_MAX : 2 * seen;
}

double spread_ppm(const struct spread *s)
{
	return s->max > 0 ? ((double)s->max - (double)s->min) / (double)s->max * 1e6 : 0;
}
