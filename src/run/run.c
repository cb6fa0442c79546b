#include "src/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/choose.h"
#include "src/run/collect.h"
#include "src/run/command.h"
#include "src/run/hermetic.h"
#include "src/run/interrupt.h"
#include "src/run/process.h"
#include "src/run/strings.h"
#include "src/run/valgrind.h"
#include "src/run/workspace.h"

#define TAIL_BYTES 4096
#define TAIL_LINES 20
#define STRIPPED_MAX 64      /* objects whose debug information Valgrind cannot read */

/* What one call of run_benchmark() works with. */
struct session {
	const struct run_request *request;
	struct run_result *result;
	struct cg_error *err;
	struct interrupts interrupts;
	struct valgrind valgrind;
	struct command command;
	struct workspace workspace;
	struct environment environment;
	struct collection collection;
	struct strings arguments;    /* Valgrind's and the command's */
	char *path;                  /* the user's PATH, normalised */
	char *root, *cwd;            /* canonical host paths */
	char *workdir;
	char *program;               /* what Valgrind is told to run, as seen inside */
	size_t stripped;             /* objects replaced by stripped copies so far */
	bool under_valgrind;         /* the last process was, not the warm-up */
	bool keep_replaced;          /* have an image write its counts before an exec */
};

/* Every failure goes through here: the kind, the sentence, the code. */
static int fail(struct session *session, enum run_failure failure, int code,
		const char *file, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

static int fail(struct session *session, enum run_failure failure, int code,
		const char *file, const char *fmt, ...)
{
	char message[sizeof session->err->message];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	session->result->failure = failure;
	return cg_fail(session->err, code, file, 0, "%s", message);
}

/* The same for an error that is already filled. */
static int fail_with(struct session *session, enum run_failure failure, int status)
{
	if (status)
		session->result->failure = failure;
	return status;
}

static int fail_nomem(struct session *session)
{
	return fail_with(session, RUN_SYSTEM, cg_fail_nomem(session->err));
}

/* ---- before the run ------------------------------------------------------ */

static int resolve_directory(struct session *session, const char *path, const char *base,
			     char **out)
{
	char *joined = NULL;
	struct stat st;

	if (*path != '/' && base && asprintf(&joined, "%s/%s", base, path) < 0)
		return fail_nomem(session);
	*out = realpath(joined ? joined : path, NULL);
	free(joined);
	if (!*out)
		return errno == ENOMEM ? fail_nomem(session)
			: fail(session, RUN_BAD_REQUEST, CG_EIO, path, "no such directory: %s",
			       strerror(errno));
	if (stat(*out, &st) || !S_ISDIR(st.st_mode))
		return fail(session, RUN_BAD_REQUEST, CG_EIO, path, "not a directory");
	return CG_OK;
}

/* Options that the driver itself depends on. An out-file could also be
 * /dev/null, which Valgrind as root would replace. */
static int check_options(struct session *session)
{
	static const char *const ours[] = {
		"--tool", "--callgrind-out-file", "--log-", "--xml", "--trace-children",
		"--vgdb", "--command-line-only", "-q", "--quiet",
	};

	for (const char *const *option = session->request->valgrind_options; option && *option;
	     option++) {
		if (**option != '-')
			return fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
				    "not an option of Valgrind: %.200s", *option);
		for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
			if (!strncmp(*option, ours[i], strlen(ours[i])))
				return fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
					    "this option of Valgrind is not yours to set: %.200s",
					    *option);
	}
	return CG_OK;
}

static int check_request(struct session *session)
{
	const struct run_request *request = session->request;
	size_t left = 0;
	int status = check_options(session);

	if (status)
		return status;

	if (!request->argv || !request->argv[0])
		return fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL, "no command to run");
	if (!request->workdir)
		return fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL, "no work directory");
	status = resolve_directory(session, request->workdir, NULL, &session->workdir);
	if (status)
		return status;
	status = collect_discard(session->workdir, true, &left, session->err);
	if (status)
		return fail_with(session, RUN_BAD_REQUEST, status);
	if (left)
		return fail(session, RUN_BAD_REQUEST, CG_EINVAL, session->workdir,
			    "the work directory holds the files of another run");

	const char *root = request->root ? request->root : request->cwd ? request->cwd : ".";
	status = resolve_directory(session, root, NULL, &session->root);
	if (status)
		return status;
	return resolve_directory(session, request->cwd ? request->cwd : session->root,
				 session->root, &session->cwd);
}

