#include "callgrind/name_line.h"

#include "callgrind/support/index.h"
#include "cgprofile/names.h"

#define IS(word) (len == sizeof word - 1 && memcmp(key, word, sizeof word - 1) == 0)

enum name_key cg_name_key(const char *key, size_t len)
{
	if (IS("fn"))
		return NAME_FUNCTION;
	if (IS("cfn"))
		return NAME_CALLEE;
	if (IS("fl"))
		return NAME_FILE;
	if (IS("fi") || IS("fe"))
		return NAME_LINE_FILE;
	if (IS("cfi") || IS("cfl"))
		return NAME_CALLEE_FILE;
	if (IS("ob"))
		return NAME_OBJECT;
	if (IS("cob"))
		return NAME_CALLEE_OBJECT;
	if (IS("cfni"))
		return NAME_INLINED;
	if (IS("inlined"))
		return NAME_HOST;
	if (IS("jfi"))
		return NAME_TARGET_FILE;
	return IS("jfn") || IS("frfn") ? NAME_TARGET_FUNCTION : NAME_NONE;
}

static bool names_function(enum name_key key)
{
	return key == NAME_FUNCTION || key == NAME_CALLEE || key == NAME_INLINED ||
	       key == NAME_HOST || key == NAME_TARGET_FUNCTION;
}

void cg_name_line_parse(struct name_line *n, enum name_key key, struct line value,
			const struct name_format *format)
{
	*n = (struct name_line){ .key = (uint8_t)key };
	cg_line_skip_blanks(&value);
	n->has_id = cg_line_parse_id(&value, &n->id);
	cg_line_skip_blanks(&value);
	if (n->has_id && value.at == value.end)
		return;

	size_t len = (size_t)(value.end - value.at);
	struct cg_name_parts parts = { .name_len = len, .level = 1, .context_off = len };
	if (format->packed && names_function(key))
		parts = cg_name_split(value.at, len);
	n->name = value.at;
	n->len = (uint32_t)len;
	n->own_len = (uint32_t)parts.name_len;
	n->context_off = (uint32_t)parts.context_off;
	n->level = parts.level;
	n->hash = cg_hash_text(format->secret, n->name, n->own_len);
	if (format->contexts)
		n->context_hash = cg_hash_text(format->secret, n->name + n->context_off,
					       len - n->context_off);
}
