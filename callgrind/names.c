#include "callgrind/name_parts.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool name_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Demanglers write a blank before template arguments that follow a < ("operator< <int>"), so the
 * longest symbol is the right one. */
size_t cg_name_operator(const char *text, size_t len, size_t at)
{
	static const char word[] = "operator";
	static const char *const symbols[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=",
					       ">=",  "->",  "()",  "[]",  "<",  ">" };
	size_t n = sizeof word - 1;

	if (len - at <= n || memcmp(text + at, word, n) != 0 || name_is_word(text[at + n]) ||
	    (at > 0 && name_is_word(text[at - 1])))
		return 0;
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		size_t m = strlen(symbols[i]);
		if (len - at - n >= m && memcmp(text + at + n, symbols[i], m) == 0)
			return n + m;
	}
	return n;
}

/* If an apostrophe at text[at] belongs to a name ("f()::'lambda'(int)"), the
 * position behind its partner; else 0. */
static size_t quoted_end(const char *text, size_t len, size_t at)
{
	if (at > 0 && !(at >= 2 && text[at - 1] == ':' && text[at - 2] == ':'))
		return 0;
	const char *close = memchr(text + at + 1, '\'', len - at - 1);
	return close ? (size_t)(close - text) + 1 : 0;
}

enum char_kind { CHAR_PLAIN, CHAR_OPEN, CHAR_CLOSE, CHAR_APOSTROPHE, CHAR_O };

/* What may end a name, or hide its end; nearly all characters do neither. */
static const unsigned char char_kinds[256] = {
	['('] = CHAR_OPEN,        ['['] = CHAR_OPEN,  ['{'] = CHAR_OPEN,  ['<'] = CHAR_OPEN,
	[')'] = CHAR_CLOSE,       [']'] = CHAR_CLOSE, ['}'] = CHAR_CLOSE, ['>'] = CHAR_CLOSE,
	['\''] = CHAR_APOSTROPHE, ['o'] = CHAR_O,
};

/* Position of the apostrophe that ends the function's own name, or `len`.
 * With `nesting`, apostrophes inside brackets do not count; *balanced tells
 * whether the brackets up to there were. */
static size_t name_end(const char *text, size_t len, bool nesting, bool *balanced)
{
	int depth = 0;
	size_t i = 0;

	for (; i < len; i++) {
		enum char_kind kind = char_kinds[(unsigned char)text[i]];
		if (kind == CHAR_PLAIN)
			continue;
		if (kind == CHAR_APOSTROPHE && depth == 0) {
			size_t end = quoted_end(text, len, i);
			if (!end)
				break;
			i = end - 1;
		} else if (nesting && kind == CHAR_O) {
			size_t word = cg_name_operator(text, len, i);
			i += word ? word - 1 : 0;
		} else if (nesting && kind == CHAR_OPEN) {
			depth++;
		} else if (nesting && kind == CHAR_CLOSE) {
			bool arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
			depth -= depth > 0 && !arrow;
		}
	}
	*balanced = depth == 0;
	return i;
}

/* Reads "'DIGITS" at text[at] if it is a recursion level; 0 otherwise. */
static uint32_t level_at(const char *text, size_t len, size_t at, size_t *end)
{
	uint64_t level = 0;
	size_t i = at + 1;

	while (i < len && isdigit((unsigned char)text[i]) && level < UINT32_MAX / 10)
		level = 10 * level + (uint64_t)(text[i++] - '0');
	if (level == 0 || (i < len && text[i] != '\''))
		return 0;
	*end = i;
	return (uint32_t)level;
}

struct cg_name_parts cg_name_split(const char *text, size_t len)
{
	bool balanced;
	size_t end = name_end(text, len, true, &balanced);
	if (!balanced)
		end = name_end(text, len, false, &balanced);
	if (end == 0)
		end = len;

	struct cg_name_parts parts = { .name_len = end, .level = 1, .context_off = len };
	size_t after = end;
	if (end < len) {
		uint32_t level = level_at(text, len, end, &after);
		if (level)
			parts.level = level;
	}
	if (after < len)
		parts.context_off = after + 1;
	return parts;
}

