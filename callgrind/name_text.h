/* Private to the library and irdiff: characters and words in the name of a function. */
#ifndef CG_NAME_TEXT_H
#define CG_NAME_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool cg_name_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static inline bool cg_name_ends_with(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);
	return len > n && memcmp(name + len - n, suffix, n) == 0;
}

/* The length of `operator` and its symbol at name[at], whose brackets are not to be taken for
 * nesting: operator<, operator->, operator(). 0 if the word there is another. */
size_t cg_name_operator(const char *name, size_t len, size_t at);

#endif
