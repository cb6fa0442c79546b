#include "src/record/branch.h"

#include <stdlib.h>
#include <string.h>

#include "src/git/refs.h"

static int compare_places_by_id(const void *left, const void *right)
{
	const struct place_of_commit *a = left, *b = right;
	int order = strcmp(a->id, b->id);
	return order ? order : (int)a->place - (int)b->place;
}

void branch_free(struct branch *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->commits[i].id);
	free(b->commits);
	*b = (struct branch){ 0 };
}

/* First parents come twice; branch_find finds them as such. */
static int add_commits(struct branch *b, struct strings *ids, enum series_place place,
		       struct cg_error *err)
{
	struct place_of_commit *more = realloc(b->commits,
					       (b->count + ids->count + 1) * sizeof *more);
	if (!more)
		return cg_fail_nomem(err);
	b->commits = more;
	for (size_t i = 0; i < ids->count; i++) {
		more[b->count++] = (struct place_of_commit){ ids->items[i], place,
							     ids->count - 1 - i };
		ids->items[i] = NULL;
	}
	ids->count = 0;
	return CG_OK;
}

static int list_branch_commits(struct branch *b, const struct git *git, const char *head,
			       enum series_place place, struct cg_error *err)
{
	const char *const parents[] = { "--first-parent", head, NULL };
	const char *const all[] = { head, NULL };
	struct strings ids = { 0 };
	int status = git_list(git, place == PLACE_BRANCH ? parents : all, &ids, err);

	if (!status)
		status = add_commits(b, &ids, place, err);
	strings_free(&ids);
	return status;
}

/* Sets *head to the id of `last`, or *why. */
static bool can_list_branch(const struct git *git, const char *last, char **head,
			    struct cg_error *why)
{
	if (git_is_shallow(git))
		cg_fail(why, CG_EINVAL, NULL, 0,
			"this clone is shallow; run 'git fetch --unshallow', or in CI check out "
			"the whole history");
	else if (git_resolve(git, last, head, NULL))
		cg_fail(why, CG_EINVAL, NULL, 0, "this repository has no commit '%s'", last);
	else
		return true;
	return false;
}

int branch_of(const struct git *git, const char *last, struct branch *out, struct cg_error *err)
{
	struct branch b = { 0 };
	char *head = NULL;

	*out = b;
	if (!git || !can_list_branch(git, last, &head, &out->why))
		return CG_OK;
	int status = list_branch_commits(&b, git, head, PLACE_BRANCH, err);
	if (!status)
		status = list_branch_commits(&b, git, head, PLACE_MERGED, err);
	free(head);
	if (status) {
		branch_free(&b);
		return status;
	}
	if (b.count)
		qsort(b.commits, b.count, sizeof *b.commits, compare_places_by_id);
	b.known = true;
	*out = b;
	return CG_OK;
}

const struct place_of_commit *branch_find(const struct branch *b, const char *id)
{
	size_t low = 0, high = b->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(b->commits[middle].id, id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->count && strcmp(b->commits[low].id, id) == 0 ? &b->commits[low] : NULL;
}
