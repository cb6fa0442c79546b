#include "src/load/browse_sources.h"

static int load_browsed_lines(struct browse_sources *s, struct cg_error *err)
{
	static const struct cg_detail detail = { .lines = true };
	const bool fold = s->profiles.load.read.fold_inlined;

	return load_again(&s->profiles, &detail, fold ? STORED_PLAIN : STORED_LINES, "source lines",
			  err);
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

	*out = (struct code_side){ s->profiles.side[side].profile, found->file, &found->text,
				   found->note };
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
	int status = function_source_find(&s->profiles.side[side], browsed_function_name(row, side),
					  object, s->metric, s->dirs, &s->found[side], err);

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
	int status = function_source_beside(
		&s->profiles.side[side], browsed_function_name(row, side), object, s->metric,
		s->dirs, &s->profiles.side[!side], &s->found[!side], &s->found[side], err);

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
	if (status || !s->profiles.operands[BROWSE_BASE])
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
	for (int i = 0; i < BROWSE_SIDES; i++)
		function_source_free(&s->found[i]);
	load_again_free(&s->profiles);
}
