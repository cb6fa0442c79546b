/*
 * Profiles of the Firefox Profiler, as it and samply write them
 * (docs-developer/CHANGELOG-formats.md in github.com/firefox-devtools/profiler).
 *
 * A profile is tables of columns, in each thread or shared by all; an index refers from one to the
 * other: a sample to a stack, that to its frame and to the stack around it, a frame to its
 * function. All threads are added up. Samples are weighted, in samples, bytes or milliseconds, and
 * have the time for which the thread was on the processor, if the profile has it.
 */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/formats/json_format.h"
#include "src/formats/time_unit.h"

enum { EVENT_WEIGHT, EVENT_CPU, NEVENTS };

/* What samples are weighted in. */
static const struct firefox_weight {
	const char *type;
	struct json_format_event event;
	double scale;
} firefox_weights[] = {
	{ "samples", { "samples", NULL }, 0 }, /* whole */
	{ "tracing-ms", { "time", TIME_UNIT }, 1e6 },
	{ "bytes", { "bytes", NULL }, 0 },
};

struct firefox_stack {
	size_t parent, frame; /* parent: its index and 1; 0: none */
	size_t depth;
	int64_t costs[NEVENTS];
	bool used;
};

struct firefox_reading {
	struct cg_stacks *s;
	const struct json_value *root, *thread;
	uint32_t nevents, column[NEVENTS];
	const struct firefox_weight *weight;
	double cpu_scale;
	uint64_t samples;
	bool is_shared;  /* these are of all threads that have no tables of their own */
	cg_str *strings; /* of the table of texts, 0: not needed so far */
	cg_str *objects; /* the same of `libs` */
	struct cg_stack_frame *frames;
	size_t nframes;
	struct firefox_stack *stacks;
	size_t nstacks;
	struct cg_stack_frame *stack;
	size_t stack_cap;
};

static int fail_firefox(struct firefox_reading *r, const char *what)
{
	return cg_stacks_fail(r->s, CG_ESYNTAX, what);
}

bool firefox_is(const struct json_value *root)
{
	return json_is_list(json_member(root, "threads")) &&
	       json_member(json_member(root, "meta"), "interval");
}

/* Profiles of newer versions share what threads had. */
static const struct json_value *table(const struct firefox_reading *r, const char *name)
{
	const struct json_value *found = json_member(r->thread, name);
	return found ? found : json_member(json_member(r->root, "shared"), name);
}

static const struct json_value *cell(const struct json_value *table, const char *column, size_t row)
{
	return json_item(json_member(table, column), row);
}

static const struct json_value *string_table(const struct firefox_reading *r)
{
	const struct json_value *strings = table(r, "stringArray");

	return strings ? strings : table(r, "stringTable");
}

static const struct json_value *lib_table(const struct firefox_reading *r)
{
	const struct json_value *libs = json_member(r->thread, "libs");

	return libs ? libs : json_member(r->root, "libs");
}

/* Many refer to one text, which may be long: it is added once. */
static int add_firefox_text(struct firefox_reading *r, const char *text, cg_str *known, cg_str *id)
{
	int status = *known || !text ? CG_OK : cg_stacks_text(r->s, text, strlen(text), known);

	*id = *known;
	return status;
}

/* *id is 0 without a string. */
static int add_firefox_string(struct firefox_reading *r, const struct json_value *index, cg_str *id)
{
	const struct json_value *strings = string_table(r);
	size_t i;

	*id = 0;
	return json_format_index(index, json_items(strings), &i)
		       ? add_firefox_text(r, json_text_of(json_item(strings, i)), &r->strings[i],
					  id)
		       : CG_OK;
}

static int begin_firefox_texts(struct firefox_reading *r)
{
	r->strings = calloc(json_items(string_table(r)) + 1, sizeof *r->strings);
	r->objects = calloc(json_items(lib_table(r)) + 1, sizeof *r->objects);
	return r->strings && r->objects ? CG_OK : cg_stacks_fail(r->s, CG_ENOMEM, "");
}

/* ---- frames ---- */

static int add_firefox_object(struct firefox_reading *r, const struct json_value *resource,
			      cg_str *id)
{
	const struct json_value *resources = table(r, "resourceTable"), *libs = lib_table(r);
	size_t row, lib;

	*id = 0;
	if (!json_format_index(resource, json_items(json_member(resources, "lib")), &row) ||
	    !json_format_index(cell(resources, "lib", row), json_items(libs), &lib))
		return CG_OK;
	const char *path = json_text_of(json_member(json_item(libs, lib), "path"));
	if (!path)
		path = json_text_of(json_member(json_item(libs, lib), "name"));
	return add_firefox_text(r, path, &r->objects[lib], id);
}

static int add_firefox_file(struct firefox_reading *r, const struct json_value *functions,
			    size_t function, cg_str *id)
{
	const struct json_value *sources = table(r, "sources");
	const struct json_value *names = json_member(sources, "filename");
	size_t row;
	const bool known = json_format_index(cell(functions, "source", function), json_items(names),
					     &row);

	return add_firefox_string(
		r, known ? json_item(names, row) : cell(functions, "fileName", function), id);
}

