#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/diff/environment.h"
#include "src/report/diff_table.h"
#include "src/report/markdown/markdown.h"
#include "src/report/match_words.h"
#include "src/text/shell.h"

static const char *trimmed(const char *text)
{
	return text + strspn(text, " ");
}

/* ---- causes ---- */

static const struct table_column cause_columns[] = {
	DIFF_COLUMN("cause", CELL_OWN, name),     DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("Δ", CELL_DELTA, delta),      DIFF_COLUMN("share", CELL_SHARE, share),
	DIFF_COLUMN("calls", CELL_COUNTS, calls),
};

static void print_cause_name(struct md_page *p, const struct report_table *t, size_t i,
			     const struct table_column *c)
{
	char *whole = cause_name(t->report, diff_table_cause(t, i), 0);

	(void)c;
	if (whole)
		md_code(p, whole, 2 * MD_CELL);
	else
		p->failed = true;
	free(whole);
}

static bool shows_md_estimates(const struct diff_report *r, size_t shown)
{
	for (size_t i = 0; i < shown; i++)
		if (r->causes->items[r->chosen_causes[i]].estimated)
			return true;
	return false;
}

/* What is not listed: too many, or too small. Saturates. */
static void print_md_smaller_causes(struct md_page *p, const struct diff_report *r, size_t shown)
{
	size_t n = r->causes_smaller + r->ncauses - shown;
	int64_t sum = r->smaller_delta;
	char delta[TEXT_NUMBER];

	if (n == 0)
		return;
	for (size_t i = shown; i < r->ncauses; i++) {
		int64_t more = r->causes->items[r->chosen_causes[i]].delta;
		if (__builtin_add_overflow(sum, more, &sum))
			sum = more < 0 ? INT64_MIN : INT64_MAX;
	}
	fprintf(p->to, "\n*… and %zu smaller cause%s, together %s.*\n", n, n == 1 ? "" : "s",
		text_delta(0, sum, delta));
}

void md_causes(struct md_page *p, const struct diff_report *r, unsigned level)
{
	enum { MOST = 10 };
	char delta[TEXT_NUMBER];
	struct report_table t;

	if (!r->causes || r->ncauses == 0)
		return;
	md_heading(p, level, "Causes of the change");
	fprintf(p->to,
		"Self costs and calls that account for the change of %s; all causes "
		"add up to it exactly.\n\n",
		text_delta(0, r->causes->delta, delta));
	diff_causes_table(r, &t);
	TABLE_COLUMNS(&t, cause_columns);
	t.nrows = r->ncauses < MOST ? r->ncauses : MOST;
	md_table(p, &t, print_cause_name, MD_CAUSES, "causes");
	print_md_smaller_causes(p, r, t.nrows);
	if (shows_md_estimates(r, t.nrows))
		fputs("\n`~` marks estimates: the profile lacks full call paths.\n", p->to);
}

/* ---- depth ---- */

static void print_deepest(struct md_page *p, const struct depth_change *c)
{
	bool grew = c->head.max > c->base.max || c->head.mean > c->base.mean + 0.005;
	bool shrank = c->head.max < c->base.max || c->head.mean < c->base.mean - 0.005;

	fprintf(p->to,
		"Deepest stack: %u → %u frames; average, weighted by cost: %.2f → %.2f "
		"frames%s.\n",
		c->base.max, c->head.max, c->base.mean, c->head.mean,
		grew && !shrank   ? " (deeper)"
		: shrank && !grew ? " (shallower)"
		: grew            ? ""
				  : " (unchanged)");
	if (c->head.max != c->base.max && c->base.deepest && c->head.deepest) {
		fputs("The deepest path ends in ", p->to);
		md_code(p, c->base.deepest, MD_NAME);
		if (strcmp(c->base.deepest, c->head.deepest) != 0) {
			fputs(" in base, in ", p->to);
			md_code(p, c->head.deepest, MD_NAME);
			fputs(" in head", p->to);
		}
		fputs(".\n", p->to);
	}
	if (!c->exact)
		fputs("Some call paths are estimated, so these depths are, too.\n", p->to);
}

/* Of a row below one that was inlined or wrapped: what is between. */
static void print_between(struct md_page *p, const struct tree_row *row, const struct depth_row *d)
{
	bool deeper = d->head > d->base;
	const char *via = deeper ? row->head.via : row->base.via;

	if (row->base.inlined != row->head.inlined)
		fputs(row->head.inlined ? ", inlined in head" : ", no longer inlined", p->to);
	if (!via)
		return;
	fputs(", through ", p->to);
	md_code(p, via, MD_CELL);
	fputs(deeper ? " in head" : " in base", p->to);
}

