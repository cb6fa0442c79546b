/* What a program changes that other runs at the same time may see. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* Valgrind itself makes such files, by names that are free, and removes them at once. */
static bool is_file_of_valgrind(const char *path)
{
	static const char begin[] = "/tmp/valgrind_proc_";

	return !strncmp(path, begin, sizeof begin - 1) && !strchr(path + sizeof begin - 1, '/');
}

static void note_change(struct visit *visit, unsigned what)
{
	visit->traced->changes |= what;
}

/* Output has been opened already. */
bool visit_is_plain_device(const char *path)
{
	static const char *const devices[] = { "/dev/null",   "/dev/zero",   "/dev/full",
					       "/dev/tty",    "/dev/stdout", "/dev/stderr",
					       "/dev/random", "/dev/urandom" };

	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (!strcmp(path, devices[i]))
			return true;
	return false;
}

/* Whether a place of irdiff's is only for this run. */
static bool is_own_place(const struct guest *guest, const struct seen_path *place)
{
	return !place->alias && strcmp(place->real, guest->root) != 0;
}

bool visit_is_own(const struct guest *guest, const char *path)
{
	for (size_t i = 0; i < guest->places.count; i++)
		if (is_own_place(guest, &guest->places.items[i]) &&
		    path_below(path, guest->places.items[i].real))
			return true;
	return guest->own && path_below(path, guest->own);
}

/* To whom a canonical path of the host belongs: 0 if to the program alone. */
static unsigned sharers_of(const struct guest *guest, const char *path)
{
	if (path_below(path, "/proc") || visit_is_plain_device(path) || visit_is_own(guest, path))
		return 0;
	return path_below(path, guest->root) ? GUEST_SHARES_ROOT : GUEST_SHARES_REST;
}

/* Notes that this canonical path of the host is about to be changed. */
static void change_path(struct visit *visit, const char *path)
{
	const unsigned sharers = sharers_of(visit->traced->guest, path);

	note_change(visit, sharers);
	if (!sharers)
		return;
	names_tell_named(&visit->traced->names, path);
	names_tell(&visit->traced->names, NAMES_CHANGED, path);
}

/* A path whose last component need not exist, or is a link that stays one. False: its directory
 * does not exist. */
static bool resolve_name(const char *whole, char *resolved)
{
	char directory[PATH_MAX], *slash;

	snprintf(directory, sizeof directory, "%s", whole);
	for (size_t end = strlen(directory); end > 1 && directory[end - 1] == '/'; end--)
		directory[end - 1] = '\0';
	slash = strrchr(directory, '/');
	*slash = '\0';
	char *real = realpath(*directory ? directory : "/", NULL);
	bool found = real && snprintf(resolved, PATH_MAX, "%s/%s", strcmp(real, "/") ? real : "",
				      slash + 1) < PATH_MAX;
	free(real);
	return found;
}

/* A link that leads to what does not exist: a call may make that. Links in /proc to what has no
 * path look so as well. */
static bool leads_nowhere(const char *named)
{
	struct stat st;

	return !path_below(named, "/proc") && !lstat(named, &st) && S_ISLNK(st.st_mode);
}

void visit_change(struct visit *visit, int at, const char *path)
{
	const struct guest *guest = visit->traced->guest;
	char whole[PATH_MAX], named[PATH_MAX];

	if (guest->only_paths)
		return;
	if (!visit_joined_path(visit, at, path, whole)) {
		visit_change_rest(visit);
		return;
	}
	path_tidy(whole, named);
	if (is_file_of_valgrind(named))
		return;
	char *target = realpath(whole, NULL);
	bool is_named = resolve_name(whole, named);
	if (target)
		change_path(visit, target);
	else if (is_named && leads_nowhere(named))
		visit_change_rest(visit);
	if (is_named && !(target && visit_is_plain_device(target)))
		change_path(visit, named);
	free(target);
}

bool visit_may_go_on(const struct traced *traced)
{
	return !(traced->changes & traced->guest->shared);
}

void visit_change_rest(struct visit *visit)
{
	names_tell(&visit->traced->names, NAMES_MORE, "");
	note_change(visit, GUEST_SHARES_ROOT | GUEST_SHARES_REST);
}

enum turn enter_shared_call(struct visit *visit)
{
	visit_change_rest(visit);
	return TURN_GO;
}

/* What connects to another one of this machine is seen then; datagrams need no connection. */
enum turn enter_socket(struct visit *visit)
{
	const int type = (int)visit_argument(visit, 1) & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	const bool connects = type == SOCK_STREAM || type == SOCK_SEQPACKET;

	return (int)visit_argument(visit, 0) == AF_UNIX && connects ? TURN_GO
								    : enter_shared_call(visit);
}

/* Builds lock directories, as Cargo does, which tells them nothing but when to go on. */
enum turn enter_lock(struct visit *visit)
{
	return visit->traced->guest->only_paths ? TURN_GO : enter_shared_call(visit);
}

/* shmget() and the like: without a key, only the program and its children know the thing. */
enum turn enter_keyed_call(struct visit *visit)
{
	if ((int)visit_argument(visit, 0) != 0)
		visit_change_rest(visit);
	return TURN_GO;
}

#else
typedef int changes_unknown; /* a translation unit is not empty */
#endif
