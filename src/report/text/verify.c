#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/run_notes.h"
#include "src/report/text/table.h"
#include "src/report/verify_report.h"
#include "src/text/shell.h"

#define MOST_ROWS 10

struct verify_printer {
	const struct verify_report *r;
	const struct text_style *style;
	FILE *to;
};

static const char *event_verify_name(const struct verify_printer *p, uint32_t event)
{
	return cg_string(p->r->profile, p->r->profile->events[event].name);
}

/* ---- what varies ---- */

/* Whether a total varies. */
static bool verify_totals_vary(const struct verify_report *r)
{
	for (uint32_t e = 0; e < r->variation->nevents; e++)
		if (r->variation->totals[e].min != r->variation->totals[e].max)
			return true;
	return false;
}

void verify_differences(const struct verify_report *r, const char *words[VERIFY_WORDS])
{
	const struct variation *v = r->variation;
	size_t n = 0;

	if (verify_totals_vary(r))
		words[n++] = "totals";
	if (v->nfunctions)
		words[n++] = "functions";
	if (v->ncalls)
		words[n++] = "calls";
	if (r->details & VERIFY_LINES)
		words[n++] = "lines";
	if (r->details & VERIFY_SITES)
		words[n++] = "sites";
	if (r->details & VERIFY_CONTEXTS)
		words[n++] = "contexts";
	if (!r->equal && !n)
		words[n++] = "addresses";
	words[n] = NULL;
}

