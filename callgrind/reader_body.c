#include "callgrind/reader_code.h"

#include <ctype.h>
#include <string.h>

/* Xdebug writes this before each profile if it appends them to one file. */
#define APPENDED "==== NEW PROFILING FILE ="

/* That the lines which follow are of the function, whoever else calls it. */
static int note_described(struct cg_reader *r)
{
	bool wanted = !r->has_totals && !r->aside;
	return wanted && cg_callees_described(r->callees, r->record)
		       ? cg_reader_fail(r, CG_ENOMEM, "")
		       : CG_OK;
}

/* The format does not demand a line fn= before the first cost. */
static int begin_unknown(struct cg_reader *r)
{
	static const char unknown[] = "???";
	struct packed name = { .level = 1 };
	if (cg_build_string(r->b, unknown, sizeof unknown - 1, &name.name))
		return cg_reader_fail(r, CG_ENOMEM, "");
	int status = cg_reader_find_record(r, r->object, r->file, &name, 0, &r->record);
	return status ? status : note_described(r);
}

/* What CodSpeed's Valgrind said to be inlined where the lines are. */
static int named_inlined_record(struct cg_reader *r, uint32_t *record)
{
	if (!r->inlined) {
		int status = cg_reader_find_record(r, r->object, r->file, &r->inlined_name,
						   r->record, &r->inlined);
		if (status)
			return status;
	}
	*record = r->inlined;
	return CG_OK;
}

static int find_inlined_record(struct cg_reader *r, const struct cg_position *at, uint32_t *record)
{
	int status = cg_inlined_records_find(r->inlined_records, r->object, r->record, at, record);
	return status ? cg_reader_fail(r, status, "too many functions") : CG_OK;
}

/* The record that the costs of a line belong to: the function, or code inlined into
 * it. */
static int current_record(struct cg_reader *r, const struct cg_position *at, uint32_t *record)
{
	int status = r->record ? CG_OK : begin_unknown(r);
	*record = r->record;
	if (!status && r->inlined_records && !r->aside && !r->runs_code)
		status = find_inlined_record(r, at, record);
	if (!status && *record == r->record && r->inlined_name.name)
		status = named_inlined_record(r, record);
	return status;
}

/* Valgrind forgets a fi= that it wrote for calls: costs after them that have
 * none of their own are in the file of the costs before. */
static void leave_file_of_call(struct cg_reader *r)
{
	r->file = r->base_file;
	r->file_of_call = false;
	r->inlined = 0;
}

int cg_reader_add_self(struct cg_reader *r, const uint64_t *positions, const int64_t *costs)
{
	uint32_t record = 0;
	if (r->file_of_call)
		leave_file_of_call(r);
	struct cg_position at = cg_reader_position_of(r, positions);
	cg_reader_place_code(r, &at);
	int status = cg_reader_open_part(r);
	if (!status)
		status = current_record(r, &at, &record);
	if (status)
		return status;

	memcpy(r->base, positions, r->npositions * sizeof *positions);
	r->base_file = r->file;
	r->file_ahead = false;
	r->body_seen = true;
	if (r->aside)
		return cg_parts_add_aside(r->parts, costs) ? cg_reader_fail_sum(r, CG_ERANGE)
							   : CG_OK;
	if (r->inlined_records)
		status = cg_inlined_records_enter(r->inlined_records, r->object, r->record, &at,
						  costs);
	if (!status)
		status = cg_build_self(r->b, record, &at, costs);
	if (!status && r->inlined_records)
		status = cg_inlined_records_cost(r->inlined_records, record, costs);
	return status ? cg_reader_fail_sum(r, status) : CG_OK;
}

static int look_up_callee(struct cg_reader *r)
{
	const struct callee *c = &r->called;
	int status = cg_reader_find_function(r, &c->name, c->row, c->object, c->file, &r->callee);
	if (!status && !r->has_totals && !r->aside &&
	    cg_callees_called(r->callees, r->callee, c->with_object, c->with_file))
		status = cg_reader_fail(r, CG_ENOMEM, "");
	return status;
}

