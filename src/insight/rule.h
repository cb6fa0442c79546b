/*
 * Rules of insights: which patterns in profiles are reported, with which evidence, and in which
 * words.
 *
 * Rules are data: irdiff's own are in data/insights.yml, which explains each key; src/config reads
 * them. A rule without sufficient data reports nothing.
 */
#ifndef IRDIFF_INSIGHT_RULE_H
#define IRDIFF_INSIGHT_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

/* The unit of shares: 10^9 parts are the whole, 10^7 are 1 %. */
#define RULE_WHOLE UINT64_C(1000000000)

/* What the evidence is. */
enum rule_kind {
	RULE_CALLS,      /* what calls of some functions cost, or how many there are */
	RULE_LITTLE,     /* all calls of some functions cost next to nothing */
	RULE_GROWTH,     /* one event grew by more than another */
	RULE_DEPTH,      /* call paths became longer */
	RULE_SAME_CODE,  /* base and head measured the same machine code */
	RULE_BUILD,      /* other compilers, or other flags of them, made the code */
	RULE_VARIANTS,   /* other variants of the same functions were chosen at run time */
	RULE_RECOMPILED, /* the compiler made other code of the same source */
	RULE_VECTORS,    /* the compiler made code without vectors of an edited source */
	RULE_KINDS,
};

/* "calls", …: as in the file, in the order above. */
extern const char *const rule_kind_names[RULE_KINDS];

struct rule_texts {
	const char **items;
	size_t count;
};

struct insight_rule {
	const char *id, *title;
	const char *less; /* the title where it got less; NULL: the same */
	/* the title and advice where there are as many calls as before; NULL: the same */
	const char *as_many, *as_many_advice;
	enum rule_kind kind;
	/* Regexes as FILTER, of which one has to match. Empty, for calls: all functions that have
	 * the event as self cost. */
	struct rule_texts functions;
	struct rule_texts through;  /* regexes of functions that only pass on what others ask for */
	struct rule_texts variants; /* parts of names that distinguish variants */
	const char *objects;        /* regex on the object, NULL: any */
	const char *event, *than;   /* growth: of this event, compared with that one */
	const char *unless;         /* does not apply where this event was recorded; NULL: always */
	uint64_t share;             /* least share of the total, or of the change; 0: not by cost */
	uint32_t per_million;       /* least calls per million instructions; 0: not by calls */
	uint32_t calls;             /* least number of calls, with per_million */
	uint32_t times;             /* growth: at least so many times that of the other */
	uint64_t density;           /* growth: at least this share of what the other grew by */
	uint32_t frames;            /* depth: least growth */
	const char *profile,
		*change; /* wording for one profile, for a difference; NULL: not said */
	const char *advice;
	const char *file; /* where the rule is */
	uint64_t line;
};

struct insight_rules {
	struct insight_rule *items; /* the first of equally heavy ones comes first */
	size_t count;
};

/*
 * A wording is text with {NAMES} of figures, and parts in [brackets], which are left out if one of
 * their figures is unknown. On failure the message gives the reason.
 */
int rule_check_wording(const char *wording, struct cg_error *err);

/* The names of figures. */
enum rule_figures {
	FIGURE_METRIC, /* that is compared: Ir */
	FIGURE_BASE,   /* of what the rule is about; in the total's event: FIGURE_METRIC */
	FIGURE_HEAD,
	FIGURE_COST,   /* the same of one profile */
	FIGURE_DELTA,  /* without sign */
	FIGURE_CHANGE, /* "+21.2%" */
	FIGURE_MOVED,  /* "grew", "fell" */
	FIGURE_LEAST,  /* "at least " where paths leave it open, else "" */
	FIGURE_PART,   /* "61.0% of the change"; "while the total fell" */
	FIGURE_SHARE,  /* of the total */
	FIGURE_CALLS,  /* how many; in a difference how many more or less */
	FIGURE_BASE_CALLS,
	FIGURE_HEAD_CALLS,
	FIGURE_PER_MILLION,  /* calls */
	FIGURE_CALLER,       /* of the cause that accounts for most of it */
	FIGURE_CALLER_SHARE, /* of what it is about, if that is no more than all */
	FIGURE_CALLER_ALONE, /* else: "grew by 200, while for others it fell by 100" */
	FIGURE_CALLER_CALLS,
	FIGURE_CALLER_BASE_CALLS,
	FIGURE_CALLER_HEAD_CALLS,
	FIGURE_EVENT,
	FIGURE_THAN,
	FIGURE_THAN_CHANGE,
	FIGURE_FUNCTION, /* which it is about */
	FIGURE_BASE_MAX, /* frames of the deepest path */
	FIGURE_HEAD_MAX,
	FIGURE_LIST,  /* of what differs */
	FIGURE_FILES, /* of the project, that changed */
	FIGURES,
};

#endif
