#include "src/commits/bisecting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/commits/bisecting_place.h"
#include "src/commits/revision_measure.h"
#include "src/compare/comparison.h"
#include "src/diff/metric.h"
#include "src/diff/tolerance.h"
#include "src/load/load.h"
#include "src/status/ending.h"
#include "src/store/cache.h"

const char *bisect_verdict_name(enum bisect_verdict verdict)
{
	static const char *const names[] = { "good", "bad", "skipped" };
	return names[verdict];
}

void bisection_free(struct bisection *b)
{
	for (size_t i = 0; i < b->nsteps; i++)
		git_commit_free(&b->steps[i].commit);
	for (size_t i = 0; i < b->ncases; i++)
		free(b->cases[i].name);
	free(b->cases);
	free(b->steps);
	free(b->bad);
	free(b->chosen);
	free(b->first);
	strings_free(&b->good);
	strings_free(&b->skipped);
	strings_free(&b->suspects);
}

/* ---- one commit ----------------------------------------------------------- */

int bisect_count(const struct bisection *b, const char *operand, int64_t *count,
		 struct cg_error *err)
{
	const struct load_options options = { .read = { .fold_inlined = true }, .silent = true };
	struct loaded l = { 0 };
	struct metric metric;
	char where[240];
	int status = load_profile(b->area->project, &operand, 1, &options, &l, err);
	if (!status) {
		const char *name = b->metric ? b->metric : metric_default(l.profile);
		if (metric_find(l.profile, name, &metric))
			*count = metric_value(&metric, l.profile->total);
		else
			status = cg_fail(err, CG_EINVAL, NULL, 0, "%s was not measured%s", name,
					 metric_say_where(l.profile, name, where, sizeof where));
	}
	loaded_free(&l);
	return status;
}

/* Measures a commit. *commit is the caller's. */
static enum ending measure_commit(struct bisection *b, const char *id, struct git_commit *commit,
				  int64_t *count)
{
	struct revision side;
	struct cg_error err;
	char *operand = NULL, name[GIT_ID_SHORT + 1];

	snprintf(name, sizeof name, "%s", id);
	int status = revision_of_commit(b->area, name, id, &side, &err);
	enum ending ending = status ? build_area_failed(b->area, b->area->project->notices, &err)
				    : bisect_measure_one(b, &side, &operand);
	if (!ending && bisect_count(b, operand, count, &err))
		ending = build_area_failed(b->area, b->area->project->notices, &err);
	*commit = side.commit;
	side.commit = (struct git_commit){ 0 };
	free(operand);
	build_area_leave(b->area, &side);
	revision_free(&side);
	return b->area->interrupts.signal ? ended_by_signal(b->area->interrupts.signal) : ending;
}

static bool is_on_bad_side(const struct bisection *b, int64_t count)
{
	return b->bad_count > b->good_count ? count >= b->mark : count <= b->mark;
}

static int note_step(struct bisection *b, const struct bisect_step *step, size_t left)
{
	if (cg_grow(&b->steps, &b->cap, b->nsteps + 1, sizeof *b->steps))
		return CG_ENOMEM;
	b->steps[b->nsteps++] = *step;
	if (b->said)
		b->said(&b->steps[b->nsteps - 1], left, b->said_arg);
	return CG_OK;
}

/* ---- what is a change ------------------------------------------------------- */

static uint64_t tolerance_of(const struct bisection *b, int64_t good)
{
	const struct config_benchmark *c = b->benchmark;
	const struct tolerance *t = tolerance_find(c->tolerances, c->ntolerances,
						   b->metric ? b->metric : "Ir");
	return t ? tolerance_events(t, good) : 0;
}

/* Sets how far from good's count a bad one must be. False: bad's count is nearer than that. */
static bool find_bad_distance(const struct bisection *b, int64_t good, int64_t bad, uint64_t *step)
{
	uint64_t distance = cg_distance(good, bad), least = tolerance_of(b, good);

	if (b->threshold < 0)
		*step = distance - distance / 2;
	else
		*step = (uint64_t)ceil(fabs((double)good) * b->threshold / 100);
	if (*step <= least)
		*step = least + 1;
	return *step <= distance;
}

/* ---- which case ------------------------------------------------------------ */

/* What all cases of a commit have counted. */
struct case_counts {
	struct git_commit commit;
	struct path_list names;
	int64_t *counts;
};

static void free_counts(struct case_counts *c)
{
	git_commit_free(&c->commit);
	path_list_free(&c->names);
	free(c->counts);
}

static int add_counts(const struct bisection *b, const struct path_list *entries,
		      struct case_counts *c, struct cg_error *err)
{
	int status = CG_OK;

