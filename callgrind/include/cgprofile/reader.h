/*
 * Reading profiles: callgrind and cachegrind files, folded stacks (folded.h), files of pprof and
 * massif, and the text of perf script.
 *
 * Grammar: Valgrind's manual, "Callgrind Format Specification", where relative positions refer to
 * the previous cost line of the file, even that of a call. Where Valgrind deviates, the reader
 * follows Valgrind: positions refer to the previous line of self costs (the lines of a call do not
 * change that base), `cob=`/`cfi=` apply only to the next `cfn=`, `fi=`/`fe=` change the file of
 * the lines but not the identity of this function or the next (Valgrind forgets those that it
 * wrote for a call), and `cfni=NAME` of CodSpeed's Valgrind assigns the following lines to a
 * function inlined there. In files of irdiff, a line `inlined=(NUMBER)` before `fn=` means that
 * the function is inlined into the function with that number, a comment "# inlined calls: COUNT"
 * below `fn=` how often it is called there, and a comment "# called 0 times" before a line
 * `calls=1` means that calls did not happen or were not counted.
 */
#ifndef CGPROFILE_READER_H
#define CGPROFILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"
#include "cgprofile/inlines.h"
#include "cgprofile/perf_map.h"
#include "cgprofile/profile.h"
#include "cgprofile/selection.h"

CG_BEGIN_DECLS

struct cg_format;

/* All 0, or NULL instead of the options, is the default. */
struct cg_read_options {
	struct cg_detail detail;
	/* Skip malformed lines and count them in cg_profile.skipped instead of
	 * failing; overflow and I/O errors still fail. */
	bool lenient;
	/* Objects and source files at or below the path `seen` are renamed. */
	const struct cg_path_map *paths;
	size_t npaths;
	/* Which parts are read; NULL: all of them. */
	const struct cg_selection *selection;
	/* In files with addresses, count costs of inlined functions for these functions; NULL: for
	 * the functions that contain them, unless the file itself has inlined functions. */
	const struct cg_inlines *inlines;
	/* Count inlined functions that a file records for the functions that contain them. */
	bool fold_inlined;
	/* The names of code that the process of a file has generated. */
	const struct cg_file_map *maps;
	size_t nmaps;
	/* Keep functions of an interpreter apart from those that they run, as if they were inlined
	 * there, where their callers tell which these are. */
	bool keep_interpreters;
	/* Count the cold part that a compiler split off a function (NAME.cold) for the
	 * function, which does not call it. */
	bool join_cold;
	/* A dump that begins inside of calls has the rest of them, with a count of 0: count each
	 * as a call. */
	bool split_calls;
	/* Names of events that are not kept, but for the last one of all; ended by NULL. NULL: all
	 * are kept. */
	const char *const *without;
	/* Formats that irdiff reads beside those of the library; ended by NULL. NULL: none. */
	const struct cg_format *const *formats;
	/* Called now and then, perhaps by another thread, with the number of bytes that were read
	 * from the files, as stored, since the last call; NULL: no calls. */
	void (*progress)(void *context, uint64_t bytes);
	void *progress_context;
};

/* Reads a file ("-": standard input; gzip, zstd and xz are unpacked). On
 * success *out is the caller's. Errors: CG_EIO, CG_ESYNTAX with file and line (without a line for
 * a file that was compressed twice, or in another way),
 * CG_ERANGE (also for a file that would take much more memory than its length
 * explains), CG_ENOMEM. A file that ends early is an error as well: in the
 * middle of a call, or, if Valgrind or irdiff wrote it, without its `totals:` line, of
 * cachegrind without `summary:`.
 * CG_EINVAL if no part of it is selected, or one occurs twice; CG_ECHOICE if it
 * has several processes and the selection does not ask to add them up. */
int cg_read_file(const char *path, const struct cg_read_options *options, struct cg_profile **out,
		 struct cg_error *err);

/* Reads several files as one profile: the dumps of one process, or its threads; or
 * several processes if the selection asks for it. A file that does not record its
 * process counts as a process of its own. The empty file that Valgrind writes
 * next to those of the threads (FILE next to FILE-01) is skipped. CG_EINVAL if
 * one is given twice. */
int cg_read_files(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		  struct cg_profile **out, struct cg_error *err);

/* The same from memory; `name` is for messages. */
int cg_read_memory(const char *bytes, size_t len, const char *name,
		   const struct cg_read_options *options, struct cg_profile **out,
		   struct cg_error *err);

CG_END_DECLS

#endif
