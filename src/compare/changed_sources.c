#include "src/compare/changed_sources.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/line_calls.h"
#include "src/load/function_source.h"
#include "src/load/keep_sources.h"

struct changed_source {
	const struct source_file *file[CODE_SIDES]; /* NULL: no costs there */
	struct source_text text[CODE_SIDES];
	struct code *code;
	struct diff_source_call *calls;
	size_t ncalls;
	bool *changed, *shown;
	int64_t *rest[CODE_SIDES];
};

struct making {
	const struct diff *d;
	const struct diff_row *const *rows; /* that are shown */
	size_t nrows;
	const struct loaded *loaded[CODE_SIDES];
	uint32_t *row_of[CODE_SIDES]; /* per function: its row in the difference plus 1 */
	size_t context;
	const char *const *dirs;
	struct changed_sources *out;
};

static const struct cg_profile *profile_of(const struct making *m, int side)
{
	return m->loaded[side]->profile;
}

/* NULL: no file, or one without a name. */
static const char *file_name(const struct making *m, int side, const struct source_file *f)
{
	return f && f->file ? cg_string(profile_of(m, side), f->file) : NULL;
}

/* ---- what lines cost ---- */

static const struct diff_side *costs_of_side(const struct diff_row *row, int side)
{
	return side == CODE_HEAD ? &row->head : &row->base;
}

/* Per function of a side whether it is in one of the rows; free() it. NULL: out of memory. */
static bool *choose_functions_of_rows(const struct making *m, int side)
{
	const struct cg_profile *p = profile_of(m, side);
	bool *rows = calloc(m->d->count + 1, sizeof *rows); /* from 1 */
	bool *chosen = calloc((size_t)p->nfunctions + 1, sizeof *chosen);

	for (size_t i = 0; rows && i < m->nrows; i++)
		rows[m->rows[i] - m->d->rows + 1] = true;
	for (uint32_t f = 1; rows && chosen && f < p->nfunctions; f++)
		chosen[f] = rows[m->row_of[side][f]];
	if (!rows) {
		free(chosen);
		return NULL;
	}
	free(rows);
	return chosen;
}

/* Lines cost what their functions do, of each event. */
static bool lines_add_up(const struct making *m, int side)
{
	const struct source *s = m->out->lines[side];

	for (uint32_t e = 0; e < profile_of(m, side)->nevents; e++) {
		__int128 sum = 0;
		for (size_t i = 0; i < m->nrows; i++)
			if (costs_of_side(m->rows[i], side)->present)
				sum += costs_of_side(m->rows[i], side)->self[e];
		for (size_t i = 0; i < s->count; i++)
			sum -= s->files[i].self[e];
		if (sum)
			return false;
	}
	return true;
}

static int make_lines(struct making *m, int side, struct cg_error *err)
{
	m->row_of[side] = diff_rows_of_functions(m->d, side == CODE_HEAD);
	bool *chosen = m->row_of[side] ? choose_functions_of_rows(m, side) : NULL;
	if (!chosen)
		return cg_fail_nomem(err);
	int status = source_make(profile_of(m, side), chosen, 0, &m->out->lines[side], err);
	free(chosen);
	if (!status && !lines_add_up(m, side))
		status = cg_fail(
			err, CG_EINTERNAL, m->loaded[side]->name, 0,
			"the costs of lines do not add up to the costs of their functions");
	return status;
}

/* ---- which file of base is which of head ---- */

typedef bool same_file(const struct making *m, const char *base, const char *head);

static bool has_same_path(const struct making *m, const char *base, const char *head)
{
	(void)m;
	return strcmp(base, head) == 0;
}

/* A function moved from one to the other. */
static bool has_moved(const struct making *m, const char *base, const char *head)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->rows[i]->match == DIFF_MOVED && strcmp(m->rows[i]->base_file, base) == 0 &&
		    strcmp(m->rows[i]->file, head) == 0)
			return true;
	return false;
}

static bool has_same_base_name(const struct making *m, const char *base, const char *head)
{
	(void)m;
	return source_is_alike(base, head);
}

static bool is_same(const struct making *m, const struct source_file *base,
		    const struct source_file *head, same_file *same)
{
	const char *b = file_name(m, CODE_BASE, base), *h = file_name(m, CODE_HEAD, head);
	return b && h ? same(m, b, h) : !b && !h;
}

/* Puts each file of head that is still without one beside its file of base. */
static void pair_files(struct making *m, bool *taken, same_file *same)
{
	struct changed_sources *s = m->out;
	const struct source *base = s->lines[CODE_BASE];

	for (size_t i = 0; i < s->nfiles; i++)
		for (size_t k = 0; k < base->count && !s->files[i].file[CODE_BASE]; k++)
			if (!taken[k] &&
			    is_same(m, &base->files[k], s->files[i].file[CODE_HEAD], same)) {
				s->files[i].file[CODE_BASE] = &base->files[k];
				taken[k] = true;
			}
}

