#include "src/measure/keep_profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/coarsen.h"
#include "callgrind/paths.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/thread.h"
#include "cgprofile/writer.h"
#include "src/diff/environment.h"
#include "src/diff/metric.h"
#include "src/diff/run_notes.h"
#include "src/load/inlining.h"
#include "src/load/keep_sources.h"
#include "src/load/profile_events.h"
#include "src/load/project.h"
#include "src/measure/keep_code.h"
#include "src/measure/keep_meta.h"
#include "src/measure/run_result.h"
#include "src/measure/source_digest.h"
#include "src/run/build.h"
#include "src/run/count.h"
#include "src/status/ending.h"
#include "src/status/progress.h"
#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/store/packed.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

/* In the plain file deeper recursion is folded, as callgrind does by default. */
#define PLAIN_LEVELS 2

struct profile_keeping {
	const struct kept_run *run;
	const struct kept_profile *what;
	struct work_directory work;
	struct profile_paths files; /* in the work directory */
	struct cg_profile *fine;    /* until the others are made of it */
	struct cg_profile *profile;
	struct inlining inlining;
	char *(*descs)[2]; /* desc: lines of the files */
	size_t ndescs, descs_cap;
	struct cg_error err;
};

/* The contexts and the raw files, which a thread of its own writes: they are as large as the
 * rest. */
struct keeping_aside {
	const struct profile_keeping *k;
	uint64_t ncontexts; /* that were recorded, of so many functions */
	uint32_t nfunctions;
	int status;
	struct cg_error err;
};

static void free_keeping(struct profile_keeping *k)
{
	store_work_end(&k->work);
	profile_paths_free(&k->files);
	cg_profile_free(k->fine);
	cg_profile_free(k->profile);
	inlining_free(&k->inlining);
	for (size_t i = 0; i < k->ndescs; i++) {
		free(k->descs[i][0]);
		free(k->descs[i][1]);
	}
	free(k->descs);
}

/* Signals wait while a profile is written, so that nothing is left half-done. */
static int check_interrupts(struct profile_keeping *k)
{
	struct interrupts *interrupts = k->run->interrupts;

	interrupts_take(interrupts);
	if (!interrupts->signal)
		return CG_OK;
	return cg_fail(&k->err, CG_EIO, NULL, 0, "interrupted by signal %d (%s)",
		       interrupts->signal, strsignal(interrupts->signal));
}

/* Nothing collected although the program ran: the reason is nearly always the root. But a program
 * need not use the heap. */
static int check_total(struct profile_keeping *k)
{
	if (k->profile->total[0] > 0 || k->run->m->request.tool == RUN_DHAT)
		return CG_OK;
	const char *function = k->run->m->request.function;
	if (k->what->name)
		return cg_fail(
			&k->err, CG_EINTERNAL, NULL, 0,
			"the case counted no instructions; the compiler may have removed its code");
	if (function)
		return cg_fail(
			&k->err, CG_EINTERNAL, NULL, 0,
			"nothing was measured below '%s': no function of this name was called, or it was inlined "
			"(for C++, give the full demangled name)",
			function);
	return cg_fail(&k->err, CG_EINTERNAL, NULL, 0,
		       "nothing was measured: the profile is empty");
}

/* Costs that do not add up were not read as Valgrind counted them. */
static int check_parts_add_up(struct profile_keeping *k)
{
	const struct cg_profile *p = k->profile;
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++)
		if (!cg_part_adds_up(p, &p->parts[i], &event))
			return cg_fail(
				&k->err, CG_EINTERNAL, NULL, 0,
				"the profile that Valgrind wrote does not add up to its own totals in %s; a name in it may contain a line break",
				cg_string(p, p->events[event].name));
	return CG_OK;
}

/* ---- reading what Valgrind wrote ---- */

static int coarsen(struct profile_keeping *k, const struct cg_read_options *how,
		   struct cg_profile **out)
{
	int status = cg_coarsen(k->fine, how, out);
	return status ? cg_fail(&k->err, status, NULL, 0, "%s: %s", k->what->label,
				status == CG_ENOMEM ? "out of memory" : "its sums exceed 2^63")
		      : CG_OK;
}

/* As callgrind counts, which is what other tools show too. */
static int read_plain(struct profile_keeping *k)
{
	const struct cg_read_options options = {
		.detail = { .lines = true, .max_level = PLAIN_LEVELS },
	};
	int status = CG_OK;

	if (!k->fine)
		status = keep_read_fine(k->run, k->what->files, k->what->nfiles, &k->fine, &k->err);
	return status ? status : coarsen(k, &options, &k->profile);
}

