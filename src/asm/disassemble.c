#include "src/asm/disassemble.h"

#include <capstone/capstone.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"
#include "src/asm/normalise.h"
#include "src/library/library.h"

#define TEXT_OF(number) #number
#define SONAME(major) "libcapstone.so." TEXT_OF(major)
#define PACKAGE_OF(major) "libcapstone" TEXT_OF(major)

/* Its entry points, as <capstone/capstone.h> declares them. */
struct capstone {
	__typeof__(&cs_open) open;
	__typeof__(&cs_close) close;
	__typeof__(&cs_option) option;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_free) free;
	__typeof__(&cs_disasm_iter) disasm_iter;
	__typeof__(&cs_insn_group) insn_group;
};

struct disassembling {
	struct capstone lib;
	csh handle;
	cs_insn *insn;
	const struct cg_code_object *object;
	struct cg_strings *texts;
	struct asm_code *out;
};

/* ---- the library ---- */

/* Where it is loaded already, this takes microseconds. */
static int load_capstone(struct capstone *lib, struct cg_error *err)
{
	static const struct library_symbol symbols[] = {
		{ "cs_open", offsetof(struct capstone, open) },
		{ "cs_close", offsetof(struct capstone, close) },
		{ "cs_option", offsetof(struct capstone, option) },
		{ "cs_malloc", offsetof(struct capstone, malloc) },
		{ "cs_free", offsetof(struct capstone, free) },
		{ "cs_disasm_iter", offsetof(struct capstone, disasm_iter) },
		{ "cs_insn_group", offsetof(struct capstone, insn_group) },
	};
	return library_load(SONAME(CS_API_MAJOR), PACKAGE_OF(CS_API_MAJOR), symbols,
			    sizeof symbols / sizeof *symbols, lib, err);
}

int asm_ready(struct cg_error *err)
{
	struct capstone lib;
	return load_capstone(&lib, err);
}

const char *asm_package(void)
{
	return PACKAGE_OF(CS_API_MAJOR);
}

/* ---- what is listed ---- */

static int add_asm_text(struct disassembling *d, const char *text, cg_str *id)
{
	return cg_strings_add(d->texts, text, strlen(text), id);
}

static int add_instruction(struct disassembling *d, const struct asm_instruction *i)
{
	if (cg_grow(&d->out->items, &d->out->cap, d->out->count + 1, sizeof *d->out->items))
		return CG_ENOMEM;
	d->out->items[d->out->count++] = *i;
	return CG_OK;
}

/* ---- what is no instruction ---- */

/* Bytes that cannot be decoded. */
static int add_unknown_bytes(struct disassembling *d, uint64_t address, const unsigned char *bytes,
			     size_t size)
{
	struct asm_instruction i = { .address = address, .size = (uint8_t)size, .unknown = true };
	char text[ASM_TEXT];
	int used = snprintf(text, sizeof text, ".byte");

	for (size_t k = 0; k < size; k++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%s0x%02x",
				 k ? ", " : " ", bytes[k]);
	int status = add_asm_text(d, text, &i.text);
	i.exact = i.shape = i.text;
	return status ? status : add_instruction(d, &i);
}

/* ---- instructions ---- */

static bool is_in_group(const struct disassembling *d, unsigned group)
{
	return d->lib.insn_group(d->handle, d->insn, group);
}

static bool is_jump_without_condition(const struct disassembling *d)
{
	if (d->object->machine == CG_MACHINE_X86_64)
		return d->insn->id == X86_INS_JMP || d->insn->id == X86_INS_LJMP;
	/* "b.ne" has a condition as well. */
	return strcmp(d->insn->mnemonic, "b") == 0 || strncmp(d->insn->mnemonic, "br", 2) == 0;
}

/* Not all versions of Capstone put all calls and returns of ARM64 into these groups. */
static enum asm_flow flow_of(const struct disassembling *d)
{
	bool arm64 = d->object->machine == CG_MACHINE_ARM64;
	const char *name = d->insn->mnemonic;

	if (is_in_group(d, CS_GRP_CALL) || (arm64 && strncmp(name, "bl", 2) == 0 && name[2] != '.'))
		return ASM_CALL;
	if (is_in_group(d, CS_GRP_RET) || (arm64 && strncmp(name, "ret", 3) == 0))
		return ASM_RETURN;
	if (is_in_group(d, CS_GRP_JUMP))
		return is_jump_without_condition(d) ? ASM_JUMP : ASM_BRANCH;
	return ASM_PLAIN;
}

