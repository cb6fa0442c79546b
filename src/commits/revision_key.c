#include "src/commits/revision_key.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/build_tools.h"
#include "src/commits/key_text.h"
#include "src/digest/digest.h"
#include "src/store/cache.h"

static int write_key_text(const struct build_area *w, const struct revision *side,
			  const struct config_benchmark *benchmark, char **text,
			  struct cg_error *err)
{
	char *buffer, *files = snapshot_identity(&side->files);
	size_t size;
	FILE *to = files ? open_memstream(&buffer, &size) : NULL;
	if (!to) {
		free(files);
		return cg_fail_nomem(err);
	}
	key_put_number(to, "key", CACHE_KEY_VERSION);
	fputs(w->tools, to);
	/* Builds may ask git for their commit, and readers of a profile want to know it. */
	key_put(to, "commit", side->commit.id);
	key_put(to, "files", files);
	key_put(to, "project", w->git->prefix);
	if (w->copied)
		key_put(to, "copied", w->copied);
	key_put_words(to, "build", revision_build(side));
	if (w->options.build || (benchmark && !benchmark->line))
		fputs(CACHE_KEY_UNSHARED, to); /* a command line stays private */
	if (benchmark)
		key_put_benchmark(to, benchmark, &w->secret);
	if (benchmark && benchmark->freeze)
		build_tools_put_freeze(to);
	free(files);
	return key_finish(to, &buffer, text, err);
}

int revision_key(const struct build_area *w, const struct revision *side,
		 const struct config_benchmark *benchmark, char **key, char **text,
		 struct cg_error *err)
{
	char *written = NULL, digest[DIGEST_SIZE];
	int status = write_key_text(w, side, benchmark, &written, err);

	if (status)
		return status;
	digest_of_bytes(written, strlen(written), digest);
	*key = strdup(digest);
	if (!*key) {
		free(written);
		return cg_fail_nomem(err);
	}
	*text = written;
	return CG_OK;
}
