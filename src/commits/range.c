#include "src/commits/range.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void range_free(struct range *range)
{
	free(range->base);
	free(range->base_name);
	free(range->head);
	free(range->head_name);
	*range = (struct range){ 0 };
}

static int set_range_text(char **to, struct cg_error *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int set_range_text(char **to, struct cg_error *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int length = vasprintf(to, fmt, ap);
	va_end(ap);
	if (length >= 0)
		return CG_OK;
	*to = NULL;
	return cg_fail_nomem(err);
}

/* ---- given by the user ----------------------------------------------------- */

static int take_head(const struct git *git, const char *name, struct range *out,
		     struct cg_error *err)
{
	if (!*name)
		return CG_OK;
	int status = git_resolve(git, name, &out->head, err);
	return status ? status : set_range_text(&out->head_name, err, "%s", name);
}

/* The base is where the branch of HEAD left that of `name`, whose commit is `tip`. */
static int take_merge_base(const struct git *git, const char *name, const char *tip,
			   struct range *out, struct cg_error *err)
{
	char *here = NULL;
	int status = out->head ? CG_OK : git_resolve(git, "HEAD", &here, err);

	if (!status)
		status = git_merge_base(git, tip, out->head ? out->head : here, &out->base, err);
	if (!status)
		status = strcmp(out->base, tip) == 0
				 ? set_range_text(&out->base_name, err, "%s", name)
				 : set_range_text(&out->base_name, err, "merge base with %s", name);
	free(here);
	return status;
}

static int parse_words(const struct git *git, char *base, const char *head, bool merge_base,
		       struct range *out, struct cg_error *err)
{
	char *tip = NULL;
	int status = take_head(git, head, out, err);

	if (!status)
		status = git_resolve(git, *base ? base : "HEAD", &tip, err);
	if (!status && merge_base)
		status = take_merge_base(git, *base ? base : "HEAD", tip, out, err);
	else if (!status && !(status = set_range_text(&out->base, err, "%s", tip)))
		status = set_range_text(&out->base_name, err, "%s", *base ? base : "HEAD");
	free(tip);
	return status;
}

bool range_names_head(const char *text)
{
	const char *dots = text ? strstr(text, "..") : NULL;
	return dots && dots[strspn(dots, ".")];
}

int range_parse(const struct git *git, const char *text, const char *configured, bool changed,
		struct range *out, struct cg_error *err)
{
	*out = (struct range){ 0 };
	if (!text)
		return range_default(git, configured, changed, out, err);
	char *base = strdup(text);
	if (!base)
		return cg_fail_nomem(err);
	char *dots = strstr(base, "..");
	size_t ndots = dots ? strspn(dots, ".") : 0;
	int status = ndots > 3
			     ? cg_fail(err, CG_EINVAL, NULL, 0,
				       "'%s' is not a range of commits; use A, A..B or A...B", text)
			     : CG_OK;
	if (dots)
		*dots = '\0';
	if (!status)
		status = parse_words(git, base, dots ? dots + ndots : "", ndots == 3, out, err);
	free(base);
	if (status)
		range_free(out);
	return status;
}

/* ---- given by the CI system ------------------------------------------------ */

static const char *variable_if_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

static bool is_pull_request(const char *name)
{
	const char *value = variable_if_set(name);
	return value && strcmp(value, "false") != 0;
}

/* The target branch of a pull request, without refs/heads/. */
static const char *target_branch(void)
{
	static const char *const variables[] = {
		"GITHUB_BASE_REF",
		"CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
		"BITBUCKET_PR_DESTINATION_BRANCH",
		"CHANGE_TARGET",
		"SYSTEM_PULLREQUEST_TARGETBRANCH",
		"BUILDKITE_PULL_REQUEST_BASE_BRANCH",
	};
	const char *branch = NULL;

	for (size_t i = 0; !branch && i < sizeof variables / sizeof *variables; i++)
		branch = variable_if_set(variables[i]);
	if (!branch && is_pull_request("TRAVIS_PULL_REQUEST"))
		branch = variable_if_set("TRAVIS_BRANCH");
	if (!branch && is_pull_request("DRONE_PULL_REQUEST"))
		branch = variable_if_set("DRONE_TARGET_BRANCH");
	if (branch && strncmp(branch, "refs/heads/", 11) == 0)
		branch += 11;
	return branch;
}

/* The commit of the branch before this push; for a new branch CI systems give zeros. */
static const char *before_push(void)
{
	const char *before = variable_if_set("CI_COMMIT_BEFORE_SHA");
	return before && git_is_id(before) && strspn(before, "0") != strlen(before) ? before : NULL;
}

static char *resolve_at(const struct git *git, const char *place, const char *branch)
{
	char *name, *id = NULL;
	if (asprintf(&name, "%s%s", place, branch) < 0)
		return NULL;
	if (git_resolve(git, name, &id, NULL))
		id = NULL;
	free(name);
	return id;
}

/* A branch as the remote has it, or the local one if that has more commits, which then do not
 * belong to the branch being examined. *name is its name. NULL: unknown branch. */
static char *find_branch(const struct git *git, const char *branch, char **name)
{
	char *remote = resolve_at(git, "refs/remotes/origin/", branch);
	char *local = resolve_at(git, "refs/heads/", branch);
	const char *const args[] = { "merge-base", "--is-ancestor", remote, local, NULL };
	bool ahead = remote && local && strcmp(remote, local) != 0 && git_says_yes(git, args);
	bool is_remote = remote && !ahead;

	if (!local && !remote)
		local = resolve_at(git, "", branch);
	free(is_remote ? local : remote);
	char *id = is_remote ? remote : local;
	if (id && asprintf(name, "%s%s", is_remote ? "origin/" : "", branch) < 0) {
		free(id);
		return NULL;
	}
	return id;
}

/* "refs/remotes/origin/HEAD" leads to the default branch of a clone. */
static char *default_branch(const struct git *git)
{
	static const char *const args[] = { "rev-parse", "--abbrev-ref", "origin/HEAD", NULL };
	char *name;
	if (git_line(git, args, &name, NULL))
		return NULL;
	if (strncmp(name, "origin/", 7) == 0 && strcmp(name, "origin/HEAD") != 0)
		memmove(name, name + 7, strlen(name + 7) + 1);
	return name;
}

/* Without a remote, the message does not suggest to fetch. */
static int no_target(const struct git *git, const char *branch, const char *whose,
		     struct cg_error *err)
{
	static const char *const origin[] = { "remote", "get-url", "origin", NULL };

	if (!git_says_yes(git, origin))
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"%s compares with the branch '%s', which does not exist here, and there is no remote "
			"'origin' to fetch it from; name another base (irdiff check BRANCH), or create the branch "
			"(git branch '%s' COMMIT)",
			whose, branch, branch);
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s compares with the branch '%s', which does not exist here; run git fetch origin '%s'%s",
		whose, branch, branch,
		git_is_shallow(git)
			? " and fetch the whole history (git fetch --unshallow; in CI, fetch-depth: 0 or GIT_DEPTH: 0)"
			: "");
}

