#include "src/cli/write_suite.h"

#include "src/cli/output.h"

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
