#include "src/diff/versioned_scope.h"

#include <ctype.h>
#include <string.h>

#include "callgrind/name_text.h"

static bool is_version_digit(char c)
{
	return isdigit((unsigned char)c);
}

/* Whether what begins at text[at] does so with `word`. */
static bool continues_with(const struct versioned_scopes *s, size_t at, const char *word, size_t n)
{
	return s->len - at >= n && memcmp(s->name + at, word, n) == 0;
}

/* Counts the numbers at the beginning of a text, "3_11_2", and the digits of the first. */
static size_t count_version_numbers(const char *text, size_t len, size_t *end, size_t *digits)
{
	size_t numbers = 0, at = 0;

	*digits = 0;
	do {
		const size_t from = at;
		while (at < len && is_version_digit(text[at]))
			at++;
		if (at == from) /* the underscore belongs to what follows */
			break;
		if (!numbers++)
			*digits = at;
		*end = at;
	} while (at < len && text[at++] == '_');
	return numbers;
}

static bool has_version(const char *word, size_t len)
{
	enum { DIGITS_OF_DATE = 6 };
	size_t end = 0, digits;

	if (len > 2 && word[0] == '_' && word[1] == '_')
		return is_version_digit(word[len - 1]);
	if (len > 1 && tolower((unsigned char)word[0]) == 'v' &&
	    count_version_numbers(word + 1, len - 1, &end, &digits) && end == len - 1)
		return true;
	for (size_t i = 1; i < len; i++) {
		const bool v = i > 1 && (word[i - 1] == 'v' || word[i - 1] == 'V');
		if (!is_version_digit(word[i]) || word[i - 1 - v] != '_')
			continue;
		size_t numbers = count_version_numbers(word + i, len - i, &end, &digits);
		if (digits >= DIGITS_OF_DATE || (v && numbers > 1))
			return true;
		i += end;
	}
	return false;
}

static void add_to_stem(struct versioned_scopes *s, char c)
{
	if (s->stem_len < sizeof s->stem)
		s->stem[s->stem_len++] = c;
	else
		s->plain = false;
}

/* json_abi_v3_11_2 and json_abi_v3_12 have the stem json_abi_v#. */
static void add_word_to_stem(struct versioned_scopes *s, size_t end, bool versioned)
{
	for (size_t i = s->at; i < end;) {
		if (!versioned || !is_version_digit(s->name[i])) {
			add_to_stem(s, s->name[i++]);
			continue;
		}
		size_t numbers_end, digits;
		count_version_numbers(s->name + i, end - i, &numbers_end, &digits);
		add_to_stem(s, '#');
		i += numbers_end;
	}
}

static void pass_word(struct versioned_scopes *s, size_t end, bool versioned)
{
	if (!s->open) {
		s->path = s->at;
		s->stem_len = 0;
		s->plain = true;
	}
	if (s->plain)
		add_word_to_stem(s, end, versioned);
	s->open = false;
	s->at = s->after = end;
}

static void pass_colons(struct versioned_scopes *s)
{
	s->plain = s->plain && s->after == s->at;
	s->open = true;
	s->at += 2;
	add_to_stem(s, ':');
}

/* A constructor or destructor tells that a word is a class: v2::v2(float), v2::~v2(). */
static bool is_scope_word(const struct versioned_scopes *s, size_t start, size_t end)
{
	size_t in = end + 2;

	if (!continues_with(s, end, "::", 2))
		return false;
	in += in < s->len && s->name[in] == '~';
	return !continues_with(s, in, s->name + start, end - start) ||
	       (in + end - start < s->len && cg_name_is_word(s->name[in + end - start]));
}

/* Passes a word. */
static bool is_versioned_word(struct versioned_scopes *s, struct versioned_scope *out)
{
	const size_t start = s->at;
	size_t end = start;

	while (end < s->len && cg_name_is_word(s->name[end]))
		end++;
	const bool versioned = has_version(s->name + start, end - start);
	pass_word(s, end, versioned);
	*out = (struct versioned_scope){ s->path, start, end, is_scope_word(s, start, end) };
	return versioned && s->plain;
}

bool versioned_scope_next(struct versioned_scopes *s, struct versioned_scope *out)
{
	static const char unnamed[] = "(anonymous namespace)";
	const size_t unnamed_len = sizeof unnamed - 1;

	while (s->at < s->len) {
		if (cg_name_is_word(s->name[s->at])) {
			if (is_versioned_word(s, out))
				return true;
		} else if (continues_with(s, s->at, "::", 2)) {
			pass_colons(s);
		} else if (continues_with(s, s->at, unnamed, unnamed_len)) {
			pass_word(s, s->at + unnamed_len, false);
		} else {
			s->open = false;
			s->at++;
		}
	}
	return false;
}
