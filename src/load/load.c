#include "src/load/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/build.h"
#include "callgrind/support/thread.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/diff/diff.h"
#include "src/diff/environment.h"
#include "src/diff/metric.h"
#include "src/formats/formats.h"
#include "src/load/commit_source.h"
#include "src/load/hints.h"
#include "src/load/part_warnings.h"
#include "src/load/project.h"
#include "src/load/work_tree.h"
#include "src/status/progress.h"
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

bool loaded_is_lasting(const struct loaded *l)
{
	struct stat st;
	for (size_t i = 0; i < l->files.count; i++)
		if (stat(l->files.paths[i], &st) != 0 || !S_ISREG(st.st_mode))
			return false;
	return true;
}

/* How much there is to read; UNKNOWN_SIZE: of some file it is not known. */
#define UNKNOWN_SIZE UINT64_MAX

static uint64_t size_of_files(const struct path_list *files)
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
	uint64_t bytes = p ? size_of_files(files) : UNKNOWN_SIZE;

	if (bytes != UNKNOWN_SIZE)
		progress_expect(p, times * bytes);
}

/* NULL: nobody is to see it. */
static struct progress *load_progress(const struct project *project,
				      const struct load_options *options, const char *what,
				      const char *name)
{
	return options->unwatched ? NULL : progress_begin(project->notices, what, name);
}

/* Finds the inlined functions of what was read. */
static int find_inlined(const struct project *project, const struct load_options *options,
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
	struct progress *p = load_progress(project, options, "looking up inlined functions of",
					   l->name);
	expect_files(p, &l->files, TIMES);
	read.progress = p ? progress_add : NULL;
	read.progress_context = p;
	status = inlining_look_up((const char *const *)l->files.paths, l->files.count, &read,
				  options->lookup, &l->profile, &l->inlining, err);
	progress_end(p);
	return status;
}

/* Points into the profile, so it is the last thing to be known of it. */
static void set_origin(struct loaded *l, const struct load_options *options)
{
	const struct cg_profile *p = l->profile;
	cg_str command = p->nparts ? p->parts[0].command : 0;
	l->origin = (struct report_origin){
		.name = l->name,
		.path = l->path,
		.command = command ? cg_string(p, command) : NULL,
		.commit = cg_desc_value(p, SUBJECT_PREFIX "commit"),
		.changed = environment_is_dirty(p),
		.when = l->when,
		.written = l->written,
		.inlining = &l->inlining.report,
		.selected = is_selective(options->read.selection),
	};
}

static int find_input(const struct project *project, const char *const *operands, size_t count,
		      const struct load_options *options, struct loaded *l, struct cg_error *err)
{
	const struct cg_selection *selection = options->read.selection;
	bool merge = selection && selection->merge;
	int status = find_files(project, operands, count, merge, &l->files, err);
	if (!status)
		status = name_profile(operands, count, &l->name, err);
	if (!status && l->files.count == 1 && !(l->path = strdup(l->files.paths[0])))
		status = cg_fail_nomem(err);
	if (!status && wants_sources(options))
		status = work_tree_find(project->root, &l->tree, err);
	if (!status && count == 1 && (options->stored != STORED_PLAIN || wants_sources(options)))
		status = prefer_stored(project, operands[0], options, l, err);
	return status;
}

/* Says nothing to the user, so that two can be read at once; looking inlined functions up
 * is left, which elfutils does not want at once. */
static int read_found_files(const struct project *project, const struct load_options *options,
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
		status = commit_source_new(l->profile, l->tree, project->commits, &l->at_commit,
					   err);
	l->when = time_of(&l->files, &l->written);
	return status;
}

