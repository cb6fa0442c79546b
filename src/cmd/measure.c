#include "src/cmd/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "callgrind/writer.h"
#include "src/cmd/common.h"
#include "src/cmd/inlining.h"
#include "src/cmd/keep_sources.h"
#include "src/cmd/options.h"
#include "src/cmd/processes.h"
#include "src/cmd/progress.h"
#include "src/cmd/reach.h"
#include "src/diff/environment.h"
#include "src/report/json.h"
#include "src/run/build.h"
#include "src/run/fingerprint.h"
#include "src/run/interrupt.h"
#include "src/store/cache.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

#define META_VERSION 1
/* In the plain file deeper recursion is folded, as callgrind does by default. */
#define PLAIN_LEVELS 2

struct measuring {
	const struct measurement *m;
	struct interrupts *interrupts;
	struct work_directory work;
	struct profile_paths files; /* in the work directory */
	struct run_result result;
	struct fingerprint fingerprint;
	struct cg_profile *profile;
	struct cg_inlines *inlines;
	struct inlining inlining;
	struct cg_path_map renamed[2]; /* in what is written */
	size_t nrenamed;
	char *(*descs)[2]; /* desc: lines of the files */
	size_t ndescs, descs_cap;
	uint64_t ncontexts; /* that were recorded, of so many functions */
	uint32_t nfunctions;
	char *cwd, *shown, *own; /* where it runs, what it sees, what of that is ours */
	struct cg_error err;
};

static void free_measuring(struct measuring *m)
{
	store_work_end(&m->work);
	profile_paths_free(&m->files);
	run_result_free(&m->result);
	fingerprint_free(&m->fingerprint);
	cg_profile_free(m->profile);
	cg_inlines_free(m->inlines);
	inlining_free(&m->inlining);
	for (size_t i = 0; i < m->ndescs; i++) {
		free(m->descs[i][0]);
		free(m->descs[i][1]);
	}
	free(m->descs);
	free(m->cwd);
	free(m->shown);
	free(m->own);
}

/* ---- when there is no measurement ---- */

static int failure_exit_code(const struct run_result *r)
{
	switch (r->failure) {
	case RUN_MEASURED:
		return EXIT_FINE;
	case RUN_BAD_REQUEST:
	case RUN_BAD_COMMAND:
		return EXIT_USAGE;
	case RUN_BENCHMARK_FAILED:
	case RUN_TIMED_OUT:
		return EXIT_BENCHMARK;
	case RUN_INTERRUPTED:
		return 128 + r->interrupted_by;
	default:
		return EXIT_UNTRUSTED;
	}
}

static int report_failure(struct measuring *m)
{
	if (m->m->checkout)
		cg_error_context(&m->err, "%s of %s", m->m->benchmark, m->m->checkout->side);
	else if (m->m->benchmark)
		cg_error_context(&m->err, "%s", m->m->benchmark);
	print_error(&m->err);
	if (m->result.failure == RUN_BENCHMARK_FAILED || m->result.failure == RUN_TIMED_OUT)
		print_tail(m->result.tail);
	return failure_exit_code(&m->result);
}

/* Signals wait while a profile is written, so that nothing is left half-done. */
static int check_interrupts(struct measuring *m)
{
	struct interrupts *interrupts = m->interrupts;

	interrupts_take(interrupts);
	if (!interrupts->signal)
		return CG_OK;
	return cg_fail(&m->err, CG_EIO, NULL, 0, "interrupted by signal %d (%s)", interrupts->signal,
		       strsignal(interrupts->signal));
}

/* ---- reading what Valgrind wrote ---- */

/* Reads what was chosen, under the paths of the host. */
static int read_chosen(struct measuring *m, const struct cg_read_options *how,
		       struct cg_profile **out)
{
	const struct run_result *r = &m->result;
	struct cg_path_map *paths = calloc(r->nmappings + 1, sizeof *paths);
	const char **files = calloc(r->nchosen + 1, sizeof *files);
	struct cg_read_options options = *how;
	int status = paths && files ? CG_OK : cg_fail_nomem(&m->err);

	for (size_t i = 0; !status && i < r->nmappings; i++)
		paths[i] = (struct cg_path_map){ r->mappings[i].seen, r->mappings[i].real };
	for (size_t i = 0; !status && i < r->nchosen; i++)
		files[i] = r->profiles[r->chosen + i].path;
	options.paths = paths;
	options.npaths = r->nmappings;
	if (!status)
		status = cg_read_files(files, r->nchosen, &options, out, &m->err);
	free(paths);
	free(files);
	return status;
}

