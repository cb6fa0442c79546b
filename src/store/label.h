/*
 * Labels: the names of profiles, baselines and benchmarks.
 *
 * A benchmark that measures several cases has a profile for each, whose label is the benchmark's, a
 * slash, and what the program calls the case: "parse/small", "bench/src/lib.rs::sort[1000]".
 * Labels become names of files: there "%2F" stands for a slash and "%25" for a percent sign.
 */
#ifndef IRDIFF_STORE_LABEL_H
#define IRDIFF_STORE_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define LABEL_MAX 200     /* bytes of the name of a file; leaves room for suffixes */
#define LABEL_NEW_MAX 160 /* of a name that people give; leaves room for cases */

/* A label is printed and becomes part of a file name: valid UTF-8, no control characters, no \,
 * at most LABEL_MAX bytes as a file name; what is before, between and behind slashes is not
 * empty, has no leading dot or dash and no space at either end. Returns CG_OK or CG_EINVAL. */
int label_check(const char *label, struct cg_error *err);

/* The same for a name that has no case: no slash. */
int label_check_name(const char *name, struct cg_error *err);

/* The same for a name that people give to what will be measured: `.old` at its end is kept for the
 * profile that another one replaced, and there must be room for that, and for names of cases. */
int label_check_new(const char *label, struct cg_error *err);

/* The label of a case of a benchmark, whatever the program calls it: what no label may have is
 * written as %XX, and what is too long, or ends in `.old`, is cut and ends in a digest of the
 * whole. The caller's; NULL: out of memory. */
char *label_of_case(const char *benchmark, const char *name);

/* Whether it is that of a case of the benchmark whose name has so many bytes. */
bool label_is_case_of(const char *label, const char *benchmark, size_t len);

/* Whether it is that of a profile that another one has replaced. */
bool label_is_old(const char *label);

/* How long the benchmark's name is in a label: all of it, or up to the first slash. */
size_t label_benchmark_length(const char *label);

/* The name of the file of a label, without a suffix, and back; the caller's. NULL: out of
 * memory, or label_of_file: no file of a label is called so. */
char *label_file(const char *label);
char *label_of_file(const char *name);

#endif
