#include "src/digest/digest.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/secret.h"
#include "src/store/sums.h"
#include "tests/unit/harness.h"

/* Examples of FIPS 180-2; that with a key is as Python's hmac has it. */
static void test_digests(void)
{
	struct digest_key key, other = { { 1 } };
	char digest[DIGEST_SIZE], a[DIGEST_KEYED_SIZE], b[DIGEST_KEYED_SIZE];

	digest_of_bytes("abc", 3, digest);
	CHECK_STR(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest_of_bytes("", 0, digest);
	CHECK_STR(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	for (size_t i = 0; i < DIGEST_KEY_BYTES; i++)
		key.bytes[i] = (unsigned char)i;
	digest_keyed(&key, "NAME", "value", a);
	CHECK_STR(a, "hmac:e711546e:8e57952d8308db5eda75ce85a076401f");
	digest_keyed(&key, "NAME2", "value", b);
	CHECK(strcmp(a, b) != 0 && strncmp(a, b, 13) == 0);
	digest_keyed(&key, "NAME", "value2", b);
	CHECK(strcmp(a, b) != 0);
	digest_keyed(&key, "NAMEv", "alue", b);
	CHECK(strcmp(a, b) != 0);
	digest_keyed(&other, "NAME", "value", b);
	CHECK(strncmp(a, b, 13) != 0 && strcmp(a + 14, b + 14) != 0);
}

/* The ids are those of `git hash-object --stdin`. */
static void test_blobs(void)
{
	char id[DIGEST_SIZE];

	digest_of_blob("", 0, false, id);
	CHECK_STR(id, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
	digest_of_blob("a\0b\n", 4, false, id);
	CHECK_STR(id, "1a23e4be731d2f539deeea324686d000ccdfbfcd");
	digest_of_blob("", 0, true, id);
	CHECK_STR(id, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
	digest_of_blob("a\0b\n", 4, true, id);
	CHECK_STR(id, "0a8c8e4bb4f39e0f9acced70a1118127afbd4258918950cc3e9a68719f1005ab");
}

static char root[] = "/tmp/irdiff-digest-XXXXXX";

static const char *at(const char *name)
{
	static char path[2][400];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
	return path[turn];
}

static void put(const char *name, const char *text)
{
	FILE *to = fopen(at(name), "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static void test_secret(void)
{
	struct digest_key first, again;
	struct cg_error err;
	struct stat st;

	REQUIRE(mkdtemp(root) != NULL);
	REQUIRE_INT(store_secret(root, &first, &err), CG_OK);
	REQUIRE(stat(at(".irdiff/secret"), &st) == 0);
	CHECK_INT(st.st_mode & 0777, 0600);
	CHECK_INT(st.st_size, 65);
	CHECK(access(at(".irdiff/.gitignore"), F_OK) == 0);
	REQUIRE_INT(store_secret(root, &again, &err), CG_OK);
	CHECK(memcmp(&first, &again, sizeof first) == 0);

	/* One that was copied here is not for others. */
	chmod(at(".irdiff/secret"), 0644);
	REQUIRE_INT(store_secret(root, &again, &err), CG_OK);
	REQUIRE(stat(at(".irdiff/secret"), &st) == 0);
	CHECK_INT(st.st_mode & 0777, 0600);
	unlink(at(".irdiff/secret"));
	REQUIRE_INT(store_secret(root, &again, &err), CG_OK);
	CHECK(memcmp(&first, &again, sizeof first) != 0);

	put(".irdiff/secret", "123\n");
	CHECK_INT(store_secret(root, &again, &err), CG_EINVAL);
	CHECK(strstr(err.message, "not a secret of 64") != NULL);
	unlink(at(".irdiff/secret"));
	REQUIRE(symlink("/etc/passwd", at(".irdiff/secret")) == 0);
	CHECK_INT(store_secret(root, &again, &err), CG_EINVAL);
}

static void test_sums(void)
{
	struct cg_error err;

	REQUIRE(mkdir(at("entry"), 0777) == 0);
	put("entry/profile.callgrind", "profile");
	put("entry/key.txt", "key: 4\n");
	put("entry/stdout.log", "anything");
	CHECK_INT(sums_check(at("entry"), &err), CG_EINTERNAL);
	CHECK(strstr(err.message, "cannot read its sums.txt") != NULL);
	REQUIRE_INT(sums_write(at("entry"), &err), CG_OK);
	CHECK_INT(sums_check(at("entry"), &err), CG_OK);
	put("entry/stdout.log", "anything else");
	CHECK_INT(sums_check(at("entry"), &err), CG_OK);
	put("entry/profile.callgrind", "profil2");
	CHECK_INT(sums_check(at("entry"), &err), CG_EINTERNAL);
	CHECK_STR(err.message, "its profile.callgrind does not match its checksum");
	put("entry/profile.callgrind", "profile");
	put("entry/meta.json", "{}");
	CHECK_INT(sums_check(at("entry"), &err), CG_EINTERNAL);
	CHECK_STR(err.message, "its meta.json does not match its checksum");
	unlink(at("entry/meta.json"));
	unlink(at("entry/key.txt"));
	CHECK_INT(sums_check(at("entry"), &err), CG_EINTERNAL);
	CHECK_STR(err.message, "its key.txt does not match its checksum");
	REQUIRE(symlink("profile.callgrind", at("entry/key.txt")) == 0);
	CHECK(sums_check(at("entry"), &err) != CG_OK);
	remove_directory(root, NULL);
}

TEST_MAIN("digest", { "digests", test_digests }, { "ids of blobs", test_blobs },
	  { "the secret of a project", test_secret }, { "sums of an entry", test_sums })
