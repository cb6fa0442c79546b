#include "callgrind/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/folded.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"

#define NAMED_CALLERS 16
#define NAMED_BYTES 8192 /* … as far as their names are that short */

/* A file may hold few stacks that it refers to often, as a tree or by numbers: its length bounds
 * how many frames they may have together. */
#define FREE_FRAMES (16 * 1024 * 1024)
#define FRAMES_PER_BYTE 64

/* Bytes for stacks of 100,000 frames, whatever the length of the file. */
#define FREE_BESIDES (5500 * 1024)

#define TEXT_MARK 17 /* "~" and a hash */

#define READ_SIZE (256 * 1024)
#define MOST_BYTES (1024 * 1024 * 1024)

struct pushed_frame {
	const struct cg_stack_frame *frame;
	uint32_t function;
	bool unclear;  /* the names of this frame and those above it do not tell which they are */
	uint64_t path; /* hash of the frames up to this one */
};

/* What is known of a function. Its name may be long, and occur in very many stacks. */
struct stacks_seen {
	uint64_t stack;
	uint32_t level; /* how often it occurs in this stack */
	bool hashed, quoted;
	uint64_t hash; /* of its names */
	size_t len;    /* of its own name */
};

int cg_stacks_fail(struct cg_stacks *s, int code, const char *what)
{
	if (code == CG_ENOMEM)
		return cg_fail_nomem(&s->err);
	return cg_fail(&s->err, code, s->name, s->line_no, "%s", what);
}

struct cg_stacks cg_stacks_begin(struct cg_parts *parts, const struct cg_input *in,
				 const struct cg_read_options *options)
{
	return (struct cg_stacks){
		.b = parts->b, .parts = parts, .options = options, .name = cg_input_name(in)
	};
}

int cg_stacks_end(struct cg_stacks *s, int status, struct cg_error *err)
{
	if (status && err)
		*err = s->err;
	free(s->stack);
	free(s->seen);
	free(s->first);
	free(s->callers);
	return status;
}

/* ---- the file ---- */

int cg_stacks_read_all(struct cg_stacks *s, struct cg_input *in, char **bytes, size_t *len)
{
	char *buffer = NULL;
	size_t cap = 0, used = 0, got = 1;
	int status = CG_OK;

	while (!status && got > 0) {
		if (used > MOST_BYTES)
			status = cg_stacks_fail(s, CG_ERANGE, "is larger than 1 GiB");
		else if (cg_grow(&buffer, &cap, used + READ_SIZE, 1))
			status = cg_stacks_fail(s, CG_ENOMEM, "");
		else
			status = cg_input_read(in, buffer + used, READ_SIZE - 1, &got, &s->err);
		if (status)
			break;
		used += got;
		cg_build_read(s->b, got);
	}
	if (status) {
		free(buffer);
		return status;
	}
	buffer[used] = '\0';
	*bytes = buffer;
	*len = used;
	return CG_OK;
}

/* ---- texts ---- */

static int add_replaced_text(struct cg_stacks *s, const char *text, size_t len, bool one_word,
			     cg_str *id)
{
	char *copy = malloc(len + 1);
	if (!copy)
		return cg_stacks_fail(s, CG_ENOMEM, "");
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		bool bad = c < ' ' || c == 127 || (one_word && strchr(" :=+*,'\"", c));
		copy[i] = bad ? '_' : text[i];
	}
	int status = cg_build_string(s->b, copy, len, id);
	free(copy);
	return status ? cg_stacks_fail(s, status, "too many names") : CG_OK;
}

/* A name that stands once in a file may occur in millions of stacks, and much looks at each. */
static int add_cut_text(struct cg_stacks *s, const char *text, size_t len, cg_str *id)
{
	char cut[CG_STACKS_TEXT_MAX + 1];
	size_t kept = CG_STACKS_TEXT_MAX - TEXT_MARK;
	uint64_t hash = 0;

	for (size_t i = 0; i < len; i++)
		hash = cg_hash_mix(hash, (unsigned char)text[i]);
	while (kept && ((unsigned char)text[kept] & 0xc0) == 0x80)
		kept--;
	memcpy(cut, text, kept);
	const int mark = snprintf(cut + kept, sizeof cut - kept, "~%016" PRIx64, hash);
	return cg_stacks_text(s, cut, kept + (size_t)mark, id);
}

int cg_stacks_text(struct cg_stacks *s, const char *text, size_t len, cg_str *id)
{
	bool clean = true;

	if (len > CG_STACKS_TEXT_MAX)
		return add_cut_text(s, text, len, id);
	for (size_t i = 0; clean && i < len; i++)
		clean = (unsigned char)text[i] >= ' ' && text[i] != 127;
	if (!clean)
		return add_replaced_text(s, text, len, false, id);
	int status = cg_build_string(s->b, text, len, id);
	return status ? cg_stacks_fail(s, status, "too many names") : CG_OK;
}

