#include "callgrind/decoder.h"

#include <lzma.h>
#include <stdlib.h>

#include "cgprofile/error.h"

/* xz -9 needs 65 MiB; a file that asks for more than this is hostile. */
#define MEMORY_LIMIT (UINT64_C(256) << 20)

static int open_xz(void **state)
{
	lzma_stream *x = calloc(1, sizeof *x);
	if (!x || lzma_stream_decoder(x, MEMORY_LIMIT, 0) != LZMA_OK) {
		free(x);
		return CG_ENOMEM;
	}
	*state = x;
	return CG_OK;
}

static int step_xz(void *state, struct cg_decoder_step *s)
{
	lzma_stream *x = state;
	x->next_in = (const uint8_t *)s->in;
	x->avail_in = s->in_len;
	x->next_out = (uint8_t *)s->out;
	x->avail_out = s->out_len;

	lzma_ret result = lzma_code(x, LZMA_RUN);
	s->in = (const char *)x->next_in;
	s->in_len = x->avail_in;
	s->out = (char *)x->next_out;
	s->out_len = x->avail_out;
	s->ended = result == LZMA_STREAM_END;
	if (s->ended)
		result = lzma_stream_decoder(x, MEMORY_LIMIT, 0);
	if (result == LZMA_MEM_ERROR)
		return CG_ENOMEM;
	return result == LZMA_OK || result == LZMA_BUF_ERROR ? CG_OK : CG_ESYNTAX;
}

static void close_xz(void *state)
{
	lzma_end(state);
	free(state);
}

const struct cg_decoder cg_decoder_xz = {
	"xz", { 0xfd, '7', 'z', 'X', 'Z', 0x00 }, 6, open_xz, step_xz, close_xz,
};
