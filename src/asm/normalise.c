#include "src/asm/normalise.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

struct asm_writer {
	char *out;
	size_t used;
};

static void asm_put(struct asm_writer *w, const char *text, size_t len)
{
	size_t room = ASM_TEXT - 1 - w->used;

	len = len < room ? len : room;
	memcpy(w->out + w->used, text, len);
	w->used += len;
	w->out[w->used] = '\0';
}

static void asm_put_text(struct asm_writer *w, const char *text)
{
	asm_put(w, text, strlen(text));
}

/* ---- addresses ---- */

#define ADDRESS "ADDRESS"

/* The length of the constant that a text begins with: "0x1f", "#-8", "12"; else 0. */
static size_t constant_length(const char *text)
{
	size_t at = text[0] == '#';

	at += text[at] == '-';
	if (!isdigit((unsigned char)text[at]))
		return 0;
	while (isxdigit((unsigned char)text[at]) || text[at] == 'x')
		at++;
	return at;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_one_of_words(const char *word, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && memcmp(*words, word, len) == 0)
			return true;
	return false;
}

/* The last constant of the operands that is not part of a word; NULL: none. */
static const char *last_constant(const char *operands)
{
	const char *last = NULL;

	for (const char *at = operands; *at; at++) {
		bool inside = at > operands && (is_word(at[-1]) || at[-1] == '#' || at[-1] == '-');
		size_t len = inside ? 0 : constant_length(at);
		if (!len)
			continue;
		last = at;
		at += len - 1;
	}
	return last;
}

/* The constant after "rip + " or "rip - "; NULL: none. */
static const char *offset_of_rip(const char *operands)
{
	const char *rip = strstr(operands, "[rip ");
	return rip && (rip[5] == '+' || rip[5] == '-') && rip[6] == ' ' ? rip + 7 : NULL;
}

static bool is_no_operation(const char *mnemonic)
{
	return strcmp(mnemonic, "nop") == 0;
}

static bool is_in_sections(const struct asm_syntax *syntax, const char *constant)
{
	uint64_t value = strtoull(constant, NULL, 0);

	for (size_t i = 0; i < syntax->nsections; i++)
		if (value >= syntax->sections[i].address &&
		    value - syntax->sections[i].address < syntax->sections[i].size)
			return true;
	return false;
}

/* Where a constant operand may be an address: masks and factors never are. */
static bool takes_address(const char *mnemonic)
{
	static const char *const words[] = { "mov", "movabs", "cmp", "push", "add", "sub", NULL };

	return is_one_of_words(mnemonic, strlen(mnemonic), words);
}

/* The constant of the operands, from `at` on, that is an address; NULL: none. */
static const char *next_address(const struct asm_syntax *syntax, const char *mnemonic,
				const char *operands, const char *at)
{
	if (syntax->has_target) {
		const char *last = last_constant(operands);
		return last && last >= at ? last : NULL;
	}
	if (!syntax->is_amd64)
		return NULL;
	const char *offset = offset_of_rip(operands);
	for (; *at; at++) {
		bool inside = at > operands && is_word(at[-1]);
		bool in_brackets = strcspn(at, "[]") != strcspn(at, "[");
		size_t len = inside ? 0 : constant_length(at);
		if (len && (at == offset || ((in_brackets || takes_address(mnemonic)) &&
					     is_in_sections(syntax, at))))
			return at;
		at += len ? len - 1 : 0;
	}
	return NULL;
}

void asm_without_addresses(const struct asm_syntax *syntax, const char *mnemonic,
			   const char *operands, char out[static ASM_TEXT])
{
	struct asm_writer w = { out, 0 };
	const char *at = operands, *address;

	asm_put_text(&w, mnemonic);
	if (!*operands || is_no_operation(mnemonic)) /* which has operands to be long */
		return;
	asm_put_text(&w, " ");
	while ((address = next_address(syntax, mnemonic, operands, at))) {
		asm_put(&w, at, (size_t)(address - at));
		asm_put_text(&w, ADDRESS);
		at = address + constant_length(address);
	}
	asm_put_text(&w, at);
}

/* ---- registers ---- */

/* What registers that begin so, and go on with a number, have in common. */
struct register_kind {
	const char *prefix, *suffix, *kind;
};

static bool is_numbered(const char *word, size_t len, const struct register_kind *k)
{
	size_t before = strlen(k->prefix), after = strlen(k->suffix);

	if (len <= before + after || len > before + after + 2 ||
	    memcmp(word, k->prefix, before) != 0 ||
	    memcmp(word + len - after, k->suffix, after) != 0)
		return false;
	for (size_t i = before; i < len - after; i++)
		if (!isdigit((unsigned char)word[i]))
			return false;
	return true;
}

static const char *numbered_kind(const char *word, size_t len, const struct register_kind *kinds)
{
	for (; kinds->kind; kinds++)
		if (is_numbered(word, len, kinds))
			return kinds->kind;
	return NULL;
}

