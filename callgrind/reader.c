#include "callgrind/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/input.h"
#include "callgrind/names.h"
#include "callgrind/support/grow.h"

#define WINDOW_SIZE (256 * 1024)
/* No producer comes near this; C++ names reach some 100 kB. */
#define MAX_LINE (16 * 1024 * 1024)
#define MAX_POSITIONS 3

/* Compressed names: "(12) name" defines, "(12)" refers. Ids are hostile, so
 * they are looked up, never used as an index. */
struct name_space {
	uint64_t *ids; /* row 0 unused */
	cg_str *names;
	size_t count, ids_cap, names_cap;
	struct cg_index index;
};

enum expect {
	EXPECT_ANY,
	EXPECT_CALL_COST,     /* the line behind calls= */
	EXPECT_JUMP_POSITION, /* the line behind jump= or jcnd= */
};

enum position_kind { POSITION_ADDRESS, POSITION_BLOCK, POSITION_LINE };

struct reader {
	struct cg_builder *b;
	const struct cg_read_options *options;
	const char *name;
	uint64_t line_no;
	struct cg_error *err;

	struct name_space objects, files, functions;

	/* header */
	struct cg_part header; /* facts of the part to come; its arrays are unused */
	struct cg_event *named; /* from `event:` lines, before `events:` */
	size_t nnamed, named_cap;
	bool part_open;  /* the builder's current part is the one being read */
	bool body_seen;  /* costs or totals of this part were met */
	bool from_callgrind; /* Valgrind wrote it: its habits apply */
	bool packed_names;   /* names may hold levels and contexts */
	enum position_kind positions[MAX_POSITIONS];
	unsigned npositions;
	uint32_t ncolumns;
	uint32_t column_event[CG_MAX_EVENTS];

	/* body */
	cg_str object, file;
	cg_str base_file; /* file of the last cost line or of the function */
	uint64_t base[MAX_POSITIONS];
	uint32_t record;      /* of the last fn= */
	cg_str inlined_name;  /* of the last cfni=, 0 outside inlined code */
	uint32_t inlined;     /* its record at the current file, 0: not looked up yet */
	bool has_callee_object, has_callee_file;
	cg_str callee_object, callee_file;
	uint32_t callee;
	uint64_t call_count;
	enum expect expect;
	uint64_t costs[CG_MAX_EVENTS];
};

/* One line, without its end. `at` moves along as it is parsed. */
struct line {
	const char *start, *at, *end;
};

static int fail(struct reader *r, int code, const char *message)
{
	if (code == CG_ENOMEM)
		return cg_fail_nomem(r->err);
	return cg_fail(r->err, code, r->name, r->line_no, "%s", message);
}

/* "…expected WHAT, found TEXT" with the text cut to a readable length. */
static int fail_expected(struct reader *r, const struct line *l, const char *what)
{
	enum { SHOWN = 60 };
	char shown[SHOWN + 1];
	size_t n = 0;

	for (const char *c = l->at; c < l->end && n < SHOWN; c++)
		shown[n++] = isprint((unsigned char)*c) ? *c : '?';
	shown[n] = '\0';
	return cg_fail(r->err, CG_ESYNTAX, r->name, r->line_no, "expected %s, found \"%s\"%s",
		       what, shown, l->end - l->at > SHOWN ? "…" : "");
}

static int fail_sum(struct reader *r, int code)
{
	return fail(r, code, "the sum of the costs exceeds 2^64");
}

/* ---- parts of a line ---- */

static void skip_blanks(struct line *l)
{
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
		l->at++;
}

/* The first `c` from `at` on, or the end of the line. */
static const char *find_char(const struct line *l, const char *at, char c)
{
	while (at < l->end && *at != c)
		at++;
	return at;
}

static bool at_number_end(const struct line *l)
{
	return l->at == l->end || *l->at == ' ' || *l->at == '\t';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool parse_hex(struct line *l, uint64_t *value)
{
	uint64_t v = 0;
	const char *start = l->at;
	int digit;

	for (; l->at < l->end && (digit = hex_digit(*l->at)) >= 0; l->at++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)digit;
	}
	*value = v;
	return l->at > start;
}

