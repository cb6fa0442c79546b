/* Private to report/: code that moved out of a function into a new one that it calls, or back. */
#ifndef IRDIFF_REPORT_MOVED_CODE_H
#define IRDIFF_REPORT_MOVED_CODE_H

#include "src/report/diff_report.h"

struct moved_code {
	const char *caller; /* the function that has the code on the other side */
	bool back;          /* base calls the other function, and head does not */
	bool alone;         /* the caller has no other such function: `net` means something */
	int64_t self;       /* by so much the caller's self cost changed, the other way, and … */
	int64_t net;        /* … with that the cause; saturates */
};

/* Whether a cause is a call of a function that only one side has, and that is not installed, by one
 * that both sides have, that spends the more itself on the other side, and that was edited or makes
 * the same calls there. */
bool moved_code_find(const struct causes *causes, const struct cause *c, struct moved_code *out);

/* Writes that after `lead`: "takes over code of parse, whose self cost fell by 900: net
 * +100", without the numbers where it is not alone. False: it is no such cause; nothing was
 * written. The caller's name in `names` columns, as text_sentence_names shows it. Not safe. */
bool moved_code_print(const struct causes *causes, const struct cause *c, const char *lead,
		      unsigned names, FILE *to);

#endif
