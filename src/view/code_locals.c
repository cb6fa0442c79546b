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
		"return", "else",   "goto",     "case", "do",  "sizeof", "throw", "new", "delete",
		"and",    "or",     "not",      "in",   "as",  "is",     "await", "if",  "while",
		"for",    "switch", "co_await", "move", "ref", "yield",  "break", NULL
	};

	return (*token->text >= '0' && *token->text <= '9') || is_among(token, words);
}

/* The name of a type follows. */
static bool is_type_keyword(const struct code_token *token)
{
	static const char *const words[] = { "struct", "union", "enum", "class", "typename", NULL };

	return is_among(token, words);
}

static void read_word_of_locals(struct code_locals *l, const struct code_token *token,
				struct code_word *word)
{
	static const char *const conditions[] = { "for", "if", "while", "switch", "catch", NULL };
	const bool begins = l->state == LOCALS_START || (l->state == LOCALS_TYPE && l->begins);

	word->member = (l->marks[0] == '.' && l->marks[1] != '.') ||
		       (l->marks[0] == '>' && l->marks[1] == '-');
	word->tag = l->tag;
	l->tag = is_type_keyword(token);
	l->condition = is_among(token, conditions);
	l->may_declare = l->state >= LOCALS_TYPE && !l->tag;
	l->begins = begins;
	if (l->tag)
		l->state = begins ? LOCALS_START : LOCALS_ELSE;
	else
		l->state = word->member || is_no_type(token) ? LOCALS_ELSE : LOCALS_TYPE;
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
	case '{':
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

static void read_mark_of_locals(struct code_locals *l, char mark, bool heading)
{
	if (strchr(")]}", mark))
		l->depth -= l->depth > 0;
	l->state = state_after_mark(l, mark, heading);
	if (strchr("([{", mark))
		l->depth++;
	if (strchr(";{}", mark))
		l->declares = false;
	l->condition = l->tag = false;
}

void code_locals_read(struct code_locals *l, const struct code_token *token, bool heading,
		      struct code_word *words, size_t nwords)
{
	const char mark = token->kind == TOKEN_MARK ? *token->text : 0;

	if (l->may_declare && mark && strchr("=;,[):", mark)) {
		words[l->word].declared = true;
		l->declares = true;
		l->declared = l->depth;
	}
	l->may_declare = false;
	l->word = nwords - 1;
	if (token->kind == TOKEN_WORD)
		read_word_of_locals(l, token, &words[nwords - 1]);
	else if (mark)
		read_mark_of_locals(l, mark, heading);
	else
		l->state = LOCALS_ELSE;
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
