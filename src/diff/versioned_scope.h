/* Private to diff/: namespaces of which the name contains a version. */
#ifndef IRDIFF_DIFF_VERSIONED_SCOPE_H
#define IRDIFF_DIFF_VERSIONED_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

/* No library nests its namespaces so deeply that their names are longer. */
#define VERSIONED_PATH_MAX 256

/*
 * A word of a name that is a version, or contains one, with the namespaces around it: "v11" of
 * "fmt::v11::format(int)". It is one of
 *
 *     v11 v10_0                         "v" and numbers, and nothing else
 *     json_abi_v3_11_2                  two numbers or more after "_v"
 *     lts_20230802 CUB_200302_500_NS    a number of six digits or more after "_" or "_v"
 *     __1 __cxx11                       two underscores, and a digit at the end
 *
 * Other words with a number (reader_v2, sha_256, Vec3) may as well be types or designs of which a
 * program has several. The word is in no class template and no function, but may be in a template
 * argument or parameter.
 */
struct versioned_scope {
	size_t path, start, end; /* in the name; `path` is where the outermost namespace begins */
	bool is_scope;           /* otherwise it is a type or a function */
};

/* The search for them in a name; `name` and `len` are to be set, all else 0. */
struct versioned_scopes {
	const char *name;
	size_t len;
	size_t at;        /* what is before was looked at */
	size_t path;      /* where the path that the last word is in begins */
	size_t after;     /* the end of that word */
	bool open, plain; /* the next word continues the path; only words are in it */
	/* The path, with ":" between its words and "#" for each number of a version. */
	char stem[VERSIONED_PATH_MAX];
	size_t stem_len;
};

/* The next one, in order; false: there are no more. */
bool versioned_scope_next(struct versioned_scopes *s, struct versioned_scope *out);

#endif