static bool parse_decimal(struct line *l, uint64_t *value)
{
	uint64_t v = 0;
	const char *start = l->at;

	for (; l->at < l->end && (unsigned)(*l->at - '0') < 10; l->at++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*l->at - '0'), &v))
			return false;
	*value = v;
	return l->at > start;
}

static bool parse_number(struct line *l, uint64_t *value)
{
	if (l->end - l->at > 2 && l->at[0] == '0' && (l->at[1] == 'x' || l->at[1] == 'X')) {
		l->at += 2;
		return parse_hex(l, value);
	}
	return parse_decimal(l, value);
}

/* One position: N, +N, -N or *, where `base` is what the last three build on. */
static bool parse_position(struct line *l, uint64_t base, uint64_t *value)
{
	uint64_t offset;
	char sign;

	skip_blanks(l);
	if (l->at == l->end)
		return false;
	sign = *l->at;
	if (sign == '*') {
		l->at++;
		*value = base;
		return at_number_end(l);
	}
	if (sign == '+' || sign == '-')
		l->at++;
	if (!parse_number(l, &offset) || !at_number_end(l))
		return false;
	if (sign == '+')
		return !__builtin_add_overflow(base, offset, value);
	if (sign == '-')
		return !__builtin_sub_overflow(base, offset, value);
	*value = offset;
	return true;
}

/* All positions of a line. Those at the end may be missing where no cost follows. */
static int parse_positions(struct reader *r, struct line *l, uint64_t *positions)
{
	for (unsigned i = 0; i < r->npositions; i++) {
		struct line before = *l;
		if (!parse_position(l, r->base[i], &positions[i]))
			return fail_expected(r, &before,
					     r->positions[i] == POSITION_LINE ?
						     "a line number (N, +N, -N or *)" :
						     "an address (N, +N, -N or *)");
		if (r->positions[i] == POSITION_LINE && positions[i] > UINT32_MAX)
			return fail_expected(r, &before, "a line number below 2^32");
	}
	return CG_OK;
}

/* Costs up to the end of the line into r->costs; what is left off is 0. */
static int parse_costs(struct reader *r, struct line *l)
{
	uint32_t column = 0;

	memset(r->costs, 0, r->ncolumns * sizeof *r->costs);
	for (skip_blanks(l); l->at < l->end; skip_blanks(l)) {
		struct line before = *l;
		uint64_t cost;
		if (!parse_decimal(l, &cost) || !at_number_end(l))
			return fail_expected(r, &before, "a cost (a whole number below 2^64)");
		if (column >= r->ncolumns)
			return fail_expected(r, &before, "no more costs than events");
		r->costs[r->column_event[column++]] = cost;
	}
	return CG_OK;
}

static struct cg_position position_of(const struct reader *r, const uint64_t *positions)
{
	struct cg_position at = { .file = r->file };
	for (unsigned i = 0; i < r->npositions; i++) {
		if (r->positions[i] == POSITION_LINE)
			at.line = (uint32_t)positions[i];
		else if (r->positions[i] == POSITION_ADDRESS)
			at.address = positions[i];
	}
	return at;
}

/* ---- names ---- */

struct wanted_id {
	const struct name_space *space;
	uint64_t id;
};

static bool same_id(const void *context, uint32_t row)
{
	const struct wanted_id *w = context;
	return w->space->ids[row] == w->id;
}

static uint32_t find_id(const struct name_space *s, uint64_t id)
{
	struct wanted_id w = { s, id };
	return cg_index_find(&s->index, (uint32_t)cg_hash_mix(1, id), same_id, &w);
}

static int define_id(struct name_space *s, uint64_t id, cg_str name)
{
	uint32_t row = find_id(s, id);
	if (!row) {
		row = s->count ? (uint32_t)s->count : 1;
		if (cg_grow(&s->ids, &s->ids_cap, (size_t)row + 1, sizeof *s->ids) ||
		    cg_grow(&s->names, &s->names_cap, (size_t)row + 1, sizeof *s->names) ||
		    cg_index_reserve(&s->index))
			return CG_ENOMEM;
		s->ids[row] = id;
		s->count = (size_t)row + 1;
		cg_index_insert(&s->index, (uint32_t)cg_hash_mix(1, id), row);
	}
	s->names[row] = name;
	return CG_OK;
}

