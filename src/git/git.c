#include "src/git/git.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/run/memory_file.h"
#include "src/run/process.h"

#define COMPLAINT_MAX 600

/* ---- one call ------------------------------------------------------------- */

static bool begins_with(const char *text, size_t len, const char *start)
{
	return len >= strlen(start) && strncmp(text, start, strlen(start)) == 0;
}

/* "fatal: x" without the word; a hint of git is not for whoever runs irdiff. */
static const char *without_prefix(const char *line, size_t *len, bool *begins)
{
	static const char *const prefixes[] = { "fatal: ", "error: " };

	*begins = false;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (begins_with(line, *len, prefixes[i])) {
			*begins = true;
			*len -= strlen(prefixes[i]);
			return line + strlen(prefixes[i]);
		}
	while (*len && (*line == '\t' || *line == ' ')) {
		line++;
		--*len;
	}
	return line;
}

/* Makes one line of what git says, from the line on that it calls fatal: "a; b" of two complaints,
 * "a b" where one goes on. */
static void pick_complaint(const char *text, char *out, size_t size)
{
	static const char guess[] = "Please make sure you have the correct access rights";
	const char *from = strstr(text, "fatal: ");
	size_t used = 0;

	if (!from)
		from = strstr(text, "error: ");
	*out = '\0';
	for (const char *line = from ? from : text; *line;) {
		size_t whole = strcspn(line, "\n"), len = whole;
		bool begins;
		const char *words = without_prefix(line, &len, &begins);
		line += whole + (line[whole] == '\n');
		if (begins_with(words, len, guess))
			break;
		if (!len || begins_with(words, len, "hint: "))
			continue;
		while (begins && used && out[used - 1] == '.')
			used--;
		int n = snprintf(out + used, size - used, "%s%.*s",
				 !used    ? ""
				 : begins ? "; "
					  : " ",
				 (int)len, words);
		used = n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
	}
	while (used && (out[used - 1] == '.' || out[used - 1] == '\r'))
		used--;
	out[used] = '\0';
	for (; *out; out++)
		*out = *out == '\t' ? ' ' : *out;
}

/* Whether the disk is full, by the C library's messages, which git repeats. */
static bool has_no_room(const char *errors)
{
	return strstr(errors, "No space left on device") || strstr(errors, "Disk quota exceeded");
}

static int judge_git_end(const struct process_end *end, const char *command, const char *errors,
			 struct cg_error *err)
{
	char complaint[COMPLAINT_MAX];

	if (!end->started)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot run git: cannot %s: %s",
			       end->failed_step, strerror(end->error));
	if (end->interrupted_by)
		return cg_fail(err, CG_EIO, NULL, 0, "interrupted by signal %d (%s)",
			       end->interrupted_by, strsignal(end->interrupted_by));
	if (end->status == 0)
		return CG_OK;
	pick_complaint(errors, complaint, sizeof complaint);
	if (WIFSIGNALED(end->status))
		return cg_fail(err, CG_EIO, NULL, 0, "git %s was killed by signal %d", command,
			       WTERMSIG(end->status));
	return cg_fail(err, has_no_room(errors) ? CG_EFULL : CG_EIO, NULL, 0, "git %s failed: %s",
		       command, *complaint ? complaint : "it gave no reason");
}

static int execute_git(const struct git *git, const char *const *argv, const char *command,
		       const char *const *envp, const struct git_call *call, char **output,
		       size_t *size, struct cg_error *err)
{
	struct process process = { .path = git->program,
				   .argv = argv,
				   .envp = envp,
				   .cwd = call->work_tree ? call->work_tree : git->top };
	struct process_end end;
	int out = -1, error = -1, in = -1;
	char *text = NULL, *errors = NULL;

	int status = memory_file_make("stdout", NULL, 0, &out, err);
	if (!status)
		status = memory_file_make("stderr", NULL, 0, &error, err);
	if (!status && call->input)
		status = memory_file_make("stdin", call->input, call->input_size, &in, err);
	if (status)
		goto done;
	process.stdout_fd = out;
	process.stderr_fd = error;
	process.stdin_fd = in < 0 ? 0 : in;
	status = process_run(&process, git->interrupts, &end, err);
	if (status)
		goto done;

	text = memory_file_text(out, SIZE_MAX - 1, size);
	errors = memory_file_text(error, SIZE_MAX - 1, NULL);
	status = text && errors ? judge_git_end(&end, command, errors, call->quiet ? NULL : err)
				: cg_fail_nomem(err);
	if (!status && output) {
		*output = text;
		text = NULL;
	}
	if (status && text && errors && call->said &&
	    asprintf(call->said, "%s%s", text, errors) < 0) {
		*call->said = NULL;
		status = cg_fail_nomem(err);
	}
done:
	free(text);
	free(errors);
	if (in >= 0)
		close(in);
	if (error >= 0)
		close(error);
	if (out >= 0)
		close(out);
	return status;
}

