#include "src/commits/same_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commits/revision_build.h"
#include "src/commits/revision_entry.h"
#include "src/commits/revision_find.h"
#include "src/commits/revision_plan.h"
#include "src/commits/same_build.h"
#include "src/diff/run_notes.h"
#include "src/load/stored_variant.h"
#include "src/measure/source_digest.h"
#include "src/run/build.h"
#include "src/run/count.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/store/packed.h"
#include "src/store/publish.h"

enum { DEPENDENCIES_MAX = 64 << 20 };

struct same_run {
	struct build_area *w;
	const struct revision *side;
	const struct config_benchmark *b;
	bool is_built; /* the revision, at the place */
	char *tree;    /* if not: that of the revision whose entry is looked at */
};

/* ---- the settings ---- */

/* What may differ, as it shows in the files that the run names. */
static bool is_line_of_files(const char *line)
{
	static const char *const names[] = { "commit: ", "files: ", "copied: " };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(line, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static const char *skip_lines_of_files(const char *text)
{
	while (is_line_of_files(text)) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

/* Whether two keys have the same settings, and nothing is missing in either revision. */
static bool has_same_settings(const char *a, const char *b)
{
	for (;;) {
		a = skip_lines_of_files(a);
		b = skip_lines_of_files(b);
		const size_t len = strcspn(a, "\n");
		if (len != strcspn(b, "\n") || strncmp(a, b, len) != 0)
			return false;
		if (!a[len] || !b[len])
			return a[len] == b[len];
		a += len + 1;
		b += len + 1;
	}
}

/* Also finds the tree of an entry if that matters. */
static bool is_entry_with_settings(struct same_run *s, const char *name, const char *text)
{
	char *key = NULL;
	bool is = !cache_read_key(s->w->project->root, name, &key, NULL) &&
		  has_same_settings(key, text);

	free(s->tree);
	s->tree = NULL;
	if (is && !s->is_built)
		is = cache_is_of_commit(name) && !same_build_tree(key, text, &s->tree, NULL) &&
		     s->tree;
	free(key);
	return is;
}

/* ---- the files ---- */

/* A line is a state, a blank and a path. Of a revision that is not built, the files of the project
 * are compared otherwise (same_build.h). */
static bool is_line_true(const struct same_run *s, const char *line)
{
	static const char listing[] = "listing:";
	const char *blank = strchr(line, ' ');
	char *path, state[PATH_STATE_SIZE];

	if (blank && blank[1] == '.' && !s->is_built)
		return true;
	if (!blank || asprintf(&path, "%s%s", blank[1] == '.' ? s->w->here.slot.path : "",
			       blank + 1 + (blank[1] == '.')) < 0)
		return false;
	if (strncmp(line, listing, sizeof listing - 1) == 0)
		path_state_of_listing(path, state);
	else
		path_state(&s->w->states, path, state);
	free(path);
	return strlen(state) == (size_t)(blank - line) &&
	       strncmp(line, state, strlen(state)) == 0 && strcmp(state, PATH_STATE_UNKNOWN) != 0;
}

static bool are_dependencies_same(const struct same_run *s, const char *entry)
{
	char *directory = cache_path(s->w->project->root, entry), *text = NULL;
	struct profile_paths files = { 0 };
	size_t size;
	bool same = directory && !work_paths_of(directory, &files, NULL) &&
		    !packed_read(files.dependencies, DEPENDENCIES_MAX, &text, &size, NULL) && size;

	for (char *line = text, *end; same && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end) {
			same = false;
			break;
		}
		*end = '\0';
		same = is_line_true(s, line);
	}
	free(text);
	profile_paths_free(&files);
	free(directory);
	return same;
}

/* ---- the sources ---- */

/* Whether the program is what its sources say. One that stays the same although they change was
 * copied, or is not what the build makes: it is run, so that both profiles show it. */
static bool is_of_sources(const struct same_run *s, const struct cg_profile *p)
{
	const char *const places[] = { s->w->git->top, BUILD_PLACE };
	const char *then = cg_desc_value(p, RUN_NOTES_PREFIX "sources");
	char now[SOURCE_DIGEST];

	return !cg_desc_value(p, RUN_NOTES_PREFIX "copied") &&
	       !source_digest(p, s->w->here.slot.path, places, sizeof places / sizeof *places, now,
			      NULL) &&
	       strcmp(then ? then : "", now) == 0;
}

static bool are_sources_same(const struct same_run *s, const char *entry)
{
	struct cg_profile *p = entry_lines(s->w, entry);
	const bool same = p && is_of_sources(s, p);

	cg_profile_free(p);
	return same;
}

/* ---- entries ---- */

static bool is_made_alike(const struct same_run *s, const char *entry)
{
	return s->is_built ? are_sources_same(s, entry)
			   : same_build_has_files(s->w, s->side, s->tree, entry);
}

static bool may_be_taken(const struct same_run *s, const char *name,
			 const struct path_list *entries)
{
	const char *root = s->w->project->root;
	bool may = path_list_has(entries, name) || !entry_check_list(s->w, name, NULL);

	if (s->side->first_hand)
		may = may && !cache_is_fetched(root, name);
	for (size_t i = 0; may && i < entries->count; i++)
		may = !(s->side->first_hand && cache_is_fetched(root, entries->paths[i])) &&
		      are_dependencies_same(s, entries->paths[i]) &&
		      !entry_check(s->w, NULL, s->b, entries->paths[i], NULL) &&
		      is_made_alike(s, entries->paths[i]);
	return may;
}

static int try_entry(const struct same_run *s, const char *name, struct path_list *entries,
		     struct cg_error *err)
{
	bool whole = true;
	int status = revision_list_entries(s->w, s->b, name, entries, &whole, err);

	if (status || !whole || !may_be_taken(s, name, entries))
		path_list_free(entries);
	return status;
}

/* An entry that was used long ago is of a revision that has little to do with this one; of many, to
 * look at all of them would take longer than to build. */
static size_t most_entries(const struct same_run *s)
{
	enum { MOST_OF_UNBUILT = 8 };

	return s->is_built ? SIZE_MAX : MOST_OF_UNBUILT;
}

int same_run_find(struct build_area *w, const struct revision *side,
		  const struct config_benchmark *b, const char *text, struct path_list *entries,
		  struct cg_error *err)
{
	struct same_run s = { w, side, b, revision_is_made(w, side), NULL };
	struct path_list names = { 0 };
	size_t tried = 0;

	if (side->gaps || revision_only_case(w, b))
		return CG_OK;
	int status = cache_names_by_use(w->project->root, b->name, &names, err);
	for (size_t i = 0; !status && !entries->count && i < names.count; i++) {
		if (!is_entry_with_settings(&s, names.paths[i], text))
			continue;
		if (tried++ == most_entries(&s))
			break;
		status = try_entry(&s, names.paths[i], entries, err);
	}
	free(s.tree);
	path_list_free(&names);
	return status;
}

/* ---- sharing them ---- */

static void print_used_text(const void *text, FILE *to)
{
	fputs(text, to);
}

/* What the run used together with the build that was made of this revision; without one, it would
 * have used the same. */
static int write_used_files(const struct build_area *w, const struct revision *side,
			    const char *entry, const char *work, struct cg_error *err)
{
	const char *names = revision_is_made(w, side) ? w->here.build_names : "";
	struct used_files used = { 0 };
	struct profile_paths files = { 0 };
	char *text = NULL;
	int status = work_paths_of(work, &files, err);

	if (!status)
		status = stored_used_files_load(w->project->root, entry, &used, err);
	if (!status && names)
		status = used_files_find_again(&used, names, w->here.slot.path, side->changes,
					       &text, err);
	if (!status && text)
		status = packed_write(files.used_files, print_used_text, text, err);
	free(text);
	used_files_free(&used);
	profile_paths_free(&files);
	return status;
}

/* Makes an entry called `name`, or after the case, with the files of another. */
static int share_entry(const struct build_area *w, const struct revision *side,
		       const struct config_benchmark *b, const char *name, const char *text,
		       const char *entry, struct path_list *own, struct cg_error *err)
{
	struct work_directory work = { 0 };
	char *subject = cache_benchmark(entry);
	char *mine = !subject                        ? NULL
		     : strcmp(subject, b->name) == 0 ? strdup(name)
						     : cache_name_of_case(name, subject);
	int status = mine ? store_work_begin(w->project->root, &work, err) : cg_fail_nomem(err);

	if (!status)
		status = write_used_files(w, side, entry, work.path, err);
	if (!status)
		status = cache_publish_same_run(w->project->root, mine, work.path, text, entry,
						err);
	if (!status)
		status = path_list_add(own, mine, err);
	store_work_end(&work);
	free(mine);
	free(subject);
	return status;
}

/* The heap is listed nowhere. */
static bool is_listed_case(const struct config_benchmark *b, const char *entry)
{
	char *subject = cache_benchmark(entry), *heap = label_of_case(b->name, LABEL_HEAP);
	const bool is_heap = (b->count & COUNT_HEAP) && subject && heap && !strcmp(subject, heap);

	free(heap);
	free(subject);
	return !is_heap;
}

static int list_shared_cases(const struct build_area *w, const struct config_benchmark *b,
			     const char *name, const char *text, const struct path_list *own,
			     struct cg_error *err)
{
	struct work_directory work = { 0 };
	struct path_list cases = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < own->count; i++)
		if (is_listed_case(b, own->paths[i]))
			status = path_list_add(&cases, own->paths[i], err);
	if (!status)
		status = store_work_begin(w->project->root, &work, err);
	if (!status)
		status = cache_publish_cases(w->project->root, name, work.path, text, &cases, err);
	store_work_end(&work);
	path_list_free(&cases);
	return status;
}

int same_run_share(const struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, const char *name, const char *text,
		   struct path_list *entries, struct cg_error *err)
{
	struct path_list own = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < entries->count; i++)
		status = share_entry(w, side, b, name, text, entries->paths[i], &own, err);
	if (!status && !path_list_has(&own, name))
		status = list_shared_cases(w, b, name, text, &own, err);
	path_list_free(entries);
	*entries = own;
	return status;
}
