#include "src/commits/deeper.h"

#include <stdio.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/environment.h"
#include "src/run/depth.h"
#include "src/status/notice.h"
#include "src/view/scripted.h"

#define PPB 1000000000

/* Whether another run, with callers, would tell more. Node.js counts otherwise in each run. */
static bool is_shallow(const struct cg_profile *p)
{
	const char *depth = cg_desc_value(p, ENVIRONMENT_PREFIX "depth");
	char shallow[24];

	snprintf(shallow, sizeof shallow, "%d", RUN_DEPTH_INTERPRETED);
	return depth && strcmp(depth, shallow) == 0 && !scripted_is_named(SCRIPTED_JAVASCRIPT, p);
}

static bool has_change(const struct comparison *c, uint64_t worth_ppb)
{
	const struct diff *d = c->diff;
	const int64_t base = diff_base_value(d, d->base->total);
	const int64_t head = diff_head_value(d, d->head->total);
	const unsigned __int128 share = (unsigned __int128)cg_distance(base, head) * PPB;

	return c->judging.judgement.failing ||
	       (diff_is_change(diff_classify_change(d, base, head)) &&
		share >= (unsigned __int128)cg_magnitude(base) * worth_ppb);
}

static unsigned percent_estimated(const struct causes *causes)
{
	double estimated = 0, all = 0;

	if (causes->self_only)
		return 100;
	for (size_t i = 0; i < causes->count; i++) {
		const double size = (double)cg_magnitude(causes->items[i].delta);
		all += size;
		estimated += causes->items[i].estimated ? size : 0;
	}
	return all > 0 ? (unsigned)(100 * estimated / all) : 0;
}

bool deeper_is_wanted(const struct comparison *c, const struct config_benchmark *b,
		      uint64_t worth_ppb, unsigned *percent)
{
	enum { LEAST = 10 };

	if (b->depth >= 0 || !c->causes || !comparison_has_both(c) ||
	    !is_shallow(c->base.profile) || !is_shallow(c->head.profile) ||
	    !has_change(c, worth_ppb))
		return false;
	*percent = percent_estimated(c->causes);
	return *percent >= LEAST;
}

struct config_benchmark deeper_benchmark(const struct config_benchmark *b)
{
	struct config_benchmark deeper = *b;

	deeper.depth = RUN_DEPTH_PATHS;
	deeper.unrecorded = true;
	return deeper;
}

void deeper_tell(const struct notices *n, const struct config_benchmark *b, unsigned percent)
{
	notice_message(n,
		       "%s: estimates make up %u%% of the causes; taking them from another run of "
		       "base and head, which records %d callers of each call (%s prevents that)",
		       b->name, percent, RUN_DEPTH_PATHS,
		       b->line ? "depth: in irdiff.yml" : "--depth");
}

void deeper_tell_unequal(const struct notices *n, const char *name)
{
	notice_warning(n, "%s counted something else in that run, so its causes remain estimates",
		       name);
}
