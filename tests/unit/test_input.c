#include "tests/unit/profiles.h"

#include <errno.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "callgrind/compress.h"
#include "callgrind/input.h"

static const char text[] = "events: Ir\nfn=main\n16 400\n";

enum { ROOM = 4096 };

struct packed {
	unsigned char bytes[ROOM];
	size_t len;
};

static struct packed gzip_of(const char *bytes, size_t len)
{
	struct packed p = { .len = 0 };
	z_stream z = { .next_in = (Bytef *)bytes,
		       .avail_in = (uInt)len,
		       .next_out = p.bytes,
		       .avail_out = ROOM };

	REQUIRE_INT(deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	REQUIRE_INT(deflate(&z, Z_FINISH), Z_STREAM_END);
	p.len = ROOM - z.avail_out;
	deflateEnd(&z);
	return p;
}

static struct packed zstd_of(const char *bytes, size_t len)
{
	struct packed p = { .len = 0 };
	p.len = ZSTD_compress(p.bytes, ROOM, bytes, len, 3);
	REQUIRE(!ZSTD_isError(p.len));
	return p;
}

static struct packed xz_of(const char *bytes, size_t len)
{
	struct packed p = { .len = 0 };
	REQUIRE_INT(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)bytes, len,
					    p.bytes, &p.len, ROOM),
		    LZMA_OK);
	return p;
}

static struct packed (*const packers[])(const char *, size_t) = { gzip_of, zstd_of, xz_of };
static const char *const packer_names[] = { "gzip", "zstd", "xz" };

enum { NPACKERS = sizeof packers / sizeof *packers };

static char path[64];

static void write_file(const void *bytes, size_t len)
{
	snprintf(path, sizeof path, "/tmp/irdiff-input.XXXXXX");
	int fd = mkstemp(path);
	REQUIRE(fd >= 0);
	REQUIRE_INT(write(fd, bytes, len), (int64_t)len);
	close(fd);
}

/* The profile in a file of these bytes; NULL and *err if it cannot be read. */
static struct cg_profile *from_file(const void *bytes, size_t len, struct cg_error *err)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = NULL;

	write_file(bytes, len);
	int status = cg_read_file(path, &options, &p, err);
	unlink(path);
	CHECK((status == CG_OK) == (p != NULL));
	return p;
}

static void test_plain(void)
{
	struct cg_error err = { 0 };
	struct cg_profile *p = from_file(text, sizeof text - 1, &err);
	REQUIRE(p != NULL);
	CHECK_U64(p->total[0], 400);
	cg_profile_free(p);
}

static void test_packed(void)
{
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed z = packers[i](text, sizeof text - 1);
		struct cg_error err = { 0 };
		struct cg_profile *p = from_file(z.bytes, z.len, &err);
		test_report(p != NULL, true, __FILE__, __LINE__, "%s: %s", packer_names[i],
			    err.message);
		CHECK_U64(self_of(p, "main", 0), 400);
		cg_profile_free(p);
	}
}

/* Files that were packed one by one and put one after the other. */
static void test_packed_twice(void)
{
	static const char more[] = "fn=other\n1 7\n";
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed a = packers[i](text, sizeof text - 1);
		struct packed b = packers[i](more, sizeof more - 1);
		struct cg_error err = { 0 };
		memcpy(a.bytes + a.len, b.bytes, b.len);
		struct cg_profile *p = from_file(a.bytes, a.len + b.len, &err);
		test_report(p != NULL, true, __FILE__, __LINE__, "%s: %s", packer_names[i],
			    err.message);
		CHECK_U64(p->total[0], 407);
		cg_profile_free(p);
	}
}

/* It is the input that is wrong, not the arguments. */
static void test_foreign(void)
{
	static const char zip[] = "PK\x03\x04 and so on", bzip2[] = "BZh91AY&SY and so on";
	struct cg_error err = { 0 };

	CHECK(from_file(zip, sizeof zip - 1, &err) == NULL);
	CHECK(strstr(err.message, "compressed with zip") != NULL);
	CHECK_INT(err.code, CG_ESYNTAX);
	CHECK(from_file(bzip2, sizeof bzip2 - 1, &err) == NULL);
	CHECK(strstr(err.message, "compressed with bzip2") != NULL);
	CHECK_INT(err.code, CG_ESYNTAX);
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed once = packers[i](text, sizeof text - 1);
		struct packed twice = packers[i]((const char *)once.bytes, once.len);
		CHECK(from_file(twice.bytes, twice.len, &err) == NULL);
		CHECK(strstr(err.message, "compressed twice") != NULL);
		CHECK_INT(err.code, CG_ESYNTAX);
	}
}

static void test_packed_and_cut(void)
{
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed z = packers[i](text, sizeof text - 1);
		/* Even without its last byte only: a checksum or an end mark is missing. */
		for (size_t len = 6; len < z.len; len++) {
			struct cg_error err = { 0 };
			struct cg_profile *p = from_file(z.bytes, len, &err);
			test_report(p == NULL && strstr(err.message, "truncated") != NULL, true,
				    __FILE__, __LINE__, "%s cut to %zu bytes: %s", packer_names[i],
				    len, p ? "accepted" : err.message);
			CHECK_STR(err.file, path);
		}
	}
}

static void test_packed_and_damaged(void)
{
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed z = packers[i](text, sizeof text - 1);
		struct cg_error err = { 0 };
		/* Behind the magic bytes, all is garbage. */
		memset(z.bytes + 6, 0xa5, z.len - 6);
		struct cg_profile *p = from_file(z.bytes, z.len, &err);
		CHECK(p == NULL);
		char expected[60];
		snprintf(expected, sizeof expected, "the %s-compressed data is damaged",
			 packer_names[i]);
		CHECK_STR(err.message, expected);
		CHECK_INT(err.code, CG_ESYNTAX);
	}
}