/* Some writers put cob= and cfi= after cfn=. */
static int find_callee(struct cg_reader *r)
{
	struct callee *c = &r->called;

	if (r->options->detail.no_calls)
		return CG_OK;
	if (r->has_callee_object) {
		c->object = r->callee_object;
		c->with_object = true;
	}
	if (r->has_callee_file) {
		c->file = r->callee_file;
		c->with_file = true;
	}
	if (r->has_callee_object || r->has_callee_file)
		r->callee = 0;
	r->has_callee_object = r->has_callee_file = false;
	return r->callee ? CG_OK : look_up_callee(r);
}

/* What enters such code from the rest of the function is no call. */
static bool is_continuation(const struct packed *name)
{
	return name->cold || name->continued;
}

static int add_first_call(struct cg_reader *r)
{
	struct calls_to_come *c = &r->to_come;
	const struct call_to_come *call = &c->ring[c->first];
	int status = cg_build_call_end(r->b, &call->ahead, call->count, call->costs);

	c->first = (c->first + 1) % CALLS_AHEAD;
	c->count--;
	if (status)
		r->line_no = call->line_no;
	return status ? cg_reader_fail_sum(r, status) : CG_OK;
}

int cg_reader_add_calls(struct cg_reader *r)
{
	int status = CG_OK;

	while (!status && r->to_come.count)
		status = add_first_call(r);
	return status;
}

/* Adds a call later; `costs` last until cg_reader_add_calls. */
static int add_call_later(struct cg_reader *r, uint32_t caller, const struct cg_position *at,
			  uint64_t count, const int64_t *costs)
{
	enum { HALF = CALLS_AHEAD / 2 };
	struct calls_to_come *c = &r->to_come;
	const uint64_t line_no = r->line_no;
	int status = c->count == CALLS_AHEAD ? add_first_call(r) : CG_OK;

	if (status)
		return status;
	if (c->count >= HALF)
		cg_build_call_prefetch(r->b,
				       &c->ring[(c->first + c->count - HALF) % CALLS_AHEAD].ahead);
	struct call_to_come *call = &c->ring[(c->first + c->count++) % CALLS_AHEAD];
	cg_build_call_begin(r->b, caller, r->callee, at, &call->ahead);
	call->count = count;
	call->line_no = line_no;
	call->costs = costs;
	return CG_OK;
}

static int add_call_now(struct cg_reader *r, uint32_t caller, const struct cg_position *at,
			uint64_t count, const int64_t *costs)
{
	uint32_t callee = r->callee;
	int status = cg_reader_add_calls(r);

	if (status)
		return status;
	if (r->called.name.host)
		status = cg_reader_call_host(r, caller, at, count, costs, &callee);
	if (!status && callee)
		status = cg_build_call(r->b, caller, callee, at, count, costs);
	if (!status && callee && r->inlined_records)
		status = cg_inlined_records_cost(r->inlined_records, caller, costs);
	return status ? cg_reader_fail_sum(r, status) : CG_OK;
}

int cg_reader_add_call(struct cg_reader *r, const uint64_t *positions, uint64_t count,
		       const int64_t *costs)
{
	uint32_t record = 0;
	struct cg_position at = cg_reader_position_of(r, positions);
	cg_reader_place_code(r, &at);
	if (!r->from_callgrind)
		memcpy(r->base, positions, r->npositions * sizeof *positions);
	int status = find_callee(r);
	r->file_ahead = false;
	if (r->called.uncounted || r->called.name.continued)
		count = 0;
	else if (!count && r->options->split_calls)
		count = 1;
	r->called.uncounted = false;
	if (!status)
		status = current_record(r, &at, &record);
	if (status || r->aside || (is_continuation(&r->called.name) && r->callee == r->record))
		return status;
	bool simple = r->callee && costs != r->costs && !r->called.name.host && !r->inlined_records;
	return simple ? add_call_later(r, record, &at, count, costs)
		      : add_call_now(r, record, &at, count, costs);
}

static int parse_self(struct cg_reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	int status = cg_reader_parse_positions(r, l, positions);
	if (!status)
		status = cg_reader_need_events(r);
	if (!status)
		status = cg_reader_parse_costs(r, l);
	return status ? status : cg_reader_add_self(r, positions, r->costs);
}

