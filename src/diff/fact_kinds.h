/*
 * What the facts of a fingerprint are called, what a difference of one means for counts, and what
 * removes it: a table, and the short form of values.
 */
#ifndef IRDIFF_DIFF_FACT_KINDS_H
#define IRDIFF_DIFF_FACT_KINDS_H

#include <stdbool.h>

/* How a value is shown. */
enum fact_shape {
	FACT_PLAIN,  /* as it is */
	FACT_ID,     /* a build-id or a hash: its beginning */
	FACT_SPACES, /* words, of which only those count that the other side has not: parted by " "
			… */
	FACT_DASHES, /* … by "-" … */
	FACT_COLONS, /* … or by ":" */
	FACT_BUILT,  /* compilers with their flags, parted by "; " */
};

struct fact_kind {
	const char *key;  /* of a family of facts up to its last dot: "env." of env.HOME */
	const char *name; /* as people call it: "C library" */
	enum fact_shape shape;
	bool moves;    /* a difference can move counts */
	bool expected; /* of what was measured: always differs, or is shown elsewhere */
	const char *
		effect; /* a sentence: whether that moves counts, and by how much as was measured */
	const char *remedy; /* what to do so that it does not differ; NULL: nothing is to be done */
};

/* Of the environment; never NULL: what is not known here is taken to move counts. */
const struct fact_kind *environment_fact_kind(const char *key);

/* Of the subject, what was measured; NULL: not known. */
const struct fact_kind *subject_fact_kind(const char *key);

/* Of a namespace of the subject that has another version in its name. No profile records it. */
const struct fact_kind *namespace_fact_kind(void);

/* What follows the dot of a family: "HOME" of env.HOME; NULL: it is no family. */
const char *fact_member(const struct fact_kind *kind, const char *key);

/* "C library", "variable HOME"; the key of what is not known. The caller's; NULL: out of memory. */
char *fact_name(const struct fact_kind *kind, const char *key);

/* The short form of a value next to the other side's (may be NULL), never empty. The caller's;
 * NULL: out of memory. */
char *fact_short(const struct fact_kind *kind, const char *value, const char *other);

/* All entries in order, the last one with a NULL key; for tests and documents. */
const struct fact_kind *environment_fact_kinds(void);
const struct fact_kind *subject_fact_kinds(void);

#endif