static void free_name_space(struct name_space *s)
{
	free(s->ids);
	free(s->names);
	cg_index_free(&s->index);
}

/* "(ID)" at the start of a value. A name may begin with a bracket too: "(below main)". */
static bool parse_id(struct line *l, uint64_t *id)
{
	struct line ahead = *l;
	if (ahead.at == ahead.end || *ahead.at != '(')
		return false;
	ahead.at++;
	if (!parse_decimal(&ahead, id) || ahead.at == ahead.end || *ahead.at != ')')
		return false;
	l->at = ahead.at + 1;
	return true;
}

static int parse_name(struct reader *r, struct line *l, struct name_space *space, cg_str *name)
{
	uint64_t id = 0;

	skip_blanks(l);
	struct line before = *l;
	bool has_id = parse_id(l, &id);
	skip_blanks(l);

	if (has_id && l->at == l->end) {
		uint32_t row = find_id(space, id);
		if (!row)
			return fail_expected(r, &before, "the number of a name that was defined before");
		*name = space->names[row];
		return CG_OK;
	}
	int status = cg_build_string(r->b, l->at, (size_t)(l->end - l->at), name);
	if (!status && has_id)
		status = define_id(space, id, *name);
	return status ? fail(r, status, "too many names") : CG_OK;
}

/* The path behind `seen` if `path` is there or below; NULL otherwise. */
static const char *below(const char *path, const char *seen)
{
	size_t len = strlen(seen);
	bool inside = strncmp(path, seen, len) == 0 && (path[len] == '/' || path[len] == '\0');
	return inside ? path + len : NULL;
}

static int rename_path(struct reader *r, cg_str *name)
{
	const char *path = cg_string(cg_builder_profile(r->b), *name);

	for (size_t i = 0; i < r->options->npaths; i++) {
		const char *rest = below(path, r->options->paths[i].seen);
		char *renamed;
		if (!rest)
			continue;
		if (asprintf(&renamed, "%s%s", r->options->paths[i].real, rest) < 0)
			return fail(r, CG_ENOMEM, "");
		int status = cg_build_string(r->b, renamed, strlen(renamed), name);
		free(renamed);
		return status ? fail(r, status, "too many names") : CG_OK;
	}
	return CG_OK;
}

/* The same for objects and files, where "???" means unknown. */
static int parse_path(struct reader *r, struct line *l, struct name_space *space, cg_str *name)
{
	int status = parse_name(r, l, space, name);
	if (status)
		return status;
	if (strcmp(cg_string(cg_builder_profile(r->b), *name), "???") == 0)
		*name = 0;
	return r->options->npaths ? rename_path(r, name) : CG_OK;
}

static int find_record(struct reader *r, cg_str object, cg_str file, cg_str packed,
		       uint32_t inlined_into, uint32_t *record)
{
	const char *text = cg_string(cg_builder_profile(r->b), packed);
	size_t len = strlen(text);
	struct cg_name_parts parts = { len, 1, len };
	if (r->packed_names && !inlined_into)
		parts = cg_name_split(text, len);

	struct cg_function f = { .object = object, .file = file, .name = packed };
	struct cg_record rec = { .level = parts.level, .inlined_into = inlined_into };
	int status = CG_OK;

	/* The text is owned by the table that it is added to: copy it first. */
	if (parts.name_len < len) {
		char *copy = strdup(text);
		if (!copy)
			return fail(r, CG_ENOMEM, "");
		status = cg_build_string(r->b, copy, parts.name_len, &f.name);
		if (!status && r->options->detail.contexts)
			status = cg_build_string(r->b, copy + parts.context_off,
						 len - parts.context_off, &rec.context);
		free(copy);
	}
	if (!status)
		status = cg_build_function(r->b, &f, &rec.function);
	if (!status)
		status = cg_build_record(r->b, &rec, record);
	return status ? fail(r, status, "too many functions") : CG_OK;
}

/* ---- header ---- */

static bool key_is(const struct line *l, const char *key, size_t len)
{
	return strlen(key) == len && memcmp(l->start, key, len) == 0;
}

static int parse_u64_header(struct reader *r, struct line *l, uint64_t *value)
{
	struct line before = *l;
	if (!parse_number(l, value) || (skip_blanks(l), l->at < l->end))
		return fail_expected(r, &before, "a number");
	return CG_OK;
}