/* NULL: the word is no register that compilers choose freely. */
static const char *kind_on_amd64(const char *word, size_t len)
{
	static const struct register_kind numbered[] = {
		{ "r", "", "r64" },   { "r", "d", "r32" },  { "r", "w", "r16" },
		{ "r", "b", "r8" },   { "xmm", "", "xmm" }, { "ymm", "", "ymm" },
		{ "zmm", "", "zmm" }, { "k", "", "k" },     { NULL, NULL, NULL },
	};
	static const char *const r64[] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", NULL };
	static const char *const r32[] = { "eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", NULL };
	static const char *const r16[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", NULL };
	static const char *const r8[] = { "al", "bl", "cl",  "dl",  "ah",  "bh",
					  "ch", "dh", "sil", "dil", "bpl", NULL };

	return is_one_of_words(word, len, r64)   ? "r64"
	       : is_one_of_words(word, len, r32) ? "r32"
	       : is_one_of_words(word, len, r16) ? "r16"
	       : is_one_of_words(word, len, r8)  ? "r8"
						 : numbered_kind(word, len, numbered);
}

static const char *kind_on_arm64(const char *word, size_t len)
{
	static const struct register_kind numbered[] = {
		{ "x", "", "x" }, { "w", "", "w" }, { "v", "", "v" },     { "q", "", "q" },
		{ "d", "", "d" }, { "s", "", "s" }, { "h", "", "h" },     { "b", "", "b" },
		{ "z", "", "z" }, { "p", "", "p" }, { NULL, NULL, NULL },
	};
	static const char *const r64[] = { "fp", "lr", NULL };

	return is_one_of_words(word, len, r64) ? "x" : numbered_kind(word, len, numbered);
}

static bool is_stack_pointer(const struct asm_syntax *syntax, const char *word, size_t len)
{
	static const char *const on_amd64[] = { "rsp", "rbp", NULL };
	static const char *const on_arm64[] = { "sp", "x29", "fp", NULL };

	return is_one_of_words(word, len, syntax->is_amd64 ? on_amd64 : on_arm64);
}

/* The length of the constant offset in a place on the stack: " + 0x10", ", #-8"; else 0. */
static size_t stack_offset_length(const char *rest)
{
	size_t before = strspn(rest, " +-,"), constant = constant_length(rest + before);

	return constant && rest[before + constant] == ']' ? before + constant : 0;
}

void asm_without_registers(const struct asm_syntax *syntax, const char *exact,
			   char out[static ASM_TEXT])
{
	struct asm_writer w = { out, 0 };
	const char *at = exact + strcspn(exact, " ");

	*out = '\0';
	asm_put(&w, exact, (size_t)(at - exact)); /* the mnemonic */
	while (*at) {
		size_t len = 0;
		while (is_word(at[len]))
			len++;
		if (!len) {
			asm_put(&w, at++, 1);
			continue;
		}
		bool on_stack = at > exact && at[-1] == '[' && is_stack_pointer(syntax, at, len);
		const char *kind = syntax->is_amd64 ? kind_on_amd64(at, len)
						    : kind_on_arm64(at, len);
		if (on_stack)
			asm_put_text(&w, "STACK");
		else if (kind)
			asm_put_text(&w, kind);
		else
			asm_put(&w, at, len);
		at += len;
		if (on_stack)
			at += stack_offset_length(at);
	}
}

/* ---- vectors ---- */

static bool mnemonic_ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);
	return len >= tail && strcmp(text + len - tail, end) == 0;
}

/* Both operands are one register: compilers clear it so. */
static bool clears(const char *mnemonic, const char *operands)
{
	const char *comma = strrchr(operands, ',');
	size_t len = comma ? strlen(comma + 2) : 0;

	return strstr(mnemonic, "xor") && comma && (size_t)(comma - operands) >= len &&
	       strncmp(comma - len, comma + 2, len) == 0;
}

/* Packed instructions on integers begin with p; the others say how many values there are by their
 * ends. */
static bool is_packed_operation(const char *mnemonic)
{
	static const char *const single[] = { "movd",   "movq",   "pinsrb", "pinsrw",
					      "pinsrd", "pinsrq", "pextrb", "pextrw",
					      "pextrd", "pextrq", NULL };
	const char *name = mnemonic + (mnemonic[0] == 'v');

	if (is_one_of_words(name, strlen(name), single) || mnemonic_ends_with(name, "si") ||
	    strncmp(name, "cvtsi2", 6) == 0)
		return false;
	return *name == 'p' || !(mnemonic_ends_with(name, "ss") || mnemonic_ends_with(name, "sd"));
}

static bool is_vector_on_amd64(const char *mnemonic, const char *operands)
{
	bool wide = strstr(operands, "ymm") || strstr(operands, "zmm");

	return (wide || strstr(operands, "xmm")) && !clears(mnemonic, operands) &&
	       (is_packed_operation(mnemonic) || (wide && strstr(mnemonic, "gather")));
}

/* v0.4s has four values, v0.s[1] is one; z0.s is as long as the machine makes it. */
static bool is_vector_on_arm64(const char *operands)
{
	for (const char *at = operands; *at; at++) {
		bool begins = at == operands || !is_word(at[-1]);
		size_t digits = begins && strchr("vzq", *at) ? strspn(at + 1, "0123456789") : 0;
		const char *rest = at + 1 + digits;
		if (digits && (*at == 'q' || (*at == 'z' && *rest == '.') ||
			       (*at == 'v' && *rest == '.' && isdigit((unsigned char)rest[1]))))
			return true;
	}
	return false;
}

bool asm_is_vector(bool is_amd64, const char *mnemonic, const char *operands)
{
	return is_amd64 ? is_vector_on_amd64(mnemonic, operands)
			: is_vector_on_arm64(operands) && !clears(mnemonic, operands);
}
