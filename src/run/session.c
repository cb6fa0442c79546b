#include "src/run/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int session_fail(struct session *session, enum run_failure failure, int code, const char *file,
		 const char *fmt, ...)
{
	char message[sizeof session->err->message];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	session->result->failure = failure;
	return cg_fail(session->err, code, file, 0, "%s", message);
}

int session_fail_with(struct session *session, enum run_failure failure, int status)
{
	if (status)
		session->result->failure = failure;
	return status;
}

int session_fail_nomem(struct session *session)
{
	return session_fail_with(session, RUN_SYSTEM, cg_fail_nomem(session->err));
}

int session_add_mapping(struct session *session, const char *seen, const char *real, bool stripped)
{
	struct run_result *result = session->result;
	struct run_mapping *grown = realloc(result->mappings,
					    (result->nmappings + 1) * sizeof *grown);
	if (!grown)
		return session_fail_nomem(session);
	result->mappings = grown;
	struct run_mapping mapping = { strdup(seen), strdup(real), stripped };
	if (!mapping.seen || !mapping.real) {
		free(mapping.seen);
		free(mapping.real);
		return session_fail_nomem(session);
	}
	grown[result->nmappings++] = mapping;
	return CG_OK;
}
