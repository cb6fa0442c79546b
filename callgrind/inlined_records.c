#include "callgrind/inlined_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_files.h"
#include "callgrind/lambdas.h"
#include "callgrind/name_clones.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "callgrind/support/number.h"
#include "cgprofile/names.h"

/* Most lines of a record are in one of a few frames. */
#define KNOWN 4096

/* A record, a frame or a line in its machine code, and what is inlined there. */
struct known {
	uint32_t host, place, code;
	cg_str file; /* of the line; 0: of a frame */
};

/* A frame in the machine code of a record that is not inlined. Several frames of a function may be
 * one record. */
struct inlined_code {
	uint32_t host, frame;
	uint32_t around; /* the code that it is inlined into; 0: that of the host */
	uint32_t record;
	uint64_t calls;
};

struct cg_inlined_records {
	struct cg_builder *b;
	const struct cg_inlines *inlines;
	cg_str object; /* that was looked for last */
	const struct cg_inlines_object *found;
	uint32_t next;         /* address, as most lines follow each other */
	int executions;        /* the event; -1: the file lacks it; -2: not looked for yet */
	cg_str *names, *files; /* per frame, in the profile; 0: not looked up yet */
	struct known *known;
	const struct cg_profile *p;
	struct inlined_code *code; /* 0 is unused */
	int64_t *costs;            /* of each, by event; if the profile keeps lines */
	size_t code_cap, costs_cap;
	uint32_t ncode, last; /* last: that was found last, or 0 */
	struct cg_index index;
};

int cg_inlined_records_new(struct cg_builder *b, const struct cg_inlines *inlines,
			   struct cg_inlined_records **out)
{
	*out = NULL;
	if (inlines->nframes <= 1)
		return CG_OK;
	struct cg_inlined_records *in = calloc(1, sizeof *in);
	if (!in)
		return CG_ENOMEM;
	*in = (struct cg_inlined_records){
		.b = b,
		.inlines = inlines,
		.names = calloc(inlines->nframes, sizeof *in->names),
		.files = calloc(inlines->nframes, sizeof *in->files),
		.known = calloc(KNOWN, sizeof *in->known),
		.executions = -2,
		.p = cg_builder_profile(b),
	};
	if (!in->names || !in->files || !in->known) {
		cg_inlined_records_free(in);
		return CG_ENOMEM;
	}
	*out = in;
	return CG_OK;
}

void cg_inlined_records_free(struct cg_inlined_records *in)
{
	if (!in)
		return;
	free(in->names);
	free(in->files);
	free(in->known);
	free(in->code);
	free(in->costs);
	cg_index_free(&in->index);
	free(in);
}

static int inlined_find_text(struct cg_inlined_records *in, cg_str of_frame, cg_str *text)
{
	const char *bytes = cg_strings_get(&in->inlines->strings, of_frame);
	return of_frame ? cg_build_string(in->b, bytes, strlen(bytes), text) : CG_OK;
}

static int find_frame_record(struct cg_inlined_records *in, uint32_t frame, cg_str object,
			     uint32_t host, uint32_t *record)
{
	static const char unknown[] = "???";
	const struct cg_frame *f = &in->inlines->frames[frame];
	int status = CG_OK;

	if (!in->names[frame]) {
		status = inlined_find_text(in, f->file, &in->files[frame]);
		if (!status)
			status = f->name ? inlined_find_text(in, f->name, &in->names[frame])
					 : cg_build_string(in->b, unknown, sizeof unknown - 1,
							   &in->names[frame]);
	}
	struct cg_function function = { .object = object,
					.file = in->files[frame],
					.name = in->names[frame] };
	struct cg_record r = { .level = 1, .inlined_into = host };
	if (!status)
		status = cg_build_function(in->b, &function, &r.function);
	if (!status)
		status = cg_build_record(in->b, &r, record);
	return status || f->counted ? status : cg_build_entries(in->b, *record, CG_ENTRIES_UNKNOWN);
}

static bool is_same_code(const void *context, uint32_t id)
{
	const struct inlined_code *code = context;
	return code[id].host == code[0].host && code[id].frame == code[0].frame;
}

static int add_inlined_code(struct cg_inlined_records *in, const struct inlined_code *code,
			    uint32_t hash, uint32_t *id)
{
	size_t n = in->p->nevents, rows = (size_t)in->ncode + 2;

	if (in->p->has_lines) {
		if (cg_grow(&in->costs, &in->costs_cap, rows * n, sizeof *in->costs))
			return CG_ENOMEM;
		memset(in->costs + (rows - 1) * n, 0, n * sizeof *in->costs);
	}
	*id = ++in->ncode;
	in->code[*id] = *code;
	cg_index_insert(&in->index, hash, *id);
	return CG_OK;
}

