/* Valgrind's command line. */
#include <string.h>

#include "callgrind/interpreter.h"
#include "src/run/count.h"
#include "src/run/depth.h"
#include "src/run/family.h"
#include "src/run/heap.h"
#include "src/run/perf_maps.h"
#include "src/run/session.h"
#include "src/run/v8.h"

bool session_names_python(const struct session *session)
{
	return perf_maps_are_asked(session->command.image_path, &session->environment);
}

static int add_heap_options(const struct run_request *request, struct strings *strings,
			    struct cg_error *err)
{
	int status = strings_addf(strings, err, "--num-callers=%u", HEAP_CALLERS);

	for (const char *const *option = request->valgrind_options; !status && option && *option;
	     option++)
		if (heap_takes_option(*option))
			status = strings_add(strings, *option, err);
	return status;
}

int session_add_counting_options(struct session *session, struct strings *strings)
{
	const struct run_request *request = session->request;
	struct cg_error *err = session->err;
	int status = CG_OK;

	if (request->tool == RUN_DHAT)
		return add_heap_options(request, strings, err);
	/* CodSpeed's and gungraun's sizes, so that numbers can be compared. */
	if (request->cache_sim && ((status = strings_add(strings, "--cache-sim=yes", err)) ||
				   (status = strings_add(strings, "--I1=32768,8,64", err)) ||
				   (status = strings_add(strings, "--D1=32768,8,64", err)) ||
				   (status = strings_add(strings, "--LL=8388608,16,64", err))))
		return status;
	/* It takes a fifth more time, only to tell what was inlined into C functions. */
	if ((!session_names_python(session) || (request->count & COUNT_JUMPS)) &&
	    (status = strings_add(strings, "--dump-instr=yes", err)))
		return status;
	if ((status = strings_add(strings, "--dump-line=yes", err)))
		return status;
	for (const struct kind *k = count_kinds; k->name; k++) {
		const char *option = request->count & k->bit ? count_option((enum count)k->bit)
							     : NULL;
		if (option && (status = strings_add(strings, option, err)))
			return status;
	}
	for (const char *const *option = request->valgrind_options; option && *option; option++)
		if ((status = strings_add(strings, *option, err)))
			return status;
	return CG_OK;
}

/* A child begins with a copy of its parent's counts. If the parent writes its counts just before,
 * the copy is empty. */
static int add_dumps(struct session *session, struct strings *strings)
{
	const char *const *names = family_functions();
	int status = CG_OK;

	for (size_t i = 0; !status && names[i]; i++)
		status = strings_addf(strings, session->err, "--dump-before=%s", names[i]);
	return status;
}

/* Whether the root begins as a function does that causes a dump. Callgrind misses f* if it is told
 * fork before. */
static bool begins_dump(const struct session *session)
{
	const char *root = session->request->function;
	const char *const *names = family_functions();
	const size_t len = root ? strcspn(root, "*?") : 0;

	for (size_t i = 0; root && names[i]; i++)
		if (strncmp(names[i], root, len) == 0)
			return true;
	return root && strncmp(DUMP_AT_EXEC, root, len) == 0;
}

static int add_root_options(struct session *session, struct strings *strings)
{
	const struct strings *roots = &session->roots;
	int status = CG_OK;

	if (session->exploring || !session->request->function)
		return CG_OK;
	if (!roots->count)
		return strings_addf(strings, session->err, "--toggle-collect=%s",
				    session->request->function);
	for (size_t i = 0; !status && i < roots->count; i++)
		status = strings_addf(strings, session->err, "--toggle-collect=%s",
				      roots->items[i]);
	return status;
}

/* With fewer callers than it takes, what an interpreter does counts for itself, not for the
 * function that it runs. */
static int add_interpreter_callers(struct session *session, unsigned depth)
{
	const struct cg_interpreter_function *f = cg_interpreter_functions();
	struct strings *strings = &session->arguments;
	int status = CG_OK;

	if (!session_names_python(session))
		return CG_OK;
	for (; !status && f->name; f++) {
		if (f->callers <= depth)
			continue;
		status = strings_addf(strings, session->err, "--separate-callers%u=%s%s",
				      f->callers, f->name, f->family ? "*" : "");
		/* Compilers name clones so. */
		if (!status && !f->family)
			status = strings_addf(strings, session->err, "--separate-callers%u=%s.*",
					      f->callers, f->name);
	}
	return status;
}

