/* A harness's program is run once for each of its cases, or once for all. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "callgrind/support/grow.h"
#include "src/run/cases.h"
#include "src/run/harness.h"
#include "src/run/session.h"

/* ---- which cases there are ---- */

/* The command itself and, if they are wanted, its own arguments after those that they override. */
static int add_command(struct session *session, bool own, struct strings *words)
{
	const char *const *argv = session->request->argv;
	int status = strings_add(words, session->program, session->err);

	for (size_t i = 0; !status && own && session->harness->defaults[i]; i++)
		status = strings_add(words, session->harness->defaults[i], session->err);
	for (argv++; !status && own && *argv; argv++)
		status = strings_add(words, *argv, session->err);
	return status;
}

/* What gungraun says of the present case; NULL: the harness is another one. */
static const struct gungraun_case *told_case(const struct session *session)
{
	return session->harness->lines == HARNESS_RUNNER
		       ? &session->gungraun.cases[session->run - 1]
		       : NULL;
}

static int add_case_words(struct session *session, struct strings *arguments)
{
	const struct harness *h = session->harness;
	const struct gungraun_case *told = told_case(session);
	int status = add_command(session, h->keeps_arguments, arguments);

	if (!status && told)
		return strings_add_all(arguments, &told->arguments, session->err);
	return status ? status
		      : harness_add_run(h, session->cases.items[session->run - 1], arguments,
					session->err);
}

int session_add_marks(struct session *session)
{
	const struct gungraun_case *told = told_case(session);

	return told ? gungraun_add_marks(&session->gungraun, told, &session->arguments,
					 session->err)
		    : harness_add_marks(session->harness, &session->arguments, session->err);
}

static size_t count_harness_runs(const struct session *session)
{
	return harness_runs_together(session->harness) ? 1 : session->cases.count;
}

int session_add_case(struct session *session)
{
	return add_case_words(session, &session->arguments);
}

static int fail_list(struct session *session, const struct process_end *end)
{
	const struct harness *h = session->harness;
	char reason[80] = "it listed none";

	if (!end->started)
		snprintf(reason, sizeof reason, "it did not start: %s", strerror(end->error));
	else if (end->timed_out)
		snprintf(reason, sizeof reason, "it did not end within the timeout");
	else if (WIFSIGNALED(end->status))
		snprintf(reason, sizeof reason, "signal %d killed it", WTERMSIG(end->status));
	else if (end->status)
		snprintf(reason, sizeof reason, "it failed with status %d",
			 WEXITSTATUS(end->status));
	struct strings words = { .items = (char **)h->list };
	while (h->list[words.count])
		words.count++;
	char *options = strings_join(&words);
	if (!options)
		return session_fail_nomem(session);
	session_fail(session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
		     "`%.200s %s` did not list the cases: %s; with `cases: %s` the command must be "
		     "the benchmark's program itself%s",
		     session->request->argv[0], options, reason, h->title,
		     h->lines == HARNESS_RUNNER ? ", built without GUNGRAUN_RUNNER or "
						  "IAI_CALLGRIND_RUNNER in the environment"
						: "");
	free(options);
	return CG_EIO;
}

static int read_case_list(struct session *session)
{
	size_t size;
	char *text = session_read_file(session->result->stdout_path, &size);
	int status = CG_OK;

	if (text)
		status = session_fail_with(
			session, RUN_BAD_REQUEST,
			harness_read_list(session->harness, text, &session->cases, session->err));
	free(text);
	return status;
}

int session_ask_for_cases(struct session *session, const struct environment *environment,
			  struct process_end *end)
{
	const struct harness *h = session->harness;
	struct strings words = { 0 };
	int status = add_command(session, true, &words);

	for (size_t i = 0; !status && h->list[i]; i++)
		status = strings_add(&words, h->list[i], session->err);
	session_fail_with(session, RUN_SYSTEM, status);
	if (!status)
		status = session_start(session, session->program, &words,
				       (const char *const *)environment->vars, end);
	strings_free(&words);
	return status;
}

static int list_harness_cases(struct session *session, struct process_end *end)
{
	const bool told = session->harness->lines == HARNESS_RUNNER;
	int status = told ? session_list_gungraun(session, end)
			  : session_ask_for_cases(session, &session->environment, end);

	if (!status && session_has_failed(end))
		status = fail_list(session, end);
	if (!status && !told)
		status = read_case_list(session);
	return status || session->cases.count ? status : fail_list(session, end);
}