/* "/a/b/program" → where it is started from, see workspace.h. */
static int place_program(struct session *session)
{
	const struct command *command = &session->command;

	free(session->program);
	session->program = command->bound || session->request->in_place
		? workspace_inside(&session->workspace, command->path)
		: workspace_path(&session->workspace, "p", command->name);
	return session->program ? CG_OK : fail_nomem(session);
}

static int prepare(struct session *session)
{
	const struct run_request *request = session->request;
	struct run_result *result = session->result;
	const char *user_path = NULL;
	int status;

	status = valgrind_find(request->valgrind, &session->interrupts, &session->valgrind,
			       session->err);
	if (status)
		return fail_with(session, RUN_NO_VALGRIND, status);

	for (const char *const *env = request->env; env && *env; env++)
		if (!strncmp(*env, "PATH=", 5))
			user_path = *env + 5;
	session->path = hermetic_path(user_path ? user_path : getenv("PATH"));
	if (!session->path)
		return fail_nomem(session);
	status = command_find(request->argv[0], session->cwd, session->path,
			      &session->command, session->err);
	if (status)
		return fail_with(session, RUN_BAD_COMMAND, status);

	result->depth = request->depth != RUN_DEPTH_AUTO ? request->depth
		: command_is_interpreter(&session->command) ? RUN_DEPTH_INTERPRETED
		: RUN_DEPTH_COMPILED;
	result->static_image = !session->command.image.interpreter;
	status = hermetic_tunables(session->command.image.interpreter, &session->interrupts,
				   &result->tunables, session->err);
	if (status == CG_OK)
		status = hermetic_environment(request->env, session->path, result->tunables,
					      &session->environment, session->err);
	if (status)
		return fail_with(session, status == CG_EINVAL ? RUN_BAD_REQUEST : RUN_SYSTEM,
				 status);

	status = workspace_open(&session->workspace, session->root, session->command.directory,
				session->workdir, request->no_namespaces, &session->interrupts,
				session->err);
	if (status)
		return fail_with(session, RUN_SYSTEM, status);
	result->workspace = session->workspace.kind == WORKSPACE_LINKS ? "symlink" : "namespace";
	result->pids = session->workspace.kind == WORKSPACE_MOUNTS_PIDS ? "namespace" : "host";
	return place_program(session);
}

/* Valgrind's options that can move a count. */
static int add_counting_options(struct session *session, struct strings *strings)
{
	const struct run_request *request = session->request;
	struct cg_error *err = session->err;
	int status = CG_OK;

	/* CodSpeed's and gungraun's sizes, so that numbers can be compared. */
	if (request->cache_sim &&
	    ((status = strings_add(strings, "--cache-sim=yes", err)) ||
	     (status = strings_add(strings, "--I1=32768,8,64", err)) ||
	     (status = strings_add(strings, "--D1=32768,8,64", err)) ||
	     (status = strings_add(strings, "--LL=8388608,16,64", err))))
		return status;
	if ((status = strings_add(strings, "--dump-instr=yes", err)) ||
	    (status = strings_add(strings, "--dump-line=yes", err)))
		return status;
	for (const char *const *option = request->valgrind_options; option && *option; option++)
		if ((status = strings_add(strings, *option, err)))
			return status;
	return CG_OK;
}

static int add_arguments(struct session *session)
{
	static const char *const fixed[] = {
		"-v", "--tool=callgrind", "--vgdb=no",
		"--command-line-only=yes",  /* no ./.valgrindrc, no $VALGRIND_OPTS */
		"--trace-children=yes",
	};
	const struct run_request *request = session->request;
	struct strings *strings = &session->arguments;
	struct cg_error *err = session->err;
	int status;

	strings_free(strings);
	if ((status = strings_add(strings, session->valgrind.path, err)))
		return status;
	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		if ((status = strings_add(strings, fixed[i], err)))
			return status;
	if ((status = strings_addf(strings, err, "--log-file=%s/o/" COLLECT_LOG_PREFIX "%%p",
				   session->workspace.base)) ||
	    (status = strings_addf(strings, err,
				   "--callgrind-out-file=%s/o/" COLLECT_PROFILE_PREFIX "%%p",
				   session->workspace.base)))
		return status;
	if (session->keep_replaced &&
	    (status = strings_add(strings, "--dump-before=execve", err)))
		return status;
	if (session->result->depth &&
	    (status = strings_addf(strings, err, "--separate-callers=%u",
				   session->result->depth)))
		return status;
	if (request->recursion &&
	    (status = strings_addf(strings, err, "--separate-recs=%u", request->recursion)))
		return status;
	if (request->function &&
	    (status = strings_addf(strings, err, "--toggle-collect=%s", request->function)))
		return status;
	if ((status = add_counting_options(session, strings)) ||
	    (status = strings_add(strings, session->program, err)))
		return status;
	for (const char *const *arg = request->argv + 1; *arg; arg++)
		if ((status = strings_add(strings, *arg, err)))
			return status;
	return CG_OK;
}

