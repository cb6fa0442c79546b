/*
 * Library benchmarks of gungraun, formerly iai-callgrind.
 *
 * A program of theirs starts gungraun-runner, and tells it on stdin which benchmarks it has. The
 * runner starts it again under Valgrind, once for each benchmark, whose numbers are arguments, and
 * has callgrind count only below the benchmark's function. irdiff takes the runner's place, so that
 * none need be installed.
 *
 * Callgrind is told the functions' own names instead of the runner's *::__gungraun_wrapper_mod::*,
 * at which it would stop counting in a closure that the function passes on.
 *
 * What a program says depends on the version of the library: known are iai-callgrind 0.14 to 0.16
 * and gungraun 0.17 to 0.20. Source: their code.
 */
#ifndef IRDIFF_RUN_GUNGRAUN_H
#define IRDIFF_RUN_GUNGRAUN_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/strings.h"

/* A runner that writes what it is told, a count of arguments, these, and its stdin, into the file
 * GUNGRAUN_TOLD beside itself. */
#define GUNGRAUN_RUNNERS "gungraun-runner", "iai-callgrind-runner"
#define GUNGRAUN_RUNNER_SCRIPT \
	"#!/bin/sh\n" \
	"{ printf '%s\\0' \"$#\" \"$@\" && cat; } >\"${0%/*}/" GUNGRAUN_TOLD "\"\n"
#define GUNGRAUN_TOLD "told"

struct gungraun_case {
	char *name;                 /* as gungraun prints it: "file::group::function id"; the second
				     * with that name: "file::group::function id (2)" */
	unsigned copies;            /* cases that have its name and a number */
	size_t group;               /* 1 the first */
	struct strings arguments;   /* that run it */
	bool by_function;           /* the benchmarks' functions count; else only … */
	struct strings options;     /* … what these options of callgrind say as well */
	struct strings environment; /* "NAME=VALUE" */
};

/* What is run before and after the cases of a group; as group 0, before and after all. */
struct gungraun_group {
	bool setup, teardown;
	struct strings arguments;   /* that run it, without the last: "setup" or "teardown" */
	struct strings environment; /* "NAME=VALUE" */
};

struct gungraun {
	struct gungraun_case *cases;
	size_t count, cap;
	struct gungraun_group *groups;
	size_t ngroups, groups_cap;
	/* Options of callgrind by which the functions of all benchmarks count: the compiler merges
	 * equal ones, and keeps the name of any. */
	struct strings functions;
};

/* Reads what the runner was told; free it with gungraun_free, also after a failure. CG_EINVAL: it
 * is of another version, or asks for what irdiff does not do; CG_ENOMEM. */
int gungraun_read(const char *told, size_t size, struct gungraun *gungraun, struct cg_error *err);

/* Adds callgrind's options that mark a case. */
int gungraun_add_marks(const struct gungraun *gungraun, const struct gungraun_case *c,
		       struct strings *options, struct cg_error *err);

/* Drops the other cases. */
void gungraun_keep(struct gungraun *gungraun, const bool *kept);

void gungraun_free(struct gungraun *gungraun);

#endif
