#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/text_match.h"
#include "src/report/text_table.h"

/* "record → field"; a row's own name stands last, with what to know about it. */
static char *cause_name(const struct causes *causes, const struct cause *c)
{
	const struct tree_row *rows = causes->tree->rows;
	char *arrow = NULL;

	if (c->kind == CAUSE_OWN_CODE || !c->caller)
		return text_path_name(causes->tree, &rows[c->row], "", c->estimated);
	if (asprintf(&arrow, "%s → ", rows[c->caller].name) < 0)
		return NULL;
	char *name = text_path_name(causes->tree, &rows[c->row], arrow, c->estimated);
	free(arrow);
	return name;
}

static const char *format_calls(uint64_t calls, char *buffer)
{
	return calls ? text_count(calls, buffer) : "–";
}

static void print_calls(char *buffer, size_t size, const struct cause *c)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER];
	const char *b = format_calls(c->base_calls, base), *h = format_calls(c->head_calls, head);

	if (strcmp(b, h) == 0)
		snprintf(buffer, size, "%s", h);
	else
		snprintf(buffer, size, "%s → %s", b, h);
}

static int add_cause(const struct causes *causes, const struct cause *c,
		     const struct text_style *style, struct text_table *table)
{
	char delta[TEXT_NUMBER], share[TEXT_NUMBER], calls[3 * TEXT_NUMBER];
	char *name = cause_name(causes, c);
	if (!name)
		return CG_ENOMEM;

	print_calls(calls, sizeof calls, c);
	const char *const cells[] = { text_delta(0, c->delta, delta),
				      text_share(c->delta, causes->delta, share), calls,
				      cause_reason(c), name };
	const char *color = c->delta > 0 ? text_red(style) : text_green(style);
	int status = text_table_add(table, color, cells);
	free(name);
	return status;
}

static bool shows_estimates(const struct diff_report *r)
{
	for (size_t i = 0; i < r->ncauses; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

static void print_title(const struct diff_report *r, FILE *to)
{
	char delta[TEXT_NUMBER];
	fprintf(to, "\nWho decided the difference of %s (share: of that)\n",
		text_delta(0, r->causes->delta, delta));
	if (shows_estimates(r))
		fputs("What has a ~ is estimated: it is not recorded by which paths functions were "
		      "called.\n", to);
}

int diff_causes_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	static const char *const titles[] = { "Δ", "share", "calls", "why", "function" };
	struct text_table table;

	if (r->ncauses == 0) {
		fputs(r->causes_large ? "\nNo cause of a difference matches the filter.\n" :
					"\nNothing changed by more than the threshold.\n", to);
		return CG_OK;
	}
	int status = text_table_init(&table, r->ncauses + 1, "rrrll");
	if (!status)
		status = text_table_add(&table, text_dim(style), titles);
	for (size_t i = 0; !status && i < r->ncauses; i++)
		status = add_cause(r->causes, &r->causes->items[r->chosen_causes[i]], style,
				   &table);
	if (!status) {
		print_title(r, to);
		text_table_print(&table, style, to);
	}
	if (!status && r->causes_hidden)
		fprintf(to, "  … and %zu more; see them with --top=0\n", r->causes_hidden);
	text_table_free(&table);
	return status;
}
