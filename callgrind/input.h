/* Bytes of a profile, wherever they come from; gzip, zstd and xz are unpacked
 * on the way (recognised by their first bytes, not by the file's name). */
#ifndef CG_INPUT_H
#define CG_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

struct cg_input;

/* Opens a file; "-" is standard input. The caller frees the input. */
int cg_input_open(struct cg_input **out, const char *path, struct cg_error *err);

/* Reads from memory that stays the caller's; `name` is for messages. */
int cg_input_memory(struct cg_input **out, const char *bytes, size_t len, const char *name,
		    struct cg_error *err);

/* Another input of the same bytes, from the start. If they can only be read once, as those of a
 * pipe, *can is false and no input is made. CG_OK, or the error of opening it. */
int cg_input_again(const struct cg_input *in, struct cg_input **out, bool *can,
		   struct cg_error *err);

/* Reads up to `size` bytes; *got is 0 only at the end of the input. */
int cg_input_read(struct cg_input *in, char *buffer, size_t size, size_t *got,
		  struct cg_error *err);

/* The next bytes, up to `size`, without taking them; fewer only at the end of the
 * input. They are valid until the next call. */
int cg_input_peek(struct cg_input *in, size_t size, const char **bytes, size_t *len,
		  struct cg_error *err);

/* Takes the first `len` of the bytes that were last looked at. */
void cg_input_skip(struct cg_input *in, size_t len);

/* From now on calls `report` whenever bytes of the file were read, before they are
 * unpacked, and at once for those that were read already. */
void cg_input_watch(struct cg_input *in, void (*report)(void *context, uint64_t bytes),
		    void *context);

/* The path as it was given, "<standard input>" for "-". */
const char *cg_input_name(const struct cg_input *in);

void cg_input_free(struct cg_input *in);

#endif
