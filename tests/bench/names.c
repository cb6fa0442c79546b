#include "tests/bench/names.h"

#include "tests/bench/put.h"

static const char *const verbs[32] = {
	"expand",       "fold",     "gimplify",  "lower",    "build",  "find",   "emit",
	"record",       "check",    "verify",    "compute",  "update", "remove", "insert",
	"rename",       "split",    "merge",     "visit",    "walk",   "init",   "finish",
	"canonicalize", "simplify", "propagate", "mark",     "clear",  "hash",   "compare",
	"copy",         "print",    "dump",      "schedule",
};

static const char *const kinds[32] = {
	"basic",   "loop",     "reg",    "tree", "gimple",   "rtx",    "live",  "dominator",
	"virtual", "constant", "memory", "call", "operand",  "phi",    "alias", "conflict",
	"pattern", "edge",     "scope",  "type", "template", "vector", "stack", "value",
	"inline",  "debug",    "line",   "note", "spill",    "cost",   "hard",  "pseudo",
};

static const char *const things[32] = {
	"block",  "node",   "set",      "list",  "table", "map",        "insn",        "expr",
	"stmt",   "decl",   "ref",      "use",   "def",   "range",      "bitmap",      "entry",
	"bounds", "copies", "info",     "attr",  "mode",  "allocno",    "web",         "chain",
	"tree",   "graph",  "pressure", "class", "name",  "references", "equivalence", "notes",
};

static const char *const arguments[8] = {
	"",
	"(tree_node*)",
	"(gimple*, tree_node* (*)(tree_node*))",
	"(rtx_def*, machine_mode)",
	"(bitmap_head*, int)",
	"(basic_block_def*)",
	"(int_range<1u> const*, int_range<1u>*) const",
	"(vec<tree_node*, va_heap, vl_ptr>*)",
};

static uint32_t mix(uint32_t x)
{
	x = (x ^ (x >> 16)) * UINT32_C(0x45d9f3b);
	x = (x ^ (x >> 16)) * UINT32_C(0x45d9f3b);
	return x ^ (x >> 16);
}

/* "verb_kind_thing.part.N": the first 32768 numbers, in no visible order, do without N. */
static char *put_words(char *at, uint32_t number)
{
	uint32_t words = (number * UINT32_C(0x5a35)) & 0x7fff;
	at = put_text(at, verbs[words & 31]);
	*at++ = '_';
	at = put_text(at, kinds[(words >> 5) & 31]);
	*at++ = '_';
	at = put_text(at, things[words >> 10]);
	if (number >> 15) {
		at = put_text(at, ".part.");
		at = put_number(at, number >> 15);
	}
	return at;
}

char *put_object_name(char *at, uint32_t object)
{
	if (object % 4 == 3)
		at = put_text(at, "/usr/libexec/gcc/x86_64-linux-gnu/12/cc");
	else
		at = put_text(at, "/usr/lib/x86_64-linux-gnu/libgenerated.so.");
	return put_number(at, object + 1);
}

char *put_header_name(char *at, uint32_t header)
{
	at = put_text(at, "/usr/include/x86_64-linux-gnu/bits/");
	at = put_words(at, header);
	return put_text(at, ".h");
}

char *put_source_name(char *at, uint32_t source)
{
	at = put_text(at, "../../src/gcc/");
	at = put_words(at, source);
	return put_text(at, ".cc");
}

/* One in four has lost its name and is an address. */
char *put_function_name(char *at, uint32_t function)
{
	if (function % 4 == 3)
		return put_hex(at, UINT64_C(0x401000) + 16 * (uint64_t)function, 16);
	at = put_words(at, function);
	return put_text(at, arguments[mix(function) & 7]);
}

char *put_context(char *at, uint32_t function, uint32_t context, uint32_t functions)
{
	uint32_t choice = mix(context);
	for (unsigned i = 0; i < NAME_CALLERS; i++, choice >>= 3) {
		uint32_t away = mix(8 * function + (choice & 7)) % 64;
		if (function + 1 + away >= functions)
			break;
		function += 1 + away;
		*at++ = '\'';
		at = put_function_name(at, function);
	}
	return at;
}
