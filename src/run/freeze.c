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

static const struct {
	const char *name;
	unsigned kind;
} kinds_by_name[] = {
	{ "pid", FREEZE_PID },
	{ "random", FREEZE_RANDOM },
	{ "time", FREEZE_TIME },
};

unsigned freeze_kind(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof kinds_by_name / sizeof *kinds_by_name; i++)
		if (strlen(kinds_by_name[i].name) == len &&
		    !memcmp(kinds_by_name[i].name, name, len))
			return kinds_by_name[i].kind;
	return 0;
}

const char *freeze_names(unsigned kinds, const char *between, char text[FREEZE_TEXT])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof kinds_by_name / sizeof *kinds_by_name; i++)
		if ((kinds & kinds_by_name[i].kind) && used < FREEZE_TEXT)
			used += (size_t)snprintf(text + used, FREEZE_TEXT - used, "%s%s",
						 used ? between : "", kinds_by_name[i].name);
	return text;
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
