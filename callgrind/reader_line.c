#include "callgrind/reader_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/ahead.h"
#include "callgrind/name_clones.h"
#include "callgrind/paths.h"
#include "callgrind/reader_code.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"

/* Represents any function of a part that was not selected; no costs are added to it. */
#define NO_RECORD UINT32_MAX

/* A base from which no relative position leaves the range. */
#define MIDDLE (UINT64_C(1) << 63)

int cg_reader_fail(struct cg_reader *r, int code, const char *message)
{
	if (code == CG_ENOMEM)
		return cg_fail_nomem(&r->err);
	return cg_fail(&r->err, code, r->name, r->line_no, "%s", message);
}

int cg_reader_fail_expected(struct cg_reader *r, const struct line *l, const char *what)
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

int cg_reader_fail_sum(struct cg_reader *r, int code)
{
	return cg_reader_fail(r, code,
			      "the sum of the costs exceeds 2^63, or that of the calls 2^64");
}

/* The scanner goes over lines that would move them. */
static void forget_addresses(struct cg_reader *r)
{
	for (unsigned i = 0; i < r->npositions; i++)
		if (r->positions[i] != POSITION_LINE)
			r->base[i] = MIDDLE;
}

static int parse_positions_from(struct cg_reader *r, struct line *l, const uint64_t *base,
				uint64_t *positions)
{
	for (unsigned i = 0; i < r->npositions; i++) {
		struct line before = *l;
		if (!cg_line_parse_position(l, base ? base[i] : MIDDLE, &positions[i]))
			return cg_reader_fail_expected(r, &before,
						       r->positions[i] == POSITION_LINE
							       ? "a line number (N, +N, -N or *)"
							       : "an address (N, +N, -N or *)");
		if (base && r->positions[i] == POSITION_LINE && positions[i] > UINT32_MAX)
			return cg_reader_fail_expected(r, &before, "a line number below 2^32");
	}
	return CG_OK;
}

int cg_reader_parse_positions(struct cg_reader *r, struct line *l, uint64_t *positions)
{
	if (r->keep_positions && !r->keep_addresses)
		forget_addresses(r);
	return parse_positions_from(r, l, r->keep_positions ? r->base : NULL, positions);
}

int cg_reader_parse_target(struct cg_reader *r, struct line *l)
{
	uint64_t ignored[MAX_POSITIONS];
	return parse_positions_from(r, l, NULL, ignored);
}

int cg_reader_parse_costs(struct cg_reader *r, struct line *l)
{
	uint32_t column = 0;

	memset(r->costs, 0, r->nevents * sizeof *r->costs);
	for (cg_line_skip_blanks(l); l->at < l->end; cg_line_skip_blanks(l)) {
		struct line before = *l;
		int64_t cost;
		if (*l->at == '.' && (l->at++, cg_line_at_number_end(l)))
			cost = 0; /* cachegrind writes so what cannot happen on a line */
		else if (!cg_line_parse_cost(l, &cost) || !cg_line_at_number_end(l))
			return cg_reader_fail_expected(
				r, &before, "a cost (a whole number between -2^63 and 2^63)");
		if (column >= r->ncolumns)
			return cg_reader_fail_expected(r, &before, "no more costs than events");
		uint32_t event = r->column_event[column++];
		if (event != NO_EVENT)
			r->costs[event] = cost;
	}
	return CG_OK;
}

struct cg_position cg_reader_position_of(const struct cg_reader *r, const uint64_t *positions)
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

/* Compilers split code that seldom runs off a function, and Valgrind takes the jump
 * there for a call. */
static int define_joined(struct cg_reader *r, const struct name_line *n, struct packed *name)
{
	char *joined = malloc((size_t)n->len + 1);
	if (!joined)
		return CG_ENOMEM;
	*name = (struct packed){ .level = n->level, .part = cg_parts_count(r->parts) };
	size_t own = cg_name_without_cold(n->name, n->own_len);
	size_t callers = cg_name_join_cold(n->name, n->own_len, n->name + n->context_off,
					   n->len - n->context_off, joined);
	name->cold = own < n->own_len;
	int status = cg_build_string(r->b, n->name, own, &name->name);
	if (!status && cg_reader_has_code(r))
		status = cg_reader_look_up_code(r, n->name, own, joined, callers, name);
	else if (!status && r->options->detail.contexts)
		status = cg_build_context(r->b, joined, callers,
					  cg_hash_text(r->names.secret, joined, callers),
					  &name->context);
	free(joined);
	return status;
}

static bool names_file(const struct name_line *n)
{
	return n->key == NAME_FILE || n->key == NAME_LINE_FILE || n->key == NAME_CALLEE_FILE ||
	       n->key == NAME_TARGET_FILE;
}

static bool names_any_function(const struct name_line *n)
{
	return !names_file(n) && n->key != NAME_OBJECT && n->key != NAME_CALLEE_OBJECT;
}

