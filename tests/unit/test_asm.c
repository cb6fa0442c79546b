#include "tests/unit/harness.h"

#include "cgprofile/error.h"
#include "src/asm/disassemble.h"
#include "src/asm/match.h"
#include "src/asm/normalise.h"

enum { MOST_ROWS = 32 };

/* A listing of instructions with these texts, for the matching. */
struct made_listing {
	struct asm_listing listing;
	struct asm_row rows[MOST_ROWS];
};

static cg_str intern(struct cg_strings *texts, const char *text)
{
	cg_str id;

	REQUIRE_INT(cg_strings_add(texts, text, strlen(text), &id), CG_OK);
	return id;
}

/* As if they were decoded: "MNEMONIC OPERANDS", ended by NULL. Padding with operands was not
 * executed. */
static void list(struct made_listing *m, struct cg_strings *texts, const char *const *lines)
{
	const struct asm_syntax syntax = { .is_amd64 = true };
	char exact[ASM_TEXT], shape[ASM_TEXT];

	*m = (struct made_listing){ .listing = { .texts = texts, .rows = m->rows } };
	for (; *lines; lines++) {
		char name[ASM_TEXT];
		size_t len = strcspn(*lines, " ");
		struct asm_row *row = &m->rows[m->listing.nrows++];
		REQUIRE(m->listing.nrows <= MOST_ROWS);
		snprintf(name, sizeof name, "%.*s", (int)len, *lines);
		asm_without_addresses(&syntax, name, *lines + len + ((*lines)[len] == ' '), exact);
		asm_without_registers(&syntax, exact, shape);
		row->instruction.text = intern(texts, *lines);
		row->instruction.exact = intern(texts, exact);
		row->instruction.shape = intern(texts, shape);
		row->instruction.padding = strcmp(exact, "nop") == 0;
		row->executed = strcmp(*lines, "nop") == 0;
	}
}

/* The next row that is listed; NULL: there is none. */
static const struct asm_row *next_listed(const struct made_listing *m, size_t *at)
{
	while (*at < m->listing.nrows) {
		const struct asm_row *row = &m->rows[(*at)++];
		if (row->executed || !row->instruction.padding)
			return row;
	}
	return NULL;
}

/* One character per pair: '=' equal, '~' but for registers, '-' only in base, '+' only in head. */
static void check_match(const char *const *base, const char *const *head, const char *expected)
{
	static struct made_listing b, h;
	struct cg_strings texts = { 0 };
	struct asm_pairs pairs;
	char found[2 * MOST_ROWS + 1] = "";
	size_t next[] = { 0, 0 };

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	list(&b, &texts, base);
	list(&h, &texts, head);
	REQUIRE_INT(asm_match(&b.listing, &h.listing, &pairs), CG_OK);
	for (size_t i = 0; i < pairs.count; i++) {
		const struct asm_pair *p = &pairs.items[i];
		found[i] = !p->row[ASM_HEAD]   ? '-'
			   : !p->row[ASM_BASE] ? '+'
			   : p->renamed        ? '~'
					       : '=';
		if (p->row[ASM_BASE])
			CHECK(p->row[ASM_BASE] == next_listed(&b, &next[ASM_BASE]));
		if (p->row[ASM_HEAD])
			CHECK(p->row[ASM_HEAD] == next_listed(&h, &next[ASM_HEAD]));
	}
	CHECK(!next_listed(&b, &next[ASM_BASE]));
	CHECK(!next_listed(&h, &next[ASM_HEAD]));
	CHECK_STR(found, expected);
	free(pairs.items);
	cg_strings_free(&texts);
}

#define LINES(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

static void test_equal(void)
{
	check_match(LINES("push rbp", "ret"), LINES("push rbp", "ret"), "==");
	check_match(LINES("mov eax, dword ptr [rip + 0x10]", "ret"),
		    LINES("mov eax, dword ptr [rip + 0x2040]", "ret"), "==");
}

