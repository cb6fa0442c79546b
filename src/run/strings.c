#include "src/run/strings.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

/* Takes over `text`, which may be NULL after a failed allocation. */
static int append_text_taken(struct strings *strings, char *text, struct cg_error *err)
{
	if (!text ||
	    cg_grow(&strings->items, &strings->cap, strings->count + 2, sizeof *strings->items)) {
		free(text);
		return cg_fail_nomem(err);
	}
	strings->items[strings->count++] = text;
	strings->items[strings->count] = NULL;
	return CG_OK;
}

int strings_add(struct strings *strings, const char *text, struct cg_error *err)
{
	return append_text_taken(strings, strdup(text), err);
}

int strings_addf(struct strings *strings, struct cg_error *err, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	return append_text_taken(strings, text, err);
}

int strings_add_all(struct strings *strings, const struct strings *from, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < from->count; i++)
		status = strings_add(strings, from->items[i], err);
	return status;
}

char *strings_join(const struct strings *strings)
{
	size_t size = 1;

	for (size_t i = 0; i < strings->count; i++)
		size += strlen(strings->items[i]) + 1;
	char *text = malloc(size);
	if (!text)
		return NULL;
	size_t used = 0;
	for (size_t i = 0; i < strings->count; i++) {
		size_t len = strlen(strings->items[i]);
		if (i)
			text[used++] = ' ';
		memcpy(text + used, strings->items[i], len);
		used += len;
	}
	text[used] = '\0';
	return text;
}

char *strings_quote(const char *const *argv)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_@%+=:,./-";
	size_t size = 1;

	for (const char *const *arg = argv; *arg; arg++)
		for (const char *p = *arg;; p++) {
			size += *p == '\'' ? 4 : *p ? 1 : 3; /* '\'' or quotes and space */
			if (!*p)
				break;
		}
	char *text = malloc(size), *out = text;
	for (const char *const *arg = argv; text && *arg; arg++) {
		bool quoted = !**arg || (*arg)[strspn(*arg, bare)];
		if (arg != argv)
			*out++ = ' ';
		if (quoted)
			*out++ = '\'';
		for (const char *p = *arg; *p; p++) {
			if (*p == '\'') {
				memcpy(out, "'\\''", 4);
				out += 4;
			} else {
				*out++ = *p;
			}
		}
		if (quoted)
			*out++ = '\'';
	}
	if (text)
		*out = '\0';
	return text;
}

void strings_free(struct strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->items[i]);
	free(strings->items);
	*strings = (struct strings){ 0 };
}

const char *text_after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
}
