#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/text_match.h"
#include "src/report/text_name.h"
#include "src/report/text_table.h"

static bool is_estimated(const struct tree_row *r)
{
	return r->base.estimated || r->head.estimated;
}

/* Allocated. */
static char *path_name(const struct tree_diff *t, const struct tree_row *r, unsigned width)
{
	char lead[TEXT_LEAD];
	text_lead(r->name, r->depth, width, lead);
	return text_path_name(t, r, &(struct path_label){ lead, NULL, is_estimated(r) }, width);
}

static void print_calls(char *buffer, size_t size, const struct tree_row *r)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER];
	const char *b = r->base.calls ? text_count(r->base.calls, base) : "–";
	const char *h = r->head.calls ? text_count(r->head.calls, head) : "–";

	if (strcmp(b, h) == 0)
		snprintf(buffer, size, "%s", h);
	else
		snprintf(buffer, size, "%s → %s", b, h);
}

/* The name follows once it is known how wide it may be. */
static int add_row(const struct tree_diff *t, const struct tree_row *r,
		   const struct text_style *style, struct text_table *table)
{
	const struct diff *d = t->diff;
	char inclusive[TEXT_NUMBER], impact[TEXT_NUMBER], self[TEXT_NUMBER];
	char calls[3 * TEXT_NUMBER];
	int64_t b = diff_base_value(d, r->base.inclusive), h = diff_head_value(d, r->head.inclusive);

	print_calls(calls, sizeof calls, r);
	text_delta(diff_base_value(d, r->base.self), diff_head_value(d, r->head.self), self);
	const char *const cells[] = { text_delta(b, h, inclusive),
				      text_impact(b, h, diff_base_value(d, d->base->total), impact),
				      self, calls, diff_class_name(tree_diff_classify(t, r)), "" };
	const char *color = diff_tolerates(d, b, h) ? "" :
			    h > b ? text_red(style) : h < b ? text_green(style) : "";
	return text_table_add(table, color, cells);
}

static bool shows_estimates(const struct diff_report *r)
{
	for (size_t i = 0; i < r->npaths; i++)
		if (is_estimated(&r->tree->rows[r->paths[i]]))
			return true;
	return false;
}

static void print_title(const struct diff_report *r, FILE *to)
{
	const struct tree_diff *t = r->tree;
	const char *which = !t->base->exact && !t->head->exact ? "the profiles do" :
			    t->base->exact ? "head does" : "base does";

	fputs("\nPaths whose cost changed, callees included (impact: Δ incl. / total of base)\n", to);
	if (t->exact)
		fputs("The paths are exact.\n", to);
	else if (shows_estimates(r))
		fprintf(to, "Paths with ~ are estimated: %s not record by which paths functions were "
			    "called.\n", which);
}

int diff_paths_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	static const char *const titles[] = { "Δ incl.", "impact", "Δ self", "calls", "class", "path" };
	struct text_table table;

	if (r->npaths == 0) {
		fputs(r->paths_changed ? "\nNo path that ends in a function that matches changed.\n" :
					 "\nNo path changed by more than the threshold.\n", to);
		return CG_OK;
	}
	int status = text_table_init(&table, r->npaths + 1, "rrrrll");
	if (!status)
		status = text_table_add(&table, text_dim(style), titles);
	for (size_t i = 0; !status && i < r->npaths; i++)
		status = add_row(r->tree, &r->tree->rows[r->paths[i]], style, &table);
	unsigned room = status ? 0 : text_table_room(&table, style);
	for (size_t i = 0; !status && i < r->npaths; i++)
		status = text_table_name(&table, i + 1,
					 path_name(r->tree, &r->tree->rows[r->paths[i]], room));
	if (!status) {
		print_title(r, to);
		text_table_print(&table, style, to);
	}
	if (!status && r->paths_hidden)
		fprintf(to, "  … and %zu more; see them with --top=0\n", r->paths_hidden);
	text_table_free(&table);
	return status;
}
