#include "src/run/depth.h"

unsigned depth_by_default(const struct found_command *command, bool named)
{
	if (named)
		return RUN_DEPTH_NAMED;
	if (!command_is_interpreter(command))
		return RUN_DEPTH_COMPILED;
	/* The counts of another run, with more callers, would be others. */
	return command_may_vary(command) ? RUN_DEPTH_PATHS : RUN_DEPTH_INTERPRETED;
}
