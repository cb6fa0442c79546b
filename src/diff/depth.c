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

/* A node without self cost does not count: nothing was measured at its depth. */
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

/* `depth`: per node, filled in. */
static void measure_depths(const struct cg_tree *t, const struct metric *m, uint32_t *depth,
			   struct depth_side *out)
{
	struct weighing w = { 0 };

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
}

/* ---- of matched paths ---- */

struct frames {
	const struct tree_diff *t;
	uint32_t *base_node, *head_node; /* depths per node of the trees */
	uint32_t *base, *head;           /* per row */
};

static int64_t depth_moved(const struct frames *f, uint32_t row)
{
	return (int64_t)f->head[row] - (int64_t)f->base[row];
}

static int compare_row_costs(const struct diff *d, const struct tree_row *a,
			     const struct tree_row *b)
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
	int order = compare_row_costs(t->diff, &t->rows[a->row], &t->rows[b->row]);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Fills the depths of all rows. On a side where a row is not, it is as much deeper than the row
 * above it as on the other one: nothing moved. */
static void fill_row_depths(struct frames *f)
{
	for (uint32_t r = 1; r < f->t->count; r++) {
		const struct tree_row *row = &f->t->rows[r];
		uint32_t above = row->parent;
		if (row->base.present)
			f->base[r] = f->base_node[row->base.node];
		if (row->head.present)
			f->head[r] = f->head_node[row->head.node];
		if (!row->base.present)
			f->base[r] = f->head[r] - f->head[above] + f->base[above];
		if (!row->head.present)
			f->head[r] = f->base[r] - f->base[above] + f->head[above];
	}
}

static int make_frames(struct frames *f)
{
	size_t rows = (size_t)f->t->count + 1;

	f->base_node = calloc((size_t)f->t->base->count + 1, sizeof *f->base_node);
	f->head_node = calloc((size_t)f->t->head->count + 1, sizeof *f->head_node);
	f->base = calloc(rows, sizeof *f->base);
	f->head = calloc(rows, sizeof *f->head);
	return f->base_node && f->head_node && f->base && f->head ? CG_OK : CG_ENOMEM;
}

static void free_frames(struct frames *f)
{
	free(f->base_node);
	free(f->head_node);
	free(f->base);
	free(f->head);
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

	int status = make_frames(&f);
	if (!status) {
		measure_depths(t->base, &d->base_metric, f.base_node, &c.base);
		measure_depths(t->head, &d->head_metric, f.head_node, &c.head);
		fill_row_depths(&f);
		status = list_changes(&f, &c);
	}
	free_frames(&f);
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