static void keep_chosen_cases(struct session *session, const bool *kept)
{
	struct strings *cases = &session->cases;
	size_t count = 0;

	for (size_t i = 0; i < cases->count; i++) {
		if (kept[i])
			cases->items[count++] = cases->items[i];
		else
			free(cases->items[i]);
	}
	session->result->some_cases = count < cases->count;
	cases->items[cases->count = count] = NULL;
	if (session->harness->lines == HARNESS_RUNNER)
		gungraun_keep(&session->gungraun, kept);
}

static int ask_which_cases(struct session *session)
{
	const struct run_request *request = session->request;
	const struct strings *cases = &session->cases;

	if (!request->choose || harness_runs_together(session->harness))
		return CG_OK;
	bool *chosen = calloc(cases->count + 1, sizeof *chosen);
	int status = chosen ? request->choose(request->chooser, (const char *const *)cases->items,
					      cases->count, chosen, session->err)
			    : cg_fail_nomem(session->err);
	if (!status)
		keep_chosen_cases(session, chosen);
	free(chosen);
	return session_fail_with(session, RUN_BAD_REQUEST, status);
}

/* ---- the runs ---- */

/* The files of each run are in a directory of their own. */
static int enter_directory(struct session *session)
{
	char name[16], *directory;

	snprintf(name, sizeof name, "/%05u", session->run);
	if (asprintf(&directory, "%s%s", session->workdir, name) < 0)
		return session_fail_nomem(session);
	if (mkdir(directory, 0700) != 0) {
		int status = session_fail(session, RUN_SYSTEM, cg_io_status(errno), directory,
					  "cannot create: %s", strerror(errno));
		free(directory);
		return status;
	}
	free(session->outdir);
	session->outdir = directory;
	snprintf(session->below, sizeof session->below, "%s", name);
	return CG_OK;
}

static int append_over(struct process_list *to, const struct process_list *from)
{
	if (!from->count)
		return CG_OK;
	if (cg_grow(&to->items, &to->cap, to->count + from->count, sizeof *to->items))
		return CG_ENOMEM;
	memcpy(to->items + to->count, from->items, from->count * sizeof *to->items);
	to->count += from->count;
	return CG_OK;
}

static void shift_pid(pid_t *pid, pid_t *parent, pid_t by)
{
	*pid += by;
	if (*parent)
		*parent += by;
}

/* A guest's processes have the same IDs in every run. The collections are sorted by them. */
static void make_pids_unique(struct session *session, const struct collection *all)
{
	struct collection *last = &session->collection;
	const pid_t most = all->nlogs ? all->logs[all->nlogs - 1].pid : 0;

	if (!last->nlogs || last->logs[0].pid > most)
		return;
	for (size_t i = 0; i < last->nprofiles; i++)
		shift_pid(&last->profiles[i].pid, &last->profiles[i].parent, most);
	for (size_t i = 0; i < last->nlogs; i++)
		shift_pid(&last->logs[i].pid, &last->logs[i].parent, most);
	for (size_t i = 0; i < session->over.count; i++)
		shift_pid(&session->over.items[i].pid, &session->over.items[i].parent, most);
}

/* What all runs left becomes what the session has collected. */
static int gather(struct session *session, struct collection *all, struct process_list *over)
{
	struct collection *last = &session->collection;

	make_pids_unique(session, all);
	for (size_t i = 0; i < last->nprofiles; i++)
		last->profiles[i].run = session->run;
	if (collection_move(all, last) || append_over(over, &session->over))
		return session_fail_nomem(session);
	return CG_OK;
}

/* Runs the present case without Valgrind. All of them, as the command runs them by itself, would
 * not end if the time is frozen. */
static int warm_up_case(struct session *session, struct process_end *end)
{
	struct strings words = { 0 };
	int status = session_fail_with(session, RUN_SYSTEM, add_case_words(session, &words));

	session->under_valgrind = false;
	if (!status)
		status = session_start(session, session->program, &words,
				       (const char *const *)session->environment.vars, end);
	strings_free(&words);
	return status;
}

static int measure_case(struct session *session, struct process_end *end)
{
	int status = enter_directory(session);

	const bool natively = session->request->natively;

	if (!status && (session->request->warm_up || natively)) {
		status = warm_up_case(session, end);
		if (natively || (!status && session_has_failed(end)))
			return status;
	}
	return status ? status : session_measure(session, end);
}

/* Notes how many threads this case had, without those of the harness, if no case had more. */
static void count_case_threads(struct session *session, const struct process_end *end)
{
	const unsigned own = session->harness->own_threads, most = session->case_threads;
	const bool known = own && session->collection.nlogs == 1 && end->tasks > own;
	const unsigned threads = known ? end->tasks - own : 0;

	session->case_threads = !most || !threads ? 0 : threads > most ? threads : most;
}

