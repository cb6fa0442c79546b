#include "src/load/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cgprofile/error.h"
#include "src/diff/environment.h"
#include "src/diff/metric.h"
#include "src/formats/formats.h"
#include "src/load/commit_source.h"
#include "src/load/hints.h"
#include "src/load/loading.h"
#include "src/load/part_warnings.h"
#include "src/load/project.h"
#include "src/load/work_tree.h"
#include "src/store/cache.h"
#include "src/store/code_file.h"
#include "src/store/find_profile.h"

/* When the last of the files was written: *written, and as text; NULL: not known. */
static char *time_of(const struct path_list *files, int64_t *written)
{
	char text[40];
	struct stat st;
	struct tm tm;
	time_t last = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (stat(files->paths[i], &st) != 0)
			return NULL;
		last = i == 0 || st.st_mtime > last ? st.st_mtime : last;
	}
	if (!localtime_r(&last, &tm) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm))
		return NULL;
	*written = last;
	return strdup(text);
}

static int find_files(const struct project *project, const char *const *operands, size_t count,
		      bool merge, struct path_list *files, struct cg_error *err)
{
	int status = store_find_profiles(project->root, operands[0], files, err);
	for (size_t i = 1; !status && i < count; i++)
		status = merge ? store_find_profiles(project->root, operands[i], files, err)
			       : path_list_add(files, operands[i], err);
	return status;
}

static int name_profile(const char *const *operands, size_t count, char **name,
			struct cg_error *err)
{
	int length = count == 1 ? asprintf(name, "%s", operands[0])
				: asprintf(name, "%s and %zu more file%s", operands[0], count - 1,
					   count > 2 ? "s" : "");
	if (length >= 0)
		return CG_OK;
	*name = NULL;
	return cg_fail_nomem(err);
}

/* Next to an empty file of Valgrind there may be others. */
static void explain_empty_file(const char *path, struct cg_error *err)
{
	struct stat st;
	char *thread;

	if (stat(path, &st) != 0 || st.st_size != 0 || asprintf(&thread, "%s-01", path) < 0)
		return;
	if (access(thread, F_OK) == 0)
		cg_error_context(
			err, "Valgrind wrote one file per thread; read them all with '%s*'", path);
	free(thread);
}

/* Adds an option to the message of the library, which knows no options, about a file that was cut
 * between two lines. */
static void explain_cut_file(struct cg_error *err)
{
	static const char cut[] = "it is truncated", hint[] = "; --lenient reads what is left";
	size_t len = strlen(err->message), end = sizeof cut - 1;

	if (len >= end && strcmp(err->message + len - end, cut) == 0)
		snprintf(err->message + len, sizeof err->message - len, "%s", hint);
}

/* Errors about several files together name the operand. */
static int read_files(const struct path_list *files, const char *name,
		      const struct cg_read_options *options, struct cg_profile **out,
		      struct cg_error *err)
{
	struct cg_read_options read = *options;

	read.formats = formats_of_json;
	int status = cg_read_files((const char *const *)files->paths, files->count, &read, out,
				   err);
	if (status == CG_ECHOICE)
		cg_error_context(err,
				 "choose a process with --pid=N, or add them up with --pid=all");
	if (status == CG_ESYNTAX && files->count == 1)
		explain_empty_file(files->paths[0], err);
	if (status == CG_ESYNTAX && !options->lenient)
		explain_cut_file(err);
	if ((status == CG_ECHOICE || status == CG_EINVAL) && !err->file[0])
		snprintf(err->file, sizeof err->file, "%s", name);
	return status;
}

static bool is_selective(const struct cg_selection *s)
{
	return s && (s->every_process || s->npids || s->nthreads || s->nparts || s->ntriggers);
}

/* With addresses, what is at them. */
static bool wants_code(const struct load_options *options)
{
	return options->read.detail.addresses;
}

static bool wants_sources(const struct load_options *options)
{
	return options->sources || options->read.detail.lines || wants_code(options);
}

/* Puts the file with inlined functions in the place of that of a label, if there is one; with
 * it belong the source files, if lines are wanted, and the machine code. */
static int prefer_stored(const struct project *project, const char *operand,
			 const struct load_options *options, struct loaded *l, struct cg_error *err)
{
	struct path_list *files = &l->files;
	struct stored_variant found = { 0 };
	int status = files->count == 1
			     ? stored_variant_find(project->root, operand, options->stored,
						   files->paths[0], &found, err)
			     : CG_OK;

	if (!status && found.is_label && wants_sources(options))
		status = stored_sources_load(project->root, operand, &l->sources, err);
	if (!status && found.code && wants_code(options))
		status = code_file_load(found.code, &l->code, err);
	if (is_selective(options->read.selection))
		cg_code_forget_jumps(&l->code); /* they are those of all parts */
	if (!status && found.profile) {
		free(files->paths[0]);
		files->paths[0] = found.profile;
		found.profile = NULL;
		l->contexts = options->stored == STORED_CONTEXTS;
		l->is_variant = true;
	}
	stored_variant_free(&found);
	return status;
}

