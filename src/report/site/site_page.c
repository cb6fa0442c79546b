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

/* The first one in the direction of the change: what made a count grow is not what saved most. */
static const struct cause *telling_cause(const struct diff_report *r)
{
	const struct causes *causes = r->causes;

	for (size_t i = 0; i < r->ncauses; i++) {
		const struct cause *c = &causes->items[r->chosen_causes[i]];
		if ((c->delta < 0) == (causes->delta < 0))
			return c;
	}
	return &causes->items[r->chosen_causes[0]];
}

char *site_cause(const struct diff_report *r)
{
	char *line = NULL;
	size_t size;

	if (!r->causes || !r->ncauses)
		return NULL;
	FILE *to = open_memstream(&line, &size);
	if (!to)
		return NULL;
	summary_print_cause(r, telling_cause(r), 0, to);
	if (fclose(to) == 0)
		return line;
	free(line);
	return NULL;
}
