#include "src/commits/build_tools.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/commits/key_text.h"
#include "src/run/command.h"
#include "src/run/freeze.h"
#include "src/run/hermetic.h"
#include "src/run/valgrind.h"
#include "src/run/workspace.h"
#include "src/store/files.h"

#define WORKSPACE_FACT "workspace"
#define WORKSPACE_IS_TRACED "traced"

/* A tool that is replaced has another size or time. */
static void put_tool_file(FILE *to, const char *name, const char *path)
{
	char text[PATH_MAX + 80];
	struct stat st;

	if (stat(path, &st))
		return;
	snprintf(text, sizeof text, "%s %s %lld %lld", name, path, (long long)st.st_size,
		 (long long)st.st_mtime);
	key_put(to, "tool", text);
}

static void put_tool(FILE *to, const char *name, const char *path)
{
	char *found, *real;

	if (command_which(name, "/", path, &found, NULL))
		return;
	real = realpath(found, NULL);
	free(found);
	if (real)
		put_tool_file(to, name, real);
	free(real);
}

/* The instructions of the libraries are counted. A missing library fails when it is used. */
void build_tools_put_freeze(FILE *to)
{
	static const struct {
		unsigned kind;
		const char *name;
	} libraries[] = { { FREEZE_RANDOM, "libirdiff-freeze" },
			  { FREEZE_MALLOC, "libirdiff-malloc" } };

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		char *path;
		if (freeze_library(libraries[i].kind, &path, NULL))
			continue;
		put_tool_file(to, libraries[i].name, path);
		free(path);
	}
}

static void put_tools(FILE *to, const char *path)
{
	static const char *const tools[] = { "cc",    "gcc",   "g++",  "c++",   "clang", "clang++",
					     "as",    "ld",    "make", "cmake", "ninja", "meson",
					     "rustc", "cargo", "go",   "zig",   "ghc",   "python3",
					     "perl",  "ruby",  "node", "java" };
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		put_tool(to, tools[i], path);
}

/* Builds see all variables, and a Makefile may use any of them. These never affect the build,
 * and differ between terminals or between runs of a CI system. */
static bool is_noise(const char *variable)
{
	static const char *const names[] = {
		"_",
		"CI",
		"COLORFGBG",
		"COLORTERM",
		"COLUMNS",
		"DESKTOP_SESSION",
		"DISPLAY",
		"EDITOR",
		"EXECUTOR_NUMBER",
		"GDMSESSION",
		"HOME",
		"HOSTNAME",
		"INVOCATION_ID",
		"LINES",
		"LOGNAME",
		"LS_COLORS",
		"MAIL",
		"MAKEFLAGS",
		"MAKELEVEL",
		"MFLAGS",
		"NODE_NAME",
		"OLDPWD",
		"PAGER",
		"PATH",
		"PROMPT_COMMAND",
		"PS1",
		"PS2",
		"PS4",
		"PWD",
		"SESSION_MANAGER",
		"SHLVL",
		"STAGE_NAME",
		"STY",
		"TERM",
		"TMPDIR",
		"USER",
		"USERNAME",
		"VISUAL",
		"WINDOW",
		"WINDOWID",
		"WINDOWPATH",
		"WORKSPACE",
		"WT_SESSION",
		"XAUTHORITY",
	};
	static const char *const beginnings[] = {
		"ACTIONS_",
		"AGENT_",
		"APPVEYOR",
		"BITBUCKET_",
		"BUILDKITE",
		"BUILD_ARTIFACT",
		"BUILD_BINARIES",
		"BUILD_BUILD",
		"BUILD_CAUSE",
		"BUILD_CONTAINER",
		"BUILD_DEFINITION",
		"BUILD_DISPLAY",
		"BUILD_ID",
		"BUILD_NUMBER",
		"BUILD_QUEUED",
		"BUILD_REASON",
		"BUILD_REPOSITORY",
		"BUILD_REQUESTED",
		"BUILD_SOURCE",
		"BUILD_STAGING",
		"BUILD_TAG",
		"BUILD_TRIGGERED",
		"BUILD_URL",
		"BUILD_USER",
		"CIRCLE",
		"CI_",
		"DBUS_",
		"DRONE",
		"GITHUB_",
		"GITLAB_",
		"GIT_",
		"GNOME_DESKTOP",
		"GNOME_KEYRING",
		"GNOME_SHELL",
		"GNOME_TERMINAL",
		"GPG_",
		"HIST",
		"HUDSON_",
		"IRDIFF_",
		"ITERM_",
		"JENKINS_",
		"JOB_",
		"JOURNAL_",
		"KITTY_",
		"KONSOLE_",
		"KUBERNETES_",
		"LC_TERMINAL",
		"LESS",
		"MEMORY_PRESSURE_",
		"OMPI_",
		"PARALLEL_",
		"PBS_",
		"PMIX_",
		"PMI_",
		"RUNNER_",
		"RUN_",
		"SBATCH_",
		"SGE_",
		"SLURM",
		"SRUN_",
		"SSH_",
		"SYSTEMD_",
		"SYSTEM_",
		"TERM_PROGRAM",
		"TERM_SESSION",
		"TF_BUILD",
		"TMUX",
		"TRAVIS",
		"VSCODE_",
		"VTE_",
		"WAYLAND_",
		"XDG_",
		"ZELLIJ",
	};
	static const char *const secrets[] = { "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "_KEY" };
	char name[200];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(variable, "="), variable);
	if (strcmp(variable, "ENVIRONMENT=BATCH") == 0)
		return true; /* of a job of Slurm or PBS; other values are somebody's own */
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
		if (strstr(name, secrets[i]))
			return true;
	return false;
}