/* On failure *out is untouched. */
static int load_operands(const struct project *project, const char *const *operands, size_t count,
			 const struct load_options *options, struct progress *progress,
			 struct loaded *out, struct cg_error *err)
{
	struct loaded l = { 0 };
	int status = find_input(project, operands, count, options, &l, err);
	if (!status)
		status = read_found_files(project, options, progress, &l, err);
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

static void warn_about_profile(const struct notices *n, const struct loaded *l)
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
	struct progress *p = load_progress(project, options, "reading", operands[0]);
	int status = load_operands(project, operands, count, options, p, out, err);
	progress_end(p);
	if (!status)
		status = find_inlined(project, options, out, err);
	if (status)
		return status;
	set_origin(out, options);
	if (!options->silent)
		warn_about_profile(project->notices, out);
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

struct loading_side {
	const struct project *project;
	const char *operand;
	const struct load_options *options;
	struct progress *progress;
	struct loaded found, *out;
	struct cg_error err;
	int status;
	bool folded; /* read again without inlined functions */
};

static void find_one_of_two(struct loading_side *l)
{
	l->status = find_input(l->project, &l->operand, 1, l->options, &l->found, &l->err);
}

static void read_one_of_two(void *context)
{
	struct loading_side *l = context;
	if (!l->status)
		l->status = read_found_files(l->project, l->options, l->progress, &l->found,
					     &l->err);
	if (l->status)
		loaded_free(&l->found);
	else
		*l->out = l->found;
}

/* Only one can be the standard input; the other one must fail as it would alone. */
static bool is_read_aside(const struct loading_side *b, const struct loading_side *h)
{
	const uint64_t worth_a_thread = 256 * 1024;

	return strcmp(b->operand, "-") != 0 && strcmp(h->operand, "-") != 0 &&
	       size_of_files(&b->found.files) >= worth_a_thread &&
	       size_of_files(&h->found.files) >= worth_a_thread;
}

/* Where a profile does not name inlined functions, it may just have none. */
static bool is_looked_up(const struct loaded *l)
{
	return l->inlining.report.source > INLINING_NAMED;
}

static bool is_missing(const struct loaded *l, const char *object)
{
	const struct report_inlining *i = &l->inlining.report;
	for (size_t m = 0; m < i->nmissing; m++)
		if (strcmp(cg_base_name(i->missing[m].object), cg_base_name(object)) == 0)
			return true;
	return false;
}

/* An object of weight whose inlined functions only the other side may know; NULL if there
 * is none. */
static const char *lacking_object(const struct loaded *l, const struct loaded *other)
{
	const double least = 0.01;
	const struct cg_profile *p = l->profile;
	const struct report_inlining *i = &l->inlining.report;

	for (size_t m = 0; m < i->nmissing; m++) {
		const char *object = i->missing[m].object;
		/* Texts have no directories. */
		const char *called = diff_self_only(p) ? cg_base_name(object) : object;
		double cost = (double)inlining_object_cost(p, called, 0);
		if (cost > least * (double)p->total[0] && !is_missing(other, object))
			return object;
	}
	return NULL;
}

static bool is_all_unknown(const struct loaded *l)
{
	return l->inlining.report.source == INLINING_UNKNOWN;
}

/* What of a profile has inlined functions that are not known, while the other side's are. */
static const char *unknown_part(const struct loaded *l, const struct loaded *other)
{
	if (!is_looked_up(other))
		return NULL;
	if (!is_all_unknown(l))
		return lacking_object(l, other);
	const char *object = inlining_costliest(l->profile);
	return *object ? object : l->name;
}

static int reload(struct loading_side *l, const struct load_options *options, struct cg_error *err)
{
	loaded_free(l->out);
	struct progress *p = load_progress(l->project, l->options, "reading", l->operand);
	int status = load_operands(l->project, &l->operand, 1, options, p, l->out, err);
	progress_end(p);
	return status;
}

static int reload_folded(struct loading_side *l, struct cg_error *err)
{
	struct load_options folded = *l->options;
	if (!is_looked_up(l->out))
		return CG_OK;
	folded.read.fold_inlined = true;
	folded.read.join_cold = false;
	if (folded.stored == STORED_LINES)
		folded.stored = STORED_PLAIN;
	l->folded = true;
	return reload(l, &folded, err);
}

#define WARNING_OF_INLINES(text) \
	{ \
		"the inlined functions of ", text, text \
	}

static bool any_kept_apart(const struct loaded *base, const struct loaded *head)
{
	return inlining_kept_apart(base->profile) || inlining_kept_apart(head->profile);
}

/* Two profiles are only comparable if the inlined functions of both are known, or of none. */
static int fold_unlike(struct loading_side *b, struct loading_side *h, struct cg_error *err)
{
	static const struct warning_kind piped = WARNING_OF_INLINES(
		"are not known, and input from a pipe cannot be read again; compare with "
		"--inlines=no");
	static const struct warning_kind folded = WARNING_OF_INLINES(
		"are not known; in base and head, inlined code counts for the functions around it");
	static const struct warning_kind all_folded = WARNING_OF_INLINES(
		"and other code are not known; in base and head, inlined code counts for the "
		"functions around it");
	static const struct warning_kind one_sided = WARNING_OF_INLINES(
		"are known in only one of base and head, and a text baseline always counts inlined "
		"functions separately; functions may differ only because of that");
	bool silent = b->options->silent;
	const char *unknown = unknown_part(b->out, h->out);
	if (!unknown)
		unknown = unknown_part(h->out, b->out);
	if (!unknown)
		return CG_OK;
	bool apart = any_kept_apart(b->out, h->out);
	if (apart || !loaded_is_lasting(b->out) || !loaded_is_lasting(h->out)) {
		if (!silent)
			warnings_add(b->options->warnings, b->project->notices,
				     apart ? &one_sided : &piped, unknown);
		return CG_OK;
	}
	if (!silent)
		warnings_add(b->options->warnings, b->project->notices,
			     is_all_unknown(b->out) || is_all_unknown(h->out) ? &all_folded
									      : &folded,
			     unknown);
	int status = reload_folded(b, err);
	return status ? status : reload_folded(h, err);
}

/* What a text keeps apart cannot be folded, so its other side is not either. `apart` becomes the
 * options of both. */
static int unfold_like_text(struct loading_side *b, struct loading_side *h,
			    struct load_options *apart, struct cg_error *err)
{
	static const struct warning_kind kind = {
		"--inlines=no has no effect: ",
		"counts inlined functions separately",
		"count inlined functions separately",
	};
	struct loading_side *text = inlining_kept_apart(b->out->profile) ? b : h;
	struct loading_side *other = text == b ? h : b;