/* As callgrind counts, which is what other tools show too. */
static int read_plain(struct measuring *m)
{
	const struct cg_read_options options = {
		.detail = { .lines = true, .max_level = PLAIN_LEVELS },
	};
	return read_chosen(m, &options, &m->profile);
}

/* Now: later the objects may be others. */
static int find_inlines(struct measuring *m)
{
	const struct cg_read_options options = { .detail = { .addresses = true, .max_level = 1 } };
	struct cg_profile *p = NULL;
	int status = read_chosen(m, &options, &p);
	if (!status && cg_inlines_find(p, &m->inlines))
		status = cg_fail_nomem(&m->err);
	cg_profile_free(p);
	return status;
}

/* ---- writing ---- */

static int add_desc(struct measuring *m, const char *prefix, const char *key, const char *value)
{
	char *full, *copy = strdup(value);
	if (!copy || cg_grow(&m->descs, &m->descs_cap, m->ndescs + 1, sizeof *m->descs) ||
	    asprintf(&full, "%s%s", prefix, key) < 0) {
		free(copy);
		return cg_fail_nomem(&m->err);
	}
	m->descs[m->ndescs][0] = full;
	m->descs[m->ndescs][1] = copy;
	m->ndescs++;
	return CG_OK;
}

/* Which inlined functions could be found; the texts are kept until the end. */
static int add_inlines(struct measuring *m)
{
	const struct cg_inlines *in = m->inlines;
	int status = add_desc(m, "", INLINING_KEY, "by debug information");

	for (uint32_t i = 0; !status && i < in->nobjects; i++) {
		char *text;
		if (in->objects[i].state == CG_INLINES_FOUND)
			continue;
		text = inlining_missing(in, &in->objects[i]);
		status = text ? add_desc(m, "", INLINING_MISSING_KEY, text) : cg_fail_nomem(&m->err);
		free(text);
	}
	return status;
}

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

static int collect_descs(struct measuring *m)
{
	if (set_commit(m))
		return CG_ENOMEM;
	const struct fact_list *env = &m->fingerprint.environment;
	const struct fact_list *subject = &m->fingerprint.subject;
	int status = add_desc(m, "", "Option", "--separate-recs=2");

	if (!status && m->m->benchmark)
		status = add_desc(m, SUBJECT_PREFIX, "benchmark", m->m->benchmark);
	if (!status && m->m->definition)
		status = add_desc(m, SUBJECT_PREFIX, "definition", m->m->definition);
	for (size_t i = 0; !status && i < env->count; i++)
		status = add_desc(m, ENVIRONMENT_PREFIX, env->facts[i].key, env->facts[i].value);
	for (size_t i = 0; !status && i < subject->count; i++)
		status = add_desc(m, SUBJECT_PREFIX, subject->facts[i].key, subject->facts[i].value);
	if (!status)
		status = add_inlines(m);
	return status;
}

static const char *subject_command(const struct measuring *m)
{
	return fact_list_get(&m->fingerprint.subject, "command");
}

static int write_profile(struct measuring *m, const struct cg_profile *p, bool keep_inlined,
			 const char *path)
{
	struct new_file *file;
	FILE *to;
	struct cg_write_options options = {
		.creator = CREATOR,
		.command = subject_command(m),
		.descs = (const char *const(*)[2])m->descs,
		.ndescs = m->ndescs,
		.keep_inlined = keep_inlined,
		.paths = m->renamed,
		.npaths = m->nrenamed,
	};
	int status = new_file_begin(path, &file, &to, &m->err);
	if (status)
		return status;
	status = cg_write_callgrind(p, &options, to);
	if (status == CG_ENOMEM) {
		new_file_abandon(file);
		return cg_fail_nomem(&m->err);
	}
	return new_file_commit(file, &m->err);
}

static int write_plain(struct measuring *m)
{
	return write_profile(m, m->profile, false, m->files.callgrind);
}

/* Contexts that are many times the functions took most of the time to record. What less of
 * them would have taken is not known without another run. */
static void mention_contexts(const struct measuring *m)
{
	enum { MANY_TIMES = 10, LARGE = 32 << 20, FEWER = 10 };
	const struct run_result *r = &m->result;
	uint64_t bytes = 0;

	for (size_t i = 0; i < r->nchosen; i++)
		bytes += r->profiles[r->chosen + i].bytes;
	if (r->depth <= FEWER || bytes < LARGE || m->ncontexts / MANY_TIMES < m->nfunctions)
		return;
	print_warning("%s has %" PRIu64 " calling contexts of %" PRIu32 " functions, %" PRIu64
		      " MB, which slows the run down: with `depth: %d` in irdiff.yml, or --depth=%d, "
		      "fewer callers are recorded, and deeper paths are estimated",
		      m->m->label, m->ncontexts, m->nfunctions - 1, bytes >> 20, FEWER, FEWER);
}

