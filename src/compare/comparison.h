/* Two profiles loaded, compared and judged: all that reports on their difference need. */
#ifndef IRDIFF_COMPARE_COMPARISON_H
#define IRDIFF_COMPARE_COMPARISON_H

#include "src/compare/cause_places.h"
#include "src/compare/changed_instructions.h"
#include "src/compare/changed_sources.h"
#include "src/compare/choose_causes.h"
#include "src/compare/choose_paths.h"
#include "src/compare/edited_code.h"
#include "src/compare/judging.h"
#include "src/compare/other_code.h"
#include "src/load/choose_events.h"
#include "src/load/insight_rules.h"
#include "src/load/load.h"
#include "src/load/project.h"
#include "src/load/select_parts.h"
#include "src/report/diff_report.h"

#define COMPARISON_MIN_DELTA UINT64_MAX /* the default of the metric */

struct comparison_options {
	/* Also compare paths; find causes; how deep stacks are. All may be set. */
	bool tree, causes, depth;
	/* without them there is nothing to show: a side without calls is refused */
	bool only_paths;
	/* causes are of the tree that is compared: without_inlined.h is not for them */
	bool one_tree;
	/* What is shown by a format that can show only one thing, or was asked for: one that needs
	 * calls is refused where a side has none. The source makes lines be read; it and functions
	 * need nothing else. */
	enum diff_view view;
	const char *metric; /* NULL: Ir, or the first event; or that of which a limit is exceeded */
	bool several; /* others are compared as well: a profile without the metric shows its own */
	const char *show; /* metrics to show beside each other, "Ir,Dw"; NULL: see diff_report */
	struct reading_options reading;
	const char *filter, *ignore;
	const char *sort;         /* one of COMPARISON_ORDERS, or a metric; NULL: the first */
	const char *insights;     /* a file of rules, "auto" or "none" */
	bool whole_names;         /* in insights */
	struct rule_book **rules; /* as insights_for_diff shares them; NULL: not shared */
	/* What rows are; paths and causes are always of functions, so do not ask for them with
	 * another value. */
	enum cg_rollup_by by;
	double threshold;
	uint64_t min_delta;
	bool fixed_threshold; /* the command has no option for these */
	/* As in struct diff_options. */
	bool rows_below_threshold, rows_below_min_delta;
	uint64_t top;            /* 0: all; see comparison_top */
	uint64_t context;        /* lines of source around those that changed */
	const char *const *dirs; /* of source files, NULL-terminated; NULL: none */
	struct judging_options judging;
	struct warnings *warnings; /* where those go that other comparisons repeat; NULL: at once */
};

/* What rows are sorted by: the size of the change, the larger cost first, or the name; for
 * another metric, the change in self cost. */
#define COMPARISON_ORDERS "delta|inclusive|base|head|calls|name"

/* Of a word of --view. */
enum diff_view diff_view_of(const char *word);

#define COMPARISON_TOP 20 /* unless the format wants less, or the user something else */

#define COMPARISON_DEFAULTS \
	.threshold = (double)DIFF_DEFAULT_THRESHOLD_PPB / 1e7, .min_delta = COMPARISON_MIN_DELTA, \
	.top = DIFF_TOP_AUTO, .reading.inlines = "auto", .insights = "auto"

/* The same profiles with the contexts of calls, and their difference. Empty if base and head of the
 * comparison have them or cannot be read again, or if there is no insight. */
struct asked_contexts {
	struct loaded base, head;
	struct diff *diff;
};

struct without_inlined;

