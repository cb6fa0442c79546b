#include "src/diff/tree.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/depth_first.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/support/thread.h"
#include "src/diff/match.h"
#include "src/diff/same_counts.h"
#include "src/diff/tree_match.h"
#include "src/diff/tree_rows.h"

static bool row_differs(const struct tree_diff *t, const struct tree_row *row)
{
	return row->base.present != row->head.present || row->base.calls != row->head.calls ||
	       diff_base_value(t->diff, row->base.self) != diff_head_value(t->diff, row->head.self);
}

bool tree_diff_differs(const struct tree_diff *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (row_differs(t, &t->rows[i]))
			return true;
	return false;
}

enum diff_class tree_diff_classify(const struct tree_diff *t, const struct tree_row *row)
{
	int64_t base = diff_base_value(t->diff, row->base.inclusive);
	int64_t head = diff_head_value(t->diff, row->head.inclusive);

	if (row->base.present != row->head.present && diff_tolerates(t->diff, base, head))
		return DIFF_TOLERATED;
	if (!row->base.present)
		return DIFF_NEW;
	if (!row->head.present)
		return DIFF_REMOVED;
	return diff_classify_change(t->diff, base, head);
}

/* ---- functions of both sides ---- */

struct common {
	const struct pairing *p;
	struct group_key key;
	uint32_t group[SIDES];
};

static int compare_common(const void *left, const void *right)
{
	const struct common *a = left, *b = right;
	const struct cg_strings *s = &a->p->t->diff->strings;
	int order = strcmp(cg_strings_get(s, a->key.name), cg_strings_get(s, b->key.name));
	if (!order)
		order = strcmp(cg_strings_get(s, a->key.object), cg_strings_get(s, b->key.object));
	if (!order)
		order = strcmp(cg_strings_get(s, a->key.file), cg_strings_get(s, b->key.file));
	return order;
}

static size_t list_common(const struct pairing *p, struct common *list)
{
	size_t n = p->groups[HEAD]->count - 1;
	for (uint32_t h = 1; h <= n; h++)
		list[h - 1] = (struct common){ p, p->groups[HEAD]->keys[h], { 0, h } };
	for (uint32_t b = 1; b < p->groups[BASE]->count; b++) {
		uint32_t h = p->names.head_of[b];
		if (h)
			list[h - 1].group[BASE] = b;
		else
			list[n++] = (struct common){ p, p->groups[BASE]->keys[b], { b, 0 } };
	}
	return n;
}

struct source_search {
	const struct common *list;
	const struct group_key *wanted;
};

/* `id` is the number of a function. */
static bool is_same_source(const void *context, uint32_t id)
{
	const struct source_search *s = context;
	const struct group_key *key = &s->list[id - 1].key;
	return key->source == s->wanted->source && key->object == s->wanted->object &&
	       key->file == s->wanted->file;
}

/* `list` is in the order of the numbers. */
static int find_source_functions(const struct common *list, size_t n, uint64_t secret,
				 struct tree_function *functions)
{
	struct cg_index index = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < n; i++) {
		struct source_search search = { list, &list[i].key };
		uint64_t mixed = cg_hash_keyed(secret, list[i].key.source);
		mixed = cg_hash_keyed(mixed, list[i].key.file);
		uint32_t hash = (uint32_t)cg_hash_keyed(mixed, list[i].key.object);
		status = cg_index_reserve(&index);
		if (status)
			break;
		uint32_t *source = &functions[i + 1].source;
		*source = cg_index_find(&index, hash, is_same_source, &search);
		if (*source)
			continue;
		*source = (uint32_t)i + 1;
		cg_index_insert(&index, hash, (uint32_t)i + 1);
	}
	cg_index_free(&index);
	return status;
}

