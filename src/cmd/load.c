#include "src/cmd/load.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/error.h"
#include "src/cmd/common.h"
#include "src/diff/environment.h"

/* When the last of the files was written. */
static char *time_of(const struct path_list *files)
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

/* An empty file of Valgrind may have others beside it. */
static void explain_empty_file(const char *path, struct cg_error *err)
{
	struct stat st;
	char *thread;

	if (stat(path, &st) != 0 || st.st_size != 0 || asprintf(&thread, "%s-01", path) < 0)
		return;
	if (access(thread, F_OK) == 0)
		cg_error_context(err, "Valgrind wrote a file per thread, read them all with '%s*'", path);
	free(thread);
}

/* What is wrong with several files together is wrong with what they were named by. */
static int read_files(const struct path_list *files, const char *name,
		      const struct cg_read_options *options, struct cg_profile **out,
		      struct cg_error *err)
{
	int status = cg_read_files((const char *const *)files->paths, files->count, options, out, err);
	if (status == CG_ECHOICE)
		cg_error_context(err, "choose a process with --pid=N, or add them up with --pid=all");
	if (status == CG_ESYNTAX && files->count == 1)
		explain_empty_file(files->paths[0], err);
	if ((status == CG_ECHOICE || status == CG_EINVAL) && !err->file[0])
		snprintf(err->file, sizeof err->file, "%s", name);
	return status;
}

static bool is_selective(const struct cg_selection *s)
{
	return s && (s->every_process || s->npids || s->nthreads || s->nparts || s->ntriggers);
}

/* Says nothing to the user, so that two can be read at once. */
static int load(const struct project *project, const char *const *operands, size_t count,
		const struct cg_read_options *options, struct loaded *out, struct cg_error *err)
{
	struct loaded l = { 0 };
	bool merge = options->selection && options->selection->merge;
	int status = find_files(project, operands, count, merge, &l.files, err);
	if (!status)
		status = name_profile(operands, count, &l.name, err);
	if (!status)
		status = read_files(&l.files, l.name, options, &l.profile, err);
	if (status) {
		loaded_free(&l);
		return status;
	}
	l.when = time_of(&l.files);
	l.origin = (struct report_origin){
		.name = l.name,
		.path = l.files.count == 1 ? l.files.paths[0] : NULL,
		.command = l.profile->nparts && l.profile->parts[0].command ?
				   cg_string(l.profile, l.profile->parts[0].command) : NULL,
		.commit = cg_desc_value(l.profile, SUBJECT_PREFIX "commit"),
		.when = l.when,
		.selected = is_selective(options->selection),
	};
	*out = l;
	return CG_OK;
}

/* The law of every file: its costs add up to what it says. */
static void warn_about_totals(const struct cg_profile *p)
{
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++) {
		const struct cg_part *part = &p->parts[i];
		if (!cg_part_adds_up(p, part, &event))
			print_warning("%s: the costs of part %" PRIu64 " add up to %" PRId64 " %s, but its "
				      "totals line says %" PRId64 "; the sum of the costs is used",
				      cg_string(p, part->file), part->number ? part->number : i + 1,
				      part->self[event], cg_string(p, p->events[event].name),
				      part->totals[event]);
	}
}

/* 0 for parts that are the same in all but the file they are in; any order else. */
static int compare_parts(const struct cg_profile *p, const struct cg_part *a,
			 const struct cg_part *b)
{
	const uint64_t x[] = { a->pid, a->thread, a->number, a->command };
	const uint64_t y[] = { b->pid, b->thread, b->number, b->command };
	int order = memcmp(x, y, sizeof x);
	return order ? order : memcmp(a->self, b->self, p->nevents * sizeof *a->self);
}

static int compare_places(const void *left, const void *right, void *context)
{
	const struct cg_part *a = *(const struct cg_part *const *)left;
	const struct cg_part *b = *(const struct cg_part *const *)right;
	int order = compare_parts(context, a, b);
	return order ? order : (a > b) - (a < b);
}

/* Who merges runs may have named one of them twice. Files that do not state a
 * process are taken for different ones. */
static void warn_about_copies(struct cg_profile *p)
{
	const struct cg_part **parts = calloc((size_t)p->nparts + 1, sizeof *parts);
	if (!parts)
		return;
	for (uint32_t i = 0; i < p->nparts; i++)
		parts[i] = &p->parts[i];
	qsort_r(parts, p->nparts, sizeof *parts, compare_places, p);
	for (uint32_t i = 1; i < p->nparts; i++)
		if (parts[i]->pid && parts[i - 1]->file != parts[i]->file &&
		    compare_parts(p, parts[i - 1], parts[i]) == 0)
			print_warning("%s and %s hold the same part of pid %" PRIu64 " with the "
				      "same costs; both are counted",
				      cg_string(p, parts[i - 1]->file),
				      cg_string(p, parts[i]->file), parts[i]->pid);
	free(parts);
}

static void warn(const struct loaded *l)
{
	if (l->profile->skipped)
		print_warning("%s: malformed lines skipped: %" PRIu64, l->name, l->profile->skipped);
	warn_about_totals(l->profile);
	warn_about_copies(l->profile);
}

int load_profile(const struct project *project, const char *const *operands, size_t count,
		 const struct cg_read_options *options, struct loaded *out, struct cg_error *err)
{
	int status = load(project, operands, count, options, out, err);
	if (!status)
		warn(out);
	return status;
}

struct loading {
	const struct project *project;
	const char *operand;
	const struct cg_read_options *options;
	struct loaded *out;
	struct cg_error err;
	int status;
};

static void *load_one(void *context)
{
	struct loading *l = context;
	l->status = load(l->project, &l->operand, 1, l->options, l->out, &l->err);
	return NULL;
}

int load_profiles(const struct project *project, const char *base, const char *head,
		  const struct cg_read_options *options, struct loaded *base_out,
		  struct loaded *head_out, struct cg_error *err)
{
	struct loading b = { project, base, options, base_out, { 0 }, CG_OK };
	struct loading h = { project, head, options, head_out, { 0 }, CG_OK };
	pthread_t thread;
	/* Only one of them can be the standard input; the other one must fail as it would alone. */
	bool aside = strcmp(base, "-") != 0 && strcmp(head, "-") != 0 &&
		     pthread_create(&thread, NULL, load_one, &h) == 0;

	load_one(&b);
	if (aside)
		pthread_join(thread, NULL);
	else if (!b.status)
		load_one(&h);
	if (b.status || h.status) {
		*err = b.status ? b.err : h.err;
		return b.status ? b.status : h.status;
	}
	warn(base_out);
	warn(head_out);
	return CG_OK;
}

void loaded_free(struct loaded *l)
{
	cg_profile_free(l->profile);
	path_list_free(&l->files);
	free(l->name);
	free(l->when);
	*l = (struct loaded){ 0 };
}
