#include "src/diff/renamed_namespaces.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/group_functions.h"
#include "src/diff/versioned_scope.h"

enum { IN_BASE, IN_HEAD };

/* All namespaces of both sides that differ in nothing but versions. */
struct versioned_namespace {
	cg_str path[2]; /* one of each side; 0: none */
	size_t last[2]; /* where its last part begins */
	bool rejected;  /* several last parts on one side, a type, or a function */
	size_t uses;
};

struct renamed_namespaces {
	struct cg_strings paths, stems;
	struct versioned_namespace *of; /* per stem */
	size_t cap;
};

/* ---- finding them ---- */

static struct versioned_scopes scopes_of(const char *name)
{
	return (struct versioned_scopes){ .name = name, .len = strlen(name) };
}

static const char *last_part_of(const struct renamed_namespaces *r,
				const struct versioned_namespace *v, bool head)
{
	return cg_strings_get(&r->paths, v->path[head]) + v->last[head];
}

static bool is_last_part(const char *part, const char *name, const struct versioned_scope *scope)
{
	const size_t len = scope->end - scope->start;
	return strncmp(part, name + scope->start, len) == 0 && !part[len];
}

static int add_scope(struct renamed_namespaces *r, bool head, const struct versioned_scopes *in,
		     const struct versioned_scope *scope)
{
	const size_t known = r->stems.count;
	cg_str stem;

	if (cg_strings_add(&r->stems, in->stem, in->stem_len, &stem) ||
	    cg_grow(&r->of, &r->cap, r->stems.count, sizeof *r->of))
		return CG_ENOMEM;
	struct versioned_namespace *v = &r->of[stem];
	if (r->stems.count > known)
		*v = (struct versioned_namespace){ 0 };
	if (!v->path[head]) {
		if (cg_strings_add(&r->paths, in->name + scope->path, scope->end - scope->path,
				   &v->path[head]))
			return CG_ENOMEM;
		v->last[head] = scope->start - scope->path;
	}
	v->rejected |= !scope->is_scope || !is_last_part(last_part_of(r, v, head), in->name, scope);
	return CG_OK;
}

static int add_scopes_of_side(struct renamed_namespaces *r, const struct cg_strings *strings,
			      bool head, const struct groups *g)
{
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < g->count; i++) {
		const char *name = cg_strings_get(strings, g->keys[i].name);
		struct versioned_scopes scopes = scopes_of(name);
		struct versioned_scope scope;
		if (!strpbrk(name, "0123456789")) /* most names, faster */
			continue;
		while (!status && versioned_scope_next(&scopes, &scope))
			status = add_scope(r, head, &scopes, &scope);
	}
	return status;
}

static bool is_renamed_namespace(const struct renamed_namespaces *r,
				 const struct versioned_namespace *v)
{
	return !v->rejected && v->path[IN_BASE] && v->path[IN_HEAD] &&
	       strcmp(last_part_of(r, v, IN_BASE), last_part_of(r, v, IN_HEAD)) != 0;
}

static bool any_renamed(const struct renamed_namespaces *r)
{
	for (size_t i = 1; i < r->stems.count; i++)
		if (is_renamed_namespace(r, &r->of[i]))
			return true;
	return false;
}

static int find_namespaces(const struct cg_strings *strings, const struct matched_groups *m,
			   struct renamed_namespaces **out)
{
	struct renamed_namespaces *r = *out = calloc(1, sizeof *r);

	if (!r || cg_strings_init(&r->paths) || cg_strings_init(&r->stems) ||
	    add_scopes_of_side(r, strings, IN_BASE, &m->base))
		return CG_ENOMEM;
	return add_scopes_of_side(r, strings, IN_HEAD, &m->head);
}

static struct versioned_namespace *renamed_at(const struct renamed_namespaces *r,
					      const struct versioned_scopes *in)
{
	const cg_str stem = cg_strings_find(&r->stems, in->stem, in->stem_len);
	struct versioned_namespace *v = stem ? &r->of[stem] : NULL;

	return v && is_renamed_namespace(r, v) ? v : NULL;
}

/* ---- names on the other side ---- */

struct name_buffer {
	char *text;
	size_t len, cap;
};

static int append_to_name(struct name_buffer *b, const char *text, size_t len)
{
	if (cg_grow(&b->text, &b->cap, b->len + len + 1, 1))
		return CG_ENOMEM;
	memcpy(b->text + b->len, text, len);
	b->len += len;
	return CG_OK;
}

/* Leaves `b` empty if the other side has the name as it is. */
static int spell_otherwise(const struct renamed_namespaces *r, bool head, const char *name,
			   struct name_buffer *b)
{
	struct versioned_scopes scopes = scopes_of(name);
	struct versioned_scope scope;
	size_t done = 0;
	int status = CG_OK;

