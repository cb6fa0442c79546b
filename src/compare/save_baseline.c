#include "src/compare/save_baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/load/load.h"
#include "src/report/baseline.h"
#include "src/store/baselines.h"
#include "src/store/beneath.h"

/* Loaded as it is for a comparison, so that functions cost in the baseline what they cost there. */
static int load_label(const struct project *project, const char *label, struct loaded *out,
		      struct cg_error *err)
{
	const struct load_options load = {
		.stored = STORED_LINES,
		.lookup = inlines_lookup("auto"),
	};
	return load_profile(project, &label, 1, &load, out, err);
}

static int write_functions_text(const struct cg_profile *p, const char *path, FILE *to,
				struct cg_error *err)
{
	struct diff_options options = { .metric = cg_string(p, p->events[0].name),
					.missing = DIFF_NO_BASE };
	struct cg_profile *nothing = NULL;
	struct diff *d = NULL;
	int status = make_nothing(p, &nothing, err);

	if (!status)
		status = diff_make(nothing, p, &options, &d, err);
	if (!status) {
		status = baseline_text(d, CREATOR, to);
		if (status == CG_ENOMEM)
			cg_fail_nomem(err);
		else if (status)
			status = cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
					 strerror(errno));
	}
	diff_free(d);
	cg_profile_free(nothing);
	return status;
}

static int begin_text(const struct project *project, const char *name, const char *label,
		      const char *operand, struct new_file **file, struct cg_error *err)
{
	struct loaded loaded = { 0 };
	char *path = NULL;
	FILE *to;
	int status = load_label(project, operand, &loaded, err);

	if (!status)
		status = baseline_prepare_text(project->root, name, label, err);
	if (!status)
		status = baseline_text_path(project->root, name, label, &path, err);
	if (!status)
		status = beneath_new_file(project->root, path, file, &to, err);
	if (!status)
		status = write_functions_text(loaded.profile, path, to, err);
	loaded_free(&loaded);
	free(path);
	return status;
}

static int commit_texts(struct new_file **files, size_t count, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		struct new_file *file = files[i];
		files[i] = NULL;
		status = new_file_commit(file, err);
	}
	return status;
}

static bool is_saved(const struct path_list *labels, const char *bench)
{
	for (size_t i = 0; i < labels->count; i++)
		if (strcmp(labels->paths[i], bench) == 0)
			return true;
	return false;
}

static int remove_others(const char *root, const char *name, const struct path_list *labels,
			 struct cg_error *err)
{
	struct path_list benches = { 0 };
	int status = baseline_list_benches(root, name, &benches, err);

	for (size_t i = 0; !status && i < benches.count; i++) {
		struct baseline_forms forms;
		if (is_saved(labels, benches.paths[i]))
			continue;
		status = baseline_forms(root, name, benches.paths[i], &forms, err);
		if (!status)
			status = baseline_remove(root, name, benches.paths[i], &forms, err);
	}
	path_list_free(&benches);
	return status;
}

int save_baseline(const struct project *project, const char *name, const struct path_list *labels,
		  const struct path_list *operands, bool whole, bool store, struct cg_error *err)
{
	struct new_file **files = calloc(labels->count + 1, sizeof *files);
	int status = files ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < labels->count; i++)
		status = begin_text(project, name, labels->paths[i], operands->paths[i], &files[i],
				    err);
	if (!status)
		status = commit_texts(files, labels->count, err);
	for (size_t i = 0; !status && store && i < labels->count; i++)
		status = baseline_store(project->root, name, labels->paths[i], labels->paths[i],
					err);
	if (!status && whole)
		status = remove_others(project->root, name, labels, err);
	for (size_t i = 0; files && i < labels->count; i++)
		new_file_abandon(files[i]);
	free(files);
	return status;
}
