/*
 * Valgrind names code without an object by its address, and so does a calling context.
 *
 * CPython generates nothing but a trampoline for each function, which calls the interpreter:
 *
 *	_PyEval_EvalFrameDefault ← trampoline of f ← py_trampoline_evaluator ← _PyEval_Vector
 *		← _PyEval_EvalFrameDefault ← trampoline of main ← …
 *
 * Whatever the trampoline of a function calls is the interpreter at work on this function, and so
 * is what leads from there to the next trampoline. These functions become inlined code of the one
 * that they run. The nearest callers are enough to know which that is. How often it was entered
 * again meanwhile, and by whom, they do not tell: it is one record.
 */
#include "callgrind/reader_code.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/context_texts.h"
#include "callgrind/interpreter.h"
#include "callgrind/support/grow.h"

void cg_reader_choose_map(struct cg_reader *r)
{
	for (size_t i = 0; i < r->options->nmaps && !r->map; i++)
		if (strcmp(r->options->maps[i].file, r->name) == 0)
			r->map = r->options->maps[i].map;
}

/* ---- names ---- */

/* The address that a name consists of. */
static bool code_address(const char *name, size_t len, uint64_t *address)
{
	enum { MOST_DIGITS = 16 };
	char digits[MOST_DIGITS + 1], *end;

	if (len < 3 || len > 2 + MOST_DIGITS || name[0] != '0' || name[1] != 'x')
		return false;
	memcpy(digits, name + 2, len - 2);
	digits[len - 2] = '\0';
	*address = strtoull(digits, &end, 16);
	return !*end;
}

static const struct cg_perf_symbol *code_symbol(const struct cg_reader *r, const char *name,
						size_t len)
{
	uint64_t address;

	return code_address(name, len, &address) ? cg_perf_map_find(r->map, address) : NULL;
}

/* Whether that is inside a function of JavaScript, which is called at its beginning: V8 continues
 * it there after another tier of its compilers ran it, and Valgrind takes a return that belongs to
 * no call for one. */
static bool is_continued(const struct cg_reader *r, const struct cg_perf_symbol *symbol,
			 const char *name, size_t len)
{
	static const char javascript[] = "JS:";
	uint64_t address;

	return symbol && strncmp(symbol->name, javascript, sizeof javascript - 1) == 0 &&
	       code_address(name, len, &address) && !cg_perf_map_begins(r->map, address);
}

static bool is_interpreted(const struct cg_perf_symbol *symbol)
{
	return symbol && symbol->interpreted;
}

/* One name of a list that apostrophes part, and where the next one begins. */
struct code_caller {
	const char *name;
	size_t len, next;
};

static struct code_caller code_caller_at(const char *callers, size_t len, size_t at)
{
	size_t own = cg_context_first_name(callers + at, len - at);

	return (struct code_caller){ callers + at, own, at + own + (at + own < len) };
}

static const struct cg_perf_symbol *symbol_at(const struct cg_reader *r, const char *callers,
					      size_t len, size_t at)
{
	struct code_caller c = code_caller_at(callers, len, at);
	return at < len ? code_symbol(r, c.name, c.len) : NULL;
}

/* Goes over callers in which the interpreter runs the function that follows. *end is where the
 * first other one begins: it is returned if it is a function that is run so. */
static const struct cg_perf_symbol *find_what_runs(const struct cg_reader *r, const char *callers,
						   size_t len, size_t at, size_t *end)
{
	const struct cg_perf_symbol *symbol = symbol_at(r, callers, len, at);

	while (at < len && !symbol) {
		struct code_caller c = code_caller_at(callers, len, at);
		const struct cg_perf_symbol *next = symbol_at(r, callers, len, c.next);
		if (!is_interpreted(next) && !cg_interpreter_function(c.name, c.len))
			break;
		at = c.next;
		symbol = next;
	}
	*end = at;
	return is_interpreted(symbol) ? symbol : NULL;
}

/* A list of callers that is being made. */
struct code_callers {
	cg_str *names;
	size_t count, cap, bytes;
};

static int append_code_caller(struct cg_reader *r, struct code_callers *to, const char *name,
			      size_t len)
{
	if (cg_grow(&to->names, &to->cap, to->count + 1, sizeof *to->names))
		return CG_ENOMEM;
	to->bytes += len + 1;
	return cg_build_string(r->b, name, len, &to->names[to->count++]);
}

static int append_symbol(struct cg_reader *r, struct code_callers *to,
			 const struct cg_perf_symbol *symbol)
{
	return append_code_caller(r, to, symbol->name, strlen(symbol->name));
}

/* The callers without the interpreter's own functions, up to the first function that it runs. */
static int list_code_callers(struct cg_reader *r, const char *callers, size_t len,
			     struct code_callers *to)
{
	int status = CG_OK;

	for (size_t at = 0; !status && at < len;) {
		size_t end;
		const struct cg_perf_symbol *run = find_what_runs(r, callers, len, at, &end);
		if (run)
			return append_symbol(r, to, run);
		do {
			struct code_caller c = code_caller_at(callers, len, at);
			const struct cg_perf_symbol *symbol = code_symbol(r, c.name, c.len);
			status = symbol ? append_symbol(r, to, symbol)
					: append_code_caller(r, to, c.name, c.len);
			at = c.next;
		} while (!status && at < len && at <= end);
	}
	return status;
}

