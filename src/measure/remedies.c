#include "src/measure/remedies.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/run_notes.h"
#include "src/run/freeze.h"

static const char *const qt_seed[] = { "QT_HASH_SEED=0", NULL };
static const char *const one_thread[] = { "OMP_NUM_THREADS=1",     "OPENBLAS_NUM_THREADS=1",
					  "MKL_NUM_THREADS=1",     "RAYON_NUM_THREADS=1",
					  "NUMEXPR_NUM_THREADS=1", NULL };
static const char *const python_seed[] = { "PYTHONHASHSEED=0", NULL };
static const char *const perl_seed[] = { "PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0", NULL };

#define ANY UINT_MAX
#define UNKNOWN_OR_PYTHON (RUNTIME_OTHER | RUNTIME_PYTHON)
#define WITH_PRESET (RUNTIME_GO | RUNTIME_JAVA | RUNTIME_NODE | RUNTIME_RUBY)

/* The last ones are dropped first where fewer are enough. */
static const struct remedy {
	const char *name;
	unsigned runtimes; /* for which it is tried */
	unsigned freeze;
	const char *const *env;
	bool is_default;   /* env is what every benchmark gets (src/run/hermetic.c) */
	bool only_qt;      /* for a program that loads Qt … */
	bool only_threads; /* … or has several threads */
	bool presets;      /* which every benchmark gets by default, too */
	bool warm_up;
} remedies[] = {
	{ "presets", WITH_PRESET, .presets = true },
	{ "PYTHONHASHSEED=0", RUNTIME_PYTHON, .env = python_seed, .is_default = true },
	{ "PERL_HASH_SEED=0", RUNTIME_PERL, .env = perl_seed, .is_default = true },
	{ "freeze random", ANY, .freeze = FREEZE_RANDOM },
	{ "freeze time", ANY, .freeze = FREEZE_TIME },
	{ "freeze pid", ANY, .freeze = FREEZE_PID },
	{ "hash seeds", ANY, .env = qt_seed, .only_qt = true },
	{ "single thread", UNKNOWN_OR_PYTHON, .env = one_thread, .only_threads = true },
	{ "warm-up", UNKNOWN_OR_PYTHON | RUNTIME_GO, .warm_up = true },
	/* Which memory the C library gives to a thread depends on which one has ended. Another
	 * allocator is measured then, so it is the last resort. */
	{ "freeze malloc", UNKNOWN_OR_PYTHON, .freeze = FREEZE_MALLOC, .only_threads = true },
};

_Static_assert(sizeof remedies / sizeof *remedies == REMEDIES, "REMEDIES counts them");
_Static_assert(REMEDIES < VERIFY_WORDS, "an attempt has room for all remedies");

const char *remedy_name(unsigned i)
{
	return remedies[i].name;
}

/* ---- which would change anything ---- */

/* The value of a variable of the request; NULL: it sets none. */
static const char *value_of_variable(const struct run_request *request, const char *assignment)
{
	size_t len = strcspn(assignment, "=");
	const char *value = NULL;

	for (const char *const *env = request->env; env && *env; env++)
		if (!strncmp(*env, assignment, len) && (!(*env)[len] || (*env)[len] == '='))
			value = (*env)[len] ? *env + len + 1 : "";
	return value;
}

static bool changes_variable(const struct run_request *request, const struct remedy *m)
{
	bool changes = false;

	for (const char *const *env = m->env; env && *env; env++) {
		const char *value = value_of_variable(request, *env);
		const char *wanted = strchr(*env, '=') + 1;
		changes |= value ? strcmp(value, wanted) != 0 : !m->is_default;
	}
	return changes;
}

/* Threads make runs differ, and by chance equal, too: what a program never read is no cause. */
static bool is_frozen_in_vain(unsigned freeze, const struct repeated *before)
{
	static const struct {
		unsigned kind, reads;
	} all[] = { { FREEZE_RANDOM, RUN_READS_RANDOM },
		    { FREEZE_TIME, RUN_READS_CLOCK },
		    { FREEZE_PID, RUN_READS_PID } };
	unsigned reads = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (freeze & all[i].kind)
			reads |= all[i].reads;
	return reads && before->threads && !(before->reads & reads);
}

static bool is_remedy_news(const struct remedy *m, const struct run_request *request,
			   const struct repeated *before)
{
	if (!(m->runtimes & before->runtime) || (m->freeze == FREEZE_PID && !before->untraced) ||
	    (m->freeze && before->static_image) || (m->only_qt && !before->qt) ||
	    (m->only_threads && !before->threads) || is_frozen_in_vain(m->freeze, before))
		return false;
	return (m->presets && !request->presets) || (m->freeze & ~before->frozen) ||
	       (m->warm_up && !request->warm_up) || changes_variable(request, m);
}

unsigned remedies_for(const struct repeating *how, const struct repeated *before)
{
	unsigned set = 0;

	for (unsigned i = 0; i < REMEDIES; i++)
		if (is_remedy_news(&remedies[i], &how->request, before))
			set |= 1u << i;
	return set;
}

/* ---- applying them ---- */

static size_t list_length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

/* A list with room for what all remedies add. */
static const char **new_remedied_list(const char *const *list)
{
	size_t count = list_length(list);

	for (unsigned i = 0; i < REMEDIES; i++)
		count += list_length(remedies[i].env);
	return calloc(count + 1, sizeof(char *));
}

static void append_texts(const char **list, const char *const *texts, size_t count)
{
	size_t used = list_length(list);

	for (size_t i = 0; i < count; i++)
		list[used + i] = texts[i];
}

/* To ask for something to be frozen replaces what a harness freezes by itself. */
int remedies_apply(const struct run_request *request, unsigned frozen, unsigned set,
		   struct remedied *out)
{
	unsigned freeze = 0;

	*out = (struct remedied){ *request, new_remedied_list(request->env) };
	if (!out->env)
		return CG_ENOMEM;
	append_texts(out->env, request->env, list_length(request->env));
	for (unsigned i = 0; i < REMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		out->request.presets |= remedies[i].presets;
		freeze |= remedies[i].freeze;
		out->request.warm_up |= remedies[i].warm_up;
		append_texts(out->env, remedies[i].env, list_length(remedies[i].env));
	}
	if (freeze)
		out->request.freeze |= freeze | frozen;
	out->request.env = out->env;
	return CG_OK;
}

void remedied_free(struct remedied *r)
{
	free(r->env);
	*r = (struct remedied){ 0 };
}

void remedies_describe(unsigned frozen, unsigned set, struct verify_remedy *out)
{
	static const struct {
		unsigned kind;
		const char *name;
	} kinds[] = { { FREEZE_MALLOC, "malloc" },
		      { FREEZE_RANDOM, "random" },
		      { FREEZE_TIME, "time" },
		      { FREEZE_PID, "pid" } };
	unsigned freeze = 0;
	size_t nenv = 0, nfreeze = 0;

	for (unsigned i = 0; i < REMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		freeze |= remedies[i].freeze;
		out->warm_up = out->warm_up || remedies[i].warm_up;
		out->presets = out->presets || remedies[i].presets;
		if (remedies[i].env)
			out->env[nenv++] = remedies[i].env;
	}
	freeze |= freeze ? frozen : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (freeze & kinds[i].kind)
			out->freeze[nfreeze++] = kinds[i].name;
}
