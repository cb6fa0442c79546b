/* Measures some pairs a second time before they are judged: where the environment differs, or to
 * learn whether chance has decided. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "src/commits/comparing_state.h"
#include "src/commits/revision_measure.h"
#include "src/commits/revision_results.h"
#include "src/compare/counted_before.h"
#include "src/compare/remarking.h"
#include "src/digest/digest.h"
#include "src/status/notice.h"
#include "src/store/cache.h"

/* ---- another environment ---- */

static enum ending measure_again(struct comparing *c, const struct config_benchmark *b)
{
	struct revision *const sides[] = { &c->base, &c->head };
	enum ending ending = ENDED_FINE;

	for (size_t i = 0; !ending && i < 2; i++) {
		ending = revision_measure_again(&c->area, sides[i], b);
		if (ending)
			comparing_note_failure(c, b->name, sides[i], ending);
	}
	return ending;
}

/* The name of a case as a side has it among its lost cases; NULL: the side has not lost it. */
static const char *find_lost(const struct revision *s, const struct config_benchmark *b,
			     const char *name)
{
	const struct path_list *lost = revision_lost_cases(s, b);

	for (size_t i = 0; lost && i < lost->count; i++)
		if (strcmp(lost->paths[i], name) == 0)
			return lost->paths[i];
	return NULL;
}

/* Whether a side has lost this case now: that is a failure, not a difference. */
static bool is_lost(struct comparing *c, const struct pair *p)
{
	struct revision *const sides[] = { &c->base, &c->head };
	const struct config_benchmark *b = p->of->benchmark;
	char *name = cache_benchmark(p->head);
	bool lost = false;

	for (size_t i = 0; name && i < 2; i++) {
		const char *found = find_lost(sides[i], b, name);
		if (!found)
			continue;
		lost = true;
		if (!comparing_has_failed(c, found))
			comparing_note_failure(c, found, sides[i],
					       revision_measure(&c->area, sides[i], b, NULL));
	}
	free(name);
	return lost;
}

static void drop_pair(struct comparing *c, size_t i)
{
	free(c->pairs[i].base);
	free(c->pairs[i].head);
	c->npairs--;
	memmove(&c->pairs[i], &c->pairs[i + 1], (c->npairs - i) * sizeof *c->pairs);
	suite_remove(&c->suite, i);
}

/* False: the rest of the pair can no longer be compared, and the user was told. */
static bool repeat_pair(struct comparing *c, const struct pair *p)
{
	const struct config_benchmark *b = p->of->benchmark;

	if (comparing_has_failed(c, b->name))
		return false;
	if (!c->area.options.quiet)
		notice_message(c->project.notices,
			       "%s was measured in another environment; measuring it again",
			       b->name);
	return !measure_again(c, b) && !is_lost(c, p);
}

/* Some entry of the cache was measured elsewhere, or before the machine changed, so a change
 * would say nothing about the commits. Measured again, both are comparable. */
static int repeat_where_environments_differ(struct comparing *c, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->npairs;) {
		const struct pair *p = &c->pairs[i];
		bool differs = p->base && p->head && !c->options->suite.baseline &&
			       c->suite.benches[i]->c.environment.moving;
		if (differs && !repeat_pair(c, p)) {
			drop_pair(c, i);
			continue;
		}
		if (differs)
			status = suite_replace(&c->suite, i, c->pairs[i].base, c->pairs[i].head,
					       err);
		i++;
	}
	return status ? status : suite_compare(&c->suite, &c->judged, err);
}

/* ---- chance ---- */

static int64_t *copy_totals(const struct cg_profile *p)
{
	int64_t *copy = calloc(CG_MAX_EVENTS, sizeof *copy);
	if (copy)
		memcpy(copy, p->total, p->nevents * sizeof *copy);
	return copy;
}

/* What base lacks is judged, too: by ceilings. */
static bool is_judged_pair(const struct comparing *c, size_t i)
{
	const struct comparison *made = &c->suite.benches[i]->c;

	return made->options->judging.check && c->pairs[i].head && !made->environment.moving;
}

