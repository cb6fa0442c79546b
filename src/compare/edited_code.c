#include "src/compare/edited_code.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/names.h"
#include "src/compare/edited_parts.h"
#include "src/compare/edited_scope.h"
#include "src/diff/installed.h"
#include "src/view/code.h"

/* ---- functions ---- */

static struct found_edit join_edits(struct found_edit a, struct found_edit b)
{
	if (a.edit != b.edit)
		return a.edit > b.edit ? a : b;
	return a.use ? a : b;
}

static struct found_edit edit_of_text(const struct edited_file *f, size_t part)
{
	return (struct found_edit){ f->edited[part], f->uses ? f->uses[part] : 0 };
}

static const struct found_edit unknown_edit = { EDIT_UNKNOWN, 0 };

/* Of what is called so in its file. */
static struct found_edit edit_of_name(const struct edited_file *f, uint32_t wanted)
{
	enum { MOST_ALIKE = 1000 };
	size_t edited = 0, found = 0;
	struct found_edit most = { EDIT_NONE, 0 };

	if (!f->covered)
		return unknown_edit;
	if (!f->any)
		return most;
	const struct code_part first = { .name = wanted };
	for (size_t from = edited_parts_from(f, &first); from < f->parts.count; from++) {
		uint32_t part = f->by_name[from];
		if (f->parts.items[part].name != wanted)
			break;
		if (found > MOST_ALIKE)
			return unknown_edit;
		if (!f->parts.items[part].function)
			continue;
		found++;
		edited += f->edited[part] != EDIT_NONE;
		most = join_edits(most, edit_of_text(f, part));
	}
	if (!found || (edited && edited < found))
		return unknown_edit;
	return most;
}

/* Per function: nothing is known yet. NULL: out of memory. */
static struct found_edit *new_edits(const struct cg_profile *p)
{
	struct found_edit *edits = calloc((size_t)p->nfunctions + 1, sizeof *edits);

	for (uint32_t i = 0; edits && i < p->nfunctions; i++)
		edits[i] = unknown_edit;
	return edits;
}

static void note_edit(struct found_edit *edit, struct found_edit found)
{
	*edit = edit->edit == EDIT_UNKNOWN ? found : join_edits(*edit, found);
}

static bool is_own_line(const struct cg_profile *p, const struct cg_line *line)
{
	return line->line && line->file &&
	       line->file == p->functions[p->records[line->record].function].file;
}

static bool has_function(const struct edited_file *f, uint32_t name)
{
	return edited_parts_find_named(f, &(struct code_part){ .name = name, .function = true });
}

/* By the text around the lines of a function: of the part that has its name, if `named`, else of
 * any. The compiler attributes some code to lines of functions nearby. */
static int find_edits_by_lines(struct edited_side *of, bool named)
{
	const struct cg_profile *p = of->p;
	struct found_edit *found = new_edits(p);

	if (!found)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->nlines; i++) {
		uint32_t function = p->records[p->lines[i].record].function;
		const struct edited_file *f = &of->files[of->file_of[function]];
		if (of->edits[function].edit != EDIT_UNKNOWN || !f->covered ||
		    !is_own_line(p, &p->lines[i]) ||
		    (!named && has_function(f, of->words[function])))
			continue;
		const struct code_part *part = code_part_at(&f->parts, p->lines[i].line);
		if (part && (!named || part->name == of->words[function]))
			note_edit(&found[function],
				  edit_of_text(f, (size_t)(part - f->parts.items)));
	}
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (of->edits[i].edit == EDIT_UNKNOWN)
			of->edits[i] = found[i];
	free(found);
	return CG_OK;
}

/* A function has no lines if all that it does is inlined into it. */
static void find_edits_by_name(struct edited_side *of)
{
	for (uint32_t i = 1; i < of->p->nfunctions; i++)
		if (of->edits[i].edit == EDIT_UNKNOWN && of->file_of[i])
			of->edits[i] = edit_of_name(&of->files[of->file_of[i]], of->words[i]);
}

