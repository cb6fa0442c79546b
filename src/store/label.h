/*
 * Labels: the names of profiles, baselines and benchmarks.
 *
 * A benchmark that measures several cases has a profile for each, whose label is the benchmark's, a
 * slash, and what the program calls the case: "parse/small", "bench/src/lib.rs::sort[1000]".
 *
 * People see labels as paths: the profile of "parse/small" is parse/small.callgrind. A percent sign
 * is written "%25", and in the name of a directory the dot of ".callgrind" as "%2E": files always
 * contain ".callgrind", so that no file has the name of a directory. Where a label must be one name
 * (the cache, shared measurements), "%2F" stands for a slash.
 */
#ifndef IRDIFF_STORE_LABEL_H
#define IRDIFF_STORE_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define LABEL_MAX 200     /* bytes of the name of a file; leaves room for suffixes */
#define LABEL_NEW_MAX 160 /* of a name that people give; leaves room for cases */

/* A label is printed and becomes part of a file name: valid UTF-8, no control characters, no \, at
 * most LABEL_MAX bytes as a file name; the parts between slashes are not empty, have no leading dot
 * or dash and no space at either end. Returns CG_OK or CG_EINVAL. */
int label_check(const char *label, struct cg_error *err);

/* The same for a name that has no case: no slash. */
int label_check_name(const char *name, struct cg_error *err);

/* The same for a name that people choose: `.old` at its end is reserved for the profile that
 * another one replaced, and there must be room for that, and for names of cases. */
int label_check_new(const char *label, struct cg_error *err);

/* The label of a case of a benchmark, by any name: characters that labels may not have are written
 * as %XX; a name that is too long, or ends in `.old`, is cut and ends in a digest of the whole. The
 * caller's; NULL: out of memory. */
char *label_of_case(const char *benchmark, const char *name);

/* Whether it is the label of a case of the benchmark, whose name has `len` bytes. */
bool label_is_case_of(const char *label, const char *benchmark, size_t len);

/* The profile of a benchmark's heap is named as if that were a case, but is there beside the
 * benchmark's own. */
#define LABEL_HEAP "heap"
bool label_is_heap_of(const char *label, const char *benchmark);

/* Whether it is the label of a replaced profile. */
bool label_is_old(const char *label);

/* The length of the benchmark's name in a label: up to the first slash, or all of it. */
size_t label_benchmark_length(const char *label);

#define LABEL_SUFFIX ".callgrind"

/* The path of a label's files, without LABEL_SUFFIX, and back; the caller's. NULL: out of memory,
 * or (label_of_path) no label has this path. */
char *label_path(const char *label);
char *label_of_path(const char *path);

/* The same as one name, without slashes. */
char *label_file(const char *label);
char *label_of_file(const char *name);

#endif
