/* Private to insight/: figures put into the wording of a rule. */
#ifndef IRDIFF_INSIGHT_WORDING_H
#define IRDIFF_INSIGHT_WORDING_H

#include "src/insight/rule.h"

/* The figures that are known, by enum rule_figures; NULL: not known. Owns the texts. */
struct figures {
	char *texts[FIGURES];
	bool whole_names;
	bool failed; /* memory ran out */
};

void figure_set(struct figures *f, enum rule_figures which, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void figure_count(struct figures *f, enum rule_figures which, uint64_t n);
void figure_cost(struct figures *f, enum rule_figures which, int64_t cost);
/* part / whole in percent: "12.3%". Not known of a whole of 0. */
void figure_share(struct figures *f, enum rule_figures which, int64_t part, int64_t whole);
/* A name as text_sentence_names shows it, whole if it is to be. */
void figure_name(struct figures *f, enum rule_figures which, const char *name);
void figures_free(struct figures *f);

/* The sentence, which the caller frees; NULL: out of memory. A name outside of brackets that has
 * no figure is "?". Texts that the profiles have are between two of `mark`. */
char *wording_fill(const char *wording, const struct figures *f, const char *mark);

#endif
