/*
 * Limits: what a count may be, and the judging of one.
 *
 * A VALUE is one of
 *
 *	+2%   +0.5%       growth against base, in percent, at most 7 decimals
 *	+500  +1.5k       absolute growth against base
 *	1.2M  1_000_000   a ceiling; needs no base
 *	=                 must not change at all, in either direction
 *
 * with decimal suffixes k (or K) = 10^3, M = 10^6, G = 10^9, T = 10^12 and `_`
 * between digits. A number must come out whole (1.5k is 1500, 1.5 is refused)
 * and fit u64. There are no exponents, no spaces, no `,`, no negative limits.
 *
 * A METRIC is the name of an event (Ir, D1mr); `incl.` in front of it means a
 * function's inclusive instead of its self cost. `calls` is how often a function is called.
 * What is allocated, and system calls, are the work of libraries on behalf of a function: a limit
 * on them is always on its inclusive cost, and cannot be on a module.
 *
 * A SPEC, the command-line form, is
 *
 *	METRIC=VALUE               on the whole benchmark
 *	METRIC=VALUE fn:REGEX      on each function the regex matches
 *	METRIC=VALUE mod:REGEX     on the sum of the self costs of all functions that it matches,
 *	                           by their name or by object:file:name: a module
 *	METRIC=VALUE namespace:REGEX   the same of all functions whose namespace it matches, which
 *	                           is what it is with --by=namespace
 *
 * so Ir=+1%, Ir==, 'incl.Ir=+0.5% fn:^json_', 'Ir=+2% mod:/src/json/'. METRIC and VALUE contain
 * neither spaces nor colons and come first: whatever follows `fn:`, `mod:` or `namespace:`, to
 * the end of the text, is the regex as it stands, be there spaces, `=` or `:` in it.
 *
 * Everything is exact integer arithmetic; no double is involved. This file
 * knows nothing of YAML or PCRE2: a regex is text, and compiling it is the
 * caller's affair (`file` and `line` say where to point when it is wrong).
 */
#ifndef IRDIFF_DIFF_LIMIT_H
#define IRDIFF_DIFF_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/error.h"

/* The unit of a growth limit: 10^9 parts are the whole base, 10^7 are 1 %. */
#define LIMIT_WHOLE UINT64_C(1000000000)

#define LIMIT_METRIC_MAX 64  /* bytes of an event name */
#define LIMIT_REGEX_MAX 4096 /* bytes of a function regex */
#define LIMIT_SET_MAX 1024   /* limits in one set */

/* `file` of a limit that holds as nobody stated any. */
#define LIMIT_DEFAULT "default"

enum limit_kind {
	LIMIT_GROWTH,   /* value: 10^-9 parts of base it may grow by */
	LIMIT_INCREASE, /* value: events it may grow by */
	LIMIT_CEILING,  /* value: events it may have */
	LIMIT_EQUAL,    /* value: 0, unused */
	LIMIT_PRESENT, /* no limit on counts: head has to have the benchmark at all. Never stated */
};

/* Who set a limit; a higher level overrides a lower one. */
enum limit_level {
	LIMIT_GENERAL,      /* `limits:` at the top of irdiff.yml */
	LIMIT_BENCHMARK,    /* `limits:` of a benchmark */
	LIMIT_COMMAND_LINE, /* --limit */
};

struct limit {
	enum limit_level level;
	enum limit_kind kind;
	bool inclusive; /* functions only: inclusive instead of self cost */
	uint64_t value;
	const char *function; /* regex on functions, of a module "mod:REGEX" or "namespace:REGEX";
				 NULL: the whole benchmark */
	bool module;          /* their sum; not inclusive, which would count calls twice */
	bool by_namespace;    /* a module: of the functions whose namespace matches */
	const char *of_case;  /* pattern as in fnmatch(3) of the cases that it is on, by what stands
				 after "BENCH/" in their labels; NULL: all, or there are none */
	unsigned place;       /* 1, 2 …: of the pattern among others; 0: of_case is NULL */
	const char *metric;   /* event name, without `incl.` */
	const char *text;     /* the value as it was written, for reports */
	const char *file;     /* where: path of irdiff.yml, "--limit" or LIMIT_DEFAULT */
	uint64_t line;        /* 0 if there are no lines */
};

