#include "src/report/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

enum { MOST_BYTES = 10 }; /* of a varint: 64 bits, 7 in each */
enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static size_t encode(uint64_t value, unsigned char bytes[MOST_BYTES])
{
	size_t used = 0;
	for (; value >= 0x80; value >>= 7)
		bytes[used++] = (unsigned char)(value | 0x80);
	bytes[used++] = (unsigned char)value;
	return used;
}

static uint64_t tag(unsigned field, enum wire_type type)
{
	return (uint64_t)field << 3 | type;
}

static void append_protobuf(struct protobuf *m, const void *bytes, size_t len)
{
	if (m->failed || len == 0)
		return;
	if (len > SIZE_MAX - m->used || cg_grow(&m->bytes, &m->cap, m->used + len, 1)) {
		m->failed = true;
		return;
	}
	memcpy(m->bytes + m->used, bytes, len);
	m->used += len;
}

void protobuf_add_packed(struct protobuf *packed, uint64_t value)
{
	unsigned char bytes[MOST_BYTES];
	append_protobuf(packed, bytes, encode(value, bytes));
}

void protobuf_number(struct protobuf *m, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	protobuf_add_packed(m, tag(field, WIRE_VARINT));
	protobuf_add_packed(m, value);
}

void protobuf_bytes(struct protobuf *m, unsigned field, const void *bytes, size_t len)
{
	protobuf_add_packed(m, tag(field, WIRE_BYTES));
	protobuf_add_packed(m, len);
	append_protobuf(m, bytes, len);
}

void protobuf_take(struct protobuf *m, unsigned field, struct protobuf *inner)
{
	protobuf_bytes(m, field, inner->bytes, inner->used);
	m->failed |= inner->failed;
	inner->used = 0;
}

int protobuf_write(struct protobuf *m, unsigned field, FILE *to)
{
	unsigned char head[2 * MOST_BYTES];
	size_t len = encode(tag(field, WIRE_BYTES), head);

	if (m->failed)
		return CG_ENOMEM;
	len += encode(m->used, head + len);
	fwrite(head, 1, len, to);
	if (m->used)
		fwrite(m->bytes, 1, m->used, to);
	m->used = 0;
	return CG_OK;
}

void protobuf_free(struct protobuf *m)
{
	free(m->bytes);
	*m = (struct protobuf){ 0 };
}
