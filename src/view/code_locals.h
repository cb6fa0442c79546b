/* Private to code_parts.c: which words of a function are members, and which it declares itself. */
#ifndef IRDIFF_VIEW_CODE_LOCALS_H
#define IRDIFF_VIEW_CODE_LOCALS_H

#include "src/view/code_parts.h"
#include "src/view/code_tokens.h"

/* What the tokens before may be the beginning of. */
enum locals_state {
	LOCALS_ELSE,
	LOCALS_START, /* a statement or a parameter begins */
	LOCALS_TYPE,  /* a word, which may be a type */
	LOCALS_STAR,  /* ... with * or & after it */
	LOCALS_COMMA, /* between variables that are declared together */
};

struct code_locals {
	enum locals_state state;
	bool begins;    /* the type stands where a statement or a parameter begins */
	bool tag;       /* the last word is struct or the like */
	bool condition; /* the last word is for, if, while or the like */
	bool test;      /* it is if, while or switch */
	bool refers;    /* the last word stands between & or * and what that refers to, in Rust */
	bool initialisers; /* in the heading, after what a constructor takes */
	bool elsewhere;    /* the statement says extern */
	bool may_declare;  /* the last word, if the next token is one that follows a name */
	size_t word;       /* its place in the words */
	bool declared_now; /* the last token says that it does */
	bool declares;     /* the statement declares something */
	uint32_t depth;    /* of parentheses, brackets and braces */
	uint32_t declared; /* the depth of what the statement declares */
	uint32_t head;     /* the depth in the parentheses of a condition; 0: in none */
	bool test_head;    /* they are those of if, while or switch */
	char marks[2];     /* the last tokens, the last one first; 0: no mark */
};

/* Reads the next token of a part, which `words` contain already if it is one; `heading`: it stands
 * before the braces of a function, and before any value. */
void code_locals_read(struct code_locals *l, const struct code_token *token, bool heading,
		      struct code_word *words, size_t nwords);

/* Marks all words of a part that it declares somewhere. CG_OK or CG_ENOMEM. */
int code_locals_mark(struct code_word *words, size_t nwords, bool macro);

#endif
