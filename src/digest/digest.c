#include "src/digest/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

enum { KEY_DIGITS = 8, KEYED_DIGITS = 32 };

/* Nettle 4 no longer takes the size of the digest. */
#if NETTLE_VERSION_MAJOR >= 4
#define FINISH_SHA1(context, bytes) sha1_digest(context, bytes)
#define FINISH_SHA256(context, bytes) sha256_digest(context, bytes)
#define FINISH_HMAC(context, bytes) hmac_sha256_digest(context, bytes)
#else
#define FINISH_SHA1(context, bytes) sha1_digest(context, SHA1_DIGEST_SIZE, bytes)
#define FINISH_SHA256(context, bytes) sha256_digest(context, SHA256_DIGEST_SIZE, bytes)
#define FINISH_HMAC(context, bytes) hmac_sha256_digest(context, SHA256_DIGEST_SIZE, bytes)
#endif

/* Prints so many digits and a NUL. */
static void print_digits(const uint8_t *bytes, size_t digits, char *text)
{
	for (size_t i = 0; i < digits / 2; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

void digest_of_bytes(const void *bytes, size_t count, char digest[DIGEST_SIZE])
{
	struct sha256_ctx context;
	uint8_t sum[SHA256_DIGEST_SIZE];

	sha256_init(&context);
	sha256_update(&context, count, bytes);
	FINISH_SHA256(&context, sum);
	print_digits(sum, DIGEST_SIZE - 1, digest);
}

static void sha1_of_blob(const char *header, const void *bytes, size_t count,
			 uint8_t sum[SHA1_DIGEST_SIZE])
{
	struct sha1_ctx context;

	sha1_init(&context);
	sha1_update(&context, strlen(header) + 1, (const uint8_t *)header); /* with its NUL */
	sha1_update(&context, count, bytes);
	FINISH_SHA1(&context, sum);
}

static void sha256_of_blob(const char *header, const void *bytes, size_t count,
			   uint8_t sum[SHA256_DIGEST_SIZE])
{
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, strlen(header) + 1, (const uint8_t *)header);
	sha256_update(&context, count, bytes);
	FINISH_SHA256(&context, sum);
}

void digest_of_blob(const void *bytes, size_t count, bool sha256, char id[DIGEST_SIZE])
{
	uint8_t sum[SHA256_DIGEST_SIZE];
	char header[32];

	snprintf(header, sizeof header, "blob %zu", count);
	if (sha256)
		sha256_of_blob(header, bytes, count, sum);
	else
		sha1_of_blob(header, bytes, count, sum);
	print_digits(sum, 2 * (sha256 ? SHA256_DIGEST_SIZE : SHA1_DIGEST_SIZE), id);
}

int digest_of_file(const char *path, char digest[DIGEST_SIZE], struct cg_error *err)
{
	struct sha256_ctx context;
	uint8_t sum[SHA256_DIGEST_SIZE], buffer[65536];
	struct stat st;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st))
		n = -1;
	else if (!S_ISREG(st.st_mode))
		n = -1, errno = EINVAL;
	else
		n = 0;
	sha256_init(&context);
	while (n >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0)
		sha256_update(&context, (size_t)n, buffer);
	int reason = errno;
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return cg_fail(err, CG_EIO, path, 0, "cannot read: %s", strerror(reason));
	FINISH_SHA256(&context, sum);
	print_digits(sum, DIGEST_SIZE - 1, digest);
	return CG_OK;
}

static void keyed_sum(const struct digest_key *key, const char *name, const char *value,
		      uint8_t sum[SHA256_DIGEST_SIZE])
{
	struct hmac_sha256_ctx context;

	hmac_sha256_set_key(&context, sizeof key->bytes, key->bytes);
	hmac_sha256_update(&context, strlen(name) + 1, (const uint8_t *)name); /* with its NUL */
	hmac_sha256_update(&context, strlen(value), (const uint8_t *)value);
	FINISH_HMAC(&context, sum);
}

void digest_keyed(const struct digest_key *key, const char *name, const char *value,
		  char digest[DIGEST_KEYED_SIZE])
{
	uint8_t sum[SHA256_DIGEST_SIZE];
	char of_key[KEY_DIGITS + 1], of_value[KEYED_DIGITS + 1];

	keyed_sum(key, "", "", sum);
	print_digits(sum, KEY_DIGITS, of_key);
	keyed_sum(key, name, value, sum);
	print_digits(sum, KEYED_DIGITS, of_value);
	snprintf(digest, DIGEST_KEYED_SIZE, "hmac:%s:%s", of_key, of_value);
}