/* Measures the present case, and adds what it left to that of all. */
static int run_case(struct session *session, struct collection *all, struct process_list *over,
		    double *seconds, struct process_end *end)
{
	const bool told = told_case(session) != NULL;
	int status = told ? session_enter_gungraun(session, end) : CG_OK;

	if (!status && !session_has_failed(end))
		status = measure_case(session, end);
	*seconds += session->result->seconds;
	count_case_threads(session, end);
	if (!status)
		status = gather(session, all, over);
	const int left = told ? session_leave_gungraun(session, end) : CG_OK;
	return status ? status : left;
}

int session_measure_cases(struct session *session, struct process_end *end)
{
	struct collection all = { 0 };
	struct process_list over = { 0 };
	double seconds = 0;
	int status = list_harness_cases(session, end);

	if (!status && !session_has_failed(end))
		status = ask_which_cases(session);
	session->case_threads = 1;
	for (size_t i = 0; !status && i < count_harness_runs(session); i++) {
		session->run++;
		status = run_case(session, &all, &over, &seconds, end);
		if (end->status || end->timed_out || session->interrupts.signal ||
		    session_death(session))
			break;
	}
	collection_free(&session->collection);
	process_list_free(&session->over);
	session->collection = all;
	session->over = over;
	session->result->seconds = seconds;
	return status;
}

/* ---- what counts ---- */

/* The parts of one process that belong to a case. */
static int add_case_parts(struct session *session, struct run_case *c, size_t begin, size_t end)
{
	const struct run_profile *profiles = session->result->profiles;
	bool *chosen = calloc(end - begin, sizeof *chosen);
	int status = chosen ? CG_OK : CG_ENOMEM;

	if (chosen)
		harness_choose(session->harness, profiles + begin, end - begin, chosen);
	for (size_t i = begin; !status && i < end; i++)
		if (chosen[i - begin])
			status = run_case_add_file(c, i, profiles[i].collected);
	free(chosen);
	return status;
}

/* The parts of the processes of one run that belong to its case. */
static int find_alone(struct session *session, struct run_case *c, unsigned run)
{
	const struct run_result *result = session->result;

	for (size_t begin = 0, end; begin < result->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		if (result->profiles[begin].run == run && add_case_parts(session, c, begin, end))
			return session_fail_nomem(session);
	}
	return CG_OK;
}

/* Divides the parts of one process among the cases that follow the first `*ended`. */
static int add_divided_parts(struct session *session, size_t begin, size_t end, size_t *ended)
{
	struct run_result *result = session->result;
	size_t *case_of = calloc(end - begin, sizeof *case_of);
	int status = case_of ? CG_OK : CG_ENOMEM;

	if (!case_of)
		return session_fail_nomem(session);
	const size_t n = harness_divide(session->harness, result->profiles + begin, end - begin,
					case_of);
	for (size_t i = begin; !status && i < end; i++) {
		const size_t number = case_of[i - begin] ? *ended + case_of[i - begin] : 0;
		if (number && number <= result->ncases)
			status = run_case_add_file(&result->cases[number - 1], i,
						   result->profiles[i].collected);
	}
	*ended += n;
	free(case_of);
	return status ? session_fail_nomem(session) : CG_OK;
}

/* The order tells which case is which, so none may be missing. */
static int find_together(struct session *session)
{
	const struct run_result *result = session->result;
	size_t ended = 0;
	int status = CG_OK;

	for (size_t begin = 0, end; !status && begin < result->nprofiles; begin = end) {
		uint64_t cost;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		status = add_divided_parts(session, begin, end, &ended);
	}
	if (!status && ended && ended != result->ncases)
		status = session_fail(
			session, RUN_NO_PROFILE, CG_EINVAL, NULL,
			"the benchmark printed the results of %zu cases, but ran %zu; with "
			"`cases: %s` it must print all of them to its standard output",
			result->ncases, ended, session->harness->title);
	return status;
}

int session_find_harness_cases(struct session *session)
{
	struct run_result *result = session->result;
	const bool together = harness_runs_together(session->harness);
	int status = CG_OK;

	result->cases = calloc(session->cases.count, sizeof *result->cases);
	if (!result->cases)
		return session_fail_nomem(session);
	for (size_t i = 0; !status && i < session->cases.count; i++) {
		struct run_case *c = &result->cases[result->ncases++];
		c->name = strdup(session->cases.items[i]);
		if (!c->name)
			return session_fail_nomem(session);
		if (!together)
			status = find_alone(session, c, (unsigned)i + 1);
	}
	if (!status && together)
		status = find_together(session);
	for (size_t i = 0; i < result->ncases; i++)
		if (!result->cases[i].collected)
			result->cases[i].state = RUN_CASE_NOT_MARKED;
	return status;
}
