#include "src/measure/measure.h"
#include "cgprofile/names.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/thread.h"
#include "src/config/config.h"
#include "src/measure/keep_profile.h"
#include "src/measure/missed_root.h"
#include "src/measure/processes.h"
#include "src/measure/retire_labels.h"
#include "src/measure/run_result.h"
#include "src/measure/sandbox_root.h"
#include "src/measure/unseen_allocations.h"
#include "src/run/beside.h"
#include "src/run/build.h"
#include "src/run/cases.h"
#include "src/run/count.h"
#include "src/run/cpu.h"
#include "src/run/dependencies.h"
#include "src/run/fingerprint.h"
#include "src/run/heap.h"
#include "src/run/interrupt.h"
#include "src/run/used_files.h"
#include "src/status/ending.h"
#include "src/status/progress.h"
#include "src/store/cache.h"
#include "src/store/label.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"
#include "src/store/secret.h"

struct measuring {
	const struct measurement *asked;
	struct interrupts *interrupts;
	struct run_request request;
	struct case_choice choice;
	const char *hidden[2];
	int status;                 /* of the run */
	struct work_directory work; /* of the run */
	struct run_result result;
	struct fingerprint fingerprint;
	struct cg_inlines *inlines;
	char *dependencies, *used_files;
	struct cg_profile *fine;
	struct kept_run run;
	struct sandbox_root place;
	struct digest_key secret;
	struct cg_error err;
};

static void free_measuring(struct measuring *m)
{
	store_work_end(&m->work);
	run_result_free(&m->result);
	fingerprint_free(&m->fingerprint);
	cg_inlines_free(m->inlines);
	free(m->dependencies);
	free(m->used_files);
	cg_profile_free(m->fine);
	sandbox_root_free(&m->place);
}

/* ---- failures before a measurement ---- */

/* The user cannot look into the place of the build, which is removed by then: names the program as
 * irdiff.yml does. */
static void name_unbuilt(struct measuring *m)
{
	const char *word = m->asked->request.argv[0];
	bool absent = *m->err.file && access(m->err.file, F_OK) != 0 && errno == ENOENT;

	if (m->result.failure == RUN_BAD_COMMAND && absent && *word != '/' && strchr(word, '/'))
		cg_fail(&m->err, m->err.code, word, 0,
			"the build did not create it; make build: in " CONFIG_NAME " create it");
}

static void say_what_failed(struct measuring *m)
{
	if (m->asked->checkout)
		cg_error_context(&m->err, "%s of %s", m->asked->benchmark,
				 m->asked->checkout->side);
	else if (m->asked->benchmark)
		cg_error_context(&m->err, "%s", m->asked->benchmark);
}

/* It may take as long as the run that failed. */
static void find_meant_root(struct measuring *m)
{
	struct progress *progress =
		m->asked->quiet ? NULL
				: progress_begin(m->asked->notices,
						 "looking for functions with a similar name in",
						 m->asked->label);
	const int signal = suggest_called_root(&m->request, m->asked->root, &m->err);

	progress_end(progress);
	if (signal) {
		m->result.failure = RUN_INTERRUPTED;
		m->result.interrupted_by = signal;
	}
}

static enum ending report_failed_run(struct measuring *m)
{
	if (m->result.failure == RUN_NOT_ALONE)
		return ENDED_BENCHMARK_FAILED; /* who shares it does it again */
	if (m->result.missed_root)
		find_meant_root(m);
	if (m->asked->checkout)
		name_unbuilt(m);
	say_what_failed(m);
	return tell_failed_run(m->asked->notices, &m->result, &m->err);
}

/* ---- where it runs ---- */

static int prepare_measuring(struct measuring *m)
{
	int status;

	if (m->asked->checkout)
		status = cache_prepare(m->asked->root, &m->err);
	else if (!(status = store_prepare(m->asked->root, &m->err)))
		status = store_check_label(m->asked->root, m->asked->label, &m->err);
	return status ? status : store_work_begin(m->asked->root, &m->work, &m->err);
}

