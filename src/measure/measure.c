#include "src/measure/measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/thread.h"
#include "src/config/config.h"
#include "src/measure/keep_profile.h"
#include "src/measure/processes.h"
#include "src/measure/run_result.h"
#include "src/measure/sandbox_root.h"
#include "src/run/build.h"
#include "src/run/cases.h"
#include "src/run/fingerprint.h"
#include "src/run/interrupt.h"
#include "src/status/ending.h"
#include "src/status/progress.h"
#include "src/store/cache.h"
#include "src/store/find_profile.h"
#include "src/store/label.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"
#include "src/store/secret.h"
#include "src/text/text.h"

struct measuring {
	const struct measurement *m;
	struct interrupts *interrupts;
	struct work_directory work; /* of the run */
	struct run_result result;
	struct fingerprint fingerprint;
	struct cg_inlines *inlines;
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
	cg_profile_free(m->fine);
	sandbox_root_free(&m->place);
}

/* ---- when there is no measurement ---- */

/* Where it was built is gone when that is read: it is named as irdiff.yml has it. */
static void name_unbuilt(struct measuring *m)
{
	const char *word = m->m->request.argv[0];
	bool absent = *m->err.file && access(m->err.file, F_OK) != 0 && errno == ENOENT;

	if (m->result.failure == RUN_BAD_COMMAND && absent && *word != '/' && strchr(word, '/'))
		cg_fail(&m->err, m->err.code, word, 0,
			"the build has not made it: let build: in " CONFIG_NAME " do so");
}

static enum ending report_failed_run(struct measuring *m)
{
	if (m->m->checkout)
		name_unbuilt(m);
	if (m->m->checkout)
		cg_error_context(&m->err, "%s of %s", m->m->benchmark, m->m->checkout->side);
	else if (m->m->benchmark)
		cg_error_context(&m->err, "%s", m->m->benchmark);
	return tell_failed_run(m->m->notices, &m->result, &m->err);
}

/* ---- where it runs ---- */

static int prepare_measuring(struct measuring *m)
{
	int status;

	if (m->m->checkout)
		status = cache_prepare(m->m->root, &m->err);
	else if (!(status = store_prepare(m->m->root, &m->err)))
		status = store_check_label(m->m->root, m->m->label, &m->err);
	return status ? status : store_work_begin(m->m->root, &m->work, &m->err);
}

/* It is seen where it was built, and nothing of it is ours. Debug information names the place at
 * which the build saw it. */
static int find_checkout(struct measuring *m)
{
	const struct measured_checkout *c = m->m->checkout;
	int status = sandbox_root_cwd(c->root, m->m->request.cwd, &m->place.cwd, &m->err);
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
	const struct run_request *r = &m->m->request;
	return m->m->checkout ? find_checkout(m)
			      : sandbox_root_find(m->m->root, r->cwd, r->argv, &m->place, &m->err);
}

/* ---- what is kept ---- */

/* Whose files these are is known better than git can see where they were written. */
static int set_commit(struct measuring *m)
{
	const struct measured_checkout *c = m->m->checkout;
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
		return notice_error(m->m->notices, &m->err);
	}
	enum ending ending = keep_profile(&m->run, what, &item.profile);
	out->items[out->count++] = item;
	return ending;
}

/* The count of an earlier run would be taken for that of this one. */
static enum ending retire_label(struct measuring *m, const char *label)
{
	bool retired = false;

	if (!m->m->checkout && store_retire(m->m->root, label, &retired, &m->err))
		return notice_error(m->m->notices, &m->err);
	if (retired) {
		struct notice message;
		notice_begin(&message, m->m->notices, NOTICE_MESSAGE);
		text_print_name(message.to, label, 0);
		fputs(": its profile of an earlier run is ", message.to);
		text_print_name(message.to, label, 0);
		fputs(".old now", message.to);
		notice_end(&message);
	}
	return ENDED_FINE;
}

static enum ending lose_case(struct measuring *m, const char *benchmark, const char *label,
			     const struct run_case *c, struct measured *out)
{
	if (path_list_add(&out->lost, benchmark, &m->err))
		return notice_error(m->m->notices, &m->err);
	cg_fail(&m->err, CG_EIO, NULL, 0, "%s %s", benchmark,
		run_case_words(c->state, m->m->request.function));
	notice_error(m->m->notices, &m->err);
	return retire_label(m, label);
}