static int text_header(struct reader *r, const struct line *l, cg_str *text)
{
	int status = cg_build_string(r->b, l->at, (size_t)(l->end - l->at), text);
	return status ? fail(r, status, "too many names") : CG_OK;
}

static int parse_version(struct reader *r, struct line *l)
{
	uint64_t version;
	struct line before = *l;
	int status = parse_u64_header(r, l, &version);
	if (!status && version > 2)
		return fail_expected(r, &before, "version 1 or 2 of the format");
	return status;
}

static int parse_creator(struct reader *r, struct line *l)
{
	cg_str creator;
	int status = text_header(r, l, &creator);
	if (status)
		return status;
	const char *text = cg_string(cg_builder_profile(r->b), creator);
	r->from_callgrind = strncmp(text, "callgrind", 9) == 0;
	r->packed_names = r->from_callgrind || strncmp(text, "irdiff", 6) == 0;
	return cg_build_creator(r->b, creator);
}

static int parse_positions_header(struct reader *r, struct line *l)
{
	r->npositions = 0;
	for (skip_blanks(l); l->at < l->end; skip_blanks(l)) {
		struct line word = { l->at, l->at, l->at };
		while (word.end < l->end && !isblank((unsigned char)*word.end))
			word.end++;
		size_t len = (size_t)(word.end - word.at);
		l->at = word.end;

		if (r->npositions == MAX_POSITIONS)
			return fail_expected(r, &word, "at most three positions");
		if (key_is(&word, "line", len))
			r->positions[r->npositions++] = POSITION_LINE;
		else if (key_is(&word, "instr", len) || key_is(&word, "addr", len))
			r->positions[r->npositions++] = POSITION_ADDRESS;
		else if (key_is(&word, "bb", len))
			r->positions[r->npositions++] = POSITION_BLOCK;
		else
			return fail_expected(r, &word, "instr, bb or line");
	}
	return r->npositions ? CG_OK : fail_expected(r, l, "instr, bb or line");
}

/* `event: NAME [= FORMULA] [: LONG NAME]` */
static int parse_event_header(struct reader *r, struct line *l)
{
	struct cg_event event = { 0 };
	const char *name_end = l->at;
	while (name_end < l->end && *name_end != '=' && *name_end != ':')
		name_end++;
	const char *colon = find_char(l, name_end, ':');

	struct line name = { l->at, l->at, name_end };
	while (name.end > name.at && isblank((unsigned char)name.end[-1]))
		name.end--;
	if (name.at == name.end)
		return fail_expected(r, l, "the name of an event");
	int status = text_header(r, &name, &event.name);

	if (!status && name_end < colon && *name_end == '=') {
		struct line formula = { name_end, name_end + 1, colon };
		skip_blanks(&formula);
		status = text_header(r, &formula, &event.formula);
	}
	if (!status && colon < l->end) {
		struct line long_name = { colon, colon + 1, l->end };
		skip_blanks(&long_name);
		status = text_header(r, &long_name, &event.long_name);
	}
	if (!status && cg_grow(&r->named, &r->named_cap, r->nnamed + 1, sizeof *r->named))
		status = fail(r, CG_ENOMEM, "");
	if (!status)
		r->named[r->nnamed++] = event;
	return status;
}

static int add_event(struct reader *r, cg_str name)
{
	struct cg_event event = { .name = name };
	for (size_t i = 0; i < r->nnamed; i++)
		if (r->named[i].name == name)
			event = r->named[i];
	int status = cg_build_event(r->b, &event);
	return status ? fail(r, status, "more than 256 events") : CG_OK;
}

/* The first `events:` line makes the columns of the profile; those of later
 * parts must have the same events, in any order. */
