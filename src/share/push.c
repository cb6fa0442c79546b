#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include "callgrind/support/grow.h"
#include "src/git/refs.h"
#include "src/git/transfer.h"
#include "src/share/join.h"
#include "src/share/names.h"
#include "src/store/files.h"
#include "src/store/sums.h"

enum { MOST_TRIES = 20, MOST_UNMOVED = 6 };

/* The new tree: its fans, with what is to be remembered of those that were looked at, and entries,
 * the last measured first. */
struct joint {
	struct joint_fan {
		bool looked_at;
		struct history_fan state;
	} fans[HISTORY_FANS];
	struct shared_entry **entries;
	size_t nentries, entries_cap;
	bool sound; /* nothing was refused of what the remote has */
};

static void free_joint(struct joint *j)
{
	free(j->entries);
}

/* ---- rows ----------------------------------------------------------------- */

struct rows_writing {
	const struct share_request *request;
	struct strings paths, ids; /* of files to be written, and of those that were */
	struct cg_error *err;
};

static int write_commit_rows(const struct joined_commit *c, const char *path, struct cg_error *err)
{
	FILE *to = fopen(path, "we");
	bool failed = !to;

	for (size_t i = 0; !failed && i < c->nrows; i++)
		failed = fprintf(to, "%s\n", c->rows[i].row->text) < 0;
	if (to && fclose(to) != 0)
		failed = true;
	return failed ? cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
				strerror(errno))
		      : CG_OK;
}

/* Writes files of commits that git does not have yet. */
static int write_fan_rows(struct rows_writing *w, const struct joined_fan *fan)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < fan->ncommits; i++) {
		if (*fan->commits[i].blob)
			continue;
		status = strings_addf(&w->paths, w->err, "%s/rows-%zu", w->request->scratch,
				      w->paths.count);
		if (!status)
			status = write_commit_rows(&fan->commits[i],
						   w->paths.items[w->paths.count - 1], w->err);
	}
	return status;
}

/* `next` is the id of the next file that was written. */
static int list_joined_fan(const struct joined_fan *fan, const struct strings *ids, size_t *next,
			   struct git_listing *out, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < fan->ncommits; i++) {
		const struct joined_commit *c = &fan->commits[i];
		char name[SHARE_ROWS_NAME];
		struct git_tree_item item = { .mode = GIT_MODE_FILE, .name = name };
		share_rows_name(c->id, name);
		snprintf(item.id, sizeof item.id, "%s", *c->blob ? c->blob : ids->items[(*next)++]);
		status = git_listing_add(out, &item, err);
	}
	return status;
}

static int write_fan_trees(struct rows_writing *w, const struct joined_fan *fans, size_t count,
			   struct strings *trees)
{
	struct git_listing *lists = calloc(count + 1, sizeof *lists);
	size_t next = 0;
	int status = lists ? git_write_files(w->request->git, &w->paths, &w->ids, w->err)
			   : cg_fail_nomem(w->err);

	for (size_t i = 0; !status && i < count; i++)
		status = list_joined_fan(&fans[i], &w->ids, &next, &lists[i], w->err);
	if (!status)
		status = git_write_trees(w->request->git, lists, count, trees, w->err);
	for (size_t i = 0; lists && i < count; i++)
		free(lists[i].text);
	free(lists);
	return status;
}

/* Writes what both machines have of fans. */
static int write_fans(const struct share_request *r, const struct joined_fan *fans, size_t count,
		      struct strings *trees, struct cg_error *err)
{
	struct rows_writing w = { .request = r, .err = err };
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++)
		status = write_fan_rows(&w, &fans[i]);
	if (!status)
		status = write_fan_trees(&w, fans, count, trees);
	for (size_t i = 0; i < w.paths.count; i++)
		remove(w.paths.items[i]);
	strings_free(&w.paths);
	strings_free(&w.ids);
	return status;
}

static void note_joined(struct joint_fan *to, const struct joined_fan *fan, const char *tree)
{
	snprintf(to->state.tree, sizeof to->state.tree, "%s", fan->ncommits ? tree : "");
	to->looked_at = true;
	to->state.rows = fan->nrows;
	to->state.taken = !fan->from_there;
	to->state.given = to->state.changes;
}

enum { FANS_AT_ONCE = 16 };

