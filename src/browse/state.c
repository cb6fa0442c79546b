#include "src/browse/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/browse/cause_rows.h"
#include "src/browse/code_row.h"
#include "src/browse/columns.h"
#include "src/browse/follow.h"

/* ---- the screen ---- */

struct layout browse_layout(const struct browse *b)
{
	enum { AROUND = 3, HEADINGS = 1, PANE_AROUND = 2, FOR_DETAIL = 14, FOR_BOTH = 18 };
	unsigned lines = b->height > AROUND + HEADINGS ? b->height - AROUND - HEADINGS : 1;
	struct layout l = { .list_top = 2, .list_lines = lines };

	if (b->pane.code && b->height < FOR_BOTH) {
		l.list_lines = 0;
		l.pane_top = 3;
		l.pane_lines = lines > 1 ? lines - 1 : 1;
		return l;
	}
	if (b->height >= FOR_DETAIL)
		l.list_lines -= 1;
	if (b->pane.code) {
		l.pane_lines = l.list_lines - l.list_lines / 3 - PANE_AROUND;
		l.list_lines /= 3;
		l.pane_top = l.list_top + l.list_lines + PANE_AROUND;
	}
	if (b->height >= FOR_DETAIL)
		l.detail = b->height - AROUND;
	return l;
}

void browse_say(struct browse *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(b->message, sizeof b->message, fmt, ap);
	va_end(ap);
}

/* ---- lists ---- */

const struct browse_metric *browse_metric(const struct browse *b)
{
	return &b->data->metrics[b->view == VIEW_CAUSES ? 0 : b->metric];
}

enum browse_show browse_shown(const struct browse *b)
{
	return b->view == VIEW_CAUSES ? BROWSE_DELTA : b->show;
}

struct list *browse_list(struct browse *b)
{
	return &b->lists[b->view];
}

uint32_t browse_selected(const struct browse *b)
{
	const struct list *l = &b->lists[b->view];
	return l->outline->nrows ? l->outline->rows[l->scroll.at] : 0;
}

bool browse_hides(const struct browse *b)
{
	return b->data->diff && !b->unchanged;
}

/* In a metric, or in any: NULL. Returns NULL: out of memory. */
static bool *find_changed_rows(const struct browse_data *d, const struct browse_table *t,
			       const struct browse_metric *metric)
{
	bool *changed = calloc((size_t)t->count + 1, sizeof *changed);

	for (uint32_t i = t->count; changed && i-- > 1;) {
		struct browse_row row = t->row(t->of, i);
		changed[i] |= metric ? browse_has_changed_in(metric, &row)
				     : browse_has_changed(d, &row);
		changed[row.parent] |= changed[i];
	}
	return changed;
}

/* `changed` may be NULL. */
static bool row_is_listed(const struct browse *b, const bool *changed, uint32_t i,
			  const struct browse_row *row)
{
	return browse_has_cost(b->data, row) && (!browse_hides(b) || changed[i]);
}

bool browse_lists_path(const struct browse *b, uint32_t row)
{
	struct browse_row path = b->data->paths.row(b->data->paths.of, row);
	return row_is_listed(b, b->paths_changed, row, &path);
}

static int table_children(const struct browse *b, const struct browse_table *t, const bool *changed,
			  uint32_t node, uint32_t **out, size_t *count)
{
	uint32_t end = t->row(t->of, node).end, *nodes = NULL;
	size_t n = 0;

	for (int writing = 0; writing < 2; writing++) {
		if (writing && !(nodes = malloc((n + 1) * sizeof *nodes)))
			return CG_ENOMEM;
		n = 0;
		for (uint32_t i = node + 1; i < end;) {
			struct browse_row row = t->row(t->of, i);
			if (row_is_listed(b, changed, i, &row)) {
				if (writing)
					nodes[n] = i;
				n++;
			}
			i = row.end;
		}
	}
	*out = nodes;
	*count = n;
	return CG_OK;
}

static int function_children(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	const struct browse *b = of;
	return table_children(b, &b->data->functions, b->functions_changed, node, out, count);
}

static int path_children(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	const struct browse *b = of;
	return table_children(b, &b->data->paths, b->paths_changed, node, out, count);
}