int cg_stacks_event_name(struct cg_stacks *s, const char *text, size_t len, cg_str *id)
{
	return len ? add_replaced_text(s, text, len, true, id)
		   : add_replaced_text(s, "?", 1, true, id);
}

/* ---- events and parts ---- */

int cg_stacks_unit(struct cg_stacks *s, const char *unit, size_t len, struct cg_event *event)
{
	static const char in[] = " in ";
	const char *name = cg_string(cg_builder_profile(s->b), event->name);
	const size_t name_len = strlen(name), in_len = sizeof in - 1;

	if (!len)
		return CG_OK;
	char *text = malloc(name_len + in_len + len);
	if (!text)
		return cg_stacks_fail(s, CG_ENOMEM, "");
	memcpy(text, name, name_len);
	memcpy(text + name_len, in, in_len);
	memcpy(text + name_len + in_len, unit, len);
	int status = cg_stacks_text(s, text, name_len + in_len + len, &event->long_name);
	free(text);
	return status;
}

static int add_first_events(struct cg_stacks *s, const struct cg_event *events, uint32_t nevents,
			    uint32_t *column)
{
	for (uint32_t e = 0; e < nevents; e++) {
		for (uint32_t other = 0; other < e; other++)
			if (events[other].name == events[e].name)
				return cg_stacks_fail(s, CG_EINVAL,
						      "two of its events have the same name");
		int status = cg_build_event(s->b, &events[e]);
		if (status)
			return cg_stacks_fail(s, status, "more than 256 events");
		column[e] = e;
	}
	return CG_OK;
}

int cg_stacks_events(struct cg_stacks *s, const struct cg_event *events, uint32_t nevents,
		     uint32_t *column)
{
	const struct cg_profile *p = cg_builder_profile(s->b);
	bool taken[CG_MAX_EVENTS] = { false };

	if (p->nevents == 0)
		return add_first_events(s, events, nevents, column);
	for (uint32_t e = 0; e < nevents && nevents == p->nevents; e++) {
		int found = cg_event_index(p, cg_string(p, events[e].name));
		if (found < 0 || taken[found])
			break;
		taken[found] = true;
		column[e] = (uint32_t)found;
		if (e + 1 == nevents)
			return CG_OK;
	}
	return cg_stacks_fail(s, CG_EINVAL, "cannot be added to a profile with other events");
}

int cg_stacks_open(struct cg_stacks *s, const struct cg_part *facts)
{
	int status = cg_parts_open(s->parts, facts);

	cg_build_levels(s->b);
	return status ? cg_stacks_fail(s, status, "too many parts") : CG_OK;
}

static int add_stacks_desc(struct cg_stacks *s, const char *key, const char *value)
{
	cg_str k, v;
	int status = cg_build_string(s->b, key, strlen(key), &k);

	if (!status)
		status = cg_build_string(s->b, value, strlen(value), &v);
	if (!status)
		status = cg_build_desc(s->b, k, v);
	return status ? cg_stacks_fail(s, status, "too many names") : CG_OK;
}

int cg_stacks_ignored(struct cg_stacks *s, const char *what)
{
	return add_stacks_desc(s, CG_IGNORED_KEY, what);
}

int cg_stacks_sampled(struct cg_stacks *s, cg_str event, uint64_t samples)
{
	const char *name = cg_string(cg_builder_profile(s->b), event);
	char *text;

	if (s->parts->in_aside)
		return CG_OK;
	if (asprintf(&text, "%s %" PRIu64, name, samples) < 0)
		return cg_stacks_fail(s, CG_ENOMEM, "");
	int status = add_stacks_desc(s, CG_SAMPLES_KEY, text);
	free(text);
	return status;
}

/* ---- stacks ---- */

void cg_stack_reverse(struct cg_stack_frame *frames, size_t depth)
{
	for (size_t i = 0, k = depth; i + 1 < k; i++) {
		struct cg_stack_frame swap = frames[i];
		frames[i] = frames[--k];
		frames[k] = swap;
	}
}

static struct stacks_seen *find_seen(struct cg_stacks *s, uint32_t function)
{
	size_t need = (size_t)function + 1;

	if (function >= s->nseen) {
		if (cg_grow(&s->seen, &s->seen_cap, need, sizeof *s->seen))
			return NULL;
		memset(s->seen + s->nseen, 0, (need - s->nseen) * sizeof *s->seen);
		s->nseen = need;
	}
	return &s->seen[function];
}

static uint64_t hash_stack_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = cg_hash_mix(hash, (unsigned char)*text);
	return cg_hash_mix(hash, 0);
}