/* The limits of one place, in the order they were written. Zero-initialise;
 * owns every limit and their texts. Pointers to limits stay valid until
 * limit_set_free. */
struct limit_set {
	struct limit **items;
	size_t count, cap;
};

/* Parses a VALUE. On failure the message says what and at which offset, and
 * `file` and `line` of the error are left empty for the caller to fill. */
int limit_parse_value(const char *text, enum limit_kind *kind, uint64_t *value,
		      struct cg_error *err);

/* The same for the YAML map {max_growth: 2%, max_increase: 500, ceiling: 1.2M},
 * where the kind is given by the key: here the leading `+` may be left out (a
 * ceiling never has one). Not for LIMIT_EQUAL. */
int limit_parse_amount(const char *text, enum limit_kind kind, uint64_t *value,
		       struct cg_error *err);

/* Parses a METRIC; *name points into `text`. */
int limit_parse_metric(const char *text, const char **name, bool *inclusive, struct cg_error *err);

/* If `key` begins with "fn:", "mod:" or "namespace:": checks it, and sets limit->function, which
 * points into `key`, limit->module and limit->by_namespace. Otherwise they are NULL and false. */
int limit_parse_scope(const char *key, struct limit *limit, struct cg_error *err);

/* If `key` begins with "case:": sets limit->of_case, which points into `key`. Otherwise it is
 * NULL. */
int limit_parse_case(const char *key, struct limit *limit, struct cg_error *err);

/* Whether a limit is on a benchmark's case of this name; NULL: on one without cases. */
bool limit_is_on_case(const struct limit *limit, const char *name);

/* Whether nobody stated it. */
bool limit_is_default(const struct limit *limit);

/* Whether it is on how often a function is called. */
bool limit_is_on_calls(const struct limit *limit);

/* Whether it is on what libraries do on behalf of a function: allocations and system calls. */
bool limit_is_on_libraries(const struct limit *limit);

/* The regex of a limit on functions or on a module. */
const char *limit_regex(const struct limit *limit);

/* Adds a copy of `limit`. CG_EINVAL if the set has one for the same cases, function,
 * metric and kind already, if a whole-benchmark limit is inclusive, or if one on
 * calls is not on functions;
 * CG_ERANGE beyond LIMIT_SET_MAX. */
int limit_set_add(struct limit_set *set, const struct limit *limit, struct cg_error *err);

/* Parses a SPEC and adds it; `origin` (say "--limit") becomes its `file`. */
int limit_set_add_spec(struct limit_set *set, const char *text, enum limit_level level,
		       const char *origin, struct cg_error *err);

void limit_set_free(struct limit_set *set);

/* A limit as it applies to one benchmark. Nothing is dropped: an overridden
 * limit stays in the list and names the limit that replaced it. */
struct limit_rule {
	const struct limit *limit;         /* owned by its set */
	const struct limit *overridden_by; /* NULL: in force */
};

/* All limits of all sets in order that are on this case (NULL: the benchmark has none), the
 * overridden ones marked: per (function regex, metric, self or inclusive) only the limits of the
 * highest level are in force, and of these only the ones of the last pattern of cases, if there are
 * any. *rules is the caller's, free() it; NULL if there are none. */
int limit_resolve(const struct limit_set *const *sets, size_t nsets, const char *case_name,
		  struct limit_rule **rules, size_t *count, struct cg_error *err);

