#include "src/commits/bisecting_place.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/revision_measure.h"
#include "src/diff/environment.h"
#include "src/load/load.h"

static int compare_bisected_places(const struct bisection *b, const char *entry, bool *differ,
				   struct cg_error *err)
{
	const struct load_options options = { .read = { .fold_inlined = true }, .silent = true };
	const struct project *project = b->area->project;
	struct loaded first = { 0 }, other = { 0 };
	struct environment_diff environment = { 0 };
	const char *operand = b->first;
	int status = load_profile(project, &operand, 1, &options, &first, err);

	if (!status)
		status = load_profile(project, &entry, 1, &options, &other, err);
	if (!status && environment_compare(first.profile, other.profile, &environment))
		status = cg_fail_nomem(err);
	*differ = !status && environment.moving;
	environment_diff_free(&environment);
	loaded_free(&first);
	loaded_free(&other);
	return status;
}

/* Whether an entry is from another environment than the first entry. If there is no first entry
 * yet, this one becomes it. */
static enum ending find_bisected_place(struct bisection *b, const char *entry, bool *differs)
{
	struct cg_error err;
	int status = CG_OK;

	*differs = false;
	if (!b->first)
		status = (b->first = strdup(entry)) ? CG_OK : cg_fail_nomem(&err);
	else if (strcmp(b->first, entry) != 0)
		status = compare_bisected_places(b, entry, differs, &err);
	return status ? build_area_failed(b->area, b->area->project->notices, &err) : ENDED_FINE;
}

static enum ending say_elsewhere(struct bisection *b, const struct revision *side)
{
	notice_message(
		b->area->project->notices,
		"%s@%s cannot be compared with good, which was measured in another environment",
		b->benchmark->name, side->name);
	b->moved = true;
	return ENDED_UNTRUSTED;
}

/* Measures an entry again if it is not of the environment of all others, and sets *again. */
static enum ending bring_here(struct bisection *b, struct revision *side, const char *entry,
			      bool *again)
{
	bool differs = b->here && !b->first, tried = *again;
	enum ending ending = ENDED_FINE;

	*again = false;
	if (!differs || tried)
		ending = find_bisected_place(b, entry, &differs);
	if (ending || !differs)
		return ending;
	if (tried)
		return say_elsewhere(b, side);
	if (!b->area->options.quiet)
		notice_message(b->area->project->notices,
			       "%s@%s was measured in another environment; measuring it again",
			       b->benchmark->name, side->name);
	*again = true;
	return revision_measure_again(b->area, side, b->benchmark);
}

enum ending bisect_measure(struct bisection *b, struct revision *side, struct path_list *entries)
{
	bool again = false;

	do {
		path_list_free(entries);
		enum ending ending = revision_measure(b->area, side, b->benchmark, entries);
		if (!entries->count)
			return ending;
		enum ending failed = bring_here(b, side, entries->paths[0], &again);
		if (failed)
			path_list_free(entries);
		if (failed || !again)
			return failed ? failed : ending;
	} while (true);
}

enum ending bisect_measure_one(struct bisection *b, struct revision *side, char **entry)
{
	bool again = false;
	enum ending ending;

	do {
		free(*entry);
		*entry = NULL;
		ending = revision_measure_one(b->area, side, b->benchmark, b->name, entry);
		if (!ending)
			ending = bring_here(b, side, *entry, &again);
	} while (!ending && again);
	return ending;
}
