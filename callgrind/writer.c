#include "cgprofile/writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/line.h"
#include "callgrind/order.h"
#include "callgrind/paths.h"
#include "callgrind/support/number.h"
#include "cgprofile/names.h"

#define APOSTROPHE "\xe2\x80\x99" /* U+2019, which no reader takes for anything */

/* Numbers of names, given in the order in which they are written first: those of
 * the profile depend on how it was read. */
struct numbers {
	uint32_t *of; /* 0: not written yet */
	uint32_t last;
};

/* How what is inlined is called. */
struct called {
	uint32_t first; /* call; 0: none */
	uint64_t count; /* of all; 0: unknown */
};

struct callgrind_writer {
	const struct cg_profile *p;
	FILE *to;
	struct cg_order order;
	struct numbers objects, files, records;
	uint32_t next_line, next_call; /* in their order */
	cg_str object, file, function_file;
	bool started;
	const struct cg_path_map *paths;
	size_t npaths;
	bool addresses;
	bool keep_inlined;
	bool *is_host;         /* per record; NULL if links are written as calls */
	struct called *called; /* per record, how its host calls it; NULL with is_host */
	uint32_t *next;        /* per call of an inlined record, the next one; NULL with is_host */
	bool packs_names;      /* the creator is one whose names readers take apart */
};

/* ---- pieces of lines: a profile has millions of numbers, and the stream is locked for all ---- */

static void writer_put(struct callgrind_writer *w, const char *text, size_t len)
{
	fwrite_unlocked(text, 1, len, w->to);
}

static void writer_put_text(struct callgrind_writer *w, const char *text)
{
	writer_put(w, text, strlen(text));
}

static void put_char(struct callgrind_writer *w, char c)
{
	putc_unlocked(c, w->to);
}

static void put_count(struct callgrind_writer *w, uint64_t number)
{
	char digits[20], *at = digits + sizeof digits;

	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	writer_put(w, at, (size_t)(digits + sizeof digits - at));
}

static void put_cost(struct callgrind_writer *w, int64_t cost)
{
	if (cost < 0)
		put_char(w, '-');
	put_count(w, cg_magnitude(cost));
}

/* "KEY=(NUMBER)"; true if the name must follow. */
static bool writer_write_number(struct callgrind_writer *w, const char *key,
				struct numbers *numbers, uint32_t id)
{
	bool is_new = numbers->of[id] == 0;
	if (is_new)
		numbers->of[id] = ++numbers->last;
	writer_put_text(w, key);
	writer_put_text(w, "=(");
	put_count(w, numbers->of[id]);
	put_char(w, ')');
	return is_new;
}

static void writer_write_path(struct callgrind_writer *w, const char *key, cg_str path,
			      struct numbers *numbers)
{
	if (writer_write_number(w, key, numbers, path)) {
		const char *rest = NULL, *prefix = NULL,
			   *name = path ? cg_string(w->p, path) : "???";
		for (size_t i = 0; !rest && i < w->npaths; i++) {
			rest = cg_path_below(name, w->paths[i].seen);
			prefix = w->paths[i].real;
		}
		put_char(w, ' ');
		writer_put_text(w, rest ? prefix : "");
		writer_put_text(w, rest ? rest : name);
	}
	put_char(w, '\n');
}

/* A caller that is called 7 would be taken for a recursion level. */
static bool is_like_level(const char *caller)
{
	return *caller && !caller[strspn(caller, "0123456789")];
}

/* Readers would take the "s" of "it's" for a caller. */
static void writer_write_name(struct callgrind_writer *w, const char *name)
{
	size_t len = strlen(name);
	if (!w->packs_names || cg_name_split(name, len).name_len == len) {
		writer_put(w, name, len);
		return;
	}
	for (; *name; name++)
		writer_put_text(w, *name == '\'' ? APOSTROPHE : (const char[]){ *name, '\0' });
}

/* A record's name holds its level and context: readers split it again. */
static void write_function(struct callgrind_writer *w, const char *key, uint32_t record)
{
	const struct cg_record *r = &w->p->records[record];
	cg_str name = w->p->functions[r->function].name;
	const cg_str *callers = cg_contexts_get(&w->p->contexts, r->context);
	const size_t ncallers = cg_contexts_size(&w->p->contexts, r->context);

	if (writer_write_number(w, key, &w->records, record)) {
		put_char(w, ' ');
		writer_write_name(w, name ? cg_string(w->p, name) : "???");
		if (r->level > 1 || (ncallers && is_like_level(cg_string(w->p, callers[0])))) {
			put_char(w, '\'');
			put_count(w, r->level);
		}
		for (size_t i = 0; i < ncallers; i++) {
			put_char(w, '\'');
			writer_put_text(w, cg_string(w->p, callers[i]));
		}
	}
	put_char(w, '\n');
}

