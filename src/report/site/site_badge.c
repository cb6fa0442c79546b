/* Badges: a label and a message in two fields beside each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/report/site_report.h"
#include "src/text/text.h"
#include "src/text/xml.h"

enum { BADGE_HEIGHT = 20, BADGE_EDGE = 6, BADGE_CHARACTERS = 40 };
#define BADGE_CHARACTER 6.6 /* width of one, which the browser adjusts */

/* On all of them, white text has enough contrast. */
#define BADGE_LABEL "#444c56"
#define BADGE_PLAIN "#57606a"
#define BADGE_WORSE "#b92f17"
#define BADGE_BETTER "#00695c"

static unsigned badge_width(const char *text)
{
	return (unsigned)ceil((double)text_width(text) * BADGE_CHARACTER) + 2 * BADGE_EDGE;
}

static void print_badge_field(FILE *to, unsigned x, unsigned width, const char *text)
{
	fprintf(to, "<text x=\"%u\" y=\"14\" textLength=\"%u\" lengthAdjust=\"spacingAndGlyphs\">",
		x + BADGE_EDGE, width - 2 * BADGE_EDGE);
	xml_print_safe(to, text);
	fputs("</text>\n", to);
}

/* The texts are safe. */
static void print_badge(const char *label, const char *message, const char *color, FILE *to)
{
	unsigned left = badge_width(label), right = badge_width(message);

	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%d\" role=\"img\">\n"
		"<title>",
		left + right, BADGE_HEIGHT);
	xml_print_safe(to, label);
	fputs(": ", to);
	xml_print_safe(to, message);
	fprintf(to,
		"</title>\n"
		"<clipPath id=\"r\"><rect width=\"%u\" height=\"%d\" rx=\"3\"/></clipPath>\n"
		"<g clip-path=\"url(#r)\"><rect width=\"%u\" height=\"%d\" fill=\"" BADGE_LABEL
		"\"/><rect x=\"%u\" width=\"%u\" height=\"%d\" fill=\"%s\"/></g>\n"
		"<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n",
		left + right, BADGE_HEIGHT, left, BADGE_HEIGHT, left, right, BADGE_HEIGHT, color);
	print_badge_field(to, 0, left, label);
	print_badge_field(to, left, right, message);
	fputs("</g>\n</svg>\n", to);
}

int site_bench_badge(const struct site_summary *s, FILE *to)
{
	const struct series_point *p = s->last;
	char count[TEXT_NUMBER], change[TEXT_NUMBER], *message = NULL;
	char *label = text_cut(s->name, BADGE_CHARACTERS), *metric = text_cut(s->metric, 0);
	bool step = p->step != STEP_NONE;

	if (!label || !metric ||
	    asprintf(&message, "%s %s%s%s", text_cost(p->count, count), metric, step ? ", " : "",
		     step ? text_change(p->previous->count, p->count, change) : "") < 0)
		message = NULL;
	if (message)
		print_badge(label, message,
			    p->step == STEP_REGRESSED  ? BADGE_WORSE
			    : p->step == STEP_IMPROVED ? BADGE_BETTER
						       : BADGE_PLAIN,
			    to);
	int status = message ? CG_OK : CG_ENOMEM;
	free(message);
	free(metric);
	free(label);
	return status;
}

/* Whether a benchmark was measured at the newest commit, and that is a step, or none. */
static bool is_now(const struct site_index *i, const struct site_summary *s, enum series_step step)
{
	return s->last->number == i->newest->number && s->last->step == step;
}

int site_project_badge(const struct site_index *i, FILE *to)
{
	size_t worse = 0, better = 0, same = 0;
	char *message;

	for (size_t k = 0; k < i->count; k++) {
		worse += is_now(i, &i->benches[k], STEP_REGRESSED);
		better += is_now(i, &i->benches[k], STEP_IMPROVED);
		same += is_now(i, &i->benches[k], STEP_NONE);
	}
	int len = worse && better ? asprintf(&message, "%zu regressed, %zu improved", worse, better)
		  : worse         ? asprintf(&message, "%zu regressed", worse)
		  : better        ? asprintf(&message, "%zu improved", better)
				  : asprintf(&message, "%zu unchanged", same);
	if (len < 0)
		return CG_ENOMEM;
	print_badge("irdiff", message,
		    worse    ? BADGE_WORSE
		    : better ? BADGE_BETTER
			     : BADGE_PLAIN,
		    to);
	free(message);
	return CG_OK;
}