static void count_contexts(struct measuring *m, const struct cg_profile *p)
{
	m->nfunctions = p->nfunctions;
	for (uint32_t i = 1; i < p->nrecords; i++)
		m->ncontexts += !p->records[i].inlined_into;
}

/* Written beside its place first: it is packed at the end. */
static int write_inlined(struct measuring *m, const struct cg_detail *detail, const char *path)
{
	struct cg_read_options options = { .detail = *detail, .inlines = m->inlines,
					   .join_cold = true };
	struct cg_profile *p = NULL;
	char *unpacked;
	if (asprintf(&unpacked, "%s.text", path) < 0)
		return cg_fail_nomem(&m->err);
	int status = read_chosen(m, &options, &p);
	if (!status)
		status = write_profile(m, p, true, unpacked);
	if (!status)
		status = store_compressed((const char *const[]){ unpacked }, 1, path, &m->err);
	if (!status && detail->contexts)
		count_contexts(m, p);
	cg_profile_free(p);
	unlink(unpacked);
	free(unpacked);
	return status;
}

static int write_lines(struct measuring *m)
{
	const struct cg_detail detail = { .lines = true, .max_level = PLAIN_LEVELS };
	return write_inlined(m, &detail, m->files.lines);
}

static int write_contexts(struct measuring *m)
{
	const struct cg_detail detail = { .contexts = true };
	return write_inlined(m, &detail, m->files.contexts);
}

/* What was written is what is shown, its header included. */
static int read_back(struct measuring *m)
{
	struct cg_read_options options = { .detail = { .lines = true } };
	cg_profile_free(m->profile);
	m->profile = NULL;
	int status = cg_read_file(m->files.lines, &options, &m->profile, &m->err);
	return status ? status : inlining_stored(m->profile, &m->inlining, &m->err);
}

static int write_text(struct measuring *m, const char *path, const struct show_report *report,
		      int (*render)(const struct show_report *, const struct text_style *, FILE *))
{
	struct text_style plain = { .wide = true };
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, &m->err);
	if (status)
		return status;
	status = render(report, &plain, to);
	if (status) {
		new_file_abandon(file);
		return cg_fail_nomem(&m->err);
	}
	return new_file_commit(file, &m->err);
}

static int write_texts(struct measuring *m)
{
	const struct cg_profile *p = m->profile;
	uint32_t *events = NULL;
	size_t nevents;
	struct flat *by_self = NULL, *by_inclusive = NULL;
	struct calls *calls = NULL;
	int status = parse_events(p, NULL, &events, &nevents, &m->err);
	struct flat_options options = { .sort = events, .nsort = nevents, .threshold = 100 };

	if (!status)
		status = flat_make(p, &options, &by_self, &m->err);
	options.by_inclusive = true;
	if (!status)
		status = flat_make(p, &options, &by_inclusive, &m->err);
	if (!status)
		status = calls_make(p, events[0], &calls, &m->err);
	if (!status) {
		struct show_report report = {
			.profile = p,
			.origin = { .name = m->m->label,
				    .command = cg_string(p, p->parts[0].command),
				    .commit = cg_desc_value(p, SUBJECT_PREFIX "commit"),
				    .inlining = &m->inlining.report },
			.events = events,
			.nevents = nevents,
			.sort = cg_string(p, p->events[0].name),
			.threshold = 100,
			.flat = by_self,
		};
		status = write_text(m, m->files.flat, &report, show_flat_text);
		report.flat = by_inclusive;
		report.by_inclusive = true;
		report.calls = calls;
		if (!status)
			status = write_text(m, m->files.tree, &report, show_calls_text);
	}
	calls_free(calls);
	flat_free(by_self);
	flat_free(by_inclusive);
	free(events);
	return status;
}

static void add_facts(struct json *j, const char *key, const struct fact_list *list)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < list->count; i++)
		json_text(j, list->facts[i].key, list->facts[i].value);
	json_end(j);
}

static void add_images(struct json *j, const struct run_result *r)
{
	json_begin_array(j, "images");
	for (size_t i = 0; i < r->nprofiles; i++) {
		const struct run_profile *p = &r->profiles[i];
		json_begin_object(j, NULL);
		json_text(j, "command", p->command);
		json_text(j, "image", p->image);
		json_count(j, "collected", p->collected);
		json_flag(j, "launcher", p->launcher);
		json_flag(j, "forked", p->forked);
		json_flag(j, "chosen", i >= r->chosen && i < r->chosen + r->nchosen);
		json_end(j);
	}
	json_end(j);
}

