/*
 * What a program is given because of the runtime that executes it. A runtime that compiles,
 * collects garbage or schedules by the clock, or seeds its hash tables at random, counts
 * differently in each run; these settings remove most of that, or all. The figures are in
 * man/guide/why-counts-differ.md.
 *
 * The request can turn them off. A variable that it sets itself is kept, or if it is a list, comes
 * later in it and wins; so do options on the command line.
 */
#ifndef IRDIFF_RUN_PRESETS_H
#define IRDIFF_RUN_PRESETS_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/command.h"

struct preset_variable {
	const char *name, *value; /* the last one has no name */
	char separator;           /* of a list; NUL: it is none */
};

struct preset {
	const char *runtime;        /* "Node.js" */
	const char *const *options; /* of the runtime, before all other arguments */
	const struct preset_variable *variables;
	unsigned freeze;          /* enum freeze; only of a dynamic program */
	unsigned freeze_codspeed; /* the same if one process runs all cases of CodSpeed */
	bool v8;                  /* it executes JavaScript by V8 (v8.h) */
};

/* The preset of the program that a command starts: itself, the interpreter of a script, or what env
 * in its first line starts, which is looked for in `path`. NULL: it needs none. Static. */
const struct preset *preset_of(const struct found_command *command, const char *path);

/* Whether options can be put before the other arguments: a script's first line starts its
 * interpreter without them. */
bool preset_takes_options(const struct found_command *command);

/* Whether it sets this variable: "NAME=…". */
bool preset_sets(const struct preset *preset, const char *variable);

#endif
