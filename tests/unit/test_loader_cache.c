#include "tests/unit/harness.h"

#include <unistd.h>

#include "src/run/loader_cache.h"

/* A list of libraries as glibc's sysdeps/generic/dl-cache.h has it. */
struct library {
	const char *name, *path;
	uint64_t capabilities;
};

#define HEADER 48
#define ENTRY 24
#define ROOM 65536

static void put32(char *at, uint32_t value)
{
	memcpy(at, &value, sizeof value);
}

static uint32_t get32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return value;
}

static uint32_t put_text(char *bytes, size_t *end, const char *text)
{
	uint32_t at = (uint32_t)*end;

	memcpy(bytes + at, text, strlen(text) + 1);
	*end += strlen(text) + 1;
	return at;
}

static char *make_cache(const struct library *libraries, size_t count, size_t *size)
{
	char *bytes = calloc(1, ROOM);
	size_t end = HEADER + count * ENTRY;

	REQUIRE(bytes != NULL);
	memcpy(bytes, "glibc-ld.so.cache1.1", 20);
	put32(bytes + 20, (uint32_t)count);
	bytes[28] = 2;         /* little-endian */
	put32(bytes + 32, 77); /* extensions, which are left out */
	for (size_t i = 0; i < count; i++) {
		char *entry = bytes + HEADER + i * ENTRY;
		put32(entry, 0x0303);
		put32(entry + 4, put_text(bytes, &end, libraries[i].name));
		put32(entry + 8, put_text(bytes, &end, libraries[i].path));
		memcpy(entry + 16, &libraries[i].capabilities, sizeof libraries[i].capabilities);
	}
	put32(bytes + 24, (uint32_t)(end - HEADER - count * ENTRY));
	*size = end;
	return bytes;
}

static char directory_a[] = "/lib/a", directory_b[] = "/usr/lib/a";
static char name_c[] = "libc.so.6", name_x[] = "libx.so.1", name_v[] = "libv.so.1";
static char *directories_of[] = { directory_a, directory_b };
static char *names_of[] = { name_c, name_x, name_v };
static const struct strings directories = { directories_of, 2, 2 }, names = { names_of, 3, 3 };

/* "NAME=PATH " of each library; the caller's. */
static char *list(const char *bytes)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	for (uint32_t i = 0; bytes && i < get32(bytes + 20); i++) {
		const char *entry = bytes + HEADER + i * ENTRY;
		fprintf(to, "%s=%s ", bytes + get32(entry + 4), bytes + get32(entry + 8));
	}
	fclose(to);
	return text;
}

static void becomes(const struct library *libraries, size_t count, const char *expected,
		    const char *others)
{
	struct strings elsewhere = { 0 };
	size_t size, small_size;
	char *cache = make_cache(libraries, count, &size), *small = NULL;

	REQUIRE_INT(loader_cache_make(cache, size, &directories, &names, &small, &small_size,
				      &elsewhere, NULL),
		    0);
	char *listed = list(small), *joined = strings_join(&elsewhere);
	CHECK_STR(listed, expected);
	CHECK_STR(joined, others);
	free(joined);
	strings_free(&elsewhere);
	if (small) {
		CHECK(!memcmp(small, "glibc-ld.so.cache1.1", 20));
		CHECK_U64(get32(small + 32), 0);
		CHECK_U64(HEADER + get32(small + 20) * ENTRY + get32(small + 24), small_size);
	}
	free(listed);
	free(small);
	free(cache);
}

static void test_small(void)
{
	static const struct library few[] = { { "libc.so.6", "/lib/a/libc.so.6", 0 } };
	static const struct library many[] = {
		{ "libz.so.1", "/usr/lib/a/libz.so.1", 0 }, { "libm.so.6", "/lib/a/libm.so.6", 0 },
		{ "libc.so.6", "/lib/a/libc.so.6", 0 },     { "libc.so", "/usr/lib/a/libc.so", 0 },
		{ "liba.so.1", "/lib/a/liba.so.1", 0 },
	};
	/* Elsewhere; below a directory of the system, and beside it; with others for some CPUs. */
	static const struct library odd[] = {
		{ "libx.so.1", "/lib/a/libx.so.1", 0 },
		{ "libv.so.1", "/lib/a/glibc-hwcaps/x86-64-v3/libv.so.1", UINT64_C(1) << 62 },
		{ "libv.so.1", "/lib/a/libv.so.1", 0 },
		{ "libo.so.1", "/usr/local/lib/libo.so.1", 0 },
		{ "libd.so.1", "/usr/lib/a/d/libd.so.1", 0 },
		{ "libe.so.1", "/usr/lib/aa/libe.so.1", 0 },
		{ "libc.so.6", "/opt/libc.so.6", 0 },
	};

	becomes(few, 1, "libc.so.6=/lib/a/libc.so.6 ", "");
	becomes(many, 5, "libc.so.6=/lib/a/libc.so.6 ", "");
	becomes(many + 3, 2, "", "");
	becomes(few, 0, "", "");
	becomes(odd, 7, "libx.so.1=/lib/a/libx.so.1 libc.so.6=/opt/libc.so.6 ",
		"/lib/a/libo.so.1 /usr/local/lib/libo.so.1 "
		"/lib/a/libd.so.1 /usr/lib/a/d/libd.so.1 /lib/a/libe.so.1 /usr/lib/aa/libe.so.1");
}

