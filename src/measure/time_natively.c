#include "src/measure/time_natively.h"

#include "src/measure/plan.h"
#include "src/measure/sandbox_root.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

int time_natively(const struct config_benchmark *b, const char *root, unsigned limit,
		  struct run_result *result, struct cg_error *err)
{
	struct plan plan = { 0 };
	struct sandbox_root place = { 0 };
	struct work_directory work = { 0 };
	struct run_request request;

	*result = (struct run_result){ 0 };
	run_request_init(&request);
	int status = plan_benchmark(&plan, b, &request, err);
	if (!status)
		status = sandbox_root_find(root, request.cwd, request.argv, &place, err);
	if (!status)
		status = store_prepare_data(root, err);
	if (!status)
		status = store_work_begin(root, &work, err);
	if (status) {
		result->failure = RUN_SYSTEM;
	} else {
		const char *const hidden[] = { place.own, NULL };
		request.natively = request.warm_up = true;
		request.cwd = place.cwd;
		request.root = place.shown;
		request.hidden = hidden;
		request.workdir = work.path;
		request.timeout = limit;
		status = run_benchmark(&request, result, err);
	}
	store_work_end(&work);
	sandbox_root_free(&place);
	plan_free(&plan);
	return status;
}
