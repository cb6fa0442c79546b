#include "src/report/cause_words.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/report/match_words.h"
#include "src/report/moved_code.h"
#include "src/report/summary.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

/* ---- names ---- */

const char *cause_caller(const struct tree_diff *t, const struct cause *c)
{
	const struct tree_row *row = &t->rows[c->row];

	if (!cause_is_call(c))
		return NULL;
	if (c->kind == CAUSE_REMOVED && row->base.via)
		return row->base.via;
	return row->head.via ? row->head.via : t->rows[c->caller].name;
}

static bool is_row_of(const struct diff_row *row, const struct cause_code *code)
{
	return strcmp(row->name, code->name) == 0 && strcmp(row->file, code->file) == 0 &&
	       strcmp(row->object, code->object) == 0;
}

const struct diff_row *cause_flat_row(const struct diff *d, const struct cause_code *code)
{
	return diff_find_row(d, code->name, code->object, code->file);
}

static bool is_absorbed_by(const struct tree_diff *t, const struct tree_row *row, bool in_head,
			   const struct diff_row *function)
{
	for (uint32_t i = 0; i < row->nabsorbed; i++) {
		const struct tree_absorption *a = &t->absorbed[row->absorbed + i];
		const struct cause_code code = { a->name, a->object, a->file };
		if (a->in_head == in_head && is_row_of(function, &code))
			return true;
	}
	return false;
}

/* In the side's whole program. */
static int64_t self_cost_of(const struct diff *d, bool in_head, const struct diff_row *row)
{
	return in_head ? diff_head_value(d, row->head.self) : diff_base_value(d, row->base.self);
}

struct cause_code cause_code_of(const struct tree_diff *t, const struct tree_row *row)
{
	const struct diff *d = t->diff;
	const bool in_head = row->head.present;
	struct cause_code best = { row->name, row->object, row->file };
	const struct diff_row *own = row->nabsorbed ? cause_flat_row(d, &best) : NULL;
	int64_t most = own ? self_cost_of(d, in_head, own) : 0;

	/* Of very many that were absorbed, few cost more. */
	for (size_t i = 0; row->nabsorbed && i < d->count; i++) {
		const struct diff_row *r = &d->rows[i];
		const int64_t cost = self_cost_of(d, in_head, r);
		if (cost <= most || !is_absorbed_by(t, row, in_head, r))
			continue;
		most = cost;
		best = (struct cause_code){ r->name, r->object, r->file };
	}
	return best;
}

/* Of how the path was found on the other side only what the name needs: cause_print_notes has the
 * rest. */
static char *name_cause(const struct tree_diff *t, const struct cause *c, bool estimated,
			unsigned width)
{
	struct tree_row row = t->rows[c->row], caller = t->rows[c->caller];
	const char *by = cause_caller(t, c);
	struct path_label label = { "", by ? &caller : NULL, estimated };

	row.base.via = row.head.via = NULL;
	row.nabsorbed = 0;
	if (row.match == DIFF_DISSOLVED || row.match == DIFF_MOVED || c->kind == CAUSE_INLINED)
		row.match = DIFF_SAME;
	if (by && strcmp(by, caller.name) != 0) {
		caller.name = by;
		caller.match = DIFF_SAME;
	}
	return text_path_name(t, &row, &label, width);
}

char *text_cause_name(const struct tree_diff *t, const struct cause *c, unsigned width)
{
	return name_cause(t, c, c->estimated, width);
}

char *cause_name(const struct diff_report *r, const struct cause *c, unsigned width)
{
	return name_cause(r->causes->tree, c, false, width);
}

/* ---- numbers ---- */

