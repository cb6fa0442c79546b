/*
 * Values in the encoding of Rust's crate bincode (its configuration "legacy"). They do not say what
 * they are: numbers have a fixed size, little-endian; a text and a list begin with their length, a
 * variant with its number, an option with 0 or 1. So the reader is told the types:
 *
 *     b      a bool              ?T       an option
 *     e      a variant, u32      [T       a list
 *     n      u64, usize, f64     (T U)    a tuple
 *     s      a text, or bytes    {T|U V|} variants with contents: 0, 1, 2 …
 *     A … Z  a structure: the types of its fields
 *
 * "=x" after a type reports its values as x.
 */
#ifndef IRDIFF_RUN_BINCODE_H
#define IRDIFF_RUN_BINCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

/* What was last read: of an option with variants, all of these. */
struct bincode_value {
	bool given;       /* the option has a value */
	uint64_t number;  /* of the variant; else of the bool or number */
	const char *text; /* not terminated, among the bytes that are read */
	size_t len;
};

struct bincode_reader {
	/* The types of a structure's fields, separated by spaces; NULL: there is none. */
	const char *(*fields)(void *to, char structure);
	/* Each returns CG_OK, or a status that ends the reading. */
	int (*begin)(void *to, char structure);
	int (*value)(void *to, char name, const struct bincode_value *value);
	int (*end)(void *to, char structure);
	void *to;
};

/* Reads one structure, which must be all of the bytes. CG_ESYNTAX: they are something else. All
 * other failures are those of the functions above. The types must not contain themselves. */
int bincode_read(const struct bincode_reader *reader, char structure, const char *bytes,
		 size_t size);

#endif