static int refusal(const char *bytes, size_t size)
{
	struct strings elsewhere = { 0 };
	char *small = NULL;
	size_t small_size;
	int status = loader_cache_make(bytes, size, &directories, &names, &small, &small_size,
				       &elsewhere, NULL);

	strings_free(&elsewhere);
	free(small);
	return status;
}

static void test_damaged(void)
{
	static const struct library libraries[] = { { "libc.so.6", "/lib/a/libc.so.6", 0 },
						    { "libx.so.1", "/lib/a/libx.so.1", 0 } };
	size_t size;
	char *cache = make_cache(libraries, 2, &size);

	CHECK_INT(refusal(cache, size), 0);
	for (size_t cut = 0; cut < size; cut++)
		CHECK_INT(refusal(cache, cut), CG_ESYNTAX);
	put32(cache + 20, UINT32_MAX);
	CHECK_INT(refusal(cache, size), CG_ESYNTAX);
	put32(cache + 20, 2);
	put32(cache + HEADER + ENTRY + 8, UINT32_MAX);
	CHECK_INT(refusal(cache, size), CG_ESYNTAX);
	memcpy(cache, "ld.so-1.7.0", 11); /* the format before that */
	CHECK_INT(refusal(cache, size), CG_ESYNTAX);
	free(cache);
}

/* What this system's loader says, and ldconfig of a list that was made of its own. */
static void test_system(void)
{
	static const char loader[] = "/lib64/ld-linux-x86-64.so.2";
	struct strings system_directories = { 0 }, needed = { 0 }, elsewhere = { 0 };
	char path[] = "/tmp/irdiff-loader-XXXXXX", command[200], line[400] = "", *small = NULL;
	size_t size = 0, small_size;

	FILE *from = fopen(LOADER_CACHE, "r");
	if (!from || access(loader, X_OK) || access("/sbin/ldconfig", X_OK)) {
		puts("SKIP: the loader's list of libraries: this system has none");
		return;
	}
	char *whole = calloc(1, 16 * ROOM);
	REQUIRE(whole != NULL);
	size = fread(whole, 1, 16 * ROOM, from);
	fclose(from);
	REQUIRE_INT(loader_cache_ask(loader, "/bin/sh", NULL, &system_directories, &needed, NULL),
		    0);
	CHECK(system_directories.count >= 2 && *system_directories.items[0] == '/');
	REQUIRE(needed.count > 0);
	CHECK(!strcmp(needed.items[needed.count - 1], "libc.so.6") || needed.count > 1);
	REQUIRE_INT(loader_cache_make(whole, size, &system_directories, &needed, &small,
				      &small_size, &elsewhere, NULL),
		    0);
	REQUIRE(small != NULL && small_size < size);
	int fd = mkstemp(path);
	REQUIRE(fd >= 0 && write(fd, small, small_size) == (ssize_t)small_size);
	close(fd);
	/* A system may have it for several architectures. */
	snprintf(command, sizeof command,
		 "for list in -C%s ''; do /sbin/ldconfig $list -p | grep -c "
		 "'libc\\.so\\.6 (libc6'; done | uniq | wc -l",
		 path);
	FILE *said = popen(command, "r");
	REQUIRE(said != NULL && fgets(line, sizeof line, said) != NULL);
	pclose(said);
	CHECK_STR(line, "1\n");
	unlink(path);
	free(small);
	free(whole);
	strings_free(&system_directories);
	strings_free(&needed);
	strings_free(&elsewhere);
}

TEST_MAIN("loader_cache", { "a small list", test_small }, { "damaged lists", test_damaged },
	  { "this system's", test_system })
