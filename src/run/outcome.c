/* How a run ended: a measurement, or which failure, in which words. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/cases.h"
#include "src/run/choose.h"
#include "src/run/family.h"
#include "src/run/freeze.h"
#include "src/run/session.h"
#include "src/run/tail.h"

/* ---- what the benchmark said last ---- */

static int add_tail(struct session *session)
{
	struct run_result *result = session->result;

	result->tail = tail_of(result->stderr_path);
	if (result->tail && !*result->tail) {
		free(result->tail);
		result->tail = tail_of(result->stdout_path);
	}
	return result->tail ? CG_OK : session_fail_nomem(session);
}

/* Advice for failures caused by the hermetic environment itself, "" if no text matches. */
static void advise(const struct session *session, char *advice, size_t size)
{
	static const struct {
		const char *said, *reason, *configured, *given;
	} known[] = {
		{ "error while loading shared libraries",
		  "if the library is found by LD_LIBRARY_PATH, ", "`env: [LD_LIBRARY_PATH]`",
		  "--env=LD_LIBRARY_PATH" },
		{ "rustup could not choose a version", "", "`env: [HOME, RUSTUP_HOME, CARGO_HOME]`",
		  "--env=HOME --env=RUSTUP_HOME --env=CARGO_HOME" },
		{ "/nonexistent", "the benchmark runs with HOME=/nonexistent: if it needs yours, ",
		  "`env: [HOME]`", "--env=HOME" },
		{ "cannot open display", "", "`env: [DISPLAY]`", "--env=DISPLAY" },
		{ "argument '--exact'",
		  "criterion before 0.4 cannot run a single case: update it, or, for all of them in one "
		  "profile, give the command --bench --test and ",
		  "`cases: none`", "--cases=none" },
		{ "ModuleNotFoundError", "if the module is found by PYTHONPATH, ",
		  "`env: [PYTHONPATH]`", "--env=PYTHONPATH" },
	};

	*advice = '\0';
	for (size_t i = 0; i < sizeof known / sizeof *known && !*advice; i++)
		if (strstr(session->result->tail, known[i].said))
			snprintf(advice, size, "; %sadd %s", known[i].reason,
				 session->request->by_command ? known[i].given
							      : known[i].configured);
}

/* ---- which failure ---- */

const struct valgrind_log *session_death(const struct session *session)
{
	const struct collection *collection = &session->collection;

	for (size_t i = 0; i < collection->nlogs; i++)
		if (collection->logs[i].death)
			return &collection->logs[i];
	return NULL;
}

/* What Valgrind complained about before it opened its log: a line of stderr. */
static void early_complaint(const char *tail, char *line, size_t size)
{
	const char *at = strstr(tail, "valgrind: ");

	if (at)
		snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
	else
		snprintf(line, size, "it wrote nothing");
}

static int fail_no_log(struct session *session)
{
	char line[400];

	early_complaint(session->result->tail, line, sizeof line);
	if (strstr(line, "failed to start tool"))
		return session_fail(
			session, RUN_NO_VALGRIND, CG_EIO, NULL,
			"Valgrind %s did not start: %s; it cannot run callgrind for this kind of program",
			session->valgrind.version, line);
	return session_fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL,
			    "Valgrind %s did not start: %s", session->valgrind.version, line);
}

static const char *unknown_instruction(const struct collection *collection)
{
	for (size_t i = 0; i < collection->nlogs; i++)
		if (collection->logs[i].instruction)
			return collection->logs[i].instruction;
	return NULL;
}

static int judge_valgrind(struct session *session, const struct process_end *end)
{
	const char *version = session->valgrind.version;
	const struct valgrind_log *dead = session_death(session);
	const char *instruction = unknown_instruction(&session->collection);

	if (dead && dead->bad_object)
		return session_fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL,
				    "Valgrind %s cannot read the debug information of %.300s; "
				    "build with -gdwarf-4",
				    version, dead->bad_object);
	if (dead)
		return session_fail(session, RUN_VALGRIND_DIED, CG_EIO, NULL,
				    "Valgrind %s died: %.500s", version, dead->death);
	if (!session->collection.nlogs)
		return fail_no_log(session);
	if (end->status && instruction)
		return session_fail(
			session, RUN_VALGRIND_DIED, CG_EIO, NULL,
			"Valgrind %s does not support an instruction of the program (bytes %.60s); build without "
			"-march=native and AVX-512",
			version, instruction);
	return CG_OK;
}

