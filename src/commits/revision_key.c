#include "src/commits/revision_key.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/build_tools.h"
#include "src/commits/key_text.h"
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
	static const char *const args[] = { "hash-object", "--stdin", NULL };
	char *written = NULL, *digest = NULL;
	int status = write_key_text(w, side, benchmark, &written, err);
	if (status)
		return status;
	const struct git_call call = { .args = args,
				       .input = written,
				       .input_size = strlen(written) };
	status = git_run(w->git, &call, &digest, NULL, err);
	if (status) {
		free(written);
		return status;
	}
	digest[strcspn(digest, "\n")] = '\0';
	*key = digest;
	*text = written;
	return CG_OK;
}
