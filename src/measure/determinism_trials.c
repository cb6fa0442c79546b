#include "src/measure/determinism_trials.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/run/freeze.h"
#include "src/status/ending.h"
#include "src/status/notice.h"

/* In addition to those that every benchmark gets (src/run/hermetic.c), unless irdiff.yml
 * overrides them. */
static const char *const hash_seeds[] = { "QT_HASH_SEED=0", NULL };
static const char *const single_thread[] = { "OMP_NUM_THREADS=1",
					     "OPENBLAS_NUM_THREADS=1",
					     "MKL_NUM_THREADS=1",
					     "RAYON_NUM_THREADS=1",
					     "NUMEXPR_NUM_THREADS=1",
					     "GOMAXPROCS=1",
					     NULL };

static const struct remedy {
	const char *name;
	unsigned freeze;
	const char *const *env;
	bool warm_up;
} remedies[] = {
	{ "freeze random", .freeze = FREEZE_RANDOM }, { "freeze time", .freeze = FREEZE_TIME },
	{ "freeze pid", .freeze = FREEZE_PID },       { "hash seeds", .env = hash_seeds },
	{ "single thread", .env = single_thread },    { "warm-up", .warm_up = true },
};

enum { NREMEDIES = sizeof remedies / sizeof *remedies };

_Static_assert(NREMEDIES < VERIFY_WORDS, "an attempt has room for all remedies");

struct remedy_search {
	const struct repeating *how;
	struct determinism_trials *out;
	enum ending *ending;
};

/* ---- a set of remedies, as bits ---- */

static bool has_variable(const struct run_request *request, const char *assignment)
{
	for (const char *const *env = request->env; env && *env; env++)
		if (!strcmp(*env, assignment))
			return true;
	return false;
}

/* Whether it would change anything. */
static bool is_news(const struct remedy *m, const struct repeating *how,
		    const struct repeated *before)
{
	const struct run_request *request = &how->request;
	bool news = (m->freeze & ~request->freeze) || (m->warm_up && !request->warm_up);

	if (m->freeze == FREEZE_PID && !before->untraced)
		return false;
	if (m->freeze && before->static_image)
		return false;
	for (const char *const *env = m->env; env && *env; env++)
		news = news || !has_variable(request, *env);
	return news;
}

/* The request with these remedies; *env is its list, to be freed. */
static int apply(const struct run_request *request, unsigned set, struct run_request *out,
		 const char ***env)
{
	size_t count = 0, used = 0;

	for (const char *const *e = request->env; e && *e; e++)
		count++;
	for (unsigned i = 0; i < NREMEDIES; i++)
		for (const char *const *e = remedies[i].env; e && *e; e++)
			count++;
	*env = calloc(count + 1, sizeof **env);
	if (!*env)
		return CG_ENOMEM;
	*out = *request;
	for (const char *const *e = request->env; e && *e; e++)
		(*env)[used++] = *e;
	for (unsigned i = 0; i < NREMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		out->freeze |= remedies[i].freeze;
		out->warm_up = out->warm_up || remedies[i].warm_up;
		for (const char *const *e = remedies[i].env; e && *e; e++)
			(*env)[used++] = *e;
	}
	out->env = *env;
	return CG_OK;
}

/* ---- trying ---- */

static int note_attempt(struct remedy_search *s, unsigned set, const struct repeated *repeated,
			bool failed)
{
	struct determinism_trials *out = s->out;
	struct verify_attempt attempt = {
		.failed = failed,
		.equal = !failed && repeated->equal,
		.runs = repeated->count,
	};

	for (unsigned i = 0, n = 0; i < NREMEDIES; i++)
		if (set & 1u << i)
			attempt.remedies[n++] = remedies[i].name;
	for (size_t i = 0; i < repeated->count; i++) {
		int64_t total = repeated->profiles[i]->total[0];
		if (i == 0 || total < attempt.spread.min)
			attempt.spread.min = total;
		if (i == 0 || total > attempt.spread.max)
			attempt.spread.max = total;
	}
	if (cg_grow(&out->attempts, &out->cap, out->nattempts + 1, sizeof *out->attempts))
		return CG_ENOMEM;
	out->attempts[out->nattempts++] = attempt;
	return CG_OK;
}

