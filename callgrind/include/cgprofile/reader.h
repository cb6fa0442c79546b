/*
 * Reading profiles: callgrind and cachegrind files, and folded stacks (folded.h).
 *
 * Grammar: Valgrind's manual, "Callgrind Format Specification": relative positions
 * build on the last cost line of the file, be it of a call. Beyond it the reader
 * follows what Valgrind writes: there they build on the last line of self costs (the
 * lines that belong to a call do not move that base), `cob=`/`cfi=` hold for the next `cfn=` only,
 * `fi=`/`fe=` change the file of the lines but not the identity of this function or the next
 * (Valgrind forgets those that it wrote for a call), and `cfni=NAME` of CodSpeed's Valgrind moves
 * the lines that follow to a function inlined there. Files of irdiff have the function of a line
 * `fn=` inlined into that of the number in a line `inlined=(NUMBER)` in front of it, and a comment
 * "# called 0 times" in front of a line `calls=1` where there were none, or nobody counted.
 */
#ifndef CGPROFILE_READER_H
#define CGPROFILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"
#include "cgprofile/inlines.h"
#include "cgprofile/profile.h"
#include "cgprofile/selection.h"

CG_BEGIN_DECLS

/* All 0, or NULL in place of the options, is the default. */
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
	/* Costs of inlined functions are counted for these, in files with addresses;
	 * NULL: for the functions around them, unless the file itself tells. */
	const struct cg_inlines *inlines;
	/* Count for the functions around them what a file says to be inlined. */
	bool fold_inlined;
	/* Count the cold part that a compiler split off a function (NAME.cold) for the
	 * function, which does not call it. */
	bool join_cold;
	/* Called now and then with how many bytes more of the files, as they are stored, were
	 * taken, perhaps by another thread; NULL: nobody asks. */
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
 * CG_EINVAL if no part of it is selected, or one is there twice; CG_ECHOICE if it
 * is of several processes and the selection does not say that they add up. */
int cg_read_file(const char *path, const struct cg_read_options *options, struct cg_profile **out,
		 struct cg_error *err);

/* Reads several files as one profile: the dumps of one process, or its threads; of
 * several processes where the selection says so. A file that does not say of which
 * process it is counts as a process by itself. The empty file that Valgrind leaves
 * beside those of the threads (FILE beside FILE-01) is passed over. CG_EINVAL if
 * one is named twice. */
int cg_read_files(const char *const *paths, size_t npaths, const struct cg_read_options *options,
		  struct cg_profile **out, struct cg_error *err);

/* The same from memory; `name` is for messages. */
int cg_read_memory(const char *bytes, size_t len, const char *name,
		   const struct cg_read_options *options, struct cg_profile **out,
		   struct cg_error *err);

CG_END_DECLS

#endif
