#include "callgrind/tree_places.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/contexts.h"
#include "callgrind/order.h"
#include "callgrind/support/index.h"
#include "cgprofile/tree.h"

struct folding {
	const struct cg_profile *p;
	struct cg_tree_places places;
	uint32_t *joined; /* per record: one of the same place, at last one that names itself */
	bool *cut;        /* per record that may share a place: its context does not name all
	                     callers */
	bool *shared;     /* per record: others may have the same place */
	struct cg_index index;
	uint32_t wanted; /* the record that is looked for */
	bool fold_levels;
};

/* ---- contexts ---- */

/* A context, as it is taken here. */
struct place_callers {
	const cg_str *names;
	size_t count;
};

static struct place_callers callers_of_context(const struct cg_tree_places *places,
					       uint32_t context)
{
	const struct cg_contexts *of = &places->p->contexts;

	if (context && context >= of->count) {
		context -= (uint32_t)of->count;
		of = &places->shortened;
	}
	return (struct place_callers){ cg_contexts_get(of, context),
				       cg_contexts_size(of, context) };
}

/* The context of the first so many callers of another one. */
static int shorten_context(struct cg_tree_places *places, uint32_t whole, size_t most,
			   uint32_t *context)
{
	const struct cg_contexts *all = &places->p->contexts;
	const cg_str *callers = cg_contexts_get(all, whole);
	uint32_t added;

	*context = cg_contexts_find(all, callers, most);
	if (*context || !most)
		return CG_OK;
	int status = cg_contexts_add(&places->shortened, callers, most, &added);
	if (!status && added > UINT32_MAX - all->count)
		status = CG_ERANGE;
	*context = (uint32_t)all->count + added;
	return status;
}

static int find_contexts(struct folding *f, uint32_t frames)
{
	const struct cg_contexts *all = &f->p->contexts;
	const bool shorten = frames && f->p->most_callers >= frames;
	int status = CG_OK;

	for (uint32_t r = 1; !status && r < f->p->nrecords; r++) {
		const uint32_t context = f->p->records[r].context;
		f->places.context[r] = context;
		if (shorten && cg_contexts_size(all, context) >= frames)
			status = shorten_context(&f->places, context, frames - 1,
						 &f->places.context[r]);
	}
	return status;
}

static bool has_contexts(const struct folding *f)
{
	for (uint32_t r = 1; r < f->p->nrecords; r++)
		if (f->places.context[r])
			return true;
	return false;
}

static bool is_direct(const struct folding *f, uint32_t caller, uint32_t callee)
{
	const struct cg_record *a = &f->p->records[caller], *b = &f->p->records[callee];
	return a->function == b->function &&
	       f->places.context[caller] == f->places.context[callee] && !a->inlined_into &&
	       !b->inlined_into;
}

/* How a callee's context names a caller and that caller's context. */
enum naming { NAMES_ALL, NAMES_FIRST, NAMES_OTHERS };

static enum naming compare_naming(const struct folding *f, uint32_t caller, uint32_t callee)
{
	const uint32_t *context = f->places.context;
	const struct place_callers have = callers_of_context(&f->places, context[callee]);
	const struct place_callers rest = callers_of_context(&f->places, context[caller]);
	const cg_str name = f->p->functions[f->p->records[caller].function].name;

	if (!have.count)
		return NAMES_FIRST;
	const size_t more = have.count - 1;
	if (*have.names != name || more > rest.count ||
	    (more && memcmp(have.names + 1, rest.names, more * sizeof *rest.names) != 0))
		return NAMES_OTHERS;
	return more < rest.count ? NAMES_FIRST : NAMES_ALL;
}

/* Of calls to inlined code and to the caller itself, contexts do not speak. */
static enum naming naming_of_call(const struct folding *f, uint32_t call)
{
	const struct cg_profile *p = f->p;
	uint32_t caller = cg_machine_record(p, p->calls[call].caller);
	uint32_t callee = p->calls[call].callee;
	bool silent = p->records[callee].inlined_into || is_direct(f, caller, callee);
	return silent ? NAMES_ALL : compare_naming(f, caller, callee);
}

static void places_find_cut(struct folding *f)
{
	for (uint32_t i = 1; i < f->p->ncalls; i++) {
		uint32_t callee = f->p->calls[i].callee;
		if (f->shared[callee] && naming_of_call(f, i) != NAMES_ALL)
			f->cut[callee] = true;
	}
}

/* ---- records of one place ---- */

static uint32_t places_find(struct folding *f, uint32_t record)
{
	while (f->joined[record] != record)
		record = f->joined[record] = f->joined[f->joined[record]];
	return record;
}

