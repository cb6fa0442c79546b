/*
 * A directory that irdiff fills again, site/, made of sections: its list irdiff-files.txt may be
 * damaged, and its files those of others. Whatever the list says, files that it does not name stay
 * as they are, and so does all that is outside.
 */
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "src/store/own_files.h"
#include "tests/fuzz/sections.h"

#define LIST "site/" OWN_FILES_LIST
#define MOST_FOUND 64

static const char *const written[] = { "index.html", "bench/a/x.js" };
#define WRITTEN (sizeof written / sizeof *written)
static const char kept[] = "data.js";

/* ---- what is there ---- */

struct found_file {
	char *path; /* below site/ */
	char *bytes;
	size_t size;
};

static struct found_file found[MOST_FOUND];
static size_t nfound;

static int find_file(const char *path, FUZZ_UNUSED const struct stat *st, int type, struct FTW *at)
{
	struct found_file *f = &found[nfound];
	const char *name = strrchr(path, '/') + 1;

	/* Those that begin with a dot may be what a killed irdiff left. */
	if (type != FTW_F || !at->level || nfound == MOST_FOUND || name[0] == '.' ||
	    strcmp(name, OWN_FILES_LIST) == 0)
		return 0;
	f->path = strdup(path + strlen(scratch()) + strlen("/site/"));
	f->bytes = scratch_read(path + strlen(scratch()) + 1, &f->size);
	LAW(f->path && f->bytes, "%s is read", path);
	nfound++;
	return 0;
}

static void find_files(void)
{
	nftw(scratch_path("site"), find_file, 8, FTW_PHYS);
}

static void forget_files(void)
{
	while (nfound) {
		free(found[--nfound].path);
		free(found[nfound].bytes);
	}
}

static bool has_text(const char *name, const char *bytes, size_t size)
{
	size_t now;
	char *text = scratch_read(name, &now);
	bool same = text && now == size && memcmp(text, bytes, size) == 0;

	free(text);
	return same;
}

/* ---- the list ---- */

/* Whether it is a line of the list, as a text up to its first NUL. */
static bool is_listed(const char *list, const char *path)
{
	const size_t len = strlen(path);

	for (const char *end; list && (end = strchr(list, '\n')); list = end + 1)
		if ((size_t)(end - list) == len && memcmp(list, path, len) == 0)
			return true;
	return false;
}

/* ---- what is done ---- */

/* Whether everything was written, and the directory is as it should be. */
static bool fill(struct own_files_counts *counts)
{
	struct own_files *f = NULL;
	struct cg_error err = { 0 };
	int status = own_files_open(scratch_path("site"), &f, &err);

	check_error(status, &err);
	LAW(!status == (f != NULL), "it is opened, or there is an error");
	for (size_t i = 0; !status && i < WRITTEN; i++) {
		status = own_files_put(f, written[i], written[i], strlen(written[i]), &err);
		check_error(status, &err);
	}
	if (!status) {
		own_files_keep(f, kept);
		status = own_files_finish(f, counts, &err);
		check_error(status, &err);
	}
	own_files_close(f);
	return !status;
}

static void check_foreign(const char *list)
{
	for (size_t i = 0; i < nfound; i++) {
		char name[400];
		snprintf(name, sizeof name, "site/%s", found[i].path);
		LAW(is_listed(list, found[i].path) || has_text(name, found[i].bytes, found[i].size),
		    "%s is not irdiff's, and not as it was", found[i].path);
	}
	LAW(has_text("outside/x", "mine", 4), "a file outside is not as it was");
}

/* What was asked for is there, and is listed; doing it again does nothing. */
static void check_filled(void)
{
	struct own_files_counts again = { 0 };
	char name[100], *list;
	size_t size;

	for (size_t i = 0; i < WRITTEN; i++) {
		snprintf(name, sizeof name, "site/%s", written[i]);
		LAW(has_text(name, written[i], strlen(written[i])), "%s is written", written[i]);
	}
	list = scratch_read(LIST, &size);
	for (size_t i = 0; i < WRITTEN; i++)
		LAW(list && is_listed(list, written[i]), "%s is listed", written[i]);
	LAW(fill(&again), "what irdiff has written is read again");
	LAW(again.total >= WRITTEN && again.total <= WRITTEN + 1 && !again.written &&
		    !again.removed,
	    "again %zu files, %zu written, %zu removed", again.total, again.written, again.removed);
	LAW(has_text(LIST, list, size), "the list is as it was");
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct own_files_counts counts = { 0 };
	size_t len;

	scratch_unpack(data, size);
	make_directories(scratch_path("site"), NULL);
	remove_directory(scratch_path("outside"), NULL);
	unlink(scratch_path("outside"));
	scratch_write("outside/x", "mine", 4);
	/* Unless something else has that name. */
	int linked = symlink("../outside", scratch_path("site/out"));
	(void)linked;
	char *list = scratch_read(LIST, &len);
	find_files();
	bool filled = fill(&counts);
	check_foreign(list);
	if (filled)
		check_filled();
	forget_files();
	free(list);
	return 0;
}
