#include "callgrind/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/decoder.h"
#include "callgrind/support/grow.h"

#define PACKED_SIZE (128 * 1024)

struct cg_input {
	char *name;
	int fd;             /* -1: memory only */
	const char *memory; /* all of it, if it is memory */
	size_t nmemory;
	const struct cg_decoder *decoder;
	void *state;
	bool mid_stream;  /* the decoder has begun a stream and not ended it */
	const char *next; /* bytes read, not yet delivered */
	size_t left;
	bool at_end;                                   /* the source has no more bytes */
	void (*report)(void *context, uint64_t bytes); /* NULL: no progress is reported */
	void *report_to;
	char *peeked; /* bytes that were looked at and not yet read */
	size_t npeeked, peeked_at, peeked_cap;
	char buffer[PACKED_SIZE];
};

static const struct cg_decoder *const decoders[] = { &cg_decoder_gzip, &cg_decoder_zstd,
						     &cg_decoder_xz };

const char *cg_input_name(const struct cg_input *in)
{
	return in->name;
}

void cg_input_watch(struct cg_input *in, void (*report)(void *context, uint64_t bytes),
		    void *context)
{
	in->report = report;
	in->report_to = context;
	if (report && in->left)
		report(context, in->left);
}

void cg_input_free(struct cg_input *in)
{
	if (!in)
		return;
	if (in->decoder)
		in->decoder->close(in->state);
	if (in->fd > STDERR_FILENO)
		close(in->fd);
	free(in->peeked);
	free(in->name);
	free(in);
}

static int fail_read(const struct cg_input *in, struct cg_error *err)
{
	if (errno == EISDIR)
		return cg_fail(err, CG_EIO, in->name, 0, "is a directory, not a profile");
	return cg_fail(err, CG_EIO, in->name, 0, "cannot read: %s", strerror(errno));
}

/* Reads into a buffer until it is full or the source ends. */
static int read_fully(struct cg_input *in, char *buffer, size_t size, size_t *got,
		      struct cg_error *err)
{
	*got = 0;
	while (*got < size && !in->at_end) {
		ssize_t n = read(in->fd, buffer + *got, size - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_read(in, err);
		*got += (size_t)n;
		in->at_end = n == 0;
		if (in->report && n > 0)
			in->report(in->report_to, (uint64_t)n);
	}
	return CG_OK;
}

static int refill(struct cg_input *in, struct cg_error *err)
{
	if (in->left || in->at_end)
		return CG_OK;
	in->next = in->buffer;
	return read_fully(in, in->buffer, sizeof in->buffer, &in->left, err);
}

/* Formats that are known by how they begin, and the command that unpacks them. */
static const struct foreign {
	const char *name, *command;
	char magic[7];
	size_t magic_len;
} foreign[] = {
	{ "bzip2", "bunzip2 -c", "BZh", 3 },
	{ "lz4", "lz4 -dc", "\x04\x22\x4d\x18", 4 },
	{ "lz4", "lz4 -dc", "\x02\x21\x4c\x18", 4 },
	{ "zip", "unzip -p", "PK\x03\x04", 4 },
	{ "7-Zip", "7z x -so", "7z\xbc\xaf\x27\x1c", 6 },
	{ "lzip", "lzip -dc", "LZIP\x01", 5 },
	{ "compress", "uncompress -c", "\x1f\x9d", 2 },
};

/* The first digits of pi follow "BZh" and a digit; a function may begin with "BZh" as well. */
static bool is_foreign(const struct foreign *f, const char *bytes, size_t len)
{
	if (len < f->magic_len || memcmp(bytes, f->magic, f->magic_len) != 0)
		return false;
	return f->magic[0] != 'B' || (len >= 10 && memcmp(bytes + 4, "1AY&SY", 6) == 0);
}

static int check_foreign(const struct cg_input *in, const char *bytes, size_t len,
			 struct cg_error *err)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (is_foreign(&foreign[i], bytes, len))
			return cg_fail(
				err, CG_ESYNTAX, in->name, 0,
				"compressed with %s, which is not supported: unpack it with '%s' first",
				foreign[i].name, foreign[i].command);
	return CG_OK;
}

static bool is_packed(const struct cg_decoder *d, const char *bytes, size_t len)
{
	return len >= d->magic_len && memcmp(bytes, d->magic, d->magic_len) == 0;
}

/* Refuses a file that was packed twice, mostly by mistake. */
static int check_inside(struct cg_input *in, struct cg_error *err)
{
	enum { LONGEST = 16 };
	const char *bytes;
	size_t len;
	int status = in->decoder ? cg_input_peek(in, LONGEST, &bytes, &len, err) : CG_OK;

	if (status || !in->decoder)
		return status;
	for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
		if (is_packed(decoders[i], bytes, len))
			return cg_fail(
				err, CG_ESYNTAX, in->name, 0,
				"compressed twice, with %s and then with %s: unpack it with '%s -dc' once",
				decoders[i]->name, in->decoder->name, in->decoder->name);
	return check_foreign(in, bytes, len, err);
}

