/* The comparisons of several benchmarks, and one report on all of them. */
#ifndef IRDIFF_COMPARE_SUITE_H
#define IRDIFF_COMPARE_SUITE_H

#include "callgrind/build.h"
#include "src/compare/comparison.h"
#include "src/compare/hot_code.h"
#include "src/compare/hot_sources.h"
#include "src/compare/source_annotations.h"
#include "src/flame/flame.h"
#include "src/record/load_series.h"
#include "src/report/suite_report.h"

#define SUITE_FRAMES 50000 /* that a page keeps, by default */

struct suite_options {
	const char *format; /* "html", or one of REPORT_FORMATS; text of one benchmark by --view */
	const char *view;   /* as diff_view_of takes it; NULL: the summary */
	const char *title;  /* of the page; NULL: the benchmark's name */
	const char *back;   /* address of the page that leads to it; NULL: none does */
	const char *root;   /* where flame graphs begin; NULL: main */
	const char *output; /* NULL: standard output */
	const char *baseline; /* baseline that the operands of base belong to; NULL: none */
	const char *color;
	bool wide, step_summary;
	bool last; /* keep the report as the last one, for irdiff comment */
	uint64_t most_frames;
	struct text_list include;
	struct comparison_options compare;
};

bool suite_is_page(const struct suite_options *options);

/* Sets what the comparisons have to find out for the format. */
void suite_options_complete(struct suite_options *options);

/* Totals of the first of two measurements, 0 beyond the events of the profile; nothing: it was
 * measured once. */
struct first_counts {
	uint32_t nbase, nhead; /* events; 0: measured once */
	int64_t base[CG_MAX_EVENTS], head[CG_MAX_EVENTS];
};

struct suite_bench {
	char *base, *head;         /* operands; NULL: the side has none (comparison.h) */
	char *name;                /* in reports, if the profiles have none; NULL: as the operand */
	struct first_counts first; /* if it was measured twice, as chance may have decided */
	bool added; /* to irdiff.yml, by head: it may have taken the place of another one */
	bool alone; /* head is to be shown, and compared with nothing */
	struct comparison c;
	struct source_annotations places;
	/* Of the page only. */
	struct flame *in_base, *in_head, *in_diff;
	struct hot_sources sources;
	struct hot_code code; /* of these */
	struct loaded_series history;
};

struct suite {
	const struct notices *notices; /* of the project, once it is compared */
	const struct suite_options *options;
	struct comparison_options compare; /* the same, but for warnings and rules */
	struct warnings warnings;          /* of all comparisons */
	struct rule_book *rules;           /* of their insights; NULL: none was needed yet */
	struct suite_bench **benches;      /* comparisons point into themselves */
	size_t count, cap;
	const struct bench_failure *failures; /* what could not be measured; the caller's */
	size_t nfailures;
	bool complete;              /* these are all benchmarks of irdiff.yml */
	bool shard;                 /* others are compared elsewhere, for one report */
	bool whole;                 /* each benchmark is here with all its cases */
	struct remarks remarks;     /* on all of it */
	const char *const *preface; /* lines of text above all, NULL-terminated; NULL: none */
};

/* Adds a pair of operands, which are copied. */
int suite_add(struct suite *suite, const char *base, const char *head, struct cg_error *err);

/* Names the last pair, whose profiles may have no name of their own. */
int suite_name(struct suite *suite, const char *name, struct cg_error *err);

/* Adds a profile that a page shows without a comparison. */
int suite_add_alone(struct suite *suite, const char *head, struct cg_error *err);

/* Replaces a pair by one that is still to be compared. */
int suite_replace(struct suite *suite, size_t i, const char *base, const char *head,
		  struct cg_error *err);

enum causes_taken {
	CAUSES_TAKEN,
	CAUSES_OF_OTHER_COUNTS,       /* or of another verdict */
	CAUSES_OF_OTHER_ENVIRONMENTS, /* base and head: the verdict would be of them */
};

/* Compares these two in place of a pair that has been compared, for better causes. Unless counts,
 * verdicts and environments are as they were, the pair stays. */
int suite_take_causes(struct suite *suite, size_t i, const char *base, const char *head,
		      const struct project *project, enum causes_taken *taken,
		      struct cg_error *err);

/* Removes one; those after it move up. */
void suite_remove(struct suite *suite, size_t i);

/* Compares the pairs that have not been compared yet. */
int suite_compare(struct suite *suite, const struct project *project, struct cg_error *err);
/* Once all are compared, judges what depends on all of them. */
int suite_settle(struct suite *suite, struct cg_error *err);
/* For suite_settle, in suite_moved.c: remarks on new processes and threads of a benchmark that
 * costs more. */
int suite_remark_moved(struct suite *suite, struct cg_error *err);
/* CG_EIO without words where `to` cannot be written. */
int suite_write(const struct suite *suite, const struct text_style *style, FILE *to,
		struct cg_error *err);
/* Appends to $GITHUB_STEP_SUMMARY. */
int suite_write_step_summary(const struct suite *suite, struct cg_error *err);

/* Keeps the verdicts for `irdiff baseline accept` (verdicts_file.h). */
int suite_keep_verdicts(const struct suite *suite, const struct project *project,
			struct cg_error *err);

/* Writes it as the last report (last_report.h); with suite_options.last. */
int suite_keep_last(const struct suite *suite, const char *root, struct cg_error *err);

/* The more telling of two endings: a limit that is certainly broken comes before a doubtful one. */
enum ending suite_worse(enum ending a, enum ending b);

/* The worst of all. */
enum ending suite_ending(const struct suite *suite);

/* On failure, too. The options are the caller's. */
void suite_free(struct suite *suite);

#endif