void md_depth(struct md_page *p, const struct diff_report *r, unsigned level)
{
	enum { MOST = 5 };
	const struct depth_change *c = r->depth;

	bool calls = c && (c->base.max > 1 || c->head.max > 1);
	if (!calls || !summary_has_changes(r))
		return;
	md_heading(p, level, "Call depth");
	print_deepest(p, c);
	if (c->count)
		fputc('\n', p->to);
	for (size_t i = 0; i < c->count && i < MOST; i++) {
		const struct tree_row *row = &r->tree->rows[c->rows[i].row];
		md_row(p, MD_DEPTH);
		fputs("- ", p->to);
		md_code(p, row->name, MD_NAME);
		fprintf(p->to, " and its callees: %u → %u frames", c->rows[i].base,
			c->rows[i].head);
		print_between(p, row, &c->rows[i]);
		fputc('\n', p->to);
	}
	md_rows_end(p, "paths");
	if (c->count > MOST)
		fprintf(p->to, "\n*The depth of call paths changes at %zu places.*\n", c->count);
}

/* ---- what to look at ---- */

/* Whatever is longer is not for people to copy, and would take the room of the rest. */
enum { LONGEST_WORD = 500, LONGEST_COMMAND = 2000 };

/* A profile that a command can name. */
static bool is_nameable(const struct report_origin *o)
{
	return !o->selected && shell_is_plain(o->name) && *o->name != '-' &&
	       strlen(o->name) <= LONGEST_WORD;
}

static void print_location(struct md_page *p, const char *file, const char *object)
{
	const char *where = text_is_known(file) ? cg_base_name(file) : object;

	if (!text_is_known(where))
		return;
	fputs(" (", p->to);
	md_code(p, where, MD_CELL);
	fputs(")", p->to);
}

static void print_source_command(struct md_page *p, const struct report_origin *o, const char *name,
				 const char *file)
{
	char pattern[300];

	if (!is_nameable(o) || !text_is_known(name) || !text_is_known(file) ||
	    !shell_is_plain(name) || !shell_regex(name, pattern, sizeof pattern))
		return;
	char *command = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&command, &size);
	if (!to) {
		p->failed = true;
		return;
	}
	fputs("irdiff show --view=source ", to);
	shell_print_quoted(to, o->name);
	fputc(' ', to);
	shell_print_quoted(to, pattern);
	if (fclose(to) != 0)
		p->failed = true;
	fputs(": ", p->to);
	md_code(p, command ? command : "", 0);
	free(command);
}

/* Ends with the place to look at. */
static void print_look_at(struct md_page *p, const struct diff_report *r,
			  const struct tree_row *row)
{
	fputs(". Look at ", p->to);
	md_code(p, row->name, MD_NAME);
	print_location(p, row->file, row->object);
	print_source_command(p, row->head.present ? &r->head : &r->base, row->name, row->file);
	fputc('\n', p->to);
}

/* "**Calls it more often** 4.5 times", only where both numbers are known and the reason is that. */
static void print_md_cause_calls(struct md_page *p, const struct cause *c)
{
	char calls[TEXT_PAIR];
	bool ratio = c->kind == CAUSE_CALLS && c->base_calls && c->head_calls > c->base_calls &&
		     strcmp(cause_reason(c), "more calls") == 0;

	if (ratio)
		fprintf(p->to, " %.3g times as often",
			(double)c->head_calls / (double)c->base_calls);
	else if (c->kind == CAUSE_CALLS)
		fprintf(p->to, " (%s)", cause_reason(c));
	if (c->kind == CAUSE_NEW && c->head_calls)
		fprintf(p->to, " (%s %s)", text_count(c->head_calls, calls),
			text_calls_word(0, c->head_calls));
	else if (c->base_calls || c->head_calls)
		fprintf(p->to, " (%s)", text_calls(c->base_calls, c->head_calls, calls));
}

static void print_own_code(struct md_page *p, const struct cause *c)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER];

	fputs(" itself costs more", p->to);
	if (c->base_calls && c->head_calls)
		fprintf(p->to, ": %s → %s per call",
			text_per_call(c->base_cost, c->base_calls, base),
			text_per_call(c->head_cost, c->head_calls, head));
	else if (c->base_cost || c->head_cost)
		fprintf(p->to, ": %s → %s", text_cost(c->base_cost, base),
			text_cost(c->head_cost, head));
}