/* One that reads the clock may count the same every time for all that; threads may do so by
 * luck. */
static bool is_to_be_tried(const struct comparing *c, size_t i)
{
	const struct comparison *made = &c->suite.benches[i]->c;

	return is_judged_pair(c, i) && c->pairs[i].base &&
	       remarks_judge(&made->remarks, made->diff, &made->judging.judgement) ==
		       JUDGED_INCONCLUSIVE &&
	       remarking_may_be_tried(made);
}

/* ---- what an earlier command has counted before it measured once more ---- */

static void print_limit_of_pair(FILE *to, const struct limit_verdict *v)
{
	const struct limit *l = v->rule.limit;

	fprintf(to, "%s %d %d %d %" PRIu64 " %s %s %d\n", l->metric, (int)l->level, (int)l->kind,
		l->inclusive, l->value, l->function ? l->function : "",
		v->subject ? v->subject : "", v->has_allowed);
}

/* A digest of the limits and tolerances, but not of what a limit allows: base may be measured anew,
 * and that head varies is known all the same. */
static int digest_limits(const struct comparison *made, char digest[DIGEST_SIZE],
			 struct cg_error *err)
{
	const struct judgement *j = &made->judging.judgement;
	const struct diff_options *o = &made->diff->options;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (size_t i = 0; to && i < j->count; i++)
		print_limit_of_pair(to, &j->verdicts[i]);
	for (size_t i = 0; to && i < o->ntolerances; i++)
		fprintf(to, "tolerance %s %" PRIu64 " %" PRIu64 "\n", o->tolerances[i].metric,
			o->tolerances[i].amount, o->tolerances[i].share);
	const bool written = to && fclose(to) == 0;
	if (written)
		digest_of_bytes(text, size, digest);
	free(text);
	return written ? CG_OK : cg_fail_nomem(err);
}

static int describe_pair(const struct comparing *c, size_t i, char digest[DIGEST_SIZE],
			 struct counted_pair *out, struct cg_error *err)
{
	const struct comparison *made = &c->suite.benches[i]->c;
	const struct pair *p = &c->pairs[i];

	*out = (struct counted_pair){ .base = p->base, .head = p->head, .limits = digest };
	out->base_totals = made->base.profile->total;
	out->events[0] = made->base.profile->nevents;
	out->events[1] = made->head.profile->nevents;
	return digest_limits(made, digest, err);
}

/* Without it the pair may be measured once more again. */
static void keep_counted(const struct comparing *c, size_t i, const struct counted_before *counted)
{
	char digest[DIGEST_SIZE];
	struct counted_pair pair;

	if (!describe_pair(c, i, digest, &pair, NULL))
		counted_before_keep(c->project.root, &pair, counted, NULL);
}

static int keep_present(const struct comparing *c, size_t i, struct cg_error *err)
{
	const struct comparison *made = &c->suite.benches[i]->c;
	struct counted_before present = { .base = copy_totals(made->base.profile),
					  .head = copy_totals(made->head.profile) };
	int status = present.base && present.head ? CG_OK : cg_fail_nomem(err);

	if (!status)
		keep_counted(c, i, &present);
	counted_before_free(&present);
	return status;
}

/* A baseline is not measured again, but may be replaced. */
static bool has_same_baseline(const struct comparing *c, size_t i,
			      const struct counted_before *counted)
{
	const struct cg_profile *base = c->suite.benches[i]->c.base.profile;

	return memcmp(base->total, counted->base, base->nevents * sizeof *base->total) == 0;
}

static int find_counted(const struct comparing *c, size_t i, struct counted_before *out,
			struct cg_error *err)
{
	const struct comparison *made = &c->suite.benches[i]->c;
	char digest[DIGEST_SIZE];
	struct counted_pair pair;

	if (!is_judged_pair(c, i) || !remarking_only_of_chance(made))
		return CG_OK;
	int status = describe_pair(c, i, digest, &pair, err);
	if (!status)
		status = counted_before_find(c->project.root, &pair, out, err);
	if (out->found && c->options->suite.baseline && !has_same_baseline(c, i, out))
		counted_before_free(out);
	return status;
}

