/* Finding irdiff.yml. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/config/config.h"

/* A directory, with room for a name after it. */
struct search_place {
	char *path;
	size_t len; /* of the directory, without a final slash: 0 is the root */
};

/* Appends a name, from the table below, to the directory. */
static void set_name(struct search_place *place, const char *name)
{
	place->path[place->len] = '/';
	memcpy(place->path + place->len + 1, name, strlen(name) + 1);
}

/* Whether the directory has an entry of that name. */
static int look_for_name(struct search_place *place, const char *name, bool *there,
			 struct cg_error *err)
{
	struct stat st;

	set_name(place, name);
	*there = stat(place->path, &st) == 0;
	if (*there || errno == ENOENT || errno == ENOTDIR)
		return CG_OK;
	return cg_fail(err, CG_EIO, place->path, 0,
		       "cannot access while searching for " CONFIG_NAME ": %s", strerror(errno));
}

static int look_in(struct search_place *place, bool *found, bool *last, struct cg_error *err)
{
	static const char mistaken[] = "irdiff.yaml";
	bool there;
	int rc;

	if ((rc = look_for_name(place, ".git", last, err)) != CG_OK)
		return rc;
	if ((rc = look_for_name(place, mistaken, &there, err)) != CG_OK)
		return rc;
	if ((rc = look_for_name(place, CONFIG_NAME, found, err)) != CG_OK)
		return rc;
	if (there && !*found) {
		set_name(place, mistaken);
		return cg_fail(err, CG_EINVAL, place->path, 0,
			       "ignored; rename it to " CONFIG_NAME);
	}
	return CG_OK;
}

static bool go_to_parent(struct search_place *place)
{
	if (place->len == 0)
		return false;
	while (place->path[place->len - 1] != '/')
		place->len--;
	place->len--;
	return true;
}

static int search_upwards(struct search_place *place, bool *found, struct cg_error *err)
{
	bool last = false;

	do {
		int rc = look_in(place, found, &last, err);
		if (rc != CG_OK)
			return rc;
	} while (!*found && !last && go_to_parent(place));
	return CG_OK;
}

int config_find(const char *start, char **path, struct cg_error *err)
{
	char *dir = realpath(start, NULL);
	bool found = false;

	if (!dir)
		return cg_fail(err, errno == ENOMEM ? CG_ENOMEM : CG_EIO, start, 0,
			       "cannot access: %s", strerror(errno));

	/* room for the longest name that is tried */
	size_t room = sizeof "/" CONFIG_NAME + 16;
	struct search_place place = { .len = strcmp(dir, "/") == 0 ? 0 : strlen(dir) };

	place.path = malloc(place.len + room);
	if (!place.path) {
		free(dir);
		return cg_fail_nomem(err);
	}
	memcpy(place.path, dir, place.len);
	free(dir);

	int rc = search_upwards(&place, &found, err);
	if (rc != CG_OK || !found) {
		free(place.path);
		if (rc == CG_OK)
			*path = NULL;
		return rc;
	}
	*path = place.path;
	return CG_OK;
}
