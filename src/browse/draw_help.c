#include "src/browse/drawing.h"

static const char *const help[] = {
	"Moving",
	"  j k  ↓ ↑           next, previous line",
	"  Space PgDn  b PgUp a page down, up        (Ctrl-d Ctrl-u: half a page)",
	"  g Home  G End      first, last line",
	"  → ←                unfold or go down, fold or go up; scroll the source",
	"",
	"Folding",
	"  Enter e            fold, unfold; if nothing is below a line, show its source;",
	"                     show a cause in the tree",
	"  + -                unfold, fold",
	"  E C                unfold all (callers: all below the line), fold all",
	"",
	"Views",
	"  Tab                functions, call tree, callers, causes of a change; the",
	"                     selected function stays selected",
	"  m M                next, previous metric (not of causes)",
	"  d D                for a change: Δ, Δ% (relative), base, head",
	"  u                  for a change: show or hide what did not change",
	"  s S                sort by incl., self, calls, name",
	"  o >                source of the selected function, with costs of lines",
	"  a                  its machine code, with costs of instructions",
	"",
	"Searching",
	"  /                  a regular expression over object:file:function, also in",
	"                     folded lines (except callers); in the source, over lines",
	"  n N                next, previous match",
	"",
	"  q                  close the source, the machine code or the help, or quit",
	"  Q Ctrl-C           quit",
	"",
	"Signs",
	"  incl. self         cost with callees, and without",
	"  %, % of base       share of the total; Δ as a share of base's total",
	"  share              of causes: part of the whole change",
	"  ~                  estimated: the profile lacks full call paths",
	"  …                  recursion deeper than recorded",
	"  ≤ ?                an upper bound; unknown, because bounds have no difference",
	"  – new removed      absent or unknown; only in head; only in base",
	"  + - in the source  lines or instructions only in head, or only in base",
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
