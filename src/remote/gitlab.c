#include "src/remote/gitlab.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct service gitlab = {
	.name = "GitLab",
	.request = "merge request",
	.limit = 1000000,
	.update = "PUT",
	.order = "&sort=asc",
	.author = { "author", "username" },
	.self = { "username", NULL },
	.forbidden =
		"the token may not write here; it needs the scope `api` and at least the Reporter role in "
		"the project of the merge request. Pipelines of forks do not get it: run the pipeline in "
		"the parent project",
	.unauthorized =
		"the token was rejected; check that IRDIFF_GITLAB_TOKEN (or GITLAB_TOKEN) is a project "
		"access token with the scope `api` and has not expired. CI_JOB_TOKEN cannot write comments",
};

/* A number, or a path whose slashes are written %2F. */
static bool is_project(const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-%";
	return *text && text[strspn(text, letters)] == '\0' && text[strspn(text, ".")] != '\0';
}

int gitlab_thread(const char *api, const char *project, const char *page, const char *token,
		  uint64_t number, struct thread **thread, struct cg_error *err)
{
	size_t len = strlen(api);
	struct thread *t;

	if (!is_project(project))
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"'%s' is not a GitLab project; expected a number, or a path with %%2F for its slashes",
			project);
	while (len > 0 && api[len - 1] == '/')
		len--;
	if (!(t = calloc(1, sizeof *t)))
		return cg_fail_nomem(err);
	t->service = &gitlab;
	if (!(t->api = strndup(api, len)) || asprintf(&t->who, "%s/user", t->api) < 0 ||
	    asprintf(&t->list, "%s/projects/%s/merge_requests/%" PRIu64 "/notes", t->api, project,
		     number) < 0 ||
	    asprintf(&t->one, "%s/", t->list) < 0 ||
	    asprintf(&t->headers[0], "PRIVATE-TOKEN: %s", token) < 0 ||
	    (page &&
	     asprintf(&t->page, "%s/-/merge_requests/%" PRIu64 "#note_", page, number) < 0)) {
		thread_free(t);
		return cg_fail_nomem(err);
	}
	*thread = t;
	return CG_OK;
}
