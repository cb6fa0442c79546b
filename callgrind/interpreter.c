#include "callgrind/interpreter.h"

/* Trampolines call _PyEval_EvalFrameDefault; from there to the next trampoline, the way is
 * PyObject_Vectorcall, method_vectorcall, _PyFunction_Vectorcall, _PyEval_Vector,
 * py_trampoline_evaluator. */
enum { RUNS_CODE = 1, WAY = 6 };

const struct cg_interpreter_function *cg_interpreter_functions(void)
{
	static const struct cg_interpreter_function functions[] = {
		{ "PyEval_EvalCode", WAY },         { "PyObject_Vectorcall", WAY },
		{ "_PyEval_EvalFrame", WAY },       { "_PyEval_EvalFrameDefault", RUNS_CODE },
		{ "_PyEval_Vector", WAY },          { "_PyFunction_Vectorcall", WAY },
		{ "_PyObject_Vectorcall", WAY },    { "_PyObject_VectorcallTstate", WAY },
		{ "_PyVectorcall_Call", WAY },      { "method_vectorcall", WAY },
		{ "py_trampoline_evaluator", WAY }, { NULL, 0 },
	};
	return functions;
}
