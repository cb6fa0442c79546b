#include "src/run/session.h"

#include <stdarg.h>
#include <stdio.h>

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
