#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/report/show.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/show.h"
#include "src/text/short_name.h"

struct audit_printer {
	const struct audit_report *r;
	const struct cg_profile *p;
	const struct cg_audit *a;
	const struct text_style *style;
	FILE *to;
	bool failed; /* memory ran out */
};

/* ---- words ---- */

/* Of records, as a heading over them. */
static const char *const why[CG_AUDIT_CAUSES] = {
	[CG_AUDIT_UNEXPLAINED] = "Unexplained",
	[CG_AUDIT_LOST_CALL] = "The file lacks calls from one to the other",
	[CG_AUDIT_SPLIT] = "Calls lead to one file, the costs are in another",
	[CG_AUDIT_LAZY] = "Called through the dynamic linker's binder, which lacks the same cost",
	[CG_AUDIT_ZEROED] =
		"Counted in the summary, but lost: the program ended or zeroed counts while they ran",
	[CG_AUDIT_ENDED] = "The program ended inside them; its last instructions are in no record",
	[CG_AUDIT_THREAD] = "Threads begin here, without a caller",
	[CG_AUDIT_ENTERED] = "Entered without a call: by a signal, or before counting began",
	[CG_AUDIT_RECURSIVE] = "Recursive: nested calls are counted again",
	[CG_AUDIT_NO_COSTS] = "Called, but without self costs in the file",
	[CG_AUDIT_ROUNDED] = "Rounded by the program that wrote the file",
};

/* Of roots and of summaries, after them. */
static const char *const briefly[CG_AUDIT_CAUSES] = {
	[CG_AUDIT_NONE] = "the program begins here",
	[CG_AUDIT_UNEXPLAINED] = "without a caller",
	[CG_AUDIT_LOST_CALL] = "the file lacks the calls to it",
	[CG_AUDIT_SPLIT] = "calls lead to another file",
	[CG_AUDIT_LAZY] = "called through the dynamic linker's binder",
	[CG_AUDIT_ZEROED] = "counted, but lost: the program ended or zeroed counts while it ran",
	[CG_AUDIT_ENDED] = "counted, but in no function: the program ended inside its code",
	[CG_AUDIT_THREAD] = "threads begin here",
	[CG_AUDIT_ENTERED] = "entered without a call: by a signal, or before counting began",
	[CG_AUDIT_SWITCHED] = "all 0, as Valgrind writes it after instrumentation was switched",
	[CG_AUDIT_OUTSIDE] = "lacks code entered without a call, for example by a signal",
	[CG_AUDIT_UNWRITTEN] =
		"counted, but lost: the program ended or zeroed counts while code ran",
	[CG_AUDIT_NOT_SUMMED] = "Valgrind sums this event only when it writes the costs",
};

static void print_audit_title(const struct audit_printer *p, const char *title)
{
	fprintf(p->to, TEXT_RULE "%s\n" TEXT_RULE, title);
}

static void print_event(const struct audit_printer *p, uint32_t event)
{
	text_print_name(p->to, cg_string(p->p, p->p->events[event].name), 0);
}

/* ---- totals and summaries ---- */

static void print_audit_sum(const struct audit_printer *p, const struct cg_audit_sum *sum,
			    const char *line)
{
	char self[TEXT_NUMBER], stated[TEXT_NUMBER], difference[TEXT_NUMBER];
	bool bad = sum->cause == CG_AUDIT_UNEXPLAINED;

	fprintf(p->to, "part %" PRIu32 ": ", sum->part + 1);
	fprintf(p->to, "%s %s, the costs add up to %s ", line, text_cost(sum->stated, stated),
		text_cost(sum->self, self));
	print_event(p, sum->event);
	fprintf(p->to, " (%s): %s%s%s\n", text_delta(sum->stated, sum->self, difference),
		bad ? text_red(p->style) : "", bad ? "unexplained" : briefly[sum->cause],
		bad ? text_plain(p->style) : "");
}

static void print_sums(const struct audit_printer *p, const struct cg_audit_sums *sums,
		       const char *line)
{
	uint32_t parts = p->p->nparts;

	if (sums->missing == parts)
		fprintf(p->to, "%s: not in the file\n", line);
	else if (sums->missing)
		fprintf(p->to, "%s: missing in %" PRIu32 " of %" PRIu32 " parts\n", line,
			sums->missing, parts);
	if (sums->count == 0 && sums->missing < parts)
		fprintf(p->to, "%s: the costs add up to it, in %" PRIu32 " %s and %" PRIu32 " %s\n",
			line, parts - sums->missing, parts - sums->missing == 1 ? "part" : "parts",
			p->p->nevents, p->p->nevents == 1 ? "event" : "events");
	for (size_t i = 0; i < sums->count; i++) {
		const struct cg_audit_sum *sum = &sums->rows[i];
		bool again = i && sum[-1].part == sum->part && sum->cause == CG_AUDIT_SWITCHED;
		if (!again)
			print_audit_sum(p, sum, line);
	}
}

