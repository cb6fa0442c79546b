#include "tests/fuzz/sections.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"

/* ---- sections ---- */

static const char *line_end(const char *at, const char *end)
{
	const char *found = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	return found ? found : end;
}

static bool begins_section(const char *at, const char *end)
{
	return end - at >= 3 && memcmp(at, "== ", 3) == 0;
}

bool next_section(const char **at, const char *end, struct section *out)
{
	const char *line = *at;

	while (line < end && !begins_section(line, end))
		line = line_end(line, end) + (line_end(line, end) < end);
	if (line >= end)
		return false;
	const char *stop = line_end(line, end);
	snprintf(out->name, sizeof out->name, "%.*s", (int)(stop - line - 3), line + 3);
	out->text = stop + (stop < end);
	for (line = out->text; line < end && !begins_section(line, end);)
		line = line_end(line, end) + (line_end(line, end) < end);
	out->len = (size_t)(line - out->text);
	*at = line;
	return true;
}

bool find_section(const uint8_t *data, size_t size, const char *name, struct section *out)
{
	const char *at = (const char *)data, *end = at + size;

	while (next_section(&at, end, out))
		if (strcmp(out->name, name) == 0)
			return true;
	*out = (struct section){ .text = "" };
	return false;
}

/* ---- the directory ---- */

/* Its place is known to the function that removes it at the end, which takes no argument. */
static char directory[200];

static void remove_scratch(void)
{
	remove_directory(directory, NULL);
}

const char *scratch(void)
{
	const char *const places[] = { getenv("TMPDIR"), "/dev/shm", "/tmp" };

	for (size_t i = 0; !directory[0] && i < sizeof places / sizeof *places; i++) {
		size_t len = (size_t)snprintf(directory, sizeof directory, "%s/irdiff-fuzz-XXXXXX",
					      places[i] ? places[i] : "");
		if (places[i] && len < sizeof directory && mkdtemp(directory))
			atexit(remove_scratch);
		else
			directory[0] = '\0';
	}
	LAW(directory[0], "there is no place for files");
	return directory;
}

void scratch_clear(void)
{
	LAW(!empty_directory(scratch(), NULL), "the directory is emptied");
}

const char *scratch_path(const char *name)
{
	static char paths[4][600];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", scratch(), name);
	return path;
}

static void make_parent(const char *path)
{
	char parent[600];
	const char *slash = strrchr(path, '/');

	snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
	make_directories(parent, NULL);
}

void scratch_write(const char *name, const void *bytes, size_t size)
{
	const char *path = scratch_path(name);
	make_parent(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);

	/* It may be a directory already. */
	if (fd < 0)
		return;
	LAW(write(fd, bytes, size) == (ssize_t)size, "%s: %s", path, strerror(errno));
	close(fd);
}

void scratch_check_file(const char *name, const char *head, const uint8_t *data, size_t size,
			void check(const char *name))
{
	const size_t len = strlen(head);
	char *text = malloc(len + size + 1);

	LAW(text, "out of memory");
	memcpy(text, head, len);
	memcpy(text + len, data, size);
	scratch_clear();
	scratch_write(name, data, size);
	check(name);
	scratch_write(name, text, len + size);
	check(name);
	free(text);
}

char *scratch_read(const char *name, size_t *size)
{
	char *bytes = NULL;
	return file_read(scratch_path(name), &bytes, size, NULL) ? NULL : bytes;
}

/* A path of directories below ours, without what is special. */
static bool is_harmless(const char *name)
{
	size_t len = strlen(name);
	return len && len < 150 && name[0] != '/' && name[len - 1] != '/' && !strstr(name, "..") &&
	       !strstr(name, "//") && !strstr(name, "./");
}

static void unpack(struct section *s)
{
	size_t len = strlen(s->name);
	bool link = len > 3 && strcmp(s->name + len - 3, " ->") == 0;

	if (link)
		s->name[len - 3] = '\0';
	if (!is_harmless(s->name))
		return;
	if (!link) {
		scratch_write(s->name, s->text, s->len);
		return;
	}
	const char *path = scratch_path(s->name);
	make_parent(path);
	/* A loop, or nothing that is there. */
	if (symlink(s->len % 2 ? path : "/nonexistent/irdiff", path) != 0)
		LAW(errno != EACCES, "%s: %s", path, strerror(errno));
}

void scratch_unpack(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;
	struct section s;

	scratch_clear();
	while (next_section(&at, end, &s))
		unpack(&s);
}
