#include "cgprofile/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cg_fail(struct cg_error *err, int code, const char *file, uint64_t line, const char *fmt, ...)
{
	if (!err)
		return code;

	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->message, sizeof err->message, fmt, ap);
	va_end(ap);
	snprintf(err->file, sizeof err->file, "%s", file ? file : "");
	err->code = code;
	err->line = line;
	return code;
}

int cg_io_status(int reason)
{
	return reason == ENOSPC || reason == EDQUOT || reason == EFBIG ? CG_EFULL : CG_EIO;
}

int cg_fail_nomem(struct cg_error *err)
{
	return cg_fail(err, CG_ENOMEM, NULL, 0, "out of memory");
}

void cg_error_context(struct cg_error *err, const char *fmt, ...)
{
	if (!err)
		return;

	char context[sizeof err->message];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(context, sizeof context, fmt, ap);
	va_end(ap);

	size_t used = strlen(context), room = sizeof context - used;
	if (room > sizeof ": ")
		snprintf(context + used, room, ": %.*s", (int)(room - sizeof ": "), err->message);
	memcpy(err->message, context, sizeof context);
}