static int parse_events(struct reader *r, struct line *l)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	bool first = p->nparts == 0 && p->nevents == 0;
	uint32_t ncolumns = 0;

	for (skip_blanks(l); l->at < l->end; skip_blanks(l)) {
		struct line word = { l->at, l->at, l->at };
		while (word.end < l->end && !isblank((unsigned char)*word.end))
			word.end++;
		l->at = word.end;

		cg_str name;
		int status = text_header(r, &word, &name);
		if (status)
			return status;
		int event = cg_event_index(p, cg_string(p, name));
		if (first && event >= 0)
			return fail_expected(r, &word, "different names of events");
		if (first) {
			if ((status = add_event(r, name)))
				return status;
			event = (int)p->nevents - 1;
		}
		if (event < 0 || ncolumns == p->nevents)
			return fail_expected(r, &word, "the same events as in the first part");
		r->column_event[ncolumns++] = (uint32_t)event;
	}
	if (ncolumns == 0 || ncolumns != p->nevents)
		return fail_expected(r, l, first ? "the name of an event" :
						   "the same events as in the first part");
	r->ncolumns = ncolumns;
	return CG_OK;
}

static int open_part(struct reader *r)
{
	if (r->part_open)
		return CG_OK;
	if (r->ncolumns == 0)
		return fail(r, CG_ESYNTAX, "no `events:` line before the first cost; is this a "
					   "callgrind or cachegrind file?");
	int status = cg_build_part(r->b);
	if (status)
		return fail(r, status, "too many parts");

	struct cg_part *part = cg_builder_part(r->b);
	part->pid = r->header.pid;
	part->thread = r->header.thread;
	part->number = r->header.number;
	part->command = r->header.command;
	part->trigger = r->header.trigger;
	r->part_open = true;
	return CG_OK;
}

/* A header line behind costs begins the next part; what it does not repeat
 * (pid, command, events) stays. */
static void begin_header(struct reader *r)
{
	if (!r->body_seen)
		return;
	r->body_seen = false;
	r->part_open = false;
	r->header.trigger = 0;
}

static bool records_levels(const struct line *option)
{
	static const char levels[] = "--separate-recs=";
	size_t n = sizeof levels - 1, len = (size_t)(option->end - option->at);
	return len > n && memcmp(option->at, levels, n) == 0 &&
	       !(len == n + 1 && option->at[n] <= '1');
}

static int parse_desc(struct reader *r, struct line *l)
{
	const char *colon = find_char(l, l->at, ':');
	struct line key = { l->at, l->at, colon };
	struct line value = { colon, colon < l->end ? colon + 1 : colon, l->end };
	skip_blanks(&value);

	if (key_is(&key, "Trigger", (size_t)(key.end - key.at)))
		return text_header(r, &value, &r->header.trigger);
	if (key_is(&key, "Timerange", (size_t)(key.end - key.at)))
		return CG_OK;
	/* With --separate-recs=1 recursion would not show. */
	if (key_is(&key, "Option", (size_t)(key.end - key.at)) && records_levels(&value))
		cg_build_levels(r->b);
	cg_str k, v;
	int status = text_header(r, &key, &k);
	if (!status)
		status = text_header(r, &value, &v);
	if (!status && cg_build_desc(r->b, k, v))
		status = fail(r, CG_ENOMEM, "");
	return status;
}

static int parse_sums(struct reader *r, struct line *l, bool totals)
{
	int status = open_part(r);
	if (!status)
		status = parse_costs(r, l);
	if (status)
		return status;
	status = totals ? cg_build_totals(r->b, r->costs) : cg_build_summary(r->b, r->costs);
	return status ? fail(r, status, "") : CG_OK;
}

static int parse_header(struct reader *r, struct line *l, size_t key_len)
{
	l->at = l->start + key_len + 1;
	skip_blanks(l);

	if (key_is(l, "totals", key_len)) {
		r->body_seen = true;
		return parse_sums(r, l, true);
	}
	/* Cachegrind's summary ends a file, callgrind's stands in the header. */
	if (key_is(l, "summary", key_len))
		return parse_sums(r, l, false);

	begin_header(r);
	if (key_is(l, "events", key_len)) {
		int status = parse_events(r, l);
		return status ? status : open_part(r);
	}
	if (key_is(l, "version", key_len))
		return parse_version(r, l);
	if (key_is(l, "creator", key_len))
		return parse_creator(r, l);
	if (key_is(l, "pid", key_len))
		return parse_u64_header(r, l, &r->header.pid);
	if (key_is(l, "thread", key_len))
		return parse_u64_header(r, l, &r->header.thread);
	if (key_is(l, "part", key_len))
		return parse_u64_header(r, l, &r->header.number);
	if (key_is(l, "cmd", key_len))
		return text_header(r, l, &r->header.command);
	if (key_is(l, "desc", key_len))
		return parse_desc(r, l);
	if (key_is(l, "positions", key_len))
		return parse_positions_header(r, l);
	if (key_is(l, "event", key_len))
		return parse_event_header(r, l);
	/* Other keys carry no costs: later versions of the format may have them. */
	return CG_OK;
}