/* Of functions whose costs did not change, the callers are not asked for either. */
static int caller_children(void *of, uint32_t node, uint32_t **out, size_t *count)
{
	const struct browse *b = of;
	const struct outline_source all = callers_source(b->callers);
	size_t kept = 0;

	if (all.children(all.of, node, out, count))
		return CG_ENOMEM;
	for (size_t i = 0; i < *count; i++) {
		struct browse_row row = all.row(all.of, (*out)[i]);
		if (!browse_hides(b) || browse_has_changed(b->data, &row))
			(*out)[kept++] = (*out)[i];
	}
	*count = kept;
	return CG_OK;
}

static struct browse_row caller_row(const void *of, uint32_t row)
{
	const struct browse *b = of;
	const struct outline_source all = callers_source(b->callers);
	return all.row(all.of, row);
}

static struct browse_row function_row(const void *of, uint32_t row)
{
	const struct browse *b = of;
	return b->data->functions.row(b->data->functions.of, row);
}

static struct browse_row path_row(const void *of, uint32_t row)
{
	const struct browse *b = of;
	return b->data->paths.row(b->data->paths.of, row);
}

static struct browse_measure measure_of(const struct browse *b, const struct list *l)
{
	return (struct browse_measure){ browse_metric(b), browse_shown(b), l->sort };
}

/* Opens the tree where it branches, so that there is something to choose from. */
static int open_tree(struct list *l)
{
	uint32_t last;

	if (!l->outline->nrows)
		return CG_OK;
	if (outline_open_chain(l->outline, l->outline->rows[0], &last))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, last);
	return CG_OK;
}

static int mark_changed_rows(struct browse *b)
{
	const struct browse_data *d = b->data;

	if (!d->diff || b->functions_changed)
		return CG_OK;
	b->functions_changed = find_changed_rows(d, &d->functions, NULL);
	b->paths_changed = find_changed_rows(d, &d->paths, NULL);
	return b->functions_changed && b->paths_changed ? CG_OK : CG_ENOMEM;
}

/* In the metric that is shown. */
static int mark_shown_rows(struct browse *b)
{
	const struct browse_data *d = b->data;
	const struct browse_metric *metric = &d->metrics[b->metric];

	if (!d->diff || (b->functions_shown && b->changed_in == b->metric))
		return CG_OK;
	bool *functions = find_changed_rows(d, &d->functions, metric);
	bool *paths = find_changed_rows(d, &d->paths, metric);
	if (!functions || !paths) {
		free(functions);
		free(paths);
		return CG_ENOMEM;
	}
	free(b->functions_shown);
	free(b->paths_shown);
	b->functions_shown = functions;
	b->paths_shown = paths;
	b->changed_in = b->metric;
	return CG_OK;
}

static bool hides_function(const void *of, uint32_t row)
{
	const struct browse *b = of;
	return browse_hides(b) && !b->functions_shown[row];
}

bool browse_hides_path(const struct browse *b, uint32_t row)
{
	return browse_hides(b) && b->paths_shown && !b->paths_shown[row];
}

static bool hides_path(const void *of, uint32_t row)
{
	return browse_hides_path(of, row);
}

static bool hides_caller(const void *of, uint32_t node)
{
	const struct browse *b = of;
	struct browse_row row = caller_row(b, node);
	return browse_hides(b) && !browse_has_changed_in(&b->data->metrics[b->metric], &row);
}

static int make_list(struct browse *b, struct list *l)
{
	bool functions = b->view == VIEW_FUNCTIONS;
	struct outline_source source = { b, functions ? function_children : path_children,
					 functions ? function_row : path_row,
					 functions ? hides_function : hides_path };
	struct browse_measure measure = measure_of(b, l);

	if (b->view == VIEW_CALLERS) {
		if (!b->callers && callers_make(b->data, &b->callers))
			return CG_ENOMEM;
		source = (struct outline_source){ b, caller_children, caller_row, hides_caller };
	} else if (b->view == VIEW_CAUSES) {
		source = cause_rows(b->data);
	}
	if (mark_changed_rows(b) || mark_shown_rows(b) ||
	    outline_make(&source, &measure, &l->outline))
		return CG_ENOMEM;
	return b->view == VIEW_PATHS ? open_tree(l) : CG_OK;
}