static void read_names(const struct cg_profile *p, const struct cg_function *f,
		       struct stacks_seen *seen)
{
	const char *name = cg_string(p, f->name);
	uint64_t hash = hash_stack_text(0, cg_string(p, f->object));

	hash = hash_stack_text(hash, cg_string(p, f->file));
	seen->hash = hash_stack_text(hash, name);
	seen->len = strlen(name);
	seen->quoted = memchr(name, '\'', seen->len);
	seen->hashed = true;
}

/* Whether another function has the same name. */
static int shares_name(struct cg_stacks *s, uint32_t function, cg_str name, bool *shares)
{
	if (name >= s->nfirst) {
		if (cg_grow(&s->first, &s->first_cap, (size_t)name + 1, sizeof *s->first))
			return cg_stacks_fail(s, CG_ENOMEM, "");
		memset(s->first + s->nfirst, 0, ((size_t)name + 1 - s->nfirst) * sizeof *s->first);
		s->nfirst = (size_t)name + 1;
	}
	if (!s->first[name])
		s->first[name] = function;
	*shares = s->first[name] != function;
	return CG_OK;
}

static int push_frame(struct cg_stacks *s, const struct cg_stack_frame *frame)
{
	struct pushed_frame f = { .frame = frame };
	bool shares;

	int status = cg_build_function(s->b, &frame->function, &f.function);
	if (status)
		return cg_stacks_fail(s, status, "too many functions");
	status = shares_name(s, f.function, frame->function.name, &shares);
	if (status)
		return status;
	if (s->options->detail.contexts) {
		const struct pushed_frame *caller = s->depth ? &s->stack[s->depth - 1] : NULL;
		struct stacks_seen *seen = find_seen(s, f.function);
		if (!seen)
			return cg_stacks_fail(s, CG_ENOMEM, "");
		if (!seen->hashed)
			read_names(cg_builder_profile(s->b), &frame->function, seen);
		f.path = cg_hash_mix(cg_hash_mix(caller ? caller->path : 0, seen->hash),
				     frame->inlined);
		f.unclear = shares || seen->quoted || (caller && caller->unclear);
	}
	s->stack[s->depth++] = f;
	return CG_OK;
}

/* The recursion level of the next frame of this function. */
static int next_level(struct cg_stacks *s, uint32_t function, uint32_t *level)
{
	uint32_t most = s->options->detail.max_level;
	struct stacks_seen *seen = find_seen(s, function);
	if (!seen)
		return cg_stacks_fail(s, CG_ENOMEM, "");
	if (seen->stack != s->nstacks) {
		seen->stack = s->nstacks;
		seen->level = 0;
	}
	seen->level += !most || seen->level < most;
	*level = seen->level;
	return CG_OK;
}

static int append_caller(struct cg_stacks *s, size_t *count, cg_str name)
{
	if (cg_grow(&s->callers, &s->callers_cap, *count + 1, sizeof *s->callers))
		return cg_stacks_fail(s, CG_ENOMEM, "");
	s->callers[(*count)++] = name;
	return CG_OK;
}

static int append_inlined_caller(struct cg_stacks *s, size_t *count, cg_str name)
{
	char *text;
	cg_str inlined;

	if (asprintf(&text, "%s" CG_FOLDED_INLINED, cg_string(cg_builder_profile(s->b), name)) < 0)
		return cg_stacks_fail(s, CG_ENOMEM, "");
	int status = cg_build_string(s->b, text, strlen(text), &inlined);
	free(text);
	return status ? cg_stacks_fail(s, CG_ENOMEM, "") : append_caller(s, count, inlined);
}

/* Stands for the frame and all above it. */
static int append_path(struct cg_stacks *s, size_t *count, const struct pushed_frame *frame)
{
	char hash[24];
	cg_str text;

	snprintf(hash, sizeof hash, "[%016" PRIx64 "]", frame->path);
	return cg_build_string(s->b, hash, strlen(hash), &text) ? cg_stacks_fail(s, CG_ENOMEM, "")
								: append_caller(s, count, text);
}

/* The callers, innermost first, as callgrind writes them. They would exhaust memory for deep
 * stacks, and time for long names, so only the nearest are named and a hash represents all of them,
 * as it also does where names could be split in two ways. */
static int make_context(struct cg_stacks *s, size_t frame, uint32_t *context)
{
	size_t count = 0, bytes = 0, last = frame > NAMED_CALLERS ? frame - NAMED_CALLERS : 0;
	int status = CG_OK;

	for (size_t i = frame; !status && i-- > last;) {
		const struct cg_stack_frame *f = s->stack[i].frame;
		bytes += s->seen[s->stack[i].function].len + 1;
		if (bytes > NAMED_BYTES)
			last = i + 1;
		else if (f->inlined)
			status = append_inlined_caller(s, &count, f->function.name);
		else
			status = append_caller(s, &count, f->function.name);
	}
	if (!status && frame && (last || s->stack[frame - 1].unclear))
		status = append_path(s, &count, &s->stack[frame - 1]);
	if (!status && cg_build_callers(s->b, s->callers, count, context))
		status = cg_stacks_fail(s, CG_ENOMEM, "");
	return status;
}

