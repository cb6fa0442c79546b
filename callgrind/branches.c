#include "callgrind/branches.h"

#include <string.h>

enum { LONGEST = 15 };

/* An instruction, followed by zeros. */
struct branch_bytes {
	unsigned char at[LONGEST + 16];
	size_t used; /* prefixes */
	unsigned char rep;
};

static bool is_legacy_prefix(unsigned char byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

static void skip_prefixes(struct branch_bytes *b)
{
	for (; b->used < LONGEST && is_legacy_prefix(b->at[b->used]); b->used++)
		if (b->at[b->used] == 0xf2 || b->at[b->used] == 0xf3)
			b->rep = b->at[b->used];
	if ((b->at[b->used] & 0xf0) == 0x40 && b->used < LONGEST)
		b->used++;
}

static int64_t displacement(const unsigned char *at, size_t size)
{
	uint32_t value = 0;

	if (size == 1)
		return (int8_t)at[0];
	for (size_t i = 4; i-- > 0;)
		value = value << 8 | at[i];
	return (int32_t)value;
}

/* A branch whose displacement of `size` bytes follows `opcode` bytes. */
static void set_branch(struct cg_branch *out, const struct branch_bytes *b, uint64_t address,
		       enum cg_branch_kind kind, size_t opcode, size_t size)
{
	size_t at = b->used + opcode;

	out->kind = (uint8_t)kind;
	out->next = address + at + size;
	out->target = out->next + (uint64_t)displacement(b->at + at, size);
}

/* Opcodes after 0F without one of the prefixes F2 and F3 that make them scalar. What moves or
 * negates a scalar too does not count. */
static bool is_packed_map1(unsigned char opcode, unsigned char rep, unsigned char modrm)
{
	bool registers = modrm >= 0xc0;

	switch (opcode) {
	case 0x10:
	case 0x11:
		return !rep;
	case 0x28:
	case 0x29:
		return !registers;
	case 0x12:
	case 0x13:
	case 0x15:
	case 0x16:
	case 0x17:
	case 0xc6:
	case 0x50:
		return true;
	case 0x51:
	case 0x52:
	case 0x53:
	case 0x58:
	case 0x59:
	case 0x5b:
	case 0x5c:
	case 0x5d:
	case 0x5e:
	case 0x5f:
	case 0xc2:
		return !rep;
	case 0x6e:
	case 0x7e:
	case 0xd6:
	case 0xef:
		return false;
	case 0x77:
		return false;
	default:
		return (opcode >= 0x60 && opcode <= 0x76) || opcode == 0x7f || opcode == 0xc4 ||
		       opcode == 0xc5 || opcode >= 0xd0;
	}
}

static bool is_packed_map2(unsigned char opcode)
{
	return opcode < 0xf0;
}

/* 0a and 0b round scalars. */
static bool is_packed_map3(unsigned char opcode)
{
	return opcode != 0x0a && opcode != 0x0b && opcode < 0xf0;
}

static bool is_packed_map(unsigned map, const unsigned char *at, unsigned char rep)
{
	return map == 1   ? is_packed_map1(at[0], rep, at[1])
	       : map == 2 ? is_packed_map2(at[0])
			  : is_packed_map3(at[0]);
}

/* Prefixes of AVX say which map and which of the older prefixes. */
static bool is_packed_vex(const unsigned char *at)
{
	static const unsigned char reps[] = { 0, 0, 0xf3, 0xf2 };

	if (at[0] == 0xc5)
		return is_packed_map(1, at + 2, reps[at[1] & 3]);
	return is_packed_map(at[1] & 0x1f, at + 3, reps[at[2] & 3]);
}

static void decode_0f(struct cg_branch *out, const struct branch_bytes *b, uint64_t address)
{
	const unsigned char *at = b->at + b->used + 1;

	if ((at[0] & 0xf0) == 0x80)
		set_branch(out, b, address, CG_BRANCH_IF, 2, 4);
	else if (at[0] == 0x0b)
		out->kind = CG_BRANCH_END;
	else if (at[0] == 0x38)
		out->packed = is_packed_map2(at[1]);
	else if (at[0] == 0x3a)
		out->packed = is_packed_map3(at[1]);
	else
		out->packed = is_packed_map1(at[0], b->rep, at[1]);
}

static void decode_ff(struct cg_branch *out, unsigned char modrm)
{
	unsigned operation = modrm >> 3 & 7;

	if (operation == 2 || operation == 3)
		out->kind = CG_BRANCH_CALL;
	else if (operation == 4 || operation == 5)
		out->kind = CG_BRANCH_INDIRECT;
}

static void decode_opcode(struct cg_branch *out, const struct branch_bytes *b, uint64_t address)
{
	const unsigned char *at = b->at + b->used;

	switch (at[0]) {
	case 0x0f:
		decode_0f(out, b, address);
		break;
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
		set_branch(out, b, address, CG_BRANCH_IF, 1, 1);
		break;
	case 0xe8:
		set_branch(out, b, address, CG_BRANCH_CALL, 1, 4);
		break;
	case 0xe9:
		set_branch(out, b, address, CG_BRANCH_JUMP, 1, 4);
		break;
	case 0xeb:
		set_branch(out, b, address, CG_BRANCH_JUMP, 1, 1);
		break;
	case 0xc2:
	case 0xc3:
	case 0xcc:
	case 0xf4:
		out->kind = CG_BRANCH_END;
		break;
	case 0xff:
		decode_ff(out, at[1]);
		break;
	case 0xc4:
	case 0xc5:
		out->packed = is_packed_vex(at);
		break;
	case 0x8d: /* lea, relative to the instruction */
		out->constant = (at[1] & 0xc7) == 0x05;
		break;
	case 0x62: /* AVX-512 */
		out->packed = true;
		break;
	default:
		if ((at[0] & 0xf0) == 0x70)
			set_branch(out, b, address, CG_BRANCH_IF, 1, 1);
		out->repeated = b->rep && at[0] >= 0xa4 && at[0] <= 0xaf;
	}
}

void cg_branch_decode(const unsigned char *bytes, size_t len, uint64_t address,
		      struct cg_branch *out)
{
	struct branch_bytes b = { .used = 0 };

	memcpy(b.at, bytes, len < LONGEST ? len : LONGEST);
	*out = (struct cg_branch){ .kind = len ? CG_BRANCH_NONE : CG_BRANCH_UNKNOWN };
	skip_prefixes(&b);
	if (len)
		decode_opcode(out, &b, address);
}
