#include "src/run/request.h"

void run_request_init(struct run_request *request)
{
	*request = (struct run_request){
		.depth = RUN_DEPTH_AUTO,
		.recursion = RUN_DEFAULT_RECURSION,
		.cache_sim = true,
		.presets = true,
		.cpu = -1,
	};
}

bool run_request_has_several(const struct run_request *request)
{
	return request->processes == RUN_PROCESSES_EACH ||
	       request->processes == RUN_PROCESSES_ALL ||
	       request->processes == RUN_PROCESSES_PROJECT;
}

bool run_request_divides(const struct run_request *request)
{
	return request->each_thread || run_request_has_several(request);
}