static void places_join(struct folding *f, uint32_t a, uint32_t b)
{
	uint32_t x = places_find(f, a), y = places_find(f, b);
	f->joined[x > y ? x : y] = x > y ? y : x;
}

/* A function without other callers may call itself without any context. */
static void join_direct(struct folding *f)
{
	const struct cg_profile *p = f->p;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		uint32_t caller = p->calls[i].caller, callee = p->calls[i].callee;
		if (f->shared[callee] && is_direct(f, caller, callee) &&
		    (f->places.context[callee] || !f->cut[callee]))
			places_join(f, caller, callee);
	}
}

/* The place of the code around inlined code; 0: not inlined. */
static uint32_t place_around(const struct folding *f, uint32_t record)
{
	uint32_t around = f->p->records[record].inlined_into;
	return around ? f->joined[around] : 0;
}

/* The level of a record among those of one context; of a context that names all
 * callers the levels are one place, and so are those of inlined code. */
static uint32_t places_level_of(const struct folding *f, uint32_t record)
{
	const struct cg_record *r = &f->p->records[record];
	bool one_place = r->inlined_into || !f->cut[record];
	return f->fold_levels && one_place ? 0 : r->level;
}

static bool places_same_place(const void *context, uint32_t id)
{
	const struct folding *f = context;
	uint32_t wanted = f->wanted;
	return f->p->records[wanted].function == f->p->records[id].function &&
	       f->places.context[wanted] == f->places.context[id] &&
	       places_level_of(f, wanted) == places_level_of(f, id) &&
	       place_around(f, wanted) == place_around(f, id);
}

/* A file chooses the numbers of its functions and contexts. */
static uint64_t hash_of_context(const struct folding *f, uint32_t record)
{
	uint64_t hash = cg_hash_keyed(f->p->strings.secret, f->p->records[record].function);
	return cg_hash_keyed(hash, f->places.context[record]);
}

static int join_same(struct folding *f, uint32_t record)
{
	uint64_t hash = hash_of_context(f, record);
	uint32_t same;

	hash = cg_hash_keyed(hash, places_level_of(f, record));
	hash = cg_hash_keyed(hash, place_around(f, record));
	f->wanted = record;
	same = cg_index_find(&f->index, (uint32_t)hash, places_same_place, f);
	if (same)
		places_join(f, same, record);
	else if (cg_index_reserve(&f->index))
		return CG_ENOMEM;
	else
		cg_index_insert(&f->index, (uint32_t)hash, record);
	return CG_OK;
}

static bool has_same_context(const void *context, uint32_t id)
{
	const struct folding *f = context;
	return f->p->records[f->wanted].function == f->p->records[id].function &&
	       f->places.context[f->wanted] == f->places.context[id];
}

/* One of the same function and context that is in the index; 0: none. */
static uint32_t find_same_context(struct folding *f, uint32_t record)
{
	f->wanted = record;
	return cg_index_find(&f->index, (uint32_t)hash_of_context(f, record), has_same_context, f);
}

static int places_add_context(struct folding *f, uint32_t record)
{
	if (find_same_context(f, record))
		return CG_OK;
	if (cg_index_reserve(&f->index))
		return CG_ENOMEM;
	cg_index_insert(&f->index, (uint32_t)hash_of_context(f, record), record);
	return CG_OK;
}

/* No two records of a profile are the same, so only a level or a shorter context can make two
 * of them one place, and what is inlined into them. Most records have neither: looking for those
 * that do is much quicker than comparing them all. */
static int find_shared(struct folding *f)
{
	const struct cg_record *records = f->p->records;
	int status = CG_OK;

	for (uint32_t r = 1; !status && r < f->p->nrecords; r++)
		if (records[r].level > 1 || f->places.context[r] != records[r].context)
			status = places_add_context(f, r);
	for (uint32_t r = 1; !status && r < f->p->nrecords; r++)
		f->shared[r] = find_same_context(f, r) || f->shared[records[r].inlined_into];
	cg_index_free(&f->index);
	return status;
}

static int join_by_context(struct folding *f, bool inlined)
{
	int status = CG_OK;
	for (uint32_t r = 1; !status && r < f->p->nrecords; r++)
		if (f->shared[r] && (f->p->records[r].inlined_into != 0) == inlined)
			status = join_same(f, r);
	for (uint32_t r = 1; r < f->p->nrecords; r++)
		f->joined[r] = places_find(f, r);
	cg_index_free(&f->index);
	return status;
}

