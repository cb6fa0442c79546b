#include <stdio.h>
#include <string.h>

#include "src/diff/fact_kinds.h"
#include "src/diff/metric.h"
#include "src/diff/run_notes.h"
#include "src/diff/same_code.h"
#include "src/report/cause_words.h"
#include "src/report/diff_report.h"
#include "src/report/metric_option.h"
#include "src/report/source_pattern.h"
#include "src/text/shell.h"

/* The function to look at first, and the side that has it. */
struct suspect {
	const char *name, *file; /* NULL: none */
	const struct report_origin *origin;
	const struct cg_profile *profile;
	bool self_changed; /* its lines differ in cost */
};

/* A caller may make more calls, and do nothing else differently. */
static bool has_other_self(const struct diff_report *r, const char *name, const char *file)
{
	const struct diff *d = r->diff;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (strcmp(row->name, name) == 0 && strcmp(row->file, file) == 0 &&
		    diff_base_value(d, row->base.self) != diff_head_value(d, row->head.self))
			return true;
	}
	return false;
}

static struct suspect suspect_of(const struct diff_report *r, const char *name, const char *file,
				 bool in_base, bool in_head)
{
	return (struct suspect){ name, file, in_head ? &r->head : &r->base,
				 in_head ? r->diff->head : r->diff->base,
				 in_base && in_head && has_other_self(r, name, file) };
}

static struct cause_code code_of_row(const struct tree_row *row)
{
	return (struct cause_code){ row->name, row->object, row->file };
}

/* Of a cause the function to look at: the caller, if there is one. */
static struct suspect find_suspect(const struct diff_report *r)
{
	if (r->view != DIFF_VIEW_FLAT && r->causes && r->ncauses) {
		const struct cause *c = &r->causes->items[r->chosen_causes[0]];
		const struct tree_row *row = &r->causes->tree->rows[c->caller ? c->caller : c->row];
		const struct cause_code code = cause_is_own(c) ? cause_code_of(r->causes->tree, row)
							       : code_of_row(row);
		return suspect_of(r, code.name, code.file, row->base.present, row->head.present);
	}
	const struct diff_row *row = r->causes ? NULL : r->with_source;
	if (!row)
		return (struct suspect){ 0 };
	struct suspect s = suspect_of(r, row->name, row->file, row->base.present,
				      row->head.present);
	s.self_changed = true;
	return s;
}

static bool has_source_step(const struct suspect *s, char *pattern, size_t size)
{
	return s->name && !diff_self_only(s->profile) && text_is_known(s->file) &&
	       text_is_known(s->name) && !s->origin->selected && shell_is_plain(s->name) &&
	       shell_is_plain(s->origin->name) && source_has_costs(s->profile, s->name, s->file) &&
	       source_pattern(s->profile, s->name, pattern, size);
}

/* A profile from standard input cannot be read again. */
static bool may_be_read_again(const struct report_origin *o)
{
	return !o->selected && shell_is_plain(o->name) && *o->name != '-';
}

static bool both_may_be_read_again(const struct diff_report *r)
{
	return may_be_read_again(&r->base) && may_be_read_again(&r->head);
}

/* Folded stacks have none. */
static bool has_files(const struct cg_profile *p)
{
	for (uint32_t f = 1; f < p->nfunctions; f++)
		if (text_is_known(cg_string(p, p->functions[f].file)))
			return true;
	return false;
}

/* The metric and both profiles. */
static void print_both(const struct diff_report *r, FILE *to)
{
	print_metric_option(r->diff, to);
	fputc(' ', to);
	shell_print_quoted(to, r->base.name);
	fputc(' ', to);
	shell_print_quoted(to, r->head.name);
}

static void print_source_step(const struct diff_report *r, const struct suspect *s,
			      const char *pattern, FILE *to)
{
	fputs("Source:  irdiff ", to);
	if (s->self_changed && diff_knows_calls(r->diff) && both_may_be_read_again(r) &&
	    has_files(r->diff->base) && has_files(r->diff->head)) {
		fputs("diff --view=source", to);
		print_both(r, to);
	} else {
		fputs("show --view=source", to);
		print_sort_option(r->diff, s->profile, to);
		fputc(' ', to);
		shell_print_quoted(to, s->origin->name);
	}
	fputc(' ', to);
	shell_print_quoted(to, pattern);
	fputc('\n', to);
}

