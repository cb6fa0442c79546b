#include <stdlib.h>
#include <string.h>

#include "src/report/remarks.h"
#include "src/report/summary.h"

/*
 * Workflow commands: "::error file=F,line=L,title=T::MESSAGE". A % introduces escapes, a line
 * end ends a command; in properties a : and a , would end the value.
 */
enum { MESSAGE, PROPERTY };

enum { NAMES = 120 }; /* columns: annotations are narrow */

static void print_escaped(FILE *to, const char *text, int where)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (where == PROPERTY && (*text == ':' || *text == ',')))
			fprintf(to, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, to);
	}
}

/* A command whose title and message are printed to streams of their own first: they hold names. */
struct annotation {
	FILE *title, *message;
	char *title_text, *message_text;
	size_t title_size, message_size;
};

static int begin_github(struct annotation *a)
{
	*a = (struct annotation){ 0 };
	a->title = open_memstream(&a->title_text, &a->title_size);
	a->message = open_memstream(&a->message_text, &a->message_size);
	return a->title && a->message ? CG_OK : CG_ENOMEM;
}

static int finish_github(struct annotation *a, int status, const char *level,
			 const struct report_place *place, FILE *to)
{
	if (a->title && fclose(a->title) != 0)
		status = CG_ENOMEM;
	if (a->message && fclose(a->message) != 0)
		status = CG_ENOMEM;
	if (!status) {
		fprintf(to, "::%s ", level);
		if (place && place->file) {
			char *safe = text_safe(place->file);
			fputs("file=", to);
			print_escaped(to, safe ? safe : "", PROPERTY);
			if (place->line)
				fprintf(to, ",line=%u", place->line);
			fputc(',', to);
			free(safe);
		}
		fputs("title=", to);
		print_escaped(to, a->title_text, PROPERTY);
		fputs("::", to);
		print_escaped(to, a->message_text, MESSAGE);
		fputc('\n', to);
	}
	free(a->title_text);
	free(a->message_text);
	return status;
}

/* Those of a limit, or all (NULL). */
static void print_github_causes(const struct diff_report *r, const struct limit_verdict *v,
				FILE *to)
{
	enum { MOST = 3 };
	size_t shown = 0;

	for (size_t i = 0; r->causes && i < r->ncauses && shown < MOST; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		if (v && !summary_concerns(r, v, c))
			continue;
		fputc('\n', to);
		summary_print_cause(r, c, NAMES, to);
		shown++;
	}
}

/* What changed, where the profile has no calls. */
static void print_github_functions(const struct diff_report *r, FILE *to)
{
	enum { MOST = 3 };
	bool known = !summary_is_difference(r) || diff_knows_calls(r->diff);

	for (size_t i = 0; !known && i < r->nrows && i < MOST; i++) {
		fputc('\n', to);
		summary_print_function(r, &r->diff->rows[r->rows[i]], NAMES, to);
	}
}

static void print_github_environment(const struct diff_report *r, FILE *to)
{
	if (r->environment->moving == 0)
		return;
	fputs("\nBase and head were measured in different environments (", to);
	summary_print_environment(r, to);
	fputs("), which may explain the change.", to);
}

/* Whether the causes that were found are those of this limit's metric. */
static bool is_of_metric(const struct diff_report *r, const struct limit_verdict *v)
{
	return metric_is_same(v->rule.limit->metric, r->diff->options.metric);
}

/* Which limit, and how it fared. */
static void print_github_verdict(const struct bench_report *b, const struct limit_verdict *v,
				 struct annotation *a)
{
	text_print_name(a->title, b->name, 0);
	fputs(": ", a->title);
	summary_print_limit(v, NAMES / 2, a->title);
	fprintf(a->title, " %s", limit_status_name(v->status));
	summary_print_limit(v, NAMES, a->message);
	fputs(": ", a->message);
	summary_print_counts(b->diff.diff, v, a->message);
}

static int print_broken(const struct bench_report *b, size_t i, FILE *to)
{
	const struct limit_verdict *v = &b->diff.judgement->verdicts[i];
	const struct report_place *place = v->rule.limit->function
						   ? (i < b->nverdicts ? &b->verdicts[i] : NULL)
					   : is_of_metric(&b->diff, v) ? &b->cause
								       : NULL;
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		print_github_verdict(b, v, &a);
		if (v->acceptance) {
			fputs("; ", a.message);
			summary_print_acceptance(v, a.message);
		}
		print_github_causes(&b->diff, v, a.message);
		if (!v->rule.limit->function && is_of_metric(&b->diff, v))
			print_github_functions(&b->diff, a.message);
		print_github_environment(&b->diff, a.message);
	}
	return finish_github(&a, status, "error", place, to);
}

static int print_accepted(const struct bench_report *b, const struct limit_verdict *v, FILE *to)
{
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		print_github_verdict(b, v, &a);
		fputs("; ", a.message);
		summary_print_acceptance(v, a.message);
	}
	return finish_github(&a, status, "notice", NULL, to);
}

/* GitHub shows ten notices of a step, too. */
static int print_all_accepted(const struct bench_report *b, FILE *to)
{
	enum { MOST = 5 };
	const struct judgement *j = b->diff.judgement;
	size_t shown = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && j && i < j->count && shown < MOST; i++)
		if (j->verdicts[i].status == LIMIT_ACCEPTED) {
			status = print_accepted(b, &j->verdicts[i], to);
			shown++;
		}
	return status;
}

static int print_more(const char *name, size_t more, FILE *to)
{
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		text_print_name(a.title, name, 0);
		fputs(": more limits exceeded", a.title);
		fprintf(a.message, "%zu more limits are exceeded", more);
	}
	return finish_github(&a, status, "error", NULL, to);
}

