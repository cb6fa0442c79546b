#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "src/doctor/examine.h"
#include "src/git/git.h"
#include "src/git/refs.h"
#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/store/beneath.h"
#include "src/store/history.h"
#include "src/store/publish.h"

#define MEGABYTE 1000000ull
/* A profile of an interpreter with contexts takes up to 100 MB before it is compressed. */
#define LITTLE_SPACE (1000 * MEGABYTE)
#define NO_SPACE (100 * MEGABYTE)

/* ---- irdiff.yml ---- */

static void examine_build(struct examination *e)
{
	const struct config_command *build = &e->config->build;
	char *path = hermetic_path(getenv("PATH")), *found = NULL;
	struct cg_error err = { 0 };

	if (!build->argc) {
		findings_add(e->findings, "build", FINDING_OK,
			     "irdiff.yml has no build:, so commits are "
			     "compared as checked out");
	} else if (path && command_which(build->argv[0], e->root, path, &found, &err) == CG_OK) {
		findings_add(e->findings, "build", FINDING_OK, "the build is %s",
			     build->shell ? build->argv[build->argc - 1] : build->argv[0]);
	} else {
		findings_add(e->findings, "build", FINDING_WRONG, "build: %s%s%s", err.file,
			     *err.file ? ": " : "", err.message);
		findings_remedy(e->findings, "install it, or correct %s:%llu", e->config->path,
				(unsigned long long)build->line);
	}
	free(found);
	free(path);
}

static void examine_config(struct examination *e, const struct cg_error *error)
{
	const struct config *c = e->config;

	if (error) {
		if (error->line)
			findings_add(e->findings, "config", FINDING_WRONG, "%s:%llu: %s",
				     error->file, (unsigned long long)error->line, error->message);
		else
			findings_add(e->findings, "config", FINDING_WRONG, "%s: %s", error->file,
				     error->message);
		findings_remedy(e->findings, "correct it; see man irdiff.yml");
	} else if (!c) {
		findings_add(e->findings, "config", FINDING_WARNING,
			     "no " CONFIG_NAME
			     " in this directory, or in one above it up to the repository; "
			     "only commands given on the command line can be measured");
		findings_remedy(e->findings, "irdiff init");
	} else if (!c->benchmark_count) {
		findings_add(
			e->findings, "config", FINDING_WARNING,
			"%s has no benchmarks; only commands given on the command line can be measured",
			c->path);
		findings_remedy(e->findings, "add one to 'benchmarks:'; see man irdiff.yml");
	} else {
		findings_add(e->findings, "config", FINDING_OK,
			     "%s is valid and has %zu benchmark%s", c->path, c->benchmark_count,
			     c->benchmark_count == 1 ? "" : "s");
		examine_build(e);
		examine_tools(e);
	}
}

/* ---- git ---- */

static void report_no_git(struct examination *e, enum git_trouble why, const struct cg_error *err)
{
	/* The message of the error ends in the remedy. */
	const char *message = why == GIT_NOT_TRUSTED
				      ? "git does not trust the owner of this repository"
				      : err->message;

	findings_add(e->findings, "git", FINDING_WARNING,
		     "%s%s%s; compare, check and bisect need git", err->file,
		     *err->file ? ": " : "", message);
	if (why == GIT_NOT_INSTALLED)
		findings_remedy(e->findings, "apt-get install git");
	else if (why == GIT_NO_REPOSITORY)
		findings_remedy(e->findings, "git init, and commit the project");
	else if (why == GIT_NOT_TRUSTED && finding_can_quote(e->root))
		findings_remedy(e->findings, "git config --global --add safe.directory '%s'",
				e->root);
}

static void examine_git_version(struct examination *e, const struct git *git)
{
	enum { MAJOR = 2, MINOR = 31 };
	static const char *const args[] = { "version", NULL };
	int major = 0, minor = 0;
	char *line = NULL;

	if (git_line(git, args, &line, NULL))
		return;
	bool known = sscanf(line, "git version %d.%d", &major, &minor) == 2;
	if (known && (major < MAJOR || (major == MAJOR && minor < MINOR))) {
		findings_add(e->findings, "git", FINDING_WARNING, "%s is older than %d.%d", line,
			     MAJOR, MINOR);
		findings_remedy(e->findings, "install a newer git");
	} else {
		findings_add(e->findings, "git", FINDING_OK, "%s, repository %s", line, git->top);
	}
	free(line);
}

