#include "src/cmd/browse_sources.h"

static int load_lines(struct browse_sources *s, struct cg_error *err)
{
	const char *base = s->operands[BROWSE_BASE], *head = s->operands[BROWSE_HEAD];
	struct load_options load = s->load;

	if (s->loaded)
		return CG_OK;
	if (!s->lasting)
		return cg_fail(err, CG_EINVAL, NULL, 0, "a profile that came through a pipe cannot be "
			       "read again for its lines");
	load.read.detail = (struct cg_detail){ .lines = true };
	load.stored = load.read.fold_inlined ? STORED_PLAIN : STORED_LINES;
	load.silent = load.unwatched = true;
	int status = base ? load_profiles(s->project, base, head, &load, &s->side[BROWSE_BASE],
					  &s->side[BROWSE_HEAD], err) :
			    load_profile(s->project, &head, 1, &load, &s->side[BROWSE_HEAD], err);
	s->loaded = !status;
	for (int i = 0; status && i < BROWSE_SIDES; i++)
		loaded_free(&s->side[i]);
	return status;
}

static int find_side(struct browse_sources *s, int side, const char *name,
		     const struct browse_row *row, struct code_side *out, struct cg_error *err)
{
	struct function_source *found = &s->found[side];
	const char *object = *row->object ? row->object : NULL;
	int status = function_source_find(&s->side[side], name, object, s->metric, s->dirs, found,
					  err);

	/* Lines of no file are nothing to be read. */
	if (!status && found->file && found->file->file)
		*out = (struct code_side){ s->side[side].profile, found->file, &found->text,
					   found->note };
	return status;
}

static int find(void *of, const struct browse_row *row, struct code_sides *out,
		struct cg_error *err)
{
	struct browse_sources *s = of;
	int status = load_lines(s, err);

	*out = (struct code_sides){ 0 };
	for (int side = 0; !status && side < BROWSE_SIDES; side++) {
		const char *name = side == BROWSE_BASE && row->was ? row->was : row->name;
		function_source_free(&s->found[side]);
		if (row->side[side].present)
			status = find_side(s, side, name, row, &out->side[side], err);
	}
	return status;
}

struct browse_code_finder browse_sources_finder(struct browse_sources *s)
{
	return (struct browse_code_finder){ s, find };
}

void browse_sources_free(struct browse_sources *s)
{
	for (int i = 0; i < BROWSE_SIDES; i++) {
		function_source_free(&s->found[i]);
		loaded_free(&s->side[i]);
	}
}
