#include "src/share/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/store/cache.h"
#include "src/store/label.h"

#define TIME_BYTES 16 /* of SHARE_TIME */

char *share_row_key(const struct history_run *run)
{
	char digest[HISTORY_DIGEST], *key;
	history_run_digest(run, digest);
	return asprintf(&key, "%s-%s-%s", digest, run->definition, run->benchmark) < 0 ? NULL : key;
}

bool share_is_fan(const char *name)
{
	return strspn(name, "0123456789abcdef") == 2 && !name[2];
}

#define ROWS_SUFFIX ".jsonl"

void share_rows_name(const char *commit, char name[SHARE_ROWS_NAME])
{
	snprintf(name, SHARE_ROWS_NAME, "%s" ROWS_SUFFIX, commit);
}

char *share_commit_of(const char *name, char commit[SHARE_ROWS_NAME])
{
	size_t digits = strspn(name, "0123456789abcdef");

	if ((digits != 40 && digits != 64) || strcmp(name + digits, ROWS_SUFFIX) != 0)
		return NULL;
	memcpy(commit, name, digits);
	commit[digits] = '\0';
	return commit;
}

/* A time must be written as this would write it, so that each time has one text. */
static bool share_time_parse(const char *text, const char *format, int64_t *seconds)
{
	struct tm tm = { 0 };
	char again[40];
	const char *end = strptime(text, format, &tm);
	time_t t = end && !*end ? timegm(&tm) : -1;

	if (t < 0 || !gmtime_r(&t, &tm) || !strftime(again, sizeof again, format, &tm) ||
	    strcmp(again, text) != 0)
		return false;
	*seconds = (int64_t)t;
	return true;
}

char *share_entry_path(int64_t measured, const char *name)
{
	char when[TIME_BYTES + 1], *path;
	time_t t = (time_t)measured;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || strftime(when, sizeof when, SHARE_TIME, &tm) != TIME_BYTES)
		memcpy(when, "19700101T000000Z", sizeof when);
	return asprintf(&path, "%s-%s", when, name) < 0 ? NULL : path;
}

bool share_entry_parse(const char *path, int64_t *measured, const char **name)
{
	char when[TIME_BYTES + 1];

	if (strlen(path) < TIME_BYTES + 1 || path[TIME_BYTES] != '-' ||
	    !cache_is_of_commit(path + TIME_BYTES + 1))
		return false;
	memcpy(when, path, TIME_BYTES);
	when[TIME_BYTES] = '\0';
	if (!share_time_parse(when, SHARE_TIME, measured))
		return false;
	*name = path + TIME_BYTES + 1;
	return true;
}