static int allocate_functions(struct pairing *p, size_t most)
{
	const struct cg_profile *const profiles[SIDES] = { p->t->diff->base, p->t->diff->head };
	struct tree_functions *f = &p->functions;

	for (uint32_t s = 0; s < SIDES; s++)
		f->of[s] = calloc((size_t)profiles[s]->nfunctions + 1, sizeof *f->of[s]);
	p->t->base_function = f->of[BASE];
	p->t->head_function = f->of[HEAD];
	p->t->functions = calloc(most, sizeof *p->t->functions);
	f->list = p->t->functions;
	return f->of[BASE] && f->of[HEAD] && f->list ? CG_OK : CG_ENOMEM;
}

/* `number` is per group of a side. */
static void number_side(struct pairing *p, uint32_t side, const uint32_t *number)
{
	const struct diff *d = p->t->diff;
	const struct cg_profile *profile = side == BASE ? d->base : d->head;

	for (uint32_t i = 1; i < profile->nfunctions; i++)
		p->functions.of[side][i] = number[p->groups[side]->of[i]];
}

static struct tree_function tree_function_of(const struct pairing *p, const struct common *c)
{
	const struct cg_strings *s = &p->t->diff->strings;
	const struct group_key *base = &p->groups[BASE]->keys[c->group[BASE]];

	return (struct tree_function){ .name = cg_strings_get(s, c->key.name),
				       .file = cg_strings_get(s, c->key.file),
				       .matched = cg_strings_get(s, c->key.matched),
				       .base_name = c->group[BASE] ? cg_strings_get(s, base->name)
								   : NULL,
				       .in_head = c->group[HEAD] != 0 };
}

static int number_functions(struct pairing *p)
{
	size_t most = (size_t)p->groups[BASE]->count + p->groups[HEAD]->count;
	struct common *list = calloc(most, sizeof *list);
	uint32_t *number[SIDES] = { calloc(most, sizeof **number), calloc(most, sizeof **number) };
	struct tree_functions *f = &p->functions;
	int status = allocate_functions(p, most);

	if (!list || !number[BASE] || !number[HEAD])
		status = CG_ENOMEM;
	if (!status) {
		size_t n = list_common(p, list);
		f->count = n + 1;
		p->t->nfunctions = (uint32_t)f->count;
		qsort(list, n, sizeof *list, compare_common);
		for (size_t i = 0; i < n; i++) {
			p->t->functions[i + 1] = tree_function_of(p, &list[i]);
			for (uint32_t s = 0; s < SIDES; s++)
				number[s][list[i].group[s]] = (uint32_t)i + 1;
		}
		for (uint32_t s = 0; s < SIDES; s++) {
			number[s][0] = 0;
			number_side(p, s, number[s]);
		}
		status = find_source_functions(list, n, p->t->diff->strings.secret,
					       p->t->functions);
	}
	free(list);
	free(number[BASE]);
	free(number[HEAD]);
	return status;
}

/* ---- laws ---- */

static int fail_law(const struct cg_profile *p, bool head, uint32_t event, const char *what,
		    struct cg_error *err)
{
	return cg_fail(err, CG_EINTERNAL, NULL, 0,
		       "%s of %s do not add up for %s; please report this bug", what,
		       head ? "head" : "base", cg_string(p, p->events[event].name));
}

static const struct tree_side *side_of_tree_row(const struct tree_row *row, bool head)
{
	return head ? &row->head : &row->base;
}

/* Both laws of one side; those of the deltas follow. `sum` has room for a number
 * per row. */
static int check_side(const struct tree_diff *t, bool head, __int128 *sum, struct cg_error *err)
{
	const struct cg_profile *p = head ? t->diff->head : t->diff->base;

	for (uint32_t e = 0; e < p->nevents; e++) {
		__int128 total = 0;
		memset(sum, 0, (size_t)t->count * sizeof *sum);
		for (uint32_t i = t->count; i-- > 0;) {
			const struct tree_side *s = side_of_tree_row(&t->rows[i], head);
			int64_t own = t->rows[i].unchanged_below ? s->inclusive[e] : s->self[e];
			sum[i] += own;
			total += own;
			if (sum[i] != s->inclusive[e])
				return fail_law(p, head, e, "a row and its children", err);
			if (i == 0 && s->self[e])
				return fail_law(p, head, e, "paths without a row", err);
			if (i)
				sum[t->rows[i].parent] += sum[i];
		}
		if (total != p->total[e])
			return fail_law(p, head, e, "the paths", err);
	}
	return CG_OK;
}

