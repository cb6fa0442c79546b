/* Functions of CPython that lead from the code of one Python function to that of another, or to
 * what it calls. */
#ifndef CG_INTERPRETER_H
#define CG_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>

struct cg_interpreter_function {
	const char *name;
	/* How many of its callers must be known to know for which Python function it works. */
	unsigned callers;
	bool enters; /* whatever it is called by, it begins to run a function */
	bool family; /* all functions whose names begin so */
};

/* All of them; the last one has no name. */
const struct cg_interpreter_function *cg_interpreter_functions(void);

/* NULL: the list does not have it. */
const struct cg_interpreter_function *cg_interpreter_function(const char *name, size_t len);

#endif
