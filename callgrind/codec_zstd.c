#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "callgrind/compress.h"
#include "callgrind/decoder.h"

#define LEVEL 3 /* 6 takes three times as long for files that are a sixth smaller */

static int open_zstd(void **state)
{
	*state = ZSTD_createDStream();
	return *state ? CG_OK : CG_ENOMEM;
}

static int step_zstd(void *state, struct cg_decoder_step *s)
{
	ZSTD_inBuffer in = { s->in, s->in_len, 0 };
	ZSTD_outBuffer out = { s->out, s->out_len, 0 };

	size_t result = ZSTD_decompressStream(state, &out, &in);
	if (ZSTD_isError(result))
		return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? CG_ENOMEM
										 : CG_ESYNTAX;
	s->in += in.pos;
	s->in_len -= in.pos;
	s->out += out.pos;
	s->out_len -= out.pos;
	s->ended = result == 0;
	return CG_OK;
}

static void close_zstd(void *state)
{
	ZSTD_freeDStream(state);
}

const struct cg_decoder cg_decoder_zstd = {
	"zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, open_zstd, step_zstd, close_zstd,
};

/* Feeds one buffer to the stream and writes what comes out. */
static int zstd_pack(ZSTD_CStream *z, ZSTD_inBuffer in, ZSTD_EndDirective end, char *out,
		     size_t size, FILE *to)
{
	size_t left;
	do {
		ZSTD_outBuffer packed = { out, size, 0 };
		left = ZSTD_compressStream2(z, &packed, &in, end);
		if (ZSTD_isError(left))
			return CG_ENOMEM;
		if (fwrite(out, 1, packed.pos, to) != packed.pos)
			return CG_EIO;
	} while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
	return CG_OK;
}

int cg_compress(FILE *from, FILE *to)
{
	size_t in_size = ZSTD_CStreamInSize(), out_size = ZSTD_CStreamOutSize();
	ZSTD_CStream *z = ZSTD_createCStream();
	char *in = malloc(in_size), *out = malloc(out_size);
	int status = CG_ENOMEM;

	if (!z || !in || !out || ZSTD_isError(ZSTD_initCStream(z, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		goto done;
	for (size_t got; (got = fread(in, 1, in_size, from)) > 0;) {
		status = zstd_pack(z, (ZSTD_inBuffer){ in, got, 0 }, ZSTD_e_continue, out, out_size,
				   to);
		if (status)
			goto done;
	}
	status = ferror(from)
			 ? CG_EIO
			 : zstd_pack(z, (ZSTD_inBuffer){ in, 0, 0 }, ZSTD_e_end, out, out_size, to);
done:
	ZSTD_freeCStream(z);
	free(in);
	free(out);
	return status;
}
