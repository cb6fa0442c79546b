/* What may make a benchmark's counts the same in every run: tried one by one, then together,
 * until the least is known that does. */
#ifndef IRDIFF_CMD_REMEDIES_H
#define IRDIFF_CMD_REMEDIES_H

#include "src/cmd/repeating.h"
#include "src/report/verify_report.h"

/* What was tried and what came of it. */
struct remedy_search {
	struct verify_attempt *attempts;
	size_t nattempts, cap;
	struct verify_remedy remedy; /* what the benchmark is to have; valid if `found` */
	bool found;
};

/* Searches for a benchmark that has differed as `before` says. A trial that fails is an attempt
 * like others. An error was printed; *exit_code is that of a signal, or of the error. Free *out
 * in any case. */
int remedies_search(const struct repeating *how, const struct repeated *before,
		    struct remedy_search *out, int *exit_code);
void remedies_free(struct remedy_search *s);

#endif
