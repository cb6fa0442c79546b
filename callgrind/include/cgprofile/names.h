/* What the names of functions in profiles mean. */
#ifndef CGPROFILE_NAMES_H
#define CGPROFILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

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
 * The name under which a function is the same function in two builds: without
 * suffixes of clones (.constprop.N .isra.N .part.N .cold[.N] .lto_priv.N
 * .localalias[.N] .locality_clone.N of GCC, .llvm.N .specialized.N .memprof.N
 * .__uniq.N of Clang, " [clone …]"), Rust's hash (::h and 16 hex digits) and symbol
 * versions (@VERSION, @@VERSION). The result is a prefix of the name: returns
 * its length, never 0 for a non-empty name.
 */
size_t cg_name_stem(const char *name, size_t len);

/* The length of a name without the list of parameters at its end, and what qualifies it
 * ("f(int) const": 1). Debug information has none of functions that only one source file
 * knows. Never 0 for a non-empty name. */
size_t cg_name_without_parameters(const char *name, size_t len);

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

/*
 * The scope of a function: what is in front of the last part of its name, "a::b" of "a::b::f(int)".
 * A class is a scope as a namespace is. In it there are no template arguments, which tell instances
 * of one class apart. What lies in a function (lambdas, closures, local classes) belongs to the
 * function's scope. In Rust, of "<T as Trait>::f" it is the path of T, or of Trait where T is none
 * of two names (u32, &[T]). `scope` has room for `len` bytes; returns how many it has: 0 for
 * functions of C, operator new and the like.
 */
size_t cg_name_scope(const char *name, size_t len, char *scope);

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

/* Whether the name is only an address, "0x" and hex digits: a function without symbol. */
int cg_name_is_address(const char *name);

/*
 * Takes "." and ".." out of a path, with the parts that ".." goes back from, as far as its text
 * tells: "bench/../src/./x.h" becomes "src/x.h", "../x.h" stays. Of symbolic links nothing
 * is known, so a path through one may lead elsewhere. Other slashes stay as they are. Returns
 * the new length, which is never 0 if the old one was not.
 */
size_t cg_path_normalise(char *path, size_t len);

/* Whether that would change the path. */
int cg_path_is_normal(const char *path, size_t len);

/* The part of a path behind the last slash. Points into `path`. */
const char *cg_base_name(const char *path);

enum cg_likeness {
	CG_NAME_OTHER,
	CG_NAME_PLAIN,   /* without its parameters, or what cg_name_stem leaves out */
	CG_NAME_EXACTLY,
};

/* How a function's name is like one that a person wrote: `wanted`, not empty. */
enum cg_likeness cg_name_likeness(const char *name, const char *wanted);

#endif
