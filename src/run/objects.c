/* Which images ran and what they loaded, as paths of the host. */
#include <stdlib.h>
#include <string.h>

#include "src/run/session.h"

static const struct run_mapping *find_stripped(const struct run_result *result, const char *seen)
{
	for (size_t i = 0; i < result->nmappings; i++)
		if (result->mappings[i].stripped && !strcmp(result->mappings[i].seen, seen))
			return &result->mappings[i];
	return NULL;
}

char *session_host_object(const struct session *session, const char *seen)
{
	const struct run_mapping *mapping = find_stripped(session->result, seen);

	return mapping ? strdup(mapping->real) : workspace_outside(&session->workspace, seen);
}

pid_t session_main_pid(const struct session *session)
{
	const struct collection *collection = &session->collection;

	for (size_t i = 0; i < collection->nlogs; i++)
		if (!collection_log(collection, collection->logs[i].parent))
			return collection->logs[i].pid;
	return 0;
}

/* `cmd:` separates words by spaces, and the program's path may have spaces itself; of the program
 * that was started the path is known. */
static size_t program_len(const struct session *session, const struct run_profile *profile)
{
	size_t len = strlen(session->program);

	if (!strncmp(profile->command, session->program, len) &&
	    (!profile->command[len] || profile->command[len] == ' '))
		return len;
	return strcspn(profile->command, " ");
}

/* The image of a profile whose process has no log of loading it (it forked, or
 * has moved on): its parent's if that has the same command line, else what the
 * command line names. */
static char *guess_image(const struct session *session, const struct run_profile *profile)
{
	struct found_command command;
	char *word, *outside, *image = NULL;

	for (size_t i = 0; i < session->collection.nprofiles; i++) {
		const struct run_profile *other = &session->collection.profiles[i];
		if (other->pid == profile->parent && !strcmp(other->command, profile->command) &&
		    *other->image)
			return strdup(other->image);
	}

	word = strndup(profile->command, profile->program_len);
	outside = word ? workspace_outside(&session->workspace, word) : NULL;
	free(word);
	if (!outside)
		return NULL;
	if (!*outside || command_find(outside, session->cwd, session->path, &command, NULL)) {
		free(outside);
		return strdup("");
	}
	free(outside);
	image = realpath(command.image_path, NULL);
	command_free(&command);
	return image ? image : strdup("");
}

static int name_image(struct session *session, struct run_profile *profile, bool guess)
{
	const struct valgrind_log *log = collection_log(&session->collection, profile->pid);
	size_t root = strlen(session->root);
	char *image;

	profile->program_len = program_len(session, profile);
	if (guess)
		image = guess_image(session, profile);
	else
		image = log && log->nobjects ? session_host_object(session, log->objects[0])
					     : strdup("");
	if (!image)
		return session_fail_nomem(session);
	free(profile->image);
	profile->image = image;
	bool in_project = !strncmp(image, session->root, root) && image[root] == '/';
	profile->launcher = !in_project && command_is_launcher(image, profile->command);
	return CG_OK;
}

/* Names images that are known first: others are guessed from these. */
int session_name_images(struct session *session)
{
	struct collection *collection = &session->collection;

	for (int guess = 0; guess < 2; guess++) {
		for (size_t i = 0; i < collection->nprofiles; i++) {
			struct run_profile *profile = &collection->profiles[i];
			if ((profile->forked || profile->replaced) != guess)
				continue;
			int status = name_image(session, profile, guess);
			if (status)
				return status;
		}
	}
	return CG_OK;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether the log is this profile's: a log is of the last image of its process, and nothing is
 * known of earlier ones. */
static bool is_log_of(const struct session *session, const struct valgrind_log *log,
		      const struct run_profile *profile)
{
	char *loaded = log->nobjects ? session_host_object(session, log->objects[0]) : NULL;
	bool same = loaded && !strcmp(loaded, profile->image) && !profile->replaced;

	free(loaded);
	return same;
}

const struct valgrind_log *session_log_of(const struct session *session,
					  const struct run_profile *profile)
{
	const struct valgrind_log *log = collection_image_log(&session->collection, profile->pid);

	return log && is_log_of(session, log, profile) ? log : NULL;
}

int session_list_objects(struct session *session, const struct run_profile *profile)
{
	struct run_result *result = session->result;
	const struct valgrind_log *log = collection_image_log(&session->collection, profile->pid);

	if (!log)
		return CG_OK;
	if (log->hwcaps && !(result->hwcaps = strdup(log->hwcaps)))
		return session_fail_nomem(session);
	bool same = is_log_of(session, log, profile);
	size_t count = same ? log->nobjects : 1;
	result->objects = calloc(count, sizeof *result->objects);
	if (!result->objects)
		return session_fail_nomem(session);
	for (size_t i = 0; i < count; i++) {
		result->objects[i] = same ? session_host_object(session, log->objects[i])
					  : strdup(profile->image);
		if (!result->objects[i])
			return session_fail_nomem(session);
		result->nobjects++;
	}
	qsort(result->objects + 1, count - 1, sizeof *result->objects, by_text);
	return CG_OK;
}
