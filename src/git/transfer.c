#include "src/git/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "src/git/refs.h"

int git_check_remote(const char *remote, struct cg_error *err)
{
	if (!*remote)
		return cg_fail(err, CG_EINVAL, NULL, 0, "the name of the remote is empty");
	if (*remote == '-')
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "'%s' is not a remote: it begins with a dash", remote);
	return CG_OK;
}

int git_lock(const struct git *git, int *lock, struct cg_error *err)
{
	enum { PAUSE = 200 }; /* milliseconds */
	int fd = open(git->common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		struct pollfd signals = { .fd = git->interrupts ? git->interrupts->fd : -1,
					  .events = POLLIN };
		if (errno == EWOULDBLOCK && poll(&signals, 1, PAUSE) <= 0)
			continue;
		if (git->interrupts)
			interrupts_take(git->interrupts);
		close(fd);
		return cg_fail(err, CG_EIO, git->common, 0, "cannot lock the repository");
	}
	if (fd < 0)
		return cg_fail(err, CG_EIO, git->common, 0, "cannot open: %s", strerror(errno));
	*lock = fd;
	return CG_OK;
}

/* Whether it is a remote of the configuration, not a URL or a path. */
static bool has_name(const struct git *git, const char *remote)
{
	static const char *const args[] = { "remote", NULL };
	const struct git_call call = { .args = args, .quiet = true };
	size_t len = strlen(remote);
	bool found = false;
	char *names;

	if (git_run(git, &call, &names, NULL, NULL))
		return false;
	for (const char *line = names; !found && *line;) {
		size_t length = strcspn(line, "\n");
		found = length == len && memcmp(line, remote, len) == 0;
		line += length + (line[length] == '\n');
	}
	free(names);
	return found;
}

/* Turns off what a configuration could have git do besides. */
static int settings_for(const struct git *git, const char *remote, struct strings *out,
			struct cg_error *err)
{
	static const char *const always[] = { "core.logAllRefUpdates=false", "gc.auto=0",
					      "maintenance.auto=false", "push.pushOption=" };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof always / sizeof *always; i++)
		status = strings_add(out, always[i], err);
	if (status || !has_name(git, remote))
		return status;
	status = strings_addf(out, err, "remote.%s.mirror=false", remote);
	return status ? status : strings_addf(out, err, "remote.%s.followRemoteHEAD=never", remote);
}

static int run_transfer(const struct git *git, const char *remote, const char *const *args,
			char **said, struct cg_error *err)
{
	struct strings settings = { 0 };
	int status = settings_for(git, remote, &settings, err);
	if (!status) {
		const struct git_call call = {
			.args = args,
			.settings = (const char *const *)settings.items,
			.said = said,
		};
		status = git_run(git, &call, NULL, NULL, err);
	}
	strings_free(&settings);
	return status;
}

/* ---- fetch ---------------------------------------------------------------- */

static int find_fetched_id(const struct git *git, const char *ref, char **id, struct cg_error *err)
{
	const char *const args[] = { "rev-parse", "--verify", "--end-of-options", ref, NULL };
	char *line;
	int status = git_line(git, args, &line, err);
	if (status)
		return status;
	if (!git_is_id(line)) {
		free(line);
		return cg_fail(err, CG_EIO, NULL, 0, "cannot find %s, which git fetched", ref);
	}
	*id = line;
	return CG_OK;
}

int git_fetch_ref(const struct git *git, const char *remote, const char *ref, char **id,
		  struct cg_error *err)
{
	struct cg_error failed = { 0 };
	char *said = NULL, *spec;

