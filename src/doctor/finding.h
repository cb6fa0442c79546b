/*
 * Findings of irdiff doctor: pure data, for reports.
 *
 * Memory that runs out while findings are made is kept in `failed`, and asked for once at the end.
 */
#ifndef IRDIFF_DOCTOR_FINDING_H
#define IRDIFF_DOCTOR_FINDING_H

#include <stdbool.h>
#include <stddef.h>

enum finding_state {
	FINDING_OK,
	FINDING_WARNING, /* counts may be less exact, reports say less, or a command is not usable
			  */
	FINDING_WRONG,   /* the configuration or a command is wrong */
	FINDING_PROBLEM, /* measuring cannot work, or cannot be trusted */
	FINDING_STATES,
};

#define FINDING_NOT_BUILT "not-built" /* name of a warning that a program is not built yet */

struct doctor_finding {
	char *group;      /* "Valgrind", "Benchmark parse" … */
	const char *name; /* of the check, for programs: "valgrind-version"; static text */
	enum finding_state state;
	char *text;   /* hostile */
	char *remedy; /* what to do; NULL: nothing. Hostile */
};

struct findings {
	struct doctor_finding *items; /* in the order of groups and checks */
	size_t count, cap;
	char *group; /* of findings to come */
	bool failed; /* memory ran out: the list is not complete */
};

/* Begins a group. */
void findings_begin(struct findings *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void findings_add(struct findings *f, const char *name, enum finding_state state, const char *fmt,
		  ...) __attribute__((format(printf, 4, 5)));

/* Adds what to do about the last finding. */
void findings_remedy(struct findings *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether a word can be put in single quotes in a remedy's command, which people copy into a shell:
 * it neither ends the quotes nor is an option. */
bool finding_can_quote(const char *word);

/* How many findings are in this state. */
size_t findings_count(const struct findings *f, enum finding_state state);

/* "ok", "warning", "wrong", "problem". */
const char *finding_state_name(enum finding_state state);

void findings_free(struct findings *f);

#endif