/* ---- the run ------------------------------------------------------------- */

static int open_log(struct session *session, const char *name, char **path, int *fd)
{
	if (!*path && asprintf(path, "%s/%s", session->workdir, name) < 0) {
		*path = NULL;
		return fail_nomem(session);
	}
	*fd = open(*path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd < 0)
		return fail(session, RUN_SYSTEM, CG_EIO, *path, "cannot write: %s",
			    strerror(errno));
	return CG_OK;
}

static int start(struct session *session, const char *path, const char *const *argv,
		 const char *const *envp, struct process_end *end)
{
	struct run_result *result = session->result;
	char *cwd = workspace_inside(&session->workspace, session->cwd);
	int out = -1, error = -1;
	int status = cwd ? CG_OK : fail_nomem(session);

	if (status == CG_OK)
		status = open_log(session, "stdout.log", &result->stdout_path, &out);
	if (status == CG_OK)
		status = open_log(session, "stderr.log", &result->stderr_path, &error);
	if (status)
		goto done;

	struct process process = {
		.path = path,
		.argv = argv,
		.envp = envp,
		.cwd = cwd,
		.stdout_fd = out,
		.stderr_fd = error,
		.fixed_layout = true,
		.timeout = session->request->timeout,
	};
	workspace_apply(&session->workspace, &process);
	status = process_run(&process, &session->interrupts, end, session->err);
	if (status)
		fail_with(session, RUN_SYSTEM, status);
	else
		result->seconds = end->seconds;
done:
	free(cwd);
	if (out >= 0)
		close(out);
	if (error >= 0)
		close(error);
	return status;
}

/* Without Valgrind, so that caches that belong to the program get filled. */
static int warm_up(struct session *session, struct process_end *end)
{
	const char *const *argv = session->request->argv;
	struct strings words = { 0 }, vars = { 0 };
	int status = strings_add(&words, session->program, session->err);

	for (argv++; status == CG_OK && *argv; argv++)
		status = strings_add(&words, *argv, session->err);
	for (size_t i = 0; status == CG_OK && i < session->environment.count; i++)
		if (strncmp(session->environment.vars[i], "PYTHONDONTWRITEBYTECODE=", 24))
			status = strings_add(&vars, session->environment.vars[i], session->err);
	fail_with(session, RUN_SYSTEM, status);
	if (status == CG_OK)
		status = start(session, session->program, (const char *const *)words.items,
			       (const char *const *)vars.items, end);
	strings_free(&words);
	strings_free(&vars);
	return status;
}

static int measure(struct session *session, struct process_end *end)
{
	int status = add_arguments(session);
	if (status)
		return fail_with(session, RUN_SYSTEM, status);

	status = start(session, session->valgrind.path,
		       (const char *const *)session->arguments.items,
		       (const char *const *)session->environment.vars, end);
	if (status)
		return status;
	session->under_valgrind = true;
	collection_free(&session->collection);
	status = collect(session->workdir, &session->collection, session->err);
	return fail_with(session, RUN_SYSTEM, status);
}

/* ---- debug information that this Valgrind cannot read -------------------- */

static const struct valgrind_log *find_death(const struct session *session)
{
	const struct collection *collection = &session->collection;

	for (size_t i = 0; i < collection->nlogs; i++)
		if (collection->logs[i].death)
			return &collection->logs[i];
	return NULL;
}

static int add_mapping(struct session *session, const char *seen, const char *real,
		       bool stripped)
{
	struct run_result *result = session->result;
	struct run_mapping *grown = realloc(result->mappings,
					    (result->nmappings + 1) * sizeof *grown);
	if (!grown)
		return fail_nomem(session);
	result->mappings = grown;
	struct run_mapping mapping = { strdup(seen), strdup(real), stripped };
	if (!mapping.seen || !mapping.real) {
		free(mapping.seen);
		free(mapping.real);
		return fail_nomem(session);
	}
	grown[result->nmappings++] = mapping;
	return CG_OK;
}

