#include "src/store/meta.h"

#include <stdlib.h>
#include <time.h>

#include "src/json/json.h"
#include "src/store/beneath.h"

#define META_MAX ((size_t)16 << 20)

/* The root of the document is the caller's; NULL: it cannot be read, or is not JSON. */
static struct json_value *read_meta(const char *root, const char *path)
{
	struct json_value *meta = NULL;
	char *text;
	size_t size;

	if (beneath_read(root, path, META_MAX, &text, &size, NULL))
		return NULL;
	if (json_read(text, size, path, &meta, NULL))
		meta = NULL;
	free(text);
	return meta;
}

static bool parse_time(const char *text, int64_t *seconds)
{
	struct tm tm = { 0 };
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;
	time_t t = end && !*end ? timegm(&tm) : -1;

	if (t >= 0)
		*seconds = (int64_t)t;
	return t >= 0;
}

bool meta_measured(const char *root, const char *path, int64_t *seconds)
{
	struct json_value *meta = read_meta(root, path);
	bool known = parse_time(json_text_of(json_member(meta, "measured")), seconds);

	json_forget(meta);
	return known;
}

bool meta_read_run(const char *root, const char *path, struct meta_run *run)
{
	struct json_value *meta = read_meta(root, path);
	struct meta_run read;
	bool known = json_number_of(json_member(meta, "seconds"), &read.seconds) &&
		     read.seconds >= 0;

	if (!json_count_of(json_member(meta, "changes"), &read.changes))
		read.changes = 0;
	json_forget(meta);
	if (known)
		*run = read;
	return known;
}
