/* Evidence about machine code: that it is the same, that another variant of it was chosen, or that
 * the compiler made other code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/same_code.h"
#include "src/insight/finders.h"
#include "src/text/text.h"
#include "src/view/pattern.h"
#include "src/view/scripted.h"

/* ---- variants ---- */

/* The length and start of the common part of a function's variants: "memcpy" in
 * "__memcpy_avx_unaligned_erms"; 0: not a variant. */
static size_t common_part(const struct insight_rule *rule, const char *name, const char **begin)
{
	*begin = name + strspn(name, "_");
	for (const char *at = strchr(*begin, '_'); at; at = strchr(at + 1, '_')) {
		size_t len = strcspn(at + 1, "_");
		for (size_t i = 0; i < rule->variants.count; i++)
			if (strlen(rule->variants.items[i]) == len &&
			    memcmp(rule->variants.items[i], at + 1, len) == 0)
				return (size_t)(at - *begin);
	}
	return 0;
}

static int is_variant(const struct insight_rule *rule, const struct pattern *objects,
		      const struct diff_row *row, bool *is, struct cg_error *err)
{
	const char *begin;

	*is = row->match == DIFF_ONE_SIDED && common_part(rule, row->name, &begin);
	return *is && objects ? pattern_matches(objects, row->object, is, err) : CG_OK;
}

/* A row that is a variant, by what it has in common with others. */
struct variant {
	const struct diff_row *row;
	const char *common; /* of this length */
	size_t len;
};

struct variants {
	struct variant *items; /* of one side each, those of one function beside each other */
	size_t count;
};

static int compare_variant_names(const struct variant *a, const struct variant *b)
{
	size_t len = a->len < b->len ? a->len : b->len;
	int order = memcmp(a->common, b->common, len);
	if (!order)
		order = (a->len > b->len) - (a->len < b->len);
	return order ? order : strcmp(a->row->object, b->row->object);
}

