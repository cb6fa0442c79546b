/* The text that source files have at the commit that a profile was measured at. */
#ifndef IRDIFF_LOAD_COMMIT_SOURCE_H
#define IRDIFF_LOAD_COMMIT_SOURCE_H

#include "cgprofile/profile.h"
#include "src/run/strings.h"
#include "src/run/used_files.h"
#include "src/view/changed_file.h"
#include "src/view/code.h"
#include "src/view/source.h"

struct commit_source;

/* What git knows of commits: read once for all profiles of a commit. */
struct commit_listings;

/* NULL: out of memory. Free with commit_listings_free, which takes NULL. */
struct commit_listings *commit_listings_new(void);
void commit_listings_free(struct commit_listings *l);

/* `commit` is the one that the profile is for if it shares the run of another commit, or NULL. *out
 * is NULL if that is NULL and the profile does not say which commit it is of or based on, or if
 * `tree`, the work tree of the project, is NULL. Git is asked only for the first text. What it
 * reads from git belongs to `listings`, which must outlive it. CG_OK or CG_ENOMEM. Free with
 * commit_source_free. */
int commit_source_new(const struct cg_profile *p, const char *commit, const char *tree,
		      struct commit_listings *listings, struct commit_source **out,
		      struct cg_error *err);
void commit_source_free(struct commit_source *c);

/* The text of a file as the profile names it, by its path in the work tree, or at the place where
 * projects are built; a relative path begins at the current directory, or else at the work tree.
 * CG_OK with an empty path if the repository does not have the commit, or that no such file, or if
 * the profile is of a changed work tree; hidden files, links and what is larger than
 * SOURCE_BYTES_MAX are none. `c` may be NULL. CG_OK or CG_ENOMEM. */
int commit_source_text(struct commit_source *c, const char *file, struct source_text *out,
		       struct cg_error *err);

/* Whether two commits, or changed work trees whose changes `used` has, differ in an irdiff.yml that
 * both have, or in files that their profiles used and that are not hidden, and neither source
 * (source_is_code) nor documentation unless only the run reads them, or in how git checks files
 * out (.gitattributes): how the program is built, or what it reads. *out is false if that is not
 * known; either may be NULL. CG_OK or CG_ENOMEM. */
int commit_sources_differ_otherwise(struct commit_source *base, struct commit_source *head,
				    const struct used_files used[static CODE_SIDES], bool *out);

/* Adds all files that their profiles used and that are not the same in both, but for hidden ones,
 * and documentation that the run does not read; and each .gitattributes by which other files may
 * have been checked out otherwise. None if that is not known. CG_OK or CG_ENOMEM. */
int commit_sources_changed(struct commit_source *base, struct commit_source *head,
			   const struct used_files used[static CODE_SIDES],
			   struct changed_files *files, struct cg_error *err);

#endif
