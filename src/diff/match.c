#include "src/diff/match.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "src/diff/renamed_namespaces.h"

/* Among so many functions of one name, similarity of paths tells nothing. */
#define MAX_COMPARED 16

/* Which part of two names is the same. BY_NAME: all of it; the others: one name has no
 * parameters and can mean only the other, or the compilers name lambdas differently. */
enum named { BY_NAME, BY_BARE, BY_LAST, BY_LAMBDA };

/* What two functions must share in one pass; stricter passes come first. */
struct pass {
	enum diff_match how;
	bool object, file;
	bool only_new_objects; /* only for objects that the other side does not have */
	enum named named;
};

static const struct pass passes[] = {
	{ DIFF_SAME, true, true, false, BY_NAME },
	{ DIFF_SAME, true, true, false, BY_BARE },
	{ DIFF_MOVED, true, false, false, BY_NAME },
	{ DIFF_SAME, true, true, false, BY_LAST },
	{ DIFF_SAME, true, false, false, BY_LAST },
	{ DIFF_SAME, true, true, false, BY_LAMBDA },
	{ DIFF_MOVED, true, false, false, BY_LAMBDA },
	{ DIFF_OBJECT_RENAMED, false, true, true, BY_NAME },
	{ DIFF_OBJECT_RENAMED, false, true, true, BY_BARE },
	{ DIFF_OBJECT_RENAMED, false, false, true, BY_NAME },
	{ DIFF_OBJECT_RENAMED, false, true, true, BY_LAST },
	{ DIFF_OBJECT_RENAMED, false, false, true, BY_LAST },
	{ DIFF_OBJECT_RENAMED, false, true, true, BY_LAMBDA },
};

struct match_side {
	const struct groups *groups;
	bool *taken;    /* per group */
	uint32_t *rows; /* groups still free, sorted by what the pass compares */
	size_t count;
	bool *has_object; /* per string id */
};

struct matcher {
	const struct cg_strings *strings;
	const struct pass *pass;
	struct match_side base, head;
	struct match *out;
};

static int compare_text_ids(cg_str a, cg_str b)
{
	return (a > b) - (a < b);
}

static cg_str name_in_pass(const struct pass *pass, const struct group_key *key)
{
	switch (pass->named) {
	case BY_NAME:
		return key->matched;
	case BY_BARE:
		return key->bare;
	case BY_LAST:
		return key->last;
	default:
		return key->lambda;
	}
}

static int compare_group_keys(const struct pass *pass, const struct group_key *a,
			      const struct group_key *b)
{
	int order = compare_text_ids(name_in_pass(pass, a), name_in_pass(pass, b));
	if (!order && pass->object)
		order = compare_text_ids(a->object, b->object);
	if (!order && pass->file)
		order = compare_text_ids(a->file, b->file);
	return order;
}

struct sorting {
	const struct matcher *m;
	const struct groups *groups;
};

/* Equal keys stay in an order that does not depend on how files were read. */
static int compare_sorted_groups(const void *left, const void *right, void *context)
{
	const struct sorting *s = context;
	const struct group_key *a = &s->groups->keys[*(const uint32_t *)left];
	const struct group_key *b = &s->groups->keys[*(const uint32_t *)right];
	int order = compare_group_keys(s->m->pass, a, b);
	if (!order)
		order = strcmp(cg_strings_get(s->m->strings, a->object),
			       cg_strings_get(s->m->strings, b->object));
	if (!order)
		order = strcmp(cg_strings_get(s->m->strings, a->file),
			       cg_strings_get(s->m->strings, b->file));
	if (!order)
		order = (a->number > b->number) - (a->number < b->number);
	return order ? order
		     : strcmp(cg_strings_get(s->m->strings, a->matched),
			      cg_strings_get(s->m->strings, b->matched));
}

static bool is_unknown_name(const struct cg_strings *strings, cg_str name)
{
	return strcmp(cg_strings_get(strings, name), "???") == 0;
}

/* A function without a name cannot be found in another object. */
static bool may_be_in_renamed_object(const struct matcher *m, const struct group_key *key,
				     const struct match_side *other)
{
	return !other->has_object[key->object] && !is_unknown_name(m->strings, key->name);
}

