#include "callgrind/wire.h"

#define MOST_BYTES 10 /* of a number */

/* A number without its end may be cut, unless it has too many bytes already. */
static enum cg_wire_status take_wire_number(struct cg_wire *w, uint64_t *out)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < MOST_BYTES; i++) {
		if (w->at == w->end)
			return CG_WIRE_CUT;
		unsigned char byte = *w->at++;
		value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte & 0x80)
			continue;
		if (i == MOST_BYTES - 1 && byte > 1)
			return CG_WIRE_MALFORMED;
		*out = value;
		return CG_WIRE_FIELD;
	}
	return CG_WIRE_MALFORMED;
}

bool cg_wire_take_number(struct cg_wire *w, uint64_t *out)
{
	return take_wire_number(w, out) == CG_WIRE_FIELD;
}

static enum cg_wire_status take_wire_bytes(struct cg_wire *w, uint64_t len, struct cg_wire *out)
{
	if (len > cg_wire_left(w))
		return CG_WIRE_CUT;
	*out = (struct cg_wire){ w->at, w->at + len };
	w->at += len;
	return CG_WIRE_FIELD;
}

enum cg_wire_status cg_wire_next(struct cg_wire *w, struct cg_wire_field *out)
{
	uint64_t tag, len;

	if (w->at == w->end)
		return CG_WIRE_END;
	enum cg_wire_status status = take_wire_number(w, &tag);
	if (status != CG_WIRE_FIELD)
		return status;
	if (tag >> 3 == 0 || tag >> 3 >= UINT32_C(1) << 29)
		return CG_WIRE_MALFORMED;
	*out = (struct cg_wire_field){ .number = (uint32_t)(tag >> 3),
				       .type = (enum cg_wire_type)(tag & 7) };
	switch (out->type) {
	case CG_WIRE_NUMBER:
		return take_wire_number(w, &out->value);
	case CG_WIRE_64_BITS:
		return take_wire_bytes(w, 8, &out->bytes);
	case CG_WIRE_32_BITS:
		return take_wire_bytes(w, 4, &out->bytes);
	case CG_WIRE_BYTES:
		status = take_wire_number(w, &len);
		return status == CG_WIRE_FIELD ? take_wire_bytes(w, len, &out->bytes) : status;
	}
	return CG_WIRE_MALFORMED;
}
