#include "callgrind/interpreter.h"

#include <string.h>

#include "cgprofile/names.h"

/* Trampolines call _PyEval_EvalFrameDefault, and this calls what leads to the next trampoline:
 * PyObject_Vectorcall, method_vectorcall, _PyFunction_Vectorcall, _PyEval_Vector,
 * py_trampoline_evaluator; or C functions, which call _PyFunction_Vectorcall or those after it. */
enum { RUNS_CODE = 1, NEAR_CODE = 6, WAY = 16 };

const struct cg_interpreter_function *cg_interpreter_functions(void)
{
	static const struct cg_interpreter_function functions[] = {
		{ "PyEval_EvalCode", WAY, true, false },
		{ "PyObject_Call", NEAR_CODE, false, false },
		{ "PyObject_Vectorcall", NEAR_CODE, false, false },
		{ "_PyEval_EvalFrame", WAY, true, false },
		{ "_PyEval_EvalFrameDefault", RUNS_CODE, false, false },
		{ "_PyEval_Vector", WAY, true, false },
		{ "_PyFunction_Vectorcall", WAY, true, false },
		{ "_PyObject_Call", NEAR_CODE, false, false },
		{ "_PyObject_Call_Prepend", NEAR_CODE, false, false },
		{ "_PyObject_MakeTpCall", NEAR_CODE, false, false },
		{ "_PyObject_Vectorcall", NEAR_CODE, false, false },
		{ "_PyObject_VectorcallTstate", NEAR_CODE, false, false },
		{ "_PyVectorcall_Call", NEAR_CODE, false, false },
		{ "cfunction_call", NEAR_CODE, false, false },
		{ "cfunction_vectorcall_", NEAR_CODE, false, true },
		{ "method_vectorcall", NEAR_CODE, false, false },
		{ "method_vectorcall_", NEAR_CODE, false, true },
		{ "py_trampoline_evaluator", WAY, true, false },
		{ "type_call", NEAR_CODE, false, false },
		{ NULL, 0, false, false },
	};
	return functions;
}

static bool is_interpreter_function(const char *name, size_t len,
				    const struct cg_interpreter_function *f)
{
	size_t known = strlen(f->name);

	return f->family ? known < len && !memcmp(name, f->name, known)
			 : known == len && !memcmp(name, f->name, len);
}

const struct cg_interpreter_function *cg_interpreter_function(const char *name, size_t len)
{
	if (len == 0 || !memchr("P_cmpt", name[0], 6))
		return NULL;
	len = cg_name_stem(name, len);
	for (const struct cg_interpreter_function *f = cg_interpreter_functions(); f->name; f++)
		if (is_interpreter_function(name, len, f))
			return f;
	return NULL;
}