static void writer_write_costs(struct callgrind_writer *w, const int64_t *costs)
{
	uint32_t n = w->p->nevents;
	while (n > 1 && costs[n - 1] == 0)
		n--;
	for (uint32_t e = 0; e < n; e++) {
		if (e)
			put_char(w, ' ');
		put_cost(w, costs[e]);
	}
	put_char(w, '\n');
}

/* Positions are absolute: readers disagree on what relative ones build on
 * after the lines of a call. */
static void write_position(struct callgrind_writer *w, uint64_t address, uint32_t line)
{
	if (w->addresses)
		fprintf(w->to, "0x%" PRIx64 " ", address);
	put_count(w, line);
	put_char(w, ' ');
}

static void go_to_file(struct callgrind_writer *w, cg_str file, cg_str own_file)
{
	if (w->file == file)
		return;
	writer_write_path(w, file == own_file ? "fe" : "fi", file, &w->files);
	w->file = file;
}

static void writer_write_call(struct callgrind_writer *w, uint32_t call)
{
	const struct cg_call *c = &w->p->calls[call];
	const struct cg_position at = cg_call_place(w->p, call);
	const struct cg_function *caller = &w->p->functions[w->p->records[c->caller].function];
	const struct cg_function *callee = &w->p->functions[w->p->records[c->callee].function];

	go_to_file(w, w->p->has_lines ? at.file : caller->file, caller->file);
	if (callee->object != caller->object)
		writer_write_path(w, "cob", callee->object, &w->objects);
	writer_write_path(w, "cfi", callee->file, &w->files);
	write_function(w, "cfn", c->callee);
	if (c->count == 0)
		writer_put_text(w, CG_UNCOUNTED_CALL "\n");
	writer_put_text(w, "calls=");
	put_count(w, c->count ? c->count : 1);
	put_char(w, ' ');
	write_position(w, 0, 0);
	put_char(w, '\n');
	write_position(w, at.address, at.line);
	writer_write_costs(w, w->p->call_cost + (size_t)call * w->p->nevents);
}

static void write_called(struct callgrind_writer *w, uint32_t record)
{
	const struct cg_profile *p = w->p;
	const struct called *called = &w->called[record];

	if (called->count) {
		writer_put_text(w, CG_INLINED_CALLS);
		put_count(w, called->count);
		put_char(w, '\n');
	}
	for (uint32_t i = called->first; i; i = w->next[i]) {
		const struct cg_position at = cg_call_place(p, i);
		if (!at.line)
			continue;
		go_to_file(w, at.file, p->functions[p->records[record].function].file);
		writer_put_text(w, CG_INLINED_AT);
		put_count(w, at.line);
		put_char(w, ' ');
		put_count(w, p->calls[i].count);
		put_char(w, ' ');
		writer_write_costs(w, p->call_cost + (size_t)i * p->nevents);
	}
}

static void write_record_head(struct callgrind_writer *w, uint32_t record)
{
	const struct cg_function *f = &w->p->functions[w->p->records[record].function];
	uint32_t host = w->keep_inlined ? w->p->records[record].inlined_into : 0;

	put_char(w, '\n');
	if (!w->started || w->object != f->object)
		writer_write_path(w, "ob", f->object, &w->objects);
	/* Readers differ in whether fi= moves the file of the functions after it. */
	if (!w->started || w->file != f->file || w->function_file != f->file)
		writer_write_path(w, "fl", f->file, &w->files);
	if (host) {
		writer_put_text(w, "inlined=(");
		put_count(w, w->records.of[host]);
		writer_put_text(w, ")\n");
	}
	write_function(w, "fn", record);
	w->object = f->object;
	w->file = w->function_file = f->file;
	w->started = true;
	if (host)
		write_called(w, record);
}

/* They may have been kept of a file that had none. */
static bool has_addresses(const struct cg_profile *p)
{
	for (uint32_t i = 1; p->has_addresses && i < p->nlines; i++)
		if (p->lines[i].address)
			return true;
	for (uint32_t i = 1; p->has_addresses && i < p->ncalls; i++)
		if (cg_call_place(p, i).address)
			return true;
	return false;
}

static bool writer_is_zero(const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (costs[e])
			return false;
	return true;
}

static uint32_t pending_line(const struct callgrind_writer *w, uint32_t record)
{
	if (w->next_line + 1 >= w->p->nlines)
		return 0;
	uint32_t line = w->order.lines[w->next_line];
	return w->p->lines[line].record == record ? line : 0;
}