static void collect_free(struct matcher *m, struct match_side *side, const struct match_side *other)
{
	side->count = 0;
	for (uint32_t g = 1; g < side->groups->count; g++) {
		if (side->taken[g])
			continue;
		if (m->pass->only_new_objects &&
		    !may_be_in_renamed_object(m, &side->groups->keys[g], other))
			continue;
		if (m->pass->named == BY_LAMBDA && !side->groups->keys[g].lambda)
			continue;
		side->rows[side->count++] = g;
	}
	struct sorting sorting = { m, side->groups };
	qsort_r(side->rows, side->count, sizeof *side->rows, compare_sorted_groups, &sorting);
}

/* How many components two paths share at their ends. */
static size_t shared_end(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), components = 0;
	while (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
		i--;
		j--;
		components += a[i] == '/';
	}
	return components + ((i == 0 || a[i - 1] == '/') && (j == 0 || b[j - 1] == '/'));
}

static void pair(struct matcher *m, uint32_t base, uint32_t head)
{
	m->out->head_of[base] = head;
	m->out->how[base] = m->pass->how;
	m->base.taken[base] = true;
	m->head.taken[head] = true;
}

static const char *file_of(const struct matcher *m, const struct match_side *s, uint32_t group)
{
	return cg_strings_get(m->strings, s->groups->keys[group].file);
}

/* The pair with the most similar paths of those still free; false if there is none. */
static bool find_nearest(const struct matcher *m, const uint32_t *base, size_t nbase,
			 const uint32_t *head, size_t nhead, uint32_t *best_base,
			 uint32_t *best_head)
{
	bool found = false;
	size_t best = 0;

	for (size_t i = 0; i < nbase; i++) {
		for (size_t j = 0; j < nhead && !m->base.taken[base[i]]; j++) {
			if (m->head.taken[head[j]])
				continue;
			size_t shared = shared_end(file_of(m, &m->base, base[i]),
						   file_of(m, &m->head, head[j]));
			if (found && shared <= best)
				continue;
			found = true;
			best = shared;
			*best_base = base[i];
			*best_head = head[j];
		}
	}
	return found;
}

/* Debug information may not say in which file a function is. */
static bool may_be(const struct matcher *m, const struct group_key *bare,
		   const struct group_key *whole)
{
	return (m->pass->file || is_unknown_name(m->strings, bare->file)) &&
	       cg_name_may_be(cg_strings_get(m->strings, bare->matched),
			      cg_strings_get(m->strings, whole->matched));
}

static bool is_same_but_bare(const struct matcher *m, uint32_t base, uint32_t head)
{
	const struct group_key *a = &m->base.groups->keys[base], *b = &m->head.groups->keys[head];
	bool is_bare = a->matched == a->bare;

	if (is_bare == (b->matched == b->bare))
		return false;
	return is_bare ? may_be(m, a, b) : may_be(m, b, a);
}

/* The only one of some rows still free that is the same but bare; 0 if there is none, or
 * several. */
static uint32_t only_same(const struct matcher *m, const uint32_t *base, size_t nbase,
			  const uint32_t *head, size_t nhead)
{
	uint32_t found = 0;
	size_t count = 0;

	for (size_t i = 0; i < nbase; i++)
		for (size_t j = 0; j < nhead; j++)
			if (!m->base.taken[base[i]] && !m->head.taken[head[j]] &&
			    is_same_but_bare(m, base[i], head[j])) {
				found = nbase == 1 ? head[j] : base[i];
				count++;
			}
	return count == 1 ? found : 0;
}

/* Pairs functions whose names can mean no other function: the last word of all lambdas is the
 * same. */
static void pair_bare(struct matcher *m, const uint32_t *base, size_t nbase, const uint32_t *head,
		      size_t nhead)
{
	for (size_t i = 0; i < nbase; i++) {
		uint32_t other = only_same(m, &base[i], 1, head, nhead);
		if (other && only_same(m, base, nbase, &other, 1))
			pair(m, base[i], other);
	}
}

