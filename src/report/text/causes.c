#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/report/cancelled.h"
#include "src/report/cause_change.h"
#include "src/report/cause_words.h"
#include "src/report/estimates.h"
#include "src/report/summary.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

enum { CAUSE_OPTIONS = 60 }; /* of a buffer for them */

static bool shows_estimated_causes(const struct diff_report *r, size_t shown)
{
	for (size_t i = 0; i < shown; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

/* What causes are where callers are not known; free() it. NULL: they are, or out of memory. */
static char *format_lack_of_callers(const struct diff_report *r, size_t shown)
{
	const bool estimated = shows_estimated_causes(r, shown);
	const char *are = estimates_replaced(r);
	char *text;

	if (!*are && !estimated)
		return NULL;
	char *why = r->without_inlined && !estimated ? strdup("")
						     : estimates_explain(r->causes->tree);
	if (!why || asprintf(&text, "%s%s%s%s.", are, *are && estimated ? "; " : "",
			     estimated ? "~ marks estimates" : "", why) < 0)
		text = NULL;
	free(why);
	return text;
}

static void print_causes_title(const struct diff_report *r, size_t shown,
			       const struct text_style *style, FILE *to)
{
	char *lack = format_lack_of_callers(r, shown);
	char delta[TEXT_NUMBER];

	fprintf(to, "\nCauses of the change (%s ", text_delta(0, r->causes->delta, delta));
	text_print_name(to, r->diff->options.metric, 0);
	fputs(r->causes->delta ? ")\n" : ", as they cancel each other)\n", to);
	if (lack && text_print_wrapped(to, lack, style->wide ? 0 : style->width, 0))
		fprintf(to, "%s\n", lack);
	free(lack);
}

/* The options that together show all causes; `n` are missing, of which `hidden` are large. At most
 * `most` have room, also of small ones. "": there are no such options. */
static const char *format_cause_options(const struct diff_report *r, size_t n, size_t hidden,
					size_t most, char buffer[CAUSE_OPTIONS])
{
	bool small = n > hidden && !r->fixed_threshold;
	size_t room = r->top_limit && r->top_limit < most ? r->top_limit : most;
	bool many = hidden || (small && r->ncauses + r->causes_smaller > room);

	snprintf(buffer, CAUSE_OPTIONS, "%s%s", many ? " --top=0" : "",
		 small ? summary_small_options(r) : "");
	return buffer;
}

/* What is missing for the rows to add up, and how to see it. */
static void print_ranked_smaller_causes(const struct diff_report *r, size_t shown, size_t most,
					const struct text_style *style, FILE *to)
{
	enum { ONE_LINE = 110 };
	bool narrow = !style->wide && style->width && style->width < ONE_LINE;
	size_t hidden = r->causes_hidden + r->ncauses - shown;
	size_t n = r->causes_smaller + r->ncauses - shown;
	int64_t sum = summary_smaller_causes(r, shown);
	char delta[TEXT_NUMBER], share[TEXT_NUMBER], options[CAUSE_OPTIONS];

	if (n == 0)
		return;
	fprintf(to, "  … and %zu smaller cause%s %s", n, n == 1 ? "," : "s, together",
		text_delta(0, sum, delta));
	if (summary_has_shares(r->causes)) {
		fprintf(to, " (%s)", text_part(sum, r->causes->delta, share));
	}
	if (*format_cause_options(r, n, hidden, most, options))
		fprintf(to, ";%ssee %s with%s", narrow ? "\n    " : " ", n == 1 ? "it" : "them",
			options);
	fputc('\n', to);
}

static unsigned columns_of_names(const struct text_style *style)
{
	return style->wide ? 0 : TEXT_SENTENCE_NAME;
}

/* "160,000 → 720,000 calls, " and what follows it, in one text each, so that it is known how wide
 * they are. NULL: out of memory; free() it. */
static char *format_cause_part(const struct diff_report *r, const struct cause *c, bool delta,
			       unsigned names)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (delta) {
		cause_print_delta(c, to);
		cause_print_share(r->causes, c, to);
	} else {
		cause_print_change(r->causes, c, names, to);
		fputs(", ", to);
	}
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

enum { CAUSE_INDENT = 2, CAUSE_BELOW = 6 };

/* The name alone in its line, if the rest would leave it too little room, or, in a line of any
 * width, if the rest would be out of sight. */
static int print_cause_line(const struct diff_report *r, const struct cause *c, unsigned width,
			    const struct text_style *style, FILE *to)
{
	enum { LEAST = 32, COLON = 2 };
	char *change = format_cause_part(r, c, false, columns_of_names(style));
	char *delta = format_cause_part(r, c, true, 0);
	char *name = cause_name(r, c, 0);
	int status = change && delta && name ? CG_OK : CG_ENOMEM;

	if (!status) {
		unsigned around = CAUSE_INDENT + COLON +
				  (unsigned)(text_width(change) + text_width(delta));
		bool fits = !width || around + text_width(name) <= width;
		bool below = width ? !fits && around + LEAST > width
				   : text_width(name) > TEXT_NAME_IN_LINE;
		unsigned room = fits ? 0 : below ? width - CAUSE_INDENT - COLON : width - around;
		free(name);
		name = cause_name(r, c, room);
		status = name ? CG_OK : CG_ENOMEM;
		if (!status)
			fprintf(to, "%*s%s:%s%*s%s%s%s%s\n", CAUSE_INDENT, "", name,
				below ? "\n" : " ", below ? CAUSE_BELOW : 0, "", change,
				c->delta > 0 ? text_red(style) : text_green(style), delta,
				text_plain(style));
	}
	free(change);
	free(delta);
	free(name);
	return status;
}

/* Where it is, and what else is to know. */
static int print_below_cause(const struct diff_report *r, size_t i, unsigned width,
			     const struct text_style *style, FILE *to)
{
	const struct cause *c = &r->causes->items[r->chosen_causes[i]];
	const struct cause_place *at = cause_place_of(r, i);
	char *notes = NULL;
	size_t size;
	FILE *text = open_memstream(&notes, &size);

	if (!text)
		return CG_ENOMEM;
	if (at) {
		cause_print_place(at, text);
		cause_print_edit_mark(c, text);
	}
	cause_print_notes(r->causes, c, at ? "; " : "", columns_of_names(style), text);
	int status = fclose(text) == 0 ? CG_OK : CG_ENOMEM;
	if (!status && *notes) {
		fprintf(to, "%*s%s", CAUSE_BELOW, "", text_dim(style));
		if (text_print_wrapped_on(to, CAUSE_BELOW, notes, width, CAUSE_BELOW + 2))
			status = CG_ENOMEM;
		fputs(text_plain(style), to);
	}
	free(notes);
	return status;
}

static int print_ranked_causes(const struct diff_report *r, size_t shown,
			       const struct text_style *style, FILE *to)
{
	unsigned width = style->wide ? 0 : style->width;
	int status = CG_OK;

	print_causes_title(r, shown, style, to);
	for (size_t i = 0; !status && i < shown; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		status = print_cause_line(r, c, width, style, to);
		if (!status)
			status = print_below_cause(r, i, width, style, to);
	}
	return status;
}

static int print_cancelled_change(const struct diff_report *r, const struct cancelled_change *c,
				  const struct text_style *style, FILE *to)
{
	enum { AROUND = 40, LEAST = 40 };
	unsigned width = style->wide || !style->width    ? 0
			 : style->width < AROUND + LEAST ? LEAST
							 : style->width - AROUND;
	char *name = text_name(c->row->name, width);
	char delta[TEXT_NUMBER];

	if (!name)
		return CG_ENOMEM;
	fprintf(to, "    %s%s: %s, %s\n", name, tree_row_inlined(c->row) ? " (inlined)" : "",
		cancelled_how(r, c), text_delta(0, c->delta, delta));
	free(name);
	return CG_OK;
}

static int print_cancelled(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct cancelled_change of[CANCELLED_CHANGES];
	int status = CG_OK;

	if (!cancelled_find(r, of))
		return CG_OK;
	fputs("  Larger changes cancel each other out; see them with --view=tree:\n", to);
	for (size_t i = 0; !status && i < CANCELLED_CHANGES; i++)
		status = print_cancelled_change(r, &of[i], style, to);
	return status;
}

int diff_causes_text(const struct diff_report *r, size_t most, const struct text_style *style,
		     FILE *to)
{
	size_t shown = r->ncauses < most ? r->ncauses : most;
	int status = CG_OK;

	if (r->ncauses)
		status = print_ranked_causes(r, shown, style, to);
	else
		fputs(r->unmatched        ? "\nNo function matches the filter.\n"
		      : r->causes_large   ? "\nNo cause matches the filter.\n"
		      : r->causes_smaller ? "\nNo single cause exceeds the threshold.\n"
					  : "\nNothing changed by more than the threshold.\n",
		      to);
	if (!status)
		print_ranked_smaller_causes(r, shown, most, style, to);
	return status ? status : print_cancelled(r, style, to);
}
