#include "src/diff/group_functions.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/lambdas.h"
#include "callgrind/name_parts.h"
#include "cgprofile/names.h"
#include "src/diff/addresses.h"
#include "src/diff/small_functions.h"

static int add_name_or_unknown(struct cg_strings *strings, const char *text, size_t len, cg_str *id)
{
	return len ? cg_strings_add(strings, text, len, id) : cg_strings_add(strings, "???", 3, id);
}

static int add_name_part(struct cg_strings *strings, const char *text, size_t len, cg_str *id)
{
	char *copy = malloc(len + 1); /* adding may move the text */
	if (!copy)
		return CG_ENOMEM;
	memcpy(copy, text, len);
	int status = cg_strings_add(strings, copy, len, id);
	free(copy);
	return status;
}

static int add_bare(struct cg_strings *strings, struct group_key *key)
{
	const char *text = cg_strings_get(strings, key->matched);
	size_t len = strlen(text), without = cg_name_without_parameters(text, len);
	size_t from = without < len && text[without - 1] == '>' ? cg_name_after_type(text, without)
								: 0;
	size_t last_len;

	key->bare = key->matched;
	if (without < len && add_name_part(strings, text + from, without - from, &key->bare))
		return CG_ENOMEM;
	text = cg_strings_get(strings, key->bare);
	len = strlen(text);
	const char *last = cg_name_last_word(text, len, &last_len);
	key->last = key->bare;
	return last_len < len ? add_name_part(strings, last, last_len, &key->last) : CG_OK;
}

/* Overloads that are no templates are functions of their own: their parameters count. */
static int add_source(struct cg_strings *strings, struct group_key *key)
{
	const char *bare = cg_strings_get(strings, key->bare);
	size_t len = strlen(bare);
	char *text = malloc(len + 1);
	if (!text)
		return CG_ENOMEM;
	size_t without = cg_name_without_arguments(bare, len, text);
	key->source = key->matched;
	int status = without < len ? cg_strings_add(strings, text, without, &key->source) : CG_OK;
	free(text);
	return status;
}

static int add_lambda(struct cg_strings *strings, struct group_key *key)
{
	const char *name = cg_strings_get(strings, key->matched);
	unsigned number = 0;

	key->lambda = key->number = 0;
	if (!cg_lambda_any(name))
		return CG_OK;
	char *text = cg_lambda_key(name, &number);
	int status = text ? cg_strings_add(strings, text, strlen(text), &key->lambda) : CG_ENOMEM;
	key->number = number;
	free(text);
	return status;
}

int group_key_match_by(struct group_key *key, struct cg_strings *strings, cg_str name)
{
	key->matched = name;
	int status = add_bare(strings, key);
	if (!status)
		status = add_source(strings, key);
	return status ? status : add_lambda(strings, key);
}

/* Where `stable` is true for an object, addresses are the names of its functions. */
static int make_key(const struct cg_profile *p, uint32_t function, struct cg_strings *strings,
		    const bool *stable, struct group_key *key)
{
	const struct cg_function *f = &p->functions[function];
	const char *name = cg_string(p, f->name), *file = cg_string(p, f->file);
	const char *object = cg_base_name(cg_string(p, f->object));

	int status = add_name_or_unknown(strings, object, strlen(object), &key->object);
	if (!status)
		status = add_name_or_unknown(strings, file, strlen(file), &key->file);
	if (!status && cg_name_is_address(name) && !(f->object && stable[key->object]))
		status = add_name_or_unknown(strings, "", 0, &key->name);
	else if (!status)
		status = add_name_or_unknown(strings, name, cg_name_stem(name, strlen(name)),
					     &key->name);
	key->other = key->name;
	return status ? status : group_key_match_by(key, strings, key->name);
}

static int make_side_groups(const struct cg_profile *p, struct cg_strings *strings,
			    const bool *stable, struct groups *out)
{
	struct growing_groups w;
	int status = groups_begin(p, &w);

	for (uint32_t f = 1; !status && f < p->nfunctions; f++) {
		struct group_key key;
		status = make_key(p, f, strings, stable, &key);
		if (!status)
			status = groups_find_or_add(&w, &key, &w.g.of[f]);
	}
	if (!status) {
		*out = w.g;
		w.g = (struct groups){ 0 };
	}
	groups_abandon(&w);
	return status;
}

static int count_unnamed(const struct cg_profile *p, const struct cg_strings *strings,
			 struct groups *g)
{
	g->unnamed = calloc(g->count, sizeof *g->unnamed);
	if (!g->unnamed)
		return CG_ENOMEM;
	for (uint32_t f = 1; f < p->nfunctions; f++)
		g->unnamed[g->of[f]] += cg_name_is_address(cg_string(p, p->functions[f].name)) &&
					!cg_name_is_address(
						cg_strings_get(strings, g->keys[g->of[f]].name));
	return CG_OK;
}

static int find_inlined_groups(const struct cg_profile *p, struct groups *g)
{
	g->inlined = calloc(g->count, sizeof *g->inlined);
	for (uint32_t r = 1; g->inlined && r < p->nrecords; r++)
		g->inlined[g->of[p->records[r].function]] |= p->records[r].inlined_into != 0;
	return g->inlined ? CG_OK : CG_ENOMEM;
}

/* Fills in what depends on all functions of a group. */
static int finish_side(const struct cg_profile *p, const struct cg_strings *strings,
		       struct groups *g)
{
	int status = count_unnamed(p, strings, g);
	return status ? status : find_inlined_groups(p, g);
}

int group_functions(const struct cg_profile *base, const struct cg_profile *head,
		    struct cg_strings *strings, struct groups *base_out, struct groups *head_out)
{
	struct groups in_base = { 0 }, in_head = { 0 };
	bool *stable = NULL;
	int status = addresses_compare(base, head, strings, &stable);

	if (!status)
		status = make_side_groups(base, strings, stable, &in_base);
	if (!status)
		status = make_side_groups(head, strings, stable, &in_head);
	free(stable);
	if (!status)
		status = small_functions_join(base, strings, &in_head, &in_base);
	if (!status)
		status = small_functions_join(head, strings, &in_base, &in_head);
	if (!status)
		status = finish_side(base, strings, &in_base);
	if (!status)
		status = finish_side(head, strings, &in_head);
	if (status) {
		groups_free(&in_base);
		groups_free(&in_head);
		return status;
	}
	*base_out = in_base;
	*head_out = in_head;
	return CG_OK;
}
