/* What can make counts repeat: a table of settings, and sets of them as bits. */
#ifndef IRDIFF_MEASURE_REMEDIES_H
#define IRDIFF_MEASURE_REMEDIES_H

#include "src/measure/repeat_runs.h"
#include "src/report/verify_report.h"

#define REMEDIES 10

/* Those that would change something for a benchmark that ran as in `before`. */
unsigned remedies_for(const struct repeating *how, const struct repeated *before);

/* Static: "freeze random". */
const char *remedy_name(unsigned i);

/* A request to which remedies were applied; free it in any case. */
struct remedied {
	struct run_request request; /* a view of the list below and of the first request */
	const char **env;           /* its texts are not owned */
};

/* `frozen`: what was frozen before. CG_OK or CG_ENOMEM. */
int remedies_apply(const struct run_request *request, unsigned frozen, unsigned set,
		   struct remedied *out);
void remedied_free(struct remedied *r);

/* As it is to be reported. */
void remedies_describe(unsigned frozen, unsigned set, struct verify_remedy *out);

#endif
