#include "src/run/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/command.h"
#include "src/run/output.h"
#include "src/run/process.h"
#include "src/run/strings.h"
#include "src/run/tail.h"
#include "src/run/workspace.h"

static bool sets_variable(const char *variable, const char *name)
{
	size_t len = strlen(name);
	return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

static bool is_kept(const char *variable)
{
	static const char *const dropped[] = { "PWD",
					       "OLDPWD",
					       "MAKEFLAGS",
					       "MFLAGS",
					       "MAKELEVEL",
					       "GIT_DIR",
					       "GIT_WORK_TREE",
					       "GIT_INDEX_FILE",
					       "GIT_PREFIX",
					       "GIT_OBJECT_DIRECTORY",
					       "GIT_ALTERNATE_OBJECT_DIRECTORIES",
					       "GIT_COMMON_DIR",
					       "GIT_NAMESPACE" };

	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (sets_variable(variable, dropped[i]))
			return false;
	return true;
}

static int make_build_environment(const char *cwd, struct strings *vars, struct cg_error *err)
{
	int status = CG_OK;

	for (char **var = environ; !status && *var; var++)
		if (is_kept(*var))
			status = strings_add(vars, *var, err);
	if (!status)
		status = strings_addf(vars, err, "PWD=%s", cwd);
	if (!status && !getenv("SOURCE_DATE_EPOCH"))
		status = strings_add(vars, "SOURCE_DATE_EPOCH=" BUILD_EPOCH, err);
	return status;
}

static void judge_build_end(const struct process_end *end, struct build_result *result)
{
	result->interrupted_by = end->interrupted_by;
	result->seconds = end->seconds;
	if (end->interrupted_by)
		return;
	if (WIFSIGNALED(end->status))
		result->term_signal = WTERMSIG(end->status);
	else
		result->exit_status = WEXITSTATUS(end->status);
	result->built = end->status == 0;
}

static int start_build(const struct build_request *request, struct workspace *workspace,
		       struct interrupts *interrupts, struct process_end *end, struct cg_error *err)
{
	bool links = workspace->kind == WORKSPACE_LINKS;
	char *cwd = links ? strdup(request->cwd) : workspace_inside(workspace, request->cwd);
	char *program = NULL;
	struct strings vars = { 0 };
	int log = -1;
	int status = cwd ? make_build_environment(cwd, &vars, err) : cg_fail_nomem(err);

	if (!status)
		status = command_which(request->argv[0], request->cwd, getenv("PATH"), &program,
				       err);
	if (!status) {
		log = open(request->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
		if (log < 0)
			status = cg_fail(err, cg_io_status(errno), request->log, 0,
					 "cannot write: %s", strerror(errno));
	}
	if (!status) {
		struct process process = { .path = program,
					   .argv = request->argv,
					   .envp = (const char *const *)vars.items,
					   .cwd = cwd,
					   .stdout_fd = log,
					   .stderr_fd = log,
					   .most_output = OUTPUT_KEPT };
		workspace_apply(workspace, &process);
		status = process_run(&process, interrupts, end, err);
	}
	if (log >= 0)
		close(log);
	strings_free(&vars);
	free(program);
	free(cwd);
	return status;
}

int run_build(const struct build_request *request, struct interrupts *interrupts,
	      struct build_result *result, struct cg_error *err)
{
	struct workspace workspace;
	struct process_end end = { 0 };

	*result = (struct build_result){ 0 };
	int status = workspace_open(&workspace, request->root, request->root, request->root,
				    request->in_place ? WORKSPACE_LINKS : WORKSPACE_TRACED, err);
	if (status)
		return status;
	workspace.guest.only_paths = true;
	workspace.guest.names = request->names;
	status = workspace_try(&workspace, interrupts, err);
	if (!status)
		status = start_build(request, &workspace, interrupts, &end, err);
	/* Tools of another machine see the real paths: the project is built where it is. */
	if (!status && workspace.kind == WORKSPACE_TRACED && !end.traced && !end.interrupted_by) {
		status = workspace_untrace(&workspace, err);
		if (!status)
			status = start_build(request, &workspace, interrupts, &end, err);
	}
	if (!status && !end.started)
		status = cg_fail(err, CG_EIO, request->argv[0], 0,
				 "cannot start the build: cannot %s: %s", end.failed_step,
				 strerror(end.error));
	result->traced = workspace.kind == WORKSPACE_TRACED;
	workspace_close(&workspace);
	if (status)
		return status;
	judge_build_end(&end, result);
	result->tail = tail_with_error(request->log);
	return result->tail ? CG_OK : cg_fail_nomem(err);
}

void build_result_free(struct build_result *result)
{
	free(result->tail);
	*result = (struct build_result){ 0 };
}