/* Pairs functions that are equal for this pass, those with similar paths first. */
static void pair_run(struct matcher *m, const uint32_t *base, size_t nbase, const uint32_t *head,
		     size_t nhead)
{
	uint32_t b, h;

	if (m->pass->named == BY_LAMBDA) {
		/* If both sides have as many, the lambdas of a function are paired in their
		 * order. */
		for (size_t i = 0; nbase == nhead && i < nbase; i++)
			pair(m, base[i], head[i]);
		return;
	}
	if (m->pass->named != BY_NAME) {
		if (nbase <= MAX_COMPARED && nhead <= MAX_COMPARED)
			pair_bare(m, base, nbase, head, nhead);
		return;
	}
	if (nbase > MAX_COMPARED || nhead > MAX_COMPARED) {
		for (size_t i = 0; i < nbase && i < nhead; i++)
			pair(m, base[i], head[i]);
		return;
	}
	while (find_nearest(m, base, nbase, head, nhead, &b, &h))
		pair(m, b, h);
}

static size_t count_equal_groups(const struct matcher *m, const struct match_side *s, size_t from)
{
	size_t end = from + 1;
	while (end < s->count && compare_group_keys(m->pass, &s->groups->keys[s->rows[from]],
						    &s->groups->keys[s->rows[end]]) == 0)
		end++;
	return end - from;
}

static void run_pass(struct matcher *m)
{
	collect_free(m, &m->base, &m->head);
	collect_free(m, &m->head, &m->base);

	for (size_t i = 0, j = 0; i < m->base.count && j < m->head.count;) {
		int order = compare_group_keys(m->pass, &m->base.groups->keys[m->base.rows[i]],
					       &m->head.groups->keys[m->head.rows[j]]);
		if (order < 0) {
			i++;
		} else if (order > 0) {
			j++;
		} else {
			size_t nbase = count_equal_groups(m, &m->base, i),
			       nhead = count_equal_groups(m, &m->head, j);
			pair_run(m, m->base.rows + i, nbase, m->head.rows + j, nhead);
			i += nbase;
			j += nhead;
		}
	}
}

static int init_side(struct match_side *s, const struct groups *groups,
		     const struct cg_strings *strings)
{
	s->groups = groups;
	s->taken = calloc(groups->count, sizeof *s->taken);
	s->rows = calloc(groups->count, sizeof *s->rows);
	s->has_object = calloc(strings->count, sizeof *s->has_object);
	if (!s->taken || !s->rows || !s->has_object)
		return CG_ENOMEM;
	/* An unknown object, as in files of cachegrind, may be any object of the other side. */
	for (uint32_t g = 1; g < groups->count; g++)
		s->has_object[groups->keys[g].object] = !is_unknown_name(strings,
									 groups->keys[g].object);
	return CG_OK;
}

static void free_match_side(struct match_side *s)
{
	free(s->taken);
	free(s->rows);
	free(s->has_object);
}

int match_groups(const struct cg_strings *strings, const struct groups *base,
		 const struct groups *head, struct match *out)
{
	struct match result = { calloc(base->count, sizeof *result.head_of),
				calloc(base->count, sizeof *result.how) };
	struct matcher m = { .strings = strings, .out = &result };
	int status = CG_ENOMEM;

	if (result.head_of && result.how && !init_side(&m.base, base, strings) &&
	    !init_side(&m.head, head, strings)) {
		for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
			m.pass = &passes[i];
			run_pass(&m);
		}
		*out = result;
		status = CG_OK;
	} else {
		match_free(&result);
	}
	free_match_side(&m.base);
	free_match_side(&m.head);
	return status;
}

void match_free(struct match *m)
{
	free(m->head_of);
	free(m->how);
	*m = (struct match){ 0 };
}

int match_copy(const struct match *m, uint32_t count, struct match *out)
{
	struct match copy = { .head_of = malloc(count * sizeof *copy.head_of),
			      .how = malloc(count * sizeof *copy.how) };

	if (!copy.head_of || !copy.how) {
		match_free(&copy);
		return CG_ENOMEM;
	}
	memcpy(copy.head_of, m->head_of, count * sizeof *copy.head_of);
	memcpy(copy.how, m->how, count * sizeof *copy.how);
	*out = copy;
	return CG_OK;
}

void matched_groups_free(struct matched_groups *m)
{
	groups_free(&m->base);
	groups_free(&m->head);
	match_free(&m->match);
	renamed_namespaces_free(m->renamed);
}
