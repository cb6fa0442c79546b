#include "callgrind/inlined_links.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/* A line that calls an inlined record. */
struct inlined_site {
	uint32_t record;
	cg_str file;
	uint32_t line;
	uint32_t next; /* of the same record; 0: the last one */
	uint64_t count;
};

void cg_inlined_links_free(struct cg_inlined_links *l)
{
	free(l->entries);
	free(l->sites);
	free(l->costs);
	cg_index_free(&l->index);
}

uint64_t cg_inlined_links_size(const struct cg_inlined_links *l, uint32_t nevents)
{
	enum { INDEXED = 2 * sizeof(struct cg_index_slot) };

	return l->nsites * (sizeof *l->sites + INDEXED + nevents * sizeof *l->costs);
}

int cg_inlined_links_enter(struct cg_inlined_links *l, uint32_t record, uint64_t count)
{
	if (record >= l->nentries) {
		size_t need = (size_t)record + 1;
		if (cg_grow(&l->entries, &l->entries_cap, need, sizeof *l->entries))
			return CG_ENOMEM;
		memset(l->entries + l->nentries, 0, (need - l->nentries) * sizeof *l->entries);
		l->nentries = need;
	}
	if (__builtin_add_overflow(l->entries[record], count, &l->entries[record]))
		l->entries[record] = CG_ENTRIES_UNKNOWN;
	return CG_OK;
}

/* ---- sites ---- */

static bool is_same_site(const void *context, uint32_t id)
{
	const struct cg_inlined_links *l = context;
	const struct inlined_site *a = &l->sites[0], *b = &l->sites[id];
	return a->record == b->record && a->file == b->file && a->line == b->line;
}

static int find_site(struct cg_inlined_links *l, const struct cg_profile *p,
		     const struct inlined_site *wanted, uint32_t *id)
{
	size_t n = p->nevents, rows = (size_t)l->nsites + 2;
	uint64_t hash = cg_hash_keyed(p->strings.secret, wanted->record);

	if (l->nsites == UINT32_MAX - 1)
		return CG_ERANGE;
	if (cg_grow(&l->sites, &l->sites_cap, rows, sizeof *l->sites) ||
	    cg_grow(&l->costs, &l->costs_cap, rows * n, sizeof *l->costs) ||
	    cg_index_reserve(&l->index))
		return CG_ENOMEM;
	hash = cg_hash_keyed(cg_hash_keyed(hash, wanted->file), wanted->line);
	l->sites[0] = *wanted;
	*id = cg_index_find(&l->index, (uint32_t)hash, is_same_site, l);
	if (*id)
		return CG_OK;
	*id = ++l->nsites;
	l->sites[*id] = *wanted;
	memset(l->costs + *id * n, 0, n * sizeof *l->costs);
	cg_index_insert(&l->index, (uint32_t)hash, *id);
	return CG_OK;
}

int cg_inlined_links_add(struct cg_inlined_links *l, const struct cg_profile *p, uint32_t record,
			 const struct cg_position *at, uint64_t count, const int64_t *costs)
{
	const struct inlined_site wanted = { .record = record, .file = at->file, .line = at->line };
	uint32_t id;
	int status = find_site(l, p, &wanted, &id);

	if (status)
		return status;
	bool overflows = __builtin_add_overflow(l->sites[id].count, count, &l->sites[id].count);
	return overflows || !cg_add_costs(l->costs + (size_t)id * p->nevents, costs, p->nevents)
		       ? CG_ERANGE
		       : CG_OK;
}

/* ---- calls ---- */

struct linking {
	struct cg_inlined_links *l;
	struct cg_builder *b;
	const struct cg_profile *p;
	int64_t *out;    /* per record, all that goes out of it */
	uint32_t *first; /* per record, its first site; 0: none */
};

static int64_t *costs_of_site(const struct linking *k, uint32_t site)
{
	return k->l->costs + (size_t)site * k->p->nevents;
}

static int sum_out(const struct linking *k)
{
	const struct cg_profile *p = k->p;
	size_t n = p->nevents;

	memcpy(k->out, p->record_self, p->nrecords * n * sizeof *k->out);
	for (uint32_t i = 1; i < p->ncalls; i++)
		if (!cg_add_costs(k->out + p->calls[i].caller * n, p->call_cost + i * n,
				  p->nevents))
			return CG_ERANGE;
	return CG_OK;
}

static void list_sites(const struct linking *k)
{
	for (uint32_t i = k->l->nsites; i > 0; i--) {
		struct inlined_site *site = &k->l->sites[i];
		site->next = k->first[site->record];
		k->first[site->record] = i;
	}
}

