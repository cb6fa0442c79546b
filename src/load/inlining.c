#include "src/load/inlining.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/diff.h"
#include "src/diff/metric.h"

bool inlines_folded(const char *choice)
{
	return strcmp(choice, "no") == 0;
}

bool inlines_interpreters(const char *choice)
{
	return strcmp(choice, "all") == 0;
}

enum inlines_lookup inlines_lookup(const char *choice)
{
	return strcmp(choice, "approximate") == 0                           ? LOOKUP_LINES
	       : strcmp(choice, "yes") == 0 || inlines_interpreters(choice) ? LOOKUP_ADDRESSES
									    : LOOKUP_WORTHWHILE;
}

/* Takes `reason` and `object`, two texts in one allocation that is ours from now on. */
static int add_missing_object(struct inlining *i, char *text, const char *object,
			      const char *reason)
{
	if (cg_grow(&i->texts, &i->texts_cap, i->ntexts + 1, sizeof *i->texts) ||
	    cg_grow(&i->missing, &i->missing_cap, i->report.nmissing + 1, sizeof *i->missing)) {
		free(text);
		return CG_ENOMEM;
	}
	i->texts[i->ntexts++] = text;
	i->missing[i->report.nmissing++] = (struct report_unresolved){ object, reason };
	i->report.missing = i->missing;
	return CG_OK;
}

static char *missing_text(const struct cg_inlines *in, const struct cg_inlines_object *object)
{
	char *text;
	int len = asprintf(&text, "%s: %s", cg_inlines_state_name(object->state),
			   cg_strings_get(&in->strings, object->path));
	return len < 0 ? NULL : text;
}

/* "REASON: OBJECT" */
static int add_stored(struct inlining *i, const char *value)
{
	char *text = strdup(value), *colon = text ? strstr(text, ": ") : NULL;
	if (!text)
		return CG_ENOMEM;
	if (!colon) {
		free(text);
		return CG_OK;
	}
	*colon = '\0';
	return add_missing_object(i, text, colon + 2, text);
}

bool inlining_kept_apart(const struct cg_profile *p)
{
	return diff_self_only(p) && cg_desc_value(p, INLINING_KEY);
}

int inlining_stored(const struct cg_profile *p, struct inlining *out, struct cg_error *err)
{
	struct inlining i = { 0 };
	int status = CG_OK;

	/* In texts, and in heaps, they are functions as all others. */
	bool like_others = diff_self_only(p) || metric_is_heap(p);

	if ((p->has_inlined || like_others) && cg_desc_value(p, INLINING_KEY))
		i.report.source = INLINING_STORED;
	else if (p->has_inlined)
		i.report.source = INLINING_NAMED;
	bool looked = cg_desc_value(p, INLINING_KEY) != NULL;
	for (uint32_t d = 0; !status && looked && d < p->ndescs; d++)
		if (strcmp(cg_string(p, p->descs[d].key), INLINING_MISSING_KEY) == 0)
			status = add_stored(&i, cg_string(p, p->descs[d].value));
	if (status) {
		inlining_free(&i);
		return cg_fail_nomem(err);
	}
	*out = i;
	return CG_OK;
}

/* What each object costs of the first event, by the number of its path; NULL: out of
 * memory. */
static int64_t *object_costs(const struct cg_profile *p)
{
	int64_t *cost = calloc(p->strings.count, sizeof *cost);
	for (uint32_t r = 1; cost && r < p->nrecords; r++)
		cost[p->functions[p->records[r].function].object] +=
			p->record_self[(size_t)r * p->nevents];
	return cost;
}

static cg_str costliest(const struct cg_profile *p, const int64_t *cost)
{
	cg_str most = 0;
	for (cg_str object = 1; object < p->strings.count; object++)
		if (cost[object] > 0 && (!most || cost[object] > cost[most]))
			most = object;
	return most;
}

const char *inlining_costliest(const struct cg_profile *p)
{
	int64_t *cost = object_costs(p);
	cg_str object = cost ? costliest(p, cost) : 0;

	free(cost);
	return object ? cg_string(p, object) : "";
}

