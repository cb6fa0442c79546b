/* Whether what is asked for can be measured at all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/run/harness.h"
#include "src/run/session.h"

static int resolve_directory(struct session *session, const char *path, const char *base,
			     char **out)
{
	char *joined = NULL;
	struct stat st;

	if (*path != '/' && base && asprintf(&joined, "%s/%s", base, path) < 0)
		return session_fail_nomem(session);
	*out = realpath(joined ? joined : path, NULL);
	free(joined);
	if (!*out)
		return errno == ENOMEM ? session_fail_nomem(session)
				       : session_fail(session, RUN_BAD_REQUEST, CG_EIO, path,
						      "no such directory: %s", strerror(errno));
	if (stat(*out, &st) || !S_ISDIR(st.st_mode))
		return session_fail(session, RUN_BAD_REQUEST, CG_EIO, path, "not a directory");
	return session_fail_with(session, RUN_BAD_REQUEST, command_check_path(*out, session->err));
}

/* Options that the driver itself sets. Valgrind as root would replace an out-file such as
 * /dev/null. With --separate-threads there is a file for each thread. After --help and --version
 * nothing runs. */
static int check_options(struct session *session)
{
	static const char *const ours[] = {
		"--tool",
		"--callgrind-out-file",
		"--log-",
		"--xml",
		"--trace-children",
		"--vgdb",
		"--command-line-only",
		"-q",
		"--quiet",
		"-h",
		"--help",
		"--version",
		"--separate-threads",
	};

	for (const char *const *option = session->request->valgrind_options; option && *option;
	     option++) {
		if (**option != '-')
			return session_fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
					    "not an option of Valgrind: %.200s", *option);
		for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
			if (!strncmp(*option, ours[i], strlen(ours[i])))
				return session_fail(
					session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
					"irdiff sets this Valgrind option itself: %.200s", *option);
	}
	return CG_OK;
}

/* Cases cannot be divided by process or thread: a fork would end a case, and one of several threads
 * would have no end of its own. Nor by function: a harness may have roots of its own, at which
 * counting would begin or end, too. */
static int check_division(struct session *session)
{
	const struct run_request *request = session->request;

	if (run_request_has_several(request) && request->each_thread)
		return session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"processes: each, all or project cannot be used with threads: each");
	if (run_request_divides(request) && request->cases != RUN_CASES_AUTO &&
	    request->cases != RUN_CASES_NONE)
		return session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"cases: cannot be used with processes: each, all or project, nor "
			"with threads: each");
	const struct harness *h = harness_of(request->cases);
	if (h && request->function)
		return session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"root: cannot be used with cases: %s, of which only the cases count",
			h->title);
	return CG_OK;
}

int session_check_request(struct session *session)
{
	const struct run_request *request = session->request;
	size_t left = 0;
	int status = check_options(session);

	if (!status)
		status = check_division(session);
	if (status)
		return status;

	if (!request->argv || !request->argv[0])
		return session_fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL, "no command to run");
	if (!request->workdir)
		return session_fail(session, RUN_BAD_REQUEST, CG_EINVAL, NULL, "no work directory");
	status = resolve_directory(session, request->workdir, NULL, &session->workdir);
	if (status)
		return status;
	session->outdir = strdup(session->workdir);
	if (!session->outdir)
		return session_fail_nomem(session);
	status = collect_discard(session->workdir, true, &left, session->err);
	if (status)
		return session_fail_with(session, RUN_BAD_REQUEST, status);
	if (left)
		return session_fail(session, RUN_BAD_REQUEST, CG_EINVAL, session->workdir,
				    "the work directory contains files of another run");

	const char *root = request->root ? request->root : request->cwd ? request->cwd : ".";
	status = resolve_directory(session, root, NULL, &session->root);
	if (status)
		return status;
	return resolve_directory(session, request->cwd ? request->cwd : session->root,
				 session->root, &session->cwd);
}
