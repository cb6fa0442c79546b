/* Two profiles and their difference, for unit tests. */
#ifndef TESTS_UNIT_DIFF_PAIR_H
#define TESTS_UNIT_DIFF_PAIR_H

#include "tests/unit/profiles.h"

#include "src/diff/diff.h"

/* Every difference is a change. */
static const struct diff_options exact = { .metric = "Ir" };

/* A diff with the profiles that it needs. */
struct pair {
	struct cg_profile *base, *head;
	struct diff *diff;
};

static inline struct pair pair_with(const char *base, const char *head,
				    const struct diff_options *options)
{
	struct pair p = { profile_of(base), profile_of(head), NULL };
	struct cg_error err = { 0 };
	int status = diff_make(p.base, p.head, options, &p.diff, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return p;
}

static inline struct pair pair_of(const char *base, const char *head)
{
	return pair_with(base, head, &exact);
}

static inline void pair_free(struct pair *p)
{
	diff_free(p->diff);
	cg_profile_free(p->base);
	cg_profile_free(p->head);
}

/* The only row of this name. */
static inline const struct diff_row *row_of(const struct pair *p, const char *name)
{
	const struct diff_row *found = NULL;
	size_t count = 0;
	for (size_t i = 0; i < p->diff->count; i++)
		if (strcmp(p->diff->rows[i].name, name) == 0) {
			found = &p->diff->rows[i];
			count++;
		}
	test_report(count == 1, true, __FILE__, __LINE__, "%zu rows named %s, not 1", count, name);
	return found;
}

static inline void check_row(const struct pair *p, const char *name, int64_t base, int64_t head,
			     const char *class, const char *match)
{
	const struct diff_row *r = row_of(p, name);
	test_report(r->base.self[0] == base && r->head.self[0] == head, false, __FILE__, __LINE__,
		    "%s costs %" PRIu64 " and %" PRIu64 ", not %" PRIu64 " and %" PRIu64, name,
		    r->base.self[0], r->head.self[0], base, head);
	CHECK_STR(diff_class_name(diff_classify(p->diff, r)), class);
	CHECK_STR(diff_match_name(r->match), match);
}

#endif
