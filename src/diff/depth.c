#include "src/diff/depth.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

/* ---- of all paths of one side ---- */

struct weighing {
	unsigned __int128 sum, weight; /* depth * |self|, |self| */
	uint32_t deepest;              /* node; 0: none */
};

static int64_t node_value(const struct cg_tree *t, const struct metric *m, const int64_t *costs,
			  uint32_t node)
{
	return metric_value(m, costs + (size_t)node * t->profile->nevents);
}

/* A node without own cost may be the way to others, but nothing was counted there. */
static void weigh(const struct cg_tree *t, const struct metric *m, uint32_t node,
		  const uint32_t *depth, struct weighing *w)
{
	uint64_t size = cg_magnitude(node_value(t, m, t->self, node));

	if (size == 0 || depth[node] == 0)
		return;
	w->sum += (unsigned __int128)depth[node] * size;
	w->weight += size;
	if (!w->deepest || depth[node] > depth[w->deepest] ||
	    (depth[node] == depth[w->deepest] &&
	     size > cg_magnitude(node_value(t, m, t->self, w->deepest))))
		w->deepest = node;
}

static int measure(const struct cg_tree *t, const struct metric *m, struct depth_side *out)
{
	struct weighing w = { 0 };
	uint32_t *depth = calloc((size_t)t->count + 1, sizeof *depth);

	if (!depth)
		return CG_ENOMEM;
	for (uint32_t n = 1; n < t->count; n++) {
		depth[n] = depth[t->nodes[n].parent] + !t->nodes[n].inlined;
		weigh(t, m, n, depth, &w);
	}
	const struct cg_profile *p = t->profile;
	uint32_t function = t->nodes[w.deepest].function;
	*out = (struct depth_side){
		.max = depth[w.deepest],
		.mean = w.weight ? (double)w.sum / (double)w.weight : 0,
		.deepest = w.deepest && function ? cg_string(p, p->functions[function].name) : NULL,
	};
	free(depth);
	return CG_OK;
}

/* ---- of matched paths ---- */

/* A row whose callees stand beside it. */
struct dissolved {
	uint32_t parent, row;
	const char *name;
};

static int compare_dissolved(const void *left, const void *right)
{
	const struct dissolved *a = left, *b = right;
	int order = (a->parent > b->parent) - (a->parent < b->parent);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_rows(const void *left, const void *right)
{
	const struct dissolved *a = left, *b = right;
	int order = compare_dissolved(a, b);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

struct frames {
	const struct tree_diff *t;
	struct dissolved *dissolved;
	size_t ndissolved;
	uint32_t *base, *head; /* per row, on the side that has it */
};

static int list_dissolved(struct frames *f)
{
	const struct tree_diff *t = f->t;

	f->dissolved = calloc((size_t)t->count + 1, sizeof *f->dissolved);
	if (!f->dissolved)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < t->count; r++)
		if (t->rows[r].match == DIFF_DISSOLVED)
			f->dissolved[f->ndissolved++] =
				(struct dissolved){ t->rows[r].parent, r, t->rows[r].name };
	qsort(f->dissolved, f->ndissolved, sizeof *f->dissolved, compare_rows);
	return CG_OK;
}

/* Of a row that has `via` on one side: how many frames are between it and the row above it.
 * What was dissolved may have been called by something that was dissolved, too. */
static uint32_t frames_between(const struct frames *f, uint32_t parent, const char *via, bool head)
{
	uint32_t frames = 0;

	for (size_t steps = 0; via && steps < f->ndissolved; steps++) {
		const struct dissolved key = { .parent = parent, .name = via };
		const struct dissolved *found = bsearch(&key, f->dissolved, f->ndissolved,
							sizeof key, compare_dissolved);
		if (!found)
			return frames + 1;
		const struct tree_row *row = &f->t->rows[found->row];
		const struct tree_side *side = head ? &row->head : &row->base;
		frames += !side->inlined;
		via = side->via;
	}
	return frames;
}

static uint32_t depth_of(const struct frames *f, const struct tree_row *row, bool head)
{
	const struct tree_side *side = head ? &row->head : &row->base;
	const uint32_t *depth = head ? f->head : f->base;
	return depth[row->parent] + frames_between(f, row->parent, side->via, head) + !side->inlined;
}

static int64_t depth_moved(const struct frames *f, uint32_t row)
{
	return (int64_t)f->head[row] - (int64_t)f->base[row];
}

static int compare_costs(const struct diff *d, const struct tree_row *a, const struct tree_row *b)
{
	uint64_t x = cg_magnitude(diff_base_value(d, a->base.inclusive));
	uint64_t y = cg_magnitude(diff_base_value(d, b->base.inclusive));
	uint64_t x1 = cg_magnitude(diff_head_value(d, a->head.inclusive));
	uint64_t y1 = cg_magnitude(diff_head_value(d, b->head.inclusive));
	x = x1 > x ? x1 : x;
	y = y1 > y ? y1 : y;
	return (x < y) - (x > y);
}

static int compare_changes(const void *left, const void *right, void *context)
{
	const struct depth_row *a = left, *b = right;
	const struct tree_diff *t = context;
	int order = compare_costs(t->diff, &t->rows[a->row], &t->rows[b->row]);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Fills the depths of all rows; those above a row come before it. */
static int follow(struct frames *f)
{
	uint32_t count = f->t->count;

	f->base = calloc((size_t)count + 1, sizeof *f->base);
	f->head = calloc((size_t)count + 1, sizeof *f->head);
	if (!f->base || !f->head || list_dissolved(f))
		return CG_ENOMEM;
	for (uint32_t r = 1; r < count; r++) {
		f->base[r] = depth_of(f, &f->t->rows[r], false);
		f->head[r] = depth_of(f, &f->t->rows[r], true);
	}
	return CG_OK;
}

static int list_changes(const struct frames *f, struct depth_change *c)
{
	const struct tree_diff *t = f->t;

	c->rows = calloc((size_t)t->count + 1, sizeof *c->rows);
	if (!c->rows)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < t->count; r++) {
		const struct tree_row *row = &t->rows[r];
		if (!row->base.present || !row->head.present ||
		    depth_moved(f, r) == depth_moved(f, row->parent))
			continue;
		c->rows[c->count++] = (struct depth_row){ r, f->base[r], f->head[r] };
	}
	qsort_r(c->rows, c->count, sizeof *c->rows, compare_changes, (void *)t);
	return CG_OK;
}

int depth_change_make(const struct tree_diff *t, struct depth_change *out)
{
	const struct diff *d = t->diff;
	struct depth_change c = { .exact = t->exact };
	struct frames f = { .t = t };

	int status = measure(t->base, &d->base_metric, &c.base);
	if (!status)
		status = measure(t->head, &d->head_metric, &c.head);
	if (!status)
		status = follow(&f);
	if (!status)
		status = list_changes(&f, &c);
	free(f.dissolved);
	free(f.base);
	free(f.head);
	if (status)
		depth_change_free(&c);
	else
		*out = c;
	return status;
}

void depth_change_free(struct depth_change *c)
{
	free(c->rows);
	*c = (struct depth_change){ 0 };
}
