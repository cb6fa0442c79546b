#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/names.h"
#include "src/diff/metric.h"
#include "src/report/export/export.h"
#include "src/report/export/protobuf.h"
#include "src/text/text.h"
#include "src/view/flat.h"

/* Numbers of fields, of profile.proto in github.com/google/pprof. */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
};
enum value_type_field { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2 };
enum mapping_field {
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILES = 8,
	MAPPING_HAS_LINES = 9,
	MAPPING_HAS_INLINED = 10,
};
enum location_field {
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4
};
enum line_field { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_FILE = 4, FUNCTION_LINE = 5 };

/* A function with all that it is inlined into. */
struct location {
	uint32_t function;
	uint32_t around;  /* the location that it is inlined into; 0: none */
	uint64_t address; /* the lowest known; 0: none */
	bool written;
};

struct pprof_writer {
	const struct export *x;
	const struct cg_profile *p;
	FILE *to;
	int status;
	struct protobuf message, inner; /* one at a time */
	uint32_t *text;                 /* per text of the profile: its place in pprof's table */
	uint32_t ntexts;
	bool *has_function; /* those that were written */
	uint32_t *mapping;  /* per text, the path of an object; 0: none yet */
	uint32_t nmappings;
	struct location *locations; /* 0 is unused, but for searching */
	uint32_t nlocations;
	size_t locations_cap;
	struct cg_index index;
	uint32_t *location; /* per node */
};

static void fail_pprof(struct pprof_writer *w)
{
	w->status = CG_ENOMEM;
}

static void write_message(struct pprof_writer *w, enum profile_field field)
{
	if (protobuf_write(&w->message, field, w->to))
		fail_pprof(w);
}

/* ---- texts ---- */

/* Texts may be written between messages, in the order of their numbers. */
static uint32_t add_text(struct pprof_writer *w, const char *text)
{
	char *safe = text_safe(text);
	struct protobuf bytes = { (unsigned char *)safe, safe ? strlen(safe) : 0, 0, !safe };

	if (protobuf_write(&bytes, PROFILE_STRING, w->to))
		fail_pprof(w);
	free(safe);
	return w->ntexts++;
}

static uint32_t text_of(struct pprof_writer *w, cg_str text)
{
	if (text && !w->text[text])
		w->text[text] = add_text(w, cg_string(w->p, text));
	return w->text[text];
}

/* ---- mappings ---- */

/* What is said to be known, pprof does not look for in the object, which may be another
 * by now. */
static void write_mapping(struct pprof_writer *w, cg_str object)
{
	struct protobuf *m = &w->message;
	const char *path = cg_string(w->p, object);
	bool known = w->x->build_id && strcmp(cg_base_name(path), w->x->image) == 0;
	uint32_t build_id = known ? add_text(w, w->x->build_id) : 0;

	w->mapping[object] = ++w->nmappings;
	protobuf_number(m, MAPPING_ID, w->nmappings);
	protobuf_number(m, MAPPING_LIMIT, UINT64_MAX);
	protobuf_number(m, MAPPING_FILE, text_of(w, object));
	protobuf_number(m, MAPPING_BUILD_ID, build_id);
	protobuf_number(m, MAPPING_HAS_FUNCTIONS, true);
	protobuf_number(m, MAPPING_HAS_FILES, true);
	protobuf_number(m, MAPPING_HAS_LINES, true);
	protobuf_number(m, MAPPING_HAS_INLINED, true);
	write_message(w, PROFILE_MAPPING);
}

static uint32_t mapping_of(struct pprof_writer *w, cg_str object)
{
	if (object && !w->mapping[object])
		write_mapping(w, object);
	return w->mapping[object];
}

/* ---- locations ---- */

static bool same_location(const void *context, uint32_t id)
{
	const struct pprof_writer *w = context;
	const struct location *a = &w->locations[0], *b = &w->locations[id];
	return a->function == b->function && a->around == b->around;
}

static uint32_t location_of(struct pprof_writer *w, uint32_t function, uint32_t around)
{
	uint32_t hash = (uint32_t)cg_hash_mix(cg_hash_mix(around, function), 0);

	w->locations[0] = (struct location){ .function = function, .around = around };
	uint32_t id = cg_index_find(&w->index, hash, same_location, w);
	if (id)
		return id;
	if (cg_index_reserve(&w->index) ||
	    cg_grow(&w->locations, &w->locations_cap, (size_t)w->nlocations + 1,
		    sizeof *w->locations)) {
		fail_pprof(w);
		return 0;
	}
	id = w->nlocations++;
	w->locations[id] = w->locations[0];
	cg_index_insert(&w->index, hash, id);
	return id;
}

