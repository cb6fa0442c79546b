#include "src/report/history_report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cgprofile/error.h"
#include "src/report/text/table.h"
#include "src/text/sparkline.h"
#include "src/text/wrap.h"

enum { SHORT_ID = 10, SMALL = 24, WIDE = 72 };

bool history_shows(const struct history_report *r, const struct series *s, size_t point)
{
	return point >= s->hidden && (!r->only_steps || s->points[point].step != STEP_NONE);
}

bool history_is_by_time(const struct history_report *r)
{
	bool several = false;

	for (size_t i = 0; i < r->count; i++)
		several |= r->series[i]->count > 1;
	return r->by_time && several;
}

const char *history_date(int64_t seconds, char buffer[TEXT_NUMBER])
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buffer, TEXT_NUMBER, "%Y-%m-%d", &tm))
		snprintf(buffer, TEXT_NUMBER, "?");
	return buffer;
}

/* ---- words ---- */

static const char *history_mark_of(enum series_step step, const struct text_style *style)
{
	static const char *const drawn[] = { "", "▲ regressed", "▼ improved" };
	return style->ascii ? series_step_name(step) : drawn[step];
}

static const char *history_color_of(enum series_step step, const struct text_style *style)
{
	return step == STEP_REGRESSED  ? text_red(style)
	       : step == STEP_IMPROVED ? text_green(style)
				       : "";
}

static const char *id_of(const struct series_point *p, char buffer[TEXT_NUMBER])
{
	snprintf(buffer, TEXT_NUMBER, "%.*s", SHORT_ID, p->commit);
	return buffer;
}

/* ---- sparkline ---- */

/* Of the points that are shown and on the branch, flat if there is no step between any of them;
 * NULL: out of memory. */
static char *draw(const struct series *s, unsigned width, const struct text_style *style,
		  int64_t *least, int64_t *most)
{
	int64_t *counts = calloc(s->count + 1, sizeof *counts);
	char *line = NULL;
	size_t n = 0;

	for (size_t i = s->hidden; counts && i < s->count; i++)
		if (s->points[i].place == PLACE_BRANCH)
			counts[n++] = s->points[i].count;
	*least = *most = n && counts ? counts[0] : 0;
	for (size_t i = 1; counts && i < n; i++) {
		*least = counts[i] < *least ? counts[i] : *least;
		*most = counts[i] > *most ? counts[i] : *most;
	}
	for (size_t i = 0; counts && s->level && i < n; i++)
		counts[i] = *least;
	if (counts)
		line = text_sparkline(counts, n, width, style->ascii);
	free(counts);
	return line;
}

/* In lines that fit. */
static void end_line(struct text_line *line, const struct text_style *style)
{
	enum { INDENT = 4 };
	text_line_end(line, 0, style->wide ? 0 : style->width, INDENT);
}

/* Of siblings, time does not tell which came first. */
static void print_by_time(const char *why, const struct text_style *style, FILE *out)
{
	struct text_line line;
	FILE *to = text_line_begin(&line, out);

	fputs("  sorted by time only, so that a step may be between commits of different branches: ",
	      to);
	text_print_name(to, why, 0);
	end_line(&line, style);
}

/* ---- all benchmarks ---- */

static const struct series_point *newest_of(const struct series *s)
{
	for (size_t i = s->count; i > s->hidden; i--)
		if (s->points[i - 1].place == PLACE_BRANCH)
			return &s->points[i - 1];
	return NULL;
}

static const struct series_point *last_step_of(const struct series *s)
{
	for (size_t i = s->count; i > s->hidden; i--)
		if (s->points[i - 1].step != STEP_NONE)
			return &s->points[i - 1];
	return NULL;
}

/* Where there is no room for all columns, and the date of a step. */
static bool is_narrow(const struct text_style *style)
{
	enum { ROOMY = 110 };
	return !style->wide && style->width && style->width < ROOMY;
}