/* The benchmark sees the checkout at the path where it was built. Nothing there is irdiff's own, so
 * nothing is hidden. Debug information has the paths of the build, so these are renamed. */
static int find_checkout(struct measuring *m)
{
	const struct measured_checkout *c = m->asked->checkout;
	int status = sandbox_root_cwd(c->root, m->asked->request.cwd, &m->place.cwd, &m->err);
	if (status)
		return status;
	m->place.shown = strdup(c->top);
	m->run.renamed[m->run.nrenamed++] = (struct cg_path_map){ c->top, c->named };
	m->run.renamed[m->run.nrenamed++] = (struct cg_path_map){ BUILD_PLACE, c->named };
	return m->place.shown ? CG_OK : cg_fail_nomem(&m->err);
}

/* Sets what the benchmark sees, and which of that is irdiff's own. */
static int find_place(struct measuring *m)
{
	const struct run_request *r = &m->asked->request;
	int status = m->asked->checkout ? find_checkout(m)
					: sandbox_root_find(m->asked->root, r->cwd, r->argv,
							    &m->place, &m->err);
	if (status)
		say_what_failed(m);
	return status;
}

/* ---- what is kept ---- */

/* Of a checkout the commit is known; git would look at where its files lie. */
static int set_commit(struct measuring *m)
{
	const struct measured_checkout *c = m->asked->checkout;
	struct fact_list *subject = &m->fingerprint.subject;

	if (c && (fact_list_set(subject, "commit", c->commit) ||
		  fact_list_set(subject, "dirty", c->changed ? "yes" : "no")))
		return cg_fail_nomem(&m->err);
	return CG_OK;
}

static enum ending keep_measured(struct measuring *m, const struct kept_profile *what,
				 struct measured *out)
{
	struct measured_profile item = { strdup(what->label),
					 what->benchmark ? strdup(what->benchmark) : NULL, NULL };

	if (!item.label || (what->benchmark && !item.benchmark) ||
	    cg_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items)) {
		free(item.label);
		free(item.benchmark);
		cg_profile_free(what->fine);
		cg_fail_nomem(&m->err);
		return notice_error(m->asked->notices, &m->err);
	}
	enum ending ending = keep_profile(&m->run, what, &item.profile);
	out->items[out->count++] = item;
	return ending;
}

static enum ending lose_case(struct measuring *m, const char *benchmark, const char *label,
			     const struct run_case *c, struct measured *out)
{
	if (path_list_add(&out->lost, benchmark, &m->err))
		return notice_error(m->asked->notices, &m->err);
	cg_fail(&m->err, CG_EIO, NULL, 0, "%s %s", benchmark,
		run_case_words(c->state, m->asked->request.function));
	notice_error(m->asked->notices, &m->err);
	return retire_label(m->asked, label);
}

/* The name that those of its cases begin with. */
static const char *name_of_measured(const struct measuring *m)
{
	return m->asked->benchmark ? m->asked->benchmark : m->asked->label;
}

static enum ending keep_case(struct measuring *m, const struct run_case *c, struct measured *out)
{
	char *benchmark = label_of_case(name_of_measured(m), c->name);
	char *label = m->asked->checkout ? cache_name_of_case(m->asked->label, benchmark)
					 : label_of_case(m->asked->label, c->name);
	const struct kept_profile what = { label,     m->asked->benchmark ? benchmark : NULL,
					   c->name,   c->files,
					   c->nfiles, NULL };
	enum ending ending = ENDED_FINE;

	if (!benchmark || !label) {
		cg_fail_nomem(&m->err);
		ending = notice_error(m->asked->notices, &m->err);
	} else {
		ending = c->state ? lose_case(m, benchmark, label, c, out)
				  : keep_measured(m, &what, out);
	}
	free(benchmark);
	free(label);
	return ending;
}

