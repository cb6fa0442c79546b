#include "src/commits/same_build.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/commits/revision_entry.h"
#include "src/diff/run_notes.h"
#include "src/load/stored_variant.h"

/* ---- keys ---- */

/* The value of a line "NAME: VALUE", up to the newline. NULL: there is no such line. */
static const char *key_value(const char *text, const char *name)
{
	const size_t len = strlen(name);

	while (*text) {
		if (strncmp(text, name, len) == 0 && strncmp(text + len, ": ", 2) == 0)
			return text + len + 2;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return NULL;
}

static bool are_same_values(const char *a, const char *b)
{
	const size_t len = a ? strcspn(a, "\n") : 0;

	return a && b ? len == strcspn(b, "\n") && strncmp(a, b, len) == 0 : !a && !b;
}

int same_build_tree(const char *of, const char *key, char **tree, struct cg_error *err)
{
	const char *a = key_value(of, "files"), *b = key_value(key, "files");

	*tree = NULL;
	if (!a || !b || !are_same_values(key_value(of, "copied"), key_value(key, "copied")))
		return CG_OK;
	const size_t id = strspn(a, "0123456789abcdef");
	if (id == 0 || a[id] != ' ' || !are_same_values(a + id, b + strcspn(b, " \n")))
		return CG_OK;
	*tree = strndup(a, id);
	return *tree ? CG_OK : cg_fail_nomem(err);
}

/* ---- files ---- */

static bool has_used_none(const struct build_area *w, const struct strings *paths,
			  const char *entry)
{
	struct used_files used;
	bool none = !stored_used_files_load(w->project->root, entry, &used, NULL) && used.known &&
		    !used_files_have_asked_git(&used);

	for (size_t i = 0; none && i < paths->count; i++)
		none = !used_files_have_named(&used, paths->items[i]);
	used_files_free(&used);
	return none;
}

/* Wherever they were when it was compiled. */
static bool is_among_names(const struct strings *paths, const char *file)
{
	for (size_t i = 0; i < paths->count; i++)
		if (strcmp(cg_base_name(paths->items[i]), cg_base_name(file)) == 0)
			return true;
	return false;
}

static bool has_no_source_among(const struct cg_profile *p, const struct strings *paths)
{
	bool none = !cg_desc_value(p, RUN_NOTES_PREFIX "copied");
	cg_str last = 0;

	for (uint32_t i = 1; none && i < p->nlines; i++) {
		if (p->lines[i].file == last)
			continue;
		last = p->lines[i].file;
		none = !is_among_names(paths, cg_string(p, last));
	}
	return none;
}

static bool was_made_of_none(const struct build_area *w, const struct strings *paths,
			     const char *entry)
{
	struct cg_profile *p = entry_lines(w, entry);
	const bool none = p && has_no_source_among(p, paths);

	cg_profile_free(p);
	return none;
}

bool same_build_has_files(struct build_area *w, const struct revision *side, const char *tree,
			  const char *entry)
{
	const struct content_change *change;

	return !content_changes_find(&w->content_changes, w->git, tree, &side->files, &change,
				     NULL) &&
	       change->only && has_used_none(w, &change->paths, entry) &&
	       was_made_of_none(w, &change->paths, entry);
}