/* A commit after others that were not measured may not be the one that made the step. */
static void describe_step(const struct series_point *p, const struct text_style *style, char *text,
			  size_t size)
{
	char change[TEXT_NUMBER], date[TEXT_NUMBER], id[TEXT_NUMBER], from[TEXT_NUMBER];
	if (p)
		snprintf(text, size, "%s %s, %s%s%s%s%s", history_mark_of(p->step, style),
			 text_change(p->previous->count, p->count, change),
			 p->skipped ? id_of(p->previous, from) : "", p->skipped ? ".." : "",
			 id_of(p, id), is_narrow(style) ? "" : ", ",
			 is_narrow(style) ? "" : history_date(p->committed, date));
	else
		snprintf(text, size, "%s", "none");
}

/* The first cell is the one that a narrow table has not, and otherwise the second column. */
static int add_history_row(struct text_table *t, const char *color, const char *const all[6],
			   const struct text_style *style)
{
	const char *const cells[] = { all[1], all[0], all[2], all[3], all[4], all[5] };

	return text_table_add(t, color, is_narrow(style) ? all + 1 : cells);
}

static int add_overview_benchmark(struct text_table *t, const struct series *s,
				  const struct text_style *style)
{
	const struct series_point *newest = newest_of(s), *step = last_step_of(s);
	char commits[TEXT_NUMBER], count[TEXT_NUMBER], last[4 * TEXT_NUMBER];
	int64_t least, most;
	char *line = draw(s, SMALL, style, &least, &most);
	unsigned room = style->wide ? 0 : is_narrow(style) ? 16 : 32;
	char *name = text_cut(s->benchmark, room), *metric = text_safe(s->metric);
	int status = CG_ENOMEM;

	if (line && name && metric) {
		describe_step(step, style, last, sizeof last);
		const char *const all[] = {
			text_count(s->count - s->hidden, commits),
			name,
			newest ? text_cost(newest->count, count) : "–",
			metric,
			line,
			last,
		};
		status = add_history_row(t, history_color_of(step ? step->step : STEP_NONE, style),
					 all, style);
	}
	free(line);
	free(name);
	free(metric);
	return status;
}

static bool is_in_overview(const struct history_report *r, const struct series *s)
{
	return !r->only_steps || last_step_of(s);
}

static bool is_redefined(const struct series *s)
{
	return s->standing == STANDING_REDEFINED;
}

static bool is_removed(const struct series *s)
{
	return s->standing == STANDING_REMOVED;
}

static bool is_varying(const struct series *s)
{
	return s->varies;
}

/* What is said below the overview of some benchmarks, with their names. */
static const struct overview_note {
	bool (*holds)(const struct series *s);
	enum series_standing standing;
	const char *words; /* NULL: of the standing */
} overview_notes[] = {
	{ is_redefined, STANDING_REDEFINED, NULL },
	{ is_removed, STANDING_REMOVED, NULL },
	{ is_varying, STANDING_DEFINED, SERIES_VARIES },
	{ series_is_mostly_elsewhere, STANDING_DEFINED, SERIES_MOSTLY_ELSEWHERE },
};

static bool note_holds(const struct history_report *r, const struct overview_note *note)
{
	for (size_t i = 0; i < r->count; i++)
		if (note->holds(r->series[i]) && is_in_overview(r, r->series[i]))
			return true;
	return false;
}

static void print_note(const struct history_report *r, const struct overview_note *note,
		       const struct text_style *style, FILE *out)
{
	enum { MOST = 10 };
	struct text_line line;
	size_t found = 0;
	FILE *to = text_line_begin(&line, out);

	fprintf(to, "  %s: ", note->words ? note->words : series_standing_words(note->standing));
	for (size_t i = 0; i < r->count && found <= MOST; i++) {
		const struct series *s = r->series[i];
		if (!note->holds(s) || !is_in_overview(r, s) || found++ == MOST)
			continue;
		fputs(found > 1 ? ", " : "", to);
		text_print_name(to, s->benchmark, 0);
	}
	fputs(found > MOST ? ", …" : "", to);
	end_line(&line, style);
}

