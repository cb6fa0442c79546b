#include "cgprofile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/contexts.h"
#include "callgrind/support/number.h"

int cg_event_index(const struct cg_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->nevents; i++)
		if (strcmp(cg_string(p, p->events[i].name), name) == 0)
			return (int)i;
	return -1;
}

bool cg_part_adds_up(const struct cg_profile *p, const struct cg_part *part, uint32_t *event)
{
	for (uint32_t e = 0; part->totals && e < p->nevents; e++)
		if (part->totals[e] != part->self[e]) {
			*event = e;
			return false;
		}
	return true;
}

bool cg_profile_counted_nothing(const struct cg_profile *p)
{
	size_t count = (size_t)p->nrecords * p->nevents;
	for (size_t i = 0; i < count; i++)
		if (p->record_self[i])
			return false;
	return true;
}

const char *cg_desc_value(const struct cg_profile *p, const char *key)
{
	for (uint32_t i = 0; i < p->ndescs; i++)
		if (strcmp(cg_string(p, p->descs[i].key), key) == 0)
			return cg_string(p, p->descs[i].value);
	return NULL;
}

/* Several files state a number each. */
bool cg_samples_behind(const struct cg_profile *p, const char *event, uint64_t *samples)
{
	size_t len = strlen(event);
	uint64_t sum = 0;
	bool found = false;

	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *value = cg_string(p, p->descs[i].value);
		if (strcmp(cg_string(p, p->descs[i].key), CG_SAMPLES_KEY) != 0 ||
		    strncmp(value, event, len) != 0 || value[len] != ' ')
			continue;
		found = true;
		cg_add_count_clipped(&sum, strtoull(value + len, NULL, 10));
	}
	if (found)
		*samples = sum;
	return found;
}

void cg_profile_free(struct cg_profile *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nparts; i++) {
		free(p->parts[i].self);
		free(p->parts[i].totals);
		free(p->parts[i].summary);
	}
	cg_strings_free(&p->strings);
	cg_contexts_free(&p->contexts);
	free(p->events);
	free(p->parts);
	free(p->descs);
	free(p->functions);
	free(p->records);
	free(p->calls);
	free(p->call_places);
	free(p->lines);
	free(p->jumps);
	free(p->record_self);
	free(p->call_cost);
	free(p->line_self);
	free(p->total);
	free(p);
}

char *cg_context_text(const struct cg_profile *p, uint32_t context)
{
	const cg_str *callers = cg_contexts_get(&p->contexts, context);
	const size_t count = cg_contexts_size(&p->contexts, context);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%s", i ? "'" : "", cg_string(p, callers[i]));
	if (fclose(to)) {
		free(text);
		text = NULL;
	}
	return text;
}