/* ---- writing ---- */

static int add_desc(struct profile_keeping *k, const char *prefix, const char *key,
		    const char *value)
{
	char *full, *copy = strdup(value);
	if (!copy || cg_grow(&k->descs, &k->descs_cap, k->ndescs + 1, sizeof *k->descs) ||
	    asprintf(&full, "%s%s", prefix, key) < 0) {
		free(copy);
		return cg_fail_nomem(&k->err);
	}
	k->descs[k->ndescs][0] = full;
	k->descs[k->ndescs][1] = copy;
	k->ndescs++;
	return CG_OK;
}

/* Adds what is missing of an object, by the path that it has in what is written. */
static int add_missing_inlines(struct profile_keeping *k, const struct cg_inlines_object *object)
{
	const struct cg_inlines *in = k->run->inlines;
	const char *path = cg_strings_get(&in->strings, object->path), *rest = NULL;
	size_t i = 0;
	char *text;

	while (i < k->run->nrenamed && !(rest = cg_path_below(path, k->run->renamed[i].seen)))
		i++;
	int len = asprintf(&text, "%s: %s%s", cg_inlines_state_name(object->state),
			   rest ? k->run->renamed[i].real : path, rest ? rest : "");
	if (len < 0)
		return cg_fail_nomem(&k->err);
	int status = add_desc(k, "", INLINING_MISSING_KEY, text);
	free(text);
	return status;
}

/* Which inlined functions could be found; the texts are kept until the end. */
static int add_inlines(struct profile_keeping *k)
{
	const struct cg_inlines *in = k->run->inlines;
	int status = add_desc(k, "", INLINING_KEY, "by debug information");

	for (uint32_t i = 0; !status && i < in->nobjects; i++)
		if (in->objects[i].state != CG_INLINES_FOUND)
			status = add_missing_inlines(k, &in->objects[i]);
	return status;
}

/* Notes programs and libraries that were copied (copy: of irdiff.yml) and not built of the sources
 * that are measured. */
static int add_copied(struct profile_keeping *k)
{
	const struct measured_checkout *c = k->run->m->checkout;
	const struct run_result *r = k->run->result;
	int status = CG_OK;

	for (size_t i = 0; c && c->copied && i < r->nobjects; i++) {
		const char *rest = cg_path_below(r->objects[i], c->root);
		for (size_t n = 0; !status && rest && *rest && c->copied[n]; n++)
			if (strcmp(c->copied[n], rest + 1) == 0)
				status = add_desc(k, RUN_NOTES_PREFIX, "copied", c->copied[n]);
	}
	return status;
}

/* Where a build saw the project, it is called by the user's own place, or by that of builds. */
static int add_sources(struct profile_keeping *k)
{
	const struct measured_checkout *c = k->run->m->checkout;
	const char *const places[] = { c ? c->named : NULL, BUILD_PLACE };
	char digest[SOURCE_DIGEST];
	int status = source_digest(k->profile, c ? c->top : k->run->m->root, places, c ? 2 : 0,
				   digest, &k->err);

	return status || !*digest ? status : add_desc(k, RUN_NOTES_PREFIX, "sources", digest);
}

/* A benchmark whose heap is counted has two profiles. */
static int mark_heap(struct profile_keeping *k)
{
	const struct run_request *r = &k->run->m->request;

	if (r->tool == RUN_DHAT)
		return add_desc(k, "", METRIC_HEAP_KEY, METRIC_HEAP_HERE);
	return r->count & COUNT_HEAP ? add_desc(k, "", METRIC_HEAP_KEY, METRIC_HEAP_APART) : CG_OK;
}

static int collect_descs(struct profile_keeping *k)
{
	const struct fact_list *env = &k->run->fingerprint->environment;
	const struct fact_list *subject = &k->run->fingerprint->subject;
	int status = add_desc(k, "", "Option", "--separate-recs=2");

	if (!status && k->what->benchmark)
		status = add_desc(k, SUBJECT_PREFIX, "benchmark", k->what->benchmark);
	if (!status && k->what->name)
		status = add_desc(k, SUBJECT_PREFIX, "case", k->what->name);
	if (!status && k->run->m->definition)
		status = add_desc(k, SUBJECT_PREFIX, "definition", k->run->m->definition);
	if (!status)
		status = mark_heap(k);
	for (size_t i = 0; !status && i < env->count; i++)
		status = add_desc(k, ENVIRONMENT_PREFIX, env->facts[i].key, env->facts[i].value);
	for (size_t i = 0; !status && i < subject->count; i++)
		status = add_desc(k, SUBJECT_PREFIX, subject->facts[i].key,
				  subject->facts[i].value);
	for (size_t i = 0; !status && i < k->run->result->nnotes; i++)
		status = add_desc(k, RUN_NOTES_PREFIX, k->run->result->notes[i].key,
				  k->run->result->notes[i].value);
	if (!status)
		status = add_copied(k);
	if (!status)
		status = add_sources(k);
	if (!status)
		status = add_inlines(k);
	return status;
}