static int join_some_fans(const struct share_request *r, struct history *h,
			  struct shared_fan *const *theirs, size_t count, struct joint *j,
			  struct share_result *result, struct cg_error *err)
{
	struct shared_fan ours[FANS_AT_ONCE] = { 0 };
	struct joined_fan joined[FANS_AT_ONCE] = { 0 };
	struct strings trees = { 0 };
	int status = shared_read_fans(r->git, theirs, count, &result->refused, err);

	for (size_t i = 0; !status && i < count; i++) {
		status = shared_fan_of_project(h, theirs[i]->number, &ours[i], err);
		if (!status)
			status = share_join(&ours[i], theirs[i], &joined[i], err);
	}
	if (!status)
		status = write_fans(r, joined, count, &trees, err);
	for (size_t i = 0; i < count; i++) {
		if (!status)
			note_joined(&j->fans[theirs[i]->number], &joined[i], trees.items[i]);
		result->new_there.rows += joined[i].from_here;
		joined_fan_free(&joined[i]);
		shared_fan_free(&ours[i]);
		shared_fan_free(theirs[i]);
	}
	strings_free(&trees);
	return status;
}

/* Looks at fans that the history has not given to the remote as they are there. What is read of
 * `changes` may be less than what rows have, so that a row that is added now is not forgotten. */
static int join_rows(const struct share_request *r, struct history *h, struct shared *there,
		     struct joint *j, struct share_result *result, struct cg_error *err)
{
	struct shared_fan *fans[FANS_AT_ONCE];
	size_t n = 0;
	int status = CG_OK;

	for (unsigned i = 0; !status && i < HISTORY_FANS; i++) {
		struct history_fan *state = &j->fans[i].state;
		there->fans[i].number = i;
		status = history_get_fan(h, i, state, err);
		if (status)
			return status;
		if (strcmp(state->tree, there->fans[i].tree) != 0 || state->given != state->changes)
			fans[n++] = &there->fans[i];
		if (n && (n == FANS_AT_ONCE || i + 1 == HISTORY_FANS)) {
			status = join_some_fans(r, h, fans, n, j, result, err);
			n = 0;
		}
	}
	for (unsigned i = 0; i < HISTORY_FANS; i++)
		result->there.rows += *j->fans[i].state.tree ? j->fans[i].state.rows : 0;
	return status;
}

/* What cannot be remembered is only looked at again. */
static void remember_pushed(struct history *h, const struct joint *j)
{
	if (!h || history_begin(h, NULL))
		return;
	int status = CG_OK;
	for (unsigned i = 0; !status && i < HISTORY_FANS; i++)
		if (j->fans[i].looked_at)
			status = history_set_fan(h, i, &j->fans[i].state, NULL);
	history_end(h, status, NULL);
}

/* ---- entries -------------------------------------------------------------- */

static int add_joint_entry(struct joint *j, struct shared_entry *entry, struct cg_error *err)
{
	if (cg_grow(&j->entries, &j->entries_cap, j->nentries + 1, sizeof *j->entries))
		return cg_fail_nomem(err);
	j->entries[j->nentries++] = entry;
	return CG_OK;
}

/* By path, backwards: paths begin with times, so the last measured comes first. */
static int compare_entry_ages(const void *left, const void *right)
{
	struct shared_entry *const *a = left, *const *b = right;
	return strcmp((*b)->path, (*a)->path);
}

static int join_entries(const struct shared *here, const struct shared *there, struct joint *j,
			struct cg_error *err)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < there->nentries; i++)
		status = add_joint_entry(j, &there->entries[i], err);
	for (size_t i = 0; !status && i < here->nentries; i++)
		if (!shared_find_entry(there, here->entries[i].name))
			status = add_joint_entry(j, &here->entries[i], err);
	if (j->nentries)
		qsort(j->entries, j->nentries, sizeof *j->entries, compare_entry_ages);
	return status;
}

/* Lists the files of an entry of this project; those that make it complete must exist. */
static const char *list_entry_files(const char *directory, struct strings *paths,
				    bool has[SHARE_FILES], int *status, struct cg_error *err)
{
	for (size_t i = 0; !*status && i < SHARE_FILES; i++) {
		struct stat st;
		*status = strings_addf(paths, err, "%s/%s", directory, shared_file_name(i));
		if (*status)
			return NULL;
		char **path = &paths->items[paths->count - 1];
		has[i] = lstat(*path, &st) == 0 && S_ISREG(st.st_mode);
		if (has[i] && (unsigned long long)st.st_size > SHARE_MOST_FILE)
			return "one of its files is larger than 100 MB";
		if (!has[i]) {
			free(*path);
			*path = NULL;
			paths->count--;
		}
	}
	return has[0] && has[SHARE_KEY] && has[SHARE_SUMS]
		       ? NULL
		       : "it has no profile, no key or no " SUMS_FILE;
}