static bool is_installed_file(const char *path)
{
	static const char *const places[] = { "/usr/", "/rustc/", "/nix/", "/gnu/" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* Nobody edits the functions of libraries: they lie in objects of which no source is known, or in
 * files that are installed, or were linked without debug information. */
static int find_library_functions(struct edited_side *of)
{
	const struct cg_profile *p = of->p;
	bool *has_source = calloc(p->strings.count + 1, sizeof *has_source);

	if (!has_source)
		return CG_ENOMEM;
	const bool absolute = has_absolute_files(p);
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (of->file_of[i] && of->files[of->file_of[i]].known)
			has_source[p->functions[i].object] = true;
	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const struct cg_function *f = &p->functions[i];
		bool installed = !f->file || is_installed_file(cg_string(p, f->file)) ||
				 is_of_unnamed_library(cg_string(p, f->object),
						       cg_string(p, f->file), absolute);
		if (of->edits[i].edit == EDIT_UNKNOWN && (installed || !has_source[f->object]))
			of->edits[i].edit = EDIT_NONE;
	}
	free(has_source);
	return CG_OK;
}

static int find_function_edits(struct edited_side *of)
{
	int status;

	for (uint32_t i = 1; i < of->p->nfunctions; i++)
		of->words[i] = code_function_hash(cg_string(of->p, of->p->functions[i].name));
	status = find_edits_by_lines(of, true);
	if (!status) {
		find_edits_by_name(of);
		status = find_edits_by_lines(of, false);
	}
	return status ? status : find_library_functions(of);
}

/* ---- functions of both sides ---- */

static bool has_same_name(const void *context, uint32_t id)
{
	const struct edited_side *of = context;
	const struct named_edit *a = &of->named[0], *b = &of->named[id];
	return a->len == b->len && memcmp(a->name, b->name, a->len) == 0 &&
	       strcmp(a->file, b->file) == 0;
}

static uint32_t hash_of_named(const struct named_edit *n)
{
	return (uint32_t)cg_hash_mix(cg_hash_bytes(n->name, n->len),
				     cg_hash_bytes(n->file, strlen(n->file)));
}

static int add_named_edit(struct edited_side *of, struct named_edit n)
{
	uint32_t hash = hash_of_named(&n);

	if (cg_grow(&of->named, &of->named_cap, of->nnamed + 2, sizeof *of->named) ||
	    cg_index_reserve(&of->named_index))
		return CG_ENOMEM;
	of->named[0] = n;
	uint32_t id = cg_index_find(&of->named_index, hash, has_same_name, of);
	if (id) {
		of->named[id].found = join_edits(of->named[id].found, n.found);
		return CG_OK;
	}
	of->named[++of->nnamed] = n;
	cg_index_insert(&of->named_index, hash, (uint32_t)of->nnamed);
	return CG_OK;
}

static int name_edits(struct edited_side *of)
{
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < of->p->nfunctions; i++) {
		const char *name = cg_string(of->p, of->p->functions[i].name);
		struct named_edit n = { name, cg_name_stem(name, strlen(name)), "", of->edits[i] };
		status = add_named_edit(of, n);
		n.file = cg_string(of->p, of->p->functions[i].file);
		if (!status && *n.file)
			status = add_named_edit(of, n);
	}
	return status;
}

/* A function that moved has another file in base. */
static struct found_edit edit_of_row(struct edited_side *of, const char *name, const char *file)
{
	if (!of->nnamed)
		return unknown_edit;
	of->named[0] = (struct named_edit){ .name = name, .len = strlen(name), .file = file };
	uint32_t id = cg_index_find(&of->named_index, hash_of_named(&of->named[0]), has_same_name,
				    of);
	if (!id && *file)
		return edit_of_row(of, name, "");
	return id ? of->named[id].found : unknown_edit;
}

/* The names of a path's function; NULL on a side that does not have the path. */
static struct found_edit edit_of_path(struct edited_search *s, const char *base, const char *head,
				      const char *file)
{
	const char *const names[CODE_SIDES] = { base, head };
	struct found_edit found = { EDIT_NONE, 0 };

	for (int side = 0; side < CODE_SIDES; side++)
		if (names[side])
			found = join_edits(found, edit_of_row(&s->sides[side], names[side], file));
	return found;
}

static void add_edit(struct code_edits *e, uint32_t function, struct found_edit found)
{
	found = join_edits((struct found_edit){ e->of[function], e->used[function] }, found);
	e->of[function] = (uint8_t)found.edit;
	e->used[function] = found.use;
}

