#include "callgrind/inlines.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_dwarf.h"
#include "callgrind/support/grow.h"

/* An address of the profile, and the object that it is in. */
struct place {
	cg_str object;
	uint64_t address;
};

struct places {
	struct place *rows;
	size_t count;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void add_place(const struct cg_profile *p, struct places *places, uint32_t record,
		      uint64_t address)
{
	cg_str object = p->functions[p->records[record].function].object;
	struct place *last = places->count ? &places->rows[places->count - 1] : NULL;
	bool repeated = last && last->object == object && last->address == address;

	if (object && address && !repeated)
		places->rows[places->count++] = (struct place){ object, address };
}

/* All places of a profile, each once, sorted. */
static int collect_places(const struct cg_profile *p, struct places *places)
{
	size_t most = (size_t)p->nlines + p->ncalls, kept = 0;
	places->rows = malloc((most + 1) * sizeof *places->rows);
	if (!places->rows)
		return CG_ENOMEM;

	for (uint32_t i = 1; i < p->nlines; i++)
		add_place(p, places, p->lines[i].record, p->lines[i].address);
	for (uint32_t i = 1; i < p->ncalls; i++)
		add_place(p, places, p->calls[i].caller, p->calls[i].address);
	qsort(places->rows, places->count, sizeof *places->rows, compare_places);
	for (size_t i = 0; i < places->count; i++)
		if (!kept || compare_places(&places->rows[kept - 1], &places->rows[i]) != 0)
			places->rows[kept++] = places->rows[i];
	places->count = kept;
	return kept < UINT32_MAX ? CG_OK : CG_ERANGE;
}

static uint32_t count_objects(const struct places *places)
{
	uint32_t count = 0;
	for (size_t i = 0; i < places->count; i++)
		count += i == 0 || places->rows[i].object != places->rows[i - 1].object;
	return count;
}

static int fill(struct cg_inlines *in, const struct cg_profile *p, const struct places *places)
{
	struct cg_inlines_object *object = NULL;
	int status = CG_OK;

	in->addresses = malloc((places->count + 1) * sizeof *in->addresses);
	in->frame = calloc(places->count + 1, sizeof *in->frame);
	in->objects = calloc((size_t)count_objects(places) + 1, sizeof *in->objects);
	if (!in->addresses || !in->frame || !in->objects)
		return CG_ENOMEM;
	in->naddresses = (uint32_t)places->count;
	for (uint32_t i = 0; !status && i < places->count; i++) {
		cg_str path = places->rows[i].object;
		if (i == 0 || path != places->rows[i - 1].object) {
			const char *text = cg_string(p, path);
			object = &in->objects[in->nobjects++];
			object->first = i;
			status = cg_strings_add(&in->strings, text, strlen(text), &object->path);
		}
		object->count++;
		in->addresses[i] = places->rows[i].address;
	}
	return status;
}

int cg_inlines_add_frame(struct cg_inlines *in, const struct cg_frame *frame, uint32_t *id)
{
	if (in->nframes == UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&in->frames, &in->frames_cap, (size_t)in->nframes + 1, sizeof *in->frames))
		return CG_ENOMEM;
	*id = in->nframes++;
	in->frames[*id] = *frame;
	return CG_OK;
}

int cg_inlines_find(const struct cg_profile *p, struct cg_inlines **out)
{
	static const struct cg_frame unknown;
	struct places places = { 0 };
	uint32_t none;
	struct cg_inlines *in = calloc(1, sizeof *in);
	int status = in ? cg_strings_init(&in->strings) : CG_ENOMEM;

	if (!status)
		status = cg_inlines_add_frame(in, &unknown, &none);
	if (!status)
		status = collect_places(p, &places);
	if (!status)
		status = fill(in, p, &places);
	for (uint32_t i = 0; !status && i < in->nobjects; i++)
		status = cg_inlines_read_dwarf(in, &in->objects[i]);
	free(places.rows);
	if (status)
		cg_inlines_free(in);
	else
		*out = in;
	return status;
}

void cg_inlines_free(struct cg_inlines *in)
{
	if (!in)
		return;
	cg_strings_free(&in->strings);
	free(in->frames);
	free(in->addresses);
	free(in->frame);
	free(in->objects);
	free(in);
}

const struct cg_inlines_object *cg_inlines_object(const struct cg_inlines *in, const char *path)
{
	for (uint32_t i = 0; i < in->nobjects; i++)
		if (strcmp(cg_strings_get(&in->strings, in->objects[i].path), path) == 0)
			return &in->objects[i];
	return NULL;
}

uint32_t cg_inlines_frame(const struct cg_inlines *in, const struct cg_inlines_object *object,
			  uint64_t address)
{
	const uint64_t *addresses = in->addresses + object->first;
	uint32_t low = 0, high = object->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	bool known = low < object->count && addresses[low] == address;
	return known ? in->frame[object->first + low] : 0;
}

const char *cg_inlines_state_name(enum cg_inlines_state state)
{
	static const char *const names[] = {
		[CG_INLINES_FOUND] = "found",
		[CG_INLINES_NO_FILE] = "no such file",
		[CG_INLINES_NO_DEBUG] = "no debug information",
		[CG_INLINES_SPLIT] = "some .dwo files are missing",
		[CG_INLINES_DAMAGED] = "damaged debug information",
	};
	return names[state];
}
