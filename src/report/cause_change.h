/* Private to report/ and browse/: what changed by a cause, from base to head. */
#ifndef IRDIFF_REPORT_CAUSE_CHANGE_H
#define IRDIFF_REPORT_CAUSE_CHANGE_H

#include "src/report/diff_report.h"

/* A cause, and those of its comparison. */
struct cause_among {
	const struct causes *causes;
	const struct cause *cause;
};

/* Writes what changed: "800 → 2,400 calls", "new, 7 calls", "self 12.0 M → 20.0 M Ir". Names
 * in `names` columns each, as text_sentence_names shows them. */
void cause_print_change(const struct causes *causes, const struct cause *c, unsigned names,
			FILE *to);

/* What a function spends itself on both sides, where that explains a cause of the kind CAUSE_SELF.
 * False: it does not, or the cause is of another kind; then nothing was set. */
bool cause_self_costs(const struct causes *causes, const struct cause *c, int64_t *base,
		      int64_t *head);

/* Writes what changed by `count` causes with the same reason, of several comparisons: costs and
 * calls are their sums, and what differs between them is left out. */
void cause_print_changes(const struct cause_among *of, size_t count, unsigned names, FILE *to);

#endif