static void print_github_held(const struct diff_report *r, enum outcome o, FILE *to)
{
	bool lacks = summary_lacks_limit(r);

	fputs(lacks ? ", no limit on the total" : "", to);
	if (o == OUTCOME_PASS || (o == OUTCOME_TOLERATED && r->judgement)) {
		size_t tolerated = summary_count_tolerated(r);
		fprintf(to, ", within all %slimits (%zu", lacks ? "other " : "",
			summary_count_judged(r));
		if (tolerated)
			fprintf(to, ", %zu of them by tolerance", tolerated);
		fputc(')', to);
	}
	if (o == OUTCOME_NEW && r->judgement)
		fprintf(to, ", within all limits that need no base (%zu)", summary_count_judged(r));
}

static int print_total(const struct bench_report *b, FILE *to)
{
	enum outcome o = summary_outcome(&b->diff);
	char verdict[SUMMARY_VERDICT];
	const char *level = o == OUTCOME_UNTRUSTED || o == OUTCOME_INCONCLUSIVE ? "error"
			    : o == OUTCOME_REGRESSION                           ? "warning"
										: "notice";
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		text_print_name(a.title, b->name, 0);
		fprintf(a.title, ": %s", summary_verdict(&b->diff, verdict));
		summary_print_total(&b->diff, a.message);
		print_github_held(&b->diff, o, a.message);
		if (o != OUTCOME_PASS) {
			print_github_causes(&b->diff, NULL, a.message);
			print_github_functions(&b->diff, a.message);
		}
		print_github_environment(&b->diff, a.message);
	}
	return finish_github(&a, status, level, o == OUTCOME_REGRESSION ? &b->cause : NULL, to);
}

/* GitHub shows ten errors of a step: what is broken in a whole benchmark matters most. */
static int print_github_verdicts(const struct bench_report *b, FILE *to)
{
	enum { MOST = 9 };
	const struct judgement *j = b->diff.judgement;
	size_t shown = 0, hidden = 0;
	int status = CG_OK;

	for (int whole = 1; whole >= 0; whole--) {
		for (size_t i = 0; !status && i < j->count; i++) {
			const struct limit_verdict *v = &j->verdicts[i];
			if (!v->fails || (v->rule.limit->function == NULL) != (whole == 1))
				continue;
			if (shown++ < MOST)
				status = print_broken(b, i, to);
			else
				hidden++;
		}
	}
	return !status && hidden ? print_more(b->name, hidden, to) : status;
}

/* `bench` NULL: on all of it. What makes a verdict inconclusive is no mere warning then. */
static int print_github_remarks(const struct remarks *r, const char *bench, bool inconclusive,
				FILE *to)
{
	int status = CG_OK;

	for (size_t i = 0; !status && r && i < r->count; i++) {
		bool grave = inconclusive && r->items[i].effect != REMARK_WARNING;
		struct annotation a;
		status = begin_github(&a);
		if (!status) {
			text_print_name(a.title, bench ? bench : "irdiff", 0);
			fprintf(a.title, ": %s", r->items[i].id);
			remark_print(&r->items[i], a.message);
		}
		status = finish_github(&a, status, grave ? "error" : "warning", NULL, to);
	}
	return status;
}

static int print_github_failure(const struct bench_failure *f, FILE *to)
{
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		text_print_name(a.title, f->name, 0);
		fputs(": FAILED", a.title);
		fputs("it could not be measured at ", a.message);
		text_print_name(a.message, f->where, 0);
	}
	return finish_github(&a, status, "error", NULL, to);
}

int suite_github(const struct suite_report *r, FILE *to)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < r->nfailures; i++)
		status = print_github_failure(&r->failures[i], to);
	if (!status)
		status = print_github_remarks(r->remarks, NULL, false, to);
	for (size_t i = 0; !status && i < r->count; i++) {
		const struct bench_report *b = &r->benches[i];
		/* Limits that seem broken in another environment may not be. */
		enum outcome o = summary_outcome(&b->diff);
		bool decided = o != OUTCOME_UNTRUSTED && o != OUTCOME_INCONCLUSIVE;
		bool broken = decided && summary_count_failing(&b->diff);
		status = broken ? print_github_verdicts(b, to) : print_total(b, to);
		if (!status)
			status = print_github_remarks(b->diff.remarks, b->name,
						      o == OUTCOME_INCONCLUSIVE, to);
		if (!status && !b->diff.untrusted)
			status = print_all_accepted(b, to);
	}
	return status;
}

/* What could not be measured, of a run whose messages are not known. */
static void print_github_unmeasured(const struct failed_run *r, FILE *to)
{
	enum { MOST = 10 };

	fprintf(to, "irdiff %s ended with exit code %d and compared nothing", r->command,
		r->exit_code);
	for (size_t i = 0; i < r->nfailures && i < MOST; i++) {
		fputc('\n', to);
		text_print_name(to, r->failures[i].name, 0);
		fputs(" could not be measured at ", to);
		text_print_name(to, r->failures[i].where, 0);
	}
	if (r->nfailures > MOST)
		fprintf(to, "\n… and %zu more", r->nfailures - MOST);
}

int suite_github_failed(const struct failed_run *r, FILE *to)
{
	const char *said = r->said ? r->said : "";
	size_t len = strlen(said);
	struct annotation a;
	int status = begin_github(&a);

	if (!status) {
		fprintf(a.title, "irdiff %s: FAILED", r->command);
		while (len && said[len - 1] == '\n')
			len--;
		if (len)
			fprintf(a.message, "%.*s", (int)len, said);
		else
			print_github_unmeasured(r, a.message);
	}
	return finish_github(&a, status, "error", NULL, to);
}
