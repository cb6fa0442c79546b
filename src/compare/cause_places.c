#include "src/compare/cause_places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/diff/place.h"
#include "src/load/keep_sources.h"
#include "src/text/text.h"

/* Both versions of a file, and which of their lines are the same. */
struct placed_file {
	char *names[CODE_SIDES];
	struct source_text texts[CODE_SIDES];
	struct code *code; /* NULL: a text is missing, or may be another one than was measured */
	uint32_t *base_of, *head_of;
	struct place_match match;
};

struct place_search {
	const struct causes *causes;
	const struct loaded *loaded[CODE_SIDES];
	const char *root;
	const char *const *dirs;
	struct placed_file *files;
	size_t nfiles, cap;
	struct cause_places *out;
};

/* ---- which lines are the same ---- */

/* The file as it is now may be that of head. It is not taken for that of base, too: then each line
 * would be the same in both. */
static bool are_measured(const struct source_text *base, const struct source_text *head)
{
	return (base->origin == SOURCE_TEXT_KEPT || base->origin == SOURCE_TEXT_COMMIT) &&
	       head->origin != SOURCE_TEXT_MISSING && head->origin != SOURCE_TEXT_NEWER;
}

static int number_placed_lines(struct placed_file *f)
{
	const size_t nbase = f->texts[CODE_BASE].count + 1, nhead = f->texts[CODE_HEAD].count + 1;

	f->head_of = calloc(nbase + 1, sizeof *f->head_of);
	f->base_of = calloc(nhead + 1, sizeof *f->base_of);
	if (!f->head_of || !f->base_of)
		return CG_ENOMEM;
	for (size_t i = 0; i < f->code->count; i++) {
		const struct code_line *line = &f->code->lines[i];
		uint32_t b = line->number[CODE_BASE], h = line->number[CODE_HEAD];
		if (!line->in[CODE_BASE] || !line->in[CODE_HEAD] || b >= nbase || h >= nhead)
			continue;
		f->head_of[b] = h;
		f->base_of[h] = b;
	}
	f->match = (struct place_match){ f->base_of, (uint32_t)nhead, f->head_of, (uint32_t)nbase };
	return CG_OK;
}

static int match_placed_file(const struct place_search *s, struct placed_file *f,
			     struct cg_error *err)
{
	static const struct source_file no_costs;
	struct code_sides sides;
	int status = CG_OK;

	for (int side = 0; !status && side < CODE_SIDES; side++) {
		status = loaded_source_text(s->loaded[side], f->names[side], s->dirs,
					    &f->texts[side], err);
		sides.side[side] = (struct code_side){ s->loaded[side]->profile, &no_costs,
						       &f->texts[side], NULL };
	}
	if (status || !are_measured(&f->texts[CODE_BASE], &f->texts[CODE_HEAD]))
		return status;
	if (code_make(&sides, true, true, &f->code) || number_placed_lines(f))
		return cg_fail_nomem(err);
	return CG_OK;
}

/* Where one side has no lines, its file is taken to have the same path. */
static int find_placed_file(struct place_search *s, const struct place *at,
			    const struct placed_file **out, struct cg_error *err)
{
	const char *names[CODE_SIDES] = { at->base_file ? at->base_file : at->file,
					  at->head_file ? at->head_file : at->file };

	for (size_t i = 0; i < s->nfiles; i++) {
		*out = &s->files[i];
		if (strcmp(s->files[i].names[CODE_BASE], names[CODE_BASE]) == 0 &&
		    strcmp(s->files[i].names[CODE_HEAD], names[CODE_HEAD]) == 0)
			return CG_OK;
	}
	if (cg_grow(&s->files, &s->cap, s->nfiles + 1, sizeof *s->files))
		return cg_fail_nomem(err);
	struct placed_file *f = &s->files[s->nfiles++];
	*f = (struct placed_file){ .names = { strdup(names[CODE_BASE]),
					      strdup(names[CODE_HEAD]) } };
	*out = f;
	return f->names[CODE_BASE] && f->names[CODE_HEAD] ? match_placed_file(s, f, err)
							  : cg_fail_nomem(err);
}

/* ---- one cause ---- */

static struct place_function place_function_of(const struct tree_row *row, const char *name)
{
	return (struct place_function){ .name = name, .object = row->object, .file = row->file };
}

/* What calls the function of a row: the row above it, or a function between them. */
static struct place_function placed_caller(const struct tree_row *caller,
					   const struct tree_side *side, const char *name)
{
	return side->via ? (struct place_function){ .name = side->via }
			 : (struct place_function){ .name = name,
						    .object = caller->object,
						    .file = caller->file };
}

