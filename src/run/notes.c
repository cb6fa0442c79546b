/* What became of all processes of a run. A process that counts and did not come to its end is an
 * error. All else becomes a note that is kept with the profile, as do the counts of processes that
 * do not count. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/run/family.h"
#include "src/run/session.h"
#include "src/run/signals.h"

/* ---- who counts ---- */

static bool is_file_listed(const size_t *files, size_t count, size_t file)
{
	for (size_t i = 0; i < count; i++)
		if (files[i] == file)
			return true;
	return false;
}

static bool is_file_counted(const struct run_result *result, size_t file)
{
	for (size_t i = 0; i < result->ncases; i++)
		if (is_file_listed(result->cases[i].files, result->cases[i].nfiles, file))
			return true;
	return !result->ncases && is_file_listed(result->files, result->nfiles, file);
}

/* In a program with cases only the cases count, not what runs between them. */
static bool process_counts(const struct run_result *result, pid_t pid)
{
	for (size_t i = 0; i < result->nprofiles; i++)
		if (result->profiles[i].pid == pid && is_file_counted(result, i) &&
		    (result->ncases || !result->profiles[i].replaced))
			return true;
	return false;
}

/* The process whose work a process without a profile continues; 0: it has work of its own. */
static pid_t goes_on_with(const struct session *session, pid_t pid)
{
	const struct process_over *over = process_list_find(&session->over, pid);
	const struct valgrind_log *log = collection_log(&session->collection, pid);

	if (over)
		return over->executed ? 0 : over->parent;
	return log && !log->nobjects ? log->parent : 0;
}

static bool is_process_counted(const struct session *session, pid_t pid)
{
	const struct run_result *result = session->result;
	size_t most = session->collection.nlogs + session->over.count;

	if (session->request->processes == RUN_PROCESSES_ONE && !result->ncases)
		most = 0;
	/* A chain of parents cannot be longer than there are processes. */
	for (size_t i = 0;
	     i < most && pid && !family_last(result->profiles, result->nprofiles, pid); i++)
		pid = goes_on_with(session, pid);
	return process_counts(result, pid);
}

/* ---- how processes ended ---- */

/* The ends of traced processes were seen; for others Valgrind's log has the signal. */
struct ends {
	struct process_over *items;
	size_t count;
};

static int find_ends(const struct session *session, struct ends *out)
{
	const struct collection *c = &session->collection;
	size_t most = session->over.count > c->nlogs ? session->over.count : c->nlogs;

	out->items = calloc(most + 1, sizeof *out->items);
	if (!out->items)
		return CG_ENOMEM;
	if (session->over.count)
		memcpy(out->items, session->over.items, session->over.count * sizeof *out->items);
	out->count = session->over.count;
	for (size_t i = 0; !session->over.count && i < c->nlogs; i++)
		if (c->logs[i].signal)
			out->items[out->count++] = (struct process_over){
				.pid = c->logs[i].pid, .status = c->logs[i].signal
			};
	return CG_OK;
}

/* "/p/prog"; "" if nothing is known. NULL: out of memory. */
static char *image_of(const struct session *session, pid_t pid)
{
	const struct valgrind_log *log = collection_image_log(&session->collection, pid);

	return log && log->nobjects ? session_host_object(session, log->objects[0]) : strdup("");
}

static int fail_left(struct session *session, const char *image)
{
	return session_fail(
		session, RUN_NO_PROFILE, CG_EIO, NULL,
		"a process that %.300s forked was still running when the benchmark ended, so its counts "
		"are lost; make the benchmark wait for it",
		image);
}

static int fail_signal(struct session *session, const struct process_over *over, const char *image)
{
	const struct valgrind_log *log = collection_log(&session->collection, over->pid);
	int number = WTERMSIG(over->status);
	const char *name = signal_name(number);
	bool by_command = session->request->by_command;

	if (number == SIGILL && log && log->instruction)
		return session_fail(
			session, RUN_VALGRIND_DIED, CG_EIO, NULL,
			"Valgrind %s does not support an instruction of %.300s (bytes %.60s); build without -march=native and AVX-512",
			session->valgrind.version, image, log->instruction);
	return session_fail(
		session, RUN_BENCHMARK_FAILED, CG_EIO, NULL,
		"%.300s was killed by signal %d (%s), though the command ended with status 0%s%s%s%s%s",
		image, number, strsignal(number), number == SIGKILL ? " (out of memory?)" : "",
		name ? "; if this is intended, add " : "",
		!name        ? ""
		: by_command ? "--signals="
			     : "`signals: [",
		name ? name : "", !name || by_command ? "" : "]` to the benchmark in irdiff.yml");
}

static int judge_process_end(struct session *session, const struct process_over *over)
{
	bool killed = WIFSIGNALED(over->status) &&
		      !signal_is_in(session->request->signals, WTERMSIG(over->status));
	int status = CG_OK;

	if ((!over->left && !killed) || !is_process_counted(session, over->pid))
		return CG_OK;
	char *image = image_of(session, over->pid);
	if (!image)
		return session_fail_nomem(session);
	const char *name = *image ? image : "a process";
	status = over->left ? fail_left(session, name) : fail_signal(session, over, name);
	free(image);
	return status;
}

