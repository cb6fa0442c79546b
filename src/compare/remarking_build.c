/* Files that changed and are not source: how the program is built, and what it reads. No line of
 * its source shows that. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/compare/changed_files.h"
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

/* Keeps the build files among the paths; *sources: whether others are sources of measured
 * functions. */
static size_t keep_build_files(const struct comparison *c, const struct changed_files *f,
			       const char **kept, bool *sources)
{
	size_t count = 0;

	*sources = false;
	for (size_t i = 0; i < f->paths.count; i++) {
		const char *path = f->paths.items[i];
		*sources |= is_of_measured(c, path);
		if (is_build_file(path))
			kept[count++] = path;
	}
	return count;
}

/* Keeps what is neither source nor a build file: a compiler reads source, too. */
static size_t keep_input_files(const struct comparison *c, const struct changed_files *f,
			       const char **kept)
{
	size_t count = 0, inputs = 0;

	for (size_t i = 0; i < f->paths.count; i++) {
		const char *path = f->paths.items[i];
		const bool input = inputs < f->inputs.count &&
				   strcmp(f->inputs.items[inputs], path) == 0;
		inputs += input;
		if ((input || (!source_is_code(path) && !is_build_file(path))) &&
		    !is_of_measured(c, path))
			kept[count++] = path;
	}
	return count;
}

enum { FILES_SAID = 3 };

/* "a.txt, b.txt, c.txt and 3 more KINDs WHAT" */
static char *say_files(const char *const *files, size_t count, const char *kind, const char *what)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (size_t i = 0; i < count && i < FILES_SAID; i++) {
		fputs(i ? ", " : "", to);
		text_print_name(to, files[i], 80);
	}
	if (count > FILES_SAID)
		fprintf(to, " and %zu more %s%s", count - FILES_SAID, kind,
			count - FILES_SAID == 1 ? "" : "s");
	fputs(what, to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static const char *commit_of(const struct loaded *l)
{
	return l->commit ? l->commit : cg_desc_value(l->profile, SUBJECT_PREFIX "commit");
}

static char *advise_changed_files(const struct comparison *c, const char *const *files,
				  size_t count)
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
	for (size_t i = 0; i < count && i < FILES_SAID; i++) {
		fputc(' ', to);
		shell_print_word(to, files[i]);
	}
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Beside a source that changed, too, they are worth a word if the build is known to use them. */
static int remark_build_files(struct comparison *c, const struct changed_files *f,
			      const char **files, struct cg_error *err)
{
	static const char alone[] =
		" changed, but no source of a function that was measured: the reason is probably "
		"how the program was built";
	static const char beside[] = " changed, too: the reason may be how the program was built";
	bool sources;
	const size_t count = keep_build_files(c, f, files, &sources);
	const char *const what = sources ? beside : alone;

	if (!count || (sources && !f->all_used))
		return CG_OK;
	return remarks_add(&c->remarks, REMARK_WARNING, "build-files",
			   say_files(files, count, "build file", what),
			   advise_changed_files(c, files, count), err);
}

static int remark_input_files(struct comparison *c, const struct changed_files *f,
			      const char **files, struct cg_error *err)
{
	static const char what[] = " changed, which the build or the program reads";
	const size_t count = keep_input_files(c, f, files);

	return count ? remarks_add(&c->remarks, REMARK_WARNING, REMARK_OF_INPUT,
				   say_files(files, count, "file", what),
				   advise_changed_files(c, files, count), err)
		     : CG_OK;
}

int remarking_find_build(struct comparison *c, const struct project *project, struct cg_error *err)
{
	struct changed_files f = { 0 };
	const char **files = NULL;
	const struct diff *d = c->diff;

	if (d->options.missing != DIFF_BOTH_THERE ||
	    !diff_is_change(diff_classify_change(d, diff_base_value(d, d->base->total),
						 diff_head_value(d, d->head->total))))
		return CG_OK;
	int status = changed_files_find(c, project, &f, err);
	files = calloc(f.paths.count + 1, sizeof *files);
	if (!status && !files)
		status = cg_fail_nomem(err);
	if (!status)
		status = remark_build_files(c, &f, files, err);
	if (!status && f.all_used)
		status = remark_input_files(c, &f, files, err);
	free(files);
	changed_files_free(&f);
	return status;
}