/* What callgrind would have taken for one record was cut if any of it was. */
static void join_cut(struct folding *f)
{
	for (uint32_t r = 1; r < f->p->nrecords; r++)
		f->cut[f->joined[r]] |= f->cut[r];
	for (uint32_t r = 1; r < f->p->nrecords; r++)
		f->cut[r] = f->cut[f->joined[r]];
}

/* Inlined code follows what it is inlined into, which has a lower number. */
static int join_records(struct folding *f)
{
	int status = find_shared(f);

	if (!status)
		status = join_by_context(f, false);
	f->fold_levels = has_contexts(f);
	if (!status && f->fold_levels) {
		places_find_cut(f);
		join_cut(f);
		join_direct(f);
		status = join_by_context(f, false);
	}
	return status ? status : join_by_context(f, true);
}

static int compare_place_callers(const struct cg_tree_places *places, uint32_t a, uint32_t b)
{
	const struct place_callers x = callers_of_context(places, a);
	const struct place_callers y = callers_of_context(places, b);

	return cg_compare_callers(places->p, x.names, x.count, y.names, y.count);
}

int cg_tree_places_compare(const struct cg_tree_places *places, uint32_t a, uint32_t b)
{
	const struct cg_record *x = &places->p->records[a], *y = &places->p->records[b];
	int order = cg_compare_functions(places->p, x->function, y->function);

	if (!order)
		order = (x->level > y->level) - (x->level < y->level);
	if (!order && places->context[a] != places->context[b])
		order = compare_place_callers(places, places->context[a], places->context[b]);
	return order ? order : cg_compare_records(places->p, a, b);
}

/* The representative of a place must not depend on the order of the file. */
static void choose_first(struct folding *f)
{
	uint32_t *stands_for = f->places.stands_for;
	for (uint32_t r = 1; r < f->p->nrecords; r++) {
		uint32_t *first = &stands_for[f->joined[r]];
		if (!*first || cg_compare_records(f->p, r, *first) < 0)
			*first = r;
	}
	/* From the end, because the lowest number represents a place. */
	for (uint32_t r = f->p->nrecords; r-- > 1;)
		stands_for[r] = stands_for[f->joined[r]];
}

static int places_begin(struct folding *f, const struct cg_profile *p, uint32_t frames)
{
	size_t n = (size_t)p->nrecords + 1;

	f->p = f->places.p = p;
	f->joined = calloc(n, sizeof *f->joined);
	f->cut = calloc(n, sizeof *f->cut);
	f->shared = calloc(n, sizeof *f->shared);
	f->places.stands_for = calloc(n, sizeof *f->places.stands_for);
	f->places.context = calloc(n, sizeof *f->places.context);
	if (!f->joined || !f->cut || !f->shared || !f->places.stands_for || !f->places.context)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		f->joined[r] = r;
	return find_contexts(f, frames);
}

/* The places stay. */
static void places_finish(struct folding *f)
{
	free(f->joined);
	free(f->cut);
	free(f->shared);
	cg_index_free(&f->index);
}

int cg_tree_places_make(const struct cg_profile *p, uint32_t frames, struct cg_tree_places *out)
{
	struct folding f = { 0 };
	int status = places_begin(&f, p, frames);

	if (!status)
		status = join_records(&f);
	if (!status)
		choose_first(&f);
	places_finish(&f);
	if (status)
		cg_tree_places_free(&f.places);
	else
		*out = f.places;
	return status;
}

void cg_tree_places_free(struct cg_tree_places *places)
{
	cg_contexts_free(&places->shortened);
	free(places->stands_for);
	free(places->context);
	*places = (struct cg_tree_places){ 0 };
}

int cg_tree_frames(const struct cg_profile *p, uint32_t *frames)
{
	struct folding f = { 0 };
	int status = places_begin(&f, p, 0);
	uint32_t most = 0;

	/* No record names more, and mostly the first one that is cut names as many. */
	const uint32_t possible = p->most_callers + 1;
	for (uint32_t i = 1; !status && most < possible && i < p->ncalls; i++) {
		const uint32_t callee = p->calls[i].callee;
		if (f.cut[callee] || naming_of_call(&f, i) != NAMES_FIRST)
			continue;
		f.cut[callee] = true; /* and measured now */
		const uint32_t context = f.places.context[callee];
		const size_t callers = cg_contexts_size(&p->contexts, context);
		most = callers + 1 > most ? (uint32_t)callers + 1 : most;
	}
	places_finish(&f);
	cg_tree_places_free(&f.places);
	if (!status)
		*frames = most;
	return status;
}