static const char *subject_command(const struct profile_keeping *k)
{
	return fact_list_get(&k->run->fingerprint->subject, "command");
}

static int write_kept_profile(const struct profile_keeping *k, const struct cg_profile *p,
			      bool keep_inlined, const char *path, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	struct cg_write_options options = {
		.creator = CREATOR,
		.command = subject_command(k),
		.descs = (const char *const(*)[2])k->descs,
		.ndescs = k->ndescs,
		.sums = true,
		.keep_inlined = keep_inlined,
		.paths = k->run->renamed,
		.npaths = k->run->nrenamed,
	};
	int status = new_file_begin(path, &file, &to, err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	status = cg_write_callgrind(p, &options, to);
	if (status == CG_ENOMEM) {
		new_file_abandon(file);
		return cg_fail_nomem(err);
	}
	return new_file_commit(file, err);
}

static int write_plain_callgrind(struct profile_keeping *k)
{
	return write_kept_profile(k, k->profile, false, k->files.callgrind, &k->err);
}

/* Contexts that are many times the functions took most of the time to record. What less of
 * them would have taken is not known without another run. */
static void mention_contexts(const struct keeping_aside *a)
{
	enum { MANY_TIMES = 10, LARGE = 32 << 20, FEWER = 10 };
	const struct profile_keeping *k = a->k;
	const struct run_result *r = k->run->result;
	uint64_t bytes = 0;

	for (size_t i = 0; i < k->what->nfiles; i++)
		bytes += r->profiles[k->what->files[i]].bytes;
	if (r->depth <= FEWER || bytes < LARGE || a->ncontexts / MANY_TIMES < a->nfunctions)
		return;
	notice_warning(
		k->run->m->notices,
		"%s has %" PRIu64 " calling contexts of %" PRIu32 " functions, %" PRIu64
		" MB, which slows the run; `depth: %d` in irdiff.yml, or irdiff profile --depth=%d, records fewer callers "
		"and estimates deeper paths",
		k->what->label, a->ncontexts, a->nfunctions - 1, bytes >> 20, FEWER, FEWER);
}

/* Writes it beside its place; it is packed at the end. */
static int write_packed_callgrind(const struct profile_keeping *k, const struct cg_profile *p,
				  const char *path, struct cg_error *err)
{
	char *unpacked;
	if (asprintf(&unpacked, "%s.text", path) < 0)
		return cg_fail_nomem(err);
	int status = write_kept_profile(k, p, true, unpacked, err);
	if (!status)
		status = store_compressed((const char *const[]){ unpacked }, 1, path, err);
	unlink(unpacked);
	free(unpacked);
	return status;
}

static struct cg_read_options with_inlined(const struct profile_keeping *k, struct cg_detail detail)
{
	return (struct cg_read_options){ .detail = detail,
					 .inlines = k->run->inlines,
					 .keep_interpreters = true,
					 .join_cold = true };
}

/* Code that has no addresses, as that of interpreters, has no instructions. */
static int write_instructions(struct profile_keeping *k)
{
	const struct cg_read_options options = with_inlined(
		k, (struct cg_detail){ .addresses = true, .max_level = 1 });
	struct cg_profile *p = NULL;

	if (!k->fine->of_addresses)
		return CG_OK;
	int status = coarsen(k, &options, &p);
	if (!status)
		status = write_packed_callgrind(k, p, k->files.instructions, &k->err);
	cg_profile_free(p);
	if (!status)
		status = keep_code(k->fine, k->run->renamed, k->run->nrenamed, k->files.code,
				   &k->err);
	return status;
}

static int write_lines(struct profile_keeping *k)
{
	const struct cg_read_options options = with_inlined(
		k, (struct cg_detail){ .lines = true, .max_level = PLAIN_LEVELS });
	struct cg_profile *p = NULL;
	int status = coarsen(k, &options, &p);
	cg_profile_free(k->fine);
	k->fine = NULL;
	if (!status)
		status = write_packed_callgrind(k, p, k->files.lines, &k->err);
	cg_profile_free(p);
	return status;
}

static int write_contexts(struct keeping_aside *a)
{
	const struct kept_profile *what = a->k->what;
	const struct cg_read_options options = with_inlined(a->k,
							    (struct cg_detail){ .contexts = true });
	struct cg_profile *p = NULL;
	int status = read_run(a->k->run->result, what->files, what->nfiles, &options, &p, &a->err);
	if (status)
		return status;
	a->nfunctions = p->nfunctions;
	for (uint32_t i = 1; i < p->nrecords; i++)
		a->ncontexts += !p->records[i].inlined_into;
	status = write_packed_callgrind(a->k, p, a->k->files.contexts, &a->err);
	cg_profile_free(p);
	return status;
}

/* Shows what was written, its header included. */
static int read_back(struct profile_keeping *k)
{
	struct cg_read_options options = { .detail = { .lines = true } };
	cg_profile_free(k->profile);
	k->profile = NULL;
	int status = cg_read_file(k->files.lines, &options, &k->profile, &k->err);
	return status ? status : inlining_stored(k->profile, &k->inlining, &k->err);
}

static int write_profile_text(struct profile_keeping *k, const char *path,
			      const struct show_report *report,
			      int (*render)(const struct show_report *, const struct text_style *,
					    FILE *))
{
	struct text_style plain = { .wide = true };
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, &k->err);
	if (status)
		return status;
	new_file_leave_unsynced(file);
	status = render(report, &plain, to);
	if (status) {
		new_file_abandon(file);
		return cg_fail_nomem(&k->err);
	}
	return new_file_commit(file, &k->err);
}