	*apart = *b->options;
	apart->read.fold_inlined = false;
	apart->read.join_cold = true;
	if (apart->stored == STORED_PLAIN)
		apart->stored = STORED_LINES;
	b->options = h->options = apart;
	if (diff_self_only(other->out->profile) || !loaded_is_lasting(other->out))
		return CG_OK;
	if (!apart->silent)
		warnings_add(apart->warnings, b->project->notices, &kind, text->out->name);
	return reload(other, apart, err);
}

/* Contexts tell paths apart that the other side cannot: all of these would be changes. They are
 * stored with labels, and not with a copy of a profile or that of another project. */
static int forget_contexts(struct loading_side *b, struct loading_side *h, struct cg_error *err)
{
	struct loading_side *more = b->out->contexts ? b : h;
	const struct loaded *less = more == b ? h->out : b->out;
	struct load_options plain = *more->options;

	if (b->out->contexts == h->out->contexts)
		return CG_OK;
	plain.stored = less->inlining.report.source == INLINING_UNKNOWN ? STORED_PLAIN
									: STORED_LINES;
	if (b->folded || h->folded) {
		plain.stored = STORED_PLAIN;
		plain.read.fold_inlined = true;
		plain.read.join_cold = false;
	}
	int status = reload(more, &plain, err);
	return status ? status : find_inlined(more->project, &plain, more->out, err);
}

static void load_both(struct loading_side *b, struct loading_side *h)
{
	struct progress *p = load_progress(b->project, b->options, "reading two profiles", NULL);
	struct cg_thread aside;
	b->progress = h->progress = p;
	find_one_of_two(b);
	find_one_of_two(h);
	bool both = is_read_aside(b, h);

	if (both)
		cg_thread_start(&aside, read_one_of_two, h);
	read_one_of_two(b);
	if (both)
		cg_thread_join(&aside);
	else if (!b->status)
		read_one_of_two(h);
	else
		loaded_free(&h->found);
	progress_end(p);
}

int load_profiles(const struct project *project, const char *base, const char *head,
		  const struct load_options *options, struct loaded *base_out,
		  struct loaded *head_out, struct cg_error *err)
{
	struct loading_side b = {
		.project = project, .operand = base, .options = options, .out = base_out
	};
	struct loading_side h = {
		.project = project, .operand = head, .options = options, .out = head_out
	};
	struct load_options apart;

	load_both(&b, &h);
	if (b.status || h.status) {
		*err = b.status ? b.err : h.err;
		return b.status ? b.status : h.status;
	}
	int status = CG_OK;
	if (options->read.fold_inlined && any_kept_apart(base_out, head_out)) {
		status = unfold_like_text(&b, &h, &apart, err);
		options = &apart;
	}
	if (!status)
		status = find_inlined(project, options, base_out, err);
	if (!status)
		status = find_inlined(project, options, head_out, err);
	if (!status && !options->read.fold_inlined)
		status = fold_unlike(&b, &h, err);
	if (!status)
		status = forget_contexts(&b, &h, err);
	if (status)
		return status;
	set_origin(base_out, options);
	set_origin(head_out, options);
	if (!options->silent) {
		warn_about_profile(project->notices, base_out);
		warn_about_profile(project->notices, head_out);
	}
	return CG_OK;
}

static int build_nothing(const struct cg_profile *like, struct cg_profile **out)
{
	const struct cg_detail detail = { .contexts = true };
	struct cg_builder *b;
	int status = cg_builder_new(&b, &detail);

	if (status)
		return status;
	for (uint32_t e = 0; !status && e < like->nevents; e++) {
		const char *name = cg_string(like, like->events[e].name);
		struct cg_event event = { 0 };
		status = cg_build_string(b, name, strlen(name), &event.name);
		if (!status)
			status = cg_build_event(b, &event);
	}
	if (!status)
		return cg_builder_finish(b, out);
	cg_builder_free(b);
	return status;
}

int make_nothing(const struct cg_profile *like, struct cg_profile **out, struct cg_error *err)
{
	return build_nothing(like, out) ? cg_fail_nomem(err) : CG_OK;
}

int load_profile_alone(const struct project *project, const char *operand,
		       const struct load_options *options, struct loaded *out,
		       struct loaded *nothing, struct cg_error *err)
{
	int status = load_profile(project, &operand, 1, options, out, err);

	if (status)
		return status;
	nothing->name = strdup("");
	status = nothing->name ? make_nothing(out->profile, &nothing->profile, err)
			       : cg_fail_nomem(err);
	if (status)
		return status;
	set_origin(nothing, options);
	return CG_OK;
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
	free(l->when);
	*l = (struct loaded){ 0 };
}