static struct place_sides sides_of_cause(const struct place_search *s, const struct cause *c,
					 const struct place_match *match)
{
	return (struct place_sides){ .base = s->loaded[CODE_BASE]->profile,
				     .head = s->loaded[CODE_HEAD]->profile,
				     .metric = s->causes->tree->diff->options.metric,
				     .match = match,
				     .shrank = c->delta < 0,
				     .either = c->kind == CAUSE_TOGETHER };
}

/* Where a function calls what allocates for it, or, if it calls nothing, where it does. */
static int place_allocation(const struct place_search *s, const struct cause *c,
			    const struct place_match *match, struct place *out)
{
	const struct tree_row *rows = s->causes->tree->rows, *row = &rows[c->row];
	const struct tree_row *callee = &rows[c->callee];
	const struct place_sides sides = sides_of_cause(s, c, match);
	const struct place_function head = place_function_of(row, row->name);
	const struct place_function base = place_function_of(row, row->base_name);

	*out = (struct place){ 0 };
	if (!c->callee)
		return place_of_code(&sides, &base, &head, out);
	const struct place_call call = {
		.base_caller = placed_caller(row, &callee->base, row->base_name),
		.base_callee = place_function_of(callee, callee->base_name),
		.caller = placed_caller(row, &callee->head, row->name),
		.callee = place_function_of(callee, callee->name),
		.by_cost = true,
	};
	return place_of_call(&sides, &call, out);
}

/* With the code of what counts as the function, which may be nearly all of it. */
static int place_own_code(const struct place_sides *sides, const struct tree_diff *t,
			  const struct tree_row *row, struct place *out)
{
	struct place_function base = place_function_of(row, row->base_name);
	struct place_function head = place_function_of(row, row->name);
	struct place_function *in_base = calloc(row->nabsorbed + 1, sizeof *in_base);
	struct place_function *in_head = calloc(row->nabsorbed + 1, sizeof *in_head);
	int status = in_base && in_head ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 0; !status && i < row->nabsorbed; i++) {
		const struct tree_absorption *a = &t->absorbed[row->absorbed + i];
		const struct place_function f = { a->name, a->object, a->file, NULL, 0 };
		if (strcmp(a->file, row->file) != 0 || !text_is_known(a->file))
			continue;
		if (a->in_head)
			in_head[head.nalso++] = f;
		else
			in_base[base.nalso++] = f;
	}
	base.also = in_base;
	head.also = in_head;
	if (!status)
		status = place_of_code(sides, &base, &head, out);
	free(in_base);
	free(in_head);
	return status;
}

static int place_cause(const struct place_search *s, const struct cause *c,
		       const struct place_match *match, struct place *out)
{
	const struct tree_row *rows = s->causes->tree->rows, *row = &rows[c->row];
	const struct tree_row *caller = &rows[c->caller];
	const struct place_sides sides = sides_of_cause(s, c, match);
	const struct place_function head = place_function_of(row, row->name);
	const struct place_function base = place_function_of(row, row->base_name);
	int status = CG_OK;

	*out = (struct place){ 0 };
	if (cause_is_allocation(c))
		return place_allocation(s, c, match, out);
	if (!cause_is_call(c))
		return place_own_code(&sides, s->causes->tree, row, out);
	const struct place_call call = {
		.base_caller = placed_caller(caller, &row->base, caller->base_name),
		.base_callee = base,
		.caller = placed_caller(caller, &row->head, caller->name),
		.callee = head,
		.by_cost = c->kind != CAUSE_CALLS,
	};
	status = place_of_call(&sides, &call, out);
	/* Which line calls inlined code is not always known. */
	return status || out->file ? status
				   : place_of_code(&sides, &call.base_caller, &call.caller, out);
}

/* Where the file is for whoever works in the project; relative paths are so already. */
static const char *path_from_root(const struct place_search *s, const char *file)
{
	size_t len = s->root ? strlen(s->root) : 0;

	if (len && strncmp(file, s->root, len) == 0 && file[len] == '/')
		return file + len + 1;
	return *file == '/' ? cg_base_name(file) : file;
}

static bool is_at(const struct place *at, const struct code_line *line)
{
	int side = at->in_base ? CODE_BASE : CODE_HEAD;
	return line->in[side] && line->number[side] == at->line;
}

