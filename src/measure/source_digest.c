#include "src/measure/source_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "cgprofile/names.h"
#include "src/run/fingerprint.h"
#include "src/run/strings.h"
#include "src/store/files.h"
#include "src/view/code_tokens.h"

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

/* Of languages whose tokens are known (code_tokens.h). */
static bool has_known_tokens(const char *path)
{
	static const char *const endings[] = { ".c",   ".h",   ".cc",  ".hh", ".cpp",
					       ".hpp", ".cxx", ".hxx", ".rs", ".go" };
	const char *dot = strrchr(cg_base_name(path), '.');

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

/* Its tokens, a line each. False: out of memory. */
static bool tokens_text(const char *code, size_t code_size, char **text, size_t *size)
{
	FILE *to = open_memstream(text, size);
	struct code_tokens tokens;
	struct code_token token;

	if (!to)
		return false;
	code_tokens_begin(&tokens, code, code_size);
	while ((token = code_tokens_next(&tokens)).kind != TOKEN_END) {
		fwrite(token.text, 1, token.len, to);
		fputc('\n', to);
	}
	return fclose(to) == 0;
}

/* A program stays the same if only comments and blanks change, so these do not count. */
static bool fingerprint_of_code(const char *path, char id[SOURCE_DIGEST])
{
	enum { CODE_BYTES_MAX = 16 * 1024 * 1024 };
	struct cg_error err;
	char *code = NULL, *text = NULL;
	size_t code_size, size;

	if (!has_known_tokens(path) ||
	    foreign_file_read(path, CODE_BYTES_MAX, &code, &code_size, &err))
		return false;
	const bool done = tokens_text(code, code_size, &text, &size);
	if (done)
		fingerprint_of_bytes(text, size, id, SOURCE_DIGEST);
	free(text);
	free(code);
	return done;
}

static int put_source_file(FILE *to, const char *directory, const char *path, struct cg_error *err)
{
	char *whole, id[SOURCE_DIGEST];

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return cg_fail_nomem(err);
	if (fingerprint_of_code(whole, id) || fingerprint_of_file(whole, id, sizeof id))
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
