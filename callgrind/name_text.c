#include "callgrind/name_text.h"

/* Demanglers write a blank before template arguments that follow a < ("operator< <int>"), so the
 * longest symbol is the right one. */
size_t cg_name_operator(const char *text, size_t len, size_t at)
{
	static const char word[] = "operator";
	static const char *const symbols[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=",
					       ">=",  "->",  "()",  "[]",  "<",  ">" };
	size_t n = sizeof word - 1;

	if (len - at <= n || memcmp(text + at, word, n) != 0 || cg_name_is_word(text[at + n]) ||
	    (at > 0 && cg_name_is_word(text[at - 1])))
		return 0;
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		size_t m = strlen(symbols[i]);
		if (len - at - n >= m && memcmp(text + at + n, symbols[i], m) == 0)
			return n + m;
	}
	return n;
}
