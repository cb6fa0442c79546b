#include "src/diff/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0: it does not say, or not as a number. */
static uint64_t stated(const struct cg_profile *p)
{
	enum { MOST_DIGITS = 10 };
	const char *text = cg_desc_value(p, THREADS_KEY);
	size_t digits = text ? strspn(text, "0123456789") : 0;

	return digits && digits <= MOST_DIGITS && !text[digits] ? strtoull(text, NULL, 10) : 0;
}

/* With --separate-threads=yes there is a part of each. */
static bool has_parts_of_threads(const struct cg_profile *p)
{
	for (uint32_t i = 0; i < p->nparts; i++)
		if (p->parts[i].thread > 1)
			return true;
	return false;
}

/* Whether a function of a name that others may have, too, is one of the C library. */
static bool is_in_thread_library(const struct cg_profile *p, const struct cg_function *f)
{
	const char *object = cg_string(p, f->object), *slash = strrchr(object, '/');
	const char *name = slash ? slash + 1 : object;

	return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0 ||
	       strncmp(name, "libpthread", 10) == 0;
}

/* By functions of glibc and musl, of which every program calls one to start a thread. */
static bool begins_threads(const struct cg_profile *p)
{
	static const char create[] = "pthread_create";

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const char *name = cg_string(p, p->functions[i].name);
		size_t underscores = strspn(name, "_");
		if ((strcmp(name, "start_thread") == 0 &&
		     is_in_thread_library(p, &p->functions[i])) ||
		    (strncmp(name + underscores, create, sizeof create - 1) == 0 &&
		     strchr("@_", name[underscores + sizeof create - 1])))
			return true;
	}
	return false;
}

uint64_t threads_of(const struct cg_profile *p)
{
	uint64_t threads = stated(p);

	if (threads)
		return threads;
	return has_parts_of_threads(p) || begins_threads(p) ? THREADS_SEVERAL : 0;
}

bool threads_are_several(const struct cg_profile *p)
{
	return threads_of(p) > 1;
}

const char *threads_text(uint64_t threads, char text[THREADS_TEXT])
{
	if (threads == THREADS_SEVERAL)
		snprintf(text, THREADS_TEXT, "several threads");
	else
		snprintf(text, THREADS_TEXT, "%" PRIu64 " threads", threads);
	return text;
}