static int check_laws(const struct tree_diff *t, struct cg_error *err)
{
	__int128 *sum = calloc((size_t)t->count + 1, sizeof *sum);
	int status = sum ? check_side(t, false, sum, err) : cg_fail_nomem(err);
	if (!status)
		status = check_side(t, true, sum, err);
	free(sum);
	return status;
}

/* ---- renamed functions ---- */

static int compare_renamed(const struct tree_row *r, bool in_head, const char *name,
			   const char *object)
{
	int order = strcmp(in_head ? r->name : r->base_name, name);
	return order ? order : strcmp(r->object, object);
}

static int compare_renamed_rows(const struct tree_diff *t, bool in_head, uint32_t a, uint32_t b)
{
	const struct tree_row *other = &t->rows[b];
	int order = compare_renamed(&t->rows[a], in_head, in_head ? other->name : other->base_name,
				    other->object);
	return order ? order : (a > b) - (a < b);
}

static int compare_renamed_in_base(const void *left, const void *right, void *context)
{
	return compare_renamed_rows(context, false, *(const uint32_t *)left,
				    *(const uint32_t *)right);
}

static int compare_renamed_in_head(const void *left, const void *right, void *context)
{
	return compare_renamed_rows(context, true, *(const uint32_t *)left,
				    *(const uint32_t *)right);
}

static int order_renamed(struct tree_diff *t)
{
	const size_t size = t->nrenamed * sizeof *t->renamed_in_head;

	if (!t->nrenamed)
		return CG_OK;
	t->renamed_in_head = malloc(size);
	if (!t->renamed_in_head)
		return CG_ENOMEM;
	memcpy(t->renamed_in_head, t->renamed_in_base, size);
	qsort_r(t->renamed_in_base, t->nrenamed, sizeof *t->renamed_in_base,
		compare_renamed_in_base, t);
	qsort_r(t->renamed_in_head, t->nrenamed, sizeof *t->renamed_in_head,
		compare_renamed_in_head, t);
	return CG_OK;
}

static int list_renamed(struct tree_diff *t)
{
	bool *seen = calloc(t->nfunctions, sizeof *seen);
	size_t cap = 0;
	int status = seen ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 1; !status && i < t->count; i++) {
		const struct tree_row *r = &t->rows[i];
		if (r->match != DIFF_RENAMED || seen[r->function])
			continue;
		status = cg_grow(&t->renamed_in_base, &cap, t->nrenamed + 1,
				 sizeof *t->renamed_in_base);
		if (!status)
			t->renamed_in_base[t->nrenamed++] = i;
		seen[r->function] = true;
	}
	free(seen);
	return status ? status : order_renamed(t);
}

const struct tree_row *tree_find_renamed(const struct tree_diff *t, bool in_head, const char *name,
					 const char *object)
{
	const uint32_t *list = in_head ? t->renamed_in_head : t->renamed_in_base;
	size_t from = 0, to = t->nrenamed;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (compare_renamed(&t->rows[list[middle]], in_head, name, object) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == t->nrenamed || compare_renamed(&t->rows[list[from]], in_head, name, object))
		return NULL;
	return &t->rows[list[from]];
}

/* ---- all of it ---- */

/* A tree of one side, in which each function is one group. */
struct side_tree {
	const struct cg_profile *profile;
	struct cg_tree_options options;
	struct cg_tree *tree;
	int status;
};

static void find_recorded_frames(void *context)
{
	struct side_tree *s = context;
	s->status = cg_tree_frames(s->profile, &s->options.frames);
}