static int list_changed_files(struct making *m, struct cg_error *err)
{
	struct changed_sources *s = m->out;
	const struct source *base = s->lines[CODE_BASE], *head = s->lines[CODE_HEAD];
	bool *taken = calloc(base->count + 1, sizeof *taken);

	s->files = calloc(base->count + head->count + 1, sizeof *s->files);
	if (!taken || !s->files) {
		free(taken);
		return cg_fail_nomem(err);
	}
	for (; s->nfiles < head->count; s->nfiles++)
		s->files[s->nfiles].file[CODE_HEAD] = &head->files[s->nfiles];
	pair_files(m, taken, has_same_path);
	pair_files(m, taken, has_moved);
	pair_files(m, taken, has_same_base_name);
	for (size_t k = 0; k < base->count; k++)
		if (!taken[k])
			s->files[s->nfiles++].file[CODE_BASE] = &base->files[k];
	free(taken);
	return CG_OK;
}

/* ---- the lines of both ---- */

static const struct source_file no_costs;

/* A file that costs something on one side only is there on the other one, too, most of the time. */
static int find_source_text(const struct making *m, struct changed_source *f, int side,
			    struct cg_error *err)
{
	const char *name = file_name(m, side, f->file[side]);

	if (!f->file[side])
		name = file_name(m, !side, f->file[!side]);
	return name ? loaded_source_text(m->loaded[side], name, m->dirs, &f->text[side], err)
		    : CG_OK;
}

static int merge_lines(const struct making *m, struct changed_source *f, struct cg_error *err)
{
	struct code_sides sides;
	int status = CG_OK;

	for (int side = 0; !status && side < CODE_SIDES; side++) {
		status = find_source_text(m, f, side, err);
		sides.side[side] = (struct code_side){ profile_of(m, side),
						       f->file[side] ? f->file[side] : &no_costs,
						       &f->text[side], NULL };
	}
	if (status)
		return status;
	const struct calls_of_lines calls = {
		.d = m->d,
		.row_of = { m->row_of[CODE_BASE], m->row_of[CODE_HEAD] },
		.files = { sides.side[CODE_BASE].file, sides.side[CODE_HEAD].file },
	};
	if (code_make(&sides, true, true, &f->code) ||
	    line_calls_make(&calls, f->code, &f->calls, &f->ncalls))
		return cg_fail_nomem(err);
	return CG_OK;
}

static int64_t base_value_of_line(const struct making *m, const int64_t *costs)
{
	return costs ? diff_base_value(m->d, costs) : 0;
}

static int64_t head_value_of_line(const struct making *m, const int64_t *costs)
{
	return costs ? diff_head_value(m->d, costs) : 0;
}

/* Of `costs`, self or inclusive, of a line. */
static uint64_t size_of_line_change(const struct making *m, const int64_t *const *costs,
				    bool *changed)
{
	int64_t base = base_value_of_line(m, costs[CODE_BASE]);
	int64_t head = head_value_of_line(m, costs[CODE_HEAD]);

	*changed |= diff_classify_change(m->d, base, head) != DIFF_UNCHANGED;
	return cg_distance(base, head);
}

/* By itself or by what it calls. If no line changed by enough, as where a little was added to each,
 * it is the one that changed most. */
static bool find_changed(const struct making *m, const struct changed_source *f)
{
	uint64_t most = 0;
	size_t largest = 0;
	bool any = false;

	for (size_t i = 0; i < f->code->count; i++) {
		const struct code_line *line = &f->code->lines[i];
		uint64_t self = size_of_line_change(m, line->self, &f->changed[i]);
		uint64_t all = size_of_line_change(m, line->inclusive, &f->changed[i]);
		any |= f->changed[i];
		if (self > most || all > most) {
			most = self > all ? self : all;
			largest = i;
		}
	}
	if (most && !any)
		f->changed[largest] = true;
	return most > 0;
}

static void mark_shown_lines(const struct making *m, const struct changed_source *f)
{
	size_t count = f->code->count, next = 0; /* the first line not looked at */

	for (size_t i = 0; i < count; i++) {
		if (!f->changed[i])
			continue;
		size_t from = i > m->context ? i - m->context : 0;
		size_t to = m->context < count - i ? i + m->context + 1 : count;
		for (next = from > next ? from : next; next < to; next++)
			f->shown[next] = true;
	}
}

/* Sums of self costs cannot overflow. */
static size_t add_rest_of_source(const struct making *m, const struct changed_source *f)
{
	size_t nrest = 0;

	for (size_t i = 0; i < f->code->count; i++) {
		const struct code_line *line = &f->code->lines[i];
		if (f->shown[i])
			continue;
		for (int side = 0; side < CODE_SIDES; side++)
			if (line->self[side])
				cg_add_costs(f->rest[side], line->self[side],
					     profile_of(m, side)->nevents);
		nrest += line->self[CODE_BASE] || line->self[CODE_HEAD];
	}
	return nrest;
}