static void test_other_registers(void)
{
	check_match(LINES("mov rax, qword ptr [rdi + 8]", "add rax, rbx", "ret"),
		    LINES("mov rcx, qword ptr [rsi + 8]", "add rcx, r12", "ret"), "~~=");
	check_match(LINES("mov eax, 1"), LINES("mov rax, 1"), "-+");
	check_match(LINES("add eax, 1"), LINES("add eax, 2"), "-+");
}

static void test_places_on_the_stack(void)
{
	check_match(LINES("mov dword ptr [rsp + 0x10], eax"),
		    LINES("mov dword ptr [rsp + 0x48], ecx"), "~");
	check_match(LINES("mov dword ptr [rax + 0x10], eax"),
		    LINES("mov dword ptr [rax + 0x48], eax"), "-+");
}

/* Between equal instructions those that are alike are matched, in order. */
static void test_lost_vectors(void)
{
	check_match(LINES("xor eax, eax", "movups xmm0, xmmword ptr [rdi + rax]",
			  "addps xmm0, xmm1", "add rax, 0x10", "cmp rax, rdx", "ret"),
		    LINES("xor eax, eax", "movss xmm0, dword ptr [rdi + rax]", "addss xmm0, xmm1",
			  "add rax, 4", "cmp rax, rcx", "ret"),
		    "=---+++~=");
}

static void test_padding(void)
{
	check_match(LINES("nop", "ret"), LINES("nop", "ret"), "==");
	check_match(LINES("nop word ptr [rax]", "ret"), LINES("ret", "nop dword ptr [rax]"), "=");
	check_match(LINES("push rbp", "nop", "ret"), LINES("push rbp", "ret"), "=-=");
	/* It tears nothing apart, executed or not. */
	check_match(LINES("xor eax, eax", "mulps xmm0, xmm1", "nop", "addps xmm0, xmm2", "ret"),
		    LINES("xor eax, eax", "mulss xmm0, xmm1", "nop", "addss xmm0, xmm2", "ret"),
		    "=---+++=");
	check_match(LINES("xor eax, eax", "mulps xmm0, xmm1", "nop dword ptr [rax]",
			  "addps xmm0, xmm2", "ret"),
		    LINES("xor eax, eax", "mulss xmm0, xmm1", "nop word ptr [rax]",
			  "addss xmm0, xmm2", "ret"),
		    "=--++=");
}

/* A lone one that is alike by chance is no match among rows of both sides; what is equal is. */
static void test_lone(void)
{
	check_match(LINES("ret", "mulps xmm0, xmm1", "mov rax, rdi", "addps xmm0, xmm2", "ret"),
		    LINES("ret", "mulss xmm0, xmm1", "mov rbx, rdx", "addss xmm0, xmm2", "ret"),
		    "=---+++=");
	check_match(LINES("ret", "mulps xmm0, xmm1", "mov rax, rdi", "addps xmm0, xmm2", "ret"),
		    LINES("ret", "mulss xmm0, xmm1", "mov rax, rdi", "addss xmm0, xmm2", "ret"),
		    "=-+=-+=");
	check_match(LINES("ret", "mov rax, rdi", "ret"),
		    LINES("ret", "mulss xmm0, xmm1", "mov rbx, rdx", "addss xmm0, xmm2", "ret"),
		    "=+~+=");
}

/* ---- the law of exchanged sides ---- */

/* partner[i]: which row of head row i of base is, and whether it is renamed; MOST_ROWS: none. */
struct partners {
	size_t of[MOST_ROWS];
	bool renamed[MOST_ROWS];
};

