#include "src/text/similar_function.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/name_parts.h"
#include "cgprofile/error.h"
#include "src/text/suggest.h"

static const char *similar_candidate(const struct cg_profile *p, uint32_t f)
{
	return cg_string(p, p->functions[f].name);
}

static size_t plain_length(const char *name)
{
	return cg_name_without_parameters(name, cg_name_stem(name, strlen(name)));
}

static bool ends_in(const char *name, size_t len, const char *word)
{
	size_t n = strlen(word);
	return n && len >= n + 2 && memcmp(name + len - n, word, n) == 0 &&
	       memcmp(name + len - n - 2, "::", 2) == 0;
}

/* The first by name; 0: none. */
static uint32_t find_qualified(const struct cg_profile *p, const char *word)
{
	uint32_t found = 0;
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		const char *name = similar_candidate(p, f);
		if (ends_in(name, plain_length(name), word) &&
		    (!found || strcmp(name, similar_candidate(p, found)) < 0))
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
static int find_spelled(const struct cg_profile *p, const char *word, uint32_t *out)
{
	char **names = calloc((size_t)p->nfunctions + 1, sizeof *names);
	const bool whole = strstr(word, "::") != NULL;
	int status = names ? CG_OK : CG_ENOMEM;

	*out = 0;
	for (uint32_t f = 1; !status && f < p->nfunctions; f++) {
		const char *name = similar_candidate(p, f);
		size_t len = plain_length(name), first = whole ? 0 : cg_name_last_part(name, len);
		names[f - 1] = strndup(name + first, len - first);
		status = names[f - 1] ? CG_OK : CG_ENOMEM;
	}
	const char *meant = status || p->nfunctions < 2
				    ? NULL
				    : suggest(word, (const char *const *)names, p->nfunctions - 1);
	for (uint32_t f = 1; meant && f < p->nfunctions; f++)
		if (names[f - 1] == meant)
			*out = f;
	free_texts(names, p->nfunctions);
	return status;
}

int similar_function(const struct cg_profile *p, const char *word, uint32_t *function)
{
	*function = find_qualified(p, word);
	return *function ? CG_OK : find_spelled(p, word, function);
}

size_t similar_function_length(const struct cg_profile *p, uint32_t function)
{
	return plain_length(similar_candidate(p, function));
}
