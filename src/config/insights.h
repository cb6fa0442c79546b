/* Reading rules of insights: data/insights.yml and files like it. */
#ifndef IRDIFF_CONFIG_INSIGHTS_H
#define IRDIFF_CONFIG_INSIGHTS_H

#include "src/insight/rule.h"

#define INSIGHTS_BYTES_MAX (1024 * 1024)

/* Rules and all their texts. */
struct rule_book;

/* Parses a file's text; `path` is for messages and is copied. On failure *book is untouched.
 * Regexes are compiled by whoever uses them. */
int rule_book_parse(const char *text, size_t len, const char *path, struct rule_book **book,
		    struct cg_error *err);
/* The same for a file. */
int rule_book_load(const char *path, struct rule_book **book, struct cg_error *err);
/* irdiff's own rules, data/insights.yml. */
int rule_book_builtin(struct rule_book **book, struct cg_error *err);
const struct insight_rules *rule_book_rules(const struct rule_book *book);
void rule_book_free(struct rule_book *book);

#endif
