#include "callgrind/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/folded.h"
#include "callgrind/input.h"
#include "callgrind/line.h"
#include "callgrind/name_space.h"
#include "callgrind/names.h"
#include "callgrind/support/grow.h"
#include "callgrind/window.h"

/* Scanned at a time behind a change of the format, lest many changes cost more
 * than their length. */
#define FIRST_STEPS 64
#define MAX_POSITIONS 3
/* A base from which no relative position leaves the range. */
#define MIDDLE (UINT64_C(1) << 63)

enum expect {
	EXPECT_ANY,
	EXPECT_CALL_COST,     /* the line behind calls= */
	EXPECT_JUMP_POSITION, /* the line behind jump= or jcnd= */
	EXPECT_LOST_COST,     /* the line behind a calls= line that was skipped */
};

enum position_kind { POSITION_ADDRESS, POSITION_BLOCK, POSITION_LINE };

struct reader {
	struct cg_builder *b;
	const struct cg_read_options *options;
	const char *name;
	uint64_t line_no;
	struct cg_error err; /* also of lines that a lenient reader skips */

	struct name_space objects, files, functions;

	/* header */
	struct cg_part header; /* facts of the part to come; its arrays are unused */
	struct cg_event *named; /* from `event:` lines, before `events:` */
	size_t nnamed, named_cap;
	bool part_open;  /* the builder's current part is the one being read */
	bool body_seen;  /* costs or totals of this part were met */
	bool from_callgrind; /* Valgrind wrote it: its habits apply */
	bool has_totals;     /* Valgrind or irdiff wrote it: each part ends with `totals:` */
	bool packed_names;   /* names may hold levels and contexts */
	bool keep_positions;
	enum position_kind positions[MAX_POSITIONS];
	unsigned npositions;
	uint32_t ncolumns;
	uint32_t column_event[CG_MAX_EVENTS];

	/* body */
	cg_str object, file;
	cg_str base_file; /* file of the last cost line or of the function */
	uint64_t base[MAX_POSITIONS];
	uint32_t record;      /* of the last fn= */
	struct packed inlined_name; /* of the last cfni=, no name outside inlined code */
	uint32_t inlined;     /* its record at the current file, 0: not looked up yet */
	bool has_callee_object, has_callee_file;
	cg_str callee_object, callee_file;
	uint32_t callee;
	uint64_t call_count;
	enum expect expect;
	uint64_t costs[CG_MAX_EVENTS];
};

static int fail(struct reader *r, int code, const char *message)
{
	if (code == CG_ENOMEM)
		return cg_fail_nomem(&r->err);
	return cg_fail(&r->err, code, r->name, r->line_no, "%s", message);
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
	return cg_fail(&r->err, CG_ESYNTAX, r->name, r->line_no, "expected %s, found \"%s\"%s",
		       what, shown, l->end - l->at > SHOWN ? "…" : "");
}

static int fail_sum(struct reader *r, int code)
{
	return fail(r, code, "the sum of the costs exceeds 2^64");
}

/* ---- positions and costs ---- */

/* All positions of a line. If positions are not kept, their values do not
 * matter, but they must be positions. */
static int parse_positions_from(struct reader *r, struct line *l, const uint64_t *base,
				uint64_t *positions)
{
	for (unsigned i = 0; i < r->npositions; i++) {
		struct line before = *l;
		if (!line_parse_position(l, base ? base[i] : MIDDLE, &positions[i]))
			return fail_expected(r, &before,
					     r->positions[i] == POSITION_LINE ?
						     "a line number (N, +N, -N or *)" :
						     "an address (N, +N, -N or *)");
		if (base && r->positions[i] == POSITION_LINE && positions[i] > UINT32_MAX)
			return fail_expected(r, &before, "a line number below 2^32");
	}
	return CG_OK;
}

static int parse_positions(struct reader *r, struct line *l, uint64_t *positions)
{
	return parse_positions_from(r, l, r->keep_positions ? r->base : NULL, positions);
}

