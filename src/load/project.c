#include "src/load/project.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/config/file.h"
#include "src/load/commit_source.h"
#include "src/store/cache.h"

int project_open(struct project *out, const struct notices *notices, struct cg_error *err)
{
	struct project p = { .notices = notices };
	char *path = NULL, *here = getcwd(NULL, 0);
	if (!here)
		return cg_fail(err, CG_EIO, ".", 0, "cannot tell the current directory");

	int status = config_find(here, &path, err);
	if (!status && path)
		status = config_load(path, &p.config, err);
	if (!status) {
		p.root = strdup(p.config ? p.config->dir : here);
		p.commits = commit_listings_new();
		if (!p.root || !p.commits)
			status = cg_fail_nomem(err);
	}
	free(path);
	free(here);
	if (status)
		project_close(&p);
	else
		*out = p;
	return status;
}

void project_close(struct project *p)
{
	config_free(p->config);
	commit_listings_free(p->commits);
	free(p->root);
	*p = (struct project){ 0 };
}

int project_clean_cache(const struct project *p, struct cg_error *err)
{
	size_t removed;
	int status = cache_remove_old(p->root, &removed, err);

	if (!status && removed)
		notice_message(
			p->notices,
			"removed %zu %s that an older irdiff wrote to the cache; irdiff measures again when needed",
			removed, removed == 1 ? "entry" : "entries");
	return status;
}