/* ---- once more ---- */

static enum ending repeat_sides(struct comparing *c, const struct config_benchmark *b)
{
	struct revision *const sides[] = { &c->base, &c->head };
	enum ending ending = ENDED_FINE;

	if (!c->area.options.quiet)
		notice_message(
			c->project.notices,
			"%s exceeded a limit, and its counts may differ by chance; measuring it once more",
			b->name);
	for (size_t i = c->options->suite.baseline ? 1 : 0; !ending && i < 2; i++) {
		ending = revision_repeat(&c->area, sides[i], b);
		if (ending)
			comparing_note_failure(c, b->name, sides[i], ending);
	}
	return ending;
}

static const char *commit_and_key(const char *entry)
{
	const char *at = strrchr(entry, '@');

	return at ? at : entry;
}

/* Entries of head that are replaced if it is measured: of all its cases, also those that are not
 * compared. */
static bool is_of_same_run(const struct measured_bench *of, const char *entry)
{
	return of->head.count &&
	       strcmp(commit_and_key(of->head.paths[0]), commit_and_key(entry)) == 0;
}

/* First counts of cases that are not compared now, or were judged otherwise, stay. */
static enum ending repeat_bench(struct comparing *c, const struct measured_bench *of)
{
	const char *root = c->project.root;
	struct path_list names = { 0 };
	char **texts = cache_names_read(root, &names, NULL)
			       ? NULL
			       : calloc(names.count + 1, sizeof *texts);

	for (size_t i = 0; texts && i < names.count; i++)
		if (is_of_same_run(of, names.paths[i]))
			texts[i] = counted_before_text(root, names.paths[i]);
	enum ending ending = repeat_sides(c, of->benchmark);
	for (size_t i = 0; texts && i < names.count; i++) {
		if (texts[i])
			counted_before_restore(root, names.paths[i], texts[i], NULL);
		free(texts[i]);
	}
	free(texts);
	path_list_free(&names);
	return ending;
}

/* A pair that has failed, or lost a case, is not measured once more. */
static bool may_be_repeated(const struct comparing *c, const struct config_benchmark *b)
{
	return !comparing_has_failed(c, b->name) && !revision_lost_cases(&c->base, b) &&
	       !revision_lost_cases(&c->head, b);
}

/* Takes what was measured once more in place of what counted first, which is kept. `beside`: it was
 * because of another case; this one may have exceeded a limit nevertheless, as if by no chance. */
static int take_repeated(struct comparing *c, struct counted_before *counted, size_t i, bool beside,
			 struct cg_error *err)
{
	const struct comparison *made = &c->suite.benches[i]->c;

	counted[i] = (struct counted_before){ .base = copy_totals(made->base.profile),
					      .head = copy_totals(made->head.profile),
					      .beside = beside &&
							!made->judging.judgement.failing };
	if (!counted[i].base || !counted[i].head)
		return cg_fail_nomem(err);
	return suite_replace(&c->suite, i, c->pairs[i].base, c->pairs[i].head, err);
}

/* The new entries of a benchmark have no first counts. They get them at once, and not only when all
 * is judged: what is interrupted until then must not leave the second counts alone. */
static int keep_first_of_bench(struct comparing *c, const struct counted_before *counted,
			       const struct measured_bench *of, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->npairs; i++) {
		const struct comparison *made = &c->suite.benches[i]->c;
		if (c->pairs[i].of != of || !is_judged_pair(c, i))
			continue;
		if (counted[i].found)
			keep_counted(c, i, &counted[i]);
		else if (made->judging.judgement.failing)
			status = keep_present(c, i, err);
	}
	return status;
}

static int repeat_chance(struct comparing *c, struct counted_before *counted, size_t i,
			 struct cg_error *err)
{
	struct measured_bench *of = c->pairs[i].of;

