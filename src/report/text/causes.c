#include <stdlib.h>
#include <string.h>

#include "src/report/diff_table.h"
#include "src/report/match_words.h"
#include "src/report/summary.h"
#include "src/report/text/table.h"
#include "src/text/wrap.h"

enum { CAUSE_OPTIONS = 60 }; /* of a buffer for them */

static const struct table_column cause_columns[] = {
	DIFF_COLUMN("Δ", CELL_DELTA, delta),      DIFF_COLUMN("share", CELL_PART, share),
	DIFF_COLUMN("calls", CELL_COUNTS, calls), DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("cause", CELL_OWN, name),
};

static const struct table_column without_shares[] = {
	DIFF_COLUMN("Δ", CELL_DELTA, delta),
	DIFF_COLUMN("calls", CELL_COUNTS, calls),
	DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("cause", CELL_OWN, name),
};

static char *format_cause(const struct report_table *of, size_t i, unsigned width,
			  const struct text_style *style)
{
	(void)style;
	return cause_name(of->report, diff_table_cause(of, i), width);
}

static bool shows_estimated_causes(const struct diff_report *r, size_t shown)
{
	for (size_t i = 0; i < shown; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

static void print_causes_title(const struct diff_report *r, size_t shown,
			       const struct text_style *style, FILE *to)
{
	static const char estimated[] = "~ marks estimates: the profile lacks full call paths.";
	char delta[TEXT_NUMBER];
	fprintf(to, "\nCauses of the change (%s ", text_delta(0, r->causes->delta, delta));
	text_print_name(to, r->diff->options.metric, 0);
	fputs(")\n", to);
	if (shows_estimated_causes(r, shown) &&
	    text_print_wrapped(to, estimated, style->wide ? 0 : style->width, 0))
		fprintf(to, "%s\n", estimated);
}

/* Without a threshold, the default is no longer one. */
static bool has_min_delta(const struct diff_options *o)
{
	return o->min_delta > 1 && (!o->threshold_ppb || o->min_delta != DIFF_DEFAULT_MIN_DELTA);
}

/* The options that together show all causes; `n` are missing, of which `hidden` are large. At most
 * `most` have room, also of small ones. "": there are no such options. */
static const char *format_cause_options(const struct diff_report *r, size_t n, size_t hidden,
					size_t most, char buffer[CAUSE_OPTIONS])
{
	const struct diff_options *o = &r->diff->options;
	bool small = n > hidden && !r->fixed_threshold;
	size_t room = r->top_limit && r->top_limit < most ? r->top_limit : most;
	bool many = hidden || (small && r->ncauses + r->causes_smaller > room);

	snprintf(buffer, CAUSE_OPTIONS, "%s%s%s", many ? " --top=0" : "",
		 small && o->threshold_ppb ? " --threshold=0" : "",
		 small && has_min_delta(o) ? " --min-delta=0" : "");
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
	fprintf(to, "  … and %zu smaller cause%s, together %s", n, n == 1 ? "" : "s",
		text_delta(0, sum, delta));
	if (summary_has_shares(r->causes)) {
		fprintf(to, " (%s)", text_part(sum, r->causes->delta, share));
	}
	if (*format_cause_options(r, n, hidden, most, options))
		fprintf(to, ";%ssee %s with%s", narrow ? "\n    " : " ", n == 1 ? "it" : "them",
			options);
	fputc('\n', to);
}

static int print_ranked_causes(const struct diff_report *r, size_t shown,
			       const struct text_style *style, FILE *to)
{
	struct text_table text;
	struct report_table t;

	diff_causes_table(r, &t);
	t.nrows = shown;
	if (summary_has_shares(r->causes))
		TABLE_COLUMNS(&t, cause_columns);
	else
		TABLE_COLUMNS(&t, without_shares);
	int status = text_table_begin(&text, &t, style);
	if (!status) {
		print_causes_title(r, shown, style, to);
		status = text_table_write(&text, &t, format_cause, style, to);
	}
	text_table_free(&text);
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
		fputs(r->causes_large ? "\nNo cause matches the filter.\n"
				      : "\nNothing changed by more than the threshold.\n",
		      to);
	if (!status)
		print_ranked_smaller_causes(r, shown, most, style, to);
	return status;
}
