#include <stdlib.h>
#include <string.h>

#include "callgrind/reader_state.h"

/* Most lines of a record are in one of a few frames. */
#define KNOWN 4096

/* A record, a frame or a line in its machine code, and the record of what is there. */
struct known {
	uint32_t host, place, record;
	cg_str file; /* of the line; 0: of a frame */
};

struct inlined_records {
	const struct cg_inlines *inlines;
	cg_str object; /* that was looked for last */
	const struct cg_inlines_object *found;
	uint32_t next; /* address, as most lines follow each other */
	cg_str *names, *files; /* per frame, in the profile; 0: not looked up yet */
	struct known *known;
};

int cg_reader_open_inlined(struct reader *r)
{
	const struct cg_inlines *inlines = r->options->inlines;
	bool any = inlines && inlines->nframes > 1;
	struct inlined_records *made = any ? calloc(1, sizeof *made) : NULL;
	if (!any)
		return CG_OK;
	if (made) {
		made->inlines = inlines;
		made->names = calloc(inlines->nframes, sizeof *made->names);
		made->files = calloc(inlines->nframes, sizeof *made->files);
		made->known = calloc(KNOWN, sizeof *made->known);
	}
	r->inlined_records = made;
	return made && made->names && made->files && made->known
		       ? CG_OK : cg_reader_fail(r, CG_ENOMEM, "");
}

void cg_reader_close_inlined(struct reader *r)
{
	if (!r->inlined_records)
		return;
	free(r->inlined_records->names);
	free(r->inlined_records->files);
	free(r->inlined_records->known);
	free(r->inlined_records);
}

static int find_text(struct reader *r, cg_str of_frame, cg_str *text)
{
	const char *bytes = cg_strings_get(&r->options->inlines->strings, of_frame);
	return of_frame ? cg_build_string(r->b, bytes, strlen(bytes), text) : CG_OK;
}

static int find_frame_record(struct reader *r, uint32_t frame, uint32_t host, uint32_t *record)
{
	static const char unknown[] = "???";
	struct inlined_records *in = r->inlined_records;
	const struct cg_frame *f = &in->inlines->frames[frame];
	int status = CG_OK;

	if (!in->names[frame]) {
		status = find_text(r, f->file, &in->files[frame]);
		if (!status)
			status = f->name ? find_text(r, f->name, &in->names[frame])
					 : cg_build_string(r->b, unknown, sizeof unknown - 1,
							   &in->names[frame]);
	}
	struct packed name = { .name = in->names[frame], .level = 1 };
	return status ? cg_reader_fail(r, status, "too many names")
		      : cg_reader_find_record(r, r->object, in->files[frame], &name, host, record);
}

/* From the function in whose machine code they are to the innermost. */
static int find_chain(struct reader *r, uint32_t frame, uint32_t *record)
{
	const struct cg_frame *frames = r->inlined_records->inlines->frames;
	uint32_t chain[CG_MAX_INLINED_DEPTH], depth = 0;
	int status = CG_OK;

	for (; frames[frame].parent; frame = frames[frame].parent) {
		if (depth == CG_MAX_INLINED_DEPTH)
			memmove(chain, chain + 1, --depth * sizeof *chain);
		chain[depth++] = frame;
	}
	*record = r->record;
	while (!status && depth)
		status = find_frame_record(r, chain[--depth], *record, record);
	return status;
}

static const struct cg_inlines_object *current_object(struct reader *r)
{
	struct inlined_records *in = r->inlined_records;
	if (in->object != r->object) {
		in->object = r->object;
		in->found = cg_inlines_object(in->inlines, cg_string(cg_builder_profile(r->b),
								     r->object));
	}
	return r->object ? in->found : NULL;
}

/* The record of a frame that is not the host's own. */
static int find_record(struct reader *r, uint32_t frame, uint32_t *record)
{
	*record = r->record;
	bool inlined = frame && r->inlined_records->inlines->frames[frame].parent;
	return inlined ? find_chain(r, frame, record) : CG_OK;
}

static uint32_t frame_of_line(const struct reader *r, const struct cg_position *at)
{
	const struct cg_profile *p = cg_builder_profile(r->b);
	cg_str function = p->functions[p->records[r->record].function].name;
	return cg_inlines_frame_of_line(r->inlined_records->inlines, cg_string(p, r->object),
					cg_string(p, function), cg_string(p, at->file), at->line);
}

int cg_reader_find_inlined(struct reader *r, const struct cg_position *at, uint32_t *record)
{
	struct inlined_records *in = r->inlined_records;
	bool by_line = in->inlines->lines != NULL;
	const struct cg_inlines_object *object = by_line ? NULL : current_object(r);
	uint32_t frame = object ? cg_inlines_frame_from(in->inlines, object, at->address, &in->next) : 0;
	struct known wanted = { .host = r->record, .place = by_line ? at->line : frame,
				.file = by_line ? at->file : 0 };

	*record = r->record;
	if (!wanted.place || r->aside)
		return CG_OK;
	uint64_t hash = cg_hash_mix(cg_hash_mix(wanted.place, wanted.host), wanted.file);
	struct known *known = &in->known[hash % KNOWN];
	if (known->host != wanted.host || known->place != wanted.place ||
	    known->file != wanted.file) {
		int status = find_record(r, by_line ? frame_of_line(r, at) : frame, &wanted.record);
		if (status)
			return status;
		*known = wanted;
	}
	*record = known->record;
	return CG_OK;
}
