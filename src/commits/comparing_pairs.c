#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/commits/comparing_state.h"
#include "src/commits/revision_results.h"
#include "src/compare/baseline_operand.h"
#include "src/status/notice.h"
#include "src/store/baselines.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/text/suggest.h"

static int add_measured_pair(struct comparing *c, struct measured_bench *of, const char *base,
			     const char *head, struct cg_error *err)
{
	struct pair p = { of, base ? strdup(base) : NULL, head ? strdup(head) : NULL };

	if ((base && !p.base) || (head && !p.head) ||
	    cg_grow(&c->pairs, &c->pairs_cap, c->npairs + 1, sizeof *c->pairs)) {
		free(p.base);
		free(p.head);
		return cg_fail_nomem(err);
	}
	c->pairs[c->npairs++] = p;
	return suite_add(&c->suite, base, head, err);
}

const char *comparing_find_entry(const struct path_list *entries, const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; !found && i < entries->count; i++) {
		char *other = cache_benchmark(entries->paths[i]);
		if (other && strcmp(other, name) == 0)
			found = entries->paths[i];
		free(other);
	}
	return found;
}

/* The name of a case may have brackets: it is a pattern only if no case is called so. */
static bool is_case_wanted(const struct comparing *c, const struct measured_bench *b,
			   const char *name)
{
	const struct text_list *names = &c->names;

	for (size_t i = 0; i < names->count; i++) {
		const char *wanted = names->items[i];
		bool is_name = strchr(wanted, '/') && (comparing_find_entry(&b->head, wanted) ||
						       comparing_find_entry(&b->base, wanted));
		if (is_name ? strcmp(wanted, name) == 0 : comparing_means(wanted, name))
			return true;
	}
	return names->count == 0;
}

/* If a side has lost a case, the case is neither new nor removed on the other one. */
static bool is_compared(const struct comparing *c, const struct measured_bench *b, const char *name)
{
	return is_case_wanted(c, b, name) &&
	       !path_list_has(revision_lost_cases(&c->base, b->benchmark), name) &&
	       !path_list_has(revision_lost_cases(&c->head, b->benchmark), name);
}

/* The base of what head has, if it has one. */
static int pair_head(struct comparing *c, struct measured_bench *b, const char *head,
		     struct cg_error *err)
{
	const char *baseline = c->options->suite.baseline;
	char *name = cache_benchmark(head), *stored = NULL;
	int status = name ? CG_OK : cg_fail_nomem(err);

	if (!status && is_compared(c, b, name)) {
		if (baseline)
			status = baseline_operand_if_any(&c->project, baseline, name, &stored, err);
		if (!status)
			status = add_measured_pair(
				c, b, baseline ? stored : comparing_find_entry(&b->base, name),
				head, err);
	}
	free(stored);
	free(name);
	return status;
}

/* A case that only base has. */
static int pair_base(struct comparing *c, struct measured_bench *b, const char *base,
		     struct cg_error *err)
{
	char *name = cache_benchmark(base);
	int status = name ? CG_OK : cg_fail_nomem(err);

	if (!status && is_compared(c, b, name) && !comparing_find_entry(&b->head, name))
		status = add_measured_pair(c, b, base, NULL, err);
	free(name);
	return status;
}

/* The same of a baseline. */
static int pair_baseline(struct comparing *c, struct measured_bench *b, struct cg_error *err)
{
	const char *baseline = c->options->suite.baseline, *bench = b->benchmark->name;
	size_t len = strlen(bench);
	struct path_list names = { 0 };
	int status = baseline_list_benches(c->project.root, baseline, &names, err);

	for (size_t i = 0; !status && i < names.count; i++) {
		const char *name = names.paths[i];
		char *operand;
		if (label_benchmark_length(name) != len || strncmp(name, bench, len) != 0 ||
		    !is_compared(c, b, name) || comparing_find_entry(&b->head, name))
			continue;
		status = baseline_operand(baseline, name, &operand, err);
		if (status)
			break;
		status = add_measured_pair(c, b, operand, NULL, err);
		free(operand);
	}
	path_list_free(&names);
	return status;
}