static int make_room_for_source(const struct making *m, struct changed_source *f,
				struct cg_error *err)
{
	f->changed = calloc(f->code->count + 1, sizeof *f->changed);
	f->shown = calloc(f->code->count + 1, sizeof *f->shown);
	for (int side = 0; side < CODE_SIDES; side++)
		f->rest[side] = calloc((size_t)profile_of(m, side)->nevents + 1,
				       sizeof *f->rest[side]);
	return f->changed && f->shown && f->rest[CODE_BASE] && f->rest[CODE_HEAD]
		       ? CG_OK
		       : cg_fail_nomem(err);
}

/* Files in which no line changed have none. */
static int add_item(const struct making *m, struct changed_source *f, struct cg_error *err)
{
	struct changed_sources *s = m->out;
	int status = merge_lines(m, f, err);

	if (!status)
		status = make_room_for_source(m, f, err);
	if (status || !find_changed(m, f))
		return status;
	mark_shown_lines(m, f);
	struct diff_source *out = &s->items[s->count++];
	*out = (struct diff_source){
		.code = f->code,
		.changed = f->changed,
		.shown = f->shown,
		.nrest = add_rest_of_source(m, f),
		.calls = f->calls,
		.ncalls = f->ncalls,
	};
	for (int side = 0; side < CODE_SIDES; side++) {
		out->file[side] = !f->file[side]        ? NULL
				  : f->file[side]->file ? file_name(m, side, f->file[side])
							: "???";
		out->text[side] = &f->text[side];
		out->self[side] = f->file[side] ? f->file[side]->self : NULL;
		out->rest[side] = f->rest[side];
	}
	return CG_OK;
}

/* ---- the whole ---- */

static const char *shown_name(const struct diff_source *s)
{
	return s->file[CODE_HEAD] ? s->file[CODE_HEAD] : s->file[CODE_BASE];
}

static int compare_items(const void *left, const void *right, void *context)
{
	const struct diff_source *a = left, *b = right;
	const struct making *m = context;
	uint64_t x = cg_distance(base_value_of_line(m, a->self[CODE_BASE]),
				 head_value_of_line(m, a->self[CODE_HEAD]));
	uint64_t y = cg_distance(base_value_of_line(m, b->self[CODE_BASE]),
				 head_value_of_line(m, b->self[CODE_HEAD]));
	return x != y ? (x < y) - (x > y) : strcmp(shown_name(a), shown_name(b));
}

static int make_items(struct making *m, struct cg_error *err)
{
	struct changed_sources *s = m->out;
	int status = CG_OK;

	s->items = calloc(s->nfiles + 1, sizeof *s->items);
	if (!s->items)
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < s->nfiles; i++)
		status = add_item(m, &s->files[i], err);
	if (!status)
		qsort_r(s->items, s->count, sizeof *s->items, compare_items, m);
	return status;
}

int changed_sources_make(const struct diff *d, const uint32_t *rows, size_t nrows,
			 const struct loaded *base, const struct loaded *head, size_t context,
			 const char *const *dirs, struct changed_sources *out, struct cg_error *err)
{
	const struct diff_row **chosen = calloc(nrows + 1, sizeof *chosen);
	struct making m = { .d = d,
			    .rows = chosen,
			    .nrows = nrows,
			    .loaded = { base, head },
			    .context = context,
			    .dirs = dirs,
			    .out = out };
	int status = chosen ? CG_OK : cg_fail_nomem(err);

	*out = (struct changed_sources){ 0 };
	for (size_t i = 0; !status && i < nrows; i++)
		chosen[i] = &d->rows[rows[i]];
	for (int side = 0; !status && side < CODE_SIDES; side++)
		status = make_lines(&m, side, err);
	if (!status)
		status = list_changed_files(&m, err);
	if (!status)
		status = make_items(&m, err);
	for (int side = 0; side < CODE_SIDES; side++)
		free(m.row_of[side]);
	free(chosen);
	return status;
}

void changed_sources_free(struct changed_sources *s)
{
	for (size_t i = 0; s->files && i < s->nfiles; i++) {
		struct changed_source *f = &s->files[i];
		for (int side = 0; side < CODE_SIDES; side++) {
			source_text_free(&f->text[side]);
			free(f->rest[side]);
		}
		code_free(f->code);
		free(f->calls);
		free(f->changed);
		free(f->shown);
	}
	free(s->files);
	free(s->items);
	for (int side = 0; side < CODE_SIDES; side++)
		source_free(s->lines[side]);
	*s = (struct changed_sources){ 0 };
}
