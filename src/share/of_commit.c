#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/git/refs.h"
#include "src/share/content.h"
#include "src/share/names.h"

/* A tree may name the same tree many times, so a small one to fetch may be large to read. */
#define MOST_TREE (16ull << 20)     /* bytes of one */
#define MOST_AT_ONCE (256ull << 20) /* of all that one call reads */
#define MOST_ENTRY 200000000ull     /* bytes of all files of one */
enum { MOST_ENTRIES = 20000, MOST_COMMITS = 1000000, FILES_AT_ONCE = 512 };

#define NOT_OURS "irdiff does not write this"
#define OLD "written by an older irdiff, possibly with values of variables or output of the program"
static const char newer[] = "written by a newer irdiff";
#define DAMAGED "its tree is damaged or too large"

/* An item of a tree to be read. */
struct found_object {
	char *name;
	size_t parent; /* which directory it is in */
	struct git_object object;
};

struct found_objects {
	struct found_object *items;
	size_t count, cap;
	char *buffer; /* of all contents */
};

struct commit_reading {
	const struct git *git;
	struct shared *out;
	struct share_refused *refused;
	struct cg_error *err;
};

static void free_found(struct found_objects *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	free(list->buffer);
	*list = (struct found_objects){ 0 };
}

static int add_found(struct found_objects *list, const char *name, size_t parent, const char *id,
		     struct cg_error *err)
{
	struct found_object f = { .name = strdup(name), .parent = parent };
	if (!f.name || cg_grow(&list->items, &list->cap, list->count + 1, sizeof f)) {
		free(f.name);
		return cg_fail_nomem(err);
	}
	memcpy(f.object.id, id, strlen(id) + 1);
	list->items[list->count++] = f;
	return CG_OK;
}

/* Reads `count` objects from `first` on, if they are of this kind and not too large; `content` of
 * others is NULL. */
static int read_found(struct commit_reading *r, struct found_objects *list, size_t first,
		      size_t count, enum git_kind kind, uint64_t most)
{
	struct git_object *objects = calloc(count + 1, sizeof *objects);
	size_t n = 0;
	uint64_t sum = 0;
	if (!objects)
		return cg_fail_nomem(r->err);
	free(list->buffer);
	list->buffer = NULL;
	for (size_t i = 0; i < count; i++)
		objects[i] = list->items[first + i].object;
	int status = git_look_at(r->git, objects, count, r->err);
	for (size_t i = 0; !status && i < count; i++) {
		struct git_object *o = &list->items[first + i].object;
		*o = objects[i];
		if (o->kind != kind || o->size > most || o->size > MOST_AT_ONCE - sum)
			continue;
		sum += o->size;
		objects[n++] = *o;
	}
	if (!status)
		status = git_read(r->git, objects, n, &list->buffer, r->err);
	for (size_t i = 0, next = 0; !status && next < n; i++)
		if (strcmp(list->items[first + i].object.id, objects[next].id) == 0 &&
		    list->items[first + i].object.kind == kind)
			list->items[first + i].object.content = objects[next++].content;
	free(objects);
	return status;
}

/* ---- entries -------------------------------------------------------------- */

static bool name_file(const char *name, size_t *which)
{
	for (*which = 0; *which < SHARE_FILES; ++*which)
		if (strcmp(name, shared_file_name(*which)) == 0)
			return true;
	return false;
}

/* Whether it is a log of the program, as older irdiffs shared. */
static bool is_program_output(const char *name)
{
	for (size_t i = PROFILE_SHARED; i < PROFILE_FILES; i++)
		if (strcmp(name, profile_file_names[i]) == 0)
			return true;
	return false;
}