static int order_list(struct browse *b, struct list *l, bool stay)
{
	uint32_t item = browse_selected(b);
	struct browse_measure measure = measure_of(b, l);

	if (mark_shown_rows(b) || outline_order(l->outline, &measure))
		return CG_ENOMEM;
	l->stale = false;
	/* Otherwise, if the first row was selected, the first row of the new order is, unless its
	 * code is open. */
	stay |= l->scroll.at || b->pane.code;
	l->scroll.at = stay ? outline_row_of(l->outline, item) : 0;
	return CG_OK;
}

unsigned browse_views(const struct browse *b)
{
	return b->data->causes ? VIEWS : VIEW_CAUSES;
}

static int open_view(struct browse *b, enum browse_view view)
{
	b->view = view;
	struct list *l = browse_list(b);
	if (!l->outline)
		return make_list(b, l);
	return l->stale ? order_list(b, l, false) : CG_OK;
}

/* What a view does not have is looked for in the next one, unless another line is selected. */
static struct followed function_to_follow(const struct browse *b)
{
	const struct outline *o = b->lists[b->view].outline;
	uint32_t item = o ? browse_selected(b) : 0;

	if (!item || (b->missing.name && item == b->instead))
		return b->missing;
	struct browse_row row = outline_row(o, item);
	return browse_followed(&row);
}

int browse_show_view(struct browse *b, enum browse_view view)
{
	struct followed function = function_to_follow(b);
	bool found = true;

	if (open_view(b, view))
		return CG_ENOMEM;
	if (function.name && follow_function(b, &function, &found))
		return CG_ENOMEM;
	b->missing = found ? (struct followed){ 0 } : function;
	b->instead = browse_selected(b);
	if (!found)
		browse_say(b, "%s is not in this view", function.name);
	return CG_OK;
}

int browse_show_cause(struct browse *b, const struct cause *cause)
{
	b->missing = (struct followed){ 0 };
	if (open_view(b, VIEW_PATHS))
		return CG_ENOMEM;
	if (browse_hides_path(b, cause->row))
		browse_say(b, "this path has no change of %s; u shows it",
			   browse_metric(b)->of[BROWSE_HEAD].name);
	return follow_path(b, cause->row);
}

int browse_reorder(struct browse *b, bool stay)
{
	for (int i = 0; i < VIEWS; i++)
		b->lists[i].stale = true;
	return order_list(b, browse_list(b), stay);
}

/* Lists are made anew, and fold. */
int browse_turn_unchanged(struct browse *b)
{
	bool found = true;

	if (b->pane.code) /* it is of what is selected */
		b->missing = (struct followed){ 0 };
	struct followed function = function_to_follow(b);
	b->unchanged = !b->unchanged;
	for (int i = 0; i < VIEWS; i++) {
		outline_free(b->lists[i].outline);
		b->lists[i].outline = NULL;
		b->lists[i].scroll = (struct scroll){ 0 };
	}
	b->missing = (struct followed){ 0 };
	if (open_view(b, b->view))
		return CG_ENOMEM;
	if (function.name && follow_function(b, &function, &found))
		return CG_ENOMEM;
	if (!found)
		browse_close_pane(b);
	return CG_OK;
}

void browse_move(struct scroll *s, size_t count, long by)
{
	size_t last = count ? count - 1 : 0;
	if (by < 0)
		s->at = (size_t)-by < s->at ? s->at - (size_t)-by : 0;
	else
		s->at = (size_t)by < last - s->at ? s->at + (size_t)by : last;
}

/* ---- search ---- */

static bool listed_matches(const void *of, uint32_t node)
{
	const struct browse *b = of;
	const struct outline_source *s = &b->lists[b->view].outline->source;
	struct browse_row row = s->row(s->of, node);
	return search_matches_row(b->search, &row);
}

/* Callers go on without an end: what is folded is not searched. Causes do not fold. */
static bool listed_leads(const void *of, uint32_t node)
{
	(void)of;
	(void)node;
	return false;
}

static struct outline_search search_of(const struct browse *b)
{
	switch (b->view) {
	case VIEW_FUNCTIONS:
		return search_functions(b->search);
	case VIEW_PATHS:
		return search_paths(b->search);
	default:
		return (struct outline_search){ b, listed_matches, listed_leads };
	}
}

