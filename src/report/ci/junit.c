#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/summary.h"
#include "src/text/xml.h"

/* The format has no owner. This keeps to what Jenkins and GitLab agree on; tests/data/junit.xsd. */

/* Limits that other ones override are not judged, and no test cases. */
static bool is_case(const struct limit_verdict *v)
{
	return v->status != LIMIT_OVERRIDDEN;
}

/* What the limits say does not count then: all are skipped, and there is an error. */
static bool is_undecided(const struct diff_report *r)
{
	enum outcome o = summary_outcome(r);
	return o == OUTCOME_UNTRUSTED || o == OUTCOME_INCONCLUSIVE;
}

static bool is_failure(const struct limit_verdict *v, bool undecided)
{
	return !undecided && v->fails;
}

static bool is_skipped(const struct limit_verdict *v, bool undecided)
{
	return undecided ||
	       ((v->status == LIMIT_NO_BASE || v->status == LIMIT_NO_MATCH) && !v->fails);
}

struct counts {
	size_t tests, failures, errors, skipped;
};

/* Metrics that both sides have, in the order of head; without limits each is a case. */
static const char *metric_junit_name(const struct diff *d, size_t i)
{
	const struct cg_profile *head = d->head;
	return i < head->nevents ? cg_string(head, head->events[i].name)
				 : metric_derived[i - head->nevents];
}

static struct counts count_bench(const struct diff_report *r)
{
	struct counts c = { 0 };
	struct metric m;
	const char *name;

	if (!r->judgement) {
		for (size_t i = 0; (name = metric_junit_name(r->diff, i)); i++) {
			bool head = metric_find(r->diff->head, name, &m);
			c.tests += head;
			c.skipped += head && (!summary_is_difference(r) ||
					      !metric_find(r->diff->base, name, &m));
		}
		return c;
	}
	const bool undecided = is_undecided(r);
	c.tests = c.errors = undecided;
	for (size_t i = 0; i < r->judgement->count; i++) {
		const struct limit_verdict *v = &r->judgement->verdicts[i];
		if (!is_case(v))
			continue;
		c.tests++;
		c.failures += is_failure(v, undecided);
		c.skipped += is_skipped(v, undecided);
	}
	return c;
}

/* ---- properties ---- */

static void print_property(FILE *to, const char *lead, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(to, "      <property name=\"%s", lead);
	xml_print_text(to, name);
	fputs("\" value=\"", to);
	xml_print_text(to, value);
	fputs("\"/>\n", to);
}

/* What it was, and what was recorded when it was measured (irdiff.env.…, irdiff.subject.…). */
static void print_side(FILE *to, const char *lead, const struct report_origin *o,
		       const struct cg_profile *p)
{
	print_property(to, lead, "name", o->name);
	print_property(to, lead, "command", o->command);
	print_property(to, lead, "commit", o->commit);
	print_property(to, lead, "written", o->when);
	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *key = cg_string(p, p->descs[i].key);
		if (strncmp(key, ENVIRONMENT_PREFIX, strlen(ENVIRONMENT_PREFIX)) == 0 ||
		    strncmp(key, SUBJECT_PREFIX, strlen(SUBJECT_PREFIX)) == 0)
			print_property(to, lead, key, cg_string(p, p->descs[i].value));
	}
}

static void print_junit_remarks(const struct remarks *r, FILE *to)
{
	for (size_t i = 0; r && i < r->count; i++) {
		print_property(to, "", "warning", r->items[i].text);
		print_property(to, "", "advice", r->items[i].advice);
	}
}

static void print_properties(const struct diff_report *r, const struct remarks *of_all, FILE *to)
{
	char verdict[SUMMARY_VERDICT];

	fputs("    <properties>\n", to);
	print_property(to, "", "metric", r->diff->options.metric);
	print_property(to, "", "verdict", summary_verdict(r, verdict));
	if (r->environment->moving)
		print_property(to, "", "environment",
			       "base and head were measured in different ones");
	print_junit_remarks(of_all, to);
	print_junit_remarks(r->remarks, to);
	if (r->diff->tolerance) {
		char events[24];
		snprintf(events, sizeof events, "%" PRIu64, r->diff->tolerance);
		print_property(to, "", "tolerance", events);
	}
	if (!summary_is_difference(r))
		print_property(to, "", "missing", *r->base.name ? "head" : "base");
	print_side(to, "base.", &r->base, r->diff->base);
	print_side(to, "head.", &r->head, r->diff->head);
	fputs("    </properties>\n", to);
}

/* ---- test cases ---- */

/* Printed to memory first, because it holds names. */
static int print_case_start(const struct bench_report *b, const struct limit_verdict *v,
			    const char *metric, FILE *to)
{
	char *name = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&name, &size);

	if (!text)
		return CG_ENOMEM;
	if (v)
		summary_print_limit(v, 0, text);
	else
		text_print_name(text, metric, 0);
	if (fclose(text) != 0) {
		free(name);
		return CG_ENOMEM;
	}
	fputs("    <testcase classname=\"irdiff.", to);
	xml_print_text(to, b->name);
	fputs("\" name=\"", to);
	xml_print_safe(to, name);
	fputs("\" time=\"0\"", to);
	free(name);
	return CG_OK;
}

