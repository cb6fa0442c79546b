#include "cgprofile/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "callgrind/name_clones.h"
#include "callgrind/name_marks.h"
#include "callgrind/name_text.h"

/* If an apostrophe at text[at] belongs to a name ("f()::'lambda'(int)"), the
 * position after its partner; else 0. */
static size_t quoted_end(const char *text, size_t len, size_t at)
{
	if (at > 0 && !(at >= 2 && text[at - 1] == ':' && text[at - 2] == ':'))
		return 0;
	const char *close = memchr(text + at + 1, '\'', len - at - 1);
	return close ? (size_t)(close - text) + 1 : 0;
}

static bool opens(char c)
{
	return c == '(' || c == '[' || c == '{' || c == '<';
}

/* What is at text[at], which is one of cg_name_marks, does to the search for the end of a name. */
struct mark {
	bool ends;    /* the name */
	int depth;    /* how many brackets it opens */
	size_t after; /* the search goes on here */
};

static struct mark name_mark(const char *text, size_t len, size_t at, int depth, bool nesting)
{
	struct mark m = { .after = at + 1 };

	if (text[at] == '\'') {
		size_t end = depth == 0 ? quoted_end(text, len, at) : at + 1;
		m.ends = !end;
		m.after = end;
	} else if (!nesting) {
		return m;
	} else if (text[at] == 'o') {
		size_t word = cg_name_operator(text, len, at);
		m.after = at + (word ? word : 1);
	} else if (opens(text[at])) {
		m.depth = 1;
	} else {
		bool arrow = text[at] == '>' && at > 0 && text[at - 1] == '-';
		m.depth = depth > 0 && !arrow ? -1 : 0;
	}
	return m;
}

/* Position of the apostrophe that ends the function's own name, or `len`. With `nesting`,
 * apostrophes inside brackets do not count; *balanced is whether the brackets up to there were. */
static size_t name_end(const char *text, size_t len, bool nesting, bool *balanced)
{
	int depth = 0;
	size_t after = 0;

	for (size_t from = 0; from < len; from += 64) {
		uint64_t marks = cg_name_marks(text + from, len - from);
		for (; marks; marks &= marks - 1) {
			size_t at = from + (size_t)__builtin_ctzll(marks);
			if (at < after)
				continue;
			struct mark m = name_mark(text, len, at, depth, nesting);
			if (m.ends) {
				*balanced = depth == 0;
				return at;
			}
			depth += m.depth;
			after = m.after;
		}
	}
	*balanced = depth == 0;
	return len;
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
		if (!cg_name_is_word(*c) && *c != '.' && *c != '@' && *c != '-')
			return len;
	return (size_t)(at - name);
}

size_t cg_name_stem(const char *name, size_t len)
{
	len = without_version(name, len);
	for (size_t before = 0; before != len;) {
		before = len;
		len = cg_name_without_clone(name, len);
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

static size_t without_qualifiers(const char *name, size_t len)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &" };
	for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers;)
		if (cg_name_ends_with(name, len, qualifiers[i])) {
			len -= strlen(qualifiers[i]);
			i = 0;
		} else {
			i++;
		}
	return len;
}

/* "(anonymous namespace)" and the brackets of "operator()" are not parameters. */
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