	while (!status && versioned_scope_next(&scopes, &scope)) {
		const struct versioned_namespace *v = renamed_at(r, &scopes);
		if (!v)
			continue;
		const char *part = last_part_of(r, v, !head);
		status = append_to_name(b, name + done, scope.start - done);
		if (!status)
			status = append_to_name(b, part, strlen(part));
		done = scope.end;
	}
	return status || !done ? status : append_to_name(b, name + done, scopes.len - done);
}

static int add_other_name(const struct renamed_namespaces *r, struct cg_strings *strings, bool head,
			  struct group_key *key)
{
	struct name_buffer b = { 0 };
	int status = spell_otherwise(r, head, cg_strings_get(strings, key->name), &b);

	key->other = key->name;
	if (!status && b.len)
		status = cg_strings_add(strings, b.text, b.len, &key->other);
	free(b.text);
	return status || head || key->other == key->matched
		       ? status
		       : group_key_match_by(key, strings, key->other);
}

static int add_names_of_other_side(const struct renamed_namespaces *r, struct cg_strings *strings,
				   bool head, struct groups *g)
{
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < g->count; i++)
		status = add_other_name(r, strings, head, &g->keys[i]);
	return status;
}

/* ---- matching ---- */

static void count_uses(struct renamed_namespaces *r, const struct cg_strings *strings,
		       const struct matched_groups *m)
{
	for (uint32_t b = 1; b < m->base.count; b++) {
		const struct group_key *key = &m->base.keys[b];
		const uint32_t h = m->match.head_of[b];
		if (!h)
			continue;
		/* What one name does not have, such as parameters, tells nothing. */
		const bool whole = key->matched == m->head.keys[h].name;
		struct versioned_scopes scopes = scopes_of(
			cg_strings_get(strings, whole ? key->name : key->bare));
		struct versioned_scope scope;
		while (versioned_scope_next(&scopes, &scope)) {
			struct versioned_namespace *v = renamed_at(r, &scopes);
			if (v)
				v->uses++;
		}
	}
}

static bool reject_unused(struct renamed_namespaces *r)
{
	bool any = false;

	for (size_t i = 1; i < r->stems.count; i++) {
		const bool unused = is_renamed_namespace(r, &r->of[i]) && !r->of[i].uses;
		r->of[i].rejected |= unused;
		any |= unused;
	}
	return any;
}

static int match_by_other_names(struct renamed_namespaces *r, struct cg_strings *strings,
				struct matched_groups *m)
{
	int status = add_names_of_other_side(r, strings, IN_BASE, &m->base);

	if (!status)
		status = match_groups(strings, &m->base, &m->head, &m->match);
	if (status)
		return status;
	count_uses(r, strings, m);
	if (reject_unused(r))
		status = add_names_of_other_side(r, strings, IN_BASE, &m->base);
	return status ? status : add_names_of_other_side(r, strings, IN_HEAD, &m->head);
}

int renamed_namespaces_match(struct cg_strings *strings, struct matched_groups *m)
{
	struct renamed_namespaces *r = NULL;
	int status = find_namespaces(strings, m, &r);

	if (!status && any_renamed(r)) {
		m->renamed = r;
		return match_by_other_names(r, strings, m);
	}
	renamed_namespaces_free(r);
	return status ? status : match_groups(strings, &m->base, &m->head, &m->match);
}

void renamed_namespaces_free(struct renamed_namespaces *r)
{
	if (!r)
		return;
	cg_strings_free(&r->paths);
	cg_strings_free(&r->stems);
	free(r->of);
	free(r);
}

/* ---- for people ---- */

static int compare_renamed_namespaces(const void *left, const void *right)
{
	const struct renamed_namespace *a = left, *b = right;
	int order = (a->uses < b->uses) - (a->uses > b->uses);

	return order ? order : strcmp(a->head, b->head);
}

int renamed_namespaces_list(const struct renamed_namespaces *r, struct renamed_namespace **out,
			    size_t *count)
{
	struct renamed_namespace *list = calloc(r ? r->stems.count : 1, sizeof *list);
	size_t n = 0;

	if (!list)
		return CG_ENOMEM;
	for (size_t i = 1; r && i < r->stems.count; i++) {
		const struct versioned_namespace *v = &r->of[i];
		if (!is_renamed_namespace(r, v))
			continue;
		list[n++] = (struct renamed_namespace){ cg_strings_get(&r->paths, v->path[IN_BASE]),
							cg_strings_get(&r->paths, v->path[IN_HEAD]),
							v->uses };
	}
	qsort(list, n, sizeof *list, compare_renamed_namespaces);
	*out = list;
	*count = n;
	return CG_OK;
}
