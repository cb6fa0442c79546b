#include "callgrind/folded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/line.h"
#include "callgrind/parts.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"

#define EVENT "samples"
#define READ_SIZE (256 * 1024)
#define MAX_LINE (16 * 1024 * 1024)
#define NAMED_CALLERS 32

/* ---- what it looks like ---- */

/* Lines that a callgrind or cachegrind file may begin with. */
static bool is_callgrind_key(const struct line *l, size_t len)
{
	static const char *const keys[] = { "version", "creator", "pid",       "cmd",   "part",
					    "thread",  "desc",    "positions", "event", "events",
					    "summary", "totals",  "fl",        "fi",    "fe",
					    "ob",      "fn" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (cg_line_starts_with(l, keys[i], len))
			return true;
	return false;
}

/* The last blank, which precedes the count; NULL without one. */
static const char *folded_find_count(const struct line *l)
{
	const char *at = l->end;
	while (at > l->start && (unsigned)(at[-1] - '0') < 10)
		at--;
	at -= at < l->end && at > l->start && at[-1] == '-';
	bool found = at < l->end && at > l->start + 1 && (at[-1] == ' ' || at[-1] == '\t');
	return found ? at : NULL;
}

static void folded_trim(struct line *l)
{
	while (l->end > l->start && (l->end[-1] == '\r' || l->end[-1] == ' '))
		l->end--;
	cg_line_skip_blanks(l);
	l->start = l->at;
}

/* "event: …" belongs to a callgrind file, unlike "event::wait". */
static bool is_callgrind_line(const struct line *l)
{
	const char *key_end = l->start;
	while (key_end < l->end && *key_end >= 'a' && *key_end <= 'z')
		key_end++;
	size_t left = (size_t)(l->end - key_end);
	bool assigns = left &&
		       (*key_end == '=' || (*key_end == ':' && (left == 1 || key_end[1] != ':')));
	return assigns && is_callgrind_key(l, (size_t)(key_end - l->start));
}

/* Comments are set off: "#<Class:0x1>" is a name in Ruby. */
static bool is_comment(const struct line *l)
{
	size_t len = (size_t)(l->end - l->start);
	return len && l->start[0] == '#' && (len == 1 || strchr(" \t#", l->start[1]));
}

bool cg_folded_detect(const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line l = { at, at, newline ? newline : end };
		folded_trim(&l);
		at = newline ? newline + 1 : end;
		if (l.start == l.end || is_comment(&l))
			continue;
		if (is_callgrind_line(&l))
			return false;
		bool deep = memchr(l.start, ';', (size_t)(l.end - l.start));
		/* "16 400" may be a line of costs, and a function without a name. */
		if (!deep && strchr("0123456789+-*", *l.start))
			continue;
		/* The count of a long line may follow after the part seen here. */
		return folded_find_count(&l) || (deep && !newline);
	}
	return false;
}

/* ---- reading ---- */

struct frame {
	cg_str name;
	bool inlined;
	bool unclear;  /* an apostrophe in this name or one above it */
	uint64_t path; /* hash of the frames up to this one */
};

/* How often a function occurs in the stack of one line. */
struct seen {
	uint64_t line_no;
	uint32_t level;
};

struct folded_reading {
	struct cg_builder *b;
	struct cg_parts *parts;
	const struct cg_folded_options *options;
	const char *name;
	uint64_t line_no;
	struct cg_error err;
	struct frame *stack;
	size_t depth, stack_cap;
	uint64_t stacks,
		doubled;   /* lines with a count, and those of them with another in front of it */
	struct seen *seen; /* per name: its last occurrence */
	size_t nseen, seen_cap;
	char *context; /* the callers of one frame, "g'main" */
	size_t context_cap;
};

static int folded_fail(struct folded_reading *r, int code, const char *what)
{
	if (code == CG_ENOMEM)
		return cg_fail_nomem(&r->err);
	return cg_fail(&r->err, code, r->name, r->line_no, "%s", what);
}

static uint64_t hash_name(uint64_t hash, const char *start, const char *end)
{
	for (const char *c = start; c < end; c++)
		hash = cg_hash_mix(hash, (unsigned char)*c);
	return cg_hash_mix(hash, (uint64_t)(end - start));
}

static int push_frame(struct folded_reading *r, const char *start, const char *end)
{
	size_t len = (size_t)(end - start), n = sizeof CG_FOLDED_INLINED - 1;
	const struct frame *caller = r->depth ? &r->stack[r->depth - 1] : NULL;
	struct frame f = { .inlined = len > n && memcmp(end - n, CG_FOLDED_INLINED, n) == 0 };

	f.unclear = memchr(start, '\'', len) || (caller && caller->unclear);
	f.path = hash_name(caller ? caller->path : 0, start, end);
	if (cg_build_string(r->b, start, f.inlined ? len - n : len, &f.name) ||
	    cg_grow(&r->stack, &r->stack_cap, r->depth + 1, sizeof *r->stack))
		return folded_fail(r, CG_ENOMEM, "");
	r->stack[r->depth++] = f;
	return CG_OK;
}

