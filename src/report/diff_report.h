/* Reports on the difference of two profiles. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_DIFF_REPORT_H
#define IRDIFF_REPORT_DIFF_REPORT_H

#include "src/diff/causes.h"
#include "src/diff/depth.h"
#include "src/diff/diff.h"
#include "src/diff/environment.h"
#include "src/diff/remarks.h"
#include "src/diff/tree.h"
#include "src/insight/insight.h"
#include "src/report/show.h"
#include "src/view/code.h"

/* As many rows as suit the format. */
#define DIFF_TOP_AUTO SIZE_MAX

/* What is shown of a difference by a format that can show only one thing. The summary is the causes
 * where calls are known, then the functions; a format with one table has the functions. */
enum diff_view {
	DIFF_VIEW_SUMMARY,
	DIFF_VIEW_FLAT,
	DIFF_VIEW_TREE,
	DIFF_VIEW_CAUSES,
	DIFF_VIEW_SOURCE,
	DIFF_VIEW_ASM
};

/* What a line calls, whose number of calls or cost changed. */
struct diff_source_call {
	size_t line;                                /* in the code */
	const struct source_call *call[CODE_SIDES]; /* NULL: not there */
};

/* One source file of the functions that are shown, both versions of it. */
struct diff_source {
	const char *file[CODE_SIDES]; /* as the profile names it; NULL: no costs there */
	const struct source_text *text[CODE_SIDES];
	const struct code *code;
	const bool *changed, *shown;     /* per line; what changed is shown, with some around */
	size_t nrest;                    /* lines with costs that are not shown */
	const int64_t *self[CODE_SIDES]; /* events of that side, of all lines */
	const int64_t *rest[CODE_SIDES]; /* of those that are not shown */
	const struct diff_source_call *calls; /* of all lines, in their order */
	size_t ncalls;
};

/* The instructions of a function that is shown, those of both sides. */
struct diff_instructions {
	const struct diff_row *row;
	struct report_instructions side[ASM_SIDES]; /* without a listing: nothing was measured */
	const struct asm_pairs *pairs;
};

/* A line of the source around a cause: ' ' of base and head, '-' only of base, '+' only of head. */
struct cause_line {
	char sign;
	uint32_t number;  /* in head, or else in base */
	const char *text; /* hostile */
};

/* Where in the source a cause is: the line of the call, of several the one that changed most, or
 * the line whose self cost did. */
struct cause_place {
	const char *file; /* as the profile has it; NULL: not known */
	const char *path; /* from the directory of the project if it is there, or else its name */
	uint32_t line;
	bool in_base;                   /* head does not have the line */
	const struct cause_line *lines; /* that changed there, with some around */
	size_t nlines;                  /* 0: the source was not found, or nothing changed there */
};

struct diff_report {
	const struct diff *diff;
	const char *root; /* of the project, below which files need no directory; NULL: not known */
	struct report_origin base, head;
	bool introduced; /* what base and head are was said before */
	const struct environment_diff *environment;
	const struct insights *insights;   /* NULL: not asked for */
	const struct judgement *judgement; /* NULL: not judged */
	const struct remarks *remarks;     /* NULL: not looked for */
	bool untrusted;                    /* judged, but the environments differ without leave */
	bool not_run;         /* head's count is an earlier one: it uses the same files */
	const uint32_t *rows; /* indices of diff->rows to show, in order */
	size_t nrows;
	bool by_size;                 /* the order of the rows: by the size of the change */
	size_t changed;               /* rows that changed, before filter and top */
	size_t filtered;              /* rows that changed and match the filter */
	const char *filter;           /* regex, NULL: none */
	bool unmatched;               /* it matches no function, changed or not */
	size_t top;                   /* rows that were asked for; 0: all; DIFF_TOP_AUTO */
	size_t top_limit;             /* rows that this allows; 0: all */
	bool fixed_threshold;         /* the command has no option to show what is below it */
	const struct tree_diff *tree; /* NULL: functions only */
	const uint32_t *paths;        /* indices of tree->rows to show; those above a row are
	                                      there too, before it */
	const bool *paths_folded;     /* of each: it only leads to the next, and text omits it */
	size_t npaths;
	size_t paths_changed;          /* before filter and top */
	size_t paths_hidden;           /* that changed and match, but for top */
	const struct causes *causes;   /* NULL: not asked for; their tree may be another one, … */
	bool without_inlined;          /* … in which inlined code is of the function around it */
	const uint32_t *chosen_causes; /* indices of causes->items to show, in order */
	size_t ncauses;
	const struct cause_place *places; /* of the first of the causes to show */
	size_t nplaces;
	size_t causes_large;              /* above the threshold, before filter and top */
	size_t causes_hidden;             /* that are large and match, but for top */
	size_t causes_smaller;            /* that match and are not shown: these, and small ones */
	int64_t smaller_delta;            /* what they add up to */
	const struct depth_change *depth; /* NULL: not asked for */
	enum diff_view view;
	const struct diff_event *events; /* that are shown beside each other; none: the metric, with
	                                      what explains its change */
	size_t nevents;
	const struct diff_source *sources; /* view of the source only */
	size_t nsources;
	size_t sources_hidden;                        /* functions that changed and are left out */
	const struct diff_instructions *instructions; /* view of instructions only */
	size_t ninstructions;
	size_t instructions_hidden; /* functions that changed and are left out */
	size_t context;             /* instructions around those that changed */
	/* If no self cost of what matches the filter changed, the row of these whose inclusive cost
	 * changed most; NULL: none. */
	const struct diff_row *only_inclusive;
	const struct diff_row *with_source; /* the largest of the rows whose source is found, if
	                                       causes are not asked for; NULL: none */
};

/* CG_OK or CG_ENOMEM; whether the stream failed is for the caller to ask. */
int diff_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* The paths alone, which diff_text shows in that view. */
int diff_paths_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* Both versions of the source, which it shows in that view. */
int diff_sources_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* The instructions of both, which it shows in that view. */
int diff_asm_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* The `most` largest of the causes to show. */
int diff_causes_text(const struct diff_report *r, size_t most, const struct text_style *style,
		     FILE *to);
/* The verdicts on limits, of a difference that was judged. */
void diff_limits_text(const struct diff_report *r, const struct text_style *style, FILE *to);
/* Where to look next, of a difference: the commands. */
void diff_next_text(const struct diff_report *r, FILE *to);
/* data/diff.schema.json */
int diff_json(const struct diff_report *r, FILE *to);

#endif
