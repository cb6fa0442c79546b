#include "src/compare/changed_files.h"

#include <stdlib.h>

#include "src/load/work_tree.h"

int changed_files_find(const struct comparison *c, const struct project *project,
		       struct strings *paths, struct cg_error *err)
{
	struct commit_source *base = NULL, *head = NULL;
	char *tree = NULL;

	int status = work_tree_find(project->root, &tree, err);
	if (!status)
		status = commit_source_new(c->base.profile, tree, project->commits, &base, err);
	if (!status)
		status = commit_source_new(c->head.profile, tree, project->commits, &head, err);
	if (!status)
		status = commit_sources_changed(base, head, paths, err);
	commit_source_free(base);
	commit_source_free(head);
	free(tree);
	return status;
}
