#include "src/measure/task.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/run/signals.h"
#include "src/store/files.h"

#define TASK_HEADER "irdiff task " PACKAGE_VERSION

/* A field that is added to one of these is one more line in write_request or write_measurement and
 * in read_request or read_measurement. `secret` is not: who measures looks for it in the project. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct run_request) == 152, "a field is not in tasks");
_Static_assert(sizeof(void *) != 8 || sizeof(struct measurement) == 80 + sizeof(struct run_request),
	       "a field is not in tasks");

/* ---- writing -------------------------------------------------------------- */

static void put(FILE *to, const char *name, const char *value)
{
	if (!value)
		return;
	fputs(name, to);
	fputc('\0', to);
	fputs(value, to);
	fputc('\0', to);
}

static void put_flag(FILE *to, const char *name, bool set)
{
	put(to, name, set ? "yes" : NULL);
}

static void put_number(FILE *to, const char *name, unsigned n)
{
	char text[16];
	snprintf(text, sizeof text, "%u", n);
	put(to, name, text);
}

static void put_list(FILE *to, const char *name, const char *const *list)
{
	for (; list && *list; list++)
		put(to, name, *list);
}

static void put_signals(FILE *to, uint64_t signals)
{
	for (unsigned n = 1; n < 64; n++)
		if (signal_is_in(signals, (int)n))
			put_number(to, "signal", n);
}

static void write_request(const struct run_request *r, FILE *to)
{
	put_list(to, "argv", r->argv);
	put_list(to, "env", r->env);
	put_list(to, "valgrind_option", r->valgrind_options);
	put(to, "cwd", r->cwd);
	put(to, "image", r->image);
	put(to, "function", r->function);
	put(to, "valgrind", r->valgrind);
	put_number(to, "depth", r->depth);
	put_number(to, "recursion", r->recursion);
	put_number(to, "timeout", r->timeout);
	put_number(to, "cases", r->cases);
	put_number(to, "processes", r->processes);
	put_number(to, "freeze", r->freeze);
	put_signals(to, r->signals);
	put_flag(to, "each_thread", r->each_thread);
	put_flag(to, "cache_sim", r->cache_sim);
	put_flag(to, "warm_up", r->warm_up);
	put_flag(to, "in_place", r->in_place);
	put_flag(to, "by_command", r->by_command);
	put_flag(to, "untraced", r->untraced);
}

static void write_measurement(const struct measurement *m, FILE *to)
{
	const struct measured_checkout *c = m->checkout;

	put(to, "root", m->root);
	put(to, "label", m->label);
	put(to, "key", m->key);
	put(to, "benchmark", m->benchmark);
	put(to, "definition", m->definition);
	put(to, "wanted", m->wanted);
	put_flag(to, "replace", m->replace);
	put_flag(to, "quiet", m->quiet);
	if (!c)
		return;
	put(to, "checkout.top", c->top);
	put(to, "checkout.root", c->root);
	put(to, "checkout.named", c->named);
	put(to, "checkout.side", c->side);
	put(to, "checkout.commit", c->commit);
	put_flag(to, "checkout.changed", c->changed);
	put_list(to, "checkout.copied", c->copied);
}

static int write_variable(const char *name, FILE *to)
{
	const char *value = getenv(name);
	char *text;

	if (!value) {
		put(to, "variable", name);
		return CG_OK;
	}
	if (asprintf(&text, "%s=%s", name, value) < 0)
		return CG_ENOMEM;
	put(to, "variable", text);
	free(text);
	return CG_OK;
}

static int write_variables(const struct run_request *r, FILE *to)
{
	static const char *const ours[] = { "PATH", "IRDIFF_VALGRIND", "IRDIFF_FREEZE_LIBRARY" };
	int status = CG_OK;

	for (size_t i = 0; !status && i < sizeof ours / sizeof *ours; i++)
		status = write_variable(ours[i], to);
	for (const char *const *name = r->env; !status && name && *name; name++)
		if (!strchr(*name, '='))
			status = write_variable(*name, to);
	return status;
}