/* One frame, which is inlined into the code `around`, or into that of the host. */
static int find_inlined_code(struct cg_inlined_records *in, uint32_t frame, cg_str object,
			     uint32_t host, uint32_t around, uint32_t *id)
{
	struct inlined_code code = { .host = host, .frame = frame, .around = around };
	uint32_t hash = (uint32_t)cg_hash_mix(cg_hash_mix(frame, host), 0);

	if (cg_grow(&in->code, &in->code_cap, (size_t)in->ncode + 2, sizeof *in->code) ||
	    cg_index_reserve(&in->index))
		return CG_ENOMEM;
	in->code[0] = code;
	*id = cg_index_find(&in->index, hash, is_same_code, in->code);
	if (*id)
		return CG_OK;
	int status = find_frame_record(in, frame, object, around ? in->code[around].record : host,
				       &code.record);
	return status ? status : add_inlined_code(in, &code, hash, id);
}

/* From the function in whose machine code they are to the innermost; *id is 0 if none is
 * inlined. */
static int find_chain(struct cg_inlined_records *in, uint32_t frame, cg_str object, uint32_t host,
		      uint32_t *id)
{
	const struct cg_frame *frames = in->inlines->frames;
	uint32_t chain[CG_MAX_INLINED_DEPTH], depth = 0;
	int status = CG_OK;

	for (; frames[frame].parent; frame = frames[frame].parent) {
		if (depth == CG_MAX_INLINED_DEPTH)
			memmove(chain, chain + 1, --depth * sizeof *chain);
		chain[depth++] = frame;
	}
	*id = 0;
	while (!status && depth)
		status = find_inlined_code(in, chain[--depth], object, host, *id, id);
	return status;
}

static const struct cg_inlines_object *inlined_find_object(struct cg_inlined_records *in,
							   cg_str object)
{
	if (in->object != object) {
		in->object = object;
		in->found = cg_inlines_find_object(in->inlines,
						   cg_string(cg_builder_profile(in->b), object));
	}
	return object ? in->found : NULL;
}

static uint32_t frame_of_line(const struct cg_inlined_records *in, cg_str object, uint32_t host,
			      const struct cg_position *at)
{
	const struct cg_profile *p = cg_builder_profile(in->b);
	cg_str function = p->functions[p->records[host].function].name;
	return cg_inlines_frame_of_line(in->inlines, cg_string(p, object), cg_string(p, function),
					cg_string(p, at->file), at->line);
}

int cg_inlined_records_find(struct cg_inlined_records *in, cg_str object, uint32_t host,
			    const struct cg_position *at, uint32_t *record)
{
	bool by_line = in->inlines->lines != NULL;
	const struct cg_inlines_object *found = by_line ? NULL : inlined_find_object(in, object);
	uint32_t frame = found ? cg_inlines_frame_from(in->inlines, found, at->address, &in->next)
			       : 0;
	struct known wanted = { .host = host,
				.place = by_line ? at->line : frame,
				.file = by_line ? at->file : 0 };

	*record = host;
	in->last = 0;
	if (!wanted.place)
		return CG_OK;
	uint64_t hash = cg_hash_mix(cg_hash_mix(wanted.place, wanted.host), wanted.file);
	struct known *known = &in->known[hash % KNOWN];
	if (known->host != wanted.host || known->place != wanted.place ||
	    known->file != wanted.file) {
		if (by_line)
			frame = frame_of_line(in, object, host, at);
		int status = find_chain(in, frame, object, host, &wanted.code);
		if (status)
			return status;
		*known = wanted;
	}
	in->last = known->code;
	if (in->last)
		*record = in->code[in->last].record;
	return CG_OK;
}

int cg_inlined_records_cost(struct cg_inlined_records *in, uint32_t record, const int64_t *costs)
{
	uint32_t n = in->p->nevents;

	if (!in->costs || !in->last || in->code[in->last].record != record)
		return CG_OK;
	return cg_add_costs(in->costs + (size_t)in->last * n, costs, n) ? CG_OK : CG_ERANGE;
}

static int64_t executions_of(struct cg_inlined_records *in, const int64_t *costs)
{
	if (in->executions == -2)
		in->executions = cg_event_index(cg_builder_profile(in->b), CG_EXECUTIONS);
	return in->executions < 0 ? 0 : costs[in->executions];
}

static int count_inlined_calls(struct cg_inlined_records *in, struct inlined_code *code,
			       uint64_t calls)
{
	if (__builtin_add_overflow(code->calls, calls, &code->calls))
		code->calls = 0; /* as those of the record become unknown */
	return cg_build_entries(in->b, code->record, calls);
}

