/* Files that differ and are not source: how the program is built, and what it reads. No line of
 * its source shows that. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/compare/files_between.h"
#include "src/compare/remarking.h"
#include "src/text/shell.h"
#include "src/text/text.h"
#include "src/view/source.h"

static bool is_build_file(const char *path)
{
	static const char *const names[] = {
		"Cargo.toml", "Cargo.lock",    "rust-toolchain*", "build.rs",      "*akefile*",
		"*.mk",       "configure",     "configure.ac",    "configure.in",  "CMakeLists.txt",
		"*.cmake",    "meson.build",   "meson_options.*", "meson.options", "go.mod",
		"go.sum",     "BUILD",         "BUILD.bazel",     "MODULE.bazel",  "WORKSPACE*",
		"pom.xml",    "build.gradle*", "package.json",    "*-lock.json",   "pyproject.toml",
		"setup.py",   "setup.cfg",     "*.csproj",        "dub.json",      "[Jj]ustfile",
	};
	const char *name = cg_base_name(path);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (fnmatch(names[i], name, 0) == 0)
			return true;
	return false;
}

/* Whether `file`, as a profile names it, is at `path` of the work tree. */
static bool is_file_at(const char *file, const char *path)
{
	size_t len = strlen(file), size = strlen(path);

	return len >= size && strcmp(file + len - size, path) == 0 &&
	       (len == size || file[len - size - 1] == '/');
}

static bool is_measured_in(const struct cg_profile *p, const char *path)
{
	cg_str last = 0;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		cg_str file = p->functions[i].file;
		if (file != last && is_file_at(cg_string(p, file), path))
			return true;
		last = file;
	}
	return false;
}

static bool is_of_measured(const struct comparison *c, const char *path)
{
	return is_measured_in(c->base.profile, path) || is_measured_in(c->head.profile, path);
}

/* Keeps the build files among the files; *sources: whether others are sources of measured
 * functions. */
static size_t keep_build_files(const struct comparison *c, const struct files_between *f,
			       const struct changed_file **kept, bool *sources)
{
	size_t count = 0;

	*sources = false;
	for (size_t i = 0; i < f->files.count; i++) {
		const struct changed_file *file = &f->files.items[i];
		*sources |= is_of_measured(c, file->path);
		if (is_build_file(file->path))
			kept[count++] = file;
	}
	return count;
}

/* Keeps what is neither source nor a build file: a compiler reads source, too. */
static size_t keep_input_files(const struct comparison *c, const struct files_between *f,
			       const struct changed_file **kept)
{
	size_t count = 0;

	for (size_t i = 0; i < f->files.count; i++) {
		const struct changed_file *file = &f->files.items[i];
		if ((file->input || (!source_is_code(file->path) && !is_build_file(file->path))) &&
		    !file->attributes && !is_of_measured(c, file->path))
			kept[count++] = file;
	}
	return count;
}

static size_t keep_attributes(const struct files_between *f, const struct changed_file **kept)
{
	size_t count = 0;

	for (size_t i = 0; i < f->files.count; i++)
		if (f->files.items[i].attributes)
			kept[count++] = &f->files.items[i];
	return count;
}

enum { FILES_SAID = 3 };

/* What is said of files that differ: before and after their names, and what they are. */
struct said_of_files {
	const char *before, *kind, *after, *end;
};

/* What became of all of them: "changed", "is new", "was removed"; NULL: not the same of each. */
static const char *common_change(const struct changed_file *const *files, size_t count)
{
	static const char *const one[] = { "changed", "is new", "was removed" };
	static const char *const many[] = { "changed", "are new", "were removed" };
	const enum file_change first = files[0]->change;

	for (size_t i = 1; i < count; i++)
		if (files[i]->change != first)
			return NULL;
	return count == 1 ? one[first] : many[first];
}

/* "a.txt, b.txt changed" between these; "a.txt, b.txt (new file), c.txt (removed) and 3 more KINDs
 * differ". */