static int read_firefox_frame(struct firefox_reading *r, const struct json_value *frames, size_t i)
{
	const struct json_value *functions = table(r, "funcTable");
	struct cg_stack_frame *f = &r->frames[i];
	uint64_t line, inlined;
	size_t function;

	if (!json_format_index(cell(frames, "func", i), json_items(json_member(functions, "name")),
			       &function))
		return fail_firefox(r, "a frame of the Firefox Profiler has no function");
	int status = add_firefox_string(r, cell(functions, "name", function), &f->function.name);
	if (!status)
		status = add_firefox_file(r, functions, function, &f->function.file);
	if (!status)
		status = add_firefox_object(r, cell(functions, "resource", function),
					    &f->function.object);
	if (!status && !f->function.name)
		status = fail_firefox(r, "a function of the Firefox Profiler has no name");
	f->file = f->function.file;
	if (json_count_of(cell(frames, "line", i), &line) && line <= UINT32_MAX)
		f->line = (uint32_t)line;
	f->inlined = json_count_of(cell(frames, "inlineDepth", i), &inlined) && inlined > 0;
	return status;
}

static int read_firefox_frames(struct firefox_reading *r)
{
	const struct json_value *frames = table(r, "frameTable");
	int status = CG_OK;

	r->nframes = json_items(json_member(frames, "func"));
	r->frames = calloc(r->nframes + 1, sizeof *r->frames);
	if (!r->frames)
		return cg_stacks_fail(r->s, CG_ENOMEM, "");
	for (size_t i = 0; !status && i < r->nframes; i++)
		status = read_firefox_frame(r, frames, i);
	return status;
}

/* ---- stacks ---- */

/* A stack follows the one around it, so that no chain of them is endless. */
static int read_firefox_stacks(struct firefox_reading *r)
{
	const struct json_value *stacks = table(r, "stackTable");
	const struct json_value *prefixes = json_member(stacks, "prefix");

	r->nstacks = json_items(json_member(stacks, "frame"));
	r->stacks = calloc(r->nstacks + 1, sizeof *r->stacks);
	if (!r->stacks)
		return cg_stacks_fail(r->s, CG_ENOMEM, "");
	for (size_t i = 0; i < r->nstacks; i++) {
		struct firefox_stack *s = &r->stacks[i];
		const struct json_value *prefix = json_item(prefixes, i);
		uint64_t any;
		if (!json_format_index(cell(stacks, "frame", i), r->nframes, &s->frame))
			return fail_firefox(r, "a stack of the Firefox Profiler has no frame");
		if (json_format_index(prefix, i, &s->parent))
			s->parent++;
		else if (json_count_of(prefix, &any))
			return fail_firefox(
				r, "a stack of the Firefox Profiler does not follow its prefix");
		s->depth = 1 + (s->parent ? r->stacks[s->parent - 1].depth : 0);
	}
	return CG_OK;
}

static int add_firefox_stack(struct firefox_reading *r, const struct firefox_stack *s)
{
	int status = cg_stacks_expect(r->s, s->depth);

	if (!status && cg_grow(&r->stack, &r->stack_cap, s->depth, sizeof *r->stack))
		status = cg_stacks_fail(r->s, CG_ENOMEM, "");
	if (status)
		return status;
	const struct firefox_stack *at = s;
	for (size_t i = s->depth; i-- > 0;) {
		r->stack[i] = r->frames[at->frame];
		at = at->parent ? &r->stacks[at->parent - 1] : at;
	}
	return cg_stacks_add(r->s, r->stack, s->depth, s->costs);
}

/* ---- samples ---- */

static int cost_of_sample(struct firefox_reading *r, const struct json_value *samples, size_t i,
			  int64_t *costs)
{
	const struct json_value *weights = json_member(samples, "weight");
	const struct json_value *cpu = cell(samples, "threadCPUDelta", i);

	memset(costs, 0, NEVENTS * sizeof *costs);
	costs[r->column[EVENT_WEIGHT]] = 1;
	if (json_is_list(weights) && !time_unit_cost(json_item(weights, i), r->weight->scale,
						     &costs[r->column[EVENT_WEIGHT]]))
		return fail_firefox(r, "a weight of the Firefox Profiler is no whole number");
	if (r->nevents > EVENT_CPU && cpu &&
	    !time_unit_cost(cpu, r->cpu_scale, &costs[r->column[EVENT_CPU]]))
		costs[r->column[EVENT_CPU]] = 0; /* null: the first sample has nothing before it */
	return CG_OK;
}

