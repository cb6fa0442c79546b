/* Measures both sides once more for the causes of a change (deeper.h). */
#include <stdlib.h>
#include <string.h>

#include "src/commits/comparing_state.h"
#include "src/commits/deeper.h"
#include "src/commits/revision_ahead.h"
#include "src/commits/revision_measure.h"
#include "src/commits/revision_results.h"
#include "src/store/cache.h"

static struct deeper_bench *find_deeper(const struct comparing *c, const struct measured_bench *b)
{
	for (size_t i = 0; i < c->ndeeper; i++)
		if (c->deeper[i].of == b)
			return &c->deeper[i];
	return NULL;
}

/* A benchmark that could not be measured, or has lost a case, is left alone. */
static bool is_measurable(const struct comparing *c, const struct config_benchmark *b)
{
	return !comparing_has_failed(c, b->name) && !revision_lost_cases(&c->base, b) &&
	       !revision_lost_cases(&c->head, b);
}

static int list_deeper(struct comparing *c, struct cg_error *err)
{
	c->deeper = calloc(c->nbenches + 1, sizeof *c->deeper);
	if (!c->deeper)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->npairs; i++) {
		const struct measured_bench *of = c->pairs[i].of;
		unsigned percent;
		if (!is_measurable(c, of->benchmark) || find_deeper(c, of) ||
		    !deeper_is_wanted(&c->suite.benches[i]->c, of->benchmark, DEEPER_WORTH_PPB,
				      &percent))
			continue;
		if (!c->area.options.quiet)
			deeper_tell(c->project.notices, of->benchmark, percent);
		c->deeper[c->ndeeper++] = (struct deeper_bench){
			.of = of, .benchmark = deeper_benchmark(of->benchmark)
		};
	}
	return CG_OK;
}

/* Of these sides. */
static enum ending measure_deeper_ahead(struct comparing *c, struct revision *const *sides,
					size_t count)
{
	const struct config_benchmark **all = calloc(c->ndeeper + 1, sizeof *all);
	struct ahead_side wanted[2];

	if (!all)
		return ENDED_FINE;
	for (size_t i = 0; i < c->ndeeper; i++)
		all[i] = &c->deeper[i].benchmark;
	for (size_t i = 0; i < count; i++)
		wanted[i] = (struct ahead_side){ sides[i], all, c->ndeeper };
	enum ending ending = revision_measure_ahead(&c->area, wanted, count);
	free(all);
	return ending;
}

/* Those that fail are printed, and have no entries. */
static enum ending measure_side_deeper(struct comparing *c, struct revision *side)
{
	enum ending ending = measure_deeper_ahead(c, &side, 1);

	for (size_t i = 0; !ending_is_signal(ending) && i < c->ndeeper; i++)
		ending = revision_measure(&c->area, side, &c->deeper[i].benchmark,
					  side == &c->base ? &c->deeper[i].base
							   : &c->deeper[i].head);
	return ending_is_signal(ending) ? ending : ENDED_FINE;
}

/* One side came from the cache, and was measured elsewhere, or before the machine changed. */
static bool measure_deeper_again(struct comparing *c, struct deeper_bench *d)
{
	struct revision *const sides[] = { &c->base, &c->head };
	struct path_list *const entries[] = { &d->base, &d->head };
	enum ending ending = ENDED_FINE;

	for (size_t i = 0; !ending && i < 2; i++) {
		ending = revision_measure_again(&c->area, sides[i], &d->benchmark);
		path_list_free(entries[i]);
		if (!ending)
			ending = revision_measure(&c->area, sides[i], &d->benchmark, entries[i]);
	}
	if (ending_is_signal(ending))
		c->worst = ending;
	return !ending;
}

/* *base and *head become the entries of this name; NULL if one is missing, and nothing is taken. */
static int take_causes_of(struct comparing *c, size_t i, const struct deeper_bench *d,
			  const char *name, const char **base, const char **head,
			  enum causes_taken *taken, struct cg_error *err)
{
	*base = comparing_find_entry(&d->base, name);
	*head = comparing_find_entry(&d->head, name);
	return *base && *head
		       ? suite_take_causes(&c->suite, i, *base, *head, &c->judged, taken, err)
		       : CG_OK;
}

static int take_pair(struct comparing *c, size_t i, struct deeper_bench *d, const char *name,
		     struct cg_error *err)
{
	struct pair *p = &c->pairs[i];
	const char *base, *head;
	enum causes_taken taken;
	int status = take_causes_of(c, i, d, name, &base, &head, &taken, err);

	if (status || !base || !head)
		return status;
	if (taken == CAUSES_OF_OTHER_ENVIRONMENTS && measure_deeper_again(c, d))
		status = take_causes_of(c, i, d, name, &base, &head, &taken, err);
	if (!status && taken != CAUSES_TAKEN) {
		deeper_tell_unequal(c->project.notices,
				    comparison_bench_name(&c->suite.benches[i]->c));
		/* Their short names, which the report has, are those of what was used last. */
		cache_use(c->project.root, p->base);
		cache_use(c->project.root, p->head);
	}
	if (status || taken != CAUSES_TAKEN)
		return status;
	free(p->base);
	free(p->head);
	p->base = strdup(base);
	p->head = strdup(head);
	return p->base && p->head ? CG_OK : cg_fail_nomem(err);
}

static int take_deeper_pair(struct comparing *c, size_t i, struct cg_error *err)
{
	const struct pair *p = &c->pairs[i];
	struct deeper_bench *d = find_deeper(c, p->of);
	unsigned percent;

	/* Of a benchmark with cases all were measured. */
	if (!d || !deeper_is_wanted(&c->suite.benches[i]->c, p->of->benchmark, DEEPER_WORTH_PPB,
				    &percent))
		return CG_OK;
	char *name = cache_benchmark(p->head);
	int status = name ? take_pair(c, i, d, name, err) : cg_fail_nomem(err);
	free(name);
	return status;
}

int comparing_deepen(struct comparing *c, struct cg_error *err)
{
	/* A baseline cannot be measured again. */
	int status = c->options->suite.baseline ? CG_OK : list_deeper(c, err);
	if (status || !c->ndeeper)
		return status;
	struct revision *const sides[] = { &c->base, &c->head };
	enum ending ending = measure_deeper_ahead(c, sides, 2);
	if (!ending)
		ending = measure_side_deeper(c, &c->base);
	if (!ending)
		ending = measure_side_deeper(c, &c->head);
	if (ending > c->worst)
		c->worst = ending;
	for (size_t i = 0; !status && !ending_is_signal(c->worst) && i < c->npairs; i++)
		status = take_deeper_pair(c, i, err);
	return status;
}
