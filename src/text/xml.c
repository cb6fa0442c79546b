#include "src/text/xml.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;"; /* HTML 4 has no &apos; */
	default:
		return NULL;
	}
}

/* U+FFFE or U+FFFF in valid UTF-8. */
static bool is_forbidden(const char *at)
{
	return strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0;
}

void xml_print_safe(FILE *to, const char *safe)
{
	for (const char *c = safe; *c; c++) {
		const char *text = entity(*c);
		if (text) {
			fputs(text, to);
		} else if (is_forbidden(c)) {
			fprintf(to, "\\xef\\xbf\\x%02x", (unsigned char)c[2]);
			c += 2;
		} else {
			fputc(*c, to);
		}
	}
}

void xml_print_text(FILE *to, const char *text)
{
	char *safe = text ? text_safe(text) : NULL;
	if (safe)
		xml_print_safe(to, safe);
	else if (text)
		fputs("(out of memory)", to);
	free(safe);
}