static int write_texts(struct profile_keeping *k)
{
	const struct cg_profile *p = k->profile;
	uint32_t *events = NULL;
	size_t nevents;
	struct flat *by_self = NULL, *by_inclusive = NULL;
	struct calls *calls = NULL;
	int status = parse_events(p, NULL, &events, &nevents, &k->err);
	struct flat_options options = { .sort = events, .nsort = nevents };

	if (!status)
		status = flat_make(p, &options, &by_self, &k->err);
	options.by_inclusive = true;
	if (!status)
		status = flat_make(p, &options, &by_inclusive, &k->err);
	if (!status)
		status = calls_make(p, events[0], &calls, &k->err);
	if (!status) {
		struct show_report report = {
			.profile = p,
			.origin = { .name = k->what->label,
				    .command = cg_string(p, p->parts[0].command),
				    .commit = cg_desc_value(p, SUBJECT_PREFIX "commit"),
				    .inlining = &k->inlining.report },
			.events = events,
			.nevents = nevents,
			.sort = cg_string(p, p->events[0].name),
			.flat = by_self,
		};
		status = write_profile_text(k, k->files.flat, &report, show_annotate_text);
		report.flat = by_inclusive;
		report.by_inclusive = true;
		report.calls = calls;
		if (!status)
			status = write_profile_text(k, k->files.tree, &report, show_calls_text);
	}
	calls_free(calls);
	flat_free(by_self);
	flat_free(by_inclusive);
	free(events);
	return status;
}

/* Cases of one run have its output in common. */
static int keep_log(struct profile_keeping *k, const char *from, const char *to)
{
	if (!from || link(from, to) == 0)
		return CG_OK;
	return store_copy(from, to, &k->err);
}

static int keep_logs(struct profile_keeping *k)
{
	int status = keep_log(k, k->run->result->stdout_path, k->files.stdout_log);
	return status ? status : keep_log(k, k->run->result->stderr_path, k->files.stderr_log);
}

static int keep_raw(struct keeping_aside *a)
{
	const struct profile_keeping *k = a->k;
	const char **raw = calloc(k->what->nfiles + 1, sizeof *raw);
	if (!raw)
		return cg_fail_nomem(&a->err);
	for (size_t i = 0; i < k->what->nfiles; i++)
		raw[i] = k->run->result->profiles[k->what->files[i]].path;

	int status = store_compressed(raw, k->what->nfiles, k->files.raw, &a->err);
	free(raw);
	return status;
}

static void keep_aside(void *data)
{
	struct keeping_aside *a = data;

	a->status = keep_raw(a);
	if (!a->status)
		a->status = write_contexts(a);
}

static int keep_flat_and_tree(struct profile_keeping *k)
{
	return keep_sources(k->profile, k->run->m->root, &k->run->renamed[0], k->files.sources,
			    &k->err);
}

static int keep_meta_file(struct profile_keeping *k)
{
	return keep_meta(k->run, k->what, k->profile, k->files.meta, &k->err);
}

static void print_text(const void *text, FILE *to)
{
	fputs(text, to);
}

