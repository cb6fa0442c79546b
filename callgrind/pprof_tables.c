#include "callgrind/pprof_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

/* Code is inlined some dozens deep. */
#define MOST_LINES_OF_LOCATION CG_MAX_INLINED_DEPTH

int cg_pprof_fail(const struct pprof_tables *t, const char *what, uint64_t number)
{
	return cg_fail(&t->stacks->err, CG_ESYNTAX, t->stacks->name, 0,
		       "not a valid pprof file: %s %" PRIu64, what, number);
}

int cg_pprof_fail_wire(const struct pprof_tables *t, enum cg_wire_status status)
{
	return cg_stacks_fail(
		t->stacks, CG_ESYNTAX,
		status == CG_WIRE_CUT
			? "the file is truncated: it ends in the middle of a field of pprof"
			: "not a valid pprof file: it is damaged");
}

void cg_pprof_free_tables(struct pprof_tables *t)
{
	free(t->strings);
	free(t->types);
	free(t->mappings);
	free(t->functions);
	free(t->locations);
	free(t->lines);
	free(t->comments);
	cg_index_free(&t->mapping_ids);
	cg_index_free(&t->function_ids);
	cg_index_free(&t->location_ids);
}

/* ---- messages ---- */

/* The numbers of a message's fields 1 to `count`, 0 for those that are not there; other fields are
 * left out, but for a field of messages, which `inner` is called for. */
struct fields {
	uint64_t *values;
	uint32_t count, message;
	int (*inner)(struct pprof_tables *t, struct cg_wire message);
};

static int read_pprof_fields(struct pprof_tables *t, struct cg_wire message, const struct fields *f)
{
	struct cg_wire_field field;
	enum cg_wire_status got;
	int status = CG_OK;

	memset(f->values, 0, (f->count + 1) * sizeof *f->values);
	while (!status && (got = cg_wire_next(&message, &field)) != CG_WIRE_END) {
		if (got != CG_WIRE_FIELD)
			return cg_pprof_fail_wire(t, CG_WIRE_MALFORMED);
		if (field.type == CG_WIRE_NUMBER && field.number <= f->count)
			f->values[field.number] = field.value;
		else if (f->inner && field.number == f->message && field.type == CG_WIRE_BYTES)
			status = f->inner(t, field.bytes);
	}
	return status;
}

static int read_pprof_type(struct pprof_tables *t, struct cg_wire message, struct pprof_type *out)
{
	uint64_t v[3];
	int status = read_pprof_fields(t, message, &(struct fields){ v, 2, 0, NULL });
	if (!status)
		*out = (struct pprof_type){ .name = v[1], .unit = v[2] };
	return status;
}

/* ---- rows with IDs ---- */

struct id_key {
	const struct pprof_tables *t;
	uint64_t id;
};

static bool has_mapping_id(const void *context, uint32_t row)
{
	const struct id_key *k = context;
	return k->t->mappings[row].id == k->id;
}

static bool has_function_id(const void *context, uint32_t row)
{
	const struct id_key *k = context;
	return k->t->functions[row].id == k->id;
}

static bool has_location_id(const void *context, uint32_t row)
{
	const struct id_key *k = context;
	return k->t->locations[row].id == k->id;
}

static uint32_t hash_id(const struct pprof_tables *t, uint64_t id)
{
	uint64_t secret = cg_builder_secret(t->stacks->b);
	return (uint32_t)cg_hash_keyed(secret, id);
}

static uint32_t find_pprof_row(const struct pprof_tables *t, const struct cg_index *ids,
			       bool (*same)(const void *context, uint32_t row), uint64_t id)
{
	const struct id_key key = { t, id };
	return id ? cg_index_find(ids, hash_id(t, id), same, &key) : 0;
}

/* Before the row is made, which is the `count`th. */
static int enter_id(struct pprof_tables *t, struct cg_index *ids,
		    bool (*same)(const void *context, uint32_t row), uint64_t id, size_t count,
		    const char *what)
{
	if (id == 0 || find_pprof_row(t, ids, same, id))
		return cg_pprof_fail(t, what, id);
	if (count > UINT32_MAX)
		return cg_stacks_fail(t->stacks, CG_ERANGE, "too many functions");
	if (cg_index_reserve(ids))
		return cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	cg_index_insert(ids, hash_id(t, id), (uint32_t)count);
	return CG_OK;
}

