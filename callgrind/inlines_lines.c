#include "callgrind/inlines_lines.h"

#include <stdlib.h>
#include <string.h>

/* A frame without a file, and the file of its lines, if it has any. */
struct fileless_frame {
	uint32_t frame, object; /* object: its number, from 1; 0: not known */
	uint64_t entry;
	cg_str file;    /* of the profile */
	uint64_t lines; /* so many more are in it than in others */
};

struct fileless_frames {
	struct cg_inlines *in;
	const struct cg_profile *p;
	struct fileless_frame *rows; /* by frame, then sorted */
	cg_str object;               /* of p, looked for last */
	const struct cg_inlines_object *found;
	uint32_t next; /* address, as most lines follow each other */
};

static bool lacks_file(const struct cg_frame *f)
{
	return f->name && !f->file;
}

/* The file that has most votes, if it has more than half of them; else one of those that have
 * many. */
static void vote_for_file(struct fileless_frame *row, cg_str file, uint64_t lines)
{
	if (row->file == file) {
		row->lines += lines;
	} else if (lines > row->lines) {
		row->file = file;
		row->lines = lines - row->lines;
	} else {
		row->lines -= lines;
	}
}

static void vote_of_line(struct fileless_frames *v, const struct cg_line *line)
{
	const struct cg_record *record = &v->p->records[line->record];
	cg_str object = v->p->functions[record->function].object;

	if (object != v->object) {
		v->object = object;
		v->found = cg_inlines_find_object(v->in, cg_string(v->p, object));
	}
	if (!object || !v->found)
		return;
	uint32_t frame = cg_inlines_frame_from(v->in, v->found, line->address, &v->next);
	if (frame && line->file && line->line)
		vote_for_file(&v->rows[frame], line->file, 1);
	for (; frame; frame = v->in->frames[frame].parent)
		v->rows[frame].object = (uint32_t)(v->found - v->in->objects) + 1;
}

static int compare_fileless(const void *left, const void *right)
{
	const struct fileless_frame *a = left, *b = right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

/* Those of one function, one after the other, follow each other. */
static int set_line_files(struct fileless_frames *v, size_t count)
{
	int status = CG_OK;

	for (size_t i = 0, next; !status && i < count; i = next) {
		struct fileless_frame sum = { .frame = 0 };
		const struct fileless_frame *first = &v->rows[i];
		cg_str file = 0;
		for (next = i; next < count && v->rows[next].object == first->object &&
			       v->rows[next].entry == first->entry;
		     next++)
			if (v->rows[next].file)
				vote_for_file(&sum, v->rows[next].file, v->rows[next].lines + 1);
		if (!sum.file || !first->object || !first->entry)
			continue;
		const char *text = cg_string(v->p, sum.file);
		status = cg_strings_add(&v->in->strings, text, strlen(text), &file);
		for (size_t k = i; !status && k < next; k++)
			v->in->frames[v->rows[k].frame].file = file;
	}
	return status;
}

static bool any_lacks_file(const struct cg_inlines *in)
{
	for (uint32_t i = 1; i < in->nframes; i++)
		if (lacks_file(&in->frames[i]))
			return true;
	return false;
}

int cg_inlines_find_line_files(struct cg_inlines *in, const struct cg_profile *p)
{
	struct fileless_frames v = { .in = in, .p = p };
	size_t count = 0;

	if (!any_lacks_file(in))
		return CG_OK;
	v.rows = calloc(in->nframes, sizeof *v.rows);
	if (!v.rows)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->nlines; i++)
		vote_of_line(&v, &p->lines[i]);
	for (uint32_t i = 1; i < in->nframes; i++) {
		struct fileless_frame row = v.rows[i];
		row.frame = i;
		row.entry = in->frames[i].entry;
		if (lacks_file(&in->frames[i]))
			v.rows[count++] = row;
	}
	qsort(v.rows, count, sizeof *v.rows, compare_fileless);
	int status = set_line_files(&v, count);
	free(v.rows);
	return status;
}
