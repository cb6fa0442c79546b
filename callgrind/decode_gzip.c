#include "callgrind/decoder.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "callgrind/support/error.h"

enum { GZIP_HEADER = 16 }; /* added to windowBits: expect a gzip header */

static int open_gzip(void **state)
{
	z_stream *z = calloc(1, sizeof *z);
	if (!z || inflateInit2(z, MAX_WBITS + GZIP_HEADER) != Z_OK) {
		free(z);
		return CG_ENOMEM;
	}
	*state = z;
	return CG_OK;
}

static uInt clamp(size_t len)
{
	return len > UINT_MAX ? UINT_MAX : (uInt)len;
}

static int step_gzip(void *state, struct cg_decoder_step *s)
{
	z_stream *z = state;
	z->next_in = (z_const Bytef *)s->in;
	z->avail_in = clamp(s->in_len);
	z->next_out = (Bytef *)s->out;
	z->avail_out = clamp(s->out_len);

	int result = inflate(z, Z_NO_FLUSH);
	s->in_len -= (size_t)((const char *)z->next_in - s->in);
	s->in = (const char *)z->next_in;
	s->out_len -= (size_t)((char *)z->next_out - s->out);
	s->out = (char *)z->next_out;
	s->ended = result == Z_STREAM_END;
	if (s->ended)
		inflateReset(z);
	if (result == Z_MEM_ERROR)
		return CG_ENOMEM;
	return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? CG_OK : CG_ESYNTAX;
}

static void close_gzip(void *state)
{
	inflateEnd(state);
	free(state);
}

const struct cg_decoder cg_decoder_gzip = {
	"gzip", { 0x1f, 0x8b }, 2, open_gzip, step_gzip, close_gzip,
};
