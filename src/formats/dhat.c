/*
 * Files of DHAT: Valgrind's, and those that the dhat crate of Rust writes. The format is described
 * in the source of Valgrind, in its dhat directory.
 *
 * A frame is a text, "0x109174: work (work.c:4)" or "0x4841: malloc (in /usr/lib/libc.so.6)". What
 * is inlined has the address of the function around it. The innermost frame is Valgrind's own
 * malloc or the like, which is left out: an allocation is a cost of whoever asked for it.
 */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/formats/json_format.h"

enum { FILE_VERSION = 2, MOST_EVENTS = 5 };

/* What a mode counts: the members of a "program point", and what they become. */
struct dhat_event {
	const char *member, *name;
	const char *flag; /* the file has it if this member is true; NULL: always */
};

struct dhat_mode {
	const char *name;
	struct dhat_event events[MOST_EVENTS];
};

static const struct dhat_mode modes[] = {
	{ "heap",
	  { { "tbk", "AllocBlocks", NULL },
	    { "tb", "AllocBytes", NULL },
	    { "gb", "PeakBytes", "bklt" },
	    { "rb", "ReadBytes", "bkacc" },
	    { "wb", "WrittenBytes", "bkacc" } } },
	{ "copy", { { "tb", "CopiedBytes", NULL }, { "tbk", "Copies", NULL } } },
	{ "ad-hoc", { { "tb", "Units", NULL }, { "tbk", "Events", NULL } } },
};

struct dhat_frame {
	struct cg_stack_frame frame;
	uint64_t address;
	uint64_t run; /* the last one that it was in */
	bool is_own;  /* a function of DHAT, in place of the program's */
};

struct dhat_reading {
	struct cg_stacks *s;
	struct dhat_event events[MOST_EVENTS];
	uint32_t nevents, column[MOST_EVENTS];
	struct dhat_frame *table;
	size_t ntable;
	struct cg_stack_frame *stack; /* of one point, the outermost first */
	size_t stack_cap;
	uint64_t runs;
};

bool dhat_is(const struct json_value *root)
{
	return json_member(root, "dhatFileVersion");
}

static int fail_dhat(struct dhat_reading *r, const char *what)
{
	return cg_stacks_fail(r->s, CG_ESYNTAX, what);
}

/* ---- events ---- */

/* "rust-heap" counts what "heap" does. */
static const struct dhat_mode *find_mode(const char *name)
{
	const char *rest = name && strncmp(name, "rust-", 5) == 0 ? name + 5 : name;

	for (size_t i = 0; rest && i < sizeof modes / sizeof *modes; i++)
		if (strcmp(modes[i].name, rest) == 0)
			return &modes[i];
	return NULL;
}

static int begin_dhat(struct dhat_reading *r, const struct json_value *root, cg_str file)
{
	const struct dhat_mode *mode = find_mode(json_text_of(json_member(root, "mode")));
	struct json_format_event events[MOST_EVENTS];
	struct cg_part part = { .file = file };
	uint64_t version;

	if (!json_count_of(json_member(root, "dhatFileVersion"), &version) ||
	    version != FILE_VERSION)
		return fail_dhat(r, "a file of another DHAT: irdiff reads version 2");
	if (!mode)
		return fail_dhat(r, "expected heap, copy or ad-hoc as `mode` of DHAT");
	for (size_t i = 0; i < MOST_EVENTS && mode->events[i].member; i++) {
		const struct dhat_event *e = &mode->events[i];
		if (e->flag && !json_holds(json_member(root, e->flag)))
			continue;
		events[r->nevents] = (struct json_format_event){ e->name, NULL };
		r->events[r->nevents++] = *e;
	}
	if (!json_count_of(json_member(root, "pid"), &part.pid))
		part.pid = 0;
	int status = json_format_text(r->s, json_member(root, "cmd"), &part.command);
	return status ? status : json_format_begin(r->s, &part, events, r->nevents, r->column);
}

/* ---- frames ---- */

/* Takes a colon and a number off the end; false if there are none. */
static bool take_number(const char *start, const char **end, uint64_t *number)
{
	const char *at = *end;
	uint64_t value = 0;

	while (at > start && (unsigned)(at[-1] - '0') < 10)
		at--;
	if (at == *end || at - 1 <= start || at[-1] != ':' || *end - at > 9)
		return false;
	for (const char *digit = at; digit < *end; digit++)
		value = 10 * value + (uint64_t)(*digit - '0');
	*number = value;
	*end = at - 1;
	return true;
}

/* "in OBJECT", "FILE:LINE" or "FILE:LINE:COLUMN" */
static int read_place(struct dhat_reading *r, const char *start, const char *end,
		      struct cg_stack_frame *f)
{
	uint64_t line = 0, column;

	if (end - start > 3 && memcmp(start, "in ", 3) == 0)
		return cg_stacks_text(r->s, start + 3, (size_t)(end - start) - 3,
				      &f->function.object);
	if (take_number(start, &end, &line)) {
		column = line;
		if (!take_number(start, &end, &line))
			line = column;
	}
	int status = cg_stacks_text(r->s, start, (size_t)(end - start), &f->function.file);
	f->file = f->function.file;
	f->line = (uint32_t)line;
	return status;
}

