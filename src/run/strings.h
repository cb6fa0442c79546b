/* A growing list of texts, NULL-terminated once there is one: an argv. */
#ifndef IRDIFF_RUN_STRINGS_H
#define IRDIFF_RUN_STRINGS_H

#include <stddef.h>

#include "cgprofile/error.h"

struct strings {
	char **items;
	size_t count;
	size_t cap;
};

/* Appends a copy of a text, or of what a format gives. */
int strings_add(struct strings *strings, const char *text, struct cg_error *err);
int strings_addf(struct strings *strings, struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends copies of all texts of another list. */
int strings_add_all(struct strings *strings, const struct strings *from, struct cg_error *err);

/* All texts, separated by spaces. NULL: out of memory. */
char *strings_join(const struct strings *strings);
/* The words of a command, as a user would type them into a shell. NULL: out of memory. */
char *strings_quote(const char *const *argv);
void strings_free(struct strings *strings);

/* The rest of a text after a prefix; NULL if it does not begin with it. */
const char *text_after(const char *text, const char *prefix);

#endif