static int make_stripped(struct session *session, const char *real, const char *copy)
{
	char *strip = NULL, *output = NULL;
	int status = command_which("strip", "/", session->path, &strip, NULL);

	if (status)
		return fail(session, RUN_VALGRIND_DIED, CG_EIO, real,
			    "Valgrind %s cannot read its debug information, and there is no strip "
			    "to make a copy without: install the package binutils "
			    "(apt-get install binutils), or build with -gdwarf-4",
			    session->valgrind.version);

	const char *argv[] = { strip, "--strip-debug", "-o", copy, "--", real, NULL };
	const char *envp[] = { "LC_ALL=C", NULL };
	status = process_output(strip, argv, envp, "/", &session->interrupts, &output,
				session->err);
	free(output);
	free(strip);
	if (status) {
		cg_error_context(session->err, "cannot strip %.200s", real);
		fail_with(session, RUN_VALGRIND_DIED, status);
	}
	return status;
}

/* Without mounts the copy cannot stand in the original's place: the program is
 * run from its copy, libraries are found by LD_LIBRARY_PATH. */
static int substitute(struct session *session, const char *real, const char *copy)
{
	char *image = realpath(session->command.image_path, NULL);
	bool is_program = image && !strcmp(image, real) &&
			  session->command.file.kind == IMAGE_ELF;
	int status = CG_OK;

	free(image);
	if (is_program) {
		char *program = strdup(copy);
		if (!program)
			return fail_nomem(session);
		free(session->program);
		session->program = program;
		return CG_OK;
	}
	const char *before = environment_get(&session->environment, "LD_LIBRARY_PATH");
	const char *slash = strrchr(copy, '/');
	char *dirs;
	if (asprintf(&dirs, "%.*s%s%s", (int)(slash - copy), copy, before ? ":" : "",
		     before ? before : "") < 0)
		return fail_nomem(session);
	status = environment_set(&session->environment, "LD_LIBRARY_PATH", dirs, session->err);
	free(dirs);
	return fail_with(session, RUN_SYSTEM, status);
}

/* Puts a copy without debug information in the place of what killed Valgrind:
 * 3.19 dies on the DWARF 5 of clang. CG_OK: worth another try. */
static int replace_bad_object(struct session *session, const char *seen)
{
	char *real = workspace_outside(&session->workspace, seen);
	char *copy = NULL;
	int status;

	if (!real)
		return fail_nomem(session);
	const char *slash = strrchr(real, '/');
	const char *name = slash ? slash + 1 : real;
	if (session->command.file.kind == IMAGE_ELF && !strcmp(real, session->command.path))
		name = session->command.name;
	copy = workspace_scratch(&session->workspace, name);
	if (!copy) {
		status = fail(session, RUN_SYSTEM, CG_EIO, session->workspace.slot,
			      "no place for a copy of %.200s", real);
		goto done;
	}
	status = make_stripped(session, real, copy);
	if (status)
		goto done;

	bool links = session->workspace.kind == WORKSPACE_LINKS;
	status = links ? substitute(session, real, copy)
		       : fail_with(session, RUN_SYSTEM,
				   workspace_cover(&session->workspace, seen, copy, session->err));
	if (status == CG_OK)
		status = add_mapping(session, links ? copy : seen, real, true);
	if (status == CG_OK)
		status = fail_with(session, RUN_SYSTEM,
				   collect_discard(session->workdir, false, NULL, session->err));
	session->stripped++;
done:
	free(real);
	free(copy);
	return status;
}

static const struct run_mapping *find_stripped(const struct run_result *result, const char *seen)
{
	for (size_t i = 0; i < result->nmappings; i++)
		if (result->mappings[i].stripped && !strcmp(result->mappings[i].seen, seen))
			return &result->mappings[i];
	return NULL;
}

/* Host path of an object as Valgrind named it, NULL: out of memory. */
static char *host_object(const struct session *session, const char *seen)
{
	const struct run_mapping *mapping = find_stripped(session->result, seen);

	return mapping ? strdup(mapping->real)
		       : workspace_outside(&session->workspace, seen);
}

/* ---- programs that exec another ------------------------------------------ */

/* The first process: the one whose parent is not itself under Valgrind. */
static pid_t main_pid(const struct collection *collection)
{
	for (size_t i = 0; i < collection->nlogs; i++)
		if (!collection_log(collection, collection->logs[i].parent))
			return collection->logs[i].pid;
	return 0;
}

/* Whether the first process was a program that has become another one: then its
 * counts are lost. A shell's or env's would not be missed. (Asking every image
 * for its counts before an exec costs a copy of the whole profile per forked
 * child: 95 MB for CPython.) */
static bool lost_an_image(const struct session *session)
{
	const struct valgrind_log *log =
		collection_log(&session->collection, main_pid(&session->collection));
	const char *started = session->command.image_path;
	bool lost = false;

	if (!log || !log->nobjects || command_is_launcher(started, session->command.name))
		return false;
	char *host = host_object(session, log->objects[0]);
	char *now = host ? realpath(host, NULL) : NULL, *then = realpath(started, NULL);
	if (now && then)
		lost = strcmp(now, then) && !command_is_launcher(then, session->command.name);
	free(host);
	free(now);
	free(then);
	return lost;
}

