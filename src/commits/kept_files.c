#include "src/commits/kept_files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/commits/cargo_target.h"
#include "src/commits/kept_key.h"
#include "src/run/command.h"
#include "src/run/process.h"
#include "src/status/notice.h"
#include "src/store/files.h"
#include "src/store/kept.h"

#define CARGO_TARGET "target"
#define HELPERS_PATH "/usr/bin:/bin"

/* ---- which directories ---------------------------------------------------- */

static bool keep_is_given(const struct build_area *w)
{
	return w->project->config && w->project->config->keep_given;
}

/* Cargo's, in the directory of the project or, as for a member of a workspace, above it. */
static int add_cargo_targets(struct build_area *w, struct cg_error *err)
{
	const char *prefix = w->git->prefix;
	size_t len = strlen(prefix);
	int status;

	while (!(status = strings_addf(&w->here.kept.paths, err, "%.*s" CARGO_TARGET, (int)len,
				       prefix)) &&
	       len > 0)
		for (len--; len > 0 && prefix[len - 1] != '/';)
			len--;
	return status;
}

static int list_kept_directories(struct build_area *w, struct cg_error *err)
{
	const struct config *config = w->project->config;
	int status = CG_OK;

	if (!keep_is_given(w))
		return add_cargo_targets(w, err);
	for (size_t i = 0; !status && i < config->keep_count; i++)
		status = strings_addf(&w->here.kept.paths, err, "%s%s", w->git->prefix,
				      config->keep[i].text);
	return status;
}

static char *in_place(const struct build_area *w, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", w->here.slot.path, path) < 0 ? NULL : whole;
}

static bool is_real_directory(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- moving --------------------------------------------------------------- */

/* Another file system. The times of files stay. */
static int copy_directory(const char *from, const char *to, struct cg_error *err)
{
	const char *const argv[] = { "cp", "-a", "--", from, to, NULL };
	const char *const environment[] = { "PATH=" HELPERS_PATH, "LC_ALL=C", NULL };
	char *path, *output;
	int status = command_which(argv[0], "/", HELPERS_PATH, &path, err);

	if (status)
		return status;
	status = process_output(path, argv, environment, "/", NULL, &output, err);
	if (!status)
		free(output);
	free(path);
	return status;
}

/* `to` does not exist. On failure it does not exist either, and `from` may be lost. */
static int move_directory(const char *from, const char *to, struct cg_error *err)
{
	if (rename(from, to) == 0)
		return CG_OK;
	if (errno != EXDEV)
		return cg_fail(err, CG_EIO, from, 0, "cannot move: %s", strerror(errno));
	int status = copy_directory(from, to, err);
	if (status)
		remove_directory(to, NULL);
	else
		status = remove_directory(from, err);
	return status;
}

/* The directory of number i in a set; the caller's. */
static char *in_set(const char *set, size_t i)
{
	char *path;
	return asprintf(&path, "%s/%zu", set, i) < 0 ? NULL : path;
}

/* Where a set is while it is used, in irdiff's own work directory; the caller's. */
static char *new_set(struct build_area *w)
{
	char *path;
	return asprintf(&path, "%s/kept-%zu", w->scratch.path, w->taken++) < 0 ? NULL : path;
}

/* ---- before a build ------------------------------------------------------- */

static int bring_directory(struct build_area *w, const char *set, size_t i, struct cg_error *err)
{
	const char *below = w->here.kept.paths.items[i];
	char *from = in_set(set, i), *to = in_place(w, below), *parent;
	struct stat st;
	int status = CG_OK;

	if (!from || !to) {
		status = cg_fail_nomem(err);
	} else if (is_real_directory(from) && path_stays_below(w->here.slot.path, below) &&
		   lstat(to, &st) != 0) {
		parent = strndup(to, (size_t)(strrchr(to, '/') - to));
		status = parent ? make_directories(parent, err) : cg_fail_nomem(err);
		if (!status)
			status = move_directory(from, to, err);
		free(parent);
	}
	free(from);
	free(to);
	return status;
}

static int bring_set(struct build_area *w, struct cg_error *err)
{
	char *set = new_set(w);
	bool taken = false;
	const struct kept_set *kept = &w->here.kept;
	int status = set ? kept_take(w->project->root, kept->key, kept->text, set, &taken, err)
			 : cg_fail_nomem(err);

	for (size_t i = 0; !status && taken && i < w->here.kept.paths.count; i++)
		status = bring_directory(w, set, i, err);
	if (set)
		remove_directory(set, NULL);
	free(set);
	return status;
}

int kept_files_bring(struct build_area *w, const struct revision *side, const char *directory,
		     struct cg_error *err)
{
	struct cg_error why;

	kept_files_free(w);
	if (!revision_build(side)->argc || !is_real_directory(directory))
		return CG_OK;
	int status = list_kept_directories(w, err);
	if (status || !w->here.kept.paths.count)
		return status;
	status = kept_key(w, side, &w->here.kept.key, &w->here.kept.text, &why);
	if (!status)
		status = bring_set(w, &why);
	/* The build only takes longer. */
	if (status)
		notice_warning(w->project->notices, "not using what was kept of earlier builds: %s",
			       why.message);
	return CG_OK;
}

/* ---- after a build -------------------------------------------------------- */

void kept_files_note_end(struct build_area *w, const struct build_result *result)
{
	bool expected = result->traced == (strcmp(kept_place(w), BUILD_PLACE) == 0);

	if (result->interrupted_by || result->term_signal || !expected)
		return;
	w->here.kept.end = result->built ? KEPT_BUILT : KEPT_FAILED;
}

static bool is_part_of_word(char c)
{
	return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", c);
}

/* Whether a word of a command names a directory or something in it. */
static bool names_directory(const char *word, const char *directory)
{
	for (const char *at = word; (at = strstr(at, directory)); at++) {
		const char *end = at + strlen(directory);
		bool begins = at == word || !is_part_of_word(at[-1]) ||
			      (at[-1] == '.' && (at == word + 1 || !is_part_of_word(at[-2])));
		if (begins && !is_part_of_word(*end))
			return true;
	}
	return false;
}

/* The benchmark that uses a file in the directory, which a build may no longer make. */
static const struct config_benchmark *find_user(const struct build_area *w, const char *directory)
{
	const struct config *config = w->project->config;

	for (size_t i = 0; i < config->benchmark_count; i++) {
		const struct config_benchmark *b = &config->benchmarks[i];
		if (b->cwd.text && names_directory(b->cwd.text, directory))
			return b;
		for (size_t k = 0; k < b->command.argc; k++)
			if (names_directory(b->command.argv[k], directory))
				return b;
	}
	return NULL;
}

/* Programs and links could be taken for those of another commit. */
static int drop_programs(const char *path, struct cg_error *err)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	int status = walk ? CG_OK : cg_fail_nomem(err);

	for (FTSENT *e; !status && walk && (e = fts_read(walk));) {
		bool directory = e->fts_info == FTS_D || e->fts_info == FTS_DP;
		bool plain = e->fts_info == FTS_F && !(e->fts_statp->st_mode & 0111);
		if (!directory && !plain)
			status = remove_directory(e->fts_accpath, err);
	}
	if (walk)
		fts_close(walk);
	return status;
}

