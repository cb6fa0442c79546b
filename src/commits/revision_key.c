#include "src/commits/revision_key.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/run/command.h"
#include "src/run/fingerprint.h"
#include "src/run/freeze.h"
#include "src/run/hermetic.h"
#include "src/run/signals.h"
#include "src/run/valgrind.h"
#include "src/run/workspace.h"
#include "src/store/cache.h"
#include "src/store/files.h"

/* One fact a line: what has line ends of its own gets none. */
static void put(FILE *to, const char *name, const char *value)
{
	fprintf(to, "%s: ", name);
	for (; *value; value++) {
		if (*value == '\n' || *value == '\\')
			fprintf(to, "\\%c", *value == '\n' ? 'n' : '\\');
		else
			fputc(*value, to);
	}
	fputc('\n', to);
}

static void put_number(FILE *to, const char *name, unsigned long long value)
{
	fprintf(to, "%s: %llu\n", name, value);
}

static int finish(FILE *to, char **buffer, char **text, struct cg_error *err)
{
	bool failed = ferror(to);
	if (fclose(to) == 0 && !failed) {
		*text = *buffer;
		return CG_OK;
	}
	free(*buffer);
	return cg_fail_nomem(err);
}

/* ---- tools ---------------------------------------------------------------- */

/* Who replaces a tool gives it another size or time. */
static void put_file(FILE *to, const char *name, const char *path)
{
	char text[PATH_MAX + 80];
	struct stat st;

	if (stat(path, &st))
		return;
	snprintf(text, sizeof text, "%s %s %lld %lld", name, path, (long long)st.st_size,
		 (long long)st.st_mtime);
	put(to, "tool", text);
}

static void put_tool(FILE *to, const char *name, const char *path)
{
	char *found, *real;

	if (command_which(name, "/", path, &found, NULL))
		return;
	real = realpath(found, NULL);
	free(found);
	if (real)
		put_file(to, name, real);
	free(real);
}

/* Its instructions are counted. What is missing fails when it is to be used. */
static void put_freeze_library(FILE *to)
{
	char *path;

	if (freeze_library(&path, NULL))
		return;
	put_file(to, "libirdiff-freeze", path);
	free(path);
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

/* What says how to build, and is no secret. */
static bool is_of_builds(const char *name)
{
	static const char *const variables[] = {
		"AR",
		"AS",
		"CC",
		"CFLAGS",
		"CPPFLAGS",
		"CPATH",
		"C_INCLUDE_PATH",
		"CPLUS_INCLUDE_PATH",
		"CXX",
		"CXXFLAGS",
		"LD",
		"LDFLAGS",
		"LIBRARY_PATH",
		"LD_LIBRARY_PATH",
		"RUSTFLAGS",
		"RUSTC",
		"RUSTUP_TOOLCHAIN",
		"CARGO_PROFILE_RELEASE_DEBUG",
		"GOFLAGS",
		"CMAKE_PREFIX_PATH",
		"PKG_CONFIG_PATH",
		"SOURCE_DATE_EPOCH",
		"CMAKE_BUILD_TYPE",
	};

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (strcmp(name, variables[i]) == 0)
			return true;
	return false;
}

/* Builds see them all, and any may be what a Makefile heeds; but for those that are others in every
 * terminal, or on every run of a CI system, and never say what to build. */
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
		"RUNNER_",
		"RUN_",
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

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether a benchmark has it passed through: then it may be a secret. */
static bool is_private(const struct config *config, const char *variable)
{
	char name[200];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(variable, "="), variable);
	if (!config || is_of_builds(name))
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
static int put_digest(const struct git *git, FILE *to, const char *name, const char *text,
		      struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "--stdin", NULL };
	const struct git_call call = { .args = args, .input = text, .input_size = strlen(text) };
	char *id = NULL;
	int status = git_run(git, &call, &id, NULL, err);

	if (status)
		return status;
	id[strcspn(id, "\n")] = '\0';
	put(to, name, id);
	free(id);
	return CG_OK;
}

