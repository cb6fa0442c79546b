#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/folded.h"
#include "callgrind/support/grow.h"
#include "callgrind/tree_shape.h"
#include "cgprofile/folded.h"

struct folded_writer {
	const struct cg_tree *t; /* one node for each stack of names */
	char *stack;             /* the text of the node's stack */
	size_t used, cap;
	size_t *end; /* per node: how much of `stack` is its own stack */
};

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 127;
}

void cg_folded_name(char *name, size_t len, bool first, bool inlined)
{
	size_t n = sizeof CG_FOLDED_INLINED - 1;

	for (size_t i = 0; i < len; i++) {
		if (name[i] == ';')
			name[i] = ':';
		else if (is_control(name[i]))
			name[i] = '_';
	}
	bool comment = first && name[0] == '#' && (len == 1 || strchr(" #", name[1]));
	if (name[0] == ' ' || comment)
		name[0] = '_';
	if (name[len - 1] == ' ')
		name[len - 1] = '_';
	size_t digits = len;
	while (digits > 0 && (unsigned)(name[digits - 1] - '0') < 10)
		digits--;
	if (digits > 0 && digits < len && name[digits - 1] == ' ')
		name[digits - 1] = '_';
	if (!inlined && len > n && memcmp(name + len - n, CG_FOLDED_INLINED, n) == 0)
		memcpy(name + len - n, "_(i)", n);
}

static int folded_writer_append(struct folded_writer *w, const char *text, size_t len)
{
	if (cg_grow(&w->stack, &w->cap, w->used + len + 1, 1))
		return CG_ENOMEM;
	memcpy(w->stack + w->used, text, len);
	w->used += len;
	return CG_OK;
}

/* Makes `stack` that of the node: its parent's, which is still there, and its name. */
static int folded_writer_go_to(struct folded_writer *w, uint32_t node)
{
	const struct cg_profile *p = w->t->profile;
	const struct cg_tree_node *n = &w->t->nodes[node];
	const char *name = n->outside ? CG_TREE_OUTSIDE
				      : cg_string(p, p->functions[n->function].name);
	int status = CG_OK;

	w->used = w->end[n->parent];
	if (w->used)
		status = folded_writer_append(w, ";", 1);
	size_t start = w->used;
	if (!status)
		status = folded_writer_append(w, *name ? name : "???", *name ? strlen(name) : 3);
	if (!status)
		cg_folded_name(w->stack + start, w->used - start, !start, n->inlined);
	if (!status && n->inlined)
		status = folded_writer_append(w, CG_FOLDED_INLINED, sizeof CG_FOLDED_INLINED - 1);
	w->end[node] = w->used;
	return status;
}

/* How much text there is to write; what does not fit is all there can be. */
static uint64_t folded_writer_measure(struct folded_writer *w, uint32_t event)
{
	const struct cg_profile *p = w->t->profile;
	uint64_t sum = 0;

	for (uint32_t i = 1; i < w->t->count; i++) {
		const struct cg_tree_node *n = &w->t->nodes[i];
		const char *name = n->outside ? CG_TREE_OUTSIDE
					      : cg_string(p, p->functions[n->function].name);
		w->end[i] = w->end[n->parent] + strlen(name) + 1;
		if (w->t->self[(size_t)i * p->nevents + event] &&
		    __builtin_add_overflow(sum, w->end[i], &sum))
			return UINT64_MAX;
	}
	return sum;
}

static uint32_t folded_writer_depth_of(const struct cg_tree *t)
{
	uint32_t most = 0, *depth = calloc((size_t)t->count + 1, sizeof *depth);
	for (uint32_t i = 1; depth && i < t->count; i++) {
		depth[i] = depth[t->nodes[i].parent] + 1;
		most = depth[i] > most ? depth[i] : most;
	}
	free(depth);
	return most;
}

/* Each stack repeats all above it: a chain of n calls takes the square of n. */
static int folded_writer_check_size(struct folded_writer *w, uint32_t event, struct cg_error *err)
{
	uint64_t size = folded_writer_measure(w, event);
	return size <= CG_FOLDED_MOST
		       ? CG_OK
		       : cg_fail(err, CG_ERANGE, NULL, 0,
				 "folded stacks repeat each call path, up to %" PRIu32
				 " functions deep, and would take %.1f GB: choose another format, such as .speedscope.json",
				 folded_writer_depth_of(w->t), (double)size / 1e9);
}

static int write_stacks(struct folded_writer *w, uint32_t event, FILE *to, struct cg_error *err)
{
	const struct cg_profile *p = w->t->profile;

	for (uint32_t i = 1; i < w->t->count; i++) {
		int64_t cost = w->t->self[(size_t)i * p->nevents + event];
		if (folded_writer_go_to(w, i))
			return cg_fail_nomem(err);
		if (cost < 0)
			return cg_fail(
				err, CG_EINVAL, NULL, 0,
				"folded stacks cannot hold negative costs, but a stack costs %" PRId64
				" %s: choose another event or format",
				cost, cg_string(p, p->events[event].name));
		if (cost) {
			fwrite(w->stack, 1, w->used, to);
			fprintf(to, " %" PRId64 "\n", cost);
		}
	}
	return ferror(to) ? cg_fail(err, CG_EIO, NULL, 0, "cannot write") : CG_OK;
}

/* Functions of one name are one frame. *merged is NULL if they are so in the tree. */
static int merge_names(const struct cg_tree *t, struct cg_tree **merged)
{
	const struct cg_profile *p = t->profile;
	uint32_t *name = calloc((size_t)p->nfunctions + 1, sizeof *name);
	bool is_merged;

	*merged = NULL;
	if (!name)
		return CG_ENOMEM;
	for (uint32_t f = 1; f < p->nfunctions; f++)
		name[f] = p->functions[f].name;
	int status = cg_tree_is_merged(t, name, &is_merged);
	if (!status && !is_merged)
		status = cg_tree_merge(t, name, merged);
	free(name);
	return status;
}

int cg_write_folded(const struct cg_tree *t, uint32_t event, FILE *to, struct cg_error *err)
{
	struct cg_tree *merged;
	struct folded_writer w = { 0 };
	int status = merge_names(t, &merged);

	w.t = merged ? merged : t;
	if (!status && !(w.end = calloc((size_t)w.t->count + 1, sizeof *w.end)))
		status = CG_ENOMEM;
	if (status) {
		status = status == CG_ENOMEM ? cg_fail_nomem(err)
					     : cg_fail(err, status, NULL, 0,
						       "the sum of the costs of "
						       "one stack exceeds 2^63");
	} else {
		status = folded_writer_check_size(&w, event, err);
		if (!status)
			status = write_stacks(&w, event, to, err);
	}
	cg_tree_free(merged);
	free(w.stack);
	free(w.end);
	return status;
}
