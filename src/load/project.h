/* The project that a command works for. */
#ifndef IRDIFF_LOAD_PROJECT_H
#define IRDIFF_LOAD_PROJECT_H

#include "src/config/config.h"
#include "src/status/notice.h"

#define CREATOR "irdiff-" PACKAGE_VERSION /* of the files that irdiff writes */

/* Where irdiff.yml is, or else the current directory. */
struct project {
	char *root;
	struct config *config;           /* NULL: there is no irdiff.yml */
	struct commit_listings *commits; /* of its repository, as far as they were needed */
	const struct notices *notices;   /* where all work for it tells what happens */
};

int project_open(struct project *out, const struct notices *notices, struct cg_error *err);
void project_close(struct project *p);

/* Removes what older irdiffs have kept in the cache, and tells so. */
int project_clean_cache(const struct project *p, struct cg_error *err);

#endif
