#include <stdlib.h>
#include <string.h>

#include "src/report/match_words.h"
#include "src/report/summary.h"
#include "src/report/text/table.h"
#include "src/text/wrap.h"

/* "record → field"; a row's own name stands last, with what to know about it. */
static char *cause_name(const struct causes *causes, const struct cause *c, unsigned width)
{
	const struct tree_row *rows = causes->tree->rows;
	bool own = c->kind == CAUSE_OWN_CODE || !c->caller;
	struct path_label label = { "", own ? NULL : &rows[c->caller], c->estimated };

	return text_path_name(causes->tree, &rows[c->row], &label, width);
}

/* The name follows once it is known how wide it may be. */
static int add_cause(const struct causes *causes, const struct cause *c,
		     const struct text_style *style, struct text_table *table)
{
	char delta[TEXT_NUMBER], share[TEXT_NUMBER], calls[TEXT_PAIR];

	text_calls(c->base_calls, c->head_calls, calls);
	const char *const cells[] = { text_delta(0, c->delta, delta),
				      text_share(c->delta, causes->delta, share), calls,
				      cause_reason(c), "" };
	const char *const without_share[] = { delta, calls, cells[3], "" };
	const char *color = c->delta > 0 ? text_red(style) : text_green(style);
	return text_table_add(table, color, summary_has_shares(causes) ? cells : without_share);
}

static bool shows_estimates(const struct diff_report *r)
{
	for (size_t i = 0; i < r->ncauses; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

static void print_title(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	static const char estimated[] = "What has a ~ is estimated: it is not recorded by which paths "
					"functions were called.";
	char delta[TEXT_NUMBER];
	fprintf(to, "\nWho decided the difference of %s%s\n", text_delta(0, r->causes->delta, delta),
		summary_has_shares(r->causes) ? " (share: of that)" : "");
	if (shows_estimates(r) && text_print_wrapped(to, estimated, style->wide ? 0 : style->width, 0))
		fprintf(to, "%s\n", estimated);
}

/* What is missing for the rows to add up, and how to see it. */
static void print_rest(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	enum { ONE_LINE = 110 };
	bool narrow = !style->wide && style->width && style->width < ONE_LINE;
	size_t n = r->causes_smaller;
	char delta[TEXT_NUMBER], share[TEXT_NUMBER];

	if (n == 0)
		return;
	fprintf(to, "  … and %zu smaller cause%s, together %s", n, n == 1 ? "" : "s",
		text_delta(0, r->smaller_delta, delta));
	if (summary_has_shares(r->causes)) {
		text_share(r->smaller_delta, r->causes->delta, share);
		fprintf(to, " (%s)", share + strspn(share, " "));
	}
	fprintf(to, ";%ssee %s with%s%s\n", narrow ? "\n    " : " ", n == 1 ? "it" : "them",
		r->causes_hidden ? " --top=0" : "", n > r->causes_hidden ? " --threshold=0 --min-delta=0" : "");
}

static int print_table(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	static const char *const titles[] = { "Δ", "share", "calls", "why", "function" };
	static const char *const without_share[] = { "Δ", "calls", "why", "function" };
	bool shares = summary_has_shares(r->causes);
	struct text_table table;

	int status = text_table_init(&table, r->ncauses + 1, shares ? "rrrll" : "rrll");
	if (!status)
		status = text_table_add(&table, text_dim(style), shares ? titles : without_share);
	for (size_t i = 0; !status && i < r->ncauses; i++)
		status = add_cause(r->causes, &r->causes->items[r->chosen_causes[i]], style,
				   &table);
	unsigned room = status ? 0 : text_table_room(&table, style);
	for (size_t i = 0; !status && i < r->ncauses; i++)
		status = text_table_name(&table, i + 1,
					 cause_name(r->causes,
						    &r->causes->items[r->chosen_causes[i]], room));
	if (!status) {
		print_title(r, style, to);
		text_table_print(&table, style, to);
	}
	text_table_free(&table);
	return status;
}

int diff_causes_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	int status = CG_OK;

	if (r->ncauses)
		status = print_table(r, style, to);
	else
		fputs(r->causes_large ? "\nNo cause of a difference matches the filter.\n" :
					"\nNothing changed by more than the threshold.\n", to);
	if (!status)
		print_rest(r, style, to);
	return status;
}
