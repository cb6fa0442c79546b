#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "callgrind/compress.h"
#include "callgrind/decoder.h"

enum { GZIP_HEADER = 16 }; /* added to windowBits: a gzip header */
enum { MEMORY_LEVEL = 8, BUFFER = 128 * 1024 };

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
	return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? CG_OK
										 : CG_ESYNTAX;
}

static void close_gzip(void *state)
{
	inflateEnd(state);
	free(state);
}

const struct cg_decoder cg_decoder_gzip = {
	"gzip", { 0x1f, 0x8b }, 2, open_gzip, step_gzip, close_gzip,
};

/* Feeds one buffer to the stream and writes what comes out. */
static int gzip_pack(z_stream *z, unsigned char *in, size_t len, int flush, unsigned char *out,
		     FILE *to)
{
	int result;

	z->next_in = in;
	z->avail_in = (uInt)len;
	do {
		z->next_out = out;
		z->avail_out = BUFFER;
		result = deflate(z, flush);
		size_t packed = BUFFER - z->avail_out;
		if (fwrite(out, 1, packed, to) != packed)
			return CG_EIO;
	} while (z->avail_out == 0 || (flush == Z_FINISH && result == Z_OK));
	return CG_OK;
}

int cg_compress_gzip(FILE *from, FILE *to)
{
	unsigned char *in = malloc(BUFFER), *out = malloc(BUFFER);
	z_stream z = { 0 };
	bool begun = in && out &&
		     deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_HEADER,
				  MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	int status = begun ? CG_OK : CG_ENOMEM;

	for (size_t got; !status && (got = fread(in, 1, BUFFER, from)) > 0;)
		status = gzip_pack(&z, in, got, Z_NO_FLUSH, out, to);
	if (!status)
		status = ferror(from) ? CG_EIO : gzip_pack(&z, in, 0, Z_FINISH, out, to);
	if (begun)
		deflateEnd(&z);
	free(in);
	free(out);
	return status;
}