static int choose_decoder(struct cg_input *in, struct cg_error *err)
{
	int status = check_foreign(in, in->next, in->left, err);
	if (status)
		return status;
	for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
		const struct cg_decoder *d = decoders[i];
		if (!is_packed(d, in->next, in->left))
			continue;
		if (d->open(&in->state))
			return cg_fail_nomem(err);
		in->decoder = d;
		break;
	}
	return check_inside(in, err);
}

static int new_input(struct cg_input **out, const char *name, struct cg_error *err)
{
	struct cg_input *in = calloc(1, sizeof *in);
	if (!in || !(in->name = strdup(name))) {
		free(in);
		return cg_fail_nomem(err);
	}
	in->fd = -1;
	*out = in;
	return CG_OK;
}

int cg_input_open(struct cg_input **out, const char *path, struct cg_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct cg_input *in = NULL;
	int status = new_input(&in, standard ? "<standard input>" : path, err);
	if (status)
		return status;

	in->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		status = cg_fail(err, CG_EIO, path, 0, "cannot open: %s", strerror(errno));
	if (!status)
		status = refill(in, err);
	if (!status)
		status = choose_decoder(in, err);
	if (status)
		cg_input_free(in);
	else
		*out = in;
	return status;
}

int cg_input_memory(struct cg_input **out, const char *bytes, size_t len, const char *name,
		    struct cg_error *err)
{
	struct cg_input *in = NULL;
	int status = new_input(&in, name, err);
	if (status)
		return status;
	in->next = in->memory = bytes;
	in->left = in->nmemory = len;
	in->at_end = true;
	status = choose_decoder(in, err);
	if (status)
		cg_input_free(in);
	else
		*out = in;
	return status;
}

int cg_input_again(const struct cg_input *in, struct cg_input **out, bool *can,
		   struct cg_error *err)
{
	struct stat st;

	*can = in->memory ||
	       (in->fd != STDIN_FILENO && fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode));
	if (!*can)
		return CG_OK;
	return in->memory ? cg_input_memory(out, in->memory, in->nmemory, in->name, err)
			  : cg_input_open(out, in->name, err);
}

static int read_packed(struct cg_input *in, char *buffer, size_t size, size_t *got,
		       struct cg_error *err)
{
	struct cg_decoder_step s = { .out = buffer, .out_len = size };

	while (s.out_len == size) {
		int status = refill(in, err);
		if (status)
			return status;
		if (in->left == 0 && !in->mid_stream)
			break;

		size_t before = in->left;
		s.in = in->next;
		s.in_len = in->left;
		status = in->decoder->step(in->state, &s);
		in->next = s.in;
		in->left = s.in_len;
		in->mid_stream = !s.ended;
		if (status == CG_ENOMEM)
			return cg_fail_nomem(err);
		if (status)
			return cg_fail(err, status, in->name, 0,
				       "the %s-compressed data is damaged", in->decoder->name);
		if (before == 0 && s.out_len == size && in->mid_stream)
			return cg_fail(err, CG_ESYNTAX, in->name, 0,
				       "the %s-compressed data ends early: the file is truncated",
				       in->decoder->name);
	}
	*got = size - s.out_len;
	return CG_OK;
}

static int read_source(struct cg_input *in, char *buffer, size_t size, size_t *got,
		       struct cg_error *err)
{
	if (in->decoder)
		return read_packed(in, buffer, size, got, err);
	if (in->left == 0)
		return read_fully(in, buffer, size, got, err);

	*got = in->left < size ? in->left : size;
	memcpy(buffer, in->next, *got);
	in->next += *got;
	in->left -= *got;
	return CG_OK;
}

int cg_input_read(struct cg_input *in, char *buffer, size_t size, size_t *got, struct cg_error *err)
{
	size_t left = in->npeeked - in->peeked_at;
	if (left == 0)
		return read_source(in, buffer, size, got, err);

	*got = left < size ? left : size;
	memcpy(buffer, in->peeked + in->peeked_at, *got);
	in->peeked_at += *got;
	return CG_OK;
}

int cg_input_peek(struct cg_input *in, size_t size, const char **bytes, size_t *len,
		  struct cg_error *err)
{
	size_t got = 1;
	if (cg_grow(&in->peeked, &in->peeked_cap, in->peeked_at + size, 1))
		return cg_fail_nomem(err);
	while (in->npeeked - in->peeked_at < size && got > 0) {
		int status = read_source(in, in->peeked + in->npeeked,
					 size - (in->npeeked - in->peeked_at), &got, err);
		if (status)
			return status;
		in->npeeked += got;
	}
	*bytes = in->peeked + in->peeked_at;
	*len = in->npeeked - in->peeked_at;
	return CG_OK;
}

void cg_input_skip(struct cg_input *in, size_t len)
{
	in->peeked_at += len;
}