/* The child failed before it could execute the program. */
static int fail_start(struct session *session, const struct process_end *end)
{
	enum run_failure failure = RUN_SYSTEM;
	const char *file = NULL;

	if (!strcmp(end->failed_step, "execute")) {
		failure = RUN_NO_VALGRIND;
		file = session->valgrind.path;
	} else if (!strcmp(end->failed_step, "enter the working directory")) {
		failure = RUN_BAD_REQUEST;
		file = session->cwd;
	}
	return session_fail(session, failure, CG_EIO, file, "cannot %s: %s", end->failed_step,
			    strerror(end->error));
}

/* The log of a process that had not ended, and waited for no other one; NULL: no such process is
 * known. */
static const struct valgrind_log *find_running(const struct collection *collection)
{
	const struct valgrind_log *found = NULL;

	for (size_t i = 0; i < collection->nlogs; i++) {
		const struct valgrind_log *log = &collection->logs[i];
		bool waits = false;
		for (size_t k = 0; k < collection->nlogs; k++)
			waits |= collection->logs[k].running &&
				 collection->logs[k].parent == log->pid;
		if (log->running && !waits)
			found = log;
	}
	return found;
}

/* The clock advances by a step whenever it is read (freeze/time.c), however long the work between
 * two reads is: who doubles that until it takes long enough doubles it for ever. */
static const char *advise_on_frozen_time(const struct session *session)
{
	return session->result->frozen & FREEZE_TIME
		       ? "; its time is frozen and advances by 1 ms each time that it is read, so code that "
			 "repeats its work until it takes long enough, such as autorange of Python's timeit, "
			 "never ends: set a fixed number of rounds, or do not freeze the time"
		       : "";
}

/* If a launcher started one program after another, the name of the last one helps more than the
 * remark that Valgrind is slow. */
static int fail_timeout(struct session *session)
{
	const struct collection *collection = &session->collection;
	const struct valgrind_log *running = find_running(collection);
	const struct valgrind_log *loaded = running ? collection_image_log(collection, running->pid)
						    : NULL;
	bool is_script = session->command.file.kind == IMAGE_SCRIPT;
	char *image = loaded && loaded->nobjects ? session_host_object(session, loaded->objects[0])
						 : NULL;
	char started[400] = "";

	if (collection->nlogs > 1)
		snprintf(started, sizeof started, "; it had started %zu processes%s%.250s",
			 collection->nlogs, image ? ", the last one running " : "",
			 image ? image : "");
	else if (image && is_script)
		snprintf(started, sizeof started, "; it was running %.250s", image);
	free(image);
	return session_fail(
		session, RUN_TIMED_OUT, CG_EIO, NULL,
		"the benchmark was stopped after %u second%s (Valgrind makes programs 20 to 100 times slower)%s%s%s",
		session->request->timeout, session->request->timeout == 1 ? "" : "s", started,
		is_script && *started
			? "; measure the program that the script starts, or set a longer timeout"
			: "",
		advise_on_frozen_time(session));
}

static int judge_program_end(struct session *session, const struct process_end *end)
{
	struct run_result *result = session->result;

	if (!end->started)
		return fail_start(session, end);
	if (WIFEXITED(end->status))
		result->exit_status = WEXITSTATUS(end->status);
	if (WIFSIGNALED(end->status))
		result->term_signal = WTERMSIG(end->status);
	if (end->timed_out)
		return fail_timeout(session);
	return CG_OK;
}

static int judge_benchmark(struct session *session)
{
	const struct run_result *result = session->result;
	char advice[300];

	advise(session, advice, sizeof advice);
	if (result->term_signal)
		return session_fail(session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
				    "the benchmark was killed by signal %d (%s)%s%s",
				    result->term_signal, strsignal(result->term_signal),
				    result->term_signal == SIGKILL ? "; out of memory?" : "",
				    advice);
	if (result->exit_status)
		return session_fail(session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
				    "the benchmark failed with status %d%s", result->exit_status,
				    advice);
	return CG_OK;
}