/* A branch that is not here may exist in the remote, if there is one. */
static void report_unknown_base(struct examination *e, const struct git *git,
				const struct config_text *base, const struct cg_error *err)
{
	static const char prefix[] = "origin/";
	static const char *const origin[] = { "remote", "get-url", "origin", NULL };
	bool whole = strncmp(base->text, prefix, sizeof prefix - 1) == 0;
	const char *branch = base->text + (whole ? sizeof prefix - 1 : 0);

	findings_add(e->findings, "base", FINDING_WARNING, "base: %s: %s", base->text,
		     err->message);
	if (!finding_can_quote(branch))
		findings_remedy(e->findings, "correct %s:%llu", e->config->path,
				(unsigned long long)base->line);
	else if (git_says_yes(git, origin))
		findings_remedy(e->findings, "git fetch origin '%s', or correct %s:%llu", branch,
				e->config->path, (unsigned long long)base->line);
	else
		findings_remedy(e->findings, "git branch '%s', or correct %s:%llu", branch,
				e->config->path, (unsigned long long)base->line);
}

static void examine_base(struct examination *e, const struct git *git, const char *head)
{
	const struct config_text *base = e->config ? &e->config->base : NULL;
	char *tip = NULL, *common = NULL;
	struct cg_error err = { 0 };

	if (!base || !base->text)
		return;
	if (git_resolve(git, base->text, &tip, &err)) {
		char *remote;
		if (asprintf(&remote, "origin/%s", base->text) < 0) {
			e->findings->failed = true;
			return;
		}
		if (git_resolve(git, remote, &tip, NULL))
			report_unknown_base(e, git, base, &err);
		free(remote);
	}
	if (tip && git_merge_base(git, head, tip, &common, &err)) {
		findings_add(e->findings, "base", FINDING_WARNING, "base: %s: %s", base->text,
			     err.message);
		if (git_is_shallow(git))
			findings_remedy(e->findings, "git fetch --unshallow");
		else
			findings_remedy(e->findings, "correct %s:%llu", e->config->path,
					(unsigned long long)base->line);
	} else if (tip) {
		findings_add(e->findings, "base", FINDING_OK, "base: %s, merge base %.*s",
			     base->text, GIT_ID_SHORT, common);
	}
	free(common);
	free(tip);
}

/* Checks that git ignores what irdiff writes, as nobody should commit it. */
static void examine_ignored(struct examination *e, const struct git *git)
{
	static const char *const places[] = { ".irdiff", "profiles" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char *path, *inside;
		if (asprintf(&path, "%s/%s", e->root, places[i]) < 0)
			path = NULL;
		if (!path || asprintf(&inside, "%s/x", path) < 0) {
			e->findings->failed = true;
			free(path);
			return;
		}
		const char *const tracked[] = { "ls-files", "--error-unmatch", "--", path, NULL };
		const char *const ignored[] = { "check-ignore", "-q",   "--no-index",
						"--",           inside, NULL };
		bool there = access(path, F_OK) == 0;
		if (there && git_says_yes(git, tracked)) {
			findings_add(e->findings, "ignored", FINDING_WARNING,
				     "%s/ is tracked by git, but "
				     "every measurement changes it",
				     places[i]);
			if (finding_can_quote(path))
				findings_remedy(e->findings, "git rm -r --cached '%s'", path);
		} else if (there && !git_says_yes(git, ignored)) {
			findings_add(e->findings, "ignored", FINDING_WARNING,
				     "%s/ is not ignored by git", places[i]);
			if (finding_can_quote(e->root))
				findings_remedy(e->findings, "echo /%s/ >>'%s/.gitignore'",
						places[i], e->root);
		}
		free(inside);
		free(path);
	}
}

static void examine_git(struct examination *e)
{
	struct git *git;
	enum git_trouble why;
	struct cg_error err = { 0 };
	char *head = NULL;

	if (git_try_open(e->root, e->interrupts, &git, &why, &err)) {
		report_no_git(e, why, &err);
		return;
	}
	examine_git_version(e, git);
	if (git_is_shallow(git)) {
		findings_add(e->findings, "shallow", FINDING_WARNING,
			     "this clone is shallow: base commits, "
			     "merge bases and history are missing");
		findings_remedy(e->findings,
				"git fetch --unshallow (actions/checkout: fetch-depth: 0; "
				"GitLab: GIT_DEPTH: 0)");
	}
	if (git_resolve(git, "HEAD", &head, NULL)) {
		findings_add(e->findings, "commit", FINDING_WARNING,
			     "no commit yet to compare with");
		findings_remedy(e->findings, "git add . && git commit");
	} else {
		examine_base(e, git, head);
	}
	examine_ignored(e, git);
	free(head);
	git_close(git);
}