/* What callgrind counts, where, and when it writes that. */
static int add_callgrind(struct session *session, struct strings *strings)
{
	const struct run_request *request = session->request;
	struct cg_error *err = session->err;
	int status = strings_addf(strings, err,
				  "--callgrind-out-file=%s/o%s/" COLLECT_PROFILE_PREFIX "%%p",
				  session->workspace.base, session->below);

	if (!status && (request->cases == RUN_CASES_IRDIFF || request->cases == RUN_CASES_CODSPEED))
		status = strings_add(strings, "--instr-atstart=no", err);
	const bool root_first = begins_dump(session);
	if (!status && root_first)
		status = add_root_options(session, strings);
	if (!status && session->part_forks)
		status = add_dumps(session, strings);
	if (!status && request->each_thread)
		status = strings_add(strings, "--separate-threads=yes", err);
	if (!status)
		status = strings_add(strings, "--dump-before=" DUMP_AT_EXEC, err);
	const unsigned depth = session->exploring ? RUN_DEPTH_COMPILED : session->result->depth;
	if (!status && depth)
		status = strings_addf(strings, err, "--separate-callers=%u", depth);
	if (!status)
		status = add_interpreter_callers(session, depth);
	if (!status && session->names_javascript)
		status = v8_add_options(strings, depth, err);
	if (!status && session->result->recursion)
		status = strings_addf(strings, err, "--separate-recs=%u",
				      session->result->recursion);
	if (!status && !root_first)
		status = add_root_options(session, strings);
	if (!status && session->harness)
		status = session_add_marks(session);
	return status;
}

static int add_dhat(struct session *session, struct strings *strings)
{
	int status = strings_addf(strings, session->err,
				  "--dhat-out-file=%s/o%s/" HEAP_PREFIX "%%p",
				  session->workspace.base, session->below);

	/* the paths of sources as a whole */
	return status ? status : strings_add(strings, "--fullpath-after=", session->err);
}

/* The program and its arguments. */
static int add_program(struct session *session, struct strings *strings)
{
	int status = strings_add(strings, session->program, session->err);

	if (!status)
		status = session_add_preset_options(session, strings);
	for (const char *const *arg = session->request->argv + 1; !status && *arg; arg++)
		status = strings_add(strings, *arg, session->err);
	return status;
}

/* Callgrind counts jumps also where it counts nothing else. */
static int check_jumps(struct session *session, const struct strings *options)
{
	static const char *const partial[] = { "--toggle-collect=", "--collect-atstart=no" };
	const size_t count = session->request->count & COUNT_JUMPS ? options->count : 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof partial / sizeof *partial; k++)
			if (strncmp(options->items[i], partial[k], strlen(partial[k])) == 0)
				return session_fail(
					session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
					"jumps can only be counted in the whole program: leave out "
					"jumps in count:, or the root (Valgrind would run with %.200s)",
					options->items[i]);
	return CG_OK;
}

int session_add_arguments(struct session *session)
{
	const bool heap = session->request->tool == RUN_DHAT;
	const char *const fixed[] = {
		session->valgrind.path,
		"-v",
		heap ? "--tool=dhat" : "--tool=callgrind",
		"--vgdb=no",
		"--command-line-only=yes", /* no ./.valgrindrc, no $VALGRIND_OPTS */
		"--trace-children=yes",
	};
	struct strings *strings = &session->arguments;
	struct cg_error *err = session->err;
	int status = CG_OK;

	strings_free(strings);
	for (size_t i = 0; !status && i < sizeof fixed / sizeof fixed[0]; i++)
		status = strings_add(strings, fixed[i], err);
	if (!status)
		status = strings_addf(strings, err, "--log-file=%s/o%s/" COLLECT_LOG_PREFIX "%%p",
				      session->workspace.base, session->below);
	if (!status)
		status = heap ? add_dhat(session, strings) : add_callgrind(session, strings);
	if (!status && !session->exploring)
		status = session_add_counting_options(session, strings);
	if (!status && !session->exploring)
		status = check_jumps(session, strings);
	if (status)
		return status;
	return session->harness ? session_add_case(session) : add_program(session, strings);
}