static int parse_call_cost(struct cg_reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	int status = cg_reader_parse_positions(r, l, positions);

	r->expect = EXPECT_ANY;
	if (!status)
		status = cg_reader_parse_costs(r, l);
	return status ? status : cg_reader_add_call(r, positions, r->call_count, r->costs);
}

bool cg_reader_keeps_jumps(const struct cg_reader *r)
{
	return r->options->detail.jumps && r->positions[0] == POSITION_ADDRESS;
}

/* "COUNT TARGET" or "COUNT/EXECUTED TARGET". */
static int parse_jump(struct cg_reader *r, struct line *l)
{
	struct line before = *l;
	uint64_t positions[MAX_POSITIONS];

	r->expect = EXPECT_JUMP_POSITION;
	r->jump = (struct cg_jump){ .object = r->object };
	r->jump_executed = UINT64_MAX;
	if (!cg_reader_keeps_jumps(r))
		return CG_OK;
	bool counted = cg_line_parse_number(l, &r->jump.count);
	if (counted && l->at < l->end && *l->at == '/') {
		l->at++;
		counted = cg_line_parse_number(l, &r->jump_executed);
	}
	if (!counted || !cg_line_at_number_end(l)) {
		r->jump.count = 0;
		return cg_reader_fail_expected(r, &before, "a number of jumps");
	}
	cg_line_skip_blanks(l);
	int status = cg_reader_parse_positions(r, l, positions);
	if (status)
		r->jump.count = 0;
	else
		r->jump.target = positions[0];
	return status;
}

static int add_jump(struct cg_reader *r, uint64_t address)
{
	r->jump.address = address;
	int status = r->aside ? CG_OK : cg_build_jumps(r->b, &r->jump, r->jump_executed);
	return status == CG_ERANGE ? cg_reader_fail(r, status, "the sum of the jumps exceeds 2^64")
	       : status            ? cg_reader_fail(r, status, "")
				   : CG_OK;
}

/* The format has no such line, but Valgrind writes it; so costs after the position
 * mean that this one was left off. */
static int parse_jump_position(struct cg_reader *r, struct line *l)
{
	struct line rest = *l;
	const bool kept = cg_reader_keeps_jumps(r);
	uint64_t positions[MAX_POSITIONS];
	int status = kept ? cg_reader_parse_positions(r, &rest, positions)
			  : cg_reader_parse_target(r, &rest);

	r->expect = EXPECT_ANY;
	cg_line_skip_blanks(&rest);
	if (!status && kept)
		status = add_jump(r, positions[0]);
	return status || rest.at == rest.end ? status : parse_self(r, l);
}

/* It must not count as a self cost. */
static int skip_call_cost(struct cg_reader *r, struct line *l)
{
	uint64_t positions[MAX_POSITIONS];
	r->expect = EXPECT_ANY;
	r->called.uncounted = false;
	cg_build_skipped(r->b);
	if (!r->from_callgrind && cg_reader_parse_positions(r, l, positions) == CG_OK)
		memcpy(r->base, positions, r->npositions * sizeof *positions);
	return CG_OK;
}

static int parse_cost_line(struct cg_reader *r, struct line *l)
{
	switch (r->expect) {
	case EXPECT_CALL_COST:
		return parse_call_cost(r, l);
	case EXPECT_JUMP_POSITION:
		return parse_jump_position(r, l);
	case EXPECT_LOST_COST:
		return skip_call_cost(r, l);
	default:
		return parse_self(r, l);
	}
}

static int parse_calls(struct cg_reader *r, struct line *l)
{
	struct line before = *l;

	r->expect = EXPECT_LOST_COST;
	int status = cg_reader_open_part(r);
	if (status)
		return status;
	if (!r->called.named)
		return cg_reader_fail(r, CG_ESYNTAX, "expected a cfn=NAME line before calls=");
	if (!cg_line_parse_number(l, &r->call_count) || !cg_line_at_number_end(l))
		return cg_reader_fail_expected(r, &before, "a number of calls");
	cg_line_skip_blanks(l);
	/* Some producers leave the target's position off. */
	status = l->at < l->end ? cg_reader_parse_target(r, l) : CG_OK;
	if (!status) {
		r->body_seen = true;
		r->expect = EXPECT_CALL_COST;
	}
	return status;
}