/* ---- after the run ------------------------------------------------------- */

/* The end of a file, at most TAIL_BYTES and TAIL_LINES; "" if it is empty. */
static char *read_tail(const char *path)
{
	char *tail = calloc(1, TAIL_BYTES + 1);
	struct stat st;

	int fd = tail && path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return tail;
	if (!fstat(fd, &st)) {
		off_t from = st.st_size > TAIL_BYTES ? st.st_size - TAIL_BYTES : 0;
		ssize_t n = pread(fd, tail, TAIL_BYTES, from);
		size_t len = n > 0 ? (size_t)n : 0, begin = len;
		for (size_t i = 0; i < len; i++)
			if (!tail[i])
				tail[i] = '?';
		tail[len] = '\0';
		for (int lines = 0; begin; begin--)
			if (tail[begin - 1] == '\n' && begin < len && ++lines == TAIL_LINES)
				break;
		memmove(tail, tail + begin, len - begin + 1);
	}
	close(fd);
	return tail;
}

static int add_tail(struct session *session)
{
	struct run_result *result = session->result;

	result->tail = read_tail(result->stderr_path);
	if (result->tail && !*result->tail) {
		free(result->tail);
		result->tail = read_tail(result->stdout_path);
	}
	return result->tail ? CG_OK : fail_nomem(session);
}

/* The image of a profile whose process has no log of loading it (it forked, or
 * has moved on): its parent's if that has the same command line, else what the
 * command line names. */
static char *guess_image(const struct session *session, const struct run_profile *profile)
{
	struct command command;
	char *word, *outside, *image = NULL;

	for (size_t i = 0; i < session->collection.nprofiles; i++) {
		const struct run_profile *other = &session->collection.profiles[i];
		if (other->pid == profile->parent && !strcmp(other->command, profile->command) &&
		    *other->image)
			return strdup(other->image);
	}

	word = strndup(profile->command, strcspn(profile->command, " "));
	outside = word ? workspace_outside(&session->workspace, word) : NULL;
	free(word);
	if (!outside)
		return NULL;
	if (!*outside || command_find(outside, session->cwd, session->path, &command, NULL)) {
		free(outside);
		return strdup("");
	}
	free(outside);
	image = realpath(command.image_path, NULL);
	command_free(&command);
	return image ? image : strdup("");
}

static int name_image(struct session *session, struct run_profile *profile, bool guess)
{
	const struct valgrind_log *log = collection_log(&session->collection, profile->pid);
	size_t root = strlen(session->root);
	char *image;

	if (guess)
		image = guess_image(session, profile);
	else
		image = log && log->nobjects ? host_object(session, log->objects[0]) : strdup("");
	if (!image)
		return fail_nomem(session);
	free(profile->image);
	profile->image = image;
	bool in_project = !strncmp(image, session->root, root) && image[root] == '/';
	profile->launcher = !in_project && command_is_launcher(image, profile->command);
	return CG_OK;
}