/* What its cases are called after. */
static const char *name_of_measured(const struct measuring *m)
{
	return m->m->benchmark ? m->m->benchmark : m->m->label;
}

static enum ending keep_case(struct measuring *m, const struct run_case *c, struct measured *out)
{
	char *benchmark = label_of_case(name_of_measured(m), c->name);
	char *label = m->m->checkout ? cache_name_of_case(m->m->label, benchmark)
				     : label_of_case(m->m->label, c->name);
	const struct kept_profile what = { label,     m->m->benchmark ? benchmark : NULL,
					   c->name,   c->files,
					   c->nfiles, NULL };
	enum ending ending = ENDED_FINE;

	if (!benchmark || !label) {
		cg_fail_nomem(&m->err);
		ending = notice_error(m->m->notices, &m->err);
	} else {
		ending = c->state ? lose_case(m, benchmark, label, c, out)
				  : keep_measured(m, &what, out);
	}
	free(benchmark);
	free(label);
	return ending;
}

/* Their names would have come with their ends. */
static void mention_not_ended(const struct measuring *m)
{
	const char *after = NULL;
	size_t count = cases_not_ended(&m->result, m->m->request.cases, &after);

	if (count == 0)
		return;
	notice_warning(
		m->m->notices,
		"%s: %zu %s not ended when the next began, and %s left out (%s%s): left by continue, break, "
		"goto or an exception, before irdiff_end, or is that one in it (cases do not nest)?",
		name_of_measured(m), count, count == 1 ? "case had" : "cases had",
		count == 1 ? "is" : "are",
		after ? "the first follows " : "the first is the very first", after ? after : "");
}

static enum ending fail_unwanted(struct measuring *m)
{
	run_fail_unwanted(&m->result, m->m->wanted, &m->err);
	return notice_error(m->m->notices, &m->err);
}

static enum ending keep_cases(struct measuring *m, struct measured *out)
{
	bool *chosen = NULL;
	enum ending ending = ENDED_FINE;

	cg_profile_free(m->fine); /* of all of them together */
	m->fine = NULL;
	mention_not_ended(m);
	if (run_choose_cases(&m->result, name_of_measured(m), m->m->wanted, &chosen, &m->err))
		return notice_error(m->m->notices, &m->err);
	for (size_t i = 0; !ending && i < m->result.ncases; i++)
		if (chosen[i])
			ending = keep_case(m, &m->result.cases[i], out);
	free(chosen);
	if (!ending && !out->lost.count && m->m->checkout) {
		struct path_list entries = { 0 };
		int status = CG_OK;
		for (size_t i = 0; !status && i < out->count; i++)
			status = path_list_add(&entries, out->items[i].label, &m->err);
		if (!status)
			status = cache_publish_cases(m->m->root, m->m->label, m->work.path,
						     m->m->key, &entries, &m->err);
		path_list_free(&entries);
		ending = status ? notice_error(m->m->notices, &m->err) : ENDED_FINE;
	}
	return ending;
}

static bool was_kept(const struct measured *out, const char *label)
{
	for (size_t i = 0; i < out->count; i++)
		if (strcmp(out->items[i].label, label) == 0)
			return true;
	return false;
}

/* Retires cases that only an earlier run had, and the benchmark's own profile if it has cases now. */
static enum ending retire_others(struct measuring *m, const struct measured *out)
{
	const char *own = m->m->label;
	struct path_list labels = { 0 };
	int status = m->m->checkout || m->m->wanted
			     ? CG_OK
			     : store_list_labels(m->m->root, &labels, &m->err);
	enum ending ending = status ? notice_error(m->m->notices, &m->err) : ENDED_FINE;

	for (size_t i = 0; !ending && i < labels.count; i++) {
		const char *label = labels.paths[i];
		bool ours = strcmp(label, own) == 0 || label_is_case_of(label, own, strlen(own));
		if (ours && !label_is_old(label) && !was_kept(out, label))
			ending = retire_label(m, label);
	}
	path_list_free(&labels);
	return ending;
}

/* Describes programs and files while the profile is read. */
struct describing {
	struct measuring *m;
	const struct run_request *request;
	int status;
	struct cg_error err;
};

