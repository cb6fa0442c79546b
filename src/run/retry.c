/* When a run is repeated: when this Valgrind could not read debug information, and when a fork has
 * split a case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/run/cases.h"
#include "src/run/family.h"
#include "src/run/session.h"

#define STRIPPED_MAX 64 /* most objects that are replaced by stripped copies */

/* ---- debug information that this Valgrind cannot read ---- */

static int make_stripped(struct session *session, const char *real, const char *copy)
{
	char *strip = NULL, *output = NULL;
	int status = command_which("strip", "/", session->path, &strip, NULL);

	if (status)
		return session_fail(
			session, RUN_VALGRIND_DIED, CG_EIO, real,
			"Valgrind %s cannot read its debug information, and strip, which could remove it from a "
			"copy, was not found; install the package binutils (apt-get install binutils), or build "
			"with -gdwarf-4",
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

/* Without tracing the copy cannot take the original's place: the program is run from its copy, and
 * libraries are found by LD_LIBRARY_PATH. */
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

/* Replaces the object that killed Valgrind by a copy without debug information: Valgrind 3.19 dies
 * on the DWARF 5 of clang. CG_OK: another run is worth a try. */
static int replace_bad_object(struct session *session, const char *seen)
{
	char *real = workspace_outside(&session->workspace, seen);
	char *copy = NULL;
	int status;

	if (!real)
		return session_fail_nomem(session);
	const char *name = cg_base_name(real);
	if (session->command.file.kind == IMAGE_ELF && !strcmp(real, session->command.path))
		name = session->command.name;
	copy = workspace_scratch(&session->workspace, name);
	if (!copy) {
		status = session_fail(session, RUN_SYSTEM, CG_EIO, session->workspace.slot.path,
				      "cannot create a copy of %.200s", real);
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
			collect_discard(session->outdir, false, NULL, session->err));
	session->stripped++;
done:
	free(real);
	free(copy);
	return status;
}

/* ---- programs that exec another ---- */

bool session_started_launcher(const struct session *session)
{
	const struct found_command *command = &session->command;

	return command->file.kind == IMAGE_SCRIPT ||
	       command_is_launcher(command->image_path, command->name);
}

/* ---- programs that have cases and fork ---- */

/* Whether a process wrote the counts of a case before its end, because it forked in it. */
static bool splits_case(const struct session *session)
{
	const struct collection *c = &session->collection;
	bool begun, has_case = false, forks = false;

	for (size_t i = 0; i < c->nprofiles; i++) {
		const struct run_profile *p = &c->profiles[i];
		if (i == 0 || p[-1].pid != p->pid)
			has_case = forks = false;
		has_case |= case_of_trigger(session->request->cases, p->trigger, &begun) != NULL;
		forks |= family_is_fork(p->trigger);
		if (has_case && forks)
			return true;
	}
	return false;
}

/* ---- the whole ---- */

int session_retry(struct session *session, bool failed, bool *again)
{
	const struct valgrind_log *dead = session_death(session);

	*again = true;
	if (dead && dead->bad_object && session->stripped < STRIPPED_MAX)
		return replace_bad_object(session, dead->bad_object);
	if (!dead && !failed && session->part_forks && splits_case(session)) {
		session->part_forks = false;
		/* A user who sets a timeout does not expect two runs. */
		session->spent = 0;
		return session_fail_with(
			session, RUN_SYSTEM,
			collect_discard(session->outdir, false, NULL, session->err));
	}
	*again = false;
	return CG_OK;
}