/* A directory of irdiff.yml's keep: that is not Cargo's. */
static int sift_listed(struct build_area *w, const char *path, size_t i, bool *left,
		       struct cg_error *err)
{
	const struct config_text *listed = &w->project->config->keep[i];
	const struct config_benchmark *user = find_user(w, listed->text);

	*left = false;
	if (user && !w->said_not_kept) {
		w->said_not_kept = true;
		notice_warning(
			w->project->notices,
			"not keeping '%s' (" CONFIG_NAME
			":%llu): '%s' runs or reads a file in it, which could be that of another commit",
			listed->text, (unsigned long long)listed->line, user->name);
	}
	if (user || w->here.kept.end != KEPT_BUILT)
		return CG_OK;
	*left = true;
	return drop_programs(path, err);
}

static int sift_directory_of_build(struct build_area *w, const char *path, size_t i, bool *left,
				   struct cg_error *err)
{
	const char *const places[] = { BUILD_PLACE, w->here.slot.path, NULL };

	*left = false;
	if (cargo_target_is(path))
		return cargo_target_sieve(path, places, w->here.kept.paths.items[i], left, err);
	return keep_is_given(w) ? sift_listed(w, path, i, left, err) : CG_OK;
}

/* Replaces the path of a directory by that of a copy, for which irdiff's work directory has the
 * place. */
static int use_copy(struct build_area *w, char **path, struct cg_error *err)
{
	char *copy = new_set(w);
	int status = copy ? copy_directory(*path, copy, err) : cg_fail_nomem(err);

	free(*path);
	*path = copy;
	return status;
}

static int save_directory(struct build_area *w, const char *set, size_t i, bool stays, bool *saved,
			  struct cg_error *err)
{
	const char *below = w->here.kept.paths.items[i];
	char *from = in_place(w, below), *to = in_set(set, i);
	bool left = false, there;
	int status = from && to ? CG_OK : cg_fail_nomem(err);

	there = !status && path_stays_below(w->here.slot.path, below) && is_real_directory(from);
	if (there && stays)
		status = use_copy(w, &from, err);
	if (there && !status)
		status = sift_directory_of_build(w, from, i, &left, err);
	if (!status && left)
		status = move_directory(from, to, err);
	*saved |= left && !status;
	if (there && stays && from)
		remove_directory(from, NULL);
	free(from);
	free(to);
	return status;
}

static int save_set(struct build_area *w, const char *set, bool stays, struct cg_error *err)
{
	bool saved = false;
	int status = make_directories(set, err);

	for (size_t i = 0; !status && i < w->here.kept.paths.count; i++)
		status = save_directory(w, set, i, stays, &saved, err);
	if (!status && saved)
		status = sync_tree(set, err);
	if (!status && saved)
		status = kept_put(w->project->root, w->here.kept.key, w->here.kept.text, set, err);
	return status;
}

static void save_kept(struct build_area *w, bool stays)
{
	struct cg_error err;

	if (w->here.kept.end != KEPT_NOTHING && w->here.kept.key) {
		char *set = new_set(w);
		int status = set ? save_set(w, set, stays, &err) : cg_fail_nomem(&err);
		if (status)
			notice_warning(w->project->notices, "not keeping what was built: %s",
				       err.message);
		if (set)
			remove_directory(set, NULL);
		free(set);
	}
	kept_files_free(w);
}

void kept_files_save(struct build_area *w)
{
	save_kept(w, false);
}

void kept_files_copy(struct build_area *w)
{
	save_kept(w, true);
}

void kept_files_free(struct build_area *w)
{
	strings_free(&w->here.kept.paths);
	free(w->here.kept.key);
	free(w->here.kept.text);
	w->here.kept = (struct kept_set){ 0 };
}
