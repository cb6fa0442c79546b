#include "tests/unit/harness.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/machine_code.h"
#include "cgprofile/error.h"
#include "cgprofile/reader.h"
#include "src/asm/listing.h"

#define ALL SIZE_MAX

static char path[] = "/tmp/irdiff-machine-code-XXXXXX";

static void test_begins(void)
{
	int fd = mkstemp(path);
	REQUIRE(fd >= 0 && close(fd) == 0);
}

static char *own_bytes(size_t *size)
{
	FILE *f = fopen("/proc/self/exe", "rb");
	struct stat st;

	REQUIRE(f && fstat(fileno(f), &st) == 0);
	char *bytes = malloc((size_t)st.st_size);
	REQUIRE(bytes && fread(bytes, 1, (size_t)st.st_size, f) == (size_t)st.st_size);
	fclose(f);
	*size = (size_t)st.st_size;
	return bytes;
}

static void write_object(const char *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	REQUIRE(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

/* Of the object at `path`, at one address. */
static enum cg_code_state state_at(uint64_t address, struct cg_code *code)
{
	REQUIRE_INT(cg_code_read(code, path, &address, 1, ALL), CG_OK);
	return code->objects[code->nobjects - 1].state;
}

static uint64_t entry_point(const char *bytes)
{
	return ((const Elf64_Ehdr *)bytes)->e_entry;
}

static void test_reads_code(void)
{
	struct cg_code code = { 0 };
	size_t size, left;
	char *bytes = own_bytes(&size);
	uint64_t entry = entry_point(bytes);

	write_object(bytes, size);
	CHECK_INT(state_at(entry, &code), CG_CODE_FOUND);
	const struct cg_code_object *object = cg_code_find(&code, path);
	REQUIRE(object != NULL);
	CHECK(object->build_id == NULL || strlen(object->build_id) >= 16);
	const unsigned char *found = cg_code_at(&code, object, entry, &left);
	REQUIRE(found && left >= 4);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
	const Elf64_Phdr *load = (const Elf64_Phdr *)(bytes + header->e_phoff);
	while (load->p_type != PT_LOAD || entry < load->p_vaddr ||
	       entry - load->p_vaddr >= load->p_filesz)
		load++;
	CHECK(memcmp(found, bytes + load->p_offset + (entry - load->p_vaddr), 4) == 0);
	CHECK(!cg_code_at(&code, object, entry + left, &left) ||
	      object->nranges > 1); /* the range ends */
	cg_code_free(&code);
	free(bytes);
}

static void test_addresses_outside(void)
{
	static const uint64_t outside[] = { 1ULL << 40, UINT64_MAX, UINT64_MAX - 8 };
	size_t size;
	char *bytes = own_bytes(&size);

	write_object(bytes, size);
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		struct cg_code code = { 0 };
		CHECK_INT(state_at(outside[i], &code), CG_CODE_OUTSIDE);
		CHECK_U64(code.nbytes, 0);
		cg_code_free(&code);
	}
	free(bytes);
}

static void test_no_objects(void)
{
	struct cg_code code = { 0 };
	size_t size;
	char *bytes = own_bytes(&size);

	REQUIRE(unlink(path) == 0);
	CHECK_INT(state_at(0x1000, &code), CG_CODE_MISSING);
	write_object("garbage", 7);
	CHECK_INT(state_at(0x1000, &code), CG_CODE_STRANGE);
	write_object("", 0);
	CHECK_INT(state_at(0x1000, &code), CG_CODE_STRANGE);
	((Elf64_Ehdr *)bytes)->e_machine = EM_RISCV;
	write_object(bytes, size);
	CHECK_INT(state_at(0x1000, &code), CG_CODE_STRANGE);
	cg_code_free(&code);
	free(bytes);
}

/* Wherever a file ends, what is read of it is what it has. */
static void test_truncated_objects(void)
{
	size_t size;
	char *bytes = own_bytes(&size);
	uint64_t entry = entry_point(bytes);

	for (size_t end = 1; end < size; end += size / 200 + 1) {
		struct cg_code code = { 0 };
		size_t left;
		write_object(bytes, end);
		state_at(entry, &code);
		const unsigned char *found = cg_code_at(&code, &code.objects[0], entry, &left);
		CHECK(!found || memmem(bytes, end, found, left) != NULL);
		cg_code_free(&code);
	}
	free(bytes);
}

/* Each byte of the headers, one after the other. */
static void test_damaged_objects(void)
{
	enum { HEADERS = 1024 };
	size_t size;
	char *bytes = own_bytes(&size);
	uint64_t entry = entry_point(bytes);

	for (size_t at = 4; at < HEADERS && at < size; at += 3) {
		struct cg_code code = { 0 };
		char before = bytes[at];
		bytes[at] = (char)(before ^ 0xff);
		write_object(bytes, size);
		state_at(entry, &code);
		CHECK_U64(code.nobjects, 1);
		bytes[at] = before;
		cg_code_free(&code);
	}
	free(bytes);
}

static void test_no_room(void)
{
	struct cg_code code = { 0 };
	size_t size;
	char *bytes = own_bytes(&size);
	uint64_t entry = entry_point(bytes);

	write_object(bytes, size);
	REQUIRE_INT(cg_code_read(&code, path, &entry, 1, 1), CG_OK);
	CHECK_INT(code.objects[0].state, CG_CODE_LARGE);
	CHECK_U64(code.nbytes, 0);
	CHECK_U64(code.objects[0].nranges, 0);
	cg_code_free(&code);
	free(bytes);
	unlink(path);
}

/* ---- listings ---- */

/* f has two parts, and g lies behind the first; something is inlined into f. */
static const char profile_text[] = "positions: instr line\n"
				   "events: Ir Dr\n\n"
				   "ob=(1) /bin/x\nfl=(1) x.c\nfn=(1) f\n"
				   "0x1000 10 5 1\n"
				   "0x1001 11 7 0\n"
				   "0x2000 12 1 0\n"
				   "cfn=(2) g\ncalls=3 0x1004 0\n0x1001 11 30 0\n\n"
				   "fn=(2)\n"
				   "0x1004 20 2 0\n";

static void add_code(struct cg_code *code)
{
	/* push rbp; ret; nop; nop | push rbp; addps xmm0, xmm1 */
	static const unsigned char near[] = { 0x55, 0xc3, 0x90, 0x90, 0x55, 0x0f, 0x58, 0xc1 };

	REQUIRE_INT(cg_code_add_object(code, "/bin/x", "abcd", CG_MACHINE_X86_64, CG_CODE_FOUND),
		    CG_OK);
	REQUIRE_INT(cg_code_add_range(code, 0x1000, near, sizeof near, true), CG_OK);
}

static void check_function(const struct cg_profile *p, const struct cg_code *code, const char *name,
			   const char *expected, size_t nmissing)
{
	struct cg_strings texts = { 0 };
	struct asm_places *places = NULL;
	struct asm_listing *l = NULL;
	uint32_t functions[8];
	size_t nfunctions = 0;
	char found[400] = "";
	size_t used = 0;
	int64_t sum[2] = { 0 };

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (strcmp(cg_string(p, p->functions[f].name), name) == 0)
			functions[nfunctions++] = f;
	REQUIRE_INT(asm_places_make(p, &places), CG_OK);
	REQUIRE_INT(asm_listing_make(places, code, functions, nfunctions, &texts, &l), CG_OK);
	asm_places_free(places);
	for (size_t i = 0; i < l->nrows; i++) {
		const struct asm_row *r = &l->rows[i];
		used += (size_t)snprintf(found + used, sizeof found - used,
					 "%s%" PRIx64 " %s %" PRId64 " calls %zu\n",
					 r->gap ? "...\n" : "", r->instruction.address,
					 cg_strings_get(&texts, r->instruction.text),
					 r->self ? r->self[0] : -1, r->ncalls);
		for (int e = 0; r->self && e < 2; e++)
			sum[e] += r->self[e];
	}
	CHECK_STR(found, expected);
	CHECK_INT(l->self[0], sum[0]);
	CHECK_INT(l->self[1], sum[1]);
	CHECK_U64(l->nmissing, nmissing);
	asm_listing_free(l);
	cg_strings_free(&texts);
}

static void test_listing(void)
{
	const struct cg_read_options options = { .detail = { .addresses = true } };
	struct cg_code code = { 0 }, none = { 0 };
	struct cg_profile *p = NULL;

	REQUIRE_INT(cg_read_memory(profile_text, strlen(profile_text), "text", &options, &p, NULL),
		    CG_OK);
	add_code(&code);
	check_function(p, &code, "f",
		       "1000 push rbp 5 calls 0\n1001 ret 7 calls 1\n1002 nop -1 calls 0\n"
		       "1003 nop -1 calls 0\n...\n2000  1 calls 0\n",
		       1);
	check_function(p, &code, "g", "1004 push rbp 2 calls 0\n1005 addps xmm0, xmm1 -1 calls 0\n",
		       0);
	check_function(p, &none, "f", "1000  5 calls 0\n1001  7 calls 1\n2000  1 calls 0\n", 1);
	cg_code_free(&code);
	cg_profile_free(p);
}

static void test_listing_needs_addresses(void)
{
	const struct cg_read_options options = { .detail = { .lines = true } };
	struct asm_places *places = NULL;
	struct cg_profile *p = NULL;

	REQUIRE_INT(cg_read_memory(profile_text, strlen(profile_text), "text", &options, &p, NULL),
		    CG_OK);
	CHECK_INT(asm_places_make(p, &places), CG_EINVAL);
	CHECK(places == NULL);
	cg_profile_free(p);
}

TEST_MAIN("machine_code", { "a file of its own", test_begins },
	  { "the code of an object", test_reads_code },
	  { "addresses outside of an object", test_addresses_outside },
	  { "what is no object", test_no_objects }, { "truncated objects", test_truncated_objects },
	  { "damaged headers", test_damaged_objects }, { "code that is too large", test_no_room },
	  { "a listing", test_listing },
	  { "a profile without addresses", test_listing_needs_addresses })
