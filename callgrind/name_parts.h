/* The parts of names of functions, for those who match names that are written in other ways. */
#ifndef CG_NAME_PARTS_H
#define CG_NAME_PARTS_H

#include <stddef.h>

#include "cgprofile/names.h"

/* Where the name itself begins, behind the type that an instance of a template returns. */
size_t cg_name_after_type(const char *name, size_t len);

/* The last part of a name without parameters, without template arguments: points into `name`. */
const char *cg_name_last_word(const char *name, size_t len, size_t *word_len);

/* Whether `bare`, as debug information has the name of a function that only one source file knows,
 * may be `whole`, as the table of symbols has it: both have the same parts, but the first one has no
 * parameters or type, perhaps no function around it, and template arguments are written in another way. */
int cg_name_may_be(const char *bare, const char *whole);

/* Where the last part of a name begins, behind its last "::" that is in no brackets; best of
 * a name without parameters. 0: it has but one. */
size_t cg_name_last_part(const char *name, size_t len);

/* The length of `operator` and its symbol at name[at], whose brackets are not to be taken for nesting:
 * operator<, operator->, operator(). 0 if the word there is another. */
size_t cg_name_operator(const char *name, size_t len, size_t at);

/* The length of a name without the suffix (.cold, .cold.N, " [clone .cold]") of code that a
 * compiler split off the function of that name. */
size_t cg_name_without_cold(const char *name, size_t len);

/*
 * The callers of a function, as in a calling context, without cold parts: a part is its
 * function, and its function does not call it. `joined` has room for `len` bytes; returns
 * how many it has.
 */
size_t cg_name_join_cold(const char *name, size_t name_len, const char *callers, size_t len,
			 char *joined);

#endif
