/* Reports on one profile. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_SHOW_H
#define IRDIFF_REPORT_SHOW_H

#include <stdio.h>

#include "cgprofile/audit.h"
#include "src/insight/insight.h"
#include "src/report/inlining.h"
#include "src/report/instructions.h"
#include "src/text/text.h"
#include "src/view/calls.h"
#include "src/view/flat.h"
#include "src/view/source.h"
#include "src/view/tree.h"

/* Which profile this is, in words; NULL or "" where not known. */
struct report_origin {
	const char *name; /* label, path or pattern, as the user said it */
	const char *path; /* NULL also if it is several files */
	const char *command;
	const char *commit;
	bool changed;     /* what was measured had changes that the commit does not have */
	const char *when; /* its files were written, in local time */
	int64_t written;  /* the same since 1970, where that is known */
	const struct report_inlining *inlining; /* NULL: nothing to say */
	bool selected; /* only some parts, or of several processes, as the user said */
};

/* The lines of one source file that are shown, with its text if it was found. */
struct report_source {
	const struct source_file *file;
	const struct source_text *text; /* path NULL: not found */
};

struct show_report {
	const struct cg_profile *profile;
	struct report_origin origin;
	const uint32_t *events; /* shown columns */
	size_t nevents;
	bool fixed_events;   /* the command has no option to choose them */
	size_t without_room; /* events that were asked for by name, and are not shown */
	bool by_inclusive;
	const char *sort;   /* "Ir" */
	double threshold;   /* percent, as in struct flat_options */
	const char *filter; /* regex, NULL: none */
	const struct flat *flat;
	size_t top;                          /* at most so many rows; 0: all */
	const struct calls *calls;           /* calls only */
	const struct tree_view *tree;        /* tree only */
	const struct report_source *sources; /* source only */
	size_t nsources;
	const struct report_instructions *instructions; /* asm only */
	size_t ninstructions, instructions_hidden;
	unsigned context;                /* source lines or instructions around costs */
	const struct insights *insights; /* NULL: not asked for */
};

/* All of them return CG_OK or CG_ENOMEM; whether the stream failed is for the
 * caller to ask. */
/* A function in each line: its cost in each event; of the event that orders them, the share of the
 * total and the inclusive share; its name and file. */
int show_flat_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* The same in the layout of callgrind_annotate: each event with its share, file:function
 * [object]. */
int show_annotate_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* Callers (<) and callees (>) around each function (*). */
int show_calls_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* What every path of calls cost. */
int show_tree_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* Costs beside the source. */
int show_source_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* Instructions with their costs, and where they are in the source. */
int show_asm_text(const struct show_report *r, const struct text_style *style, FILE *to);
/* The same as JSON, data/asm.schema.json. */
int show_asm_json(const struct show_report *r, FILE *to);
/* The flat table as JSON, data/show.schema.json. */
int show_flat_json(const struct show_report *r, FILE *to);
/* The flat table as CSV. */
int show_flat_csv(const struct show_report *r, FILE *to);
/* The tree as CSV: what JSON has. */
int show_tree_csv(const struct show_report *r, FILE *to);
/* The tree as JSON, data/tree.schema.json. */
int show_tree_json(const struct show_report *r, FILE *to);

/* On whether a profile keeps its laws. */
/* What of the first event is at lines of other functions than debug information names. */
struct audit_disputes {
	bool known; /* there are lines */
	uint32_t lines;
	int64_t self;
	const char *function, *file; /* the costliest; NULL if `lines` is 0 */
	uint32_t line;
};

struct audit_report {
	const struct cg_profile *profile;
	struct report_origin origin;
	const struct cg_audit *audit;
	struct audit_disputes disputes;
	const char *filter; /* regex, NULL: none */
	const bool *chosen; /* per function: whether its records are listed */
	size_t top;         /* at most so many rows of each list; 0: all */
};

int show_audit_text(const struct audit_report *r, const struct text_style *style, FILE *to);
/* data/audit.schema.json */
int show_audit_json(const struct audit_report *r, FILE *to);

#endif
