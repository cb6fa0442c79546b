/* Private to the library: the common interface of all decompressors, so that only one file uses
 * each compression library. */
#ifndef CG_DECODER_H
#define CG_DECODER_H

#include <stdbool.h>
#include <stddef.h>

struct cg_decoder_step {
	const char *in; /* packed bytes; advanced past what was used */
	size_t in_len;
	char *out; /* room for unpacked bytes; advanced past what was written */
	size_t out_len;
	bool ended; /* set when a stream ended; another one may follow */
};

struct cg_decoder {
	const char *name;
	unsigned char magic[6];
	size_t magic_len;
	int (*open)(void **state); /* CG_OK or CG_ENOMEM */
	/* CG_OK, or CG_ESYNTAX if the bytes are not in the format */
	int (*step)(void *state, struct cg_decoder_step *step);
	void (*close)(void *state);
};

extern const struct cg_decoder cg_decoder_gzip, cg_decoder_zstd, cg_decoder_xz;

#endif
