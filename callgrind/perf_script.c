#include "callgrind/perf_script.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/line.h"
#include "callgrind/stacks.h"
#include "callgrind/support/grow.h"

/* ---- lines ---- */

/* What the line of a sample says. */
struct perf_sample {
	bool has_period;
	int64_t period;
	struct line event; /* its name */
	struct line rest;  /* the frame, if it is in the same line */
};

static bool is_digits(const char *at, const char *end)
{
	const char *start = at;
	while (at < end && (unsigned)(*at - '0') < 10)
		at++;
	return at == end && at > start;
}

/* "3327.046820:" */
static bool is_time(const struct line *word)
{
	const char *point = memchr(word->start, '.', (size_t)(word->end - word->start));
	return point && word->end[-1] == ':' && is_digits(word->start, point) &&
	       is_digits(point + 1, word->end - 1);
}

static bool next_word(struct line *l, struct line *word)
{
	cg_line_skip_blanks(l);
	*word = cg_line_next_word(l);
	return word->start < word->end;
}

/* Commands may have blanks, so the time is looked for. */
static bool parse_perf_sample(const char *start, const char *end, struct perf_sample *out)
{
	struct line l = { start, start, end }, word;
	size_t nwords = 0;

	do {
		if (!next_word(&l, &word))
			return false;
		nwords++;
	} while (!is_time(&word));
	if (nwords < 3 || !next_word(&l, &word))
		return false;
	*out = (struct perf_sample){ 0 };
	if (is_digits(word.start, word.end)) {
		struct line number = { word.start, word.start, word.end };
		if (!cg_line_parse_cost(&number, &out->period) || !next_word(&l, &word))
			return false;
		out->has_period = true;
	}
	if (word.end - word.start < 2 || word.end[-1] != ':')
		return false;
	out->event = (struct line){ word.start, word.start, word.end - 1 };
	cg_line_skip_blanks(&l);
	out->rest = (struct line){ l.at, l.at, l.end };
	return true;
}

static bool is_blank_line(const char *start, const char *end)
{
	while (start < end && (*start == ' ' || *start == '\t' || *start == '\r'))
		start++;
	return start == end;
}

/* A text, line by line. */
struct perf_lines {
	const char *at, *end;
	uint64_t line_no;
};

static bool next_line(struct perf_lines *text, const char **start, const char **end)
{
	if (text->at >= text->end)
		return false;
	const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	*start = text->at;
	*end = newline ? newline : text->end;
	text->at = newline ? newline + 1 : text->end;
	text->line_no++;
	return true;
}

static bool detect_perf_script(const char *bytes, size_t len)
{
	struct perf_lines text = { bytes, bytes + len, 0 };
	struct perf_sample sample;
	const char *start, *end;

	while (next_line(&text, &start, &end))
		if (!is_blank_line(start, end) && *start != '#')
			return parse_perf_sample(start, end, &sample);
	return false;
}

/* ---- reading ---- */

struct perf_event {
	struct line name;
	cg_str id;
	uint64_t samples;
};

struct perf_reading {
	struct cg_stacks s;
	struct perf_lines text;
	struct perf_event events[CG_MAX_EVENTS];
	uint32_t nevents, column[CG_MAX_EVENTS + 1];
	bool has_periods;
	uint64_t nsamples;
	struct cg_stack_frame *frames; /* of one sample */
	size_t depth, frames_cap;
};

static int fail_perf(struct perf_reading *r, const char *what)
{
	r->s.line_no = r->text.line_no;
	return cg_stacks_fail(&r->s, CG_ESYNTAX, what);
}

static bool is_same_event_name(const struct line *a, const struct line *b)
{
	size_t len = (size_t)(a->end - a->start);
	return len == (size_t)(b->end - b->start) && memcmp(a->start, b->start, len) == 0;
}

static uint32_t find_perf_event(const struct perf_reading *r, const struct line *name)
{
	uint32_t e = 0;

	while (e < r->nevents && !is_same_event_name(&r->events[e].name, name))
		e++;
	return e;
}

