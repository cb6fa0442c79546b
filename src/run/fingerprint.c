#include "src/run/fingerprint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/fingerprint_parts.h"
#include "src/run/image.h"
#include "src/run/loader_cache.h"

uint64_t fingerprint_hash(uint64_t state, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		state = (state ^ bytes[i]) * 0x100000001b3u;
	return state;
}

bool fingerprint_of_file(const char *path, char *text, size_t size)
{
	unsigned char buffer[65536];
	uint64_t state = FINGERPRINT_HASH_BEGIN;
	ssize_t n;

	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	/* A device has no end. */
	n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 1 : -1;
	while (n > 0 && (n = read(fd, buffer, sizeof buffer)) > 0)
		state = fingerprint_hash(state, buffer, (size_t)n);
	close(fd);
	snprintf(text, size, "fnv1a:%016llx", (unsigned long long)state);
	return n == 0;
}

void fingerprint_of_bytes(const void *bytes, size_t count, char *text, size_t size)
{
	snprintf(text, size, "fnv1a:%016llx",
		 (unsigned long long)fingerprint_hash(FINGERPRINT_HASH_BEGIN, bytes, count));
}

bool fingerprint_is_libc(const char *name)
{
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2.", 7) ||
	       !strncmp(name, "libc.musl", 9);
}

bool fingerprint_is_ld_so(const char *name)
{
	return !strncmp(name, "ld-", 3) || !strcmp(name, "ld.so");
}

bool fingerprint_of_object(const char *path, char *text, size_t size)
{
	struct image image;

	if (image_read(path, &image, NULL))
		return false;
	bool has = image.build_id != NULL;
	if (has)
		snprintf(text, size, "%s", image.build_id);
	image_free(&image);
	return has || fingerprint_of_file(path, text, size);
}

/* The cache changes whenever libraries are installed, but it affects counts too little to make
 * them incomparable. */
static int add_loader_cache(struct fact_list *list, const struct run_result *result)
{
	char digest[40];

	if (*result->loader_cache)
		return fact_list_set(list, "loader_cache", result->loader_cache);
	return fingerprint_of_file(LOADER_CACHE, digest, sizeof digest)
		       ? fact_list_set(list, "loader_cache", digest)
		       : CG_OK;
}

int fingerprint_collect(const struct run_request *request, const struct run_result *result,
			struct interrupts *interrupts, struct fingerprint *fingerprint,
			struct cg_error *err)
{
	struct fingerprint made = { 0 };

	if (!result->valgrind_version || !result->options || !result->program)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no run to take a fingerprint of");
	const char *at = request->root ? request->root : request->cwd ? request->cwd : ".";
	char *root = realpath(at, NULL);
	int status = fingerprint_add_environment(&made.environment, request, result, root);
	if (status == CG_OK)
		status = fingerprint_add_subject(&made.subject, request, result, root);
	if (status == CG_OK && fact_list_get(&made.environment, "ld.so"))
		status = add_loader_cache(&made.subject, result);
	if (status == CG_OK && root)
		status = fingerprint_add_commit(&made.subject, root, interrupts);
	free(root);

	if (status) {
		fingerprint_free(&made);
		return cg_fail_nomem(err); /* nothing else can fail */
	}
	*fingerprint = made;
	return CG_OK;
}

void fingerprint_free(struct fingerprint *fingerprint)
{
	fact_list_free(&fingerprint->environment);
	fact_list_free(&fingerprint->subject);
}
