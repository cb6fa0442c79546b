#include "callgrind/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/line.h"
#include "callgrind/pprof_tables.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

/* ---- what it looks like ---- */

/* Whether a message of the file has only fields that such a message can have. */
static bool is_message_of(struct cg_wire message, uint32_t last_field)
{
	struct cg_wire_field field;
	enum cg_wire_status got;

	while ((got = cg_wire_next(&message, &field)) == CG_WIRE_FIELD)
		if (field.number > last_field)
			return false;
	return got == CG_WIRE_END;
}

static bool is_pprof_field(const struct cg_wire_field *f)
{
	enum { LAST_OF_TYPE = 2, LAST_OF_SAMPLE = 3, LAST_OF_MAPPING = 10, LAST_OF_OTHERS = 5 };
	bool bytes = f->type == CG_WIRE_BYTES;

	switch (f->number) {
	case PPROF_SAMPLE_TYPE:
	case PPROF_PERIOD_TYPE:
		return bytes && is_message_of(f->bytes, LAST_OF_TYPE);
	case PPROF_SAMPLE:
		return bytes && is_message_of(f->bytes, LAST_OF_SAMPLE);
	case PPROF_MAPPING:
		return bytes && is_message_of(f->bytes, LAST_OF_MAPPING);
	case PPROF_LOCATION:
	case PPROF_FUNCTION:
		return bytes && is_message_of(f->bytes, LAST_OF_OTHERS);
	case PPROF_STRING:
		return bytes;
	case PPROF_COMMENT:
		return bytes || f->type == CG_WIRE_NUMBER;
	default:
		return f->number <= PPROF_LAST && f->type == CG_WIRE_NUMBER;
	}
}

/* A text has no bytes as the tags and numbers of messages are. */
static bool looks_like_text(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)bytes[i] < '\t')
			return false;
	return true;
}

/* Some messages are enough to call what follows damaged. */
static bool detect_pprof(const char *bytes, size_t len)
{
	enum { SURE = 3 };
	const unsigned char *start = (const unsigned char *)bytes;
	struct cg_wire at = { start, start + len };
	struct cg_wire_field field;
	enum cg_wire_status got;
	size_t messages = 0;

	if (looks_like_text(bytes, len))
		return false;
	while ((got = cg_wire_next(&at, &field)) == CG_WIRE_FIELD && is_pprof_field(&field))
		messages += field.type == CG_WIRE_BYTES;
	bool is_whole = got == CG_WIRE_END || got == CG_WIRE_CUT;
	return messages >= (is_whole ? 1 : SURE);
}

/* ---- reading ---- */

struct pprof_reading {
	struct cg_stacks s;
	struct pprof_tables t;
	uint32_t column[CG_MAX_EVENTS];   /* per type of samples */
	cg_str event[CG_MAX_EVENTS];      /* likewise, its name */
	size_t counting[CG_MAX_EVENTS];   /* per type: the one that counts its samples */
	uint64_t behind[CG_MAX_EVENTS];   /* per type: samples */
	int64_t values[CG_MAX_EVENTS];    /* of one sample, per type */
	cg_str *texts;                    /* per string, once it was needed */
	struct cg_stack_frame *lines;     /* per line of a location */
	struct cg_stack_frame *addresses; /* per location, if it has no line */
	struct cg_stack_frame *frames;    /* of one sample */
	size_t depth, frames_cap;
	bool labels;
};

static const char *pprof_text_of(const struct pprof_reading *r, uint64_t string, size_t *len)
{
	*len = cg_wire_left(&r->t.strings[string]);
	return (const char *)r->t.strings[string].at;
}

static bool is_string(const struct pprof_reading *r, uint64_t string, const char *text)
{
	size_t len;
	const char *found = pprof_text_of(r, string, &len);
	return len == strlen(text) && memcmp(found, text, len) == 0;
}

/* Many lines may have the same long name. */
static int add_pprof_text(struct pprof_reading *r, uint64_t string, cg_str *id)
{
	size_t len;
	const char *text = pprof_text_of(r, string, &len);
	int status = r->texts[string] ? CG_OK : cg_stacks_text(&r->s, text, len, &r->texts[string]);

	*id = r->texts[string];
	return status;
}

/* ---- events ---- */

