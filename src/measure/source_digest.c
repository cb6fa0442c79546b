#include "src/measure/source_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "src/run/fingerprint.h"
#include "src/run/strings.h"

enum { MOST_FILES = 10000 };

static const char *path_below_directory(const char *path, const char *directory)
{
	const char *rest = cg_path_below(path, directory);

	return rest && *rest == '/' ? rest + 1 : NULL;
}

/* Whoever was built elsewhere names the place where that was. */
static const char *relative_to_places(const char *path, const char *directory,
				      const char *const *places, size_t nplaces)
{
	const char *rest = path_below_directory(path, directory);

	for (size_t i = 0; !rest && i < nplaces; i++)
		rest = path_below_directory(path, places[i]);
	return rest;
}

static int compare_source_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files of lines, each as often as it comes. */
static int list_source_files(const struct cg_profile *p, const char *directory,
			     const char *const *places, size_t nplaces, struct strings *out,
			     struct cg_error *err)
{
	cg_str last = 0;
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < p->nlines && out->count < MOST_FILES; i++) {
		if (!p->lines[i].file || p->lines[i].file == last)
			continue;
		last = p->lines[i].file;
		const char *rest = relative_to_places(cg_string(p, last), directory, places,
						      nplaces);
		if (rest)
			status = strings_add(out, rest, err);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof *out->items, compare_source_paths);
	return status;
}

static int put_source_file(FILE *to, const char *directory, const char *path, struct cg_error *err)
{
	char *whole, id[SOURCE_DIGEST];

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return cg_fail_nomem(err);
	if (fingerprint_of_file(whole, id, sizeof id))
		fprintf(to, "%s %s\n", id, path);
	free(whole);
	return CG_OK;
}

int source_digest(const struct cg_profile *p, const char *directory, const char *const *places,
		  size_t nplaces, char digest[SOURCE_DIGEST], struct cg_error *err)
{
	struct strings files = { 0 };
	char *text = NULL;
	size_t size = 0;
	int status = list_source_files(p, directory, places, nplaces, &files, err);
	FILE *to = status ? NULL : open_memstream(&text, &size);

	*digest = '\0';
	if (!status && !to)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < files.count; i++)
		if (i == 0 || strcmp(files.items[i], files.items[i - 1]) != 0)
			status = put_source_file(to, directory, files.items[i], err);
	if (to && fclose(to) != 0 && !status)
		status = cg_fail_nomem(err);
	if (!status && size)
		fingerprint_of_bytes(text, size, digest, SOURCE_DIGEST);
	free(text);
	strings_free(&files);
	return status;
}
