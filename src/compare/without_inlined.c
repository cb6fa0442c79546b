#include "src/compare/without_inlined.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/make_comparison.h"
#include "src/load/inlining.h"

/* Self costs of functions, of which some are inlined, are the best causes if they add up to hardly
 * more than the change. */
static bool cancel_each_other(const struct causes *c)
{
	return c->sum_of_sizes / 3 > cg_magnitude(c->delta) / 2;
}

static bool may_help(const struct comparison *c)
{
	return c->causes && c->causes->self_only && cancel_each_other(c->causes) &&
	       !c->options->one_tree && !inlines_folded(c->options->reading.inlines) &&
	       (c->base.profile->has_inlined || c->head.profile->has_inlined) &&
	       comparison_is_lasting(c);
}

/* Of all that is compared only the causes, by the metric that was chosen. */
static struct comparison_options options_without_inlined(const struct comparison *c)
{
	struct comparison_options o = *c->options;

	o.reading.inlines = "no";
	o.metric = c->diff->options.metric;
	o.tree = o.depth = o.only_paths = false;
	o.view = DIFF_VIEW_CAUSES;
	o.show = o.sort = NULL;
	o.rows_below_threshold = c->diff->options.rows_below_threshold;
	o.rows_below_min_delta = c->diff->options.rows_below_min_delta;
	o.insights = "none";
	o.rules = NULL;
	o.judging.check = false;
	o.warnings = NULL;
	return o;
}

/* Who asks for inlined functions by name gets them, whatever their callers are. */
static bool has_what_is_asked_for(const struct comparison *without, const struct comparison *c)
{
	return !c->filter || !c->chosen_causes.count || without->chosen_causes.count;
}

/* The rest of `from`, to which its causes refer, stays where it is. */
static void take_causes(struct comparison *to, struct comparison *from)
{
	cause_places_free(&to->places);
	chosen_causes_free(&to->chosen_causes);
	causes_free(to->causes);
	to->causes = from->causes;
	to->chosen_causes = from->chosen_causes;
	to->places = from->places;
	from->causes = NULL;
	from->chosen_causes = (struct chosen_causes){ 0 };
	from->places = (struct cause_places){ 0 };
}

int causes_without_inlined(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err)
{
	const struct notices quiet = { .tell = notice_ignore,
				       .display = c->notices ? c->notices->display : NULL };
	struct project p = *project;

	if (!may_help(c))
		return CG_OK;
	struct without_inlined *w = calloc(1, sizeof *w);
	if (!w)
		return cg_fail_nomem(err);
	p.notices = &quiet;
	w->options = options_without_inlined(c);
	int status = comparison_make(&p, base, head, &w->options, &w->c, err);
	w->c.notices = NULL;
	if (!status && w->c.causes && !w->c.causes->self_only && has_what_is_asked_for(&w->c, c)) {
		take_causes(c, &w->c);
		c->without_inlined = w;
		return CG_OK;
	}
	without_inlined_free(w);
	return status;
}