/* Compilers get one file by several paths. */
static int define_file(struct cg_reader *r, const struct name_line *n, struct packed *name)
{
	char *path = strndup(n->name, n->len);
	if (!path)
		return CG_ENOMEM;
	*name = (struct packed){ .level = 1, .part = cg_parts_count(r->parts) };
	int status = cg_build_string(r->b, path, cg_path_normalise(path, strlen(path)),
				     &name->name);
	free(path);
	return status;
}

/* Few names have a dot. */
static bool may_be_cold(const char *name, size_t len)
{
	static const char cold[] = ".cold";
	const char *end = name + len, *dot = name;

	while ((dot = memchr(dot, '.', (size_t)(end - dot)))) {
		if ((size_t)(end - dot) >= sizeof cold - 1 &&
		    memcmp(dot, cold, sizeof cold - 1) == 0)
			return true;
		dot++;
	}
	return false;
}

static int define(struct cg_reader *r, const struct name_line *n, struct packed *name)
{
	if (names_file(n) && !cg_path_is_normal(n->name, n->len))
		return define_file(r, n, name);
	if (r->options->join_cold && may_be_cold(n->name, n->len))
		return define_joined(r, n, name);
	*name = (struct packed){ .level = n->level, .part = cg_parts_count(r->parts) };
	int status = cg_build_hashed(r->b, n->name, n->own_len, n->hash, &name->name);
	if (!status && cg_reader_has_code(r) && names_any_function(n))
		status = cg_reader_look_up_code(r, n->name, n->own_len, n->name + n->context_off,
						n->len - n->context_off, name);
	else if (!status && r->options->detail.contexts)
		status = cg_build_context(r->b, n->name + n->context_off, n->len - n->context_off,
					  n->context_hash, &name->context);
	return status;
}

static int fail_unknown_id(struct cg_reader *r, const struct name_line *n)
{
	char message[200];
	snprintf(message, sizeof message,
		 "expected the number of a name defined in the file, found \"(%" PRIu64 ")\"%s",
		 n->id,
		 r->later.known
			 ? ""
			 : "; if the definition comes later, read the file itself, not a pipe");
	return cg_reader_fail(r, CG_ESYNTAX, message);
}

/* Whoever joins parts may number names anew in each. */
static void note_redefinition(struct cg_reader *r, const struct name_table *space, uint64_t id,
			      const struct packed *name)
{
	uint32_t row = cg_name_table_find(space, id);
	const struct packed *known = row ? &space->names[row] : NULL;
	if (known && known->part == name->part &&
	    (known->name != name->name || known->level != name->level ||
	     known->context != name->context))
		cg_build_redefined(r->b);
}

static struct name_table *space_of(struct later *later, const struct cg_reader *r,
				   const struct name_table *space)
{
	return space == &r->objects ? &later->objects
	       : space == &r->files ? &later->files
				    : &later->functions;
}

static struct name_table *space_of_key(struct later *later, enum name_key key)
{
	switch (key) {
	case NAME_OBJECT:
	case NAME_CALLEE_OBJECT:
		return &later->objects;
	case NAME_FILE:
	case NAME_LINE_FILE:
	case NAME_CALLEE_FILE:
	case NAME_TARGET_FILE:
		return &later->files;
	default:
		return &later->functions;
	}
}

/* The first definition is the one that follows where a number is used before any. */
static int take_later(void *context, const struct name_line *n)
{
	struct cg_reader *r = context;
	struct name_table *space = space_of_key(&r->later, n->key);
	struct packed name;
	uint32_t row;

	if (!n->name || !n->has_id || cg_name_table_find(space, n->id))
		return CG_OK;
	int status = define(r, n, &name);
	if (!status)
		status = cg_build_check_size(r->b);
	return status ? status : cg_name_table_define(space, n->id, &name, &row);
}

static int read_names_ahead(struct cg_reader *r)
{
	const struct cg_ahead how = { r->names, take_later };
	struct cg_input *again = NULL;
	int status = cg_input_again(r->in, &again, &r->later.known, &r->err);
	if (!status && again)
		status = cg_ahead_names(again, &how, r, &r->err);
	cg_input_free(again);
	return status == CG_ERANGE ? cg_reader_fail(r, status, "too many names") : status;
}

static int find_later(struct cg_reader *r, const struct name_line *n, struct name_table *space,
		      struct packed *name, uint32_t *row)
{
	int status = r->later.known ? CG_OK : read_names_ahead(r);
	if (status)
		return status;
	const struct name_table *later = space_of(&r->later, r, space);
	uint32_t found = cg_name_table_find(later, n->id);
	if (!found)
		return fail_unknown_id(r, n);
	*name = later->names[found];
	status = cg_name_table_define(space, n->id, name, row);
	return status ? cg_reader_fail(r, status, "too many names") : CG_OK;
}

