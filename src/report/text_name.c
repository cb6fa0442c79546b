#include "src/report/text_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/text.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether an operator's own name begins here, whose < > ( ) - are no parentheses. */
static size_t operator_length(const char *start, const char *at)
{
	static const char word[] = "operator";
	size_t len = sizeof word - 1;

	if (strncmp(at, word, len) != 0 || (at > start && is_word(at[-1])))
		return 0;
	if (strncmp(at + len, "()", 2) == 0)
		return len + 2;
	return len + strspn(at + len, "<>=-");
}

/* The end of a list that opens at `at`, behind its last character; NULL if it does not close, or
 * holds nothing. */
static const char *list_end(const char *at, char open, char close)
{
	size_t depth = 0, inside = 0;

	for (const char *c = at; *c; c++) {
		if (open != '(' && (*c == '(' || (*c == ')' && inside))) {
			inside += *c == '(' ? 1 : (size_t)-1;
			continue;
		}
		/* In (a > b) or c->d a > closes nothing. */
		if (inside || (*c == '>' && c > at && c[-1] == '-'))
			continue;
		depth += *c == open;
		if (*c == close && --depth == 0)
			return c > at + 1 ? c + 1 : NULL;
	}
	return NULL;
}

/* Template arguments follow a name or "::", parameters a name, its arguments or operator(). What
 * stands alone, "(anonymous namespace)" or "<T as Trait>", is a name itself. */
static bool may_open(const char *start, const char *at, char open)
{
	if (at == start)
		return false;
	return is_word(at[-1]) || (open == '<' ? at[-1] == ':' : at[-1] == '>' || at[-1] == ')' ||
								strchr("=-<", at[-1]) != NULL);
}

static char *collapse(const char *name, char open, char close)
{
	static const char ellipsis[] = "…";
	char *text = malloc(2 * strlen(name) + 1);
	size_t used = 0;

	if (!text)
		return NULL;
	for (const char *c = name; *c;) {
		size_t own = operator_length(name, c);
		const char *end = own == 0 && *c == open && may_open(name, c, open) ?
					  list_end(c, open, close) : NULL;
		size_t len = own ? own : 1;
		memcpy(text + used, c, len);
		used += len;
		if (end) {
			memcpy(text + used, ellipsis, sizeof ellipsis - 1);
			used += sizeof ellipsis - 1;
			text[used++] = close;
			c = end;
		} else {
			c += len;
		}
	}
	text[used] = '\0';
	return text;
}

static bool fits(const char *text, unsigned width)
{
	return width == 0 || text_width(text) <= width;
}

char *text_short_name(const char *name, unsigned width)
{
	char *whole = text_safe(name), *shown = NULL;
	char *plain = NULL, *bare = NULL, *both = NULL;

	if (!whole || fits(whole, width))
		return whole;
	plain = collapse(whole, '(', ')');
	bare = collapse(whole, '<', '>');
	both = bare ? collapse(bare, '(', ')') : NULL;
	if (plain && both) {
		const char *best = fits(plain, width) ? plain : fits(bare, width) ? bare : both;
		shown = text_cut(best, width);
	}
	free(whole);
	free(plain);
	free(bare);
	free(both);
	return shown;
}
