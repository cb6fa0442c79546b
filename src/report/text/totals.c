#include "src/report/text/totals.h"

#include <string.h>

#include "src/report/text/table.h"

enum { NAME_WIDTH = 24, NUMBER_WIDTH = 14 }; /* what they take as a rule */
enum { MOST_NUMBERS = 7 };

static size_t events_that_fit(const struct cg_profile *p, const struct text_style *style)
{
	size_t fit = MOST_NUMBERS;

	if (!style->wide && style->width > NAME_WIDTH)
		fit = (style->width - NAME_WIDTH) / NUMBER_WIDTH;
	fit = fit < 1 ? 1 : fit > MOST_NUMBERS ? MOST_NUMBERS : fit;
	return p->nevents < fit ? p->nevents : fit;
}

static const char *count_of(const struct cg_profile *p, const char *event, char text[TEXT_NUMBER])
{
	for (uint32_t e = 0; e < p->nevents; e++)
		if (strcmp(cg_string(p, p->events[e].name), event) == 0)
			return text_cost(p->total[e], text);
	return "–";
}

static bool has_event(const struct cg_profile *p, const char *event)
{
	for (uint32_t e = 0; e < p->nevents; e++)
		if (strcmp(cg_string(p, p->events[e].name), event) == 0)
			return true;
	return false;
}

/* A heap has no event in common with the instructions of the same program. */
static bool has_others(const struct cg_profile *p, const struct cg_profile *first)
{
	return !has_event(p, cg_string(first, first->events[0].name));
}

/* Those that have the first event of rows[first]. */
static int print_alike(const struct totals_row *rows, size_t count, size_t first,
		       const struct text_style *style, FILE *to)
{
	char align[TEXT_MAX_CELLS + 1] = "";
	const char *titles[TEXT_MAX_CELLS], *cells[TEXT_MAX_CELLS];
	char numbers[TEXT_MAX_CELLS][TEXT_NUMBER];
	struct text_table t;
	const struct cg_profile *p = rows[first].profile;
	size_t n = events_that_fit(p, style);

	memset(align, 'r', n);
	align[n] = 'l';
	int status = text_table_init(&t, count + 1, align);
	for (size_t e = 0; e < n; e++)
		titles[e] = cg_string(p, p->events[e].name);
	titles[n] = "";
	if (!status)
		status = text_table_add(&t, text_dim(style), titles);
	for (size_t i = first; !status && i < count; i++) {
		if (has_others(rows[i].profile, p))
			continue;
		for (size_t e = 0; e < n; e++)
			cells[e] = count_of(rows[i].profile, titles[e], numbers[e]);
		cells[n] = rows[i].name;
		status = text_table_add(&t, "", cells);
	}
	if (!status)
		text_table_print(&t, style, to);
	text_table_free(&t);
	return status;
}

int totals_text(const struct totals_row *rows, size_t count, const struct text_style *style,
		FILE *to)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		size_t before = 0;
		while (before < i && has_others(rows[i].profile, rows[before].profile))
			before++;
		if (before < i)
			continue;
		if (i)
			putc('\n', to);
		status = print_alike(rows, count, i, style, to);
	}
	return status;
}