static void print_advice(struct md_page *p, const struct diff_report *r, const struct cause *c)
{
	const struct tree_row *rows = r->tree->rows, *row = &rows[c->row];
	char delta[TEXT_NUMBER], share[TEXT_NUMBER];
	bool own = c->kind == CAUSE_SELF || !c->caller;

	fputs("1. ", p->to);
	md_code(p, own ? row->name : rows[c->caller].name, MD_NAME);
	if (c->kind == CAUSE_SELF) {
		print_own_code(p, c);
	} else if (own) {
		fprintf(p->to, " %s", cause_reason(c));
	} else {
		fputs(c->kind == CAUSE_CALLS ? " calls " : " newly calls ", p->to);
		md_code(p, row->name, MD_NAME);
		print_md_cause_calls(p, c);
	}
	fprintf(p->to, ": %s", text_delta(0, c->delta, delta));
	if (summary_has_shares(r->causes) && r->causes->delta > 0) {
		text_share(c->delta, r->causes->delta, share);
		fprintf(p->to, ", %s of the change", trimmed(share));
	}
	fputs(c->estimated ? " (estimated)" : "", p->to);
	print_look_at(p, r, own ? row : &rows[c->caller]);
}

/* Causes of more cost are for whoever wants it back. */
static size_t print_cause_advice(struct md_page *p, const struct diff_report *r)
{
	enum { MOST = 3 };
	size_t n = 0;

	for (size_t i = 0; r->causes && i < r->ncauses && n < MOST; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		/* What is no longer called can only cost more where costs are negative. */
		if (c->delta <= 0 || c->kind == CAUSE_REMOVED)
			continue;
		print_advice(p, r, c);
		n++;
	}
	return n;
}

/* Where it is not known who calls whom: who costs more. */
static size_t print_function_advice(struct md_page *p, const struct diff_report *r)
{
	enum { MOST = 3 };
	char delta[TEXT_NUMBER];
	size_t n = 0;

	for (size_t i = 0; !r->causes && i < r->nrows && n < MOST; i++) {
		const struct diff_row *row = &r->diff->rows[r->rows[i]];
		int64_t b = diff_base_value(r->diff, row->base.self);
		int64_t h = diff_head_value(r->diff, row->head.self);
		if (h <= b || diff_classify(r->diff, row) == DIFF_TOLERATED)
			continue;
		fputs("1. ", p->to);
		md_code(p, row->name, MD_NAME);
		print_location(p, row->file, row->object);
		fprintf(p->to, " costs %s (%s)", text_delta(b, h, delta),
			diff_reason(r->diff, row));
		print_source_command(p, &r->head, row->name, row->file);
		fputc('\n', p->to);
		n++;
	}
	return n;
}

/* Where no part of it is beyond the threshold or the tolerance, their sum may be. */
static void print_total_advice(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	int64_t b = diff_base_value(d, d->base->total), h = diff_head_value(d, d->head->total);
	char delta[TEXT_NUMBER];

	if (summary_classify(d, d->options.metric, b, h) != DIFF_REGRESSED) {
		fputs("Nothing: no function, call or call path costs noticeably more.\n", p->to);
		return;
	}
	fprintf(p->to, "1. The total grew by %s ", text_delta(b, h, delta));
	md_code(p, d->options.metric, MD_CELL);
	fputs(" in many small changes: `irdiff diff --by=file` shows where they add up.\n", p->to);
}

void md_advice(struct md_page *p, const struct diff_report *r, unsigned level)
{
	if (r->environment->moving == 0 && !summary_has_changes(r))
		return;
	md_heading(p, level, "Next steps");
	size_t n = 0;
	if (r->environment->moving) {
		fputs("1. Measure base and head in the same environment first.\n", p->to);
		n++;
	}
	n += print_cause_advice(p, r) + print_function_advice(p, r);
	if (n == 0)
		print_total_advice(p, r);
}

/* ---- reproducing ---- */

/* A label, not a path or a pattern: that is what irdiff profile writes. */
static bool is_label(const struct report_origin *o)
{
	return o->path && strcmp(o->path, o->name) != 0 && !strpbrk(o->name, "*?[/");
}

/* What a measurement replaces is LABEL.old afterwards: measured again is LABEL, twice. */
static void print_label(FILE *to, const char *label)
{
	size_t len = strlen(label), old = strlen(".old");
	char *replaced = len > old && strcmp(label + len - old, ".old") == 0
				 ? strndup(label, len - old)
				 : NULL;
	shell_print_quoted(to, replaced ? replaced : label);
	free(replaced);
}

