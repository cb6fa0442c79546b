#include "src/compare/files_between.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/load/work_tree.h"

static bool is_current_directory(const char *path)
{
	char *here = getcwd(NULL, 0);
	const bool is = here && strcmp(here, path) == 0;

	free(here);
	return is;
}

int files_between_find(const struct comparison *c, const struct project *project,
		       struct files_between *out, struct cg_error *err)
{
	struct commit_source *base = NULL, *head = NULL;
	struct used_files used[CODE_SIDES] = { 0 };
	char *tree = NULL;

	*out = (struct files_between){ 0 };
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
		status = commit_sources_changed(base, head, used, &out->files, err);
	out->all_used = used[CODE_BASE].known && used[CODE_HEAD].known;
	out->at_top = tree && is_current_directory(tree);
	for (int side = 0; side < CODE_SIDES; side++)
		used_files_free(&used[side]);
	commit_source_free(base);
	commit_source_free(head);
	free(tree);
	return status;
}