const char *cause_brief_cost(int64_t cost, char buffer[TEXT_NUMBER])
{
	static const char *const units[] = { "M", "G", "T", "P", "E" };
	double n = (double)cg_magnitude(cost) / 1e6;
	size_t unit = 0;

	if (n < 1)
		return text_cost(cost, buffer);
	for (; n >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
		n /= 1000;
	int decimals = n < 9.995 ? 2 : n < 99.95 ? 1 : 0;
	snprintf(buffer, TEXT_NUMBER, "%s%.*f %s", cost < 0 ? "-" : "", decimals, n, units[unit]);
	return buffer;
}

void cause_print_delta(const struct cause *c, FILE *to)
{
	char delta[TEXT_NUMBER];

	fprintf(to, "%s%s%s", c->estimated ? "~" : "", c->delta > 0 ? "+" : "",
		cause_brief_cost(c->delta, delta));
}

void cause_print_share(const struct causes *causes, const struct cause *c, FILE *to)
{
	char share[TEXT_NUMBER];

	if (summary_has_shares(causes))
		fprintf(to, " (%s)", text_part(c->delta, causes->delta, share));
}

/* ---- where ---- */

const struct cause_place *cause_place_of(const struct diff_report *r, size_t i)
{
	return i < r->nplaces && r->places[i].path ? &r->places[i] : NULL;
}

void cause_print_place(const struct cause_place *at, FILE *to)
{
	fprintf(to, "%s:%u%s", at->path, at->line, at->in_base ? " in base" : "");
}

/* "ROUNDS", "ROUNDS and 2 more". */
static void print_edited_use(const struct edited_use *use, FILE *to)
{
	fputs(use->name, to);
	if (use->others)
		fprintf(to, " and %u more", use->others);
}

/* An enumerator may have another value although nobody edited it. */
static const char *what_use_did(const struct edited_use *use)
{
	if (use->value == VALUE_MOVED)
		return use->others ? "which changed" : "whose value changed";
	if (use->value == VALUE_UNKNOWN)
		return use->others ? "which may have changed" : "whose value may have changed";
	return use->others ? "which were edited" : "which was edited";
}

static struct edit_mark mark_edited_use(const struct edited_use *use)
{
	struct edit_mark mark = { " (uses ", use->name, "" };
	char more[24] = "";

	if (use->others)
		snprintf(more, sizeof more, " and %u more", use->others);
	snprintf(mark.after, sizeof mark.after, "%s, %s)", more, what_use_did(use));
	return mark;
}

/* Of a call or inlining it is the caller that is at the place. */
struct edit_mark cause_edit_mark(const struct cause *c)
{
	const enum code_edit there = cause_mark_there(c);
	const bool inlined = c->kind == CAUSE_INLINED && is_edited(c->mark);
	struct edit_mark mark = { "", "", "" };

	if (c->kind == CAUSE_WORK || (!is_edited(there) && !inlined))
		return mark;
	if (there == EDIT_USED && c->use)
		return mark_edited_use(c->use);
	mark.before = there == EDIT_CHANGED ? " (edited)"
		      : there == EDIT_USED  ? " (uses an edited declaration)"
					    : " (inlined function edited)";
	return mark;
}

void cause_print_edit_mark(const struct cause *c, FILE *to)
{
	const struct edit_mark mark = cause_edit_mark(c);

	fprintf(to, "%s%s%s", mark.before, mark.name, mark.after);
}

/* ---- notes ---- */

struct cause_notes {
	FILE *to;
	const char *lead; /* of the next one */
	unsigned names;   /* columns of each */
};

static void add_note_on_cause(struct cause_notes *n, const char *before, const char *name,
			      const char *after)
{
	fprintf(n->to, "%s%s%s%s", n->lead, before, name, after);
	n->lead = "; ";
}

/* The name of a caller, where it is another one on that side. */
static void add_other_caller(struct cause_notes *n, const struct tree_diff *t,
			     const struct cause *c)
{
	const struct tree_row *row = &t->rows[c->row], *caller = &t->rows[c->caller];
	const char *shown = cause_caller(t, c);
	const char *in_base = row->base.via ? row->base.via : caller->base_name;

	if (!shown || (c->kind != CAUSE_CALLS && c->kind != CAUSE_INLINED))
		return;
	if ((!row->base.via && !row->head.via) || !in_base || strcmp(in_base, shown) == 0)
		return;
	fprintf(n->to, "%sin base called by ", n->lead);
	text_print_sentence_name(n->to, in_base, shown, n->names);
	n->lead = "; ";
}

bool cause_print_included(const struct tree_diff *t, const struct cause *c, const char *lead,
			  unsigned names, FILE *to)
{
	const struct tree_row *row = &t->rows[c->row];

	if (!row->nabsorbed)
		return false;
	const struct tree_absorption *first = &t->absorbed[row->absorbed];
	fprintf(to, "%s%s", lead, first->in_head ? "in head includes " : "in base includes ");
	text_print_sentence_name(to, first->name, row->name, names);
	if (row->nabsorbed > 1)
		fprintf(to, " and %u more", row->nabsorbed - 1);
	return true;
}

/* "self +94,891", "calls of parse +72,071". */
static void print_part_of_function(const struct cause *part, const char *name, FILE *to)
{
	char delta[TEXT_NUMBER];

	if (cause_is_own(part)) {
		fprintf(to, "%s ", cause_reason(part));
	} else {
		fputs(part->kind == CAUSE_NEW       ? "new calls of "
		      : part->kind == CAUSE_REMOVED ? "removed calls of "
						    : "calls of ",
		      to);
		fprintf(to, "%s ", name ? name : "(out of memory)");
	}
	fprintf(to, "%s%s", part->delta > 0 ? "+" : "", cause_brief_cost(part->delta, delta));
}

enum { MOST_PARTS_SHOWN = 3 };

/* The names of the first parts of a cause, to be freed; how many. */
static uint32_t name_parts(const struct causes *causes, const struct cause *c, unsigned width,
			   char *shown[MOST_PARTS_SHOWN])
{
	const uint32_t count = c->nparts < MOST_PARTS_SHOWN ? c->nparts : MOST_PARTS_SHOWN;
	const char *names[MOST_PARTS_SHOWN];

	for (uint32_t i = 0; i < count; i++)
		names[i] = causes->tree->rows[causes->parts[c->first_part + i].row].name;
	text_sentence_names(names, count, width, shown);
	return count;
}

bool cause_print_parts(const struct causes *causes, const struct cause *c, const char *lead,
		       unsigned names, FILE *to)
{
	char *shown[MOST_PARTS_SHOWN];

	if (c->kind != CAUSE_TOGETHER || c->nparts < 2)
		return false;
	const uint32_t count = name_parts(causes, c, names, shown);
	for (uint32_t i = 0; i < count; i++) {
		fputs(i ? ", " : lead, to);
		print_part_of_function(&causes->parts[c->first_part + i], shown[i], to);
		free(shown[i]);
	}
	if (c->nparts > count)
		fprintf(to, " and %u more", c->nparts - count);
	return true;
}

static void add_functions_of_cause(struct cause_notes *n, const struct causes *causes,
				   const struct cause *c)
{
	char *shown[MOST_PARTS_SHOWN];
	const uint32_t count = name_parts(causes, c, n->names, shown);

	fprintf(n->to, "%sthe sum of the self costs of ", n->lead);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputs(i + 1 == c->nparts ? " and " : ", ", n->to);
		fputs(shown[i] ? shown[i] : "(out of memory)", n->to);
		free(shown[i]);
	}
	if (c->nparts > count)
		fprintf(n->to, " and %u more", c->nparts - count);
	n->lead = "; ";
}