/* Events are known before costs are added. */
static int find_perf_events(struct perf_reading *r)
{
	struct perf_lines text = r->text;
	struct perf_sample sample;
	const char *start, *end;

	while (next_line(&text, &start, &end)) {
		if (!parse_perf_sample(start, end, &sample))
			continue;
		r->has_periods |= sample.has_period;
		if (find_perf_event(r, &sample.event) < r->nevents)
			continue;
		if (r->nevents == CG_MAX_EVENTS - 1)
			return cg_stacks_fail(&r->s, CG_ERANGE, "more than 255 events");
		r->events[r->nevents++].name = sample.event;
	}
	return CG_OK;
}

static int begin_perf(struct perf_reading *r, cg_str file)
{
	static const char samples[] = "samples";
	const struct cg_part part = { .file = file };
	struct cg_event events[CG_MAX_EVENTS] = { 0 };
	uint32_t n = 0;
	int status = find_perf_events(r);

	for (uint32_t e = 0; !status && r->has_periods && e < r->nevents; e++) {
		const struct line *name = &r->events[e].name;
		status = cg_stacks_event_name(&r->s, name->start, (size_t)(name->end - name->start),
					      &events[n].name);
		r->events[e].id = events[n++].name;
	}
	if (!status)
		status = cg_stacks_text(&r->s, samples, sizeof samples - 1, &events[n++].name);
	if (!status)
		status = cg_stacks_events(&r->s, events, n, r->column);
	return status ? status : cg_stacks_open(&r->s, &part);
}

/* ---- frames ---- */

/* "SYMBOL+0x1f" without the offset. */
static const char *end_of_symbol(const char *start, const char *end)
{
	for (const char *at = end; at - start > 3; at--)
		if (at[-3] == '+' && at[-2] == '0' && at[-1] == 'x')
			return at - 3;
	return end;
}

/* Where " (" begins the object in brackets at the end; NULL without them. */
static const char *find_object(const char *start, const char *end)
{
	if (end == start || end[-1] != ')')
		return NULL;
	for (const char *at = end - 1; at > start; at--)
		if (at[0] == '(' && at[-1] == ' ')
			return at - 1;
	return *start == '(' ? start : NULL;
}

static bool is_text(const char *start, const char *end, const char *text)
{
	size_t len = strlen(text);
	return (size_t)(end - start) == len && memcmp(start, text, len) == 0;
}

static int name_unknown(struct perf_reading *r, struct cg_stack_frame *f,
			const struct line *address)
{
	static const char unknown[] = "[unknown]";
	char text[24] = "0x";
	size_t len = (size_t)(address->end - address->start);

	if (!f->function.object || len > sizeof text - 3)
		return cg_stacks_text(&r->s, unknown, sizeof unknown - 1, &f->function.name);
	memcpy(text + 2, address->start, len);
	return cg_stacks_text(&r->s, text, len + 2, &f->function.name);
}

static bool is_hex_word(const struct line *word)
{
	for (const char *c = word->start; c < word->end; c++)
		if (!strchr("0123456789abcdef", *c) || !*c)
			return false;
	return word->start < word->end;
}

/* False if it is no frame, but, as of a tracepoint, a text. */
static bool is_perf_frame(const struct line *l, struct line *address, const char **object)
{
	struct line at = { l->start, l->start, l->end };

	if (!next_word(&at, address) || !is_hex_word(address))
		return false;
	*object = find_object(address->end, l->end);
	return *object;
}

static int push_perf_frame(struct perf_reading *r, const struct line *address, const char *object,
			   const char *end)
{
	struct cg_stack_frame f = { 0 };
	const char *symbol = address->end, *symbol_end = object;
	const char *path = object + (*object == ' ' ? 2 : 1), *path_end = end - 1;
	int status = CG_OK;

	while (symbol < symbol_end && *symbol == ' ')
		symbol++;
	symbol_end = end_of_symbol(symbol, symbol_end);
	f.inlined = is_text(path, path_end, "inlined");
	if (!f.inlined && !is_text(path, path_end, "[unknown]"))
		status = cg_stacks_text(&r->s, path, (size_t)(path_end - path), &f.function.object);
	if (!status && (symbol >= symbol_end || is_text(symbol, symbol_end, "[unknown]")))
		status = name_unknown(r, &f, address);
	else if (!status)
		status = cg_stacks_text(&r->s, symbol, (size_t)(symbol_end - symbol),
					&f.function.name);
	if (!status && cg_grow(&r->frames, &r->frames_cap, r->depth + 1, sizeof *r->frames))
		status = cg_stacks_fail(&r->s, CG_ENOMEM, "");
	if (!status)
		r->frames[r->depth++] = f;
	return status;
}

