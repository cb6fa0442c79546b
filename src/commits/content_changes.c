#include "src/commits/content_changes.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

static void content_change_free(struct content_change *c)
{
	free(c->from);
	free(c->to);
	strings_free(&c->paths);
}

static int compare_contents(const struct git *git, const char *tree, const struct snapshot *files,
			    struct content_change *c, struct cg_error *err)
{
	*c = (struct content_change){ strdup(tree), strdup(files->parts[0].tree), false, { 0 } };
	if (!c->from || !c->to)
		return cg_fail_nomem(err);
	int status = snapshot_changed_contents(git, files, tree, &c->paths, &c->only, err);
	if (status == CG_ENOMEM)
		return status;
	c->only = c->only && !status;
	return CG_OK;
}

int content_changes_find(struct content_changes *known, const struct git *git, const char *tree,
			 const struct snapshot *files, const struct content_change **out,
			 struct cg_error *err)
{
	for (size_t i = 0; i < known->count; i++) {
		*out = &known->items[i];
		if (strcmp((*out)->from, tree) == 0 &&
		    strcmp((*out)->to, files->parts[0].tree) == 0)
			return CG_OK;
	}
	if (cg_grow(&known->items, &known->cap, known->count + 1, sizeof *known->items))
		return cg_fail_nomem(err);
	struct content_change *c = &known->items[known->count];
	int status = compare_contents(git, tree, files, c, err);
	if (status)
		content_change_free(c);
	else
		known->count++;
	*out = c;
	return status;
}

void content_changes_free(struct content_changes *known)
{
	for (size_t i = 0; i < known->count; i++)
		content_change_free(&known->items[i]);
	free(known->items);
	*known = (struct content_changes){ 0 };
}