static void grow_tree(void *context)
{
	struct side_tree *s = context;
	s->status = cg_tree_make(s->profile, &s->options, &s->tree);
}

/* For both sides at once, if they are large: this takes most of the time. */
static int on_both_sides(void (*work)(void *), struct side_tree *base, struct side_tree *head)
{
	enum { WORTH_A_THREAD = 2000 }; /* records */
	bool large = base->profile->nrecords >= WORTH_A_THREAD &&
		     head->profile->nrecords >= WORTH_A_THREAD;

	cg_thread_both(large, work, base, head);
	return base->status ? base->status : head->status;
}

static struct side_tree side_tree_of(const struct pairing *p, uint32_t side)
{
	const struct diff *d = p->t->diff;
	const struct cg_profile *profile = side == BASE ? d->base : d->head;

	return (struct side_tree){
		.profile = profile,
		.options = { .event = metric_main_event(profile, d->options.metric),
			     .group = p->groups[side]->of },
	};
}

/* Of a path counts what both sides recorded: what only one did is no change of the program. */
static int make_trees(struct pairing *p)
{
	struct side_tree base = side_tree_of(p, BASE), head = side_tree_of(p, HEAD);
	int status = on_both_sides(find_recorded_frames, &base, &head);
	uint32_t b = base.options.frames, h = head.options.frames;

	base.options.frames = head.options.frames = b && h ? (b < h ? b : h) : b + h;
	if (!status)
		status = on_both_sides(grow_tree, &base, &head);
	p->t->base = base.tree;
	p->t->head = head.tree;
	return status;
}

static int make_tree_diff(struct pairing *p, enum tree_step last, enum tree_rows rows)
{
	struct tree_diff *t = p->t;
	const struct diff *d = t->diff;
	const struct matched_groups *functions = d->functions;
	int status = match_copy(&functions->match, functions->base.count, &p->names);

	p->groups[BASE] = &functions->base;
	p->groups[HEAD] = &functions->head;
	if (!status && last >= TREE_RENAME)
		status = match_same_counts(d, &d->strings, p->groups[BASE], p->groups[HEAD],
					   &p->names);
	if (!status)
		status = number_functions(p);
	if (!status)
		status = make_trees(p);
	if (status)
		return status;

	t->exact = t->base->exact && t->head->exact;
	p->tree[BASE] = t->base;
	p->tree[HEAD] = t->head;
	const struct cg_tree *const trees[SIDES] = { t->base, t->head };
	status = tree_match(d, last, rows, trees, &p->functions, &p->match);
	if (!status)
		status = tree_rows_make(p);
	return status ? status : list_renamed(t);
}

static void pairing_free(struct pairing *p)
{
	match_free(&p->names);
	tree_match_free(&p->match);
	tree_rows_free(p);
}

int tree_diff_make(const struct diff *d, enum tree_step last, enum tree_rows rows,
		   struct tree_diff **out, struct cg_error *err)
{
	struct tree_diff *t = calloc(1, sizeof *t);
	struct pairing p = { .t = t };
	int status = t ? CG_OK : CG_ENOMEM;

	if (!status) {
		t->diff = d;
		status = make_tree_diff(&p, last, rows);
	}
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	else if (status)
		cg_fail(err, status, NULL, 0, "the cost of a call path exceeds 2^63");
	else
		status = check_laws(t, err);
	pairing_free(&p);
	if (!status) {
		*out = t;
		t = NULL;
	}
	tree_diff_free(t);
	return status;
}

void tree_diff_free(struct tree_diff *t)
{
	if (!t)
		return;
	free(t->rows);
	free(t->absorbed);
	free(t->renamed_in_base);
	free(t->renamed_in_head);
	free(t->costs);
	free(t->functions);
	free(t->base_function);
	free(t->head_function);
	cg_tree_free(t->base);
	cg_tree_free(t->head);
	free(t);
}
