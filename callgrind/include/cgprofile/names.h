/* What the names of functions in profiles mean. */
#ifndef CGPROFILE_NAMES_H
#define CGPROFILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"

CG_BEGIN_DECLS

/*
 * Callgrind packs three facts into the name of a function record:
 * NAME['LEVEL]['CALLER['CALLER…]], callee first (options --separate-recs and
 * --separate-callers). A C++ or Rust name may hold apostrophes of its own
 * ('lambda', lifetimes).
 */
struct cg_name_parts {
	size_t name_len;    /* the function's own name */
	uint32_t level;     /* recursion level, 1 if not given */
	size_t context_off; /* where the list of callers starts; `len` if there is none */
};

struct cg_name_parts cg_name_split(const char *text, size_t len);

/*
 * The name that identifies a function in two builds: without
 * suffixes of clones (.constprop.N .isra.N .part.N .cold[.N] .lto_priv.N
 * .localalias[.N] .locality_clone.N of GCC, .llvm.N .specialized.N .memprof.N
 * .__uniq.N of Clang, " [clone …]"), Rust's hash (::h and 16 hex digits) and symbol
 * versions (@VERSION, @@VERSION). The result is a prefix of the name: returns
 * its length, never 0 for a non-empty name.
 */
size_t cg_name_stem(const char *name, size_t len);

/* The length of a name without its list of parameters and qualifiers at the end
 * ("f(int) const": 1). Debug information has none for functions that are local to a source
 * file. Never 0 for a non-empty name. */
size_t cg_name_without_parameters(const char *name, size_t len);

/*
 * The scope of a function: everything before the last part of its name, "a::b" of "a::b::f(int)".
 * A class is a scope like a namespace. Template arguments, which distinguish instances of a class,
 * are left out. Lambdas, closures and local classes in a function belong to the function's scope.
 * In Rust, the scope of "<T as Trait>::f" is the path of T, or of Trait if T has no path (u32,
 * &[T]). `scope` has space for `len` bytes; returns the length of the scope: 0 for C functions,
 * operator new and the like.
 */
size_t cg_name_scope(const char *name, size_t len, char *scope);

/* Whether the name is only an address, "0x" and hex digits: a function without symbol. */
int cg_name_is_address(const char *name);

/* The part of a path after the last slash. Points into `path`. */
const char *cg_base_name(const char *path);

enum cg_likeness {
	CG_NAME_OTHER,
	CG_NAME_PLAIN, /* equal without parameters, or without what cg_name_stem leaves out */
	CG_NAME_EXACTLY,
};

/* How well a function's name matches a name that a user typed, `wanted`, which is not empty. */
enum cg_likeness cg_name_likeness(const char *name, const char *wanted);

CG_END_DECLS

#endif