/* Cases that did not end have no known names: a program names a case when it ends. */
static void mention_not_ended(const struct measuring *m)
{
	const char *after = NULL;
	size_t count = cases_not_ended(&m->result, m->asked->request.cases, &after);

	if (count == 0)
		return;
	notice_warning(
		m->asked->notices,
		"%s: %zu %s not ended when the next began, and %s left out (%s%s); continue, break, goto "
		"or an exception may have skipped irdiff_end, or the next case began inside it (cases "
		"cannot be nested)",
		name_of_measured(m), count, count == 1 ? "case had" : "cases had",
		count == 1 ? "is" : "are",
		after ? "the first one follows " : "the first one is the first case of all",
		after ? after : "");
}

static struct case_choice choice_of(const struct measuring *m)
{
	return (struct case_choice){ name_of_measured(m), m->asked->wanted, m->asked->or_all };
}

static enum ending fail_unwanted(struct measuring *m)
{
	choose_fail_unknown(m->asked->wanted, NULL, 0, &m->err);
	const enum ending ending = notice_error(m->asked->notices, &m->err);
	notice_output(m->asked->notices, m->result.tail);
	return ending;
}

/* An entry lists all cases of the benchmark, so it has to know them. */
static enum ending publish_cases(struct measuring *m, const struct measured *measured)
{
	struct path_list entries = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < measured->count; i++)
		status = path_list_add(&entries, measured->items[i].label, &m->err);
	if (!status)
		status = cache_publish_cases(m->asked->root, m->asked->label, m->work.path,
					     m->asked->key, &entries, &m->err);
	path_list_free(&entries);
	return status ? notice_error(m->asked->notices, &m->err) : ENDED_FINE;
}

static enum ending keep_cases(struct measuring *m, struct measured *out)
{
	struct case_choice choice = choice_of(m);
	bool *chosen = NULL;
	enum ending ending = ENDED_FINE;

	if (choice.or_all) /* the others have run because they must */
		choice.wanted = NULL;
	cg_profile_free(m->fine); /* of all of them together */
	m->fine = NULL;
	mention_not_ended(m);
	if (run_choose_cases(&m->result, &choice, &chosen, &m->err))
		return notice_error(m->asked->notices, &m->err);
	for (size_t i = 0; !ending && i < m->result.ncases; i++)
		if (chosen[i])
			ending = keep_case(m, &m->result.cases[i], out);
	free(chosen);
	if (!ending && !out->lost.count && m->asked->checkout && !m->result.some_cases)
		ending = publish_cases(m, out);
	return ending;
}

/* For the thread that looks at programs and files while this one reads the profile. */
struct describing {
	struct measuring *m;
	const struct run_request *request;
	int status;
	struct cg_error err;
};

/* What the run depended on, and what of the project the build and the run used. */
static int find_named_files(struct measuring *m, struct cg_error *err)
{
	const struct measured_checkout *c = m->asked->checkout;
	const char *run = m->result.names_path;

	if (!run)
		return CG_OK;
	int status = dependencies_find(run, c->top, &m->dependencies, err);
	if (status || !c->build_names)
		return status;
	const char *const names[] = { run, *c->build_names ? c->build_names : NULL, NULL };
	return used_files_find(names, c->top, c->changes, &m->used_files, err);
}

static void describe_measuring(void *data)
{
	struct describing *d = data;

	d->status = fingerprint_collect(d->request, &d->m->result, d->m->interrupts,
					&d->m->fingerprint, &d->err);
	if (!d->status)
		d->status = find_named_files(d->m, &d->err);
}

/* What all profiles of the run have in common. */
static int find_facts(struct measuring *m, const struct run_request *request, const size_t *files,
		      size_t count)
{
	struct describing d = { .m = m, .request = request };
	struct cg_thread aside;
	struct progress *progress = m->asked->quiet
					    ? NULL
					    : progress_begin(m->asked->notices,
							     "looking up inlined functions of",
							     m->asked->label);

	m->run.m = m->asked;
	m->run.result = &m->result;
	m->run.fingerprint = &m->fingerprint;
	m->run.interrupts = m->interrupts;
	cg_thread_start(&aside, describe_measuring, &d);
	int status = keep_read_fine(&m->run, files, count, &m->fine, &m->err);
	if (!status)
		status = keep_find_inlines(&m->run, m->fine, &m->inlines, &m->err);
	cg_thread_join(&aside);
	m->run.inlines = m->inlines;
	m->run.dependencies = m->dependencies;
	m->run.used_files = m->used_files;
	progress_end(progress);
	if (!status && d.status) {
		m->err = d.err;
		status = d.status;
	}
	return status ? status : set_commit(m);
}

