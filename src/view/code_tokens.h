/*
 * The tokens of a source text in a language with braces: C, C++, Rust, D, Zig, Java and others.
 * Comments and blanks are left out. This is not a compiler: the language is not known, and tokens
 * can be wrong, but equal texts have equal tokens.
 */
#ifndef IRDIFF_VIEW_CODE_TOKENS_H
#define IRDIFF_VIEW_CODE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_token_kind {
	TOKEN_END,
	TOKEN_WORD,      /* a name, a keyword or a number */
	TOKEN_MARK,      /* one character */
	TOKEN_LITERAL,   /* a string or a character */
	TOKEN_DIRECTIVE, /* of the C preprocessor, with all its lines */
};

struct code_token {
	enum code_token_kind kind;
	const char *text; /* hostile; not NUL-terminated */
	size_t len;
	uint32_t line; /* where it begins, from 1 */
};

struct code_tokens {
	const char *at, *end;
	uint32_t line;
	char before;      /* the last character that is no blank; 0: none in this line */
	bool unclosed[2]; /* no string ends that begins later with " or ` */
	unsigned raw;     /* strings that do not end, as in R"x( */
};

/* `text` must outlive it. */
void code_tokens_begin(struct code_tokens *t, const char *text, size_t size);
struct code_token code_tokens_next(struct code_tokens *t);

/* Whether it is this word or mark. */
int code_token_is(const struct code_token *token, const char *text);

#endif
