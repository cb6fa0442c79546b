/* Private to the library: names of symbols → names of functions. */
#ifndef CG_DEMANGLE_H
#define CG_DEMANGLE_H

/* The name that Valgrind shows for a symbol of C++, Rust …, allocated; NULL if it is
 * not mangled, or memory ran out. */
char *cg_demangle(const char *symbol);

#endif
