#include "src/load/stored_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/input.h"
#include "src/store/find_profile.h"
#include "src/store/packed.h"

/* The line of a header that says which positions a file has; empty at the end if there is none. */
struct positions_line {
	size_t begin, end;
};

static struct positions_line find_positions(const char *text, size_t size)
{
	static const char positions[] = "\npositions:";
	const char *at = memmem(text, size, positions, sizeof positions - 1);
	const char *end = at ? memchr(at + 1, '\n', size - (size_t)(at + 1 - text)) : NULL;

	return end ? (struct positions_line){ (size_t)(at - text), (size_t)(end - text) }
		   : (struct positions_line){ size, size };
}

/* Whether what begins a text is a header, but for its positions. */
static bool begins_with_header(const char *text, size_t size, const char *header, size_t len)
{
	struct positions_line expected = find_positions(header, len), found = expected;

	if (expected.begin < len)
		found = find_positions(text, size);
	size_t rest = len - expected.end;
	return found.begin == expected.begin && found.end <= size && size - found.end >= rest &&
	       memcmp(text, header, expected.begin) == 0 &&
	       memcmp(text + found.end, header + expected.end, rest) == 0;
}

void stored_variant_advise(struct cg_error *err)
{
	static const char advice[] = "; measure again, or remove this file to read the profile "
				     "beside it, which has less detail";
	const size_t len = strlen(err->message);

	snprintf(err->message + len, sizeof err->message - len, "%s", advice);
}

/* To the end, where its checksum is. */
static int check_whole(struct cg_input *in, struct cg_error *err)
{
	char buffer[16 * 1024];
	size_t got;
	int status;

	do
		status = cg_input_read(in, buffer, sizeof buffer, &got, err);
	while (!status && got);
	return status;
}

/* Both were written by one measurement if their headers are the same but for the positions: facts,
 * totals and all. The plain file may have been replaced since, it is the user's; the header of the
 * other one differs if it is damaged, too, which is an error of the variant. */
static int compare_with_label(struct cg_input *variant, const char *plain, bool *same,
			      struct cg_error *err)
{
	enum { MOST = 64 * 1024 };
	struct cg_input *in = NULL;
	const char *x, *y, *end;
	size_t nx, ny;
	int status = cg_input_peek(variant, MOST, &x, &nx, err);

	if (!status && !nx)
		status = cg_fail(err, CG_ESYNTAX, cg_input_name(variant), 0, "the file is empty");
	if (!status && cg_input_open(&in, plain, NULL) == CG_OK &&
	    cg_input_peek(in, MOST, &y, &ny, NULL) == CG_OK && (end = memmem(y, ny, "\n\n", 2)))
		*same = begins_with_header(x, nx, y, (size_t)(end - y));
	cg_input_free(in);
	return status || *same ? status : check_whole(variant, err);
}

static int is_of_label(const char *variant, const char *plain, bool *same, struct cg_error *err)
{
	struct cg_input *in = NULL;
	int status = cg_input_open(&in, variant, err);

	*same = false;
	if (!status)
		status = compare_with_label(in, plain, same, err);
	cg_input_free(in);
	if (status && status != CG_ENOMEM)
		stored_variant_advise(err);
	return status;
}

static int find_variants(const char *root, const char *operand, enum stored_file wanted,
			 struct stored_variant *out, struct cg_error *err)
{
	char *lines, *contexts;

	if (wanted == STORED_INSTRUCTIONS)
		return store_find_instructions(root, operand, &out->profile, &out->code, err);
	int status = store_find_inlined(root, operand, &lines, &contexts, err);
	out->profile = wanted == STORED_CONTEXTS ? contexts : lines;
	free(wanted == STORED_CONTEXTS ? lines : contexts);
	return status;
}

int stored_variant_find(const char *root, const char *operand, enum stored_file wanted,
			const char *plain, struct stored_variant *out, struct cg_error *err)
{
	struct stored_variant v = { 0 };
	int status = find_variants(root, operand, wanted, &v, err);

	if (status)
		return status;
	if (v.profile)
		status = is_of_label(v.profile, plain, &v.is_label, err);
	if (!v.is_label)
		stored_variant_free(&v);
	if (wanted == STORED_PLAIN) {
		free(v.profile);
		v.profile = NULL;
	}
	*out = v;
	return status;
}

void stored_variant_free(struct stored_variant *v)
{
	free(v->profile);
	free(v->code);
	*v = (struct stored_variant){ 0 };
}

int stored_sources_load(const char *root, const char *operand, struct stored_sources *out,
			struct cg_error *err)
{
	char *path;
	int status = store_find_sources(root, operand, &path, err);
	if (status)
		return status;
	if (path)
		status = sources_load(path, out, err);
	free(path);
	return status;
}

int stored_used_files_load(const char *root, const char *operand, struct used_files *out,
			   struct cg_error *err)
{
	enum { MOST_BYTES = 64 << 20 };
	char *path = NULL, *text = NULL;
	size_t size = 0;

	*out = (struct used_files){ 0 };
	int status = store_find_used_files(root, operand, &path, err);
	if (!status && path)
		status = packed_read(path, MOST_BYTES, &text, &size, err);
	free(path);
	if (!status && size < MOST_BYTES) /* what is longer was cut */
		return used_files_take(out, text, size, err);
	free(text);
	return status;
}
