#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/flame/build.h"
#include "src/flame/flame.h"

/* A graph being made from another one, frame by frame. */
struct flame_making {
	const struct flame *from;
	const struct flame_options *o;
	struct flame_build b;
	bool *matches, *ignored; /* per function */
	bool *kept;              /* per frame: its self cost belongs to the result */
	bool *leads;             /* per frame: a root is at it, or below */
	bool *inside;            /* per frame: a root is at it, or above */
	uint32_t *frame;         /* per frame: which one of the result takes its cost */
	uint32_t *depth;         /* per frame of the result, at most as many */
};

static size_t stride(const struct flame_events *e)
{
	return e->profile ? e->profile->nevents : 0;
}

/* ---- which stacks are kept ---- */

static int match_flame_functions(struct flame_making *m, const struct pattern *pattern,
				 bool *matches, struct cg_error *err)
{
	int status = CG_OK;
	for (uint32_t i = 1; !status && pattern && i < m->from->nfunctions; i++) {
		const struct flame_function *f = &m->from->functions[i];
		status = pattern_matches_name(pattern, f->object, f->file, f->name, &matches[i],
					      err);
	}
	return status;
}

static int choose_stacks(struct flame_making *m, struct cg_error *err)
{
	const struct flame *f = m->from;
	bool *found = calloc((size_t)f->count + 1, sizeof *found);
	bool *barred = calloc((size_t)f->count + 1, sizeof *barred);
	int status = found && barred ? CG_OK : cg_fail_nomem(err);

	if (!status)
		status = match_flame_functions(m, m->o->filter, m->matches, err);
	if (!status)
		status = match_flame_functions(m, m->o->ignore, m->ignored, err);
	for (uint32_t i = 0; !status && i < f->count; i++) {
		const struct flame_frame *n = &f->frames[i];
		found[i] = found[n->parent] || m->matches[n->function];
		barred[i] = barred[n->parent] || m->ignored[n->function];
		m->kept[i] = (found[i] || !m->o->filter) && !barred[i];
	}
	free(found);
	free(barred);
	return status;
}

/* ---- where paths begin ---- */

static void find_flame_roots(struct flame_making *m)
{
	const struct flame *f = m->from;

	for (uint32_t i = 1; i < f->count; i++) {
		m->inside[i] = m->inside[f->frames[i].parent] ||
			       m->o->is_root[f->frames[i].function];
		m->leads[i] = m->inside[i];
	}
	for (uint32_t i = f->count; i-- > 1;)
		m->leads[f->frames[i].parent] |= m->leads[i];
	/* All that begins with a function which leads to a root. */
	for (uint32_t i = 1; i < f->count; i++)
		if (f->frames[i].parent)
			m->leads[i] = m->leads[f->frames[i].parent];
}

/* Adds a frame without parent and function. */
static int add_special(struct flame_making *m, const char *name, uint32_t *out)
{
	const struct flame_function special = { .name = name, .object = "", .file = "" };
	const struct flame_frame facts = { .base.present = m->from->base.profile != NULL,
					   .head.present = true,
					   .match = DIFF_SAME };
	uint32_t function;
	int status = flame_build_function(&m->b, &special, &function);
	return status ? status : flame_build_frame(&m->b, 0, function, &facts, out);
}

/* Finds the parent of a frame in the result. */
static int find_frame_parent(struct flame_making *m, uint32_t i, uint32_t *out)
{
	const struct flame_frame *n = &m->from->frames[i];

	*out = m->frame[n->parent];
	if (!m->o->is_root || !m->leads[i])
		return CG_OK;
	if (m->inside[i] && !m->inside[n->parent])
		*out = 0;
	else if (!m->inside[i] && n->parent == 0) {
		int status = add_special(m, FLAME_OUTSIDE, out);
		if (!status)
			m->depth[*out] = 1;
		return status;
	}
	return CG_OK;
}