static bool is_nothing(const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (costs[e])
			return false;
	return true;
}

/* Subtracts a site from what is left of its record: false if that is less. */
static bool take_site(int64_t *rest, const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++) {
		bool fits = rest[e] < 0 ? costs[e] <= 0 && costs[e] >= rest[e]
					: costs[e] >= 0 && costs[e] <= rest[e];
		if (!fits)
			return false;
		rest[e] -= costs[e];
	}
	return true;
}

/* What the lines that are known to call a record leave of its costs and calls, of which `calls` are
 * known, or 0. Where calls are known, a line without any only has code that was moved there, which
 * it leaves. False: a file claims more than the record has. */
static bool subtract_sites(const struct linking *k, uint32_t record, int64_t *rest, uint64_t *calls)
{
	bool counted = *calls > 0;

	for (uint32_t i = k->first[record]; i; i = k->l->sites[i].next) {
		uint64_t count = counted ? k->l->sites[i].count : 0;
		if (counted && !count)
			continue;
		if (count > *calls || !take_site(rest, costs_of_site(k, i), k->p->nevents))
			return false;
		*calls -= count;
	}
	return true;
}

static uint32_t most_called(const struct linking *k, uint32_t record)
{
	const struct inlined_site *sites = k->l->sites;
	uint32_t most = k->first[record];

	for (uint32_t i = most; i; i = sites[i].next)
		if (sites[i].count > sites[most].count)
			most = i;
	return most;
}

static int add_link(const struct linking *k, uint32_t record, uint32_t site, uint64_t count,
		    const int64_t *costs)
{
	struct cg_position at = { 0 };

	if (site) {
		const struct inlined_site *s = &k->l->sites[site];
		at = (struct cg_position){ .file = s->file, .line = s->line };
	}
	return cg_build_call(k->b, k->p->records[record].inlined_into, record, &at, count, costs);
}

static int add_sites(const struct linking *k, uint32_t record, bool counted)
{
	int status = CG_OK;

	for (uint32_t i = k->first[record]; !status && i; i = k->l->sites[i].next) {
		uint64_t count = counted ? k->l->sites[i].count : 0;
		bool empty = is_nothing(costs_of_site(k, i), k->p->nevents);
		if (counted ? count > 0 : !empty)
			status = add_link(k, record, i, count, costs_of_site(k, i));
	}
	return status;
}

/* A call that costs something without being counted would make all of them unknown: moved code
 * counts for the line that calls most. */
static int link_record(const struct linking *k, uint32_t record, int64_t *rest)
{
	const struct cg_inlined_links *l = k->l;
	uint32_t n = k->p->nevents;
	const int64_t *out = k->out + (size_t)record * n;
	uint64_t all = record < l->nentries && l->entries[record] != CG_ENTRIES_UNKNOWN
			       ? l->entries[record]
			       : 0;
	uint64_t calls = all;

	memcpy(rest, out, n * sizeof *rest);
	if (!k->first[record] || !subtract_sites(k, record, rest, &calls))
		return add_link(k, record, 0, all, out);
	int status = add_sites(k, record, all > 0);
	if (status || (is_nothing(rest, n) && !calls && !(is_nothing(out, n) && !all)))
		return status;
	return add_link(k, record, all && !calls ? most_called(k, record) : 0, calls, rest);
}

/* Records have higher numbers than those around them. */
static int link_records(const struct linking *k, int64_t *rest)
{
	size_t n = k->p->nevents;
	int status = CG_OK;

	for (uint32_t r = k->p->nrecords; !status && r-- > 1;) {
		uint32_t host = k->p->records[r].inlined_into;
		if (!host)
			continue;
		status = link_record(k, r, rest);
		if (!status && !cg_add_costs(k->out + host * n, k->out + r * n, k->p->nevents))
			status = CG_ERANGE;
	}
	return status;
}

int cg_inlined_links_make(struct cg_inlined_links *l, struct cg_builder *b)
{
	struct linking k = { .l = l, .b = b, .p = cg_builder_profile(b) };
	size_t n = k.p->nevents;
	int64_t *rest = malloc(n * sizeof *rest + 1);
	int status = CG_ENOMEM;

	k.out = malloc(k.p->nrecords * n * sizeof *k.out + 1);
	k.first = calloc(k.p->nrecords, sizeof *k.first);
	if (k.out && k.first && rest)
		status = sum_out(&k);
	if (!status) {
		list_sites(&k);
		status = link_records(&k, rest);
	}
	free(k.out);
	free(k.first);
	free(rest);
	return status;
}