static char *say_files(const struct changed_file *const *files, size_t count,
		       const struct said_of_files *say)
{
	const char *change = common_change(files, count);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fputs(say->before, to);
	for (size_t i = 0; i < count && i < FILES_SAID; i++) {
		fputs(i ? ", " : "", to);
		text_print_name(to, files[i]->path, 80);
		fputs(change ? "" : file_change_note(files[i]->change), to);
	}
	if (count > FILES_SAID)
		fprintf(to, " and %zu more %s%s", count - FILES_SAID, say->kind,
			count - FILES_SAID == 1 ? "" : "s");
	fprintf(to, "%s %s%s", say->after, change ? change : "differ", say->end);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static const char *commit_of(const struct loaded *l)
{
	return l->commit ? l->commit : cg_desc_value(l->profile, SUBJECT_PREFIX "commit");
}

/* git shows nothing of files that were never added, as new files of a work tree may be. */
static size_t print_files_to_diff(const struct comparison *c, const struct files_between *f,
				  const struct changed_file *const *files, size_t count, FILE *to)
{
	size_t printed = 0;

	for (size_t i = 0; i < count && i < FILES_SAID; i++) {
		char *path = NULL;
		if (c->head.changed && files[i]->change == FILE_NEW)
			continue;
		if (asprintf(&path, "%s%s", f->at_top ? "" : ":/", files[i]->path) < 0)
			return 0;
		fputc(' ', to);
		shell_print_word(to, path);
		free(path);
		printed++;
	}
	return printed;
}

/* NULL: no command shows it. */
static char *advise_git_diff(const struct comparison *c, const struct files_between *f,
			     const struct changed_file *const *files, size_t count)
{
	const char *base = commit_of(&c->base), *head = commit_of(&c->head);
	char *text = NULL;
	size_t size;
	FILE *to = base && head && !c->base.changed ? open_memstream(&text, &size) : NULL;

	if (!to)
		return NULL;
	fprintf(to, "To see what changed: git diff %.10s", base);
	if (!c->head.changed)
		fprintf(to, " %.10s", head);
	fputs(" --", to);
	const size_t printed = print_files_to_diff(c, f, files, count, to);
	if (fclose(to) == 0 && printed)
		return text;
	free(text);
	return NULL;
}

static int remark_files(struct comparison *c, const struct files_between *f,
			const struct changed_file *const *files, size_t count, const char *id,
			const struct said_of_files *say, struct cg_error *err)
{
	return count ? remarks_add(&c->remarks, REMARK_WARNING, id, say_files(files, count, say),
				   advise_git_diff(c, f, files, count), err)
		     : CG_OK;
}

/* Beside a source that differs, too, they are worth a word if the build is known to use them. */
static int remark_build_files(struct comparison *c, const struct files_between *f,
			      const struct changed_file **files, struct cg_error *err)
{
	static const struct said_of_files alone = {
		"", "build file", "",
		", but no source of a measured function changed: the reason is probably how the "
		"program was built"
	};
	static const struct said_of_files beside = {
		"", "build file", "", ", too: the reason may be how the program was built"
	};
	bool sources;
	const size_t count = keep_build_files(c, f, files, &sources);

	if (sources && !f->all_used)
		return CG_OK;
	return remark_files(c, f, files, count, "build-files", sources ? &beside : &alone, err);
}

static int remark_input_files(struct comparison *c, const struct files_between *f,
			      const struct changed_file **files, struct cg_error *err)
{
	static const struct said_of_files read = { "The build or the program reads ", "file",
						   ", which", "" };

	return remark_files(c, f, files, keep_input_files(c, f, files), REMARK_OF_INPUT, &read,
			    err);
}

static int remark_attributes(struct comparison *c, const struct files_between *f,
			     const struct changed_file **files, struct cg_error *err)
{
	static const struct said_of_files checked_out = {
		"", "file", "", ", so git may check out the same files with other contents"
	};

	return remark_files(c, f, files, keep_attributes(f, files), "attribute-files", &checked_out,
			    err);
}

int remarking_find_build(struct comparison *c, const struct project *project, struct cg_error *err)
{
	struct files_between f = { 0 };
	const struct changed_file **files = NULL;
	const struct diff *d = c->diff;

	if (d->options.missing != DIFF_BOTH_THERE ||
	    !diff_is_change(diff_classify_change(d, diff_base_value(d, d->base->total),
						 diff_head_value(d, d->head->total))))
		return CG_OK;
	int status = files_between_find(c, project, &f, err);
	files = calloc(f.files.count + 1, sizeof *files);
	if (!status && !files)
		status = cg_fail_nomem(err);
	if (!status)
		status = remark_build_files(c, &f, files, err);
	if (!status && f.all_used)
		status = remark_input_files(c, &f, files, err);
	if (!status)
		status = remark_attributes(c, &f, files, err);
	free(files);
	changed_files_free(&f.files);
	return status;
}