void cg_reader_forget_functions(struct cg_reader *r)
{
	r->record = r->inlined = r->callee = r->host = 0;
	r->hosted = r->sited = r->runs_code = r->code_placed = false;
	r->called.named = false;
}

/* The record of a callee is looked up at its calls: its object and file may follow its name. */
static int begin_callee(struct cg_reader *r, const struct name_line *n)
{
	struct callee *c = &r->called;

	c->named = false;
	c->with_object = r->has_callee_object;
	c->with_file = r->has_callee_file;
	c->object = r->has_callee_object ? r->callee_object : r->object;
	/* Valgrind leaves cfi= off if the callee's file is that of the last cost line, even when it
	 * has printed another fi= since. */
	c->file = r->has_callee_file ? r->callee_file : r->from_callgrind ? r->base_file : r->file;
	r->has_callee_object = r->has_callee_file = false;
	r->file_of_call = r->from_callgrind && r->file != r->base_file;
	r->callee = 0;
	int status = cg_reader_find_name(r, n, &r->functions, &c->name, &c->row);
	if (!status)
		status = cg_reader_open_part(r);
	if (status)
		return status;
	c->uncounted = false;
	c->named = true;
	return CG_OK;
}

static bool is_too_deep(const struct cg_reader *r, uint32_t host)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	unsigned depth = 0;
	while (host && depth < CG_MAX_INLINED_DEPTH) {
		host = p->records[host].inlined_into;
		depth++;
	}
	return host != 0;
}

/* Whether a function of the current object runs that of the host, which is generated code. */
static bool runs_host(const struct cg_reader *r, uint32_t host)
{
	const struct cg_profile *p = cg_builder_profile(r->b);

	return r->object && !p->functions[p->records[host].function].object;
}

/* From now on the number of the name means this record, so that more can be inlined into it. */
static int begin_hosted(struct cg_reader *r, const struct name_line *n, uint32_t host)
{
	struct packed name;
	uint32_t row;
	int status = cg_reader_find_name(r, n, &r->functions, &name, &row);
	bool runs = !r->aside && !r->options->keep_interpreters && runs_host(r, host);
	r->hosted = !r->options->fold_inlined && !r->aside && !runs && !is_too_deep(r, host);
	r->sited = r->hosted;
	if (!status && r->hosted)
		status = cg_reader_find_record(r, r->object, r->function_file, &name, host,
					       &r->record);
	else if (!status)
		r->record = host;
	if (!status && runs)
		cg_reader_run_code(r);
	if (!status && row && !r->aside)
		r->functions.resolved[row] = (struct resolved){ r->object, r->function_file,
								r->record };
	return status;
}

static int add_entries(struct cg_reader *r, uint64_t count)
{
	int status = cg_build_entries(r->b, r->record, count);
	return status ? cg_reader_fail_sum(r, status) : CG_OK;
}

int cg_reader_end_inlined(struct cg_reader *r)
{
	int status = r->hosted ? add_entries(r, CG_ENTRIES_UNKNOWN) : CG_OK;

	r->hosted = false;
	return status;
}

static int begin_described(struct cg_reader *r, const struct name_line *n)
{
	struct packed name;
	uint32_t row;
	int status = cg_reader_find_name(r, n, &r->functions, &name, &row);
	if (!status)
		status = cg_reader_find_function(r, &name, row, r->object, r->function_file,
						 &r->record);
	if (!status && !r->aside && cg_reader_has_code(r))
		cg_reader_begin_code(r, &name);
	return status ? status : note_described(r);
}

static int begin_function(struct cg_reader *r, const struct name_line *n)
{
	uint32_t host = r->host;
	int status = cg_reader_end_inlined(r);

	if (status)
		return status;
	cg_reader_forget_functions(r); /* without a name, the costs are of an unknown function */
	/* Writers in Python do not write fl=. */
	if (r->file_ahead && !r->from_callgrind)
		r->function_file = r->file;
	/* Older Valgrinds do not go back by fe= before the next function of a file. */
	r->file = r->base_file = r->function_file;
	r->file_of_call = r->file_ahead = false;
	return host ? begin_hosted(r, n, host) : begin_described(r, n);
}