/* "a, b and 3 more": the images that were measured, each once. */
static void name_all(const struct run_result *result, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < result->nprofiles && used + 1 < size; i++) {
		const char *image = result->profiles[i].image;
		bool known = !*image;
		for (size_t j = 0; j < i && !known; j++)
			known = !strcmp(result->profiles[j].image, image);
		if (known)
			continue;
		int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", image);
		used = n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
	}
}

static const char *no_cases(enum run_cases kind)
{
	switch (kind) {
	case RUN_CASES_IRDIFF:
		return "the benchmark measured no case: it did not call irdiff_begin() and irdiff_end() of "
		       "irdiff.h around the code to count";
	case RUN_CASES_CODSPEED:
		return "the benchmark measured no case as CodSpeed's integrations do; build it for CodSpeed "
		       "(cargo codspeed, pytest --codspeed, CODSPEED_MODE)";
	default:
		return "the benchmark measured no case: it did not call CALLGRIND_DUMP_STATS_AT with a name";
	}
}

/* Chooses the process that measured the first case. */
static void choose_first_case(struct run_result *result)
{
	size_t begin = cases_first(result)->files[0];
	const struct run_profile *p = &result->profiles[begin];
	uint64_t cost;

	while (begin && result->profiles[begin - 1].pid == p->pid &&
	       result->profiles[begin - 1].generation == p->generation)
		begin--;
	result->chosen = begin;
	result->nchosen = run_profile_end(result->profiles, result->nprofiles, begin, &cost) -
			  begin;
}

static bool is_copy(const struct run_result *result, const struct run_profile *p)
{
	return p->forked && !p->replaced && p->part == 1 && result->nprofiles > 1;
}

static int find_run_cases(struct session *session)
{
	struct run_result *result = session->result;
	enum run_cases kind = session->request->cases;
	const char *after;
	int status = session->harness ? session_find_harness_cases(session)
				      : cases_find(result, kind, session->err);

	if (status)
		return session_fail_with(session, RUN_SYSTEM, status);
	size_t not_ended = result->ncases ? 0 : cases_not_ended(result, kind, &after);
	if (not_ended)
		return session_fail(
			session, RUN_NO_PROFILE, CG_EIO, NULL,
			"%zu case%s had not ended when the next began, and no case ended; continue, break, goto or "
			"an exception may have skipped irdiff_end",
			not_ended, not_ended == 1 ? "" : "s");
	if (!result->ncases && kind != RUN_CASES_AUTO && kind != RUN_CASES_NONE)
		return session_fail(session, RUN_NO_PROFILE, CG_EINVAL, NULL, "%s", no_cases(kind));
	if (result->ncases && run_request_divides(session->request))
		return session_fail(
			session, RUN_BAD_REQUEST, CG_EINVAL, NULL,
			"the program defines its own cases with irdiff.h, which cannot be used with processes: "
			"each, all or project, nor with threads: each");
	if ((kind == RUN_CASES_AUTO || kind == RUN_CASES_IRDIFF) &&
	    cases_one_is_open(result, &after))
		return session_fail(
			session, RUN_NO_PROFILE, CG_EIO, NULL,
			"the case after \"%.200s\" began but did not end; break, return, exit or an exception may "
			"have skipped irdiff_end",
			after);
	for (size_t i = 0; kind == RUN_CASES_DUMPS && i < result->ncases; i++)
		if (is_copy(result, &result->profiles[result->cases[i].files[0]]))
			return session_fail(
				session, RUN_NO_PROFILE, CG_EIO, NULL,
				"the case \"%.200s\" is from a forked process, whose counts begin with a copy of its parent's; use irdiff.h",
				result->cases[i].name);
	if (result->ncases && !cases_first(result)) {
		const enum run_case_state state = result->cases[0].state;
		session->result->missed_root = session->request->function &&
					       state == RUN_CASE_EMPTY;
		return session_fail(session, RUN_NO_PROFILE, CG_EIO, NULL, "the case \"%.200s\" %s",
				    result->cases[0].name,
				    run_case_words(state, session->request->function));
	}
	return CG_OK;
}

