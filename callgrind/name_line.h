/*
 * Private to the library: lines "KEY=NAME", "KEY=(ID) NAME" and "KEY=(ID)", as
 * far as they can be understood without knowing other lines.
 */
#ifndef CG_NAME_LINE_H
#define CG_NAME_LINE_H

#include "callgrind/line.h"

enum name_key {
	NAME_NONE,
	NAME_FUNCTION,        /* fn */
	NAME_CALLEE,          /* cfn */
	NAME_FILE,            /* fl */
	NAME_LINE_FILE,       /* fi fe */
	NAME_CALLEE_FILE,     /* cfi cfl */
	NAME_OBJECT,          /* ob */
	NAME_CALLEE_OBJECT,   /* cob */
	NAME_INLINED,         /* cfni */
	NAME_HOST,            /* inlined: into which function that of the next fn= is */
	NAME_TARGET_FILE,     /* jfi: of a jump */
	NAME_TARGET_FUNCTION, /* jfn frfn */
};

struct name_line {
	uint64_t id;
	const char *name;      /* NULL: the name with the number `id` */
	uint32_t len;          /* of the whole name */
	uint32_t own_len;      /* without recursion level and callers */
	uint32_t context_off;  /* where the callers begin; `len` without callers */
	uint32_t level;        /* recursion level, from 1 */
	uint32_t hash;         /* of the name without them: cg_hash_text */
	uint32_t context_hash; /* of the callers, if they are kept */
	uint8_t key;           /* an enum name_key */
	bool has_id;
};

/* What a key introduces; NAME_NONE if it has no name. */
enum name_key cg_name_key(const char *key, size_t len);

/* Whether a line of this key leaves it as it is whose costs the next lines are. */
static inline bool cg_name_of_target(enum name_key key)
{
	return key == NAME_CALLEE || key == NAME_CALLEE_FILE || key == NAME_CALLEE_OBJECT ||
	       key == NAME_TARGET_FILE || key == NAME_TARGET_FUNCTION;
}

/* How names are taken apart. */
struct name_format {
	bool packed;     /* those of functions may hold levels and callers */
	bool contexts;   /* callers are kept */
	uint64_t secret; /* of the table that names are for */
};

/* Parses `value`, the text after "KEY=". *n points into the line. */
void cg_name_line_parse(struct name_line *n, enum name_key key, struct line value,
			const struct name_format *format);

#endif
