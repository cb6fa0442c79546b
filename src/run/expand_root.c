/* A program is run once to find what its root means, before it is measured. */
#include "cgprofile/reader.h"
#include "src/run/root.h"
#include "src/run/session.h"

static int add_matches(struct session *session, struct root_matches *m)
{
	const struct cg_read_options options = { .detail = { .contexts = true } };
	const struct collection *c = &session->collection;
	int status = CG_OK;

	for (size_t i = 0; !status && i < c->nprofiles; i++) {
		struct cg_profile *p;
		if (!c->profiles[i].bytes)
			continue;
		status = cg_read_file(c->profiles[i].path, &options, &p, session->err);
		if (status)
			break;
		if (root_add(m, session->request->function, p))
			status = cg_fail_nomem(session->err);
		cg_profile_free(p);
	}
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int take_names(struct session *session, const struct root_matches *m)
{
	const struct root_match *doubtful = root_ambiguous(m);

	if (doubtful)
		return session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"the root \"%.100s\" matches %.200s and its callee %.200s, which has other callers, "
			"too; choose a root that matches only one of them",
			session->request->function, doubtful->caller, doubtful->name);
	if (!root_has_nested(m))
		return CG_OK;
	int status = session_fail_with(session, RUN_SYSTEM,
				       root_names(m, &session->roots, session->err));
	const char *name;
	const struct root_match *blurred = status ? NULL : root_blurred(m, &session->roots, &name);
	if (blurred)
		status = session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"of the functions that the root \"%.100s\" matches, callgrind cannot tell %.200s from %.200s; "
			"choose a root that matches only one of them",
			session->request->function, name, blurred->name);
	return status;
}

int session_expand_root(struct session *session, struct process_end *end)
{
	struct root_matches m = { 0 };

	session->exploring = true;
	int status = session_measure(session, end);
	session->exploring = false;
	if (!status && !session_has_failed(end) && !session_death(session)) {
		status = add_matches(session, &m);
		if (!status)
			status = take_names(session, &m);
		session->spent = 0;
	}
	root_free(&m);
	if (status || session_has_failed(end) || session_death(session))
		return status;
	return session_fail_with(session, RUN_SYSTEM,
				 collect_discard(session->outdir, false, NULL, session->err));
}
