#include "callgrind/decoder.h"

#include <zstd.h>

#include "callgrind/support/error.h"

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
		return CG_ESYNTAX;
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