static int compare_variables(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether a benchmark gets the variable passed through: its value may be a secret. */
static bool is_private(const struct config *config, const char *variable)
{
	char name[200];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(variable, "="), variable);
	if (!config || key_is_of_builds(name))
		return false;
	for (size_t i = 0; i < config->benchmark_count; i++) {
		const struct config_benchmark *b = &config->benchmarks[i];
		for (size_t k = 0; k < b->env_count; k++)
			if (!b->env[k].value && strcmp(b->env[k].name, name) == 0)
				return true;
	}
	return false;
}

/* The digest of a text, which is not shown. */
static int put_digest_of_text(const struct git *git, FILE *to, const char *name, const char *text,
			      struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "--stdin", NULL };
	const struct git_call call = { .args = args, .input = text, .input_size = strlen(text) };
	char *id = NULL;
	int status = git_run(git, &call, &id, NULL, err);

	if (status)
		return status;
	id[strcspn(id, "\n")] = '\0';
	key_put(to, name, id);
	free(id);
	return CG_OK;
}

static int list_variables(const char *path, struct strings *out, struct cg_error *err)
{
	int status = strings_addf(out, err, "PATH=%s", path);

	for (char **var = environ; !status && *var; var++)
		if (!is_noise(*var))
			status = strings_add(out, *var, err);
	if (!status)
		qsort(out->items, out->count, sizeof *out->items, compare_variables);
	return status;
}

/* Writes names of variables and one digest of their values, which readers of a key should not
 * learn. Anyone who knows all other values could guess the remaining one, so values that may be
 * secret have their own digests, with a secret that differs on every machine. */
static int put_build_environment(const struct build_tools *t, FILE *to, const char *path,
				 struct cg_error *err)
{
	struct strings kept = { 0 };
	char *text = NULL;
	size_t size;
	int status = list_variables(path, &kept, err);
	FILE *all = status ? NULL : open_memstream(&text, &size);

	for (size_t i = 0; all && i < kept.count; i++)
		if (!is_private(t->config, kept.items[i]))
			fprintf(all, "%s\n", kept.items[i]);
	if (!status && (!all || fclose(all) != 0))
		status = cg_fail_nomem(err);
	if (!status)
		status = put_digest_of_text(t->git, to, "environment", text, err);
	for (size_t i = 0; !status && i < kept.count; i++) {
		size_t len = strcspn(kept.items[i], "=");
		bool secret = is_private(t->config, kept.items[i]);
		kept.items[i][len] = '\0';
		if (secret)
			key_put_private(t->secret, to, kept.items[i], kept.items[i] + len + 1);
		else
			key_put(to, "of", kept.items[i]);
	}
	strings_free(&kept);
	free(text);
	return status;
}

/* Writes those of git's settings that decide how files are written out. */
static int put_git(const struct git *git, FILE *to, struct cg_error *err)
{
	static const char *const args[] = {
		"config", "--get-regexp",
		"^(core\\.(autocrlf|eol|symlinks|filemode|attributesfile)|filter\\..*)$", NULL
	};
	const struct git_call call = { .args = args, .quiet = true };
	char *settings = NULL, *attributes = NULL, *path;
	size_t size;
	int status = CG_OK;

	if (git_run(git, &call, &settings, NULL, NULL) == CG_OK)
		status = put_digest_of_text(git, to, "git", settings, err);
	free(settings);
	if (asprintf(&path, "%s/info/attributes", git->common) < 0)
		return cg_fail_nomem(err);
	if (!status && file_read(path, &attributes, &size, NULL) == CG_OK)
		status = put_digest_of_text(git, to, "attributes", attributes, err);
	free(attributes);
	free(path);
	return status;
}

bool build_tools_trace(const char *text)
{
	return strstr(text, "\n" WORKSPACE_FACT ": " WORKSPACE_IS_TRACED "\n");
}

/* If tracing is refused only now, as under strace, counts differ from those of later runs. */
static int put_tracing(FILE *to, const char *root, struct interrupts *interrupts,
		       struct cg_error *err)
{
	struct workspace workspace;
	int status = workspace_open(&workspace, root, "/", "/tmp", WORKSPACE_TRACED, err);

	if (status)
		return status;
	status = workspace_try(&workspace, interrupts, err);
	if (!status)
		key_put(to, WORKSPACE_FACT,
			workspace.kind == WORKSPACE_TRACED ? WORKSPACE_IS_TRACED : "links");
	workspace_close(&workspace);
	return status;
}

int build_tools_describe(const struct build_tools *t, char **text, struct cg_error *err)
{
	struct valgrind valgrind;
	char *buffer, *path = hermetic_path(getenv("PATH"));
	size_t size;
	int status = path ? valgrind_find(t->valgrind, t->interrupts, &valgrind, err)
			  : cg_fail_nomem(err);
	if (status) {
		free(path);
		if (status == CG_EIO)
			err->code =
				CG_EINTERNAL; /* without Valgrind no measurement can be trusted */
		return err->code;
	}
	FILE *to = open_memstream(&buffer, &size);
	if (to) {
		key_put(to, "irdiff", PACKAGE_VERSION);
		key_put(to, "valgrind", valgrind.version);
		key_put(to, "valgrind at", valgrind.path);
		put_tools(to, path);
		status = put_build_environment(t, to, path, err);
	}
	if (to && !status)
		status = put_tracing(to, t->git->top, t->interrupts, err);
	if (to && !status)
		status = put_git(t->git, to, err);
	if (!to)
		status = cg_fail_nomem(err);
	else if (!status)
		status = key_finish(to, &buffer, text, err);
	else if (fclose(to) == 0)
		free(buffer);
	valgrind_free(&valgrind);
	free(path);
	return status;
}
