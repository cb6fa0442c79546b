#include "src/run/codspeed.h"

#include <sys/utsname.h>

int codspeed_environment(struct environment *environment, const char *folder, const char *root,
			 struct cg_error *err)
{
	struct utsname machine;
	const char *const variables[][2] = {
		{ "CODSPEED_ENV", "runner" },
		/* Newer runners use "simulation"; integrations treat both alike. */
		{ "CODSPEED_RUNNER_MODE", "instrumentation" },
		{ "CODSPEED_PROFILE_FOLDER", folder },
		{ "CODSPEED_CARGO_WORKSPACE_ROOT", root },
		{ "ARCH", uname(&machine) ? "" : machine.machine },
		{ "PYTHONHASHSEED", "0" },
		{ "PYTHON_PERF_JIT_SUPPORT", "0" },
	};
	int status = CG_OK;

	for (size_t i = 0; status == CG_OK && i < sizeof variables / sizeof *variables; i++)
		if (!environment_get(environment, variables[i][0]))
			status = environment_set(environment, variables[i][0], variables[i][1],
						 err);
	return status;
}
