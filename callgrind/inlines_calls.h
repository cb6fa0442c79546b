/*
 * Private to the library: how often inlined functions are called. Callgrind counts how often each
 * instruction is executed, so that is known where control can only enter the code of an inlined
 * function where it begins.
 */
#ifndef CG_INLINES_CALLS_H
#define CG_INLINES_CALLS_H

#include "callgrind/inlines_control.h"

/* The event that counts instructions, each once when it is executed. */
#define CG_EXECUTIONS "Ir"

/* Decides for each frame whether its calls are the executions of where its code begins, by the
 * control flow between the addresses. Fills in->entered. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_inlines_decide_calls(struct cg_inlines *in, const struct cg_inlines_code *code);

/* The same; adds up the executions and takes the lines, which begin as zeros, of a profile. */
int cg_inlines_find_calls(struct cg_inlines *in, const struct cg_profile *p,
			  const struct cg_inlines_code *code);

/* The functions that are called whenever the code at the last address that was found is executed:
 * `next` as it was set. NULL: none. */
const struct cg_inlines_entered *cg_inlines_entered_at(const struct cg_inlines *in,
						       const struct cg_inlines_object *object,
						       uint32_t next, uint32_t *count);

#endif
