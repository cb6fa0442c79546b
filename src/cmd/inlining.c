#include "src/cmd/inlining.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

bool inlines_folded(const char *choice)
{
	return strcmp(choice, "no") == 0;
}

bool inlines_approximate(const char *choice)
{
	return strcmp(choice, "approximate") == 0;
}

/* Takes `reason` and `object`, two texts in one allocation that is ours from now on. */
static int add_missing(struct inlining *i, char *text, const char *object, const char *reason)
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

char *inlining_missing(const struct cg_inlines *in, const struct cg_inlines_object *object)
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
	return add_missing(i, text, colon + 2, text);
}

int inlining_stored(const struct cg_profile *p, struct inlining *out, struct cg_error *err)
{
	struct inlining i = { 0 };
	int status = CG_OK;

	if (p->has_inlined && cg_desc_value(p, INLINING_KEY))
		i.report.source = INLINING_STORED;
	else if (p->has_inlined)
		i.report.source = INLINING_NAMED;
	for (uint32_t d = 0; !status && i.report.source == INLINING_STORED && d < p->ndescs; d++)
		if (strcmp(cg_string(p, p->descs[d].key), INLINING_MISSING_KEY) == 0)
			status = add_stored(&i, cg_string(p, p->descs[d].value));
	if (status) {
		inlining_free(&i);
		return cg_fail_nomem(err);
	}
	*out = i;
	return CG_OK;
}

static bool has_debug_information(const struct cg_profile *p)
{
	cg_str last = 0;
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		cg_str object = p->functions[f].object;
		if (object && object != last && cg_inlines_available(cg_string(p, object)))
			return true;
		last = object;
	}
	return false;
}

static int note_missing(const struct cg_inlines *in, struct inlining *out)
{
	int status = CG_OK;
	for (uint32_t o = 0; !status && o < in->nobjects; o++) {
		char *text;
		if (in->objects[o].state == CG_INLINES_FOUND)
			continue;
		text = inlining_missing(in, &in->objects[o]);
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
	if (!status && (by_line ? cg_inlines_find_by_line(p, out) : cg_inlines_find(p, out)))
		status = cg_fail_nomem(err);
	cg_profile_free(p);
	return status;
}

int inlining_look_up(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		     bool approximate, struct cg_profile **profile, struct inlining *out,
		     struct cg_error *err)
{
	bool by_line = !(*profile)->of_addresses;
	struct cg_read_options with = *options;
	struct cg_profile *found = NULL;
	struct cg_inlines *inlines = NULL;
	struct inlining i = { .report.source = by_line ? INLINING_BY_LINE : INLINING_NOW };

	if ((by_line && !approximate) || !has_debug_information(*profile))
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

void inlining_free(struct inlining *i)
{
	for (size_t n = 0; n < i->ntexts; n++)
		free(i->texts[n]);
	free(i->texts);
	free(i->missing);
	*i = (struct inlining){ 0 };
}
