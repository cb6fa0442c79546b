/*
 * The form in which a program of gungraun says which benchmarks it has, as src/run/bincode.h takes
 * it. It changes from version to version.
 *
 *     S  all      G  a group    F  a function    B  a benchmark of it
 *     C  a configuration        T  one of Valgrind's tools, X those that replace them
 *
 * The names of values: a option of Valgrind, d directory, e entry point, f function, g group, i id,
 * k and v name and value of a variable, n rounds, s setup, t teardown or kind of tool, x sandbox.
 */
#ifndef IRDIFF_RUN_GUNGRAUN_FORMS_H
#define IRDIFF_RUN_GUNGRAUN_FORMS_H

/* A version as a number: 1502 is 0.15.2. */
enum {
	GUNGRAUN_FIRST = 1400,
	GUNGRAUN_AFTER = 2100,
	/* gungraun, not iai-callgrind */
	GUNGRAUN_RENAMED = 1700,
	/* groups and functions have numbers of five digits */
	GUNGRAUN_NUMBERS = 1800,
	/* the arguments name a mode */
	GUNGRAUN_MODES = 2000,
};

/* The fields of a structure; NULL: this version has none of that name. */
const char *gungraun_form(int version, char structure);

#endif
