/*
 * Reading profiles: callgrind and cachegrind files, and folded stacks (folded.h).
 *
 * Grammar: Valgrind's manual, "Callgrind Format Specification". Beyond it the
 * reader follows what Valgrind writes: relative positions build on the last
 * self cost line of the file (the lines that belong to a call do not move that
 * base), `cob=`/`cfi=` hold for the next `cfn=` only, `fi=`/`fe=` change the
 * file of the lines but not the identity of this function or the next (Valgrind
 * forgets those that it wrote for a call), and `cfni=NAME` of
 * CodSpeed's Valgrind moves the lines that follow to a function inlined there.
 */
#ifndef CG_READER_H
#define CG_READER_H

#include "callgrind/build.h"

/* A file or directory under the name that the measured program saw, and its real one. */
struct cg_path_map {
	const char *seen, *real;
};

struct cg_read_options {
	struct cg_detail detail;
	/* Skip malformed lines and count them in cg_profile.skipped instead of
	 * failing; overflow and I/O errors still fail. */
	bool lenient;
	/* Objects and source files at or below the path `seen` are renamed. */
	const struct cg_path_map *paths;
	size_t npaths;
};

/* Reads a file ("-": standard input; gzip, zstd and xz are unpacked). On
 * success *out is the caller's. Errors: CG_EIO, CG_ESYNTAX with file and line,
 * CG_ERANGE (also for a file that would take much more memory than its length
 * explains), CG_ENOMEM. A file that ends early is an error as well: in the
 * middle of a call, or, if Valgrind or irdiff wrote it, without its `totals:` line. */
int cg_read_file(const char *path, const struct cg_read_options *options, struct cg_profile **out,
		 struct cg_error *err);

/* Reads several files, parts or threads of one process, as one profile. */
int cg_read_files(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		  struct cg_profile **out, struct cg_error *err);

/* The same from memory; `name` is for messages. */
int cg_read_memory(const char *bytes, size_t len, const char *name,
		   const struct cg_read_options *options, struct cg_profile **out,
		   struct cg_error *err);

#endif