	if (of->repeated)
		return take_repeated(c, counted, i, false, err);
	if (!may_be_repeated(c, of->benchmark) || repeat_bench(c, of))
		return CG_OK; /* which was said; and the verdict stays */
	of->repeated = true;
	int status = keep_first_of_bench(c, counted, of, err);
	return status ? status : take_repeated(c, counted, i, false, err);
}

/* `first`: of what was measured twice before. */
static int take_other_case(struct comparing *c, struct counted_before *counted,
			   struct counted_before *first, size_t i, struct cg_error *err)
{
	first[i] = counted[i];
	counted[i] = (struct counted_before){ 0 };
	return take_repeated(c, counted, i, true, err);
}

/* The cache has the new counts of all cases now, so what reads it later judges by those. */
static int take_other_cases(struct comparing *c, struct counted_before *counted,
			    struct counted_before *first, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->npairs; i++)
		if (c->pairs[i].of->repeated && (!counted[i].head || counted[i].found) &&
		    is_judged_pair(c, i))
			status = take_other_case(c, counted, first, i, err);
	return status;
}

/* ---- all of it ---- */

static void keep_first_counts(struct suite_bench *b, const struct counted_before *counted)
{
	b->first.nbase = b->c.base.profile->nevents;
	b->first.nhead = b->c.head.profile->nevents;
	memcpy(b->first.base, counted->base, b->first.nbase * sizeof *counted->base);
	memcpy(b->first.head, counted->head, b->first.nhead * sizeof *counted->head);
}

static bool is_counted_again(const struct comparison *made, const struct counted_before *before)
{
	const struct cg_profile *base = made->base.profile, *head = made->head.profile;

	return memcmp(base->total, before->base, base->nevents * sizeof *base->total) == 0 &&
	       memcmp(head->total, before->head, head->nevents * sizeof *head->total) == 0;
}

/* Of three measurements, the last is kept and one that tells that chance decides, if one does: it
 * broke a limit where the last did not, or held it where the last did not, or counted otherwise.
 * Of the first two, at least one broke a limit. */
static void choose_earlier(const struct comparison *made, struct counted_before *second,
			   struct counted_before *first)
{
	const bool failing = made->judging.judgement.failing, failed = !second->beside;
	struct counted_before other = *second;

	if (!first->found || failing != failed || (failing && is_counted_again(made, first)))
		return;
	*second = *first;
	*first = other;
}

static int judge_repeated(struct comparing *c, struct counted_before *counted,
			  struct counted_before *first, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->npairs; i++) {
		struct suite_bench *b = c->suite.benches[i];
		choose_earlier(&b->c, &counted[i], &first[i]);
		/* What holds both times is no matter of chance. */
		if (!counted[i].head || (counted[i].beside && !b->c.judging.judgement.failing))
			continue;
		if (c->pairs[i].of->repeated)
			keep_counted(c, i, &counted[i]);
		status = remarking_tried(&b->c, counted[i].base, counted[i].head, err);
		keep_first_counts(b, &counted[i]);
	}
	return status;
}

/* What was measured once more before is not measured again, whether or not limits hold now. A
 * repetition replaces what was kept for all cases. */
static int repeat_where_chance_may_decide(struct comparing *c, struct cg_error *err)
{
	const size_t n = c->npairs;
	struct counted_before *counted = calloc(2 * n + 1, sizeof *counted);
	struct counted_before *first = counted ? counted + n : NULL;
	int status = counted ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < n; i++)
		status = find_counted(c, i, &counted[i], err);
	for (size_t i = 0; !status && i < n; i++)
		if (!counted[i].found && is_to_be_tried(c, i))
			status = repeat_chance(c, counted, i, err);
	if (!status)
		status = take_other_cases(c, counted, first, err);
	if (!status)
		status = suite_compare(&c->suite, &c->judged, err);
	if (!status)
		status = judge_repeated(c, counted, first, err);
	for (size_t i = 0; counted && i < 2 * n; i++)
		counted_before_free(&counted[i]);
	free(counted);
	return status;
}

int comparing_repeat(struct comparing *c, struct cg_error *err)
{
	int status = repeat_where_environments_differ(c, err);
	return status ? status : repeat_where_chance_may_decide(c, err);
}
