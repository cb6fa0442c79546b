/* Functions of interpreted languages. They have names in a profile only if the interpreter
 * describes them (cgprofile/perf_map.h); otherwise the interpreter has their costs. */
#ifndef IRDIFF_VIEW_SCRIPTED_H
#define IRDIFF_VIEW_SCRIPTED_H

#include <stdbool.h>

#include "cgprofile/profile.h"

enum scripted { SCRIPTED_PYTHON, SCRIPTED_JAVASCRIPT, SCRIPTED_LANGUAGES };

/* Whether a name is one of a function of this language: "py::read", "JS:parse". */
bool scripted_is(enum scripted language, const char *name);

/* Whether a profile has such names. */
bool scripted_is_named(enum scripted language, const struct cg_profile *p);

/* What gives names to the functions that a regex asks for by the beginning of a name ("py::read",
 * "^JS:"; NULL: to those of any language): a clause, static. NULL: it asks for no such functions,
 * or `p` (NULL: none) has names of them, or has run no such code. */
const char *scripted_advice(const char *regex, const struct cg_profile *p);

#endif