/* One line of the block; nothing that would end it or mean something else in a shell. */
static void print_measuring(FILE *to, const char *side, const struct report_origin *o,
			    const struct cg_profile *profile)
{
	const char *command = cg_desc_value(profile, SUBJECT_PREFIX "command");
	const char *bench = cg_desc_value(profile, SUBJECT_PREFIX "benchmark");

	if (!is_label(o) || !command || !shell_is_plain(command) ||
	    strlen(command) > LONGEST_COMMAND)
		return;
	if (o->commit && shell_is_plain(o->commit) && strlen(o->commit) <= LONGEST_WORD)
		fprintf(to, "# %s: build commit %s%s, then", side, o->commit,
			o->changed ? " with its changes" : "");
	else
		fprintf(to, "# %s: build it as it %s, then", side,
			strcmp(side, "base") == 0 ? "was" : "is");
	fputs("\nirdiff profile --label ", to);
	print_label(to, o->name);
	if (bench && shell_is_plain(bench) && strlen(bench) <= LONGEST_WORD) {
		fputc(' ', to);
		shell_print_quoted(to, bench);
	} else {
		fprintf(to, " -- %s", command);
	}
	fputc('\n', to);
}

static bool is_commit(const struct report_origin *o)
{
	return strchr(o->name, '@') && o->commit && shell_is_plain(o->commit) &&
	       strlen(o->commit) <= LONGEST_WORD;
}

/* What was measured of commits is not for labels: one command does it all again. False: it was
 * not. */
static bool print_commits(FILE *to, const struct diff_report *r)
{
	static const char baseline[] = "baseline:";
	const char *bench = cg_desc_value(r->diff->head, SUBJECT_PREFIX "benchmark");
	bool of_baseline = strncmp(r->base.name, baseline, sizeof baseline - 1) == 0;

	if (!bench || !shell_is_plain(bench) || !is_commit(&r->head) ||
	    (!of_baseline && !is_commit(&r->base)))
		return false;
	bool changed = r->head.changed;
	fprintf(to, changed ? "# head: commit %s, with changes\n" : "# head: commit %s\n",
		r->head.commit);
	fputs("irdiff compare ", to);
	if (of_baseline) {
		const char *name = r->base.name + sizeof baseline - 1;
		fprintf(to, "--baseline=%.*s", (int)strcspn(name, "/"), name);
	} else {
		fprintf(to, "%s%s%s", r->base.commit, changed ? "" : "..",
			changed ? "" : r->head.commit);
	}
	fputs(" -b ", to);
	shell_print_quoted(to, bench);
	fputc('\n', to);
	return true;
}

static void print_comparing(FILE *to, const struct diff_report *r, const char *options)
{
	fprintf(to, "irdiff diff %s", options);
	shell_print_quoted(to, r->base.name);
	fputc(' ', to);
	shell_print_quoted(to, r->head.name);
	fputc('\n', to);
}

static void print_comparisons(FILE *to, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	bool groups = d->options.by != CG_BY_FUNCTION;
	char by[20] = "";

	if (groups)
		snprintf(by, sizeof by, "--by=%s ", cg_rollup_word(d->options.by));
	print_comparing(to, r, by);
	if (r->causes ||
	    (groups && d->base->has_calls && d->head->has_calls && diff_knows_calls(d))) {
		print_comparing(to, r, "--view=causes ");
		print_comparing(to, r, "--view=tree ");
	}
}

static void print_fenced(struct md_page *p, const char *block)
{
	size_t fence = 3, run = 0;

	for (const char *c = block; *c; c++) {
		run = *c == '`' ? run + 1 : 0;
		fence = run >= fence ? run + 1 : fence;
	}
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->to);
	fprintf(p->to, "sh\n%s", block);
	for (size_t i = 0; i < fence; i++)
		fputc('`', p->to);
	fputc('\n', p->to);
}

void md_reproduce(struct md_page *p, const struct diff_report *r)
{
	char *block = NULL;
	size_t size = 0;

	if (!is_nameable(&r->base) || !is_nameable(&r->head))
		return;
	FILE *to = open_memstream(&block, &size);
	if (!to) {
		p->failed = true;
		return;
	}
	if (!print_commits(to, r)) {
		print_measuring(to, "base", &r->base, r->diff->base);
		print_measuring(to, "head", &r->head, r->diff->head);
	}
	print_comparisons(to, r);
	if (fclose(to) != 0)
		p->failed = true;
	fputs("\n<details><summary>Reproduce this and look further</summary>\n\n", p->to);
	print_fenced(p, block ? block : "");
	fputs("\n</details>\n", p->to);
	free(block);
}
