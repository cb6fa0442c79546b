/*
 * When functions of libraries are bound. The loader looks a function up at its first call: 250 to
 * 3,000 Ir that would count in whichever case or root function calls it first, and move to another
 * one when the program changes. So where only a part of a program is counted, all are bound at the
 * start, before that part.
 *
 * The start of a program itself grows by that (ls +3 %, git +33 %, C++ +46 %), and a program with
 * an undefined symbol that it never uses does not start any more. So a program that is counted as a
 * whole binds as it does elsewhere.
 */
#ifndef IRDIFF_RUN_BINDING_H
#define IRDIFF_RUN_BINDING_H

#include <stdbool.h>

#include "src/run/command.h"
#include "src/run/request.h"

#define BINDING_VARIABLE "LD_BIND_NOW"

/* Whether functions are to be bound at the start: only a root function or cases are counted. A
 * program is known to have cases by the request, or by a text of irdiff.h in its image. */
bool binding_is_eager(const struct run_request *request, const struct found_command *command);

#endif
