/*
 * Files of speedscope, and of those that export for it (speedscope.app/file-format-schema.json).
 *
 * A file has several profiles, of threads or of different costs. Profiles that have the same unit
 * are added up as one event; times are in nanoseconds. A file of irdiff has one for each event, of
 * its name.
 */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/formats/json_format.h"
#include "src/formats/time_unit.h"

struct speedscope_reading {
	struct cg_stacks *s;
	const struct json_value *profiles;
	struct cg_stack_frame *frames;
	size_t nframes;
	struct json_format_event events[CG_MAX_EVENTS];
	uint32_t nevents, column[CG_MAX_EVENTS];
	uint64_t behind[CG_MAX_EVENTS]; /* samples */
	bool of_irdiff;
	/* of the profile that is read */
	uint32_t event;
	double scale;
	struct cg_stack_frame *stack;
	size_t *open; /* the frame of each on the stack */
	size_t depth, stack_cap, open_cap;
	int64_t costs[CG_MAX_EVENTS];
};

static int fail_speedscope(struct speedscope_reading *r, const char *what)
{
	return cg_stacks_fail(r->s, CG_ESYNTAX, what);
}

bool speedscope_is(const struct json_value *root)
{
	const char *schema = json_text_of(json_member(root, "$schema"));
	return (schema && strstr(schema, "speedscope")) ||
	       (json_is_list(json_member(json_member(root, "shared"), "frames")) &&
		json_is_list(json_member(root, "profiles")));
}

/* ---- events ---- */

static struct json_format_event event_of(const struct speedscope_reading *r,
					 const struct json_value *profile)
{
	const char *name = json_text_of(json_member(profile, "name"));
	const char *unit = json_text_of(json_member(profile, "unit"));
	bool named = unit && strcmp(unit, "none") != 0;

	if (r->of_irdiff)
		return (struct json_format_event){ name ? name : "", NULL };
	if (time_unit_ns(unit))
		return (struct json_format_event){ "time", TIME_UNIT };
	return (struct json_format_event){ named ? unit : "samples", NULL };
}

static uint32_t find_speedscope_event(const struct speedscope_reading *r, const char *name)
{
	uint32_t e = 0;

	while (e < r->nevents && strcmp(r->events[e].name, name) != 0)
		e++;
	return e;
}

static int begin_speedscope(struct speedscope_reading *r, cg_str file)
{
	const struct cg_part part = { .file = file };

	for (size_t i = 0; i < json_items(r->profiles); i++) {
		const struct json_format_event event = event_of(r, json_item(r->profiles, i));
		if (find_speedscope_event(r, event.name) < r->nevents)
			continue;
		if (r->nevents == CG_MAX_EVENTS)
			return cg_stacks_fail(r->s, CG_ERANGE, "more than 256 events");
		r->events[r->nevents++] = event;
	}
	if (r->nevents == 0)
		return fail_speedscope(r, "the file of speedscope has no profile");
	return json_format_begin(r->s, &part, r->events, r->nevents, r->column);
}

/* ---- frames ---- */

static int read_speedscope_frame(struct speedscope_reading *r, const struct json_value *value,
				 struct cg_stack_frame *f)
{
	uint64_t line;
	int status = json_format_text(r->s, json_member(value, "name"), &f->function.name);

	if (!status && !f->function.name)
		return fail_speedscope(r, "a frame of speedscope has no name");
	if (!status)
		status = json_format_text(r->s, json_member(value, "file"), &f->function.file);
	f->file = f->function.file;
	if (json_count_of(json_member(value, "line"), &line) && line <= UINT32_MAX)
		f->line = (uint32_t)line;
	return status;
}

static int read_speedscope_frames(struct speedscope_reading *r, const struct json_value *list)
{
	int status = CG_OK;

	r->nframes = json_items(list);
	r->frames = calloc(r->nframes + 1, sizeof *r->frames);
	if (!r->frames)
		return cg_stacks_fail(r->s, CG_ENOMEM, "");
	for (size_t i = 0; !status && i < r->nframes; i++)
		status = read_speedscope_frame(r, json_item(list, i), &r->frames[i]);
	return status;
}

static int push_open(struct speedscope_reading *r, const struct json_value *frame)
{
	size_t index;

	if (!json_format_index(frame, r->nframes, &index))
		return fail_speedscope(r,
				       "a stack of speedscope has a frame that is not in `frames`");
	if (cg_grow(&r->stack, &r->stack_cap, r->depth + 1, sizeof *r->stack) ||
	    cg_grow(&r->open, &r->open_cap, r->depth + 1, sizeof *r->open))
		return cg_stacks_fail(r->s, CG_ENOMEM, "");
	r->open[r->depth] = index;
	r->stack[r->depth++] = r->frames[index];
	return CG_OK;
}

/* ---- profiles ---- */

static int add_speedscope_cost(struct speedscope_reading *r, int64_t cost)
{
	int64_t *column = &r->costs[r->column[r->event]];

	if (cost == 0)
		return CG_OK;
	r->behind[r->event]++;
	*column = cost;
	int status = cg_stacks_add(r->s, r->stack, r->depth, r->costs);
	*column = 0;
	return status;
}

