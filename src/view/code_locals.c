#include "src/view/code_locals.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

static bool is_among(const struct code_token *token, const char *const *words)
{
	while (*words && !code_token_is(token, *words))
		words++;
	return *words != NULL;
}

/* After these a name is used, not declared; and a number is no type. */
static bool is_no_type(const struct code_token *token)
{
	static const char *const words[] = {
		"return",    "else",     "goto",       "case",   "do",  "sizeof", "throw",
		"new",       "delete",   "and",        "or",     "not", "in",     "as",
		"is",        "await",    "if",         "while",  "for", "switch", "co_await",
		"move",      "ref",      "yield",      "break",  "pub", "dyn",    "impl",
		"co_return", "co_yield", "instanceof", "orelse", NULL
	};

	return (*token->text >= '0' && *token->text <= '9') || is_among(token, words);
}

/* The name of a type follows. */
static bool is_type_keyword(const struct code_token *token)
{
	static const char *const words[] = { "struct", "union", "enum", "class", "typename", NULL };

	return is_among(token, words);
}

/* In &mut X, &'a mut X, &raw const X and *const X of Rust X is used. After a type of C++, "* const"
 * is followed by what is declared. */
static bool is_reference(const struct code_locals *l, const struct code_token *token)
{
	static const char *const words[] = { "mut", "raw", NULL };
	const char mark = l->marks[0], before = l->marks[1];

	if (mark == '\'')
		return true;
	if (code_token_is(token, "const"))
		return l->refers || (mark == '*' && before && strchr(":(,<=", before));
	return (mark == '&' || mark == '*' || l->refers) && is_among(token, words);
}

/* After a heading "->" stands before a type. */
static bool is_member_word(const struct code_locals *l, bool heading)
{
	return (l->marks[0] == '.' && l->marks[1] != '.') ||
	       (!heading && l->marks[0] == '>' && l->marks[1] == '-');
}

static void read_keyword_of_locals(struct code_locals *l, const struct code_token *token,
				   bool heading)
{
	static const char *const conditions[] = { "for", "catch", NULL };
	static const char *const tests[] = { "if", "while", "switch", NULL };

	l->tag = is_type_keyword(token);
	l->test = is_among(token, tests);
	l->condition = l->test || is_among(token, conditions);
	l->refers = is_reference(l, token);
	l->elsewhere |= !heading && code_token_is(token, "extern");
}

static void read_word_of_locals(struct code_locals *l, const struct code_token *token, bool heading,
				struct code_word *word)
{
	const bool begins = l->state == LOCALS_START || (l->state == LOCALS_TYPE && l->begins);

	word->member = is_member_word(l, heading);
	word->tag = l->tag;
	read_keyword_of_locals(l, token, heading);
	l->may_declare = l->state >= LOCALS_TYPE && !l->tag && !l->elsewhere;
	l->begins = begins;
	if (l->tag)
		l->state = begins ? LOCALS_START : LOCALS_ELSE;
	else
		l->state = word->member || l->refers || is_no_type(token) ? LOCALS_ELSE
									  : LOCALS_TYPE;
}

/* What is between the braces of a value declares nothing. */
static enum locals_state state_in_braces(const struct code_locals *l)
{
	if (l->marks[0] == '{')
		return l->state;
	return l->marks[0] == '=' || l->marks[0] == ',' ? LOCALS_ELSE : LOCALS_START;
}

static enum locals_state state_after_mark(const struct code_locals *l, char mark, bool heading)
{
	switch (mark) {
	case '*':
	case '&':
		return l->state == LOCALS_STAR || l->state == LOCALS_COMMA ||
				       (l->state == LOCALS_TYPE && l->begins)
			       ? LOCALS_STAR
			       : LOCALS_ELSE;
	case ';':
		return l->head && l->head == l->depth ? LOCALS_ELSE : LOCALS_START;
	case '{':
		return state_in_braces(l);
	case '}':
		return LOCALS_START;
	case '(':
		return heading || l->condition ? LOCALS_START : LOCALS_ELSE;
	case ',':
		if (heading && l->depth)
			return LOCALS_START;
		return l->declares && l->declared == l->depth ? LOCALS_COMMA : LOCALS_ELSE;
	default:
		return LOCALS_ELSE;
	}
}

static void read_bracket_of_locals(struct code_locals *l, char mark)
{
	if (strchr("([{", mark))
		l->depth++;
	if (mark == '(' && l->condition) {
		l->head = l->depth;
		l->test_head = l->test;
	}
}

static void read_mark_of_locals(struct code_locals *l, char mark, bool heading)
{
	/* Foo::Foo(int n) : size(n * LIMIT) */
	l->initialisers |= heading && mark == ':' && l->marks[0] == ')' && !l->depth;
	if (strchr(")]}", mark)) {
		l->head = l->head == l->depth ? 0 : l->head;
		l->depth -= l->depth > 0;
	}
	l->state = state_after_mark(l, mark, heading);
	read_bracket_of_locals(l, mark);
	if (strchr(";{}", mark))
		l->declares = l->elsewhere = false;
	l->condition = l->tag = l->refers = false;
}

/* Whether the last word, which may be a name that is declared, is one if this mark follows. */
static bool ends_declared_name(const struct code_locals *l, char mark)
{
	/* if (flags & MASK) */
	const bool test = l->head && l->head == l->depth && l->test_head;

	return mark && strchr(test ? "=" : "=;,[):", mark);
}

static void declare_local(struct code_locals *l, char mark, struct code_word *words)
{
	/* It is compared, or a scope. */
	if (l->declared_now && (mark == '=' || mark == ':') && mark == l->marks[0])
		words[l->word].declared = l->declares = false;
	l->declared_now = l->may_declare && ends_declared_name(l, mark);
	if (l->declared_now) {
		words[l->word].declared = l->declares = true;
		l->declared = l->depth;
	}
	l->may_declare = false;
}

void code_locals_read(struct code_locals *l, const struct code_token *token, bool heading,
		      struct code_word *words, size_t nwords)
{
	const char mark = token->kind == TOKEN_MARK ? *token->text : 0;

	heading = heading && !l->initialisers;
	declare_local(l, mark, words);
	if (token->kind == TOKEN_WORD) {
		l->word = nwords - 1;
		read_word_of_locals(l, token, heading, &words[nwords - 1]);
	} else if (mark) {
		read_mark_of_locals(l, mark, heading);
	} else {
		l->state = LOCALS_ELSE;
	}
	l->marks[1] = l->marks[0];
	l->marks[0] = mark;
}

static int compare_local_names(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

int code_locals_mark(struct code_word *words, size_t nwords, bool macro)
{
	uint32_t *names = malloc((nwords + 1) * sizeof *names);
	size_t count = 0;

	if (!names)
		return CG_ENOMEM;
	for (size_t i = 0; i < nwords; i++)
		if (words[i].declared)
			names[count++] = words[i].hash;
	qsort(names, count, sizeof *names, compare_local_names);
	for (size_t i = 0; count && i < nwords; i++) {
		words[i].local = !words[i].tag &&
				 bsearch(&words[i].hash, names, count, sizeof *names,
					 compare_local_names) != NULL;
		words[i].parameter = macro && words[i].local;
	}
	free(names);
	return CG_OK;
}
