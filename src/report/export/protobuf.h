/*
 * Writing protocol buffers: a message is its fields one after the other, each a tag
 * and a varint, or a tag, a length and as many bytes. (protobuf.dev, "Encoding".)
 */
#ifndef IRDIFF_REPORT_EXPORT_PROTOBUF_H
#define IRDIFF_REPORT_EXPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A message under construction, {0} at first. What fails for lack of memory is told by
 * protobuf_write. */
struct protobuf {
	unsigned char *bytes;
	size_t used, cap;
	bool failed;
};

/* A field of type int64, uint64 or bool; one that is 0 is the same as none. */
void protobuf_number(struct protobuf *m, unsigned field, uint64_t value);
void protobuf_bytes(struct protobuf *m, unsigned field, const void *bytes, size_t len);
/* A field of many numbers: these, without tags, are the bytes of the packed field. */
void protobuf_add_packed(struct protobuf *packed, uint64_t value);
/* `inner` as a field of m; it is empty again. */
void protobuf_take(struct protobuf *m, unsigned field, struct protobuf *inner);

/* Writes the message as a field of the file's message; it is empty again. CG_OK or
 * CG_ENOMEM; whether the stream failed is for the caller to ask. */
int protobuf_write(struct protobuf *m, unsigned field, FILE *to);
void protobuf_free(struct protobuf *m);

#endif
