#include "tests/unit/harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cgprofile/error.h"
#include "src/store/code_file.h"

static char directory[] = "/tmp/irdiff-code-file-XXXXXX";
static char path[sizeof directory + 16];

static void test_begins(void)
{
	REQUIRE(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/code.zst", directory);
}

static void write_text(const char *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	REQUIRE(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static int load_text(const char *text)
{
	struct cg_code code = { 0 };
	struct cg_error err = { 0 };

	write_text(text, strlen(text));
	int status = code_file_load(path, &code, &err);
	cg_code_free(&code);
	return status;
}

static void test_round_trip(void)
{
	static const unsigned char a[] = { 0x55, '\n', 0, 0xc3 }, b[] = { 0x90 };
	struct cg_code code = { 0 }, again = { 0 };
	size_t left;

	REQUIRE_INT(cg_code_add_object(&code, "/bin/a b", "0123456789abcdef", CG_MACHINE_X86_64,
				       CG_CODE_FOUND),
		    CG_OK);
	REQUIRE_INT(cg_code_add_section(&code, 0x1000, UINT64_MAX - 0x1000), CG_OK);
	REQUIRE_INT(cg_code_add_jumps(&code, &(struct cg_code_jump){ 0x1003, 0x1000, 7 }), CG_OK);
	REQUIRE_INT(cg_code_add_jumps(&code, &(struct cg_code_jump){ 0x1003, 0x1002, UINT64_MAX }),
		    CG_OK);
	REQUIRE_INT(cg_code_add_range(&code, 0x1000, a, sizeof a, true), CG_OK);
	REQUIRE_INT(cg_code_add_range(&code, UINT64_MAX - 1, b, sizeof b, false), CG_OK);
	REQUIRE_INT(cg_code_add_object(&code, "/a\nb", NULL, CG_MACHINE_X86_64, CG_CODE_FOUND),
		    CG_OK);
	REQUIRE_INT(cg_code_add_object(&code, "/gone", NULL, CG_MACHINE_UNKNOWN, CG_CODE_MISSING),
		    CG_OK);
	REQUIRE_INT(code_file_save(path, &code, NULL), CG_OK);
	REQUIRE_INT(code_file_load(path, &again, NULL), CG_OK);
	CHECK_U64(again.nobjects, 2);
	const struct cg_code_object *o = cg_code_find(&again, "/bin/a b");
	REQUIRE(o != NULL);
	CHECK_STR(o->build_id, "0123456789abcdef");
	CHECK_INT(o->machine, CG_MACHINE_X86_64);
	REQUIRE(o->nsections == 1 && o->nranges == 2);
	CHECK(o->sections[0].address == 0x1000 && o->sections[0].size == UINT64_MAX - 0x1000);
	const struct cg_code_jump *jumps = cg_code_jumps_from(o, 0x1003, &left);
	CHECK(o->knows_jumps && left == 2 && jumps[0].count == 7 && jumps[1].target == 0x1002 &&
	      jumps[1].count == UINT64_MAX);
	cg_code_jumps_from(o, 0x1002, &left);
	CHECK_U64(left, 0);
	CHECK(o->ranges[0].whole && !o->ranges[1].whole);
	const unsigned char *found = cg_code_at(&again, o, 0x1001, &left);
	REQUIRE(found && left == 3);
	CHECK(memcmp(found, a + 1, 3) == 0);
	CHECK(cg_code_at(&again, o, 0x1004, &left) == NULL);
	CHECK(cg_code_at(&again, o, UINT64_MAX - 1, &left) && left == 1);
	o = cg_code_find(&again, "/gone");
	CHECK(o && o->state == CG_CODE_MISSING && !o->build_id && !o->knows_jumps);
	CHECK(cg_code_find(&again, "/nowhere") == NULL);
	cg_code_free(&code);
	cg_code_free(&again);
}

static void test_hostile(void)
{
	CHECK_INT(load_text("irdiff code 2\n"), CG_OK);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n16 2 1\nab\n"), CG_OK);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 1 0 1 /a\n4096 64\n16 2 0\nab\n"), CG_OK);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n16 2 2\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 1 0 0 /a\n18446744073709551615 2\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 2 0 0 /a\n16 2\n"), CG_ESYNTAX);
	/* Jumps ascend, and may be none. */
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 1 0 /a\n"), CG_OK);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 3 0 /a\n7 1 2\n7 2 2\n"), CG_OK);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 3 0 /a\n7 1 2\n7 1 2\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 3 0 /a\n7 1 2\n6 2 2\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 3 0 /a\n7 1 2\n"), CG_ESYNTAX);
	CHECK_INT(load_text(""), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff sources 1\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n16 3 1\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n16 1 1\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 99999999999 /a\n16 2 1\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n7 0 - 0 0 0 /a\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 9 - 0 0 0 /a\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n0 0 - 0 0 1 /a\n16 2 1\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n-1 0 - 0 0 0 /a\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n18446744073709551615 2 1\nab\n"),
		  CG_ESYNTAX);
	/* Ranges that overlap, and a size that is no number of bytes in memory. */
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 2 /a\n16 2 1\nab\n17 2 1\nab\n"), CG_ESYNTAX);
	CHECK_INT(load_text("irdiff code 2\n1 0 - 0 0 1 /a\n16 18446744073709551615 1\nab\n"),
		  CG_ESYNTAX);
}

/* What another version wrote is as if nothing had been kept. */
static void test_other_versions(void)
{
	static const char *const texts[] = { "irdiff code 1\n1 0 - 1 /a\n16 2\nab\n",
					     "irdiff code 1\n", "irdiff code 22\nx" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct cg_code code = { 0 };
		write_text(texts[i], strlen(texts[i]));
		CHECK_INT(code_file_load(path, &code, NULL), CG_OK);
		CHECK(!code.nobjects && !code.objects && !code.bytes);
	}
}

/* No text that ends early, or has another byte, is more than an error. */
static void test_damaged(void)
{
	static const char whole[] =
		"irdiff code 2\n1 0 ab12 1 3 2 /a\n16 64\n17 16 5\n17 18 6\n16 2 1\nab\n"
		"32 3 0\nc\nd\n2 1 - 0 1 0 /b\n";
	char text[sizeof whole];

	for (size_t end = 0; end < sizeof whole; end++) {
		snprintf(text, sizeof text, "%.*s", (int)end, whole);
		int status = load_text(text);
		CHECK(status == CG_OK || status == CG_ESYNTAX);
	}
	for (size_t at = 0; at < sizeof whole - 1; at++) {
		memcpy(text, whole, sizeof whole);
		text[at] ^= 0x11;
		int status = load_text(text);
		CHECK(status == CG_OK || status == CG_ESYNTAX || status == CG_EIO);
	}
	unlink(path);
	rmdir(directory);
}

TEST_MAIN("code_file", { "a directory of its own", test_begins },
	  { "saved and loaded", test_round_trip }, { "hostile files", test_hostile },
	  { "other versions", test_other_versions }, { "damaged files", test_damaged })
