/* The page that shows the data, and the line of a cause. */
#include <stdlib.h>
#include <string.h>

#include "src/report/site_report.h"
#include "src/report/summary.h"
#include "src/text/xml.h"

extern const char site_template[]; /* data/site */

void site_page(const char *project, const struct site_versions *v, FILE *to)
{
	const struct {
		const char *mark, *text;
	} places[] = { { "@TITLE@", project },
		       { "@STYLE@", v->style },
		       { "@SCRIPT@", v->script },
		       { "@INDEX@", v->index } };

	for (const char *at = site_template; *at;) {
		size_t i = 0, n = sizeof places / sizeof *places;
		while (i < n && strncmp(at, places[i].mark, strlen(places[i].mark)) != 0)
			i++;
		if (i < n) {
			xml_print_text(to, places[i].text);
			at += strlen(places[i].mark);
		} else {
			fputc(*at++, to);
		}
	}
}

/* Whether a change is in the direction of that of the total. */
static bool goes_along(const struct diff_report *r, bool falls)
{
	const struct diff *d = r->diff;
	return falls == (diff_head_value(d, d->head->total) < diff_base_value(d, d->base->total));
}

/* The first one in the direction of the change: what made a count grow is not what saved most. */
static const struct cause *telling_cause(const struct diff_report *r)
{
	const struct causes *causes = r->causes;

	for (size_t i = 0; i < r->ncauses; i++) {
		const struct cause *c = &causes->items[r->chosen_causes[i]];
		if (goes_along(r, c->delta < 0))
			return c;
	}
	if (r->ncauses)
		return &causes->items[r->chosen_causes[0]];
	for (size_t i = 0; i < causes->count; i++)
		if (goes_along(r, causes->items[i].delta < 0))
			return &causes->items[i];
	return &causes->items[0];
}

static const struct diff_row *telling_function(const struct diff_report *r)
{
	const struct diff *d = r->diff;

	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &d->rows[r->rows[i]];
		if (goes_along(r, diff_head_value(d, row->head.self) <
					  diff_base_value(d, row->base.self)))
			return row;
	}
	return &d->rows[r->rows[0]];
}

static void print_site_cause(const struct diff_report *r, FILE *to)
{
	if (r->causes && r->causes->count) {
		const struct cause *c = telling_cause(r);
		if (!r->ncauses && r->causes->count > 1)
			fprintf(to, "the largest %s of %zu changes: ",
				c->delta < 0 ? "decrease" : "increase", r->causes->count);
		summary_print_cause(r, c, 0, to);
	} else if (r->nrows) {
		fputs("callers unknown; ", to);
		summary_print_function(r, telling_function(r), 0, to);
	} else {
		fputs("no ", to);
		summary_print_no_rows(r, to);
	}
}

char *site_cause(const struct diff_report *r)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return NULL;
	print_site_cause(r, to);
	if (fclose(to) == 0)
		return line;
	free(line);
	return NULL;
}
