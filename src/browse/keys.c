#include <string.h>

#include "callgrind/support/text.h"
#include "src/browse/browse.h"
#include "src/browse/state.h"

#define CONTROL(letter) ((letter)&0x1f)

/* ---- moving ---- */

/* By how many lines a key moves; 0: it is none of these. */
static long movement(uint32_t key, size_t page)
{
	const long step = page > 1 ? (long)page - 1 : 1, far = 1L << 40;

	switch (key) {
	case BROWSE_KEY_DOWN:
	case 'j':
	case CONTROL('n'):
		return 1;
	case BROWSE_KEY_UP:
	case 'k':
	case CONTROL('p'):
		return -1;
	case BROWSE_KEY_PAGE_DOWN:
	case ' ':
	case CONTROL('f'):
		return step;
	case BROWSE_KEY_PAGE_UP:
	case 'b':
	case CONTROL('b'):
		return -step;
	case CONTROL('d'):
		return step / 2 + 1;
	case CONTROL('u'):
		return -(step / 2) - 1;
	case BROWSE_KEY_HOME:
	case 'g':
		return -far;
	case BROWSE_KEY_END:
	case 'G':
		return far;
	default:
		return 0;
	}
}

static bool move_by_key(uint32_t key, struct scroll *s, size_t count, size_t page)
{
	long by = movement(key, page);
	if (by)
		browse_move(s, count, by);
	return by != 0;
}

/* ---- folds ---- */

static int open_item(struct browse *b, uint32_t item)
{
	if (!outline_can_open(browse_list(b)->outline, item)) {
		browse_say(b, "nothing below this line");
		return CG_OK;
	}
	return outline_open(browse_list(b)->outline, item);
}

/* An item that is folded already folds its parent, as in a tree of files. */
static int fold_item(struct browse *b, uint32_t item)
{
	struct list *l = browse_list(b);
	uint32_t parent = l->outline->items[item].parent;

	if (!l->outline->items[item].open && parent)
		item = parent;
	if (outline_fold(l->outline, item))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, item);
	return CG_OK;
}

/* An item with nothing below it shows its source, which a person would look at next; a cause is
 * shown in the tree. */
static int enter_item(struct browse *b, uint32_t item)
{
	struct outline *o = browse_list(b)->outline;
	const struct cause *cause = outline_row(o, item).cause;

	if (cause)
		return browse_show_cause(b, cause);
	if (o->items[item].open)
		return outline_fold(o, item);
	return outline_can_open(o, item) ? outline_open(o, item) : browse_open_source(b);
}

static int move_right(struct browse *b, uint32_t item)
{
	struct list *l = browse_list(b);
	if (!l->outline->items[item].open)
		return open_item(b, item);
	browse_move(&l->scroll, l->outline->nrows, 1);
	return CG_OK;
}

static int move_left(struct browse *b, uint32_t item)
{
	struct list *l = browse_list(b);
	if (l->outline->items[item].open)
		return outline_fold(l->outline, item);
	if (l->outline->items[item].parent)
		l->scroll.at = outline_row_of(l->outline, l->outline->items[item].parent);
	return CG_OK;
}

/* Opens everything; of callers, which are too many, only those of the selected row. */
static int open_all_items(struct browse *b, uint32_t item)
{
	struct list *l = browse_list(b);
	uint32_t selected = item;
	bool all;

	if (outline_open_below(l->outline, b->view == VIEW_CALLERS ? item : 0, &all))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, selected);
	if (!all)
		browse_say(b, "too many rows; some are still folded");
	return CG_OK;
}

static int fold_all(struct browse *b, uint32_t item)
{
	struct list *l = browse_list(b);
	while (l->outline->items[item].parent)
		item = l->outline->items[item].parent;
	if (outline_fold_all(l->outline))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, item);
	return CG_OK;
}