static int fail_stacks_size(struct cg_stacks *s)
{
	return cg_stacks_fail(
		s, CG_ERANGE,
		"too many functions or calls for a file of this length: the file is damaged, or made to exhaust memory");
}

/* Bytes for the frames of the present stack, the caller's and ours, and what is known of functions
 * and names. */
static uint64_t size_besides_tables(const struct cg_stacks *s)
{
	uint64_t size = s->stack_cap * (sizeof *s->stack + sizeof *s->stack->frame) +
			s->seen_cap * sizeof *s->seen + s->first_cap * sizeof *s->first;

	/* Arrays have up to half as much room again, which the tables do not count. */
	return size > FREE_BESIDES ? (size - FREE_BESIDES) * 3 / 2 : 0;
}

int cg_stacks_expect(struct cg_stacks *s, size_t depth)
{
	uint64_t most = FREE_FRAMES + FRAMES_PER_BYTE * cg_build_input(s->b);
	return depth > most || s->nframes > most - depth ? fail_stacks_size(s) : CG_OK;
}

static int push_frames(struct cg_stacks *s, const struct cg_stack_frame *frames, size_t depth)
{
	int status = cg_stacks_expect(s, depth);

	if (!status && cg_grow_little(&s->stack, &s->stack_cap, depth, sizeof *s->stack))
		status = cg_stacks_fail(s, CG_ENOMEM, "");
	s->nframes += depth;
	s->depth = 0;
	s->nstacks++;
	for (size_t i = 0; !status && i < depth; i++)
		if (!frames[i].inlined || s->depth == 0 || !s->options->fold_inlined)
			status = push_frame(s, &frames[i]);
	return status;
}

static int add_stack_record(struct cg_stacks *s, size_t i, uint32_t host, uint32_t *record)
{
	struct cg_record row = { .function = s->stack[i].function, .inlined_into = host };
	int status = next_level(s, row.function, &row.level);

	if (!status && s->options->detail.contexts)
		status = make_context(s, i, &row.context);
	if (!status && (status = cg_build_record(s->b, &row, record)))
		cg_stacks_fail(s, status, "too many functions");
	return status;
}

/* Where the next frame is called. The line of an inlined frame serves as that of its host. */
static struct cg_position place_of(const struct cg_stack_frame *f)
{
	return (struct cg_position){ .file = f->file, .line = f->line };
}

/* Costs whose stack is not known. */
static int add_nobody(struct cg_stacks *s, const int64_t *costs)
{
	static const char name[] = "[no stack]";
	struct cg_stack_frame f = { 0 };

	if (cg_build_string(s->b, name, sizeof name - 1, &f.function.name))
		return cg_stacks_fail(s, CG_ENOMEM, "");
	return cg_stacks_add(s, &f, 1, costs);
}

int cg_stacks_add(struct cg_stacks *s, const struct cg_stack_frame *frames, size_t depth,
		  const int64_t *costs)
{
	static const char too_large[] = "the sum of its costs exceeds 2^63";
	uint32_t caller = 0, inlined = 0; /* frames in one machine code, so far */

	if (s->parts->in_aside)
		return cg_parts_add_aside(s->parts, costs) ? cg_stacks_fail(s, CG_ERANGE, too_large)
							   : CG_OK;
	if (depth == 0)
		return add_nobody(s, costs);
	int status = push_frames(s, frames, depth);
	for (size_t i = 0; !status && i < s->depth; i++) {
		bool within = s->stack[i].frame->inlined && caller &&
			      inlined < CG_MAX_INLINED_DEPTH;
		uint32_t record;
		inlined = within ? inlined + 1 : 0;
		status = add_stack_record(s, i, within ? caller : 0, &record);
		/* Links to inlined records are added when the profile is finished. */
		if (!status && caller) {
			struct cg_position at = place_of(s->stack[i - 1].frame);
			status = within ? cg_build_site(s->b, record, &at, 0, costs)
					: cg_build_call(s->b, caller, record, &at, 0, costs);
			if (status)
				cg_stacks_fail(s, status, too_large);
		}
		if (!status && cg_build_check_size_with(s->b, size_besides_tables(s)))
			status = fail_stacks_size(s);
		caller = record;
	}
	if (status)
		return status;
	struct cg_position at = place_of(s->stack[s->depth - 1].frame);
	status = cg_build_self(s->b, caller, &at, costs);
	return status ? cg_stacks_fail(s, status, too_large) : CG_OK;
}
