#include "src/compare/hot_sources.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/text/text.h"

/* ---- which functions ---- */

/* The function whose source matters: the one that spends more, or the one that calls more. */
static uint32_t row_of_cause(const struct causes *causes, const struct cause *c)
{
	bool called = cause_is_call(c) && *causes->tree->rows[c->caller].name;
	return called ? c->caller : c->row;
}

static bool is_hot_already(const struct hot_sources *h, const struct tree_diff *t, uint32_t row)
{
	for (size_t i = 0; i < h->count; i++)
		if (t->rows[h->rows[i]].function == t->rows[row].function)
			return true;
	return false;
}

static void list_function(struct hot_sources *h, const struct tree_diff *t, uint32_t row,
			  size_t most)
{
	const struct tree_row *r = &t->rows[row];

	if (h->count >= most || is_hot_already(h, t, row))
		return;
	h->rows[h->count] = row;
	h->items[h->count++] = (struct page_source){ .name = r->name,
						     .object = r->object,
						     .file = r->file };
}

/* A function that is called newly is shown itself, too. */
static void list_functions(struct hot_sources *h, const struct comparison *c, size_t most)
{
	for (size_t i = 0; i < c->chosen_causes.count; i++) {
		const struct cause *cause = &c->causes->items[c->chosen_causes.items[i]];
		list_function(h, c->causes->tree, row_of_cause(c->causes, cause), most);
		if (cause->kind == CAUSE_NEW)
			list_function(h, c->causes->tree, cause->row, most);
	}
}

/* The rows with the largest self costs of head, the largest first; of equal ones the first. */
static void list_costly(struct hot_sources *h, const struct diff *d)
{
	for (size_t i = 0; i < d->count; i++) {
		uint64_t size = cg_magnitude(diff_head_value(d, d->rows[i].head.self));
		size_t at = h->count;
		while (at > 0 &&
		       size > cg_magnitude(diff_head_value(d, d->rows[h->rows[at - 1]].head.self)))
			at--;
		if (!size || at == h->room)
			continue;
		h->count += h->count < h->room;
		memmove(&h->rows[at + 1], &h->rows[at], (h->count - at - 1) * sizeof *h->rows);
		h->rows[at] = (uint32_t)i;
	}
	for (size_t i = 0; i < h->count; i++) {
		const struct diff_row *row = &d->rows[h->rows[i]];
		h->items[i] = (struct page_source){
			.name = row->name,
			.object = text_is_known(row->object) ? row->object : "",
			.file = text_is_known(row->file) ? row->file : "",
		};
	}
}

/* ---- their lines ---- */

static void take_hot_side(const struct hot_side *side, size_t i, struct page_source_side *out)
{
	const struct function_source *found = &side->found[i];

	if (found->file && found->file->file)
		*out = (struct page_source_side){ side->loaded.profile, found->file, &found->text,
						  found->note };
}

static int find_hot_side(struct hot_side *side, size_t i, const char *name, const char *object,
			 const char *metric, const char *const *dirs, struct page_source_side *out,
			 struct cg_error *err)
{
	int status = function_source_find(&side->loaded, name, object, metric, dirs,
					  &side->found[i], err);
	if (!status)
		take_hot_side(side, i, out);
	return status;
}

/* Both sides of a row of the tree, from the same file. */
static int find_hot_row(struct hot_sources *h, size_t i, const struct tree_row *row,
			const char *metric, const char *const *dirs, struct cg_error *err)
{
	struct page_source *s = &h->items[i];
	int status = CG_OK;

	if (row->head.present)
		status = find_hot_side(&h->head, i, row->name, row->object, metric, dirs, &s->head,
				       err);
	if (status || !row->base.present)
		return status;
	if (!s->head.file)
		return find_hot_side(&h->base, i, row->base_name, row->object, metric, dirs,
				     &s->base, err);
	status = function_source_beside(&h->base.loaded, row->base_name, row->object, metric, dirs,
					&h->head.loaded, &h->head.found[i], &h->base.found[i], err);
	if (!status)
		take_hot_side(&h->base, i, &s->base);
	return status;
}

/* Source that cannot be shown is of little use, if there is other. */
static size_t keep_texts(struct page_source *items, size_t count, size_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (items[i].head.text->path)
			items[kept++] = items[i];
	return kept ? kept : count < most ? count : most;
}

static int make_room_for_hot(struct hot_sources *h, size_t most)
{
	h->items = calloc(most + 1, sizeof *h->items);
	h->rows = calloc(most + 1, sizeof *h->rows);
	h->base.found = calloc(most + 1, sizeof *h->base.found);
	h->head.found = calloc(most + 1, sizeof *h->head.found);
	h->room = most;
	return h->items && h->rows && h->base.found && h->head.found ? CG_OK : CG_ENOMEM;
}

static struct load_options hot_load_options(const struct comparison *c)
{
	const struct cg_detail detail = { .lines = true, .no_calls = true };

	return comparison_reload_options(c, detail);
}

int hot_sources_find(const struct project *project, const char *base, const char *head,
		     const struct comparison *c, const char *const *dirs, size_t most,
		     struct hot_sources *out, struct cg_error *err)
{
	struct hot_sources *h = out;
	const struct load_options load = hot_load_options(c);
	int status = CG_OK;

	*h = (struct hot_sources){ 0 };
	if (!c->causes || !c->chosen_causes.count || !comparison_is_lasting(c))
		return CG_OK;
	if (make_room_for_hot(h, most))
		return cg_fail_nomem(err);
	list_functions(h, c, most);
	status = load_profiles(project, base, head, &load, &h->base.loaded, &h->head.loaded, err);
	for (size_t i = 0; !status && i < h->count; i++) {
		const struct tree_row *row = &c->causes->tree->rows[h->rows[i]];
		status = find_hot_row(h, i, row, c->diff->options.metric, dirs, err);
	}
	return status;
}

int hot_sources_of_one(const struct project *project, const char *operand,
		       const struct comparison *c, const char *const *dirs, size_t most,
		       struct hot_sources *out, struct cg_error *err)
{
	struct hot_sources *h = out;
	const struct load_options load = hot_load_options(c);
	size_t kept = 0, texts = 0;

	*h = (struct hot_sources){ 0 };
	if (!loaded_is_lasting(&c->head))
		return CG_OK;
	if (make_room_for_hot(h, 4 * most))
		return cg_fail_nomem(err);
	list_costly(h, c->diff);
	int status = load_profile_alone(project, operand, &load, &h->head.loaded, &h->base.loaded,
					err);
	for (size_t i = 0; !status && i < h->count && texts < most; i++) {
		struct page_source s = h->items[i];
		status = find_hot_side(&h->head, i, s.name, *s.object ? s.object : NULL,
				       c->diff->options.metric, dirs, &s.head, err);
		if (s.head.file)
			h->items[kept++] = s;
		texts += s.head.file && s.head.text->path;
	}
	h->count = keep_texts(h->items, kept, most);
	return status;
}

static void free_hot_side(struct hot_side *side, size_t room)
{
	for (size_t i = 0; side->found && i < room; i++)
		function_source_free(&side->found[i]);
	free(side->found);
	loaded_free(&side->loaded);
}

void hot_sources_free(struct hot_sources *h)
{
	free_hot_side(&h->base, h->room);
	free_hot_side(&h->head, h->room);
	free(h->items);
	free(h->rows);
}