static int press_fold(struct browse *b, uint32_t key, uint32_t item)
{
	switch (key) {
	case BROWSE_KEY_ENTER:
	case 'e':
		return enter_item(b, item);
	case '+':
		return open_item(b, item);
	case '-':
		return fold_item(b, item);
	case BROWSE_KEY_RIGHT:
		return move_right(b, item);
	case BROWSE_KEY_LEFT:
		return move_left(b, item);
	case 'E':
		return open_all_items(b, item);
	case 'C':
		return fold_all(b, item);
	case 'o':
	case '>':
		return browse_open_source(b);
	case 'a':
		return browse_open_instructions(b);
	default:
		browse_say(b, "unknown key; ? lists the keys");
		return CG_OK;
	}
}

/* ---- what is shown ---- */

/* Causes are an answer to one question. */
static bool is_fixed(struct browse *b, const char *what)
{
	if (b->view != VIEW_CAUSES)
		return false;
	browse_say(b, "causes %s", what);
	return true;
}

static int turn_metric(struct browse *b, size_t by)
{
	if (b->view == VIEW_CAUSES) {
		browse_say(b, "causes are of %s; for others, run irdiff browse --metric=METRIC",
			   browse_metric(b)->of[BROWSE_HEAD].name);
		return CG_OK;
	}
	if (b->data->nmetrics == 1)
		browse_say(b, "no other metric");
	b->metric = (b->metric + by) % b->data->nmetrics;
	return browse_reorder(b, false);
}

static int turn_show(struct browse *b, unsigned by)
{
	enum { SHOWS = BROWSE_ONLY_HEAD + 1 };
	if (!b->data->diff) {
		browse_say(b, "only one profile; to compare two, run irdiff browse BASE HEAD");
		return CG_OK;
	}
	if (is_fixed(b, "are of the change; Tab leads to other views"))
		return CG_OK;
	b->show = (enum browse_show)((b->show + by) % SHOWS);
	if (browse_reorder(b, true))
		return CG_ENOMEM;
	return b->pane.code ? browse_update_pane(b) : CG_OK;
}

static bool needs_calls(enum browse_sort sort)
{
	return sort == BROWSE_BY_INCLUSIVE || sort == BROWSE_BY_CALLS;
}

static int turn_unchanged(struct browse *b)
{
	if (!b->data->diff) {
		browse_say(b, "only one profile; to compare two, run irdiff browse BASE HEAD");
		return CG_OK;
	}
	if (!b->pane.code && is_fixed(b, "are of the change; Tab leads to other views"))
		return CG_OK;
	if (browse_turn_unchanged(b))
		return CG_ENOMEM;
	browse_say(b, "what is the same in base and head is %s", b->unchanged ? "shown" : "hidden");
	return b->pane.code ? browse_update_pane(b) : CG_OK;
}

static int turn_sort(struct browse *b, unsigned by)
{
	struct list *l = browse_list(b);

	if (is_fixed(b, "are ordered by their size"))
		return CG_OK;
	do
		l->sort = (enum browse_sort)((l->sort + by) % BROWSE_SORTS);
	while (!b->data->has_calls && needs_calls(l->sort));
	return browse_reorder(b, false);
}

static int turn_view(struct browse *b, unsigned by)
{
	browse_close_pane(b);
	return browse_show_view(b, (enum browse_view)((b->view + by) % browse_views(b)));
}

static void prompt(struct browse *b, bool backwards)
{
	b->prompting = true;
	b->backwards = backwards;
	b->ntyped = 0;
	b->typed[0] = '\0';
}

/* Keys that mean the same wherever one is. *known: it is one of them. */
static int press_common(struct browse *b, uint32_t key, bool *known)
{
	*known = true;
	switch (key) {
	case BROWSE_KEY_TAB:
		return turn_view(b, 1);
	case BROWSE_KEY_BACK_TAB:
		return turn_view(b, browse_views(b) - 1);
	case 'm':
		return turn_metric(b, 1);
	case 'M':
		return turn_metric(b, b->data->nmetrics - 1);
	case 'd':
		return turn_show(b, 1);
	case 'D':
		return turn_show(b, BROWSE_ONLY_HEAD);
	case 'u':
		return turn_unchanged(b);
	case 's':
		return turn_sort(b, 1);
	case 'S':
		return turn_sort(b, BROWSE_SORTS - 1);
	case '/':
		prompt(b, false);
		return CG_OK;
	case 'n':
		return browse_search_next(b, b->backwards);
	case 'N':
		return browse_search_next(b, !b->backwards);
	case '?':
	case 'h':
		b->help = true;
		b->help_scroll = (struct scroll){ 0 };
		return CG_OK;
	case 'Q':
		b->ended = true;
		return CG_OK;
	default:
		*known = false;
		return CG_OK;
	}
}