static int split_stack(struct folded_reading *r, const struct line *l, const char *end)
{
	r->depth = 0;
	for (const char *at = l->start, *next; at <= end; at = next + 1) {
		next = memchr(at, ';', (size_t)(end - at));
		next = next ? next : end;
		if (next == at)
			return folded_fail(r, CG_ESYNTAX,
					   "expected the name of a function between two "
					   "semicolons");
		int status = push_frame(r, at, next);
		if (status)
			return status;
	}
	return CG_OK;
}

/* The recursion level of the next frame with this name. */
static int next_level(struct folded_reading *r, cg_str name, uint32_t *level)
{
	uint32_t most = r->options->max_level;
	if (name >= r->nseen) {
		if (cg_grow(&r->seen, &r->seen_cap, (size_t)name + 1, sizeof *r->seen))
			return folded_fail(r, CG_ENOMEM, "");
		memset(r->seen + r->nseen, 0, ((size_t)name + 1 - r->nseen) * sizeof *r->seen);
		r->nseen = (size_t)name + 1;
	}
	struct seen *s = &r->seen[name];
	if (s->line_no != r->line_no)
		*s = (struct seen){ r->line_no, 0 };
	s->level += !most || s->level < most;
	*level = s->level;
	return CG_OK;
}

static int append_caller(struct folded_reading *r, size_t *used, const char *name,
			 const char *suffix)
{
	size_t len = strlen(name), more = strlen(suffix);
	if (cg_grow(&r->context, &r->context_cap, *used + len + more + 1, 1))
		return folded_fail(r, CG_ENOMEM, "");
	if (*used)
		r->context[(*used)++] = '\'';
	memcpy(r->context + *used, name, len);
	memcpy(r->context + *used + len, suffix, more);
	*used += len + more;
	return CG_OK;
}

/* The callers, innermost first, as callgrind writes them. They would exhaust memory for deep
 * stacks, so only the nearest are named and a hash represents all of them, as it also does where
 * names could be split in two ways. */
static int make_context(struct folded_reading *r, size_t frame, cg_str *context)
{
	size_t used = 0, last = frame > NAMED_CALLERS ? frame - NAMED_CALLERS : 0;
	char hash[24];
	int status = CG_OK;

	*context = 0; /* the outermost has none */
	for (size_t i = frame; !status && i-- > last;) {
		const char *name = cg_string(cg_builder_profile(r->b), r->stack[i].name);
		status = append_caller(r, &used, name,
				       r->stack[i].inlined ? CG_FOLDED_INLINED : "");
	}
	if (!status && frame && (last || r->stack[frame - 1].unclear)) {
		snprintf(hash, sizeof hash, "[%016" PRIx64 "]", r->stack[frame - 1].path);
		status = append_caller(r, &used, hash, "");
	}
	if (!status && used && cg_build_string(r->b, r->context, used, context))
		status = folded_fail(r, CG_ENOMEM, "");
	return status;
}

static int add_stack(struct folded_reading *r, int64_t count)
{
	static const struct cg_position nowhere;
	uint32_t caller = 0, inlined = 0; /* frames in one machine code, so far */

	if (r->parts->in_aside)
		return cg_parts_add_aside(r->parts, &count)
			       ? folded_fail(r, CG_ERANGE, "the sum of the samples exceeds 2^63")
			       : CG_OK;
	for (size_t i = 0; i < r->depth; i++) {
		struct cg_function f = { .name = r->stack[i].name };
		bool within = r->stack[i].inlined && caller && inlined < CG_MAX_INLINED_DEPTH;
		struct cg_record rec = { .inlined_into = within ? caller : 0 };
		if (within && r->options->fold_inlined)
			continue;
		inlined = within ? inlined + 1 : 0;
		uint32_t record = 0;
		int status = next_level(r, f.name, &rec.level);
		if (!status && r->options->contexts)
			status = make_context(r, i, &rec.context);
		if (!status && (status = cg_build_function(r->b, &f, &rec.function)))
			folded_fail(r, status, "too many functions");
		if (!status && (status = cg_build_record(r->b, &rec, &record)))
			folded_fail(r, status, "too many functions");
		/* Links to inlined records are added when the profile is finished. */
		if (!status && caller && !rec.inlined_into &&
		    (status = cg_build_call(r->b, caller, record, &nowhere, 0, &count)))
			folded_fail(r, status, "the sum of the samples exceeds 2^63");
		if (!status && (status = cg_build_check_size(r->b)))
			folded_fail(
				r, status,
				"too many functions or calls for a file of this length: the file is damaged, or made to exhaust memory");
		if (status)
			return status;
		caller = record;
	}
	int status = cg_build_self(r->b, caller, &nowhere, &count);
	return status ? folded_fail(r, status, "the sum of the samples exceeds 2^63") : CG_OK;
}