static int search_list(struct browse *b, bool backwards)
{
	struct list *l = browse_list(b);
	struct outline_search search = search_of(b);
	uint32_t found;
	bool wrapped;

	if (outline_find(l->outline, &search, browse_selected(b), backwards, &found, &wrapped))
		return CG_ENOMEM;
	if (!found) {
		browse_say(b, "no match for /%s%s", b->regex,
			   browse_hides(b) && b->view != VIEW_CAUSES
				   ? " among what changed; u shows all"
				   : "");
		return CG_OK;
	}
	if (wrapped)
		browse_say(b, "/%s: search continued at the %s", b->regex,
			   backwards ? "end" : "top");
	if (outline_reveal(l->outline, found))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, found);
	return CG_OK;
}

static void search_source(struct browse *b, bool backwards)
{
	const struct code *c = b->pane.code;
	size_t at = b->pane.scroll.at;

	for (size_t i = 1; i <= c->count; i++) {
		size_t line = (at + (backwards ? c->count - i : i)) % c->count;
		const char *text = code_text(&c->lines[line]);
		if (text && search_matches_text(b->search, text)) {
			b->pane.scroll.at = line;
			return;
		}
	}
	browse_say(b, "no line matches /%s", b->regex);
}

int browse_search_next(struct browse *b, bool backwards)
{
	if (!b->search) {
		browse_say(b, "nothing to search for; press / to enter a regular expression");
		return CG_OK;
	}
	if (b->pane.code) {
		search_source(b, backwards);
		return CG_OK;
	}
	return search_list(b, backwards);
}

int browse_search(struct browse *b, const char *regex, bool backwards)
{
	struct cg_error err = { 0 };
	struct row_search *made;
	char *copy = strdup(regex);

	if (!copy)
		return CG_ENOMEM;
	int status = search_make(b->data, regex, &made, &err);
	if (status) {
		free(copy);
		browse_say(b, "%s", err.message);
		return status == CG_ENOMEM ? status : CG_OK;
	}
	search_free(b->search);
	free(b->regex);
	b->search = made;
	b->regex = copy;
	return browse_search_next(b, backwards);
}

/* ---- source ---- */

static bool line_has_changed(const struct browse *b, const struct code_line *l)
{
	return l->in[BROWSE_BASE] != l->in[BROWSE_HEAD] ||
	       browse_costs_differ(b->data, l->self[BROWSE_BASE], l->self[BROWSE_HEAD]) ||
	       browse_costs_differ(b->data, l->inclusive[BROWSE_BASE], l->inclusive[BROWSE_HEAD]);
}

/* Leaves lines around those that changed, and of the others a sign; all, if none changed. */
static void hide_unchanged_lines(const struct browse *b, struct code *c)
{
	enum { AROUND = 8 };
	static const struct code_line sign = { .in = { true, true }, .text = { "⋯", "⋯" } };
	size_t next = 0, kept = 0, until = 0; /* the next changed line; how far its context is */

	for (size_t i = 0; i < c->count; i++) {
		while (next < c->count && (next < i || !line_has_changed(b, &c->lines[next])))
			next++;
		if (next == c->count && !until)
			return;
		if (next == i)
			until = i + AROUND + 1;
		if (i < until || (next < c->count && next - i <= AROUND))
			c->lines[kept++] = c->lines[i];
		else if (!kept || c->lines[kept - 1].text[BROWSE_HEAD] != sign.text[BROWSE_HEAD])
			c->lines[kept++] = sign;
	}
	c->count = kept;
}

/* The sides of the source that are shown, by what was chosen. */
static int make_code(struct browse *b, struct code **out)
{
	bool base = b->data->diff && browse_shown(b) != BROWSE_ONLY_HEAD;
	bool head = browse_shown(b) != BROWSE_ONLY_BASE;
	int status = code_make(&b->pane.sides, base, head, out);

	if (!status && browse_hides(b) && browse_shows_change(b))
		hide_unchanged_lines(b, *out);
	return status;
}

static bool has_lines(const struct code_sides *s)
{
	return s->side[BROWSE_BASE].file || s->side[BROWSE_HEAD].file;
}

