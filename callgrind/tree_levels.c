#include "callgrind/tree_levels.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/index.h"

struct folding {
	const struct cg_profile *p;
	uint32_t *joined; /* per record: one of the same place, at last one that names itself */
	bool *cut;        /* per record: its context does not name all callers */
	struct cg_index index;
	uint32_t wanted; /* the record that is looked for */
};

static uint32_t find(struct folding *f, uint32_t record)
{
	while (f->joined[record] != record)
		record = f->joined[record] = f->joined[f->joined[record]];
	return record;
}

static void join(struct folding *f, uint32_t a, uint32_t b)
{
	uint32_t x = find(f, a), y = find(f, b);
	f->joined[x > y ? x : y] = x > y ? y : x;
}

static bool is_direct(const struct cg_record *a, const struct cg_record *b)
{
	return a->function == b->function && a->context == b->context && !a->inlined_into &&
	       !b->inlined_into;
}

/* Callgrind knows nothing of inlined code: contexts name the function around it. */
static const struct cg_record *compiled_into(const struct cg_profile *p, uint32_t record)
{
	while (p->records[record].inlined_into)
		record = p->records[record].inlined_into;
	return &p->records[record];
}

/* Whether the callee's context is the caller and the whole of its context. */
static bool names_all(const struct cg_profile *p, const struct cg_record *caller,
		      const struct cg_record *callee)
{
	const char *name = cg_string(p, p->functions[caller->function].name);
	const char *have = cg_string(p, callee->context), *rest = cg_string(p, caller->context);
	size_t len = strlen(name);

	if (strncmp(have, name, len) != 0)
		return false;
	have += len;
	return *rest ? *have == '\'' && strcmp(have + 1, rest) == 0 : *have == '\0';
}

static void find_cut(struct folding *f)
{
	const struct cg_profile *p = f->p;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_record *callee = &p->records[p->calls[i].callee];
		const struct cg_record *caller = compiled_into(p, p->calls[i].caller);
		if (!callee->inlined_into && !is_direct(caller, callee) &&
		    !names_all(p, caller, callee))
			f->cut[p->calls[i].callee] = true;
	}
}

/* A function that nobody else calls may call itself without any context. */
static void join_direct(struct folding *f)
{
	const struct cg_profile *p = f->p;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		const struct cg_record *callee = &p->records[c->callee];
		if (is_direct(&p->records[c->caller], callee) &&
		    (callee->context || !f->cut[c->callee]))
			join(f, c->caller, c->callee);
	}
}

/* The place of the code around inlined code; 0: not inlined. */
static uint32_t place_around(const struct folding *f, uint32_t record)
{
	uint32_t around = f->p->records[record].inlined_into;
	return around ? f->joined[around] : 0;
}

static bool same_place(const void *context, uint32_t id)
{
	const struct folding *f = context;
	const struct cg_record *a = &f->p->records[f->wanted], *b = &f->p->records[id];
	return a->function == b->function && a->context == b->context &&
	       place_around(f, f->wanted) == place_around(f, id);
}

static int join_same(struct folding *f, uint32_t record)
{
	const struct cg_record *r = &f->p->records[record];
	uint64_t mixed = cg_hash_mix(cg_hash_mix(r->function, r->context), place_around(f, record));
	uint32_t hash = (uint32_t)mixed, same;

	f->wanted = record;
	same = cg_index_find(&f->index, hash, same_place, f);
	if (same)
		join(f, same, record);
	else if (cg_index_reserve(&f->index))
		return CG_ENOMEM;
	else
		cg_index_insert(&f->index, hash, record);
	return CG_OK;
}

/* Inlined code follows what it is inlined into, which has a lower number. */
static int join_by_context(struct folding *f, bool inlined)
{
	int status = CG_OK;
	for (uint32_t r = 1; !status && r < f->p->nrecords; r++)
		if ((f->p->records[r].inlined_into != 0) == inlined && !f->cut[r])
			status = join_same(f, r);
	for (uint32_t r = 1; r < f->p->nrecords; r++)
		f->joined[r] = find(f, r);
	return status;
}

/* Who stands for a place must not depend on the order of the file. */
static void choose_first(const struct folding *f, uint32_t *stands_for)
{
	for (uint32_t r = 1; r < f->p->nrecords; r++) {
		uint32_t *first = &stands_for[f->joined[r]];
		if (!*first || cg_compare_records(f->p, r, *first) < 0)
			*first = r;
	}
	/* From behind, because the number that stands for a place is its lowest. */
	for (uint32_t r = f->p->nrecords; r-- > 1;)
		stands_for[r] = stands_for[f->joined[r]];
}

static bool has_contexts(const struct cg_profile *p)
{
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].context)
			return true;
	return false;
}

int cg_tree_fold_levels(const struct cg_profile *p, uint32_t **stands_for)
{
	size_t n = (size_t)p->nrecords + 1;
	struct folding f = { .p = p, .joined = calloc(n, sizeof *f.joined),
			     .cut = calloc(n, sizeof *f.cut) };
	uint32_t *made = calloc(n, sizeof *made);
	int status = f.joined && f.cut && made ? CG_OK : CG_ENOMEM;

	for (uint32_t r = 1; !status && r < p->nrecords; r++)
		f.joined[r] = r;
	if (!status && has_contexts(p)) {
		find_cut(&f);
		join_direct(&f);
		status = join_by_context(&f, false);
		if (!status)
			status = join_by_context(&f, true);
	}
	if (!status) {
		choose_first(&f, made);
		*stands_for = made;
		made = NULL;
	}
	free(f.joined);
	free(f.cut);
	free(made);
	cg_index_free(&f.index);
	return status;
}