enum limit_status {
	LIMIT_PASS,
	LIMIT_EXCEEDED,
	LIMIT_NO_BASE,    /* relative limit and nothing to compare with */
	LIMIT_NO_METRIC,  /* head has no such event (set by the caller) */
	LIMIT_NO_MATCH,   /* the regex matches no function (set by the caller) */
	LIMIT_OVERRIDDEN, /* not judged: see rule.overridden_by */
	LIMIT_ACCEPTED,   /* broken, but that was accepted: see accepted.h */
	LIMIT_TOLERATED,  /* broken by a difference that may be chance: see tolerance.h */
	/* base has the function, or the benchmark, and head does not (set by the caller) */
	LIMIT_MISSING,
	LIMIT_UNCOUNTED, /* on calls, some of which head inlines (set by the caller) */
};

struct acceptance;

/* What was measured. If there is a base profile and a function is not in it,
 * that is a base of 0, not an absent one; a function gone from head is 0. */
struct limit_counts {
	bool has_base;
	int64_t base; /* 0 without base */
	int64_t head;
	uint64_t tolerance; /* in events; 0 for a ceiling, which does not limit a difference */
};

struct limit_verdict {
	struct limit_rule rule;
	enum limit_status status;
	const char *subject;       /* the function judged; NULL: whole benchmark */
	const char *object, *file; /* of a function: of head, if it is there; NULL: none */
	const char *place;         /* which tells it from others of this name: the object's name,
				  the file's, or its path; NULL: its name does */
	bool of_library;       /* UNCOUNTED: an installed library inlines its own function … */
	bool uncounted_before; /* … as in base, if there is one */
	bool inclusive;        /* by its inclusive cost */
	struct limit_counts counts;
	bool fails;               /* the gate */
	bool has_allowed;         /* false without base, unless it is a ceiling */
	int64_t allowed;          /* the largest count that passes; for an EQUAL
			     limit the only one */
	const char *replacement;  /* MISSING: what is new in head and about the same in cost or
				     calls, so it may have taken its place; NULL: nothing */
	const char *replaced;     /* EXCEEDED by what is new in head: the same of what base only
				    has, so it may be its earlier name */
	int64_t replacement_cost; /* of either of them */
	const struct acceptance *acceptance; /* ACCEPTED: by which; BROKEN: one that has
						expired; NULL: none */
};

/* PASS, BROKEN, NO_BASE, or TOLERATED where the limit is broken by a difference within the
 * tolerance. From a base of 0 every growth breaks a
 * growth limit, whatever the percentage. */
enum limit_status limit_judge(const struct limit *limit, const struct limit_counts *counts);

/* The largest head that passes (for EQUAL: the only one). Growth is rounded
 * down, sums saturate at INT64_MAX. From a negative
 * base the percentage is of its size. False, and *allowed untouched, if it takes
 * a base and there is none. */
bool limit_allowed(const struct limit *limit, const struct limit_counts *counts, int64_t *allowed);

/* Judges a rule: the whole verdict, LIMIT_OVERRIDDEN included. `subject` is
 * borrowed. */
struct limit_verdict limit_verdict(const struct limit_rule *rule, const char *subject,
				   const struct limit_counts *counts);

/* Whether a verdict fails the gate by itself: BROKEN, MISSING, NO_METRIC and UNCOUNTED (but see
 * same_subject_excuse) do, NO_BASE
 * and NO_MATCH do if a base is required, PASS, OVERRIDDEN, ACCEPTED and TOLERATED do not. */
bool limit_fails(enum limit_status status, bool require_base);

/* Whether it was judged by its counts: PASS, BROKEN, ACCEPTED and TOLERATED. */
bool limit_was_judged(enum limit_status status);

/* "pass", "exceeded", "no base", "no metric", "no match", "overridden",
 * "accepted", "within tolerance", "missing in head";
 * "growth", "increase", "ceiling", "equal", "present". Static. */
const char *limit_status_name(enum limit_status status);
const char *limit_kind_name(enum limit_kind kind);

#endif
