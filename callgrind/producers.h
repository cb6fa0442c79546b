/*
 * What built an object, according to its debug information (DW_AT_producer): compilers and, for
 * gcc, their flags.
 */
#ifndef CG_PRODUCERS_H
#define CG_PRODUCERS_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

/* What is kept of one object, at most. */
#define CG_PRODUCERS_MOST 1000

/* "GNU C17 12.2.0 -O2 -g; GNU AS 2.40": each once, that of the most compilation units first.
 * NULL if debug information is missing or does not record it. *text is the caller's, and
 * hostile: it may have control characters. CG_OK or CG_ENOMEM. */
int cg_producers(const char *path, char **text);

/* Whether something in it was built by clang, rustc or others of LLVM with DWARF of version 5 or
 * later, which Valgrind up to 3.19 cannot read. */
bool cg_has_new_llvm_dwarf(const char *path);

#endif