/* Reads the files of an entry from its tree; returns what is wrong, or NULL. */
static const char *read_entry_files(const struct git_object *tree, struct shared_entry *e)
{
	const char *at = tree->content;
	struct git_tree_item item;
	size_t which;

	if (!at)
		return DAMAGED;
	while (git_tree_next(tree, &at, &item)) {
		if (is_program_output(item.name))
			return OLD;
		if (!name_file(item.name, &which))
			return "it has a file that does not belong in an entry";
		if (item.mode != GIT_MODE_FILE)
			return "it has something other than regular files";
		if (*e->files[which].id)
			return "it has a file twice";
		memcpy(e->files[which].id, item.id, sizeof item.id);
	}
	if (at != tree->content + tree->size)
		return DAMAGED;
	if (!*e->files[0].id || !*e->files[SHARE_KEY].id)
		return "it has no profile or no key";
	if (!*e->files[SHARE_SUMS].id)
		return OLD;
	/* The key in the name is the beginning of the text's digest (revision_key.h): a changed
	 * text has another key. */
	const char *key = strrchr(e->name, '-') + 1;
	return strncmp(e->files[SHARE_KEY].id, key, CACHE_KEY_DIGITS)
		       ? "its key does not match its name"
		       : NULL;
}

static const char *check_sizes(const struct shared_entry *e)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < SHARE_FILES; i++) {
		const struct git_object *o = &e->files[i];
		if (!*o->id)
			continue;
		if (o->kind != GIT_BLOB)
			return "one of its files is missing";
		if (o->size > SHARE_MOST_FILE || (sum += o->size) > MOST_ENTRY)
			return "too large";
	}
	return NULL;
}

/* Finds out kinds and sizes of all files of all entries, by one call. */
static int look_at_files(struct commit_reading *r)
{
	struct shared *s = r->out;
	struct git_object *all = calloc(s->nentries * SHARE_FILES + 1, sizeof *all);
	size_t n = 0, kept = 0;
	if (!all)
		return cg_fail_nomem(r->err);
	for (size_t i = 0; i < s->nentries; i++)
		for (size_t f = 0; f < SHARE_FILES; f++)
			if (*s->entries[i].files[f].id)
				all[n++] = s->entries[i].files[f];
	int status = git_look_at(r->git, all, n, r->err);
	n = 0;
	for (size_t i = 0; !status && i < s->nentries; i++) {
		struct shared_entry *e = &s->entries[i];
		for (size_t f = 0; f < SHARE_FILES; f++)
			if (*e->files[f].id)
				e->files[f] = all[n++];
		const char *wrong = check_sizes(e);
		if (wrong) {
			share_refuse(r->refused, "cache/", e->path, wrong);
			free(e->path);
		} else {
			s->entries[kept++] = *e;
		}
	}
	if (!status)
		s->nentries = kept;
	free(all);
	return status;
}

static int read_committed_entries(struct commit_reading *r, const struct found_objects *trees)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < trees->count; i++) {
		const struct found_object *f = &trees->items[i];
		struct shared_entry e = { .path = strdup(f->name) };
		if (!e.path)
			return cg_fail_nomem(r->err);
		share_entry_parse(e.path, &e.measured, &e.name);
		memcpy(e.id, f->object.id, sizeof e.id);
		const char *wrong = read_entry_files(&f->object, &e);
		if (wrong) {
			share_refuse(r->refused, "cache/", e.path, wrong);
			free(e.path);
		} else {
			status = shared_add_entry(r->out, &e, r->err);
		}
	}
	return status ? status : look_at_files(r);
}

/* ---- directories ---------------------------------------------------------- */

/* Lists the directories in a directory whose names fit. */
static int list_directories(struct commit_reading *r, const char *where,
			    const struct git_object *tree, bool (*fits)(const char *name),
			    size_t most, struct found_objects *out)
{
	const char *at = tree->content;
	struct git_tree_item item;
	int status = CG_OK;

	while (!status && at && git_tree_next(tree, &at, &item)) {
		if (item.mode != GIT_MODE_TREE || !fits(item.name) || out->count == most)
			share_refuse(r->refused, where, item.name,
				     out->count == most ? "too many" : NOT_OURS);
		else
			status = add_found(out, item.name, 0, item.id, r->err);
	}
	if (!at || at != tree->content + tree->size)
		share_refuse(r->refused, "", *where ? where : SHARE_REF, DAMAGED);
	return status;
}

static bool is_shared_part(const char *name)
{
	return strcmp(name, "history") == 0 || strcmp(name, "cache") == 0;
}

static bool is_entry_name(const char *name)
{
	int64_t measured;
	return share_entry_parse(name, &measured, &name);
}