static int print_message(const char *element, const struct bench_report *b,
			 const struct limit_verdict *v, FILE *to)
{
	char *counts = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&counts, &size);

	if (!text)
		return CG_ENOMEM;
	summary_print_counts(b->diff.diff, v, text);
	if (fclose(text) != 0) {
		free(counts);
		return CG_ENOMEM;
	}
	fprintf(to, ">\n      <%s message=\"", element);
	xml_print_safe(to, counts);
	free(counts);
	return CG_OK;
}

static int print_junit_causes(const struct diff_report *r, const struct limit_verdict *v, FILE *to)
{
	enum { MOST = 10 };
	size_t shown = 0;

	for (size_t i = 0; r->causes && i < r->ncauses && shown < MOST; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		if (!summary_concerns(r, v, c))
			continue;
		char *cause = NULL;
		size_t size = 0;
		FILE *text = open_memstream(&cause, &size);
		if (!text)
			return CG_ENOMEM;
		summary_print_cause(r, c, 0, text);
		if (fclose(text) != 0) {
			free(cause);
			return CG_ENOMEM;
		}
		fputs("\n", to);
		xml_print_safe(to, cause);
		free(cause);
		shown++;
	}
	return CG_OK;
}

static int print_junit_failure(const struct bench_report *b, const struct limit_verdict *v,
			       FILE *to)
{
	const struct limit *limit = v->rule.limit;
	int status = print_message("failure", b, v, to);

	if (status)
		return status;
	fprintf(to, "\" type=\"%s\">", limit_kind_name(limit->kind));
	xml_print_text(to, b->name);
	fputs(": ", to);
	fputs("limit ", to);
	xml_print_text(to, limit->text);
	fputs(" on ", to);
	xml_print_text(to, limit->metric);
	if (limit->file) {
		fputs(", set by ", to);
		xml_print_text(to, limit->file);
		if (limit->line)
			fprintf(to, ":%" PRIu64, limit->line);
	}
	status = print_junit_causes(&b->diff, v, to);
	fputs("\n      </failure>\n    </testcase>\n", to);
	return status;
}

/* It passes; what was accepted, and why, or is tolerated, goes to system-out. */
static int print_forgiven(const struct bench_report *b, const struct limit_verdict *v, FILE *to)
{
	char *words = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&words, &size);

	if (!text)
		return CG_ENOMEM;
	summary_print_counts(b->diff.diff, v, text);
	if (v->acceptance) {
		fputs("; ", text);
		summary_print_acceptance(v, text);
	}
	if (fclose(text) != 0) {
		free(words);
		return CG_ENOMEM;
	}
	fputs(">\n      <system-out>", to);
	xml_print_safe(to, words);
	fputs("</system-out>\n    </testcase>\n", to);
	free(words);
	return CG_OK;
}

static int print_junit_verdict(const struct bench_report *b, const struct limit_verdict *v,
			       bool undecided, FILE *to)
{
	int status = print_case_start(b, v, NULL, to);

	if (status)
		return status;
	if (is_failure(v, undecided))
		return print_junit_failure(b, v, to);
	if ((v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED) && !undecided)
		return print_forgiven(b, v, to);
	if (!is_skipped(v, undecided)) {
		fputs("/>\n", to);
		return CG_OK;
	}
	status = print_message("skipped", b, v, to);
	fputs("\"/>\n    </testcase>\n", to);
	return status;
}

/* A metric of what has no base, or no head. */
static void print_junit_alone(const struct bench_report *b, int64_t head, FILE *to)
{
	char cost[TEXT_NUMBER];

	if (b->diff.diff->options.missing == DIFF_NO_BASE)
		fprintf(to, ">\n      <skipped message=\"%s: no base\"/>\n    </testcase>\n",
			text_cost(head, cost));
	else
		fputs(">\n      <skipped message=\"no head\"/>\n    </testcase>\n", to);
}

/* What is not judged does not fail; what there is to say goes to system-out. */
static int print_junit_metric(const struct bench_report *b, const char *name, FILE *to)
{
	const struct diff *d = b->diff.diff;
	struct metric base, head;
	char first[TEXT_NUMBER], second[TEXT_NUMBER], change[TEXT_NUMBER];

	if (!metric_find(d->head, name, &head))
		return CG_OK;
	int status = print_case_start(b, NULL, name, to);
	if (status)
		return status;
	int64_t h = metric_value(&head, d->head->total);
	if (!summary_is_difference(&b->diff)) {
		print_junit_alone(b, h, to);
		return CG_OK;
	}
	if (!metric_find(d->base, name, &base)) {
		fprintf(to,
			">\n      <skipped message=\"%s: base does not have it\"/>\n    </testcase>\n",
			text_cost(h, second));
		return CG_OK;
	}
	int64_t v = metric_value(&base, d->base->total);
	fprintf(to, ">\n      <system-out>%s → %s (", text_cost(v, first), text_cost(h, second));
	xml_print_safe(to, text_change(v, h, change));
	if (diff_tolerates_in(d, name, v, h))
		fputs(", within the tolerance", to);
	fputs(")</system-out>\n    </testcase>\n", to);
	return CG_OK;
}

