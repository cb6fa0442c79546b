#include "src/diff/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/cpu_difference.h"
#include "src/diff/diff.h"
#include "src/diff/renamed_namespaces.h"
#include "src/diff/variation.h"

/* The facts of one side, by key. */
struct facts {
	struct fact {
		const char *key, *value;
	} * items;
	size_t count, cap;
};

static int compare_facts(const void *left, const void *right)
{
	const struct fact *a = left, *b = right;
	int order = strcmp(a->key, b->key);
	return order ? order : strcmp(a->value, b->value);
}

static int collect_facts(const struct cg_profile *p, const char *prefix, struct facts *f)
{
	size_t len = strlen(prefix);

	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *key = cg_string(p, p->descs[i].key);
		if (strncmp(key, prefix, len) != 0)
			continue;
		if (cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items))
			return CG_ENOMEM;
		f->items[f->count++] = (struct fact){ key + len, cg_string(p, p->descs[i].value) };
	}
	if (f->count)
		qsort(f->items, f->count, sizeof *f->items, compare_facts);
	return CG_OK;
}

/* ---- as sentences ---- */

/* A build-id says less than what the C library calls itself. */
static int short_value(const struct cg_profile *p, const struct environment_difference *d,
		       const char *value, const char *other, char **out)
{
	const char *version = d->kind->key && strcmp(d->kind->key, "libc") == 0
				      ? cg_desc_value(p, SUBJECT_PREFIX "libc_version")
				      : NULL;

	*out = NULL;
	if (!value)
		return CG_OK;
	char *text = fact_short(d->kind, value, other), *both;
	if (!text || !version) {
		*out = text;
		return text ? CG_OK : CG_ENOMEM;
	}
	int length = asprintf(&both, "%s (%s)", version, text);
	free(text);
	*out = length < 0 ? NULL : both;
	return *out ? CG_OK : CG_ENOMEM;
}

/* What it means: in general, or of just these values. */
static int explain(struct environment_difference *d)
{
	const struct fact_kind *kind = d->kind;
	bool both = d->base && d->head;
	struct cpu_difference cpu = { 0 };

	if (kind->key && strcmp(kind->key, "cpu") == 0 && both &&
	    cpu_difference_explain(d->base, d->head, &cpu))
		return CG_ENOMEM;
	d->features = cpu.features;
	d->effect = cpu.effect;
	d->remedy = cpu.remedy;
	if (d->effect)
		return CG_OK;
	d->effect = kind->effect ? strdup(kind->effect) : NULL;
	d->remedy = kind->remedy ? strdup(kind->remedy) : NULL;
	return (kind->effect && !d->effect) || (kind->remedy && !d->remedy) ? CG_ENOMEM : CG_OK;
}

static int explain_difference(const struct cg_profile *base, const struct cg_profile *head,
			      struct environment_difference *d)
{
	d->name = fact_name(d->kind, d->key);
	return d->name && !explain(d) && !short_value(base, d, d->base, d->head, &d->base_short) &&
			       !short_value(head, d, d->head, d->base, &d->head_short)
		       ? CG_OK
		       : CG_ENOMEM;
}

/* ---- comparing ---- */

typedef const struct fact_kind *kind_of_key(const char *key);

static const struct fact_kind *any_subject_fact_kind(const char *key)
{
	const struct fact_kind *kind = subject_fact_kind(key), *all = subject_fact_kinds();
	while (!kind && all->key)
		all++;
	return kind ? kind : all;
}

static void list_fact_differences(const struct facts *base, const struct facts *head,
				  kind_of_key *kind_of, struct environment_difference *out,
				  size_t *count)
{
	for (size_t i = 0, j = 0; i < base->count || j < head->count;) {
		int order = i == base->count   ? 1
			    : j == head->count ? -1
					       : strcmp(base->items[i].key, head->items[j].key);
		struct environment_difference difference = {
			.key = order <= 0 ? base->items[i].key : head->items[j].key,
			.base = order <= 0 ? base->items[i].value : NULL,
			.head = order >= 0 ? head->items[j].value : NULL,
		};
		difference.kind = kind_of(difference.key);
		if (order != 0 || strcmp(difference.base, difference.head) != 0)
			out[(*count)++] = difference;
		i += order <= 0;
		j += order >= 0;
	}
}

static int by_effect(const void *left, const void *right)
{
	const struct environment_difference *a = left, *b = right;
	return a->kind->moves != b->kind->moves ? b->kind->moves - a->kind->moves
						: strcmp(a->key, b->key);
}

static int by_kind(const void *left, const void *right)
{
	const struct environment_difference *a = left, *b = right;
	return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
				  : strcmp(a->key, b->key);
}

static int compare_environments(const struct facts *base, const struct facts *head,
				struct environment_diff *d)
{
	d->base_known = base->count > 0;
	d->head_known = head->count > 0;
	d->differences = calloc(base->count + head->count + 1, sizeof *d->differences);
	if (!d->differences)
		return CG_ENOMEM;
	if (d->base_known && d->head_known)
		list_fact_differences(base, head, environment_fact_kind, d->differences, &d->count);
	qsort(d->differences, d->count, sizeof *d->differences, by_effect);
	while (d->moving < d->count && d->differences[d->moving].kind->moves)
		d->moving++;
	return CG_OK;
}