static bool has_causes_step(const struct diff_report *r)
{
	const struct diff *d = r->diff;

	bool shown = r->view != DIFF_VIEW_FLAT && r->view != DIFF_VIEW_SOURCE &&
		     r->view != DIFF_VIEW_ASM;

	return r->nrows && !shown && d->base->has_calls && d->head->has_calls &&
	       diff_knows_calls(d) && both_may_be_read_again(r);
}

/* The function that was compiled otherwise; NULL: none is known. */
static const struct insight *find_recompiled_function(const struct diff_report *r)
{
	for (size_t i = 0; r->insights && i < r->insights->count; i++)
		if (r->insights->items[i].rule->kind == RULE_RECOMPILED ||
		    r->insights->items[i].rule->kind == RULE_VECTORS)
			return &r->insights->items[i];
	return NULL;
}

/* A file that was named has no more than what is in it; of a label, irdiff has kept more, but of a
 * heap there are none. */
static bool may_have_addresses(const struct report_origin *o, const struct cg_profile *p)
{
	return !metric_is_heap(p) && (p->of_addresses || !o->path || strcmp(o->path, o->name) != 0);
}

/* Where the source does not tell why counts differ: it is the same, was built differently, or its
 * edit does not show what the compiler made of it. */
static bool has_code_step(const struct diff_report *r)
{
	const struct diff *d = r->diff;
	const char *base = cg_desc_value(d->base, RUN_NOTES_PREFIX "sources");
	const char *head = cg_desc_value(d->head, RUN_NOTES_PREFIX "sources");
	bool otherwise = base && head && strcmp(base, head) == 0;

	otherwise |= find_recompiled_function(r) != NULL;
	for (size_t i = 0; r->environment && i < r->environment->nsubject; i++)
		otherwise |= r->environment->subject[i].kind->shape == FACT_BUILT;
	return otherwise && r->view != DIFF_VIEW_ASM && !same_builds(d) && r->nrows &&
	       diff_base_value(d, d->base->total) != diff_head_value(d, d->head->total) &&
	       diff_knows_calls(d) && both_may_be_read_again(r) && both_by_irdiff(d) &&
	       may_have_addresses(&r->base, d->base) && may_have_addresses(&r->head, d->head);
}

static void print_code_step(const struct diff_report *r, const struct suspect *s,
			    const char *pattern, FILE *to)
{
	const struct insight *recompiled = find_recompiled_function(r);
	char of_recompiled[300];

	if (recompiled) {
		bool plain = shell_is_plain(recompiled->function) &&
			     source_pattern(r->diff->head, recompiled->function, of_recompiled,
					    sizeof of_recompiled);
		pattern = plain ? of_recompiled : NULL;
	}
	fputs("Code:    irdiff diff --view=asm", to);
	print_both(r, to);
	if (pattern && (recompiled || s->self_changed)) {
		fputc(' ', to);
		shell_print_quoted(to, pattern);
	}
	fputc('\n', to);
}

void diff_next_text(const struct diff_report *r, FILE *to)
{
	struct suspect suspect = find_suspect(r);
	char pattern[300];
	bool source = r->view != DIFF_VIEW_SOURCE && r->view != DIFF_VIEW_ASM &&
		      has_source_step(&suspect, pattern, sizeof pattern);
	bool causes = has_causes_step(r), code = has_code_step(r);

	if (source || causes || code)
		fputc('\n', to);
	if (source)
		print_source_step(r, &suspect, pattern, to);
	if (code)
		print_code_step(r, &suspect, source ? pattern : NULL, to);
	if (causes) {
		fputs("Causes:  irdiff diff --view=causes", to);
		print_both(r, to);
		fputc('\n', to);
	}
}