/* Texts are those of `first` first, as in a report. */
static void find_partners(const char *const *first, const char *const *second, bool exchanged,
			  struct partners *out)
{
	static struct made_listing made[ASM_SIDES];
	const int base = exchanged ? ASM_HEAD : ASM_BASE, head = exchanged ? ASM_BASE : ASM_HEAD;
	struct cg_strings texts = { 0 };
	struct asm_pairs pairs;

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	list(&made[ASM_BASE], &texts, first);
	list(&made[ASM_HEAD], &texts, second);
	REQUIRE_INT(asm_match(&made[ASM_BASE].listing, &made[ASM_HEAD].listing, &pairs), CG_OK);
	for (size_t i = 0; i < MOST_ROWS; i++)
		out->of[i] = MOST_ROWS;
	for (size_t i = 0; i < pairs.count; i++) {
		const struct asm_pair *p = &pairs.items[i];
		if (!p->row[base] || !p->row[head])
			continue;
		size_t at = (size_t)(p->row[base] - made[base].rows);
		out->of[at] = (size_t)(p->row[head] - made[head].rows);
		out->renamed[at] = p->renamed;
	}
	free(pairs.items);
	cg_strings_free(&texts);
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

/* Of few kinds, so that many matchings are as good. */
static void random_lines(uint64_t *state, const char **lines)
{
	static const char *const kinds[] = { "mov rax, rdi", "mov rbx, rdx",      "mov eax, 1",
					     "add rax, rbx", "add rcx, rdx",      "push rbp",
					     "ret",          "nop dword ptr [r]", "nop" };
	size_t count = next_random(state) % 12;

	for (size_t i = 0; i < count; i++)
		lines[i] = kinds[next_random(state) % (sizeof kinds / sizeof *kinds)];
	lines[count] = NULL;
}

static void test_exchange(void)
{
	const char *base[MOST_ROWS], *head[MOST_ROWS];
	uint64_t state = 1;

	for (int run = 0; run < 3000; run++) {
		struct partners there = { 0 }, back = { 0 };
		random_lines(&state, base);
		random_lines(&state, head);
		find_partners(base, head, false, &there);
		find_partners(head, base, true, &back);
		if (memcmp(&there, &back, sizeof there) == 0)
			continue;
		test_report(false, false, __FILE__, __LINE__, "run %d: exchanged sides differ",
			    run);
	}
}

/* ---- texts ---- */

static void check_texts(bool is_amd64, bool has_target, const char *mnemonic, const char *operands,
			const char *expected_exact, const char *expected_shape)
{
	const struct asm_syntax syntax = { .is_amd64 = is_amd64, .has_target = has_target };
	char exact[ASM_TEXT], shape[ASM_TEXT];

	asm_without_addresses(&syntax, mnemonic, operands, exact);
	asm_without_registers(&syntax, exact, shape);
	CHECK_STR(exact, expected_exact);
	CHECK_STR(shape, expected_shape);
}

static void test_amd64_texts(void)
{
	check_texts(true, true, "jne", "0x401136", "jne ADDRESS", "jne ADDRESS");
	check_texts(true, false, "lea", "rax, [rip - 0x2f]", "lea rax, [rip - ADDRESS]",
		    "lea r64, [rip - ADDRESS]");
	check_texts(true, false, "mov", "byte ptr [rbx + r8 + 0xa], sil",
		    "mov byte ptr [rbx + r8 + 0xa], sil", "mov byte ptr [r64 + r64 + 0xa], r8");
	check_texts(true, false, "mov", "eax, dword ptr [rsp + rcx*4 + 8]",
		    "mov eax, dword ptr [rsp + rcx*4 + 8]",
		    "mov r32, dword ptr [STACK + r64*4 + 8]");
	check_texts(true, false, "lea", "rsp, [rbp - 0x28]", "lea rsp, [rbp - 0x28]",
		    "lea rsp, [STACK]");
	check_texts(true, false, "nop", "word ptr cs:[rax + rax]", "nop", "nop");
	check_texts(true, false, "vaddps", "ymm0, ymm11, ymmword ptr [rax]",
		    "vaddps ymm0, ymm11, ymmword ptr [rax]", "vaddps ymm, ymm, ymmword ptr [r64]");
	check_texts(true, false, "ret", "", "ret", "ret");
}

static void test_arm64_texts(void)
{
	check_texts(false, true, "b.ne", "#0x7f8", "b.ne ADDRESS", "b.ne ADDRESS");
	check_texts(false, true, "cbz", "w3, #0x7f8", "cbz w3, ADDRESS", "cbz w, ADDRESS");
	check_texts(false, true, "tbz", "w3, #5, #0x7f8", "tbz w3, #5, ADDRESS",
		    "tbz w, #5, ADDRESS");
	check_texts(false, false, "ldr", "q0, [x1], #0x10", "ldr q0, [x1], #0x10",
		    "ldr q, [x], #0x10");
	check_texts(false, false, "str", "x19, [sp, #0x28]", "str x19, [sp, #0x28]",
		    "str x, [STACK]");
	check_texts(false, false, "fadd", "v0.4s, v0.4s, v11.4s", "fadd v0.4s, v0.4s, v11.4s",
		    "fadd v.4s, v.4s, v.4s");
	check_texts(false, false, "mov", "w0, wzr", "mov w0, wzr", "mov w, wzr");
}

static void check_fixed(const char *mnemonic, const char *operands, const char *expected)
{
	static const struct cg_code_section sections[] = { { 0x401000, 0x200 },
							   { 0x404000, 0x80 } };
	const struct asm_syntax syntax = { .is_amd64 = true, .sections = sections, .nsections = 2 };
	char exact[ASM_TEXT];

	asm_without_addresses(&syntax, mnemonic, operands, exact);
	CHECK_STR(exact, expected);
}

/* Only what is in a section, and where an address may be. */
static void test_fixed_addresses(void)
{
	check_fixed("mov", "edi, 0x404040", "mov edi, ADDRESS");
	check_fixed("mov", "edi, 0x40407f", "mov edi, ADDRESS");
	check_fixed("mov", "edi, 0x404080", "mov edi, 0x404080");
	check_fixed("mov", "edi, 0x403fff", "mov edi, 0x403fff");
	check_fixed("mov", "eax, -1", "mov eax, -1");
	check_fixed("and", "edi, 0x404040", "and edi, 0x404040");
	check_fixed("imul", "eax, edi, 0x404040", "imul eax, edi, 0x404040");
	check_fixed("and", "dword ptr [0x404044], 0x404040", "and dword ptr [ADDRESS], 0x404040");
	check_fixed("mov", "qword ptr [0x404040], 0x401010", "mov qword ptr [ADDRESS], ADDRESS");
	check_fixed("mov", "rax, qword ptr [rdi*8 + 0x404010]",
		    "mov rax, qword ptr [rdi*8 + ADDRESS]");
	check_fixed("mov", "dword ptr [rip + 0x2ee0], 0x404040",
		    "mov dword ptr [rip + ADDRESS], ADDRESS");
	check_fixed("movabs", "rax, 0x7fffffffffffffff", "movabs rax, 0x7fffffffffffffff");
}

/* Operands as long as a text, and longer. */
static void test_long_texts(void)
{
	char operands[2 * ASM_TEXT], exact[ASM_TEXT], shape[ASM_TEXT];
	const struct asm_syntax syntax = { .is_amd64 = true, .has_target = true };

	memset(operands, 'r', sizeof operands - 1);
	operands[sizeof operands - 1] = '\0';
	asm_without_addresses(&syntax, "mov", operands, exact);
	CHECK_U64(strlen(exact), ASM_TEXT - 1);
	asm_without_registers(&syntax, exact, shape);
	CHECK_U64(strlen(shape), ASM_TEXT - 1);
}

static void test_vectors(void)
{
	CHECK(asm_is_vector(true, "addps", "xmm0, xmm1"));
	CHECK(asm_is_vector(true, "paddd", "xmm0, xmm1"));
	CHECK(asm_is_vector(true, "vpminsd", "xmm0, xmm1, xmm2"));
	CHECK(asm_is_vector(true, "movdqu", "xmm0, xmmword ptr [rdi]"));
	CHECK(asm_is_vector(true, "vmovups", "ymm0, ymmword ptr [rdi]"));
	CHECK(asm_is_vector(true, "cvtdq2ps", "xmm0, xmm0"));
	CHECK(!asm_is_vector(true, "addss", "xmm0, xmm1"));
	CHECK(!asm_is_vector(true, "vfmadd231sd", "xmm0, xmm1, xmm2"));
	CHECK(!asm_is_vector(true, "movd", "xmm0, eax"));
	CHECK(!asm_is_vector(true, "cvttss2si", "eax, xmm0"));
	CHECK(!asm_is_vector(true, "cvtsi2sd", "xmm0, eax"));
	CHECK(!asm_is_vector(true, "pxor", "xmm0, xmm0"));
	CHECK(!asm_is_vector(true, "vxorps", "xmm0, xmm0, xmm0"));
	CHECK(asm_is_vector(true, "pxor", "xmm0, xmm10"));
	CHECK(!asm_is_vector(true, "add", "eax, ebx"));
	CHECK(asm_is_vector(false, "fadd", "v0.4s, v0.4s, v1.4s"));
	CHECK(asm_is_vector(false, "ldr", "q0, [x0]"));
	CHECK(asm_is_vector(false, "add", "z0.s, z0.s, z1.s"));
	CHECK(!asm_is_vector(false, "fadd", "s0, s0, s1"));
	CHECK(!asm_is_vector(false, "mov", "w0, v0.s[1]"));
}

/* ---- decoding ---- */

static const char *text_of(const struct cg_strings *texts, const struct asm_code *code, size_t i)
{
	return i < code->count ? cg_strings_get(texts, code->items[i].text) : "(none)";
}

static void test_decode_amd64(void)
{
	/* push rbp; mov eax, [rip+0x10]; jne -6; call +0x100; (truncated) mov */
	static const unsigned char bytes[] = { 0x55, 0x8b, 0x05, 0x10, 0x00, 0x00, 0x00, 0x75,
					       0xf8, 0xe8, 0x00, 0x01, 0x00, 0x00, 0x48, 0x8b };
	const struct cg_code_object object = { .machine = CG_MACHINE_X86_64 };
	struct cg_strings texts = { 0 };
	struct asm_code code = { 0 };

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	REQUIRE_INT(asm_disassemble(&object, bytes, sizeof bytes, 0x1000, NULL, 0, &texts, &code),
		    CG_OK);
	CHECK_U64(code.count, 6);
	CHECK_STR(text_of(&texts, &code, 0), "push rbp");
	CHECK_STR(text_of(&texts, &code, 1), "mov eax, dword ptr [rip + 0x10]");
	CHECK_INT(code.items[2].flow, ASM_BRANCH);
	CHECK_U64(code.items[2].target, 0x1001);
	CHECK_INT(code.items[3].flow, ASM_CALL);
	CHECK_U64(code.items[3].target, 0x110e);
	CHECK(code.items[4].unknown);
	CHECK_STR(text_of(&texts, &code, 5), ".byte 0x8b");
	asm_code_free(&code);

	/* Something begins in the middle of what looks like an instruction. */
	const uint64_t starts[] = { 0x1000, 0x1003 };
	REQUIRE_INT(asm_disassemble(&object, bytes, sizeof bytes, 0x1000, starts, 2, &texts, &code),
		    CG_OK);
	bool found = false;
	for (size_t i = 0; i < code.count; i++)
		found |= code.items[i].address == 0x1003;
	CHECK(found);
	asm_code_free(&code);
	cg_strings_free(&texts);
}

static void test_decode_arm64(void)
{
	/* ldr q0, [x0]; fadd v0.4s, v0.4s, v1.4s; b.ne -8; bl +0x40; ret; then no instructions */
	static const unsigned char bytes[] = { 0x00, 0x00, 0xc0, 0x3d, 0x00, 0xd4, 0x21, 0x4e, 0xc1,
					       0xff, 0xff, 0x54, 0x10, 0x00, 0x00, 0x94, 0xc0, 0x03,
					       0x5f, 0xd6, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00 };
	const struct cg_code_object object = { .machine = CG_MACHINE_ARM64 };
	static const uint8_t flows[] = { ASM_PLAIN, ASM_PLAIN, ASM_BRANCH, ASM_CALL, ASM_RETURN };
	struct cg_strings texts = { 0 };
	struct asm_code code = { 0 };

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	REQUIRE_INT(asm_disassemble(&object, bytes, sizeof bytes, 0x1000, NULL, 0, &texts, &code),
		    CG_OK);
	REQUIRE(code.count == 7);
	for (size_t i = 0; i < sizeof flows; i++)
		CHECK_INT(code.items[i].flow, flows[i]);
	CHECK_STR(text_of(&texts, &code, 1), "fadd v0.4s, v0.4s, v1.4s");
	CHECK(code.items[0].vector && code.items[1].vector);
	CHECK_U64(code.items[2].target, 0x1000);
	CHECK_U64(code.items[3].target, 0x104c);
	CHECK(code.items[5].unknown && code.items[6].unknown);
	CHECK_INT(code.items[6].size, 2);
	asm_code_free(&code);
	cg_strings_free(&texts);
}

/* What GNU as and LLVM align with: nop, xchg ax, ax, and long forms with and without prefixes. */
static void test_decode_padding(void)
{
	static const unsigned char amd64[] = { 0x90, 0x66, 0x90, 0x0f, 0x1f, 0x40, 0x00,
					       0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00,
					       0x00, 0x00, 0x00, 0x00, 0x87, 0xdb, 0xc3 };
	static const unsigned char arm64[] = { 0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6 };
	const struct cg_code_object on_amd64 = { .machine = CG_MACHINE_X86_64 };
	const struct cg_code_object on_arm64 = { .machine = CG_MACHINE_ARM64 };
	struct cg_strings texts = { 0 };
	struct asm_code code = { 0 };

	REQUIRE_INT(cg_strings_init(&texts), CG_OK);
	REQUIRE_INT(asm_disassemble(&on_amd64, amd64, sizeof amd64, 0, NULL, 0, &texts, &code),
		    CG_OK);
	REQUIRE(code.count == 6); /* the last two: xchg ebx, ebx and ret */
	for (size_t i = 0; i < code.count; i++)
		CHECK_INT(code.items[i].padding, i < 4);
	asm_code_free(&code);
	REQUIRE_INT(asm_disassemble(&on_arm64, arm64, sizeof arm64, 0, NULL, 0, &texts, &code),
		    CG_OK);
	REQUIRE(code.count == 2);
	CHECK(code.items[0].padding && !code.items[1].padding);
	asm_code_free(&code);
	cg_strings_free(&texts);
}

TEST_MAIN("asm", { "equal instructions but for addresses", test_equal },
	  { "other registers", test_other_registers },
	  { "places on the stack", test_places_on_the_stack },
	  { "what replaces vectors", test_lost_vectors }, { "padding", test_padding },
	  { "what is alike by chance", test_lone }, { "exchanged sides", test_exchange },
	  { "decoding padding", test_decode_padding }, { "texts of x86-64", test_amd64_texts },
	  { "fixed addresses", test_fixed_addresses }, { "texts of ARM64", test_arm64_texts },
	  { "texts that are too long", test_long_texts }, { "vector instructions", test_vectors },
	  { "decoding x86-64", test_decode_amd64 }, { "decoding ARM64", test_decode_arm64 })
