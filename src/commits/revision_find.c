#include "src/commits/revision_find.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/revision_entry.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/run/count.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/text/text.h"

/* The entry of the heap has a name made of that of the benchmark, but is listed nowhere. */
static int add_heap_entry(const struct build_area *w, const struct config_benchmark *b,
			  const char *name, struct path_list *entries, bool *whole,
			  struct cg_error *err)
{
	char *label = label_of_case(b->name, LABEL_HEAP);
	char *entry = label ? cache_name_of_case(name, label) : NULL;
	int status = entry ? path_list_add(entries, entry, err) : cg_fail_nomem(err);

	if (!status && !cache_use(w->project->root, entry))
		*whole = false;
	free(label);
	free(entry);
	return status;
}

/* Appends the entry of the case that alone is asked for, if there is one. */
static int list_only_case(const struct build_area *w, const struct config_benchmark *b,
			  const char *name, struct path_list *entries, struct cg_error *err)
{
	const char *only = revision_only_case(w, b);
	char *entry = only ? cache_name_of_case(name, only) : NULL;
	int status = only && !entry ? cg_fail_nomem(err) : CG_OK;

	if (entry && cache_use(w->project->root, entry))
		status = path_list_add(entries, entry, err);
	free(entry);
	return status;
}

int revision_list_entries(const struct build_area *w, const struct config_benchmark *b,
			  const char *name, struct path_list *entries, bool *whole,
			  struct cg_error *err)
{
	size_t before = entries->count;
	int status = list_only_case(w, b, name, entries, err);

	if (status || entries->count > before)
		return status;
	status = cache_cases(w->project->root, name, entries, whole, err);
	if (!status && entries->count == before)
		status = path_list_add(entries, name, err);
	if (!status && (b->count & COUNT_HEAP))
		status = add_heap_entry(w, b, name, entries, whole, err);
	return status;
}

static void warn_about_entry(const struct notices *n, const char *entry,
			     const struct cg_error *wrong)
{
	struct notice m;
	const char *slash = strrchr(wrong->file, '/'), *file = slash ? slash + 1 : "";

	notice_begin(&m, n, NOTICE_WARNING);
	fputs("ignoring the cache entry ", m.to);
	text_print_name(m.to, entry, 0);
	fputs(" and measuring again: ", m.to);
	if (*file && strcmp(file, entry) != 0)
		fprintf(m.to, "%s: ", file);
	text_print_name(m.to, wrong->message, 0);
	notice_end(&m);
}

static bool is_sound_entry(const struct build_area *w, struct revision *side,
			   const struct config_benchmark *b, const char *name, bool is_list)
{
	struct cg_error wrong;

	if (revision_trusts_entry(side, name))
		return true;
	if (is_list ? entry_check_list(w, name, &wrong) : entry_check(w, side, b, name, &wrong)) {
		warn_about_entry(w->project->notices, name, &wrong);
		return false;
	}
	revision_trust_entry(side, name);
	return true;
}

/* Whether the entries are what their names claim. */
static bool are_sound(const struct build_area *w, struct revision *side,
		      const struct config_benchmark *b, const char *name,
		      const struct path_list *entries)
{
	bool sound = path_list_has(entries, name) || is_sound_entry(w, side, b, name, true);

	for (size_t i = 0; sound && i < entries->count; i++)
		sound = is_sound_entry(w, side, b, entries->paths[i], false);
	return sound;
}

/* That of the one case that is asked for, or of the benchmark; *name is NULL if the
 * cache has neither. */
static int find_entry_of_key(const struct build_area *w, const struct revision *side,
			     const struct config_benchmark *b, const char *key, const char *text,
			     char **name, struct cg_error *err)
{
	const char *const subjects[] = { revision_only_case(w, b), b->name };

	for (size_t i = 0; i < 2 && !*name; i++) {
		if (!subjects[i])
			continue;
		*name = cache_name(subjects[i], side->commit.id, side->files.changed, key);
		if (!*name)
			return cg_fail_nomem(err);
		if (!cache_has(w->project->root, *name, text)) {
			free(*name);
			*name = NULL;
		}
	}
	return CG_OK;
}

int revision_find_entries(const struct build_area *w, struct revision *side,
			  const struct config_benchmark *b, const char *key, const char *text,
			  struct path_list *entries, struct cg_error *err)
{
	char *name = NULL;
	bool whole = true;
	int status = find_entry_of_key(w, side, b, key, text, &name, err);

	if (!status && name)
		status = revision_list_entries(w, b, name, entries, &whole, err);
	/* Whoever made up the list of the cases might have left some out. */
	if (!status && name && side->first_hand)
		whole = whole && !cache_is_fetched(w->project->root, name);
	for (size_t i = 0; !status && side->first_hand && i < entries->count; i++)
		whole = whole && !cache_is_fetched(w->project->root, entries->paths[i]);
	if (!status && name && whole)
		whole = are_sound(w, side, b, name, entries);
	if (!whole)
		path_list_free(entries);
	free(name);
	return status;
}
