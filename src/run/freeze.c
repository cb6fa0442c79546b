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
#define LIBRARY_MALLOC "libirdiff-malloc.so"
#define LIBRARY_VARIABLE "IRDIFF_FREEZE_LIBRARY"

const struct kind kinds_to_freeze[] = {
	{ "malloc", FREEZE_MALLOC },
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

/* A library in the directory of a file. NULL: out of memory. */
static char *library_beside(const char *file, const char *library)
{
	const char *slash = strrchr(file, '/');
	char *path;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, library) < 0)
		return NULL;
	return path;
}

/* As in a build directory. */
static char *library_beside_us(const char *library)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = '\0';
	return library_beside(self, library);
}

int freeze_library(unsigned kinds, char **path, struct cg_error *err)
{
	const char *named = getenv(LIBRARY_VARIABLE);
	const char *library = kinds & FREEZE_MALLOC ? LIBRARY_MALLOC : LIBRARY;
	bool is_named = named && *named;
	char *wanted = !is_named               ? library_beside_us(library)
		       : kinds & FREEZE_MALLOC ? library_beside(named, library)
					       : strdup(named);

	if (wanted && !is_named && access(wanted, R_OK)) {
		free(wanted);
		if (asprintf(&wanted, PKGLIBDIR "/%s", library) < 0)
			wanted = NULL;
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
