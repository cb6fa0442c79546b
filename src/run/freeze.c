#include "src/run/freeze.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PKGLIBDIR
#define PKGLIBDIR "/usr/local/lib/irdiff"
#endif

#define LIBRARY "libirdiff-freeze.so"
#define LIBRARY_VARIABLE "IRDIFF_FREEZE_LIBRARY"

const struct kind kinds_to_freeze[] = {
	{ "pid", FREEZE_PID },
	{ "random", FREEZE_RANDOM },
	{ "time", FREEZE_TIME },
	{ 0 },
};

const char *freeze_names(unsigned kinds, const char *between, char text[FREEZE_TEXT])
{
	return kind_names(kinds_to_freeze, kinds, between, text, FREEZE_TEXT);
}

/* ---- the library ---- */

/* The library beside our own program, as in a build directory. NULL: out of memory. */
static char *library_beside_us(void)
{
	char self[PATH_MAX], *path;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(self, '/');
	if (asprintf(&path, "%.*s/" LIBRARY, slash ? (int)(slash - self) : 0, self) < 0)
		return NULL;
	return path;
}

int freeze_library(char **path, struct cg_error *err)
{
	const char *named = getenv(LIBRARY_VARIABLE);
	bool is_named = named && *named;
	char *wanted = is_named ? strdup(named) : library_beside_us();

	if (wanted && !is_named && access(wanted, R_OK)) {
		free(wanted);
		wanted = strdup(PKGLIBDIR "/" LIBRARY);
	}
	if (!wanted)
		return cg_fail_nomem(err);
	char *real = realpath(wanted, NULL);
	int status = CG_OK;
	if (real)
		*path = real;
	else if (errno == ENOMEM)
		status = cg_fail_nomem(err);
	else
		status = cg_fail(err, CG_EIO, wanted, 0,
				 "cannot find the freeze library: %s; set $" LIBRARY_VARIABLE
				 " to its path",
				 strerror(errno));
	free(wanted);
	return status;
}
