/*
 * Folded stacks: one line per stack, "main;parse;scan 42", outermost function
 * first, then its count. stackcollapse writes them from perf script and others,
 * flamegraph.pl and gprof2dot read them.
 *
 * They become a profile with the one event "samples". The innermost function
 * has the samples as self cost, every step of the stack is a call (the number
 * of calls is unknown, so 0). A frame that ends in "_[i]" was inlined into the previous one.
 * Recursion levels are exact, and so are inclusive costs. With contexts, each record
 * is one stack: its context names the nearest callers, and where these do not
 * distinguish stacks (deep ones, names with apostrophes) ends in a hash of all callers.
 *
 * Lines that begin with "#" and a blank are comments. Files in which each line ends in two
 * counts, "main;parse 10 12", are refused: they compare two profiles.
 *
 * The writer prints one line for each stack of names with a self cost,
 * regardless of the objects and files of its functions; the costliest path comes
 * first. Reading the output of a profile with one event gives the same profile. In names
 * ";" becomes ":", and "_" a control character, a blank at either end or in front of a
 * number there, which would be another count, or a "#" that would begin a comment; "_[i]" at the
 * end of a name that is not inlined becomes "_(i)".
 */
#ifndef CGPROFILE_FOLDED_H
#define CGPROFILE_FOLDED_H

#include <stdint.h>
#include <stdio.h>

#include "cgprofile/api.h"
#include "cgprofile/error.h"
#include "cgprofile/tree.h"

CG_BEGIN_DECLS

/* Writes one event of a tree. Errors: CG_EINVAL (a stack has negative costs,
 * which other readers refuse), CG_ENOMEM, CG_ERANGE (also of more than 1 GiB), CG_EIO. */
int cg_write_folded(const struct cg_tree *t, uint32_t event, FILE *to, struct cg_error *err);

CG_END_DECLS

#endif