static int keep_dependencies(struct profile_keeping *k)
{
	return k->run->dependencies ? packed_write(k->files.dependencies, print_text,
						   k->run->dependencies, &k->err)
				    : CG_OK;
}

static int keep_used_files(struct profile_keeping *k)
{
	return k->run->used_files
		       ? packed_write(k->files.used_files, print_text, k->run->used_files, &k->err)
		       : CG_OK;
}

static int publish_kept(struct profile_keeping *k)
{
	const struct measurement *m = k->run->m;

	return m->checkout ? cache_publish(m->root, k->what->label, k->work.path, m->key,
					   m->replace, &k->err)
			   : store_publish(m->root, k->what->label, k->work.path, &k->err);
}

static int write_work_files(struct profile_keeping *k)
{
	static int (*const steps[])(struct profile_keeping *) = {
		write_plain_callgrind, write_instructions, write_lines,    read_back,
		keep_flat_and_tree,    write_texts,        keep_meta_file, keep_dependencies,
		keep_used_files,       keep_logs,
	};
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof steps / sizeof *steps; i++) {
		status = steps[i](k);
		if (!status)
			status = check_interrupts(k);
	}
	return status;
}

/* None of these steps prints: on a terminal a line shows what is being done. */
static int write_all_aside(struct profile_keeping *k, struct keeping_aside *a)
{
	struct cg_thread aside;
	struct progress *progress = k->run->m->quiet ? NULL
						     : progress_begin(k->run->m->notices, "writing",
								      k->what->label);
	int status = collect_descs(k);

	if (!status) {
		cg_thread_start(&aside, keep_aside, a);
		status = write_work_files(k);
		cg_thread_join(&aside);
	}
	progress_end(progress);
	if (!status && a->status) {
		k->err = a->err;
		status = a->status;
	}
	return status;
}

static int keep_all_files(struct profile_keeping *k)
{
	struct keeping_aside a = { .k = k };
	int status = check_interrupts(k);

	if (!status)
		status = write_all_aside(k, &a);
	if (!status)
		mention_contexts(&a);
	return status ? status : publish_kept(k);
}

/* ---- the whole ---- */

static int begin_keeping(struct profile_keeping *k)
{
	int status = store_work_begin(k->run->m->root, &k->work, &k->err);
	return status ? status : work_paths_of(k->work.path, &k->files, &k->err);
}

static enum ending keep_one(struct profile_keeping *k)
{
	if (begin_keeping(k))
		return notice_error(k->run->m->notices, &k->err);
	const int status = read_plain(k);
	const bool empty = !status && check_total(k);
	if (status || empty || check_parts_add_up(k)) {
		if (k->what->name)
			cg_error_context(&k->err, "%s", k->what->label);
		notice_error(k->run->m->notices, &k->err);
		if (empty)
			notice_output(k->run->m->notices, k->run->result->tail);
		return k->err.code == CG_EFULL ? ENDED_BENCHMARK_FAILED : ENDED_UNTRUSTED;
	}
	if (keep_all_files(k)) {
		enum ending ending = notice_error(k->run->m->notices, &k->err);
		return k->run->interrupts->signal ? ended_by_signal(k->run->interrupts->signal)
						  : ending;
	}
	return ENDED_FINE;
}

enum ending keep_profile(const struct kept_run *run, const struct kept_profile *what,
			 struct cg_profile **out)
{
	struct profile_keeping k = { .run = run, .what = what, .fine = what->fine };
	enum ending ending = keep_one(&k);

	if (ending == ENDED_FINE) {
		*out = k.profile;
		k.profile = NULL;
	}
	free_keeping(&k);
	return ending;
}

int keep_read_fine(const struct kept_run *run, const size_t *files, size_t count,
		   struct cg_profile **out, struct cg_error *err)
{
	const struct cg_read_options options = {
		.detail = { .addresses = true, .jumps = true, .max_level = PLAIN_LEVELS },
		.keep_interpreters = true,
	};
	return read_run(run->result, files, count, &options, out, err);
}

int keep_find_inlines(const struct kept_run *run, const struct cg_profile *fine,
		      struct cg_inlines **out, struct cg_error *err)
{
	char *cache;
	if (asprintf(&cache, "%s/.irdiff/frames", run->m->root) < 0)
		return cg_fail_nomem(err);
	bool ours = beneath_make_directories(run->m->root, cache, NULL) == CG_OK;
	int status = cg_inlines_find(fine, ours ? cache : NULL, out) ? cg_fail_nomem(err) : CG_OK;
	free(cache);
	return status;
}
