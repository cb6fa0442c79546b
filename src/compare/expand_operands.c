#include "src/compare/expand_operands.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/load/load.h"
#include "src/report/text/totals.h"
#include "src/store/baselines.h"
#include "src/store/cache.h"
#include "src/store/find_profile.h"
#include "src/store/label.h"

/* ---- operands that name several profiles ---- */

static bool is_operand_pattern(const char *operand)
{
	return strpbrk(operand, "*?[") != NULL;
}

static bool matches_file(const char *pattern)
{
	glob_t found;
	bool any = glob(pattern, 0, NULL, &found) == 0;

	if (any)
		globfree(&found);
	return any;
}

typedef bool label_matcher(const char *operand, const char *label);

static bool is_case_of_operand(const char *operand, const char *label)
{
	return label_is_case_of(label, operand, strlen(operand)) && !label_is_old(label);
}

/* "BENCH.old": what the cases of the last run have replaced. */
static bool is_old_case_of(const char *operand, const char *label)
{
	return label_is_old(operand) && label_is_old(label) &&
	       label_is_case_of(label, operand, strlen(operand) - strlen(".old"));
}

static bool is_matched_by(const char *operand, const char *label)
{
	return fnmatch(operand, label, 0) == 0 && !label_is_old(label);
}

static int add_matching_labels(const struct path_list *labels, label_matcher *matches,
			       const char *operand, struct path_list *out, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < labels->count; i++)
		if (matches(operand, labels->paths[i]))
			status = path_list_add(out, labels->paths[i], err);
	return status;
}

/* A benchmark may be called as what is a pattern otherwise. */
static int of_labels(const char *root, const char *operand, bool may_be_pattern,
		     struct path_list *out, struct cg_error *err)
{
	struct path_list labels = { 0 };
	size_t before = out->count;
	int status = store_list_labels(root, &labels, err);
	bool one = status || path_list_has(&labels, operand);

	if (!one)
		status = add_matching_labels(&labels, is_case_of_operand, operand, out, err);
	if (!one && !status && out->count == before)
		status = add_matching_labels(&labels, is_old_case_of, operand, out, err);
	if (!one && !status && out->count == before && may_be_pattern &&
	    is_operand_pattern(operand) && !matches_file(operand))
		status = add_matching_labels(&labels, is_matched_by, operand, out, err);
	path_list_free(&labels);
	return status;
}

static int of_baseline(const char *root, const char *operand, struct path_list *out,
		       struct cg_error *err)
{
	const char *at = operand + strlen(BASELINE_PREFIX), *slash = strchr(at, '/');
	char *name = slash ? strndup(at, (size_t)(slash - at)) : NULL, *found;
	struct path_list benches = { 0 };
	int status = name || !slash ? CG_OK : cg_fail_nomem(err);

	if (!status && name)
		status = baseline_list_benches(root, name, &benches, err);
	bool whole = name && path_list_has(&benches, slash + 1);
	for (size_t i = 0; !status && !whole && i < benches.count; i++) {
		if (!label_is_case_of(benches.paths[i], slash + 1, strlen(slash + 1)))
			continue;
		status = baseline_operand(name, benches.paths[i], &found, err);
		if (status)
			break;
		status = path_list_add(out, found, err);
		free(found);
	}
	path_list_free(&benches);
	free(name);
	return status;
}

static int find_labels(const struct project *project, const char *operand, bool may_be_pattern,
		       struct path_list *out, struct cg_error *err)
{
	if (baseline_is_operand(operand))
		return of_baseline(project->root, operand, out, err);
	if (strchr(operand, '/') && access(operand, F_OK) == 0)
		return CG_OK;
	return of_labels(project->root, operand, may_be_pattern, out, err);
}

int expand_operands_of(const struct project *project, const char *operand, struct path_list *out,
		       struct cg_error *err)
{
	return find_labels(project, operand, true, out, err);
}

int expand_operands_cases(const struct project *project, const char *operand, struct path_list *out,
			  struct cg_error *err)
{
	return find_labels(project, operand, false, out, err);
}

/* ---- two of them ---- */

/* The part after "BENCH/" or "baseline:NAME/BENCH/". */
static const char *case_of(const char *operand)
{
	const char *at = operand;

	if (baseline_is_operand(operand))
		at = strchr(operand, '/') + 1;
	return at + label_benchmark_length(at) + 1;
}