/* ---- records ---- */

static char *describe_record(const struct audit_printer *p, uint32_t record, const char *level)
{
	const struct cg_record *r = &p->p->records[record];
	char *context = cg_context_text(p->p, r->context);
	bool in_object = p->p->functions[r->function].object != 0;
	char *text;

	if (!context)
		return NULL;
	if (asprintf(&text, "%s:%s%s%s%s%s%s%s%s", view_file(p->p, r->function),
		     view_function(p->p, r->function), level, *context ? "'" : "", context,
		     r->inlined_into ? " (inlined)" : "", in_object ? " [" : "",
		     in_object ? view_object(p->p, r->function) : "", in_object ? "]" : "") < 0)
		text = NULL;
	free(context);
	return text;
}

/* The name is worth more than where it is and who calls it. */
static char *describe_briefly(const struct audit_printer *p, uint32_t record, const char *level,
			      unsigned width)
{
	const struct cg_record *r = &p->p->records[record];
	char notes[40];

	snprintf(notes, sizeof notes, "%s%s%s", level, r->context ? "'…" : "",
		 r->inlined_into ? " (inlined)" : "");
	return text_name_with(view_function(p->p, r->function), notes, width);
}

static void print_record(struct audit_printer *p, uint32_t record, unsigned width)
{
	const struct cg_record *r = &p->p->records[record];
	char level[24] = "", *text, *safe;

	if (r->level > 1)
		snprintf(level, sizeof level, "'%" PRIu32, r->level);
	text = describe_record(p, record, level);
	safe = text ? text_safe(text) : NULL;
	free(text);
	if (safe && width && text_width(safe) > width) {
		free(safe);
		safe = describe_briefly(p, record, level, width);
	}
	p->failed |= !safe;
	fputs(safe ? safe : "(out of memory)", p->to);
	free(safe);
}

static unsigned width_left(const struct audit_printer *p, int used)
{
	enum { LEAST = 30 };
	if (p->style->wide || !p->style->width)
		return 0;
	return (int)p->style->width > used + LEAST ? p->style->width - (unsigned)used : LEAST;
}

struct audit_columns {
	int in, out, off, event;
};

static void fit_audit(int *width, const char *text)
{
	int size = (int)text_width(text);
	*width = size > *width ? size : *width;
}

static void widen(const struct audit_printer *p, const struct cg_audit_record *row,
		  struct audit_columns *c)
{
	size_t at = (size_t)row->record * p->p->nevents + row->event;
	char number[TEXT_NUMBER];

	fit_audit(&c->in, text_cost(p->a->in[at], number));
	fit_audit(&c->out, text_cost(p->a->out[at], number));
	fit_audit(&c->off, text_delta(p->a->in[at], p->a->out[at], number));
	fit_audit(&c->event, cg_string(p->p, p->p->events[row->event].name));
}

static void print_deviation(struct audit_printer *p, const struct cg_audit_record *row,
			    const struct audit_columns *c)
{
	size_t at = (size_t)row->record * p->p->nevents + row->event;
	char in[TEXT_NUMBER], out[TEXT_NUMBER], off[TEXT_NUMBER], share[TEXT_NUMBER];
	const char *event = cg_string(p->p, p->p->events[row->event].name);
	int blanks = c->event - (int)text_width(event);

	fprintf(p->to, "%*s %*s %*s %7s ", c->in, text_cost(p->a->in[at], in), c->out,
		text_cost(p->a->out[at], out), c->off, text_delta(p->a->in[at], p->a->out[at], off),
		text_share(cg_audit_difference(p->p, p->a, row->record, row->event),
			   p->p->total[row->event], share));
	print_event(p, row->event);
	fprintf(p->to, "%*s ", blanks > 0 ? blanks : 0, "");
	print_record(p, row->record, width_left(p, c->in + c->out + c->off + c->event + 15));
	if (row->events > 1)
		fprintf(p->to, " (and %" PRIu32 " more %s)", row->events - 1,
			row->events == 2 ? "event" : "events");
	if (row->other) {
		fputs(" <-> ", p->to);
		print_record(p, row->other, width_left(p, 40));
	}
	fputc('\n', p->to);
}