/* Of what a cause is the sum. */
static void add_parts_of_cause(struct cause_notes *n, const struct causes *causes,
			       const struct cause *c)
{
	char count[TEXT_NUMBER];

	if (c->nparts < 2)
		return;
	text_count(c->nparts, count);
	if (cause_print_parts(causes, c, n->lead, n->names, n->to))
		n->lead = "; ";
	else if (c->kind == CAUSE_INLINED)
		add_functions_of_cause(n, causes, c);
	else
		add_note_on_cause(n, "the sum of ", count, " instances");
}

/* Where most of the work is done, if it is not the function that is called. */
static void print_worker(const struct causes *causes, const struct cause *c, unsigned names,
			 FILE *to)
{
	const struct tree_row *rows = causes->tree->rows;
	const struct cause_share *most = &causes->shares[c->first_share];

	if (!c->nshares || rows[most->row].function == rows[c->row].function ||
	    cg_magnitude(most->delta) < cg_magnitude(c->delta) / 2)
		return;
	fputs("; most is done by ", to);
	text_print_sentence_name(to, rows[most->row].name, rows[c->row].name, names);
}

bool cause_print_edit(const struct causes *causes, const struct cause *c, const char *lead,
		      unsigned names, FILE *to)
{
	if (cause_is_possible_work(c)) {
		fprintf(to, "%sboth sources are the same; the caller uses ", lead);
		if (c->use)
			print_edited_use(c->use, to);
		else
			fputs("a declaration", to);
		fprintf(to, ", %s and may be the reason",
			c->use ? what_use_did(c->use) : "which was edited");
		print_worker(causes, c, names, to);
		return true;
	}
	if (c->kind == CAUSE_WORK) {
		fprintf(to, "%sonly the caller's source differs", lead);
		print_worker(causes, c, names, to);
		return true;
	}
	if (!cause_is_call(c) || c->kind == CAUSE_INLINED || !is_edited(c->edit) ||
	    c->caller_edit != EDIT_NONE)
		return false;
	fprintf(to, "%sthe caller's source is the same", lead);
	return true;
}

void cause_print_notes(const struct causes *causes, const struct cause *c, const char *lead,
		       unsigned names, FILE *to)
{
	const struct tree_diff *t = causes->tree;
	const struct tree_row *row = &t->rows[c->row];
	struct cause_notes n = { to, lead, names };

	add_other_caller(&n, t, c);
	if (cause_print_edit(causes, c, n.lead, names, to))
		n.lead = "; ";
	if (moved_code_print(causes, c, n.lead, names, to))
		n.lead = "; ";
	if (row->match == DIFF_DISSOLVED && cause_is_call(c))
		add_note_on_cause(&n, "its callees are listed separately", "", "");
	if (cause_print_included(t, c, n.lead, names, to))
		n.lead = "; ";
	add_parts_of_cause(&n, causes, c);
}