static size_t name_length(const char *name)
{
	return strlen(name) - (label_is_old(name) ? strlen(".old") : 0);
}

static const char *find_case(const struct path_list *operands, const char *name)
{
	for (size_t i = 0; i < operands->count; i++) {
		const char *other = case_of(operands->paths[i]);
		if (name_length(other) == name_length(name) &&
		    memcmp(other, name, name_length(name)) == 0)
			return operands->paths[i];
	}
	return NULL;
}

/* "a, b, …" */
static void list_cases(const struct path_list *operands, char *text, size_t size)
{
	enum { MANY = 8 };
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < operands->count && i <= MANY && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 i < MANY ? case_of(operands->paths[i]) : "…");
}

static int fail_mixed(const struct project *project, const char *whole,
		      const struct path_list *cases, const char *one, struct cg_error *err)
{
	char known[400];
	struct path_list found = { 0 };
	int status = store_find_profiles(project->root, one, &found, err);

	path_list_free(&found);
	if (status)
		return status;
	list_cases(cases, known, sizeof known);
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s has cases (%s), but %s is a single profile; name one of the cases, such as %s",
		whole, known, one, cases->paths[0]);
}

static int add_cases(struct suite *suite, const struct path_list *base,
		     const struct path_list *head, struct cg_error *err)
{
	bool any = false;
	int status = CG_OK;

	for (size_t i = 0; !status && i < head->count; i++) {
		const char *of_base = find_case(base, case_of(head->paths[i]));
		any |= of_base != NULL;
		status = suite_add(suite, of_base, head->paths[i], err);
	}
	for (size_t i = 0; !status && i < base->count; i++)
		if (!find_case(head, case_of(base->paths[i])))
			status = suite_add(suite, base->paths[i], NULL, err);
	if (!status && !any) {
		char ours[400], theirs[400];
		list_cases(base, ours, sizeof ours);
		list_cases(head, theirs, sizeof theirs);
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "base and head have no case in common: base has %s, head has %s",
				 ours, theirs);
	}
	return status;
}

int expand_operands_add(struct suite *suite, const struct project *project, const char *base,
			const char *head, struct cg_error *err)
{
	struct path_list of_base = { 0 }, of_head = { 0 };
	int status = expand_operands_cases(project, base, &of_base, err);

	if (!status)
		status = expand_operands_cases(project, head, &of_head, err);
	if (!status && !of_base.count && !of_head.count)
		status = suite_add(suite, base, head, err);
	else if (!status && !of_head.count)
		status = fail_mixed(project, base, &of_base, head, err);
	else if (!status && !of_base.count)
		status = fail_mixed(project, head, &of_head, base, err);
	else if (!status)
		status = add_cases(suite, &of_base, &of_head, err);
	path_list_free(&of_base);
	path_list_free(&of_head);
	return status;
}

/* ---- their totals ---- */

int expand_operands_totals(const struct project *project, const struct path_list *operands,
			   const struct text_style *style, FILE *to, struct cg_error *err)
{
	const struct load_options load = { .read = { .detail.no_calls = true },
					   .lookup = inlines_lookup("no") };
	struct loaded *loaded = calloc(operands->count + 1, sizeof *loaded);
	struct totals_row *rows = calloc(operands->count + 1, sizeof *rows);
	int status = loaded && rows ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < operands->count; i++) {
		const char *operand = operands->paths[i];
		status = load_profile(project, &operand, 1, &load, &loaded[i], err);
		rows[i] = (struct totals_row){ operand, loaded[i].profile };
	}
	if (!status && totals_text(rows, operands->count, style, to))
		status = cg_fail_nomem(err);
	for (size_t i = 0; loaded && i < operands->count; i++)
		loaded_free(&loaded[i]);
	free(loaded);
	free(rows);
	return status;
}

int expand_operands_list(const struct project *project, struct path_list *out, struct cg_error *err)
{
	struct cache_list entries = { 0 };
	int status = store_list_labels(project->root, out, err);

	if (!status && !out->count)
		status = cache_list(project->root, &entries, err);
	for (size_t i = 0; !status && i < entries.count; i++)
		if (!strchr(entries.items[i].name, '/')) {
			char *label = label_of_file(entries.items[i].name);
			status = label ? path_list_add(out, label, err) : cg_fail_nomem(err);
			free(label);
		}
	cache_list_free(&entries);
	return status;
}
