/* Private to browse/: what a browser shows, and what can be done with it. */
#ifndef IRDIFF_BROWSE_STATE_H
#define IRDIFF_BROWSE_STATE_H

#include "src/browse/callers.h"
#include "src/browse/code.h"
#include "src/browse/search.h"

enum browse_view { VIEW_FUNCTIONS, VIEW_PATHS, VIEW_CALLERS, VIEW_CAUSES, VIEWS };

/* A list of lines of which some are on the screen. */
struct scroll {
	size_t at;  /* the one that is selected */
	size_t top; /* the first one on the screen */
};

struct list {
	struct outline *outline; /* NULL: nobody has seen it */
	struct scroll scroll;
	enum browse_sort sort;
	bool stale; /* ordered by what was chosen before */
};

/* A function as all views name it. */
struct followed {
	const char *name, *object, *file; /* NULL: none */
};

struct pane {
	struct code_sides sides;
	struct code *code;         /* NULL: none is open */
	const struct cause *cause; /* a call, of whose caller the code is; NULL: it is of no call */
	bool instructions;         /* it is machine code, not source … */
	const char *note;          /* … and this is to be known about it; of the finder */
	char *title;
	struct scroll scroll;
	size_t left; /* columns of the text that are left of the screen */
};

struct browse {
	const struct browse_data *data;
	struct browse_code_finder finder;
	struct callers *callers;
	struct list lists[VIEWS];
	enum browse_view view;
	/* The function that this view does not have, and what is selected there instead. */
	struct followed missing;
	uint32_t instead;
	size_t metric;
	enum browse_show show;
	bool unchanged;                          /* rows that did not change are shown, too */
	bool *functions_changed, *paths_changed; /* per row of the tables: it or a row below it */
	/* the same in the metric that is shown, as of changed_in */
	bool *functions_shown, *paths_shown;
	size_t changed_in;
	struct pane pane;
	bool help;
	struct scroll help_scroll;
	char *regex; /* that is searched for; NULL: nothing */
	struct row_search *search;
	bool prompting;
	char typed[256]; /* UTF-8, while a person types a regex */
	size_t ntyped;
	bool backwards;
	char message[512]; /* until the next key; "": nothing */
	unsigned height, width;
	bool ended;
};

/* Where things are on the screen. Line 0 is the title, the last two are status and keys. */
struct layout {
	unsigned list_top, list_lines; /* after its headings; 0 lines: not to be seen */
	unsigned detail;               /* the line that says all of what is selected; 0: none */
	unsigned pane_top, pane_lines; /* the same; 0 lines: no source is open */
};

struct layout browse_layout(const struct browse *b);

/* The metric and the sides that are shown. Causes are always of the change of one metric. */
const struct browse_metric *browse_metric(const struct browse *b);
enum browse_show browse_shown(const struct browse *b);
/* The list of the view that is shown. */
struct list *browse_list(struct browse *b);
/* The item of that list that is selected; 0: it is empty. */
uint32_t browse_selected(const struct browse *b);

void browse_say(struct browse *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What keys do; CG_OK or CG_ENOMEM. */
void browse_move(struct scroll *s, size_t count, long by);
/* Views, where the function stays selected. */
int browse_show_view(struct browse *b, enum browse_view view);
unsigned browse_views(const struct browse *b);
/* The tree at the call path of a cause. */
int browse_show_cause(struct browse *b, const struct cause *cause);
/* `stay`: what is selected stays so, even if it is the first row. */
int browse_reorder(struct browse *b, bool stay);
/* Whether rows that did not change are hidden. */
bool browse_hides(const struct browse *b);
int browse_turn_unchanged(struct browse *b);
/* Whether a row of the paths is in its list. */
bool browse_lists_path(const struct browse *b, uint32_t row);
/* Whether a path is not seen, as nothing of the metric that is shown changed in it or below. */
bool browse_hides_path(const struct browse *b, uint32_t row);
int browse_search(struct browse *b, const char *regex, bool backwards);
int browse_search_next(struct browse *b, bool backwards);
int browse_open_source(struct browse *b);
int browse_open_instructions(struct browse *b);
int browse_update_pane(struct browse *b);
void browse_close_pane(struct browse *b);

/* Lines of the help. */
size_t browse_help_lines(void);

#endif