/* The line of the call that is a cause, or else the costliest. */
static int find_first_line(const struct browse *b, size_t *at)
{
	const struct pane *p = &b->pane;
	bool found = false;
	int status = p->cause && !p->instructions
			     ? browse_call_line(b->data, p->cause, &p->sides, p->code, at, &found)
			     : CG_OK;

	if (!found)
		*at = code_costliest(p->code, browse_metric(b));
	return status;
}

static int show_first_line(struct browse *b)
{
	b->pane.scroll = (struct scroll){ 0 };
	int status = find_first_line(b, &b->pane.scroll.at);
	size_t lines = browse_layout(b).pane_lines;
	b->pane.scroll.top = b->pane.scroll.at > lines / 2 ? b->pane.scroll.at - lines / 2 : 0;
	return status;
}

static struct browse_row selected_code_row(const struct browse *b, const struct cause **call)
{
	struct browse_row row = outline_row(b->lists[b->view].outline, browse_selected(b));

	*call = row.cause && cause_is_call(row.cause) ? row.cause : NULL;
	return browse_code_row(b->data, &row);
}

int browse_open_source(struct browse *b)
{
	uint32_t item = browse_selected(b);
	struct code_sides sides = { 0 };
	struct cg_error err = { 0 };

	if (!item || !b->finder.of) {
		browse_say(b, "no source lines here");
		return CG_OK;
	}
	const struct cause *call;
	struct browse_row row = selected_code_row(b, &call);
	int status = b->finder.find(b->finder.of, &row, &sides, &err);
	if (status)
		browse_say(b, "%s", err.message);
	else if (!has_lines(&sides))
		browse_say(b, "no source lines of %s in the profile", row.name);
	if (status || !has_lines(&sides))
		return status == CG_ENOMEM ? status : CG_OK;
	browse_close_pane(b);
	b->pane.sides = sides;
	b->pane.cause = call;
	b->pane.title = strdup(row.name);
	return b->pane.title ? browse_update_pane(b) : CG_ENOMEM;
}

/* ---- machine code ---- */

static int find_pane_instructions(struct browse *b, struct code **out, const char **note)
{
	bool base = b->data->diff && browse_shown(b) != BROWSE_ONLY_HEAD;
	bool head = browse_shown(b) != BROWSE_ONLY_BASE;
	const struct cause *call;
	struct browse_row row = selected_code_row(b, &call);
	struct cg_error err = { 0 };
	int status = b->finder.find_instructions(b->finder.of_instructions, &row, base, head, out,
						 note, &err);

	if (status)
		browse_say(b, "%s", err.message);
	else if (browse_hides(b) && browse_shows_change(b))
		hide_unchanged_lines(b, *out);
	return status;
}

int browse_open_instructions(struct browse *b)
{
	struct code *code = NULL;
	const char *note = "";

	if (!browse_selected(b) || !b->finder.of_instructions) {
		browse_say(b, "no machine code here");
		return CG_OK;
	}
	const struct cause *call;
	struct browse_row row = selected_code_row(b, &call);
	int status = find_pane_instructions(b, &code, &note);
	if (!status && !code->count)
		browse_say(b, "no machine code of %s in the profile", row.name);
	if (status || !code->count) {
		code_free(code);
		return status == CG_ENOMEM ? status : CG_OK;
	}
	browse_close_pane(b);
	b->pane.code = code;
	b->pane.instructions = true;
	b->pane.note = note;
	b->pane.title = strdup(row.name);
	return b->pane.title ? show_first_line(b) : CG_ENOMEM;
}

/* Makes its lines anew, for other sides or another metric. */
int browse_update_pane(struct browse *b)
{
	struct code *code = NULL;
	int status = b->pane.instructions ? find_pane_instructions(b, &code, &b->pane.note)
					  : make_code(b, &code);

	code_free(b->pane.code);
	b->pane.code = code;
	if (status)
		browse_close_pane(b);
	else
		status = show_first_line(b);
	return status == CG_ENOMEM ? status : CG_OK;
}

void browse_close_pane(struct browse *b)
{
	code_free(b->pane.code);
	free(b->pane.title);
	b->pane = (struct pane){ 0 };
}