static bool name_ends_with(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);
	return len > n && memcmp(name + len - n, suffix, n) == 0;
}

static size_t without_clone_note(const char *name, size_t len)
{
	static const char note[] = " [clone ";
	size_t n = sizeof note - 1;

	if (len <= n || name[len - 1] != ']')
		return len;
	for (size_t i = len - n; i > 0; i--)
		if (memcmp(name + i, note, n) == 0)
			return i;
	return len;
}

static size_t without_digits(const char *name, size_t len)
{
	size_t i = len;
	while (i > 0 && isdigit((unsigned char)name[i - 1]))
		i--;
	return i > 1 && i < len && name[i - 1] == '.' ? i - 1 : len;
}

static size_t without_clone_suffix(const char *name, size_t len)
{
	static const char *const numbered[] = { ".constprop",   ".isra",           ".part",
						".cold",        ".llvm",           ".lto_priv",
						".localalias",  ".locality_clone", ".memprof",
						".specialized", ".__uniq" };
	static const char *const bare[] = { ".cold", ".localalias" };
	size_t stem = without_digits(name, len);

	for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
		if (stem < len && name_ends_with(name, stem, numbered[i]))
			return stem - strlen(numbered[i]);
	for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
		if (name_ends_with(name, len, bare[i]))
			return len - strlen(bare[i]);
	return len;
}

static size_t without_rust_hash(const char *name, size_t len)
{
	if (len <= 19 || memcmp(name + len - 19, "::h", 3) != 0)
		return len;
	for (size_t i = len - 16; i < len; i++)
		if (!isdigit((unsigned char)name[i]) && !(name[i] >= 'a' && name[i] <= 'f'))
			return len;
	return len - 19;
}

static size_t without_version(const char *name, size_t len)
{
	const char *at = memchr(name, '@', len);
	/* Versions look like GLIBC_2.34: anything with brackets or blanks is part of a name. */
	if (!at || at == name)
		return len;
	for (const char *c = at; c < name + len; c++)
		if (!name_is_word(*c) && *c != '.' && *c != '@' && *c != '-')
			return len;
	return (size_t)(at - name);
}

size_t cg_name_stem(const char *name, size_t len)
{
	len = without_version(name, len);
	for (size_t before = 0; before != len;) {
		before = len;
		len = without_clone_note(name, len);
		len = without_clone_suffix(name, len);
		len = without_rust_hash(name, len);
	}
	return len;
}

int cg_name_is_address(const char *name)
{
	return name[0] == '0' && name[1] == 'x' && name[2] &&
	       name[2 + strspn(name + 2, "0123456789abcdefABCDEF")] == '\0';
}

const char *cg_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

size_t cg_name_without_cold(const char *name, size_t len)
{
	static const char note[] = " [clone .cold", suffix[] = ".cold";
	size_t end = len, noted = without_clone_note(name, len);

	if (len - noted >= sizeof note - 1 && memcmp(name + noted, note, sizeof note - 1) == 0)
		return noted;
	end = without_digits(name, len);
	return name_ends_with(name, end, suffix) ? end - (sizeof suffix - 1) : len;
}

size_t cg_name_join_cold(const char *name, size_t name_len, const char *callers, size_t len,
			 char *joined)
{
	const char *callee = name; /* the caller before, or the function itself */
	size_t callee_len = cg_name_without_cold(name, name_len), used = 0;
	bool cold = callee_len < name_len;

	for (size_t at = 0; at < len;) {
		const char *quote = memchr(callers + at, '\'', len - at);
		size_t caller_len = quote ? (size_t)(quote - callers) - at : len - at;
		size_t stem = cg_name_without_cold(callers + at, caller_len);
		bool split = cold && stem == callee_len && memcmp(callers + at, callee, stem) == 0;
		callee = callers + at;
		callee_len = stem;
		cold = stem < caller_len;
		at += caller_len + 1;
		if (split)
			continue;
		if (used)
			joined[used++] = '\'';
		memcpy(joined + used, callee, stem);
		used += stem;
	}
	return used;
}