uint32_t cg_pprof_find_location(const struct pprof_tables *t, uint64_t id)
{
	return find_pprof_row(t, &t->location_ids, has_location_id, id);
}

/* ---- tables ---- */

static int add_string(struct pprof_tables *t, struct cg_wire text)
{
	if (cg_grow(&t->strings, &t->strings_cap, t->nstrings + 1, sizeof *t->strings))
		return cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	t->strings[t->nstrings++] = text;
	return CG_OK;
}

static int add_type(struct pprof_tables *t, struct cg_wire message)
{
	struct pprof_type type;
	int status = read_pprof_type(t, message, &type);
	if (status)
		return status;
	if (t->ntypes == CG_MAX_EVENTS)
		return cg_stacks_fail(t->stacks, CG_ERANGE, "more than 256 types of samples");
	if (cg_grow(&t->types, &t->types_cap, t->ntypes + 1, sizeof *t->types))
		return cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	t->types[t->ntypes++] = type;
	return CG_OK;
}

static int add_mapping(struct pprof_tables *t, struct cg_wire message)
{
	uint64_t v[6];
	size_t row = t->nmappings + 1;
	int status = read_pprof_fields(t, message, &(struct fields){ v, 5, 0, NULL });
	if (!status && cg_grow(&t->mappings, &t->mappings_cap, row + 1, sizeof *t->mappings))
		status = cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	if (!status)
		status = enter_id(t, &t->mapping_ids, has_mapping_id, v[1], row,
				  "the ID of a mapping is 0 or occurs twice:");
	if (status)
		return status;
	t->mappings[row] = (struct pprof_mapping){
		.id = v[1], .start = v[2], .offset = v[4], .file = v[5]
	};
	t->nmappings = row;
	return CG_OK;
}

static int add_pprof_function(struct pprof_tables *t, struct cg_wire message)
{
	uint64_t v[5];
	size_t row = t->nfunctions + 1;
	int status = read_pprof_fields(t, message, &(struct fields){ v, 4, 0, NULL });
	if (!status && cg_grow(&t->functions, &t->functions_cap, row + 1, sizeof *t->functions))
		status = cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	if (!status)
		status = enter_id(t, &t->function_ids, has_function_id, v[1], row,
				  "the ID of a function is 0 or occurs twice:");
	if (status)
		return status;
	t->functions[row] = (struct pprof_function){
		.id = v[1], .name = v[2], .system_name = v[3], .file = v[4]
	};
	t->nfunctions = row;
	return CG_OK;
}

static int add_line(struct pprof_tables *t, struct cg_wire message)
{
	uint64_t v[3];
	int status = read_pprof_fields(t, message, &(struct fields){ v, 2, 0, NULL });
	if (!status && cg_grow(&t->lines, &t->lines_cap, t->nlines + 1, sizeof *t->lines))
		status = cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	if (!status)
		t->lines[t->nlines++] = (struct pprof_line){ .function = v[1],
							     .line = (int64_t)v[2] };
	return status;
}

static int add_location(struct pprof_tables *t, struct cg_wire message)
{
	uint64_t v[4];
	size_t row = t->nlocations + 1, first = t->nlines;
	int status = read_pprof_fields(t, message, &(struct fields){ v, 3, 4, add_line });
	if (!status && t->nlines - first > MOST_LINES_OF_LOCATION)
		status = cg_pprof_fail(t, "too many functions are inlined at location", v[1]);
	if (!status && cg_grow(&t->locations, &t->locations_cap, row + 1, sizeof *t->locations))
		status = cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	if (!status)
		status = enter_id(t, &t->location_ids, has_location_id, v[1], row,
				  "the ID of a location is 0 or occurs twice:");
	if (status)
		return status;
	t->locations[row] = (struct pprof_location){ .id = v[1],
						     .mapping = v[2],
						     .address = v[3],
						     .first_line = first,
						     .nlines = t->nlines - first };
	t->nlocations = row;
	return CG_OK;
}

static int add_comment(struct pprof_tables *t, uint64_t string)
{
	if (cg_grow(&t->comments, &t->comments_cap, t->ncomments + 1, sizeof *t->comments))
		return cg_stacks_fail(t->stacks, CG_ENOMEM, "");
	t->comments[t->ncomments++] = string;
	return CG_OK;
}

