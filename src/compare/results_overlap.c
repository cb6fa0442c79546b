#include "src/compare/results_overlap.h"

#include <stdlib.h>
#include <string.h>

#include "src/store/beneath.h"
#include "src/store/cache.h"

/* A pair of one of the results. */
struct shard_pair {
	struct results_pair *pair;
	size_t shard;
	char *label; /* of the benchmark or its case; of a baseline, the operand */
};

/* All pairs, those of a benchmark together, and of these, those of one of the results. */
struct overlap {
	const char *const *paths;
	struct shard_pair *items;
	size_t count;
};

/* ---- the pairs in order ---- */

static bool is_of_baseline(const char *operand)
{
	return strncmp(operand, "baseline:", 9) == 0;
}

static char *label_of_pair(const struct results_pair *p)
{
	const char *operand = p->head ? p->head : p->base;

	return is_of_baseline(operand) ? strdup(operand) : cache_benchmark(operand);
}

static int compare_shard_pairs(const void *left, const void *right)
{
	const struct shard_pair *a = left, *b = right;
	int order = strcmp(a->pair->name, b->pair->name);

	if (order)
		return order;
	if (a->shard != b->shard)
		return a->shard < b->shard ? -1 : 1;
	return strcmp(a->label, b->label);
}

static int list_shard_pairs(struct results *shards, size_t count, struct overlap *o,
			    struct cg_error *err)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most += shards[i].npairs;
	o->items = calloc(most + 1, sizeof *o->items);
	if (!o->items)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < shards[i].npairs; k++) {
			struct results_pair *p = &shards[i].pairs[k];
			char *label = label_of_pair(p);
			if (!label)
				return cg_fail_nomem(err);
			o->items[o->count++] = (struct shard_pair){ p, i, label };
		}
	if (o->count)
		qsort(o->items, o->count, sizeof *o->items, compare_shard_pairs);
	return CG_OK;
}

static void free_overlap(struct overlap *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->items[i].label);
	free(o->items);
}

/* ---- two profiles ---- */

static int open_entry(const char *path, const char *entry, FILE **out, struct cg_error *err)
{
	char *directory = results_directory(path), *file = NULL;

	if (!directory ||
	    asprintf(&file, "%s/%s/%s", directory, entry, profile_file_names[0]) < 0) {
		free(directory);
		return cg_fail_nomem(err);
	}
	*out = beneath_open_regular(directory, file);
	int status = *out ? CG_OK : beneath_fail(file, "open", err);
	free(file);
	free(directory);
	return status;
}

struct profile_lines {
	FILE *from;
	char *line;
	size_t cap;
	ssize_t len;
};

static bool next_profile_line(struct profile_lines *p)
{
	p->len = getline(&p->line, &p->cap, p->from);
	return p->len > 0;
}

/* Before the events are facts, which may differ where counts do not. */
static bool skip_to_events(struct profile_lines *p)
{
	while (next_profile_line(p))
		if (strncmp(p->line, "events:", 7) == 0)
			return true;
	return false;
}

static bool is_line_equal(const struct profile_lines *a, const struct profile_lines *b)
{
	return a->len == b->len && memcmp(a->line, b->line, (size_t)a->len) == 0;
}

/* irdiff has written both, so that equal counts are equal bytes. */
static bool count_equally(FILE *a, FILE *b)
{
	struct profile_lines left = { .from = a }, right = { .from = b };
	bool equal = skip_to_events(&left) && skip_to_events(&right);

	for (bool more = equal; more && equal;) {
		equal = is_line_equal(&left, &right);
		more = next_profile_line(&left);
		equal &= more == next_profile_line(&right);
	}
	free(left.line);
	free(right.line);
	return equal && !ferror(a) && !ferror(b);
}

/* Operands of one side; NULL: it has none. */
static int compare_operands(const char *path_a, const char *a, const char *path_b, const char *b,
			    bool *equal, struct cg_error *err)
{
	FILE *left = NULL, *right = NULL;

	if (!a || !b || is_of_baseline(a) || is_of_baseline(b)) {
		*equal = a && b ? strcmp(a, b) == 0 : a == b;
		return CG_OK;
	}
	int status = open_entry(path_a, a, &left, err);
	if (!status)
		status = open_entry(path_b, b, &right, err);
	if (!status)
		*equal = count_equally(left, right);
	if (left)
		fclose(left);
	if (right)
		fclose(right);
	return status;
}

/* ---- one benchmark ---- */

static bool counted_first_equally(const struct first_counts *a, const struct first_counts *b)
{
	return a->nbase == b->nbase && a->nhead == b->nhead &&
	       memcmp(a->base, b->base, a->nbase * sizeof *a->base) == 0 &&
	       memcmp(a->head, b->head, a->nhead * sizeof *a->head) == 0;
}

/* Whoever measured it twice knows more of it. False: both did, and counted otherwise at first. */
static bool take_first_counts(struct results_pair *kept, const struct results_pair *again)
{
	if (!kept->first.nbase)
		kept->first = again->first;
	return !again->first.nbase || counted_first_equally(&kept->first, &again->first);
}

static int compare_shard_pair(const struct overlap *o, const struct shard_pair *a,
			      const struct shard_pair *b, bool *equal, struct cg_error *err)
{
	*equal = strcmp(a->label, b->label) == 0;
	int status = CG_OK;
	if (*equal)
		status = compare_operands(o->paths[a->shard], a->pair->base, o->paths[b->shard],
					  b->pair->base, equal, err);
	if (!status && *equal)
		status = compare_operands(o->paths[a->shard], a->pair->head, o->paths[b->shard],
					  b->pair->head, equal, err);
	return status;
}

/* How many pairs from the first on are of its benchmark and of its results. */
static size_t count_of_one(const struct overlap *o, size_t first)
{
	size_t n = 1;

	while (first + n < o->count && o->items[first + n].shard == o->items[first].shard &&
	       strcmp(o->items[first + n].pair->name, o->items[first].pair->name) == 0)
		n++;
	return n;
}

/* What two of the results say of a benchmark, whose pairs begin at these places. */
static int compare_shards_of(struct overlap *o, size_t first, size_t second, struct cg_error *err)
{
	const struct shard_pair *a = &o->items[first], *b = &o->items[second];
	const size_t n = count_of_one(o, second);
	bool equal = count_of_one(o, first) == n;
	int status = CG_OK;

	for (size_t i = 0; !status && equal && i < n; i++) {
		status = compare_shard_pair(o, &a[i], &b[i], &equal, err);
		equal = equal && take_first_counts(a[i].pair, b[i].pair);
		b[i].pair->kept = a[i].pair;
	}
	return status || equal ? status
			       : cg_fail(err, CG_EINVAL, o->paths[b->shard], 0,
					 "has other counts of '%s' than %s; a benchmark belongs to "
					 "one shard: measure both again",
					 b->pair->name, o->paths[a->shard]);
}

int results_find_overlap(struct results *shards, const char *const *paths, size_t count,
			 struct cg_error *err)
{
	struct overlap o = { .paths = paths };
	int status = list_shard_pairs(shards, count, &o, err);

	for (size_t first = 0, next; !status && first < o.count; first = next) {
		next = first + count_of_one(&o, first);
		while (!status && next < o.count &&
		       strcmp(o.items[next].pair->name, o.items[first].pair->name) == 0) {
			status = compare_shards_of(&o, first, next, err);
			next += count_of_one(&o, next);
		}
	}
	free_overlap(&o);
	return status;
}