/* ---- body ---- */

/* The record that self costs and calls belong to: the function, or the code
 * inlined into it. */
static int current_record(struct reader *r, uint32_t *record)
{
	if (!r->record)
		return fail(r, CG_ESYNTAX, "expected a line fn=NAME before the first cost");
	*record = r->record;
	if (!r->inlined_name)
		return CG_OK;
	if (!r->inlined) {
		int status = find_record(r, r->object, r->file, r->inlined_name, r->record,
					 &r->inlined);
		if (status)
			return status;
	}
	*record = r->inlined;
	return CG_OK;
}

static int add_self(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	uint32_t record;
	int status = parse_positions(r, l, positions);

	if (!status)
		status = open_part(r);
	if (!status)
		status = parse_costs(r, l);
	if (!status)
		status = current_record(r, &record);
	if (status)
		return status;

	memcpy(r->base, positions, r->npositions * sizeof *positions);
	r->base_file = r->file;
	r->body_seen = true;
	struct cg_position at = position_of(r, positions);
	status = cg_build_self(r->b, record, &at, r->costs);
	if (!status && record != r->record)
		status = cg_build_call(r->b, r->record, record, &at, 0, r->costs);
	return status ? fail_sum(r, status) : CG_OK;
}

static int add_call(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	uint32_t record;
	int status = parse_positions(r, l, positions);

	r->expect = EXPECT_ANY;
	if (!status)
		status = parse_costs(r, l);
	if (!status)
		status = current_record(r, &record);
	if (status)
		return status;

	struct cg_position at = position_of(r, positions);
	status = cg_build_call(r->b, record, r->callee, &at, r->call_count, r->costs);
	if (!status && record != r->record)
		status = cg_build_call(r->b, r->record, record, &at, 0, r->costs);
	return status ? fail_sum(r, status) : CG_OK;
}

static int parse_cost_line(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];

	switch (r->expect) {
	case EXPECT_CALL_COST:
		return add_call(r, l);
	case EXPECT_JUMP_POSITION:
		r->expect = EXPECT_ANY;
		return parse_positions(r, l, positions);
	default:
		return add_self(r, l);
	}
}

static int parse_calls(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	struct line before = *l;

	if (!r->callee)
		return fail(r, CG_ESYNTAX, "expected a line cfn=NAME before calls=");
	if (!parse_decimal(l, &r->call_count) || !at_number_end(l))
		return fail_expected(r, &before, "a number of calls");
	skip_blanks(l);
	/* Some producers leave the target's position off. */
	int status = l->at < l->end ? parse_positions(r, l, positions) : CG_OK;
	if (!status)
		status = open_part(r);
	if (!status) {
		r->body_seen = true;
		r->expect = EXPECT_CALL_COST;
	}
	return status;
}

static int parse_callee(struct reader *r, struct line *l)
{
	cg_str name;
	int status = parse_name(r, l, &r->functions, &name);
	if (status)
		return status;

	cg_str object = r->has_callee_object ? r->callee_object : r->object;
	/* Valgrind leaves cfi= off if the callee's file is that of the last cost
	 * line, even when it has printed another fi= since. */
	cg_str file = r->from_callgrind ? r->base_file : r->file;
	if (r->has_callee_file)
		file = r->callee_file;
	r->has_callee_object = r->has_callee_file = false;
	return find_record(r, object, file, name, 0, &r->callee);
}

static int parse_function(struct reader *r, struct line *l)
{
	cg_str name;
	int status = parse_name(r, l, &r->functions, &name);
	if (!status)
		status = find_record(r, r->object, r->file, name, 0, &r->record);
	r->base_file = r->file;
	r->inlined = 0;
	r->callee = 0;
	return status;
}

