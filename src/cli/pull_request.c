#include "src/cli/pull_request.h"

#include <stdlib.h>
#include <string.h>

#include "src/config/file.h"
#include "src/remote/github.h"
#include "src/remote/gitlab.h"

#define EVENT_BYTES_MAX (32 * 1024 * 1024)

/* NULL for an empty one as well. */
static const char *ci_variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

static int missing(struct cg_error *err, const char *what, const char *remedy)
{
	return cg_fail(err, CG_EINVAL, NULL, 0, "%s; %s", what, remedy);
}

const struct service *pull_request_service(const char *name)
{
	bool any = strcmp(name, "auto") == 0;

	if (strcmp(name, "github") == 0 || (any && ci_variable("GITHUB_REPOSITORY")))
		return &github;
	if (strcmp(name, "gitlab") == 0 || (any && ci_variable("CI_API_V4_URL")))
		return &gitlab;
	return NULL;
}

/* ---- GitHub ---- */

static int number_of_event(uint64_t *number, struct cg_error *err)
{
	const char *path = ci_variable("GITHUB_EVENT_PATH");
	bool found = false;
	char *text;
	size_t size;

	if (path) {
		int status = config_file_read(path, EVENT_BYTES_MAX, &text, &size, err);
		if (status)
			return status;
		status = github_number_of_event(text, size, &found, number, err);
		free(text);
		if (status) {
			cg_error_context(err, "GITHUB_EVENT_PATH=%s", path);
			return status;
		}
	}
	if (!found)
		return missing(err, "this run is not for a pull request",
			       "run it on pull_request events, or use --pull-request=N");
	return CG_OK;
}

static int find_on_github(uint64_t number, struct thread **thread, struct cg_error *err)
{
	const char *api = ci_variable("GITHUB_API_URL"), *ref = ci_variable("GITHUB_REF");
	const char *repository = ci_variable("GITHUB_REPOSITORY");
	const char *token = ci_variable("GITHUB_TOKEN");

	if (!token && !(token = ci_variable("GH_TOKEN")))
		return missing(err, "no token for GitHub",
			       "set GITHUB_TOKEN, in a workflow with `env: {GITHUB_TOKEN: \"${{ "
			       "github.token }}\"}`");
	if (!repository)
		return missing(err, "unknown repository", "set GITHUB_REPOSITORY=OWNER/NAME");
	if (!number && !(ref && github_number_of_ref(ref, &number))) {
		int status = number_of_event(&number, err);
		if (status)
			return status;
	}
	return github_thread(api ? api : GITHUB_API, repository, token, number, thread, err);
}

/* ---- GitLab ---- */

static bool parse_request_number(const char *text, uint64_t *number)
{
	char *end;
	if (!text || *text < '1' || *text > '9')
		return false;
	*number = strtoull(text, &end, 10);
	return *end == '\0';
}

static int find_on_gitlab(uint64_t number, struct thread **thread, struct cg_error *err)
{
	const char *api = ci_variable("CI_API_V4_URL"), *project = ci_variable("CI_PROJECT_ID");
	const char *token = ci_variable("IRDIFF_GITLAB_TOKEN");

	if (!token && !(token = ci_variable("GITLAB_TOKEN")))
		return missing(
			err, "no token for GitLab",
			"create a project access token with the scope `api`, and set it as the "
			"masked variable IRDIFF_GITLAB_TOKEN");
	if (!api || !project)
		return missing(err, "unknown project",
			       "set CI_API_V4_URL and CI_PROJECT_ID, as GitLab pipelines do");
	if (!number && !parse_request_number(ci_variable("CI_MERGE_REQUEST_IID"), &number))
		return missing(err, "this pipeline is not for a merge request",
			       "run the job for merge requests (rules: if: $CI_PIPELINE_SOURCE == "
			       "\"merge_request_event\"), or use --pull-request=N");
	return gitlab_thread(api, project, ci_variable("CI_PROJECT_URL"), token, number, thread,
			     err);
}

int pull_request_find(const struct service *service, uint64_t number, struct thread **thread,
		      struct cg_error *err)
{
	return service == &github ? find_on_github(number, thread, err)
				  : find_on_gitlab(number, thread, err);
}