	c->counts = calloc(entries->count + 1, sizeof *c->counts);
	if (!c->counts)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < entries->count; i++) {
		char *name = cache_benchmark(entries->paths[i]);
		status = name ? path_list_add(&c->names, name, err) : cg_fail_nomem(err);
		free(name);
		if (!status)
			status = bisect_count(b, entries->paths[i], &c->counts[i], err);
	}
	return status;
}

static enum ending count_cases(struct bisection *b, const char *id, struct case_counts *c)
{
	struct revision side;
	struct cg_error err;
	struct path_list entries = { 0 };
	char name[GIT_ID_SHORT + 1];

	snprintf(name, sizeof name, "%s", id);
	int status = revision_of_commit(b->area, name, id, &side, &err);
	enum ending ending = status ? build_area_failed(b->area, b->area->project->notices, &err)
				    : bisect_measure(b, &side, &entries);
	if (entries.count) { /* what is lost of it was said */
		status = add_counts(b, &entries, c, &err);
		ending = status ? build_area_failed(b->area, b->area->project->notices, &err)
				: ENDED_FINE;
	}
	c->commit = side.commit;
	side.commit = (struct git_commit){ 0 };
	path_list_free(&entries);
	build_area_leave(b->area, &side);
	revision_free(&side);
	return ending;
}

static const int64_t *find_count(const struct case_counts *c, const char *name)
{
	for (size_t i = 0; i < c->names.count; i++)
		if (strcmp(c->names.paths[i], name) == 0)
			return &c->counts[i];
	return NULL;
}

static int add_case(struct bisection *b, const char *name, int64_t good, int64_t bad)
{
	char *copy = strdup(name);

	if (!copy || cg_grow(&b->cases, &b->cases_cap, b->ncases + 1, sizeof *b->cases)) {
		free(copy);
		return CG_ENOMEM;
	}
	b->cases[b->ncases++] = (struct bisect_case){ .name = copy, .good = good, .bad = bad };
	return CG_OK;
}

static int find_common_cases(struct bisection *b, const struct case_counts *good,
			     const struct case_counts *bad)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < good->names.count; i++) {
		const int64_t *count = find_count(bad, good->names.paths[i]);
		if (count)
			status = add_case(b, good->names.paths[i], good->counts[i], *count);
	}
	return status;
}

/* The sum of all cases would hide that one gains what another one loses, and a change of a short
 * case beside a long one. */
static enum ending choose_most_changed(struct bisection *b)
{
	const struct bisect_case *most = NULL;
	double largest = 0;
	uint64_t step;

	for (size_t i = 0; i < b->ncases; i++) {
		const struct bisect_case *c = &b->cases[i];
		double change = (double)cg_distance(c->good, c->bad) /
				fmax(fabs((double)c->good), 1);
		if (change <= largest || !find_bad_distance(b, c->good, c->bad, &step))
			continue;
		most = c;
		largest = change;
	}
	if (!most) {
		notice_message(b->area->project->notices, "no case of %s %s", b->name,
			       b->ncases ? "changed between good and bad"
					 : "exists in both good and bad");
		return ENDED_UNUSABLE;
	}
	b->name = b->chosen = strdup(most->name);
	if (b->chosen)
		return ENDED_FINE;
	struct cg_error err;
	cg_fail_nomem(&err);
	return notice_error(b->area->project->notices, &err);
}

/* Whether a case was on good's side of its mark before the commit, and is on bad's after it. */
static bool crosses(const struct bisection *b, const struct bisect_case *c)
{
	uint64_t step;
	bool up = c->bad > c->good;

	if (!find_bad_distance(b, c->good, c->bad, &step))
		return false;
	int64_t mark = up ? c->good + (int64_t)step : c->good - (int64_t)step;
	return up ? c->before < mark && c->after >= mark : c->before > mark && c->after <= mark;
}

enum ending bisect_compare_cases(struct bisection *b, const char *parent)
{
	struct case_counts before = { 0 }, after = { 0 };
	enum ending ending = count_cases(b, parent, &before);

	if (!ending)
		ending = count_cases(b, b->bad, &after);
	for (size_t i = 0; !ending && i < b->ncases; i++) {
		struct bisect_case *c = &b->cases[i];
		const int64_t *was = find_count(&before, c->name),
			      *is = find_count(&after, c->name);
		if (!was || !is)
			continue;
		c->before = *was;
		c->after = *is;
		c->crosses = crosses(b, c);
	}
	free_counts(&before);
	free_counts(&after);
	return ending;
}

