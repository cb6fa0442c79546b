#include "src/cli/write_suite.h"

#include "src/cli/output.h"
#include "src/compare/reporting.h"

int write_suite(const struct suite *suite, struct cg_error *err)
{
	const struct suite_options *o = suite->options;
	struct output out;
	int status = output_open(&out, o->output, suite_is_page(o) ? "never" : o->color, o->wide,
				 err);

	if (status)
		return status;
	status = output_close(&out, suite_write(suite, &out.style, out.to, err), err);
	return status || !o->step_summary ? status : suite_write_step_summary(suite, err);
}

static int write_failed_report(const struct suite_options *o, const struct failed_run *run,
			       struct cg_error *err)
{
	struct output out;
	int status = output_open(&out, o->output, "never", false, err);

	if (status)
		return status;
	status = report_write_failed_run(o->format, run, out.to) ? cg_fail_nomem(err) : CG_OK;
	return output_close(&out, status, err);
}

int write_failed_run(const struct suite_options *o, const struct failed_run *run,
		     struct cg_error *err)
{
	int status = report_has_failed_run(o->format) ? write_failed_report(o, run, err) : CG_OK;

	return status || !o->step_summary ? status : report_failed_step(run, err);
}