/* Files are read twice more for it: not for the C library alone. To open an object may
 * take longer than to read the file, so those that decide nothing are not. */
static bool is_worthwhile(const struct cg_profile *p, enum inlines_lookup lookup)
{
	enum { MOST_OBJECTS = 64 }; /* no program has more of weight */
	const double least = lookup == LOOKUP_WORTHWHILE ? 0.25 : 0;
	double with = 0, rest = (double)p->total[0], enough = least * rest;
	int64_t *cost = object_costs(p);

	for (int i = 0; cost && i < MOST_OBJECTS && (with < enough || with == 0); i++) {
		cg_str object = costliest(p, cost);
		if (!object)
			break;
		rest -= (double)cost[object];
		if (cg_inlines_available(cg_string(p, object)))
			with += (double)cost[object];
		else if (with + rest < enough)
			break;
		cost[object] = 0;
	}
	free(cost);
	return with > 0 && with >= enough;
}

static int note_missing(const struct cg_inlines *in, struct inlining *out)
{
	int status = CG_OK;
	for (uint32_t o = 0; !status && o < in->nobjects; o++) {
		char *text;
		if (in->objects[o].state == CG_INLINES_FOUND)
			continue;
		text = missing_text(in, &in->objects[o]);
		status = text ? add_stored(out, text) : CG_ENOMEM;
		free(text);
	}
	return status;
}

/* Reads as much detail as the lookup needs. */
static int find_inlines(const char *const *paths, size_t npaths,
			const struct cg_read_options *options, bool by_line,
			struct cg_inlines **out, struct cg_error *err)
{
	struct cg_read_options places = *options;
	struct cg_profile *p = NULL;

	places.detail = (struct cg_detail){ .lines = true, .addresses = !by_line, .max_level = 1 };
	int status = cg_read_files(paths, npaths, &places, &p, err);
	if (!status && (by_line ? cg_inlines_find_by_line(p, out) : cg_inlines_find(p, NULL, out)))
		status = cg_fail_nomem(err);
	cg_profile_free(p);
	return status;
}

int inlining_look_up(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		     enum inlines_lookup lookup, struct cg_profile **profile, struct inlining *out,
		     struct cg_error *err)
{
	bool by_line = !(*profile)->of_addresses;
	struct cg_read_options with = *options;
	struct cg_profile *found = NULL;
	struct cg_inlines *inlines = NULL;
	struct inlining i = { .report.source = by_line ? INLINING_BY_LINE : INLINING_NOW };

	if ((by_line && lookup != LOOKUP_LINES) || !is_worthwhile(*profile, lookup))
		return CG_OK;
	int status = find_inlines(paths, npaths, options, by_line, &inlines, err);
	if (!status && note_missing(inlines, &i))
		status = cg_fail_nomem(err);
	with.inlines = inlines;
	if (!status)
		status = cg_read_files(paths, npaths, &with, &found, err);
	cg_inlines_free(inlines);
	if (status) {
		inlining_free(&i);
		return status;
	}
	cg_profile_free(*profile);
	*profile = found;
	inlining_free(out);
	*out = i;
	return CG_OK;
}

const char *inlining_bare_object(const struct cg_profile *p, const struct report_inlining *i,
				 const char *root)
{
	enum { LEAST = 100 };
	size_t len = strlen(root);

	for (size_t m = 0; m < i->nmissing; m++) {
		const char *object = i->missing[m].object;
		if (strcmp(i->missing[m].reason, cg_inlines_state_name(CG_INLINES_NO_DEBUG)) == 0 &&
		    strncmp(object, root, len) == 0 && object[len] == '/' &&
		    cg_magnitude(inlining_object_cost(p, object, 0)) >=
			    cg_magnitude(p->total[0]) / LEAST)
			return object;
	}
	return NULL;
}

void inlining_free(struct inlining *i)
{
	for (size_t n = 0; n < i->ntexts; n++)
		free(i->texts[n]);
	free(i->texts);
	free(i->missing);
	*i = (struct inlining){ 0 };
}