static void add_paths(struct json *j, const struct run_result *r)
{
	json_begin_array(j, "paths");
	for (size_t i = 0; i < r->nmappings; i++) {
		json_begin_object(j, NULL);
		json_text(j, "seen", r->mappings[i].seen);
		json_text(j, "real", r->mappings[i].real);
		json_flag(j, "stripped", r->mappings[i].stripped);
		json_end(j);
	}
	json_end(j);
}

static int write_meta(struct measuring *m)
{
	const struct cg_profile *p = m->profile;
	struct new_file *file;
	FILE *to;
	char when[40] = "";
	time_t now = time(NULL);
	struct tm tm;
	struct json *j = json_new();
	if (!j)
		return cg_fail_nomem(&m->err);

	if (gmtime_r(&now, &tm))
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_text(j, "schema", "irdiff/meta");
	json_count(j, "version", META_VERSION);
	json_text(j, "label", m->m->label);
	json_text(j, "benchmark", m->m->benchmark);
	json_text(j, "measured", when);
	json_number(j, "seconds", m->result.seconds);
	json_begin_object(j, "totals");
	for (uint32_t e = 0; e < p->nevents; e++)
		json_cost(j, cg_string(p, p->events[e].name), p->total[e]);
	json_end(j);
	add_facts(j, "environment", &m->fingerprint.environment);
	add_facts(j, "subject", &m->fingerprint.subject);
	add_images(j, &m->result);
	add_paths(j, &m->result);

	int status = new_file_begin(m->files.meta, &file, &to, &m->err);
	if (status) {
		json_abandon(j);
		return status;
	}
	status = json_finish(j, to);
	if (status == CG_ENOMEM) {
		new_file_abandon(file);
		return cg_fail_nomem(&m->err);
	}
	return new_file_commit(file, &m->err);
}

static int keep_log(struct measuring *m, const char *from, const char *to)
{
	if (!from || rename(from, to) == 0)
		return CG_OK;
	return cg_fail(&m->err, CG_EIO, to, 0, "cannot keep the log: %s", strerror(errno));
}

static int keep_raw(struct measuring *m)
{
	const struct run_result *r = &m->result;
	const char **raw = calloc(r->nchosen + 1, sizeof *raw);
	if (!raw)
		return cg_fail_nomem(&m->err);
	for (size_t i = 0; i < r->nchosen; i++)
		raw[i] = r->profiles[r->chosen + i].path;

	int status = store_compressed(raw, r->nchosen, m->files.raw, &m->err);
	free(raw);
	return status;
}

static int keep_logs(struct measuring *m)
{
	int status = keep_log(m, m->result.stdout_path, m->files.stdout_log);
	return status ? status : keep_log(m, m->result.stderr_path, m->files.stderr_log);
}

static int keep_text(struct measuring *m)
{
	return keep_sources(m->profile, &m->renamed[0], m->files.sources, &m->err);
}

static int publish(struct measuring *m)
{
	return m->m->checkout ? cache_publish(m->m->root, m->m->label, m->work.path, m->m->key,
					      m->m->replace, &m->err)
			      : store_publish(m->m->root, m->m->label, m->work.path, &m->err);
}

/* Nothing is printed by any of them: on a terminal a line says what is being done. */
static int keep(struct measuring *m)
{
	static const struct {
		const char *doing;
		int (*step)(struct measuring *);
	} steps[] = {
		{ "keeping the raw profile of", keep_raw },
		{ "looking up inlined functions of", find_inlines },
		{ "describing", collect_descs },
		{ "writing", write_plain },
		{ "writing", write_lines },
		{ "writing", write_contexts },
		{ "reading", read_back },
		{ "keeping the source of", keep_text },
		{ "writing", write_texts },
		{ "writing", write_meta },
		{ "writing", keep_logs },
	};
	int status = check_interrupts(m);

	for (size_t i = 0; !status && i < sizeof steps / sizeof *steps; i++) {
		struct progress *progress =
			m->m->quiet ? NULL : progress_begin(steps[i].doing, m->m->label);
		status = steps[i].step(m);
		progress_end(progress);
		if (!status)
			status = check_interrupts(m);
	}
	if (!status)
		mention_contexts(m);
	return status ? status : publish(m);
}

/* ---- the whole ---- */

