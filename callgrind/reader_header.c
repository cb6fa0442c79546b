#include "callgrind/reader_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "callgrind/support/grow.h"

static int parse_u64_header(struct cg_reader *r, struct line *l, uint64_t *value)
{
	struct line before = *l;
	if (!cg_line_parse_number(l, value) || (cg_line_skip_blanks(l), l->at < l->end))
		return cg_reader_fail_expected(r, &before, "a number");
	return CG_OK;
}

static int text_header(struct cg_reader *r, const struct line *l, cg_str *text)
{
	int status = cg_build_string(r->b, l->at, (size_t)(l->end - l->at), text);
	return status ? cg_reader_fail(r, status, "too many names") : CG_OK;
}

/* Early writers put their own version here, "0.9.8". */
static int parse_version(struct cg_reader *r, struct line *l)
{
	uint64_t version;
	struct line before = *l;
	if (!cg_line_parse_number(l, &version) || version > 2)
		return cg_reader_fail_expected(r, &before, "format version 1 or 2");
	return CG_OK;
}

static int parse_creator(struct cg_reader *r, struct line *l)
{
	cg_str creator;
	int status = text_header(r, l, &creator);
	if (status)
		return status;
	const char *text = cg_string(cg_builder_profile(r->b), creator);
	r->from_callgrind = strncmp(text, "callgrind", 9) == 0;
	r->from_xdebug = strncmp(text, "xdebug", 6) == 0;
	r->has_totals = r->from_callgrind || strncmp(text, "irdiff", 6) == 0;
	r->names.packed = r->has_totals;
	return cg_build_creator(r->b, creator);
}

static int parse_positions_header(struct cg_reader *r, struct line *l)
{
	enum position_kind kinds[MAX_POSITIONS];
	unsigned count = 0;

	for (cg_line_skip_blanks(l); l->at < l->end; cg_line_skip_blanks(l)) {
		struct line word = cg_line_next_word(l);
		size_t len = (size_t)(word.end - word.at);

		if (count == MAX_POSITIONS)
			return cg_reader_fail_expected(r, &word, "at most three positions");
		if (cg_line_starts_with(&word, "line", len))
			kinds[count++] = POSITION_LINE;
		else if (cg_line_starts_with(&word, "instr", len) ||
			 cg_line_starts_with(&word, "addr", len))
			kinds[count++] = POSITION_ADDRESS;
		else if (cg_line_starts_with(&word, "bb", len))
			kinds[count++] = POSITION_BLOCK;
		else
			return cg_reader_fail_expected(r, &word, "instr, bb or line");
	}
	if (count == 0)
		return cg_reader_fail_expected(r, l, "instr, bb or line");
	for (unsigned i = 0; i < count; i++)
		if (kinds[i] == POSITION_ADDRESS)
			cg_build_addresses(r->b);
	memcpy(r->positions, kinds, count * sizeof *kinds);
	r->npositions = count;
	return CG_OK;
}

/* `event: NAME [= FORMULA] [: LONG NAME]` */
static int parse_event_header(struct cg_reader *r, struct line *l)
{
	struct cg_event event = { 0 };
	const char *name_end = l->at;
	while (name_end < l->end && *name_end != '=' && *name_end != ':')
		name_end++;
	const char *colon = cg_line_find(l, name_end, ':');

	struct line name = { l->at, l->at, name_end };
	while (name.end > name.at && isblank((unsigned char)name.end[-1]))
		name.end--;
	if (name.at == name.end)
		return cg_reader_fail_expected(r, l, "the name of an event");
	int status = text_header(r, &name, &event.name);

	if (!status && name_end < colon && *name_end == '=') {
		struct line formula = { name_end, name_end + 1, colon };
		cg_line_skip_blanks(&formula);
		status = text_header(r, &formula, &event.formula);
	}
	if (!status && colon < l->end) {
		struct line long_name = { colon, colon + 1, l->end };
		cg_line_skip_blanks(&long_name);
		status = text_header(r, &long_name, &event.long_name);
	}
	if (!status && cg_grow(&r->named, &r->named_cap, r->nnamed + 1, sizeof *r->named))
		status = cg_reader_fail(r, CG_ENOMEM, "");
	if (!status)
		r->named[r->nnamed++] = event;
	return status;
}

static int add_profile_event(struct cg_reader *r, cg_str name)
{
	struct cg_event event = { .name = name };
	for (size_t i = 0; i < r->nnamed; i++)
		if (r->named[i].name == name)
			event = r->named[i];
	int status = cg_build_event(r->b, &event);
	return status ? cg_reader_fail(r, status, "more than 256 events") : CG_OK;
}

/* "Ir Dr Dw", cut to the buffer. */
static void list_profile_events(const struct cg_profile *p, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (uint32_t e = 0; e < p->nevents && used < size; e++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", e ? " " : "",
					 cg_string(p, p->events[e].name));
}

