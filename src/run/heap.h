/*
 * The heap of a program, counted by DHAT, another tool of Valgrind: who allocates how many bytes in
 * how many blocks, how much of it was allocated when the heap was largest, and how much of it was
 * read and written.
 *
 * DHAT writes a file when a process ends, and none when it executes another program. A process that
 * was forked begins with a copy of its parent's counts.
 */
#ifndef IRDIFF_RUN_HEAP_H
#define IRDIFF_RUN_HEAP_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/request.h"

#define HEAP_PREFIX "dhat.out."
#define HEAP_INSTRUCTIONS "# instructions: " /* a line of what a file is turned into */
#define HEAP_CALLERS 100 /* of an allocation that are recorded; Valgrind allows 500 */

/* Refuses a request whose cases a harness repeats: run by itself, the program would do so for as
 * long as it likes. The message names the benchmark. */
int heap_refuse_harness(const struct run_request *request, const char *name, struct cg_error *err);

/* Makes a request one that counts the heap of the same program, as far as DHAT can: without cases,
 * and of one process. */
void heap_request(struct run_request *request);

/* Whether an option of Valgrind that the user gives is for DHAT as well: it is not callgrind's. */
bool heap_takes_option(const char *option);

/* Turns all files of DHAT in a directory into callgrind's, which are collected as those are
 * (collect.h); a process that has ended early has left none. They also state how many instructions
 * the process has executed, as who allocates most is not therefore the one that is meant. */
int heap_convert(const char *directory, struct cg_error *err);

#endif
