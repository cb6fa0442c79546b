#include "src/diff/same_code.h"

#include <stdio.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/diff/environment.h"

/* Whether a fact says which build of which object was measured. */
static bool is_identity(const char *key)
{
	static const char *const keys[] = { SUBJECT_PREFIX "build_id", ENVIRONMENT_PREFIX "libc",
					    ENVIRONMENT_PREFIX "ld.so" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return strncmp(key, SUBJECT_PREFIX "object.", strlen(SUBJECT_PREFIX "object.")) == 0;
}

/* Whether all builds that one side recorded are recorded on the other, and are the same. */
static bool has_builds_of(const struct cg_profile *p, const struct cg_profile *other)
{
	for (uint32_t i = 0; i < other->ndescs; i++) {
		const char *key = cg_string(other, other->descs[i].key);
		if (!is_identity(key))
			continue;
		const char *value = cg_desc_value(p, key);
		if (!value || strcmp(value, cg_string(other, other->descs[i].value)) != 0)
			return false;
	}
	return true;
}

/* Other arguments are a difference that the user made. */
static bool is_same_command(const struct diff *d)
{
	const char *base = cg_desc_value(d->base, SUBJECT_PREFIX "command");
	const char *head = cg_desc_value(d->head, SUBJECT_PREFIX "command");
	return base && head && strcmp(base, head) == 0;
}

bool by_irdiff(const struct cg_profile *p)
{
	static const char ours[] = "irdiff-";
	return strncmp(cg_string(p, p->creator), ours, sizeof ours - 1) == 0;
}

bool both_by_irdiff(const struct diff *d)
{
	return by_irdiff(d->base) && by_irdiff(d->head);
}

bool same_builds(const struct diff *d)
{
	return cg_desc_value(d->base, SUBJECT_PREFIX "build_id") &&
	       has_builds_of(d->base, d->head) && has_builds_of(d->head, d->base);
}

static bool object_begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_image_of(const struct cg_profile *p, const char *object)
{
	const char *image = cg_desc_value(p, SUBJECT_PREFIX "image");

	return image && strcmp(cg_base_name(image), object) == 0;
}

/* As src/run names them when it records these facts: libc-client.so is another library. */
static bool is_libc(const char *object)
{
	return object_begins_with(object, "libc.so") || object_begins_with(object, "libc-2.") ||
	       object_begins_with(object, "libc.musl");
}

static bool is_ld_so(const char *object)
{
	return object_begins_with(object, "ld-") || strcmp(object, "ld.so") == 0;
}

/* The fact that says which build of an object was measured; NULL: its name is too long. */
static const char *build_fact(const struct diff *d, const char *object, char *key, size_t size)
{
	if (is_image_of(d->base, object) || is_image_of(d->head, object))
		return SUBJECT_PREFIX "build_id";
	if (is_libc(object))
		return ENVIRONMENT_PREFIX "libc";
	if (is_ld_so(object))
		return ENVIRONMENT_PREFIX "ld.so";
	int len = snprintf(key, size, SUBJECT_PREFIX "object.%s", object);
	if (len < 0 || (size_t)len >= size)
		return NULL;
	for (char *p = key + strlen(SUBJECT_PREFIX); *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *p))
			*p = '_';
	return key;
}

bool same_build_of(const struct diff *d, const char *object)
{
	char room[300];
	const char *key = build_fact(d, object, room, sizeof room);
	const char *base = key ? cg_desc_value(d->base, key) : NULL;
	const char *head = key ? cg_desc_value(d->head, key) : NULL;

	return base && head && strcmp(base, head) == 0;
}

bool same_code(const struct diff *d)
{
	return is_same_command(d) && same_builds(d) &&
	       cg_desc_value(d->base, ENVIRONMENT_PREFIX "libc");
}

bool same_measurement(const struct diff *d)
{
	static const char key[] = SUBJECT_PREFIX "commit";
	const char *base = cg_desc_value(d->base, key), *head = cg_desc_value(d->head, key);

	if ((base || head) && (!base || !head || strcmp(base, head) != 0 ||
			       environment_is_dirty(d->base) || environment_is_dirty(d->head)))
		return false;
	return same_code(d);
}