int loaded_used_files(const struct project *project, const struct loaded *l, struct used_files *out,
		      struct cg_error *err)
{
	*out = (struct used_files){ 0 };
	return l->is_variant ? stored_used_files_load(project->root, l->name, out, err) : CG_OK;
}

bool loaded_is_lasting(const struct loaded *l)
{
	struct stat st;
	for (size_t i = 0; i < l->files.count; i++)
		if (stat(l->files.paths[i], &st) != 0 || !S_ISREG(st.st_mode))
			return false;
	return true;
}

uint64_t loading_size(const struct path_list *files)
{
	struct stat st;
	uint64_t bytes = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (stat(files->paths[i], &st) != 0 || !S_ISREG(st.st_mode))
			return UNKNOWN_SIZE;
		bytes += (uint64_t)st.st_size;
	}
	return bytes;
}

static void expect_files(struct progress *p, const struct path_list *files, unsigned times)
{
	uint64_t bytes = p ? loading_size(files) : UNKNOWN_SIZE;

	if (bytes != UNKNOWN_SIZE)
		progress_expect(p, times * bytes);
}

struct progress *loading_progress(const struct project *project, const struct load_options *options,
				  const char *what, const char *name)
{
	return options->unwatched ? NULL : progress_begin(project->notices, what, name);
}

int loading_inlined(const struct project *project, const struct load_options *options,
		    struct loaded *l, struct cg_error *err)
{
	enum { TIMES = 2 }; /* that files are read for it */
	struct cg_read_options read = options->read;

	read.formats = formats_of_json;
	if (options->read.fold_inlined)
		return CG_OK;
	l->apart = true;
	int status = inlining_stored(l->profile, &l->inlining, err);
	if (status || !loaded_is_lasting(l) || l->inlining.report.source == INLINING_STORED)
		return status;
	struct progress *p = loading_progress(project, options, "looking up inlined functions of",
					      l->name);
	expect_files(p, &l->files, TIMES);
	read.progress = p ? progress_add : NULL;
	read.progress_context = p;
	status = inlining_look_up((const char *const *)l->files.paths, l->files.count, &read,
				  options->lookup, &l->profile, &l->inlining, err);
	progress_end(p);
	return status;
}

void loading_describe(struct loaded *l, const struct load_options *options)
{
	const struct cg_profile *p = l->profile;
	cg_str command = p->nparts ? p->parts[0].command : 0;
	l->origin = (struct report_origin){
		.name = l->name,
		.path = l->path,
		.command = command ? cg_string(p, command) : NULL,
		.commit = l->commit ? l->commit : cg_desc_value(p, SUBJECT_PREFIX "commit"),
		.changed = environment_is_dirty(p),
		.when = l->when,
		.written = l->written,
		.inlining = &l->inlining.report,
		.selected = is_selective(options->read.selection),
	};
}

static void find_subject(const struct project *project, struct loaded *l)
{
	l->commit = cache_commit_of_same_run(project->root, l->path);
	l->changed = cache_is_of_changes(l->path);
}

int loading_find(const struct project *project, const char *const *operands, size_t count,
		 const struct load_options *options, struct loaded *l, struct cg_error *err)
{
	const struct cg_selection *selection = options->read.selection;
	bool merge = selection && selection->merge;
	int status = find_files(project, operands, count, merge, &l->files, err);
	if (!status)
		status = name_profile(operands, count, &l->name, err);
	if (!status && l->files.count == 1 && !(l->path = strdup(l->files.paths[0])))
		status = cg_fail_nomem(err);
	if (!status && l->path)
		find_subject(project, l);
	if (!status && wants_sources(options))
		status = work_tree_find(project->root, &l->tree, err);
	if (!status && count == 1 && (options->stored != STORED_PLAIN || wants_sources(options)))
		status = prefer_stored(project, operands[0], options, l, err);
	return status;
}

int loaded_commit_source(const struct project *project, const struct loaded *l, const char *tree,
			 struct commit_source **out, struct cg_error *err)
{
	return commit_source_new(l->profile, l->changed ? NULL : l->commit, tree, project->commits,
				 out, err);
}

static int set_fact(struct cg_profile *p, const char *key, const char *value)
{
	for (uint32_t i = 0; i < p->ndescs; i++)
		if (strcmp(cg_string(p, p->descs[i].key), key) == 0)
			return cg_strings_add(&p->strings, value, strlen(value),
					      &p->descs[i].value);
	return CG_OK;
}