/* Lines of other kinds, as of source positions, are none. */
static int read_perf_frame(struct perf_reading *r, const char *start, const char *end)
{
	while (end > start && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	const struct line l = { start, start, end };
	struct line address;
	const char *object;
	int status = cg_stacks_expect(&r->s, r->depth + 1);

	if (status || !is_perf_frame(&l, &address, &object))
		return status;
	return push_perf_frame(r, &address, object, end);
}

/* What is inlined is in the object of the function around it, which follows. */
static void turn_frames(struct perf_reading *r)
{
	cg_stack_reverse(r->frames, r->depth);
	for (size_t i = 1; i < r->depth; i++)
		if (r->frames[i].inlined)
			r->frames[i].function.object = r->frames[i - 1].function.object;
}

/* ---- samples ---- */

static int add_perf_sample(struct perf_reading *r, const struct perf_sample *sample)
{
	int64_t costs[CG_MAX_EVENTS] = { 0 };
	uint32_t event = find_perf_event(r, &sample->event);

	turn_frames(r);
	costs[r->column[r->has_periods ? r->nevents : 0]] = 1;
	if (r->has_periods)
		costs[r->column[event]] = sample->period;
	r->events[event].samples++;
	r->nsamples++;
	return cg_stacks_add(&r->s, r->frames, r->depth, costs);
}

static int read_perf_sample(struct perf_reading *r, const struct perf_sample *sample)
{
	const char *start, *end;
	int status = CG_OK;

	r->depth = 0;
	if (sample->rest.start < sample->rest.end)
		status = read_perf_frame(r, sample->rest.start, sample->rest.end);
	while (!status) {
		struct perf_lines ahead = r->text;
		struct perf_sample next;
		if (!next_line(&ahead, &start, &end) || is_blank_line(start, end) ||
		    parse_perf_sample(start, end, &next))
			break;
		r->text = ahead;
		status = read_perf_frame(r, start, end);
	}
	return status ? status : add_perf_sample(r, sample);
}

static int read_perf_text(struct perf_reading *r)
{
	struct perf_sample sample;
	const char *start, *end;
	int status = CG_OK;

	while (!status && next_line(&r->text, &start, &end)) {
		if (is_blank_line(start, end) || *start == '#')
			continue;
		if (parse_perf_sample(start, end, &sample))
			status = read_perf_sample(r, &sample);
		else if (r->s.options->lenient)
			cg_build_skipped(r->s.b);
		else
			status = fail_perf(r, "expected a sample, as `perf script` prints it");
	}
	return status;
}

static int note_perf_samples(struct perf_reading *r)
{
	static const char samples[] = "samples";
	cg_str id;
	int status = cg_stacks_text(&r->s, samples, sizeof samples - 1, &id);

	if (!status)
		status = cg_stacks_sampled(&r->s, id, r->nsamples);
	for (uint32_t e = 0; !status && r->has_periods && e < r->nevents; e++)
		status = cg_stacks_sampled(&r->s, r->events[e].id, r->events[e].samples);
	return status;
}

static int read_perf_script(struct cg_parts *parts, struct cg_input *in, cg_str file,
			    const struct cg_read_options *options, struct cg_error *err)
{
	struct perf_reading r = { .s = cg_stacks_begin(parts, in, options) };
	char *bytes = NULL;
	size_t len = 0;
	int status = cg_stacks_read_all(&r.s, in, &bytes, &len);

	r.text = (struct perf_lines){ bytes, bytes + len, 0 };
	if (!status)
		status = begin_perf(&r, file);
	if (!status)
		status = read_perf_text(&r);
	if (!status)
		status = note_perf_samples(&r);
	/* Each sample ends in an empty line, and each line in a line break. */
	if (!status && len && bytes[len - 1] != '\n')
		cg_parts_set_doubt(parts, CG_DOUBT_LINE);
	free(r.frames);
	free(bytes);
	return cg_stacks_end(&r.s, status, err);
}

const struct cg_format cg_perf_script_format = { detect_perf_script, read_perf_script };
