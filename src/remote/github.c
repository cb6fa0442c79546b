#include "src/remote/github.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/json/json.h"

const struct service github = {
	.name = "GitHub",
	.request = "pull request",
	.limit = 65536,
	.update = "PATCH",
	.order = "",
	.url = "html_url",
	.author = { "user", "login" },
	/* GET /user works for people only; this query also works with the token of a job. */
	.asks = "{\"query\":\"query { viewer { login } }\"}",
	.self = { "data", "viewer", "login", NULL },
	.job = "github-actions[bot]",
	.forbidden =
		"the token may not write here; give the job `permissions: pull-requests: write`. Tokens "
		"for pull requests from forks are read-only: show the report in the job summary (irdiff "
		"check --step-summary), or comment from a workflow that runs on workflow_run",
	.unauthorized =
		"the token was rejected; check that GITHUB_TOKEN is the token of this job and has not expired",
};

bool github_number_of_ref(const char *ref, uint64_t *number)
{
	static const char prefix[] = "refs/pull/";
	uint64_t n = 0;

	if (strncmp(ref, prefix, sizeof prefix - 1) != 0)
		return false;
	const char *c = ref + sizeof prefix - 1;
	for (; *c >= '0' && *c <= '9' && n <= INT32_MAX; c++)
		n = 10 * n + (uint64_t)(*c - '0');
	if (n == 0 || (strcmp(c, "/merge") != 0 && strcmp(c, "/head") != 0))
		return false;
	*number = n;
	return true;
}

static bool is_number(const struct json_value *value, uint64_t *number)
{
	uint64_t n;
	if (!json_count_of(value, &n) || n == 0)
		return false;
	*number = n;
	return true;
}

int github_number_of_event(const char *json, size_t size, bool *found, uint64_t *number,
			   struct cg_error *err)
{
	struct json_value *event;
	int status = json_read(json, size, "the event", &event, err);
	if (status)
		return status;

	const struct json_value *issue = json_member(event, "issue");
	const struct json_value *run = json_member(event, "workflow_run");
	const struct json_value *request = json_member(event, "pull_request");
	*found = is_number(json_member(request, "number"), number) ||
		 (request && is_number(json_member(event, "number"), number)) ||
		 is_number(json_member(json_item(json_member(run, "pull_requests"), 0), "number"),
			   number) ||
		 (json_member(issue, "pull_request") &&
		  is_number(json_member(issue, "number"), number));
	json_forget(event);
	return CG_OK;
}

/* Whether it is OWNER/NAME in characters that GitHub allows, so that it stays one part of a URL. */
static bool is_repository(const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t owner = strspn(text, letters);
	const char *name = text + owner + 1;

	return owner > 0 && text[owner] == '/' && *name && name[strspn(name, letters)] == '\0' &&
	       text[strspn(text, ".")] != '/' && name[strspn(name, ".")] != '\0';
}

/* "https://api.github.com/graphql", and on a server of one's own "https://HOST/api/graphql". */
static int make_graphql_url(struct thread *t)
{
	static const char version[] = "/v3";
	size_t len = strlen(t->api), end = sizeof version - 1;

	if (len > end && strcmp(t->api + len - end, version) == 0)
		len -= end;
	return asprintf(&t->who, "%.*s/graphql", (int)len, t->api);
}

int github_thread(const char *api, const char *repository, const char *token, uint64_t number,
		  struct thread **thread, struct cg_error *err)
{
	size_t len = strlen(api);
	struct thread *t;

	if (!is_repository(repository))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "'%s' is not a GitHub repository; expected OWNER/NAME", repository);
	while (len > 0 && api[len - 1] == '/')
		len--;
	if (!(t = calloc(1, sizeof *t)))
		return cg_fail_nomem(err);
	t->service = &github;
	if (!(t->api = strndup(api, len)) || make_graphql_url(t) < 0 ||
	    asprintf(&t->list, "%s/repos/%s/issues/%" PRIu64 "/comments", t->api, repository,
		     number) < 0 ||
	    asprintf(&t->one, "%s/repos/%s/issues/comments/", t->api, repository) < 0 ||
	    asprintf(&t->headers[0], "Authorization: Bearer %s", token) < 0 ||
	    !(t->headers[1] = strdup("Accept: application/vnd.github+json")) ||
	    !(t->headers[2] = strdup("X-GitHub-Api-Version: 2022-11-28"))) {
		thread_free(t);
		return cg_fail_nomem(err);
	}
	*thread = t;
	return CG_OK;
}
