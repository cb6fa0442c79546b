#include "callgrind/name_parts.h"

#include <stdbool.h>
#include <string.h>

#include "callgrind/name_text.h"

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