/* ---- where results are kept ---- */

static char *project_path(struct examination *e, const char *name)
{
	char *path;

	if (asprintf(&path, "%s%s%s", e->root, *name ? "/" : "", name) >= 0)
		return path;
	e->findings->failed = true;
	return NULL;
}

/* Checks that files can be made in existing directories; missing ones are made in the root. */
static void examine_writable(struct examination *e)
{
	static const char *const places[] = { ".irdiff", ".irdiff/tmp", ".irdiff/profiles",
					      "profiles" };
	bool all_there = true, fine = true;

	for (size_t i = 0; i <= sizeof places / sizeof *places; i++) {
		bool last = i == sizeof places / sizeof *places;
		struct stat st;
		if (last && all_there)
			break;
		char *path = project_path(e, last ? "" : places[i]);
		if (!path)
			return;
		if (beneath_stat(e->root, path, &st) != 0 && errno == ELOOP) {
			findings_add(
				e->findings, "writable", FINDING_PROBLEM,
				"%s: not followed: a symbolic link in this path may lead out of the project",
				path);
			if (finding_can_quote(path))
				findings_remedy(e->findings, "rm '%s'", path);
			fine = false;
		} else if (stat(path, &st) != 0 && errno == ENOENT) {
			all_there = false;
		} else if (access(path, W_OK | X_OK) != 0) {
			findings_add(e->findings, "writable", FINDING_PROBLEM,
				     "cannot write to %s: %m", path);
			if (finding_can_quote(path))
				findings_remedy(
					e->findings,
					"sudo chown -R \"$USER\" '%s', or mount it writable", path);
			fine = false;
		}
		free(path);
	}
	if (fine)
		findings_add(e->findings, "writable", FINDING_OK, "profiles can be written to %s",
			     e->root);
}

/* Looks up a directory of ours, or the root, in which it will be made. */
static bool stat_or_root(struct examination *e, const char *name, struct stat *st)
{
	char *path = project_path(e, name);
	bool known = path && (stat(path, st) == 0 || stat(e->root, st) == 0);

	free(path);
	return known;
}

static void examine_file_system(struct examination *e)
{
	struct stat data, profiles;
	struct statvfs space;

	if (stat_or_root(e, ".irdiff", &data) && stat_or_root(e, "profiles", &profiles) &&
	    data.st_dev != profiles.st_dev) {
		findings_add(e->findings, "file-system", FINDING_PROBLEM,
			     "profiles/ and .irdiff/ are on two "
			     "file systems, so profiles cannot be replaced atomically");
		findings_remedy(e->findings, "make both of them plain directories in %s", e->root);
	}
	if (statvfs(e->root, &space))
		return;
	unsigned long long left = (unsigned long long)space.f_bavail * space.f_frsize;
	findings_add(e->findings, "space",
		     left < NO_SPACE       ? FINDING_PROBLEM
		     : left < LITTLE_SPACE ? FINDING_WARNING
					   : FINDING_OK,
		     "%.1f GB free on the disk", (double)left / 1e9);
	if (left < LITTLE_SPACE)
		findings_remedy(e->findings, "irdiff cache prune --size=100, or free some space");
}

static void examine_history(struct examination *e)
{
	struct cg_error err = { 0 };
	char *path = project_path(e, ".irdiff/history.db");

	if (path && access(path, F_OK) == 0) {
		if (history_check(e->root, &err)) {
			findings_add(e->findings, "history", FINDING_PROBLEM, "%s: %s", err.file,
				     err.message);
			/* not if it is sound, but locked, unreadable, or of a newer irdiff */
			if (strstr(err.message, "move it away") && finding_can_quote(path))
				findings_remedy(e->findings, "mv '%s' '%s.broken'", path, path);
		} else {
			findings_add(e->findings, "history", FINDING_OK,
				     "the history is readable and intact");
		}
	}
	free(path);
}

static void examine_leftovers(struct examination *e)
{
	size_t count = store_work_left(e->root);

	if (!count)
		return;
	findings_add(e->findings, "leftovers", FINDING_WARNING,
		     "%zu work director%s of killed irdiff processes "
		     "remain%s in .irdiff/tmp",
		     count, count == 1 ? "y" : "ies", count == 1 ? "s" : "");
	findings_remedy(e->findings, "the next 'irdiff profile' removes them");
}

void examine_project(struct examination *e, const struct cg_error *config_error)
{
	findings_begin(e->findings, "Project");
	examine_config(e, config_error);
	examine_git(e);
	examine_writable(e);
	examine_file_system(e);
	examine_history(e);
	examine_leftovers(e);
}
