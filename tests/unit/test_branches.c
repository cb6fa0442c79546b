#include "tests/unit/harness.h"

#include "callgrind/branches.h"

#define BYTES(...) (const unsigned char[]){ __VA_ARGS__ }, sizeof((unsigned char[]){ __VA_ARGS__ })

static struct cg_branch decode(const unsigned char *bytes, size_t len)
{
	struct cg_branch b;

	cg_branch_decode(bytes, len, 0x1000, &b);
	return b;
}

static void check_branch(const unsigned char *bytes, size_t len, enum cg_branch_kind kind,
			 uint64_t target)
{
	struct cg_branch b = decode(bytes, len);

	CHECK_INT(b.kind, kind);
	CHECK_U64(b.target, target);
	CHECK_U64(b.next, 0x1000 + len);
	CHECK(!b.packed && !b.repeated);
}

static void check_kind(const unsigned char *bytes, size_t len, enum cg_branch_kind kind)
{
	struct cg_branch b = decode(bytes, len);

	CHECK_INT(b.kind, kind);
	CHECK_U64(b.next, 0);
	CHECK(!b.packed);
}

static void test_direct(void)
{
	check_branch(BYTES(0x74, 0x05), CG_BRANCH_IF, 0x1007);                         /* je */
	check_branch(BYTES(0x7f, 0xfe), CG_BRANCH_IF, 0x1000);                         /* jg */
	check_branch(BYTES(0x0f, 0x85, 0x00, 0x01, 0, 0), CG_BRANCH_IF, 0x1106);       /* jne */
	check_branch(BYTES(0x0f, 0x8c, 0xfa, 0xff, 0xff, 0xff), CG_BRANCH_IF, 0x1000); /* jl */
	check_branch(BYTES(0xe3, 0x10), CG_BRANCH_IF, 0x1012);                         /* jrcxz */
	check_branch(BYTES(0xeb, 0x80), CG_BRANCH_JUMP, 0xf82);
	check_branch(BYTES(0xe9, 0x10, 0, 0, 0), CG_BRANCH_JUMP, 0x1015);
	check_branch(BYTES(0xe8, 0x10, 0, 0, 0), CG_BRANCH_CALL, 0x1015);
	/* bnd jne, data16 rex.W call */
	check_branch(BYTES(0xf2, 0x75, 0x05), CG_BRANCH_IF, 0x1008);
	check_branch(BYTES(0x66, 0x48, 0xe8, 0, 0, 0, 0), CG_BRANCH_CALL, 0x1007);
}

static void test_others(void)
{
	check_kind(BYTES(0xc3), CG_BRANCH_END);
	check_kind(BYTES(0xf3, 0xc3), CG_BRANCH_END); /* repz ret */
	check_kind(BYTES(0x0f, 0x0b), CG_BRANCH_END); /* ud2 */
	check_kind(BYTES(0xff, 0xe0), CG_BRANCH_INDIRECT);
	check_kind(BYTES(0x3e, 0x41, 0xff, 0xe4), CG_BRANCH_INDIRECT); /* notrack jmp *%r12 */
	check_kind(BYTES(0xff, 0x25, 1, 0, 0, 0), CG_BRANCH_INDIRECT); /* jmp *1(%rip) */
	check_kind(BYTES(0xff, 0x15, 1, 0, 0, 0), CG_BRANCH_CALL);     /* call *1(%rip) */
	check_kind(BYTES(0x48, 0xff, 0xc0), CG_BRANCH_NONE);           /* inc */
	check_kind(BYTES(0xff, 0x75, 0x08), CG_BRANCH_NONE);           /* push */
	check_kind(BYTES(0x48, 0x8b, 0x07), CG_BRANCH_NONE);           /* mov */
	check_kind(BYTES(0x0f, 0xb6, 0x07), CG_BRANCH_NONE);           /* movzbl */
	check_kind(BYTES(0x0f, 0x44, 0xc1), CG_BRANCH_NONE);           /* cmove */
	check_kind(BYTES(0xf3, 0x0f, 0x1e, 0xfa), CG_BRANCH_NONE);     /* endbr64 */
	check_kind((const unsigned char *)"", 0, CG_BRANCH_UNKNOWN);
}