/* The function that the next one is inlined into. */
static int begin_host(struct cg_reader *r, const struct name_line *n)
{
	struct packed name;
	uint32_t row;
	int status = cg_reader_find_name(r, n, &r->functions, &name, &row);
	if (status || r->aside)
		return status;
	r->host = row ? r->functions.resolved[row].record : 0;
	return r->host ? CG_OK
		       : cg_reader_fail(
				 r, CG_ESYNTAX,
				 "expected inlined=(NUMBER), the number of an earlier function with costs");
}

static int begin_file(struct cg_reader *r, const struct name_line *n)
{
	r->file_of_call = false;
	r->inlined = 0;
	int status = cg_reader_find_path(r, n, &r->files, &r->file);
	r->file_ahead = !status;
	if (!status && n->key == NAME_FILE)
		r->function_file = r->file;
	return status;
}

static int begin_inlined(struct cg_reader *r, const struct name_line *n)
{
	struct packed name;
	uint32_t row;
	int status = cg_reader_find_name(r, n, &r->functions, &name, &row);
	if (status)
		return status;
	bool none = r->options->fold_inlined ||
		    strcmp(cg_string(cg_builder_profile(r->b), name.name), "???") == 0;
	r->inlined_name = none ? (struct packed){ 0 } : name;
	r->inlined = 0;
	return CG_OK;
}

/* Targets of jumps carry no cost, but may define a name. */
static int begin_target(struct cg_reader *r, const struct name_line *n)
{
	struct packed name;
	uint32_t row;
	cg_str path;
	return n->key == NAME_TARGET_FILE ? cg_reader_find_path(r, n, &r->files, &path)
					  : cg_reader_find_name(r, n, &r->functions, &name, &row);
}

int cg_reader_apply_name(struct cg_reader *r, const struct name_line *n)
{
	/* Names belong to the part in which they are defined. */
	int status = r->part_open || !r->ncolumns ? CG_OK : cg_reader_open_part(r);
	if (status)
		return status;
	r->not_cachegrind |= n->has_id || (n->key != NAME_FUNCTION && n->key != NAME_FILE);
	switch (n->key) {
	case NAME_FUNCTION:
		return begin_function(r, n);
	case NAME_CALLEE:
		return begin_callee(r, n);
	case NAME_FILE:
	case NAME_LINE_FILE:
		return begin_file(r, n);
	case NAME_OBJECT:
		return cg_reader_find_path(r, n, &r->objects, &r->object);
	case NAME_CALLEE_FILE:
		r->has_callee_file = true;
		return cg_reader_find_path(r, n, &r->files, &r->callee_file);
	case NAME_CALLEE_OBJECT:
		r->has_callee_object = true;
		return cg_reader_find_path(r, n, &r->objects, &r->callee_object);
	case NAME_INLINED:
		return begin_inlined(r, n);
	case NAME_HOST:
		return begin_host(r, n);
	default:
		return begin_target(r, n);
	}
}

static int parse_assignment(struct cg_reader *r, struct line *l, size_t key_len)
{
	enum name_key key = cg_name_key(l->start, key_len);

	l->at = l->start + key_len + 1;
	if (key) {
		struct name_line n;
		cg_name_line_parse(&n, key, *l, &r->names);
		return cg_reader_apply_name(r, &n);
	}
	/* Early versions of callgrind wrote calls in recursion so. */
	if (cg_line_starts_with(l, "calls", key_len) || cg_line_starts_with(l, "rcalls", key_len))
		return parse_calls(r, l);
	if (cg_line_starts_with(l, "jump", key_len) || cg_line_starts_with(l, "jcnd", key_len))
		return parse_jump(r, l);
	l->at = l->start;
	return cg_reader_fail_expected(r, l, "a line of the callgrind format");
}

