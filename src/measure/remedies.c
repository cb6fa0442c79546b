#include "src/measure/remedies.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/freeze.h"

static const char *const qt_seed[] = { "QT_HASH_SEED=0", NULL };
static const char *const one_thread[] = { "OMP_NUM_THREADS=1",
					  "OPENBLAS_NUM_THREADS=1",
					  "MKL_NUM_THREADS=1",
					  "RAYON_NUM_THREADS=1",
					  "NUMEXPR_NUM_THREADS=1",
					  "GOMAXPROCS=1",
					  NULL };
static const char *const python_seed[] = { "PYTHONHASHSEED=0", NULL };
static const char *const perl_seed[] = { "PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0", NULL };
static const char *const no_preemption[] = { "GODEBUG=asyncpreemptoff=1", NULL };
static const char *const no_v8_workers[] = { "NODE_OPTIONS=--v8-pool-size=0", NULL };
static const char *const v8_seeds[] = { "--hash-seed=1", "--random-seed=1", NULL };
static const char *const v8_one_thread[] = { "--single-threaded", NULL };
static const char *const v8_predictable[] = { "--predictable", NULL };
static const char *const serial_collector[] = { "-XX:+UseSerialGC", NULL };
static const char *const interpreted[] = { "-Xint", NULL };

#define ANY UINT_MAX
#define UNKNOWN_OR_NATIVE (RUNTIME_OTHER | RUNTIME_GO | RUNTIME_PYTHON)

/* The last ones are dropped first where fewer are enough. */
static const struct remedy {
	const char *name;
	unsigned runtimes; /* for which it is tried */
	unsigned freeze;
	const char *const *env;
	bool is_default;            /* env is what every benchmark gets (src/run/hermetic.c) */
	bool is_list;               /* env has several settings: one that is set is kept */
	bool only_qt;               /* for a program that loads Qt … */
	bool only_threads;          /* … or has several threads */
	const char *const *options; /* of the runtime, on the command line */
	bool warm_up;
} remedies[] = {
	{ "PYTHONHASHSEED=0", RUNTIME_PYTHON, .env = python_seed, .is_default = true },
	{ "PERL_HASH_SEED=0", RUNTIME_PERL, .env = perl_seed, .is_default = true },
	{ "freeze random", ANY, .freeze = FREEZE_RANDOM },
	{ "freeze time", ANY, .freeze = FREEZE_TIME },
	{ "freeze pid", ANY, .freeze = FREEZE_PID },
	{ "hash seeds", ANY, .env = qt_seed, .only_qt = true },
	{ "single thread", UNKNOWN_OR_NATIVE, .env = one_thread, .only_threads = true },
	{ "node --single-threaded", RUNTIME_NODE, .options = v8_one_thread },
	{ "node --v8-pool-size=0", RUNTIME_NODE, .env = no_v8_workers, .is_list = true },
	{ "node --hash-seed=1 --random-seed=1", RUNTIME_NODE, .options = v8_seeds },
	{ "node --predictable", RUNTIME_NODE, .options = v8_predictable },
	{ "GODEBUG=asyncpreemptoff=1", RUNTIME_GO, .env = no_preemption, .is_list = true },
	{ "java -XX:+UseSerialGC", RUNTIME_JAVA, .options = serial_collector },
	{ "java -Xint", RUNTIME_JAVA, .options = interpreted },
	{ "warm-up", UNKNOWN_OR_NATIVE, .warm_up = true },
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
		if (value)
			changes |= !m->is_list && strcmp(value, wanted) != 0;
		else
			changes |= !m->is_default;
	}
	return changes;
}

static bool adds_options(const struct run_request *request, const struct remedy *m,
			 enum runtime runtime)
{
	bool adds = false;
	size_t word = m->options ? runtime_word(request->argv, runtime) : 0;

	if (!m->options || !request->argv[word])
		return false;
	for (const char *const *option = m->options; *option; option++) {
		size_t i = word + 1;
		while (request->argv[i] && strcmp(request->argv[i], *option) != 0)
			i++;
		adds |= !request->argv[i];
	}
	return adds;
}

static bool is_remedy_news(const struct remedy *m, const struct run_request *request,
			   const struct repeated *before)
{
	if (!(m->runtimes & before->runtime) || (m->freeze == FREEZE_PID && !before->untraced) ||
	    (m->freeze && before->static_image) || (m->only_qt && !before->qt) ||
	    (m->only_threads && !before->threads))
		return false;
	return (m->freeze & ~request->freeze) || (m->warm_up && !request->warm_up) ||
	       changes_variable(request, m) || adds_options(request, m, before->runtime);
}

unsigned remedies_for(const struct repeating *how, const struct repeated *before)
{
	unsigned set = 0;

	for (unsigned i = 0; i < REMEDIES; i++)
		if (is_remedy_news(&remedies[i], &how->request, before))
			set |= 1u << i;
	return set;
}

bool remedies_have_options(unsigned set)
{
	for (unsigned i = 0; i < REMEDIES; i++)
		if ((set & 1u << i) && remedies[i].options)
			return true;
	return false;
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
		count += list_length(remedies[i].env) + list_length(remedies[i].options);
	return calloc(count + 1, sizeof(char *));
}

static void append_texts(const char **list, const char *const *texts, size_t count)
{
	size_t used = list_length(list);

	for (size_t i = 0; i < count; i++)
		list[used + i] = texts[i];
}

/* Options follow the word that starts the runtime, before those of the program. */
static void append_options(const char **argv, unsigned set)
{
	for (unsigned i = 0; i < REMEDIES; i++)
		if (set & 1u << i)
			append_texts(argv, remedies[i].options, list_length(remedies[i].options));
}

int remedies_apply(const struct run_request *request, unsigned set, enum runtime runtime,
		   struct remedied *out)
{
	size_t words = list_length(request->argv), word = runtime_word(request->argv, runtime);
	size_t before = word < words ? word + 1 : words;

	*out = (struct remedied){ *request, new_remedied_list(request->env),
				  new_remedied_list(request->argv) };
	if (!out->env || !out->argv)
		return CG_ENOMEM;
	append_texts(out->env, request->env, list_length(request->env));
	append_texts(out->argv, request->argv, before);
	append_options(out->argv, set);
	append_texts(out->argv, request->argv + before, words - before);
	for (unsigned i = 0; i < REMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		out->request.freeze |= remedies[i].freeze;
		out->request.warm_up |= remedies[i].warm_up;
		append_texts(out->env, remedies[i].env, list_length(remedies[i].env));
	}
	out->request.env = out->env;
	out->request.argv = out->argv;
	return CG_OK;
}

void remedied_free(struct remedied *r)
{
	free(r->env);
	free(r->argv);
	*r = (struct remedied){ 0 };
}

void remedies_describe(const struct run_request *request, unsigned set, struct verify_remedy *out)
{
	static const struct {
		unsigned kind;
		const char *name;
	} kinds[] = { { FREEZE_RANDOM, "random" }, { FREEZE_TIME, "time" }, { FREEZE_PID, "pid" } };
	unsigned freeze = 0;
	size_t nenv = 0, nfreeze = 0;

	for (unsigned i = 0; i < REMEDIES; i++) {
		if (!(set & 1u << i))
			continue;
		freeze |= remedies[i].freeze;
		out->warm_up = out->warm_up || remedies[i].warm_up;
		if (remedies[i].env)
			out->env[nenv++] = remedies[i].env;
	}
	freeze |= freeze ? request->freeze : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (freeze & kinds[i].kind)
			out->freeze[nfreeze++] = kinds[i].name;
}
