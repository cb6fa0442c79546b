/* Files that may not hold all that was counted: whoever cuts one has not made the program
 * faster. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/remarking.h"
#include "src/diff/metric.h"

static bool parts_add_up(const struct cg_profile *p)
{
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++)
		if (!cg_part_adds_up(p, &p->parts[i], &event))
			return false;
	return true;
}

static bool may_be_cut(const struct cg_profile *p)
{
	for (uint32_t i = 0; i < p->nparts; i++)
		if (p->parts[i].doubt)
			return true;
	return false;
}

/* NULL: nothing. */
static const char *find_fault(const struct cg_profile *p)
{
	return metric_lacks_costs(p) ? "counted nothing: no function has a cost"
	       : p->skipped          ? "has malformed lines, which were skipped"
	       : !parts_add_up(p)    ? "does not add up to its totals"
	       : may_be_cut(p)       ? "may be truncated"
				     : NULL;
}

static int remark_side(struct comparison *c, const struct loaded *side, struct cg_error *err)
{
	const char *fault = find_fault(side->profile);
	char *text = NULL;

	if (!fault)
		return CG_OK;
	if (asprintf(&text, "%s %s", side->name, fault) < 0)
		text = NULL;
	return remarks_add(&c->remarks, REMARK_UNSEEN, "file", text, strdup("Measure it again"),
			   err);
}

int remarking_find_files(struct comparison *c, struct cg_error *err)
{
	enum diff_missing missing = c->diff->options.missing;
	int status = CG_OK;

	if (missing == DIFF_NO_HEAD)
		return CG_OK; /* whatever base has counted, head has nothing of it */
	if (missing != DIFF_NO_BASE)
		status = remark_side(c, &c->base, err);
	return status ? status : remark_side(c, &c->head, err);
}