/* Rows of one diff, in its order: the largest difference first. */
static int compare_variants(const void *left, const void *right)
{
	const struct variant *a = left, *b = right;
	int order = compare_variant_names(a, b);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int collect_variants(struct evidence_search *f, const struct insight_rule *rule,
			    struct variants *out)
{
	const struct diff *d = f->data->diff;
	struct pattern *objects = NULL;
	struct cg_error inner = { 0 };
	int status = CG_OK;

	out->items = calloc(d->count + 1, sizeof *out->items);
	if (!out->items)
		return cg_fail_nomem(f->err);
	if (rule->objects)
		status = pattern_compile(rule->objects, &objects, &inner);
	for (size_t i = 0; !status && i < d->count; i++) {
		bool is;
		status = is_variant(rule, objects, &d->rows[i], &is, &inner);
		if (!status && is) {
			struct variant *v = &out->items[out->count++];
			v->row = &d->rows[i];
			v->len = common_part(rule, v->row->name, &v->common);
		}
	}
	qsort(out->items, out->count, sizeof *out->items, compare_variants);
	pattern_free(objects);
	return status ? cg_fail(f->err, status, rule->file, rule->line, "%s", inner.message)
		      : CG_OK;
}

struct variant_pair {
	const struct diff_row *base, *head; /* the first of each side */
};

static int compare_variant_pairs(const void *left, const void *right)
{
	const struct variant_pair *a = left, *b = right;
	return (a->base > b->base) - (a->base < b->base);
}

/* Takes the variants of one function from *at on; base and head are NULL if only one has any.
 * Adds up by how much their costs differ. */
static struct variant_pair take_function(const struct evidence_search *f, const struct variants *v,
					 size_t *at, int64_t *delta)
{
	const struct diff *d = f->data->diff;
	const struct variant *first = &v->items[*at];
	struct variant_pair pair = { NULL, NULL };
	int64_t sum = 0;

	for (; *at < v->count && compare_variant_names(first, &v->items[*at]) == 0; ++*at) {
		const struct diff_row *row = v->items[*at].row;
		const struct diff_row **side = row->base.present ? &pair.base : &pair.head;
		int64_t own = cg_delta(diff_base_value(d, row->base.self),
				       diff_head_value(d, row->head.self));
		*side = *side ? *side : row;
		cg_add_cost_clipped(&sum, own);
	}
	if (!pair.base || !pair.head)
		return (struct variant_pair){ NULL, NULL };
	cg_add_cost_clipped(delta, sum);
	return pair;
}

/* Lists pairs, the largest first, and adds up by how much their costs differ. */
static int list_pairs(const struct evidence_search *f, const struct variants *v, FILE *to,
		      int64_t *delta)
{
	enum { LISTED = 3 };
	struct variant_pair *pairs = calloc(v->count + 1, sizeof *pairs);
	size_t count = 0;

	if (!pairs)
		return CG_ENOMEM;
	for (size_t at = 0; at < v->count;) {
		pairs[count] = take_function(f, v, &at, delta);
		count += pairs[count].base != NULL;
	}
	qsort(pairs, count, sizeof *pairs, compare_variant_pairs);
	for (size_t i = 0; i < count && i < LISTED; i++)
		fprintf(to, "%s%s → %s", i ? ", " : "", pairs[i].base->name, pairs[i].head->name);
	free(pairs);
	return CG_OK;
}

/* *list is NULL, or allocated. */
static int describe_variants(struct evidence_search *f, const struct insight_rule *rule,
			     char **list, int64_t *delta)
{
	struct variants v = { 0 };
	char *text = NULL, *safe = NULL;
	size_t size;
	FILE *to = NULL;
	int status = collect_variants(f, rule, &v);

	if (!status && !(to = open_memstream(&text, &size)))
		status = cg_fail_nomem(f->err);
	if (!status && list_pairs(f, &v, to, delta))
		status = cg_fail_nomem(f->err);
	if (to && (fclose(to) != 0 || !(safe = text_safe(text))))
		status = cg_fail_nomem(f->err);
	free(text);
	free(v.items);
	if (status) {
		free(safe);
		return status;
	}
	*list = safe;
	return CG_OK;
}

int find_variants(struct evidence_search *f, const struct insight_rule *rule)
{
	struct figures figures = { .whole_names = f->whole_names };
	char *list = NULL;
	int64_t delta = 0;

	if (!evidence_changed(f))
		return CG_OK;
	int status = describe_variants(f, rule, &list, &delta);
	if (!status && *list && evidence_weighs(f, rule, delta)) {
		evidence_delta(f, &figures, delta);
		figure_set(&figures, FIGURE_LIST, "%s", list);
		status = evidence_add(f, rule, &figures,
				      &(struct insight){ .share = evidence_share(f, delta) });
	}
	figures_free(&figures);
	free(list);
	return status;
}

/* ---- the same code ---- */

static void list_fact(FILE *to, const char *key, const char *base, const char *head)
{
	fprintf(to, "%s%s (%s → %s)", ftell(to) > 0 ? ", " : "", key, base ? base : "absent",
		head ? head : "absent");
}

static void list_differences(const struct evidence_search *f, FILE *to)
{
	static const char kernel[] = SUBJECT_PREFIX "kernel";
	const struct diff *d = f->data->diff;
	const struct environment_diff *e = f->data->environment;
	const char *base = cg_desc_value(d->base, kernel), *head = cg_desc_value(d->head, kernel);

	if (base && head && strcmp(base, head) != 0)
		list_fact(to, "kernel", base, head);
	for (size_t i = 0; e && i < e->count; i++)
		list_fact(to, e->differences[i].name, e->differences[i].base_short,
			  e->differences[i].head_short);
}

static int figure_differences(struct evidence_search *f, struct figures *figures)
{
	char *text = NULL, *safe = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int status = CG_ENOMEM;

	if (!to)
		return cg_fail_nomem(f->err);
	list_differences(f, to);
	if (fclose(to) == 0 && (safe = text_cut(text, f->whole_names ? 0 : 300))) {
		if (*safe)
			figure_set(figures, FIGURE_LIST, "%s", safe);
		status = CG_OK;
	}
	free(safe);
	free(text);
	return status ? cg_fail_nomem(f->err) : CG_OK;
}

/* "parse.py, data/words.txt (new file) and 3 more" */
static void figure_files(const struct evidence_search *f, struct figures *figures)
{
	enum { LISTED = 3 };
	const size_t count = f->data->changed_files.count;
	char *text = NULL;
	size_t size;
	FILE *to = count && !f->data->files_are_said ? open_memstream(&text, &size) : NULL;

	if (!to)
		return;
	for (size_t i = 0; i < count && i < LISTED; i++) {
		const struct changed_file *file = &f->data->changed_files.items[i];
		char *safe = text_cut(file->path, f->whole_names ? 0 : 80);
		fprintf(to, "%s%s%s", i ? ", " : "", safe ? safe : "…",
			file_change_note(file->change));
		free(safe);
	}
	if (count > LISTED)
		fprintf(to, " and %zu more", count - LISTED);
	if (fclose(to) == 0)
		figure_set(figures, FIGURE_FILES, "%s", text);
	free(text);
}

static bool is_scripted(const char *name)
{
	for (enum scripted l = 0; l < SCRIPTED_LANGUAGES; l++)
		if (scripted_is(l, name))
			return true;
	return false;
}

/* Whether a path, which may be absolute, is that of a file of the project that differs. */
static bool is_changed_file(const struct evidence_search *f, const char *path)
{
	const size_t len = strlen(path);

	for (size_t i = 0; i < f->data->changed_files.count; i++) {
		const char *changed = f->data->changed_files.items[i].path;
		size_t size = strlen(changed);
		if (len >= size && strcmp(path + len - size, changed) == 0 &&
		    (len == size || path[len - size - 1] == '/'))
			return true;
	}
	return false;
}

/* The interpreter is the same program, but the report names the function that was edited. */
static bool has_edited_script(const struct evidence_search *f)
{
	const struct diff *d = f->data->diff;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (diff_is_change(diff_classify(d, row)) && is_scripted(row->name) &&
		    is_changed_file(f, row->file))
			return true;
	}
	return false;
}