static void test_repeated(void)
{
	CHECK(decode(BYTES(0xf3, 0xa4)).repeated);        /* rep movsb */
	CHECK(decode(BYTES(0xf3, 0x48, 0xab)).repeated);  /* rep stosq */
	CHECK(decode(BYTES(0xf2, 0xae)).repeated);        /* repnz scasb */
	CHECK(!decode(BYTES(0xa4)).repeated);             /* movsb */
	CHECK(!decode(BYTES(0xf3, 0x0f, 0xb8)).repeated); /* popcnt */
}

static void test_packed(void)
{
	CHECK(decode(BYTES(0x66, 0x0f, 0xfe, 0xc1)).packed);             /* paddd */
	CHECK(decode(BYTES(0x0f, 0x58, 0xc1)).packed);                   /* addps */
	CHECK(decode(BYTES(0x0f, 0x10, 0x07)).packed);                   /* movups */
	CHECK(decode(BYTES(0xf3, 0x0f, 0x6f, 0x07)).packed);             /* movdqu */
	CHECK(decode(BYTES(0x66, 0x44, 0x0f, 0x38, 0x40, 0xc1)).packed); /* pmulld */
	CHECK(decode(BYTES(0xc5, 0xf5, 0xfe, 0xc2)).packed);             /* vpaddd */
	CHECK(decode(BYTES(0xc4, 0xe2, 0x75, 0x40, 0xc2)).packed);       /* vpmulld */
	CHECK(decode(BYTES(0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2)).packed);
	/* scalars */
	CHECK(!decode(BYTES(0xf3, 0x0f, 0x58, 0xc1)).packed);       /* addss */
	CHECK(!decode(BYTES(0xf2, 0x0f, 0x10, 0x07)).packed);       /* movsd */
	CHECK(!decode(BYTES(0x66, 0x0f, 0x2f, 0xc1)).packed);       /* comisd */
	CHECK(!decode(BYTES(0x66, 0x0f, 0xef, 0xc0)).packed);       /* pxor, of nothing */
	CHECK(!decode(BYTES(0x0f, 0x28, 0xc1)).packed);             /* movaps of registers */
	CHECK(!decode(BYTES(0xc5, 0xfb, 0x58, 0xc1)).packed);       /* vaddsd */
	CHECK(!decode(BYTES(0xc4, 0xe2, 0xf2, 0xf2, 0xc2)).packed); /* andn */
	CHECK(!decode(BYTES(0x66, 0x0f, 0x3a, 0x0b, 0xc1, 9)).packed);
}

static void test_constant(void)
{
	CHECK(decode(BYTES(0x4c, 0x8d, 0x0d, 1, 0, 0, 0)).constant);  /* lea 1(%rip),%r9 */
	CHECK(!decode(BYTES(0x48, 0x8d, 0x44, 0x24, 8)).constant);    /* lea 8(%rsp),%rax */
	CHECK(!decode(BYTES(0x48, 0x8b, 0x0d, 1, 0, 0, 0)).constant); /* mov 1(%rip),%rcx */
}

/* Whatever the bytes are, no more of them are read than there are. */
static void test_any(void)
{
	unsigned char bytes[15];

	for (unsigned first = 0; first < 256; first++)
		for (unsigned second = 0; second < 256; second++)
			for (size_t len = 1; len <= sizeof bytes; len += 7) {
				memset(bytes, (int)second, sizeof bytes);
				bytes[0] = (unsigned char)first;
				unsigned char *copy = malloc(len);
				REQUIRE(copy != NULL);
				memcpy(copy, bytes, len);
				CHECK(decode(copy, len).kind <= CG_BRANCH_END);
				free(copy);
			}
}

TEST_MAIN("branches", { "jumps and calls to an address", test_direct },
	  { "other instructions", test_others }, { "repeated", test_repeated },
	  { "vectors", test_packed }, { "constants", test_constant }, { "any bytes", test_any })
