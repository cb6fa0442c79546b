/* Paths that a traced program names, and those that it is told. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "src/guest/memory.h"

#define ENTRIES_MAX (1u << 20) /* of getdents64(): larger buffers are not sorted */

/* ---- from what it names to the host ---- */

/* The link in /proc to the directory that a relative path begins at. */
static void link_of(const struct guest_task *task, int at, char *link, size_t size)
{
	if (at == AT_FDCWD)
		snprintf(link, size, "/proc/%d/cwd", (int)task->tid);
	else
		snprintf(link, size, "/proc/%d/fd/%d", (int)task->tid, at);
}

/* Replaces a path inside the shown empty directory by the hidden directory's. False: it is not
 * inside. */
static bool unhide(const struct guest *guest, char *path)
{
	const char *rest = guest->nhidden ? path_below(path, guest->empty) : NULL;
	char hidden[PATH_MAX];

	if (!rest || snprintf(hidden, sizeof hidden, "%s%s", guest->hidden[0], rest) >= PATH_MAX)
		return false;
	memcpy(path, hidden, strlen(hidden) + 1);
	return true;
}

static bool read_link(const char *path, char *target)
{
	ssize_t n = readlink(path, target, PATH_MAX - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	return true;
}

bool visit_joined_path(const struct visit *visit, int at, const char *path, char *joined)
{
	char link[64], directory[PATH_MAX];

	if (*path == '/')
		return snprintf(joined, PATH_MAX, "%s", path) < PATH_MAX;
	link_of(visit->task, at, link, sizeof link);
	if (!read_link(link, directory))
		return false;
	unhide(visit->traced->guest, directory);
	return *directory == '/' &&
	       snprintf(joined, PATH_MAX, "%s%s%s", directory, *path ? "/" : "", path) < PATH_MAX;
}

/* The whole path of the host, with ".." resolved textually. */
static bool visit_whole_path(const struct visit *visit, int at, const char *path, char *whole)
{
	char joined[PATH_MAX];

	if (!visit_joined_path(visit, at, path, joined))
		return false;
	path_tidy(joined, whole);
	return true;
}

/* Whether a path has a place of its own, and so is seen there although its directory is hidden. */
static bool has_place(const struct guest *guest, const char *hidden, const char *whole)
{
	for (size_t i = 0; i < guest->places.count; i++)
		if (path_below(guest->places.items[i].real, hidden) &&
		    path_below(whole, guest->places.items[i].real))
			return true;
	return false;
}

/* Replaces a path in a hidden directory by the same name in the empty one. */
static bool hide(const struct guest *guest, const char *whole, char *real)
{
	for (size_t i = 0; i < guest->nhidden; i++) {
		const char *rest = path_below(whole, guest->hidden[i]);
		if (rest && !has_place(guest, guest->hidden[i], whole))
			return snprintf(real, PATH_MAX, "%s%s", guest->empty, rest) < PATH_MAX;
	}
	return false;
}

/* Translates a path that leaves a directory shown as empty by "..": it leads to the parent that the
 * program sees. False: it is no such path. */
static bool leaves_hidden(const struct visit *visit, int at, const char *path, char *real)
{
	const struct guest *guest = visit->traced->guest;
	char link[64], directory[PATH_MAX];

	if (!guest->nhidden || *path == '/' || !strstr(path, ".."))
		return false;
	link_of(visit->task, at, link, sizeof link);
	return read_link(link, directory) && unhide(guest, directory) &&
	       visit_whole_path(visit, at, path, directory) &&
	       (hide(guest, directory, real) || memcpy(real, directory, strlen(directory) + 1));
}

static bool may_be_hidden(const struct guest *guest, const char *path)
{
	for (size_t i = 0; i < guest->nhidden; i++)
		if (strstr(path, strrchr(guest->hidden[i], '/') + 1))
			return true;
	return false;
}

static bool cover(const struct guest *guest, const char *whole, char *real)
{
	char *canonical = realpath(whole, NULL);
	bool covered = false;

	for (size_t i = 0; canonical && !covered && i < guest->ncovers; i++)
		if (!strcmp(canonical, guest->covers[i].covered)) {
			snprintf(real, PATH_MAX, "%s", guest->covers[i].with);
			covered = true;
		}
	free(canonical);
	return covered;
}

/* Whether a path is `begin`, the pid of something that is traced, and what follows. A pid of the
 * kernel's is not of what is traced. */
static bool names_traced(const char *path, const char *begin, const char **rest)
{
	const size_t len = strlen(begin);
	char *end;

	if (strncmp(path, begin, len) != 0 || path[len] < '1' || path[len] > '9')
		return false;
	unsigned long pid = strtoul(path + len, &end, 10);
	*rest = end;
	return pid >= GUEST_FIRST;
}

/* Valgrind chooses the ends of names of temporary files by its pid, so those of several runs at a
 * time are the same, and it reports each failure where the program prints. */
static bool is_file_of_run(const char *path)
{
	const char *rest;

	if (names_traced(path, "/tmp/perf-", &rest))
		return strcmp(rest, ".map") == 0;
	return names_traced(path, "/tmp/valgrind_proc_", &rest) && !strchr(rest, '/');
}

static bool translate(struct visit *visit, int at, const char *path, bool opens, char *real)
{
	const struct guest *guest = visit->traced->guest;
	char whole[PATH_MAX], host[PATH_MAX];

	/* If only paths are changed, the kernel's answers below /proc are right, as in a
	 * container. */
	if (!guest->only_paths && visit_proc_path(visit, path, opens, real))
		return true;
	if (guest->files && is_file_of_run(path))
		return snprintf(real, PATH_MAX, "%s%s", guest->files, strrchr(path, '/')) <
		       PATH_MAX;
	bool placed = *path == '/' && seen_paths_real(&guest->places, path, host);
	if (placed)
		path = host;
	bool covered = opens && guest->ncovers;
	if ((covered || may_be_hidden(guest, path)) && visit_whole_path(visit, at, path, whole) &&
	    ((covered && cover(guest, whole, real)) || hide(guest, whole, real)))
		return true;
	if (leaves_hidden(visit, at, path, real))
		return true;
	if (placed)
		memcpy(real, host, strlen(host) + 1);
	return placed;
}

/* Links that lead to a process's own directories name files by a path that only it has. */
static bool leads_through_process(const char *path)
{
	static const char *const links[] = { "/cwd/", "/root/", "/map_files/" };
	const char *fd = strstr(path, "/fd/");

	if (!path_below(path, "/proc") && !path_below(path, "/dev/fd"))
		return false;
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (strstr(path, links[i]))
			return true;
	return fd && strchr(fd + strlen("/fd/"), '/');
}

/* Whether what a path of the host names is the same in all runs: it is not of a file, or only of
 * this run. */
static bool is_same_always(const struct guest *guest, const char *path)
{
	static const char *const places[] = { "/proc", "/sys", "/dev/fd", "/dev/stdin" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (path_below(path, places[i]))
			return true;
	return visit_is_plain_device(path) || visit_is_own(guest, path);
}

static void name_path(struct visit *visit, int at, const char *path, bool opens)
{
	struct names *names = &visit->traced->names;
	char joined[PATH_MAX];

	if (!names->to)
		return;
	if (!visit_joined_path(visit, at, path, joined) || leads_through_process(joined)) {
		names_tell(names, NAMES_MORE, "");
		return;
	}
	if (is_same_always(visit->traced->guest, joined))
		return;
	names_tell_named(names, joined);
	if (opens)
		names_tell(names, NAMES_OPENED, joined);
}

/* A directory's entries are read by this descriptor. */
static void name_listed(struct visit *visit, int fd)
{
	struct names *names = &visit->traced->names;
	char directory[PATH_MAX];

	if (!names->to)
		return;
	if (!visit_joined_path(visit, fd, "", directory))
		names_tell(names, NAMES_MORE, "");
	else if (!is_same_always(visit->traced->guest, directory))
		names_tell(names, NAMES_LISTED, directory);
}

bool visit_path(struct visit *visit, int at, const char *path, bool opens, char *real)
{
	if (!*path)
		return false;
	const bool other = translate(visit, at, path, opens, real);
	name_path(visit, at, other ? real : path, opens);
	return other;
}

void visit_move(struct visit *visit, int at, const char *path)
{
	struct names *names = &visit->traced->names;
	char joined[PATH_MAX];

	if (names->to && visit_joined_path(visit, at, path, joined) &&
	    !is_same_always(visit->traced->guest, joined))
		names_tell(names, NAMES_MOVED, joined);
}

void visit_move_directory(struct visit *visit, int at, const char *path)
{
	struct names *names = &visit->traced->names;
	char joined[PATH_MAX];
	struct stat st;

	if (names->to && visit_joined_path(visit, at, path, joined) && names_had(names, joined) &&
	    !lstat(joined, &st) && S_ISDIR(st.st_mode))
		names_tell(names, NAMES_MORE, "");
}

void visit_remove_link(struct visit *visit, int at, const char *path)
{
	struct names *names = &visit->traced->names;
	char joined[PATH_MAX], text[PATH_MAX];

	if (!names->to || !visit_joined_path(visit, at, path, joined) || !read_link(joined, text))
		return;
	char *target = realpath(joined, NULL);
	if (target && !is_same_always(visit->traced->guest, target))
		names_tell(names, NAMES_MOVED, target);
	free(target);
}

/* ---- from the host to what it is told ---- */

void visit_seen(const struct visit *visit, const char *real, char *seen)
{
	const struct guest *guest = visit->traced->guest;
	char hidden[PATH_MAX];

	for (size_t i = 0; i < guest->ncovers; i++)
		if (!strcmp(real, guest->covers[i].with))
			real = guest->covers[i].covered;
	if (guest->nhidden && strlen(real) < sizeof hidden &&
	    unhide(guest, memcpy(hidden, real, strlen(real) + 1)))
		real = hidden;
	if (!seen_paths_told(&guest->places, real, seen))
		snprintf(seen, PATH_MAX, "%s", real);
}

/* ---- calls ---- */

enum turn enter_getcwd(struct visit *visit)
{
	char link[64], real[PATH_MAX], seen[PATH_MAX];

	link_of(visit->task, AT_FDCWD, link, sizeof link);
	if (!read_link(link, real) || *real != '/' || access(link, F_OK)) /* it was removed */
		return TURN_GO;
	visit_seen(visit, real, seen);
	size_t size = strlen(seen) + 1;
	if (size > visit_argument(visit, 1))
		return visit_answer(visit, -ERANGE);
	return visit_answer_with(visit, visit_argument(visit, 0), seen, size, (long)size);
}

/* Resolves a link's text on the host as the program itself would. */
static bool target_of(struct visit *visit, int at, const char *path, char *target)
{
	char link[64], joined[PATH_MAX + 64], own[PATH_MAX];

	if (*path == '/')
		return read_link(visit_proc_path(visit, path, false, own) ? own : path, target);
	link_of(visit->task, at, link, sizeof link);
	snprintf(joined, sizeof joined, "%s/%s", link, path);
	return read_link(joined, target);
}

/* The text to tell for this link. False: the kernel's is right, or says what is wrong. */
static bool text_of_link(struct visit *visit, int at, const char *path, const char *real,
			 char *seen)
{
	const struct guest_task *task = visit->task;
	char target[PATH_MAX];

	bool numbered = !visit->traced->guest->only_paths;

	if (numbered && !strcmp(path, "/proc/self"))
		return snprintf(seen, PATH_MAX, "%d", (int)task->process) > 0;
	if (numbered && !strcmp(path, "/proc/thread-self"))
		return snprintf(seen, PATH_MAX, "%d/task/%d", (int)task->process,
				(int)task->shown) > 0;
	if (!target_of(visit, at, real, target) || *target != '/')
		return false;
	visit_seen(visit, target, seen);
	return strcmp(seen, target) != 0;
}

/* Arguments from `first` on: a path, the buffer for the link's text, and its size. */
static enum turn tell_link(struct visit *visit, int at, unsigned first)
{
	char path[PATH_MAX], real[PATH_MAX], seen[PATH_MAX];
	long room = (int)visit_argument(visit, first + 2);

	if (!memory_read_text(visit->task->tid, visit_argument(visit, first), path, sizeof path) ||
	    !*path)
		return TURN_GO;
	bool other = visit_path(visit, at, path, false, real);
	if (room > 0 && text_of_link(visit, at, path, other ? real : path, seen)) {
		long size = (long)strlen(seen) < room ? (long)strlen(seen) : room;
		return visit_answer_with(visit, visit_argument(visit, first + 1), seen,
					 (size_t)size, size);
	}
	return other && visit_push(visit, first, real, strlen(real) + 1) ? TURN_RETURN : TURN_GO;
}

enum turn enter_readlink(struct visit *visit)
{
	return tell_link(visit, AT_FDCWD, 0);
}

enum turn enter_readlinkat(struct visit *visit)
{
	return tell_link(visit, (int)visit_argument(visit, 0), 1);
}

/* A relative text begins where the link is. */
static void move_target(struct visit *visit, int at, const char *link, const char *text)
{
	const char *name = strrchr(link, '/');
	const int length = *text == '/' || !name ? 0 : (int)(name + 1 - link);
	char target[2 * PATH_MAX];

	snprintf(target, sizeof target, "%.*s%s", length, link, text);
	visit_move(visit, at, target);
}

/* A link's text is a path too, so that reading it returns what was written. */
static enum turn make_link(struct visit *visit, int at, unsigned place)
{
	char text[PATH_MAX] = "", target[PATH_MAX], path[PATH_MAX], real[PATH_MAX];
	pid_t tid = visit->task->tid;
	bool other = memory_read_text(tid, visit_argument(visit, 0), text, sizeof text) &&
		     *text == '/' && visit_path(visit, AT_FDCWD, text, false, target);

	if (other)
		visit_push(visit, 0, target, strlen(target) + 1);
	const char *leads_to = other ? target : text;
	if (memory_read_text(tid, visit_argument(visit, place), path, sizeof path) && *path) {
		other = visit_path(visit, at, path, false, real);
		move_target(visit, at, other ? real : path, leads_to);
		visit_change(visit, at, other ? real : path);
		if (other)
			visit_push(visit, place, real, strlen(real) + 1);
	}
	return visit->task->changed ? TURN_RETURN : TURN_GO;
}

enum turn enter_symlink(struct visit *visit)
{
	return make_link(visit, AT_FDCWD, 1);
}

enum turn enter_symlinkat(struct visit *visit)
{
	return make_link(visit, (int)visit_argument(visit, 1), 2);
}

/* Programs ask for users and hosts there, and most systems have none. */
static bool is_name_service(const struct sockaddr_un *address)
{
	return !strcmp(address->sun_path, "/var/run/nscd/socket");
}

/* bind() and connect(): a socket's address may be a path, of limited length. A socket of the
 * network was noted when it was made. */
enum turn enter_socket_address(struct visit *visit)
{
	struct sockaddr_un address = { 0 };
	size_t size = visit_argument(visit, 2);
	char real[PATH_MAX];

	if (size > offsetof(struct sockaddr_un, sun_path) && size <= sizeof address &&
	    memory_read(visit->task->tid, visit_argument(visit, 1), &address, size) &&
	    address.sun_family == AF_UNIX && !is_name_service(&address))
		visit_change_rest(visit);
	if (size <= offsetof(struct sockaddr_un, sun_path) || size > sizeof address ||
	    !memory_read(visit->task->tid, visit_argument(visit, 1), &address, size) ||
	    address.sun_family != AF_UNIX || address.sun_path[0] != '/' ||
	    !memchr(address.sun_path, '\0', sizeof address.sun_path) ||
	    !visit_path(visit, AT_FDCWD, address.sun_path, false, real) ||
	    strlen(real) >= sizeof address.sun_path)
		return TURN_GO;
	memcpy(address.sun_path, real, strlen(real) + 1);
	size = offsetof(struct sockaddr_un, sun_path) + strlen(real) + 1;
	if (!visit_push(visit, 1, &address, size))
		return TURN_GO;
	visit_set_argument(visit, 2, size);
	return TURN_RETURN;
}

/* ---- the order of directories ---- */

/* An entry of getdents64(), see getdents(2). */
struct directory_entry {
	uint64_t inode;
	int64_t next; /* where reading continues after it */
	uint16_t size;
	uint8_t type;
	char name[];
};

#define ENTRY_SIZE offsetof(struct directory_entry, name)

static int compare_entry_names(const void *a, const void *b)
{
	const struct directory_entry *one = *(const struct directory_entry *const *)a;
	const struct directory_entry *other = *(const struct directory_entry *const *)b;

	return strcmp(one->name, other->name);
}

static size_t list_directory_entries(char *bytes, size_t size,
				     const struct directory_entry **entries)
{
	size_t n = 0;

	for (size_t at = 0; at + ENTRY_SIZE < size;) {
		const struct directory_entry *entry = (const void *)(bytes + at);
		if (entry->size <= ENTRY_SIZE || entry->size > size - at ||
		    entry->size % sizeof entry->inode) /* the kernel's are aligned */
			return 0;
		entries[n++] = entry;
		at += entry->size;
	}
	return n;
}

/* Offsets stay in their order, so that reading a directory in parts continues where it stopped. */
static bool sort_entries(char *bytes, size_t size, const struct directory_entry **entries,
			 char *sorted)
{
	size_t n = list_directory_entries(bytes, size, entries), at = 0, place = 0;

	qsort(entries, n, sizeof *entries, compare_entry_names);
	for (size_t i = 0; i < n; i++) {
		struct directory_entry *entry = (void *)(sorted + at);
		memcpy(entry, entries[i], entries[i]->size);
		memcpy(&entry->next, bytes + place + offsetof(struct directory_entry, next),
		       sizeof entry->next);
		place += ((const struct directory_entry *)(const void *)(bytes + place))->size;
		at += entry->size;
	}
	return n > 1;
}

void leave_getdents64(struct visit *visit)
{
	size_t size = (size_t)registers_result(&visit->now);
	unsigned long address = registers_argument(&visit->task->before, 1);

	name_listed(visit, (int)registers_argument(&visit->task->before, 0));
	if (size == 0 || size > ENTRIES_MAX)
		return;
	char *bytes = calloc(1, size + 1), *sorted = calloc(1, size); /* the last name ends, too */
	const struct directory_entry **entries = calloc(size / ENTRY_SIZE + 1, sizeof *entries);
	if (bytes && sorted && entries && memory_read(visit->task->tid, address, bytes, size) &&
	    sort_entries(bytes, size, entries, sorted))
		memory_write(visit->task->tid, address, sorted, size);
	free(entries);
	free(sorted);
	free(bytes);
}

#else
typedef int paths_unknown; /* a translation unit is not empty */
#endif
