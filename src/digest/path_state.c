#include "src/digest/path_state.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"

#define DIGESTED_MAX ((off_t)16 << 30) /* /proc/kcore claims to have 2^47 bytes */
#define SETTLED_SECONDS 2

static void set_state(char state[PATH_STATE_SIZE], const char *text)
{
	snprintf(state, PATH_STATE_SIZE, "%s", text);
}

void path_states_free(struct path_states *known)
{
	cg_strings_free(&known->files);
	free(known->digests);
	*known = (struct path_states){ 0 };
}

/* What changes whenever a file does, but for what is done within a tick of the kernel's clock. */
static size_t print_identity(const struct stat *st, char *text, size_t size)
{
	return (size_t)snprintf(text, size, "%ju %ju %jd %jd.%ld %jd.%ld", (uintmax_t)st->st_dev,
				(uintmax_t)st->st_ino, (intmax_t)st->st_size,
				(intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
				(intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

static bool was_just_changed(const struct stat *st)
{
	return st->st_ctim.tv_sec + SETTLED_SECONDS >= time(NULL);
}

static void remember_digest(struct path_states *known, const char *identity, size_t len,
			    const char *digest)
{
	cg_str id;

	if ((!known->files.count && cg_strings_init(&known->files)) ||
	    cg_strings_add(&known->files, identity, len, &id) ||
	    cg_grow(&known->digests, &known->cap, (size_t)id + 1, sizeof *known->digests))
		path_states_free(known); /* it only saves time */
	else
		memcpy(known->digests[id], digest, DIGEST_SIZE);
}

static bool find_digest(struct path_states *known, const char *path, const struct stat *st,
			char digest[DIGEST_SIZE])
{
	char identity[200], *real;
	const size_t len = print_identity(st, identity, sizeof identity);
	const cg_str id = known->files.count ? cg_strings_find(&known->files, identity, len) : 0;

	if (id) {
		memcpy(digest, known->digests[id], DIGEST_SIZE);
		return true;
	}
	real = realpath(path, NULL);
	const bool read = real && st->st_size <= DIGESTED_MAX &&
			  !digest_of_file(real, digest, NULL);
	free(real);
	if (read && !was_just_changed(st))
		remember_digest(known, identity, len, digest);
	return read;
}

static void state_of_target(struct path_states *known, const char *path, char *state, size_t size)
{
	const char *word = PATH_STATE_UNKNOWN;
	char digest[DIGEST_SIZE];
	struct stat st;

	if (stat(path, &st) != 0)
		word = errno == ENOENT || errno == ENOTDIR ? PATH_STATE_ABSENT : word;
	else if (S_ISDIR(st.st_mode))
		word = "directory";
	else if (S_ISREG(st.st_mode) && find_digest(known, path, &st, digest)) {
		snprintf(state, size, "file:%o:%s", (unsigned)st.st_mode & 0111, digest);
		return;
	}
	snprintf(state, size, "%s", word);
}

void path_state(struct path_states *known, const char *path, char state[PATH_STATE_SIZE])
{
	char target[PATH_MAX], digest[DIGEST_SIZE];
	const ssize_t n = readlink(path, target, sizeof target);
	size_t len = 0;

	if (n >= 0) {
		digest_of_bytes(target, (size_t)n, digest);
		len = (size_t)snprintf(state, PATH_STATE_SIZE, "link:%s:", digest);
	}
	state_of_target(known, path, state + len, PATH_STATE_SIZE - len);
	if (strcmp(state + len, PATH_STATE_UNKNOWN) == 0)
		set_state(state, PATH_STATE_UNKNOWN);
}

static int is_entry(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

void path_state_of_listing(const char *directory, char state[PATH_STATE_SIZE])
{
	struct dirent **entries;
	char digest[DIGEST_SIZE], *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	const int count = to ? scandir(directory, &entries, is_entry, alphasort) : -1;

	for (int i = 0; i < count; i++) {
		fprintf(to, "%u %s", (unsigned)entries[i]->d_type, entries[i]->d_name);
		fputc('\0', to);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (!to || fclose(to) != 0 || count < 0) {
		set_state(state, PATH_STATE_UNKNOWN);
	} else {
		digest_of_bytes(text, size, digest);
		snprintf(state, PATH_STATE_SIZE, "listing:%s", digest);
	}
	free(text);
}