/* It is made of all the files that were read to look up inlined functions: they are not read
 * again. */
static enum ending keep_whole(struct measuring *m, struct kept_profile *what, struct measured *out)
{
	what->fine = m->fine;
	m->fine = NULL;
	return keep_measured(m, what, out);
}

static enum ending keep_all(struct measuring *m, const struct run_request *request,
			    struct measured *out)
{
	size_t *files = calloc(m->result.nprofiles + 1, sizeof *files);
	size_t count = files ? run_files(&m->result, files) : 0;
	struct kept_profile whole = {
		m->asked->label, m->asked->benchmark, NULL, files, count, NULL
	};
	int status = files ? find_facts(m, request, files, count) : cg_fail_nomem(&m->err);
	enum ending ending;

	if (status)
		ending = notice_error(m->asked->notices, &m->err);
	else if (m->result.ncases)
		ending = keep_cases(m, out);
	else if (m->asked->wanted && !m->asked->or_all)
		ending = fail_unwanted(m);
	else
		ending = keep_whole(m, &whole, out);
	free(files);
	return ending;
}

/* ---- the whole ---- */

/* The name of its benchmark, or its label without one. */
static const char *subject_of(const struct measurement *m)
{
	return m->benchmark ? m->benchmark : m->label;
}

/* "measuring parse of main (1a2b3c4d5e)", which takes as long as the last time. */
static struct progress *begin_progress(const struct measurement *m)
{
	const char *bench = subject_of(m);
	char *name = NULL;

	if (m->quiet || asprintf(&name, "%s%s%s", bench, m->checkout ? " of " : "",
				 m->checkout ? m->checkout->side : "") < 0)
		return NULL;
	struct progress *p = progress_begin_of(m->notices, "measuring", name,
					       cache_last_run(m->root, bench).seconds);
	free(name);
	return p;
}

/* Without debug information, functions have no lines, whatever they were built with. */
static void warn_about_stripped(const struct notices *n, const struct run_result *r)
{
	for (size_t i = 0; i < r->nmappings; i++)
		if (r->mappings[i].stripped)
			notice_warning(
				n,
				"this Valgrind cannot read the debug information of %s (DWARF 5 of LLVM), so its functions "
				"have no lines; build with -gdwarf-4, or use Valgrind 3.20 or later",
				cg_base_name(r->mappings[i].real));
}

/* Fills the request. The run refers to `m`. */
static int plan_run(struct measuring *m)
{
	struct run_request *request = &m->request;
	int status = prepare_measuring(m);

	if (!status)
		status = store_secret(m->asked->root, &m->secret, &m->err);
	if (!status)
		status = find_place(m);
	if (status)
		return status;
	m->choice = choice_of(m);
	m->hidden[0] = m->place.own; /* none in a checkout */
	*request = m->asked->request;
	request->cwd = m->place.cwd;
	request->root = m->place.shown;
	request->workdir = m->work.path;
	request->hidden = m->hidden;
	request->secret = &m->secret;
	request->names = m->asked->checkout != NULL;
	request->choose = m->asked->wanted ? choose_cases : NULL;
	request->chooser = &m->choice;
	return CG_OK;
}

/* After the run. */
static enum ending judge_and_keep(struct measuring *m, struct measured *out)
{
	out->changes |= m->result.changes;
	if (m->status)
		return report_failed_run(m);
	if (!m->asked->quiet && strcmp(m->result.workspace, "traced"))
		notice_warning(
			m->asked->notices,
			"cannot trace programs here, so counts may vary with paths and process ids; 'irdiff doctor' shows why");
	if (!m->asked->quiet)
		warn_about_stripped(m->asked->notices, &m->result);
	if (!m->asked->quiet && !m->asked->checkout)
		tell_preset(m->asked->notices, &m->result);
	if (!m->result.ncases)
		tell_processes(m->asked->notices, &m->result);
	return keep_all(m, &m->request, out);
}

