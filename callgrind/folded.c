#include "callgrind/folded.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/line.h"
#include "callgrind/stacks.h"
#include "callgrind/support/grow.h"

#define EVENT "samples"
#define READ_SIZE (256 * 1024)
#define MAX_LINE (16 * 1024 * 1024)

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

struct folded_reading {
	struct cg_stacks s;
	struct cg_stack_frame *frames; /* of one line */
	size_t depth, frames_cap;
	uint64_t stacks,
		doubled; /* lines with a count, and those of them with another in front of it */
};

static int push_name(struct folded_reading *r, const char *start, const char *end)
{
	size_t len = (size_t)(end - start), n = sizeof CG_FOLDED_INLINED - 1;
	struct cg_stack_frame f = { .inlined = len > n &&
					       memcmp(end - n, CG_FOLDED_INLINED, n) == 0 };

	if (cg_build_string(r->s.b, start, f.inlined ? len - n : len, &f.function.name))
		return cg_stacks_fail(&r->s, CG_ENOMEM, "");
	r->frames[r->depth++] = f;
	return CG_OK;
}

static size_t count_names(const char *at, const char *end)
{
	size_t count = 1;

	for (; (at = memchr(at, ';', (size_t)(end - at))); at++)
		count++;
	return count;
}

static int split_stack(struct folded_reading *r, const struct line *l, const char *end)
{
	r->depth = 0;
	if (cg_grow_little(&r->frames, &r->frames_cap, count_names(l->start, end),
			   sizeof *r->frames))
		return cg_stacks_fail(&r->s, CG_ENOMEM, "");
	for (const char *at = l->start, *next; at <= end; at = next + 1) {
		next = memchr(at, ';', (size_t)(end - at));
		next = next ? next : end;
		if (next == at)
			return cg_stacks_fail(&r->s, CG_ESYNTAX,
					      "expected the name of a function between two "
					      "semicolons");
		int status = push_name(r, at, next);
		if (status)
			return status;
	}
	return CG_OK;
}

static int parse_line(struct folded_reading *r, const char *start, const char *end)
{
	struct line l = { start, start, end };
	int64_t count;

	r->s.line_no++;
	folded_trim(&l);
	if (l.start == l.end || is_comment(&l))
		return CG_OK;
	if (memchr(l.start, '\0', (size_t)(l.end - l.start)))
		return cg_stacks_fail(&r->s, CG_ESYNTAX, "expected text, found a NUL byte");
	const char *at = folded_find_count(&l);
	struct line number = { at, at, l.end };
	if (!at || !cg_line_parse_cost(&number, &count))
		return cg_stacks_fail(&r->s, CG_ESYNTAX,
				      "expected a stack and its count, such as \"main;work 42\"");
	if (count < 0)
		return cg_stacks_fail(&r->s, CG_ESYNTAX,
				      "expected the count of a stack, found a negative number");
	while (at > l.start && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	r->stacks++;
	r->doubled += folded_find_count(&(struct line){ l.start, l.start, at }) != NULL;
	int status = split_stack(r, &l, at);
	return status ? status : cg_stacks_add(&r->s, r->frames, r->depth, &count);
}

static int parse_lines(struct folded_reading *r, const char *bytes, size_t len, size_t *used)
{
	const char *at = bytes, *newline;

	for (; (newline = memchr(at, '\n', (size_t)(bytes + len - at))); at = newline + 1) {
		int status = parse_line(r, at, newline);
		if (status == CG_ESYNTAX && r->s.options->lenient)
			cg_build_skipped(r->s.b);
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
			status = cg_stacks_fail(&r->s, CG_ESYNTAX, "a line is longer than 16 MiB");
		else if (cg_grow(&buffer, &cap, len + READ_SIZE, 1))
			status = cg_stacks_fail(&r->s, CG_ENOMEM, "");
		if (!status)
			status = cg_input_read(in, buffer + len, cap - len - 1, &got, &r->s.err);
		if (status)
			break;
		len += got;
		cg_build_read(r->s.b, got);
		cut = got == 0 && len > 0; /* what is left lacks its newline */
		if (cut)
			buffer[len++] = '\n';
		size_t used = 0;
		status = parse_lines(r, buffer, len, &used);
		len -= used;
		memmove(buffer, buffer + used, len);
	}
	if (status == CG_ESYNTAX && cut && r->s.line_no > 1)
		cg_error_context(&r->s.err,
				 "the file ends in the middle of this line: it is truncated");
	if (!status && r->doubled && r->doubled == r->stacks)
		status = cg_fail(
			&r->s.err, CG_ESYNTAX, r->s.name, 0,
			"each stack has two counts, one for each of two compared profiles: extract the first with "
			"sed 's/ [0-9]*$//', the second with sed 's/ [0-9]*\\( [0-9]*\\)$/\\1/'");
	if (!status && cut)
		cg_parts_set_doubt(r->s.parts, CG_DOUBT_LINE);
	free(buffer);
	return status;
}

static int open_part(struct folded_reading *r, cg_str file)
{
	const struct cg_part part = { .file = file };
	struct cg_event event = { 0 };
	uint32_t column;

	if (cg_build_string(r->s.b, EVENT, sizeof EVENT - 1, &event.name))
		return cg_stacks_fail(&r->s, CG_ENOMEM, "");
	int status = cg_stacks_events(&r->s, &event, 1, &column);
	return status ? status : cg_stacks_open(&r->s, &part);
}

static int folded_read(struct cg_parts *parts, struct cg_input *in, cg_str file,
		       const struct cg_read_options *options, struct cg_error *err)
{
	struct folded_reading r = { .s = cg_stacks_begin(parts, in, options) };
	int status = open_part(&r, file);
	if (!status)
		status = folded_parse_input(&r, in);
	free(r.frames);
	return cg_stacks_end(&r.s, status, err);
}

const struct cg_format cg_folded_format = { cg_folded_detect, folded_read };
