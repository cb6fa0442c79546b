/*
 * The paths that names of C++ and Rust are made of, "a::b::Type<c::d::E>::f". Names are safe texts
 * and may be nonsense; then they are taken apart somewhere.
 */
#ifndef IRDIFF_TEXT_NAME_PATHS_H
#define IRDIFF_TEXT_NAME_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* A name unit by unit: a character, or what looks like brackets and is none. Begin with zeros
 * after `name` and `len`. */
struct name_walk {
	const char *name;
	size_t len;
	size_t at, next; /* the unit */
	size_t depth;    /* in how many brackets it is; a bracket is in those around it */
	size_t inside;
};

/* To the next unit; false at the end. */
bool name_walk_on(struct name_walk *w);
/* Whether the unit is this bracket. */
bool name_walk_is(const struct name_walk *w, char bracket);

/* Where the function's own name begins: its last part, with the function that a closure or lambda
 * lies in. */
size_t name_own(const char *name);

/*
 * A copy that has lost modules in front of types in brackets, and of the type that is returned, as
 * many as need be for `width` columns: those in most brackets first, never the last part of a path.
 * Then parts of the function's own path from the left, but not the last one before its name, which
 * may be its class. NULL if memory ran out; free() it.
 */
char *name_without_modules(const char *name, size_t width);

/* A copy of which only the first is lost, and wholly. */
char *name_without_inner_modules(const char *name);

#endif