int task_write(const struct measurement *m, const char *path, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = new_file_begin(path, &file, &to, err);
	if (status)
		return status;
	fputs(TASK_HEADER, to);
	fputc('\0', to);
	write_measurement(m, to);
	write_request(&m->request, to);
	if (write_variables(&m->request, to)) {
		new_file_abandon(file);
		return cg_fail_nomem(err);
	}
	return new_file_commit(file, err);
}

/* ---- reading -------------------------------------------------------------- */

struct reading {
	const char *text, *end;
};

/* The next of a name, behind `after` or, if that is NULL, the first. */
static const char *next(const struct reading *r, const char *name, const char *after)
{
	const char *at = after ? after + strlen(after) + 1 : r->text;

	while (at < r->end) {
		const char *value = at + strlen(at) + 1;
		if (value >= r->end)
			return NULL;
		if (strcmp(at, name) == 0)
			return value;
		at = value + strlen(value) + 1;
	}
	return NULL;
}

static const char *text_of(const struct reading *r, const char *name)
{
	return next(r, name, NULL);
}

static bool flag_of(const struct reading *r, const char *name)
{
	return text_of(r, name) != NULL;
}

static unsigned number_of(const struct reading *r, const char *name)
{
	const char *text = text_of(r, name);
	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static uint64_t signals_of(const struct reading *r)
{
	uint64_t signals = 0;

	for (const char *v = NULL; (v = next(r, "signal", v));)
		signals |= UINT64_C(1) << (strtoul(v, NULL, 10) & 63);
	return signals;
}

/* NULL-terminated; NULL: out of memory. */
static const char **list_of(const struct reading *r, const char *name)
{
	size_t count = 0;
	for (const char *v = NULL; (v = next(r, name, v));)
		count++;
	const char **list = calloc(count + 1, sizeof *list);
	const char *v = NULL;
	for (size_t i = 0; list && i < count; i++)
		list[i] = v = next(r, name, v);
	return list;
}

static int read_request(const struct reading *r, struct task *t, struct run_request *q)
{
	static const char *const names[] = { "argv", "env", "valgrind_option", "checkout.copied" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!(t->lists[i] = list_of(r, names[i])))
			return CG_ENOMEM;
	run_request_init(q);
	q->argv = t->lists[0];
	q->env = t->lists[1];
	q->valgrind_options = t->lists[2];
	q->cwd = text_of(r, "cwd");
	q->image = text_of(r, "image");
	q->function = text_of(r, "function");
	q->valgrind = text_of(r, "valgrind");
	q->depth = number_of(r, "depth");
	q->recursion = number_of(r, "recursion");
	q->timeout = number_of(r, "timeout");
	q->cases = (enum run_cases)number_of(r, "cases");
	q->processes = (enum run_processes)number_of(r, "processes");
	q->freeze = number_of(r, "freeze");
	q->signals = signals_of(r);
	q->each_thread = flag_of(r, "each_thread");
	q->cache_sim = flag_of(r, "cache_sim");
	q->warm_up = flag_of(r, "warm_up");
	q->in_place = flag_of(r, "in_place");
	q->by_command = flag_of(r, "by_command");
	q->untraced = flag_of(r, "untraced");
	return CG_OK;
}

static void read_measurement(const struct reading *r, struct task *t)
{
	struct measurement *m = &t->measurement;

	m->root = text_of(r, "root");
	m->label = text_of(r, "label");
	m->key = text_of(r, "key");
	m->benchmark = text_of(r, "benchmark");
	m->definition = text_of(r, "definition");
	m->wanted = text_of(r, "wanted");
	m->replace = flag_of(r, "replace");
	m->quiet = flag_of(r, "quiet");
	t->checkout = (struct measured_checkout){
		.top = text_of(r, "checkout.top"),
		.root = text_of(r, "checkout.root"),
		.named = text_of(r, "checkout.named"),
		.side = text_of(r, "checkout.side"),
		.commit = text_of(r, "checkout.commit"),
		.changed = flag_of(r, "checkout.changed"),
		.copied = t->lists[3],
	};
	m->checkout = t->checkout.top ? &t->checkout : NULL;
}

static int read_variables(const struct reading *r, struct task *t, struct cg_error *err)
{
	int status = CG_OK;
	for (const char *v = NULL; !status && (v = next(r, "variable", v));)
		status = strings_add(&t->variables, v, err);
	return status;
}

static bool is_complete(const struct task *t)
{
	const struct measurement *m = &t->measurement;
	const struct measured_checkout *c = m->checkout;

	return m->root && m->label && m->request.argv[0] &&
	       (!c || (c->root && c->named && c->side && c->commit));
}

int task_read(const char *path, struct task *out, struct cg_error *err)
{
	size_t size;

	*out = (struct task){ 0 };
	int status = file_read(path, &out->text, &size, err);
	if (status)
		return status;
	struct reading r = { out->text, out->text + size };
	if (size <= sizeof TASK_HEADER || memcmp(r.text, TASK_HEADER, sizeof TASK_HEADER) != 0 ||
	    r.end[-1] != '\0')
		return cg_fail(err, CG_EINVAL, path, 0,
			       "is no task of irdiff " PACKAGE_VERSION ": is another "
			       "irdiff installed where it is to be done?");
	r.text += sizeof TASK_HEADER;
	read_measurement(&r, out);
	if (read_request(&r, out, &out->measurement.request))
		return cg_fail_nomem(err);
	if (!is_complete(out))
		return cg_fail(err, CG_EINVAL, path, 0, "is not complete");
	return read_variables(&r, out, err);
}

void task_free(struct task *t)
{
	for (size_t i = 0; i < sizeof t->lists / sizeof *t->lists; i++)
		free(t->lists[i]);
	strings_free(&t->variables);
	free(t->text);
	*t = (struct task){ 0 };
}

/* ---- what came of it ------------------------------------------------------ */

#define RESULT_HEADER "irdiff result "

/* Labels have no control characters. */
static void write_labels(const struct measured *measured, FILE *to)
{
	for (size_t i = 0; i < measured->count; i++)
		fprintf(to, "%s\n%s\n", measured->items[i].label,
			measured->items[i].benchmark ? measured->items[i].benchmark : "");
	for (size_t i = 0; i < measured->lost.count; i++)
		fprintf(to, "\n%s\n", measured->lost.paths[i]); /* it has no label */
}

int task_write_result(const char *path, enum ending ending, const struct measured *measured,
		      struct cg_error *err)
{
	char *name;
	struct new_file *file;
	FILE *to;
	if (asprintf(&name, "%s" TASK_RESULT, path) < 0)
		return cg_fail_nomem(err);
	int status = new_file_begin(name, &file, &to, err);
	if (!status) {
		fprintf(to, RESULT_HEADER "%d\n", ending);
		write_labels(measured, to);
		status = new_file_commit(file, err);
	}
	free(name);
	return status;
}

static char *take_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static int read_labels(char *at, struct measured *out)
{
	for (char *label, *benchmark; (label = take_line(&at)) && (benchmark = take_line(&at));) {
		if (!*label && path_list_add(&out->lost, benchmark, NULL))
			return CG_ENOMEM;
		if (!*label)
			continue;
		struct measured_profile p = { strdup(label), *benchmark ? strdup(benchmark) : NULL,
					      NULL };
		if (!p.label || (*benchmark && !p.benchmark) ||
		    cg_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items)) {
			free(p.label);
			free(p.benchmark);
			return CG_ENOMEM;
		}
		out->items[out->count++] = p;
	}
	return CG_OK;
}

bool task_read_result(const char *path, enum ending *ending, struct measured *measured)
{
	enum { MOST = 255 };
	char *name, *text = NULL, *at, *end;
	size_t size;
	bool found = false;

	if (asprintf(&name, "%s" TASK_RESULT, path) < 0)
		return false;
	if (file_read(name, &text, &size, NULL) == CG_OK &&
	    strncmp(text, RESULT_HEADER, sizeof RESULT_HEADER - 1) == 0) {
		at = text;
		const char *line = take_line(&at);
		long code = line ? strtol(line + sizeof RESULT_HEADER - 1, &end, 10) : -1;
		found = code >= 0 && code <= MOST && !*end && read_labels(at, measured) == CG_OK;
		if (found)
			*ending = (int)code;
	}
	free(text);
	free(name);
	return found;
}