/* First what is known, then what is guessed from it. */
static int name_images(struct session *session)
{
	struct collection *collection = &session->collection;

	for (int guess = 0; guess < 2; guess++) {
		for (size_t i = 0; i < collection->nprofiles; i++) {
			struct run_profile *profile = &collection->profiles[i];
			if ((profile->forked || profile->replaced) != guess)
				continue;
			int status = name_image(session, profile, guess);
			if (status)
				return status;
		}
	}
	return CG_OK;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_objects(struct session *session, const struct run_profile *profile)
{
	struct run_result *result = session->result;
	const struct valgrind_log *log =
		collection_image_log(&session->collection, profile->pid);

	if (!log)
		return CG_OK;
	if (log->hwcaps && !(result->hwcaps = strdup(log->hwcaps)))
		return fail_nomem(session);
	/* The log is the last image's; of one before it nothing else is known. */
	char *loaded = log->nobjects ? host_object(session, log->objects[0]) : NULL;
	bool same = loaded && !strcmp(loaded, profile->image) && !profile->replaced;
	free(loaded);
	size_t count = same ? log->nobjects : 1;
	result->objects = calloc(count, sizeof *result->objects);
	if (!result->objects)
		return fail_nomem(session);
	for (size_t i = 0; i < count; i++) {
		result->objects[i] = same ? host_object(session, log->objects[i])
					  : strdup(profile->image);
		if (!result->objects[i])
			return fail_nomem(session);
		result->nobjects++;
	}
	qsort(result->objects + 1, count - 1, sizeof *result->objects, by_text);
	return CG_OK;
}

/* Advice for failures that come from the hermetic environment itself. */
static const char *advice(const char *tail)
{
	static const char *const known[][2] = {
		{ "error while loading shared libraries",
		  "; if the library is found by LD_LIBRARY_PATH, add `env: [LD_LIBRARY_PATH]`" },
		{ "rustup could not choose a version",
		  "; add `env: [HOME, RUSTUP_HOME, CARGO_HOME]`" },
		{ "/nonexistent",
		  "; the benchmark runs with HOME=/nonexistent: if it needs yours, add `env: [HOME]`" },
		{ "cannot open display", "; add `env: [DISPLAY]`" },
		{ "ModuleNotFoundError",
		  "; if the module is found by PYTHONPATH, add `env: [PYTHONPATH]`" },
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strstr(tail, known[i][0]))
			return known[i][1];
	return "";
}

/* Valgrind's complaint before it had a log: a line of stderr. */
static void early_complaint(const char *tail, char *line, size_t size)
{
	const char *at = strstr(tail, "valgrind: ");

	if (at)
		snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
	else
		snprintf(line, size, "it wrote nothing");
}

static int judge_valgrind(struct session *session, const struct process_end *end)
{
	const struct run_result *result = session->result;
	const struct collection *collection = &session->collection;
	const char *version = session->valgrind.version;
	const struct valgrind_log *dead = find_death(session);

	if (dead && dead->bad_object)
		return fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL,
			    "Valgrind %s cannot read the debug information of %.300s; "
			    "build with -gdwarf-4", version, dead->bad_object);
	if (dead)
		return fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL, "Valgrind %s died: %.500s",
			    version, dead->death);
	if (!collection->nlogs) {
		char line[400];
		early_complaint(result->tail, line, sizeof line);
		bool no_tool = strstr(line, "failed to start tool");
		return fail(session, no_tool ? RUN_NO_VALGRIND : RUN_VALGRIND_DIED, CG_EIO, NULL,
			    "Valgrind %s did not start: %s%s", version, line,
			    no_tool ? "; this Valgrind cannot run callgrind for this kind of program"
				    : "");
	}
	for (size_t i = 0; end->status && i < collection->nlogs; i++)
		if (collection->logs[i].instruction)
			return fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL,
				    "Valgrind %s does not know an instruction of the program "
				    "(bytes %.60s): build without -march=native and AVX-512",
				    version, collection->logs[i].instruction);
	return CG_OK;
}

static int judge_end(struct session *session, const struct process_end *end)
{
	struct run_result *result = session->result;

	if (!end->started) {
		bool command = !strcmp(end->failed_step, "execute");
		bool cwd = !strcmp(end->failed_step, "enter the working directory");
		return fail(session, command ? RUN_NO_VALGRIND : cwd ? RUN_BAD_REQUEST : RUN_SYSTEM,
			    CG_EIO, command ? session->valgrind.path : cwd ? session->cwd : NULL,
			    "cannot %s: %s", end->failed_step, strerror(end->error));
	}
	if (WIFEXITED(end->status))
		result->exit_status = WEXITSTATUS(end->status);
	if (WIFSIGNALED(end->status))
		result->term_signal = WTERMSIG(end->status);

	if (end->timed_out)
		return fail(session, RUN_TIMED_OUT, CG_EIO, NULL,
			    "the benchmark was stopped after %u seconds (under Valgrind a program "
			    "takes 20 to 100 times as long as without)", session->request->timeout);
	return CG_OK;
}

static int judge_benchmark(struct session *session)
{
	const struct run_result *result = session->result;

	if (result->term_signal)
		return fail(session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
			    "the benchmark was killed by signal %d (%s)%s%s", result->term_signal,
			    strsignal(result->term_signal),
			    result->term_signal == SIGKILL ? "; was memory short?" : "",
			    advice(result->tail));
	if (result->exit_status)
		return fail(session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
			    "the benchmark failed with status %d%s", result->exit_status,
			    advice(result->tail));
	return CG_OK;
}

/* "a, b and 3 more": the images that were measured, each once. */
static void name_all(const struct run_result *result, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < result->nprofiles && used + 1 < size; i++) {
		const char *image = result->profiles[i].image;
		bool known = !*image;
		for (size_t j = 0; j < i && !known; j++)
			known = !strcmp(result->profiles[j].image, image);
		if (known)
			continue;
		int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", image);
		used = n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
	}
}