/* The target branch of the change, and its tip. */
static int find_target_branch(const struct git *git, const char *configured, char **name,
			      char **tip, struct cg_error *err)
{
	const char *branch = target_branch(), *whose = "the CI system";

	if (!branch) {
		branch = configured;
		whose = "base: in " CONFIG_NAME;
	}
	if (branch) {
		*tip = find_branch(git, branch, name);
		return *tip ? CG_OK : no_target(git, branch, whose, err);
	}
	static const char *const usual[] = { "main", "master", "trunk" };
	char *known = default_branch(git);
	*tip = known ? find_branch(git, known, name) : NULL;
	for (size_t i = 0; !*tip && i < sizeof usual / sizeof *usual; i++)
		*tip = find_branch(git, usual[i], name);
	free(known);
	return *tip ? CG_OK
		    : cg_fail(err, CG_EINVAL, NULL, 0,
			      "no branch to compare with; name one (irdiff compare BRANCH), or set base: BRANCH in " CONFIG_NAME);
}

static int take_previous(const struct git *git, const char *branch, struct range *out,
			 struct cg_error *err)
{
	const char *before = before_push();

	if (before && !git_resolve(git, before, &out->base, NULL))
		return set_range_text(&out->base_name, err, "before the push");
	if (!git_resolve(git, "HEAD^1", &out->base, NULL))
		return set_range_text(&out->base_name, err, "HEAD~1");
	return cg_fail(
		err, CG_EINVAL, NULL, 0, "HEAD is on %s and has no parent here to compare with; %s",
		branch,
		git_is_shallow(git)
			? "this clone is shallow: run git fetch --unshallow (in CI, fetch-depth: 0 or GIT_DEPTH: 0)"
			: "change something, or measure it alone with irdiff profile '*'");
}

int range_default(const struct git *git, const char *configured, bool changed, struct range *out,
		  struct cg_error *err)
{
	char *name = NULL, *tip = NULL, *here = NULL;
	const char *exact = target_branch() ? variable_if_set("CI_MERGE_REQUEST_DIFF_BASE_SHA")
					    : NULL;

	*out = (struct range){ 0 };
	int status = git_resolve(git, "HEAD", &here, err);
	if (!status && exact && !git_resolve(git, exact, &out->base, NULL)) {
		status = set_range_text(&out->base_name, err, "merge base with %s",
					target_branch());
		goto done;
	}
	if (!status)
		status = find_target_branch(git, configured, &name, &tip, err);
	if (!status)
		status = take_merge_base(git, name, tip, out, err);
	if (!status && strcmp(out->base, here) == 0 && !changed) {
		range_free(out);
		status = take_previous(git, name, out, err);
	}
done:
	free(name);
	free(tip);
	free(here);
	if (status)
		range_free(out);
	return status;
}