static enum ending measure_and_keep(struct measuring *m, struct measured *out)
{
	if (plan_run(m))
		return notice_error(m->asked->notices, &m->err);
	struct progress *progress = begin_progress(m->asked);
	m->status = run_benchmark(&m->request, &m->result, &m->err);
	progress_end(progress);
	return judge_and_keep(m, out);
}

static enum ending measure_with(const struct measurement *asked, struct interrupts *interrupts,
				struct measured *out)
{
	struct measuring m = { .asked = asked, .interrupts = interrupts };
	enum ending ending = measure_and_keep(&m, out);

	free_measuring(&m);
	return ending;
}

static enum ending fail_without_memory(const struct measurement *m)
{
	struct cg_error err;

	cg_fail_nomem(&err);
	return notice_error(m->notices, &err);
}

/* ---- the heap ---- */

/* "BENCH/heap". NULL: out of memory. */
static char *name_heap(const struct measurement *m)
{
	return label_of_case(subject_of(m), LABEL_HEAP);
}

static enum ending fail_two_heaps(const struct measurement *m, const char *name)
{
	struct cg_error err;

	cg_fail(&err, CG_EINVAL, NULL, 0,
		"%s is both a case of the program and the heap that `count` asks for; rename the case",
		name);
	return notice_error(m->notices, &err);
}

/* What is there of the heap belongs to the profile that the benchmark had before: it must not stay
 * beside the new one, however this run ends. `ran`: it has ended well already; NULL: it is still to
 * be made. */
static enum ending measure_heap_anew(const struct measurement *m, bool replaces,
				     struct interrupts *interrupts, struct measuring *ran,
				     struct measured *out)
{
	bool retired = false;
	enum ending ending = replaces ? retire_silently(m, m->label, &retired) : ENDED_FINE;

	if (ending == ENDED_FINE)
		ending = ran ? judge_and_keep(ran, out) : measure_with(m, interrupts, out);
	if (ending != ENDED_FINE && retired)
		retire_tell(m, m->label);
	return ending;
}

/* A measurement of the heap has a run of its own, and the name of a case. Cases of the program are
 * not told apart there. Its label is the caller's; NULL: out of memory. */
static struct measurement heap_of(const struct measurement *asked, const char *name, char **label)
{
	struct measurement m = *asked;

	*label = asked->checkout ? cache_name_of_case(asked->label, name)
				 : label_of_case(asked->label, LABEL_HEAP);
	m.label = *label;
	m.benchmark = asked->benchmark ? name : NULL;
	m.wanted = NULL;
	heap_request(&m.request);
	return m;
}

static enum ending measure_heap(const struct measurement *asked, const char *name,
				struct interrupts *interrupts, struct measuring *ran,
				struct measured *out)
{
	char *label;
	const struct measurement m = heap_of(asked, name, &label);
	enum ending ending;

	if (!label)
		ending = fail_without_memory(asked);
	else if (measured_has_label(out, label))
		ending = fail_two_heaps(asked, name);
	else
		ending = measure_heap_anew(&m, out->count > 0, interrupts, ran, out);
	if (ending == ENDED_FINE && !asked->quiet)
		tell_unseen_allocations(asked->notices, asked->checkout ? name : label, out);
	free(label);
	return ending;
}

/* ---- the heap at the same time ---- */

/* Only runs of which nothing else sees anything. What writes would only run twice. */
static bool may_run_beside(const struct measurement *m)
{
	return m->beside && !cache_last_run(m->root, subject_of(m)).changes;
}

/* `cpu` is the caller's; -1: none, so that one is claimed. */
static struct run_beside prepare_beside(struct measuring *m, int cpu, int *claim)
{
	m->request.shared |= RUN_SHARES_ROOT | RUN_SHARES_REST;
	m->request.cpu = cpu >= 0 ? cpu : cpu_claim(claim);
	return (struct run_beside){ &m->request, &m->result, &m->err, CG_OK };
}

