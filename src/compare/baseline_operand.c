#include "src/compare/baseline_operand.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/store/find_profile.h"
#include "src/store/label.h"

static bool is_current_case_of(const char *label, const char *bench, size_t len)
{
	return label_is_case_of(label, bench, len) && !label_is_old(label);
}

/* Whether a label was measured after another one. */
static bool is_measured_later(const char *root, const char *label, const char *other)
{
	struct profile_paths a = { 0 }, b = { 0 };
	struct stat first, second;
	bool newer = !profile_paths_of(root, label, &a, NULL) &&
		     !profile_paths_of(root, other, &b, NULL) && stat(a.callgrind, &first) == 0 &&
		     stat(b.callgrind, &second) == 0 &&
		     (first.st_mtim.tv_sec > second.st_mtim.tv_sec ||
		      (first.st_mtim.tv_sec == second.st_mtim.tv_sec &&
		       first.st_mtim.tv_nsec > second.st_mtim.tv_nsec));

	profile_paths_free(&a);
	profile_paths_free(&b);
	return newer;
}

static int add_heap(const struct path_list *labels, const char *bench, struct path_list *out,
		    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < labels->count; i++)
		if (label_is_heap_of(labels->paths[i], bench))
			status = path_list_add(out, labels->paths[i], err);
	return status;
}

/* Its label, or those of its cases if they are newer, and that of its heap. */
static int add_measured(const char *root, const struct path_list *labels, const char *bench,
			struct path_list *out, struct cg_error *err)
{
	size_t before = out->count, len = strlen(bench);
	bool whole = path_list_has(labels, bench);
	int status = CG_OK;

	for (size_t i = 0; !status && i < labels->count; i++)
		if (is_current_case_of(labels->paths[i], bench, len) &&
		    !label_is_heap_of(labels->paths[i], bench) &&
		    (!whole || is_measured_later(root, labels->paths[i], bench)))
			status = path_list_add(out, labels->paths[i], err);
	if (!status && whole && out->count == before)
		status = path_list_add(out, bench, err);
	if (!status)
		status = add_heap(labels, bench, out, err);
	if (!status && out->count == before)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "%s has not been measured; run 'irdiff profile %s'", bench, bench);
	return status;
}

int baseline_benches(const struct project *project, struct path_list *out, struct cg_error *err)
{
	const struct config *config = project->config;
	struct path_list labels = { 0 };
	int status = store_list_labels(project->root, &labels, err);

	for (size_t i = 0; !status && config && i < config->benchmark_count; i++)
		status = add_measured(project->root, &labels, config->benchmarks[i].name, out, err);
	for (size_t i = 0; !status && !config && i < labels.count; i++)
		if (!label_is_old(labels.paths[i]))
			status = path_list_add(out, labels.paths[i], err);
	path_list_free(&labels);
	return status;
}

int baseline_given(const struct project *project, const char *const *given, size_t count,
		   struct path_list *out, struct cg_error *err)
{
	struct path_list labels = { 0 };
	int status = store_list_labels(project->root, &labels, err);

	/* What has not been measured fails where it is read. */
	for (size_t i = 0; !status && i < count; i++)
		if (!path_list_has(out, given[i]) &&
		    add_measured(project->root, &labels, given[i], out, NULL))
			status = path_list_add(out, given[i], err);
	path_list_free(&labels);
	return status;
}

int baseline_cases(const struct project *project, const char *name, const char *bench,
		   struct path_list *out, struct cg_error *err)
{
	struct path_list benches = { 0 };
	size_t before = out->count;
	int status = baseline_list_benches(project->root, name, &benches, err);

	for (size_t i = 0; !status && i < benches.count && !path_list_has(&benches, bench); i++)
		if (label_is_case_of(benches.paths[i], bench, strlen(bench)))
			status = path_list_add(out, benches.paths[i], err);
	bool alone = out->count == before;
	if (!status && alone)
		status = path_list_add(out, bench, err);
	if (!status && alone)
		status = add_heap(&benches, bench, out, err);
	path_list_free(&benches);
	return status;
}

/* The benchmarks of a baseline, at least one. */
static int list_baseline(const struct project *project, const char *name, struct path_list *out,
			 struct cg_error *err)
{
	char *operand;
	struct profile_paths unused;
	int status = baseline_list_benches(project->root, name, out, err);

	if (status || out->count)
		return status;
	/* The message lists the baselines. */
	status = baseline_operand(name, "any", &operand, err);
	if (status)
		return status;
	status = baseline_find(project->root, operand, &unused, err);
	if (!status)
		profile_paths_free(&unused);
	free(operand);
	return status;
}

int baseline_operand_if_any(const struct project *project, const char *name, const char *bench,
			    char **base, struct cg_error *err)
{
	struct path_list benches = { 0 };
	int status = list_baseline(project, name, &benches, err);

	*base = NULL;
	if (!status && path_list_has(&benches, bench))
		status = baseline_operand(name, bench, base, err);
	path_list_free(&benches);
	return status;
}

static int add_baseline_pair(struct baseline_pairs *p, const char *name, const char *bench,
			     bool has_base, bool has_head, struct cg_error *err)
{
	struct baseline_pair *more = realloc(p->items, (p->count + 1) * sizeof *more);

	if (!more)
		return cg_fail_nomem(err);
	p->items = more;
	p->items[p->count] = (struct baseline_pair){ 0 };
	struct baseline_pair *pair = &p->items[p->count++];
	if (has_head && !(pair->head = strdup(bench)))
		return cg_fail_nomem(err);
	return has_base ? baseline_operand(name, bench, &pair->base, err) : CG_OK;
}

/* A case of a benchmark that was given as a whole. */
static bool is_removed_case(const char *bench, const char *const *given, size_t count,
			    const struct path_list *wanted)
{
	for (size_t i = 0; i < count; i++)
		if (label_is_heap_of(bench, given[i]) ||
		    (label_is_case_of(bench, given[i], strlen(given[i])) &&
		     !path_list_has(wanted, given[i])))
			return true;
	return false;
}

/* Adds the benchmarks that are `given`, or without any also those that were removed. */
static int add_baseline_pairs(const struct path_list *of_baseline, const struct path_list *wanted,
			      const char *const *given, size_t count, const char *name,
			      struct baseline_pairs *out, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < wanted->count; i++)
		status = add_baseline_pair(out, name, wanted->paths[i],
					   path_list_has(of_baseline, wanted->paths[i]), true, err);
	for (size_t i = 0; !status && i < of_baseline->count; i++)
		if (!path_list_has(wanted, of_baseline->paths[i]) &&
		    (!count || is_removed_case(of_baseline->paths[i], given, count, wanted)))
			status = add_baseline_pair(out, name, of_baseline->paths[i], true, false,
						   err);
	return status;
}

int baseline_pairs_make(const struct project *project, const char *name, const char *const *benches,
			size_t count, struct baseline_pairs *out, struct cg_error *err)
{
	struct path_list of_baseline = { 0 }, wanted = { 0 };
	int status = list_baseline(project, name, &of_baseline, err);

	if (!status)
		status = count ? baseline_given(project, benches, count, &wanted, err)
			       : baseline_benches(project, &wanted, err);
	if (!status)
		status = add_baseline_pairs(&of_baseline, &wanted, benches, count, name, out, err);
	path_list_free(&of_baseline);
	path_list_free(&wanted);
	return status;
}

void baseline_pairs_free(struct baseline_pairs *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->items[i].base);
		free(p->items[i].head);
	}
	free(p->items);
	*p = (struct baseline_pairs){ 0 };
}
