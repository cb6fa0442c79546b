#include "src/cli/similar_roots.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/text/suggest.h"
#include "src/view/flat.h"

static size_t plain_length(const char *name)
{
	return cg_name_without_parameters(name, cg_name_stem(name, strlen(name)));
}

static bool ends_in(const char *name, size_t len, const char *root)
{
	size_t n = strlen(root);
	return n && len >= n + 2 && memcmp(name + len - n, root, n) == 0 &&
	       memcmp(name + len - n - 2, "::", 2) == 0;
}

/* The first by name; 0: none. */
static uint32_t find_qualified(const struct cg_profile *p, const char *root)
{
	uint32_t found = 0;
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		const char *name = view_function(p, f);
		if (ends_in(name, plain_length(name), root) &&
		    (!found || strcmp(name, view_function(p, found)) < 0))
			found = f;
	}
	return found;
}

static void free_texts(char **texts, uint32_t count)
{
	for (uint32_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

/* *out is 0 if no name is like it. */
static int find_spelled(const struct cg_profile *p, const char *root, uint32_t *out)
{
	char **names = calloc((size_t)p->nfunctions + 1, sizeof *names);
	int status = names ? CG_OK : CG_ENOMEM;

	*out = 0;
	for (uint32_t f = 1; !status && f < p->nfunctions; f++) {
		const char *name = view_function(p, f);
		size_t len = plain_length(name), first = cg_name_last_part(name, len);
		names[f - 1] = strndup(name + first, len - first);
		status = names[f - 1] ? CG_OK : CG_ENOMEM;
	}
	const char *meant = status || p->nfunctions < 2
				    ? NULL
				    : suggest(root, (const char *const *)names, p->nfunctions - 1);
	for (uint32_t f = 1; meant && f < p->nfunctions; f++)
		if (names[f - 1] == meant)
			*out = f;
	free_texts(names, p->nfunctions);
	return status;
}

/* *out is allocated; NULL if there is none. */
static int suggest_root(const struct cg_profile *p, const char *root, char **out)
{
	uint32_t function = find_qualified(p, root);
	int status = function ? CG_OK : find_spelled(p, root, &function);

	*out = NULL;
	if (status || !function)
		return status;
	const char *name = view_function(p, function);
	*out = strndup(name, plain_length(name));
	return *out ? CG_OK : CG_ENOMEM;
}

int fail_similar_root(const struct cg_profile *p, const char *root, struct cg_error *err)
{
	char *meant;

	if (suggest_root(p, root, &meant))
		return cg_fail_nomem(err);
	if (meant)
		cg_fail(err, CG_EINVAL, NULL, 0, "unknown root function '%s'; did you mean '%s'?",
			root, meant);
	free(meant);
	return CG_EINVAL;
}