/* Where " (" begins the place; the end without one. */
static const char *find_dhat_place(const char *start, const char *end)
{
	const char *at = end;

	if (end == start || end[-1] != ')')
		return end;
	while (at - 1 > start && !(at[-1] == ' ' && at[0] == '('))
		at--;
	return at - 1 > start ? at - 1 : end;
}

static int read_frame(struct dhat_reading *r, const char *text, struct dhat_frame *out)
{
	const char *colon = strstr(text, ": ");
	const char *name = colon ? colon + 2 : text, *end = text + strlen(text);
	const char *place = find_dhat_place(name, end);
	size_t len = (size_t)(place - name);
	int status = CG_OK;

	out->address = strncmp(text, "0x", 2) == 0 && colon ? strtoull(text, NULL, 16) : 0;
	if (place < end)
		status = read_place(r, place + 2, end - 1, &out->frame);
	out->is_own = place < end && strstr(place, "/vgpreload_dhat");
	if (colon && (len == 0 || (len == 3 && memcmp(name, "???", 3) == 0))) {
		name = text;
		len = (size_t)(colon - text);
	}
	return status ? status : cg_stacks_text(r->s, name, len, &out->frame.function.name);
}

static int read_dhat_frames(struct dhat_reading *r, const struct json_value *list)
{
	size_t count = json_items(list);
	int status = CG_OK;

	r->table = calloc(count + 1, sizeof *r->table);
	if (!r->table)
		return cg_stacks_fail(r->s, CG_ENOMEM, "");
	r->ntable = count;
	for (size_t i = 0; !status && i < count; i++) {
		const char *text = json_text_of(json_item(list, i));
		status = text ? read_frame(r, text, &r->table[i])
			      : fail_dhat(r, "expected texts in `ftbl` of DHAT");
	}
	return status;
}

/* ---- stacks ---- */

/* How many of the innermost frames are Valgrind's, if there are others. */
static size_t own_frames(const struct dhat_reading *r, const struct json_value *frames)
{
	size_t depth = json_items(frames), own = 0, row;

	while (own < depth && json_format_index(json_item(frames, own), r->ntable, &row) &&
	       r->table[row].is_own)
		own++;
	return own < depth ? own : 0;
}

/* Frames of one address, the innermost first: all but the last are inlined. One that occurs again
 * is that of a recursive call. */
static int push_run(struct dhat_reading *r, const struct json_value *frames, size_t *at,
		    size_t depth)
{
	uint64_t address = 0;
	size_t first = *at, row;

	for (r->runs++; *at < depth; ++*at) {
		if (!json_format_index(json_item(frames, *at), r->ntable, &row))
			return fail_dhat(r, "a frame in `fs` of DHAT is not in `ftbl`");
		struct dhat_frame *f = &r->table[row];
		if (*at > first && (!f->address || f->address != address || f->run == r->runs))
			break;
		address = f->address;
		f->run = r->runs;
		r->stack[depth - 1 - *at] = f->frame;
		r->stack[depth - 1 - *at].inlined = true;
	}
	r->stack[depth - *at].inlined = false;
	return CG_OK;
}

static int read_point(struct dhat_reading *r, const struct json_value *point)
{
	const struct json_value *frames = json_member(point, "fs");
	size_t depth = json_items(frames);
	int64_t costs[MOST_EVENTS];
	int status = cg_stacks_expect(r->s, depth);

	for (uint32_t e = 0; !status && e < r->nevents; e++) {
		int64_t *cost = &costs[r->column[e]];
		if (!json_cost_of(json_member(point, r->events[e].member), cost) || *cost < 0)
			status = fail_dhat(r, "expected counts in `pps` of DHAT");
	}
	if (!status && cg_grow(&r->stack, &r->stack_cap, depth, sizeof *r->stack))
		status = cg_stacks_fail(r->s, CG_ENOMEM, "");
	for (size_t at = 0; !status && at < depth;)
		status = push_run(r, frames, &at, depth);
	return status ? status
		      : cg_stacks_add(r->s, r->stack, depth - own_frames(r, frames), costs);
}

static int read_points(struct dhat_reading *r, const struct json_value *points)
{
	int status = json_is_list(points) ? CG_OK : fail_dhat(r, "expected a list `pps` of DHAT");

	for (size_t i = 0; !status && i < json_items(points); i++)
		status = read_point(r, json_item(points, i));
	return status;
}

int dhat_read(struct cg_stacks *s, const struct json_value *root, cg_str file)
{
	struct dhat_reading r = { .s = s };
	int status = begin_dhat(&r, root, file);

	if (!status)
		status = read_dhat_frames(&r, json_member(root, "ftbl"));
	if (!status)
		status = read_points(&r, json_member(root, "pps"));
	free(r.table);
	free(r.stack);
	return status;
}