/* ---- where one is ---- */

static void press_help(struct browse *b, uint32_t key)
{
	size_t page = b->height > 3 ? b->height - 3 : 1, lines = browse_help_lines();
	size_t tops = lines > page ? lines - page + 1 : 1;

	if (!move_by_key(key, &b->help_scroll, tops, page))
		b->help = false;
	b->help_scroll.top = b->help_scroll.at;
}

static int press_pane(struct browse *b, uint32_t key)
{
	enum { STEP = 8 };
	struct pane *p = &b->pane;

	if (move_by_key(key, &p->scroll, p->code->count, browse_layout(b).pane_lines))
		return CG_OK;
	if (key == 'a' && !p->instructions)
		return browse_open_instructions(b);
	if (key == 'o' && p->instructions)
		return browse_open_source(b);
	switch (key) {
	case 'q':
	case 'o':
	case '<':
	case '>':
	case 'a':
	case BROWSE_KEY_ESCAPE:
	case BROWSE_KEY_ENTER:
		browse_close_pane(b);
		break;
	case BROWSE_KEY_RIGHT:
		p->left += STEP;
		break;
	case BROWSE_KEY_LEFT:
		p->left = p->left > STEP ? p->left - STEP : 0;
		break;
	default:
		browse_say(b, "q closes this, ? lists the keys");
	}
	return CG_OK;
}

static int press_list(struct browse *b, uint32_t key)
{
	struct list *l = browse_list(b);
	uint32_t item = browse_selected(b);

	if (move_by_key(key, &l->scroll, l->outline->nrows, browse_layout(b).list_lines))
		return CG_OK;
	if (key == 'q')
		b->ended = true;
	else if (item && key != BROWSE_KEY_ESCAPE)
		return press_fold(b, key, item);
	return CG_OK;
}

/* ---- the prompt ---- */

static void type(struct browse *b, uint32_t c)
{
	char bytes[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (cg_is_control(c) || c > 0x10ffff || b->ntyped + n >= sizeof b->typed)
		return;
	for (size_t i = n; i-- > 1; c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3f));
	bytes[0] = (char)(lead[n] | c);
	memcpy(b->typed + b->ntyped, bytes, n);
	b->ntyped += n;
	b->typed[b->ntyped] = '\0';
}

static void erase(struct browse *b)
{
	while (b->ntyped && ((unsigned char)b->typed[--b->ntyped] & 0xc0) == 0x80)
		;
	b->typed[b->ntyped] = '\0';
}

static int press_prompt(struct browse *b, uint32_t key)
{
	switch (key) {
	case BROWSE_KEY_ENTER:
		b->prompting = false;
		/* Searching for nothing repeats the last search. */
		return b->ntyped ? browse_search(b, b->typed, b->backwards)
				 : browse_search_next(b, b->backwards);
	case BROWSE_KEY_ESCAPE:
		b->prompting = false;
		break;
	case BROWSE_KEY_BACKSPACE:
		b->prompting = b->ntyped > 0;
		erase(b);
		break;
	case CONTROL('u'):
		b->ntyped = 0;
		b->typed[0] = '\0';
		break;
	default:
		type(b, key);
	}
	return CG_OK;
}

int browse_press(struct browse *b, uint32_t key)
{
	bool known;

	b->message[0] = '\0';
	if (b->prompting)
		return press_prompt(b, key);
	if (b->help) {
		press_help(b, key);
		return CG_OK;
	}
	int status = press_common(b, key, &known);
	if (status || known)
		return status;
	return b->pane.code ? press_pane(b, key) : press_list(b, key);
}
