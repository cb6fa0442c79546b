/* The parts of names of functions, for those who match names that are written in other ways. */
#ifndef CG_NAME_PARTS_H
#define CG_NAME_PARTS_H

#include <stddef.h>

#include "cgprofile/names.h"

/* Where the name itself begins: symbols of instances of a template have the
 * return type in front of it. */
size_t cg_name_after_type(const char *name, size_t len);

/* The last part of a name without parameters, without template arguments: points into `name`. */
const char *cg_name_last_word(const char *name, size_t len, size_t *word_len);

/* Whether `bare`, as debug information has the name of a function that only one source file knows,
 * may be `whole`, as the table of symbols has it: both have the same parts, but the first one has
 * no parameters or type, perhaps no function around it, and template arguments are written in
 * another way. */
int cg_name_may_be(const char *bare, const char *whole);

/* Where the last part of a name begins: after the last "::" outside of brackets. Parameters are
 * best left out first. 0: the name has one part. */
size_t cg_name_last_part(const char *name, size_t len);

/* The length of a name without the closures and lambdas in the function, and what is in them: that
 * of "a::f(int)" for "a::f(int)::{lambda()#1}::operator()() const". Those that are arguments of a
 * template are none in it. Never 0 for a non-empty name. */
size_t cg_name_without_closures(const char *name, size_t len);

/* Copies a name without its template arguments, "std::vector<int>::at" as "std::vector::at", to
 * `out`, which has room for `len` bytes, and returns the length. The type in front of a method, as
 * in "<T as Trait>::f", is no argument. Parameters and what is returned are best left out first. */
size_t cg_name_without_arguments(const char *name, size_t len, char *out);

#endif
