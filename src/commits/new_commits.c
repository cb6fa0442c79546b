#include "src/commits/new_commits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/git/refs.h"
#include "src/store/history.h"

/* Commits of the branch, the newest first, and which of them have a row. */
struct branch_rows {
	struct strings ids;
	bool *has_row;
	size_t count; /* of those that are looked at; there may be more */
	size_t first; /* the newest that has a row; `ids.count`: none */
	size_t last;  /* the oldest that has one among those that are looked at; likewise */
};

static void branch_rows_free(struct branch_rows *b)
{
	strings_free(&b->ids);
	free(b->has_row);
}

static int compare_id_texts(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The ids of the commits that have a row, sorted, some several times; views of the book, which also
 * has commits of other benchmarks. */
static int sort_commits_of_rows(const struct history_book *book, const char ***out, size_t *count,
				struct cg_error *err)
{
	size_t rows = 0;

	for (size_t i = 0; i < book->nseries; i++)
		rows += book->series[i].count;
	const char **ids = calloc(rows + 1, sizeof *ids);
	if (!ids)
		return cg_fail_nomem(err);
	for (size_t i = 0, n = 0; i < book->nseries; i++)
		for (size_t k = 0; k < book->series[i].count; k++)
			ids[n++] = book->commits[book->series[i].points[k].commit].id;
	qsort(ids, rows, sizeof *ids, compare_id_texts);
	*out = ids;
	*count = rows;
	return CG_OK;
}

static int find_rows_of_branch(struct branch_rows *b, const struct history_book *book,
			       struct cg_error *err)
{
	const char **known = NULL;
	size_t rows = 0;
	int status = sort_commits_of_rows(book, &known, &rows, err);

	b->has_row = calloc(b->ids.count + 1, sizeof *b->has_row);
	if (!status && !b->has_row)
		status = cg_fail_nomem(err);
	b->first = b->last = b->ids.count;
	for (size_t i = 0; !status && i < b->ids.count; i++) {
		b->has_row[i] = bsearch(&b->ids.items[i], known, rows, sizeof *known,
					compare_id_texts) != NULL;
		if (!b->has_row[i])
			continue;
		if (b->first == b->ids.count)
			b->first = i;
		if (i < b->count)
			b->last = i;
	}
	free(known);
	return status;
}

/* HEAD and its first parents that change one of the paths. */
static int list_branch(const struct git *git, const char *const *paths, struct strings *out,
		       struct cg_error *err)
{
	struct strings args = { 0 };
	char *head = NULL;
	int status = git_resolve(git, "HEAD", &head, err);

	if (!status)
		status = strings_add(&args, "--first-parent", err);
	if (!status)
		status = strings_add(&args, head, err);
	for (; !status && paths && *paths; paths++)
		status = strings_add(&args, *paths, err);
	if (!status)
		status = git_list(git, (const char *const *)args.items, out, err);
	strings_free(&args);
	free(head);
	return status;
}

/* Looks at one commit more than are measured: what the oldest of these is compared with. */
static int read_branch_rows(const struct git *git, const char *root,
			    const struct wanted_new *wanted, struct branch_rows *b,
			    struct cg_error *err)
{
	struct history_book book = { 0 };
	struct history *h = NULL;
	int status = list_branch(git, wanted->paths, &b->ids, err);

	if (!status)
		status = history_open(root, &h, err);
	if (!status)
		status = history_read(h, wanted->benchmark, &book, err);
	b->count = wanted->most && wanted->most < b->ids.count ? wanted->most + 1 : b->ids.count;
	if (!status)
		status = find_rows_of_branch(b, &book, err);
	history_book_free(&book);
	history_close(h);
	return status;
}

/* ---- what is said of them ---- */

/* Commits that are new although none of those that are looked at has a row. */
static void say_all_are_new(const struct notices *n, const struct branch_rows *b, size_t measured)
{
	const bool begun = b->first < b->ids.count;
	const size_t all = begun ? b->first : b->ids.count;
	char more[80] = "";

	if (all > measured)
		snprintf(more, sizeof more, "; --newest=%zu measures all of them", all);
	if (begun)
		notice_message(n,
			       "measuring the newest %zu of %zu commits after %.*s, which have no "
			       "counts yet%s",
			       measured, all, GIT_ID_SHORT, b->ids.items[b->first], more);
	else
		notice_message(n,
			       "measuring the newest %zu of %zu commits, as none has counts yet%s",
			       measured, all, more);
}

static void say_new_commits(const struct notices *n, size_t new, size_t before)
{
	char also[80] = "";

	if (before)
		snprintf(also, sizeof also, ", and %zu before %s to compare with", before,
			 new == 1 ? "it" : "them");
	if (new)
		notice_message(n, "measuring %zu commit%s without counts%s", new,
			       new == 1 ? "" : "s", also);
	else
		notice_message(n, "no commit is new: all have counts");
}

/* ---- the list ---- */

static int take_all_commits(const struct notices *n, size_t most, const struct branch_rows *b,
			    struct strings *out, struct cg_error *err)
{
	const size_t count = most && most < b->count ? most : b->count;
	int status = CG_OK;

	say_all_are_new(n, b, count);
	for (size_t i = 0; !status && i < count; i++)
		status = strings_add(out, b->ids.items[i], err);
	return status;
}

static int take_new_commits(const struct notices *n, const struct branch_rows *b,
			    struct strings *out, struct cg_error *err)
{
	size_t before = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i <= b->last; i++) {
		const bool compared = b->has_row[i] && i && !b->has_row[i - 1];
		if (compared || !b->has_row[i])
			status = strings_add(out, b->ids.items[i], err);
		before += compared;
	}
	if (!status)
		say_new_commits(n, out->count - before, before);
	return status;
}

int list_new_commits(const struct git *git, const struct project *project,
		     const struct wanted_new *wanted, struct strings *out, struct cg_error *err)
{
	struct branch_rows b = { 0 };
	int status = read_branch_rows(git, project->root, wanted, &b, err);

	if (!status && b.last < b.ids.count)
		status = take_new_commits(project->notices, &b, out, err);
	else if (!status && b.first == b.ids.count && git_is_shallow(git))
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "--measure=new: this clone is shallow, and may lack new commits: "
				 "none of those that it has was measured; run 'git fetch "
				 "--unshallow', or in CI check out the whole history (fetch-depth: "
				 "0, GIT_DEPTH: 0)");
	else if (!status && !b.ids.count)
		notice_message(project->notices, "no commit is new: none changes these paths");
	else if (!status)
		status = take_all_commits(project->notices, wanted->most, &b, out, err);
	branch_rows_free(&b);
	return status;
}
