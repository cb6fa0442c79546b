/*
 * Results of gungraun, formerly iai-callgrind: a directory below target/gungraun or target/iai for
 * each benchmark, in which
 *
 *     callgrind.NAME.out               is the last run
 *     callgrind.NAME.out.old           the one before
 *     callgrind.NAME.out.base@LABEL    one that was kept as a baseline (--save-baseline=LABEL)
 *
 * and likewise with a pid, a part and a thread before "out". They are callgrind's own files. The
 * directory is MODULE/GROUP/FUNCTION.ID, or FUNCTION without an id; NAME is its last part.
 * Source: gungraun's guide ("Output files"), versions 0.14 to 0.20.
 */
#ifndef IRDIFF_STORE_RESULTS_H
#define IRDIFF_STORE_RESULTS_H

#include "src/store/profiles.h"

/* Whether it is a directory with such files in it, or below. */
bool results_are_in(const char *directory);

/* Appends the last runs in a directory and below, sorted, and to `base` as many files to compare
 * them with: those of the run before or, with a `baseline`, those kept under this label. Where only
 * one of both exists, "" takes the place of the other. */
int results_list(const char *directory, const char *baseline, struct path_list *base,
		 struct path_list *last, struct cg_error *err);

/* The name of the benchmark of a last run or its base, as gungraun prints it, without arguments:
 * "MODULE::GROUP::FUNCTION ID", with pid, part and thread if there are any. The caller's; NULL: out
 * of memory, or its directory is not one of gungraun's. */
char *results_name(const char *path);

#endif