static int add_packed_comments(struct pprof_tables *t, struct cg_wire packed)
{
	uint64_t string;
	int status = CG_OK;

	while (!status && packed.at < packed.end)
		status = cg_wire_take_number(&packed, &string)
				 ? add_comment(t, string)
				 : cg_pprof_fail_wire(t, CG_WIRE_MALFORMED);
	return status;
}

static int read_bytes_field(struct pprof_tables *t, const struct cg_wire_field *f)
{
	switch (f->number) {
	case PPROF_SAMPLE_TYPE:
		return add_type(t, f->bytes);
	case PPROF_MAPPING:
		return add_mapping(t, f->bytes);
	case PPROF_LOCATION:
		return add_location(t, f->bytes);
	case PPROF_FUNCTION:
		return add_pprof_function(t, f->bytes);
	case PPROF_STRING:
		return add_string(t, f->bytes);
	case PPROF_PERIOD_TYPE:
		return read_pprof_type(t, f->bytes, &t->period_type);
	case PPROF_COMMENT:
		return add_packed_comments(t, f->bytes);
	default:
		return CG_OK;
	}
}

static int read_number_field(struct pprof_tables *t, const struct cg_wire_field *f)
{
	if (f->number == PPROF_PERIOD)
		t->period = (int64_t)f->value > 0 ? f->value : 0;
	else if (f->number == PPROF_DEFAULT_TYPE)
		t->default_type = f->value;
	else if (f->number == PPROF_COMMENT)
		return add_comment(t, f->value);
	else if (f->number == PPROF_DROP_FRAMES)
		t->drops_frames = f->value != 0;
	return CG_OK;
}

/* ---- references ---- */

static int check_string(const struct pprof_tables *t, uint64_t string)
{
	return string < t->nstrings ? CG_OK : cg_pprof_fail(t, "there is no string", string);
}

static int check_type(const struct pprof_tables *t, const struct pprof_type *type)
{
	int status = check_string(t, type->name);
	return status ? status : check_string(t, type->unit);
}

static int check_strings(const struct pprof_tables *t)
{
	int status = check_type(t, &t->period_type);

	for (size_t i = 0; !status && i < t->ntypes; i++)
		status = check_type(t, &t->types[i]);
	for (size_t i = 1; !status && i <= t->nmappings; i++)
		status = check_string(t, t->mappings[i].file);
	for (size_t i = 1; !status && i <= t->nfunctions; i++) {
		const struct pprof_function *f = &t->functions[i];
		status = check_string(t, f->name);
		if (!status)
			status = check_string(t, f->system_name);
		if (!status)
			status = check_string(t, f->file);
	}
	for (size_t i = 0; !status && i < t->ncomments; i++)
		status = check_string(t, t->comments[i]);
	return status ? status : check_string(t, t->default_type);
}

static int resolve_locations(struct pprof_tables *t)
{
	for (size_t i = 1; i <= t->nlocations; i++) {
		uint64_t *mapping = &t->locations[i].mapping;
		uint32_t row = find_pprof_row(t, &t->mapping_ids, has_mapping_id, *mapping);
		if (*mapping && !row)
			return cg_pprof_fail(t, "there is no mapping", *mapping);
		*mapping = row;
	}
	for (size_t i = 0; i < t->nlines; i++) {
		uint64_t *function = &t->lines[i].function;
		uint32_t row = find_pprof_row(t, &t->function_ids, has_function_id, *function);
		if (*function && !row)
			return cg_pprof_fail(t, "there is no function", *function);
		*function = row;
	}
	return CG_OK;
}

int cg_pprof_read_tables(struct pprof_tables *t)
{
	struct cg_wire at = t->file;
	struct cg_wire_field field;
	enum cg_wire_status got;
	int status = CG_OK;

	while (!status && (got = cg_wire_next(&at, &field)) != CG_WIRE_END) {
		if (got != CG_WIRE_FIELD)
			return cg_pprof_fail_wire(t, got);
		if (field.type == CG_WIRE_BYTES)
			status = read_bytes_field(t, &field);
		else if (field.type == CG_WIRE_NUMBER)
			status = read_number_field(t, &field);
	}
	if (!status && t->ntypes == 0)
		status = cg_stacks_fail(t->stacks, CG_ESYNTAX,
					"not a valid pprof file: it has no types of samples");
	if (!status)
		status = check_strings(t);
	return status ? status : resolve_locations(t);
}
