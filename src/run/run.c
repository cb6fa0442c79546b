#include "src/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/run/binding.h"
#include "src/run/codspeed.h"
#include "src/run/depth.h"
#include "src/run/fingerprint.h"
#include "src/run/harness.h"
#include "src/run/heap.h"
#include "src/run/loader_cache.h"
#include "src/run/output.h"
#include "src/run/perf_maps.h"
#include "src/run/presets.h"
#include "src/run/root.h"
#include "src/run/session.h"
#include "src/run/v8.h"

#define READ_STEP 65536
#define CONTRACT_FOLDER "codspeed" /* below the work directory */

/* ---- before the run ---- */

/* "/a/b/program" → where it is started from, see workspace.h. */
static int place_program(struct session *session)
{
	const struct found_command *command = &session->command;

	free(session->program);
	session->program = command->bound || session->request->in_place
				   ? workspace_inside(&session->workspace, command->path)
				   : workspace_path(&session->workspace, "p", command->name);
	return session->program ? CG_OK : session_fail_nomem(session);
}

static int find_run_command(struct session *session)
{
	const struct run_request *request = session->request;
	const char *user_path = NULL;

	for (const char *const *env = request->env; env && *env; env++)
		if (!strncmp(*env, "PATH=", 5))
			user_path = *env + 5;
	session->path = hermetic_path(user_path ? user_path : getenv("PATH"));
	if (!session->path)
		return session_fail_nomem(session);
	int status = command_find(request->argv[0], session->cwd, session->path, &session->command,
				  session->err);
	return session_fail_with(session, RUN_BAD_COMMAND, status);
}

/* Whether or not the request wants the preset. */
static bool describes_javascript(const struct session *session)
{
	const struct preset *preset = session->result->preset;

	if (!preset)
		preset = preset_of(&session->command, session->path);
	return preset && preset->v8 &&
	       v8_names_functions(session->request->argv,
				  environment_get(&session->environment, "NODE_OPTIONS"));
}

static unsigned choose_depth(const struct session *session)
{
	if (session->request->depth != RUN_DEPTH_AUTO)
		return session->request->depth;
	return depth_by_default(&session->command,
				session_names_python(session) || session->names_javascript);
}

static int make_run_environment(struct session *session)
{
	const char *ld_so = session->command.image.interpreter;
	struct run_result *result = session->result;

	result->static_image = !ld_so;
	int status = hermetic_tunables(ld_so, &session->interrupts, &result->tunables,
				       session->err);
	if (status == CG_OK)
		status = hermetic_environment(session->request->env, session->path,
					      result->tunables, &session->environment,
					      session->err);
	if (status == CG_OK)
		status = perf_maps_ask(session->command.image_path, &session->environment,
				       session->err);
	return session_fail_with(session, status == CG_EINVAL ? RUN_BAD_REQUEST : RUN_SYSTEM,
				 status);
}

/* A user who sets the variable decides, even by an empty value, with which the loader binds at the
 * first call. */
static int bind_at_start(struct session *session)
{
	if (environment_get(&session->environment, BINDING_VARIABLE) ||
	    !binding_is_eager(session->request, &session->command))
		return CG_OK;
	session->result->bound_at_start = true;
	return session_fail_with(
		session, RUN_SYSTEM,
		environment_set(&session->environment, BINDING_VARIABLE, "1", session->err));
}

static int fail_not_alone(struct session *session)
{
	return session_fail(session, RUN_NOT_ALONE, CG_EIO, NULL,
			    "the benchmark writes what other runs at the same time may see");
}

/* Only of traced programs it is known which paths they name. */
static int watch_names(struct session *session)
{
	struct run_result *result = session->result;

	if (!session->request->names || session->workspace.kind != WORKSPACE_TRACED)
		return CG_OK;
	if (asprintf(&result->names_path, "%s/names.log", session->workdir) < 0) {
		result->names_path = NULL;
		return session_fail_nomem(session);
	}
	session->workspace.guest.names = result->names_path;
	return CG_OK;
}

