/* Evidence about machine code: that it is the same, or that another variant of it was chosen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/insight/finding.h"
#include "src/text/text.h"
#include "src/view/pattern.h"

/* ---- variants ---- */

/* The length of what variants of a function have in common, and where it begins: "memcpy" in
 * "__memcpy_avx_unaligned_erms"; 0: it is no variant. */
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

/* Whether one row is a variant of the other, of the same object on the other side. */
static bool is_other_variant(const struct insight_rule *rule, const struct diff_row *base,
			     const struct diff_row *head)
{
	const char *a, *b;
	size_t len = common_part(rule, base->name, &a);

	return len && len == common_part(rule, head->name, &b) && memcmp(a, b, len) == 0 &&
	       strcmp(base->object, head->object) == 0;
}

static int is_variant(const struct insight_rule *rule, const struct pattern *objects,
		      const struct diff_row *row, bool *is, struct cg_error *err)
{
	const char *begin;

	*is = row->match == DIFF_ONE_SIDED && common_part(rule, row->name, &begin);
	return *is && objects ? pattern_matches(objects, row->object, is, err) : CG_OK;
}

struct variants {
	const struct diff_row **rows; /* that are variants, of one side each */
	size_t count;
};

static int collect(struct finding *f, const struct insight_rule *rule, struct variants *out)
{
	const struct diff *d = f->data->diff;
	struct pattern *objects = NULL;
	struct cg_error inner = { 0 };
	int status = CG_OK;

	out->rows = calloc(d->count + 1, sizeof *out->rows);
	if (!out->rows)
		return cg_fail_nomem(f->err);
	if (rule->objects)
		status = pattern_compile(rule->objects, &objects, &inner);
	for (size_t i = 0; !status && i < d->count; i++) {
		bool is;
		status = is_variant(rule, objects, &d->rows[i], &is, &inner);
		if (!status && is)
			out->rows[out->count++] = &d->rows[i];
	}
	pattern_free(objects);
	return status ? cg_fail(f->err, status, rule->file, rule->line, "%s", inner.message) : CG_OK;
}

/* Lists pairs, the largest first, and adds up by how much their costs differ. Several variants of
 * one function are few: every base one stands with every head one, and counts once. */
static int64_t list_pairs(const struct finding *f, const struct insight_rule *rule,
			  const struct variants *v, FILE *to)
{
	enum { LISTED = 3 };
	const struct diff *d = f->data->diff;
	int64_t delta = 0;
	unsigned listed = 0;

	for (size_t i = 0; i < v->count; i++) {
		const struct diff_row *row = v->rows[i];
		const struct diff_row *partner = NULL;
		for (size_t k = 0; k < v->count && !partner; k++)
			if (v->rows[k]->base.present != row->base.present &&
			    is_other_variant(rule, row, v->rows[k]))
				partner = v->rows[k];
		if (!partner)
			continue;
		delta = cg_delta(diff_base_value(d, row->base.self),
				 cg_delta(-delta, diff_head_value(d, row->head.self)));
		if (row->base.present && listed++ < LISTED)
			fprintf(to, "%s%s → %s", listed > 1 ? ", " : "", row->name, partner->name);
	}
	return delta;
}

/* *list is NULL, or allocated. */
static int describe_variants(struct finding *f, const struct insight_rule *rule, char **list,
			     int64_t *delta)
{
	struct variants v = { 0 };
	char *text = NULL, *safe = NULL;
	size_t size;
	FILE *to = NULL;
	int status = collect(f, rule, &v);

	if (!status && !(to = open_memstream(&text, &size)))
		status = cg_fail_nomem(f->err);
	if (!status)
		*delta = list_pairs(f, rule, &v, to);
	if (to && (fclose(to) != 0 || !(safe = text_safe(text))))
		status = cg_fail_nomem(f->err);
	free(text);
	free(v.rows);
	if (status) {
		free(safe);
		return status;
	}
	*list = safe;
	return CG_OK;
}