static void put_private(const struct digest_key *secret, FILE *to, const char *name,
			const char *value)
{
	char line[300], digest[DIGEST_KEYED_SIZE];

	snprintf(line, sizeof line, "env %s", name);
	digest_keyed(secret, name, value, digest);
	put(to, line, digest);
}

static int list_variables(const char *path, struct strings *out, struct cg_error *err)
{
	int status = strings_addf(out, err, "PATH=%s", path);

	for (char **var = environ; !status && *var; var++)
		if (!is_noise(*var))
			status = strings_add(out, *var, err);
	if (!status)
		qsort(out->items, out->count, sizeof *out->items, compare_texts);
	return status;
}

/* The names, and a digest of the values, which are nobody's business who reads a key. Who knows all
 * others can try what one of them was, so those that may be secret have a digest of their own, by a
 * key: it is another one on every machine. */
static int put_environment(const struct build_area *w, FILE *to, const char *path,
			   struct cg_error *err)
{
	struct strings kept = { 0 };
	char *text = NULL;
	size_t size;
	int status = list_variables(path, &kept, err);
	FILE *all = status ? NULL : open_memstream(&text, &size);

	for (size_t i = 0; all && i < kept.count; i++)
		if (!is_private(w->project->config, kept.items[i]))
			fprintf(all, "%s\n", kept.items[i]);
	if (!status && (!all || fclose(all) != 0))
		status = cg_fail_nomem(err);
	if (!status)
		status = put_digest(w->git, to, "environment", text, err);
	for (size_t i = 0; !status && i < kept.count; i++) {
		size_t len = strcspn(kept.items[i], "=");
		bool secret = is_private(w->project->config, kept.items[i]);
		kept.items[i][len] = '\0';
		if (secret)
			put_private(&w->secret, to, kept.items[i], kept.items[i] + len + 1);
		else
			put(to, "of", kept.items[i]);
	}
	strings_free(&kept);
	free(text);
	return status;
}

/* What of git's settings decides how files are written out. */
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
		status = put_digest(git, to, "git", settings, err);
	free(settings);
	if (asprintf(&path, "%s/info/attributes", git->common) < 0)
		return cg_fail_nomem(err);
	if (!status && file_read(path, &attributes, &size, NULL) == CG_OK)
		status = put_digest(git, to, "attributes", attributes, err);
	free(attributes);
	free(path);
	return status;
}

/* Where tracing is refused for once, as below strace, counts are not those that are wanted later. */
static int put_tracing(FILE *to, const char *root, struct interrupts *interrupts,
		       struct cg_error *err)
{
	struct workspace workspace;
	int status = workspace_open(&workspace, root, "/", "/tmp", WORKSPACE_TRACED, err);

	if (status)
		return status;
	status = workspace_try(&workspace, interrupts, err);
	if (!status)
		put(to, "workspace", workspace.kind == WORKSPACE_TRACED ? "traced" : "links");
	workspace_close(&workspace);
	return status;
}

int key_tools(struct build_area *w, struct cg_error *err)
{
	struct valgrind valgrind;
	char *buffer, *path = hermetic_path(getenv("PATH"));
	size_t size;
	int status = path ? valgrind_find(w->options.valgrind, &w->interrupts, &valgrind, err)
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
		put(to, "irdiff", PACKAGE_VERSION);
		put(to, "valgrind", valgrind.version);
		put(to, "valgrind at", valgrind.path);
		put_tools(to, path);
		status = put_environment(w, to, path, err);
	}
	if (to && !status)
		status = put_tracing(to, w->git->top, &w->interrupts, err);
	if (to && !status)
		status = put_git(w->git, to, err);
	if (!to)
		status = cg_fail_nomem(err);
	else if (!status)
		status = finish(to, &buffer, &w->tools, err);
	else if (fclose(to) == 0)
		free(buffer);
	valgrind_free(&valgrind);
	free(path);
	return status;
}

/* ---- a side --------------------------------------------------------------- */

static void put_words(FILE *to, const char *name, const struct config_command *command)
{
	for (size_t i = 0; i < command->argc; i++)
		put(to, name, command->argv[i]);
}

