#include "src/commits/revision_entry.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/input.h"
#include "cgprofile/reader.h"
#include "src/commits/key_text.h"
#include "src/diff/environment.h"
#include "src/store/cache.h"
#include "src/store/sums.h"

#define DESC "desc: "

/* The header of a profile; irdiff never writes a longer one. */
enum { MOST_HEADER = 1 << 20 };

/* A fact that the header of a profile must have; NULL: it is not known. */
struct claim {
	const char *key, *value, *what;
};

static int read_header(const char *path, char **text, struct cg_error *err)
{
	struct cg_input *in = NULL;
	char *buffer = malloc(MOST_HEADER + 1);
	size_t have = 0, got = 1;
	int status = buffer ? cg_input_open(&in, path, err) : cg_fail_nomem(err);

	while (!status && got && have < MOST_HEADER && !memmem(buffer, have, "\nfn=", 4)) {
		status = cg_input_read(in, buffer + have, MOST_HEADER - have, &got, err);
		have += status ? 0 : got;
	}
	cg_input_free(in);
	if (status) {
		free(buffer);
		return status;
	}
	buffer[have] = '\0';
	*text = buffer;
	return CG_OK;
}

/* The value of a key, up to its line end; NULL: the header does not have it. */
static const char *find_value(const char *header, const char *key)
{
	char line[120];

	snprintf(line, sizeof line, "\n" DESC "%s: ", key);
	const char *at = strstr(header, line);
	return at ? at + strlen(line) : NULL;
}

static int check_claims(const char *path, const struct claim *claims, size_t count,
			struct cg_error *err)
{
	char *header;
	int status = read_header(path, &header, err);

	if (status)
		return status;
	for (size_t i = 0; !status && i < count; i++) {
		const char *found = claims[i].value ? find_value(header, claims[i].key) : NULL;
		size_t len = found ? strcspn(found, "\n") : 0;
		if (claims[i].value && (!found || strlen(claims[i].value) != len ||
					strncmp(found, claims[i].value, len) != 0))
			status = cg_fail(err, CG_EINTERNAL, path, 0,
					 "the profile belongs to another %s", claims[i].what);
	}
	free(header);
	return status;
}

/* "3.19.0" of the lines of a key; the caller's, NULL: out of memory. */
static char *valgrind_of(const char *tools)
{
	static const char line[] = "\nvalgrind: ";
	const char *at = strstr(tools, line);

	at = at ? at + sizeof line - 1 : "";
	return strndup(at, strcspn(at, "\n"));
}

/* The commit that the profile must be of; the caller's. What shares the run of another one has that
 * one's profile: NULL. */
static int find_own_commit(const struct build_area *w, const struct revision *side,
			   const char *entry, char **commit, struct cg_error *err)
{
	const char *root = w->project->root;
	char *directory = cache_path(root, entry);

	*commit = NULL;
	if (!directory)
		return cg_fail_nomem(err);
	const bool own = !cache_is_same_run(root, entry);
	if (own)
		*commit = side ? strdup(side->commit.id) : cache_commit_of_key(root, directory);
	free(directory);
	if (own && !*commit)
		return cg_fail(err, CG_EINTERNAL, entry, 0, "its key names no commit");
	return CG_OK;
}

static int check_profiles(const struct build_area *w, const struct revision *side,
			  const struct config_benchmark *b, const char *entry,
			  const struct profile_paths *files, struct cg_error *err)
{
	const char *const paths[] = { files->callgrind, files->lines, files->contexts };
	char *name = cache_benchmark(entry), *valgrind = valgrind_of(w->tools),
	     definition[HISTORY_DIGEST];
	char *commit = NULL;
	int status = name && valgrind ? definition_of(b, definition, err) : cg_fail_nomem(err);

	if (!status)
		status = find_own_commit(w, side, entry, &commit, err);
	const struct claim claims[] = {
		{ SUBJECT_PREFIX "benchmark", name, "benchmark" },
		{ SUBJECT_PREFIX "definition", b->line ? definition : NULL,
		  "definition of the benchmark" },
		{ SUBJECT_PREFIX "commit", commit, "commit" },
		{ SUBJECT_PREFIX "dirty", commit && side && side->files.changed ? "yes" : NULL,
		  "state of the work tree" },
		{ ENVIRONMENT_PREFIX "valgrind", valgrind, "version of Valgrind" },
	};

	for (size_t i = 0; !status && i < sizeof paths / sizeof *paths; i++)
		status = check_claims(paths[i], claims, sizeof claims / sizeof *claims, err);
	free(commit);
	free(name);
	free(valgrind);
	return status;
}

int entry_check(const struct build_area *w, const struct revision *side,
		const struct config_benchmark *b, const char *entry, struct cg_error *err)
{
	struct profile_paths files = { 0 };
	char *directory = cache_path(w->project->root, entry);
	int status = directory ? sums_check(directory, err) : cg_fail_nomem(err);

	if (!status)
		status = work_paths_of(directory, &files, err);
	if (!status)
		status = check_profiles(w, side, b, entry, &files, err);
	profile_paths_free(&files);
	free(directory);
	return status;
}

int entry_check_list(const struct build_area *w, const char *name, struct cg_error *err)
{
	char *directory = cache_path(w->project->root, name);
	int status = directory ? sums_check(directory, err) : cg_fail_nomem(err);

	free(directory);
	return status;
}

struct cg_profile *entry_lines(const struct build_area *w, const char *entry)
{
	const struct cg_read_options options = { .detail = { .lines = true } };
	char *directory = cache_path(w->project->root, entry);
	struct profile_paths files = { 0 };
	struct cg_profile *p = NULL;

	if (directory && !work_paths_of(directory, &files, NULL))
		cg_read_file(files.callgrind, &options, &p, NULL);
	profile_paths_free(&files);
	free(directory);
	return p;
}