static int read_sampled(struct speedscope_reading *r, const struct json_value *profile)
{
	const struct json_value *samples = json_member(profile, "samples");
	const struct json_value *weights = json_member(profile, "weights");
	size_t count = json_items(samples);
	int status = CG_OK;

	if (!json_is_list(samples) || json_items(weights) != count)
		return fail_speedscope(
			r, "expected as many `weights` as `samples` in a profile of speedscope");
	for (size_t i = 0; !status && i < count; i++) {
		const struct json_value *stack = json_item(samples, i);
		int64_t cost;
		r->depth = 0;
		status = cg_stacks_expect(r->s, json_items(stack));
		for (size_t k = 0; !status && k < json_items(stack); k++)
			status = push_open(r, json_item(stack, k));
		if (!status && !time_unit_cost(json_item(weights, i), r->scale, &cost))
			status = fail_speedscope(r, "a weight of speedscope is no whole number");
		if (!status)
			status = add_speedscope_cost(r, cost);
	}
	return status;
}

static int read_speedscope_event(struct speedscope_reading *r, const struct json_value *event)
{
	const char *type = json_text_of(json_member(event, "type"));
	const struct json_value *frame = json_member(event, "frame");
	size_t index;

	if (type && strcmp(type, "O") == 0)
		return push_open(r, frame);
	if (!type || strcmp(type, "C") != 0)
		return fail_speedscope(r, "expected O or C as `type` of an event of speedscope");
	if (r->depth == 0 || !json_format_index(frame, r->nframes, &index) ||
	    r->open[r->depth - 1] != index)
		return fail_speedscope(
			r, "an event of speedscope ends a frame that is not the last one");
	r->depth--;
	return CG_OK;
}

/* What passes while no frame is open belongs to nothing that is shown. */
static int pass(struct speedscope_reading *r, int64_t *at, const struct json_value *to)
{
	int64_t next, cost;

	if (!time_unit_cost(to, r->scale, &next))
		return fail_speedscope(r, "a value of speedscope is no whole number");
	if (next < *at)
		return fail_speedscope(r, "events of speedscope are not in their order");
	if (__builtin_sub_overflow(next, *at, &cost))
		return cg_stacks_fail(r->s, CG_ERANGE, "a value of speedscope is too large");
	*at = next;
	return r->depth ? add_speedscope_cost(r, cost) : CG_OK;
}

static int read_evented(struct speedscope_reading *r, const struct json_value *profile)
{
	const struct json_value *events = json_member(profile, "events");
	int64_t at;

	r->depth = 0;
	if (!json_is_list(events) ||
	    !time_unit_cost(json_member(profile, "startValue"), r->scale, &at))
		return fail_speedscope(
			r, "expected `startValue` and `events` in a profile of speedscope");
	int status = CG_OK;
	for (size_t i = 0; !status && i < json_items(events); i++) {
		status = pass(r, &at, json_member(json_item(events, i), "at"));
		if (!status)
			status = read_speedscope_event(r, json_item(events, i));
	}
	if (!status && r->depth)
		status = pass(r, &at, json_member(profile, "endValue"));
	return status;
}

static int read_speedscope_profile(struct speedscope_reading *r, const struct json_value *profile)
{
	const char *type = json_text_of(json_member(profile, "type"));

	r->event = find_speedscope_event(r, event_of(r, profile).name);
	r->scale = time_unit_ns(json_text_of(json_member(profile, "unit")));
	if (type && strcmp(type, "sampled") == 0)
		return read_sampled(r, profile);
	if (type && strcmp(type, "evented") == 0)
		return read_evented(r, profile);
	return fail_speedscope(r,
			       "expected sampled or evented as `type` of a profile of speedscope");
}

/* ---- the file ---- */

static bool is_exported_by_irdiff(const struct json_value *root)
{
	const char *exporter = json_text_of(json_member(root, "exporter"));
	return exporter && strncmp(exporter, "irdiff-", 7) == 0;
}

static int note_samples_of(struct speedscope_reading *r, uint32_t event, uint64_t samples)
{
	cg_str name = cg_builder_profile(r->s->b)->events[r->column[event]].name;
	return cg_stacks_sampled(r->s, name, samples);
}

/* irdiff states what is estimated. */
static int note_stated_samples(struct speedscope_reading *r)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < json_items(r->profiles); i++) {
		const struct json_value *profile = json_item(r->profiles, i);
		uint32_t event = find_speedscope_event(r, event_of(r, profile).name);
		uint64_t samples;
		if (json_count_of(json_member(profile, "irdiffSamples"), &samples))
			status = note_samples_of(r, event, samples);
	}
	return status;
}

static int note_samples(struct speedscope_reading *r)
{
	int status = CG_OK;

	if (r->of_irdiff)
		return note_stated_samples(r);
	for (uint32_t e = 0; !status && e < r->nevents; e++)
		status = note_samples_of(r, e, r->behind[e]);
	return status;
}

int speedscope_read(struct cg_stacks *s, const struct json_value *root, cg_str file)
{
	struct speedscope_reading r = { .s = s,
					.profiles = json_member(root, "profiles"),
					.of_irdiff = is_exported_by_irdiff(root) };
	int status = begin_speedscope(&r, file);

	if (!status)
		status = read_speedscope_frames(&r,
						json_member(json_member(root, "shared"), "frames"));
	for (size_t i = 0; !status && i < json_items(r.profiles); i++)
		status = read_speedscope_profile(&r, json_item(r.profiles, i));
	if (!status)
		status = note_samples(&r);
	free(r.frames);
	free(r.stack);
	free(r.open);
	return status;
}