/* Of an entry that shares the run of another one, the profile has that one's commit. */
static int correct_subject(const struct loaded *l, struct cg_error *err)
{
	if (!l->commit)
		return CG_OK;
	return set_fact(l->profile, SUBJECT_PREFIX "commit", l->commit) ||
			       set_fact(l->profile, SUBJECT_PREFIX "dirty",
					l->changed ? "yes" : "no")
		       ? cg_fail_nomem(err)
		       : CG_OK;
}

int loading_read(const struct project *project, const struct load_options *options,
		 struct progress *progress, struct loaded *l, struct cg_error *err)
{
	struct cg_read_options read = options->read;

	expect_files(progress, &l->files, 1);
	read.progress = progress ? progress_add : NULL;
	read.progress_context = progress;
	int status = read_files(&l->files, l->name, &read, &l->profile, err);
	if (l->is_variant && (status == CG_ESYNTAX || status == CG_EIO))
		stored_variant_advise(err);
	if (!status)
		status = correct_subject(l, err);
	if (!status)
		status = loaded_commit_source(project, l, l->tree, &l->at_commit, err);
	l->when = time_of(&l->files, &l->written);
	return status;
}

int loading_operands(const struct project *project, const char *const *operands, size_t count,
		     const struct load_options *options, struct progress *progress,
		     struct loaded *out, struct cg_error *err)
{
	struct loaded l = { 0 };
	int status = loading_find(project, operands, count, options, &l, err);
	if (!status)
		status = loading_read(project, options, progress, &l, err);
	if (status)
		loaded_free(&l);
	else
		*out = l;
	return status;
}

static void mention_ignored(const struct notices *n, const struct loaded *l)
{
	const struct cg_profile *p = l->profile;

	for (uint32_t i = 0; i < p->ndescs; i++)
		if (strcmp(cg_string(p, p->descs[i].key), CG_IGNORED_KEY) == 0)
			notice_message(n, "%s: ignored: %s", l->name,
				       cg_string(p, p->descs[i].value));
}

void loading_warn(const struct notices *n, const struct loaded *l)
{
	if (metric_lacks_costs(l->profile))
		notice_warning(n, "%s: no function has a cost", l->name);

	if (l->profile->skipped)
		notice_warning(n, "%s: malformed lines skipped: %" PRIu64, l->name,
			       l->profile->skipped);
	warn_about_parts(n, l->profile);
	mention_ignored(n, l);
}

int load_profile(const struct project *project, const char *const *operands, size_t count,
		 const struct load_options *options, struct loaded *out, struct cg_error *err)
{
	struct progress *p = loading_progress(project, options, "reading", operands[0]);
	int status = loading_operands(project, operands, count, options, p, out, err);
	progress_end(p);
	if (!status)
		status = loading_inlined(project, options, out, err);
	if (status)
		return status;
	loading_describe(out, options);
	if (!options->silent)
		loading_warn(project->notices, out);
	return CG_OK;
}

struct load_options load_options_from(const struct reading_options *o,
				      const struct cg_selection *selection, struct cg_detail detail)
{
	bool fold = inlines_folded(o->inlines);

	return (struct load_options){
		.read = { .lenient = o->lenient,
			  .detail = detail,
			  .fold_inlined = fold,
			  .keep_interpreters = inlines_interpreters(o->inlines),
			  .join_cold = !fold,
			  .selection = selection },
		.stored = detail.contexts    ? STORED_CONTEXTS
			  : detail.addresses ? STORED_INSTRUCTIONS
			  : fold             ? STORED_PLAIN
					     : STORED_LINES,
		.lookup = inlines_lookup(o->inlines),
	};
}

int load_profile_as(const struct project *project, const char *const *operands, size_t count,
		    const struct reading_options *o, struct cg_detail detail,
		    struct part_selection *selection, struct loaded *out, struct cg_error *err)
{
	const struct load_options options = load_options_from(o, &selection->chosen, detail);
	int status = part_selection_parse(&o->selection, selection, err);

	if (!status)
		status = load_profile(project, operands, count, &options, out, err);
	if (!status)
		warn_about_inlines(project->notices, o->inlines, out->profile, out->name);
	return status;
}

int loaded_rename(struct loaded *l, const char *name, struct cg_error *err)
{
	char *copy = strdup(name);
	if (!copy)
		return cg_fail_nomem(err);
	free(l->name);
	l->name = copy;
	l->origin.name = copy;
	return CG_OK;
}

void loaded_free(struct loaded *l)
{
	cg_profile_free(l->profile);
	inlining_free(&l->inlining);
	sources_free(&l->sources);
	cg_code_free(&l->code);
	commit_source_free(l->at_commit);
	path_list_free(&l->files);
	free(l->name);
	free(l->path);
	free(l->tree);
	free(l->commit);
	free(l->when);
	*l = (struct loaded){ 0 };
}