int cg_reader_find_name(struct cg_reader *r, const struct name_line *n, struct name_table *space,
			struct packed *name, uint32_t *row)
{
	if (!n->name) {
		*row = cg_name_table_find(space, n->id);
		if (!*row)
			return find_later(r, n, space, name, row);
		*name = space->names[*row];
		return CG_OK;
	}
	*row = 0;
	int status = define(r, n, name);
	if (!status && n->has_id) {
		note_redefinition(r, space, n->id, name);
		status = cg_name_table_define(space, n->id, name, row);
	}
	return status ? cg_reader_fail(r, status, "too many names") : CG_OK;
}

int cg_reader_rename_path(struct cg_reader *r, cg_str *name)
{
	const char *path = cg_string(cg_builder_profile(r->b), *name);

	for (size_t i = 0; i < r->options->npaths; i++) {
		const char *rest = cg_path_below(path, r->options->paths[i].seen);
		char *renamed;
		if (!rest)
			continue;
		if (asprintf(&renamed, "%s%s", r->options->paths[i].real, rest) < 0)
			return cg_reader_fail(r, CG_ENOMEM, "");
		int status = cg_build_string(r->b, renamed, strlen(renamed), name);
		free(renamed);
		return status ? cg_reader_fail(r, status, "too many names") : CG_OK;
	}
	return CG_OK;
}

int cg_reader_find_path(struct cg_reader *r, const struct name_line *n, struct name_table *space,
			cg_str *name)
{
	struct packed packed;
	uint32_t row;
	int status = cg_reader_find_name(r, n, space, &packed, &row);
	if (status)
		return status;
	*name = packed.name;
	if (strcmp(cg_string(cg_builder_profile(r->b), *name), "???") == 0)
		*name = 0;
	return r->options->npaths ? cg_reader_rename_path(r, name) : CG_OK;
}

int cg_reader_need_events(struct cg_reader *r)
{
	return r->ncolumns ? CG_OK
			   : cg_reader_fail(r, CG_ESYNTAX,
					    "no `events:` line before the first cost; is this a "
					    "callgrind or cachegrind file?");
}

int cg_reader_find_record(struct cg_reader *r, cg_str object, cg_str file,
			  const struct packed *name, uint32_t inlined_into, uint32_t *record)
{
	struct cg_function f = { .object = object, .file = file, .name = name->name };
	struct cg_record rec = { .level = name->level,
				 .context = name->context,
				 .inlined_into = inlined_into };
	int status = cg_reader_open_part(r);
	if (status)
		return status;
	if (r->aside) {
		*record = NO_RECORD;
		return CG_OK;
	}
	if (cg_reader_has_code(r))
		status = cg_reader_set_code(r, name, &f, &rec);
	if (!status && !inlined_into)
		status = cg_inlined_records_function(r->inlined_records, &f);
	if (!status)
		status = cg_inlined_records_context(r->inlined_records, &rec.context);
	if (!status)
		status = cg_build_function(r->b, &f, &rec.function);
	if (!status)
		status = cg_build_record(r->b, &rec, record);
	return status ? cg_reader_fail(r, status, "too many functions") : CG_OK;
}

/* Whether records are told apart by nothing but what a named_record has. */
static bool is_told_by_name(const struct cg_reader *r)
{
	return r->part_open && !r->aside && !r->options->detail.contexts && !r->inlined_records &&
	       !cg_reader_has_code(r);
}

/* Where the record is noted that a name stood for last; NULL without memory. */
static struct named_record *named_record_of(struct cg_reader *r, cg_str name)
{
	size_t known = r->named_records_cap;

	if (cg_grow(&r->named_records, &r->named_records_cap, (size_t)name + 1,
		    sizeof *r->named_records))
		return NULL;
	if (r->named_records_cap > known)
		memset(r->named_records + known, 0,
		       (r->named_records_cap - known) * sizeof *r->named_records);
	return &r->named_records[name];
}

/* Names with other callers are other names in the file, but the same function: it is looked up
 * for each of them. */
static int find_named_record(struct cg_reader *r, cg_str object, cg_str file,
			     const struct packed *name, uint32_t *record)
{
	struct named_record *last = is_told_by_name(r) ? named_record_of(r, name->name) : NULL;

	if (last && last->record && last->object == object && last->file == file &&
	    last->level == name->level) {
		*record = last->record;
		return CG_OK;
	}
	int status = cg_reader_find_record(r, object, file, name, 0, record);
	if (!status && last)
		*last = (struct named_record){ object, file, name->level, *record };
	return status;
}

/* Most lines repeat an id for the same object and file. */
int cg_reader_find_function(struct cg_reader *r, const struct packed *name, uint32_t row,
			    cg_str object, cg_str file, uint32_t *record)
{
	struct resolved *known = row ? &r->functions.resolved[row] : NULL;
	if (known && known->record && known->object == object && known->file == file) {
		*record = known->record;
		return CG_OK;
	}
	int status = find_named_record(r, object, file, name, record);
	if (!status && known && !r->aside)
		*known = (struct resolved){ object, file, *record };
	return status;
}
