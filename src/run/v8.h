/*
 * Node.js whose JavaScript functions have names.
 *
 * V8's interpreter executes a function by handlers of bytecodes, each of which jumps to the next.
 * These handlers and compiled code call other builtins to do what an operator, a property or a call
 * does in JavaScript. Valgrind counts all of them for the function that they work for (--fn-skip),
 * so that the caller of a function is the function that calls it, and not the last handler.
 *
 * This takes a symbol for each function: interpreted ones have one if each has a frame of its own.
 */
#ifndef IRDIFF_RUN_V8_H
#define IRDIFF_RUN_V8_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/strings.h"

/* Whether V8's options ask for such names: those of the program, or NODE_OPTIONS (NULL: not set).
 */
bool v8_names_functions(const char *const *argv, const char *node_options);

/* Adds Valgrind's options if `depth` callers are recorded with each call. */
int v8_add_options(struct strings *strings, unsigned depth, struct cg_error *err);

#endif
