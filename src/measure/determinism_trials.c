#include "src/measure/determinism_trials.h"

#include <stdio.h>
#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/run/process.h"
#include "src/status/ending.h"
#include "src/status/notice.h"

/* A remedy can make a program wait forever: with a frozen clock, what repeats its work until that
 * takes long enough does not end. */
#define LIMIT_FACTOR 5
#define LIMIT_LEAST 5 /* seconds */
#define LIMIT_MOST 1000000

/* What all trials may take: enough for each remedy alone and all together, if runs differ. */
#define TRIALS_FACTOR 15
#define TRIALS_LEAST 300 /* seconds */

struct remedy_search {
	const struct repeating *how;
	unsigned limit;  /* seconds for one run of a trial */
	unsigned frozen; /* by the request, a harness or a preset */
	size_t most;     /* trials */
	double until;    /* of the monotonic clock; 0: never */
	bool threads;    /* few equal runs may be chance */
	struct determinism_trials *out;
	enum ending *ending;
};

/* ---- one trial ---- */

struct trial {
	struct repeated repeated;
	bool failed;
};

static uint64_t trial_width(const struct trial *t)
{
	struct spread totals = repeated_spread(&t->repeated);

	return cg_distance(totals.min, totals.max);
}

static bool is_trial_equal(const struct trial *t)
{
	return !t->failed && t->repeated.equal;
}

static int note_attempt(struct remedy_search *s, unsigned set, const struct trial *trial)
{
	struct determinism_trials *out = s->out;
	struct verify_attempt attempt = {
		.failed = trial->failed,
		.timed_out = trial->repeated.timed_out,
		.out_of_time = trial->repeated.out_of_time,
		.limit = s->limit,
		.equal = is_trial_equal(trial),
		.runs = trial->repeated.count,
	};

	for (unsigned i = 0, n = 0; i < REMEDIES; i++)
		if (set & 1u << i)
			attempt.remedies[n++] = remedy_name(i);
	if (trial->repeated.count)
		attempt.spread = repeated_spread(&trial->repeated);
	if (cg_grow(&out->attempts, &out->cap, out->nattempts + 1, sizeof *out->attempts))
		return CG_ENOMEM;
	out->attempts[out->nattempts++] = attempt;
	if (attempt.equal)
		out->threads = trial->repeated.threads;
	return CG_OK;
}