static int write_listing(const struct share_request *r, struct shared_entry *e,
			 const struct strings *ids, const bool has[SHARE_FILES],
			 struct cg_error *err)
{
	struct git_listing listing = { 0 };
	struct strings trees = { 0 };
	int status = CG_OK;

	for (size_t i = 0, next = 0; !status && i < SHARE_FILES; i++) {
		struct git_tree_item item = { .mode = GIT_MODE_FILE, .name = shared_file_name(i) };
		if (!has[i])
			continue;
		snprintf(item.id, sizeof item.id, "%s", ids->items[next++]);
		status = git_listing_add(&listing, &item, err);
	}
	if (!status)
		status = git_write_trees(r->git, &listing, 1, &trees, err);
	if (!status)
		snprintf(e->id, sizeof e->id, "%s", trees.items[0]);
	free(listing.text);
	strings_free(&trees);
	return status;
}

/* Writes objects for an entry of this project; *wrong is the reason for refusing it, or NULL. */
static int write_entry_objects(const struct share_request *r, struct shared_entry *e,
			       const char **wrong, struct cg_error *err)
{
	struct strings paths = { 0 }, ids = { 0 };
	bool has[SHARE_FILES];
	char *directory = cache_path(r->root, e->name);
	int status = directory ? CG_OK : cg_fail_nomem(err);

	if (!status)
		*wrong = list_entry_files(directory, &paths, has, &status, err);
	if (!status && !*wrong && sums_check(directory, NULL))
		*wrong = "one of its files does not match its checksum";
	if (!status && !*wrong)
		status = git_write_files(r->git, &paths, &ids, err);
	if (!status && !*wrong &&
	    strncmp(ids.items[ids.count - 1], strrchr(e->name, '-') + 1, CACHE_KEY_DIGITS) != 0)
		*wrong = "its key does not match its name";
	if (!status && !*wrong)
		status = write_listing(r, e, &ids, has, err);
	free(directory);
	strings_free(&paths);
	strings_free(&ids);
	return status;
}

/* When the oldest entry that stays was measured. */
static int64_t oldest_to_stay(const struct share_request *r)
{
	int64_t days = (int64_t)(r->days < 100000 ? r->days : 100000);
	return r->days && !r->history_only ? (int64_t)time(NULL) - days * 24 * 3600 : INT64_MIN;
}

/* Writes the entries that stay. One that cannot be shared is left out, takes no place of another
 * one, and is reported once. All machines have the same rule, so a pruned entry does not come back
 * from one that still has it. */
static int write_entries(const struct share_request *r, struct joint *j, struct shared *here,
			 struct share_result *result, struct cg_error *err)
{
	const size_t most = r->keep && !r->history_only ? (size_t)r->keep : SIZE_MAX;
	const int64_t oldest = oldest_to_stay(r);
	size_t kept = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < j->nentries && kept < most; i++) {
		struct shared_entry *e = j->entries[i];
		if (e->measured < oldest)
			break;
		bool ours = e >= here->entries && e < here->entries + here->nentries;
		const char *wrong = NULL;
		if (!*e->id)
			status = write_entry_objects(r, e, &wrong, err);
		if (wrong) {
			share_refuse(&result->refused, "here: cache/", e->name, wrong);
			continue;
		}
		result->new_there.entries += ours;
		j->entries[kept++] = e;
	}
	j->nentries = kept;
	return status;
}

/* ---- trees ---------------------------------------------------------------- */

static int list_history(const struct joint *j, struct git_listing *out, struct cg_error *err)
{
	int status = CG_OK;
	for (unsigned i = 0; !status && i < HISTORY_FANS; i++) {
		const struct history_fan *state = &j->fans[i].state;
		char name[HISTORY_FAN_NAME];
		struct git_tree_item item = { .mode = GIT_MODE_TREE, .name = name };
		if (!*state->tree)
			continue;
		history_fan_name(i, name);
		snprintf(item.id, sizeof item.id, "%s", state->tree);
		status = git_listing_add(out, &item, err);
	}
	return status;
}