static bool prefers_project(const struct session *session)
{
	return session_started_launcher(session) ||
	       session->request->processes == RUN_PROCESSES_PROJECT;
}

/* Chooses which of these profiles, whose images are named, the user meant. */
static enum choice session_choose(const struct session *session, const struct run_profile *profiles,
				  size_t nprofiles, size_t *first, size_t *count)
{
	bool prefers = prefers_project(session);
	const struct wanted_profile wanted = {
		.image = session->request->image,
		.project = prefers ? session->root : NULL,
		.main = prefers ? 0 : session_main_pid(session),
		.parted = session->part_forks,
		.family = session->request->tool == RUN_DHAT ||
			  (session->request->processes == RUN_PROCESSES_FORKED &&
			   !session->request->each_thread),
	};
	return choose_profile(profiles, nprofiles, &wanted, first, count);
}

static int choose_profile_kept(struct session *session)
{
	struct run_result *result = session->result;
	char images[400];

	name_all(result, images, sizeof images);
	switch (session_choose(session, result->profiles, result->nprofiles, &result->chosen,
			       &result->nchosen)) {
	case CHOICE_NONE:
		return session_fail(
			session, RUN_NO_PROFILE, CG_EIO, NULL,
			"Valgrind wrote no profile; the program may have replaced or killed itself");
	case CHOICE_ONLY_LAUNCHERS:
		return session_fail(
			session, RUN_ONLY_LAUNCHER, CG_EINVAL, NULL,
			"only %s was measured, and nothing that it started; run the program itself, or select this image",
			images);
	case CHOICE_NO_SUCH_IMAGE:
		return session_fail(session, RUN_NO_PROFILE, CG_EINVAL, NULL,
				    "no process ran the image \"%.100s\"; images that ran: %s",
				    session->request->image, images);
	case CHOICE_MADE:
		break;
	}
	return CG_OK;
}

/* Whether the last image of a process has written its profile. */
static bool has_profile(const struct run_result *result, pid_t pid)
{
	for (size_t i = 0; i < result->nprofiles; i++)
		if (result->profiles[i].pid == pid && !result->profiles[i].replaced &&
		    result->profiles[i].bytes)
			return true;
	return false;
}

/* Whether an image without a profile could have been the one meant, by the rules of
 * choose_profile(). */
static bool could_be_meant(const struct session *session, const char *image)
{
	const struct run_result *result = session->result;
	const char *wanted = session->request->image, *root = session->root;

	if (wanted)
		return choose_names(image, wanted);
	if (choose_below(image, root))
		return true;
	return !command_is_launcher(image, NULL) &&
	       !(prefers_project(session) &&
		 choose_below(result->profiles[result->chosen].image, root));
}

/* Judges processes that were killed and so left no profile: the profiles that exist may be of less
 * important processes. What mere forks were for is not known; they are missing only if all
 * processes are counted. */
static int judge_missing_processes(struct session *session)
{
	const struct collection *collection = &session->collection;
	enum run_processes which = session->request->processes;
	bool several = run_request_has_several(session->request);
	bool all = which == RUN_PROCESSES_EACH || which == RUN_PROCESSES_ALL;

	for (size_t i = 0; i < collection->nlogs; i++) {
		const struct valgrind_log *log = &collection->logs[i];
		const struct valgrind_log *loaded = several ? collection_image_log(collection,
										   log->pid)
							    : log;
		if (!loaded || !loaded->nobjects || has_profile(session->result, log->pid))
			continue;
		char *image = session_host_object(session, loaded->objects[0]);
		if (!image)
			return session_fail_nomem(session);
		int status = CG_OK;
		if (all ? !command_is_launcher(image, NULL) : could_be_meant(session, image))
			status = session_fail(
				session, RUN_NO_PROFILE, CG_EIO, NULL,
				"%.300s was still running, or was killed, when the benchmark ended, so its counts are "
				"lost; wait for it, or select another image",
				image);
		free(image);
		if (status)
			return status;
	}
	return CG_OK;
}

