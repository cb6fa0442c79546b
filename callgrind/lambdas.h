/*
 * What lambdas are called in the names of functions. Compilers number them in ways of their own: of
 * three in `f(int)`, the last, if it is the second that takes a long, is "f(int)::{lambda(long)#3}"
 * (g++ up to version 12), "f(int)::{lambda(long)#2}" (later ones, and whoever follows the ABI), or
 * "f(int)::$_1" (clang++); LLVM's own programs write "f(int)::'lambda0'(long)". The first form is
 * the one that all become.
 */
#ifndef CG_LAMBDAS_H
#define CG_LAMBDAS_H

#include <stdbool.h>
#include <stddef.h>

/* What lies at [start, end) of a name; nothing if end is 0. */
struct cg_span {
	size_t start, end;
};

/* The first lambda in a name from `from` on, wherever it is. */
struct cg_span cg_lambda_next(const char *name, size_t len, size_t from);
bool cg_lambda_any(const char *name);

/* The last lambda that the function itself lies in: none that its parameters or template arguments
 * name. */
struct cg_span cg_lambda_around(const char *name, size_t len);

/*
 * The name of a function of the table of symbols, with its lambdas as `like`, the name of the same
 * function, calls them: "auto f()::$_1::operator()(long) const [clone .isra.0]" and
 * "f()::{lambda(long)#2}::operator()" make "auto f()::{lambda(long)#2}::operator()(long) const
 * [clone .isra.0]". *out is allocated; NULL if it is the same, or if these cannot be one function.
 * CG_OK or CG_ENOMEM.
 */
int cg_lambda_adopt(const char *name, const char *like, char **out);

/* Of the lambdas that are types of a name's parameters and template arguments, each that is called
 * in another way is called texts[i], where it is the i-th of `count`. As above; NULL also if there
 * is another number. */
int cg_lambda_replace_arguments(const char *name, const char *const *texts, size_t count,
				char **out);

/* What a function is known by whatever the compiler: "f()::{lambda}::operator()(long)". *number is
 * that of the last lambda that it lies in, otherwise of the first in its name, from 0 on.
 * Allocated; NULL: out of memory. */
char *cg_lambda_key(const char *name, unsigned *number);

#endif