static void describe_measuring(void *data)
{
	struct describing *d = data;

	d->status = fingerprint_collect(d->request, &d->m->result, d->m->interrupts,
					&d->m->fingerprint, &d->err);
}

/* What all profiles of the run have in common. */
static int find_facts(struct measuring *m, const struct run_request *request, const size_t *files,
		      size_t count)
{
	struct describing d = { .m = m, .request = request };
	struct cg_thread aside;
	struct progress *progress = m->m->quiet ? NULL
						: progress_begin(m->m->notices,
								 "looking up inlined functions of",
								 m->m->label);

	m->run.m = m->m;
	m->run.result = &m->result;
	m->run.fingerprint = &m->fingerprint;
	m->run.interrupts = m->interrupts;
	cg_thread_start(&aside, describe_measuring, &d);
	int status = keep_read_fine(&m->run, files, count, &m->fine, &m->err);
	if (!status)
		status = keep_find_inlines(&m->run, m->fine, &m->inlines, &m->err);
	cg_thread_join(&aside);
	m->run.inlines = m->inlines;
	progress_end(progress);
	if (!status && d.status) {
		m->err = d.err;
		status = d.status;
	}
	return status ? status : set_commit(m);
}

/* All that was read to look functions up is what it is made of. */
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
	struct kept_profile whole = { m->m->label, m->m->benchmark, NULL, files, count, NULL };
	int status = files ? find_facts(m, request, files, count) : cg_fail_nomem(&m->err);
	enum ending ending;

	if (status)
		ending = notice_error(m->m->notices, &m->err);
	else if (m->result.ncases)
		ending = keep_cases(m, out);
	else if (m->m->wanted)
		ending = fail_unwanted(m);
	else
		ending = keep_whole(m, &whole, out);
	if (ending == ENDED_FINE)
		ending = retire_others(m, out);
	free(files);
	return ending;
}

/* ---- the whole ---- */

/* "measuring parse of main (1a2b3c4d5e)", which takes as long as the last time. */
static struct progress *begin_progress(const struct measurement *m)
{
	const char *bench = m->benchmark ? m->benchmark : m->label;
	char *name = NULL;

	if (m->quiet || asprintf(&name, "%s%s%s", bench, m->checkout ? " of " : "",
				 m->checkout ? m->checkout->side : "") < 0)
		return NULL;
	struct progress *p = progress_begin_of(m->notices, "measuring", name,
					       cache_seconds(m->root, bench));
	free(name);
	return p;
}

static enum ending measure_and_keep(struct measuring *m, struct measured *out)
{
	struct run_request request = m->m->request;

	if (prepare_measuring(m) || store_secret(m->m->root, &m->secret, &m->err) || find_place(m))
		return notice_error(m->m->notices, &m->err);
	const char *const hidden[] = { m->place.own, NULL }; /* none in a checkout */
	request.cwd = m->place.cwd;
	request.root = m->place.shown;
	request.workdir = m->work.path;
	request.hidden = hidden;
	request.secret = &m->secret;
	struct progress *progress = begin_progress(m->m);
	int status = run_benchmark(&request, &m->result, &m->err);
	progress_end(progress);
	if (status)
		return report_failed_run(m);
	if (!m->m->quiet && strcmp(m->result.workspace, "traced"))
		notice_warning(
			m->m->notices,
			"programs cannot be traced here, so counts can vary with paths and process "
			"ids: 'irdiff doctor' says who refuses it");
	if (!m->result.ncases)
		tell_processes(m->m->notices, &m->result);
	return keep_all(m, &request, out);
}

enum ending measure(const struct measurement *measurement, struct measured *out)
{
	struct interrupts interrupts;
	struct measuring m = { .m = measurement, .interrupts = &interrupts };

	*out = (struct measured){ 0 };
	if (interrupts_open(&interrupts, &m.err))
		return notice_error(measurement->notices, &m.err);
	enum ending ending = measure_and_keep(&m, out);
	if (ending != ENDED_FINE)
		measured_free(out);
	else if (out->lost.count)
		ending = ENDED_UNTRUSTED;
	free_measuring(&m);
	interrupts_close(&interrupts);
	return ending;
}