static bool is_link(const struct callgrind_writer *w, uint32_t call)
{
	const struct cg_call *c = &w->p->calls[call];
	return w->p->records[c->callee].inlined_into == c->caller;
}

static uint32_t pending_call(struct callgrind_writer *w, uint32_t record)
{
	while (w->next_call + 1 < w->p->ncalls && w->keep_inlined &&
	       is_link(w, w->order.calls[w->next_call]))
		w->next_call++;
	if (w->next_call + 1 >= w->p->ncalls)
		return 0;
	uint32_t call = w->order.calls[w->next_call];
	return w->p->calls[call].caller == record ? call : 0;
}

/* A record that costs nothing may still be needed, to have others inlined into it. */
static bool writer_is_empty(struct callgrind_writer *w, uint32_t record)
{
	const struct cg_profile *p = w->p;
	bool is_host = w->is_host && w->is_host[record];
	return writer_is_zero(p->record_self + (size_t)record * p->nevents, p->nevents) &&
	       !is_host && !pending_line(w, record) && !pending_call(w, record);
}

static void write_self(struct callgrind_writer *w, uint32_t record)
{
	const struct cg_profile *p = w->p;
	const int64_t *self = p->record_self + (size_t)record * p->nevents;
	cg_str own_file = p->functions[p->records[record].function].file;

	for (uint32_t id; (id = pending_line(w, record)); w->next_line++) {
		go_to_file(w, p->lines[id].file, own_file);
		write_position(w, p->lines[id].address, p->lines[id].line);
		writer_write_costs(w, p->line_self + (size_t)id * p->nevents);
	}
	if (!p->has_lines && !writer_is_zero(self, p->nevents)) {
		write_position(w, 0, 0);
		writer_write_costs(w, self);
	}
}

static void write_body(struct callgrind_writer *w)
{
	const struct cg_profile *p = w->p;

	for (uint32_t i = 0; i + 1 < p->nrecords; i++) {
		uint32_t record = w->order.records[i];
		if (writer_is_empty(w, record))
			continue;
		write_record_head(w, record);
		write_self(w, record);
		for (uint32_t call; (call = pending_call(w, record)); w->next_call++)
			writer_write_call(w, call);
	}
}

/* A text from elsewhere must not become another line. */
static void writer_write_text(FILE *to, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, to);
}

static void write_desc(FILE *to, const char *key, const char *value)
{
	fputs("desc: ", to);
	writer_write_text(to, key);
	fputs(": ", to);
	writer_write_text(to, value);
	fputc('\n', to);
}

/* Facts of ours are the caller's to state: where it does, those of the profile
 * are old, or forged. */
static bool writer_is_ours(const char *key)
{
	return strncmp(key, "irdiff.", 7) == 0;
}

static const char *creator_of(const struct cg_profile *p, const struct cg_write_options *o)
{
	return o->creator ? o->creator : p->creator ? cg_string(p, p->creator) : "irdiff";
}

static bool writer_packs_names(const char *creator)
{
	return strncmp(creator, "callgrind", 9) == 0 || strncmp(creator, "irdiff", 6) == 0;
}

/* The sum of several programs is not one of them. */
static cg_str common_command(const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->nparts; i++)
		if (p->parts[i].command != p->parts[0].command)
			return 0;
	return p->nparts ? p->parts[0].command : 0;
}

/* Nor is that of several processes. */
static bool is_one_process(const struct cg_profile *p)
{
	for (uint32_t i = 1; i < p->nparts; i++)
		if (p->parts[i].pid != p->parts[0].pid)
			return false;
	return p->parts[0].pid != 0;
}

/* Valgrind's summary has what it counted and then lost, as of a function in whose
 * middle the program ended. */
static void write_summary(struct callgrind_writer *w, bool sums)
{
	const struct cg_profile *p = w->p;
	int64_t sum[CG_MAX_EVENTS] = { 0 };
	bool stated = p->nparts > 0 && !sums;

	for (uint32_t i = 0; stated && i < p->nparts; i++)
		stated = p->parts[i].summary && cg_add_costs(sum, p->parts[i].summary, p->nevents);
	writer_write_costs(w, stated ? sum : p->total);
}