static void print_overview_notes(const struct history_report *r, const struct text_style *style,
				 FILE *to)
{
	const size_t n = sizeof overview_notes / sizeof *overview_notes;
	bool any = history_is_by_time(r);

	for (size_t i = 0; i < n; i++)
		any |= note_holds(r, &overview_notes[i]);
	if (any)
		fputc('\n', to);
	for (size_t i = 0; i < n; i++)
		if (note_holds(r, &overview_notes[i]))
			print_note(r, &overview_notes[i], style, to);
	if (history_is_by_time(r))
		print_by_time(r->by_time, style, to);
}

int history_text_overview(const struct history_report *r, const struct text_style *style, FILE *to)
{
	static const char *const titles[] = { "commits", "benchmark", "latest",
					      "",        "over time", "last step" };
	struct text_table t;
	int status = text_table_init(&t, r->count + 1, is_narrow(style) ? "lrlll" : "lrrlll");

	if (!status)
		status = add_history_row(&t, text_dim(style), titles, style);
	for (size_t i = 0; !status && i < r->count; i++)
		if (is_in_overview(r, r->series[i]))
			status = add_overview_benchmark(&t, r->series[i], style);
	if (!status && t.nrows > 1)
		text_table_print(&t, style, to);
	else if (!status)
		fputs("No benchmark has a step.\n", to);
	if (!status)
		print_overview_notes(r, style, to);
	text_table_free(&t);
	return status;
}

/* ---- one benchmark ---- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_history_title(const struct series *s, const struct text_style *style, FILE *out)
{
	char n[TEXT_NUMBER];
	struct text_line line;
	FILE *to = text_line_begin(&line, out);

	text_print_name(to, s->benchmark, 0);
	fputs(": ", to);
	text_print_name(to, s->metric, 0);
	fprintf(to, " of %s commit%s, in environment %s (Valgrind ",
		text_count(s->count - s->hidden, n), plural(s->count - s->hidden), s->environment);
	text_print_name(to, s->valgrind, 0);
	fputs(")", to);
	end_line(&line, style);
}

static void print_range(const struct series *s, int64_t least, int64_t most,
			const struct text_style *style, FILE *out)
{
	char first[TEXT_NUMBER], last[TEXT_NUMBER];
	struct text_line line;
	FILE *to = text_line_begin(&line, out);

	text_cost(least, first);
	text_cost(most, last);
	if (least == most)
		fprintf(to, "  always %s", first);
	else if (s->level)
		fprintf(to, "  between %s and %s, without a step; newest on the right", first,
			last);
	else
		fprintf(to, "  from %s (lowest) to %s (highest); newest on the right", first, last);
	end_line(&line, style);
}

static int print_history_line(const struct series *s, const struct text_style *style, FILE *out)
{
	unsigned width = style->width > 8 ? style->width - 2 : WIDE;
	int64_t least, most;
	char *line = draw(s, width, style, &least, &most);

	if (!line)
		return CG_ENOMEM;
	if (*line) {
		fprintf(out, "\n  %s\n", line);
		print_range(s, least, most, style, out);
	}
	free(line);
	return CG_OK;
}

static void note_of(const struct series_point *p, const struct text_style *style, char *text,
		    size_t size)
{
	snprintf(text, size, "%s%s%s", history_mark_of(p->step, style),
		 p->step != STEP_NONE && p->skipped ? " *" : "", series_place_name(p->place));
}

/* A subject says most at its beginning. `room` 0: whole. NULL: out of memory. */
static char *cut_subject(const char *subject, unsigned room)
{
	char *safe = text_safe(subject), *cut = NULL;
	size_t len = safe ? strlen(safe) : 0;

	if (!room || text_width(safe ? safe : "") <= room)
		return safe;
	while (len && text_width(safe) >= room) {
		do
			len--;
		while (len && ((unsigned char)safe[len] & 0xc0) == 0x80);
		safe[len] = '\0';
	}
	if (safe && asprintf(&cut, "%s…", safe) < 0)
		cut = NULL;
	free(safe);
	return cut;
}