/* The last operand, if it is a constant address; else 0. */
static uint64_t constant_operand(const struct disassembling *d)
{
	const cs_detail *detail = d->insn->detail;

	if (d->object->machine == CG_MACHINE_X86_64) {
		const cs_x86 *x = &detail->x86;
		const cs_x86_op *last = x->op_count ? &x->operands[x->op_count - 1] : NULL;
		return last && last->type == X86_OP_IMM ? (uint64_t)last->imm : 0;
	}
	const cs_arm64 *a = &detail->arm64;
	const cs_arm64_op *last = a->op_count ? &a->operands[a->op_count - 1] : NULL;
	return last && last->type == ARM64_OP_IMM ? (uint64_t)last->imm : 0;
}

static bool is_address_of_data(const struct disassembling *d)
{
	return d->object->machine == CG_MACHINE_ARM64 && strncmp(d->insn->mnemonic, "adr", 3) == 0;
}

static bool is_padding(const struct disassembling *d)
{
	const cs_insn *insn = d->insn;

	if (d->object->machine == CG_MACHINE_ARM64)
		return strcmp(insn->mnemonic, "nop") == 0;
	return insn->id == X86_INS_NOP ||
	       (insn->id == X86_INS_XCHG && strcmp(insn->op_str, "ax, ax") == 0);
}

static int add_known_instruction(struct disassembling *d)
{
	const cs_insn *insn = d->insn;
	struct asm_instruction i = {
		.address = insn->address,
		.size = (uint8_t)insn->size,
		.flow = (uint8_t)flow_of(d),
		.vector = asm_is_vector(d->object->machine == CG_MACHINE_X86_64, insn->mnemonic,
					insn->op_str),
		.padding = is_padding(d),
	};
	if (i.flow == ASM_CALL || i.flow == ASM_JUMP || i.flow == ASM_BRANCH)
		i.target = constant_operand(d);
	const struct asm_syntax syntax = { d->object->machine == CG_MACHINE_X86_64,
					   i.target || is_address_of_data(d), d->object->sections,
					   d->object->nsections };
	char text[ASM_TEXT], exact[ASM_TEXT], shape[ASM_TEXT];

	snprintf(text, sizeof text, "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "",
		 insn->op_str);
	asm_without_addresses(&syntax, insn->mnemonic, insn->op_str, exact);
	asm_without_registers(&syntax, exact, shape);
	int status = add_asm_text(d, text, &i.text);
	if (!status)
		status = add_asm_text(d, exact, &i.exact);
	if (!status)
		status = add_asm_text(d, shape, &i.shape);
	return status ? status : add_instruction(d, &i);
}

/* ---- the whole ---- */

/* How many of the bytes are before the next known beginning. */
static size_t bytes_before_next(uint64_t address, size_t size, const uint64_t *starts,
				size_t nstarts, size_t *next)
{
	while (*next < nstarts && starts[*next] <= address)
		++*next;
	return *next < nstarts && starts[*next] - address < size ? (size_t)(starts[*next] - address)
								 : size;
}

static int decode_all(struct disassembling *d, const unsigned char *bytes, size_t size,
		      uint64_t address, const uint64_t *starts, size_t nstarts)
{
	const size_t word = d->object->machine == CG_MACHINE_ARM64 ? 4 : 1;
	size_t next = 0;
	int status = CG_OK;

	while (!status && size) {
		size_t most = bytes_before_next(address, size, starts, nstarts, &next), left = most;
		const uint8_t *code = bytes;
		uint64_t at = address;
		size_t taken = most < word ? most : word;
		if (d->lib.disasm_iter(d->handle, &code, &left, &at, d->insn) && d->insn->size) {
			taken = d->insn->size;
			status = add_known_instruction(d);
		} else {
			status = add_unknown_bytes(d, address, bytes, taken);
		}
		bytes += taken;
		size -= taken;
		address += taken;
	}
	return status;
}

int asm_disassemble(const struct cg_code_object *object, const unsigned char *bytes, size_t size,
		    uint64_t address, const uint64_t *starts, size_t nstarts,
		    struct cg_strings *texts, struct asm_code *out)
{
	struct disassembling d = { .object = object, .texts = texts, .out = out };
	const bool x86 = object->machine == CG_MACHINE_X86_64;

	if (load_capstone(&d.lib, NULL))
		return CG_EIO;
	if (d.lib.open(x86 ? CS_ARCH_X86 : CS_ARCH_ARM64, x86 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN,
		       &d.handle) != CS_ERR_OK)
		return CG_ENOMEM;
	if (d.lib.option(d.handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK)
		d.insn = d.lib.malloc(d.handle);
	int status = d.insn ? decode_all(&d, bytes, size, address, starts, nstarts) : CG_ENOMEM;
	if (d.insn)
		d.lib.free(d.insn, 1);
	d.lib.close(&d.handle);
	return status;
}

void asm_code_free(struct asm_code *code)
{
	free(code->items);
	*code = (struct asm_code){ 0 };
}