static int prepare(struct measuring *m)
{
	int status;

	if (m->m->checkout)
		status = cache_prepare(m->m->root, &m->err);
	else if (!(status = store_prepare(m->m->root, &m->err)))
		status = store_check_label(m->m->root, m->m->label, &m->err);
	if (!status)
		status = store_work_begin(m->m->root, &m->work, &m->err);
	return status ? status : work_paths_of(m->work.path, &m->files, &m->err);
}

/* Nothing collected although the program ran: the reason is nearly always the root. */
static int check_total(struct measuring *m)
{
	if (m->profile->total[0] > 0)
		return CG_OK;
	const char *function = m->m->request.function;
	if (function)
		return cg_fail(&m->err, CG_ELAW, NULL, 0,
			       "nothing was measured below '%s': the function was not called under this "
			       "name, or was inlined (C++ needs the whole demangled name)", function);
	return cg_fail(&m->err, CG_ELAW, NULL, 0, "nothing was measured: the profile is empty");
}

/* Costs that do not add up were not read as Valgrind counted them. */
static int check_parts(struct measuring *m)
{
	const struct cg_profile *p = m->profile;
	uint32_t event;

	for (uint32_t i = 0; i < p->nparts; i++)
		if (!cg_part_adds_up(p, &p->parts[i], &event))
			return cg_fail(&m->err, CG_ELAW, NULL, 0,
				       "the profile that Valgrind wrote does not add up to its own "
				       "totals in %s: does a name in it have a line end?",
				       cg_string(p, p->events[event].name));
	return CG_OK;
}

/* It is seen where it was built, and nothing of it is ours. Built in namespaces, debug information
 * names that place. */
static int find_checkout(struct measuring *m)
{
	const struct measured_checkout *c = m->m->checkout;
	m->shown = strdup(c->top);
	m->renamed[m->nrenamed++] = (struct cg_path_map){ c->top, c->named };
	m->renamed[m->nrenamed++] = (struct cg_path_map){ BUILD_PLACE, c->named };
	return m->shown ? CG_OK : cg_fail_nomem(&m->err);
}

/* What the benchmark sees, and what of it is our own. */
static int find_place(struct measuring *m)
{
	const struct run_request *r = &m->m->request;
	const char *from = m->m->checkout ? m->m->checkout->root : m->m->root;
	char *root;
	bool whole = !r->cwd || *r->cwd == '/';
	if (asprintf(&m->cwd, "%s%s%s", whole ? "" : from, whole ? "" : "/",
		     r->cwd ? r->cwd : from) < 0) {
		m->cwd = NULL;
		return cg_fail_nomem(&m->err);
	}
	if (m->m->checkout)
		return find_checkout(m);
	int status = reach_directory(m->m->root, m->cwd, r->argv, &m->shown, &m->err);
	if (status)
		return status;

	root = realpath(m->m->root, NULL);
	size_t len = strlen(m->shown);
	bool below = root && strncmp(root, m->shown, len) == 0 && root[len] == '/';
	if (!root || asprintf(&m->own, "%s%s.irdiff", below ? root + len + 1 : "",
			      below ? "/" : "") < 0) {
		m->own = NULL;
		status = cg_fail_nomem(&m->err);
	}
	free(root);
	return status;
}

static int measure_and_keep(struct measuring *m)
{
	struct run_request request = m->m->request;

	if (prepare(m) || find_place(m))
		return print_error(&m->err);
	const char *const hidden[] = { m->own, NULL }; /* none in a checkout */
	request.cwd = m->cwd;
	request.root = m->shown;
	request.workdir = m->work.path;
	request.hidden = hidden;
	if (run_benchmark(&request, &m->result, &m->err))
		return report_failure(m);
	report_processes(&m->result);
	if (read_plain(m) || check_total(m) || check_parts(m) ||
	    fingerprint_collect(&request, &m->result, m->interrupts, &m->fingerprint, &m->err)) {
		print_error(&m->err);
		return EXIT_UNTRUSTED;
	}
	if (keep(m)) {
		int exit_code = print_error(&m->err);
		return m->interrupts->signal ? 128 + m->interrupts->signal : exit_code;
	}
	return EXIT_FINE;
}

int measure(const struct measurement *measurement, struct cg_profile **out)
{
	struct interrupts interrupts;
	struct measuring m = { .m = measurement, .interrupts = &interrupts };

	if (interrupts_open(&interrupts, &m.err))
		return print_error(&m.err);
	int exit_code = measure_and_keep(&m);
	if (exit_code == EXIT_FINE) {
		*out = m.profile;
		m.profile = NULL;
	}
	free_measuring(&m);
	interrupts_close(&interrupts);
	return exit_code;
}