static int add_point_row(struct text_table *t, const struct series_point *p,
			 const struct text_style *style)
{
	char id[TEXT_NUMBER], date[TEXT_NUMBER], count[TEXT_NUMBER], delta[TEXT_NUMBER];
	char change[TEXT_NUMBER], note[2 * TEXT_NUMBER];
	bool known = p->previous != NULL;
	int64_t before = known ? p->previous->count : 0;

	note_of(p, style, note, sizeof note);
	const char *const cells[] = {
		id_of(p, id),
		history_date(p->committed, date),
		text_cost(p->count, count),
		known ? text_delta(before, p->count, delta) : "–",
		known ? text_change(before, p->count, change) : "–",
		note,
		p->subject,
	};
	const char *const undated[] = { cells[0], cells[2], cells[3], cells[4], note, p->subject };
	const char *color = p->place == PLACE_BRANCH ? history_color_of(p->step, style)
						     : text_dim(style);
	return text_table_add(t, color, is_narrow(style) ? undated : cells);
}

static size_t count_shown(const struct history_report *r, const struct series *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++)
		n += history_shows(r, s, i);
	return n;
}

static int print_points(const struct history_report *r, const struct series *s, size_t most,
			const struct text_style *style, FILE *to)
{
	static const char *const titles[] = {
		"commit", "date", "count", "Δ", "Δ %", "", "subject"
	};
	static const char *const undated[] = { "commit", "count", "Δ", "Δ %", "", "subject" };
	struct text_table t;
	int status = text_table_init(&t, most + 1, is_narrow(style) ? "lrrrll" : "llrrrll");

	if (!status)
		status = text_table_add(&t, text_dim(style), is_narrow(style) ? undated : titles);
	for (size_t i = s->count; !status && i > 0 && t.nrows <= most; i--)
		if (history_shows(r, s, i - 1))
			status = add_point_row(&t, &s->points[i - 1], style);
	unsigned room = status ? 0 : text_table_room(&t, style);
	for (size_t i = s->count, row = 1; !status && i > 0 && row < t.nrows; i--)
		if (history_shows(r, s, i - 1))
			status = text_table_name(&t, row++,
						 cut_subject(s->points[i - 1].subject, room));
	if (!status) {
		fputc('\n', to);
		text_table_print(&t, style, to);
		fputs(is_narrow(style) ? "  … and 1 more column (date); see it with --wide\n" : "",
		      to);
	}
	text_table_free(&t);
	return status;
}

/* A step that no measured commit is known to have made. */
static void print_gaps(const struct history_report *r, const struct series *s, size_t shown,
		       const struct text_style *style, FILE *out)
{
	struct text_line line;
	char from[TEXT_NUMBER], id[TEXT_NUMBER], n[TEXT_NUMBER];
	const char *lead = "\n";

	for (size_t i = s->count; i > 0 && shown; i--) {
		const struct series_point *p = &s->points[i - 1];
		shown -= history_shows(r, s, i - 1);
		if (!history_shows(r, s, i - 1) || p->step == STEP_NONE || !p->skipped)
			continue;
		fputs(lead, out);
		fprintf(text_line_begin(&line, out),
			"  * %s between %s and %s, %s commit%s not measured",
			series_step_name(p->step), id_of(p->previous, from), id_of(p, id),
			text_count(p->skipped, n), plural((size_t)p->skipped));
		end_line(&line, style);
		lead = "";
	}
}