int session_judge_ends(struct session *session)
{
	struct ends ends = { 0 };
	int status = find_ends(session, &ends) ? session_fail_nomem(session) : CG_OK;

	for (size_t i = 0; !status && i < ends.count; i++)
		status = judge_process_end(session, &ends.items[i]);
	free(ends.items);
	return status;
}

/* ---- notes ---- */

/* Processes of one program that ended alike. */
struct run_remark {
	const char *key; /* static */
	int code;        /* signal or status; 0: the key has none */
	char *name;
	size_t count;
	uint64_t costs[RUN_EVENTS];
};

struct run_remarks {
	struct run_remark *items;
	size_t count, cap;
};

static struct run_remark *remark(struct run_remarks *list, const char *key, int code,
				 const char *path)
{
	const char *name = *path ? cg_base_name(path) : "?";

	for (size_t i = 0; i < list->count; i++) {
		struct run_remark *r = &list->items[i];
		if (!strcmp(r->key, key) && r->code == code && !strcmp(r->name, name))
			return r;
	}
	char *copy = strdup(name);
	if (!copy || cg_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
		free(copy);
		return NULL;
	}
	list->items[list->count] = (struct run_remark){ .key = key, .code = code, .name = copy };
	return &list->items[list->count++];
}

static int by_key(const void *a, const void *b)
{
	const struct run_remark *p = a, *q = b;
	int order = strcmp(p->key, q->key);

	if (!order)
		order = p->code < q->code ? -1 : p->code > q->code;
	return order ? order : strcmp(p->name, q->name);
}

static void free_remarks(struct run_remarks *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
}

static bool is_image_counted(const struct run_result *result, const struct run_profile *p)
{
	for (size_t i = 0; i < result->nprofiles; i++)
		if (result->profiles[i].pid == p->pid &&
		    result->profiles[i].generation == p->generation && is_file_counted(result, i))
			return true;
	return false;
}

/* What a program counts between its cases is left out on purpose, and needs no note. */
static bool is_out_of_sight(const struct run_result *result, size_t file)
{
	const struct run_profile *p = &result->profiles[file];

	return p->bytes && p->collected && !is_file_counted(result, file) &&
	       !(result->ncases && is_image_counted(result, p));
}

/* Notes how many processes left a profile, so that readers know that no other note is missing. */
static int count_all(const struct run_result *result, struct run_remarks *list)
{
	struct run_remark *all = remark(list, "processes", 0, "in all");

	if (!all)
		return CG_ENOMEM;
	for (size_t i = 0; i < result->nprofiles; i++)
		all->count += i == 0 || result->profiles[i - 1].pid != result->profiles[i].pid;
	return CG_OK;
}

static uint64_t add_saturated_cost(uint64_t sum, uint64_t cost)
{
	return cost > UINT64_MAX - sum ? UINT64_MAX : sum + cost;
}

static int find_uncounted(const struct run_result *result, struct run_remarks *list)
{
	for (size_t begin = 0, end; begin < result->nprofiles; begin = end) {
		uint64_t cost;
		struct run_remark *r = NULL;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		for (size_t i = begin; i < end; i++) {
			const struct run_profile *p = &result->profiles[i];
			if (!is_out_of_sight(result, i))
				continue;
			if (!r &&
			    !(r = remark(list, "uncounted", 0, *p->image ? p->image : p->command)))
				return CG_ENOMEM;
			for (size_t e = 0; e < RUN_EVENTS; e++)
				r->costs[e] = add_saturated_cost(r->costs[e], p->costs[e]);
		}
		if (r)
			r->count++;
	}
	return CG_OK;
}

/* ---- what was not counted ---- */

/* A lower bound of what the last image of a process has executed without counting it: a basic block
 * has at least one instruction. How many blocks a fork has executed itself is not known. */
static uint64_t count_hidden(const struct run_profile *first, uint64_t cost,
			     const struct valgrind_log *log)
{
	bool known = log && !first->forked && !first->replaced;

	return known && log->blocks > cost ? log->blocks - cost : 0;
}

static int note_hidden(struct run_remarks *list, const struct run_profile *first, uint64_t hidden,
		       const struct valgrind_log *log)
{
	const char *path = *first->image ? first->image : first->command;
	struct run_remark *off = log && log->switched_off ? remark(list, "off", 0, path) : NULL;
	struct run_remark *r = hidden ? remark(list, "hidden", 0, path) : NULL;

	if ((log && log->switched_off && !off) || (hidden && !r))
		return CG_ENOMEM;
	/* Another line may have moved the first one. */
	off = off ? remark(list, "off", 0, path) : NULL;
	if (off)
		off->count++;
	if (r) {
		r->count++;
		r->costs[0] = add_saturated_cost(r->costs[0], hidden);
	}
	return CG_OK;
}

