#include "src/compare/hot_sources.h"

#include <stdlib.h>

/* ---- which functions ---- */

/* The function whose source matters: the one that spends more, or the one that calls more. */
static uint32_t row_of_cause(const struct causes *causes, const struct cause *c)
{
	bool called = c->kind != CAUSE_SELF && *causes->tree->rows[c->caller].name;
	return called ? c->caller : c->row;
}

static bool is_hot_already(const struct hot_sources *h, const struct tree_diff *t, uint32_t row)
{
	for (size_t i = 0; i < h->count; i++)
		if (t->rows[h->items[i].row].function == t->rows[row].function)
			return true;
	return false;
}

static void list_function(struct hot_sources *h, const struct tree_diff *t, uint32_t row,
			  size_t most)
{
	if (h->count < most && !is_hot_already(h, t, row))
		h->items[h->count++].row = row;
}

/* A function that is called newly is shown itself, too. */
static int list_functions(struct hot_sources *h, const struct comparison *c, size_t most)
{
	h->items = calloc(most + 1, sizeof *h->items);
	if (!h->items)
		return CG_ENOMEM;
	for (size_t i = 0; i < c->chosen_causes.count; i++) {
		const struct cause *cause = &c->causes->items[c->chosen_causes.items[i]];
		list_function(h, c->tree, row_of_cause(c->causes, cause), most);
		if (cause->kind == CAUSE_NEW)
			list_function(h, c->tree, cause->row, most);
	}
	return CG_OK;
}

/* ---- their lines ---- */

static int find_hot_side(struct hot_side *side, size_t i, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct page_source_side *out,
			 struct cg_error *err)
{
	struct function_source *found = &side->found[i];
	int status = function_source_find(&side->loaded, name, object, metric, dirs, found, err);

	if (!status && found->file && found->file->file)
		*out = (struct page_source_side){ side->loaded.profile, found->file, &found->text,
						  found->note };
	return status;
}

static int make_room_for_hot(struct hot_side *side, size_t count)
{
	side->found = calloc(count + 1, sizeof *side->found);
	return side->found ? CG_OK : CG_ENOMEM;
}

static int load_hot_lines(const struct project *project, const char *base, const char *head,
			  const struct comparison *c, struct hot_sources *h, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true, .no_calls = true };
	struct load_options load = load_options_from(&c->options->reading, &c->selection.chosen,
						     detail);

	load.silent = true;
	return load_profiles(project, base, head, &load, &h->base.loaded, &h->head.loaded, err);
}

int hot_sources_find(const struct project *project, const char *base, const char *head,
		     const struct comparison *c, const char *const *dirs, size_t most,
		     struct hot_sources *out, struct cg_error *err)
{
	struct hot_sources *h = out;
	int status = CG_OK;

	*h = (struct hot_sources){ 0 };
	if (!c->causes || !c->chosen_causes.count || !loaded_is_lasting(&c->base) ||
	    !loaded_is_lasting(&c->head))
		return CG_OK;
	if (list_functions(h, c, most) || make_room_for_hot(&h->base, h->count) ||
	    make_room_for_hot(&h->head, h->count))
		return cg_fail_nomem(err);
	status = load_hot_lines(project, base, head, c, h, err);
	for (size_t i = 0; !status && i < h->count; i++) {
		const struct tree_row *row = &c->tree->rows[h->items[i].row];
		const char *metric = c->diff->options.metric;
		if (row->base.present)
			status = find_hot_side(&h->base, i, row->base_name, row->object, metric,
					       dirs, &h->items[i].base, err);
		if (!status && row->head.present)
			status = find_hot_side(&h->head, i, row->name, row->object, metric, dirs,
					       &h->items[i].head, err);
	}
	return status;
}

static void free_hot_side(struct hot_side *side, size_t count)
{
	for (size_t i = 0; side->found && i < count; i++)
		function_source_free(&side->found[i]);
	free(side->found);
	loaded_free(&side->loaded);
}

void hot_sources_free(struct hot_sources *h)
{
	free_hot_side(&h->base, h->count);
	free_hot_side(&h->head, h->count);
	free(h->items);
}
