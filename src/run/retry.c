/* What makes a run worth another one: debug information that this Valgrind cannot
 * read, and a program that has become another one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/cases.h"
#include "src/run/session.h"

#define STRIPPED_MAX 64 /* objects that are replaced by stripped copies */

/* ---- debug information that this Valgrind cannot read ---- */

static int make_stripped(struct session *session, const char *real, const char *copy)
{
	char *strip = NULL, *output = NULL;
	int status = command_which("strip", "/", session->path, &strip, NULL);

	if (status)
		return session_fail(
			session, RUN_VALGRIND_DIED, CG_EIO, real,
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
		session_fail_with(session, RUN_VALGRIND_DIED, status);
	}
	return status;
}

/* Untraced the copy cannot stand in the original's place: the program is
 * run from its copy, libraries are found by LD_LIBRARY_PATH. */
static int substitute(struct session *session, const char *real, const char *copy)
{
	char *image = realpath(session->command.image_path, NULL);
	bool is_program = image && !strcmp(image, real) && session->command.file.kind == IMAGE_ELF;
	int status = CG_OK;

	free(image);
	if (is_program) {
		char *program = strdup(copy);
		if (!program)
			return session_fail_nomem(session);
		free(session->program);
		session->program = program;
		return CG_OK;
	}
	const char *before = environment_get(&session->environment, "LD_LIBRARY_PATH");
	const char *slash = strrchr(copy, '/');
	char *dirs;
	if (asprintf(&dirs, "%.*s%s%s", (int)(slash - copy), copy, before ? ":" : "",
		     before ? before : "") < 0)
		return session_fail_nomem(session);
	status = environment_set(&session->environment, "LD_LIBRARY_PATH", dirs, session->err);
	free(dirs);
	return session_fail_with(session, RUN_SYSTEM, status);
}

/* Puts a copy without debug information in the place of what killed Valgrind:
 * 3.19 dies on the DWARF 5 of clang. CG_OK: worth another try. */
static int replace_bad_object(struct session *session, const char *seen)
{
	char *real = workspace_outside(&session->workspace, seen);
	char *copy = NULL;
	int status;

	if (!real)
		return session_fail_nomem(session);
	const char *slash = strrchr(real, '/');
	const char *name = slash ? slash + 1 : real;
	if (session->command.file.kind == IMAGE_ELF && !strcmp(real, session->command.path))
		name = session->command.name;
	copy = workspace_scratch(&session->workspace, name);
	if (!copy) {
		status = session_fail(session, RUN_SYSTEM, CG_EIO, session->workspace.slot.path,
				      "no place for a copy of %.200s", real);
		goto done;
	}
	status = make_stripped(session, real, copy);
	if (status)
		goto done;

	bool links = session->workspace.kind == WORKSPACE_LINKS;
	status = links ? substitute(session, real, copy)
		       : session_fail_with(
				 session, RUN_SYSTEM,
				 workspace_cover(&session->workspace, seen, copy, session->err));
	if (status == CG_OK)
		status = session_add_mapping(session, links ? copy : seen, real, true);
	if (status == CG_OK)
		status = session_fail_with(
			session, RUN_SYSTEM,
			collect_discard(session->workdir, false, NULL, session->err));
	session->stripped++;
done:
	free(real);
	free(copy);
	return status;
}

/* ---- programs that exec another ---- */

bool session_started_launcher(const struct session *session)
{
	const struct command *command = &session->command;

	return command->file.kind == IMAGE_SCRIPT ||
	       command_is_launcher(command->image_path, command->name);
}

/* Behind a launcher no log tells whether an image was lost to another one. (Not
 * always, as it costs a copy of the whole profile per forked child: nothing for
 * a shell, 95 MB for CPython, which the first line of a script can name.) */
bool session_expects_exec(const struct session *session)
{
	return session_started_launcher(session) && !command_is_interpreter(&session->command);
}

/* Whether the first process was a program that has become another one: then its
 * counts are lost. A shell's or env's would not be missed. */
static bool lost_an_image(const struct session *session)
{
	const struct valgrind_log *log = collection_log(&session->collection,
							session_main_pid(session));
	const char *started = session->command.image_path;
	bool lost = false;

	if (!log || !log->nobjects || command_is_launcher(started, session->command.name))
		return false;
	char *host = session_host_object(session, log->objects[0]);
	char *now = host ? realpath(host, NULL) : NULL, *then = realpath(started, NULL);
	if (now && then)
		lost = strcmp(now, then) && !command_is_launcher(then, session->command.name);
	free(host);
	free(now);
	free(then);
	return lost;
}

/* ---- programs whose work a forked process does ---- */

static bool any_forked(const struct collection *c)
{
	for (size_t i = 0; i < c->nprofiles; i++)
		if (c->profiles[i].forked && !c->profiles[i].replaced)
			return true;
	return false;
}

static bool any_case(const struct session *session)
{
	const struct collection *c = &session->collection;
	bool begun;

	for (size_t i = 0; i < c->nprofiles; i++)
		if (case_of_trigger(session->request->cases, c->profiles[i].trigger, &begun))
			return true;
	return false;
}

/* What such a process counts is its own only if its parent has written what it had counted itself. (Not
 * always, as each fork then costs a copy of the whole profile.) */
static int chooses_forked(struct session *session, bool *forked)
{
	const struct collection *c = &session->collection;
	size_t first, count;

	*forked = false;
	if (session->part_forks || !any_forked(c) || any_case(session))
		return CG_OK;
	int status = session_name_images(session);
	if (status || session_choose(session, c->profiles, c->nprofiles, &first, &count) != CHOICE_MADE)
		return status;
	*forked = c->profiles[first].forked && !c->profiles[first].replaced;
	return CG_OK;
}

/* ---- the whole ---- */

static int run_again(struct session *session)
{
	int status = collect_discard(session->workdir, false, NULL, session->err);

	return session_fail_with(session, RUN_SYSTEM, status);
}

static int keep_replaced(struct session *session)
{
	session->keep_replaced = true;
	return run_again(session);
}

int session_retry(struct session *session, bool failed, bool *again)
{
	const struct valgrind_log *dead = session_death(session);
	bool forked = false;
	int status = dead || failed ? CG_OK : chooses_forked(session, &forked);

	*again = true;
	if (status)
		return status;
	if (dead && dead->bad_object && session->stripped < STRIPPED_MAX)
		return replace_bad_object(session, dead->bad_object);
	if (!dead && !session->keep_replaced && lost_an_image(session))
		return keep_replaced(session);
	if (forked) {
		session->part_forks = true;
		/* Nobody who set a timeout knows that it takes two runs. */
		session->spent = 0;
		return run_again(session);
	}
	*again = false;
	return CG_OK;
}
