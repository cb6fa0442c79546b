#include "callgrind/name_parts.h"

#include <stdbool.h>
#include <string.h>

#include "callgrind/name_text.h"

/* A bracket that is a part of "->", or of the symbol of an operator: operator>, operator<=>. */
static bool is_of_symbol(const char *name, size_t len, size_t at)
{
	size_t from = at, n = sizeof "operator" - 1;

	if (name[at] == '>' && at > 0 && name[at - 1] == '-')
		return true;
	while (from > 0 && strchr("<>=", name[from - 1]))
		from--;
	return from >= n && from - n + cg_name_operator(name, len, from - n) > at;
}

/* Arguments belong to the part before them: "swap::<u8>" of Rust, but "f()::<lambda(int)>". */
static bool begins_turbofish(const char *name, size_t len, size_t at)
{
	static const char lambda[] = "<lambda";

	return at < len && name[at] == '<' &&
	       (len - at < sizeof lambda || memcmp(name + at, lambda, sizeof lambda - 1) != 0);
}

size_t cg_name_last_part(const char *name, size_t len)
{
	size_t depth = 0;

	for (size_t at = len; at >= 2; at--) {
		char c = name[at - 1];
		if (strchr("<>", c) && is_of_symbol(name, len, at - 1))
			continue;
		if (c == '>' || c == ')' || c == '}')
			depth++;
		else if (depth && (c == '<' || c == '(' || c == '{'))
			depth--;
		else if (!depth && c == ':' && name[at - 2] == ':' &&
			 !begins_turbofish(name, len, at))
			return at;
	}
	return 0;
}

/* Brackets that are open where a name is read from left to right. */
struct open_brackets {
	char closing[64]; /* of each */
	size_t count;
};

/* In "f<((1)>(2))>" there are some that compare. */
static void read_bracket(struct open_brackets *open, const char *name, size_t at)
{
	static const char opening[] = "<({[", closing[] = ">)}]";
	const char *opens = strchr(opening, name[at]);
	size_t n = open->count;

	if (opens) {
		if (n < sizeof open->closing && !(*opens == '<' && at > 0 && name[at - 1] == ')'))
			open->closing[open->count++] = closing[opens - opening];
		return;
	}
	while (n > 0 && open->closing[n - 1] != name[at] && name[at] != '>')
		n--;
	if (n > 0 && open->closing[n - 1] == name[at])
		open->count = n - 1;
}

static bool begins_closure(const char *name, size_t len, size_t at)
{
	static const char *const closures[] = { "::{{closure", "::{closure", "::{lambda",
						"::'lambda" };

	for (size_t i = 0; i < sizeof closures / sizeof *closures; i++)
		if (len - at >= strlen(closures[i]) &&
		    memcmp(name + at, closures[i], strlen(closures[i])) == 0)
			return true;
	return false;
}

size_t cg_name_without_closures(const char *name, size_t len)
{
	struct open_brackets open = { .count = 0 };

	for (size_t i = 0; i < len; i++) {
		size_t symbol = cg_name_operator(name, len, i);
		bool arrow = i > 0 && name[i] == '>' && name[i - 1] == '-';
		if (symbol)
			i += symbol - 1;
		else if (i > 0 && !open.count && begins_closure(name, len, i))
			return i;
		else if (strchr("<({[>)}]", name[i]) && !arrow)
			read_bracket(&open, name, i);
	}
	return len;
}

/* A blank in front of a name, unlike the one in "f() const::{lambda()#1}". */
static bool ends_type(const char *name, size_t len, size_t at)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *after = name + at + 1;

	if (name[at] != ' ' || at + 1 >= len || (at > 0 && name[at - 1] == ')'))
		return false;
	return cg_name_is_word(*after) || *after == '<' || *after == '~' ||
	       (len - at > sizeof anonymous && memcmp(after, anonymous, sizeof anonymous - 1) == 0);
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

	start += cg_name_after_type(name + start, len - start);
	size_t symbol = cg_name_operator(name, len, start);
	const char *word = name + start,
		   *arguments = symbol ? NULL : memchr(word, '<', len - start);
	*word_len = len - start;
	if (symbol && word[symbol - 1] == ')')
		*word_len = symbol; /* operator() */
	else if (arguments && arguments > word)
		*word_len = (size_t)(arguments - word);
	if (*word_len > 2 && memcmp(word + *word_len - 2, "::", 2) == 0)
		*word_len -= 2;
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

/* Whether the "<" at this place begins template arguments. */
static bool begins_arguments(const char *name, size_t len, size_t at)
{
	static const char methods[] = "<impl ";

	if (at == 0)
		return false;
	if (name[at - 1] == ':')
		return len - at < sizeof methods ||
		       memcmp(name + at, methods, sizeof methods - 1) != 0;
	return cg_name_is_word(name[at - 1]) || name[at - 1] == '}';
}

/* After the arguments that begin at this place; `at` if they do not end. */
static size_t after_arguments(const char *name, size_t len, size_t at)
{
	size_t depth = 0;

	for (size_t i = at; i < len; i++) {
		bool arrow = name[i] == '>' && name[i - 1] == '-';
		depth += name[i] == '<';
		if (name[i] == '>' && !arrow && --depth == 0)
			return i + 1;
	}
	return at;
}

size_t cg_name_without_arguments(const char *name, size_t len, char *out)
{
	size_t n = 0;
	bool closed = true; /* all brackets so far */

	for (size_t i = 0; i < len;) {
		size_t symbol = cg_name_operator(name, len, i);
		if (closed && !symbol && name[i] == '<' && begins_arguments(name, len, i)) {
			size_t next = after_arguments(name, len, i);
			closed = next > i;
			i = next;
			if (closed)
				continue;
		}
		size_t copied = symbol ? symbol : 1;
		memcpy(out + n, name + i, copied);
		n += copied;
		i += copied;
	}
	return n;
}