static bool is_listed_record(const struct audit_printer *p, const struct cg_audit_record *row)
{
	return p->r->chosen[p->p->records[row->record].function];
}

static void print_deviations(struct audit_printer *p)
{
	const struct cg_audit *a = p->a;
	struct audit_columns c = { 2, 3, 10, 5 };
	enum cg_audit_cause cause = CG_AUDIT_NONE;
	size_t listed = 0, top = p->r->top ? p->r->top : SIZE_MAX;

	for (size_t i = 0; i < a->nrecords; i++)
		if (is_listed_record(p, &a->records[i]))
			widen(p, &a->records[i], &c);
	for (size_t i = 0; i < a->nrecords && listed < top; i++) {
		const struct cg_audit_record *row = &a->records[i];
		if (!is_listed_record(p, row))
			continue;
		if (listed++ == 0)
			fprintf(p->to, "%*s %*s %*s   share event%*s record\n", c.in, "in", c.out,
				"out", c.off, "difference", c.event - 5, "");
		if (row->cause != cause)
			fprintf(p->to, "%s%s:%s\n",
				row->cause == CG_AUDIT_UNEXPLAINED ? text_red(p->style) : "",
				why[row->cause],
				row->cause == CG_AUDIT_UNEXPLAINED ? text_plain(p->style) : "");
		cause = row->cause;
		print_deviation(p, row, &c);
	}
	if (listed < a->nrecords)
		fprintf(p->to, "%zu of %zu records shown.\n", listed, a->nrecords);
}

static void print_local_events(const struct audit_printer *p)
{
	bool first = true;
	for (uint32_t e = 0; e < p->p->nevents; e++) {
		if (!p->a->local[e])
			continue;
		fputs(first ? "Except events that no call has: " : " ", p->to);
		print_event(p, e);
		first = false;
	}
	if (!first)
		fputc('\n', p->to);
}

static void print_flow(struct audit_printer *p)
{
	print_audit_title(
		p, "Flow: a record's self cost plus its calls equals the cost of the calls to it");
	if (!p->a->has_calls) {
		fputs("The file has no calls, so there is no flow to check.\n\n", p->to);
		return;
	}
	print_local_events(p);
	fprintf(p->to, "Flow holds for %" PRIu32 " of %" PRIu32 " called records.\n",
		p->a->conserving, p->a->called);
	if (p->a->misfit.records) {
		fputs("In all, ", p->to);
		text_print_misfit(p->to, p->p, &p->a->misfit);
		fputs(": no call tree of this profile is exact.\n", p->to);
	}
	print_deviations(p);
	fputc('\n', p->to);
}

/* ---- roots ---- */

static void print_roots(struct audit_printer *p)
{
	const struct cg_audit *a = p->a;
	size_t listed = 0, top = p->r->top ? p->r->top : SIZE_MAX, n = p->p->nevents;
	char cost[TEXT_NUMBER], share[TEXT_NUMBER];
	int width = 0;

	if (!a->has_calls || !a->nroots)
		return;
	print_audit_title(p, "Roots: records without a caller");
	for (size_t i = 0; i < a->nroots; i++)
		fit_audit(&width, text_cost(a->out[a->roots[i].record * n], cost));
	for (size_t i = 0; i < a->nroots && listed < top; i++) {
		int64_t out = a->out[a->roots[i].record * n];
		if (!is_listed_record(p, &a->roots[i]))
			continue;
		listed++;
		fprintf(p->to, "%*s (%s) ", width, text_cost(out, cost),
			text_share(out, p->p->total[0], share));
		print_event(p, 0);
		fputc(' ', p->to);
		print_record(p, a->roots[i].record, width_left(p, width + 40));
		fprintf(p->to, ": %s\n", briefly[a->roots[i].cause]);
	}
	if (listed < a->nroots)
		fprintf(p->to, "%zu of %zu roots shown.\n", listed, a->nroots);
	fputc('\n', p->to);
}

/* ---- the rest ---- */

static void print_audit_finding(const struct audit_printer *p, const char *what, uint64_t count,
				const char *note)
{
	char number[TEXT_NUMBER];
	if (count)
		fprintf(p->to, "%s: %s%s\n", what, text_count(count, number), note);
}