/* A program may switch counting off, or set its counts to zero. With cases, and below a root
 * function, that is how they are counted. */
static int find_hidden(const struct session *session, struct run_remarks *list)
{
	const struct run_result *result = session->result;
	int status = CG_OK;

	if (session->request->function || result->ncases)
		return CG_OK;
	for (size_t begin = 0, end; !status && begin < result->nprofiles; begin = end) {
		const struct run_profile *first = &result->profiles[begin];
		const struct valgrind_log *log = collection_log(&session->collection, first->pid);
		uint64_t cost;
		end = run_profile_end(result->profiles, result->nprofiles, begin, &cost);
		if (!first->replaced)
			status = note_hidden(list, first, count_hidden(first, cost, log), log);
	}
	return status;
}

/* What a process counted before it executed another program by other means than execve(3). */
static int find_lost_counts(const struct session *session, struct run_remarks *list)
{
	const struct collection *c = &session->collection;

	for (size_t i = 0; i < c->nlost; i++) {
		const struct valgrind_log *log = &c->lost[i];
		bool forked = !log->nobjects;
		const struct valgrind_log *loaded = forked ? collection_image_log(c, log->parent)
							   : log;
		char *image = loaded && loaded->nobjects
				      ? session_host_object(session, loaded->objects[0])
				      : strdup("");
		struct run_remark *r = image ? remark(list, forked ? "lost.forked" : "lost", 0,
						      image)
					     : NULL;
		free(image);
		if (!r)
			return CG_ENOMEM;
		r->count++;
	}
	return CG_OK;
}

/* ---- ends ---- */

/* The key of a note on how a process ended; NULL: it needs no note. */
static const char *ending_key(const struct process_over *over, bool counted, int *code)
{
	*code = 0;
	if (over->left)
		return "left";
	if (WIFSIGNALED(over->status)) {
		*code = WTERMSIG(over->status);
		return counted ? "signal.counted" : "signal";
	}
	*code = WEXITSTATUS(over->status);
	return !*code ? NULL : counted ? "status.counted" : "status";
}

static int add_end(const struct session *session, const struct process_over *over,
		   struct run_remarks *list)
{
	bool counted = is_process_counted(session, over->pid);
	int code;
	const char *key = ending_key(over, counted, &code);

	if (counted && over->random && !remark(list, "reads", 0, "random numbers"))
		return CG_ENOMEM;
	if (!key)
		return CG_OK;
	char *image = image_of(session, over->pid);
	struct run_remark *r = image ? remark(list, key, code, image) : NULL;
	free(image);
	if (!r)
		return CG_ENOMEM;
	r->count++;
	return CG_OK;
}

/* ", 920860 Ir, 26446 Dr" */
static void put_costs(FILE *to, const struct run_remark *r, const char *events)
{
	for (size_t e = 0; e < RUN_EVENTS && *events; e++) {
		size_t len = strcspn(events, " ");
		if (r->costs[e])
			fprintf(to, ", %" PRIu64 " %.*s", r->costs[e], (int)len, events);
		events += len + strspn(events + len, " ");
	}
}

/* "11 in 2 processes: prog", "1 process, 920860 Ir: helper", "random numbers" */
static char *remark_value(const struct run_remark *r, const char *events)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (r->code)
		fprintf(to, "%d in ", r->code);
	if (r->count)
		fprintf(to, "%zu process%s", r->count, r->count == 1 ? "" : "es");
	put_costs(to, r, events);
	fprintf(to, "%s%s", r->count ? ": " : "", r->name);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

static int keep_note(struct run_result *result, const struct run_remark *r)
{
	const char *events = result->nprofiles ? result->profiles[result->chosen].events : "";
	char *key = strdup(r->key), *value = remark_value(r, events);

	if (!key || !value ||
	    cg_grow(&result->notes, &result->notes_cap, result->nnotes + 1,
		    sizeof *result->notes)) {
		free(key);
		free(value);
		return CG_ENOMEM;
	}
	result->notes[result->nnotes++] = (struct run_note){ key, value };
	return CG_OK;
}

int session_note_processes(struct session *session)
{
	struct run_remarks list = { 0 };
	struct ends ends = { 0 };
	int status = find_uncounted(session->result, &list);

	if (!status)
		status = find_hidden(session, &list);
	if (!status)
		status = find_lost_counts(session, &list);
	if (!status)
		status = find_ends(session, &ends);
	for (size_t i = 0; !status && i < ends.count; i++)
		status = add_end(session, &ends.items[i], &list);
	if (!status)
		status = count_all(session->result, &list);
	if (list.count)
		qsort(list.items, list.count, sizeof *list.items, by_key);
	for (size_t i = 0; !status && i < list.count; i++)
		status = keep_note(session->result, &list.items[i]);
	free(ends.items);
	free_remarks(&list);
	return status ? session_fail_nomem(session) : CG_OK;
}
