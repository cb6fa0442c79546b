/*
 * Private to the library: reading protocol buffers. A message is its fields one after the other,
 * each a tag and a number, or a tag, a length and as many bytes. (protobuf.dev, "Encoding".)
 */
#ifndef CG_WIRE_H
#define CG_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a message. */
struct cg_wire {
	const unsigned char *at, *end;
};

enum cg_wire_type { CG_WIRE_NUMBER, CG_WIRE_64_BITS, CG_WIRE_BYTES, CG_WIRE_32_BITS = 5 };

struct cg_wire_field {
	uint32_t number;
	enum cg_wire_type type;
	uint64_t value;       /* of CG_WIRE_NUMBER */
	struct cg_wire bytes; /* of CG_WIRE_BYTES: a message, a text or packed numbers */
};

enum cg_wire_status {
	CG_WIRE_FIELD,
	CG_WIRE_END,
	CG_WIRE_CUT,       /* the message ends in the middle of a field */
	CG_WIRE_MALFORMED, /* this is no field */
};

/* Takes the next field. */
enum cg_wire_status cg_wire_next(struct cg_wire *w, struct cg_wire_field *out);

/* Takes a number, as in a packed field; false if the bytes do not begin with one. */
bool cg_wire_take_number(struct cg_wire *w, uint64_t *out);

static inline size_t cg_wire_left(const struct cg_wire *w)
{
	return (size_t)(w->end - w->at);
}

#endif
