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

char *site_cause(const struct diff_report *r)
{
	char *line = NULL;
	size_t size;

	if (!r->causes || !r->ncauses)
		return NULL;
	FILE *to = open_memstream(&line, &size);
	if (!to)
		return NULL;
	summary_print_cause(r, &r->causes->items[r->chosen_causes[0]], 0, to);
	if (fclose(to) == 0)
		return line;
	free(line);
	return NULL;
}