static int try_remedies(struct remedy_search *s, unsigned set, bool *equal)
{
	struct repeating how = *s->how;
	struct repeated repeated = { 0 };
	const char **env = NULL;
	int status = apply(&s->how->request, set, &how.request, &env);

	how.trial = true;
	if (!status) {
		enum ending code;
		bool failed = repeat(&how, &repeated, &code) != CG_OK;
		if (failed && ending_is_signal(code)) {
			*s->ending = code;
			status = CG_EIO;
		} else {
			status = note_attempt(s, set, &repeated, failed);
			*equal = !failed && repeated.equal;
		}
	}
	if (status == CG_ENOMEM) {
		struct cg_error err = { 0 };
		cg_fail_nomem(&err);
		*s->ending = notice_error(s->how->notices, &err);
	}
	repeated_free(&repeated);
	free(env);
	return status;
}

/* The first of those that help alone; none: 0. */
static int try_each(struct remedy_search *s, unsigned candidates, unsigned *found)
{
	int status = CG_OK;

	*found = 0;
	for (unsigned i = 0; !status && !*found && i < NREMEDIES; i++) {
		bool equal = false;
		if (!(candidates & 1u << i))
			continue;
		status = try_remedies(s, 1u << i, &equal);
		if (equal)
			*found = 1u << i;
	}
	return status;
}

/* Tries all remedies together, then drops each without which the rest still helps. All that are
 * left are needed. */
static int try_together(struct remedy_search *s, unsigned candidates, unsigned *found)
{
	bool equal = false;
	int status = try_remedies(s, candidates, &equal);

	if (status || !equal)
		return status;
	for (unsigned i = NREMEDIES; !status && i-- > 0;) {
		unsigned less = candidates & ~(1u << i);
		if (less == candidates || !(less & (less - 1)))
			continue; /* one alone does not help, as is known */
		status = try_remedies(s, less, &equal);
		if (!status && equal)
			candidates = less;
	}
	*found = candidates;
	return status;
}

static void describe_remedy(const struct repeating *how, unsigned set, struct verify_remedy *out)
{
	static const struct {
		unsigned kind;
		const char *name;
	} kinds[] = { { FREEZE_RANDOM, "random" }, { FREEZE_TIME, "time" }, { FREEZE_PID, "pid" } };
	unsigned freeze = 0;
	size_t nenv = 0, nfreeze = 0;

	for (unsigned i = 0; i < NREMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		freeze |= remedies[i].freeze;
		out->warm_up = out->warm_up || remedies[i].warm_up;
		if (remedies[i].env)
			out->env[nenv++] = remedies[i].env;
	}
	freeze |= freeze ? how->request.freeze : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (freeze & kinds[i].kind)
			out->freeze[nfreeze++] = kinds[i].name;
}

int determinism_trials_run(const struct repeating *how, const struct repeated *before,
			   struct determinism_trials *out, enum ending *ending)
{
	struct remedy_search s = { how, out, ending };
	unsigned candidates = 0, found = 0;

	*out = (struct determinism_trials){ 0 };
	for (unsigned i = 0; i < NREMEDIES; i++)
		if (is_news(&remedies[i], how, before))
			candidates |= 1u << i;
	int status = try_each(&s, candidates, &found);
	if (!status && !found && (candidates & (candidates - 1)))
		status = try_together(&s, candidates, &found);
	out->found = !status && found;
	if (out->found)
		describe_remedy(how, found, &out->remedy);
	return status;
}

void determinism_trials_free(struct determinism_trials *s)
{
	free(s->attempts);
	*s = (struct determinism_trials){ 0 };
}