static int parse_inlined(struct reader *r, struct line *l)
{
	cg_str name;
	int status = parse_name(r, l, &r->functions, &name);
	if (status)
		return status;
	bool none = strcmp(cg_string(cg_builder_profile(r->b), name), "???") == 0;
	r->inlined_name = none ? 0 : name;
	r->inlined = 0;
	return CG_OK;
}

static int parse_assignment(struct reader *r, struct line *l, size_t key_len)
{
	cg_str ignored;
	l->at = l->start + key_len + 1;

	if (key_is(l, "fn", key_len))
		return parse_function(r, l);
	if (key_is(l, "cfn", key_len))
		return parse_callee(r, l);
	if (key_is(l, "calls", key_len))
		return parse_calls(r, l);
	if (key_is(l, "fl", key_len) || key_is(l, "fi", key_len) || key_is(l, "fe", key_len)) {
		r->inlined = 0;
		return parse_path(r, l, &r->files, &r->file);
	}
	if (key_is(l, "ob", key_len))
		return parse_path(r, l, &r->objects, &r->object);
	if (key_is(l, "cfi", key_len) || key_is(l, "cfl", key_len)) {
		r->has_callee_file = true;
		return parse_path(r, l, &r->files, &r->callee_file);
	}
	if (key_is(l, "cob", key_len)) {
		r->has_callee_object = true;
		return parse_path(r, l, &r->objects, &r->callee_object);
	}
	if (key_is(l, "cfni", key_len))
		return parse_inlined(r, l);
	if (key_is(l, "jump", key_len) || key_is(l, "jcnd", key_len)) {
		r->expect = EXPECT_JUMP_POSITION;
		return CG_OK;
	}
	/* Targets of jumps carry no cost, but may define a name. */
	if (key_is(l, "jfi", key_len))
		return parse_path(r, l, &r->files, &ignored);
	if (key_is(l, "jfn", key_len) || key_is(l, "frfn", key_len))
		return parse_name(r, l, &r->functions, &ignored);
	l->at = l->start;
	return fail_expected(r, l, "a line of the callgrind format");
}

static int parse_keyword(struct reader *r, struct line *l)
{
	size_t len = 0, size = (size_t)(l->end - l->start);

	if (r->expect == EXPECT_CALL_COST)
		return fail_expected(r, l, "the position and cost of the call before");
	while (len < size && (isalpha((unsigned char)l->start[len]) || l->start[len] == '_'))
		len++;
	if (len > 0 && len < size && l->start[len] == '=')
		return parse_assignment(r, l, len);
	if (len > 0 && len < size && l->start[len] == ':')
		return parse_header(r, l, len);
	return fail_expected(r, l, "a line of the callgrind format");
}

static int parse_line(struct reader *r, const char *start, const char *end)
{
	struct line l = { start, start, end };
	r->line_no++;

	if (l.end > l.start && l.end[-1] == '\r')
		l.end--;
	skip_blanks(&l);
	if (l.at == l.end || *l.at == '#')
		return CG_OK;
	l.start = l.at;
	if (memchr(l.start, '\0', (size_t)(l.end - l.start)))
		return fail(r, CG_ESYNTAX, "expected text, found a NUL byte: not a callgrind or "
					   "cachegrind file");

	int status;
	if ((unsigned)(*l.at - '0') < 10 || *l.at == '+' || *l.at == '-' || *l.at == '*')
		status = parse_cost_line(r, &l);
	else
		status = parse_keyword(r, &l);

	if (status == CG_ESYNTAX && r->options->lenient) {
		r->expect = EXPECT_ANY;
		cg_build_skipped(r->b);
		return CG_OK;
	}
	return status;
}

/* ---- the whole file ---- */

/* Parses the whole lines in the buffer; *used is where the rest begins. */
static int parse_window(struct reader *r, const char *buffer, size_t len, size_t *used)
{
	const char *at = buffer, *end = buffer + len;

	for (const char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
		int status = parse_line(r, at, newline);
		if (status)
			return status;
	}
	*used = (size_t)(at - buffer);
	return CG_OK;
}