/* A mere count has no unit. */
static int add_unit(struct pprof_reading *r, const struct pprof_type *type, struct cg_event *event)
{
	size_t len;
	const char *unit = pprof_text_of(r, type->unit, &len);

	return is_string(r, type->unit, "count") ? CG_OK : cg_stacks_unit(&r->s, unit, len, event);
}

static size_t default_type(const struct pprof_reading *r)
{
	size_t len;
	const char *name = pprof_text_of(r, r->t.default_type, &len);

	for (size_t i = 0; len && i < r->t.ntypes; i++) {
		size_t found_len;
		const char *found = pprof_text_of(r, r->t.types[i].name, &found_len);
		if (found_len == len && memcmp(found, name, len) == 0)
			return i;
	}
	return r->t.ntypes - 1;
}

static int make_events(struct pprof_reading *r)
{
	struct cg_event events[CG_MAX_EVENTS] = { 0 };
	uint32_t column[CG_MAX_EVENTS], n = (uint32_t)r->t.ntypes;
	size_t first = default_type(r);
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < n; i++) {
		size_t len, type = i == 0 ? first : i <= first ? i - 1 : i;
		const char *name = pprof_text_of(r, r->t.types[type].name, &len);
		status = cg_stacks_event_name(&r->s, name, len, &events[i].name);
		if (!status)
			status = add_unit(r, &r->t.types[type], &events[i]);
		r->event[type] = events[i].name;
	}
	if (!status)
		status = cg_stacks_events(&r->s, events, n, column);
	for (uint32_t i = 0; !status && i < n; i++)
		r->column[i == 0 ? first : i <= first ? i - 1 : i] = column[i];
	return status;
}

/* ---- how many samples there are ---- */

static bool counts(const struct pprof_reading *r, size_t type)
{
	return is_string(r, r->t.types[type].unit, "count");
}

/* Writers put the number of samples before what they cost. */
static void find_counting(struct pprof_reading *r)
{
	size_t last = r->t.ntypes;

	for (size_t i = 0; i < r->t.ntypes; i++) {
		last = counts(r, i) ? i : last;
		r->counting[i] = last;
	}
	for (size_t i = r->t.ntypes; i-- > 0;) {
		last = counts(r, i) ? i : last;
		if (r->counting[i] == r->t.ntypes)
			r->counting[i] = last;
	}
}

/* What was sampled, in the unit of the period, of what the type counts; NULL: not known. */
static const int64_t *amount_of(const struct pprof_reading *r, size_t type)
{
	size_t amount = counts(r, type) ? type + 1 : type;
	bool known = r->t.period > 1 && amount < r->t.ntypes &&
		     r->t.types[amount].unit == r->t.period_type.unit;
	return known ? &r->values[amount] : NULL;
}

/* Counts of allocations are scaled up: at most one sample was taken of each, and on average one
 * in a period. */
static uint64_t samples_of(const struct pprof_reading *r, size_t type)
{
	size_t counting = r->counting[type];
	uint64_t value = cg_magnitude(r->values[type]), count = value != 0;
	const int64_t *amount = amount_of(r, type);

	if (value && counting < r->t.ntypes)
		count = cg_magnitude(r->values[counting]);
	if (value && amount) {
		uint64_t periods = (cg_magnitude(*amount) - 1) / r->t.period + 1;
		count = *amount && count > periods ? periods : count;
	}
	return count;
}

static void count_pprof_samples(struct pprof_reading *r)
{
	for (size_t i = 0; i < r->t.ntypes; i++)
		cg_add_count_clipped(&r->behind[i], samples_of(r, i));
}

static bool is_of_irdiff(const struct pprof_reading *r)
{
	static const char name[] = "irdiff-";
	size_t len;
	const char *comment = r->t.ncomments ? pprof_text_of(r, r->t.comments[0], &len) : NULL;
	return comment && len > sizeof name && memcmp(comment, name, sizeof name - 1) == 0;
}

/* A comment of irdiff, "Samples: cpu 30", in a file that it has converted from a sampled one. */
static bool is_stated(const struct pprof_reading *r, uint64_t comment, size_t type,
		      uint64_t *samples)
{
	static const char key[] = CG_SAMPLES_KEY ": ";
	size_t key_len = sizeof key - 1, name_len, len;
	const char *name = pprof_text_of(r, r->t.types[type].name, &name_len);
	const char *text = pprof_text_of(r, comment, &len), *number = text + key_len + name_len + 1;

	if (len <= key_len + name_len + 1 || memcmp(text, key, key_len) != 0 ||
	    memcmp(text + key_len, name, name_len) != 0 || number[-1] != ' ')
		return false;
	struct line digits = { number, number, text + len };
	return cg_line_parse_decimal(&digits, samples) && digits.at == digits.end;
}