/* The command among the arguments, for messages. */
static const char *git_command_name(const char *const *args)
{
	while (args[0] && args[1] && *args[0] == '-')
		args += strcmp(args[0], "-c") == 0 ? 2 : 1;
	return args[0] ? args[0] : "";
}

int git_run(const struct git *git, const struct git_call *call, char **output, size_t *size,
	    struct cg_error *err)
{
	struct strings argv = { 0 }, vars = { 0 };
	int status = strings_add(&argv, git->program, err);

	/* A file system monitor would keep running, and would use another index. Names and subjects
	 * are UTF-8, whatever users like to see. */
	static const char *const settings[] = { "-c", "core.fsmonitor=false",
						"-c", "core.hooksPath=/dev/null",
						"-c", "core.splitIndex=false",
						"-c", "core.safecrlf=false",
						"-c", "i18n.logOutputEncoding=UTF-8" };
	for (size_t i = 0; !status && i < sizeof settings / sizeof *settings; i++)
		status = strings_add(&argv, settings[i], err);
	for (const char *const *setting = call->settings; !status && setting && *setting; setting++)
		if (!(status = strings_add(&argv, "-c", err)))
			status = strings_add(&argv, *setting, err);
	if (!status)
		status = strings_addf(&argv, err, "--git-dir=%s",
				      call->directory ? call->directory : git->directory);
	if (!status)
		status = strings_addf(&argv, err, "--work-tree=%s",
				      call->work_tree ? call->work_tree : git->top);
	for (const char *const *arg = call->args; !status && *arg; arg++)
		status = strings_add(&argv, *arg, err);
	for (size_t i = 0; !status && i < git->environment.count; i++)
		status = strings_add(&vars, git->environment.items[i], err);
	for (const char *const *var = call->variables; !status && var && *var; var++)
		status = strings_add(&vars, *var, err);
	if (!status)
		status = execute_git(git, (const char *const *)argv.items,
				     git_command_name(call->args), (const char *const *)vars.items,
				     call, output, size, err);
	strings_free(&argv);
	strings_free(&vars);
	return status;
}

int git_line(const struct git *git, const char *const *args, char **line, struct cg_error *err)
{
	struct git_call call = { .args = args };
	char *output;
	int status = git_run(git, &call, &output, NULL, err);
	if (status)
		return status;
	output[strcspn(output, "\n")] = '\0';
	*line = output;
	return CG_OK;
}

bool git_says_yes(const struct git *git, const char *const *args)
{
	struct git_call call = { .args = args, .quiet = true };
	return git_run(git, &call, NULL, NULL, NULL) == CG_OK;
}

/* ---- finding the repository ----------------------------------------------- */

static int add_git_environment(struct git *git, bool local, struct cg_error *err)
{
	/* Variables that decide how git talks to others, and in whose name it writes. */
	static const char *const kept[] = {
		"GIT_SSH",           "GIT_SSL",           "GIT_ASKPASS",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
		"GIT_AUTHOR_",       "GIT_COMMITTER_",    "GIT_PROXY",
		"GIT_CURL",          "GIT_TRACE",         "GIT_EXEC_PATH",
		"GIT_CONFIG_COUNT",  "GIT_CONFIG_KEY_",   "GIT_CONFIG_VALUE_"
	};
	int status = CG_OK;

	strings_free(&git->environment);
	for (char **var = environ; !status && *var; var++) {
		bool keep = local || strncmp(*var, "GIT_", 4) != 0;
		for (size_t i = 0; !keep && i < sizeof kept / sizeof *kept; i++)
			keep = strncmp(*var, kept[i], strlen(kept[i])) == 0;
		if (keep)
			status = strings_add(&git->environment, *var, err);
	}
	/* git runs without a terminal, so a question would wait for ever */
	if (!status)
		status = strings_add(&git->environment, "GIT_TERMINAL_PROMPT=0", err);
	if (!status)
		status = strings_add(&git->environment, "GIT_OPTIONAL_LOCKS=0", err);
	/* The ID of a commit stands for its own files, not for those of git replace. */
	if (!status)
		status = strings_add(&git->environment, "GIT_NO_REPLACE_OBJECTS=1", err);
	if (!status)
		status = strings_add(&git->environment, "LC_ALL=C.UTF-8", err);
	return status;
}

static int find_git(char **out, enum git_trouble *why, struct cg_error *err)
{
	char *path = hermetic_path(getenv("PATH"));
	if (!path)
		return cg_fail_nomem(err);
	int status = command_which("git", "/", path, out, NULL);
	free(path);
	if (!status)
		return CG_OK;
	*why = GIT_NOT_INSTALLED;
	return cg_fail(err, CG_EINVAL, NULL, 0, "git is not installed, or not in PATH");
}

