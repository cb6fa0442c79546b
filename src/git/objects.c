#include "src/git/objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/git/refs.h"

/* ---- reading -------------------------------------------------------------- */

/* The ids, one on each line. NULL: out of memory. */
static char *lines_of(const struct git_object *objects, size_t count)
{
	char *text = malloc(count * GIT_ID_SIZE + 1), *to = text;
	for (size_t i = 0; text && i < count; i++) {
		size_t len = strlen(objects[i].id);
		memcpy(to, objects[i].id, len);
		to[len] = '\n';
		to += len + 1;
	}
	if (text)
		*to = '\0';
	return text;
}

static int ask_cat_file(const struct git *git, const char *how, const struct git_object *objects,
			size_t count, char **answer, size_t *size, struct cg_error *err)
{
	const char *const args[] = { "cat-file", how, NULL };
	char *ids = lines_of(objects, count);
	if (!ids)
		return cg_fail_nomem(err);
	const struct git_call call = { .args = args, .input = ids, .input_size = strlen(ids) };
	int status = git_run(git, &call, answer, size, err);
	free(ids);
	return status;
}

static int strange_answer(struct cg_error *err)
{
	return cg_fail(err, CG_EIO, NULL, 0, "unexpected output of git cat-file; try 'git fsck'");
}

/* Reads "ID KIND SIZE\n" or "ID missing\n" and returns what follows; NULL: it is neither. */
static const char *take_header(const char *at, const char *end, struct git_object *o)
{
	static const char *const kinds[] = { " missing", " blob ", " tree ", " commit ", " tag " };
	size_t len = strlen(o->id);

	if ((size_t)(end - at) < len || memcmp(at, o->id, len) != 0)
		return NULL;
	at += len;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char *end_of_size;
		if (strncmp(at, kinds[i], strlen(kinds[i])) != 0)
			continue;
		o->kind = (enum git_kind)i;
		at += strlen(kinds[i]);
		o->size = i ? strtoumax(at, &end_of_size, 10) : 0;
		at = i ? end_of_size : at;
		return *at == '\n' ? at + 1 : NULL;
	}
	return NULL;
}

int git_look_at(const struct git *git, struct git_object *objects, size_t count,
		struct cg_error *err)
{
	char *answer;
	size_t size;
	if (!count)
		return CG_OK;
	int status = ask_cat_file(git, "--batch-check", objects, count, &answer, &size, err);
	if (status)
		return status;
	const char *at = answer;
	for (size_t i = 0; at && i < count; i++)
		at = take_header(at, answer + size, &objects[i]);
	free(answer);
	return at ? CG_OK : strange_answer(err);
}

int git_read(const struct git *git, struct git_object *objects, size_t count, char **buffer,
	     struct cg_error *err)
{
	char *answer = NULL;
	size_t size = 0;
	int status = count ? ask_cat_file(git, "--batch", objects, count, &answer, &size, err)
			   : CG_OK;
	if (status)
		return status;
	const char *at = answer, *end = answer + size;
	for (size_t i = 0; at && i < count; i++) {
		at = take_header(at, end, &objects[i]);
		if (!at || (uint64_t)(end - at) <= objects[i].size || at[objects[i].size] != '\n') {
			free(answer);
			return strange_answer(err);
		}
		objects[i].content = at;
		answer[(size_t)(at - answer) + objects[i].size] = '\0';
		at += objects[i].size + 1;
	}
	*buffer = answer;
	return CG_OK;
}

/* ---- trees ---------------------------------------------------------------- */

bool git_tree_next(const struct git_object *tree, const char **at, struct git_tree_item *out)
{
	enum { MOST_DIGITS = 6 };
	const char *end = tree->content + tree->size, *p = *at;
	size_t bytes = strlen(tree->id) / 2;
	unsigned mode = 0;

	for (int i = 0; i < MOST_DIGITS && p < end && *p >= '0' && *p <= '7'; i++)
		mode = mode * 8 + (unsigned)(*p++ - '0');
	if (p == *at || p == end || *p++ != ' ')
		return false;
	const char *nul = memchr(p, '\0', (size_t)(end - p));
	if (!nul || nul == p || (size_t)(end - nul - 1) < bytes)
		return false;
	out->mode = mode;
	out->name = p;
	for (size_t i = 0; i < bytes; i++)
		snprintf(out->id + 2 * i, 3, "%02x", (unsigned char)nul[1 + i]);
	*at = nul + 1 + bytes;
	return true;
}

