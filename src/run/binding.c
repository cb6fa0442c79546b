#include "src/run/binding.h"

#include "src/run/cases.h"

bool binding_is_eager(const struct run_request *request, const struct found_command *command)
{
	if (!command->image.interpreter) /* static: there is nothing to bind */
		return false;
	if (request->function)
		return true;
	return request->cases == RUN_CASES_AUTO
		       ? image_has_text(command->image_path, CASES_NOT_ENDED)
		       : request->cases != RUN_CASES_NONE;
}
