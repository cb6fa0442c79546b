/* Reports on the comparisons of one or several benchmarks. The structs are views: they own
 * nothing. */
#ifndef IRDIFF_REPORT_SUITE_REPORT_H
#define IRDIFF_REPORT_SUITE_REPORT_H

#include "src/json/json.h"
#include "src/report/diff_report.h"

/* Where in the source something is. */
struct report_place {
	const char *file; /* below the root of the project; NULL: not known, or not there */
	uint32_t line;    /* 0: not known */
};

struct bench_report {
	const char *name;
	struct diff_report diff;   /* with paths, causes and depth where they were asked for */
	struct report_place cause; /* of the top cause */
	const struct report_place *verdicts; /* of the functions of the first verdicts of
	                                         diff.judgement, one for each */
	size_t nverdicts;                    /* 0: not looked for */
};

/* A benchmark that could not be measured. */
struct bench_failure {
	const char *name;
	const char *where; /* "main (1a2b3c4d5e)" */
};

struct suite_report {
	const struct bench_report *benches; /* at least one */
	size_t count;
	const struct bench_failure *failures;
	size_t nfailures;
	const struct remarks *remarks; /* on all of it; NULL: none. They change no verdict */
};

/* A run that ended with an exit code other than 0 before anything was compared. */
struct failed_run {
	const char *command; /* "check" */
	int exit_code;
	const struct bench_failure *failures; /* why, as far as they are known */
	size_t nfailures;
	const char *said; /* lines; NULL: not known */
};

/* All of these return CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */

/* A table of all, the limits that are not kept, and the first causes, equal ones once. */
int suite_text(const struct suite_report *r, const struct text_style *style, FILE *to);
/* The remarks on all of it alone, which it has, too; and an empty line below them. */
void suite_remarks_text(const struct suite_report *r, const struct text_style *style, FILE *to);
/* The failures alone, which it ends with. */
void suite_failures_text(const struct suite_report *r, const struct text_style *style, FILE *to);
/* data/suite.schema.json: an array of what diff_json writes. */
int suite_json(const struct suite_report *r, FILE *to);
/* The member "failed" of the current object: an array of {name, where}. */
void suite_failures_json(const struct bench_failure *failures, size_t count, struct json *j);
/* A report to read, as a comment on a pull request or the summary of a step: it fits the limit
 * of such a comment, and says what it left out for that. */
int suite_markdown(const struct suite_report *r, FILE *to);
int suite_markdown_failed(const struct failed_run *r, FILE *to);
/* Workflow commands of GitHub Actions, which annotate the change. */
int suite_github(const struct suite_report *r, FILE *to);
/* One error, in the words that the run said. */
int suite_github_failed(const struct failed_run *r, FILE *to);
/* What test reports of CI systems are made of; tests/data/junit.xsd. */
int suite_junit(const struct suite_report *r, FILE *to);
/* One error, in the words that the run said. */
int suite_junit_failed(const struct failed_run *r, FILE *to);
/* One line for each row of the view, which is the same for all benchmarks; RFC 4180. */
int suite_csv(const struct suite_report *r, FILE *to);

#endif