static int list_cache(const struct joint *j, struct git_listing *out, struct cg_error *err)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < j->nentries; i++) {
		struct git_tree_item item = { .mode = GIT_MODE_TREE, .name = j->entries[i]->path };
		memcpy(item.id, j->entries[i]->id, sizeof item.id);
		status = git_listing_add(out, &item, err);
	}
	return status;
}

static int write_top(const struct git *git, const struct strings *parts, struct strings *top,
		     struct cg_error *err)
{
	static const char *const names[] = { "history", "cache" };
	struct git_listing listing = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < parts->count; i++) {
		struct git_tree_item item = { .mode = GIT_MODE_TREE, .name = names[i] };
		snprintf(item.id, sizeof item.id, "%s", parts->items[i]);
		status = git_listing_add(&listing, &item, err);
	}
	if (!status)
		status = git_write_trees(git, &listing, 1, top, err);
	free(listing.text);
	return status;
}

/* *tree is the caller's. */
static int write_joint_tree(const struct share_request *r, const struct joint *j, char **tree,
			    struct cg_error *err)
{
	struct git_listing lists[2] = { { 0 }, { 0 } };
	struct strings parts = { 0 }, top = { 0 };
	int status = list_history(j, &lists[0], err);

	if (!status)
		status = list_cache(j, &lists[1], err);
	if (!status)
		status = git_write_trees(r->git, lists, 2, &parts, err);
	if (!status)
		status = write_top(r->git, &parts, &top, err);
	if (!status && !(*tree = strdup(top.items[0])))
		status = cg_fail_nomem(err);
	free(lists[0].text);
	free(lists[1].text);
	strings_free(&parts);
	strings_free(&top);
	return status;
}

/* ---- one attempt, and more of them ----------------------------------------- */

static int make_joint_tree(const struct share_request *r, struct history *h, struct shared *here,
			   struct shared *there, struct joint *j, struct share_result *result,
			   char **tree, struct cg_error *err)
{
	size_t before = there->nentries;
	int status = join_rows(r, h, there, j, result, err);

	if (!status && result->refused.newer)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "a newer irdiff has pushed measurements to " SHARE_REF
				 ", which this one would remove; use that irdiff");
	j->sound = !result->refused.count;
	if (!status)
		status = join_entries(here, there, j, err);
	if (!status)
		status = write_entries(r, j, here, result, err);
	if (!status)
		status = write_joint_tree(r, j, tree, err);
	result->there.entries = j->nentries;
	result->pruned = before + result->new_there.entries - j->nentries;
	return status;
}

static bool is_tree_of(const struct git *git, const char *commit, const char *tree)
{
	char *now = NULL;
	bool same = commit && git_tree_of(git, commit, &now, NULL) == CG_OK &&
		    strcmp(now, tree) == 0;
	free(now);
	return same;
}

struct push_attempt {
	char *old; /* what the ref was; NULL: it did not exist */
	enum git_push outcome;
	char *why;
	bool unreached;
};

/* How often a commit may have a parent: git sends what is new since a commit that both sides have,
 * but what was pruned stays as long as a commit has it. */
enum { MOST_PARENTS = 100 };

/* Whether the next commit may have this one as its parent: not if it would be the last of too many,
 * or what was refused would stay. */
static int may_have_parent(const struct git *git, const char *commit, bool sound, bool *may,
			   struct cg_error *err)
{
	char most[40];
	const char *const args[] = { most, commit, NULL };
	struct strings ids = { 0 };

	snprintf(most, sizeof most, "--max-count=%d", MOST_PARENTS);
	int status = commit && sound ? git_list(git, args, &ids, err) : CG_OK;
	*may = ids.count > 0 && ids.count < MOST_PARENTS;
	strings_free(&ids);
	return status;
}

static int push_tree(const struct share_request *r, const char *tree, bool sound,
		     struct push_attempt *a, struct cg_error *err)
{
	char *commit = NULL;
	bool has_parent;
	int status = may_have_parent(r->git, a->old, sound, &has_parent, err);

	if (!status)
		status = git_write_commit(r->git, tree, has_parent ? a->old : NULL,
					  "Measurements of irdiff", &commit, err);
	if (status)
		return status;
	status = git_push_ref(r->git, r->remote, SHARE_REF, a->old, commit, &a->outcome, &a->why,
			      err);
	a->unreached = status == CG_EIO;
	free(commit);
	return status;
}