/* The scanner, which goes over jumps, does not look for it there. */
static bool has_nul(const struct line *l)
{
	size_t size = (size_t)(l->end - l->start);
	bool jump = size >= 5 &&
		    (memcmp(l->start, "jump=", 5) == 0 || memcmp(l->start, "jcnd=", 5) == 0);
	return !jump && memchr(l->start, '\0', size);
}

static int parse_keyword(struct cg_reader *r, struct line *l)
{
	size_t len = 0, size = (size_t)(l->end - l->start);

	if (has_nul(l))
		return cg_reader_fail(
			r, CG_ESYNTAX,
			"expected text, found a NUL byte: this is not a callgrind or cachegrind file");
	if (r->expect == EXPECT_CALL_COST) {
		if (!r->options->lenient)
			return cg_reader_fail_expected(
				r, l, "the position and cost of the preceding call");
		cg_build_skipped(r->b); /* the call; this line is good */
	}
	r->expect = EXPECT_ANY;
	if (size >= sizeof APPENDED - 1 && memcmp(l->start, APPENDED, sizeof APPENDED - 1) == 0)
		return cg_reader_begin_appended(r);
	while (len < size &&
	       ((unsigned)((l->start[len] | 0x20) - 'a') < 26 || l->start[len] == '_'))
		len++;
	if (len > 0 && len < size && l->start[len] == '=')
		return parse_assignment(r, l, len);
	if (len > 0 && len < size && l->start[len] == ':')
		return cg_reader_parse_header(r, l, len);
	return cg_reader_fail_expected(r, l, "a line of the callgrind format");
}

static int parse_inlined_calls(struct cg_reader *r, struct line value)
{
	uint64_t count;

	if (!r->hosted)
		return CG_OK;
	r->hosted = false; /* one such line */
	if (!cg_line_parse_decimal(&value, &count) || value.at != value.end)
		return cg_reader_fail_expected(r, &value,
					       "how often an inlined function is called");
	return add_entries(r, count);
}

/* "LINE CALLS COSTS" */
static int parse_inlined_at(struct cg_reader *r, struct line value)
{
	struct cg_position at = { .file = r->file };
	uint64_t line = 0, count = 0;

	if (!r->sited)
		return CG_OK;
	bool good = cg_line_parse_decimal(&value, &line) && cg_line_at_number_end(&value) &&
		    line <= UINT32_MAX;
	cg_line_skip_blanks(&value);
	if (!good || !cg_line_parse_decimal(&value, &count) || !cg_line_at_number_end(&value))
		return cg_reader_fail_expected(
			r, &value, "a line that calls an inlined function, and how often");
	at.line = (uint32_t)line;
	int status = cg_reader_need_events(r);
	if (!status)
		status = cg_reader_parse_costs(r, &value);
	if (status)
		return status;
	status = cg_build_site(r->b, r->record, &at, count, r->costs);
	return status ? cg_reader_fail_sum(r, status) : CG_OK;
}

static int parse_comment(struct cg_reader *r, const struct line *l)
{
	static const char uncounted[] = CG_UNCOUNTED_CALL, inlined[] = CG_INLINED_CALLS,
			  site[] = CG_INLINED_AT;
	size_t len = (size_t)(l->end - l->at), key = sizeof inlined - 1, at = sizeof site - 1;

	if (len == sizeof uncounted - 1 && memcmp(l->at, uncounted, len) == 0)
		r->called.uncounted = r->expect == EXPECT_ANY;
	if (len > key && memcmp(l->at, inlined, key) == 0)
		return parse_inlined_calls(r, (struct line){ l->start, l->at + key, l->end });
	if (len > at && memcmp(l->at, site, at) == 0)
		return parse_inlined_at(r, (struct line){ l->start, l->at + at, l->end });
	return CG_OK;
}

int cg_reader_parse_line(struct cg_reader *r, const char *start, const char *end)
{
	struct line l = { start, start, end };

	if (l.end > l.start && l.end[-1] == '\r')
		l.end--;
	cg_line_skip_blanks(&l);
	if (l.at == l.end)
		return CG_OK;
	l.start = l.at;

	int status;
	if (*l.at == '#')
		status = parse_comment(r, &l);
	else if ((unsigned)(*l.at - '0') < 10 || *l.at == '+' || *l.at == '-' || *l.at == '*')
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