/* Where a call or a jump goes does not matter, only that it is a position. */
static int parse_target(struct reader *r, struct line *l)
{
	uint64_t ignored[MAX_POSITIONS];
	return parse_positions_from(r, l, NULL, ignored);
}

/* Costs up to the end of the line into r->costs; what is left off is 0. */
static int parse_costs(struct reader *r, struct line *l)
{
	uint32_t column = 0;

	memset(r->costs, 0, r->ncolumns * sizeof *r->costs);
	for (line_skip_blanks(l); l->at < l->end; line_skip_blanks(l)) {
		struct line before = *l;
		uint64_t cost;
		if (*l->at == '.' && (l->at++, line_at_number_end(l)))
			cost = 0; /* cachegrind writes so what cannot happen on a line */
		else if (!line_parse_decimal(l, &cost) || !line_at_number_end(l))
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

/* The text of a name, taken apart if it is a function's. */
static int pack(struct reader *r, const struct line *l, bool function, struct packed *name)
{
	size_t len = (size_t)(l->end - l->at);
	struct cg_name_parts parts = { len, 1, len };
	if (function && r->packed_names)
		parts = cg_name_split(l->at, len);

	*name = (struct packed){ .level = parts.level };
	int status = cg_build_string(r->b, l->at, parts.name_len, &name->name);
	if (!status && r->options->detail.contexts)
		status = cg_build_string(r->b, l->at + parts.context_off, len - parts.context_off,
					 &name->context);
	return status;
}

/* A name, or the number of one; *row is its place in the name space, 0 if it has
 * no number. */
static int parse_name(struct reader *r, struct line *l, struct name_space *space,
		      struct packed *name, uint32_t *row)
{
	uint64_t id = 0;

	line_skip_blanks(l);
	struct line before = *l;
	bool has_id = line_parse_id(l, &id);
	line_skip_blanks(l);

	if (has_id && l->at == l->end) {
		*row = name_space_find(space, id);
		if (!*row)
			return fail_expected(r, &before, "the number of a name that was defined before");
		*name = space->names[*row];
		return CG_OK;
	}
	*row = 0;
	int status = pack(r, l, space == &r->functions, name);
	if (!status && has_id)
		status = name_space_define(space, id, name, row);
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
	struct packed packed;
	uint32_t row;
	int status = parse_name(r, l, space, &packed, &row);
	if (status)
		return status;
	*name = packed.name;
	if (strcmp(cg_string(cg_builder_profile(r->b), *name), "???") == 0)
		*name = 0;
	return r->options->npaths ? rename_path(r, name) : CG_OK;
}

static int need_events(struct reader *r)
{
	return r->ncolumns ? CG_OK :
			     fail(r, CG_ESYNTAX, "no `events:` line before the first cost; is this a "
						 "callgrind or cachegrind file?");
}

static int find_record(struct reader *r, cg_str object, cg_str file, const struct packed *name,
		       uint32_t inlined_into, uint32_t *record)
{
	struct cg_function f = { .object = object, .file = file, .name = name->name };
	struct cg_record rec = { .level = name->level, .context = name->context,
				 .inlined_into = inlined_into };
	int status = need_events(r);
	if (status)
		return status;
	status = cg_build_function(r->b, &f, &rec.function);
	if (!status)
		status = cg_build_record(r->b, &rec, record);
	return status ? fail(r, status, "too many functions") : CG_OK;
}

/* The record of a line fn= or cfn=. Most lines repeat an id for the same object
 * and file. */
static int parse_record(struct reader *r, struct line *l, cg_str object, cg_str file,
			uint32_t *record)
{
	struct packed name;
	uint32_t row;
	int status = parse_name(r, l, &r->functions, &name, &row);
	if (status)
		return status;

	struct resolved *known = row ? &r->functions.resolved[row] : NULL;
	if (known && known->record && known->object == object && known->file == file) {
		*record = known->record;
		return CG_OK;
	}
	status = find_record(r, object, file, &name, 0, record);
	if (!status && known)
		*known = (struct resolved){ object, file, *record };
	return status;
}

/* ---- header ---- */

static int parse_u64_header(struct reader *r, struct line *l, uint64_t *value)
{
	struct line before = *l;
	if (!line_parse_number(l, value) || (line_skip_blanks(l), l->at < l->end))
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
	r->has_totals = r->from_callgrind || strncmp(text, "irdiff", 6) == 0;
	r->packed_names = r->has_totals;
	return cg_build_creator(r->b, creator);
}

static int parse_positions_header(struct reader *r, struct line *l)
{
	enum position_kind kinds[MAX_POSITIONS];
	unsigned count = 0;

	for (line_skip_blanks(l); l->at < l->end; line_skip_blanks(l)) {
		struct line word = { l->at, l->at, l->at };
		while (word.end < l->end && !isblank((unsigned char)*word.end))
			word.end++;
		size_t len = (size_t)(word.end - word.at);
		l->at = word.end;

		if (count == MAX_POSITIONS)
			return fail_expected(r, &word, "at most three positions");
		if (line_starts_with(&word, "line", len))
			kinds[count++] = POSITION_LINE;
		else if (line_starts_with(&word, "instr", len) || line_starts_with(&word, "addr", len))
			kinds[count++] = POSITION_ADDRESS;
		else if (line_starts_with(&word, "bb", len))
			kinds[count++] = POSITION_BLOCK;
		else
			return fail_expected(r, &word, "instr, bb or line");
	}
	if (count == 0)
		return fail_expected(r, l, "instr, bb or line");
	memcpy(r->positions, kinds, count * sizeof *kinds);
	r->npositions = count;
	return CG_OK;
}

/* `event: NAME [= FORMULA] [: LONG NAME]` */
static int parse_event_header(struct reader *r, struct line *l)
{
	struct cg_event event = { 0 };
	const char *name_end = l->at;
	while (name_end < l->end && *name_end != '=' && *name_end != ':')
		name_end++;
	const char *colon = line_find(l, name_end, ':');

	struct line name = { l->at, l->at, name_end };
	while (name.end > name.at && isblank((unsigned char)name.end[-1]))
		name.end--;
	if (name.at == name.end)
		return fail_expected(r, l, "the name of an event");
	int status = text_header(r, &name, &event.name);

	if (!status && name_end < colon && *name_end == '=') {
		struct line formula = { name_end, name_end + 1, colon };
		line_skip_blanks(&formula);
		status = text_header(r, &formula, &event.formula);
	}
	if (!status && colon < l->end) {
		struct line long_name = { colon, colon + 1, l->end };
		line_skip_blanks(&long_name);
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
	uint32_t ncolumns = 0, column_event[CG_MAX_EVENTS];

	for (line_skip_blanks(l); l->at < l->end; line_skip_blanks(l)) {
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
		bool again = false;
		for (uint32_t i = 0; i < ncolumns; i++)
			again |= column_event[i] == (uint32_t)event;
		if (event < 0 || again)
			return fail_expected(r, &word, "the same events as in the first part");
		column_event[ncolumns++] = (uint32_t)event;
	}
	if (ncolumns == 0 || ncolumns != p->nevents)
		return fail_expected(r, l, first ? "the name of an event" :
						   "the same events as in the first part");
	memcpy(r->column_event, column_event, ncolumns * sizeof *column_event);
	r->ncolumns = ncolumns;
	return CG_OK;
}

static int open_part(struct reader *r)
{
	if (r->part_open)
		return CG_OK;
	int status = need_events(r);
	if (status)
		return status;
	status = cg_build_part(r->b);
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
	const char *colon = line_find(l, l->at, ':');
	struct line key = { l->at, l->at, colon };
	struct line value = { colon, colon < l->end ? colon + 1 : colon, l->end };
	line_skip_blanks(&value);

	if (line_starts_with(&key, "Trigger", (size_t)(key.end - key.at)))
		return text_header(r, &value, &r->header.trigger);
	if (line_starts_with(&key, "Timerange", (size_t)(key.end - key.at)))
		return CG_OK;
	/* With --separate-recs=1 recursion would not show. */
	if (line_starts_with(&key, "Option", (size_t)(key.end - key.at)) && records_levels(&value))
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
	line_skip_blanks(l);

	if (line_starts_with(l, "totals", key_len)) {
		r->body_seen = true;
		return parse_sums(r, l, true);
	}
	/* Cachegrind's summary ends a file, callgrind's stands in the header. */
	if (line_starts_with(l, "summary", key_len))
		return parse_sums(r, l, false);

	begin_header(r);
	if (line_starts_with(l, "events", key_len)) {
		int status = parse_events(r, l);
		return status ? status : open_part(r);
	}
	if (line_starts_with(l, "version", key_len))
		return parse_version(r, l);
	if (line_starts_with(l, "creator", key_len))
		return parse_creator(r, l);
	if (line_starts_with(l, "pid", key_len))
		return parse_u64_header(r, l, &r->header.pid);
	if (line_starts_with(l, "thread", key_len))
		return parse_u64_header(r, l, &r->header.thread);
	if (line_starts_with(l, "part", key_len))
		return parse_u64_header(r, l, &r->header.number);
	if (line_starts_with(l, "cmd", key_len))
		return text_header(r, l, &r->header.command);
	if (line_starts_with(l, "desc", key_len))
		return parse_desc(r, l);
	if (line_starts_with(l, "positions", key_len))
		return parse_positions_header(r, l);
	if (line_starts_with(l, "event", key_len))
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
	if (!r->inlined_name.name)
		return CG_OK;
	if (!r->inlined) {
		int status = find_record(r, r->object, r->file, &r->inlined_name, r->record,
					 &r->inlined);
		if (status)
			return status;
	}
	*record = r->inlined;
	return CG_OK;
}

/* Costs of inlined code also pass through the link from the record around it. */
static int link_inlined(struct reader *r, uint32_t record, const struct cg_position *at,
			const uint64_t *costs)
{
	return record == r->record ? CG_OK : cg_build_call(r->b, r->record, record, at, 0, costs);
}

static int add_self(struct reader *r, const uint64_t *positions, const uint64_t *costs)
{
	uint32_t record = 0;
	int status = current_record(r, &record);
	if (!status)
		status = open_part(r);
	if (status)
		return status;

	memcpy(r->base, positions, r->npositions * sizeof *positions);
	r->base_file = r->file;
	r->body_seen = true;
	struct cg_position at = position_of(r, positions);
	status = cg_build_self(r->b, record, &at, costs);
	if (!status)
		status = link_inlined(r, record, &at, costs);
	return status ? fail_sum(r, status) : CG_OK;
}

static int add_call(struct reader *r, const uint64_t *positions, uint64_t count,
		    const uint64_t *costs)
{
	uint32_t record = 0;
	int status = current_record(r, &record);
	if (status)
		return status;
	struct cg_position at = position_of(r, positions);
	status = cg_build_call(r->b, record, r->callee, &at, count, costs);
	if (!status)
		status = link_inlined(r, record, &at, costs);
	return status ? fail_sum(r, status) : CG_OK;
}

static int parse_self(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	int status = parse_positions(r, l, positions);
	if (!status)
		status = need_events(r);
	if (!status)
		status = parse_costs(r, l);
	return status ? status : add_self(r, positions, r->costs);
}

static int parse_call_cost(struct reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	int status = parse_positions(r, l, positions);

	r->expect = EXPECT_ANY;
	if (!status)
		status = parse_costs(r, l);
	return status ? status : add_call(r, positions, r->call_count, r->costs);
}

static int parse_cost_line(struct reader *r, struct line *l)
{
	switch (r->expect) {
	case EXPECT_CALL_COST:
		return parse_call_cost(r, l);
	case EXPECT_JUMP_POSITION:
		r->expect = EXPECT_ANY;
		return parse_target(r, l);
	case EXPECT_LOST_COST: /* it must not count as a self cost */
		r->expect = EXPECT_ANY;
		cg_build_skipped(r->b);
		return CG_OK;
	default:
		return parse_self(r, l);
	}
}

static int parse_calls(struct reader *r, struct line *l)
{
	struct line before = *l;

	r->expect = EXPECT_LOST_COST;
	if (!r->callee)
		return fail(r, CG_ESYNTAX, "expected a line cfn=NAME before calls=");
	if (!line_parse_decimal(l, &r->call_count) || !line_at_number_end(l))
		return fail_expected(r, &before, "a number of calls");
	line_skip_blanks(l);
	/* Some producers leave the target's position off. */
	int status = l->at < l->end ? parse_target(r, l) : CG_OK;
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
	cg_str object = r->has_callee_object ? r->callee_object : r->object;
	/* Valgrind leaves cfi= off if the callee's file is that of the last cost
	 * line, even when it has printed another fi= since. */
	cg_str file = r->from_callgrind ? r->base_file : r->file;
	if (r->has_callee_file)
		file = r->callee_file;
	r->has_callee_object = r->has_callee_file = false;
	r->callee = 0;
	return parse_record(r, l, object, file, &r->callee);
}

static int parse_function(struct reader *r, struct line *l)
{
	r->record = 0; /* without a name, the costs are nobody's */
	r->base_file = r->file;
	r->inlined = 0;
	r->callee = 0;
	return parse_record(r, l, r->object, r->file, &r->record);
}

static int parse_inlined(struct reader *r, struct line *l)
{
	struct packed name;
	uint32_t row;
	int status = parse_name(r, l, &r->functions, &name, &row);
	if (status)
		return status;
	bool none = strcmp(cg_string(cg_builder_profile(r->b), name.name), "???") == 0;
	r->inlined_name = none ? (struct packed){ 0 } : name;
	r->inlined = 0;
	return CG_OK;
}

static int define_name(struct reader *r, struct line *l)
{
	struct packed name;
	uint32_t row;
	return parse_name(r, l, &r->functions, &name, &row);
}

static int parse_assignment(struct reader *r, struct line *l, size_t key_len)
{
	cg_str ignored;
	l->at = l->start + key_len + 1;

	if (line_starts_with(l, "fn", key_len))
		return parse_function(r, l);
	if (line_starts_with(l, "cfn", key_len))
		return parse_callee(r, l);
	if (line_starts_with(l, "calls", key_len))
		return parse_calls(r, l);
	if (line_starts_with(l, "fl", key_len) || line_starts_with(l, "fi", key_len) ||
	    line_starts_with(l, "fe", key_len)) {
		r->inlined = 0;
		return parse_path(r, l, &r->files, &r->file);
	}
	if (line_starts_with(l, "ob", key_len))
		return parse_path(r, l, &r->objects, &r->object);
	if (line_starts_with(l, "cfi", key_len) || line_starts_with(l, "cfl", key_len)) {
		r->has_callee_file = true;
		return parse_path(r, l, &r->files, &r->callee_file);
	}
	if (line_starts_with(l, "cob", key_len)) {
		r->has_callee_object = true;
		return parse_path(r, l, &r->objects, &r->callee_object);
	}
	if (line_starts_with(l, "cfni", key_len))
		return parse_inlined(r, l);
	if (line_starts_with(l, "jump", key_len) || line_starts_with(l, "jcnd", key_len)) {
		r->expect = EXPECT_JUMP_POSITION;
		return CG_OK;
	}
	/* Targets of jumps carry no cost, but may define a name. */
	if (line_starts_with(l, "jfi", key_len))
		return parse_path(r, l, &r->files, &ignored);
	if (line_starts_with(l, "jfn", key_len) || line_starts_with(l, "frfn", key_len))
		return define_name(r, l);
	l->at = l->start;
	return fail_expected(r, l, "a line of the callgrind format");
}

static int parse_keyword(struct reader *r, struct line *l)
{
	size_t len = 0, size = (size_t)(l->end - l->start);

	if (r->expect == EXPECT_CALL_COST) {
		if (!r->options->lenient)
			return fail_expected(r, l, "the position and cost of the call before");
		cg_build_skipped(r->b); /* the call; this line is good */
	}
	r->expect = EXPECT_ANY;
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

	if (l.end > l.start && l.end[-1] == '\r')
		l.end--;
	line_skip_blanks(&l);
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
		if (r->expect != EXPECT_LOST_COST)
			r->expect = EXPECT_ANY;
		cg_build_skipped(r->b);
		return CG_OK;
	}
	return status;
}

/* ---- the whole file ---- */

/* What the scanner may take off the reader: nothing where columns are in another
 * order, or where each malformed line is to be skipped alone. */
static struct scan_format current_format(const struct reader *r)
{
	bool in_order = true;
	for (uint32_t i = 0; i < r->ncolumns; i++)
		in_order &= r->column_event[i] == i;
	return (struct scan_format){
		.npositions = r->npositions,
		.ncolumns = in_order && !r->options->lenient ? r->ncolumns : 0,
		.add_up = !r->keep_positions,
	};
}

static bool same_format(const struct scan_format *a, const struct scan_format *b)
{
	return a->npositions == b->npositions && a->ncolumns == b->ncolumns &&
	       a->add_up == b->add_up;
}

static bool would_overflow(const struct reader *r, const uint64_t *costs)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	const struct cg_part *part = r->part_open ? cg_builder_part(r->b) : NULL;
	uint32_t record = r->inlined ? r->inlined : r->record;
	const uint64_t *self = record ? p->record_self + (size_t)record * p->nevents : NULL;
	uint64_t sum;

	for (uint32_t i = 0; i < r->ncolumns; i++)
		if ((part && __builtin_add_overflow(part->self[i], costs[i], &sum)) ||
		    (self && __builtin_add_overflow(self[i], costs[i], &sum)))
			return true;
	return false;
}

/* Steps that will fail are read as text, to name the right line. A window may
 * also begin behind blank lines that stand inside a call. */
static bool is_text(const struct reader *r, const struct scan_step *step, const uint64_t *costs)
{
	if (step->kind == SCAN_TEXT || r->expect != EXPECT_ANY)
		return true;
	return step->kind == SCAN_CALL ? !r->callee : would_overflow(r, costs);
}

static int apply_costs(struct reader *r, const struct scan_step *step, const uint64_t *costs)
{
	uint64_t positions[MAX_POSITIONS] = { 0 };
	struct line l = { step->cost, step->cost, step->cost + step->cost_len };

	if (step->kind == SCAN_CALL)
		r->line_no++;
	int status = r->keep_positions ? parse_positions(r, &l, positions) : CG_OK;
	if (status)
		return status;
	if (step->kind == SCAN_SELF)
		return add_self(r, positions, costs);
	status = open_part(r);
	if (status)
		return status;
	r->body_seen = true;
	return add_call(r, positions, step->count, costs);
}

/* Goes through the steps of a scan that began at line `first` of the file, up
 * to the first behind which the rest must be scanned anew; *next is that place,
 * or where the scan ended. */
static int apply_scan(struct reader *r, const struct cg_window *window, uint64_t first, size_t from,
		      size_t *next)
{
	const struct scan *scan = &window->scan;
	const uint64_t *costs = scan->costs;

	for (size_t i = 0; i < scan->nsteps; i++) {
		const struct scan_step *step = &scan->steps[i];
		bool as_text = is_text(r, step, costs);
		r->line_no = first + step->line;
		int status = as_text ? parse_line(r, step->text, step->text + step->len) :
				       apply_costs(r, step, costs);
		if (status)
			return status;
		if (step->kind != SCAN_TEXT)
			costs += window->format.ncolumns;
		if (!as_text)
			continue;
		struct scan_format now = current_format(r);
		if (step->kind != SCAN_TEXT || !same_format(&now, &window->format)) {
			*next = (size_t)(step->text - window->bytes) + step->len + 1;
			r->line_no++;
			return CG_OK;
		}
	}
	*next = from + scan->used;
	r->line_no = first + scan->lines;
	return CG_OK;
}

static int apply_window(struct reader *r, struct cg_window *window)
{
	struct scan_format now = current_format(r);
	size_t from = 0, max_steps = FIRST_STEPS;
	int status = CG_OK;

	if (!same_format(&now, &window->format) &&
	    cg_window_rescan(window, 0, &now, max_steps))
		return fail(r, CG_ENOMEM, "");
	while (!status) {
		size_t next = from;
		status = apply_scan(r, window, r->line_no, from, &next);
		if (status || next >= window->len)
			break;
		now = current_format(r);
		bool used_up = same_format(&now, &window->format) && next == from + window->scan.used;
		max_steps = used_up && max_steps < SIZE_MAX / 2 ? 2 * max_steps : FIRST_STEPS;
		from = next;
		if (cg_window_rescan(window, from, &now, max_steps))
			status = fail(r, CG_ENOMEM, "");
	}
	return status;
}

/* r->line_no is the line being read while steps are applied, and the next one
 * between windows. */
static int parse_input(struct reader *r, struct cg_input *in)
{
	struct cg_windows *windows;
	struct cg_window *window;
	if (cg_windows_open(&windows, in))
		return fail(r, CG_ENOMEM, "");

	int status = CG_OK;
	r->line_no = 1;
	do {
		struct scan_format format = current_format(r);
		status = cg_windows_next(windows, &format, &window, &r->err);
		if (status == CG_ERANGE)
			status = fail(r, CG_ESYNTAX, "a line is longer than 16 MiB");
		if (!status && window)
			status = apply_window(r, window);
	} while (!status && window);
	cg_windows_close(windows);
	return status;
}

/* Valgrind and irdiff end each part with its totals. Versions that do not must
 * have written all that the summary in the header announces. */
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
	r->line_no--; /* the last line, not the one that is not there */
	if (r->expect == EXPECT_CALL_COST)
		return fail(r, CG_ESYNTAX, "the file ends in the middle of a call: it is truncated");
	if (r->line_no == 0)
		return fail(r, CG_ESYNTAX, "the file is empty");
	if (r->ncolumns == 0)
		return fail(r, CG_ESYNTAX, "no `events:` line: this is not a callgrind or cachegrind "
					   "file");
	return r->has_totals && !is_whole(r) ?
		       fail(r, CG_ESYNTAX, "the file ends without its `totals:` line: it is truncated") :
		       CG_OK;
}

static int read_callgrind(struct cg_builder *b, struct cg_input *in,
			  const struct cg_read_options *options, struct cg_error *err)
{
	struct reader r = {
		.b = b,
		.options = options,
		.name = cg_input_name(in),
		.positions = { POSITION_LINE },
		.npositions = 1,
		.packed_names = true,
		.keep_positions = options->detail.lines || options->detail.addresses,
	};
	int status = parse_input(&r, in);
	if (!status)
		status = check_end(&r);
	if (status == CG_ESYNTAX && options->lenient && r.part_open) {
		cg_build_skipped(b);
		status = CG_OK;
	}
	name_space_free(&r.objects);
	name_space_free(&r.files);
	name_space_free(&r.functions);
	free(r.named);
	if (status && err)
		*err = r.err;
	return status;
}

static int read_input(struct cg_builder *b, struct cg_input *in,
		      const struct cg_read_options *options, struct cg_error *err)
{
	enum { HEAD = 64 * 1024 };
	const char *head;
	size_t len;
	int status = cg_input_peek(in, HEAD, &head, &len, err);
	if (status)
		return status;
	return cg_folded_detect(head, len) ? cg_folded_read(b, in, options, err) :
					     read_callgrind(b, in, options, err);
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