static bool has_word(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/* `share` of: the largest total of the event; 0: no share is shown. */
static int add_spread_row(struct text_table *t, const struct spread *s, int64_t share,
			  const char *name)
{
	char min[TEXT_NUMBER], max[TEXT_NUMBER], ppm[TEXT_NUMBER] = "";
	const char *cells[] = { text_cost(s->min, min), text_cost(s->max, max), ppm, name };

	if (share > 0)
		snprintf(ppm, sizeof ppm, "%.1f",
			 ((double)s->max - (double)s->min) / (double)share * 1e6);
	return text_table_add(t, "", cells);
}

static int begin_table(const struct verify_printer *p, struct text_table *t, size_t rows,
		       const char *name)
{
	const char *titles[] = { "min", "max", "ppm", name };
	int status = text_table_init(t, rows + 1, "rrrl");

	return status ? status : text_table_add(t, text_dim(p->style), titles);
}

static void end_table(const struct verify_printer *p, struct text_table *t, int status, size_t left)
{
	if (!status) {
		fputc('\n', p->to);
		text_table_print(t, p->style, p->to);
		if (left)
			fprintf(p->to, "and %zu more\n", left);
	}
	text_table_free(t);
}

static int print_verify_totals(const struct verify_printer *p)
{
	const struct variation *v = p->r->variation;
	struct text_table t;
	int status = begin_table(p, &t, v->nevents, "event");

	for (uint32_t e = 0; !status && e < v->nevents; e++)
		if (v->totals[e].min != v->totals[e].max)
			status = add_spread_row(&t, &v->totals[e], v->totals[e].max,
						event_verify_name(p, e));
	end_table(p, &t, status, 0);
	return status;
}

static int print_verify_functions(const struct verify_printer *p)
{
	const struct variation *v = p->r->variation;
	size_t shown = v->nfunctions < MOST_ROWS ? v->nfunctions : MOST_ROWS;
	char title[100];
	struct text_table t;

	if (!shown)
		return CG_OK;
	snprintf(title, sizeof title, "function whose self %.60s varies",
		 event_verify_name(p, v->event));
	int status = begin_table(p, &t, shown, title);
	for (size_t i = 0; !status && i < shown; i++)
		status = add_spread_row(&t, &v->functions[i].spread, v->totals[v->event].max,
					v->functions[i].function.name);
	end_table(p, &t, status, v->nfunctions - shown);
	return status;
}

static int print_verify_calls(const struct verify_printer *p)
{
	const struct variation *v = p->r->variation;
	size_t shown = v->ncalls < MOST_ROWS ? v->ncalls : MOST_ROWS;
	struct text_table t;

	if (!shown)
		return CG_OK;
	int status = begin_table(p, &t, shown, "calls whose number varies");
	for (size_t i = 0; !status && i < shown; i++) {
		const struct variation_row *row = &v->calls[i];
		char *name;
		if (asprintf(&name, "%s → %s", row->function.name, row->callee.name) < 0) {
			status = CG_ENOMEM;
			break;
		}
		status = add_spread_row(&t, &row->spread, 0, name);
		free(name);
	}
	end_table(p, &t, status, v->ncalls - shown);
	return status;
}

/* ---- what was tried ---- */

static void print_verify_words(FILE *to, const char *const *words)
{
	for (const char *const *word = words; *word; word++)
		fprintf(to, "%s%s", word == words ? "" : ", ", *word);
}

static void print_attempts(const struct verify_printer *p)
{
	char min[TEXT_NUMBER], max[TEXT_NUMBER];
	bool out_of_time = false;

	if (p->r->nattempts)
		fputs("\nTried:\n", p->to);
	for (size_t i = 0; i < p->r->nattempts; i++) {
		const struct verify_attempt *a = &p->r->attempts[i];
		fputs("  ", p->to);
		print_verify_words(p->to, a->remedies);
		out_of_time |= a->out_of_time;
		if (a->out_of_time)
			fputs(": no time left\n", p->to);
		else if (a->timed_out)
			fprintf(p->to, ": did not end within %u s, skipped\n", a->limit);
		else if (a->failed)
			fputs(": the run failed\n", p->to);
		else if (a->equal)
			fprintf(p->to, ": %sbyte-equal over %zu runs%s\n", text_green(p->style),
				a->runs, text_plain(p->style));
		else if (a->spread.min == a->spread.max)
			fprintf(p->to, ": differs after %zu runs (not in the total)\n", a->runs);
		else
			fprintf(p->to, ": differs after %zu runs (%s … %s)\n", a->runs,
				text_cost(a->spread.min, min), text_cost(a->spread.max, max));
	}
	if (out_of_time)
		fprintf(p->to,
			"All trials together may take %.0f s; --trials-timeout=SECONDS changes that.\n",
			p->r->seconds);
}

static void print_variables(const struct verify_printer *p, const struct verify_remedy *remedy,
			    const char *before, const char *between)
{
	bool first = true;

	for (const char *const *const *list = remedy->env; *list; list++)
		for (const char *const *variable = *list; *variable; variable++) {
			fprintf(p->to, "%s%s", first ? before : between, *variable);
			first = false;
		}
}

static void print_lines(const struct verify_printer *p, const struct verify_remedy *remedy)
{
	fputs("\n  ", p->to);
	text_print_name(p->to, p->r->benchmark, 0);
	fputs(":\n", p->to);
	if (remedy->freeze[0]) {
		fputs("    freeze: [", p->to);
		print_verify_words(p->to, remedy->freeze);
		fputs("]\n", p->to);
	}
	if (remedy->env[0]) {
		print_variables(p, remedy, "    env: [", ", ");
		fputs("]\n", p->to);
	}
	if (remedy->warm_up)
		fputs("    warm_up: true\n", p->to);
	if (remedy->presets)
		fputs("    presets: true\n", p->to);
}

static void print_run_options(const struct verify_printer *p, const struct verify_remedy *remedy)
{
	fputs("irdiff profile", p->to);
	for (size_t i = 0; remedy->freeze[i]; i++)
		fprintf(p->to, "%s%s", i ? "," : " --freeze=", remedy->freeze[i]);
	print_variables(p, remedy, " --env=", " --env=");
	fputs(remedy->warm_up ? " --warm-up" : "", p->to);
	fputs(remedy->presets ? " --presets" : "", p->to);
	fputc('\n', p->to);
}

static void print_cure(const struct verify_printer *p)
{
	fprintf(p->to, "\nThis %smakes it deterministic", p->r->probable ? "probably " : "");
	if (p->r->benchmark) {
		fputs(", in irdiff.yml:\n", p->to);
		print_lines(p, p->r->remedy);
	} else {
		fputs(": ", p->to);
		print_run_options(p, p->r->remedy);
	}
	if (p->r->probable)
		fputs("\nIt has several threads, whose scheduling may vary: equal runs are no proof.\n",
		      p->to);
}

const struct variation *verify_variation(const struct verify_report *r)
{
	return r->reduced ? r->reduced : r->variation;
}

bool verify_states(const struct verify_report *r, uint32_t event)
{
	return variation_tolerance(verify_variation(r), event) ||
	       (event == 0 && r->threads && r->runs >= VERIFY_RUNS_OF_THREADS);
}

/* As it goes into irdiff.yml. */
static void print_tolerance(const struct verify_printer *p)
{
	const char *comma = "";

	fputs("    tolerance: {", p->to);
	for (uint32_t e = 0; e < p->r->variation->nevents; e++) {
		if (!verify_states(p->r, e))
			continue;
		fputs(comma, p->to);
		text_print_name(p->to, event_verify_name(p, e), 0);
		fprintf(p->to, ": %" PRIu64, variation_tolerance(verify_variation(p->r), e));
		comma = ", ";
	}
	fputs("}\n", p->to);
}

static void print_tolerance_line(const struct verify_printer *p)
{
	fputc('\n', p->to);
	if (p->r->benchmark) {
		fputs("  ", p->to);
		text_print_name(p->to, p->r->name, 0);
		fputs(":\n", p->to);
	}
	print_tolerance(p);
}

static void print_verify_tolerance(const struct verify_printer *p)
{
	const struct variation *v = p->r->variation;

	fprintf(p->to, "\nThe largest variation of a total or function is %" PRIu64 " ",
		v->widest[v->event]);
	text_print_name(p->to, event_verify_name(p, v->event), 0);
	fprintf(p->to,
		" in these %zu runs; more\nruns would vary more. To ignore changes up to twice that, "
		"add to irdiff.yml:\n",
		p->r->runs);
	print_tolerance_line(p);
}

/* How far the totals of the first event are apart: "1,234 Ir (5.6 ppm)". */
static void print_width(const struct verify_printer *p, const struct variation *v)
{
	char count[TEXT_NUMBER];

	text_count(cg_distance(v->totals[0].min, v->totals[0].max), count);
	fprintf(p->to, "%s ", count);
	text_print_name(p->to, event_verify_name(p, 0), 0);
	fprintf(p->to, " (%.1f ppm)", spread_ppm(&v->totals[0]));
}

static void print_reduction(const struct verify_printer *p)
{
	fprintf(p->to,
		"\nNothing irdiff tried makes it deterministic, but with the following it varies less:"
		"\nin %zu runs by ",
		p->r->reduced_runs);
	print_width(p, p->r->reduced);
	fputs(" instead of ", p->to);
	print_width(p, p->r->variation);
	fputs(". More runs would vary more;\nthe tolerance is twice the largest variation of a total or "
	      "function.",
	      p->to);
	if (p->r->benchmark) {
		fputs(" In irdiff.yml:\n", p->to);
		print_lines(p, p->r->reduction);
		if (strcmp(p->r->name, p->r->benchmark) == 0)
			print_tolerance(p);
		else
			print_tolerance_line(p);
	} else {
		fputs("\n\n  ", p->to);
		print_run_options(p, p->r->reduction);
		fputs("\nand in irdiff.yml:\n\n", p->to);
		print_tolerance(p);
	}
}

/* With more runs: what varies rarely does not show in a few. */
static void print_more_runs(const struct verify_printer *p)
{
	fprintf(p->to, "irdiff verify -n %d ", VERIFY_RUNS_OF_THREADS);
	if (p->r->benchmark)
		shell_print_word(p->to, p->r->name);
	else
		fputs("-- COMMAND", p->to);
	fputc('\n', p->to);
}

/* It need not be said of each comparison that its counts may vary, once that is known of more than
 * a few runs. */
static void print_equal_threads(const struct verify_printer *p)
{
	if (p->r->runs < VERIFY_RUNS_OF_THREADS) {
		fprintf(p->to,
			"\nIts functions count the same in %zu runs, but it has several threads, whose "
			"scheduling\nmay differ in others. To see more of them, run ",
			p->r->runs);
		print_more_runs(p);
		return;
	}
	fprintf(p->to,
		"\nIt has several threads, yet its functions count the same in %zu runs; rarer "
		"differences are\nstill possible. To stop the warning about threads, add to irdiff.yml:\n",
		p->r->runs);
	print_tolerance_line(p);
}

/* A comparison warns of it, which cannot know that the counts did not differ here. */
static void print_equal_reads(const struct verify_printer *p)
{
	char what[RUN_READS_TEXT];

	fprintf(p->to,
		"\nIt reads %s, so its counts could differ by chance, but in these %zu runs\n"
		"they did not.",
		run_reads_text(p->r->reads, what), p->r->runs);
	if (!p->r->to_freeze) {
		fputc('\n', p->to);
	} else if (!p->r->benchmark) {
		fputs(" To prevent that, add --freeze=", p->to);
		for (const char *c = p->r->to_freeze; *c; c++)
			if (*c != ' ')
				fputc(*c, p->to);
		fputc('\n', p->to);
	} else {
		fputs(" To prevent that, and stop the warning about it, add to irdiff.yml:\n\n  ",
		      p->to);
		text_print_name(p->to, p->r->benchmark, 0);
		fprintf(p->to, ":\n    freeze: [%s]\n", p->r->to_freeze);
	}
}

static void print_no_remedy(const struct verify_printer *p)
{
	const struct variation *v = p->r->variation;
	bool any = false;

	fputc('\n', p->to);
	if (p->r->nattempts)
		fputs("Nothing irdiff tried makes it deterministic.\n", p->to);
	if (p->r->threads && p->r->threads_of)
		fprintf(p->to,
			"%s has threads of its own, which wait for each other: some variation is left.\n",
			p->r->threads_of);
	else if (p->r->threads)
		fputs("It has several threads, whose scheduling varies from run to run: use one thread "
		      "if\npossible.\n",
		      p->to);
	if (!verify_totals_vary(p->r))
		fputs(p->r->variation->equal
			      ? "Every function counts the same in all runs, so limits are reliable.\n"
			      : "Totals are equal, so limits on totals are reliable; limits on functions are not.\n",
		      p->to);
	for (uint32_t e = 0; e < v->nevents; e++)
		any |= v->widest[e] > 0;
	if (any)
		print_verify_tolerance(p);
	else if (p->r->threads)
		print_equal_threads(p);
}

/* ---- the whole ---- */

/* What follows from what stands before it is not said: where functions vary, so do their lines. */
static void print_differences(const struct verify_printer *p)
{
	static const struct {
		const char *word, *said, *follows_from[3];
	} all[] = {
		{ "functions", "self costs of functions", { NULL } },
		{ "calls", "numbers of calls", { NULL } },
		{ "lines", "self costs of lines", { "functions" } },
		{ "sites", "lines of calls", { "functions", "calls", "lines" } },
		{ "contexts", "calling contexts", { "functions", "calls" } },
		{ "addresses", "addresses of instructions", { NULL } },
	};
	const char *words[VERIFY_WORDS];
	bool first = true;

	verify_differences(p->r, words);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		bool said = has_word(words, all[i].word);
		for (size_t k = 0; k < 3; k++)
			said &= !all[i].follows_from[k] || !has_word(words, all[i].follows_from[k]);
		if (said)
			fprintf(p->to, "%s%s", first ? ", with equal totals, in " : ", ",
				all[i].said);
		first &= !said;
	}
}

