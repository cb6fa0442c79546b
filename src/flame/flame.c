#include "src/flame/flame.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/flame/build.h"

/* ---- one profile ---- */

static struct flame_function flame_function_of(const struct cg_profile *p, uint32_t function)
{
	const struct cg_function *f = &p->functions[function];

	return (struct flame_function){
		.name = f->name ? cg_string(p, f->name) : "???",
		.object = f->object ? cg_string(p, f->object) : "",
		.file = f->file ? cg_string(p, f->file) : "",
	};
}

static struct flame_frame frame_of_node(const struct cg_tree_node *n)
{
	return (struct flame_frame){
		.match = DIFF_ONE_SIDED,
		.head = { .present = true,
			  .inlined = n->inlined,
			  .estimated = n->estimated || n->estimated_below,
			  .calls = n->calls },
	};
}

static int add_flame_tree(struct flame_build *b, const struct cg_tree *t, uint32_t *frame)
{
	const struct cg_profile *p = t->profile;
	int status = flame_build_costs(b, 0, NULL, t->self);

	for (uint32_t i = 1; !status && i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		struct flame_function function = flame_function_of(p, n->function);
		struct flame_frame facts = frame_of_node(n);
		uint32_t number;
		status = flame_build_function(b, &function, &number);
		if (!status)
			status = flame_build_frame(b, frame[n->parent], number, &facts, &frame[i]);
		if (!status)
			status = flame_build_costs(b, frame[i], NULL,
						   t->self + (size_t)i * p->nevents);
	}
	return status;
}

/* The number of a function that is in the graph. */
static int number_of_function(struct flame_build *b, const struct flame_function *function,
			      uint32_t *out)
{
	return function->name ? flame_build_function(b, function, out) : CG_OK;
}

static int build_profile(struct flame_build *b, const struct cg_tree *t, struct flame **out)
{
	uint32_t *frame = calloc((size_t)t->count + 1, sizeof *frame);
	uint32_t main_function = cg_tree_main(t);
	int status = frame ? add_flame_tree(b, t, frame) : CG_ENOMEM;

	free(frame);
	if (!status && main_function) {
		struct flame_function function = flame_function_of(t->profile, main_function);
		status = number_of_function(b, &function, &b->flame->main_function);
	}
	if (!status) {
		b->flame->exact = t->exact;
		status = flame_build_finish(b, out);
	}
	return status;
}

int flame_of_tree(const struct cg_tree *t, const char *metric, struct flame **out,
		  struct cg_error *err)
{
	struct flame_events head = { .profile = t->profile };
	struct flame_build b;

	if (!metric_find(t->profile, metric, &head.metric))
		return cg_fail(err, CG_EINVAL, NULL, 0, "the profile has no event or metric '%s'",
			       metric);
	int status = flame_build_init(&b, NULL, &head);
	if (!status)
		status = build_profile(&b, t, out);
	flame_build_free(&b);
	return status ? flame_fail(status, err) : CG_OK;
}

int flame_of_profile(const struct cg_profile *p, const char *metric, struct flame **out,
		     struct cg_error *err)
{
	struct cg_tree_options options = { .event = metric_main_event(p, metric) };
	struct cg_tree *t = NULL;
	int status = cg_tree_make(p, &options, &t);

	status = status ? flame_fail(status, err) : flame_of_tree(t, metric, out, err);
	cg_tree_free(t);
	return status;
}

/* ---- a difference ---- */

static struct flame_side side_of_row(const struct tree_side *s)
{
	return (struct flame_side){ s->present, s->inlined, s->estimated, s->calls, s->via };
}

/* A difference calls it "???". */
static const char *known_place(const char *name)
{
	return strcmp(name, "???") == 0 ? "" : name;
}

/* Whether a row is the function in which the program of a tree begins. */
static bool is_main(const struct tree_row *row, const struct cg_tree *t, uint32_t main_function)
{
	struct flame_function f = flame_function_of(t->profile, main_function);
	return main_function && strcmp(row->name, f.name) == 0 &&
	       strcmp(cg_base_name(known_place(row->object)), cg_base_name(f.object)) == 0;
}

static int add_flame_row(struct flame_build *b, const struct tree_row *row, uint32_t number,
			 uint32_t parent, uint32_t *out)
{
	struct flame_function function = {
		.name = row->name,
		.object = known_place(row->object),
		.file = known_place(row->file),
		.base_name = row->base.present ? row->base_name : NULL,
	};
	struct flame_frame facts = { .row = row->nabsorbed ? number : 0,
				     .match = row->match,
				     .base = side_of_row(&row->base),
				     .head = side_of_row(&row->head) };
	uint32_t f;
	/* Only names that changed make a function another one. */
	if (function.base_name && strcmp(function.base_name, function.name) == 0)
		function.base_name = NULL;
	int status = flame_build_function(b, &function, &f);
	if (!status)
		status = flame_build_frame(b, parent, f, &facts, out);
	return status ? status : flame_build_costs(b, *out, row->base.self, row->head.self);
}

static int add_flame_rows(struct flame_build *b, const struct tree_diff *t, uint32_t *frame)
{
	uint32_t base_main = cg_tree_main(t->base), head_main = cg_tree_main(t->head);
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < t->count; i++) {
		const struct tree_row *row = &t->rows[i];
		status = add_flame_row(b, row, i, frame[row->parent], &frame[i]);
		if (!status && !b->flame->main_function &&
		    (is_main(row, t->head, head_main) || is_main(row, t->base, base_main)))
			b->flame->main_function = b->flame->frames[frame[i]].function;
	}
	return status;
}

int flame_of_diff(const struct tree_diff *t, struct flame **out, struct cg_error *err)
{
	const struct diff *d = t->diff;
	struct flame_events base = { .profile = d->base, .metric = d->base_metric };
	struct flame_events head = { .profile = d->head, .metric = d->head_metric };
	uint32_t *frame = calloc((size_t)t->count + 1, sizeof *frame);
	struct flame_build b;
	int status = flame_build_init(&b, &base, &head);

	if (!status)
		status = frame ? add_flame_rows(&b, t, frame) : CG_ENOMEM;
	if (!status) {
		b.flame->exact = t->exact;
		status = flame_build_finish(&b, out);
	}
	flame_build_free(&b);
	free(frame);
	return status ? flame_fail(status, err) : CG_OK;
}
