/* Makes constant what the request asks for: by a library that is loaded before all others, by a
 * file in place of /dev/urandom, or by the tracer (guest.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/freeze.h"
#include "src/run/harness.h"
#include "src/run/session.h"

#define RANDOM_BYTES (1u << 20)

/* ---- the library in the benchmark ---- */

/* Other libraries to preload come after the freezing library. */
static int preload(struct session *session, unsigned kinds)
{
	const char *others = environment_get(&session->environment, "LD_PRELOAD");
	char *seen = workspace_path(&session->workspace, "f", NULL), *all = NULL;
	char names[FREEZE_TEXT];
	int status;

	if (!seen || asprintf(&all, "%s%s%s", seen, others && *others ? ":" : "",
			      others ? others : "") < 0) {
		free(seen);
		return session_fail_nomem(session);
	}
	status = environment_set(&session->environment, "LD_PRELOAD", all, session->err);
	if (status == CG_OK)
		status = environment_set(&session->environment, "IRDIFF_FROZEN",
					 freeze_names(kinds, ",", names), session->err);
	free(seen);
	free(all);
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int map_library(struct session *session)
{
	char *seen = workspace_path(&session->workspace, "f", NULL);
	int status = seen ? session_add_mapping(session, seen, session->result->freeze_library,
						false)
			  : session_fail_nomem(session);

	free(seen);
	return status;
}

static int add_library(struct session *session, unsigned kinds)
{
	struct run_result *result = session->result;
	char names[FREEZE_TEXT];

	if (result->static_image)
		return session_fail(
			session, RUN_BAD_COMMAND, CG_EINVAL, result->program,
			"cannot freeze %s of a static program; link it dynamically, or measure it without freeze",
			freeze_names(kinds, " and ", names));
	int status = session_fail_with(
		session, RUN_SYSTEM, freeze_library(kinds, &result->freeze_library, session->err));
	if (status == CG_OK)
		status = session_fail_with(session, RUN_SYSTEM,
					   workspace_preload(&session->workspace,
							     result->freeze_library, session->err));
	if (status == CG_OK && session->workspace.kind != WORKSPACE_LINKS)
		status = map_library(session);
	return status == CG_OK ? preload(session, kinds) : status;
}

/* ---- /dev/urandom ---- */

static int write_bytes(FILE *to)
{
	uint64_t state = 1;

	for (size_t i = 0; i < RANDOM_BYTES; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		if (putc((int)(state >> 32 & 0xff), to) == EOF)
			return CG_EIO;
	}
	return CG_OK;
}

/* Each process that opens the device reads the same bytes, from the beginning. */
static int cover_devices(struct session *session)
{
	static const char *const devices[] = { "/dev/urandom", "/dev/random" };
	char *path = workspace_scratch(&session->workspace, "random");
	FILE *to = path ? fopen(path, "we") : NULL;
	int status = to ? write_bytes(to) : CG_EIO;

	if (to && fclose(to))
		status = CG_EIO;
	if (status)
		status = session_fail(session, RUN_SYSTEM, CG_EIO, session->workspace.slot.path,
				      "cannot write the contents of /dev/urandom: %s",
				      strerror(errno));
	for (size_t i = 0; status == CG_OK && i < sizeof devices / sizeof devices[0]; i++)
		if (access(devices[i], F_OK) == 0)
			status = session_fail_with(session, RUN_SYSTEM,
						   workspace_cover(&session->workspace, devices[i],
								   path, session->err));
	free(path);
	return status;
}

/* ---- the whole ---- */

int session_freeze(struct session *session)
{
	enum workspace_kind workspace = session->workspace.kind;
	const struct harness *h = session->harness;
	unsigned kinds = session->result->frozen;
	int status = CG_OK;

	if (!session->request->freeze && h && !session->result->static_image)
		kinds |= h->freeze;
	session->result->frozen = kinds;
	unsigned by_library = kinds;

	if (workspace == WORKSPACE_TRACED)
		by_library &= ~(unsigned)FREEZE_PID;
	if (by_library)
		status = add_library(session, by_library);
	if (status == CG_OK && (kinds & FREEZE_RANDOM) && workspace != WORKSPACE_LINKS)
		status = cover_devices(session);
	return status;
}

static int check_freeze_loaded(struct session *session, const struct run_profile *profile)
{
	const char *library = session->result->freeze_library;
	const struct valgrind_log *log = session_log_of(session, profile);
	bool loaded = !log;

	for (size_t i = 0; !loaded && i < log->nobjects; i++) {
		char *object = session_host_object(session, log->objects[i]);
		if (!object)
			return session_fail_nomem(session);
		loaded = !strcmp(object, library);
		free(object);
	}
	if (loaded)
		return CG_OK;
	return session_fail(
		session, RUN_NO_PROFILE, CG_EINVAL, profile->image,
		"not frozen, because it did not load %s; it may be static, built for another C library or "
		"word size, or started without LD_PRELOAD",
		library);
}

static int check_all_frozen(struct session *session, const size_t *files, size_t count)
{
	int status = CG_OK;

	for (size_t i = 0; status == CG_OK && i < count; i++)
		status = check_freeze_loaded(session, &session->result->profiles[files[i]]);
	return status;
}

int session_check_frozen(struct session *session)
{
	const struct run_result *result = session->result;
	int status = CG_OK;

	if (!result->freeze_library || (!session->request->freeze && !session->harness))
		return CG_OK;
	if (!result->ncases)
		return check_all_frozen(session, result->files, result->nfiles);
	for (size_t i = 0; status == CG_OK && i < result->ncases; i++)
		status = check_all_frozen(session, result->cases[i].files, result->cases[i].nfiles);
	return status;
}