static char sign_of_line(const struct code_line *line)
{
	return line->in[CODE_BASE] == line->in[CODE_HEAD] ? ' ' : line->in[CODE_HEAD] ? '+' : '-';
}

/* The lines around a place, if some of them changed. */
static int copy_placed_lines(const struct placed_file *f, const struct place *at,
			     struct cause_place *out)
{
	enum { AROUND = 3 };
	size_t from = 0, to, count = f->code->count, changed = 0;

	while (from < count && !is_at(at, &f->code->lines[from]))
		from++;
	if (from == count)
		return CG_OK;
	to = count - from > AROUND ? from + AROUND + 1 : count;
	from = from > AROUND ? from - AROUND : 0;
	struct cause_line *lines = calloc(to - from + 1, sizeof *lines);
	if (!lines)
		return CG_ENOMEM;
	out->lines = lines;
	for (size_t i = from; i < to; i++) {
		const struct code_line *line = &f->code->lines[i];
		int side = line->in[CODE_HEAD] ? CODE_HEAD : CODE_BASE;
		char *text = strdup(code_text(line) ? code_text(line) : "");
		if (!text)
			return CG_ENOMEM;
		lines[out->nlines++] = (struct cause_line){ sign_of_line(line), line->number[side],
							    text };
		changed += sign_of_line(line) != ' ';
	}
	if (!changed)
		while (out->nlines)
			free((char *)lines[--out->nlines].text);
	return CG_OK;
}

static int keep_place(const struct place_search *s, const struct place *at,
		      const struct placed_file *f, struct cause_place *out)
{
	char *file = strdup(at->file), *path = strdup(path_from_root(s, at->file));

	*out = (struct cause_place){
		.file = file, .path = path, .line = at->line, .in_base = at->in_base
	};
	if (!file || !path)
		return CG_ENOMEM;
	return f->code ? copy_placed_lines(f, at, out) : CG_OK;
}

/* The second time it is known which lines are the same. */
static int find_cause_place(struct place_search *s, const struct cause *c, struct cause_place *out,
			    struct cg_error *err)
{
	const struct placed_file *f = NULL;
	struct place at;

	if (place_cause(s, c, NULL, &at))
		return cg_fail_nomem(err);
	if (!at.file || !*at.file || strcmp(at.file, "???") == 0)
		return CG_OK;
	int status = find_placed_file(s, &at, &f, err);
	if (!status && f->code && place_cause(s, c, &f->match, &at))
		status = cg_fail_nomem(err);
	if (!status && keep_place(s, &at, f, out))
		status = cg_fail_nomem(err);
	return status;
}

/* ---- all of them ---- */

static void free_placed_files(struct place_search *s)
{
	for (size_t i = 0; i < s->nfiles; i++) {
		struct placed_file *f = &s->files[i];
		for (int side = 0; side < CODE_SIDES; side++) {
			free(f->names[side]);
			source_text_free(&f->texts[side]);
		}
		code_free(f->code);
		free(f->base_of);
		free(f->head_of);
	}
	free(s->files);
}

/* Places are where lines differ; those of one side alone would all do. */
static bool names_lines(const struct cg_profile *p)
{
	for (uint32_t i = 1; p->has_lines && i < p->nlines; i++)
		if (p->lines[i].line)
			return true;
	return false;
}

int cause_places_find(const struct causes *causes, const struct chosen_causes *chosen,
		      const struct loaded *base, const struct loaded *head, const char *root,
		      const char *const *dirs, struct cause_places *out, struct cg_error *err)
{
	struct place_search s = {
		.causes = causes, .loaded = { base, head }, .root = root, .dirs = dirs, .out = out
	};
	int status = CG_OK;

	*out = (struct cause_places){ 0 };
	if (!names_lines(base->profile) || !names_lines(head->profile))
		return CG_OK;
	out->items = calloc(chosen->count + 1, sizeof *out->items);
	if (!out->items)
		return cg_fail_nomem(err);
	while (!status && out->count < chosen->count && out->count < CAUSE_PLACES_MAX) {
		const struct cause *c = &causes->items[chosen->items[out->count]];
		status = find_cause_place(&s, c, &out->items[out->count++], err);
	}
	free_placed_files(&s);
	return status;
}

void cause_places_free(struct cause_places *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct cause_place *at = &p->items[i];
		for (size_t k = 0; k < at->nlines; k++)
			free((char *)at->lines[k].text);
		free((struct cause_line *)at->lines);
		free((char *)at->file);
		free((char *)at->path);
	}
	free(p->items);
	*p = (struct cause_places){ 0 };
}