/* Where images are not seen to begin, one that a launcher starts may have replaced its parts, which
 * do not count. */
static int judge_parts(struct session *session)
{
	const struct run_result *result = session->result;
	const struct run_profile *after = collect_missing(result->profiles, result->nprofiles);

	if (!after || (session->kind == WORKSPACE_LINKS && after->launcher))
		return CG_OK;
	return session_fail(
		session, RUN_NO_PROFILE, CG_EIO, NULL,
		"counts of %.300s are missing: files that Valgrind had written were removed or replaced while the "
		"benchmark ran",
		*after->image ? after->image : after->command);
}

/* A program need not allocate anything, but DHAT must have been able to see it. */
static int judge_heap(struct session *session)
{
	const struct run_profile *chosen = &session->result->profiles[session->result->chosen];
	const struct valgrind_log *log = collection_image_log(&session->collection, chosen->pid);

	if (log && log->counts_heap)
		return CG_OK;
	return session_fail(
		session, RUN_NO_PROFILE, CG_EINVAL, NULL,
		"the heap of %.300s cannot be counted: Valgrind sees the allocations of dynamic programs only; "
		"link it without -static",
		chosen->image);
}

static int judge_counts(struct session *session)
{
	const struct run_result *result = session->result;
	const char *function = session->request->function;

	for (size_t i = 0; i < result->nchosen; i++)
		if (result->profiles[result->chosen + i].collected)
			return CG_OK;
	if (session->request->tool == RUN_DHAT)
		return judge_heap(session);
	if (function) {
		session->result->missed_root = true;
		return session_fail(
			session, RUN_NO_PROFILE, CG_EINVAL, NULL,
			"nothing was counted below the function \"%.200s\": it was not called, it was inlined, or "
			"its name is spelled differently (C++: the demangled name with its parameters; * is a "
			"wildcard)",
			function);
	}
	return session_fail(session, RUN_NO_PROFILE, CG_EIO, NULL,
			    "the profile of %.300s counts no instructions",
			    result->profiles[result->chosen].image);
}

static const struct run_profile *find_profile_that(const struct run_result *result,
						   bool (*is)(const struct run_profile *, size_t,
							      const struct run_profile *))
{
	for (size_t i = 0; i < result->nprofiles; i++)
		if (is(result->profiles, result->nprofiles, &result->profiles[i]))
			return &result->profiles[i];
	return NULL;
}

/* Decides what is kept: one profile, or one for each process or thread. */
static int divide_profiles(struct session *session)
{
	struct run_result *result = session->result;
	enum run_processes which = session->request->processes;
	bool several = run_request_has_several(session->request);
	const struct run_profile *copy = several ? find_profile_that(result, family_has_copy)
						 : NULL;
	const struct run_profile *bereft = several ? find_profile_that(result, family_is_bereft)
						   : NULL;
	int status;

	result->copied = family_has_copy(result->profiles, result->nprofiles,
					 &result->profiles[result->chosen]);
	for (size_t i = 0; which == RUN_PROCESSES_FORKED && i < result->nprofiles; i++)
		result->left_copies |= family_has_copy(result->profiles, result->nprofiles,
						       &result->profiles[i]) &&
				       family_root(result->profiles, result->nprofiles, i) ==
					       result->chosen;
	if (bereft)
		return session_fail(
			session, RUN_NO_PROFILE, CG_EIO, NULL,
			"a process that %.300s forked was still running, or was killed, when the benchmark ended, "
			"so its counts are lost; wait for it",
			bereft->image);

	if (copy)
		return session_fail(
			session, RUN_NO_PROFILE, CG_EIO, NULL,
			"a process of %.300s was forked by other means than fork(2); its counts cannot be separated from its parent's",
			copy->image);
	if (which == RUN_PROCESSES_EACH)
		status = cases_of_processes(result, session->err);
	else if (session->request->each_thread)
		status = cases_of_threads(result, session->err);
	else if (which == RUN_PROCESSES_ALL)
		status = files_of_all(result, session->err);
	else if (which == RUN_PROCESSES_PROJECT)
		status = files_of_project(result, session->root, session->err);
	else
		status = which == RUN_PROCESSES_FORKED ? files_of_family(result, session->err)
						       : files_of_chosen(result, session->err);
	return session_fail_with(session, RUN_SYSTEM, status);
}