static int copy_function(struct flame_making *m, uint32_t function, uint32_t *out)
{
	return flame_build_function(&m->b, &m->from->functions[function], out);
}

static int copy_frame(struct flame_making *m, uint32_t i)
{
	const struct flame *f = m->from;
	uint32_t parent, function;
	int status = find_frame_parent(m, i, &parent);

	if (status)
		return status;
	uint32_t depth = m->depth[parent] + 1;
	if (m->o->depth && depth > m->o->depth && !m->o->reversed) {
		m->frame[i] = parent;
		return CG_OK;
	}
	status = copy_function(m, f->frames[i].function, &function);
	if (!status)
		status = flame_build_frame(&m->b, parent, function, &f->frames[i], &m->frame[i]);
	if (!status)
		m->depth[m->frame[i]] = depth;
	return status;
}

static const int64_t *flame_costs_of(const struct flame_events *e, uint32_t frame)
{
	return e->profile ? e->self + frame * stride(e) : NULL;
}

static int copy_frames(struct flame_making *m)
{
	const struct flame *f = m->from;
	int status = CG_OK;

	if (m->o->is_root)
		find_flame_roots(m);
	for (uint32_t i = 0; !status && i < f->count; i++) {
		if (i)
			status = copy_frame(m, i);
		if (!status && m->kept[i])
			status = flame_build_costs(&m->b, m->frame[i], flame_costs_of(&f->base, i),
						   flame_costs_of(&f->head, i));
	}
	return status;
}

/* ---- callers below ---- */

/* What a frame spends itself, on the side that spends more. */
static uint64_t own_size(const struct flame *f, uint32_t frame)
{
	struct flame_values v = flame_values(f, frame);
	uint64_t base = cg_magnitude(v.base_self), head = cg_magnitude(v.head_self);
	return base > head ? base : head;
}

/* From which cost on a frame has a stack of callers of its own: a hundred-thousandth of all, and
 * so that all stacks together have a bounded number of frames. */
static int find_flame_least(const struct flame *f, uint64_t *least)
{
	enum { MOST_FRAMES = 2000000 };
	const double parts = 100000;
	uint64_t *sizes = calloc((size_t)f->count + 1, sizeof *sizes);
	double sum = 0;

	if (!sizes)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < f->count; i++) {
		sizes[i] = own_size(f, i);
		sum += (double)sizes[i];
	}
	qsort(sizes, f->count, sizeof *sizes, cg_larger_first);
	uint32_t most = MOST_FRAMES / FLAME_MOST_CALLERS;
	*least = (uint64_t)(sum / parts) + 1;
	if (most < f->count && sizes[most] >= *least && sizes[most] < UINT64_MAX)
		*least = sizes[most] + 1;
	free(sizes);
	return CG_OK;
}

static int reverse_stack(struct flame_making *m, uint32_t leaf, uint32_t *out)
{
	const struct flame *f = m->from;
	uint32_t most = m->o->depth && m->o->depth < FLAME_MOST_CALLERS ? m->o->depth
									: FLAME_MOST_CALLERS;
	int status = CG_OK;

	*out = 0;
	for (uint32_t i = leaf; !status && i && most; i = f->frames[i].parent, most--) {
		struct flame_frame facts = f->frames[i];
		uint32_t function;
		/* How often a caller called what leads to a cost is not what its frame says. */
		facts.base.calls = facts.head.calls = 0;
		facts.base.via = facts.head.via = NULL;
		if (i != leaf)
			facts.row = 0;
		/* A side is present in a frame if it spends something there. */
		facts.base.present = f->frames[leaf].base.present;
		facts.head.present = f->frames[leaf].head.present;
		status = copy_function(m, f->frames[i].function, &function);
		if (!status)
			status = flame_build_frame(&m->b, *out, function, &facts, out);
	}
	return status;
}

