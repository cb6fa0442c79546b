#include "src/run/freeze.h"

#include <stdio.h>
#include <string.h>

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
		if (strlen(kinds_by_name[i].name) == len && !memcmp(kinds_by_name[i].name, name, len))
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