static int judge(struct session *session, const struct process_end *end)
{
	int status = judge_program_end(session, end);

	if (status == CG_OK && session->under_valgrind)
		status = judge_valgrind(session, end);
	if (status == CG_OK)
		status = judge_benchmark(session);
	if (status == CG_OK)
		status = find_run_cases(session);
	if (status == CG_OK && session->result->ncases) {
		choose_first_case(session->result);
		status = session_judge_ends(session);
		return status == CG_OK ? judge_parts(session) : status;
	}
	if (status == CG_OK)
		status = choose_profile_kept(session);
	if (status == CG_OK)
		status = divide_profiles(session);
	if (status == CG_OK)
		status = session_judge_ends(session);
	if (status == CG_OK)
		status = judge_missing_processes(session);
	if (status == CG_OK)
		status = judge_parts(session);
	return status == CG_OK ? judge_counts(session) : status;
}

/* ---- the whole ---- */

/* Names the most informative log of Valgrind. */
static int name_log(struct session *session)
{
	struct run_result *result = session->result;
	const struct valgrind_log *telling = session_death(session);
	pid_t first_pid = session_main_pid(session);

	if (!telling && first_pid)
		telling = collection_log(&session->collection, first_pid);
	result->valgrind_log = telling ? strdup(telling->path) : NULL;
	return telling && !result->valgrind_log ? session_fail_nomem(session) : CG_OK;
}

/* Every process that ended left a log; all other pids were threads. If several processes ran, it is
 * not known whose threads they were. */
static unsigned count_threads(const struct session *session, const struct process_end *end)
{
	size_t processes = session->collection.nlogs;

	if (session->case_threads)
		return session->case_threads;
	if (processes > 1 && session->request->processes != RUN_PROCESSES_ALL)
		return 0;
	return processes && end->tasks >= processes ? end->tasks - (unsigned)processes + 1 : 0;
}

static void hand_over_profiles(struct session *session)
{
	session->result->profiles = session->collection.profiles;
	session->result->nprofiles = session->collection.nprofiles;
	session->collection.profiles = NULL;
	session->collection.nprofiles = 0;
}

static int map_root(struct session *session)
{
	if (session->workspace.kind == WORKSPACE_LINKS || !strcmp(session->root, "/"))
		return CG_OK;
	char *seen = workspace_path(&session->workspace, "w", NULL);
	if (!seen)
		return session_fail_nomem(session);
	int status = session_add_mapping(session, seen, session->root, false);
	free(seen);
	return status;
}

int session_conclude(struct session *session, const struct process_end *end)
{
	struct run_result *result = session->result;
	int status = add_tail(session);

	if (status == CG_OK)
		status = name_log(session);
	if (status == CG_OK)
		status = session_name_images(session);
	if (status)
		return status;
	result->threads = count_threads(session, end);
	hand_over_profiles(session);
	status = map_root(session);
	if (status == CG_OK)
		status = judge(session, end);
	if (status == CG_OK)
		status = session_note_processes(session);
	if (status == CG_OK)
		status = session_list_objects(session, &result->profiles[result->chosen]);
	if (status == CG_OK)
		status = session_check_frozen(session);
	if (status && session->run && !result->ncases)
		cg_error_context(session->err, "the case \"%.200s\"",
				 session->cases.items[session->run - 1]);
	return status;
}

int session_conclude_natively(struct session *session, const struct process_end *end)
{
	int status = add_tail(session);

	if (status == CG_OK && end->timed_out)
		status = session_fail(session, RUN_TIMED_OUT, CG_EIO, NULL,
				      "the benchmark was stopped after %u second%s",
				      session->request->timeout,
				      session->request->timeout == 1 ? "" : "s");
	if (status == CG_OK)
		status = judge_program_end(session, end);
	return status ? status : judge_benchmark(session);
}