/* What begins at an address may be inlined elsewhere than the code there, which was moved. */
int cg_inlined_records_enter(struct cg_inlined_records *in, cg_str object, uint32_t host,
			     const struct cg_position *at, const int64_t *costs)
{
	bool known = in->inlines->enters != NULL;
	const struct cg_inlines_object *found = known ? inlined_find_object(in, object) : NULL;
	int64_t executions = found ? executions_of(in, costs) : 0;
	uint32_t count = 0, next = in->next ? in->next - 1 : 0, id;
	int status = CG_OK;

	if (executions <= 0 || !cg_inlines_frame_from(in->inlines, found, at->address, &next))
		return CG_OK;
	const struct cg_inlines_entered *entered = cg_inlines_entered_at(in->inlines, found, next,
									 &count);
	for (uint32_t i = 0; !status && i < count; i++) {
		status = find_chain(in, entered[i].frame, object, host, &id);
		if (!status && id)
			status = count_inlined_calls(in, &in->code[id], (uint64_t)executions);
	}
	return status;
}

static int add_call_site(struct cg_inlined_records *in, uint32_t id)
{
	const struct inlined_code *code = &in->code[id];
	const struct cg_frame *f = &in->inlines->frames[code->frame];
	struct cg_position at = { .line = f->call_line };
	int status = inlined_find_text(in, f->call_file, &at.file);

	return status ? status
		      : cg_build_site(in->b, code->record, &at, code->calls,
				      in->costs + (size_t)id * in->p->nevents);
}

/* What is inlined has a higher number than the code around it. */
int cg_inlined_records_finish(struct cg_inlined_records *in)
{
	uint32_t n = in ? in->p->nevents : 0;
	int status = CG_OK;

	for (uint32_t id = in && in->costs ? in->ncode : 0; !status && id > 0; id--) {
		uint32_t around = in->code[id].around;
		if (around &&
		    !cg_add_costs(in->costs + (size_t)around * n, in->costs + (size_t)id * n, n))
			status = CG_ERANGE;
		if (!status)
			status = add_call_site(in, id);
	}
	return status;
}

/* A cold part that counts for itself stays one. */
static int rename_function(struct cg_inlined_records *in, const char *name, cg_str *to)
{
	const char *old = cg_string(cg_builder_profile(in->b), *to);
	size_t len = strlen(old), bare = cg_name_without_cold(old, len);
	char *whole;

	if (asprintf(&whole, "%s%s", name, old + bare) < 0)
		return CG_ENOMEM;
	int status = cg_build_string(in->b, whole, strlen(whole), to);
	free(whole);
	return status;
}

int cg_inlined_records_function(struct cg_inlined_records *in, struct cg_function *function)
{
	if (!in)
		return CG_OK;
	const struct cg_profile *p = cg_builder_profile(in->b);
	const struct cg_inlines_file *real = cg_inlines_real(
		in->inlines, cg_string(p, function->object), cg_string(p, function->file),
		cg_string(p, function->name));
	int status = CG_OK;

	if (real && real->real)
		status = inlined_find_text(in, real->real, &function->file);
	if (!status && real && real->real_object)
		status = inlined_find_text(in, real->real_object, &function->object);
	if (!status && real && real->name)
		status = rename_function(in, cg_strings_get(&in->inlines->strings, real->name),
					 &function->name);
	return status;
}

/* The real name of a caller, in *caller. */
static int rename_caller(struct cg_inlined_records *in, cg_str *caller)
{
	const char *name = cg_string(cg_builder_profile(in->b), *caller);
	const size_t len = strlen(name);
	const char *real = cg_inlines_real_name(in->inlines, name, len);
	char *text;

	if (!real)
		return CG_OK;
	if (asprintf(&text, "%s%s", real, name + cg_name_without_cold(name, len)) < 0)
		return CG_ENOMEM;
	int status = cg_build_string(in->b, text, strlen(text), caller);
	free(text);
	return status;
}

static bool may_be_renamed(const struct cg_profile *p, uint32_t context)
{
	const cg_str *callers = cg_contexts_get(&p->contexts, context);

	for (size_t i = cg_contexts_size(&p->contexts, context); i-- > 0;)
		if (cg_lambda_any(cg_string(p, callers[i])) ||
		    strncmp(cg_string(p, callers[i]), "0x", 2) == 0)
			return true;
	return false;
}

int cg_inlined_records_context(struct cg_inlined_records *in, uint32_t *context)
{
	if (!in || !*context || !in->inlines->nrenamed)
		return CG_OK;
	const struct cg_contexts *contexts = &cg_builder_profile(in->b)->contexts;
	const size_t count = cg_contexts_size(contexts, *context);

	if (!may_be_renamed(cg_builder_profile(in->b), *context))
		return CG_OK;
	cg_str *callers = malloc(count * sizeof *callers);
	if (!callers)
		return CG_ENOMEM;
	memcpy(callers, cg_contexts_get(contexts, *context), count * sizeof *callers);
	int status = CG_OK;
	for (size_t i = 0; !status && i < count; i++)
		status = rename_caller(in, &callers[i]);
	if (!status)
		status = cg_build_callers(in->b, callers, count, context);
	free(callers);
	return status;
}