/* Functions on paths without a row, which both sides have. */
static void find_edits_without_row(struct edited_search *s, const bool *has_none,
				   struct code_edits *out)
{
	for (uint32_t i = 1; i < s->t->nfunctions; i++) {
		const struct tree_function *f = &s->t->functions[i];
		if (has_none[i])
			add_edit(out, i, edit_of_path(s, f->base_name, f->name, f->file));
	}
}

static void mark_without_row(const struct tree_diff *t, const struct tree_row *r, bool *has_none)
{
	const struct cg_tree_node *nodes = t->head->nodes;
	const uint32_t head = r->head.node;

	for (uint32_t i = head + 1; r->unchanged_below && i < nodes[head].end; i++)
		has_none[t->head_function[nodes[i].function]] = true;
}

static int number_edits(struct edited_search *s, struct code_edits *out)
{
	const struct tree_diff *t = s->t;
	bool *has_none = calloc(t->nfunctions, sizeof *has_none);

	out->of = calloc(t->nfunctions, sizeof *out->of);
	out->used = calloc(t->nfunctions, sizeof *out->used);
	if (!out->of || !out->used || !has_none) {
		free(has_none);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < t->count; i++) {
		const struct tree_row *r = &t->rows[i];
		struct found_edit found = edit_of_path(s, r->base.present ? r->base_name : NULL,
						       r->head.present ? r->name : NULL, r->file);
		add_edit(out, r->function, found);
		add_edit(out, r->base_function, found);
		mark_without_row(t, r, has_none);
	}
	find_edits_without_row(s, has_none, out);
	free(has_none);
	return CG_OK;
}

/* ---- the whole ---- */

static int prepare_side(struct edited_search *s, int side, struct cg_error *err)
{
	struct edited_side *of = &s->sides[side];
	size_t n = (size_t)of->p->nfunctions + 1;

	of->file_of = calloc(n, sizeof *of->file_of);
	of->edits = new_edits(of->p);
	of->words = calloc(n, sizeof *of->words);
	if (!of->file_of || !of->edits || !of->words ||
	    cg_grow(&of->files, &of->files_cap, 1, sizeof *of->files))
		return cg_fail_nomem(err);
	of->files[0] = (struct edited_file){ 0 };
	return CG_OK;
}

static void begin_edited_search(struct edited_search *s, const struct loaded *base,
				const struct loaded *head, const char *const *dirs)
{
	*s = (struct edited_search){ .dirs = dirs };
	s->sides[CODE_BASE] = (struct edited_side){ .loaded = base, .p = base->profile };
	s->sides[CODE_HEAD] = (struct edited_side){ .loaded = head, .p = head->profile };
}

static int search_edits(struct edited_search *s, struct cg_error *err)
{
	int status = prepare_side(s, CODE_BASE, err);

	if (!status)
		status = prepare_side(s, CODE_HEAD, err);
	return status ? status : edited_parts_find(s, err);
}

static int find_edits_of_sides(struct edited_search *s)
{
	int status = find_function_edits(&s->sides[CODE_BASE]);

	return status ? status : find_function_edits(&s->sides[CODE_HEAD]);
}

static int find_edits_of_rows(struct edited_search *s, struct code_edits *out)
{
	int status = edited_parts_name_uses(s);

	if (!status)
		status = find_edits_of_sides(s);

	if (!status)
		status = name_edits(&s->sides[CODE_BASE]);
	if (!status)
		status = name_edits(&s->sides[CODE_HEAD]);
	return status ? status : number_edits(s, out);
}

static void free_edited_side(struct edited_side *of)
{
	for (size_t i = 1; i <= of->nfiles; i++) {
		code_parts_free(&of->files[i].parts);
		free(of->files[i].edited);
		free(of->files[i].by_name);
		free(of->files[i].uses);
		free(of->files[i].text);
	}
	free(of->files);
	free(of->file_of);
	free(of->words);
	free(of->hashes);
	free(of->edits);
	free(of->named);
	edited_scope_free(&of->scope);
	cg_index_free(&of->file_index);
	cg_index_free(&of->named_index);
}

static void free_edited_uses(struct edited_use *uses, size_t count)
{
	for (size_t i = 1; i <= count; i++)
		free(uses[i].name);
	free(uses);
}