static bool started_a_launcher(const struct session *session)
{
	const struct command *command = &session->command;

	return command->file.kind == IMAGE_SCRIPT ||
	       command_is_launcher(command->image_path, command->name);
}

static int judge_profiles(struct session *session)
{
	const struct run_request *request = session->request;
	struct run_result *result = session->result;
	char images[400];
	uint64_t sum = 0;

	enum choice choice = choose_profile(result->profiles, result->nprofiles, request->image,
					    started_a_launcher(session) ? session->root : NULL,
					    &result->chosen, &result->nchosen);
	name_all(result, images, sizeof images);
	switch (choice) {
	case CHOICE_NONE:
		return fail(session, RUN_NO_PROFILE, CG_EIO, NULL,
			    "Valgrind wrote no profile: did the program replace or kill itself?");
	case CHOICE_ONLY_LAUNCHERS:
		return fail(session, RUN_ONLY_LAUNCHER, CG_EINVAL, NULL,
			    "only %s was measured, and nothing that it started: name the program "
			    "itself, or ask for this image", images);
	case CHOICE_NO_SUCH_IMAGE:
		return fail(session, RUN_NO_PROFILE, CG_EINVAL, NULL,
			    "no image \"%.100s\" was run; there were: %s", request->image, images);
	case CHOICE_MADE:
		break;
	}

	for (size_t i = 0; i < result->nchosen; i++)
		sum |= result->profiles[result->chosen + i].collected;
	if (!sum && request->function)
		return fail(session, RUN_NO_PROFILE, CG_EINVAL, NULL,
			    "nothing was counted below the function \"%.200s\": it is not called, "
			    "it is inlined, or its name is not spelt so (C++: the demangled name "
			    "with its parameters; * is a wildcard)", request->function);
	if (!sum)
		return fail(session, RUN_NO_PROFILE, CG_EIO, NULL,
			    "the profile of %.300s counts no instructions",
			    result->profiles[result->chosen].image);
	return CG_OK;
}

/* Where the images and the objects are is known only now. */
static int conclude(struct session *session, const struct process_end *end)
{
	struct run_result *result = session->result;
	const struct workspace *workspace = &session->workspace;
	pid_t first_pid = main_pid(&session->collection);
	const struct valgrind_log *telling = find_death(session);
	int status = add_tail(session);

	if (!telling && first_pid)
		telling = collection_log(&session->collection, first_pid);
	if (status == CG_OK && telling &&
	    asprintf(&result->valgrind_log, "%s/" COLLECT_LOG_PREFIX "%d", session->workdir,
		     (int)telling->pid) < 0) {
		result->valgrind_log = NULL;
		status = fail_nomem(session);
	}
	if (status == CG_OK)
		status = name_images(session);
	if (status)
		return status;

	result->profiles = session->collection.profiles;
	result->nprofiles = session->collection.nprofiles;
	session->collection.profiles = NULL;
	session->collection.nprofiles = 0;

	if (workspace->kind != WORKSPACE_LINKS && strcmp(session->root, "/")) {
		char *seen = workspace_path(workspace, "w", NULL);
		status = seen ? add_mapping(session, seen, session->root, false)
			      : fail_nomem(session);
		free(seen);
	}
	if (status == CG_OK)
		status = judge_end(session, end);
	if (status == CG_OK && session->under_valgrind)
		status = judge_valgrind(session, end);
	if (status == CG_OK)
		status = judge_benchmark(session);
	if (status == CG_OK)
		status = judge_profiles(session);
	if (status == CG_OK)
		status = list_objects(session, &result->profiles[result->chosen]);
	return status;
}

/* ---- the whole ----------------------------------------------------------- */

static int describe(struct session *session)
{
	struct run_result *result = session->result;
	struct strings options = { 0 };
	int status = fail_with(session, RUN_SYSTEM, add_counting_options(session, &options));

	if (status == CG_OK) {
		result->options = strings_join(&options);
		result->valgrind_path = strdup(session->valgrind.path);
		result->valgrind_version = strdup(session->valgrind.version);
		result->codspeed = session->valgrind.codspeed;
		result->program = strdup(session->command.path);
		if (!result->options || !result->valgrind_path || !result->valgrind_version ||
		    !result->program)
			status = fail_nomem(session);
	}
	strings_free(&options);
	return status;
}