static void run_both(struct measuring *counts, struct measuring *heap)
{
	int claims[] = { -1, -1 };
	struct run_beside first = prepare_beside(counts, counts->asked->request.cpu, &claims[0]);
	struct run_beside second = prepare_beside(heap, -1, &claims[1]);
	struct progress *progress = begin_progress(counts->asked);

	run_beside(&first, &second);
	progress_end(progress);
	counts->status = first.status;
	heap->status = second.status;
	for (size_t i = 0; i < 2; i++)
		if (claims[i] >= 0)
			close(claims[i]);
}

/* Measures both. *done becomes false if one has failed, which may be because of the other: then it
 * is as if there had been none, and nothing was said. */
static enum ending keep_both(struct measuring *counts, struct measuring *heap, const char *name,
			     struct measured *out, bool *done)
{
	*done = !plan_run(counts) && !plan_run(heap);
	if (!*done)
		return ENDED_FINE;
	run_both(counts, heap);
	*done = !counts->status || counts->result.interrupted_by;
	if (!*done)
		return ENDED_FINE;
	enum ending ending = judge_and_keep(counts, out);
	if (ending == ENDED_FINE)
		ending = measure_heap(counts->asked, name, counts->interrupts,
				      heap->status ? NULL : heap, out);
	return ending;
}

static enum ending measure_both(const struct measurement *asked, const char *name,
				struct interrupts *interrupts, struct measured *out, bool *done)
{
	char *label;
	const struct measurement m = heap_of(asked, name, &label);
	struct measuring counts = { .asked = asked, .interrupts = interrupts };
	struct measuring heap = { .asked = &m, .interrupts = interrupts };
	enum ending ending = label ? keep_both(&counts, &heap, name, out, done)
				   : fail_without_memory(asked);

	free_measuring(&counts);
	free_measuring(&heap);
	free(label);
	return ending;
}

/* ---- all runs ---- */

/* heap: its name, if it is counted; NULL: it is not. */
static enum ending measure_wanted_runs(const struct measurement *m, const char *heap,
				       struct interrupts *interrupts, struct measured *out)
{
	const char *wanted = m->wanted;
	const bool alone = heap && wanted && strcmp(wanted, heap) == 0;
	const bool with_heap = heap && (!wanted || fnmatch(wanted, heap, 0) == 0);
	bool done = false;
	enum ending ending = ENDED_FINE;

	if (with_heap && !alone && may_run_beside(m))
		ending = measure_both(m, heap, interrupts, out, &done);
	if (done || ending != ENDED_FINE)
		return ending;
	if (!alone)
		ending = measure_with(m, interrupts, out);
	if (ending == ENDED_FINE && with_heap)
		ending = measure_heap(m, heap, interrupts, NULL, out);
	return ending;
}

enum ending measure(const struct measurement *measurement, struct measured *out)
{
	struct interrupts interrupts;
	struct cg_error err;
	enum ending ending = ENDED_FINE;

	*out = (struct measured){ 0 };
	if ((measurement->request.count & COUNT_HEAP) &&
	    heap_refuse_harness(&measurement->request, subject_of(measurement), &err))
		return notice_error(measurement->notices, &err);
	if (interrupts_open(&interrupts, &err))
		return notice_error(measurement->notices, &err);
	char *heap = measurement->request.count & COUNT_HEAP ? name_heap(measurement) : NULL;
	if (!heap && (measurement->request.count & COUNT_HEAP))
		ending = fail_without_memory(measurement);
	if (ending == ENDED_FINE)
		ending = measure_wanted_runs(measurement, heap, &interrupts, out);
	if (ending == ENDED_FINE)
		ending = retire_others(measurement, out);
	const unsigned changes = out->changes;
	if (ending != ENDED_FINE)
		measured_free(out);
	out->changes = changes;
	if (ending == ENDED_FINE && out->lost.count)
		ending = ENDED_UNTRUSTED;
	free(heap);
	interrupts_close(&interrupts);
	return ending;
}