static int fail_events(struct cg_reader *r, const struct line *found)
{
	char known[200], expected[300];
	list_profile_events(cg_builder_profile(r->b), known, sizeof known);
	snprintf(expected, sizeof expected, "the events of the first part (%s)", known);
	return cg_reader_fail_expected(r, found, expected);
}

/* A lenient reader takes of the columns of a later part those that the first one has. Without any
 * they are the same as before. */
static int map_known_events(struct cg_reader *r, struct line *l)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	bool taken[CG_MAX_EVENTS] = { false };

	cg_line_skip_blanks(l);
	if (l->at == l->end)
		return CG_OK;
	r->nevents = p->nevents;
	r->ncolumns = 0;
	for (; l->at < l->end && r->ncolumns < CG_MAX_EVENTS; cg_line_skip_blanks(l)) {
		struct line word = cg_line_next_word(l);
		cg_str name;
		int status = text_header(r, &word, &name);
		if (status)
			return status;
		int event = cg_event_index(p, cg_string(p, name));
		bool known = event >= 0 && !taken[event];
		if (known)
			taken[event] = true;
		r->column_event[r->ncolumns++] = known ? (uint32_t)event : NO_EVENT;
	}
	return CG_OK;
}

/* The first `events:` line makes the columns of the profile; those of later
 * parts must have the same events, in any order. */
static int parse_events(struct cg_reader *r, struct line *l)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	bool first = p->nparts == 0 && p->nevents == 0;
	uint32_t ncolumns = 0, column_event[CG_MAX_EVENTS];
	const struct line whole = *l;

	for (cg_line_skip_blanks(l); l->at < l->end; cg_line_skip_blanks(l)) {
		struct line word = cg_line_next_word(l);

		cg_str name;
		int status = text_header(r, &word, &name);
		if (status)
			return status;
		int event = cg_event_index(p, cg_string(p, name));
		if (first && event >= 0)
			return cg_reader_fail_expected(r, &word, "distinct event names");
		if (first) {
			if ((status = add_profile_event(r, name)))
				return status;
			event = (int)p->nevents - 1;
		}
		bool again = false;
		for (uint32_t i = 0; i < ncolumns; i++)
			again |= column_event[i] == (uint32_t)event;
		if (event < 0 || again)
			return fail_events(r, &whole);
		column_event[ncolumns++] = (uint32_t)event;
	}
	if (ncolumns == 0 || ncolumns != p->nevents)
		return first ? cg_reader_fail_expected(r, l, "the name of an event")
			     : fail_events(r, &whole);
	memcpy(r->column_event, column_event, ncolumns * sizeof *column_event);
	r->ncolumns = r->nevents = ncolumns;
	return CG_OK;
}

int cg_reader_open_part(struct cg_reader *r)
{
	if (r->part_open)
		return CG_OK;
	int status = cg_reader_need_events(r);
	if (status)
		return status;
	status = cg_parts_open(r->parts, &r->header);
	if (status)
		return cg_reader_fail(r, status, "too many parts");
	r->part_open = true;
	if (r->aside != r->parts->in_aside)
		cg_reader_forget_functions(r);
	r->aside = r->parts->in_aside;
	return CG_OK;
}

/* Valgrind and irdiff end each part with its totals. Versions that do not must
 * have written all that the summary in the header announces. */
static bool is_whole_part(const struct cg_reader *r)
{
	const struct cg_part *part = r->part_open ? cg_parts_current(r->parts) : NULL;
	size_t size = r->nevents * sizeof *r->costs;
	if (!part)
		return false;
	return part->totals || (part->summary && memcmp(part->summary, part->self, size) == 0);
}

int cg_reader_end_part(struct cg_reader *r)
{
	bool cachegrind = cg_reader_of_cachegrind(r);
	if (r->from_xdebug && r->part_open && !cg_parts_current(r->parts)->summary)
		cg_parts_set_doubt(r->parts, CG_DOUBT_SUMMARY);
	if (is_whole_part(r) || (!r->has_totals && !cachegrind))
		return CG_OK;
	return cg_reader_fail(
		r, CG_ESYNTAX,
		cachegrind ? "the file ends without cachegrind's `summary:` line: it is truncated"
			   : "the file ends without its `totals:` line: it is truncated");
}

/* A header line after costs begins the next part; what it does not repeat (pid, command, events)
 * stays. Only a dump of another process, which was appended to the file, begins with the
 * version, and has its own header. */
static int begin_header(struct cg_reader *r, bool is_version)
{
	if (!r->body_seen)
		return CG_OK;
	int status = cg_reader_end_part(r);
	if (status && !r->options->lenient)
		return cg_reader_fail(
			r, CG_ESYNTAX,
			"the previous part ends without its `totals:` or `summary:` line: it is truncated");
	if (status)
		cg_build_skipped(r->b);
	r->body_seen = false;
	r->announced = false;
	r->part_open = false;
	r->header.trigger = 0;
	if (is_version)
		r->header = (struct cg_part){ .file = r->header.file };
	return CG_OK;
}

