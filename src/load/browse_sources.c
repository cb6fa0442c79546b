#include "src/load/browse_sources.h"

static int load_browsed_lines(struct browse_sources *s, struct cg_error *err)
{
	const char *base = s->operands[BROWSE_BASE], *head = s->operands[BROWSE_HEAD];
	struct load_options load = s->load;

	if (s->loaded)
		return CG_OK;
	if (!s->lasting)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "a profile from a pipe cannot be read again for its source lines");
	load.read.detail = (struct cg_detail){ .lines = true };
	load.stored = load.read.fold_inlined ? STORED_PLAIN : STORED_LINES;
	load.silent = load.unwatched = true;
	int status = base ? load_profiles(s->project, base, head, &load, &s->side[BROWSE_BASE],
					  &s->side[BROWSE_HEAD], err)
			  : load_profile(s->project, &head, 1, &load, &s->side[BROWSE_HEAD], err);
	s->loaded = !status;
	for (int i = 0; status && i < BROWSE_SIDES; i++)
		loaded_free(&s->side[i]);
	return status;
}

static const char *browsed_function_name(const struct browse_row *row, int side)
{
	return !row->side[side].present          ? NULL
	       : side == BROWSE_BASE && row->was ? row->was
						 : row->name;
}

static void take(struct browse_sources *s, int side, struct code_side *out)
{
	const struct function_source *found = &s->found[side];

	*out = (struct code_side){ s->side[side].profile, found->file, &found->text, found->note };
}

/* Lines without a file have no text. */
static bool is_found(const struct browse_sources *s, int side)
{
	return s->found[side].file && s->found[side].file->file;
}

static int find_browsed_side(struct browse_sources *s, int side, const struct browse_row *row,
			     struct code_side *out, struct cg_error *err)
{
	const char *object = *row->object ? row->object : NULL;
	int status = function_source_find(&s->side[side], browsed_function_name(row, side), object,
					  s->metric, s->dirs, &s->found[side], err);

	if (!status && is_found(s, side))
		take(s, side, out);
	return status;
}

/* The same file on the other side, which usually has it, even if it costs nothing there: otherwise
 * lines that both have would seem to be on one side only. */
static int find_other(struct browse_sources *s, int side, const struct browse_row *row,
		      struct code_side *out, struct cg_error *err)
{
	const char *object = *row->object ? row->object : NULL;
	int status = function_source_beside(&s->side[side], browsed_function_name(row, side),
					    object, s->metric, s->dirs, &s->side[!side],
					    &s->found[!side], &s->found[side], err);

	if (!status && (is_found(s, side) || s->found[side].text.path))
		take(s, side, out);
	return status;
}

/* The file is that of head, or of base if head lacks the function. */
static int find_browsed_source(void *of, const struct browse_row *row, struct code_sides *out,
			       struct cg_error *err)
{
	struct browse_sources *s = of;
	int status = load_browsed_lines(s, err);
	int first = row->side[BROWSE_HEAD].present ? BROWSE_HEAD : BROWSE_BASE, other = !first;

	*out = (struct code_sides){ 0 };
	for (int side = 0; side < BROWSE_SIDES; side++)
		function_source_free(&s->found[side]);
	if (!status)
		status = find_browsed_side(s, first, row, &out->side[first], err);
	if (status || !s->operands[BROWSE_BASE])
		return status;
	if (is_found(s, first))
		return find_other(s, other, row, &out->side[other], err);
	return browsed_function_name(row, other)
		       ? find_browsed_side(s, other, row, &out->side[other], err)
		       : CG_OK;
}

struct browse_code_finder browse_sources_finder(struct browse_sources *s)
{
	return (struct browse_code_finder){ .of = s, .find = find_browsed_source };
}

void browse_sources_free(struct browse_sources *s)
{
	for (int i = 0; i < BROWSE_SIDES; i++) {
		function_source_free(&s->found[i]);
		loaded_free(&s->side[i]);
	}
}
