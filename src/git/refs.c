#include "src/git/refs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/text/suggest.h"

bool git_is_id(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");
	return !text[len] && (len == 40 || len == 64);
}

bool git_is_shallow(const struct git *git)
{
	static const char *const args[] = { "rev-parse", "--is-shallow-repository", NULL };
	char *answer;
	if (git_line(git, args, &answer, NULL))
		return false;
	bool shallow = strcmp(answer, "true") == 0;
	free(answer);
	return shallow;
}

static const char *depth_remedy(const struct git *git)
{
	return git_is_shallow(git)
		       ? "; this clone is shallow: run 'git fetch --unshallow', or in CI check out the whole "
			 "history (fetch-depth: 0, GIT_DEPTH: 0)"
		       : "";
}

/* The branch or tag with the most similar name, the caller's; NULL: none is similar, or they cannot
 * be listed. */
static char *nearest_ref(const struct git *git, const char *ref)
{
	static const char *const args[] = { "for-each-ref", "--format=%(refname:short)",
					    "refs/heads",   "refs/tags",
					    "refs/remotes", NULL };
	const struct git_call call = { .args = args, .quiet = true };
	const char **names = NULL, *nearest = NULL;
	size_t count = 0, cap = 0;
	char *output = NULL, *state = NULL;
	bool failed = git_run(git, &call, &output, NULL, NULL) != CG_OK;

	for (char *name = failed ? NULL : strtok_r(output, "\n", &state); name && !failed;
	     name = strtok_r(NULL, "\n", &state)) {
		failed = cg_grow(&names, &cap, count + 1, sizeof *names) != CG_OK;
		if (!failed)
			names[count++] = name;
	}
	if (!failed)
		nearest = suggest(ref, names, count);
	char *copy = nearest ? strdup(nearest) : NULL;
	free(names);
	free(output);
	return copy;
}

static bool is_known_ref(const struct git *git, const char *ref)
{
	const char *const args[] = { "rev-parse",        "--verify", "--quiet",
				     "--end-of-options", ref,        NULL };
	char *id = NULL;
	bool known = !git_line(git, args, &id, NULL) && git_is_id(id);

	free(id);
	return known;
}

/* What HEAD^ begins with, if that is known; the caller's. */
static char *known_descendant(const struct git *git, const char *ref)
{
	const size_t len = strcspn(ref, "~^");
	char *first = len && ref[len] ? strndup(ref, len) : NULL;

	if (first && is_known_ref(git, first))
		return first;
	free(first);
	return NULL;
}

/* Reports an unknown ref. CI systems often have a branch only as one of the remote's. */
static int no_commit(const struct git *git, const char *ref, struct cg_error *err)
{
	char *near = NULL, *descendant = known_descendant(git, ref);
	if (descendant) {
		cg_fail(err, CG_EINVAL, NULL, 0, "unknown commit '%s': %s has too few ancestors%s",
			ref, descendant, depth_remedy(git));
		free(descendant);
		return CG_EINVAL;
	}
	if (asprintf(&near, "origin/%s", ref) < 0)
		return cg_fail_nomem(err);
	if (!is_known_ref(git, near)) {
		free(near);
		near = nearest_ref(git, ref);
	}
	int status = cg_fail(err, CG_EINVAL, NULL, 0, "unknown commit '%s'%s%s%s%s", ref,
			     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
			     near ? "" : depth_remedy(git));
	free(near);
	return status;
}

int git_resolve(const struct git *git, const char *ref, char **commit, struct cg_error *err)
{
	char *spec, *id = NULL;
	int status;

	if (!*ref || *ref == '-')
		return cg_fail(err, CG_EINVAL, NULL, 0, "invalid commit name '%s'", ref);
	if (asprintf(&spec, "%s^{commit}", ref) < 0)
		return cg_fail_nomem(err);
	const char *const args[] = { "rev-parse",        "--verify", "--quiet",
				     "--end-of-options", spec,       NULL };
	status = git_line(git, args, &id, err);
	if (status != CG_ENOMEM && (status || !git_is_id(id)))
		status = no_commit(git, ref, err);
	free(spec);
	if (status)
		free(id);
	else
		*commit = id;
	return status;
}

int git_merge_base(const struct git *git, const char *a, const char *b, char **commit,
		   struct cg_error *err)
{
	const char *const args[] = { "merge-base", a, b, NULL };
	char *id;
	if (git_line(git, args, &id, NULL))
		return cg_fail(err, CG_EINVAL, NULL, 0, "%.*s and %.*s have no common ancestor%s",
			       GIT_ID_SHORT, a, GIT_ID_SHORT, b, depth_remedy(git));
	*commit = id;
	return CG_OK;
}

static int tree_of(const struct git *git, const char *directory, const char *commit, char **tree,
		   struct cg_error *err)
{
	char *spec, *output = NULL;
	if (asprintf(&spec, "%s^{tree}", commit) < 0)
		return cg_fail_nomem(err);
	const char *const args[] = { "rev-parse", "--verify", "--end-of-options", spec, NULL };
	const struct git_call call = { .args = args, .directory = directory };
	int status = git_run(git, &call, &output, NULL, err);
	free(spec);
	if (status)
		return status;
	output[strcspn(output, "\n")] = '\0';
	*tree = output;
	return CG_OK;
}

int git_tree_of(const struct git *git, const char *commit, char **tree, struct cg_error *err)
{
	return tree_of(git, NULL, commit, tree, err);
}

int git_tree_in(const struct git *git, const char *directory, const char *commit, char **tree)
{
	return tree_of(git, directory, commit, tree, NULL);
}

int git_describe_commit(const struct git *git, const char *id, struct git_commit *out,
			struct cg_error *err)
{
	const char *const args[] = { "log", "-1", "--no-show-signature", "--format=%H %ct %s",
				     id,    NULL };
	struct git_commit commit = { 0 };
	char *line, *rest;
	int status = git_line(git, args, &line, err);
	if (status)
		return status;

	commit.id = strndup(line, strcspn(line, " "));
	rest = line + strcspn(line, " ");
	commit.committed = strtoll(rest, &rest, 10);
	commit.subject = strdup(*rest == ' ' ? rest + 1 : rest);
	free(line);
	if (!commit.id || !commit.subject) {
		git_commit_free(&commit);
		return cg_fail_nomem(err);
	}
	*out = commit;
	return CG_OK;
}

void git_commit_free(struct git_commit *commit)
{
	free(commit->id);
	free(commit->subject);
	*commit = (struct git_commit){ 0 };
}

int git_list(const struct git *git, const char *const *args, struct strings *out,
	     struct cg_error *err)
{
	struct strings argv = { 0 };
	char *output = NULL;
	int status = strings_add(&argv, "rev-list", err);

	for (; !status && *args; args++)
		status = strings_add(&argv, *args, err);
	if (!status) {
		const struct git_call call = { .args = (const char *const *)argv.items };
		status = git_run(git, &call, &output, NULL, err);
	}
	for (char *line = output, *end; !status && line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		line[strcspn(line, " ")] = '\0'; /* --bisect-all adds more to each line */
		if (git_is_id(line))
			status = strings_add(out, line, err);
	}
	free(output);
	strings_free(&argv);
	return status;
}