static int parse_input(struct reader *r, struct cg_input *in)
{
	char *buffer = NULL;
	size_t size = 0, len = 0, got = 1;
	int status = CG_OK;

	while (!status && got > 0) {
		if (len >= MAX_LINE)
			status = fail(r, CG_ESYNTAX, "a line is longer than 16 MiB");
		else if (cg_grow(&buffer, &size, len + WINDOW_SIZE, 1))
			status = fail(r, CG_ENOMEM, "");
		if (!status)
			status = cg_input_read(in, buffer + len, size - len, &got, r->err);
		if (status)
			break;
		len += got;

		size_t used = 0;
		status = parse_window(r, buffer, len, &used);
		if (!status && got == 0 && used < len) { /* no newline at the end of the file */
			status = parse_line(r, buffer + used, buffer + len);
			used = len;
		}
		if (!status) {
			len -= used;
			memmove(buffer, buffer + used, len);
		}
	}
	free(buffer);
	return status;
}

/* Valgrind ends each part with its totals. Versions that do not must have
 * written all that the summary in the header announces. */
static bool is_whole(const struct reader *r)
{
	const struct cg_part *part = r->part_open ? cg_builder_part(r->b) : NULL;
	size_t size = r->ncolumns * sizeof *r->costs;
	if (!part)
		return false;
	return part->totals || (part->summary && memcmp(part->summary, part->self, size) == 0);
}

static int check_end(struct reader *r)
{
	if (r->expect == EXPECT_CALL_COST)
		return fail(r, CG_ESYNTAX, "the file ends in the middle of a call: it is truncated");
	if (r->line_no == 0)
		return fail(r, CG_ESYNTAX, "the file is empty");
	if (r->ncolumns == 0)
		return fail(r, CG_ESYNTAX, "no `events:` line: this is not a callgrind or cachegrind "
					   "file");
	return r->from_callgrind && !is_whole(r) ?
		       fail(r, CG_ESYNTAX, "the file ends without its `totals:` line: it is truncated") :
		       CG_OK;
}

static int read_input(struct cg_builder *b, struct cg_input *in,
		      const struct cg_read_options *options, struct cg_error *err)
{
	struct reader r = {
		.b = b,
		.options = options,
		.name = cg_input_name(in),
		.err = err,
		.positions = { POSITION_LINE },
		.npositions = 1,
		.packed_names = true,
	};
	int status = parse_input(&r, in);
	if (!status)
		status = check_end(&r);
	if (status == CG_ESYNTAX && options->lenient && r.part_open) {
		cg_build_skipped(b);
		status = CG_OK;
	}
	free_name_space(&r.objects);
	free_name_space(&r.files);
	free_name_space(&r.functions);
	free(r.named);
	return status;
}

static int finish(struct cg_builder *b, const char *name, int status, struct cg_profile **out,
		  struct cg_error *err)
{
	if (status) {
		cg_builder_free(b);
		return status;
	}
	status = cg_builder_finish(b, out);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? cg_fail(err, status, name, 0, "the sum of all parts exceeds 2^64") : CG_OK;
}

int cg_read_files(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		  struct cg_profile **out, struct cg_error *err)
{
	struct cg_builder *b;
	if (npaths == 0)
		return cg_fail(err, CG_EINVAL, NULL, 0, "no file to read");
	if (cg_builder_new(&b, &options->detail))
		return cg_fail_nomem(err);

	int status = CG_OK;
	for (size_t i = 0; !status && i < npaths; i++) {
		struct cg_input *in = NULL;
		status = cg_input_open(&in, paths[i], err);
		if (!status)
			status = read_input(b, in, options, err);
		cg_input_free(in);
	}
	return finish(b, paths[0], status, out, err);
}

int cg_read_file(const char *path, const struct cg_read_options *options,
		 struct cg_profile **out, struct cg_error *err)
{
	return cg_read_files(&path, 1, options, out, err);
}

int cg_read_memory(const char *bytes, size_t len, const char *name,
		   const struct cg_read_options *options, struct cg_profile **out,
		   struct cg_error *err)
{
	struct cg_input *in = NULL;
	struct cg_builder *b;
	if (cg_builder_new(&b, &options->detail))
		return cg_fail_nomem(err);

	int status = cg_input_memory(&in, bytes, len, name, err);
	if (!status)
		status = read_input(b, in, options, err);
	cg_input_free(in);
	return finish(b, name, status, out, err);
}