static int run_session(struct session *session)
{
	struct process_end end = { 0 };
	int status = check_request(session);

	if (status == CG_OK)
		status = prepare(session);
	if (status == CG_OK)
		status = describe(session);
	if (status == CG_OK && session->request->warm_up) {
		status = warm_up(session, &end);
		if (status == CG_OK && (!end.started || end.status || end.timed_out))
			return conclude(session, &end);
	}
	for (;;) {
		if (status == CG_OK)
			status = measure(session, &end);
		if (status)
			return status;
		const struct valgrind_log *dead = find_death(session);
		if (session->interrupts.signal || end.timed_out)
			return conclude(session, &end);
		if (dead && dead->bad_object && session->stripped < STRIPPED_MAX) {
			status = replace_bad_object(session, dead->bad_object);
		} else if (!dead && !session->keep_replaced && lost_an_image(session)) {
			session->keep_replaced = true;
			status = fail_with(session, RUN_SYSTEM,
					   collect_discard(session->workdir, false, NULL,
							   session->err));
		} else {
			return conclude(session, &end);
		}
	}
}

int run_benchmark(const struct run_request *request, struct run_result *result,
		  struct cg_error *err)
{
	struct session session = {
		.request = request, .result = result, .err = err,
		.workspace = { .slot_fd = -1 },
	};

	*result = (struct run_result){ 0 };
	int status = interrupts_open(&session.interrupts, err);
	if (status) {
		result->failure = RUN_SYSTEM;
		return status;
	}

	status = run_session(&session);
	result->environment = session.environment.vars;
	result->nenvironment = session.environment.count;

	workspace_close(&session.workspace);
	interrupts_take(&session.interrupts);
	if (session.interrupts.signal) {
		result->interrupted_by = session.interrupts.signal;
		status = fail(&session, RUN_INTERRUPTED, CG_EIO, NULL, "interrupted by signal %d (%s)",
			      result->interrupted_by, strsignal(result->interrupted_by));
	}
	interrupts_close(&session.interrupts);

	collection_free(&session.collection);
	strings_free(&session.arguments);
	valgrind_free(&session.valgrind);
	command_free(&session.command);
	free(session.program);
	free(session.path);
	free(session.root);
	free(session.cwd);
	free(session.workdir);
	return status;
}

void run_request_init(struct run_request *request)
{
	*request = (struct run_request){
		.depth = RUN_DEPTH_AUTO,
		.recursion = RUN_DEFAULT_RECURSION,
		.cache_sim = true,
	};
}

static void free_list(char **list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i]);
	free(list);
}

void run_result_free(struct run_result *result)
{
	struct collection profiles = {
		.profiles = result->profiles, .nprofiles = result->nprofiles,
	};

	collection_free(&profiles);
	for (size_t i = 0; i < result->nmappings; i++) {
		free(result->mappings[i].seen);
		free(result->mappings[i].real);
	}
	free(result->mappings);
	free_list(result->objects, result->nobjects);
	free_list(result->environment, result->nenvironment);
	free(result->stdout_path);
	free(result->stderr_path);
	free(result->valgrind_log);
	free(result->tail);
	free(result->valgrind_path);
	free(result->valgrind_version);
	free(result->options);
	free(result->hwcaps);
	free(result->tunables);
	free(result->program);
	*result = (struct run_result){ 0 };
}

int run_real_path(const struct run_result *result, const char *seen, char **real)
{
	const struct run_mapping *best = NULL;
	size_t best_len = 0;
	char *path;

	for (size_t i = 0; i < result->nmappings; i++) {
		const struct run_mapping *mapping = &result->mappings[i];
		size_t len = strlen(mapping->seen);
		if (len >= best_len && !strncmp(seen, mapping->seen, len) &&
		    (!seen[len] || (seen[len] == '/' && !mapping->stripped))) {
			best = mapping;
			best_len = len;
		}
	}
	if (asprintf(&path, "%s%s", best ? best->real : "", seen + best_len) < 0)
		return CG_ENOMEM;
	*real = path;
	return CG_OK;
}

const char *run_failure_name(enum run_failure failure)
{
	static const char *const known[] = {
		[RUN_MEASURED] = "measured",
		[RUN_BAD_REQUEST] = "bad-request",
		[RUN_SYSTEM] = "system",
		[RUN_BAD_COMMAND] = "bad-command",
		[RUN_BENCHMARK_FAILED] = "benchmark-failed",
		[RUN_TIMED_OUT] = "timed-out",
		[RUN_INTERRUPTED] = "interrupted",
		[RUN_NO_VALGRIND] = "no-valgrind",
		[RUN_VALGRIND_DIED] = "valgrind-died",
		[RUN_NO_PROFILE] = "no-profile",
		[RUN_ONLY_LAUNCHER] = "only-launcher",
	};
	size_t index = (size_t)failure;

	return index < sizeof known / sizeof known[0] ? known[index] : "unknown";
}
