#include "src/measure/task.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "src/measure/task_file.h"
#include "src/run/signals.h"

#define TASK_SCHEMA "irdiff/task"

/* A field that is added to one of these needs a line in add_request or add_measurement, and one in
 * take_request or take_measurement. `secret` is left out, as the worker looks for it in the
 * project, `choose` and `chooser`, which measure() sets, and `shared`, which the worker is told
 * when it starts. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct run_request) == 184, "a field is not in tasks");
_Static_assert(sizeof(void *) != 8 || sizeof(struct measurement) == 80 + sizeof(struct run_request),
	       "a field is not in tasks");

/* ---- writing -------------------------------------------------------------- */

static void add_list(struct json *j, const char *key, const char *const *list)
{
	json_begin_array(j, key);
	for (; list && *list; list++)
		task_add_bytes(j, NULL, *list);
	json_end(j);
}

static void add_signals(struct json *j, uint64_t signals)
{
	json_begin_array(j, "signals");
	for (unsigned n = 1; n < 64; n++)
		if (signal_is_in(signals, (int)n))
			json_count(j, NULL, n);
	json_end(j);
}

static void add_request(struct json *j, const struct run_request *r)
{
	json_begin_object(j, "request");
	add_list(j, "argv", r->argv);
	add_list(j, "env", r->env);
	add_list(j, "valgrind_options", r->valgrind_options);
	task_add_bytes(j, "cwd", r->cwd);
	task_add_bytes(j, "image", r->image);
	task_add_bytes(j, "function", r->function);
	task_add_bytes(j, "valgrind", r->valgrind);
	json_count(j, "depth", r->depth);
	json_count(j, "recursion", r->recursion);
	json_count(j, "timeout", r->timeout);
	json_count(j, "cases", r->cases);
	json_count(j, "processes", r->processes);
	json_count(j, "freeze", r->freeze);
	json_count(j, "count", r->count);
	add_signals(j, r->signals);
	json_flag(j, "each_thread", r->each_thread);
	json_flag(j, "cache_sim", r->cache_sim);
	json_flag(j, "warm_up", r->warm_up);
	json_flag(j, "presets", r->presets);
	json_flag(j, "in_place", r->in_place);
	json_flag(j, "by_command", r->by_command);
	json_flag(j, "untraced", r->untraced);
	json_end(j);
}

static void add_checkout(struct json *j, const struct measured_checkout *c)
{
	json_begin_object(j, "checkout");
	task_add_bytes(j, "top", c->top);
	task_add_bytes(j, "root", c->root);
	task_add_bytes(j, "named", c->named);
	task_add_bytes(j, "side", c->side);
	task_add_bytes(j, "commit", c->commit);
	json_flag(j, "changed", c->changed);
	task_add_bytes(j, "changes", c->changes);
	add_list(j, "copied", c->copied);
	task_add_bytes(j, "build_names", c->build_names);
	json_end(j);
}

static void add_measurement(struct json *j, const struct measurement *m)
{
	json_begin_object(j, "measurement");
	task_add_bytes(j, "root", m->root);
	task_add_bytes(j, "label", m->label);
	task_add_bytes(j, "key", m->key);
	task_add_bytes(j, "benchmark", m->benchmark);
	task_add_bytes(j, "definition", m->definition);
	task_add_bytes(j, "wanted", m->wanted);
	json_flag(j, "or_all", m->or_all);
	json_flag(j, "replace", m->replace);
	json_flag(j, "quiet", m->quiet);
	json_flag(j, "beside", m->beside);
	json_end(j);
}

static int add_task_variable(struct json *j, const char *name)
{
	const char *value = getenv(name);
	char *text;

	if (!value) {
		task_add_bytes(j, NULL, name);
		return CG_OK;
	}
	if (asprintf(&text, "%s=%s", name, value) < 0)
		return CG_ENOMEM;
	task_add_bytes(j, NULL, text);
	free(text);
	return CG_OK;
}

