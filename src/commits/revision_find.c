#include "src/commits/revision_find.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/revision_entry.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/run/count.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/store/sums.h"
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

/* Whether the entries are what their names claim; those that this command has measured are. */
static bool are_sound(const struct build_area *w, const struct revision *side,
		      const struct config_benchmark *b, const char *name,
		      const struct path_list *entries)
{
	struct cg_error wrong;
	char *directory = cache_path(w->project->root, name);
	bool sound = directory && !sums_check(directory, &wrong);

	if (!sound && directory)
		warn_about_entry(w->project->notices, name, &wrong);
	free(directory);
	for (size_t i = 0; sound && i < entries->count; i++) {
		sound = revision_has_measured_entry(side, entries->paths[i]) ||
			!entry_check(w, side, b, entries->paths[i], &wrong);
		if (!sound)
			warn_about_entry(w->project->notices, entries->paths[i], &wrong);
	}
	return sound;
}

int revision_find_entries(const struct build_area *w, const struct revision *side,
			  const struct config_benchmark *b, const char *key, const char *text,
			  struct path_list *entries, struct cg_error *err)
{
	const char *only = revision_only_case(w, b);
	char *name = NULL;
	bool whole = true;
	int status = only ? cache_find(w->project->root, only, key, text, &name, err) : CG_OK;

	if (!status && !name)
		status = cache_find(w->project->root, b->name, key, text, &name, err);
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