/* What could have moved counts has not if none moved: neither a total nor the self cost of a
 * function nor a call. */
static int find_same_counts(const struct cg_profile *base, const struct cg_profile *head,
			    struct environment_diff *d)
{
	const struct cg_profile *const both[] = { base, head };
	struct variation variation = { 0 };

	if (!d->moving)
		return CG_OK;
	int status = variation_find(both, 2, &variation);
	if (status)
		return status == CG_ENOMEM ? status : CG_OK;
	d->same_counts = variation.equal;
	for (uint32_t e = 0; e < variation.nevents; e++)
		d->same_counts &= variation.totals[e].min == variation.totals[e].max;
	if (d->same_counts)
		d->moving = 0;
	variation_free(&variation);
	return CG_OK;
}

static int compare_subjects(const struct facts *base, const struct facts *head,
			    struct environment_diff *d)
{
	size_t all = 0;

	d->subject = calloc(base->count + head->count + 1, sizeof *d->subject);
	if (!d->subject)
		return CG_ENOMEM;
	list_fact_differences(base, head, any_subject_fact_kind, d->subject, &all);
	for (size_t i = 0; i < all; i++)
		if (d->subject[i].kind->key && d->subject[i].base && d->subject[i].head)
			d->subject[d->nsubject++] = d->subject[i];
	qsort(d->subject, d->nsubject, sizeof *d->subject, by_kind);
	return CG_OK;
}

int environment_compare(const struct cg_profile *base, const struct cg_profile *head,
			struct environment_diff *out)
{
	struct environment_diff d = { 0 };
	struct facts facts[4] = { { 0 } };
	int status = collect_facts(base, ENVIRONMENT_PREFIX, &facts[0]);

	if (!status)
		status = collect_facts(head, ENVIRONMENT_PREFIX, &facts[1]);
	if (!status)
		status = collect_facts(base, SUBJECT_PREFIX, &facts[2]);
	if (!status)
		status = collect_facts(head, SUBJECT_PREFIX, &facts[3]);
	if (!status)
		status = compare_environments(&facts[0], &facts[1], &d);
	if (!status)
		status = find_same_counts(base, head, &d);
	if (!status)
		status = compare_subjects(&facts[2], &facts[3], &d);
	for (size_t i = 0; !status && i < d.count; i++)
		status = explain_difference(base, head, &d.differences[i]);
	for (size_t i = 0; !status && i < d.nsubject; i++)
		status = explain_difference(base, head, &d.subject[i]);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		free(facts[i].items);
	if (status)
		environment_diff_free(&d);
	else
		*out = d;
	return status;
}

static int add_namespace_fact(struct environment_diff *e, const struct renamed_namespace *n)
{
	struct environment_difference *d = &e->subject[e->nsubject++];

	*d = (struct environment_difference){ .kind = namespace_fact_kind(),
					      .key = namespace_fact_kind()->key };
	d->base = d->base_short = strdup(n->base);
	d->head = d->head_short = strdup(n->head);
	d->name = fact_name(d->kind, d->key);
	return d->base && d->head && d->name ? explain(d) : CG_ENOMEM;
}

int environment_add_namespaces(struct environment_diff *e, const struct diff *d)
{
	enum { MOST = 5 };
	struct renamed_namespace *list = NULL;
	size_t count = 0, cap = e->nsubject;
	int status = renamed_namespaces_list(d->functions->renamed, &list, &count);

	if (!status && count)
		status = cg_grow(&e->subject, &cap, e->nsubject + MOST, sizeof *e->subject);
	for (size_t i = 0; !status && i < count && i < MOST; i++)
		status = add_namespace_fact(e, &list[i]);
	free(list);
	return status;
}

bool environment_is_dirty(const struct cg_profile *p)
{
	const char *dirty = cg_desc_value(p, SUBJECT_PREFIX "dirty");
	return dirty && strcmp(dirty, "no") != 0;
}

bool environment_is_news(const struct environment_difference *difference)
{
	return !difference->kind->expected;
}

bool environment_changes_arguments(const struct environment_difference *d)
{
	const char *base = strchr(d->base, ' '), *head = strchr(d->head, ' ');

	if (strcmp(d->key, "command") != 0)
		return false;
	return !base || !head ? base != head : strcmp(base, head) != 0;
}

static void free_differences(struct environment_difference *differences, size_t count)
{
	for (size_t i = 0; differences && i < count; i++) {
		free(differences[i].name);
		free(differences[i].base_short);
		free(differences[i].head_short);
		free(differences[i].features);
		free(differences[i].effect);
		free(differences[i].remedy);
	}
	free(differences);
}

void environment_diff_free(struct environment_diff *d)
{
	free_differences(d->differences, d->count);
	free_differences(d->subject, d->nsubject);
	*d = (struct environment_diff){ 0 };
}