static void print_verify_verdict(const struct verify_printer *p)
{
	const struct verify_report *r = p->r;
	char cost[TEXT_NUMBER];

	text_print_name(p->to, r->name, 0);
	if (r->equal)
		fprintf(p->to, ": %sbyte-equal over %zu runs%s, %s ", text_green(p->style), r->runs,
			text_plain(p->style), text_cost(r->variation->totals[0].max, cost));
	else
		fprintf(p->to, ": %s%zu runs differ%s", text_red(p->style), r->runs,
			text_plain(p->style));
	if (r->equal)
		text_print_name(p->to, event_verify_name(p, 0), 0);
	else if (!verify_totals_vary(r))
		print_differences(p);
	fputc('\n', p->to);
}

int verify_text(const struct verify_report *r, const struct text_style *style, FILE *to)
{
	struct verify_printer p = { r, style, to };
	int status = CG_OK;

	print_verify_verdict(&p);
	if (r->equal && r->threads)
		print_equal_threads(&p);
	if (r->equal && r->reads)
		print_equal_reads(&p);
	if (r->equal)
		return CG_OK;
	if (verify_totals_vary(r))
		status = print_verify_totals(&p);
	if (!status)
		status = print_verify_functions(&p);
	if (!status)
		status = print_verify_calls(&p);
	if (status)
		return status;
	print_attempts(&p);
	if (r->remedy)
		print_cure(&p);
	else if (r->reduction)
		print_reduction(&p);
	else
		print_no_remedy(&p);
	return CG_OK;
}