static int add_task_variables(struct json *j, const struct run_request *r)
{
	static const char *const ours[] = { "PATH", "IRDIFF_VALGRIND", "IRDIFF_FREEZE_LIBRARY" };
	int status = CG_OK;

	json_begin_array(j, "variables");
	for (size_t i = 0; !status && i < sizeof ours / sizeof *ours; i++)
		status = add_task_variable(j, ours[i]);
	for (const char *const *name = r->env; !status && name && *name; name++)
		if (!strchr(*name, '='))
			status = add_task_variable(j, *name);
	json_end(j);
	return status;
}

int task_write(const struct measurement *m, const char *path, struct cg_error *err)
{
	struct json *j = task_begin_document(TASK_SCHEMA);

	if (!j)
		return cg_fail_nomem(err);
	add_measurement(j, m);
	if (m->checkout)
		add_checkout(j, m->checkout);
	add_request(j, &m->request);
	if (add_task_variables(j, &m->request)) {
		json_abandon(j);
		return cg_fail_nomem(err);
	}
	return task_write_document(j, path, err);
}

/* ---- reading -------------------------------------------------------------- */

/* What is read, and the first member that was missing or of the wrong kind. */
struct task_reader {
	struct task *task;
	const char *refused;
	bool no_memory;
};

static void refuse_member(struct task_reader *r, const char *key)
{
	if (!r->refused)
		r->refused = key;
}

static const char *take_hex(struct task_reader *r, const char *key, const char *hex)
{
	struct strings *decoded = &r->task->decoded;

	if (strings_add(decoded, hex, NULL)) {
		r->no_memory = true;
		return NULL;
	}
	char *bytes = decoded->items[decoded->count - 1];
	if (task_decode_hex(bytes))
		return bytes;
	refuse_member(r, key);
	return NULL;
}

/* What task_add_bytes has written; the task's. NULL: it was left out, or is refused. */
static const char *take_bytes(struct task_reader *r, const char *key, const struct json_value *v)
{
	const char *text = json_text_of(v), *hex = json_text_of(json_member(v, "hex"));

	if (hex)
		return take_hex(r, key, hex);
	if (v && !text)
		refuse_member(r, key);
	return text;
}

static const char *read_task_text(struct task_reader *r, const struct json_value *from,
				  const char *key)
{
	return take_bytes(r, key, json_member(from, key));
}

static const char *take_needed(struct task_reader *r, const struct json_value *from,
			       const char *key)
{
	const char *text = read_task_text(r, from, key);
	if (!text)
		refuse_member(r, key);
	return text;
}

static unsigned read_task_number(struct task_reader *r, const struct json_value *from,
				 const char *key, unsigned most)
{
	uint64_t n;

	if (json_count_of(json_member(from, key), &n) && n <= most)
		return (unsigned)n;
	refuse_member(r, key);
	return 0;
}

static bool take_flag(struct task_reader *r, const struct json_value *from, const char *key)
{
	const struct json_value *flag = json_member(from, key);

	if (!json_is_flag(flag))
		refuse_member(r, key);
	return json_holds(flag);
}

static uint64_t read_task_signals(struct task_reader *r, const struct json_value *from)
{
	const struct json_value *list = json_member(from, "signals");
	uint64_t signals = 0;

	if (!json_is_list(list))
		refuse_member(r, "signals");
	for (size_t i = 0; i < json_items(list); i++) {
		uint64_t n;
		if (json_count_of(json_item(list, i), &n) && n < 64)
			signals |= UINT64_C(1) << n;
		else
			refuse_member(r, "signals");
	}
	return signals;
}

/* NULL-terminated, and owned by the task as list number `which`. NULL: out of memory. */
static const char **take_list(struct task_reader *r, const struct json_value *from, const char *key,
			      enum task_list which)
{
	const struct json_value *list = json_member(from, key);
	size_t count = json_items(list);
	const char **texts = r->task->lists[which] = calloc(count + 1, sizeof *texts);

	if (!json_is_list(list))
		refuse_member(r, key);
	r->no_memory |= !texts;
	for (size_t i = 0; texts && i < count; i++)
		if (!(texts[i] = take_bytes(r, key, json_item(list, i))))
			refuse_member(r, key);
	return texts;
}

