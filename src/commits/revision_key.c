#include "src/commits/revision_key.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/build_tools.h"
#include "src/commits/key_text.h"
#include "src/digest/digest.h"
#include "src/store/cache.h"

/* Builds may ask git for their commit, and readers of a profile want to know it. */
static int put_files_of_revision(const struct build_area *w, const struct revision *side, FILE *to,
				 struct cg_error *err)
{
	char *files = snapshot_identity(&side->files);

	if (!files)
		return cg_fail_nomem(err);
	key_put(to, "commit", side->commit.id);
	key_put(to, "files", files);
	free(files);
	fputs(side->gaps ? side->gaps : "", to);
	key_put(to, "project", w->git->prefix);
	if (w->copied)
		key_put(to, "copied", w->copied);
	return CG_OK;
}

static int write_key_text(const struct build_area *w, const struct revision *side,
			  const struct config_benchmark *benchmark, char **text,
			  struct cg_error *err)
{
	char *buffer;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	key_put_number(to, "key", CACHE_KEY_VERSION);
	fputs(w->tools, to);
	int status = put_files_of_revision(w, side, to, err);
	key_put_words(to, "build", revision_build(side));
	if (w->options.build || (benchmark && !benchmark->line))
		fputs(CACHE_KEY_UNSHARED, to); /* a command line stays private */
	if (benchmark)
		key_put_benchmark(to, benchmark, &w->secret);
	if (benchmark && benchmark->freeze)
		build_tools_put_freeze(to);
	if (!status)
		return key_finish(to, &buffer, text, err);
	fclose(to);
	free(buffer);
	return status;
}

int revision_key(const struct build_area *w, const struct revision *side,
		 const struct config_benchmark *benchmark, char **key, char **text,
		 struct cg_error *err)
{
	char *written = NULL, id[DIGEST_SIZE];
	int status = write_key_text(w, side, benchmark, &written, err);
	if (status)
		return status;
	bool sha256 = strlen(side->commit.id) == DIGEST_SIZE - 1;
	digest_of_blob(written, strlen(written), sha256, id);
	char *digest = strdup(id);
	if (!digest) {
		free(written);
		return cg_fail_nomem(err);
	}
	*key = digest;
	*text = written;
	return CG_OK;
}
