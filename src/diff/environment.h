/*
 * The circumstances in which two profiles were measured.
 *
 * The driver writes them into the profile as `desc: irdiff.env.KEY: VALUE`
 * (must be equal for counts to be comparable) and `desc: irdiff.subject.KEY:
 * VALUE` (what was measured).
 */
#ifndef IRDIFF_DIFF_ENVIRONMENT_H
#define IRDIFF_DIFF_ENVIRONMENT_H

#include "cgprofile/profile.h"
#include "src/diff/fact_kinds.h"

#define ENVIRONMENT_PREFIX "irdiff.env."
#define SUBJECT_PREFIX "irdiff.subject."

struct environment_difference {
	const char *key;               /* without prefix */
	const char *base, *head;       /* NULL: not recorded */
	const struct fact_kind *kind;  /* never NULL */
	char *name;                    /* "C library", "variable HOME" */
	char *base_short, *head_short; /* "Debian GLIBC 2.36-9 (1a2b3c4d)"; NULL: not recorded */
	char *features;                /* of a CPU: "AVX2, FMA, BMI"; NULL: none is known */
	char *effect;                  /* that of its kind, or what it says of these two values */
	char *remedy;                  /* … NULL: nothing is to be done */
};

struct diff;

struct environment_diff {
	bool base_known, head_known; /* whether a side recorded any fact */
	/* Of the environment, by key; those that can move counts come first. */
	struct environment_difference *differences;
	size_t count;
	size_t moving;    /* of these; 0 if base and head count exactly the same for all that */
	bool same_counts; /* … in spite of differences that can move counts */
	/* Of what was measured, in the order of subject_fact_kinds(), then namespaces; only what
	 * both sides recorded, as the facts themselves depend on what is measured. */
	struct environment_difference *subject;
	size_t nsubject;
};

/* Keys and values belong to the profiles. If a side recorded nothing, there is nothing to
 * compare and no difference. CG_OK or CG_ENOMEM. */
int environment_compare(const struct cg_profile *base, const struct cg_profile *head,
			struct environment_diff *out);

/* Adds the namespaces of which the name has another version in head to the subject: the five that
 * most functions have in their names. CG_OK or CG_ENOMEM. */
int environment_add_namespaces(struct environment_diff *e, const struct diff *d);

/* Whether a profile says that what was measured had changes that its commit does not have. */
bool environment_is_dirty(const struct cg_profile *p);

/* Whether a difference of the subject is worth reporting: some, as that of the commit, are in
 * every comparison. */
bool environment_is_news(const struct environment_difference *difference);

/* Whether a difference of the subject is that of a command, and not only of the name of its
 * program. */
bool environment_changes_arguments(const struct environment_difference *difference);

void environment_diff_free(struct environment_diff *d);

#endif
