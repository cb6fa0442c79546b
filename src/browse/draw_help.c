#include "src/browse/drawing.h"

static const char *const help[] = {
	"Moving",
	"  j k  ↓ ↑           next, previous line",
	"  Space PgDn  b PgUp a page down, up        (Ctrl-d Ctrl-u: half of one)",
	"  g Home  G End      first, last line",
	"  → ←                unfold or go down, fold or go up; in the source scroll",
	"",
	"Folding",
	"  Enter e            fold, unfold; what has nothing below it shows its source",
	"  + -                unfold, fold",
	"  E C                unfold all (of callers: below the line), fold all",
	"",
	"What is shown",
	"  Tab                functions, tree (paths of calls), callers",
	"  m M                next, previous metric",
	"  d D                of a difference: Δ, Δ% of base, base, head",
	"  s S                sort by incl., self, calls, name",
	"  o >                the source of the selected function, with what lines cost",
	"",
	"Searching",
	"  /                  a regular expression, in object:file:function, also of what",
	"                     is folded (but callers); in the source in its lines",
	"  n N                next, previous match",
	"",
	"  q                  close the source or the help, or quit",
	"  Q Ctrl-C           quit",
	"",
	"Signs",
	"  incl. self         cost with all that is called from there, and without",
	"  % impact           share of the total; of a difference, Δ as a share of base's",
	"  ~                  estimated: the profile does not say by which paths",
	"  …                  recursion deeper than recorded",
	"  ≤ ?                an upper bound; not known, because bounds have no difference",
	"  – new removed      not there, or not known; only in head; only in base",
	"  + - in the source  lines that only head has, or only base",
};

enum { LINES = sizeof help / sizeof *help };

size_t browse_help_lines(void)
{
	return LINES;
}

void draw_help(struct drawing *d)
{
	const struct browse *b = d->b;

	for (unsigned y = 1; y + 2 < b->height; y++) {
		size_t at = b->help_scroll.top + y - 1;
		bool heading = at < LINES && help[at][0] != ' ' && help[at][0];
		draw_text(d, y, 0, 1, "", LOOK_PLAIN);
		draw_text(d, y, 1, b->width - 1, at < LINES ? help[at] : "",
			  heading ? LOOK_HEADING : LOOK_PLAIN);
	}
}