static size_t without_qualifiers(const char *name, size_t len)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &" };
	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers;)
		if (name_ends_with(name, len, qualifiers[i])) {
			len -= strlen(qualifiers[i]);
			i = 0;
		} else {
			i++;
		}
	return len;
}

/* "(anonymous namespace)" and the brackets of "operator()" are no parameters. */
static bool are_parameters(const char *name, size_t at, size_t end)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1;
	bool of_operator = end - at == 2 && at >= n && memcmp(name + at - n, word, n) == 0;
	return at > 0 && name[at - 1] != ' ' && name[at - 1] != ':' && !of_operator;
}

size_t cg_name_without_parameters(const char *name, size_t len)
{
	size_t end = without_qualifiers(name, len), depth = 0;

	if (end == 0 || name[end - 1] != ')')
		return len;
	for (size_t i = end; i-- > 0;) {
		depth += name[i] == ')';
		if (name[i] == '(' && --depth == 0)
			return are_parameters(name, i, end) ? i : len;
	}
	return len;
}

enum cg_likeness cg_name_likeness(const char *name, const char *wanted)
{
	size_t len = strlen(wanted);

	if (strncmp(name, wanted, len) != 0)
		return CG_NAME_OTHER;
	if (!name[len])
		return CG_NAME_EXACTLY;
	return name[len] == '(' || cg_name_stem(name, strlen(name)) == len ? CG_NAME_PLAIN
									   : CG_NAME_OTHER;
}

size_t cg_name_last_part(const char *name, size_t len)
{
	size_t depth = 0;

	for (size_t at = len; at >= 2; at--) {
		char c = name[at - 1];
		if (c == '>' || c == ')' || c == '}')
			depth++;
		else if (depth && (c == '<' || c == '(' || c == '{'))
			depth--;
		else if (!depth && c == ':' && name[at - 2] == ':')
			return at;
	}
	return 0;
}

/* A blank in front of a name; in "f() const::{lambda()#1}" it is none. */
static bool ends_type(const char *name, size_t len, size_t at)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *behind = name + at + 1;

	if (name[at] != ' ' || at + 1 >= len || (at > 0 && name[at - 1] == ')'))
		return false;
	return name_is_word(*behind) || *behind == '<' || *behind == '~' ||
	       (len - at > sizeof anonymous &&
		memcmp(behind, anonymous, sizeof anonymous - 1) == 0);
}

size_t cg_name_after_type(const char *name, size_t len)
{
	size_t depth = 0, start = 0;

	for (size_t i = 0; i < len && !(depth == 0 && cg_name_operator(name, len, i)); i++) {
		bool arrow = i > 0 && name[i] == '>' && name[i - 1] == '-';
		if (strchr("<({[", name[i]))
			depth++;
		else if (strchr(">)}]", name[i]) && depth && !arrow)
			depth--;
		else if (depth == 0 && ends_type(name, len, i))
			start = i + 1;
	}
	return start;
}

const char *cg_name_last_word(const char *name, size_t len, size_t *word_len)
{
	size_t start = cg_name_last_part(name, len);

	if (start == 0)
		start = cg_name_after_type(name, len);
	size_t symbol = cg_name_operator(name, len, start);
	const char *word = name + start,
		   *arguments = symbol ? NULL : memchr(word, '<', len - start);
	*word_len = len - start;
	if (symbol && word[symbol - 1] == ')')
		*word_len = symbol; /* operator() */
	else if (arguments && arguments > word)
		*word_len = (size_t)(arguments - word);
	return word;
}

int cg_name_may_be(const char *bare, const char *whole)
{
	size_t blen = strlen(bare), wlen = strlen(whole);

	for (;;) {
		size_t n, m;
		wlen = cg_name_without_parameters(whole, wlen);
		const char *a = cg_name_last_word(bare, blen, &n);
		const char *b = cg_name_last_word(whole, wlen, &m);
		if (n != m || memcmp(a, b, n) != 0)
			return false;
		blen = cg_name_last_part(bare, blen);
		wlen = cg_name_last_part(whole, wlen);
		if (blen == 0)
			return true;
		if (wlen == 0)
			return false;
		blen = cg_name_without_parameters(bare, blen - 2);
		wlen -= 2;
	}
}