/* Whether the costs of a type are estimated, and from how many samples. */
static bool is_sampled(const struct pprof_reading *r, size_t type, uint64_t *samples)
{
	*samples = r->behind[type];
	if (!is_of_irdiff(r))
		return r->t.period != 1 || !is_string(r, r->t.period_type.unit, "bytes");
	for (size_t i = 1; i < r->t.ncomments; i++)
		if (is_stated(r, r->t.comments[i], type, samples))
			return true;
	return false;
}

/* ---- frames ---- */

static int name_address(struct pprof_reading *r, const struct pprof_location *l, cg_str *name)
{
	const struct pprof_mapping *m = l->mapping ? &r->t.mappings[l->mapping] : NULL;
	uint64_t address = m && l->address >= m->start ? l->address - m->start + m->offset
						       : l->address;
	char text[24];

	int len = snprintf(text, sizeof text, "0x%016" PRIx64, address);
	return cg_stacks_text(&r->s, text, (size_t)len, name);
}

static int make_frame(struct pprof_reading *r, const struct pprof_location *l,
		      const struct pprof_line *line, struct cg_stack_frame *out)
{
	const struct pprof_function none = { 0 };
	const struct pprof_function *f = line ? &r->t.functions[line->function] : &none;
	int status = CG_OK;

	if (line && !line->function)
		f = &none;
	if (l->mapping)
		status = add_pprof_text(r, r->t.mappings[l->mapping].file, &out->function.object);
	if (!status)
		status = add_pprof_text(r, f->file, &out->function.file);
	if (!status)
		status = add_pprof_text(r, f->name, &out->function.name);
	if (!status && !out->function.name)
		status = add_pprof_text(r, f->system_name, &out->function.name);
	if (!status && !out->function.name)
		status = name_address(r, l, &out->function.name);
	out->file = out->function.file;
	out->line = line && line->line > 0 && line->line <= UINT32_MAX ? (uint32_t)line->line : 0;
	return status;
}

static int make_pprof_frames(struct pprof_reading *r)
{
	int status = CG_OK;

	r->texts = calloc(r->t.nstrings, sizeof *r->texts);
	r->lines = calloc(r->t.nlines + 1, sizeof *r->lines);
	r->addresses = calloc(r->t.nlocations + 1, sizeof *r->addresses);
	if (!r->texts || !r->lines || !r->addresses)
		return cg_stacks_fail(&r->s, CG_ENOMEM, "");
	for (size_t i = 1; !status && i <= r->t.nlocations; i++) {
		const struct pprof_location *l = &r->t.locations[i];
		if (l->nlines == 0)
			status = make_frame(r, l, NULL, &r->addresses[i]);
		for (size_t n = 0; !status && n < l->nlines; n++) {
			struct cg_stack_frame *f = &r->lines[l->first_line + n];
			status = make_frame(r, l, &r->t.lines[l->first_line + n], f);
			f->inlined = n + 1 < l->nlines;
		}
	}
	return status;
}

/* ---- samples ---- */

/* Innermost first, as the file has them. */
static int push_location(struct pprof_reading *r, uint64_t id)
{
	uint32_t row = cg_pprof_find_location(&r->t, id);
	if (!row)
		return cg_pprof_fail(&r->t, "there is no location", id);
	const struct pprof_location *l = &r->t.locations[row];
	const struct cg_stack_frame *from = l->nlines ? &r->lines[l->first_line]
						      : &r->addresses[row];
	size_t count = l->nlines ? l->nlines : 1;
	int status = cg_stacks_expect(&r->s, r->depth + count);
	if (status)
		return status;
	if (cg_grow(&r->frames, &r->frames_cap, r->depth + count, sizeof *r->frames))
		return cg_stacks_fail(&r->s, CG_ENOMEM, "");
	memcpy(r->frames + r->depth, from, count * sizeof *from);
	r->depth += count;
	return CG_OK;
}

static int push_value(struct pprof_reading *r, size_t *nvalues, uint64_t value)
{
	if (*nvalues < r->t.ntypes)
		r->values[*nvalues] = (int64_t)value;
	++*nvalues;
	return CG_OK;
}

