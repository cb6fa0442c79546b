#include "src/commits/kept_key.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/commits/build_tools.h"
#include "src/commits/key_text.h"
#include "src/digest/digest.h"
#include "src/run/build.h"

enum { KEPT_RULES = 1 }; /* the version of what survives */

#define PACKAGES "/var/lib/dpkg/status"
#define CPU "/proc/cpuinfo"

/* ---- the machine ---------------------------------------------------------- */

/* Libraries that dependencies are built with: build scripts look for them. */
static void put_packages(FILE *to)
{
	char digest[DIGEST_SIZE];

	if (digest_of_file(PACKAGES, digest, NULL) == CG_OK)
		key_put(to, "packages", digest);
}

/* Programs may be built for the CPU of the machine (-march=native). The speed of the moment is not
 * the CPU's kind. */
static void put_kind_of_cpu(FILE *to)
{
	static const char *const facts[] = { "vendor_id", "cpu family", "model",
					     "flags",     "Features",   "CPU implementer",
					     "CPU part",  "CPU variant" };
	FILE *from = fopen(CPU, "re");
	char *line = NULL;
	size_t cap = 0;

	/* The first CPU ends with an empty line. */
	while (from && getline(&line, &cap, from) > 1) {
		size_t len = strcspn(line, "\t:");
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
			if (len == strlen(facts[i]) && strncmp(line, facts[i], len) == 0)
				key_put(to, "cpu", line);
	}
	free(line);
	if (from)
		fclose(from);
}

/* Cargo's settings of the user. Cargo itself compares most of them, but not all variables that it
 * sets for build scripts. */
static int put_cargo_settings(FILE *to, struct cg_error *err)
{
	static const char *const names[] = { "config.toml", "config" };
	const char *cargo = getenv("CARGO_HOME"), *home = getenv("HOME");
	char digest[DIGEST_SIZE], *path;

	for (size_t i = 0; i < sizeof names / sizeof *names && (cargo || home); i++) {
		if (asprintf(&path, "%s%s/%s", cargo ? cargo : home, cargo ? "" : "/.cargo",
			     names[i]) < 0)
			return cg_fail_nomem(err);
		if (digest_of_file(path, digest, NULL) == CG_OK)
			key_put(to, "settings", digest);
		free(path);
	}
	return CG_OK;
}

/* ---- files of the project ------------------------------------------------- */

/* What tells a build system what to build, and how: also scripts that set variables for it. */
static bool decides_build(const FTSENT *e)
{
	static const char *const names[] = { "Cargo.toml", "Cargo.lock", "rust-toolchain*",
					     "*akefile*",  "*ustfile",   "*.mk",
					     "*.sh",       "*.cmake",    "CMakeLists.txt",
					     "meson.build" };

	if (e->fts_info != FTS_F && e->fts_info != FTS_SL)
		return false;
	if (e->fts_info == FTS_F && (e->fts_statp->st_mode & 0111))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (fnmatch(names[i], e->fts_name, 0) == 0)
			return true;
	return e->fts_level > 1 && strcmp(e->fts_parent->fts_name, ".cargo") == 0;
}

static int put_file(FILE *to, const FTSENT *e, const char *path, struct cg_error *err)
{
	char digest[DIGEST_SIZE], target[PATH_MAX];
	int status = CG_OK;

	if (e->fts_info == FTS_F) {
		status = digest_of_file(e->fts_accpath, digest, err);
	} else {
		ssize_t len = readlink(e->fts_accpath, target, sizeof target);
		if (len < 0)
			return cg_fail(err, CG_EIO, e->fts_path, 0, "cannot read: %s",
				       strerror(errno));
		digest_of_bytes(target, (size_t)len, digest);
	}
	if (!status) {
		key_put(to, "file", path);
		key_put(to, "is", digest);
	}
	return status;
}

static int compare_walked(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int put_files(const struct build_area *w, FILE *to, struct cg_error *err)
{
	char *const paths[] = { w->here.slot.path, NULL };
	size_t root = strlen(w->here.slot.path);
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare_walked);
	int status = walk ? CG_OK : cg_fail_nomem(err);

	for (FTSENT *e; !status && walk && (e = fts_read(walk));) {
		if (e->fts_level == 1 && strcmp(e->fts_name, ".git") == 0)
			fts_set(walk, e, FTS_SKIP);
		else if (e->fts_level > 0 && decides_build(e))
			status = put_file(to, e, e->fts_path + root + 1, err);
	}
	if (walk)
		fts_close(walk);
	return status;
}

/* ---- the whole ------------------------------------------------------------ */

const char *kept_place(const struct build_area *w)
{
	return build_tools_trace(w->tools) ? BUILD_PLACE : w->here.slot.path;
}

static int write_kept_text(const struct build_area *w, const struct revision *side, char **text,
			   struct cg_error *err)
{
	char *buffer;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	key_put_number(to, "kept", KEPT_RULES);
	for (size_t i = 0; i < w->here.kept.paths.count; i++)
		key_put(to, "directory", w->here.kept.paths.items[i]);
	fputs(w->tools, to);
	put_packages(to);
	put_kind_of_cpu(to);
	key_put(to, "place", kept_place(w));
	key_put(to, "project", w->git->prefix);
	key_put_words(to, "build", revision_build(side));
	int status = put_cargo_settings(to, err);
	if (!status)
		status = put_files(w, to, err);
	if (!status)
		return key_finish(to, &buffer, text, err);
	fclose(to);
	free(buffer);
	return status;
}

int kept_key(const struct build_area *w, const struct revision *side, char **key, char **text,
	     struct cg_error *err)
{
	char digest[DIGEST_SIZE], *written;
	int status = write_kept_text(w, side, &written, err);

	if (status)
		return status;
	digest_of_bytes(written, strlen(written), digest);
	*key = strdup(digest);
	if (!*key) {
		free(written);
		return cg_fail_nomem(err);
	}
	*text = written;
	return CG_OK;
}
