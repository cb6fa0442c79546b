#include "src/view/scripted.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *prefix;         /* of its functions */
	const char *interpreter[3]; /* what the names of functions begin with that run them */
	const char *advice;
} languages[SCRIPTED_LANGUAGES] = {
	[SCRIPTED_PYTHON] = { "py::",
			      { "_PyEval_EvalFrame", "PyEval_EvalFrame" },
			      "Python functions have names with Python 3.12 and later, unless "
			      "PYTHONPERFSUPPORT is 0" },
	[SCRIPTED_JAVASCRIPT] = { "JS:",
				  { "Builtins_InterpreterEntryTrampoline", "Builtins_JSEntry" },
				  "JavaScript functions have names with "
				  "NODE_OPTIONS='--perf-basic-prof-only-functions "
				  "--interpreted-frames-native-stack'" },
};

static bool begins_scripted(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool scripted_is(enum scripted language, const char *name)
{
	return begins_scripted(name, languages[language].prefix);
}

bool scripted_is_named(enum scripted language, const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (scripted_is(language, cg_string(p, p->functions[i].name)))
			return true;
	return false;
}

static bool has_run(enum scripted language, const struct cg_profile *p)
{
	const char *const *signs = languages[language].interpreter;

	for (uint32_t i = 1; i < p->nfunctions; i++)
		for (const char *const *sign = signs; *sign; sign++)
			if (begins_scripted(cg_string(p, p->functions[i].name), *sign))
				return true;
	return false;
}

const char *scripted_advice(const char *regex, const struct cg_profile *p)
{
	const char *begin = regex && *regex == '^' ? regex + 1 : regex;

	for (enum scripted l = 0; p && l < SCRIPTED_LANGUAGES; l++)
		if ((!begin || scripted_is(l, begin)) && has_run(l, p) && !scripted_is_named(l, p))
			return languages[l].advice;
	return NULL;
}