static int read_cache(struct commit_reading *r, const struct git_object *tree)
{
	struct found_objects trees = { 0 };
	int status = list_directories(r, "cache/", tree, is_entry_name, MOST_ENTRIES, &trees);
	if (!status)
		status = read_found(r, &trees, 0, trees.count, GIT_TREE, MOST_TREE);
	if (!status)
		status = read_committed_entries(r, &trees);
	free_found(&trees);
	return status;
}

/* ---- rows ----------------------------------------------------------------- */

/* What is wrong with a row of a file, or NULL. */
static const char *read_committed_row(struct history_reader *reader, const char *line, size_t len,
				      const char *commit, struct shared_fan *fan, int *status)
{
	struct history_run run;

	*status = history_row_read(reader, line, len, commit, 1, &run, NULL);
	if (*status) {
		*status = *status == CG_ENOMEM ? CG_ENOMEM : CG_OK;
		return history_row_is_newer(line, len) ? newer : "not a history row";
	}
	if (shared_row_tells(&run))
		return OLD;
	if (strcmp(run.commit, commit) != 0)
		return "a row of another commit";
	*status = shared_add_row(fan, &run, NULL);
	return NULL;
}

/* Reads the rows of a commit, of which none is taken if one is wrong; a file that git has, and that
 * is written so again, need not be written. */
static const char *read_committed_rows(const struct git_object *o, const char *commit,
				       struct shared_fan *fan, int *status)
{
	struct history_reader reader = { 0 };
	const char *wrong = o->content ? NULL : "missing, or too large";
	const char *at = o->content, *end = wrong ? at : at + o->size;

	while (!wrong && !*status && at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		if (!line_end)
			wrong = "not a history row";
		else
			wrong = read_committed_row(&reader, at, (size_t)(line_end - at), commit,
						   fan, status);
		at = line_end ? line_end + 1 : end;
	}
	history_reader_free(&reader);
	return wrong;
}

/* Forgets the rows of the commit that was added last. */
static void drop_last_commit(struct shared_fan *fan)
{
	struct shared_commit *c = &fan->commits[fan->ncommits - 1];

	for (size_t i = 0; i < c->nrows; i++) {
		free(c->rows[i].key);
		free(c->rows[i].text);
	}
	fan->nrows -= c->nrows;
	free(c->rows);
	fan->ncommits--;
}

static int take_committed_file(struct commit_reading *r, const struct found_object *f,
			       struct shared_fan *fan)
{
	char commit[SHARE_ROWS_NAME];
	size_t before = fan->ncommits;
	int status = CG_OK;

	share_commit_of(f->name, commit);
	const char *wrong = read_committed_rows(&f->object, commit, fan, &status);
	struct shared_commit *c = fan->ncommits > before ? &fan->commits[before] : NULL;
	if (!wrong && !c)
		wrong = "it has no rows";
	if (!wrong && !shared_sort_rows(c))
		wrong = "it has a row twice";
	if (!wrong && !status)
		snprintf(c->blob, sizeof c->blob, "%s", f->object.id);
	if (wrong && c)
		drop_last_commit(fan);
	if (wrong && !status) {
		share_refuse(r->refused, "history/", f->name, wrong);
		r->refused->newer |= wrong == newer;
		fan->refused = true;
	}
	return status ? cg_fail_nomem(r->err) : CG_OK;
}

static const char *judge_file(const struct git_tree_item *item, unsigned fan, const char *last,
			      size_t count)
{
	char commit[SHARE_ROWS_NAME];

	if (item->mode != GIT_MODE_FILE)
		return NOT_OURS;
	if (item->name[strspn(item->name, "0123456789abcdef")] == '-')
		return OLD;
	if (!share_commit_of(item->name, commit) || history_fan_of(commit) != fan)
		return NOT_OURS;
	if (last && strcmp(last, item->name) >= 0)
		return "out of order, or duplicate";
	return count == MOST_COMMITS ? "too many" : NULL;
}

/* Lists the files of a fan. */
static int list_fan(struct commit_reading *r, const struct git_object *tree, size_t which,
		    struct shared_fan *fan, struct found_objects *out)
{
	const char *at = tree->content, *last = NULL;
	struct git_tree_item item;
	char name[HISTORY_FAN_NAME];
	int status = CG_OK;