	if (asprintf(&spec, "+%s:%s", ref, ref) < 0)
		return cg_fail_nomem(err);
	const char *const args[] = { "fetch",
				     "--quiet",
				     "--no-tags",
				     "--refmap=",
				     "--no-write-fetch-head",
				     "--no-auto-maintenance",
				     "--no-recurse-submodules",
				     "--no-prune",
				     "--no-filter",
				     "--no-write-commit-graph",
				     "--",
				     remote,
				     spec,
				     NULL };
	int status = run_transfer(git, remote, args, &said, &failed);
	bool absent = status && said && strstr(said, "couldn't find remote ref");
	free(spec);
	free(said);
	if (absent) {
		*id = NULL;
		return CG_OK;
	}
	if (status)
		return cg_fail(err, status, NULL, 0, "%s", failed.message);
	return find_fetched_id(git, ref, id, err);
}

/* ---- push ----------------------------------------------------------------- */

#define SERVER_SAYS "; the server says: "

/* Appends a part of what git said to the reason. */
static void put_reason(FILE *to, const char *from, size_t len)
{
	while (len && (from[len - 1] == ' ' || from[len - 1] == '\t'))
		len--;
	fprintf(to, "%.*s", (int)len, from);
}

/* Takes the line "! REFS [rejected] (why)" of `push --porcelain`, and lines of the server: NULL if
 * nothing was rejected, or memory ran out. */
static char *reason_of(const char *said)
{
	char *reason;
	size_t size;
	bool rejected = false, more = false;
	FILE *to = open_memstream(&reason, &size);
	if (!to)
		return NULL;
	for (const char *line = said; *line;) {
		size_t len = strcspn(line, "\n");
		const char *why = *line == '!' ? memchr(line, '[', len) : NULL;
		if (why) {
			put_reason(to, why, (size_t)(line + len - why));
			rejected = true;
		} else if (rejected && strncmp(line, "remote: ", 8) == 0 && len > 8) {
			fputs(more ? " " : SERVER_SAYS, to);
			put_reason(to, line + 8, len - 8);
			more = true;
		}
		line += len + (line[len] == '\n');
	}
	if (fclose(to) == 0 && rejected)
		return reason;
	free(reason);
	return NULL;
}

/* Whether git reports that the ref has changed, or is being changed by others. */
static bool is_race(const char *why)
{
	static const char *const words[] = { "stale info",           "fetch first",
					     "non-fast-forward",     "lock",
					     "failed to update ref", "already exists",
					     "incorrect old value",  "but expected" };
	const char *server = strstr(why, SERVER_SAYS);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *found = strstr(why, words[i]);
		if (found && (!server || found < server))
			return true;
	}
	return false;
}

static int call_push(const struct git *git, const char *remote, const char *ref, const char *old,
		     const char *new, char **said, struct cg_error *err)
{
	struct strings argv = { 0 };
	int status = strings_addf(&argv, err, "--force-with-lease=%s:%s", ref, old ? old : "");
	if (!status)
		status = strings_addf(&argv, err, "%s:%s", new, ref);
	if (!status) {
		const char *const args[] = { "push",
					     "--porcelain",
					     "--no-verify",
					     "--no-signed",
					     "--no-follow-tags",
					     "--recurse-submodules=no",
					     argv.items[0],
					     "--",
					     remote,
					     argv.items[1],
					     NULL };
		status = run_transfer(git, remote, args, said, err);
	}
	strings_free(&argv);
	return status;
}

int git_push_ref(const struct git *git, const char *remote, const char *ref, const char *old,
		 const char *new, enum git_push *result, char **why, struct cg_error *err)
{
	struct cg_error failed = { 0 };
	char *said = NULL;
	int status = call_push(git, remote, ref, old, new, &said, &failed);

	if (!status) {
		const char *const args[] = { "update-ref", "--no-deref", ref, new, NULL };
		*result = GIT_PUSHED;
		return run_transfer(git, remote, args, NULL, err);
	}
	char *reason = status == CG_EIO && said ? reason_of(said) : NULL;
	free(said);
	if (!reason)
		return cg_fail(err, status, NULL, 0, "%s", failed.message);
	*result = is_race(reason) ? GIT_PUSH_LATE : GIT_PUSH_REFUSED;
	*why = reason;
	return CG_OK;
}