static int open_workspace(struct session *session)
{
	struct workspace *workspace = &session->workspace;
	struct run_result *result = session->result;
	int status = workspace_open(workspace, session->root, session->command.directory,
				    session->workdir, session->kind, session->err);

	if (status)
		return session_fail_with(session, RUN_SYSTEM, status);
	result->workspace = workspace->kind == WORKSPACE_LINKS ? "links" : "traced";
	workspace->guest.shared = session->request->shared;
	/* Nobody sees what it writes. */
	if (workspace->kind == WORKSPACE_LINKS)
		result->changes = RUN_SHARES_ROOT | RUN_SHARES_REST;
	if (result->changes & session->request->shared)
		return fail_not_alone(session);
	if ((status = watch_names(session)))
		return status;
	status = workspace_hide(workspace, session->request->hidden, session->err);
	return status ? session_fail_with(session, RUN_SYSTEM, status) : place_program(session);
}

char *session_read_file(const char *path, size_t *size)
{
	FILE *from = fopen(path, "re");
	char *bytes = NULL;
	size_t cap = 0;

	*size = 0;
	while (from && !cg_grow(&bytes, &cap, *size + READ_STEP, 1)) {
		size_t n = fread(bytes + *size, 1, cap - *size - 1, from);
		*size += n;
		bytes[*size] = '\0';
		if (!n)
			break;
	}
	if (from)
		fclose(from);
	return bytes;
}

/* Shows the benchmark `bytes` in place of a file of the host; NULL: the file stays as it is. */
static int show_bytes(struct session *session, const char *seen, const char *bytes, size_t size)
{
	char *path = workspace_scratch(&session->workspace, "shown");
	FILE *to = path && bytes ? fopen(path, "we") : NULL;
	int status = path ? CG_OK : CG_EIO;

	if (to && (fwrite(bytes, 1, size, to) != size) + fclose(to))
		status = CG_EIO;
	if (bytes && !to)
		status = CG_EIO;
	if (status)
		session_fail(session, RUN_SYSTEM, status, session->workspace.slot.path,
			     "cannot write the contents of %s: %s", seen, strerror(errno));
	else
		status = session_fail_with(
			session, RUN_SYSTEM,
			workspace_show(&session->workspace, seen, path, session->err));
	free(path);
	return status;
}

/* Shows a short loader cache; a cache that cannot be shortened is shown as it is. */
static int shorten_loader_cache(struct session *session)
{
	const struct found_command *command = &session->command;
	struct strings directories = { 0 }, names = { 0 }, elsewhere = { 0 };
	char *small = NULL;
	size_t size, small_size;

	if (session->workspace.kind != WORKSPACE_TRACED || !command->image.interpreter)
		return CG_OK;
	char *whole = session_read_file(LOADER_CACHE, &size);
	int status = session_fail_with(session, RUN_SYSTEM,
				       loader_cache_ask(command->image.interpreter,
							command->image_path, &session->interrupts,
							&directories, &names, session->err));
	bool known = status == CG_OK && whole && directories.count &&
		     !loader_cache_make(whole, size, &directories, &names, &small, &small_size,
					&elsewhere, NULL);
	if (known) {
		fingerprint_of_bytes(small, small ? small_size : 0, session->result->loader_cache,
				     sizeof session->result->loader_cache);
		status = show_bytes(session, LOADER_CACHE, small, small_size);
	}
	for (size_t i = 0; known && !status && i + 1 < elsewhere.count; i += 2)
		if (access(elsewhere.items[i], F_OK))
			status = session_fail_with(
				session, RUN_SYSTEM,
				workspace_show(&session->workspace, elsewhere.items[i],
					       elsewhere.items[i + 1], session->err));
	strings_free(&directories);
	strings_free(&names);
	strings_free(&elsewhere);
	free(whole);
	free(small);
	return status;
}

/* What a warm-up leaves must not depend on earlier runs: otherwise Python writes into the project,
 * paths of the workspace included. */
static int make_cache(struct session *session)
{
	char *seen;

	if (!session->request->warm_up ||
	    environment_get(&session->environment, "PYTHONPYCACHEPREFIX"))
		return CG_OK;
	int status = workspace_cache(&session->workspace, &seen, session->err);
	if (status == CG_OK) {
		status = environment_set(&session->environment, "PYTHONPYCACHEPREFIX", seen,
					 session->err);
		free(seen);
	}
	return session_fail_with(session, RUN_SYSTEM, status);
}

