#include "callgrind/parts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/* Sums of parts set aside; as many as a profile may have. */
#define MAX_ASIDE_SUMS (8 * 1024 * 1024)

void cg_parts_free(struct cg_parts *s)
{
	for (size_t i = 0; i < s->naside; i++) {
		free(s->aside[i].self);
		free(s->aside[i].totals);
		free(s->aside[i].summary);
	}
	free(s->aside);
	s->aside = NULL;
	s->naside = s->aside_cap = 0;
}

static int set_aside(struct cg_parts *s, const struct cg_part *facts)
{
	size_t nevents = cg_builder_profile(s->b)->nevents;
	struct cg_part part = *facts;

	if (s->naside >= MAX_ASIDE_SUMS / nevents)
		return CG_ERANGE;
	if (cg_grow(&s->aside, &s->aside_cap, s->naside + 1, sizeof *s->aside))
		return CG_ENOMEM;
	part.totals = part.summary = NULL;
	part.self = calloc(nevents, sizeof *part.self);
	if (!part.self)
		return CG_ENOMEM;
	s->aside[s->naside++] = part;
	s->in_aside = true;
	return CG_OK;
}

int cg_parts_open(struct cg_parts *s, const struct cg_part *facts)
{
	if (cg_builder_profile(s->b)->nevents == 0)
		return CG_EINVAL;
	if (!cg_selection_has(s->selection, cg_builder_profile(s->b), facts)) {
		int status = set_aside(s, facts);
		if (!status)
			cg_build_left_out(s->b);
		return status;
	}

	int status = cg_build_part(s->b);
	if (status)
		return status;
	s->in_aside = false;
	struct cg_part *part = cg_builder_part(s->b);
	int64_t *self = part->self;
	*part = *facts;
	part->self = self;
	part->totals = part->summary = NULL;
	return CG_OK;
}

const struct cg_part *cg_parts_current(const struct cg_parts *s)
{
	return s->in_aside ? &s->aside[s->naside - 1] : cg_builder_part(s->b);
}

uint32_t cg_parts_count(const struct cg_parts *s)
{
	return cg_builder_profile(s->b)->nparts + (uint32_t)s->naside;
}

int cg_parts_add_aside(struct cg_parts *s, const int64_t *costs)
{
	size_t nevents = cg_builder_profile(s->b)->nevents;
	return cg_add_costs(s->aside[s->naside - 1].self, costs, nevents) ? CG_OK : CG_ERANGE;
}

static struct cg_part *parts_current(struct cg_parts *s)
{
	return s->in_aside ? &s->aside[s->naside - 1] : cg_builder_part(s->b);
}

void cg_parts_set_doubt(struct cg_parts *s, enum cg_doubt doubt)
{
	parts_current(s)->doubt = doubt;
}

void cg_parts_set_cachegrind(struct cg_parts *s)
{
	parts_current(s)->of_cachegrind = true;
}

static int set_sums(const struct cg_parts *s, int64_t **sums, const int64_t *from)
{
	size_t size = cg_builder_profile(s->b)->nevents * sizeof *from;
	if (!*sums && !(*sums = malloc(size)))
		return CG_ENOMEM;
	memcpy(*sums, from, size);
	return CG_OK;
}

int cg_parts_set_totals(struct cg_parts *s, const int64_t *totals)
{
	return s->in_aside ? set_sums(s, &s->aside[s->naside - 1].totals, totals)
			   : cg_build_totals(s->b, totals);
}

int cg_parts_set_summary(struct cg_parts *s, const int64_t *summary)
{
	return s->in_aside ? set_sums(s, &s->aside[s->naside - 1].summary, summary)
			   : cg_build_summary(s->b, summary);
}