static int set_code_context(struct cg_reader *r, const char *callers, size_t len, uint32_t *context)
{
	struct code_callers list = { 0 };
	int status = list_code_callers(r, callers, len, &list);

	if (!status)
		status = cg_build_callers(r->b, list.names, list.count, context);
	/* The size of the file does not explain longer names. */
	if (!status && list.bytes > len)
		cg_build_read(r->b, list.bytes - len);
	free(list.names);
	return status;
}

/* The nearest caller that is run by the interpreter, whatever it calls first. */
static const struct cg_perf_symbol *find_nearest_code(const struct cg_reader *r,
						      const char *callers, size_t len)
{
	for (size_t at = 0; at < len; at = code_caller_at(callers, len, at).next) {
		const struct cg_perf_symbol *symbol = symbol_at(r, callers, len, at);
		if (is_interpreted(symbol))
			return symbol;
	}
	return NULL;
}

static int find_host(struct cg_reader *r, const char *own, size_t own_len, const char *callers,
		     size_t len, struct packed *name)
{
	const struct cg_interpreter_function *f = cg_interpreter_function(own, own_len);
	size_t end;

	if (f || is_interpreted(symbol_at(r, callers, len, 0)))
		name->host = find_what_runs(r, callers, len, 0, &end);
	if (!f || !f->enters || name->host)
		return CG_OK;
	name->host = find_nearest_code(r, callers, len);
	return name->host ? set_code_context(r, callers, len, &name->way) : CG_OK;
}

int cg_reader_look_up_code(struct cg_reader *r, const char *own, size_t own_len,
			   const char *callers, size_t len, struct packed *name)
{
	int status = CG_OK;

	name->context = 0;
	name->code = code_symbol(r, own, own_len);
	name->continued = is_continued(r, name->code, own, own_len);
	if (name->code)
		cg_build_read(r->b, strlen(name->code->name));
	else
		status = find_host(r, own, own_len, callers, len, name);
	return !status && r->options->detail.contexts && !name->host && !is_interpreted(name->code)
		       ? set_code_context(r, callers, len, &name->context)
		       : status;
}

/* ---- records ---- */

static int set_symbol(struct cg_reader *r, const struct cg_perf_symbol *symbol,
		      struct cg_function *f)
{
	cg_str name, file = 0;
	int status = cg_build_string(r->b, symbol->name, strlen(symbol->name), &name);

	if (!status && symbol->file)
		status = cg_build_string(r->b, symbol->file, strlen(symbol->file), &file);
	if (!status && file)
		status = cg_reader_rename_path(r, &file);
	if (!status)
		*f = (struct cg_function){ .name = name, .file = file };
	return status;
}

static int find_code_host(struct cg_reader *r, const struct cg_perf_symbol *symbol, uint32_t *host)
{
	struct cg_function f;
	struct cg_record record = { .level = 1 };
	int status = set_symbol(r, symbol, &f);

	if (!status)
		status = cg_build_function(r->b, &f, &record.function);
	return status ? status : cg_build_record(r->b, &record, host);
}

int cg_reader_set_code(struct cg_reader *r, const struct packed *name, struct cg_function *f,
		       struct cg_record *record)
{
	bool generated = name->code && !f->object;
	int status = CG_OK;

	if (generated)
		status = set_symbol(r, name->code, f);
	else if (name->host && !r->options->keep_interpreters)
		status = set_symbol(r, name->host, f);
	else if (name->host)
		status = find_code_host(r, name->host, &record->inlined_into);
	if (name->host || (generated && name->code->interpreted)) {
		record->level = 1;
		record->context = 0;
	}
	return status;
}

static cg_str file_of_record(const struct cg_reader *r)
{
	const struct cg_profile *p = cg_builder_profile(r->b);

	return p->functions[p->records[r->record].function].file;
}

void cg_reader_begin_code(struct cg_reader *r, const struct packed *name)
{
	bool generated = name->code && !r->object;

	r->runs_code = name->host != NULL;
	r->code_placed = generated || (r->runs_code && !r->options->keep_interpreters);
	if (!r->code_placed)
		return;
	r->code_file = file_of_record(r);
	r->code_line = generated ? name->code->line : name->host->line;
}

void cg_reader_run_code(struct cg_reader *r)
{
	r->runs_code = r->code_placed = true;
	r->code_file = file_of_record(r);
	r->code_line = 0;
}

int cg_reader_call_host(struct cg_reader *r, uint32_t caller, const struct cg_position *at,
			uint64_t count, const int64_t *costs, uint32_t *callee)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	const uint32_t host = p->records[*callee].inlined_into;
	struct cg_detour d = {
		.caller = caller,
		.host = host ? host : *callee,
		.inner = host ? *callee : 0,
		.way = r->called.name.way,
		.at = *at,
		.count = count,
	};

	*callee = 0;
	if (cg_machine_record(p, caller) == d.host)
		return d.inner ? cg_build_entries(r->b, d.inner, count) : CG_OK;
	if (d.way)
		return cg_detours_add(&r->detours, &d, costs, p->nevents);
	*callee = d.host;
	return CG_OK;
}
