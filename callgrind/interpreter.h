/* Functions of CPython that lead from the code of one Python function to that of another. */
#ifndef CG_INTERPRETER_H
#define CG_INTERPRETER_H

#include <stddef.h>

struct cg_interpreter_function {
	const char *name;
	/* How many of its callers must be known to know for which Python function it works. */
	unsigned callers;
};

/* All of them; the last one has no name. */
const struct cg_interpreter_function *cg_interpreter_functions(void);

#endif