int find_same_code(struct evidence_search *f, const struct insight_rule *rule)
{
	struct figures figures = { .whole_names = f->whole_names };
	char buffer[TEXT_NUMBER];

	if (!evidence_changed(f) || !same_code(f->data->diff) || has_edited_script(f))
		return CG_OK;
	int64_t base = evidence_total(f, BASE), head = evidence_total(f, HEAD);
	evidence_delta(f, &figures, cg_delta(base, head));
	figure_set(&figures, FIGURE_CHANGE, "%s", text_change(base, head, buffer));
	figure_files(f, &figures);
	int status = figure_differences(f, &figures);
	if (!status)
		status = evidence_add(f, rule, &figures, &(struct insight){ .share = 1 });
	figures_free(&figures);
	return status;
}

/* ---- another build ---- */

static bool is_built(const struct environment_difference *d)
{
	return d->kind->shape == FACT_BUILT;
}

/* One compiler with other flags, or another one. */
static void list_builds(const struct environment_diff *e, FILE *to)
{
	for (size_t i = 0; i < e->nsubject; i++) {
		const struct environment_difference *d = &e->subject[i];
		const char *member = is_built(d) ? fact_member(d->kind, d->key) : NULL;
		if (is_built(d))
			fprintf(to, "%s%s%s%s → %s", ftell(to) > 0 ? ", " : "",
				member ? member : "", member ? ": " : "", d->base_short,
				d->head_short);
	}
}

int find_other_build(struct evidence_search *f, const struct insight_rule *rule)
{
	const struct environment_diff *e = f->data->environment;
	struct figures figures = { .whole_names = f->whole_names };
	char *text = NULL, *safe = NULL, buffer[TEXT_NUMBER];
	size_t size;
	int status = CG_OK;

	if (!e || !evidence_changed(f))
		return CG_OK;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return cg_fail_nomem(f->err);
	list_builds(e, to);
	if (fclose(to) != 0 || !(safe = text_cut(text, f->whole_names ? 0 : 300)))
		status = cg_fail_nomem(f->err);
	if (!status && *safe) {
		int64_t base = evidence_total(f, BASE), head = evidence_total(f, HEAD);
		evidence_delta(f, &figures, cg_delta(base, head));
		figure_set(&figures, FIGURE_CHANGE, "%s", text_change(base, head, buffer));
		figure_set(&figures, FIGURE_LIST, "%s", safe);
		status = evidence_add(f, rule, &figures, &(struct insight){ .share = 1 });
	}
	figures_free(&figures);
	free(safe);
	free(text);
	return status;
}

/* ---- other code of the same source, or of an edited one ---- */

/* Whether the function with all that it calls did not change in the same direction, by half as much
 * at least: then most of the code only moved into it from what it calls, or the other way. */
static bool has_only_moved(const struct evidence_search *f, const struct recompiled *r)
{
	const struct diff *d = f->data->diff;
	const int64_t delta = cg_delta(r->base, r->head);

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (strcmp(row->name, r->function) != 0 || strcmp(row->object, r->object) != 0 ||
		    strcmp(row->file, r->file) != 0 || row->base.bound || row->head.bound)
			continue;
		int64_t all = cg_delta(diff_base_value(d, row->base.inclusive),
				       diff_head_value(d, row->head.inclusive));
		return (delta > 0) != (all > 0) || cg_magnitude(all) < cg_magnitude(delta) / 2;
	}
	return false;
}

int find_recompiled(struct evidence_search *f, const struct insight_rule *rule)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < f->data->nrecompiled; i++) {
		const struct recompiled *r = &f->data->recompiled[i];
		const int64_t delta = cg_delta(r->base, r->head);
		struct figures figures = { .whole_names = f->whole_names };
		char buffer[TEXT_NUMBER];
		if (r->edited != (rule->kind == RULE_VECTORS) || !evidence_weighs(f, rule, delta) ||
		    has_only_moved(f, r))
			continue;
		evidence_delta(f, &figures, delta);
		figure_name(&figures, FIGURE_FUNCTION, r->function);
		figure_set(&figures, FIGURE_CHANGE, "%s", text_change(r->base, r->head, buffer));
		if (*r->what)
			figure_set(&figures, FIGURE_LIST, "%s", r->what);
		status = evidence_add(f, rule, &figures,
				      &(struct insight){ .function = r->function,
							 .object = r->object,
							 .file = r->file,
							 .share = evidence_share(f, delta),
							 .less = delta < 0 });
		figures_free(&figures);
	}
	return status;
}