static void writer_write_header(struct callgrind_writer *w, const struct cg_write_options *o)
{
	const struct cg_profile *p = w->p;
	const struct cg_part *part = &p->parts[0];
	const char *creator = creator_of(p, o);
	const char *command = o->command ? o->command : cg_string(p, common_command(p));

	fputs("# callgrind format\nversion: 1\n", w->to);
	if (creator[0])
		fprintf(w->to, "creator: %s\n", creator);
	if (p->nparts && is_one_process(p))
		fprintf(w->to, "pid: %" PRIu64 "\n", part->pid);
	if (command[0]) {
		fputs("cmd: ", w->to);
		writer_write_text(w->to, command);
		fputc('\n', w->to);
	}
	fputs("part: 1\n", w->to);
	for (uint32_t i = 0; i < p->ndescs; i++) {
		const char *key = cg_string(p, p->descs[i].key);
		if (!o->ndescs || !writer_is_ours(key))
			write_desc(w->to, key, cg_string(p, p->descs[i].value));
	}
	for (size_t i = 0; i < o->ndescs; i++)
		write_desc(w->to, o->descs[i][0], o->descs[i][1]);
	if (p->nparts == 1 && part->trigger)
		write_desc(w->to, "Trigger", cg_string(p, part->trigger));

	fprintf(w->to, "positions: %sline\n", w->addresses ? "instr " : "");
	for (uint32_t e = 0; e < p->nevents; e++) {
		const struct cg_event *event = &p->events[e];
		if (!event->formula && !event->long_name)
			continue;
		fprintf(w->to, "event: %s", cg_string(p, event->name));
		if (event->formula)
			fprintf(w->to, " = %s", cg_string(p, event->formula));
		if (event->long_name)
			fprintf(w->to, " : %s", cg_string(p, event->long_name));
		fputc('\n', w->to);
	}
	fputs("events:", w->to);
	for (uint32_t e = 0; e < p->nevents; e++)
		fprintf(w->to, " %s", cg_string(p, p->events[e].name));
	fputs("\nsummary: ", w->to);
	write_summary(w, o->sums);
	fputc('\n', w->to);
}

/* The records that others are inlined into; NULL: out of memory. */
static bool *find_hosts(const struct cg_profile *p)
{
	bool *is_host = calloc((size_t)p->nrecords + 1, sizeof *is_host);
	for (uint32_t r = 1; is_host && r < p->nrecords; r++)
		is_host[p->records[r].inlined_into] = true;
	return is_host;
}

static void note_called(struct callgrind_writer *w, uint32_t call)
{
	const struct cg_call *c = &w->p->calls[call];
	struct called *called = &w->called[c->callee];
	bool known = c->count && (!called->first || called->count);

	if (!known || __builtin_add_overflow(called->count, c->count, &called->count))
		called->count = 0;
	w->next[call] = called->first;
	called->first = call;
}

/* Notes how what is inlined is called, in the order of the calls; false: out of memory. */
static bool find_called(struct callgrind_writer *w)
{
	w->called = calloc((size_t)w->p->nrecords + 1, sizeof *w->called);
	w->next = calloc((size_t)w->p->ncalls + 1, sizeof *w->next);
	if (!w->called || !w->next)
		return false;
	for (uint32_t i = w->p->ncalls - 1; i > 0; i--)
		if (is_link(w, w->order.calls[i - 1]))
			note_called(w, w->order.calls[i - 1]);
	return true;
}

int cg_write_callgrind(const struct cg_profile *p, const struct cg_write_options *wanted, FILE *to)
{
	static const struct cg_write_options defaults;
	const struct cg_write_options *options = wanted ? wanted : &defaults;
	struct callgrind_writer w = { .p = p,
				      .to = to,
				      .addresses = has_addresses(p),
				      .keep_inlined = options->keep_inlined,
				      .paths = options->paths,
				      .npaths = options->npaths,
				      .packs_names = writer_packs_names(creator_of(p, options)) };
	int status = CG_ENOMEM;

	w.objects.of = calloc(p->strings.count, sizeof *w.objects.of);
	w.files.of = calloc(p->strings.count, sizeof *w.files.of);
	w.records.of = calloc((size_t)p->nrecords + 1, sizeof *w.records.of);
	w.is_host = w.keep_inlined ? find_hosts(p) : NULL;
	if (w.objects.of && w.files.of && w.records.of && (w.is_host || !w.keep_inlined))
		status = cg_order_make(p, &w.order);
	if (!status && w.keep_inlined && !find_called(&w))
		status = CG_ENOMEM;
	if (!status) {
		flockfile(to);
		writer_write_header(&w, options);
		write_body(&w);
		writer_put_text(&w, "\ntotals: ");
		writer_write_costs(&w, p->total);
		funlockfile(to);
		status = ferror(to) ? CG_EIO : CG_OK;
	}
	cg_order_free(&w.order);
	free(w.objects.of);
	free(w.files.of);
	free(w.records.of);
	free(w.is_host);
	free(w.called);
	free(w.next);
	return status;
}