static int parse_line(struct folded_reading *r, const char *start, const char *end)
{
	struct line l = { start, start, end };
	int64_t count;

	r->line_no++;
	folded_trim(&l);
	if (l.start == l.end || is_comment(&l))
		return CG_OK;
	if (memchr(l.start, '\0', (size_t)(l.end - l.start)))
		return folded_fail(r, CG_ESYNTAX, "expected text, found a NUL byte");
	const char *at = folded_find_count(&l);
	struct line number = { at, at, l.end };
	if (!at || !cg_line_parse_cost(&number, &count))
		return folded_fail(r, CG_ESYNTAX,
				   "expected a stack and its count, such as \"main;work 42\"");
	if (count < 0)
		return folded_fail(r, CG_ESYNTAX,
				   "expected the count of a stack, found a negative number");
	while (at > l.start && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	r->stacks++;
	r->doubled += folded_find_count(&(struct line){ l.start, l.start, at }) != NULL;
	int status = split_stack(r, &l, at);
	return status ? status : add_stack(r, count);
}

static int parse_lines(struct folded_reading *r, const char *bytes, size_t len, size_t *used)
{
	const char *at = bytes, *newline;

	for (; (newline = memchr(at, '\n', (size_t)(bytes + len - at))); at = newline + 1) {
		int status = parse_line(r, at, newline);
		if (status == CG_ESYNTAX && r->options->lenient)
			cg_build_skipped(r->b);
		else if (status)
			return status;
	}
	*used = (size_t)(at - bytes);
	return CG_OK;
}

static int folded_parse_input(struct folded_reading *r, struct cg_input *in)
{
	char *buffer = NULL;
	size_t cap = 0, len = 0, got = 1;
	bool cut = false;
	int status = CG_OK;

	while (!status && got > 0) {
		if (len > MAX_LINE)
			status = folded_fail(r, CG_ESYNTAX, "a line is longer than 16 MiB");
		else if (cg_grow(&buffer, &cap, len + READ_SIZE, 1))
			status = folded_fail(r, CG_ENOMEM, "");
		if (!status)
			status = cg_input_read(in, buffer + len, cap - len - 1, &got, &r->err);
		if (status)
			break;
		len += got;
		cg_build_read(r->b, got);
		cut = got == 0 && len > 0; /* what is left lacks its newline */
		if (cut)
			buffer[len++] = '\n';
		size_t used = 0;
		status = parse_lines(r, buffer, len, &used);
		len -= used;
		memmove(buffer, buffer + used, len);
	}
	if (status == CG_ESYNTAX && cut && r->line_no > 1)
		cg_error_context(&r->err,
				 "the file ends in the middle of this line: it is truncated");
	if (!status && r->doubled && r->doubled == r->stacks)
		status = cg_fail(
			&r->err, CG_ESYNTAX, r->name, 0,
			"each stack has two counts, one for each of two compared profiles: extract the first with "
			"sed 's/ [0-9]*$//', the second with sed 's/ [0-9]*\\( [0-9]*\\)$/\\1/'");
	if (!status && cut)
		cg_parts_set_doubt(r->parts, CG_DOUBT_LINE);
	free(buffer);
	return status;
}

/* Several files add up, but only if they count the same. */
static int open_part(struct folded_reading *r, cg_str file)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	struct cg_event event = { 0 };
	struct cg_part part = { .file = file };
	int status = CG_OK;

	if (p->nevents == 0) {
		status = cg_build_string(r->b, EVENT, sizeof EVENT - 1, &event.name);
		if (!status)
			status = cg_build_event(r->b, &event);
	} else if (p->nevents != 1 || cg_event_index(p, EVENT) != 0) {
		return cg_fail(&r->err, CG_EINVAL, r->name, 0,
			       "cannot add folded stacks to a profile with other events");
	}
	if (!status)
		status = cg_parts_open(r->parts, &part);
	cg_build_levels(r->b);
	return status ? folded_fail(r, CG_ENOMEM, "") : CG_OK;
}

int cg_folded_read(struct cg_parts *parts, struct cg_input *in, cg_str file,
		   const struct cg_folded_options *options, struct cg_error *err)
{
	struct folded_reading r = {
		.b = parts->b, .parts = parts, .options = options, .name = cg_input_name(in)
	};
	int status = open_part(&r, file);
	if (!status)
		status = folded_parse_input(&r, in);
	free(r.stack);
	free(r.seen);
	free(r.context);
	if (status && err)
		*err = r.err;
	return status;
}
