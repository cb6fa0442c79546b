#include "src/view/code_tokens.h"

#include <stdbool.h>
#include <string.h>

static bool is_word_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank_character(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}

void code_tokens_begin(struct code_tokens *t, const char *text, size_t size)
{
	*t = (struct code_tokens){ .at = text, .end = text + size, .line = 1 };
}

static bool is_ahead(const struct code_tokens *t, const char *text)
{
	size_t len = strlen(text);
	return (size_t)(t->end - t->at) >= len && memcmp(t->at, text, len) == 0;
}

static void pass_character(struct code_tokens *t)
{
	if (*t->at == '\n') {
		t->line++;
		t->before = 0;
	}
	t->at++;
}

static void skip_to(struct code_tokens *t, const char *to)
{
	while (t->at < to)
		pass_character(t);
}

static const char *end_of_comment(const char *at, const char *end)
{
	const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
	return close ? close + 2 : end;
}

static void skip_comment(struct code_tokens *t)
{
	const char *end;

	if (is_ahead(t, "//")) {
		end = memchr(t->at, '\n', (size_t)(t->end - t->at));
		t->at = end ? end : t->end;
		return;
	}
	skip_to(t, end_of_comment(t->at, t->end));
}

static void skip_to_token(struct code_tokens *t)
{
	while (t->at < t->end) {
		if (is_blank_character(*t->at))
			pass_character(t);
		else if (is_ahead(t, "//") || is_ahead(t, "/*"))
			skip_comment(t);
		else
			return;
	}
}

/* ---- one token ---- */

static const char *end_of_word(const struct code_tokens *t)
{
	const char *at = t->at;

	while (at < t->end && is_word_character(*at))
		at++;
	return at;
}

/* A line that ends in a backslash continues in the next one, and so it does in a comment. */
static const char *end_of_directive(const struct code_tokens *t)
{
	const char *at = t->at;

	while (at < t->end && *at != '\n') {
		if (*at == '\\' && at + 1 < t->end) {
			at += at[1] == '\r' && at + 2 < t->end && at[2] == '\n' ? 3 : 2;
		} else if (*at == '/' && at + 1 < t->end && at[1] == '*') {
			at = end_of_comment(at, t->end);
		} else {
			at++;
		}
	}
	return at;
}

/* Not Rust's attributes, #[inline]. */
static bool is_directive(const struct code_tokens *t)
{
	static const char *const words[] = { "define", "undef",  "include", "if",    "else",
					     "elif",   "endif",  "pragma",  "line",  "error",
					     "ifdef",  "ifndef", "warning", "import" };
	const char *at = t->at + 1, *word;

	if (*t->at != '#' || t->before)
		return false;
	while (at < t->end && (*at == ' ' || *at == '\t'))
		at++;
	word = at;
	while (at < t->end && *at >= 'a' && *at <= 'z')
		at++;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == (size_t)(at - word) &&
		    memcmp(words[i], word, strlen(words[i])) == 0)
			return true;
	return false;
}

/* After its last quote; NULL: it does not end. */
static const char *end_of_string(struct code_tokens *t, char quote)
{
	bool *unclosed = &t->unclosed[quote == '`'];

	for (const char *at = t->at + 1; !*unclosed && at < t->end; at++) {
		if (*at == '\\' && quote != '`')
			at++;
		else if (*at == quote)
			return at + 1;
	}
	*unclosed = true;
	return NULL;
}

/* The end of 'x' or '\n'; NULL: it is a lifetime of Rust, or separates the digits of C++. */
static const char *end_of_character(const struct code_tokens *t)
{
	enum { LONGEST = 12 };
	const char *at = t->at + 1;
	const char *last = t->end - at > LONGEST ? at + LONGEST : t->end;

	if (t->before >= '0' && t->before <= '9' && t->at[-1] == t->before)
		return NULL;
	if (at >= last || *at == '\'')
		return NULL;
	const bool one = *at != '\\' && (unsigned char)*at < 0x80;
	at += *at == '\\' ? 2 : 1;
	while (!one && at < last && *at != '\'' && *at != '\n')
		at++;
	return at < last && *at == '\'' ? at + 1 : NULL;
}

/* R"x(...)x" of C++ and r#"..."# of Rust; NULL if it is a word. */
static const char *end_of_raw_string(struct code_tokens *t, const char *word_end)
{
	enum { LONGEST = 18, MOST_UNCLOSED = 16 };
	char closing[LONGEST + 3];
	size_t n = 0;
	const char *at = word_end;
	bool rust = at > t->at && at[-1] == 'r';

	if (at - t->at > 3 || at == t->at || at >= t->end || t->raw > MOST_UNCLOSED ||
	    (at[-1] != 'R' && at[-1] != 'r') || (*at != '"' && (!rust || *at != '#')))
		return NULL;
	if (rust) {
		closing[n++] = '"';
		for (; at < t->end && *at == '#' && n < LONGEST; at++)
			closing[n++] = '#';
		if (at >= t->end || *at != '"')
			return NULL;
	} else {
		closing[n++] = ')';
		for (at++; at < t->end && *at != '(' && n < LONGEST; at++)
			closing[n++] = *at;
		closing[n++] = '"';
	}
	at = at < t->end ? memmem(at + 1, (size_t)(t->end - at - 1), closing, n) : NULL;
	t->raw += !at;
	return at ? at + n : NULL;
}

static enum code_token_kind measure_token(struct code_tokens *t, const char **end)
{
	const char c = *t->at, *closed = NULL;

	*end = t->at + 1;
	if (is_word_character(c)) {
		const char *word = end_of_word(t), *raw = end_of_raw_string(t, word);
		*end = raw ? raw : word;
		return raw ? TOKEN_LITERAL : TOKEN_WORD;
	}
	if (is_directive(t)) {
		*end = end_of_directive(t);
		return TOKEN_DIRECTIVE;
	}
	if (c == '"' || c == '`')
		closed = end_of_string(t, c);
	else if (c == '\'')
		closed = end_of_character(t);
	if (closed)
		*end = closed;
	return closed ? TOKEN_LITERAL : TOKEN_MARK;
}

struct code_token code_tokens_next(struct code_tokens *t)
{
	const char *end;

	skip_to_token(t);
	if (t->at >= t->end)
		return (struct code_token){ TOKEN_END, t->end, 0, t->line };
	struct code_token token = { .text = t->at, .line = t->line };
	token.kind = measure_token(t, &end);
	token.len = (size_t)(end - t->at);
	skip_to(t, end);
	t->before = end[-1];
	return token;
}

int code_token_is(const struct code_token *token, const char *text)
{
	return token->kind != TOKEN_LITERAL && token->len == strlen(text) &&
	       memcmp(token->text, text, token->len) == 0;
}