int find_variants(struct finding *f, const struct insight_rule *rule)
{
	struct figures figures = { 0 };
	char *list = NULL;
	int64_t delta = 0;

	if (!finding_changed(f))
		return CG_OK;
	int status = describe_variants(f, rule, &list, &delta);
	if (!status && *list && finding_weighs(f, rule, delta)) {
		finding_delta(f, &figures, delta);
		figure_set(&figures, FIGURE_LIST, "%s", list);
		status = finding_add(f, rule, &figures,
				     &(struct insight){ .share = finding_share(f, delta) });
	}
	figures_free(&figures);
	free(list);
	return status;
}

/* ---- the same code ---- */

/* Whether a fact says which build of which object was measured. */
static bool is_identity(const char *key)
{
	static const char *const keys[] = { SUBJECT_PREFIX "build_id", ENVIRONMENT_PREFIX "libc",
					    ENVIRONMENT_PREFIX "ld.so" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return strncmp(key, SUBJECT_PREFIX "object.", strlen(SUBJECT_PREFIX "object.")) == 0;
}

/* All builds that one side recorded are known on the other, and are the same. */
static bool has_builds_of(const struct cg_profile *p, const struct cg_profile *other)
{
	for (uint32_t i = 0; i < other->ndescs; i++) {
		const char *key = cg_string(other, other->descs[i].key);
		if (!is_identity(key))
			continue;
		const char *value = cg_desc_value(p, key);
		if (!value || strcmp(value, cg_string(other, other->descs[i].value)) != 0)
			return false;
	}
	return true;
}

/* Whoever runs the same program with other arguments knows that. */
static bool is_same_command(const struct diff *d)
{
	const char *base = cg_desc_value(d->base, SUBJECT_PREFIX "command");
	const char *head = cg_desc_value(d->head, SUBJECT_PREFIX "command");
	return base && head && strcmp(base, head) == 0;
}

static bool is_same_code(const struct diff *d)
{
	return is_same_command(d) && cg_desc_value(d->base, SUBJECT_PREFIX "build_id") &&
	       cg_desc_value(d->base, ENVIRONMENT_PREFIX "libc") &&
	       has_builds_of(d->base, d->head) && has_builds_of(d->head, d->base);
}

static void list_fact(FILE *to, const char *key, const char *base, const char *head)
{
	fprintf(to, "%s%s (%s → %s)", ftell(to) > 0 ? ", " : "", key, base ? base : "absent",
		head ? head : "absent");
}

static void list_differences(const struct finding *f, FILE *to)
{
	static const char kernel[] = SUBJECT_PREFIX "kernel";
	const struct diff *d = f->data->diff;
	const struct environment_diff *e = f->data->environment;
	const char *base = cg_desc_value(d->base, kernel), *head = cg_desc_value(d->head, kernel);

	if (base && head && strcmp(base, head) != 0)
		list_fact(to, "kernel", base, head);
	for (size_t i = 0; e && i < e->count; i++)
		list_fact(to, e->differences[i].key, e->differences[i].base, e->differences[i].head);
}

static int figure_differences(struct finding *f, struct figures *figures)
{
	char *text = NULL, *safe = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int status = CG_ENOMEM;

	if (!to)
		return cg_fail_nomem(f->err);
	list_differences(f, to);
	if (fclose(to) == 0 && (safe = text_cut(text, 300))) {
		figure_set(figures, FIGURE_LIST, "%s", *safe ? safe : "nothing that is recorded");
		status = CG_OK;
	}
	free(safe);
	free(text);
	return status ? cg_fail_nomem(f->err) : CG_OK;
}

int find_same_code(struct finding *f, const struct insight_rule *rule)
{
	struct figures figures = { 0 };
	char buffer[TEXT_NUMBER];

	if (!finding_changed(f) || !is_same_code(f->data->diff))
		return CG_OK;
	int64_t base = finding_total(f, BASE), head = finding_total(f, HEAD);
	finding_delta(f, &figures, cg_delta(base, head));
	figure_set(&figures, FIGURE_CHANGE, "%s", text_change(base, head, buffer));
	int status = figure_differences(f, &figures);
	if (!status)
		status = finding_add(f, rule, &figures, &(struct insight){ .share = 1 });
	figures_free(&figures);
	return status;
}
