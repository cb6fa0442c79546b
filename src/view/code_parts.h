/*
 * The functions and declarations of a source text.
 *
 * A function is an outermost block in braces with what is written before it, of those that are
 * not in namespaces, classes, `extern "C"`, `impl` and the like: so a lambda belongs to
 * the function around it. All else is declarations: up to a semicolon, an enumerator, a directive
 * that defines a macro, or a call of a macro that stands apart: words in capitals before an empty
 * line or a directive. The language is not known, and there is no compiler, but equal texts have
 * equal parts. Comments and blanks make no other difference.
 */
#ifndef IRDIFF_VIEW_CODE_PARTS_H
#define IRDIFF_VIEW_CODE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_part {
	uint32_t first, last; /* lines, from 1 */
	uint64_t hash;        /* of its tokens; of an enumerator also of what gives it its value */
	uint64_t text;        /* of an enumerator: of its tokens alone */
	uint64_t base;        /* … without a value of its own: it counts from this; 0: a number */
	bool function;
	uint32_t name;  /* code_word_hash of what it declares; 0: not known */
	uint32_t owner; /* code_word_hash of the struct, class, union or enum whose member it is, if
	                   it is no function; 0: none */
	bool macro;
	bool prototype;  /* it declares a function */
	bool external;   /* it may declare data that other files of C and C++ use */
	bool exported;   /* it says pub or export, or is a macro of Rust */
	bool enumerator; /* of an enum */
	size_t word;     /* the first of its words in code_parts.words */
	size_t nwords;
};

struct code_word {
	uint32_t hash;  /* code_word_hash */
	uint32_t at;    /* where it begins in its text, in bytes */
	bool member;    /* it follows . or -> */
	bool tag;       /* it follows struct or the like */
	bool declared;  /* as a parameter, variable or member, here */
	bool local;     /* ... or elsewhere in its part, and is no tag */
	bool parameter; /* it is a parameter of its macro */
};

/* A file that #include or #import names. */
struct code_include {
	uint32_t name; /* code_word_hash, without leading ./ and ../; of "": a macro names it */
	bool beside;   /* if there is such a file in the same directory, it is meant */
};

struct code_parts {
	struct code_part *items; /* in the order of the text */
	size_t count, cap;
	struct code_word *words; /* part by part */
	size_t nwords, words_cap;
	struct code_include *includes;
	size_t nincludes, includes_cap;
};

uint32_t code_word_hash(const char *word, size_t len);
/* That of the name which the source gives a function of a profile: "make_hash" of
 * "hashbrown::map::make_hash::<u64>::{closure#0}", as closures are part of the text around them. */
uint32_t code_function_hash(const char *name);

/* How many bytes a word has in its text. */
size_t code_word_length(const struct code_word *word, const char *text, size_t size);

/* Adds the parts of a text. CG_OK or CG_ENOMEM; free with code_parts_free, also on failure. */
int code_parts_add(struct code_parts *p, const char *text, size_t size);
/* The function whose text has this line, of one text; NULL: none has. */
const struct code_part *code_part_at(const struct code_parts *p, uint32_t line);
void code_parts_free(struct code_parts *p);

#endif