/* "trial 3 of at most 9 (freeze random, freeze time)"; NULL: out of memory. */
static char *describe_trial(const struct remedy_search *s, unsigned set)
{
	char *text = NULL;
	size_t size;
	const char *between = "";
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fprintf(to, "trial %zu of at most %zu (", s->out->nattempts + 1, s->most);
	for (unsigned i = 0; i < REMEDIES; i++)
		if (set & 1u << i) {
			fprintf(to, "%s%s", between, remedy_name(i));
			between = ", ";
		}
	fputc(')', to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static bool is_time_left(const struct remedy_search *s)
{
	return s->until <= 0 || monotonic_seconds() < s->until;
}

/* Free trial->repeated in any case. `most`: as in struct repeating. */
static int try_remedies(struct remedy_search *s, unsigned set, uint64_t most, struct trial *trial)
{
	struct repeating how = *s->how;
	struct remedied remedied;

	*trial = (struct trial){ .failed = true };
	if (!is_time_left(s)) {
		trial->repeated.out_of_time = true;
		return note_attempt(s, set, trial);
	}
	int status = remedies_apply(&s->how->request, s->frozen, set, &remedied);
	how.request = remedied.request;
	how.trial = true;
	how.more = s->threads ? how.runs : 0;
	how.most = most;
	how.until = s->until;
	how.request.timeout = s->limit;
	char *doing = describe_trial(s, set);
	if (!doing)
		status = CG_ENOMEM;
	how.doing = doing;
	if (!status) {
		enum ending code;
		trial->failed = repeat(&how, &trial->repeated, &code) != CG_OK;
		if (trial->failed && ending_is_signal(code)) {
			*s->ending = code;
			status = CG_EIO;
		} else {
			status = note_attempt(s, set, trial);
		}
	}
	if (status == CG_ENOMEM) {
		struct cg_error err = { 0 };
		cg_fail_nomem(&err);
		*s->ending = notice_error(s->how->notices, &err);
	}
	remedied_free(&remedied);
	free(doing);
	return status;
}

/* The same until a difference of any kind. */
static int try_for_equal(struct remedy_search *s, unsigned set, bool *equal, bool *failed)
{
	struct trial trial;
	int status = try_remedies(s, set, 0, &trial);

	*equal = is_trial_equal(&trial);
	*failed = trial.failed;
	repeated_free(&trial.repeated);
	return status;
}

/* ---- the search ---- */

/* The first of those that help alone; none: 0. Those with which the program fails are no
 * candidates any more. */
static int try_each(struct remedy_search *s, unsigned *candidates, unsigned *found)
{
	int status = CG_OK;

	*found = 0;
	for (unsigned i = 0; !status && !*found && i < REMEDIES; i++) {
		bool equal = false, failed = false;
		if (!(*candidates & 1u << i))
			continue;
		status = try_for_equal(s, 1u << i, &equal, &failed);
		if (equal)
			*found = 1u << i;
		if (failed)
			*candidates &= ~(1u << i);
	}
	return status;
}

/* Drops each remedy without which the rest still helps. All that are left are needed. */
static int drop_needless(struct remedy_search *s, unsigned candidates, unsigned *found)
{
	int status = CG_OK;

	for (unsigned i = REMEDIES; !status && i-- > 0;) {
		unsigned less = candidates & ~(1u << i);
		bool equal = false, failed;
		if (less == candidates || !(less & (less - 1)))
			continue; /* one alone does not help, as is known */
		status = try_for_equal(s, less, &equal, &failed);
		if (!status && equal)
			candidates = less;
	}
	*found = candidates;
	return status;
}

/* How far totals may be apart without a remedy that is not worth keeping: a few runs do not show
 * more than that. */
static uint64_t twice(uint64_t width)
{
	return width > UINT64_MAX / 2 ? UINT64_MAX : 2 * width;
}

/*
 * Drops each remedy without which the totals of `best` (all candidates) vary as little as with it,
 * as far as runs show that; *best becomes the runs with the rest. If one of these sets makes all
 * runs equal, it is *found.
 */
static int drop_useless(struct remedy_search *s, unsigned *candidates, struct trial *best,
			unsigned *found)
{
	uint64_t most = twice(trial_width(best));
	int status = CG_OK;

	for (unsigned i = REMEDIES; !status && !*found && i-- > 0;) {
		unsigned less = *candidates & ~(1u << i);
		struct trial trial;
		if (less == *candidates || !less)
			continue;
		status = try_remedies(s, less, most + (most < UINT64_MAX), &trial);
		if (!status && is_trial_equal(&trial))
			*found = less;
		if (status || trial.failed || trial_width(&trial) > most) {
			repeated_free(&trial.repeated);
			continue;
		}
		*candidates = less;
		if (twice(trial_width(&trial)) < most)
			most = twice(trial_width(&trial));
		repeated_free(&best->repeated);
		*best = trial;
	}
	return status;
}

/* Whether totals that were so far apart `before` are no more than half as far apart. */
static bool is_reduction(const struct trial *t, uint64_t before)
{
	return !t->failed && before && trial_width(t) <= before / 2;
}

/* All remedies together, then fewer. *reducing: those with which counts vary less, if none are
 * found with which they do not. */
static int try_together(struct remedy_search *s, unsigned candidates, uint64_t before,
			unsigned *found, unsigned *reducing)
{
	struct trial all;
	int status = try_remedies(s, candidates, UINT64_MAX, &all);

	if (!status && is_trial_equal(&all))
		status = drop_needless(s, candidates, found);
	else if (!status && is_reduction(&all, before))
		status = drop_useless(s, &candidates, &all, found);
	if (!status && !*found && is_reduction(&all, before)) {
		*reducing = candidates;
		s->out->reduced = all.repeated;
		all.repeated = (struct repeated){ 0 };
	}
	repeated_free(&all.repeated);
	return status;
}

static unsigned trial_limit(const struct repeating *how, const struct repeated *before)
{
	double seconds = LIMIT_FACTOR * before->seconds + 1;
	unsigned limit = seconds < LIMIT_LEAST  ? LIMIT_LEAST
			 : seconds > LIMIT_MOST ? LIMIT_MOST
						: (unsigned)seconds;
	unsigned users = how->request.timeout;

	return users && users < limit ? users : limit;
}

static double all_trials_limit(uint64_t seconds, const struct repeated *before)
{
	double most = TRIALS_FACTOR * before->seconds;

	if (seconds != TRIALS_DEFAULT)
		return (double)seconds;
	return most < TRIALS_LEAST ? TRIALS_LEAST : most;
}

/* Before the user waits for them. */
static void tell_trials(const struct remedy_search *s, const struct repeated *before)
{
	const double all = (double)(s->most * s->how->runs) * before->seconds;
	const double limit = s->out->seconds;
	const double most = limit > 0 && limit < all ? limit : all;

	if (s->most > 1 && most >= REPEATING_IS_LONG)
		notice_message(s->how->notices,
			       "the runs differ; trying settings that may make them equal takes up "
			       "to %.0f s (--trials-timeout=SECONDS changes that, --remedies=no "
			       "skips it)",
			       most);
}

int determinism_trials_run(const struct repeating *how, const struct repeated *before,
			   uint64_t seconds, struct determinism_trials *out, enum ending *ending)
{
	struct spread totals = repeated_spread(before);
	unsigned candidates = remedies_for(how, before), found = 0, reducing = 0;
	struct remedy_search s = {
		.how = how,
		.limit = trial_limit(how, before),
		.frozen = before->frozen,
		.threads = before->threads,
		/* each, all, and all but each */
		.most = 2 * (size_t)__builtin_popcount(candidates) + 1,
		.out = out,
		.ending = ending,
	};

	*out = (struct determinism_trials){ .seconds = all_trials_limit(seconds, before) };
	if (out->seconds > 0)
		s.until = monotonic_seconds() + out->seconds;
	tell_trials(&s, before);
	int status = try_each(&s, &candidates, &found);
	if (!status && !found && candidates)
		status = try_together(&s, candidates, cg_distance(totals.min, totals.max), &found,
				      &reducing);
	out->found = !status && found;
	if (!status && (found || reducing))
		remedies_describe(before->frozen, found ? found : reducing, &out->remedy);
	return status;
}

void determinism_trials_free(struct determinism_trials *s)
{
	free(s->attempts);
	repeated_free(&s->reduced);
	*s = (struct determinism_trials){ 0 };
}