/* *of_good and *of_bad get the counts of all cases, or nothing if the user named a case. */
static enum ending choose_case(struct bisection *b, const char *good, const char *bad,
			       struct case_counts *of_good, struct case_counts *of_bad)
{
	if (strchr(b->name, '/'))
		return ENDED_FINE;
	enum ending ending = count_cases(b, good, of_good);
	if (!ending)
		ending = count_cases(b, bad, of_bad);
	if (!ending && strcmp(of_good->names.paths[0], b->name) != 0 &&
	    strcmp(of_bad->names.paths[0], b->name) != 0) {
		struct cg_error err;
		ending = !find_common_cases(b, of_good, of_bad)
				 ? choose_most_changed(b)
				 : (cg_fail_nomem(&err),
				    notice_error(b->area->project->notices, &err));
	}
	return ending;
}

/* ---- the ends ------------------------------------------------------------- */

/* "the tolerance in irdiff.yml is 100": why a change is too small to be searched for. */
static void say_least_change(const struct bisection *b, char *buffer, size_t size)
{
	const uint64_t tolerance = tolerance_of(b, b->good_count);
	char count[TEXT_NUMBER];

	if (tolerance && cg_distance(b->good_count, b->bad_count) <= tolerance)
		snprintf(buffer, size, "the tolerance in " CONFIG_NAME " is %s",
			 text_count(tolerance, count));
	else
		snprintf(buffer, size, "--threshold is %g%%", b->threshold);
}

static int no_change_to_find(const struct bisection *b, struct cg_error *err)
{
	char good[TEXT_NUMBER], bad[TEXT_NUMBER], least[160];

	text_cost(b->good_count, good);
	if (b->good_count == b->bad_count)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "good and bad have the same count, %s: there is no change to find "
			       "between them",
			       good);
	say_least_change(b, least, sizeof least);
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "good has %s and bad %s, which is too small a change to search for: %s",
		       good, text_cost(b->bad_count, bad), least);
}

static int find_mark(struct bisection *b, struct cg_error *err)
{
	uint64_t step;

	if (!find_bad_distance(b, b->good_count, b->bad_count, &step))
		return no_change_to_find(b, err);
	b->mark = b->bad_count > b->good_count ? b->good_count + (int64_t)step
					       : b->good_count - (int64_t)step;
	return CG_OK;
}

static int check_ancestor(const struct bisection *b, const char *good, const char *bad,
			  struct cg_error *err)
{
	const struct git *git = b->area->git;
	const char *const args[] = { "merge-base", "--is-ancestor", good, bad, NULL };
	char *base = NULL;

	const char *const swapped[] = { "merge-base", "--is-ancestor", bad, good, NULL };

	if (git_says_yes(git, args))
		return CG_OK;
	if (git_says_yes(git, swapped))
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"bad (%.*s) is older than good (%.*s); swap them (good is the older commit, also to find an improvement)",
			GIT_ID_SHORT, bad, GIT_ID_SHORT, good);
	if (git_merge_base(git, good, bad, &base, err))
		return CG_EINVAL;
	int status = cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%.*s (good) is not an ancestor of %.*s (bad); check whether their merge base is good: %.*s",
		GIT_ID_SHORT, good, GIT_ID_SHORT, bad, GIT_ID_SHORT, base);
	free(base);
	return status;
}

/* The cache does not have a commit that has lost a case as a whole, so it would be measured
 * again. */
static enum ending measure_unless_known(struct bisection *b, const char *id,
					struct case_counts *known, struct bisect_step *step)
{
	for (size_t i = 0; i < known->names.count; i++) {
		if (strcmp(known->names.paths[i], b->name) != 0)
			continue;
		step->count = known->counts[i];
		step->commit = known->commit;
		known->commit = (struct git_commit){ 0 };
		return ENDED_FINE;
	}
	return measure_commit(b, id, &step->commit, &step->count);
}

static enum ending measure_end(struct bisection *b, const char *id, enum bisect_verdict verdict,
			       struct case_counts *known, int64_t *count)
{
	struct bisect_step step = { .verdict = verdict };
	struct cg_error err;
	enum ending ending = measure_unless_known(b, id, known, &step);

	*count = step.count;
	/* Nothing is new if both are the same. */
	if (!ending && verdict == BISECT_BAD && find_mark(b, &err))
		ending = build_area_failed(b->area, b->area->project->notices, &err);
	if (ending || note_step(b, &step, 0)) {
		git_commit_free(&step.commit);
		return ending ? ending : ENDED_UNUSABLE;
	}
	return ENDED_FINE;
}

static enum ending measure_good_and_bad(struct bisection *b, const char *good, const char *bad)
{
	struct case_counts of_good = { 0 }, of_bad = { 0 };
	enum ending ending = choose_case(b, good, bad, &of_good, &of_bad);

	if (!ending)
		ending = measure_end(b, good, BISECT_GOOD, &of_good, &b->good_count);
	if (!ending)
		ending = measure_end(b, bad, BISECT_BAD, &of_bad, &b->bad_count);
	free_counts(&of_good);
	free_counts(&of_bad);
	return ending;
}

