#include "src/diff/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/diff/small_functions.h"

static int add_rollup_text(struct cg_strings *strings, const char *text, cg_str *id)
{
	return cg_strings_add(strings, text, strlen(text), id);
}

/* Strings move when others are added, so what is looked at is copied. */
static int add_base_name(struct cg_strings *strings, cg_str path, cg_str *id)
{
	char *copy = strdup(cg_strings_get(strings, path));
	int status = copy ? add_rollup_text(strings, cg_base_name(copy), id) : CG_ENOMEM;
	free(copy);
	return status;
}

static int add_namespace(struct cg_strings *strings, cg_str function, cg_str *id)
{
	char *copy = strdup(cg_strings_get(strings, function));
	int status = copy ? CG_OK : CG_ENOMEM;

	*id = function;
	if (!status && strcmp(copy, SMALL_FUNCTIONS_NAME) != 0)
		status = cg_rollup_namespace(copy, strings, id);
	free(copy);
	return status;
}

/* `name` is what two sides are compared by first, `file` what a person is shown. */
static int roll_up_key(const struct group_key *function, enum cg_rollup_by by,
		       const cg_str *base_of, struct cg_strings *strings, struct group_key *key)
{
	int status = add_rollup_text(strings, CG_UNKNOWN_GROUP, &key->object);

	if (status)
		return status;
	if (by == CG_BY_OBJECT) {
		key->name = base_of && base_of[function->object] ? base_of[function->object]
								 : function->object;
		key->file = function->object;
	} else if (by == CG_BY_FILE) {
		key->file = function->file;
		status = add_base_name(strings, function->file, &key->name);
	} else {
		status = add_namespace(strings, function->matched, &key->name);
		if (!status)
			status = add_namespace(strings, function->name, &key->file);
	}
	key->other = key->matched = key->bare = key->last = key->source = key->name;
	key->lambda = key->number = 0;
	return status;
}

static int find_costly(const struct cg_profile *p, const struct groups *g, bool **out)
{
	bool *costly = calloc(g->count, sizeof *costly);
	if (!costly)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		for (uint32_t e = 0; e < p->nevents; e++)
			costly[g->of[p->records[r].function]] |=
				p->record_self[(size_t)r * p->nevents + e] != 0;
	*out = costly;
	return CG_OK;
}

static int count_rolled_functions(const struct cg_profile *p, const struct groups *functions,
				  const uint32_t *rolled, struct groups *g)
{
	bool *costly;

	g->functions = calloc(g->count, sizeof *g->functions);
	if (!g->functions || find_costly(p, functions, &costly))
		return CG_ENOMEM;
	for (uint32_t i = 1; i < functions->count; i++)
		g->functions[rolled[i]] += costly[i];
	free(costly);
	return CG_OK;
}

static int roll_up(const struct cg_profile *p, enum cg_rollup_by by, const struct groups *functions,
		   const cg_str *base_of, struct cg_strings *strings, struct groups *out)
{
	uint32_t *rolled = calloc(functions->count, sizeof *rolled);
	struct growing_groups w;
	int status = groups_begin(p, &w);

	if (!rolled)
		status = CG_ENOMEM;
	for (uint32_t i = 1; !status && i < functions->count; i++) {
		struct group_key key;
		status = roll_up_key(&functions->keys[i], by, base_of, strings, &key);
		if (!status)
			status = groups_find_or_add(&w, &key, &rolled[i]);
	}
	for (uint32_t f = 1; !status && f < p->nfunctions; f++)
		w.g.of[f] = rolled[functions->of[f]];
	if (!status)
		status = count_rolled_functions(p, functions, rolled, &w.g);
	if (!status) {
		w.g.unnamed = calloc(w.g.count, sizeof *w.g.unnamed);
		w.g.inlined = calloc(w.g.count, sizeof *w.g.inlined);
		status = w.g.unnamed && w.g.inlined ? CG_OK : CG_ENOMEM;
	}
	if (!status) {
		*out = w.g;
		w.g = (struct groups){ 0 };
	}
	free(rolled);
	groups_abandon(&w);
	return status;
}

/* ---- objects of another name ---- */

/* Two objects, and how many functions of the one are in the other. */
struct object_renaming {
	cg_str base, head;
	size_t functions;
};

static int compare_renamed_objects(const void *left, const void *right)
{
	const struct object_renaming *a = left, *b = right;
	int order = (a->base > b->base) - (a->base < b->base);
	return order ? order : (a->head > b->head) - (a->head < b->head);
}

static int compare_renaming_sizes(const void *left, const void *right)
{
	const struct object_renaming *a = left, *b = right;
	int order = (a->functions < b->functions) - (a->functions > b->functions);
	return order ? order : compare_renamed_objects(left, right);
}

/* One for each pair of objects; returns how many. */
static size_t list_renamings(const struct matched_groups *functions, struct object_renaming *list)
{
	const struct groups *base = &functions->base, *head = &functions->head;
	const struct match *m = &functions->match;
	size_t count = 0, kept = 0;

	for (uint32_t b = 1; b < base->count; b++)
		if (m->head_of[b] && m->how[b] == DIFF_OBJECT_RENAMED)
			list[count++] = (struct object_renaming){ base->keys[b].object,
								  head->keys[m->head_of[b]].object,
								  1 };
	qsort(list, count, sizeof *list, compare_renamed_objects);
	for (size_t i = 0; i < count; i++)
		if (kept && compare_renamed_objects(&list[kept - 1], &list[i]) == 0)
			list[kept - 1].functions++;
		else
			list[kept++] = list[i];
	qsort(list, kept, sizeof *list, compare_renaming_sizes);
	return kept;
}

/* Finds the object of base that an object of head is, pairs that share most functions first. */
static int find_renamed(const struct cg_strings *strings, const struct matched_groups *functions,
			cg_str **out)
{
	struct object_renaming *list = calloc(functions->base.count, sizeof *list);
	cg_str *base_of = calloc(strings->count, sizeof *base_of);
	bool *taken = calloc(strings->count, sizeof *taken);
	int status = list && base_of && taken ? CG_OK : CG_ENOMEM;
	size_t count = status ? 0 : list_renamings(functions, list);

	for (size_t i = 0; i < count; i++) {
		if (base_of[list[i].head] || taken[list[i].base])
			continue;
		base_of[list[i].head] = list[i].base;
		taken[list[i].base] = true;
	}
	free(list);
	free(taken);
	if (status)
		free(base_of);
	else
		*out = base_of;
	return status;
}

int groups_roll_up(const struct cg_profile *base, const struct cg_profile *head,
		   enum cg_rollup_by by, const struct matched_groups *functions,
		   struct cg_strings *strings, struct matched_groups *out)
{
	cg_str *base_of = NULL;
	int status = by == CG_BY_OBJECT ? find_renamed(strings, functions, &base_of) : CG_OK;

	if (!status)
		status = roll_up(base, by, &functions->base, NULL, strings, &out->base);
	if (!status)
		status = roll_up(head, by, &functions->head, base_of, strings, &out->head);
	free(base_of);
	return status ? status : match_groups(strings, &out->base, &out->head, &out->match);
}