static void print_disputes(const struct audit_printer *p)
{
	const struct audit_disputes *d = &p->r->disputes;
	char cost[TEXT_NUMBER], share[TEXT_NUMBER];

	if (!d->lines)
		return;
	print_event(p, 0);
	fprintf(p->to,
		" at lines of other functions than debug information names: %s (%s), most in ",
		text_cost(d->self, cost),
		text_share(d->self, p->p->total[0], share) + strspn(share, " "));
	text_print_sentence_name(p->to, d->function, NULL, p->style->wide ? 0 : TEXT_SENTENCE_NAME);
	fputs(" at ", p->to);
	text_print_name(p->to, cg_base_name(d->file), 0);
	fprintf(p->to, ":%" PRIu32 "\n", d->line);
}

static void print_findings(const struct audit_printer *p)
{
	const struct cg_audit *a = p->a;

	if (!p->p->skipped && !p->p->redefined && !a->countless && !a->oversized && !a->overflow &&
	    !p->r->disputes.lines)
		return;
	print_audit_title(p, "Also");
	print_audit_finding(p, "malformed lines skipped", p->p->skipped, "");
	print_audit_finding(p, "name numbers that a part defines again for other names",
			    p->p->redefined, "");
	print_audit_finding(p, "calls that cost something but happened 0 times", a->countless,
			    " (begun before counting, or not counted)");
	print_audit_finding(p, "calls that cost more than the whole profile", a->oversized, "");
	print_disputes(p);
	if (a->overflow)
		fputs("sums beyond 2^63 were cut; differences may be wrong\n", p->to);
	fputc('\n', p->to);
}

static void print_largest(struct audit_printer *p)
{
	const struct cg_audit_record *row = &p->a->records[p->a->largest];
	size_t at = (size_t)row->record * p->p->nevents + row->event;
	char off[TEXT_NUMBER], share[TEXT_NUMBER];

	text_share(cg_audit_difference(p->p, p->a, row->record, row->event),
		   p->p->total[row->event], share);
	fprintf(p->to, "; largest deviation %s ", text_delta(p->a->in[at], p->a->out[at], off));
	print_event(p, row->event);
	fprintf(p->to, " (%s) in ", share + strspn(share, " "));
	text_print_sentence_name(p->to, view_function(p->p, p->p->records[row->record].function),
				 NULL, p->style->wide ? 0 : TEXT_SENTENCE_NAME);
}

static size_t unexplained_sums(const struct cg_audit_sums *sums)
{
	size_t n = 0;
	for (size_t i = 0; i < sums->count; i++)
		n += sums->rows[i].cause == CG_AUDIT_UNEXPLAINED;
	return n;
}

static void print_audit_verdict(struct audit_printer *p)
{
	const struct cg_audit *a = p->a;
	size_t open = a->unexplained + unexplained_sums(&a->totals) +
		      unexplained_sums(&a->summaries);

	fprintf(p->to, "%saudit: ", text_bold(p->style));
	if (a->has_calls)
		fprintf(p->to, "flow holds for %" PRIu32 " of %" PRIu32 " records", a->conserving,
			a->called);
	else
		fputs("no calls, so no flow", p->to);
	if (a->nrecords)
		print_largest(p);
	fprintf(p->to, "; totals %s; ",
		a->totals.count                     ? "do not hold"
		: a->totals.missing == p->p->nparts ? "not stated"
						    : "hold");
	if (open)
		fprintf(p->to, "%s%zu unexplained", text_red(p->style), open);
	else
		fprintf(p->to, "%snothing unexplained", text_green(p->style));
	fprintf(p->to, "%s\n", text_plain(p->style));
}

static void print_audit_head(const void *report, FILE *to)
{
	const struct audit_report *r = report;

	show_print_origin(r->profile, &r->origin, to);
	show_print_parts(r->profile, 0, to);
	show_print_filter(r->profile, r->filter, to);
}

int show_audit_text(const struct audit_report *r, const struct text_style *style, FILE *to)
{
	struct audit_printer p = { r, r->profile, r->audit, style, to, false };

	p.failed = show_fit_head(print_audit_head, r, style, to) != CG_OK;
	print_audit_title(&p, "Totals: the records of a part add up to its totals line");
	print_sums(&p, &r->audit->totals, "totals");
	print_sums(&p, &r->audit->summaries, "summary");
	fputc('\n', to);
	print_flow(&p);
	print_roots(&p);
	print_findings(&p);
	print_audit_verdict(&p);
	return p.failed ? CG_ENOMEM : CG_OK;
}
