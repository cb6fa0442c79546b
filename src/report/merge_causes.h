/* Private to report/: causes of several benchmarks, of which equal ones are one: whoever changes a
 * function that many benchmarks call need not read of it many times. */
#ifndef IRDIFF_REPORT_MERGE_CAUSES_H
#define IRDIFF_REPORT_MERGE_CAUSES_H

#include "src/report/suite_report.h"

/* A cause, or where calls are not known, a function; or several that are equal, which follow each
 * other: the same function and caller of the same file, the same reason and metric, all grew or all
 * shrank. What an edited function decides itself is one cause, too, whatever its reason: of one
 * edit, what is inlined in one benchmark and not in another may show in two forms. */
struct merged_cause {
	const struct bench_report *bench;
	const struct cause *cause;
	const struct cause_place *at; /* of the cause; NULL: not known */
	const struct diff_row *row;   /* where there is no cause */
	size_t place, first_place;    /* among the causes of its benchmark that cost more, or all;
	                                 of all that are equal */
	const char *caller, *name, *file, *reason, *metric;
	int64_t delta;   /* of all that are equal; saturates */
	uint64_t weight; /* the same (cause_weight) */
	double share;    /* of the weight in the base of its benchmark, the largest of all that are
	                    equal */
	bool fails;      /* a limit of a benchmark of them, or they would if they were judged */
	bool edited;     /* those that are equal have several reasons: the function was edited */
	size_t count, order;
};

struct merged_causes {
	struct merged_cause *items;
	size_t count, cap;
	const struct merged_cause **merged; /* each counts the others after it */
	size_t nmerged;
};

enum merged_kind { MERGE_ALL, MERGE_GROWTH };

/* Adds those of a benchmark that has base and head: all, or what costs more and can be changed in
 * head; with what was edited and costs less, where the change is what is left of larger ones. CG_OK
 * or CG_ENOMEM; free with merged_causes_free in both cases. */
int merged_causes_add(struct merged_causes *l, const struct bench_report *b, enum merged_kind kind);

/* Once all are added, merges them: the largest weight first, or the largest share, as also where
 * they are of several metrics. Those of benchmarks that fail come before others, and of these the
 * first of each metric: it is why that fails, however small it is beside others. CG_OK or
 * CG_ENOMEM. */
int merged_causes_make(struct merged_causes *l, bool by_share);
/* Puts the largest weight first, of those that fail and of others, if all are of one metric: what
 * was chosen by shares is easier to read by sizes. */
void merged_causes_sort(struct merged_causes *l);
void merged_causes_free(struct merged_causes *l);

#endif