static void put_text(FILE *to, const char *name, const struct config_text *text)
{
	if (text->text)
		put(to, name, text->text);
}

/* What is written down in irdiff.yml is no secret, what is passed through may be one. NULL: only that
 * it is. */
static void put_env(FILE *to, const struct config_env *env, const struct digest_key *secret)
{
	char name[300];
	const char *value = env->value ? env->value : getenv(env->name);

	snprintf(name, sizeof name, "env %s", env->name);
	if (env->value)
		put(to, name, value);
	else if (!secret)
		put(to, name, "(passed through)");
	else if (!value)
		put(to, name, "(not set)");
	else if (is_of_builds(env->name))
		put(to, name, "(of the environment)"); /* put_environment has it */
	else
		put_private(secret, to, env->name, value);
}

static void put_benchmark(FILE *to, const struct config_benchmark *b,
			  const struct digest_key *secret)
{
	char names[FREEZE_TEXT];

	put_words(to, "command", &b->command);
	put_text(to, "root", &b->root);
	put_text(to, "cwd", &b->cwd);
	for (size_t i = 0; i < b->env_count; i++)
		put_env(to, &b->env[i], secret);
	if (b->depth >= 0)
		put_number(to, "depth", (unsigned long long)b->depth);
	put_number(to, "warm_up", b->warm_up);
	/* What is said although it is so anyway makes no other history. */
	if (b->cases && strcmp(b->cases, "auto") != 0)
		put(to, "cases", b->cases);
	if (b->processes && strcmp(b->processes, "forked") != 0)
		put(to, "processes", b->processes);
	if (b->threads && strcmp(b->threads, "together") != 0)
		put(to, "threads", b->threads);
	for (int n = 1; n < 64; n++)
		if (signal_is_in(b->signals, n))
			put_number(to, "signal", (unsigned long long)n);
	if (b->freeze)
		put(to, "freeze", freeze_names(b->freeze, ",", names));
}

int definition_of(const struct config_benchmark *benchmark, char digest[HISTORY_DIGEST],
		  struct cg_error *err)
{
	char *buffer, *text;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	put_benchmark(to, benchmark, NULL);
	int status = finish(to, &buffer, &text, err);
	if (status)
		return status;
	history_digest(text, digest);
	free(text);
	return CG_OK;
}

static int write_text(const struct build_area *w, const struct revision *side,
		      const struct config_benchmark *benchmark, char **text, struct cg_error *err)
{
	char *buffer, *files = snapshot_identity(&side->files);
	size_t size;
	FILE *to = files ? open_memstream(&buffer, &size) : NULL;
	if (!to) {
		free(files);
		return cg_fail_nomem(err);
	}
	put_number(to, "key", CACHE_KEY_VERSION);
	fputs(w->tools, to);
	/* Builds may ask git which commit they are of, and whoever reads a profile wants to know. */
	put(to, "commit", side->commit.id);
	put(to, "files", files);
	put(to, "project", w->git->prefix);
	if (w->copied)
		put(to, "copied", w->copied);
	put_words(to, "build", revision_build(side));
	if (w->options.build || (benchmark && !benchmark->line))
		fputs(CACHE_KEY_UNSHARED, to); /* a command line is nobody's business */
	if (benchmark)
		put_benchmark(to, benchmark, &w->secret);
	if (benchmark && benchmark->freeze)
		put_freeze_library(to);
	free(files);
	return finish(to, &buffer, text, err);
}

int revision_key(const struct build_area *w, const struct revision *side,
		 const struct config_benchmark *benchmark, char **key, char **text,
		 struct cg_error *err)
{
	static const char *const args[] = { "hash-object", "--stdin", NULL };
	char *written = NULL, *digest = NULL;
	int status = write_text(w, side, benchmark, &written, err);
	if (status)
		return status;
	const struct git_call call = { .args = args,
				       .input = written,
				       .input_size = strlen(written) };
	status = git_run(w->git, &call, &digest, NULL, err);
	if (status) {
		free(written);
		return status;
	}
	digest[strcspn(digest, "\n")] = '\0';
	*key = digest;
	*text = written;
	return CG_OK;
}