static int push_number(struct pprof_reading *r, uint32_t field, size_t *nvalues, uint64_t value)
{
	enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
	return field == SAMPLE_LOCATION ? push_location(r, value)
	       : field == SAMPLE_VALUE  ? push_value(r, nvalues, value)
					: CG_OK;
}

static int read_sample_field(struct pprof_reading *r, const struct cg_wire_field *f,
			     size_t *nvalues)
{
	enum { SAMPLE_LABEL = 3 };
	struct cg_wire packed = f->bytes;
	uint64_t value;
	int status = CG_OK;

	if (f->number == SAMPLE_LABEL)
		r->labels = true;
	if (f->number >= SAMPLE_LABEL)
		return CG_OK;
	if (f->type == CG_WIRE_NUMBER)
		return push_number(r, f->number, nvalues, f->value);
	while (!status && f->type == CG_WIRE_BYTES && packed.at < packed.end)
		status = cg_wire_take_number(&packed, &value)
				 ? push_number(r, f->number, nvalues, value)
				 : cg_pprof_fail_wire(&r->t, CG_WIRE_MALFORMED);
	return status;
}

static int read_sample(struct pprof_reading *r, struct cg_wire message)
{
	struct cg_wire_field field;
	enum cg_wire_status got;
	int64_t costs[CG_MAX_EVENTS];
	size_t nvalues = 0;
	int status = CG_OK;

	r->depth = 0;
	while (!status && (got = cg_wire_next(&message, &field)) != CG_WIRE_END)
		status = got == CG_WIRE_FIELD ? read_sample_field(r, &field, &nvalues)
					      : cg_pprof_fail_wire(&r->t, CG_WIRE_MALFORMED);
	if (!status && nvalues != r->t.ntypes)
		status = cg_pprof_fail(
			&r->t,
			"a sample has another number of values than there are types:", nvalues);
	if (status)
		return status;
	for (size_t i = 0; i < r->t.ntypes; i++)
		costs[r->column[i]] = r->values[i];
	cg_stack_reverse(r->frames, r->depth);
	count_pprof_samples(r);
	return cg_stacks_add(&r->s, r->frames, r->depth, costs);
}

static int read_samples(struct pprof_reading *r)
{
	struct cg_wire at = r->t.file;
	struct cg_wire_field field;
	int status = CG_OK;

	while (!status && cg_wire_next(&at, &field) == CG_WIRE_FIELD)
		if (field.number == PPROF_SAMPLE && field.type == CG_WIRE_BYTES)
			status = read_sample(r, field.bytes);
	return status;
}

/* ---- the file ---- */

static int note_facts(struct pprof_reading *r)
{
	uint64_t samples;
	int status = CG_OK;

	for (size_t i = 0; !status && i < r->t.ntypes; i++)
		if (is_sampled(r, i, &samples))
			status = cg_stacks_sampled(&r->s, r->event[i], samples);
	if (!status && r->labels)
		status = cg_stacks_ignored(&r->s, "labels of samples");
	if (!status && r->t.drops_frames)
		status = cg_stacks_ignored(&r->s, "`drop_frames`, which hides frames in pprof");
	return status;
}

static int read_profile(struct pprof_reading *r, cg_str file)
{
	const struct cg_part part = { .file = file };
	int status = cg_pprof_read_tables(&r->t);

	if (!status)
		status = make_events(r);
	if (!status)
		status = cg_stacks_open(&r->s, &part);
	if (!status) {
		find_counting(r);
		status = make_pprof_frames(r);
	}
	if (!status)
		status = read_samples(r);
	return status ? status : note_facts(r);
}

static int read_pprof(struct cg_parts *parts, struct cg_input *in, cg_str file,
		      const struct cg_read_options *options, struct cg_error *err)
{
	struct pprof_reading r = { .s = cg_stacks_begin(parts, in, options) };
	char *bytes = NULL;
	size_t len = 0;
	int status = cg_stacks_read_all(&r.s, in, &bytes, &len);

	r.t.stacks = &r.s;
	r.t.file.at = (const unsigned char *)bytes;
	r.t.file.end = r.t.file.at + len;
	if (!status)
		status = read_profile(&r, file);
	cg_pprof_free_tables(&r.t);
	free(r.texts);
	free(r.lines);
	free(r.addresses);
	free(r.frames);
	free(bytes);
	return cg_stacks_end(&r.s, status, err);
}

const struct cg_format cg_pprof_format = { detect_pprof, read_pprof };