/* Limits cannot be judged by counts of another environment: all are skipped, and this is an
 * error. */
static void print_untrusted(const struct bench_report *b, FILE *to)
{
	char *keys = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&keys, &size);

	if (text) {
		summary_print_environment(&b->diff, text);
		fclose(text);
	}
	fputs("    <testcase classname=\"irdiff.", to);
	xml_print_text(to, b->name);
	fputs("\" name=\"environment\" time=\"0\">\n      <error message=\"base and head were measured in "
	      "different environments: ",
	      to);
	xml_print_safe(to, keys ? keys : "(out of memory)");
	fputs("\" type=\"environment\"/>\n    </testcase>\n", to);
	free(keys);
}

static void print_inconclusive(const struct bench_report *b, FILE *to)
{
	const struct remarks *r = b->diff.remarks;
	const char *lead = "";

	fputs("    <testcase classname=\"irdiff.", to);
	xml_print_text(to, b->name);
	fputs("\" name=\"verdict\" time=\"0\">\n      <error message=\"inconclusive: ", to);
	for (size_t i = 0; i < r->count; i++) {
		if (r->items[i].effect == REMARK_WARNING)
			continue;
		fputs(lead, to);
		xml_print_text(to, r->items[i].text);
		lead = "; ";
	}
	fputs("\" type=\"inconclusive\"/>\n    </testcase>\n", to);
}

/* ---- suites ---- */

static int print_junit_bench(const struct bench_report *b, const struct remarks *of_all, FILE *to)
{
	const struct diff_report *r = &b->diff;
	const bool undecided = is_undecided(r);
	struct counts c = count_bench(r);
	const char *name;
	int status = CG_OK;

	fputs("  <testsuite name=\"", to);
	xml_print_text(to, b->name);
	fprintf(to,
		"\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
		c.tests, c.failures, c.errors, c.skipped);
	print_properties(r, of_all, to);
	if (r->untrusted)
		print_untrusted(b, to);
	else if (undecided)
		print_inconclusive(b, to);
	if (r->judgement) {
		for (size_t i = 0; !status && i < r->judgement->count; i++)
			if (is_case(&r->judgement->verdicts[i]))
				status = print_junit_verdict(b, &r->judgement->verdicts[i],
							     undecided, to);
	} else {
		for (size_t i = 0; !status && (name = metric_junit_name(r->diff, i)); i++)
			status = print_junit_metric(b, name, to);
	}
	fputs("  </testsuite>\n", to);
	return status;
}

static void print_unmeasured(const struct bench_failure *f, FILE *to)
{
	fputs("  <testsuite name=\"", to);
	xml_print_text(to, f->name);
	fputs("\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
	      "    <testcase classname=\"irdiff.",
	      to);
	xml_print_text(to, f->name);
	fputs("\" name=\"measurement\" time=\"0\">\n      <error message=\"it could not be measured at ",
	      to);
	xml_print_text(to, f->where);
	fputs("\" type=\"failed\"/>\n    </testcase>\n  </testsuite>\n", to);
}

int suite_junit(const struct suite_report *r, FILE *to)
{
	struct counts all = { 0 };
	int status = CG_OK;

	for (size_t i = 0; i < r->count; i++) {
		struct counts c = count_bench(&r->benches[i].diff);
		all.tests += c.tests;
		all.failures += c.failures;
		all.errors += c.errors;
	}
	all.tests += r->nfailures;
	all.errors += r->nfailures;
	fprintf(to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"irdiff\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"time=\"0\">\n",
		all.tests, all.failures, all.errors);
	for (size_t i = 0; !status && i < r->count; i++)
		status = print_junit_bench(&r->benches[i], r->remarks, to);
	for (size_t i = 0; i < r->nfailures; i++)
		print_unmeasured(&r->failures[i], to);
	fputs("</testsuites>\n", to);
	return status;
}

static void print_lines_said(char *said, FILE *to)
{
	const char *line, *lead = "";

	while ((line = strsep(&said, "\n"))) {
		fputs(lead, to);
		xml_print_text(to, line);
		lead = "\n";
	}
}

int suite_junit_failed(const struct failed_run *r, FILE *to)
{
	char *said = strdup(r->said ? r->said : "");

	if (!said)
		return CG_ENOMEM;
	fprintf(to,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"irdiff\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"0\">\n"
		"  <testsuite name=\"irdiff %s\" tests=\"1\" failures=\"0\" errors=\"1\" "
		"skipped=\"0\" time=\"0\">\n"
		"    <testcase classname=\"irdiff\" name=\"%s\" time=\"0\">\n",
		r->command, r->command);
	fputs("      <error message=\"nothing could be compared\" type=\"failed\">", to);
	print_lines_said(said, to);
	fputs("</error>\n    </testcase>\n  </testsuite>\n</testsuites>\n", to);
	free(said);
	return CG_OK;
}