static int no_repository(const char *where, struct cg_error *said, enum git_trouble *why,
			 struct cg_error *err)
{
	if (strstr(said->message, "dubious ownership")) {
		*why = GIT_NOT_TRUSTED;
		return cg_fail(
			err, CG_EINVAL, where, 0,
			"git does not trust the owner of this repository; run git config --global --add safe.directory '%s'",
			where);
	}
	if (strstr(said->message, "must be run in a work tree"))
		return cg_fail(err, CG_EINVAL, where, 0, "this repository has no work tree");
	if (strstr(said->message, "not a git repository")) {
		*why = GIT_NO_REPOSITORY;
		return cg_fail(err, CG_EINVAL, where, 0, "not a git repository");
	}
	return cg_fail(err, CG_EINVAL, where, 0, "%s", said->message);
}

/* Also where the wrong lines would look like paths. */
static int check_answers(const char *where, const char *text, size_t lines, struct cg_error *err)
{
	char *path = realpath(where, NULL);
	int status = path && strchr(path, '\n') ? command_check_path(path, err) : CG_OK;

	free(path);
	for (; *text; text++)
		lines -= *text == '\n';
	return status || !lines ? status
				: cg_fail(err, CG_EINVAL, NULL, 0,
					  "unexpected output of git rev-parse; irdiff needs git "
					  "2.31 or later, and paths without line breaks");
}

/* Takes one answer from each line. */
static int take_directories(struct git *git, const char *where, const char *text,
			    struct cg_error *err)
{
	char **lines[] = { &git->directory, &git->common, &git->top, &git->prefix };
	int status = check_answers(where, text, sizeof lines / sizeof *lines, err);

	if (status)
		return status;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		size_t len = strcspn(text, "\n");
		*lines[i] = strndup(text, len);
		if (!*lines[i])
			return cg_fail_nomem(err);
		text += len + (text[len] == '\n');
	}
	if (*git->directory == '/' && *git->common == '/' && *git->top == '/')
		return CG_OK;
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "unexpected output of git rev-parse; irdiff needs git 2.31 or later");
}

static int copy_environment(struct git *git, const struct git *outer, struct cg_error *err)
{
	int status = CG_OK;
	for (size_t i = 0; !status && i < outer->environment.count; i++)
		status = strings_add(&git->environment, outer->environment.items[i], err);
	return status;
}

/* Opens a repository; with `outer`, without the caller's variables for git. */
static int open_with(const struct git *outer, const char *where, struct interrupts *interrupts,
		     struct git **out, enum git_trouble *why, struct cg_error *err)
{
	struct git *git = calloc(1, sizeof *git);
	struct cg_error said = { 0 };
	char *text = NULL;
	if (!git)
		return cg_fail_nomem(err);

	git->interrupts = interrupts;
	int status = find_git(&git->program, why, err);
	if (!status)
		status = outer ? copy_environment(git, outer, err)
			       : add_git_environment(git, true, err);
	if (!status) {
		const char *const argv[] = { git->program,
					     "rev-parse",
					     "--path-format=absolute",
					     "--git-dir",
					     "--git-common-dir",
					     "--show-toplevel",
					     "--show-prefix",
					     NULL };
		const struct git here = { .program = git->program,
					  .top = (char *)where,
					  .interrupts = interrupts };
		const struct git_call call = { 0 };
		status = execute_git(&here, argv, "rev-parse",
				     (const char *const *)git->environment.items, &call, &text,
				     NULL, &said);
		if (status)
			status = no_repository(where, &said, why, err);
	}
	if (!status)
		status = take_directories(git, where, text, err);
	if (!status)
		status = add_git_environment(git, false, err);
	free(text);
	if (status) {
		git_close(git);
		return status;
	}
	*out = git;
	return CG_OK;
}

int git_open(const char *where, struct interrupts *interrupts, struct git **out,
	     struct cg_error *err)
{
	enum git_trouble ignored;

	return git_try_open(where, interrupts, out, &ignored, err);
}

int git_try_open(const char *where, struct interrupts *interrupts, struct git **out,
		 enum git_trouble *why, struct cg_error *err)
{
	*why = GIT_TROUBLE_OTHER;
	return open_with(NULL, where, interrupts, out, why, err);
}

int git_open_inner(const struct git *outer, const char *where, struct git **out,
		   struct cg_error *err)
{
	enum git_trouble ignored;

	return open_with(outer, where, outer->interrupts, out, &ignored, err);
}

void git_close(struct git *git)
{
	if (!git)
		return;
	free(git->program);
	free(git->top);
	free(git->directory);
	free(git->common);
	free(git->prefix);
	strings_free(&git->environment);
	free(git);
}