/* Any single wrong byte is noticed or harmless; it never crashes. */
static void test_every_damage(void)
{
	for (size_t i = 0; i < NPACKERS; i++) {
		struct packed z = packers[i](text, sizeof text - 1);
		for (size_t at = 0; at < z.len; at++) {
			struct cg_read_options options = { 0 };
			struct cg_profile *p = NULL;
			z.bytes[at] ^= 0xff;
			int status = cg_read_memory((const char *)z.bytes, z.len, "x", &options, &p,
						    NULL);
			CHECK(status == CG_OK || status == CG_ESYNTAX);
			if (i == 0 && at >= z.len - 8)
				CHECK_INT(status, CG_ESYNTAX); /* gzip's sums */
			cg_profile_free(p);
			z.bytes[at] ^= 0xff;
		}
	}
}

static void test_empty(void)
{
	struct cg_error err = { 0 };
	CHECK(from_file("", 0, &err) == NULL);
	CHECK(strstr(err.message, "empty") != NULL);

	struct packed z = gzip_of("", 0);
	CHECK(from_file(z.bytes, z.len, &err) == NULL);
	CHECK(strstr(err.message, "empty") != NULL);

	/* Shorter than any magic bytes. */
	CHECK(from_file("\x1f", 1, &err) == NULL);
	CHECK(from_file("\xfd"
			"7z",
			3, &err) == NULL);
}

static void test_unreadable(void)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(cg_read_file("/nonexistent/x", &options, &p, &err), CG_EIO);
	CHECK_STR(err.file, "/nonexistent/x");
	CHECK(strstr(err.message, strerror(ENOENT)) != NULL);

	CHECK_INT(cg_read_file("/tmp", &options, &p, &err), CG_EIO);
	CHECK(strstr(err.message, "is a directory") != NULL);

	write_file(text, sizeof text - 1);
	chmod(path, 0);
	if (access(path, R_OK) != 0) { /* root may read it */
		CHECK_INT(cg_read_file(path, &options, &p, &err), CG_EIO);
		CHECK(strstr(err.message, strerror(EACCES)) != NULL);
	}
	unlink(path);
	CHECK(p == NULL);
}

static void test_standard_input(void)
{
	struct cg_read_options options = { 0 };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };

	write_file("events: Ir\nfn=f\n1 x\n", 20);
	REQUIRE(freopen(path, "r", stdin) != NULL);
	unlink(path);
	CHECK_INT(cg_read_file("-", &options, &p, &err), CG_ESYNTAX);
	CHECK_STR(err.file, "<standard input>");
	CHECK_U64(err.line, 3);
}

/* Small reads deliver the same bytes as large ones. */
static void test_pieces(void)
{
	for (size_t i = 0; i <= NPACKERS; i++) {
		struct packed z = { .len = sizeof text - 1 };
		memcpy(z.bytes, text, sizeof text - 1);
		if (i < NPACKERS)
			z = packers[i](text, sizeof text - 1);
		struct cg_input *in;
		REQUIRE_INT(cg_input_memory(&in, (const char *)z.bytes, z.len, "x", NULL), CG_OK);
		char found[sizeof text] = "";
		size_t used = 0, got = 1;
		while (got && used + 3 < sizeof found) {
			REQUIRE_INT(cg_input_read(in, found + used, 3, &got, NULL), CG_OK);
			REQUIRE(got <= 3);
			used += got;
		}
		REQUIRE_INT(cg_input_read(in, found + used, sizeof found - used, &got, NULL),
			    CG_OK);
		CHECK_STR(found, text);
		REQUIRE_INT(cg_input_read(in, found, 3, &got, NULL), CG_OK);
		CHECK_U64(got, 0);
		cg_input_free(in);
	}
}

/* 3 MB, so that every buffer on the way is filled several times. */
static void check_compressing(int (*compress)(FILE *, FILE *))
{
	enum { LINES = 300000 };
	char *packed = NULL;
	size_t size = 0;
	FILE *from = tmpfile(), *to = open_memstream(&packed, &size);
	REQUIRE(from && to);

	/* 1 + 2 + … + n = n (n + 1) / 2 */
	fputs("events: Ir\nfn=main\n", from);
	for (int i = 1; i <= LINES; i++)
		fprintf(from, "%d %d\n", i, i);
	rewind(from);
	REQUIRE_INT(compress(from, to), CG_OK);
	fclose(from);
	fclose(to);
	CHECK(size < 2000000);

	struct cg_read_options options = { 0 };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	REQUIRE_INT(cg_read_memory(packed, size, "x", &options, &p, &err), CG_OK);
	CHECK_U64(p->total[0], (uint64_t)LINES * (LINES + 1) / 2);
	cg_profile_free(p);

	from = tmpfile();
	to = fopen("/dev/full", "w");
	REQUIRE(from && to);
	setvbuf(to, NULL, _IONBF, 0);
	CHECK_INT(compress(from, to), CG_EIO);
	fclose(from);
	fclose(to);
	free(packed);
}

static void test_compressing(void)
{
	check_compressing(cg_compress);
	check_compressing(cg_compress_gzip);
}

TEST_MAIN("input", { "a plain file", test_plain }, { "packed files", test_packed },
	  { "packed files one after the other", test_packed_twice },
	  { "packed twice, or in another way", test_foreign },
	  { "packed files that were cut", test_packed_and_cut },
	  { "packed files with garbage", test_packed_and_damaged },
	  { "every damaged byte", test_every_damage }, { "empty files", test_empty },
	  { "missing, directory, unreadable", test_unreadable },
	  { "standard input", test_standard_input }, { "reading in pieces", test_pieces },
	  { "compressing a large file", test_compressing })