static void take_request(struct task_reader *r, const struct json_value *from,
			 struct run_request *q)
{
	run_request_init(q);
	q->argv = take_list(r, from, "argv", TASK_ARGV);
	q->env = take_list(r, from, "env", TASK_ENV);
	q->valgrind_options = take_list(r, from, "valgrind_options", TASK_VALGRIND_OPTIONS);
	q->cwd = read_task_text(r, from, "cwd");
	q->image = read_task_text(r, from, "image");
	q->function = read_task_text(r, from, "function");
	q->valgrind = read_task_text(r, from, "valgrind");
	q->depth = read_task_number(r, from, "depth", UINT_MAX);
	q->recursion = read_task_number(r, from, "recursion", UINT_MAX);
	q->timeout = read_task_number(r, from, "timeout", UINT_MAX);
	q->cases = (enum run_cases)read_task_number(r, from, "cases", RUN_CASES_NANOBENCH);
	q->processes = (enum run_processes)read_task_number(r, from, "processes",
							    RUN_PROCESSES_PROJECT);
	q->freeze = read_task_number(r, from, "freeze", UINT_MAX);
	q->count = read_task_number(r, from, "count", UINT_MAX);
	q->signals = read_task_signals(r, from);
	q->each_thread = take_flag(r, from, "each_thread");
	q->cache_sim = take_flag(r, from, "cache_sim");
	q->warm_up = take_flag(r, from, "warm_up");
	q->presets = take_flag(r, from, "presets");
	q->in_place = take_flag(r, from, "in_place");
	q->by_command = take_flag(r, from, "by_command");
	q->untraced = take_flag(r, from, "untraced");
	if (q->argv && !q->argv[0])
		refuse_member(r, "argv");
}

static void take_measurement(struct task_reader *r, const struct json_value *from,
			     struct measurement *m)
{
	m->root = take_needed(r, from, "root");
	m->label = take_needed(r, from, "label");
	m->key = read_task_text(r, from, "key");
	m->benchmark = read_task_text(r, from, "benchmark");
	m->definition = read_task_text(r, from, "definition");
	m->wanted = read_task_text(r, from, "wanted");
	m->or_all = take_flag(r, from, "or_all");
	m->replace = take_flag(r, from, "replace");
	m->quiet = take_flag(r, from, "quiet");
	m->beside = take_flag(r, from, "beside");
}

static void take_checkout(struct task_reader *r, const struct json_value *from,
			  struct measured_checkout *c)
{
	c->top = take_needed(r, from, "top");
	c->root = take_needed(r, from, "root");
	c->named = take_needed(r, from, "named");
	c->side = take_needed(r, from, "side");
	c->commit = take_needed(r, from, "commit");
	c->changed = take_flag(r, from, "changed");
	c->changes = read_task_text(r, from, "changes");
	c->copied = take_list(r, from, "copied", TASK_COPIED);
	c->build_names = read_task_text(r, from, "build_names");
}

static void take_variables(struct task_reader *r, const struct json_value *list)
{
	if (!json_is_list(list))
		refuse_member(r, "variables");
	for (size_t i = 0; i < json_items(list); i++) {
		const char *text = take_bytes(r, "variables", json_item(list, i));
		if (!text)
			refuse_member(r, "variables");
		else if (strings_add(&r->task->variables, text, NULL))
			r->no_memory = true;
	}
}

int task_read(const char *path, struct task *out, struct cg_error *err)
{
	struct task_reader r = { .task = out };

	*out = (struct task){ 0 };
	int status = task_read_document(path, TASK_SCHEMA, &out->json, err);
	if (status)
		return status;
	const struct json_value *checkout = json_member(out->json, "checkout");
	take_measurement(&r, json_member(out->json, "measurement"), &out->measurement);
	take_request(&r, json_member(out->json, "request"), &out->measurement.request);
	if (checkout) {
		take_checkout(&r, checkout, &out->checkout);
		out->measurement.checkout = &out->checkout;
	}
	take_variables(&r, json_member(out->json, "variables"));
	if (r.no_memory)
		return cg_fail_nomem(err);
	return r.refused ? cg_fail(err, CG_EINVAL, path, 0, "no valid '%s'", r.refused) : CG_OK;
}

void task_free(struct task *t)
{
	for (size_t i = 0; i < TASK_LISTS; i++)
		free(t->lists[i]);
	strings_free(&t->variables);
	strings_free(&t->decoded);
	json_forget(t->json);
	*t = (struct task){ 0 };
}