	while (!status && at && git_tree_next(tree, &at, &item)) {
		const char *wrong = judge_file(&item, fan->number, last, out->count);
		if (wrong) {
			share_refuse(r->refused, "history/", item.name, wrong);
			fan->refused = true;
			continue;
		}
		last = item.name;
		status = add_found(out, item.name, which, item.id, r->err);
	}
	if (!at || at != tree->content + tree->size) {
		history_fan_name(fan->number, name);
		share_refuse(r->refused, "history/", name, DAMAGED);
		fan->refused = true;
	}
	return status;
}

/* Whether a file was left for later, because there was no room for all. */
static bool is_left(const struct git_object *o)
{
	return !o->content && o->kind == GIT_BLOB && o->size <= SHARE_MOST_FILE;
}

/* Reads files, as many at once as there is room for. */
static int read_row_files(struct commit_reading *r, struct found_objects *files,
			  struct shared_fan *const *fans)
{
	int status = CG_OK;

	for (size_t next = 0; !status && next < files->count;) {
		size_t first = next, left = files->count - first;
		size_t end = first + (left < FILES_AT_ONCE ? left : FILES_AT_ONCE);
		status = read_found(r, files, first, end - first, GIT_BLOB, SHARE_MOST_FILE);
		for (; !status && next < end; next++) {
			const struct found_object *f = &files->items[next];
			if (is_left(&f->object) && next > first)
				break;
			status = take_committed_file(r, f, fans[f->parent]);
		}
	}
	return status;
}

int shared_read_fans(const struct git *git, struct shared_fan *const *fans, size_t count,
		     struct share_refused *refused, struct cg_error *err)
{
	struct commit_reading r = { git, NULL, refused, err };
	struct found_objects trees = { 0 }, files = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++)
		if (*fans[i]->tree)
			status = add_found(&trees, "", i, fans[i]->tree, err);
	if (!status)
		status = read_found(&r, &trees, 0, trees.count, GIT_TREE, MOST_TREE);
	for (size_t i = 0; !status && i < trees.count; i++) {
		size_t which = trees.items[i].parent;
		status = list_fan(&r, &trees.items[i].object, which, fans[which], &files);
	}
	if (!status)
		status = read_row_files(&r, &files, fans);
	free_found(&files);
	free_found(&trees);
	return status;
}

static int read_history(struct commit_reading *r, const struct git_object *tree)
{
	struct found_objects fans = { 0 };
	int status = list_directories(r, "history/", tree, share_is_fan, HISTORY_FANS, &fans);

	for (size_t i = 0; !status && i < fans.count; i++) {
		const struct found_object *f = &fans.items[i];
		unsigned number = history_fan_of(f->name);
		struct shared_fan *fan = &r->out->fans[number];
		fan->number = number;
		if (*fan->tree)
			share_refuse(r->refused, "history/", f->name, "duplicate");
		else
			snprintf(fan->tree, sizeof fan->tree, "%s", f->object.id);
	}
	free_found(&fans);
	return status;
}

/* ---- the commit ----------------------------------------------------------- */

static int read_parts(struct commit_reading *r, const char *tree)
{
	struct found_objects top = { 0 }, parts = { 0 };
	int status = add_found(&top, "", 0, tree, r->err);
	if (!status)
		status = read_found(r, &top, 0, 1, GIT_TREE, MOST_TREE);
	if (!status)
		status = list_directories(r, "", &top.items[0].object, is_shared_part, 2, &parts);
	if (!status)
		status = read_found(r, &parts, 0, parts.count, GIT_TREE, MOST_TREE);
	for (size_t i = 0; !status && i < parts.count; i++)
		status = strcmp(parts.items[i].name, "cache") == 0
				 ? read_cache(r, &parts.items[i].object)
				 : read_history(r, &parts.items[i].object);
	free_found(&parts);
	free_found(&top);
	return status;
}

int shared_of_commit(const struct git *git, const char *id, struct shared *out,
		     struct share_refused *refused, struct cg_error *err)
{
	struct commit_reading r = { git, out, refused, err };
	char *tree;

	if (git_tree_of(git, id, &tree, NULL)) {
		share_refuse(refused, "", SHARE_REF, "not a commit with a tree");
		return CG_OK;
	}
	int status = git_is_id(tree) ? read_parts(&r, tree) : CG_OK;
	free(tree);
	if (!status)
		shared_sort(out, refused);
	return status;
}
