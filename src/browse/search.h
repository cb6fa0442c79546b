/* Which rows of a table match a regular expression, and which have one below them. */
#ifndef IRDIFF_BROWSE_SEARCH_H
#define IRDIFF_BROWSE_SEARCH_H

#include "src/browse/outline.h"
#include "src/view/pattern.h"

struct row_search;

/* Tries all rows at once, each function of a table once. The data must outlive the result. Errors:
 * CG_ENOMEM, and those of patterns. */
int search_make(const struct browse_data *data, const char *regex, struct row_search **out,
		struct cg_error *err);
void search_free(struct row_search *s);

/* What an outline of a table looks for. */
struct outline_search search_functions(const struct row_search *s);
struct outline_search search_paths(const struct row_search *s);

/* Whether a row, or a line of source, shows what is looked for; false if that cannot be told. */
bool search_matches_row(const struct row_search *s, const struct browse_row *row);
bool search_matches_text(const struct row_search *s, const char *text);

#endif