static int append_to_listing(struct git_listing *l, const char *text, size_t size,
			     struct cg_error *err)
{
	if (cg_grow(&l->text, &l->cap, l->size + size, 1))
		return cg_fail_nomem(err);
	memcpy(l->text + l->size, text, size);
	l->size += size;
	return CG_OK;
}

int git_listing_add(struct git_listing *listing, const struct git_tree_item *item,
		    struct cg_error *err)
{
	char *line;
	int len = asprintf(&line, "%06o %s %s\t%s", item->mode,
			   item->mode == GIT_MODE_TREE ? "tree" : "blob", item->id, item->name);
	if (len < 0)
		return cg_fail_nomem(err);
	int status = append_to_listing(listing, line, (size_t)len + 1, err);
	free(line);
	return status;
}

/* Appends the ids of an answer with one on each line. */
static int take_ids(char *answer, size_t count, struct strings *ids, struct cg_error *err)
{
	int status = CG_OK;
	for (char *end; !status && count; count--, answer = end) {
		end = answer + strcspn(answer, "\n");
		if (*end)
			*end++ = '\0';
		status = git_is_id(answer)
				 ? strings_add(ids, answer, err)
				 : cg_fail(err, CG_EIO, NULL, 0,
					   "git did not print the id of an object it wrote");
	}
	return status;
}

static int write_many(const struct git *git, const char *const *args, const struct git_listing *in,
		      size_t count, struct strings *ids, struct cg_error *err)
{
	const struct git_call call = { .args = args, .input = in->text, .input_size = in->size };
	char *answer;
	int status = git_run(git, &call, &answer, NULL, err);
	if (status)
		return status;
	status = take_ids(answer, count, ids, err);
	free(answer);
	return status;
}

int git_write_trees(const struct git *git, const struct git_listing *listings, size_t count,
		    struct strings *ids, struct cg_error *err)
{
	static const char *const args[] = { "mktree", "-z", "--batch", NULL };
	struct git_listing all = { 0 };
	int status = CG_OK;

	/* an empty record ends a tree */
	for (size_t i = 0; !status && i < count; i++) {
		if (listings[i].size)
			status = append_to_listing(&all, listings[i].text, listings[i].size, err);
		if (!status)
			status = append_to_listing(&all, "", 1, err);
	}
	if (!status && count)
		status = write_many(git, args, &all, count, ids, err);
	free(all.text);
	return status;
}

int git_write_files(const struct git *git, const struct strings *paths, struct strings *ids,
		    struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "-w", "--no-filters", "--stdin-paths",
					    NULL };
	struct git_listing all = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < paths->count; i++) {
		status = append_to_listing(&all, paths->items[i], strlen(paths->items[i]), err);
		if (!status)
			status = append_to_listing(&all, "\n", 1, err);
	}
	if (!status && paths->count)
		status = write_many(git, args, &all, paths->count, ids, err);
	free(all.text);
	return status;
}

int git_write_commit(const struct git *git, const char *tree, const char *parent,
		     const char *message, char **id, struct cg_error *err)
{
	static const char *const settings[] = { "user.name=irdiff", "user.email=irdiff@localhost",
						NULL };
	const char *const args[] = { "commit-tree", "--no-gpg-sign",      "-m",   message,
				     tree,          parent ? "-p" : NULL, parent, NULL };
	const struct git_call call = { .args = args, .settings = settings };
	struct strings ids = { 0 };
	char *answer;
	int status = git_run(git, &call, &answer, NULL, err);
	if (status)
		return status;
	status = take_ids(answer, 1, &ids, err);
	free(answer);
	*id = status ? NULL : ids.items[0];
	if (!status)
		ids.count = 0;
	strings_free(&ids);
	return status;
}