static void end_edited_search(struct edited_search *s)
{
	for (int side = 0; side < CODE_SIDES; side++)
		free_edited_side(&s->sides[side]);
	free(s->names);
	free_edited_uses(s->uses, s->nuses);
}

void code_edits_free(struct code_edits *e)
{
	free(e->of);
	free(e->used);
	free_edited_uses(e->uses, e->nuses);
	*e = (struct code_edits){ 0 };
}

int edited_code_find(const struct tree_diff *t, const struct loaded *base,
		     const struct loaded *head, const char *const *dirs, struct code_edits *out,
		     struct cg_error *err)
{
	struct edited_search s;

	*out = (struct code_edits){ 0 };
	if (!base->profile->has_lines || !head->profile->has_lines)
		return CG_OK;
	begin_edited_search(&s, base, head, dirs);
	s.t = t;
	int status = search_edits(&s, err);
	if (!status && s.any && find_edits_of_rows(&s, out))
		status = cg_fail_nomem(err);
	out->uses = s.uses;
	out->nuses = s.nuses;
	s.uses = NULL;
	s.nuses = 0;
	end_edited_search(&s);
	return status;
}

static const struct edited_use *use_of_row(const struct code_edits *e, const struct tree_row *r)
{
	const uint32_t use = e->used[r->function] ? e->used[r->function]
						  : e->used[r->base_function];

	return use ? &e->uses[use] : NULL;
}

static enum code_edit mark_of_row(const struct code_edits *e, const struct tree_row *r)
{
	const uint8_t of_head = e->of[r->function], of_base = e->of[r->base_function];
	const enum code_edit most = of_head > of_base ? of_head : of_base;

	return is_edited(most) ? most : EDIT_UNKNOWN;
}

void code_edits_mark(const struct code_edits *e, struct causes *causes)
{
	const struct tree_row *rows = causes->tree->rows;

	for (size_t i = 0; e->of && i < causes->count; i++) {
		struct cause *c = &causes->items[i];
		const bool call = cause_is_call(c);
		c->mark = e->explain ? c->edit : mark_of_row(e, &rows[c->row]);
		c->caller_mark = e->explain ? c->caller_edit
				 : call     ? mark_of_row(e, &rows[c->caller])
					    : EDIT_UNKNOWN;
		if (cause_mark_there(c) == EDIT_USED)
			c->use = use_of_row(e, &rows[call ? c->caller : c->row]);
	}
}

/* ---- functions of one side ---- */

/* Who calls a function that was edited may contain it, although no line tells. */
static enum source_state state_of_function(const struct edited_search *s,
					   const struct edited_side *of, uint32_t function)
{
	const struct edited_file *file = &of->files[of->file_of[function]];
	enum code_edit edit = of->edits[function].edit;

	if (edit == EDIT_NONE && (!file->covered || is_installed_file(file->name)))
		return SOURCE_OF_LIBRARY;
	if (edit == EDIT_NONE)
		return edited_parts_use(s, file, of->words[function]) ? SOURCE_UNKNOWN
								      : SOURCE_SAME;
	return is_edited(edit) ? SOURCE_EDITED : SOURCE_UNKNOWN;
}

static int list_states(const struct edited_search *s, const struct edited_side *of, uint8_t **out)
{
	*out = calloc((size_t)of->p->nfunctions + 1, sizeof **out);
	for (uint32_t i = 1; *out && i < of->p->nfunctions; i++)
		(*out)[i] = (uint8_t)state_of_function(s, of, i);
	return *out ? CG_OK : CG_ENOMEM;
}

int edited_code_states(const struct loaded *base, const struct loaded *head,
		       const char *const *dirs, uint8_t *out[static CODE_SIDES],
		       struct cg_error *err)
{
	struct edited_search s;

	begin_edited_search(&s, base, head, dirs);
	int status = search_edits(&s, err);
	if (!status && (find_edits_of_sides(&s) || edited_parts_add_functions(&s)))
		status = cg_fail_nomem(err);
	for (int side = 0; !status && side < CODE_SIDES; side++)
		if (list_states(&s, &s.sides[side], &out[side]))
			status = cg_fail_nomem(err);
	end_edited_search(&s);
	return status;
}
