#include "src/compare/reporting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/environment.h"
#include "src/store/baselines.h"

struct report_format {
	const char *name;
	bool causes, places;
	int (*write)(const struct suite_report *r, FILE *to);
	int (*write_failed)(const struct failed_run *r, FILE *to); /* NULL: nothing */
};

static const struct report_format formats[] = {
	{ "markdown", true, true, suite_markdown, NULL },
	{ "github", true, true, suite_github, suite_github_failed },
	{ "junit", true, false, suite_junit, suite_junit_failed },
	{ "csv", false, false, suite_csv, NULL },
};

/* NULL: text or JSON. */
static const struct report_format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

bool report_format_is_fixed(const char *format)
{
	return find_format(format) != NULL;
}

bool report_format_has_places(const char *format)
{
	const struct report_format *f = find_format(format);
	return f && f->places;
}

void report_format_needs(const char *format, bool step_summary, struct comparison_options *options)
{
	const struct report_format *f = find_format(format);
	bool markdown = step_summary || strcmp(format, "markdown") == 0;

	/* Profiles are read either by line or by calling context. */
	bool json = strcmp(format, "json") == 0 && options->view != DIFF_VIEW_SOURCE &&
		    options->view != DIFF_VIEW_ASM;

	options->causes |= markdown || json || (f && f->causes);
	options->depth |= markdown;
}

int report_write(const char *format, const struct suite_report *r, FILE *to)
{
	return find_format(format)->write(r, to);
}

bool report_has_failed_run(const char *format)
{
	const struct report_format *f = find_format(format);
	return f && f->write_failed;
}

int report_write_failed_run(const char *format, const struct failed_run *run, FILE *to)
{
	return find_format(format)->write_failed(run, to);
}

/* One of the two is reported. */
static int append_step_summary(const char *path, const struct suite_report *r,
			       const struct failed_run *failed_run, struct cg_error *err)
{
	FILE *to = fopen(path, "ae");
	if (!to)
		return cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
			       strerror(errno));
	int status = r ? suite_markdown(r, to) : suite_markdown_failed(failed_run, to);
	bool failed = ferror(to);
	if ((fclose(to) != 0 || failed) && !status)
		return cg_fail(err, cg_io_status(errno), path, 0, "cannot write: %s",
			       strerror(errno));
	return status ? cg_fail_nomem(err) : CG_OK;
}

int report_step_summary(const struct notices *n, const struct suite_report *r, struct cg_error *err)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");

	if (path && *path)
		return append_step_summary(path, r, NULL, err);
	notice_warning(n, "GITHUB_STEP_SUMMARY is not set, so the step summary cannot be written");
	return CG_OK;
}

int report_failed_step(const struct failed_run *run, struct cg_error *err)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");

	return path && *path ? append_step_summary(path, NULL, run, err) : CG_OK;
}
