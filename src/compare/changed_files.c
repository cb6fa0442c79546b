#include "src/compare/changed_files.h"

#include <stdlib.h>

#include "src/load/work_tree.h"

int changed_files_find(const struct comparison *c, const struct project *project,
		       struct changed_files *out, struct cg_error *err)
{
	struct commit_source *base = NULL, *head = NULL;
	struct used_files used[CODE_SIDES] = { 0 };
	char *tree = NULL;

	*out = (struct changed_files){ 0 };
	int status = work_tree_find(project->root, &tree, err);
	if (!status)
		status = loaded_commit_source(project, &c->base, tree, &base, err);
	if (!status)
		status = loaded_commit_source(project, &c->head, tree, &head, err);
	if (!status)
		status = loaded_used_files(project, &c->base, &used[CODE_BASE], err);
	if (!status)
		status = loaded_used_files(project, &c->head, &used[CODE_HEAD], err);
	if (!status)
		status = commit_sources_changed(base, head, used, &out->paths, &out->inputs, err);
	out->all_used = used[CODE_BASE].known && used[CODE_HEAD].known;
	for (int side = 0; side < CODE_SIDES; side++)
		used_files_free(&used[side]);
	commit_source_free(base);
	commit_source_free(head);
	free(tree);
	return status;
}

void changed_files_free(struct changed_files *f)
{
	strings_free(&f->paths);
	strings_free(&f->inputs);
}