/* A record that is inlined has a higher number than the one around it. */
static void find_addresses(struct pprof_writer *w)
{
	const struct cg_profile *p = w->p;
	uint32_t *of_record = calloc((size_t)p->nrecords + 1, sizeof *of_record);

	if (!of_record)
		fail_pprof(w);
	for (uint32_t r = 1; r < p->nrecords && !w->status; r++)
		of_record[r] = location_of(w, p->records[r].function,
					   of_record[p->records[r].inlined_into]);
	for (uint32_t i = 1; i < p->nlines && !w->status; i++) {
		struct location *l = &w->locations[of_record[p->lines[i].record]];
		uint64_t address = p->lines[i].address;
		if (address && (!l->address || address < l->address))
			l->address = address;
	}
	free(of_record);
}

static void find_locations(struct pprof_writer *w)
{
	const struct cg_tree *t = w->x->tree;

	for (uint32_t i = 1; i < t->count && !w->status; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		w->location[i] = location_of(w, n->function,
					     n->inlined ? w->location[n->parent] : 0);
	}
}

static void write_pprof_function(struct pprof_writer *w, uint32_t function)
{
	const struct cg_function *f = &w->p->functions[function];
	uint32_t name = f->name ? text_of(w, f->name) : add_text(w, view_function(w->p, function));
	uint32_t file = text_of(w, f->file);

	protobuf_number(&w->message, FUNCTION_ID, function);
	protobuf_number(&w->message, FUNCTION_NAME, name);
	protobuf_number(&w->message, FUNCTION_FILE, file);
	protobuf_number(&w->message, FUNCTION_LINE, w->x->first_line[function]);
	write_message(w, PROFILE_FUNCTION);
	w->has_function[function] = true;
}

static void write_location(struct pprof_writer *w, uint32_t id)
{
	const struct location *l = &w->locations[id];
	uint32_t mapping = mapping_of(w, w->p->functions[l->function].object);

	for (uint32_t at = id; at; at = w->locations[at].around)
		if (!w->has_function[w->locations[at].function])
			write_pprof_function(w, w->locations[at].function);
	protobuf_number(&w->message, LOCATION_ID, id);
	protobuf_number(&w->message, LOCATION_MAPPING, mapping);
	protobuf_number(&w->message, LOCATION_ADDRESS, l->address);
	for (uint32_t at = id; at; at = w->locations[at].around) {
		uint32_t function = w->locations[at].function;
		protobuf_number(&w->inner, LINE_FUNCTION, function);
		protobuf_number(&w->inner, LINE_LINE, w->x->first_line[function]);
		protobuf_take(&w->message, LOCATION_LINE, &w->inner);
	}
	write_message(w, PROFILE_LOCATION);
	w->locations[id].written = true;
}

/* ---- samples ---- */

/* The node that called the code in which this one is; 0: none. */
static uint32_t caller_of(const struct cg_tree *t, uint32_t node)
{
	while (t->nodes[node].inlined && t->nodes[node].parent)
		node = t->nodes[node].parent;
	return t->nodes[node].parent;
}

static bool has_pprof_cost(const struct pprof_writer *w, uint32_t node)
{
	const int64_t *self = w->x->tree->self + (size_t)node * w->p->nevents;
	for (size_t i = 0; i < w->x->nevents; i++)
		if (self[w->x->events[i]])
			return true;
	return false;
}

static void write_sample(struct pprof_writer *w, uint32_t node)
{
	const struct cg_tree *t = w->x->tree;
	const int64_t *self = t->self + (size_t)node * w->p->nevents;

	for (uint32_t n = node; n; n = caller_of(t, n))
		if (!w->locations[w->location[n]].written)
			write_location(w, w->location[n]);
	for (uint32_t n = node; n; n = caller_of(t, n))
		protobuf_add_packed(&w->inner, w->location[n]);
	protobuf_take(&w->message, SAMPLE_LOCATION, &w->inner);
	for (size_t i = 0; i < w->x->nevents; i++)
		protobuf_add_packed(&w->inner, (uint64_t)self[w->x->events[i]]);
	protobuf_take(&w->message, SAMPLE_VALUE, &w->inner);
	write_message(w, PROFILE_SAMPLE);
}