/* A directory for files that CodSpeed's integrations write; nothing reads them. */
static int make_contract(struct session *session)
{
	char *host, *folder = NULL, *root = NULL;
	int status = CG_OK;

	if (session->request->cases != RUN_CASES_CODSPEED)
		return CG_OK;
	if (asprintf(&host, "%s/" CONTRACT_FOLDER, session->workdir) < 0)
		return session_fail_nomem(session);
	if (mkdir(host, 0700) != 0 && errno != EEXIST)
		status = session_fail(session, RUN_SYSTEM, cg_io_status(errno), host,
				      "cannot create: %s", strerror(errno));
	free(host);
	if (status)
		return status;
	folder = workspace_path(&session->workspace, "o", CONTRACT_FOLDER);
	root = workspace_inside(&session->workspace, session->root);
	status = folder && root
			 ? codspeed_environment(&session->environment, folder, root, session->err)
			 : CG_ENOMEM;
	free(folder);
	free(root);
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int set_harness(struct session *session)
{
	const struct harness *h = harness_of(session->request->cases);
	int status = CG_OK;

	session->harness = h;
	session->result->split_calls = h != NULL;
	for (size_t i = 0; h && !status && h->variables[i]; i++) {
		char *name = strdup(h->variables[i]), *value = name ? strchr(name, '=') : NULL;
		if (!value)
			return session_fail_nomem(session);
		*value++ = '\0';
		if (!environment_get(&session->environment, name))
			status = environment_set(&session->environment, name, value, session->err);
		free(name);
	}
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int describe_counting(struct session *session)
{
	struct run_result *result = session->result;
	struct strings options = { 0 };
	int status = session_add_counting_options(session, &options);

	session_fail_with(session, RUN_SYSTEM, status);
	if (status == CG_OK) {
		result->options = strings_join(&options);
		result->valgrind_path = strdup(session->valgrind.path);
		result->valgrind_version = strdup(session->valgrind.version);
		result->codspeed = session->valgrind.codspeed;
		result->program = strdup(session->command.path);
		if (!result->options || !result->valgrind_path || !result->valgrind_version ||
		    !result->program)
			status = session_fail_nomem(session);
	}
	strings_free(&options);
	return status;
}

static int prepare_run(struct session *session)
{
	int status = valgrind_find(session->request->valgrind, &session->interrupts,
				   &session->valgrind, session->err);

	session_fail_with(session, RUN_NO_VALGRIND, status);
	if (status == CG_OK)
		status = find_run_command(session);
	if (status == CG_OK)
		status = make_run_environment(session);
	if (status == CG_OK)
		status = session_preset(session);
	if (status == CG_OK)
		status = bind_at_start(session);
	if (status == CG_OK)
		status = open_workspace(session);
	if (status == CG_OK)
		status = shorten_loader_cache(session);
	if (status == CG_OK)
		status = make_cache(session);
	if (status == CG_OK)
		status = make_contract(session);
	if (status == CG_OK)
		status = set_harness(session);
	if (status == CG_OK) {
		session->names_javascript = describes_javascript(session);
		session->result->depth = choose_depth(session);
		session->result->recursion = session_names_python(session) ||
							     session->names_javascript
						     ? 1
						     : session->request->recursion;
		session->part_forks = session->request->tool == RUN_CALLGRIND &&
				      (session->request->cases == RUN_CASES_AUTO ||
				       session->request->cases == RUN_CASES_NONE);
		status = describe_counting(session);
	}
	return status == CG_OK ? session_freeze(session) : status;
}

/* ---- the run ---- */

static int open_log(struct session *session, const char *name, char **path, int *fd)
{
	if (!*path && asprintf(path, "%s/%s", session->workdir, name) < 0) {
		*path = NULL;
		return session_fail_nomem(session);
	}
	*fd = open(*path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd < 0)
		return session_fail(session, RUN_SYSTEM, cg_io_status(errno), *path,
				    "cannot write: %s", strerror(errno));
	return CG_OK;
}

/* Seconds left for a run. At least one, so that the run ends as timed out. */
static unsigned seconds_left(const struct session *session)
{
	unsigned timeout = session->request->timeout;

	if (!timeout)
		return 0;
	return session->spent < timeout - 1 ? timeout - (unsigned)session->spent : 1;
}

int session_start(struct session *session, const char *path, const struct strings *argv,
		  const char *const *envp, struct process_end *end)
{
	struct run_result *result = session->result;
	char *cwd = workspace_inside(&session->workspace, session->cwd);
	int out = -1, error = -1;
	int status = cwd ? CG_OK : session_fail_nomem(session);

	if (status == CG_OK)
		status = open_log(session, "stdout.log", &result->stdout_path, &out);
	if (status == CG_OK)
		status = open_log(session, "stderr.log", &result->stderr_path, &error);
	if (status)
		goto done;

	struct process process = {
		.path = path,
		.argv = (const char *const *)argv->items,
		.envp = envp,
		.cwd = cwd,
		.stdout_fd = out,
		.stderr_fd = error,
		.most_output = OUTPUT_KEPT,
		.fixed_layout = true,
		.fixed_limits = true,
		.cpu = session->request->cpu,
		.timeout = seconds_left(session),
		.over = &session->over,
		/* What runs without Valgrind leaves no counts, but its processes may have the IDs
		 * of measured ones, whose files must keep their names. */
		.executed = path == session->valgrind.path ? collect_set_aside : NULL,
		.directory = session->outdir,
	};
	process_list_free(&session->over);
	workspace_apply(&session->workspace, &process);
	status = process_run(&process, &session->interrupts, end, session->err);
	if (status)
		session_fail_with(session, RUN_SYSTEM, status);
	else
		result->seconds = end->seconds;
	session->spent += result->seconds;
	result->changes |= status ? 0 : end->changes;
	session->refused = !status && !end->traced && session->kind != WORKSPACE_LINKS &&
			   !end->timed_out && !session->interrupts.signal;
	if (session->refused)
		status = CG_EIO;
	else if (!status && (end->changes & session->request->shared))
		status = fail_not_alone(session);
done:
	free(cwd);
	if (out >= 0)
		close(out);
	if (error >= 0)
		close(error);
	return status;
}

/* Runs the program without Valgrind, to fill caches that belong to it. It need not describe code
 * that it generates. */
static int warm_up(struct session *session, struct process_end *end)
{
	const char *const *argv = session->request->argv;
	struct strings words = { 0 }, vars = { 0 };
	int status = strings_add(&words, session->program, session->err);

	if (status == CG_OK)
		status = session_add_preset_options(session, &words);
	for (argv++; status == CG_OK && *argv; argv++)
		status = strings_add(&words, *argv, session->err);
	for (size_t i = 0; status == CG_OK && i < session->environment.count; i++)
		if (strncmp(session->environment.vars[i], "PYTHONDONTWRITEBYTECODE=", 24) &&
		    strncmp(session->environment.vars[i], "PYTHONPERFSUPPORT=", 18))
			status = strings_add(&vars, session->environment.vars[i], session->err);
	session_fail_with(session, RUN_SYSTEM, status);
	if (status == CG_OK)
		status = session_start(session, session->program, &words,
				       (const char *const *)vars.items, end);
	strings_free(&words);
	strings_free(&vars);
	return status;
}

static int collect_files(struct session *session, const struct timespec *since)
{
	int status = CG_OK;

	collection_free(&session->collection);
	if (session->request->tool == RUN_DHAT)
		status = heap_convert(session->outdir, session->err);
	if (!status)
		status = collect(session->outdir, &session->over, &session->collection,
				 session->err);
	if (!status && session->workspace.kind == WORKSPACE_LINKS)
		perf_maps_fetch(session->outdir, &session->collection, since);
	if (!status)
		status = perf_maps_assign(session->outdir, &session->collection, session->err);
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int measure_once(struct session *session, struct process_end *end)
{
	struct timespec since;
	int status = session_add_arguments(session);
	if (status)
		return session_fail_with(session, RUN_SYSTEM, status);

	perf_maps_discard(session->outdir);
	session->workspace.guest.files = session->outdir;
	clock_gettime(CLOCK_REALTIME_COARSE, &since);
	status = session_start(session, session->valgrind.path, &session->arguments,
			       (const char *const *)session->environment.vars, end);
	if (status)
		return status;
	session->under_valgrind = true;
	return collect_files(session, &since);
}

/* ---- the whole ---- */

bool session_has_failed(const struct process_end *end)
{
	return !end->started || end->status || end->timed_out;
}

int session_measure(struct session *session, struct process_end *end)
{
	bool again = true;
	int status = CG_OK;

	while (status == CG_OK && again) {
		status = measure_once(session, end);
		again = false;
		if (status == CG_OK && !session->interrupts.signal && !end->timed_out)
			status = session_retry(session, session_has_failed(end), &again);
	}
	return status;
}

static int run_natively(struct session *session)
{
	struct process_end end = { 0 };
	int status = session->harness ? session_measure_cases(session, &end)
				      : warm_up(session, &end);

	return status ? status : session_conclude_natively(session, &end);
}

static int run_session(struct session *session)
{
	struct process_end end = { 0 };
	bool measure = true;
	int status = session_check_request(session);

	if (status == CG_OK)
		status = prepare_run(session);
	if (status == CG_OK && session->request->natively)
		return run_natively(session);
	if (status == CG_OK && session->request->warm_up && !session->harness) {
		status = warm_up(session, &end);
		measure = !session_has_failed(&end);
	}
	if (status == CG_OK && measure && session->request->function &&
	    root_is_pattern(session->request->function)) {
		status = session_expand_root(session, &end);
		measure = !session_has_failed(&end) && !session_death(session);
	}
	if (status == CG_OK && measure)
		status = session->harness ? session_measure_cases(session, &end)
					  : session_measure(session, &end);
	return status == CG_OK ? session_conclude(session, &end) : status;
}

static void free_session(struct session *session)
{
	collection_free(&session->collection);
	process_list_free(&session->over);
	strings_free(&session->arguments);
	valgrind_free(&session->valgrind);
	command_free(&session->command);
	free(session->program);
	free(session->path);
	free(session->root);
	free(session->cwd);
	free(session->workdir);
	free(session->outdir);
	strings_free(&session->cases);
	gungraun_free(&session->gungraun);
	strings_free(&session->roots);
}

static void begin_session(struct session *session, enum workspace_kind kind)
{
	*session = (struct session){
		.request = session->request,
		.result = session->result,
		.err = session->err,
		.interrupts = session->interrupts,
		.kind = kind,
		.workspace = { .slot.fd = -1 },
	};
}

/* Whether programs can be traced is not tried first: that would take as long as to start again
 * without tracing, which few places need. */
static int run_where_possible(struct session *session)
{
	int status = run_session(session);

	while (session->refused) {
		environment_free(&session->environment);
		workspace_close(&session->workspace);
		free_session(session);
		run_result_free(session->result);
		begin_session(session, WORKSPACE_LINKS);
		status = run_session(session);
	}
	return status;
}

int run_benchmark(const struct run_request *request, struct run_result *result,
		  struct cg_error *err)
{
	struct session session = { .request = request, .result = result, .err = err };

	*result = (struct run_result){ 0 };
	int status = interrupts_open(&session.interrupts, err);
	if (status) {
		result->failure = RUN_SYSTEM;
		return status;
	}

	begin_session(&session, request->untraced ? WORKSPACE_LINKS : WORKSPACE_TRACED);
	status = run_where_possible(&session);
	result->environment = session.environment.vars;
	result->nenvironment = session.environment.count;

	workspace_close(&session.workspace);
	interrupts_take(&session.interrupts);
	result->interrupted_by = session.interrupts.signal;
	if (result->interrupted_by)
		status = session_fail(&session, RUN_INTERRUPTED, CG_EIO, NULL,
				      "interrupted by signal %d (%s)", result->interrupted_by,
				      strsignal(result->interrupted_by));
	interrupts_close(&session.interrupts);
	free_session(&session);
	return status;
}