static int try_push(const struct share_request *r, struct history *h, struct shared *here,
		    struct share_result *result, struct push_attempt *a, struct cg_error *err)
{
	struct shared there = { 0 };
	struct joint j = { 0 };
	char *tree = NULL;
	int status = git_fetch_ref(r->git, r->remote, SHARE_REF, &a->old, err);

	a->unreached = status == CG_EIO;
	result->absent = !status && !a->old;
	if (!status && a->old)
		status = shared_of_commit(r->git, a->old, &there, &result->refused, err);
	if (!status)
		status = make_joint_tree(r, h, here, &there, &j, result, &tree, err);
	bool empty = !status && !a->old && !result->there.rows && !result->there.entries;
	if (!status && (empty || is_tree_of(r->git, a->old, tree)))
		a->outcome = GIT_PUSHED;
	else if (!status)
		status = push_tree(r, tree, j.sound, a, err);
	if (!status && a->outcome == GIT_PUSHED)
		remember_pushed(h, &j);
	free_joint(&j);
	shared_free(&there);
	free(tree);
	return status;
}

/* Waits before the next attempt: longer each time, and by chance, so that two machines do not wait
 * alike; false: a signal came. */
static bool pause_before(const struct git *git, unsigned attempt)
{
	unsigned most = 100 * (attempt < 20 ? attempt : 20), random = 0; /* milliseconds */
	struct pollfd signals = { .fd = git->interrupts ? git->interrupts->fd : -1,
				  .events = POLLIN };

	if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
		random = (unsigned)clock();
	if (poll(&signals, 1, (int)(most / 2 + random % most)) <= 0)
		return true;
	interrupts_take(git->interrupts);
	return false;
}

static void free_attempt(struct push_attempt *a)
{
	free(a->old);
	free(a->why);
}

/* A push is late if others have changed the ref. If the ref stays unchanged attempt after
 * attempt, the server refuses this way, as servers do that show the ref to users who may only
 * fetch. */
static void judge_lateness(const struct push_attempt *before, struct push_attempt *now,
			   unsigned *unmoved)
{
	bool same = before->old && now->old && strcmp(before->old, now->old) == 0;
	*unmoved = same || (!before->old && !now->old) ? *unmoved + 1 : 0;
	if (now->outcome == GIT_PUSH_LATE && *unmoved >= MOST_UNMOVED)
		now->outcome = GIT_PUSH_REFUSED;
}

static int not_taken(const struct push_attempt *a, bool *unreached, struct cg_error *err)
{
	*unreached = true;
	if (a->outcome == GIT_PUSH_LATE)
		return cg_fail(err, CG_EIO, NULL, 0, "others pushed first %d times; try again (%s)",
			       MOST_TRIES, a->why);
	/* otherwise it refuses what was sent, such as its size */
	bool minds_ref = !strstr(a->why, "unpacker error");
	return cg_fail(
		err, CG_EIO, NULL, 0, "the server rejected " SHARE_REF ": %s%s", a->why,
		minds_ref ? "; it must let this account write refs other than branches and tags"
			  : "");
}

int share_push(const struct share_request *request, struct share_result *result, bool *unreached,
	       struct cg_error *err)
{
	struct shared here = { 0 };
	struct share_refused ours = { 0 };
	struct push_attempt a = { .outcome = GIT_PUSH_LATE };
	struct history *h = NULL;
	unsigned unmoved = 0;
	int status = shared_of_project(request, &here, &ours, err);

	if (!status)
		status = history_open(request->root, &h, err);

	for (unsigned i = 0; !status && i < MOST_TRIES && a.outcome == GIT_PUSH_LATE; i++) {
		struct push_attempt before = a;
		a = (struct push_attempt){ 0 };
		share_result_free(result); /* the next attempt reports the same refusals again */
		if (i && !pause_before(request->git, i))
			status = cg_fail(err, CG_EIO, NULL, 0, "interrupted");
		else
			status = try_push(request, h, &here, result, &a, err);
		if (!status)
			judge_lateness(&before, &a, &unmoved);
		free_attempt(&before);
	}
	*unreached = a.unreached;
	if (!status && a.outcome != GIT_PUSHED)
		status = not_taken(&a, unreached, err);
	strings_free(&ours.words);
	history_close(h);
	free_attempt(&a);
	shared_free(&here);
	return status;
}
