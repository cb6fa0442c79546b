#include "src/browse/search.h"

#include <stdlib.h>

/* Per row of a table. */
struct found_rows {
	bool *matches, *leads;
};

struct row_search {
	struct pattern *pattern;
	struct found_rows functions, paths;
};

static int row_matches_pattern(const struct pattern *p, const struct browse_row *row, bool *matches,
			       struct cg_error *err)
{
	return pattern_matches_name(p, row->object, row->file, row->name, matches, err);
}

/* Most rows of a tree are of a function that was tried before. */
static int try_rows(const struct pattern *pattern, const struct browse_table *t,
		    struct found_rows *f, struct cg_error *err)
{
	enum { UNKNOWN, NO, YES };
	uint32_t most = 0;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t function = t->row(t->of, i).function;
		most = function > most ? function : most;
	}
	unsigned char *known = calloc((size_t)most + 1, 1);
	int status = known ? CG_OK : cg_fail_nomem(err);

	for (uint32_t i = 1; !status && i < t->count; i++) {
		struct browse_row row = t->row(t->of, i);
		unsigned char *of = &known[row.function];
		f->matches[i] = *of == YES;
		if (*of == UNKNOWN)
			status = row_matches_pattern(pattern, &row, &f->matches[i], err);
		if (row.function)
			*of = f->matches[i] ? YES : NO;
	}
	free(known);
	return status;
}

static int search_table(const struct pattern *pattern, const struct browse_table *t,
			struct found_rows *f, struct cg_error *err)
{
	f->matches = calloc(t->count, sizeof *f->matches);
	f->leads = calloc(t->count, sizeof *f->leads);
	if (!f->matches || !f->leads)
		return cg_fail_nomem(err);
	int status = try_rows(pattern, t, f, err);
	for (uint32_t i = t->count; !status && i-- > 1;)
		f->leads[t->row(t->of, i).parent] |= f->matches[i] || f->leads[i];
	return status;
}

int search_make(const struct browse_data *data, const char *regex, struct row_search **out,
		struct cg_error *err)
{
	struct row_search *s = calloc(1, sizeof *s);
	int status = s ? pattern_compile(regex, &s->pattern, err) : cg_fail_nomem(err);

	if (!status)
		status = search_table(s->pattern, &data->functions, &s->functions, err);
	if (!status)
		status = search_table(s->pattern, &data->paths, &s->paths, err);
	if (status)
		search_free(s);
	else
		*out = s;
	return status;
}

void search_free(struct row_search *s)
{
	if (!s)
		return;
	free(s->functions.matches);
	free(s->functions.leads);
	free(s->paths.matches);
	free(s->paths.leads);
	pattern_free(s->pattern);
	free(s);
}

static bool row_matches(const void *of, uint32_t row)
{
	const struct found_rows *f = of;
	return f->matches[row];
}

static bool row_leads(const void *of, uint32_t row)
{
	const struct found_rows *f = of;
	return f->leads[row];
}

struct outline_search search_functions(const struct row_search *s)
{
	return (struct outline_search){ &s->functions, row_matches, row_leads };
}

struct outline_search search_paths(const struct row_search *s)
{
	return (struct outline_search){ &s->paths, row_matches, row_leads };
}

bool search_matches_row(const struct row_search *s, const struct browse_row *row)
{
	bool matches;
	return !row_matches_pattern(s->pattern, row, &matches, NULL) && matches;
}

bool search_matches_text(const struct row_search *s, const char *text)
{
	bool matches;
	return !pattern_matches(s->pattern, text, &matches, NULL) && matches;
}