/* The wanted cases are not among those that were measured. */
static int fail_no_measured_case(const struct comparing *c, struct cg_error *err)
{
	const char *wanted = c->names.items[0];
	struct path_list names = { 0 };
	char *known = NULL;
	int status = CG_OK;

	for (size_t i = 0; i < c->nbenches; i++)
		for (size_t k = 0; !status && k < c->benches[i].head.count; k++) {
			char *name = cache_benchmark(c->benches[i].head.paths[k]);
			status = name ? path_list_add(&names, name, err) : cg_fail_nomem(err);
			free(name);
		}
	if (!status && !(known = suggest_known(wanted, (const char *const *)names.paths,
					       names.count, "irdiff cache list")))
		status = cg_fail_nomem(err);
	if (!status)
		status = cg_fail(err, CG_EINVAL, NULL, 0, "unknown case %s%s", wanted, known);
	free(known);
	path_list_free(&names);
	return status;
}

int comparing_make_pairs(struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->nbenches; i++) {
		struct measured_bench *b = &c->benches[i];
		if (b->base_failed || b->head_failed)
			continue;
		for (size_t k = 0; !status && k < b->head.count; k++)
			status = pair_head(c, b, b->head.paths[k], err);
		for (size_t k = 0; !status && k < b->base.count; k++)
			status = pair_base(c, b, b->base.paths[k], err);
		if (!status && c->options->suite.baseline)
			status = pair_baseline(c, b, err);
	}
	if (!status && c->names.count && c->nbenches && !c->npairs && !c->nfailures)
		status = fail_no_measured_case(c, err);
	return status;
}

/* A misspelt pattern of a limit guards nothing. */
static bool is_on_any(const struct limit *limit, const struct path_list *entries)
{
	bool found = false;

	for (size_t i = 0; !found && i < entries->count; i++) {
		char *name = cache_benchmark(entries->paths[i]);
		const char *slash = name ? strchr(name, '/') : NULL;
		found = slash && limit_is_on_case(limit, slash + 1);
		free(name);
	}
	return found;
}

/* A case that only base has is reported as missing in head. */
static bool has_case(const struct comparing *c, const struct limit *limit,
		     const struct measured_bench *b)
{
	const struct path_list *lost = revision_lost_cases(&c->head, b->benchmark);
	bool allowed = c->options->suite.compare.judging.allow_removed;
	bool found = is_on_any(limit, &b->head) || (!allowed && is_on_any(limit, &b->base));

	for (size_t i = 0; lost && !found && i < lost->count; i++)
		found = limit_is_on_case(limit, strchr(lost->paths[i], '/') + 1);
	return found;
}

/* Only some of its cases were asked for. */
static bool is_partial(const struct comparing *c, const struct measured_bench *b)
{
	const struct text_list *names = &c->names;

	for (size_t i = 0; i < names->count; i++)
		if (!strchr(names->items[i], '/') &&
		    comparing_means(names->items[i], b->benchmark->name))
			return false;
	return names->count > 0;
}

static int check_pattern(const struct comparing *c, const struct measured_bench *b,
			 const struct limit *limit, struct cg_error *err)
{
	if (!is_partial(c, b))
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "\"case:%s\" matches no case of %s, so its limits have no effect",
			       limit->of_case, b->benchmark->name);
	notice_warning(c->project.notices,
		       "%s:%" PRIu64
		       ": the limits of \"case:%s\" match none of the selected cases of %s",
		       limit->file, limit->line, limit->of_case, b->benchmark->name);
	return CG_OK;
}

int comparing_check_patterns(const struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; c->options->suite.compare.judging.check && i < c->nbenches; i++) {
		const struct measured_bench *b = &c->benches[i];
		unsigned checked = 0;
		for (size_t k = 0;
		     !status && !b->removed && !b->head_failed && k < b->benchmark->limits.count;
		     k++) {
			const struct limit *limit = b->benchmark->limits.items[k];
			if (limit->place <= checked || has_case(c, limit, b))
				continue;
			status = check_pattern(c, b, limit, err);
			checked = limit->place;
		}
	}
	return status;
}