struct comparison {
	const struct notices *notices; /* of the project */
	const char *root;              /* its directory */
	const struct comparison_options *options;
	const char *called; /* the benchmark, if no profile says; NULL: as its operand */
	struct part_selection selection;
	struct loaded base, head;
	struct pattern *filter, *ignore;
	struct diff *diff;
	struct diff *judged;    /* what was judged if `diff` is of groups or of another metric */
	struct tree_diff *tree; /* NULL: functions only */
	struct chosen_paths paths;
	struct code_edits edits; /* that the causes are of */
	struct causes *causes;   /* NULL: not asked for; their tree may be of without_inlined */
	struct chosen_causes chosen_causes;
	struct cause_places places;              /* of them */
	struct without_inlined *without_inlined; /* what they belong to; NULL: to `tree` */
	struct depth_change depth;
	struct environment_diff environment;
	struct asked_contexts asked; /* that insights are found in */
	struct found_insights insights;
	struct judging judging;
	struct remarks remarks;
	bool not_run;   /* head's count is an earlier one: it uses the same files */
	uint32_t *rows; /* of the diff, that are shown */
	size_t nrows, changed, filtered; /* within the tolerance is shown, but not changed */
	bool unmatched;                  /* the filter matches none of all rows */
	const struct diff_event *order;  /* that rows are sorted by; NULL: by something else */
	struct diff_event ordering;
	struct shown_events shown;
	struct changed_sources sources; /* of the rows that are shown, in the view of the source */
	size_t sources_hidden;          /* so many more functions changed */
	struct changed_instructions instructions; /* likewise */
	size_t instructions_hidden;               /* so many more functions changed */
	struct other_code other_code;             /* for the insights */
	/* As in struct diff_report. */
	const struct diff_row *with_source, *only_inclusive;
};

/* The same profiles with inlined code as part of the functions around it. */
struct without_inlined {
	struct comparison_options options;
	struct comparison c;
};

void without_inlined_free(struct without_inlined *w);

/* Whether base and head have a profile. */
bool comparison_has_both(const struct comparison *c);
/* Whether both profiles have calls, so that paths and causes can be compared. */
bool comparison_knows_calls(const struct comparison *c);
bool comparison_needs_paths(const struct comparison_options *o);
/* How many rows are chosen; 0: all. */
size_t comparison_top(const struct comparison_options *o);
void comparison_free(struct comparison *c);

/* How its profiles are read, for one more. */
struct load_options comparison_load_options(const struct comparison *c);
/* How they are read once more, with other details: in silence. */
struct load_options comparison_reload_options(const struct comparison *c, struct cg_detail detail);
/* Whether they can be read once more: what came through a pipe cannot. */
bool comparison_is_lasting(const struct comparison *c);

/* If a limit on the metric that is compared is exceeded, what is chosen from now on may be smaller
 * than the bounds of what is shown: the limit may be tighter than these, and what exceeds it has a
 * cause. Bounds that the user chose stay. */
void comparison_show_small_changes(struct comparison *c);

/* Clones have one name in a diff, and functions of renamed namespaces that of head: the pattern,
 * which may be NULL, finds clones by their own as well, and those functions by that of base. The
 * diff is made before. */
int comparison_add_names(const struct comparison *c, struct pattern *p, struct cg_error *err);
/* Whether a row matches the filters. */
int comparison_chooses(const struct comparison *c, const char *object, const char *file,
		       const char *name, bool *chosen, struct cg_error *err);

/* Likewise, without regard to what is ignored. */
int comparison_matches(const struct comparison *c, const char *object, const char *file,
		       const char *name, bool *matches, struct cg_error *err);
/* Whether the filter matches no function of either, changed or not: it may be misspelt. Call it
 * with what was chosen. */
int comparison_find_unmatched(struct comparison *c, struct cg_error *err);

/* A view of it for the renderers. */
struct diff_report comparison_report(const struct comparison *c);

/* Of several, for judging_unmatched: `whole` if all cases of its benchmark are compared. */
struct judged_bench comparison_judged(struct comparison *c, bool whole);

/* What a benchmark is called in reports: its name, or that of the profile. */
const char *comparison_bench_name(const struct comparison *c);

enum ending comparison_ending(const struct comparison *c);

#endif