static int read_firefox_samples(struct firefox_reading *r)
{
	const struct json_value *samples = json_member(r->thread, "samples");
	const struct json_value *stacks = json_member(samples, "stack");
	int64_t costs[NEVENTS];
	int status = json_is_list(stacks)
			     ? CG_OK
			     : fail_firefox(r, "a thread of the Firefox Profiler has no samples");

	for (size_t i = 0; !status && i < json_items(stacks); i++) {
		size_t stack;
		status = cost_of_sample(r, samples, i, costs);
		r->samples += costs[r->column[EVENT_WEIGHT]] != 0;
		if (status)
			continue;
		if (!json_format_index(json_item(stacks, i), r->nstacks, &stack)) {
			status = cg_stacks_add(r->s, NULL, 0, costs);
			continue;
		}
		struct firefox_stack *s = &r->stacks[stack];
		s->used = true;
		for (uint32_t e = 0; !status && e < r->nevents; e++)
			if (__builtin_add_overflow(s->costs[e], costs[e], &s->costs[e]))
				status = cg_stacks_fail(r->s, CG_ERANGE,
							"the sum of its costs exceeds 2^63");
	}
	return status;
}

/* ---- threads ---- */

static void free_firefox_tables(struct firefox_reading *r)
{
	free(r->strings);
	free(r->objects);
	free(r->frames);
	free(r->stacks);
	r->strings = r->objects = NULL;
	r->frames = NULL;
	r->stacks = NULL;
	r->nframes = r->nstacks = 0;
}

/* Adds what samples of the stacks have cost. */
static int end_firefox_tables(struct firefox_reading *r)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < r->nstacks; i++)
		if (r->stacks[i].used)
			status = add_firefox_stack(r, &r->stacks[i]);
	free_firefox_tables(r);
	return status;
}

static bool has_own_tables(const struct json_value *thread)
{
	static const char *const names[] = { "stackTable", "frameTable",   "funcTable",
					     "sources",    "stringArray",  "stringTable",
					     "libs",       "resourceTable" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (json_member(thread, names[i]))
			return true;
	return false;
}

/* Shared tables are read once: they are large, and threads may be many. */
static int begin_firefox_tables(struct firefox_reading *r)
{
	bool own = has_own_tables(r->thread);

	if (r->is_shared && !own)
		return CG_OK;
	int status = end_firefox_tables(r);
	r->is_shared = !own;
	if (!status)
		status = begin_firefox_texts(r);
	if (!status)
		status = read_firefox_frames(r);
	return status ? status : read_firefox_stacks(r);
}

static int read_thread(struct firefox_reading *r, const struct json_value *thread)
{
	r->thread = thread;
	int status = begin_firefox_tables(r);
	return status ? status : read_firefox_samples(r);
}

/* ---- the file ---- */

static const struct firefox_weight *weight_of_thread(const struct json_value *thread)
{
	const struct json_value *samples = json_member(thread, "samples");
	const char *type = json_text_of(json_member(samples, "weightType"));

	for (size_t i = 0; i < sizeof firefox_weights / sizeof *firefox_weights; i++)
		if (!type || strcmp(firefox_weights[i].type, type) == 0)
			return &firefox_weights[i];
	return NULL;
}

/* Threads without weights count samples. */
static int find_weight(struct firefox_reading *r)
{
	const struct json_value *threads = json_member(r->root, "threads");

	r->weight = firefox_weights;
	for (size_t i = 0; i < json_items(threads); i++) {
		const struct firefox_weight *w = weight_of_thread(json_item(threads, i));
		if (!w)
			return fail_firefox(
				r,
				"expected samples, tracing-ms or bytes as `weightType` of the Firefox Profiler");
		if (i && w != r->weight)
			return fail_firefox(
				r,
				"the threads of the Firefox Profiler weight samples in different units");
		r->weight = w;
	}
	return CG_OK;
}

static int begin_firefox(struct firefox_reading *r, cg_str file)
{
	struct json_format_event events[] = { [EVENT_CPU] = { "cpu", TIME_UNIT } };
	int status = find_weight(r);

	if (status)
		return status;
	events[EVENT_WEIGHT] = r->weight->event;
	const struct cg_part part = { .file = file };
	const struct json_value *units = json_member(json_member(r->root, "meta"), "sampleUnits");

	r->cpu_scale = time_unit_ns(json_text_of(json_member(units, "threadCPUDelta")));
	r->nevents = r->cpu_scale > 0 ? NEVENTS : EVENT_CPU;
	return json_format_begin(r->s, &part, events, r->nevents, r->column);
}

static int note_firefox_samples(struct firefox_reading *r)
{
	int status = CG_OK;

	for (uint32_t e = 0; !status && e < r->nevents; e++) {
		cg_str name = cg_builder_profile(r->s->b)->events[e].name;
		status = cg_stacks_sampled(r->s, name, r->samples);
	}
	return status;
}

int firefox_read(struct cg_stacks *s, const struct json_value *root, cg_str file)
{
	struct firefox_reading r = { .s = s, .root = root };
	const struct json_value *threads = json_member(root, "threads");
	int status = begin_firefox(&r, file);

	for (size_t i = 0; !status && i < json_items(threads); i++)
		status = read_thread(&r, json_item(threads, i));
	if (!status)
		status = end_firefox_tables(&r);
	if (!status)
		status = note_firefox_samples(&r);
	free_firefox_tables(&r);
	free(r.stack);
	return status;
}
