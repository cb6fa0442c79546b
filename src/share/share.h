/*
 * Sharing measurements by git: the ref refs/irdiff/store of a remote is a commit whose tree has
 *
 *     history/1a/COMMIT.jsonl           the rows of a commit, one a line (history_row.h), by
 *                                       environment, definition and benchmark; the directory has
 *                                       the first digits of its commits
 *     cache/TIME-BENCH@COMMIT-KEY/           an entry of the cache (cache.h), measured at that
 *                                            time: 20260131T235959Z, UTC
 *
 * Names begin with digits, so that none is one that git refuses or that is magic on some system.
 *
 * Rows and entries are never changed, so two trees are put together by taking what is in either; of
 * two rows of one benchmark, definition, commit and environment the one stays that was measured
 * later. The history records which trees of a fan of commits it has seen (history_fan.h), and only
 * those that are new, here or there, are read and written. Whoever pushes writes a new commit
 * of both trees, and git replaces the old one only if it is still that. The old one becomes its
 * parent, so that git only sends what is new; but after 100 commits one has no parent, and what was
 * pruned before is gone.
 *
 * A tree is written by others. Of what is no row or entry as irdiff writes it nothing is taken, and
 * it is said; the rest is taken, and the next push has only that. But where a newer irdiff has
 * pushed rows, an older one does not push.
 */
#ifndef IRDIFF_SHARE_SHARE_H
#define IRDIFF_SHARE_SHARE_H

#include <stdint.h>

#include "src/git/git.h"

#define SHARE_REF "refs/irdiff/store"

struct share_refused {
	struct strings words; /* why, for the first few: hostile text, quoted */
	size_t count;
	bool newer; /* rows of a newer irdiff are among it */
};

struct share_request {
	const struct git *git;
	const char *root; /* of the project */
	const char *remote;
	const char *scratch; /* a work directory (publish.h) */
	bool history_only;   /* no entries of the cache */
	uint64_t keep;       /* push: entries that stay, the last measured; 0: all */
	uint64_t days;       /* push: entries older than that go; 0: none */
};

struct share_amount {
	size_t rows, entries;
};

struct share_result {
	struct share_amount there;     /* in the tree, after a push */
	struct share_amount new_here;  /* fetched, or to be fetched */
	struct share_amount new_there; /* pushed, or to be pushed */
	size_t pruned;                 /* entries that were removed from the remote */
	bool absent;                   /* the remote had no such ref */
	struct share_refused refused;
};

/* All fail with CG_EINVAL and others; *unreached is true if the remote failed. Free *result with
 * share_result_free, also on failure. */
int share_fetch(const struct share_request *request, struct share_result *result, bool *unreached,
		struct cg_error *err);
int share_push(const struct share_request *request, struct share_result *result, bool *unreached,
	       struct cg_error *err);

/* Only counts what could be fetched and pushed. */
int share_status(const struct share_request *request, struct share_result *result, bool *unreached,
		 struct cg_error *err);

void share_result_free(struct share_result *result);

#endif