static enum ending measure_ends(struct bisection *b, const char *good, const char *bad)
{
	struct cg_error err;
	if (check_ancestor(b, good, bad, &err))
		return build_area_failed(b->area, b->area->project->notices, &err);
	enum ending ending = measure_good_and_bad(b, good, bad);
	if (ending)
		return ending;
	b->bad = strdup(bad);
	return b->bad && !strings_add(&b->good, good, &err) ? ENDED_FINE : ENDED_UNUSABLE;
}

/* ---- the search ----------------------------------------------------------- */

static bool is_skipped_id(const struct strings *list, const char *id)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], id) == 0)
			return true;
	return false;
}

/* Lists the commits that may be the first bad one; the best ones to halve them come first. */
static int list_candidates(const struct bisection *b, struct strings *out, struct cg_error *err)
{
	struct strings args = { 0 };
	int status = strings_add(&args, "--bisect-all", err);

	if (!status && b->first_parent)
		status = strings_add(&args, "--first-parent", err);
	if (!status)
		status = strings_add(&args, b->bad, err);
	for (size_t i = 0; !status && i < b->good.count; i++)
		status = strings_addf(&args, err, "^%s", b->good.items[i]);
	if (!status)
		status = git_list(b->area->git, (const char *const *)args.items, out, err);
	strings_free(&args);
	return status;
}

static const char *choose_commit_to_try(const struct bisection *b, const struct strings *candidates)
{
	for (size_t i = 0; i < candidates->count; i++) {
		const char *id = candidates->items[i];
		if (strcmp(id, b->bad) != 0 && !is_skipped_id(&b->skipped, id))
			return id;
	}
	return NULL;
}

static int take_verdict(struct bisection *b, const char *id, enum bisect_verdict verdict,
			struct cg_error *err)
{
	char *copy;

	if (verdict == BISECT_GOOD)
		return strings_add(&b->good, id, err);
	if (verdict == BISECT_SKIPPED)
		return strings_add(&b->skipped, id, err);
	copy = strdup(id);
	if (!copy)
		return cg_fail_nomem(err);
	free(b->bad);
	b->bad = copy;
	return CG_OK;
}

static enum ending try_commit(struct bisection *b, const char *id, size_t left)
{
	struct bisect_step step = { 0 };
	struct cg_error err;
	enum ending ending = measure_commit(b, id, &step.commit, &step.count);

	if (ending_is_signal(ending) || (b->moved && !b->here)) {
		git_commit_free(&step.commit);
		return ending;
	}
	b->moved = false;
	step.verdict = ending                          ? BISECT_SKIPPED
		       : is_on_bad_side(b, step.count) ? BISECT_BAD
						       : BISECT_GOOD;
	if (note_step(b, &step, left)) {
		git_commit_free(&step.commit);
		return ENDED_UNUSABLE;
	}
	return take_verdict(b, id, step.verdict, &err)
		       ? build_area_failed(b->area, b->area->project->notices, &err)
		       : ENDED_FINE;
}

/* Tries one commit. If none is left to try, *done is set, and `suspects` gets the commits that
 * skipped ones leave in doubt. */
static enum ending search_once(struct bisection *b, bool *done)
{
	struct strings candidates = { 0 };
	struct cg_error err;
	int status = list_candidates(b, &candidates, &err);
	const char *next = status ? NULL : choose_commit_to_try(b, &candidates);
	enum ending ending = ENDED_FINE;

	if (status) {
		ending = build_area_failed(b->area, b->area->project->notices, &err);
	} else if (next) {
		ending = try_commit(b, next, candidates.count);
	} else {
		*done = true;
		if (candidates.count > 1) {
			b->suspects = candidates;
			return ENDED_FINE;
		}
	}
	strings_free(&candidates);
	return ending;
}

static enum ending bisect_once(struct bisection *b, const char *good, const char *bad)
{
	bool done = false;
	enum ending ending = measure_ends(b, good, bad);

	while (!ending && !done)
		ending = search_once(b, &done);
	return ending;
}

/* As if nothing had been measured. */
static void begin_anew(struct bisection *b, const char *name)
{
	struct bisection begun = { .area = b->area,
				   .benchmark = b->benchmark,
				   .name = name,
				   .metric = b->metric,
				   .first_parent = b->first_parent,
				   .threshold = b->threshold,
				   .said = b->said,
				   .said_arg = b->said_arg,
				   .here = true };

	bisection_free(b);
	*b = begun;
}

enum ending bisect(struct bisection *b, const char *good, const char *bad)
{
	const char *name = b->name;
	enum ending ending = bisect_once(b, good, bad);

	if (!b->moved || ending_is_signal(ending))
		return ending;
	notice_message(b->area->project->notices, "measuring good again, and searching once more");
	begin_anew(b, name);
	return bisect_once(b, good, bad);
}