static int reverse_frames(struct flame_making *m)
{
	const struct flame *f = m->from;
	uint64_t least;
	int status = find_flame_least(f, &least);

	for (uint32_t i = 0; !status && i < f->count; i++) {
		uint32_t frame = 0;
		if (own_size(f, i) >= least)
			status = reverse_stack(m, i, &frame);
		else if (i)
			status = add_special(m, FLAME_SMALLER, &frame);
		if (!status)
			status = flame_build_costs(&m->b, frame, flame_costs_of(&f->base, i),
						   flame_costs_of(&f->head, i));
	}
	return status;
}

/* ---- all of it ---- */

static int copy_main(struct flame_making *m)
{
	return m->from->main_function
		       ? copy_function(m, m->from->main_function, &m->b.flame->main_function)
		       : CG_OK;
}

static int make_with(struct flame_making *m, int (*build)(struct flame_making *),
		     struct flame **out, struct cg_error *err)
{
	int status = flame_build_init(&m->b, &m->from->base, &m->from->head);

	if (!status)
		status = build(m);
	if (!status)
		status = copy_main(m);
	if (!status) {
		m->b.flame->exact = m->from->exact;
		status = flame_build_finish(&m->b, out);
	}
	flame_build_free(&m->b);
	return status ? flame_fail(status, err) : CG_OK;
}

static int make_flame_arrays(struct flame_making *m, struct cg_error *err)
{
	size_t frames = (size_t)m->from->count + 2, functions = (size_t)m->from->nfunctions + 1;

	m->matches = calloc(functions, sizeof *m->matches);
	m->ignored = calloc(functions, sizeof *m->ignored);
	m->kept = calloc(frames, sizeof *m->kept);
	m->leads = calloc(frames, sizeof *m->leads);
	m->inside = calloc(frames, sizeof *m->inside);
	m->frame = calloc(frames, sizeof *m->frame);
	m->depth = calloc(frames, sizeof *m->depth);
	return m->matches && m->ignored && m->kept && m->leads && m->inside && m->frame && m->depth
		       ? CG_OK
		       : cg_fail_nomem(err);
}

static void free_flame_arrays(struct flame_making *m)
{
	free(m->matches);
	free(m->ignored);
	free(m->kept);
	free(m->leads);
	free(m->inside);
	free(m->frame);
	free(m->depth);
}

int flame_make(const struct flame *from, const struct flame_options *options, struct flame **out,
	       struct cg_error *err)
{
	struct flame_making m = { .from = from, .o = options };
	struct flame *made = NULL;
	int status = make_flame_arrays(&m, err);

	if (!status)
		status = choose_stacks(&m, err);
	if (!status)
		status = make_with(&m, copy_frames, &made, err);
	free_flame_arrays(&m);
	if (status || !options->reversed) {
		if (!status)
			*out = made;
		return status;
	}
	m = (struct flame_making){ .from = made, .o = options };
	status = make_with(&m, reverse_frames, out, err);
	flame_free(made);
	return status;
}

/* ---- roots by name ---- */

int flame_find_root(const struct flame *f, const char *root, bool **is_root, struct cg_error *err)
{
	bool found = false;
	bool *chosen = calloc((size_t)f->nfunctions + 1, sizeof *chosen);
	if (!chosen)
		return cg_fail_nomem(err);

	if (!root)
		chosen[f->main_function] = found = f->main_function != 0;
	else if (*root)
		for (int how = CG_NAME_EXACTLY; how >= CG_NAME_PLAIN && !found; how--)
			for (uint32_t i = 1; i < f->nfunctions; i++)
				found |= chosen[i] = (int)cg_name_likeness(f->functions[i].name,
									   root) >= how;
	if (root && *root && !found) {
		free(chosen);
		return cg_fail(err, CG_EINVAL, NULL, 0, "unknown root function '%s'", root);
	}
	if (!found) {
		free(chosen);
		chosen = NULL;
	}
	*is_root = chosen;
	return CG_OK;
}
