#include "src/report/csv/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

static void begin_field(struct csv *c)
{
	if (c->begun)
		fputc(',', c->to);
	c->begun = true;
}

static bool needs_quotes(const char *safe)
{
	size_t len = strlen(safe);
	return strpbrk(safe, ",\"") || (len && (safe[0] == ' ' || safe[len - 1] == ' '));
}

static void print_field(struct csv *c, const char *lead, const char *safe)
{
	bool quotes = needs_quotes(safe);

	fputs(quotes ? "\"" : "", c->to);
	fputs(lead, c->to);
	for (; *safe; safe++) {
		fputs(*safe == '"' ? "\"" : "", c->to);
		fputc(*safe, c->to);
	}
	fputs(quotes ? "\"" : "", c->to);
}

void csv_text(struct csv *c, const char *text)
{
	char *safe = text_safe(text ? text : "");

	begin_field(c);
	if (safe)
		print_field(c, *safe && strchr("=+-@'", *safe) ? "'" : "", safe);
	else
		c->failed = true;
	free(safe);
}

void csv_place(struct csv *c, const char *name)
{
	csv_text(c, strcmp(name, "???") == 0 ? NULL : name);
}

void csv_title(struct csv *c, const char *lead, const char *event)
{
	char *title, *safe = NULL;

	begin_field(c);
	if (asprintf(&title, "%s%s", lead, event) < 0)
		title = NULL;
	if (title)
		safe = text_safe(title);
	if (safe)
		print_field(c, "", safe);
	else
		c->failed = true;
	free(safe);
	free(title);
}

void csv_cost(struct csv *c, int64_t cost)
{
	begin_field(c);
	fprintf(c->to, "%" PRId64, cost);
}

void csv_count(struct csv *c, uint64_t count)
{
	begin_field(c);
	fprintf(c->to, "%" PRIu64, count);
}

void csv_nothing(struct csv *c)
{
	begin_field(c);
}

void csv_end_line(struct csv *c)
{
	fputs("\r\n", c->to);
	c->begun = false;
}