/* ---- the file ---- */

static void write_types(struct pprof_writer *w)
{
	uint32_t count = add_text(w, "count");

	for (size_t i = 0; i < w->x->nevents; i++) {
		cg_str name = w->p->events[w->x->events[i]].name;
		const char *unit = metric_unit(w->p, cg_string(w->p, name));
		protobuf_number(&w->message, VALUE_TYPE, text_of(w, name));
		protobuf_number(&w->message, VALUE_UNIT, *unit ? add_text(w, unit) : count);
		write_message(w, PROFILE_SAMPLE_TYPE);
	}
}

/* A number beside the messages is a field of the file's own message. */
static void write_number(struct pprof_writer *w, enum profile_field field, uint64_t value)
{
	protobuf_number(&w->message, field, value);
	if (w->message.failed)
		fail_pprof(w);
	else if (w->message.used)
		fwrite(w->message.bytes, 1, w->message.used, w->to);
	w->message.used = 0;
}

static bool is_written(const struct export *x, uint32_t event)
{
	for (size_t i = 0; i < x->nevents; i++)
		if (x->events[i] == event)
			return true;
	return false;
}

/* pprof takes the first mapping for the program. */
static void write_program(struct pprof_writer *w)
{
	uint32_t function = cg_tree_main(w->x->tree);
	if (function)
		mapping_of(w, w->p->functions[function].object);
}

/* As irdiff reads it, and `pprof -comments` shows it: an estimate stays one. */
static void write_samples_behind(struct pprof_writer *w)
{
	for (size_t i = 0; i < w->x->nevents && !w->status; i++) {
		const char *event = cg_string(w->p, w->p->events[w->x->events[i]].name);
		uint64_t samples;
		char *text;
		if (!cg_samples_behind(w->p, event, &samples))
			continue;
		if (asprintf(&text, CG_SAMPLES_KEY ": %s %" PRIu64, event, samples) < 0) {
			fail_pprof(w);
			return;
		}
		write_number(w, PROFILE_COMMENT, add_text(w, text));
		free(text);
	}
}

static void write_pprof_file(struct pprof_writer *w)
{
	const struct cg_tree *t = w->x->tree;
	cg_str command = w->p->nparts ? w->p->parts[0].command : 0;

	add_text(w, "");
	write_types(w);
	if (is_written(w->x, t->event))
		write_number(w, PROFILE_DEFAULT_TYPE, text_of(w, w->p->events[t->event].name));
	write_number(w, PROFILE_COMMENT, add_text(w, w->x->creator));
	write_samples_behind(w);
	write_number(w, PROFILE_COMMENT, text_of(w, command));
	write_program(w);
	for (uint32_t i = 1; i < t->count && !w->status; i++)
		if (has_pprof_cost(w, i))
			write_sample(w, i);
}

static void prepare_pprof(struct pprof_writer *w)
{
	const struct cg_tree *t = w->x->tree;

	w->text = calloc((size_t)w->p->strings.count + 1, sizeof *w->text);
	w->mapping = calloc((size_t)w->p->strings.count + 1, sizeof *w->mapping);
	w->has_function = calloc((size_t)w->p->nfunctions + 1, sizeof *w->has_function);
	w->location = calloc((size_t)t->count + 1, sizeof *w->location);
	if (!w->text || !w->mapping || !w->has_function || !w->location ||
	    cg_grow(&w->locations, &w->locations_cap, 1, sizeof *w->locations))
		fail_pprof(w);
	w->nlocations = 1;
	if (!w->status)
		find_addresses(w);
	find_locations(w);
}

int export_pprof(const struct export *x, FILE *to, struct cg_error *err)
{
	struct pprof_writer w = { .x = x, .p = x->tree->profile, .to = to };

	prepare_pprof(&w);
	if (!w.status)
		write_pprof_file(&w);
	free(w.text);
	free(w.mapping);
	free(w.has_function);
	free(w.location);
	free(w.locations);
	cg_index_free(&w.index);
	protobuf_free(&w.message);
	protobuf_free(&w.inner);
	return w.status ? cg_fail_nomem(err) : CG_OK;
}