int cg_reader_begin_appended(struct cg_reader *r)
{
	bool first = !r->appended && !r->body_seen && !r->part_open;
	int status = begin_header(r, true);
	r->appended += r->appended || first ? 1 : 2;
	r->header_read = true;
	return status;
}

/* Xdebug calls each of those that it appends the first part. */
static int parse_part(struct cg_reader *r, struct line *l)
{
	int status = parse_u64_header(r, l, &r->header.number);
	if (!status && r->appended)
		r->header.number = r->appended;
	return status;
}

static bool records_levels(const struct line *option)
{
	static const char levels[] = "--separate-recs=";
	size_t n = sizeof levels - 1, len = (size_t)(option->end - option->at);
	return len > n && memcmp(option->at, levels, n) == 0 &&
	       !(len == n + 1 && option->at[n] <= '1');
}

static int parse_desc(struct cg_reader *r, struct line *l)
{
	const char *colon = cg_line_find(l, l->at, ':');
	struct line key = { l->at, l->at, colon };
	struct line value = { colon, colon < l->end ? colon + 1 : colon, l->end };
	cg_line_skip_blanks(&value);

	if (cg_line_starts_with(&key, "Trigger", (size_t)(key.end - key.at)))
		return text_header(r, &value, &r->header.trigger);
	if (cg_line_starts_with(&key, "Timerange", (size_t)(key.end - key.at)))
		return CG_OK;
	/* With --separate-recs=1 recursion would not show. */
	if (cg_line_starts_with(&key, "Option", (size_t)(key.end - key.at)) &&
	    records_levels(&value))
		cg_build_levels(r->b);
	cg_str k, v;
	int status = text_header(r, &key, &k);
	if (!status)
		status = text_header(r, &value, &v);
	if (!status && cg_build_desc(r->b, k, v))
		status = cg_reader_fail(r, CG_ENOMEM, "");
	return status;
}

static int parse_sums(struct cg_reader *r, struct line *l, bool totals)
{
	int status = cg_reader_open_part(r);
	if (!status)
		status = cg_reader_parse_costs(r, l);
	if (status)
		return status;
	bool cachegrind = !totals && cg_reader_of_cachegrind(r);
	status = totals ? cg_parts_set_totals(r->parts, r->costs)
			: cg_parts_set_summary(r->parts, r->costs);
	if (!status && cachegrind)
		status = cg_parts_set_totals(r->parts, r->costs);
	if (!status && cachegrind)
		cg_parts_set_cachegrind(r->parts);
	return status ? cg_reader_fail(r, status, "") : CG_OK;
}

static bool is_cachegrind_key(const struct line *l, size_t key_len)
{
	return cg_line_starts_with(l, "desc", key_len) || cg_line_starts_with(l, "cmd", key_len) ||
	       cg_line_starts_with(l, "events", key_len);
}

int cg_reader_parse_header(struct cg_reader *r, struct line *l, size_t key_len)
{
	l->at = l->start + key_len + 1;
	cg_line_skip_blanks(l);

	if (cg_line_starts_with(l, "totals", key_len)) {
		r->body_seen = true;
		return parse_sums(r, l, true);
	}
	/* Cachegrind's summary ends a file; callgrind's is in the header. */
	if (cg_line_starts_with(l, "summary", key_len))
		return parse_sums(r, l, false);

	int status = begin_header(r, cg_line_starts_with(l, "version", key_len));
	if (status)
		return status;
	r->header_read = true;
	r->not_cachegrind |= !is_cachegrind_key(l, key_len);
	if (cg_line_starts_with(l, "events", key_len)) {
		struct line again = *l;
		r->announced = true;
		status = parse_events(r, l);
		bool map = status == CG_ESYNTAX && r->options->lenient &&
			   cg_parts_count(r->parts) > 0;
		int mapped = map ? map_known_events(r, &again) : CG_OK;
		return mapped ? mapped : status;
	}
	if (cg_line_starts_with(l, "version", key_len))
		return parse_version(r, l);
	if (cg_line_starts_with(l, "creator", key_len))
		return parse_creator(r, l);
	if (cg_line_starts_with(l, "pid", key_len))
		return parse_u64_header(r, l, &r->header.pid);
	if (cg_line_starts_with(l, "thread", key_len))
		return parse_u64_header(r, l, &r->header.thread);
	if (cg_line_starts_with(l, "part", key_len))
		return parse_part(r, l);
	if (cg_line_starts_with(l, "cmd", key_len)) {
		r->has_command = true;
		return text_header(r, l, &r->header.command);
	}
	if (cg_line_starts_with(l, "desc", key_len))
		return parse_desc(r, l);
	if (cg_line_starts_with(l, "positions", key_len))
		return parse_positions_header(r, l);
	if (cg_line_starts_with(l, "event", key_len))
		return parse_event_header(r, l);
	/* Other keys carry no costs: later versions of the format may have them. */
	return CG_OK;
}