static void print_digests(const char *const *digests, size_t count, FILE *to)
{
	enum { MOST = 3 };

	for (size_t i = 0; i < count && i < MOST; i++)
		fprintf(to, "%s%s", i ? ", " : "", digests[i]);
	fputs(count > MOST ? ", …" : "", to);
}

static const char *it_or_them(size_t count)
{
	return count == 1 ? "it" : "them";
}

static void print_history_others(const struct series *s, const struct text_style *style, FILE *out)
{
	char n[TEXT_NUMBER];
	struct text_line line;

	if (s->redefined) {
		FILE *to = text_line_begin(&line, out);
		fprintf(to,
			"  %s not comparable, by %s of the benchmark; see %s with --definition=",
			text_count(s->redefined, n),
			s->ndefinitions == 1 ? "another definition" : "other definitions",
			it_or_them(s->redefined));
		print_digests(s->definitions, s->ndefinitions, to);
		end_line(&line, style);
	}
	if (s->elsewhere) {
		FILE *to = text_line_begin(&line, out);
		fprintf(to, "  %s not comparable, from %s; see %s with --environment=",
			text_count(s->elsewhere, n),
			s->nothers == 1 ? "another environment" : "other environments",
			it_or_them(s->elsewhere));
		print_digests(s->others, s->nothers, to);
		end_line(&line, style);
	}
}

static void print_left_out(const struct history_report *r, const struct series *s, size_t hidden,
			   const struct text_style *style, FILE *to)
{
	const bool by_time = r->by_time && s->count > 1;
	const bool others = s->off_branch || s->redefined || s->elsewhere || s->uncounted;
	char n[TEXT_NUMBER];

	if (s->standing || s->varies || hidden || by_time || others)
		fputc('\n', to);
	if (s->standing)
		fprintf(to, "  %s\n", series_standing_words(s->standing));
	if (s->varies)
		fputs("  " SERIES_VARIES "\n", to);
	if (hidden)
		fprintf(to, "  %s more; see %s with --top=0\n", text_count(hidden, n),
			it_or_them(hidden));
	if (by_time)
		print_by_time(r->by_time, style, to);
	if (s->off_branch)
		fprintf(to, "  %s on other or merged branches; see %s with --all\n",
			text_count(s->off_branch, n), it_or_them(s->off_branch));
	print_history_others(s, style, to);
	if (s->uncounted) {
		struct text_line line;
		FILE *pieces = text_line_begin(&line, to);
		fprintf(pieces, "  %s measured without ", text_count(s->uncounted, n));
		text_print_name(pieces, s->metric, 0);
		end_line(&line, style);
	}
}

static int print_history_table(const struct history_report *r, const struct series *s,
			       const struct text_style *style, FILE *to)
{
	size_t there = count_shown(r, s), shown = r->top && r->top < there ? r->top : there;

	print_history_title(s, style, to);
	int status = print_history_line(s, style, to);
	if (!status && shown)
		status = print_points(r, s, shown, style, to);
	if (status)
		return status;
	if (!shown)
		fprintf(to, "\n  %s\n", r->only_steps ? "no step" : "no commit of this branch");
	print_gaps(r, s, shown, style, to);
	print_left_out(r, s, there - shown, style, to);
	return CG_OK;
}

static bool has_points(const struct series *s)
{
	return s->count > s->hidden;
}

/* A heap that was only counted on another branch is not in the way of the benchmark's table. */
int history_text(const struct history_report *r, const struct text_style *style, FILE *to)
{
	bool any = false, first = true;
	int status = CG_OK;

	for (size_t i = 0; i < r->count; i++)
		any |= has_points(r->series[i]);
	for (size_t i = 0; !status && i < r->count; i++) {
		if (any && !has_points(r->series[i]))
			continue;
		fputs(first ? "" : "\n", to);
		first = false;
		status = print_history_table(r, r->series[i], style, to);
	}
	return status;
}
